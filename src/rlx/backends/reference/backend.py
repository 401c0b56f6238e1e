"""The `reference` device: computes every op with its record's NumPy function. It is the definition, not a fast path."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rlx.backends.base import Array
from rlx.backends.plain import OneCommandEach, Plain, PlainArtifact, PlainRunner
from rlx.core.aligned import memory_for
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph, Node
from rlx.ir.parse_lir import Lir
from rlx.passes.entry import Options, Pass
from rlx.plan.schedule import plan

Watch = Callable[[Node, tuple[Array, ...]], None]


class ReferenceBackend(Plain):
    """Takes any graph as it is: each node is one command. A precision policy, which changes values, is applied here too."""

    name = "reference"

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """Only those without which the program would mean something else: every other pass is tested against what this device gives.

        A fused body is evaluated as it is, unless a precision policy looks inside.
        """
        mixed = not options.policy.is_noop or options.store_params != "f32"
        return [one for one in listed if one.needed == "always" and (mixed or one.name not in ("unfuse", "precision"))]

    def compile(self, lir: Lir, options: Options, report: Report) -> Evaluation:
        """The graph itself."""
        return Evaluation(lir, options, tuple(report.entries))

    def compile_as_planned(self, graph: Graph) -> Evaluation:
        """The graph itself."""
        return Evaluation(plan(graph.freeze(), OneCommandEach(self.name), Report()), Options())


class Evaluation(PlainArtifact):
    """A graph to evaluate node by node."""

    made_for = "NumPy"
    host_calls = ("NumPy",)

    def summary(self) -> dict[str, str]:
        """One: the graph."""
        return {"main": f"{sum(not node.op.definition.leaf for node in self.lir.graph.nodes)} nodes, evaluated one by one"}

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ReferenceRunner, None]:
        """One evaluator; graphs have their inputs and outputs in the order of their interface."""
        return ReferenceRunner(self), None


def _trap(node: Node, results: tuple[Array, ...]) -> None:
    """Raise at the first result that is not finite."""
    if node.op.definition.leaf:
        return
    for array in results:
        dtype = DType.of(array.dtype)
        if dtype.is_float or dtype.is_complex:
            wide = array if dtype.is_complex else array.astype(np.float64)
            if not np.isfinite(wide).all():
                raise RlxError("RLX510", f"{node.op.name} ({node.origin}) produced NaN or infinity", at=node.origin.location)


class ReferenceRunner(PlainRunner):
    """Evaluates a graph node by node."""

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Evaluate, then write outputs and updates: a failed run changes nothing."""
        self._evaluate(sizes, inputs, outputs, _trap if self.artifact.options.trap_nan else None)

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """Run once and time every node; operations are not counted."""
        rows: list[tuple[str, str, float, int, int]] = []
        last = time.perf_counter()

        def watch(node: Node, results: tuple[Array, ...]) -> None:
            nonlocal last
            now = time.perf_counter()
            if not node.op.definition.leaf:
                rows.append((node.op.name, str(node.origin), now - last, 0, sum(array.nbytes for array in results)))
            last = now

        self._evaluate(sizes, inputs, outputs, watch)
        return rows

    def _evaluate(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array], watch: Watch | None) -> None:
        leaves = {**self.memory, **dict(zip(self.graph.inputs, inputs, strict=True))}
        with memory_for("the value of an op"):
            values = evaluate_graph(self.graph, leaves, sizes, watch=watch)
        for name, target in zip(self.graph.output_refs, outputs, strict=True):
            np.copyto(target, values[name])
        new = {
            name: np.array(values[f"update:{name}"]) for name in self.graph.updates
        }  # copy first: one update may read another's old value
        for name, array in new.items():
            np.copyto(self.memory[name], array)
