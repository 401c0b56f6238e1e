"""Windows over one, two or three axes: their attributes and sizes, and the patches `[N, groups, Cin/groups · taps, outputs]` of x."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as every

import numpy as np

from rlx.core.dim import Relation, exact_division, product, proves_at_most
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import concat, narrow, slice_
from rlx.ops.movement.shape import reshape
from rlx.ops.record import Array, Attr, Call, Size, Value

Ints = tuple[int, ...]


# -- attributes and sizes ---------------------------------------------------------------------------------------
def window_attrs(least: str = "zeros on both sides of each axis") -> dict[str, Attr]:
    """The attributes every convolution has."""
    return {
        "kernel_size": Attr("ints", None, help="the weight's window; read off the weight"),
        "stride": Attr("ints", (1,), help="distance of windows"),
        "padding": Attr("ints", (0,), help=least),
        "dilation": Attr("ints", (1,), help="distance of taps"),
        "groups": Attr("int", 1, help="channels fall into groups that do not mix"),
    }


def spread(call: Call, name: str, axes: int, least: int) -> Ints:
    """An attribute with one entry for each window axis; one entry counts for all."""
    value: Ints = call.op.attrs[name]
    entries = value * axes if len(value) == 1 else value
    if len(entries) != axes:
        raise call.error("RLX105", f"{name} has {len(entries)} entries for {axes} axes", fix="one entry, or one for each axis")
    if min(entries) < least:
        raise call.error("RLX105", f"{name} is {value}", fix=f"at least {least}")
    return entries


def static_window(call: Call, window: Sequence[Size]) -> Ints:
    """The sizes of a weight's window, which are numbers: a kernel walks it."""
    for size in window:
        if not isinstance(size, int):
            raise call.error("RLX102", f"a window of size {size}", fix="the weight's window has static sizes")
    return tuple(size for size in window if isinstance(size, int))


def check_groups(call: Call, channels: Size, what: str) -> Size:
    """Channels of one group."""
    if call.groups < 1:
        raise call.error("RLX105", f"groups is {call.groups}", fix="at least 1")
    each = exact_division(channels, call.groups)
    if each is None:
        raise call.error("RLX102", f"{channels} {what} do not divide into {call.groups} groups", fix="groups divides both")
    return each


def window_size(size: Size, kernel: Size, stride: int, padding: Size, dilation: int = 1) -> Size:
    """How many windows fit."""
    return (size + padding * 2 - (kernel - 1) * dilation - 1) // stride + 1


def output_dims(call: Call, sizes: Sequence[Size], window: Sequence[Size]) -> list[Size]:
    """How many windows there are on each axis; at least one fits."""
    dims: list[Size] = []
    for axis, (size, kernel) in enumerate(zip(sizes, window, strict=True)):
        reach = (kernel - 1) * call.dilation[axis] + 1
        padded = size + 2 * call.padding[axis]
        call.check_at_most(reach, padded, f"reach of the window against the padded axis {axis + 2}", code="RLX102")
        dims.append(window_size(size, kernel, call.stride[axis], call.padding[axis], call.dilation[axis]))
    return dims


def within_axis(x: Value, axis: int, stop: Size) -> Size:
    """A position known to lie within the axis, because it was counted so: an assumption where a symbol hides it."""
    size = x.shape[axis]
    if proves_at_most(stop, size, x.graph.assumptions) is None:
        x.graph.assume(Relation("<=", stop, size))
    return stop


# -- on arrays --------------------------------------------------------------------------------------------------
def padded_array(x: Array, low: Sequence[int], high: Sequence[int]) -> Array:
    """Zeros around the window axes; negative counts cut."""
    x = np.pad(x, [(0, 0), (0, 0), *((max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True))])
    cut = (slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, x.shape[2:], strict=True))
    return x[(slice(None), slice(None), *cut)]


def patch_arrays(x: Array, kernel: Ints, stride: Ints, dilation: Ints, groups: int) -> Array:
    """`[N, groups, Cin/groups, taps…, outputs…]` of a padded x."""
    axes = tuple(range(2, x.ndim))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = tuple(slice(None, None, s) for s in stride) + tuple(slice(None, None, d) for d in dilation)
    windows = windows[(slice(None), slice(None), *steps)]
    count = len(axes)
    windows = windows.transpose(0, 1, *range(2 + count, 2 + 2 * count), *range(2, 2 + count))
    return windows.reshape(x.shape[0], groups, x.shape[1] // groups, *windows.shape[2:])


def flat_patches(patches: Array, axes: int) -> Array:
    """Patches as matrices: `[N, groups, Cin/groups · taps, outputs]`."""
    outputs = int(np.prod(patches.shape[3 + axes :], dtype=np.int64))
    inner = int(np.prod(patches.shape[2 : 3 + axes], dtype=np.int64))
    return patches.reshape(*patches.shape[:2], inner, outputs)


# -- on Values --------------------------------------------------------------------------------------------------
def around(x: Value, low: Sequence[int], high: Sequence[int], rest: Sequence[Size] = ()) -> Value:
    """Zeros around the window axes; negative counts cut. `rest`: symbolic counts, at least 0, added at the end first."""
    if any(not isinstance(size, int) for size in rest):
        for size in rest:
            if proves_at_most(0, size, x.graph.assumptions) is None:
                x.graph.assume(Relation("<=", 0, size))
        x = pad(x, low=(0,) * x.rank, high=(0, 0, *rest))
    if any(a > 0 or b > 0 for a, b in zip(low, high, strict=True)):
        x = pad(x, low=(0, 0, *(max(a, 0) for a in low)), high=(0, 0, *(max(b, 0) for b in high)))
    for axis, (a, b) in enumerate(zip(low, high, strict=True), 2):
        if a < 0 or b < 0:
            x = narrow(x, axis=axis, start=max(-a, 0), length=x.shape[axis] - max(-a, 0) - max(-b, 0))
    return x


def taps(kernel: Ints, dilation: Ints) -> Iterator[Ints]:
    """The offset of each tap of the window, in row-major order."""
    return every(*(range(0, k * d, d) for k, d in zip(kernel, dilation, strict=True)))


def shifted(x: Value, offset: Ints, outputs: Sequence[Size], stride: Ints) -> Value:
    """The element of every window at one tap: a strided view of a padded x."""
    places = zip(offset, outputs, stride, strict=True)
    stops = [within_axis(x, axis, o + (n - 1) * s + 1) for axis, (o, n, s) in enumerate(places, 2)]
    found: Value = slice_(x, start=(0, 0, *offset), stop=(*x.shape[:2], *stops), step=(1, 1, *stride))
    return found


def patch_values(x: Value, kernel: Ints, stride: Ints, dilation: Ints, groups: int) -> tuple[Value, list[Size]]:
    """`[N, groups, Cin/groups · taps, outputs]` of a padded x, and the sizes of the outputs."""
    outputs = [window_size(n, k, s, 0, d) for n, k, s, d in zip(x.shape[2:], kernel, stride, dilation, strict=True)]
    batch, channels = x.shape[:2]
    each = exact_division(channels, groups)
    assert each is not None
    places, count = product(outputs), len(list(taps(kernel, dilation)))
    if count == 1:
        return reshape(shifted(x, (0,) * len(kernel), outputs, stride), shape=(batch, groups, each, places)), outputs
    parts = [
        reshape(shifted(x, offset, outputs, stride), shape=(batch, groups, each, 1, *outputs)) for offset in taps(kernel, dilation)
    ]
    return reshape(concat(*parts, axis=3), shape=(batch, groups, each * count, places)), outputs
