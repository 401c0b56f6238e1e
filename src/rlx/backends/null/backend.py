"""The `null` device: plans everything, runs nothing, counts commands and bytes. Results are zeros.

It shows what a backend must have and no more; how a plan changes can be seen without a machine to run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rlx.backends.base import Array
from rlx.backends.plain import OneCommandEach, Plain, plan_bytes
from rlx.core.dim import Size, evaluate
from rlx.core.report import Entry as Decision
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir, place_bytes
from rlx.passes.context import Context, Options
from rlx.passes.pipeline import run_pipeline
from rlx.plan.schedule import plan


class NullBackend(Plain):
    """Takes every op, so nothing is decomposed; all passes run."""

    name = "null"

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """All passes, then a command for each node."""
        optimized, _ = run_pipeline(graph, Context(self, options, report), report.watch)
        return plan(optimized.freeze(), OneCommandEach(self.name), report)

    def compile(self, lir: Lir, options: Options, report: Report) -> Count:
        """The plan itself."""
        return Count(lir, options, tuple(report.entries))

    def compile_as_planned(self, graph: Graph) -> Count:
        """The plan itself."""
        return Count(plan(graph.freeze(), OneCommandEach(self.name), Report()), Options())


@dataclass(frozen=True)
class Count:
    """A plan that is counted."""

    lir: Lir
    options: Options
    decisions: tuple[Decision, ...] = ()

    made_for = "no machine"
    host_calls: ClassVar[tuple[str, ...]] = ("a count of commands",)
    prepared: ClassVar[Mapping[str, Shape]] = {}

    @property
    def memory(self) -> dict[str, Size]:
        """What the plan takes."""
        return plan_bytes(self.lir)

    def summary(self) -> dict[str, str]:
        """One: the schedule."""
        return {"main": f"{len(self.lir.commands)} commands, {self.lir.views} views"}

    def pack(self) -> None:
        """Nothing is kept."""
        return

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[NullRunner, None]:
        """One counter."""
        return NullRunner(self.lir), None


@dataclass
class NullRunner:
    """Counts what a run would do: `commands` and `bytes` of operands read and written, over all runs."""

    lir: Lir
    commands: int = 0
    bytes: int = 0
    threads: int = field(default=1, init=False)

    def clone(self) -> NullRunner:
        """Another counter of the same plan."""
        return NullRunner(self.lir)

    def uses(self, name: str) -> bool:
        """Whether the plan has such a param or state."""
        return name in self.lir.graph.params or name in self.lir.graph.states

    def attach(self, name: str, array: Array) -> None:
        """Nothing is read."""

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Nothing takes memory."""
        return True

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Count every command; outputs become zeros, states and params stay."""
        rows = self.profiled(sizes, inputs, outputs)
        self.commands += len(rows)
        self.bytes += sum(row[4] for row in rows)

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Never: every run is checked step by step."""
        return False

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """The commands with the bytes of their operands; none takes any time."""
        for array in outputs:
            array[...] = 0
        return [
            (command.kernel, str(self.lir.graph.nodes[command.node].origin), 0.0, 0,
             sum(evaluate(place_bytes(place), sizes) for place in command.operands if place is not None))
            for command in self.lir.commands
        ]  # fmt: skip
