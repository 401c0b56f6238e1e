"""The `cpu` device: native code through LLVM.

The modules that lower and compile are imported on first use: a cached program runs without them, and starts faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rlx.backends.base import Array, Artifact, Limits, Parts
from rlx.backends.cpu.compile.codegen import native_key
from rlx.backends.cpu.compile.native_code import NativeCode, check_runs_here
from rlx.backends.cpu.compile.program import Program
from rlx.backends.cpu.run.thread_pool import set_threads, thread_count
from rlx.backends.cpu.target import TARGETS, Target
from rlx.backends.knob import Knob
from rlx.backends.plain import HostArrays
from rlx.core import config
from rlx.core.dim import Symbol
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.parse_lir import Lir
from rlx.layouts.panels import Panels
from rlx.layouts.stored_rows import StoredRows
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.entry import Options, Pass

if TYPE_CHECKING:
    from rlx.backends.cpu.compile.lowering import Kernels


class CpuBackend:
    """The CPU backend: claims the ops of its kernel table, plans on strided buffers, compiles one object per program."""

    name = "cpu"
    arrays = HostArrays()
    computes = True
    layouts: Mapping[str, WeightLayout] = {}
    specializes = False

    def __init__(self, target: Target) -> None:
        self.target = target

    @staticmethod
    def shared() -> CpuBackend:
        """The backend for this machine, or for the CPU named by RLX_CPU."""
        return _for_target(config.CPU.read())

    # -- for passes
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        return self.commands(Options()).claims(op, operands, results)

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        """Chooses panels as wide as two vectors of the accumulator's dtype; for stored blocks, eight rows side by side."""
        from rlx.backends.cpu.compile.lowering import steps_side_by_side
        from rlx.backends.cpu.kernels.matmul.blocking import panel_width

        if scheme is not None:
            return StoredRows.of(scheme)
        width, steps = panel_width(self.target, weights[0].dtype.name), steps_side_by_side(self.target, weights[0])
        return Panels(width, len(weights), steps)

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """Runs all passes; under RLX_CANARIES the plan gets space for canaries."""
        from rlx.backends.cpu.compile.lowering import with_canaries

        return [*listed, Pass("canaries", with_canaries, whole=True)] if config.CANARIES.on() else listed

    def commands(self, options: Options) -> Kernels:
        """The kernel table for one compile."""
        from rlx.backends.cpu.compile.lowering import Kernels

        return Kernels(self, options)

    def support(self, record: OpDef) -> str:
        from rlx.backends.cpu.kernels import KERNELS
        from rlx.backends.cpu.kernels.control import CONTROL_OPS

        if record.view is not None:
            return "a view if its layout allows it, else a copy"
        if record.name in CONTROL_OPS:
            return "native loops and branches"
        if record.name in KERNELS:
            return "native kernel"
        return "via decomposition" if record.decompose is not None else "no kernel"

    # -- lowering and compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """Lowers a graph through the list of passes; passes and the plan share one table of lowerings."""
        with report.phase("load passes and kernels"):
            from rlx.passes.pipeline import lower

            kernels = self.commands(options)
        return lower(graph, kernels, options, report)

    def plan(self, graph: Graph, report: Report) -> Lir:
        """The plan of a graph after all passes."""
        from rlx.backends.cpu.run.runner import pad_slots
        from rlx.plan.schedule import plan

        lir = plan(graph.freeze(), self.commands(Options()), report)
        return pad_slots(lir) if config.CANARIES.on() else lir

    def build(self, lir: Lir, report: Report) -> Program:
        """The native program of a LIR, without its prepare part."""
        return self.build_all((lir,), report)[0]

    def build_all(self, lirs: Sequence[Lir], report: Report, meanwhile: Callable[[], None] | None = None) -> tuple[Program, ...]:
        """The native programs of some LIRs, compiled together; `meanwhile` is called while LLVM compiles."""
        from rlx.backends.cpu.compile.build import build_programs

        return build_programs(lirs, self.target, report, meanwhile)

    def compile(self, lir: Lir, options: Options, report: Report) -> NativeCode:
        """Compiles the plan to native code."""
        return NativeCode.build(lir, self, options, report)

    def compile_as_planned(self, graph: Graph) -> NativeCode:
        return self.compile(self.plan(graph, Report()), Options(), Report())

    # -- caching
    def key(self, *parts: str) -> str:
        """Adds the machine, the compiler and the memory layout to the parts of a cache key."""
        return native_key(self.target, *parts)

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> NativeCode:
        """Reads native code from the bytes of `NativeCode.pack`."""
        return NativeCode.unpack(parts, symbols)

    def accept(self, artifact: Artifact, what: str) -> CpuBackend:
        """The backend for the CPU that code was made for, if this CPU has all its features."""
        assert isinstance(artifact, NativeCode)
        check_runs_here(artifact.target, what)
        return CpuBackend(artifact.target)

    # -- the machine
    def limits(self, seconds: float) -> Limits:
        """Measures the peak speed with an FMA loop and a read loop, on all threads."""
        from rlx.backends.cpu.machine import measure

        return measure(seconds)

    def describe(self) -> dict[str, str]:
        """Describes CPU, instruction sets, vectors, tuned parameters, threads, system."""
        from rlx.backends.cpu.machine import describe

        return describe(self.target)

    def set_threads(self, count: int | None) -> None:
        """Sets the number of threads of a run; None: as many as affinity and cgroup allow."""
        set_threads(count)

    def thread_count(self) -> int:
        return thread_count()

    def tune(self, seconds: float) -> tuple[Knob, ...]:
        """Times parameters that depend on memory and caches, and saves the best."""
        from rlx.backends.cpu.tuning import tune

        return tune(seconds)

    def listings(self, stage: str, thing: object) -> dict[str, str]:
        """Lists LLVM IR as emitted, after LLVM's passes, and assembly."""
        from rlx.backends.cpu.compile.codegen import assembly, optimized_text

        assert isinstance(thing, tuple)
        return {
            ".ll": "\n".join(thing),
            ".optimized.ll": "\n".join(optimized_text(text, self.target) for text in thing),
            ".s": "\n".join(assembly(text, self.target) for text in thing),
        }

    def dequantized(self, scheme: QuantScheme, rows: Array) -> Array:
        """Dequantizes packed rows, on all threads."""
        from rlx.backends.cpu.run.unpack import unpack_rows

        return unpack_rows(scheme, rows)


@lru_cache(maxsize=4)
def _for_target(name: str) -> CpuBackend:
    if name and name != "baseline" and name not in TARGETS:
        raise config.CPU.refuse(f"leave it empty for this machine's CPU, or use one of: baseline, {', '.join(TARGETS)}")
    target = Target.host() if not name else Target.baseline() if name == "baseline" else Target.named(name)
    return CpuBackend(target)
