"""The `cpu` device: native code through LLVM.

What lowers and compiles is read when it is first asked for: a program from a cache runs without it, and starts sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rlx.backends.cpu.program import Program
from rlx.backends.cpu.runner import CpuRunner
from rlx.backends.cpu.target import TARGETS, Target
from rlx.core import config
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir
from rlx.ir.op import Op
from rlx.passes.context import Context, Options


class CpuBackend:
    """Claims what its kernel table has, plans on strided places, compiles one object per program."""

    name = "cpu"

    def __init__(self, target: Target) -> None:
        self.target = target

    @staticmethod
    def shared() -> CpuBackend:
        """The backend for this machine, or for the CPU that RLX_CPU names."""
        return _for_target(config.CPU.read())

    # -- what passes ask
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None when there is a kernel for the op on dense operands, or the op is a view; else why not."""
        from rlx.backends.cpu.lowering import reason_against

        return reason_against(self.target, op, operands, results)

    def pack_width(self, dtype: DType) -> int:
        """Columns of a panel: two vectors of what the dtype is accumulated in."""
        from rlx.backends.cpu.lowering import panel_width

        return panel_width(self.target, dtype.name)

    # -- lowering and compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """All passes, the cut into prepare and main, and both plans."""
        from rlx.backends.cpu.lowering import lower_graph

        return lower_graph(self.target, graph, Context(self, options, report))

    def plan(self, graph: Graph, report: Report) -> Lir:
        """The plan of a graph that has been through the passes."""
        from rlx.backends.cpu.lowering import plan_graph

        return plan_graph(self.target, graph, report)

    def build(self, lir: Lir, report: Report) -> Program:
        """The native program of a LIR, without its prepare part."""
        return self.build_all((lir,), report)[0]

    def build_all(self, lirs: Sequence[Lir], report: Report) -> tuple[Program, ...]:
        """The native programs of some LIRs, compiled together."""
        from rlx.backends.cpu.build import build_programs

        return build_programs(lirs, self.target, report)

    def compile(self, lir: Lir, report: Report) -> CpuRunner:
        """Something that runs."""
        return CpuRunner(self.build(lir, report))


@lru_cache(maxsize=4)
def _for_target(name: str) -> CpuBackend:
    if name and name != "baseline" and name not in TARGETS:
        raise config.CPU.refused(f"nothing for this machine's CPU, or one of: baseline, {', '.join(TARGETS)}")
    target = Target.host() if not name else Target.baseline() if name == "baseline" else Target.named(name)
    return CpuBackend(target)
