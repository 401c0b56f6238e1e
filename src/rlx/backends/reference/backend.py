"""The `reference` device: every op by its record's NumPy function. It is the definition, not a fast path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.base import Array
from rlx.core.dim import Size
from rlx.core.report import Report
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir, Place
from rlx.ir.op import Op
from rlx.passes.context import Options
from rlx.plan.schedule import plan


@dataclass(frozen=True)
class _Stage:
    name: str
    operands: tuple[int, ...]
    units: Size = 1
    scratch: Size = 0


@dataclass(frozen=True)
class _Lowering:
    stages: tuple[_Stage, ...]
    temporaries: tuple[Any, ...] = ()
    in_place: tuple[tuple[int, int], ...] = ()


class ReferenceBackend:
    """Takes any graph as it is: no pass runs, each node is one command."""

    name = "reference"

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """The graph with a plan that shows its memory; nothing is rewritten."""
        return plan(graph, _Commands(), report)

    def compile(self, lir: Lir, report: Report) -> ReferenceRunner:
        """An evaluator of the graph."""
        return ReferenceRunner(lir.graph)


class _Commands:
    name = "reference"

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> _Lowering:
        return _Lowering((_Stage(op.name, tuple(range(len(inputs) + len(outputs)))),))

    def copy(self, source: Place, target: Place) -> _Lowering:
        return _Lowering((_Stage("copy", (0, 1)),))


class ReferenceRunner:
    """Evaluates a graph node by node."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memory: dict[str, Array] = {}

    def attach(self, name: str, array: Array) -> None:
        """The memory of a param or a state."""
        self.memory[name] = array

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Evaluate, then write outputs and updates: a failed run changes nothing."""
        leaves = {**self.memory, **dict(zip(self.graph.inputs, inputs, strict=True))}
        found = evaluate_graph(self.graph, leaves, sizes)
        for name, target in zip(self.graph.outputs, outputs, strict=True):
            np.copyto(target, found[name])
        for name in self.graph.updates:
            np.copyto(self.memory[name], found[f"update:{name}"])
