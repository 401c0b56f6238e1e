"""Convolutions over one, two or three axes, as torch's: x `[N, Cin, …]`, weight `[Cout, Cin/groups, …]`.

    patches:  `[N, groups, Cin/groups · taps, outputs]`, one column for each output position
    conv:     weight `[groups, Cout/groups, Cin/groups · taps]` times patches

The gradient by the input is the transposed convolution (`conv_transpose`), that by the weight is dy times the patches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as every
from typing import Any

import numpy as np

from rlx.core.dim import Relation, exact_division, product, proves_at_most
from rlx.core.dtype import promote
from rlx.ir.tolerance import summed
from rlx.ops.contraction.matmul import matmul
from rlx.ops.inference import define_product, numeric, require
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import concat, narrow, slice_
from rlx.ops.movement.shape import reshape
from rlx.ops.record import OPS, Array, Attr, Call, Op, Shape, Size, Value, as_dtype, case, sample
from rlx.ops.reduction import reduce_sum, wide
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    again,
    batch_size,
    by_parts,
    in_front,
    merge_batch,
    split_batch,
    with_batch_axis,
)
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, total, vjp_by_parts
from rlx.transforms.rules.formulas import match_shape

# -- windows over one, two or three axes: their attributes and sizes, and the patches `[N, groups, Cin/groups · taps, outputs]` of x


Ints = tuple[int, ...]


# -- attributes and sizes ---------------------------------------------------------------------------------------
def window_attrs(least: str = "zeros on both sides of each axis") -> dict[str, Attr]:
    """The attributes that every convolution has: kernel size, stride, padding, dilation and groups."""
    return {
        "kernel_size": Attr("ints", None, help="the weight's window; read off the weight"),
        "stride": Attr("ints", (1,), help="distance of windows"),
        "padding": Attr("ints", (0,), help=least),
        "dilation": Attr("ints", (1,), help="distance of taps"),
        "groups": Attr("int", 1, help="channels fall into groups that do not mix"),
    }


def spread(call: Call, name: str, axes: int, least: int) -> Ints:
    """Repeats an attribute of a convolution for each window axis; returns it unchanged with one entry for each."""
    value: Ints = call.op.attrs[name]
    entries = value * axes if len(value) == 1 else value
    if len(entries) != axes:
        raise call.error("RLX105", f"{name} has {len(entries)} entries for {axes} axes", fix="one entry, or one for each axis")
    if min(entries) < least:
        raise call.error("RLX105", f"{name} is {value}", fix=f"at least {least}")
    return entries


def static_window(call: Call, window: Sequence[Size]) -> Ints:
    """Checks that the window sizes of a convolution's weight are static and returns them."""
    for size in window:
        if not isinstance(size, int):
            raise call.error("RLX102", f"a window of size {size}", fix="the weight's window has static sizes")
    return tuple(size for size in window if isinstance(size, int))


def check_groups(call: Call, channels: Size, what: str) -> Size:
    """Checks the groups of a convolution; returns the channels of one group."""
    if call.groups < 1:
        raise call.error("RLX105", f"groups is {call.groups}", fix="at least 1")
    each = exact_division(channels, call.groups)
    if each is None:
        raise call.error("RLX102", f"{channels} {what} do not divide into {call.groups} groups", fix="groups divides both")
    return each


def window_size(size: Size, kernel: Size, stride: int, padding: Size, dilation: int = 1) -> Size:
    """The number of windows along an axis."""
    return (size + padding * 2 - (kernel - 1) * dilation - 1) // stride + 1


def output_dims(call: Call, sizes: Sequence[Size], window: Sequence[Size]) -> list[Size]:
    """The number of windows on each axis of a convolution; raises unless at least one fits."""
    dims: list[Size] = []
    for axis, (size, kernel) in enumerate(zip(sizes, window, strict=True)):
        reach = (kernel - 1) * call.dilation[axis] + 1
        padded = size + 2 * call.padding[axis]
        call.check_at_most(reach, padded, f"reach of the window against the padded axis {axis + 2}", code="RLX102")
        dims.append(window_size(size, kernel, call.stride[axis], call.padding[axis], call.dilation[axis]))
    return dims


def within_axis(x: Value, axis: int, stop: Size) -> Size:
    """Returns a bound that is within the axis by construction; for a symbolic size, records this as an assumption."""
    size = x.shape[axis]
    if proves_at_most(stop, size, x.graph.assumptions) is None:
        x.graph.assume(Relation("<=", stop, size))
    return stop


# -- on arrays --------------------------------------------------------------------------------------------------
def padded_array(x: Array, low: Sequence[int], high: Sequence[int]) -> Array:
    """Pads the window axes of an array with zeros; negative counts cut."""
    x = np.pad(x, [(0, 0), (0, 0), *((max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True))])
    cut = (slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, x.shape[2:], strict=True))
    return x[(slice(None), slice(None), *cut)]


def patch_arrays(x: Array, kernel: Ints, stride: Ints, dilation: Ints, groups: int) -> Array:
    """Patches `[N, groups, Cin/groups, taps…, outputs…]` of a padded array."""
    axes = tuple(range(2, x.ndim))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = tuple(slice(None, None, s) for s in stride) + tuple(slice(None, None, d) for d in dilation)
    windows = windows[(slice(None), slice(None), *steps)]
    count = len(axes)
    windows = windows.transpose(0, 1, *range(2 + count, 2 + 2 * count), *range(2, 2 + count))
    return windows.reshape(x.shape[0], groups, x.shape[1] // groups, *windows.shape[2:])


def flat_patches(patches: Array, axes: int) -> Array:
    """Reshapes patches to the im2col matrices `[N, groups, Cin/groups · taps, outputs]`."""
    outputs = int(np.prod(patches.shape[3 + axes :], dtype=np.int64))
    inner = int(np.prod(patches.shape[2 : 3 + axes], dtype=np.int64))
    return patches.reshape(*patches.shape[:2], inner, outputs)


# -- on Values --------------------------------------------------------------------------------------------------
def around(x: Value, low: Sequence[int], high: Sequence[int], rest: Sequence[Size] = ()) -> Value:
    """Pads the window axes of a Value with zeros; negative counts cut. Symbolic counts `rest`, at least 0, pad the end first."""
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
    """Offsets of the taps of a convolution's window, in row-major order."""
    return every(*(range(0, k * d, d) for k, d in zip(kernel, dilation, strict=True)))


def take_taps(x: Value, offset: Ints, outputs: Sequence[Size], stride: Ints) -> Value:
    """Slices one tap of every window: a strided view of a padded x."""
    places = zip(offset, outputs, stride, strict=True)
    stops = [within_axis(x, axis, o + (n - 1) * s + 1) for axis, (o, n, s) in enumerate(places, 2)]
    return slice_(x, start=(0, 0, *offset), stop=(*x.shape[:2], *stops), step=(1, 1, *stride))


def patch_values(x: Value, kernel: Ints, stride: Ints, dilation: Ints, groups: int) -> tuple[Value, list[Size]]:
    """The im2col patches `[N, groups, Cin/groups · taps, outputs]` of a padded Value, and the output sizes."""
    outputs = [window_size(n, k, s, 0, d) for n, k, s, d in zip(x.shape[2:], kernel, stride, dilation, strict=True)]
    batch, channels = x.shape[:2]
    each = exact_division(channels, groups)
    assert each is not None
    places, count = product(outputs), len(list(taps(kernel, dilation)))
    if count == 1:
        return reshape(take_taps(x, (0,) * len(kernel), outputs, stride), shape=(batch, groups, each, places)), outputs
    parts = [
        reshape(take_taps(x, offset, outputs, stride), shape=(batch, groups, each, 1, *outputs))
        for offset in taps(kernel, dilation)
    ]
    return reshape(concat(*parts, axis=3), shape=(batch, groups, each * count, places)), outputs


NUMBERS = ("f32", "f64", "f16", "bf16", "i32")


# -- attributes and shapes --------------------------------------------------------------------------------------
def _axes_of(call: Call, weight: int = 1) -> int:
    x, w = call.given[0], call.given[weight]
    if x.rank < 3 or x.rank > 5 or w.rank != x.rank:
        message = f"ranks {x.rank} and {w.rank}"
        raise call.error("RLX102", message, fix="x [N, Cin, …] and a weight [Cout, Cin/groups, …] with 1 to 3 window axes")
    return x.rank - 2


def normal_conv(call: Call) -> Op:
    """Normalizes a convolution's attributes to one entry for each window axis; the kernel size is that of the weight."""
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


def check_bias(call: Call, channels: Size) -> None:
    """Checks that a convolution's bias has one entry for each output channel."""
    bias = call.shape(2)
    if bias is None:
        return
    if bias.rank != 1:
        raise call.error("RLX102", f"bias has rank {bias.rank}", fix=f"one entry for each output channel: [{channels}]")
    call.check_same(bias.dims[0], channels, "entries of bias and output channels")


def _conv_shape(call: Call) -> Shape:
    require(call, numeric, "numbers (bools: cast to an int first)")
    x, w = call.given[:2]
    each = check_groups(call, x.dims[1], "input channels")
    check_groups(call, w.dims[0], "output channels")
    call.check_same(each, w.dims[1], "input channels of a group and those of the weight")
    check_bias(call, w.dims[0])
    dims = (x.dims[0], w.dims[0], *output_dims(call, x.dims[2:], w.dims[2:]))
    return Shape.make(dims, promote(*(shape.dtype for shape in call.given)))


# -- meaning ----------------------------------------------------------------------------------------------------
def conv_reference(
    x: Array, w: Array, bias: Array | None = None, *, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Array:
    """The NumPy reference of `conv`: im2col patches, one product for each group."""
    patches = patch_arrays(padded_array(wide(x), padding, padding), kernel_size, stride, dilation, groups)
    axes, outputs = x.ndim - 2, patches.shape[x.ndim + 1 :]
    rows = wide(w).reshape(groups, w.shape[0] // groups, int(np.prod(w.shape[1:], dtype=np.int64)))
    out = np.matmul(rows, flat_patches(patches, axes)).reshape(x.shape[0], w.shape[0], *outputs)
    return np.asarray(out if bias is None else out + wide(bias).reshape(-1, *(1,) * axes))


def _conv_by_matmul(
    x: Value, w: Value, bias: Value | None = None, *, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    """`conv` by im2col: one product for each group; with a bias, 16-bit floats stay f32 until it is added."""
    result = promote(*(value.dtype for value in (x, w, bias) if value is not None))
    dtype = result if bias is None else result.compute
    patches, outputs = patch_values(around(as_dtype(x, dtype), padding, padding), kernel_size, stride, dilation, groups)
    channels = w.shape[0]
    each = exact_division(channels, groups)
    assert each is not None
    rows = reshape(as_dtype(w, dtype), shape=(groups, each, product(w.shape[1:])))
    out = reshape(matmul(rows, patches), shape=(x.shape[0], channels, *outputs))
    return out if bias is None else as_dtype(out + as_dtype(bias, dtype).reshape(channels, *(1,) * len(outputs)), result)


# -- derivatives and batches ------------------------------------------------------------------------------------
def window_settings(call: Call) -> dict[str, Any]:
    """The attributes of a convolution that its gradients share."""
    return {name: call.op.attrs[name] for name in ("stride", "padding", "dilation", "groups")}


def _conv_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> Sequence[Maybe]:
    (x, w, *bias), (dy,) = operands, cotangents
    assert dy is not None
    if dy.dtype.is_complex:
        return vjp_by_parts()(call, operands, results, cotangents)
    gradients: list[Maybe] = [None] * len(operands)
    if call.wanted[0]:
        gradients[0] = as_dtype(OPS["conv2d_backward_input"](dy, w, input_size=x.shape[2:], **window_settings(call)), x.dtype)
    if call.wanted[1]:
        made = OPS["conv2d_backward_weight"](x, dy, kernel_size=call.kernel_size, **window_settings(call))
        gradients[1] = as_dtype(made, w.dtype)
    if bias and bias[0] is not None:
        gradients[2] = as_dtype(reduce_sum(dy, axes=(0, *range(2, dy.rank)), keep_dim=False), bias[0].dtype)
    return gradients


def _conv_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    (x, w, *_), (y,) = operands, results
    t, u, b = (*tangents, None)[:3]
    windows = window_settings(call)
    terms: list[Maybe] = [None if t is None else conv(t, w, **windows), None if u is None else conv(x, u, **windows)]
    if b is not None:
        terms.append(b.reshape(*b.shape, *(1,) * (y.rank - 2)))
    whole = total(terms)
    return [None if whole is None else match_shape(whole, y)]


def batch_conv(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `conv`: images of all examples with shared weights; weights by example become groups of channels, for a static n."""
    x, w = operands[:2]
    assert x is not None and w is not None
    size = batch_size(operands, axes)
    if all(axis is None for axis in axes[1:]):
        return split_batch(call, again(call, (merge_batch(x, axes[0], size), *operands[1:])), size)
    if not isinstance(size, int):
        return by_parts(call, operands, axes)
    images = in_front(x, axes[0], size)
    images = images.transpose(1, 0, *range(2, images.rank))
    images = images.reshape(images.shape[0], images.shape[1] * images.shape[2], *images.shape[3:])
    weights = [None if v is None else merge_batch(v, axis, size) for v, axis in zip(operands[1:], axes[1:], strict=True)]
    (out,) = again(call, (images, *weights), groups=call.groups * size)
    (example,) = call.op.infer(call.shapes, call.assumptions)
    return with_batch_axis([out.reshape(example.dims[0], size, *example.dims[1:])], 1)


# -- records ----------------------------------------------------------------------------------------------------
def _terms(op: Op, operands: Sequence[Array | None]) -> int:
    assert operands[1] is not None
    return int(np.prod(operands[1].shape[1:], dtype=np.int64))


conv = define_product(
    "conv",
    "x, w, bias?",
    infer=_conv_shape,
    normalize=normal_conv,
    reference=conv_reference,
    attrs=window_attrs(),
    decompose=_conv_by_matmul,
    doc="""The convolution of torch's conv1d, conv2d and conv3d: x `[N, Cin, …]`, w `[Cout, Cin/groups, …]`, bias `[Cout]`.

    One entry of stride, padding or dilation counts for all window axes.""",
    tolerance=summed(1.0, _terms),
    cost=lambda call, results: results[0].num_elements * product(call.given[1].dims[1:]) * 2,
    integer_form="q_conv2d",
    vjp=_conv_vjp,
    jvp=_conv_jvp,
    batch=batch_conv,
    cases=lambda: [
        case(sample(2, 3, 7, 8), sample(4, 3, 3, 3), sample(4), note="an image", dtypes=NUMBERS, padding=1),
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
        case(sample(2, 5, 6, 7), sample(5, 1, 3, 2), note="a channel by itself, odd window", groups=5, kernel_size=(3, 2)),
        case(sample(2, 33, 5, 5), sample(17, 33, 1, 1), note="odd: one tap", stride=2),
        case(sample(0, 3, 4, 4), sample(2, 3, 3, 3), note="size 0"),
    ],
)


# -- depthwise convolutions of rows `[B, S, C]` with the channels last, as shifted products --------------------------


def shifted_products(x: Value, taps: Value, distance: int, length: Size) -> Value:
    """Depthwise convolution Σ_j x[:, j·distance + s]·taps[c, j] for s below `length`: a product and a sum for each tap of `[C, K]`.

    Transposed taps are contiguous over the channels; for a param the transposition runs once.
    """
    channels, count = taps.shape
    turned = taps.transpose(1, 0)
    terms = [
        narrow(x, axis=1, start=tap * distance, length=length) * narrow(turned, axis=0, start=tap, length=1).reshape(channels)
        for tap in range(int(count))
    ]
    total: Value = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
