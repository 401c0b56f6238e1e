"""The `cuda` device: Triton's kernels on an NVIDIA GPU, as CUDA graphs. Neither torch nor a C compiler is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from rlx.backends.base import Artifact, Parts
from rlx.backends.cuda.driver_interface import Driver, GpuTarget
from rlx.backends.cuda.graph import CudaRunner, described, library_products
from rlx.backends.cuda.memory import CudaArrays
from rlx.backends.cuda.program import CudaProgram, build_program, pack_program, unpack_program
from rlx.backends.cuda.triton_compile import remember, triton_version
from rlx.backends.plain import Plain
from rlx.core import cache, config
from rlx.core.dim import Size, Symbol
from rlx.core.errors import RlxError, count_of
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Decision, Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.parse import Parser
from rlx.ir.parse_lir import Lir
from rlx.layouts.transposed_rows import TransposedRows
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.entry import Options, Pass
from rlx.passes.prepared_analysis import Derivation, derivations


class CudaBackend(Plain):
    """The CUDA backend: claims what its kernel table has, and what only the host can run. A run is one graph."""

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
        """None if there is a CUDA kernel for the op, if it is a view, or if it cannot be decomposed and runs on the host."""
        from rlx.backends.cuda.lower import reason_against

        return reason_against(op, operands, results)

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        """Chooses rows of the transposed matrix; weights of experts and convolutions and stored blocks are read as they are."""
        if scheme is not None or any(shape.rank != 2 for shape in weights):
            return None
        return TransposedRows(len(weights))

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """All passes; unrolls short loops first, and after layouts fuses norms into products, rope and caches into steps."""
        from rlx.backends.cuda.device_passes import FUSE_ATTENTION, FUSE_PROLOGUE, UNROLL_SCANS

        listed = [UNROLL_SCANS, *listed]
        if not options.fuse:
            return listed
        place = next(index for index, one in enumerate(listed) if one.name == "layout")
        return [*listed[: place + 1], FUSE_PROLOGUE, FUSE_ATTENTION, *listed[place + 1 :]]

    def commands(self, options: Options) -> Any:
        """The CUDA kernel table."""
        from rlx.backends.cuda.lower import CudaCommands

        return CudaCommands(options.trap_nan)

    def support(self, record: OpDef) -> str:
        """How a GPU runs an op, as text."""
        from rlx.backends.cuda.lower import KERNELS

        if record.view is not None:
            return "a view if its layout allows it, else a copy"
        if record.name in KERNELS:
            return "native kernel"
        return "via decomposition" if record.decompose is not None else "on the host"

    # -- compiling
    def compile(self, lir: Lir, options: Options, report: Report) -> CudaCode:
        """Compiles the programs of a plan."""
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
        """Compiles a graph whose ops are all CUDA kernels, without any pass."""
        from rlx.plan.schedule import plan

        return self.compile(plan(graph.freeze(), self.commands(Options()), Report()), Options(), Report())

    # -- caching
    def key(self, *parts: str) -> str:
        """Adds the driver, its architecture and the compiler to the parts of a cache key."""
        return cache.key("cuda program", type(self.driver).__name__, str(self.driver.target), triton_version(), *parts)

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> CudaCode:
        """Reads an executable from the parts of `CudaCode.pack`."""
        return CudaCode.unpack(parts, symbols, self.driver)

    def accept(self, artifact: Artifact, what: str) -> CudaBackend:
        """The backend itself, if its GPU has the architecture that the code was compiled for."""
        assert isinstance(artifact, CudaCode)
        if artifact.made_for != str(self.driver.target):
            message = f"{what} has code for {artifact.made_for}, this GPU is {self.driver.target}"
            raise RlxError("RLX407", message, fix="compile the module here and save it again")
        return self

    # -- the machine
    def describe(self) -> dict[str, str]:
        """Describes the GPU in words."""
        return dict(self.driver.describe())


@lru_cache(maxsize=4)
def _chosen(name: str) -> CudaBackend | RlxError:
    """The backend that RLX_CUDA names, or why there is none: detected once."""
    if name == "interpret":
        from rlx.backends.cuda.fake_driver import FakeDriver

        return CudaBackend(FakeDriver())
    if name and not name.isdigit():
        return config.CUDA.refuse("the number of a GPU, or 'interpret' for Triton's interpreter on the host")
    from rlx.backends.cuda.cuda_driver import CudaDriver

    try:
        return CudaBackend(CudaDriver(int(name or 0)))
    except RlxError as error:
        return error


_STORED_FORMAT = 2


@dataclass(frozen=True)
class CudaCode:
    """The programs of a CUDA executable: main, and prepare if something depends only on params."""

    programs: tuple[CudaProgram, ...]
    driver: Driver
    options: Options
    prepared: Mapping[str, Shape] = field(default_factory=dict)
    derivations: Mapping[str, Derivation] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    donations: tuple[tuple[str, str], ...] = ()
    target: GpuTarget | None = None
    """What it was compiled for, where that is not the GPU it came to."""

    @property
    def made_for(self) -> str:
        """The GPU architecture that the code was compiled for."""
        return str(self.target or self.driver.target)

    @property
    def memory(self) -> dict[str, Size]:
        """The memory of the programs: their arenas, and the sizes that launches read."""
        found: dict[str, Size] = {"arena": self.programs[0].arena, "scratch": 0}
        if len(self.programs) > 1:
            found["prepare arena"] = self.programs[1].arena
        return found

    @property
    def host_calls(self) -> tuple[str, ...]:
        """The ops that run on the host."""
        return tuple(sorted({name for program in self.programs for name in program.host_steps}))

    def summary(self) -> dict[str, str]:
        """Describes main and prepare: kernels and launches."""
        return {
            name: f"{count_of(len(program.kernels), 'kernel')}, {count_of(len(program.steps), 'step')}"
            for name, program in zip(("main", "prepare"), self.programs, strict=False)
        }

    # -- as bytes
    def pack(self) -> Parts | None:
        """Packs a manifest and the programs with their cubins, each as bytes; None if a step runs on the host."""
        if self.host_calls:
            return None
        manifest = {
            "format": _STORED_FORMAT,
            "target": self.driver.target.capability,
            "prepared": {name: str(shape) for name, shape in self.prepared.items()},
            "derivations": {
                name: [made_of.key, list(made_of.params), dict(made_of.inverse)] for name, made_of in self.derivations.items()
            },
            "options": self.options.plain(),
            "decisions": [asdict(decision) for decision in self.decisions],
            "donations": self.donations,
        }
        programs = (pack_program(program, self.driver.machine_code) for program in self.programs)
        return (json.dumps(manifest).encode(), *programs)

    @staticmethod
    def unpack(parts: Parts, symbols: Mapping[str, Symbol], driver: Driver) -> CudaCode:
        """Reads an executable from its packed parts; the symbols are those of its graph."""
        manifest = json.loads(parts[0])
        if manifest.get("format") != _STORED_FORMAT:
            fix = "compile it again with this one"
            raise RlxError("RLX303", "the program was compiled by another version of RLX", fix=fix, at=None)
        target = GpuTarget(int(manifest["target"]))
        programs = []
        for part in parts[1:]:
            program, cubins = unpack_program(part, symbols)
            for key, cubin in cubins.items():
                remember(key, target, cubin)
            programs.append(program)
        prepared = {name: Parser(text).shape({}) for name, text in manifest["prepared"].items()}
        made_of = {
            name: Derivation(key, tuple(params), {param: tuple(map(tuple, steps)) for param, steps in inverse.items()})
            for name, (key, params, inverse) in manifest["derivations"].items()
        }
        decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
        donations = tuple((str(source), str(result)) for source, result in manifest["donations"])
        options = Options(**manifest["options"])
        return CudaCode(tuple(programs), driver, options, prepared, made_of, decisions, donations, target)

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[CudaRunner, CudaRunner | None]:
        """The runners of main and prepare, each with its own memory."""
        main = CudaRunner(self.programs[0], self.driver, inputs, outputs)
        return main, CudaRunner(self.programs[1], self.driver) if len(self.programs) > 1 else None
