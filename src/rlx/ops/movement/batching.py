"""Batching of shape ops: one more axis in front of sizes, permutations and per-axis entries."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.ir.op import Call
from rlx.transforms.rules.batch_formulas import again, aligned, along_axes, batched
from rlx.transforms.rules.batching import Axis, Batched, Operands


def batch_reshape(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """`[n, …]` to `[n, *shape]`."""
    (x,) = operands
    assert x is not None
    return batched(again(call, operands, shape=(x.shape[0], *call.op.attrs["shape"])))


def batch_expand(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The example gets its new axes behind the batch, then all are repeated."""
    (x,), shape = operands, call.op.attrs["shape"]
    assert x is not None
    return batched(again(call, [aligned(x, 0, len(shape))], shape=(x.shape[0], *shape)))


def batch_transpose(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The batch stays in front."""
    return batched(again(call, operands, perm=(0, *(axis + 1 for axis in call.perm))))


def batch_slice(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """All of the batch."""
    (x,) = operands
    assert x is not None
    return batched(again(call, operands, start=(0, *call.start), stop=(x.shape[0], *call.stop), step=(1, *call.step)))


def batch_pad(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Nothing around the batch."""
    return batched(again(call, operands, low=(0, *call.low), high=(0, *call.high)))


def batch_roll(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Along axes; the flat elements of an example are one axis."""
    if call.op.attrs["axes"] is not None:
        return along_axes(call, operands, axes)
    (x,) = operands
    assert x is not None
    (rolled,) = again(call, [x.reshape(x.shape[0], call.given[0].num_elements)], axes=(1,))
    return batched([rolled.reshape(*x.shape)])
