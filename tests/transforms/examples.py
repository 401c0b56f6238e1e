"""Batches of examples from the rows of the records, and the loop they are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.case import Case
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.op import Op, OpDef
from rlx.module import Graph
from rlx.transforms.vmap import vmap
from tests.conformance.checking import agree


def example(array: Any, drawn: Any, number: int, fixed: bool) -> Any:
    """Operand number `number` of a batch: drawn anew, or what a fixed one becomes that stays valid."""
    if array is None or number == 0:
        return array
    if not fixed:
        return drawn
    if array.dtype == np.bool_ and array.ndim == 0:
        return np.asarray(bool(array) ^ bool(number % 2))
    if DType.of(array.dtype).is_integer or array.dtype == np.bool_:
        return np.roll(array, number, axis=0) if array.ndim else np.asarray(array + number).astype(array.dtype)
    return (array * np.asarray(1 + number / 4).astype(array.dtype)).astype(array.dtype)


def examples(row: Case, count: int) -> list[list[Any]]:
    """`count` examples of a row's operands."""
    draws = [row.arrays(seed=seed) for seed in range(count)]
    return [
        [
            example(array, drawn, number, sample is not None and sample.fixed is not None)
            for array, drawn, sample in zip(draws[0], draws[number], row.operands, strict=True)
        ]
        for number in range(count)
    ]


def one_graph(record: OpDef, row: Case, operands: Sequence[Any]) -> tuple[Graph, Op]:
    """The row's op in a graph of one example, an input for each operand."""
    graph = Graph("example")
    given = [None if a is None else graph.input(f"x{i}", Shape(a.shape, DType.of(a.dtype))) for i, a in enumerate(operands)]
    found = emit(record, given, dict(row.attrs), graph=graph)
    graph.set_outputs({f"y{i}": value for i, value in enumerate(found if isinstance(found, tuple) else (found,))})
    node = graph.nodes[(found[0] if isinstance(found, tuple) else found).ref.node]
    return graph, node.op


def check(record: OpDef, row: Case, axes: Sequence[int | None], *, size: Size | None = None, count: int = 2) -> None:
    """vmap of the op, on the reference, is the op on each example; `axes` says where each operand is batched (-1: last)."""
    batch = examples(row, count)
    graph, op = one_graph(record, row, batch[0])
    names = {f"x{i}": axis for i, (a, axis) in enumerate(zip(batch[0], axes, strict=True)) if a is not None and axis is not None}
    many = vmap(graph, names, axis_size=count if size is None else size).into_graph()
    leaves = {}
    for index, array in enumerate(batch[0]):
        if array is not None:
            axis = names.get(f"x{index}")
            leaves[f"x{index}"] = array if axis is None else np.stack([operands[index] for operands in batch], axis)
    sizes = {str(size): count} if isinstance(size, Dim) else {}
    found = list(evaluate_graph(many, leaves, sizes).values())
    for number, operands in enumerate(batch):
        own = [operands[i] if f"x{i}" in names else batch[0][i] for i in range(len(operands))]
        agree(op, own, [array[number] for array in found], f"{record.name} ({row.note}), axes {tuple(axes)}, example {number}")


def check_nested(record: OpDef, row: Case) -> None:
    """vmap of vmap, the first operand batched by both and the others by the outer one, is the op on each pair."""
    batch = examples(row, 4)
    graph, op = one_graph(record, row, batch[0])
    names = list(graph.inputs)
    inner = vmap(graph, {names[0]: -1}, axis_size=2)
    many = vmap(inner, 0, axis_size=2).into_graph()
    leaves = {}
    for name in names:
        index = int(name[1:])
        pairs = [[batch[2 * a + b][index] for b in range(2)] for a in range(2)]
        leaves[name] = np.stack([np.stack(pair, -1) if name == names[0] else pair[0] for pair in pairs])
    found = list(evaluate_graph(many, leaves).values())
    for a in range(2):
        for b in range(2):
            own = [batch[2 * a + b if f"x{i}" == names[0] else 2 * a][i] for i in range(len(batch[0]))]
            agree(op, own, [array[a][b] for array in found], f"{record.name} ({row.note}), examples {a}, {b}")
