"""Functions of each element: those that are one op come from a table, the others are composed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.dtype import DType, boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayFunction,
    ArrayLike,
    array_function,
    as_value,
    axis_of,
    emit,
    floating,
    full_value,
    promote_values,
    same_dtype,
    size_of,
)
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import finfo
from rlx.frontends.numpy.movement import moveaxis
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = [
    "abs", "absolute", "acos", "acosh", "add", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "around", "asin", "asinh", "astype", "atan", "atan2", "atanh", "bitwise_and", "bitwise_count", "bitwise_invert",
    "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "clip", "complex_of",
    "conj", "conjugate", "copysign", "cos", "cosh", "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1",
    "fabs", "fix", "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "gcd", "greater", "greater_equal",
    "heaviside", "hypot", "i0", "imag", "invert", "isclose", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "lcm", "ldexp",
    "left_shift", "less", "less_equal", "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "logical_and", "logical_not",
    "logical_or", "logical_xor", "maximum", "minimum", "mod", "modf", "multiply", "nan_to_num", "negative", "nextafter",
    "not_equal", "packbits", "positive", "pow", "power", "rad2deg", "radians", "real", "reciprocal", "remainder", "right_shift",
    "rint", "round", "sign", "signbit", "sin", "sinc", "sinh", "spacing", "sqrt", "square", "subtract", "tan", "tanh",
    "true_divide", "trunc", "unpackbits",
]  # fmt: skip


def make_function(body: Callable[..., Array], name: str, doc: str) -> ArrayFunction[..., Array]:
    body.__name__ = body.__qualname__ = name
    body.__module__ = __name__
    body.__doc__ = doc
    return array_function(body)


def _of_one(name: str, op: str | None = None) -> ArrayFunction[..., Array]:
    """Makes a function of one array from one op."""

    def body(x: ArrayLike, /) -> Value:
        return emit(op or name, as_value(x))

    return make_function(body, name, f"`{name}` of each element.")


def _of_floats(name: str, doc: str = "") -> ArrayFunction[..., Array]:
    """Makes a function of floats from the op of the same name; integers become f32."""

    def body(x: ArrayLike, /) -> Value:
        return emit(name, floating(x))

    return make_function(body, name, doc or f"`{name}` of each element; integers and bools are taken as f32.")


def _of_two(name: str, op: str | Callable[[Value, Value], Value], least: DType | None = None) -> ArrayFunction[..., Array]:
    """Makes a function of two arrays, promoted and broadcast, from one op or a function of two Values."""

    def body(x1: ArrayLike, x2: ArrayLike, /) -> Value:
        pair = promote_values(x1, x2, least=least)
        return op(*pair) if callable(op) else emit(op, *pair)

    return make_function(body, name, f"`{name}` of two arrays, element by element; shapes are broadcast, dtypes promoted.")


exp, log, sqrt, tan, tanh = (_of_floats(name) for name in ("exp", "log", "sqrt", "tan", "tanh"))
sin, cos, log1p, expm1 = (_of_floats(name) for name in ("sin", "cos", "log1p", "expm1"))
exp2, log2, log10 = (_of_floats(name) for name in ("exp2", "log2", "log10"))
atan = arctan = _of_floats("atan")
abs = absolute = _of_one("abs")
floor, ceil, sign = _of_one("floor"), _of_one("ceil"), _of_one("sign")
bitwise_invert = bitwise_not = invert = _of_one("bitwise_invert", "not")
trunc = fix = _of_one("trunc")
isnan, isinf, isfinite = _of_one("isnan", "is_nan"), _of_one("isinf", "is_inf"), _of_one("isfinite", "is_finite")

add, subtract, multiply = _of_two("add", "add"), _of_two("subtract", "sub"), _of_two("multiply", "mul")
divide = true_divide = _of_two("divide", "div", f32)


def of_numbers(op: str) -> Callable[[Value, Value], Value]:
    """Emits one op of two Values; bools are taken as i32."""
    return lambda x, y: emit(op, x.astype(i32), y.astype(i32)) if x.dtype.is_bool else emit(op, x, y)


floor_divide = _of_two("floor_divide", of_numbers("floor_div"))
remainder = mod = _of_two("remainder", of_numbers("mod"))
fmod = _of_two("fmod", of_numbers("fmod"))


def extreme(op: str, x: Value, y: Value) -> Value:
    """Emits max or min of two. Complex numbers are ordered by real parts, then by imaginary ones; NaN if either is."""
    if not x.dtype.is_complex:
        return emit(op, x, y)
    beyond = "gt" if op == "max" else "lt"
    (a, b), (c, d) = parts(x), parts(y)
    first = emit(beyond, a, c) | (emit("eq", a, c) & emit(beyond, b, d))
    first = emit("is_nan", x) | (first & emit("not", emit("is_nan", y)))
    return emit("where", first, x, y)


maximum = _of_two("maximum", lambda x, y: extreme("max", x, y))
minimum = _of_two("minimum", lambda x, y: extreme("min", x, y))
atan2 = arctan2 = _of_two("atan2", "atan2", f32)
equal, not_equal = _of_two("equal", "eq"), _of_two("not_equal", "ne")
less, less_equal = _of_two("less", "lt"), _of_two("less_equal", "le")
greater, greater_equal = _of_two("greater", "gt"), _of_two("greater_equal", "ge")
bitwise_and, bitwise_or = _of_two("bitwise_and", "and"), _of_two("bitwise_or", "or")
bitwise_xor = _of_two("bitwise_xor", "xor")
bitwise_left_shift = left_shift = _of_two("bitwise_left_shift", "shl")
bitwise_right_shift = right_shift = _of_two("bitwise_right_shift", "shr")


def _of_values(function: Callable[[Value], Value], name: str, doc: str, floats: bool = True) -> ArrayFunction[..., Array]:
    """Makes a function of one array from several ops."""

    def body(x: ArrayLike, /) -> Value:
        return function(floating(x) if floats else as_value(x))

    return make_function(body, name, doc)


def zero_like(x: Value) -> Value:
    """Emits zeros like x: NaN, infinities and signs leave no trace."""
    return full_value(x, x.shape, False if x.dtype.is_bool else 0, x.dtype)


positive = _of_values(lambda x: x, "positive", "The array itself.", floats=False)
negative = _of_one("negative", "neg")
real = _of_values(lambda x: emit("real", x) if x.dtype.is_complex else x, "real", "The real part.", floats=False)
imag = _of_values(lambda x: emit("imag", x) if x.dtype.is_complex else zero_like(x), "imag", "The imaginary part.", floats=False)
square = _of_values(lambda x: x * x if not x.dtype.is_bool else x.astype(i32), "square", "Each element times itself.", floats=False)
reciprocal = _of_values(lambda x: 1 / x, "reciprocal", "One over each element.")
deg2rad = radians = _of_values(lambda x: x * (math.pi / 180), "deg2rad", "Degrees as radians.")
rad2deg = degrees = _of_values(lambda x: x * (180 / math.pi), "rad2deg", "Radians as degrees.")
conj = conjugate = _of_values(
    lambda x: emit("conjugate", x) if x.dtype.is_complex else x, "conj", "The complex conjugate.", floats=False
)
logical_not = _of_values(lambda x: emit("not", _truth(x)), "logical_not", "Whether an element is zero.", floats=False)
fabs = _of_values(lambda x: emit("abs", x), "fabs", "The absolute value, as a float.")


def has_nan(dtype: DType) -> bool:
    return dtype.is_float or dtype.is_complex


def _truth(x: Any) -> Value:
    return as_dtype(as_value(x), boolean)


def _all_false(x: Value) -> Value:
    return emit("ne", x, x)


def parts(x: Value) -> tuple[Value, Value]:
    return emit("real", x), emit("imag", x)


@array_function
def isposinf(x: ArrayLike, /) -> Value:
    """Whether an element is plus infinity."""
    value = as_value(x)
    return value == math.inf if value.dtype.is_float else _all_false(value)


@array_function
def isneginf(x: ArrayLike, /) -> Value:
    """Whether an element is minus infinity."""
    value = as_value(x)
    return value == -math.inf if value.dtype.is_float else _all_false(value)


def _logical(name: str, op: str) -> ArrayFunction[..., Array]:
    def body(x1: ArrayLike, x2: ArrayLike, /) -> Value:
        left, right = (x if isinstance(x, Value) else None for x in (x1, x2))
        like = left if left is not None else right
        return emit(op, as_dtype(as_value(x1, like), boolean), as_dtype(as_value(x2, like), boolean))

    return make_function(body, name, f"`{name}` of the truth of elements: zero is false.")


logical_and, logical_or = _logical("logical_and", "and"), _logical("logical_or", "or")
logical_xor = _logical("logical_xor", "xor")


@array_function
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """x1 to the power of x2. A small whole number as the exponent is a product."""
    if isinstance(x2, int) and not isinstance(x2, bool) and isinstance(x1, Value):
        return (x1.astype(i32) if x1.dtype.is_bool else x1) ** x2
    return of_numbers("pow")(*promote_values(x1, x2))


power = pow


@array_function
def float_power(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """x1 to the power of x2, as floats."""
    return emit("pow", *promote_values(x1, x2, least=f32))


@array_function
def round(x: ArrayLike, /, decimals: int = 0) -> Value:
    """To the nearest number with so many decimals, halves to even. Its gradient is 0."""
    value = as_value(x)
    if value.dtype.is_integer and decimals >= 0:
        return value
    if value.dtype.is_bool:
        return value.astype(f32 if decimals else boolean)
    if value.dtype.is_complex:
        re, im = parts(value)
        return emit("complex", _round_to(re, decimals), _round_to(im, decimals))
    return _round_to(value, decimals)


around = round


def _round_to(x: Value, decimals: int) -> Value:
    still = emit("stop_gradient", x)
    if decimals == 0:
        return emit("round", still)
    scale = 10.0 ** builtin_abs(decimals)
    return emit("round", still * scale) / scale if decimals > 0 else emit("round", still / scale) * scale


builtin_abs = int.__abs__


@array_function
def rint(x: ArrayLike, /) -> Array:
    """To the nearest whole number, halves to even, as a float."""
    return round(floating(x))


@array_function
def clip(x: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Value:
    """Elements below `min` become it, elements above `max` that; None is no limit."""
    clipped = as_value(x)
    for limit, op in ((min, "max"), (max, "min")):
        if limit is not None:
            clipped = emit(op, *promote_values(clipped, limit))
    return clipped


# -- functions of each element that are made of several others -------------------------------------------------------


@array_function
def angle(z: ArrayLike, /, deg: bool = False) -> Value:
    """The angle of complex numbers in the plane; of real ones 0 or pi."""
    value = floating(z)
    re, im = parts(value) if value.dtype.is_complex else (value, zero_like(value))
    phase: Value = emit("atan2", im, re)
    return phase * (180 / math.pi) if deg else phase


@array_function
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """0 for negative, x2 for zero, 1 for positive elements of x1."""
    x, at_zero = promote_values(x1, x2, least=f32)
    step = emit("where", x > 0, same_dtype([1.0, x], x.dtype)[0], same_dtype([0.0, x], x.dtype)[0])
    return emit("where", emit("is_nan", x), x, emit("where", x == 0, at_zero, step))


@array_function
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """(floor_divide, remainder)."""
    x, y = promote_values(x1, x2)
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
    x, y = promote_values(x1, x2)
    return _ignoring_nan(x > y, x, y)


@array_function
def fmin(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """The smaller of two, the other one where one is NaN."""
    x, y = promote_values(x1, x2)
    return _ignoring_nan(x < y, x, y)


def _ignoring_nan(first: Value, x: Value, y: Value) -> Value:
    """Selects x where `first` holds or y is NaN, else y: equal elements pass their gradient to y, as in JAX."""
    return emit("where", first | emit("is_nan", y) if has_nan(y.dtype) else first, x, y)


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
    finite = emit("where", emit("is_nan", value), nan, value)
    finite = emit("where", value == math.inf, high, finite)
    return emit("where", value == -math.inf, low, finite)


@array_function
def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Value:
    """Whether |a - b| <= atol + rtol |b|, element by element."""
    x, y = promote_values(a, b, least=f32)
    near = emit("abs", x - y) <= atol + rtol * emit("abs", y)
    close = emit("where", isfinite(x) & isfinite(y), near, emit("eq", x, y))
    if equal_nan:
        close = close | (emit("is_nan", x) & emit("is_nan", y))
    return close


@array_function
def astype(x: ArrayLike, dtype: Any, /, *, copy: bool = True, device: str | None = None) -> Value:
    """A cast."""
    return as_dtype(as_value(x), named_dtype(dtype))


@array_function
def complex_of(re: ArrayLike, im: ArrayLike) -> Value:
    """Complex numbers from their parts."""
    return emit("complex", *promote_values(re, im, least=f32))


# -- bits packed into bytes ------------------------------------------------------------------------------------------


def _shifts(like: Value, bitorder: str) -> Value:

    if bitorder not in ("big", "little"):
        raise RlxError("RLX109", f"bitorder={bitorder!r}", fix="'big' or 'little'")
    order = range(7, -1, -1) if bitorder == "big" else range(8)
    return constant(like.graph, np.array(list(order), np.int32))


def _bits_last(a: Any, axis: int | None, what: str) -> tuple[Value, int]:

    value = as_value(a)
    if axis is None:
        return value.reshape(size_of(value.shape)), 0
    axis = axis_of(axis, value.rank, what)
    return as_value(moveaxis(value, axis, -1)), axis


@array_function
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Eight elements, zero or not, as one byte along an axis; of the flattened array by default."""
    bits, axis = _bits_last(a, axis, "packbits")
    if bits.dtype.is_float or bits.dtype.is_complex:
        raise RlxError("RLX103", f"packbits of {bits.dtype}", fix="integers or bools")
    truth = (bits if bits.dtype.is_bool else bits != 0).astype(i32)
    size = bits.shape[-1]
    if not isinstance(size, int):
        raise RlxError("RLX202", "packbits of a symbolic axis", fix="a static size")
    truth = emit("pad", truth, low=(0,) * truth.rank, high=(0,) * (truth.rank - 1) + (-size % 8,))
    groups = truth.reshape((*truth.shape[:-1], -(-size // 8), 8))
    weighed = emit("shl", groups, emit("expand", _shifts(groups, bitorder), shape=groups.shape))
    packed_bytes = emit("reduce_sum", weighed, axes=(groups.rank - 1,), keep_dim=False).astype("u8")
    return moveaxis(packed_bytes, -1, axis)


@array_function
def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Array:
    """The bits of bytes along an axis, of the flattened array by default; the first `count`, or without the last if it is negative."""
    packed, axis = _bits_last(a, axis, "unpackbits")
    if packed.dtype.name != "u8":
        raise RlxError("RLX103", f"unpackbits of {packed.dtype}", fix="u8")
    shifts = _shifts(packed, bitorder)
    wide = packed.astype(i32).reshape((*packed.shape, 1))
    shape = (*packed.shape, 8)
    one_by_one = emit("shr", emit("expand", wide, shape=shape), emit("expand", shifts, shape=shape))
    bits = emit("and", one_by_one, constant(packed.graph, np.int32(1))).astype("u8")
    flat = bits.reshape((*packed.shape[:-1], packed.shape[-1] * 8))
    if count is not None:
        size = int(flat.shape[-1])
        kept = count if count >= 0 else size + count
        missing = max(kept - size, 0)
        flat = emit("pad", flat, low=(0,) * flat.rank, high=(0,) * (flat.rank - 1) + (missing,))[..., :kept]
    return moveaxis(flat, -1, axis)


# -- special functions of each element -------------------------------------------------------------------------------


def _of_two_floats(name: str, op: str, doc: str) -> ArrayFunction[..., Array]:
    def body(x1: ArrayLike, x2: ArrayLike, /) -> Value:
        return emit(op, *promote_values(x1, x2, least=f32))

    return make_function(body, name, doc)


sinh, cosh = _of_floats("sinh", "Hyperbolic sine."), _of_floats("cosh", "Hyperbolic cosine.")
asin = arcsin = _of_floats("asin", "The angle with this sine; NaN outside of [-1, 1].")
acos = arccos = _of_floats("acos", "The angle with this cosine; NaN outside of [-1, 1].")
asinh = arcsinh = _of_floats("asinh", "Inverse hyperbolic sine.")
acosh = arccosh = _of_floats("acosh", "Inverse hyperbolic cosine; NaN below 1.")
atanh = arctanh = _of_floats("atanh", "Inverse hyperbolic tangent; NaN outside of [-1, 1].")
cbrt = _of_floats("cbrt", "The cube root, of negative elements too.")
sinc = _of_floats("sinc", "sin(πx) / (πx), 1 at 0.")

hypot = _of_two_floats("hypot", "hypot", "√(x1² + x2²), without overflow between.")
logaddexp = _of_two_floats("logaddexp", "logaddexp", "log(exp(x1) + exp(x2)), without overflow.")
copysign = _of_two_floats("copysign", "copysign", "x1 with the sign of x2.")
nextafter = _of_two_floats("nextafter", "next_after", "The next number after x1 towards x2.")


@array_function
def logaddexp2(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """log2(2^x1 + 2^x2), without overflow."""
    x, y = promote_values(x1, x2, least=f32)
    return emit("logaddexp", x * math.log(2), y * math.log(2)) * (1 / math.log(2))


@array_function
def i0(x: ArrayLike, /) -> Value:
    """The modified Bessel function of the first kind and order 0."""
    value = floating(x)
    size = emit("where", value == 0, 0.0, emit("abs", value))  # its slope is 0 at 0: the function is even
    return emit("i0e", value) * emit("exp", size)


# -- signs, exponents and neighbours --------------------------------------------------------------------------------
@array_function
def signbit(x: ArrayLike, /) -> Value:
    """Whether the sign is minus; -0.0 and NaN have signs too."""
    value = as_value(x)
    if value.dtype.is_float:
        return emit("sign_bit", value)
    return emit("lt", value, 0) if value.dtype.is_integer else emit("ne", value, value)


@array_function
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """(m, e) with x = m · 2^e and ½ ≤ |m| < 1; (x, 0) for 0, infinities and NaN."""
    value = floating(x)
    exponent = emit("float_exponent", value)
    return _scale_by_power(value, -exponent), exponent


@array_function
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """x1 · 2^x2 for integers x2."""
    like = next(each for each in (x1, x2) if isinstance(each, Value))
    exponent = as_value(x2, like)
    if not exponent.dtype.is_integer:
        raise RlxError("RLX103", f"ldexp with exponents of {exponent.dtype}", fix="integers")
    return _scale_by_power(floating(as_value(x1, like)), exponent)


def _scale_by_power(x: Value, exponent: Value) -> Value:
    """Multiplies x by 2^e in three steps, none of which overflows while the result is in range."""
    limit = 4200 if x.dtype.size > 4 else 600  # beyond, every number is 0 or infinite
    rest = emit("clamp", as_dtype(exponent, i32), -limit, limit)
    for parts in (3, 2, 1):
        step = emit("floor_div", rest, parts)
        rest = rest - step
        x = x * emit("exp2", as_dtype(step, x.dtype))
    return x


@array_function
def spacing(x: ArrayLike, /) -> Value:
    """The distance to the next number away from zero, with the sign of x."""
    value = floating(x)
    size = emit("abs", value)
    return emit("copysign", emit("next_after", size, _like(size, math.inf)) - size, value)


def _like(x: Value, number: float) -> Value:
    return promote_values(x, number)[1]


# -- integers -------------------------------------------------------------------------------------------------------
def _integers(name: str, *xs: Any) -> list[Value]:
    values = promote_values(*xs)
    if not values[0].dtype.is_integer:
        raise RlxError("RLX103", f"{name} of {values[0].dtype}", fix="integers")
    return values


@array_function
def gcd(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """The greatest common divisor, not negative; gcd(0, 0) is 0."""
    return emit("gcd", *_integers("gcd", x1, x2))


@array_function
def lcm(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """The least common multiple, not negative; 0 where one of them is."""
    x, y = (emit("abs", each) for each in _integers("lcm", x1, x2))
    divisor = emit("gcd", x, y)
    return emit("floor_div", x, emit("where", divisor == 0, 1, divisor)) * y


@array_function
def bitwise_count(x: ArrayLike, /) -> Value:
    """How many bits of the absolute value are set, as u8."""
    value = as_value(x)
    if value.dtype is boolean:
        return value.astype("u8")
    return emit("popcount", emit("abs", value)).astype("u8")
