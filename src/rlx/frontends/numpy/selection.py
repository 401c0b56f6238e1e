"""Elements chosen by conditions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, boolean, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, axes_of, axis_of, emit, promote_values, size_of
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.numpy.elementwise import has_nan, isclose
from rlx.frontends.numpy.insertion import stack
from rlx.frontends.numpy.movement import broadcast_arrays, broadcast_sizes, broadcast_to
from rlx.frontends.numpy.ordering import nonzero, take
from rlx.frontends.numpy.sets import need_size
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "allclose", "argwhere", "array_equal", "array_equiv", "choose", "compress", "extract", "flatnonzero", "iscomplex",
    "iscomplexobj", "isreal", "isrealobj", "isscalar", "iterable", "ndim", "piecewise", "select", "shape", "size", "where",
]  # fmt: skip


# -- by conditions --------------------------------------------------------------------------------------------------
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> Array: ...
@overload
def where(condition: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]: ...
def where(
    condition: ArrayLike,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    /,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """Elements of x where the condition holds, of y elsewhere. With the condition alone: `nonzero`."""
    if x is not None and y is not None:
        return _select_elements(condition, x, y)
    if x is not None or y is not None:
        raise RlxError("RLX109", "where got one of x and y", fix="both, or neither")
    return nonzero(condition, size=size, fill_value=fill_value)


@array_function
def _select_elements(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> Value:
    values = [each for each in (condition, x, y) if isinstance(each, Value)]
    left, right = promote_values(x, y) if any(isinstance(each, Value) for each in (x, y)) else promote_values(x, y, values[0])[:2]
    return emit("where", as_dtype(as_value(condition, values[0]), boolean), left, right)


@array_function
def select(condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0) -> Value:
    """Elements of the first choice whose condition holds; the default where none does."""
    if len(condlist) != len(choicelist) or not condlist:
        raise RlxError("RLX109", f"select of {len(condlist)} conditions and {len(choicelist)} choices", fix="as many")
    like = next(each for each in (*condlist, *choicelist) if isinstance(each, Value))
    *choices, chosen = promote_values(*(as_value(each, like) for each in choicelist), default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        chosen = emit("where", as_dtype(as_value(condition, like), boolean), choice, chosen)
    return chosen


@array_function
def choose(a: ArrayLike, choices: Sequence[ArrayLike], mode: str = "raise") -> Value:
    """For each place the element of the choice that `a` numbers; outside they wrap around or are clamped."""
    like = next(each for each in (a, *choices) if isinstance(each, Value))
    index = as_value(a, like)
    if not index.dtype.is_integer and not index.dtype.is_bool:
        raise RlxError("RLX103", f"choose by {index.dtype}", fix="integers")
    if mode == "raise":
        fix = "mode='wrap' or mode='clip': whether an index is outside is known only in a run"
        raise RlxError("RLX109", "choose with mode='raise'", fix=fix)
    count = len(choices)
    numbers = promote_values(*(as_value(each, like) for each in choices))
    index, *values = map(as_value, broadcast_arrays(as_dtype(index, i32), *numbers))
    index = emit("mod", index, count) if mode == "wrap" else emit("clamp", index, 0, count - 1)
    chosen = values[-1]
    for number in reversed(range(count - 1)):
        chosen = emit("where", index == number, values[number], chosen)
    return chosen


def piecewise(x: ArrayLike, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """Functions of x, or numbers, where conditions hold: the last one that does; one more function is for the rest, else 0."""
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        message = f"piecewise of {len(conditions)} conditions and {len(funclist)} functions"
        raise RlxError("RLX109", message, fix="as many, or one more for the rest")
    value = x if isinstance(x, Value) else as_array(x)

    def at(function: Any) -> Any:
        piece = function(value, *args, **kw) if callable(function) else function
        return _as_dtype_of(piece, value)

    rest = at(funclist[-1]) if len(funclist) > len(conditions) else _as_dtype_of(0, value)
    pieces = [at(function) for function in funclist[: len(conditions)]]
    return select(conditions[::-1], pieces[::-1], rest)


@array_function
def _as_dtype_of(x: ArrayLike, like: ArrayLike) -> Array:
    """Converts x to the dtype and shape of another array."""
    other = as_value(like, x if isinstance(x, Value) else None)
    return broadcast_to(as_dtype(as_value(x, other), other.dtype), other.shape)


# -- positions of what is true --------------------------------------------------------------------------------------
def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The index of each element that is not zero, as rows."""
    if not isinstance(a, Value) and as_array(a).ndim == 0:
        return ConcreteArray(np.zeros((int(bool(as_array(a))), 0), np.int32))
    coordinates = nonzero(a, size=size, fill_value=fill_value)
    return stack(coordinates, axis=1)


def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The places of elements that are not zero in the flattened array."""
    value = a if isinstance(a, Value) else as_array(a)
    return nonzero(value.reshape(-1), size=size, fill_value=fill_value)[0]


def extract(condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: Any = 0) -> Array:
    """The elements of the flattened array where a condition holds."""
    return compress(_flat(condition), _flat(arr), size=size, fill_value=fill_value)


def _flat(x: ArrayLike) -> Any:

    return (x if isinstance(x, Value) else as_array(x)).reshape(-1)


def compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, *, size: int | None = None, fill_value: Any = 0) -> Array:
    """The parts of an axis, of the flattened array by default, where a condition of one axis holds."""
    if size is not None:
        return _compress(condition, a, axis=axis, size=size, fill_value=fill_value)
    if isinstance(condition, Value):
        raise need_size("compress")
    places = np.flatnonzero(np.asarray(as_array(condition)))
    return take(_flat(a) if axis is None else a, places.astype(np.int32), 0 if axis is None else axis)


@array_function
def _compress(condition: ArrayLike, a: ArrayLike, axis: int | None, size: int, fill_value: Any) -> Value:

    like = next(each for each in (condition, a) if isinstance(each, Value))
    mask, value = as_dtype(as_value(condition, like), boolean), as_value(a, like)
    value = value.reshape(size_of(value.shape)) if axis is None else value
    axis = 0 if axis is None else axis_of(axis, value.rank, "compress")
    count = emit("reduce_sum", mask.astype("i32"), axes=(0,), keep_dim=False)
    places = nonzero(mask, size=size)[0]
    there = emit("iota", shape=(size,), axis=0, dtype=i32, graph=value.graph) < count
    there = there.reshape(tuple(size if i == axis else 1 for i in range(value.rank)))
    elements = emit("gather", value, places, axis=axis)
    return emit("where", there, elements, as_dtype(promote_values(elements, fill_value)[1], elements.dtype))


# -- questions about arrays and their elements -----------------------------------------------------------------------


def _all(x: Value) -> Value:
    return emit("reduce_all", x, axes=tuple(range(x.rank)), keep_dim=False)


@array_function
def allclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Value:
    """Whether |a - b| <= atol + rtol |b| for all elements."""
    return _all(as_value(isclose(a, b, rtol, atol, equal_nan)))


def _same(x: Value, y: Value, equal_nan: bool) -> Value:
    equal: Value = emit("eq", x, y)
    if equal_nan and has_nan(x.dtype):
        equal = equal | (emit("is_nan", x) & emit("is_nan", y))
    return _all(equal)


@array_function
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Value:
    """Whether two arrays have one shape and equal elements."""
    x, y = promote_values(a1, a2)
    return _same(x, y, equal_nan) if x.shape == y.shape else constant(x.graph, np.False_)


@array_function
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Value:
    """Whether two arrays, broadcast together, have equal elements."""
    x, y = promote_values(a1, a2)
    try:
        broadcast_sizes(x.shape, y.shape)
    except RlxError:
        return constant(x.graph, np.False_)
    return _same(x, y, equal_nan=False)


@array_function
def iscomplex(x: ArrayLike) -> Value:
    """Whether each element has an imaginary part that is not zero."""
    value = as_value(x)
    return emit("imag", value) != 0 if value.dtype.is_complex else emit("eq", value, value) & False


@array_function
def isreal(x: ArrayLike) -> Value:
    """Whether each element has no imaginary part."""
    value = as_value(x)
    return emit("imag", value) == 0 if value.dtype.is_complex else (emit("eq", value, value) | True)


def iscomplexobj(x: Any) -> bool:
    """Whether an array or number is of a complex dtype."""
    return isinstance(x, complex) or DType.of(dtype_of(x)).is_complex


def isrealobj(x: Any) -> bool:
    """Whether an array or number is of a dtype that is not complex."""
    return not iscomplexobj(x)


def isscalar(element: Any) -> bool:
    """Whether this is a number, or an array without axes."""
    return np.isscalar(element) or (isinstance(element, (Value, ConcreteArray, np.ndarray)) and ndim(element) == 0)


def iterable(y: Any) -> bool:
    """Whether one can go through this, as through the rows of an array."""
    return bool(y.shape) if isinstance(y, Value) else np.iterable(y)


def shape(a: ArrayLike) -> tuple[Size, ...]:
    """The size of each axis."""
    return tuple(a.shape) if hasattr(a, "shape") else as_array(a).shape


def ndim(a: ArrayLike) -> int:
    """The number of axes."""
    return len(shape(a))


def size(a: ArrayLike, axis: Any = None) -> Size:
    """The number of elements, or of those along axes."""
    sizes = shape(a)
    return math.prod(sizes[along] for along in axes_of(axis, len(sizes), "size"))
