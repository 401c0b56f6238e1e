"""Batching of attention and rotary embedding: the batch rows of all examples."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.shape import is_one
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.ops.indexing.batching import batch_gather
from rlx.transforms.rules.batch_formulas import again, merged, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, in_front


def batch_attention(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """q, k, v, validity, positions and lengths as `[n·B, …]`; a bias too, unless it is one for all rows."""
    size = batch_size(operands, axes)
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is None or index != 3 or call.mask_kind.kind != "bias":
            given.append(None if value is None else merged(value, axis, size))
        else:
            given.append(_bias(value, axis, size, call.given[0].dims[0]))
    return separated(call, again(call, given), size)


def batch_attention_backward(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The same; the gradient of a bias that all rows of an example share is summed over these rows alone."""
    size, rows = batch_size(operands, axes), call.given[0].dims[0]
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is not None and index == 4 and call.mask_kind.kind == "bias":
            given.append(_whole_bias(value, axis, size, rows))
        else:
            given.append(None if value is None else merged(value, axis, size))
    found = list(again(call, given))
    examples = call.op.infer(call.shapes, call.assumptions)
    if len(found) == 4 and (examples[3].rank < 4 or is_one(examples[3].dims[0])):
        found[3] = found[3].reshape(size, rows, *found[3].shape[1:]).sum(axes=1)
    return separated(call, found, size)


def _bias(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """Broadcastable to `[n·B, H, S, T]`: as it is, where it is one for all rows of all examples."""
    shared = axis is None and (bias.rank < 4 or is_one(bias.shape[0]))
    return bias if shared else _whole_bias(bias, axis, size, rows)


def _whole_bias(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """`[n·B, …]`, a bias for each row of each example."""
    rank = bias.rank if axis is None else bias.rank - 1
    whole = in_front(bias, axis, size)
    whole = whole.reshape(size, *(1,) * (4 - rank), *whole.shape[1:])
    if is_one(whole.shape[1]):
        whole = OPS["expand"](whole, shape=(size, rows, *whole.shape[2:]))
    return merged(whole, 0, size)


def batch_rope(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Tokens of all examples. Shared tables stay; tables by example are looked up first, a row for each token."""
    size = batch_size(operands, axes)
    x, cos, sin, *rest = operands
    assert x is not None and cos is not None and sin is not None
    places, where = (rest[0], axes[3]) if rest else (None, None)
    tables = [(cos, axes[1]), (sin, axes[2])]
    rows, length = call.given[0].dims[:2]
    shared = axes[1] is None and axes[2] is None
    if shared and (call.given[1].rank == 2 or is_one(cos.shape[0])):
        given = (merged(x, axes[0], size), cos, sin, None if places is None else merged(places, where, size))
        return separated(call, again(call, given), size)
    looked_up = [_by_token(table, axis, places, where, size, rows, length) for table, axis in tables]
    return separated(call, again(call, (merged(x, axes[0], size), *looked_up)), size)


def _by_token(
    table: Value, axis: Axis, places: Value | None, where: Axis, size: Size, rows: Size, length: Size
) -> Value:
    """A table as `[n·B, S, n_rot/2]`."""
    rank = table.rank if axis is None else table.rank - 1
    whole = in_front(table, axis, size)
    if rank == 2 and places is not None:
        op = OPS["gather"].op(axis=0)
        examples = [
            whole.type.with_dims(whole.shape[1:]),
            places.type if where is None else places.type.with_dims(places.shape[1:]),
        ]
        (whole,), _ = batch_gather(Call(op, examples, whole.graph.assumptions), (whole, places), (0, where))
    elif rank == 2:
        whole = OPS["narrow"](whole, axis=1, start=0, length=length).reshape(size, 1, length, table.shape[-1])
    if is_one(whole.shape[1]):
        whole = OPS["expand"](whole, shape=(size, rows, *whole.shape[2:]))
    return merged(whole, 0, size)
