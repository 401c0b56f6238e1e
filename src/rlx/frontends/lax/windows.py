"""Convolutions and reductions over windows, with `jax.lax`'s arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rlx.core.dim import Size, exact_division
from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, promote_values
from rlx.frontends.lax.slicing import pad
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "ConvDimensionNumbers", "avg_pool", "conv", "conv_dimension_numbers", "conv_general_dilated", "conv_transpose",
    "conv_with_general_padding", "max_pool", "padtype_to_pads", "reduce", "reduce_window",
]  # fmt: skip
_COMBINES = {"sum": "add", "max": "max", "min": "min", "prod": "mul"}
"""Two numbers, as a reduction of this name combines them."""


class ConvDimensionNumbers(NamedTuple):
    """Where batch, channels and window axes are, of the input, the kernel and the result."""

    lhs_spec: tuple[int, ...]
    rhs_spec: tuple[int, ...]
    out_spec: tuple[int, ...]


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any) -> ConvDimensionNumbers:
    """From letters such as ("NHWC", "HWIO", "NHWC"), or None for ("NCHW", "OIHW", "NCHW")."""
    rank = len(lhs_shape)
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if dimension_numbers is None:
        plain = tuple(range(rank))
        return ConvDimensionNumbers(plain, plain, plain)
    lhs, rhs, out = dimension_numbers
    if not all(isinstance(each, str) and len(each) == rank for each in (lhs, rhs, out)):
        raise RlxError("RLX109", f"dimension_numbers {dimension_numbers!r} for {rank} axes", fix="three strings such as 'NHWC'")
    window = [letter for letter in rhs if letter not in "OI"]
    return ConvDimensionNumbers(_places(lhs, "NC", window), _places(rhs, "OI", window), _places(out, "NC", window))


def _places(letters: str, first: str, window: Sequence[str]) -> tuple[int, ...]:
    if sorted(letters) != sorted([*first, *window]):
        raise RlxError("RLX109", f"{letters!r} does not name {first} and {''.join(window)}", fix="each letter once")
    return tuple(letters.index(letter) for letter in (*first, *window))


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: str
) -> list[tuple[int, int]]:
    """(before, after) of each axis for "SAME", "SAME_LOWER" and "VALID"."""
    if padding == "VALID":
        return [(0, 0)] * len(in_shape)
    if padding not in ("SAME", "SAME_LOWER"):
        raise RlxError("RLX109", f"padding {padding!r}", fix="'SAME', 'SAME_LOWER', 'VALID' or a pair for each axis")
    pads = []
    for size, window, stride in zip(in_shape, window_shape, window_strides, strict=True):
        total = max((math.ceil(size / stride) - 1) * stride + window - size, 0)
        low, high = total // 2, total - total // 2
        pads.append((low, high) if padding == "SAME" else (high, low))
    return pads


def _dilate_sizes(sizes: Sequence[int], dilation: Sequence[int]) -> list[int]:
    return [0 if size == 0 else (size - 1) * by + 1 for size, by in zip(sizes, dilation, strict=True)]


@array_function
def conv_general_dilated(
    lhs: ArrayLike,
    rhs: ArrayLike,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Value:
    """A convolution with strides, padding, dilation of input and kernel, groups, and axes in any order."""
    x, w = promote_values(lhs, rhs)
    numbers = conv_dimension_numbers(x.shape, w.shape, dimension_numbers)  # type: ignore[arg-type]
    x = _permute_axes(x, numbers.lhs_spec)
    w = _permute_axes(w, numbers.rhs_spec)
    groups = feature_group_count
    if batch_group_count != 1:
        x, groups = _batch_groups(x, w, batch_group_count, groups), batch_group_count
    axes = x.rank - 2
    stride = tuple(window_strides)
    dilation = tuple(rhs_dilation) if rhs_dilation is not None else (1,) * axes
    spread = tuple(lhs_dilation) if lhs_dilation is not None else (1,) * axes
    sizes: Any = _dilate_sizes(x.shape[2:], spread)  # type: ignore[arg-type]
    if isinstance(padding, str):
        padding = padtype_to_pads(sizes, _dilate_sizes(w.shape[2:], dilation), stride, padding)  # type: ignore[arg-type]
    x, amounts = _pad_unequally(x, [tuple(pair) for pair in padding], spread)
    reach = _dilate_sizes(w.shape[2:], dilation)  # type: ignore[arg-type]
    short = [_missing_elements(size + 2 * more, least) for size, more, least in zip(x.shape[2:], amounts, reach, strict=True)]
    if any(short):  # no window fits: the result is empty
        x = as_value(pad(x, 0, ((0, 0, 0), (0, 0, 0), *((0, count, 0) for count in short))))
    out = emit("conv", x, w, stride=stride, padding=amounts, dilation=dilation, groups=groups)
    if any(short):
        out = out[(slice(None), slice(None), *(slice(0, 0) if count else slice(None) for count in short))]
    back = tuple(numbers.out_spec.index(axis) for axis in range(x.rank))
    out = _permute_axes(out, back)
    return out if preferred_element_type is None else as_dtype(out, named_dtype(preferred_element_type))


def _missing_elements(size: Size, least: int) -> int:
    """The number of elements an axis lacks for one window."""
    return max(least - size, 0) if isinstance(size, int) else 0


def _batch_groups(x: Value, w: Value, count: int, feature_groups: int) -> Value:
    """Converts groups of examples to groups of channels: each group of the kernel's outputs sees one of them."""
    examples, outputs = x.shape[0], w.shape[0]
    if feature_groups != 1 or exact_division(examples, count) is None or exact_division(outputs, count) is None:
        message = f"batch_group_count={count} of {x.type} and {w.type}, feature_group_count={feature_groups}"
        fix = "a count that divides the batch and the output channels, and feature_group_count=1"
        raise RlxError("RLX109", message, fix=fix)
    apart = x.reshape((count, examples // count, *x.shape[1:]))
    beside = emit("transpose", apart, perm=(1, 0, *range(2, apart.rank)))
    return beside.reshape((examples // count, count * x.shape[1], *x.shape[2:]))


def _permute_axes(x: Value, order: Sequence[int]) -> Value:
    return x if tuple(order) == tuple(range(x.rank)) else emit("transpose", x, perm=tuple(order))


def _pad_unequally(x: Value, padding: Sequence[Any], spread: Sequence[int]) -> tuple[Value, tuple[int, ...]]:
    """Pads before and after as the convolution cannot: the op takes equal padding, anything else is done here."""
    even = all(low == high and low >= 0 for low, high in padding) and all(by == 1 for by in spread)
    if even:
        return x, tuple(low for low, _ in padding)
    config = ((0, 0, 0), (0, 0, 0), *((low, high, by - 1) for (low, high), by in zip(padding, spread, strict=True)))
    return as_value(pad(x, 0, config)), (0,) * len(padding)


@array_function
def conv(lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: str, precision: Any = None) -> Array:
    """A convolution of NCHW with OIHW."""
    return conv_general_dilated(lhs, rhs, tuple(window_strides), padding)


@array_function
def conv_with_general_padding(
    lhs: ArrayLike,
    rhs: ArrayLike,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
) -> Array:
    """A convolution of NCHW with OIHW with any padding and dilation."""
    return conv_general_dilated(lhs, rhs, tuple(window_strides), padding, lhs_dilation, rhs_dilation)


@array_function
def conv_transpose(
    lhs: ArrayLike,
    rhs: ArrayLike,
    strides: Sequence[int],
    padding: Any,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    transpose_kernel: bool = False,
) -> Array:
    """A convolution with the input spread by the strides: what undoes the sizes of one with these strides."""
    x, w = promote_values(lhs, rhs)
    letters = {3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NHWDC", "HWDIO", "NHWDC")}
    chosen = letters[x.rank] if dimension_numbers is None else dimension_numbers
    numbers = conv_dimension_numbers(x.shape, w.shape, chosen)  # type: ignore[arg-type]
    axes = x.rank - 2
    dilation = tuple(rhs_dilation) if rhs_dilation is not None else (1,) * axes
    window: Any = _dilate_sizes([w.shape[dim] for dim in numbers.rhs_spec[2:]], dilation)  # type: ignore[misc]
    if isinstance(padding, str):
        padding = [_transpose_padding(size, stride, padding) for size, stride in zip(window, strides, strict=True)]
    if transpose_kernel:
        w = emit("flip", w, axes=tuple(numbers.rhs_spec[2:]))
        outer, inner = numbers.rhs_spec[:2]
        order = list(range(w.rank))
        order[outer], order[inner] = inner, outer
        w = emit("transpose", w, perm=tuple(order))
    return conv_general_dilated(x, w, (1,) * axes, padding, tuple(strides), dilation, numbers)


def _transpose_padding(window: int, stride: int, padding: str) -> tuple[int, int]:
    if padding == "SAME":
        total = window + stride - 2
        low = window - 1 if stride > window - 1 else math.ceil(total / 2)
    elif padding == "VALID":
        total = window + stride - 2 + max(window - stride, 0)
        low = window - 1
    else:
        raise RlxError("RLX109", f"padding {padding!r}", fix="'SAME', 'VALID' or a pair for each axis")
    return low, total - low


# -- reductions over axes and windows ----------------------------------------------------------------------------------------
def _kind_of(computation: Any, what: str) -> str:
    """The reduction (sum, max, min or prod) of a function of two numbers."""
    name = getattr(computation, "__name__", str(computation))
    kinds = {"add": "sum", "max": "max", "maximum": "max", "min": "min", "minimum": "min", "mul": "prod", "multiply": "prod"}
    if name in kinds:
        return kinds[name]
    raise RlxError("RLX109", f"{what} with {name}", fix="rlx.lax.add, max, min or mul")


def reduce(operands: ArrayLike, init_values: Any, computation: Callable[..., Any], dimensions: Sequence[int]) -> Array:
    """Elements along axes combined, together with a first number, by `rlx.lax.add`, `mul`, `max` or `min`. The dtype stays.

    >>> import numpy as np, rlx
    >>> reduce(np.int32([[1, 2], [3, 4]]), 10, rlx.lax.add, (0,))
    Array([14, 16], dtype=int32)
    """
    return _reduce(operands, init_values, _kind_of(computation, "reduce"), tuple(dimensions))


@array_function
def _reduce(x: ArrayLike, start: ArrayLike, kind: str, axes: tuple[int, ...]) -> Value:
    like = next(each for each in (x, start) if isinstance(each, Value))
    value = as_value(x, like)
    reduced = as_dtype(emit(f"reduce_{kind}", value, axes=axes, keep_dim=False), value.dtype)
    return emit(_COMBINES[kind], reduced, as_dtype(as_value(start, value), value.dtype))


def reduce_window(
    operand: ArrayLike,
    init_value: Any,
    computation: Callable[..., Any],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: Any = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> Array:
    """Windows of any axes combined: `reduce_window(x, 0.0, rlx.lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")`."""
    fixed = [None if each is None else tuple(each) for each in (window_strides, base_dilation, window_dilation)]
    chosen = padding if isinstance(padding, str) else tuple(map(tuple, padding))
    return _reduce_window(
        operand, init_value, _kind_of(computation, "reduce_window"), tuple(window_dimensions), fixed[0], chosen, fixed[1], fixed[2]
    )


@array_function
def _reduce_window(
    x: ArrayLike, start: ArrayLike, kind: str, window: Any, strides: Any, padding: Any, base_dilation: Any, window_dilation: Any
) -> Value:
    like = next(each for each in (x, start) if isinstance(each, Value))
    value = as_value(x, like)
    ones = (1,) * value.rank
    steps = ones if strides is None else strides
    apart = ones if window_dilation is None else window_dilation
    spread = ones if base_dilation is None else base_dilation
    if isinstance(padding, str):
        padding = padtype_to_pads(value.shape, _dilate_sizes(window, apart), steps, padding)  # type: ignore[arg-type]
    first = as_dtype(as_value(start, value), value.dtype)
    config = tuple((low, high, by - 1) for (low, high), by in zip(padding, spread, strict=True))
    reduced = value if all(each == (0, 0, 0) for each in config) else as_value(pad(value, first, config))
    op = _COMBINES[kind]
    for axis in reversed(range(value.rank)):  # the last first: of equal elements, the first in row-major order wins
        if window[axis] != 1 or steps[axis] != 1:
            reduced = _over_axis(reduced, op, axis, window[axis], steps[axis], apart[axis])
    return _choose_of_two(op, reduced, first)


def _over_axis(x: Value, op: str, axis: int, size: int, step: int, by: int) -> Value:
    """Reduces windows along one axis by combining shifted slices."""
    count = (x.shape[axis] - (size - 1) * by - 1) // step + 1
    empty = isinstance(count, int) and count <= 0
    reduced: Value | None = None
    for tap in range(size):
        start = tap * by
        along = slice(0, 0) if empty else slice(start, start + (count - 1) * step + 1, step)
        part = x[tuple(along if i == axis else slice(None) for i in range(x.rank))]
        reduced = part if reduced is None else _choose_of_two(op, reduced, part)
    assert reduced is not None
    return reduced


def _choose_of_two(op: str, x: Value, y: Value) -> Value:
    """Combines two elements of a window by max or min. Of equal ones x is chosen, and has the gradient; NaN stays."""
    if op not in ("max", "min"):
        return emit(op, x, y)
    wins = y > x if op == "max" else y < x
    return emit("where", wins | emit("is_nan", y) if y.dtype.is_float else wins, y, x)


@array_function
def max_pool(inputs: ArrayLike, window_shape: Sequence[int], strides: Sequence[int] | None = None, padding: Any = "VALID") -> Array:
    """The maximum of windows of `[batch, …, channels]`."""
    value = as_value(inputs)
    low = -math.inf if value.dtype.is_float else 0
    steps = (1,) * len(tuple(window_shape)) if strides is None else tuple(strides)
    return _reduce_window(value, low, "max", (1, *window_shape, 1), (1, *steps, 1), _around(padding), None, None)


@array_function
def avg_pool(
    inputs: ArrayLike,
    window_shape: Sequence[int],
    strides: Sequence[int] | None = None,
    padding: Any = "VALID",
    count_include_pad: bool = True,
) -> Array:
    """The mean of windows of `[batch, …, channels]`."""
    value = as_value(inputs)
    steps = (1,) * len(tuple(window_shape)) if strides is None else tuple(strides)
    settings = ((1, *window_shape, 1), (1, *steps, 1), _around(padding), None, None)
    total = _reduce_window(value, 0, "sum", *settings)
    if count_include_pad:
        return total / math.prod(window_shape)
    return total / _reduce_window(value * 0 + 1, 0, "sum", *settings)


def _around(padding: Any) -> Any:
    return padding if isinstance(padding, str) else ((0, 0), *map(tuple, padding), (0, 0))
