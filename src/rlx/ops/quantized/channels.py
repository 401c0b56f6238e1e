"""One scale for a tensor, or one for each channel: how scales are checked, broadcast, and batched."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.ops.movement.shape import expand
from rlx.ops.record import Array, Call, Shape, Size, Value
from rlx.transforms.rules.batch_formulas import Rule, again, batched, merged
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, in_front, moved

_BY_CHANNEL = ("scale", "zero_point")


def check_channels(call: Call, x: Shape, index: int) -> None:
    """An operand that is a scalar, or has one entry for each position of `axis`."""
    shape, name = call.shape(index), call.op.definition.operands[index].name
    if shape is None or shape.rank == 0:
        return
    if call.axis is None or shape.rank != 1:
        raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="a scalar, or with axis=… one entry for each channel")
    call.check_same(shape.dims[0], x.dims[call.axis], f"entries of {name} and channels")


def by_channel(values: Array, x: Array, axis: int | None) -> Array:
    """Broadcast along one axis of x."""
    return values if values.ndim == 0 or axis is None else values.reshape([-1 if a == axis else 1 for a in range(x.ndim)])


def channel_value(values: Value, x: Value, axis: int | None) -> Value:
    """The same on Values."""
    if values.rank == 0 or axis is None:
        return values
    return values.reshape(values.shape[0], *(1,) * (x.rank - axis - 1))


# -- batches: the channels of all examples are channels of one tensor -------------------------------------------
def by_channels(*results: str, reduces: bool = False) -> Rule:
    """An op with one scale for the tensor or one for each channel; `results` are like "x" or like "scale".

    Scales shared by all examples stay, unless the op `reduces`: finds a scale for each example.
    """

    def rule(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
        names = [operand.name for operand in call.op.definition.operands]
        shared = all(axis is None for name, axis in zip(names, axes, strict=False) if name in _BY_CHANNEL)
        if shared and not reduces:
            return _shared_scales(call, operands, axes)
        size, channel = batch_size(operands, axes), call.op.attrs["axis"]
        given = []
        for name, value, axis in zip(names, operands, axes, strict=False):
            if value is not None:
                whole = in_front(value, axis, size)
                value = _scales(whole, call, size) if name in _BY_CHANNEL else _channels_first(whole, channel, size)
            given.append(value)
        found = again(call, given, axis=0)
        examples = call.op.infer(call.shapes, call.assumptions)
        return batched(
            [
                value.reshape(size, *example.dims) if kind == "scale" else _channels_back(value, call, size)
                for kind, value, example in zip(results, found, examples, strict=True)
            ]
        )

    return rule


def _shared_scales(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """x (and dy) batched, the scales shared: the channel axis moves by one."""
    names = [operand.name for operand in call.op.definition.operands]
    size, channel = batch_size(operands, axes), call.op.attrs["axis"]
    given = [
        value if value is None or name in _BY_CHANNEL else in_front(value, axis, size)
        for name, value, axis in zip(names, operands, axes, strict=False)
    ]
    return batched(again(call, given, axis=None if channel is None else channel + 1))


def _channels_first(x: Value, channel: int | None, size: Size) -> Value:
    """`[n, …]` as it is, or with channels `[n·C, …]`."""
    return x if channel is None else merged(moved(x, channel + 1, 1), 0, size)


def _channels_back(x: Value, call: Call, size: Size) -> Value:
    channel = call.op.attrs["axis"]
    if channel is None:
        return x
    return moved(x.reshape(size, call.given[0].dims[channel], *x.shape[1:]), 1, channel + 1)


def _scales(scale: Value, call: Call, size: Size) -> Value:
    """`[n]`, or `[n·C]` where there are channels."""
    channel = call.op.attrs["axis"]
    if channel is None:
        return scale
    if scale.rank == 1:
        scale = expand(scale.reshape(size, 1), shape=(size, call.given[0].dims[channel]))
    return merged(scale, 0, size)
