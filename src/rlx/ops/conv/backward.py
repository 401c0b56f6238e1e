"""The gradients of `conv` by its input and by its weight, for two window axes as the names say, and for one and three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import exact_division, product
from rlx.core.dtype import promote
from rlx.ir.tolerance import summed
from rlx.ops.contraction.matmul import matmul
from rlx.ops.conv.conv import (
    NUMBERS,
    Ints,
    around,
    batch_conv,
    check_bias,
    check_groups,
    conv,
    conv_reference,
    flat_patches,
    normal_conv,
    output_dims,
    padded_array,
    patch_arrays,
    patch_values,
    spread,
    static_window,
    window_attrs,
    window_settings,
)
from rlx.ops.inference import define_product, numeric, require
from rlx.ops.movement.pad import flip
from rlx.ops.movement.parts import apart
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.record import Array, Attr, Call, Op, Shape, Size, Value, as_dtype, case, sample
from rlx.ops.reduction import wide
from rlx.transforms.rules.batching import in_rows
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import multilinear, one_result

# -- the transposed convolution: x spread out, zeros between its elements, and convolved with the flipped weight -----
#
# `conv_transpose` is the gradient of `conv` by its input.


def _transposed_shape(call: Call) -> Shape:
    require(call, numeric, "numbers (bools: cast to an int first)")
    x, w = call.given[:2]
    check_groups(call, x.dims[1], "input channels")
    call.check_same(x.dims[1], w.dims[0], "channels of x and rows of the weight", fix="the weight is [Cin, Cout/groups, …]")
    dims: list[Size] = [x.dims[0], w.dims[1] * call.groups]
    check_bias(call, dims[1])
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


def _flip_weight(w: Array, groups: int) -> Array:
    """Flips a weight `[Cin, Cout/groups, …]` into `[Cout, Cin/groups, …]`, for `conv_transpose` as a convolution."""
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
    """The NumPy reference of `conv_transpose`."""
    far = [(n - 1) * s + 1 if n else 0 for n, s in zip(x.shape[2:], stride, strict=True)]
    spaced = np.zeros((*x.shape[:2], *far), x.dtype)
    spaced[(slice(None), slice(None), *(slice(None, None, s) for s in stride))] = x
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel_size, padding, strict=True)]
    high = [a + extra for a, extra in zip(low, output_padding, strict=True)]
    window = {"kernel_size": kernel_size, "stride": (1,) * len(far), "padding": (0,) * len(far)}
    x = padded_array(spaced, low, high)
    return conv_reference(x, _flip_weight(w, groups), bias, **window, dilation=dilation, groups=groups)


def _flipped_value(w: Value, groups: int) -> Value:
    rows, columns, *window = w.shape
    each = exact_division(rows, groups)
    assert each is not None
    rank = w.rank + 1
    parts = transpose(reshape(w, shape=(groups, each, columns, *window)), perm=(0, 2, 1, *range(3, rank)))
    return flip(reshape(parts, shape=(columns * groups, each, *window)), axes=tuple(range(2, w.rank)))


def spread_back(
    x: Value,
    w: Value,
    bias: Value | None = None,
    *,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    output_padding: Sequence[Size],
    dilation: Ints,
    groups: int,
) -> Any:
    """`conv_transpose` as a convolution of x, dilated by the stride, with the flipped weight; the end padding may be symbolic."""
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel_size, padding, strict=True)]
    rest = [0 if isinstance(size, int) else size for size in output_padding]
    high = [a + size if isinstance(size, int) else a for a, size in zip(low, output_padding, strict=True)]
    for axis, step in enumerate(stride, 2):
        x = apart(x, axis, step) if step > 1 else x
    return conv(around(x, low, high, rest), _flipped_value(w, groups), bias, dilation=dilation, groups=groups)


conv_transpose = define_product(
    "conv_transpose",
    "x, w, bias?",
    infer=_transposed_shape,
    normalize=normal_conv,
    reference=transposed_reference,
    decompose=spread_back,
    attrs={
        **window_attrs("what the convolution it reverses was padded by"),
        "output_padding": Attr("ints", (0,), help="elements added at the end of each axis"),
    },
    doc="The transposed convolution of torch's conv_transpose1d, 2d and 3d: x `[N, Cin, …]`, w `[Cin, Cout/groups, …]`.",
    tolerance=summed(1.0, lambda op, operands: int(np.prod(operands[1].shape, dtype=np.int64)) // op.attrs["groups"]),
    cost=lambda call, results: call.given[0].num_elements * product(call.given[1].dims[1:]) * 2,
    integer_form="",
    batch=batch_conv,
    cases=lambda: [
        case(
            sample(2, 3, 4, 5),
            sample(3, 4, 3, 3),
            sample(4),
            note="an image",
            dtypes=NUMBERS,
            stride=2,
            padding=1,
            output_padding=1,
        ),
        case(sample(1, 4, 6), sample(4, 3, 3), note="one axis, groups, odd dilation", dilation=2, groups=2),
        case(sample(1, 2, 3, 2, 3), sample(2, 2, 2, 1, 3), note="three axes, odd windows", stride=(1, 2, 3), padding=(0, 0, 2)),
        case(sample(0, 3, 4), sample(3, 2, 3), note="size 0"),
    ],
)


def _check_windows(call: Call, sizes: tuple[Size, ...], kernel: tuple[Size, ...], outputs: tuple[Size, ...]) -> None:
    """Checks that dy of a convolution has one element for each window."""
    for axis, (wanted, actual) in enumerate(zip(output_dims(call, sizes, kernel), outputs, strict=True)):
        call.check_same(wanted, actual, f"windows on axis {axis + 2} and the size of dy,")


# -- by the input -----------------------------------------------------------------------------------------------
def _normal_input(call: Call) -> Op:
    axes = len(call.input_size)
    changes = {"stride": spread(call, "stride", axes, 1), "padding": spread(call, "padding", axes, 0)}
    window = static_window(call, call.given[1].dims[2:])
    return call.op.with_attrs(**changes, dilation=spread(call, "dilation", axes, 1), kernel_size=window)


def _input_shape(call: Call) -> Shape:
    dy, w = call.given
    require(call, numeric, "numbers")
    axes = len(call.input_size)
    if dy.rank != axes + 2 or w.rank != axes + 2:
        message = f"ranks {dy.rank} and {w.rank} for {axes} window axes"
        raise call.error("RLX102", message, fix="dy [N, Cout, …] and w [Cout, Cin/groups, …] with the axes of input_size")
    call.check_same(dy.dims[1], w.dims[0], "channels of dy and of the weight")
    check_groups(call, w.dims[0], "channels of dy")
    _check_windows(call, call.input_size, w.dims[2:], dy.dims[2:])
    return Shape.make((dy.dims[0], w.dims[1] * call.groups, *call.input_size), promote(dy.dtype, w.dtype))


def _missing_border(
    input_size: Any, outputs: Any, *, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> tuple[Any, ...]:
    """Input elements after the last window of a strided convolution, which the transposed convolution does not cover."""
    rows = zip(input_size, outputs, kernel_size, stride, padding, dilation, strict=True)
    return tuple(size - ((n - 1) * s - 2 * p + d * (k - 1) + 1) for size, n, k, s, p, d in rows)


def _backward_input(dy: Array, w: Array, input_size: Ints, **window: Any) -> Array:
    return transposed_reference(dy, w, output_padding=_missing_border(input_size, dy.shape[2:], **window), **window)


def _input_by_transpose(dy: Value, w: Value, *, input_size: tuple[Size, ...], **window: Any) -> Any:
    """The input gradient of `conv` as a transposed convolution, padded to the input's size."""
    return spread_back(dy, w, output_padding=_missing_border(input_size, dy.shape[2:], **window), **window)


def _input_vjp(call: Derivative, ct: Value, dy: Value, w: Value) -> list[Maybe]:
    """The vjp of `conv`'s input gradient: it is linear in dy, which it convolves transposed, and in the weight."""
    kernel = w.shape[2:]
    return [
        as_dtype(conv(ct, w, **window_settings(call)), dy.dtype),
        as_dtype(conv2d_backward_weight(ct, dy, kernel_size=kernel, **window_settings(call)), w.dtype),
    ]


conv2d_backward_input = define_product(
    "conv2d_backward_input",
    "dy, w",
    infer=_input_shape,
    normalize=_normal_input,
    reference=_backward_input,
    decompose=_input_by_transpose,
    attrs={"input_size": Attr("sizes", help="the window axes of the convolution's input"), **window_attrs()},
    doc="The gradient of `conv` by its input: dy spread back through the weight.",
    tolerance=summed(1.0, lambda op, operands: int(np.prod(operands[1].shape, dtype=np.int64)) // op.attrs["groups"]),
    cost=lambda call, results: call.given[0].num_elements * product(call.given[1].dims[1:]) * 2,
    vjp=one_result(_input_vjp),
    jvp=multilinear(0, 1),
    batch=in_rows(1),
    cases=lambda: [
        case(sample(2, 4, 7, 8), sample(4, 3, 3, 3), note="an image", dtypes=("f32", "f64", "bf16"), input_size=(7, 8), padding=1),
        case(
            sample(1, 6, 3, 3),
            sample(6, 2, 3, 2),
            note="groups, odd stride that leaves a rest",
            input_size=(8, 7),
            stride=(3, 2),
            padding=(1, 0),
            groups=3,
        ),
        case(sample(1, 2, 3, 4), sample(2, 3, 2, 2), note="odd dilation", input_size=(6, 6), dilation=(3, 2)),
        case(sample(0, 2, 3, 3), sample(2, 3, 2, 2), note="size 0", input_size=(4, 4)),
    ],
)


# -- by the weight ----------------------------------------------------------------------------------------------
def _normal_weight(call: Call) -> Op:
    axes = call.given[0].rank - 2
    names = {"kernel_size": 1, "stride": 1, "padding": 0, "dilation": 1}
    if call.kernel_size is None:
        raise call.error("RLX105", "kernel_size is missing", fix="the window of the weight, e.g. kernel_size=(3, 3)")
    return call.op.with_attrs(**{name: spread(call, name, axes, least) for name, least in names.items()})


def _weight_shape(call: Call) -> Shape:
    x, dy = call.given
    require(call, numeric, "numbers")
    if x.rank < 3 or dy.rank != x.rank:
        raise call.error("RLX102", f"ranks {x.rank} and {dy.rank}", fix="x [N, Cin, …] and dy [N, Cout, …]")
    call.check_same(x.dims[0], dy.dims[0], "batch of x and of dy")
    _check_windows(call, x.dims[2:], call.kernel_size, dy.dims[2:])
    each = exact_division(x.dims[1], call.groups)
    if each is None or exact_division(dy.dims[1], call.groups) is None:
        message = f"{x.dims[1]} and {dy.dims[1]} channels do not divide into {call.groups} groups"
        raise call.error("RLX102", message, fix="groups divides both")
    return Shape.make((dy.dims[1], each, *call.kernel_size), promote(x.dtype, dy.dtype))


def _backward_weight(x: Array, dy: Array, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Array:
    patches = flat_patches(patch_arrays(padded_array(wide(x), padding, padding), kernel_size, stride, dilation, groups), x.ndim - 2)
    rows = wide(dy).reshape(dy.shape[0], groups, dy.shape[1] // groups, patches.shape[-1])
    gradient = np.matmul(rows, patches.swapaxes(-1, -2)).sum(0, dtype=rows.dtype)
    return np.asarray(gradient.reshape(dy.shape[1], x.shape[1] // groups, *kernel_size))


def _weight_by_matmul(x: Value, dy: Value, *, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """The weight gradient of `conv`: dy times the patches, summed over positions and batch in one product."""
    dtype = promote(x.dtype, dy.dtype)
    patches, outputs = patch_values(around(as_dtype(x, dtype), padding, padding), kernel_size, stride, dilation, groups)
    batch, channels = dy.shape[:2]
    each = exact_division(channels, groups)
    assert each is not None
    places, inner = product(outputs), patches.shape[2]
    rows = transpose(reshape(as_dtype(dy, dtype), shape=(batch, groups, each, places)), perm=(1, 2, 0, 3))
    columns = transpose(patches, perm=(1, 0, 3, 2))
    gradient = matmul(reshape(rows, shape=(groups, each, batch * places)), reshape(columns, shape=(groups, batch * places, inner)))
    return reshape(gradient, shape=(channels, exact_division(x.shape[1], groups), *kernel_size))


def _weight_vjp(call: Derivative, ct: Value, x: Value, dy: Value) -> list[Maybe]:
    back = conv2d_backward_input(dy, ct, input_size=x.shape[2:], **window_settings(call))
    return [as_dtype(back, x.dtype), as_dtype(conv(x, ct, **window_settings(call)), dy.dtype)]


conv2d_backward_weight = define_product(
    "conv2d_backward_weight",
    "x, dy",
    infer=_weight_shape,
    normalize=_normal_weight,
    reference=_backward_weight,
    decompose=_weight_by_matmul,
    attrs=window_attrs(),
    doc="The gradient of `conv` by its weight: dy times the patches of x; kernel_size must be given.",
    tolerance=summed(1.0, lambda op, operands: int(np.prod(operands[1].shape, dtype=np.int64)) // max(operands[1].shape[1], 1)),
    cost=lambda call, results: results[0].num_elements * product((call.given[1].dims[0], *call.given[1].dims[2:])) * 2,
    vjp=one_result(_weight_vjp),
    jvp=multilinear(0, 1),
    cases=lambda: [
        case(sample(2, 3, 7, 8), sample(2, 4, 7, 8), note="an image", dtypes=("f32", "f64", "bf16"), kernel_size=3, padding=1),
        case(
            sample(2, 6, 8, 7),
            sample(2, 4, 3, 3),
            note="groups, odd stride that leaves a rest",
            kernel_size=(3, 2),
            stride=(3, 2),
            padding=(1, 0),
            groups=2,
        ),
        case(sample(1, 3, 6, 6), sample(1, 2, 3, 4), note="odd dilation", kernel_size=2, dilation=(3, 2)),
        case(sample(0, 3, 4, 4), sample(0, 2, 3, 3), note="size 0: zeros", kernel_size=2),
    ],
)
