"""Questions about arrays and their elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value
from rlx.frontends.numpy.composed import isclose
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.numpy.elementwise import has_nan
from rlx.frontends.numpy.movement import broadcast_sizes
from rlx.frontends.numpy.values import axes_of, emit, promoted
from rlx.ir.emit import constant
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "iscomplex",
    "iscomplexobj",
    "isreal",
    "isrealobj",
    "isscalar",
    "iterable",
    "ndim",
    "shape",
    "size",
]


def _all(x: Value) -> Value:
    return emit("reduce_all", x, axes=tuple(range(x.rank)), keep_dim=False)


@array_function
def allclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Value:
    """Whether |a - b| <= atol + rtol |b| for all elements."""
    return _all(as_value(isclose(a, b, rtol, atol, equal_nan)))


def _same(x: Value, y: Value, equal_nan: bool) -> Value:
    found: Value = emit("eq", x, y)
    if equal_nan and has_nan(x.dtype):
        found = found | (emit("is_nan", x) & emit("is_nan", y))
    return _all(found)


@array_function
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Value:
    """Whether two arrays have one shape and equal elements."""
    x, y = promoted(a1, a2)
    return _same(x, y, equal_nan) if x.shape == y.shape else constant(x.graph, np.False_)


@array_function
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Value:
    """Whether two arrays, broadcast together, have equal elements."""
    x, y = promoted(a1, a2)
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
    return math.prod(sizes[place] for place in axes_of(axis, len(sizes), "size"))
