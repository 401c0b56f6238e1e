"""Special functions of each element. Those that are one op come from tables of names; the others are made of them."""

from __future__ import annotations

import math
from typing import Any

from rlx.core.dtype import boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayFunction, ArrayLike, array_function, as_value
from rlx.frontends.numpy.elementwise import named
from rlx.frontends.numpy.values import emit, floating, promoted
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "acos", "acosh", "arccos", "arccosh", "arcsin", "arcsinh", "arctanh", "asin", "asinh", "atanh", "bitwise_count", "cbrt",
    "copysign", "cosh", "frexp", "gcd", "hypot", "i0", "lcm", "ldexp", "logaddexp", "logaddexp2", "nextafter", "signbit", "sinc",
    "sinh", "spacing",
]  # fmt: skip


def _of_floats(name: str, doc: str) -> ArrayFunction[..., Array]:
    """A function of floats that is the op of the same name, looked up when it is called."""

    def body(x: ArrayLike, /) -> Value:
        return emit(name, floating(x))

    return named(body, name, doc)


def _of_two_floats(name: str, op: str, doc: str) -> ArrayFunction[..., Array]:
    def body(x1: ArrayLike, x2: ArrayLike, /) -> Value:
        return emit(op, *promoted(x1, x2, least=f32))

    return named(body, name, doc)


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
    x, y = promoted(x1, x2, least=f32)
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
    return _scaled(value, -exponent), exponent


@array_function
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """x1 · 2^x2 for integers x2."""
    like = next(each for each in (x1, x2) if isinstance(each, Value))
    exponent = as_value(x2, like)
    if not exponent.dtype.is_integer:
        raise RlxError("RLX103", f"ldexp with exponents of {exponent.dtype}", fix="integers")
    return _scaled(floating(as_value(x1, like)), exponent)


def _scaled(x: Value, exponent: Value) -> Value:
    """x · 2^e in three steps, none of which leaves the range of the dtype while the result is inside."""
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
    return promoted(x, number)[1]


# -- integers -------------------------------------------------------------------------------------------------------
def _integers(name: str, *xs: Any) -> list[Value]:
    values = promoted(*xs)
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
