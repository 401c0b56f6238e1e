"""The `reference` device: every op by its record's NumPy function. It is the definition, not a fast path."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.base import Array
from rlx.core.allocation import memory_for
from rlx.core.dim import LARGEST_SIZE, Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph, Node, all_shapes
from rlx.ir.lir import Lir, Place
from rlx.ir.op import Op
from rlx.passes.context import Context, Options
from rlx.passes.precision import precision
from rlx.passes.select_dequant import select_dequant
from rlx.passes.unfuse import unfuse
from rlx.plan.schedule import plan

Watch = Callable[[Node, tuple[Array, ...]], None]


@dataclass(frozen=True)
class _Stage:
    name: str
    operands: tuple[int, ...]
    units: Size = 1
    scratch: Size = 0
    key: Hashable = None
    reads: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Lowering:
    stages: tuple[_Stage, ...]
    temporaries: tuple[Any, ...] = ()
    in_place: tuple[tuple[int, int], ...] = ()


class ReferenceBackend:
    """Takes any graph as it is: each node is one command. A precision policy, which changes numbers, is applied here too."""

    name = "reference"

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """The graph with a plan that shows its memory; packed params are taken apart, and a precision policy is applied."""
        context = Context(self, options, report)
        graph, _ = select_dequant(graph, context)
        if not options.policy.is_noop or options.store_params != "f32":
            graph, _ = precision(unfuse(graph, context)[0], context)
        return plan(graph, _Commands(), report)

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Every op has a reference."""
        return None

    def pack_width(self, dtype: DType) -> int:
        """Nothing is packed here."""
        return 1

    def compile(self, lir: Lir, report: Report) -> ReferenceRunner:
        """An evaluator of the graph."""
        return ReferenceRunner(lir.graph)


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


class _Commands:
    name = "reference"
    traps = False

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> _Lowering:
        return _Lowering((_Stage(op.name, tuple(range(len(inputs) + len(outputs)))),))

    def copy(self, source: Place, target: Place) -> _Lowering:
        return _Lowering((_Stage("copy", (0, 1)),))

    def trap(self, name: str, place: Place) -> None:
        return None  # the runner looks at every value itself


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
