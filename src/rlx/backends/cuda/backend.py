"""The `cuda` device: Triton's kernels on an NVIDIA GPU, as CUDA graphs. Neither torch nor a C compiler is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rlx.backends.base import Artifact, Parts
from rlx.backends.cuda.artifact import CudaCode
from rlx.backends.cuda.driver_interface import Driver
from rlx.backends.cuda.graph import described, library_products
from rlx.backends.cuda.memory import CudaArrays
from rlx.backends.cuda.program import build_program
from rlx.backends.cuda.triton_compile import triton_version
from rlx.backends.plain import Plain
from rlx.core import cache, config
from rlx.core.dim import Symbol
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.parse_lir import Lir
from rlx.ir.weight_layout import WeightLayout
from rlx.passes.entry import Options, Pass
from rlx.passes.prepared_analysis import derivations


class CudaBackend(Plain):
    """Claims what its kernel table has, and what nothing but the host can run; plans on strided places; a run is one graph."""

    name = "cuda"
    computes = True

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.arrays: Any = CudaArrays(driver)

    @staticmethod
    def shared() -> CudaBackend:
        """The backend of the first GPU, or of what RLX_CUDA names; RLX404 with the reason where there is none."""
        found = _chosen(config.CUDA.read())
        if isinstance(found, RlxError):
            raise RlxError(found.code, found.message, fix=found.fix)
        return found

    # -- for passes
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None if there is a kernel for the op, if it is a view, or if it cannot be taken apart and runs on the host."""
        from rlx.backends.cuda.lower import reason_against

        return reason_against(op, operands, results)

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> str | None:
        """Rows of the transposed matrix; experts, images and stored blocks as they are."""
        from rlx.backends.cuda.layouts import TransposedRows

        if scheme is not None or any(shape.rank != 2 for shape in weights):
            return None
        return TransposedRows(len(weights)).name

    def find_layout(self, name: str) -> WeightLayout | None:
        """Rows, and pairs of them."""
        from rlx.backends.cuda.layouts import layout_named

        return layout_named(name)

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """All; short loops become nodes first; behind the layouts norms go into products, rope and caches into attention."""
        from rlx.backends.cuda.fuse_attention import FUSE_ATTENTION
        from rlx.backends.cuda.fuse_prologue import FUSE_PROLOGUE
        from rlx.backends.cuda.unroll_scans import UNROLL_SCANS

        listed = [UNROLL_SCANS, *listed]
        if not options.fuse:
            return listed
        place = next(index for index, one in enumerate(listed) if one.name == "layout")
        return [*listed[: place + 1], FUSE_PROLOGUE, FUSE_ATTENTION, *listed[place + 1 :]]

    def commands(self, options: Options) -> Any:
        """The kernel table."""
        from rlx.backends.cuda.lower import CudaCommands

        return CudaCommands(options.trap_nan)

    def support(self, record: OpDef) -> str:
        """How it runs an op, as text."""
        from rlx.backends.cuda.kernels.table import KERNELS

        if record.view is not None:
            return "a view if its layout allows it, else a copy"
        if record.name in KERNELS:
            return "native kernel"
        return "via decomposition" if record.decompose is not None else "on the host"

    # -- compiling
    def compile(self, lir: Lir, options: Options, report: Report) -> CudaCode:
        """The programs of a plan."""
        lirs = (lir,) if lir.prepare is None else (lir, lir.prepare)
        programs = tuple(build_program(one) for one in lirs)
        self.driver.prepare([kernel for program in programs for kernel in program.kernels])
        for program in programs:
            for step in {step.name: step for step in program.steps if step.name in program.host_steps}.values():
                report.add("lower", "host call", f"{step.name} runs on the host, by its reference", step.origin)
            for line, origin in library_products(program, self.driver):
                report.add("lower", "library", line, origin)
            report.add("graph", "fused", described(program.steps))
        prepared, made_of = {}, {}
        if lir.prepare is not None:
            graph = lir.prepare.graph
            prepared = {name: graph.shape(ref) for name, ref in graph.output_refs.items()}
            made_of = derivations(graph, f"cuda {self.driver.target}", options.trap_nan)
        return CudaCode(programs, self.driver, options, prepared, made_of, tuple(report.entries), tuple(lir.donations))

    def compile_as_planned(self, graph: Graph) -> CudaCode:
        """A graph whose ops are all kernels, without any pass."""
        from rlx.plan.schedule import plan

        return self.compile(plan(graph.freeze(), self.commands(Options()), Report()), Options(), Report())

    # -- caching
    def key(self, *parts: str) -> str:
        """Besides the parts: what stands in for the GPU, its architecture, and the compiler."""
        return cache.key("cuda program", type(self.driver).__name__, str(self.driver.target), triton_version(), *parts)

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> CudaCode:
        """The inverse of `CudaCode.pack`."""
        return CudaCode.unpack(parts, symbols, self.driver)

    def accept(self, artifact: Artifact, what: str) -> CudaBackend:
        """Itself, if its GPU has the architecture that the code was compiled for."""
        assert isinstance(artifact, CudaCode)
        if artifact.made_for != str(self.driver.target):
            message = f"{what} has code for {artifact.made_for}, this GPU is {self.driver.target}"
            raise RlxError("RLX407", message, fix="compile the module here and save it again")
        return self

    # -- the machine
    def describe(self) -> dict[str, str]:
        """The GPU in words."""
        return dict(self.driver.describe())


@lru_cache(maxsize=4)
def _chosen(name: str) -> CudaBackend | RlxError:
    """The backend that RLX_CUDA names, or why there is none: looked for once."""
    if name == "interpret":
        from rlx.backends.cuda.fake_driver import FakeDriver

        return CudaBackend(FakeDriver())
    if name and not name.isdigit():
        return config.CUDA.refused("the number of a GPU, or 'interpret' for Triton's interpreter on the host")
    from rlx.backends.cuda.cuda_driver import CudaDriver

    try:
        return CudaBackend(CudaDriver(int(name or 0)))
    except RlxError as error:
        return error
