"""Functions of each element that are made of several others."""

from __future__ import annotations

import math
from typing import Any

from rlx.core.dtype import f32
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import finfo
from rlx.frontends.numpy.elementwise import has_nan, isfinite, of_numbers, parts, trunc, zero_like
from rlx.frontends.numpy.values import emit, floating, promoted, same_dtype
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = ["angle", "astype", "complex_of", "divmod", "fmax", "fmin", "heaviside", "isclose", "modf", "nan_to_num"]


@array_function
def angle(z: ArrayLike, /, deg: bool = False) -> Value:
    """The angle of complex numbers in the plane; of real ones 0 or pi."""
    value = floating(z)
    re, im = parts(value) if value.dtype.is_complex else (value, zero_like(value))
    found: Value = emit("atan2", im, re)
    return found * (180 / math.pi) if deg else found


@array_function
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """0 for negative, x2 for zero, 1 for positive elements of x1."""
    x, at_zero = promoted(x1, x2, least=f32)
    step = emit("where", x > 0, same_dtype([1.0, x], x.dtype)[0], same_dtype([0.0, x], x.dtype)[0])
    found: Value = emit("where", emit("is_nan", x), x, emit("where", x == 0, at_zero, step))
    return found


@array_function
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """(floor_divide, remainder)."""
    x, y = promoted(x1, x2)
    return of_numbers("floor_div")(x, y), of_numbers("mod")(x, y)


@array_function
def modf(x: ArrayLike, /) -> tuple[Array, Array]:
    """(fraction, whole part), both with the sign of x."""
    value = floating(x)
    whole = as_value(trunc(value))
    return emit("where", emit("abs", value) == math.inf, zero_like(value), value - whole), whole


@array_function
def fmax(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """The larger of two, the other one where one is NaN."""
    x, y = promoted(x1, x2)
    return _ignoring_nan(x > y, x, y)


@array_function
def fmin(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """The smaller of two, the other one where one is NaN."""
    x, y = promoted(x1, x2)
    return _ignoring_nan(x < y, x, y)


def _ignoring_nan(first: Value, x: Value, y: Value) -> Value:
    """x where `first` holds or y is NaN, else y: equal elements pass their gradient to y, as in JAX."""
    found: Value = emit("where", first | emit("is_nan", y) if has_nan(y.dtype) else first, x, y)
    return found


@array_function
def nan_to_num(
    x: ArrayLike, /, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Value:
    """NaN as `nan`, infinities as the largest numbers, or what is given for them."""
    value = as_value(x)
    if value.dtype.is_complex:
        return emit("complex", *(nan_to_num(part, copy, nan, posinf, neginf) for part in parts(value)))
    if not value.dtype.is_float:
        return value
    limits = finfo(value.dtype)
    high = limits.max if posinf is None else posinf
    low = limits.min if neginf is None else neginf
    found = emit("where", emit("is_nan", value), nan, value)
    found = emit("where", value == math.inf, high, found)
    return emit("where", value == -math.inf, low, found)


@array_function
def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Value:
    """Whether |a - b| <= atol + rtol |b|, element by element."""
    x, y = promoted(a, b, least=f32)
    near = emit("abs", x - y) <= atol + rtol * emit("abs", y)
    found = emit("where", isfinite(x) & isfinite(y), near, emit("eq", x, y))
    if equal_nan:
        found = found | (emit("is_nan", x) & emit("is_nan", y))
    return found


@array_function
def astype(x: ArrayLike, dtype: Any, /, *, copy: bool = True, device: str | None = None) -> Value:
    """A cast."""
    return as_dtype(as_value(x), named_dtype(dtype))


@array_function
def complex_of(re: ArrayLike, im: ArrayLike) -> Value:
    """Complex numbers from their parts."""
    return emit("complex", *promoted(re, im, least=f32))
