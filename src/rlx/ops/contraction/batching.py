"""Batching of contractions: more rows where the other side is shared, a batch axis where it is not."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.transforms.rules.batch_formulas import again, aligned, batched, merged, positions_of_all, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, by_parts, in_front


# -- matmul and dot_general -------------------------------------------------------------------------------------
def batch_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared matrix or vector multiplies the rows of all examples; else one product for each example."""
    x, y = operands
    assert x is not None and y is not None
    left, right = call.given
    if axes[1] is None and right.rank <= 2:
        return batched(again(call, (x, y)))
    if axes[0] is None and right.rank == 1 and left.rank <= 2:
        return batched(again(call, (y, x if left.rank == 1 else x.T)))
    if axes[0] is None and right.rank >= 2 and left.rank <= 2:
        return batched(again(call, (x, y)))
    rank = max(left.rank, right.rank, 2)
    rows, columns = aligned(_as_row(x, left), axes[0], rank), aligned(_as_column(y, right), axes[1], rank)
    (found,) = again(call, (rows, columns))
    (example,) = call.op.infer(call.shapes, call.assumptions)
    return batched([found.reshape(found.shape[0], *example.dims)])


def _as_row(value: Value, example: Shape) -> Value:
    """A vector, batched or not, as a matrix of one row; matrices as they are."""
    return value if example.rank > 1 else value.reshape(*value.shape[:-1], 1, value.shape[-1])


def _as_column(value: Value, example: Shape) -> Value:
    """A vector as a matrix of one column."""
    return value if example.rank > 1 else value.reshape(*value.shape, 1)


def batch_dot_general(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Both batched: one more batch axis. One of them: its batch is a free axis, which the result has at its place."""
    attrs = {
        side + part: tuple(axis + (batch is not None) for axis in call.op.attrs[side + part])
        for side, batch in zip(("lhs_", "rhs_"), axes, strict=True)
        for part in ("contract", "batch")
    }
    if axes[0] is not None and axes[1] is not None:
        attrs["lhs_batch"], attrs["rhs_batch"] = (0, *attrs["lhs_batch"]), (0, *attrs["rhs_batch"])
        return batched(again(call, operands, **attrs))
    count = len(call.lhs_batch)
    free = 0 if axes[0] is not None else call.given[0].rank - count - len(call.lhs_contract)
    return batched(again(call, operands, **attrs), count + free)


def batch_packed(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The panels of one shared matrix multiply all rows; else by parts."""
    if axes[1] is None and call.given[1].rank == 3:
        return batched(again(call, operands))
    return by_parts(call, operands, axes)


# -- rows by expert ---------------------------------------------------------------------------------------------
def experts_of_all(call: Call, experts: Value, axis: Axis, size: Size, count: Size) -> Value:
    """`[n·M]` experts of all examples' rows, counted through the n sets of experts side by side."""
    outside = call.mode == "fill" or call.check_bounds
    return merged(positions_of_all(in_front(experts, axis, size), count, keep_outside=outside), 0, size)


def batch_grouped_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The rows of all examples; experts that differ by example are more experts."""
    x, w, experts = operands
    assert x is not None and w is not None and experts is not None
    size = batch_size(operands, axes)
    rows = merged(x, axes[0], size)
    if axes[1] is None:
        return separated(call, again(call, (rows, w, merged(experts, axes[2], size))), size)
    chosen = experts_of_all(call, experts, axes[2], size, call.given[1].dims[0])
    return separated(call, again(call, (rows, merged(w, 0, size), chosen)), size)


# -- systems of equations ---------------------------------------------------------------------------------------
def batch_dense_solve(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared matrix is factored once, for the columns of all examples; else a system for each example."""
    a, b = operands
    assert a is not None and b is not None
    size = batch_size(operands, axes)
    if axes[0] is not None:
        return batched([OPS["batched_dense_solve"](a, in_front(b, axes[1], size))])
    if call.given[1].rank == 1:
        return batched(again(call, (a, b.T)), 1)
    rows, columns = call.given[1].dims
    (found,) = again(call, (a, b.transpose(1, 0, 2).reshape(rows, size * columns)))
    return batched([found.reshape(rows, size, columns)], 1)


# -- convolutions -----------------------------------------------------------------------------------------------
def batch_conv(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Images of all examples with shared weights; weights that differ are groups of channels, where n is known."""
    x, w = operands[:2]
    assert x is not None and w is not None
    size = batch_size(operands, axes)
    if all(axis is None for axis in axes[1:]):
        return separated(call, again(call, (merged(x, axes[0], size), *operands[1:])), size)
    if not isinstance(size, int):
        return by_parts(call, operands, axes)
    images = in_front(x, axes[0], size)
    images = images.transpose(1, 0, *range(2, images.rank))
    images = images.reshape(images.shape[0], images.shape[1] * images.shape[2], *images.shape[3:])
    weights = [None if v is None else merged(v, axis, size) for v, axis in zip(operands[1:], axes[1:], strict=True)]
    (found,) = again(call, (images, *weights), groups=call.groups * size)
    (example,) = call.op.infer(call.shapes, call.assumptions)
    return batched([found.reshape(example.dims[0], size, *example.dims[1:])], 1)
