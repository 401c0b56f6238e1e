"""The `reference` device: every op by its record's NumPy function. It is the definition, not a fast path."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rlx.backends.base import Array
from rlx.backends.plain import OneCommandEach, Plain, plan_bytes
from rlx.core.allocation import memory_for
from rlx.core.dim import LARGEST_SIZE, Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Entry as Decision
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph, Node, all_shapes
from rlx.ir.lir import Lir
from rlx.passes.context import Context, Options
from rlx.passes.precision import precision
from rlx.passes.select_dequant import select_dequant
from rlx.passes.unfuse import unfuse
from rlx.plan.schedule import plan

Watch = Callable[[Node, tuple[Array, ...]], None]


class ReferenceBackend(Plain):
    """Takes any graph as it is: each node is one command. A precision policy, which changes numbers, is applied here too."""

    name = "reference"

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """The graph with a plan that shows its memory; packed params are taken apart, and a precision policy is applied."""
        context = Context(self, options, report)
        graph, _ = select_dequant(graph, context)
        if not options.policy.is_noop or options.store_params != "f32":
            graph, _ = precision(unfuse(graph, context)[0], context)
        return plan(graph, OneCommandEach(self.name), report)

    def compile(self, lir: Lir, options: Options, report: Report) -> Evaluation:
        """The graph itself."""
        return Evaluation(lir.graph, plan_bytes(lir), options, tuple(report.entries))

    def compile_as_planned(self, graph: Graph) -> Evaluation:
        """The graph itself."""
        return Evaluation(graph, {}, Options())


@dataclass(frozen=True)
class Evaluation:
    """A graph to evaluate node by node."""

    graph: Graph
    memory: Mapping[str, Size]
    options: Options
    decisions: tuple[Decision, ...] = ()

    made_for = "NumPy"
    host_calls = ("NumPy",)
    prepared: ClassVar[Mapping[str, Shape]] = {}

    def summary(self) -> dict[str, str]:
        """One: the graph."""
        return {"main": f"{sum(not node.op.definition.leaf for node in self.graph.nodes)} nodes, evaluated one by one"}

    def pack(self) -> None:
        """It is quicker to lower the graph again."""
        return

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ReferenceRunner, None]:
        """One evaluator; graphs have their inputs and outputs in the order of their interface."""
        return ReferenceRunner(self.graph, self.options.trap_nan), None


def _trap(node: Node, results: tuple[Array, ...]) -> None:
    """Raise at the first result that is not finite."""
    if node.op.definition.leaf:
        return
    for array in results:
        dtype = DType.of(array.dtype)
        if dtype.is_float or dtype.is_complex:
            wide = array if dtype.is_complex else array.astype(np.float64)
            if not np.isfinite(wide).all():
                raise RlxError("RLX510", f"{node.op.name} ({node.origin}) made NaN or infinity", at=node.origin.location)


class ReferenceRunner:
    """Evaluates a graph node by node."""

    threads = 1

    def __init__(self, graph: Graph, trap_nan: bool = False) -> None:
        self.graph = graph
        self.trap_nan = trap_nan
        self.memory: dict[str, Array] = {}

    def clone(self) -> ReferenceRunner:
        """Another evaluator of the graph."""
        return ReferenceRunner(self.graph, self.trap_nan)

    def uses(self, name: str) -> bool:
        """Whether the graph has such a param or state."""
        return name in self.graph.params or name in self.graph.states

    def attach(self, name: str, array: Array) -> None:
        """The memory of a param or a state."""
        self.memory[name] = array

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every value has fewer than 2**63 bytes."""
        return all(evaluate(shape.size_bytes, sizes) <= LARGEST_SIZE for shape in all_shapes(self.graph))

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Evaluate, then write outputs and updates: a failed run changes nothing."""
        self._evaluate(sizes, inputs, outputs, _trap if self.trap_nan else None)

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Never: every run is checked step by step."""
        return False

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
            found = evaluate_graph(self.graph, leaves, sizes, watch=watch)
        for name, target in zip(self.graph.outputs, outputs, strict=True):
            np.copyto(target, found[name])
        new = {name: np.array(found[f"update:{name}"]) for name in self.graph.updates}  # copies first: one may be another's old value
        for name, array in new.items():
            np.copyto(self.memory[name], array)
