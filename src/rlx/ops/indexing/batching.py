"""Batching of index ops.

Where every example has its own positions, the indexed axes of all examples are laid side by side and positions count
into that one axis: a gather stays one gather, a scatter one scatter. Windows that move have a start for each row of
axis 0 already: the rows are the examples, or the rows of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.transforms.rules.batch_formulas import again, all_in_front, batched, merged, positions_of_all, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, in_front, moved


def _side_by_side(x: Value, axis: int) -> Value:
    """`[n, before…, A, behind…]` as `[n·A, before…, behind…]`."""
    first = moved(x, axis + 1, 1)
    return first.reshape(first.shape[0] * first.shape[1], *first.shape[2:])


def _block_moved(x: Value, source: int, count: int, target: int) -> Value:
    """`count` neighbouring axes from one place to another, in order."""
    block = range(source, source + count)
    perm = [axis for axis in range(x.rank) if axis not in block]
    perm[target:target] = block
    if perm == list(range(x.rank)):
        return x
    return x.transpose(*perm)


def batch_gather(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Shared indices: along the axis. A shared table: more indices. Both batched: the tables side by side."""
    x, indices = operands
    assert x is not None and indices is not None
    if axes[1] is None:
        return batched(again(call, operands, axis=call.axis + 1))
    if axes[0] is None:
        return batched(again(call, operands), call.axis)
    outside = call.mode == "fill" or call.check_bounds
    places = positions_of_all(indices, call.given[0].dims[call.axis], keep_outside=outside)
    (rows,) = again(call, [_side_by_side(x, call.axis), places], axis=0)
    return batched([_block_moved(rows, 1, indices.rank - 1, 1 + call.axis)])


def batch_take_along_axis(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """All axes but the indexed one broadcast: a shared operand gets a batch of 1."""
    given = [
        value.reshape(1, *value.shape) if value is not None and axis is None else value
        for value, axis in zip(operands, axes, strict=True)
    ]
    return batched(again(call, given, axis=call.axis + 1))


def _batch_windows(call: Call, operands: Operands, axes: Sequence[Axis], count: int) -> Batched:
    """Scalar starts become one for each example; starts for each row, one for each row of every example."""
    size = batch_size(operands, axes)
    pairs = [(value, axis) for value, axis in zip(operands, axes, strict=True) if value is not None]
    tensors, starts = pairs[:count], pairs[count:]
    if all(shape.rank == 0 for shape in call.given[count:]):
        values = [in_front(value, axis, size) for value, axis in tensors]
        return batched(
            again(call, [*values, *(start for start, _ in starts)], axes=tuple(axis + 1 for axis in call.axes))
        )
    rows = call.given[0].dims[0]
    values = [merged(value, axis, size) for value, axis in tensors]
    for (start, axis), shape in zip(starts, call.given[count:], strict=True):
        if axis is not None and shape.rank == 0:
            start = OPS["expand"](start.reshape(size, 1), shape=(size, rows))
        values.append(start if axis is None and shape.rank == 0 else merged(start, axis, size))
    return separated(call, again(call, values), size)


def batch_dynamic_slice(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A window of x at starts."""
    return _batch_windows(call, operands, axes, 1)


def batch_dynamic_update_slice(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A window of x at starts, and what is written there."""
    return _batch_windows(call, operands, axes, 2)


def batch_scatter(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Shared indices: along the axis. Else the targets side by side, each example writing into its own."""
    if axes[1] is None:
        x, indices, updates = operands
        whole = all_in_front((x, updates), (axes[0], axes[2]))
        return batched(again(call, (whole[0], indices, whole[1]), axis=call.axis + 1))
    x, indices, updates = all_in_front(operands, axes)
    assert x is not None and indices is not None and updates is not None
    size = x.shape[0]
    places = positions_of_all(
        indices, call.given[0].dims[call.axis], keep_outside=call.outside == "fill" or call.check_bounds
    )
    lines = _block_moved(updates, 1 + call.axis, indices.rank - 1, 1)
    target = _side_by_side(x, call.axis)
    (written,) = again(call, [target, places, lines], axis=0)
    dims = call.given[0].dims
    parts = written.reshape(size, dims[call.axis], *dims[: call.axis], *dims[call.axis + 1 :])
    return batched([moved(parts, 1, call.axis + 1)])
