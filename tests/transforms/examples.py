"""Batches of examples from the rows of the records, and the loop they are compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rlx.backends.conformance.cases import examples, one_graph, stacked
from rlx.backends.conformance.supported import agree
from rlx.core.dim import Dim, Size
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.op import OpDef
from rlx.ir.tolerance import Case
from rlx.transforms.vmap import vmap

__all__ = ["check", "check_nested", "examples", "one_graph"]


def check(record: OpDef, row: Case, axes: Sequence[int | None], *, size: Size | None = None, count: int = 2) -> None:
    """vmap of the op, on the reference, is the op on each example; `axes` says where each operand is batched (-1: last)."""
    batch = examples(row, count)
    graph, op = one_graph(record, row, batch[0])
    names = {f"x{i}": axis for i, (a, axis) in enumerate(zip(batch[0], axes, strict=True)) if a is not None and axis is not None}
    many = vmap(graph, names, axis_size=count if size is None else size).into_graph()
    leaves = stacked(batch, names)
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
