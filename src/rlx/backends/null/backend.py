"""The `null` device: plans everything, runs nothing, counts commands and bytes. Results are zeros.

It is a minimal backend, and shows how a plan changes without a machine to run it. A profile has the counts:

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("scale"); x = g.input("x", ("n",)); g.set_outputs({"y": x * 2.0})
    >>> found = rlx.compile(g, "null").profile({"x": np.ones(1000, np.float32)})
    >>> len(found.lines), found.bytes
    (1, 8004)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlx.backends.base import Array
from rlx.backends.plain import Plain, PlainArtifact, PlainRunner
from rlx.core.dim import evaluate
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir, place_bytes
from rlx.passes.entry import Options


class NullBackend(Plain):
    """Takes every op, so nothing is decomposed; all passes run."""

    name = "null"
    computes = False

    def compile(self, lir: Lir, options: Options, report: Report) -> Count:
        """The plan itself."""
        return Count(lir, options, tuple(report.entries))

    def compile_as_planned(self, graph: Graph) -> Count:
        """An error: there are no values to inspect."""
        raise RlxError(
            "RLX403", f"{self.name!r} computes nothing: its results are zeros", fix="compile it for 'cpu' or 'reference'"
        )


class Count(PlainArtifact):
    """A plan, for inspection."""

    made_for = "no machine"

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[NullRunner, None]:
        """One, and nothing to prepare."""
        return NullRunner(self), None


class NullRunner(PlainRunner):
    """Writes zeros; `profiled` says what a run would do."""

    def uses(self, name: str) -> bool:
        """Nothing is read, so nothing is loaded for it."""
        return False

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Outputs become zeros, states and params do not change."""
        for array in outputs:
            array[...] = 0

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """Every command with the bytes of the operands it would read and write; none takes any time."""
        self.run(sizes, inputs, outputs)
        return [
            (
                command.kernel,
                str(self.graph.nodes[command.node].origin),
                0.0,
                0,
                sum(evaluate(place_bytes(place), sizes) for place in command.operands if place is not None),
            )
            for command in self.artifact.lir.commands
        ]
