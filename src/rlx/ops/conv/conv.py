"""Convolutions over one, two or three axes, as torch's: x `[N, Cin, …]`, weight `[Cout, Cin/groups, …]`.

    patches:  `[N, groups, Cin/groups · taps, outputs]`, one column for each output position
    conv:     weight `[groups, Cout/groups, Cin/groups · taps]` times patches

The transposed convolution spreads x out (zeros between its elements) and convolves with the flipped weight; it is the
gradient of `conv` by its input. The gradient by the weight is dy times the patches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as every
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.bounds import proves_at_most
from rlx.core.dim import Relation, Size, exact_division, product
from rlx.core.dtype import promote
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.op import Call, Op, define
from rlx.ir.tolerance import summed
from rlx.ir.value import Value, as_dtype
from rlx.ops.contraction.contract import matmul
from rlx.ops.inference import compute_common, numeric, require
from rlx.ops.movement.pad import flip, pad
from rlx.ops.movement.shape import concat, narrow, reshape, slice_, transpose
from rlx.ops.reduction.reduce import wide

Array = npt.NDArray[Any]
Ints = tuple[int, ...]


# -- attributes and shapes --------------------------------------------------------------------------------------
def spread(call: Call, name: str, axes: int, least: int) -> Ints:
    """An attribute with one entry for each window axis; one entry counts for all."""
    value: Ints = call.op.attrs[name]
    entries = value * axes if len(value) == 1 else value
    if len(entries) != axes:
        raise call.error(
            "RLX105", f"{name} has {len(entries)} entries for {axes} axes", fix="one entry, or one for each axis"
        )
    if min(entries) < least:
        raise call.error("RLX105", f"{name} is {value}", fix=f"at least {least}")
    return entries


def window_size(size: Size, kernel: Size, stride: int, padding: Size, dilation: int = 1) -> Size:
    """How many windows fit."""
    return (size + padding * 2 - (kernel - 1) * dilation - 1) // stride + 1


def _axes_of(call: Call, weight: int = 1) -> int:
    x, w = call.given[0], call.given[weight]
    if x.rank < 3 or x.rank > 5 or w.rank != x.rank:
        message = f"ranks {x.rank} and {w.rank}"
        raise call.error(
            "RLX102", message, fix="x [N, Cin, …] and a weight [Cout, Cin/groups, …] with 1 to 3 window axes"
        )
    return x.rank - 2


def _normal_conv(call: Call) -> Op:
    """One entry for each window axis; the kernel size read off the weight, or checked against it."""
    axes = _axes_of(call)
    window = call.given[1].dims[2:]
    wanted = window if call.kernel_size is None else spread(call, "kernel_size", axes, 1)
    for mine, other in zip(wanted, window, strict=True):
        call.check_same(mine, other, "kernel_size and the weight's window:")
    static_window(call, window)
    changes: dict[str, Any] = {"kernel_size": tuple(window), "stride": spread(call, "stride", axes, 1)}
    changes |= {"padding": spread(call, "padding", axes, 0), "dilation": spread(call, "dilation", axes, 1)}
    if "output_padding" in call.op.attrs:
        changes["output_padding"] = spread(call, "output_padding", axes, 0)
    return call.op.with_attrs(**changes)


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
        raise call.error(
            "RLX102", f"{channels} {what} do not divide into {call.groups} groups", fix="groups divides both"
        )
    return each


def _check_bias(call: Call, channels: Size) -> None:
    bias = call.shape(2)
    if bias is None:
        return
    if bias.rank != 1:
        raise call.error("RLX102", f"bias has rank {bias.rank}", fix=f"one entry for each output channel: [{channels}]")
    call.check_same(bias.dims[0], channels, "entries of bias and output channels")


def output_dims(call: Call, sizes: Sequence[Size], window: Sequence[Size]) -> list[Size]:
    """How many windows there are on each axis; at least one fits."""
    dims: list[Size] = []
    for axis, (size, kernel) in enumerate(zip(sizes, window, strict=True)):
        reach = (kernel - 1) * call.dilation[axis] + 1
        padded = size + 2 * call.padding[axis]
        call.check_at_most(reach, padded, f"reach of the window against the padded axis {axis + 2}", code="RLX102")
        dims.append(window_size(size, kernel, call.stride[axis], call.padding[axis], call.dilation[axis]))
    return dims


def _conv_shape(call: Call) -> Shape:
    require(call, numeric, "numbers (bools: cast to an int first)")
    x, w = call.given[:2]
    each = check_groups(call, x.dims[1], "input channels")
    check_groups(call, w.dims[0], "output channels")
    call.check_same(each, w.dims[1], "input channels of a group and those of the weight")
    _check_bias(call, w.dims[0])
    dims = (x.dims[0], w.dims[0], *output_dims(call, x.dims[2:], w.dims[2:]))
    return Shape.make(dims, promote(*(shape.dtype for shape in call.given)))


def _transposed_shape(call: Call) -> Shape:
    require(call, numeric, "numbers (bools: cast to an int first)")
    x, w = call.given[:2]
    check_groups(call, x.dims[1], "input channels")
    call.check_same(
        x.dims[1], w.dims[0], "channels of x and rows of the weight", fix="the weight is [Cin, Cout/groups, …]"
    )
    dims: list[Size] = [x.dims[0], w.dims[1] * call.groups]
    _check_bias(call, dims[1])
    for axis, (size, kernel) in enumerate(zip(x.dims[2:], w.dims[2:], strict=True)):
        stride, dilation, extra = call.stride[axis], call.dilation[axis], call.output_padding[axis]
        if extra >= max(stride, dilation):
            raise call.error(
                "RLX105", f"output_padding is {extra}", fix=f"less than the stride or dilation, {max(stride, dilation)}"
            )
        length = (size - 1) * stride - 2 * call.padding[axis] + dilation * (kernel - 1) + extra + 1
        call.check_at_most(1, length, f"size of result axis {axis + 2}", code="RLX102", fix="less padding")
        dims.append(length)
    return Shape.make(dims, promote(*(shape.dtype for shape in call.given)))


# -- meaning ----------------------------------------------------------------------------------------------------
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
    outputs = int(np.prod(patches.shape[3 + axes :], dtype=np.int64))
    inner = int(np.prod(patches.shape[2 : 3 + axes], dtype=np.int64))
    return patches.reshape(*patches.shape[:2], inner, outputs)


def _conv(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Array:
    patches = patch_arrays(padded_array(wide(x), padding, padding), kernel_size, stride, dilation, groups)
    axes, outputs = x.ndim - 2, patches.shape[x.ndim + 1 :]
    rows = wide(w).reshape(groups, w.shape[0] // groups, int(np.prod(w.shape[1:], dtype=np.int64)))
    found = np.matmul(rows, flat_patches(patches, axes)).reshape(x.shape[0], w.shape[0], *outputs)
    return np.asarray(found if bias is None else found + wide(bias).reshape(-1, *(1,) * axes))


def _flipped(w: Array, groups: int) -> Array:
    """`[Cin, Cout/groups, …]` as the weight `[Cout, Cin/groups, …]` of the convolution that spreads back."""
    axes = tuple(range(2, w.ndim))
    parts = w.reshape(groups, w.shape[0] // groups, *w.shape[1:]).swapaxes(1, 2)
    return np.flip(parts.reshape(groups * w.shape[1], w.shape[0] // groups, *w.shape[2:]), axes)


def transposed_reference(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    output_padding: Ints,
    dilation: Ints,
    groups: int,
) -> Array:
    far = [(n - 1) * s + 1 if n else 0 for n, s in zip(x.shape[2:], stride, strict=True)]
    apart = np.zeros((*x.shape[:2], *far), x.dtype)
    apart[(slice(None), slice(None), *(slice(None, None, s) for s in stride))] = x
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel_size, padding, strict=True)]
    high = [a + extra for a, extra in zip(low, output_padding, strict=True)]
    ones, nothing = (1,) * len(far), (0,) * len(far)
    attrs: dict[str, Any] = {
        "kernel_size": kernel_size,
        "stride": ones,
        "padding": nothing,
        "dilation": dilation,
        "groups": groups,
    }
    return _conv(padded_array(apart, low, high), _flipped(w, groups), bias, **attrs)


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


def within_axis(x: Value, axis: int, stop: Size) -> Size:
    """A position known to lie within the axis, because it was counted so: an assumption where a symbol hides it."""
    size = x.shape[axis]
    if proves_at_most(stop, size, x.graph.assumptions) is None:
        x.graph.assume(Relation("<=", stop, size))
    return stop


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
        reshape(shifted(x, offset, outputs, stride), shape=(batch, groups, each, 1, *outputs))
        for offset in taps(kernel, dilation)
    ]
    return reshape(concat(*parts, axis=3), shape=(batch, groups, each * count, places)), outputs


def _conv_by_matmul(
    x: Value,
    w: Value,
    bias: Value | None = None,
    *,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Any:
    """Patches as columns, one product for each group; with a bias, low floats stay f32 until it is added."""
    result = promote(*(value.dtype for value in (x, w, bias) if value is not None))
    dtype = result if bias is None else result.compute
    patches, outputs = patch_values(around(as_dtype(x, dtype), padding, padding), kernel_size, stride, dilation, groups)
    channels = w.shape[0]
    each = exact_division(channels, groups)
    assert each is not None
    rows = reshape(as_dtype(w, dtype), shape=(groups, each, product(w.shape[1:])))
    found = reshape(matmul(rows, patches), shape=(x.shape[0], channels, *outputs))
    return (
        found
        if bias is None
        else as_dtype(found + as_dtype(bias, dtype).reshape(channels, *(1,) * len(outputs)), result)
    )


def _apart(x: Value, stride: Ints) -> Value:
    """Zeros between neighbours: each axis gets a second one, padded, and both are read as one."""
    for axis, step in enumerate(stride, 2):
        if step > 1:
            dims, rank = x.shape, x.rank
            split = reshape(x, shape=(*dims[: axis + 1], 1, *dims[axis + 1 :]))
            high = [0] * (rank + 1)
            high[axis + 1] = step - 1
            filled = pad(split, low=(0,) * (rank + 1), high=tuple(high))
            joined = reshape(filled, shape=(*dims[:axis], dims[axis] * step, *dims[axis + 1 :]))
            x = narrow(joined, axis=axis, start=0, length=(dims[axis] - 1) * step + 1)
    return x


def _flipped_value(w: Value, groups: int) -> Value:
    rows, columns, *window = w.shape
    each = exact_division(rows, groups)
    assert each is not None
    rank = w.rank + 1
    parts = transpose(reshape(w, shape=(groups, each, columns, *window)), perm=(0, 2, 1, *range(3, rank)))
    found: Value = flip(reshape(parts, shape=(columns * groups, each, *window)), axes=tuple(range(2, w.rank)))
    return found


def _transposed_by_conv(
    x: Value,
    w: Value,
    bias: Value | None = None,
    *,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    output_padding: Ints,
    dilation: Ints,
    groups: int,
) -> Any:
    """x spread out by the stride, convolved with the flipped weight."""
    return spread_back(x, w, bias, kernel_size, stride, padding, output_padding, dilation, groups)


def spread_back(
    x: Value,
    w: Value,
    bias: Value | None,
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    extra: Sequence[Size],
    dilation: Ints,
    groups: int,
) -> Any:
    """The transposed convolution, `extra` elements longer at the end of each axis; these may be symbolic."""
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel, padding, strict=True)]
    rest = [0 if isinstance(size, int) else size for size in extra]
    high = [a + size if isinstance(size, int) else a for a, size in zip(low, extra, strict=True)]
    spread_out = around(_apart(x, stride), low, high, rest)
    return conv(spread_out, _flipped_value(w, groups), bias, dilation=dilation, groups=groups)


# -- records ----------------------------------------------------------------------------------------------------
def window_attrs(least: str = "zeros on both sides of each axis") -> dict[str, Attr]:
    """The attributes every convolution has."""
    return {
        "kernel_size": Attr("ints", None, help="the weight's window; read off the weight"),
        "stride": Attr("ints", (1,), help="distance of windows"),
        "padding": Attr("ints", (0,), help=least),
        "dilation": Attr("ints", (1,), help="distance of taps"),
        "groups": Attr("int", 1, help="channels fall into groups that do not mix"),
    }


def _terms(op: Op, operands: Sequence[Array | None]) -> int:
    assert operands[1] is not None
    return int(np.prod(operands[1].shape[1:], dtype=np.int64))


def _products(call: Call, results: tuple[Shape, ...]) -> Size:
    return results[0].num_elements * product(call.given[1].dims[1:]) * 2


_NUMBERS = ("f32", "f64", "f16", "bf16", "i32")
conv = define(
    "conv",
    "x, w, bias?",
    infer=_conv_shape,
    normalize=_normal_conv,
    reference=_conv,
    kind=OpKind.Compute,
    attrs=window_attrs(),
    compute_dtype=compute_common,
    decompose=_conv_by_matmul,
    doc="""The convolution of torch's conv1d, conv2d and conv3d: x `[N, Cin, …]`, w `[Cout, Cin/groups, …]`, bias `[Cout]`.

    One entry of stride, padding or dilation counts for all window axes.""",
    tolerance=summed(1.0, _terms),
    cost=_products,
    cases=lambda: [
        case(sample(2, 3, 7, 8), sample(4, 3, 3, 3), sample(4), note="an image", dtypes=_NUMBERS, padding=1),
        case(
            sample(1, 4, 9),
            sample(6, 2, 3),
            note="one axis, groups, odd stride and dilation",
            stride=2,
            padding=2,
            dilation=2,
            groups=2,
        ),
        case(
            sample(1, 2, 4, 5, 6),
            sample(3, 2, 2, 1, 3),
            sample(3),
            note="three axes, odd windows",
            stride=(1, 2, 1),
            padding=(0, 0, 1),
        ),
        case(
            sample(2, 5, 6, 7), sample(5, 1, 3, 2), note="a channel by itself, odd window", groups=5, kernel_size=(3, 2)
        ),
        case(sample(2, 33, 5, 5), sample(17, 33, 1, 1), note="odd: one tap", stride=2),
        case(sample(0, 3, 4, 4), sample(2, 3, 3, 3), note="size 0"),
    ],
)

conv_transpose = define(
    "conv_transpose",
    "x, w, bias?",
    infer=_transposed_shape,
    normalize=_normal_conv,
    reference=transposed_reference,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    decompose=_transposed_by_conv,
    attrs={
        **window_attrs("what the convolution it reverses was padded by"),
        "output_padding": Attr("ints", (0,), help="elements added at the end of each axis"),
    },
    doc="The transposed convolution of torch's conv_transpose1d, 2d and 3d: x `[N, Cin, …]`, w `[Cin, Cout/groups, …]`.",
    tolerance=summed(1.0, lambda op, operands: int(np.prod(operands[1].shape, dtype=np.int64)) // op.attrs["groups"]),
    cost=lambda call, results: call.given[0].num_elements * product(call.given[1].dims[1:]) * 2,
    cases=lambda: [
        case(
            sample(2, 3, 4, 5),
            sample(3, 4, 3, 3),
            sample(4),
            note="an image",
            dtypes=_NUMBERS,
            stride=2,
            padding=1,
            output_padding=1,
        ),
        case(sample(1, 4, 6), sample(4, 3, 3), note="one axis, groups, odd dilation", dilation=2, groups=2),
        case(
            sample(1, 2, 3, 2, 3),
            sample(2, 2, 2, 1, 3),
            note="three axes, odd windows",
            stride=(1, 2, 3),
            padding=(0, 0, 2),
        ),
        case(sample(0, 3, 4), sample(3, 2, 3), note="size 0"),
    ],
)
