"""The transposed convolution: x spread out, zeros between its elements, and convolved with the flipped weight.

It is the gradient of `conv` by its input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import exact_division, product
from rlx.core.dtype import promote
from rlx.ir.tolerance import summed
from rlx.ops.conv.conv import NUMBERS, batch_conv, check_bias, conv, conv_reference, normal_conv
from rlx.ops.conv.windows import Ints, around, check_groups, padded_array, window_attrs
from rlx.ops.inference import compute_common, numeric, require
from rlx.ops.movement.pad import flip
from rlx.ops.movement.parts import apart
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.record import Array, Attr, Call, OpKind, Shape, Size, Value, case, define, sample


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
    """The meaning of `conv_transpose`."""
    far = [(n - 1) * s + 1 if n else 0 for n, s in zip(x.shape[2:], stride, strict=True)]
    spaced = np.zeros((*x.shape[:2], *far), x.dtype)
    spaced[(slice(None), slice(None), *(slice(None, None, s) for s in stride))] = x
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel_size, padding, strict=True)]
    high = [a + extra for a, extra in zip(low, output_padding, strict=True)]
    window = {"kernel_size": kernel_size, "stride": (1,) * len(far), "padding": (0,) * len(far)}
    x = padded_array(spaced, low, high)
    return conv_reference(x, _flipped(w, groups), bias, **window, dilation=dilation, groups=groups)


def _flipped_value(w: Value, groups: int) -> Value:
    rows, columns, *window = w.shape
    each = exact_division(rows, groups)
    assert each is not None
    rank = w.rank + 1
    parts = transpose(reshape(w, shape=(groups, each, columns, *window)), perm=(0, 2, 1, *range(3, rank)))
    found: Value = flip(reshape(parts, shape=(columns * groups, each, *window)), axes=tuple(range(2, w.rank)))
    return found


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
    """x spread out by the stride, convolved with the flipped weight; the elements added at the end may be symbolic."""
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel_size, padding, strict=True)]
    rest = [0 if isinstance(size, int) else size for size in output_padding]
    high = [a + size if isinstance(size, int) else a for a, size in zip(low, output_padding, strict=True)]
    for axis, step in enumerate(stride, 2):
        x = apart(x, axis, step) if step > 1 else x
    return conv(around(x, low, high, rest), _flipped_value(w, groups), bias, dilation=dilation, groups=groups)


conv_transpose = define(
    "conv_transpose",
    "x, w, bias?",
    infer=_transposed_shape,
    normalize=normal_conv,
    reference=transposed_reference,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
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
