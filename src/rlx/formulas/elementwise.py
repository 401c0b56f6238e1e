"""Elementwise ops of floats, integers and bools, and the table of all formulas by the op's name.

A formula takes the op's operands in its order and its attributes by name. What depends on the op's dtype reads `m.dtype`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rlx.core.dtype import DType
from rlx.formulas import special
from rlx.formulas.algebra import FLOATS, Algebra, Formula, Number


# -- activations
def relu(m: Algebra, x: Number) -> Number:
    """max(x, 0), NaN for NaN."""
    if m.dtype.is_float:
        return m.maximum_fast(0.0, x)
    return m.maximum(x, 0) if m.dtype.category == "int" else x


def relu2(m: Algebra, x: Number) -> Number:
    """The square of relu."""
    positive = relu(m, x)
    return positive if m.dtype.is_bool else positive * positive


def hard_swish(m: Algebra, x: Number) -> Number:
    """x·min(max(x + 3, 0), 6)/6"""
    return (x * m.minimum_fast(6.0, m.maximum_fast(0.0, x + 3.0))) * (1 / 6)


def sigmoid(m: Algebra, x: Number) -> Number:
    """1/(1 + e^−x) by the exponential that does not overflow."""
    power = m.exp_negative(-m.abs(x))
    return m.select(x < 0.0, power, 1.0) / (1.0 + power)


def silu(m: Algebra, x: Number) -> Number:
    """x·sigmoid(x)"""
    return x * m.sigmoid(x)


def softplus(m: Algebra, x: Number) -> Number:
    """log(1 + e^x) = max(x, 0) + log1p(e^−|x|)"""
    return m.maximum_fast(x, 0.0) + m.log1p(m.exp_negative(-m.abs(x)))


def elu(m: Algebra, x: Number) -> Number:
    """x above 0, e^x − 1 below."""
    return m.select(x > 0.0, x, m.expm1(x))


def _in_two_parts(number: float, lost: float, kind: str) -> tuple[float, float]:
    """Splits a number known to twice the digits of f64 into a sum of two of a kind."""
    high = float(np.float32(number)) if kind == "f32" else number
    return high, (number - high) + lost


def gelu_approx(m: Algebra, x: Number) -> Number:
    """x·sigmoid(u), u = 2·√(2/π)·(x + 0.044715·x³): the error of u is the relative one of the result, so u has two parts."""
    rate, rate_low = _in_two_parts(1.5957691216057308, -9.96930880911092e-17, m.kind(x))
    cubic, cubic_low = _in_two_parts(0.07135481627260025, -4.1218577217431825e-18, m.kind(x))
    a = m.minimum(m.maximum(x, -1e5), 1e5)  # beyond, the result is x, 0 or NaN, whatever a low part says
    square, square_low = m.exact_product(a, a)
    scaled, scaled_low = m.exact_product(square, m.constant(cubic, x))
    factor = scaled + rate
    rounding = m.select(scaled > rate, (scaled - factor) + rate, (rate - factor) + scaled)
    factor_low = rounding + (scaled_low + square_low * cubic + square * cubic_low + rate_low)
    u, u_low = m.exact_product(a, factor)
    share = m.sigmoid(u)
    return x * (share + share * (1.0 - share) * (u_low + a * factor_low))


def rsqrt(m: Algebra, x: Number) -> Number:
    """1/√x: two correctly rounded steps."""
    return 1.0 / m.sqrt(x)


# -- sums and inverse functions made of others
def hypot(m: Algebra, x: Number, y: Number) -> Number:
    """√(x² + y²) that does not overflow on the way; infinite if one of them is."""
    a, b = m.abs(x), m.abs(y)
    large, small = m.maximum(a, b), m.minimum(a, b)
    ratio = m.select(large == 0.0, 0.0, small / large)
    infinite = (a == math.inf) | (b == math.inf)
    return m.select(infinite, math.inf, large * m.sqrt(m.fma(ratio, ratio, 1.0)))


def logaddexp(m: Algebra, x: Number, y: Number) -> Number:
    """log(e^x + e^y) = max + log1p(e^−|x − y|)"""
    gap = m.select(x == y, 0.0, -m.abs(x - y))
    return m.maximum(x, y) + m.log1p(m.exp_negative(gap))


def asin(m: Algebra, x: Number) -> Number:
    """The inverse sine; NaN beyond ±1."""
    return m.atan2(x, m.sqrt((1.0 - x) * (1.0 + x)))


def acos(m: Algebra, x: Number) -> Number:
    """The inverse cosine; NaN beyond ±1."""
    return m.atan2(m.sqrt((1.0 - x) * (1.0 + x)), x)


def _log_of_double(m: Algebra, size: Number, sum_less_one: Number) -> Number:
    """log(1 + `sum_less_one`), which for large sizes is log(2·size)."""
    far = size > 2.0 ** (FLOATS[m.kind(size)].fraction // 2 + 4)
    logarithm = m.log1p(m.select(far, size - 1.0, sum_less_one))
    return logarithm + m.select(far, m.constant(math.log(2), size), 0.0)


def asinh(m: Algebra, x: Number) -> Number:
    """The inverse hyperbolic sine: log(a + √(a² + 1)) of a = |x|, with the sign of x."""
    size = m.abs(x)
    square = size * size
    return m.copysign(_log_of_double(m, size, size + square / (1.0 + m.sqrt(1.0 + square))), x)


def acosh(m: Algebra, x: Number) -> Number:
    """The inverse hyperbolic cosine: log(x + √(x² − 1)); NaN below 1."""
    above = x - 1.0
    logarithm = _log_of_double(m, x, above + m.sqrt(above * (above + 2.0)))
    return m.select(x < 1.0, math.nan, logarithm)


def atanh(m: Algebra, x: Number) -> Number:
    """The inverse hyperbolic tangent: log((1 + a)/(1 − a))/2 of a = |x|, with the sign of x; NaN beyond ±1."""
    size = m.abs(x)
    return m.copysign(0.5 * m.log1p((size + size) / (1.0 - size)), x)


# -- signs, rounding, questions
def absolute(m: Algebra, x: Number) -> Number:
    """|x|; bools and unsigned integers are returned as they are."""
    return x if m.dtype.category in ("bool", "uint") else m.abs(x)


def sign(m: Algebra, x: Number) -> Number:
    """−1, 0 or 1; NaN for NaN."""
    one, zero = m.constant(1, x), m.constant(0, x)
    if m.dtype.category == "uint":
        return m.select(x == 0, zero, one)
    signed = m.select(x > 0, one, m.select(x < 0, -one, zero))
    return m.select(m.is_nan(x), x, signed) if m.dtype.is_float else signed


def _rounding(name: str) -> Formula:
    """A rounding primitive of floats that returns integers and bools as they are."""
    return lambda m, x: x if m.dtype.is_integer or m.dtype.is_bool else getattr(m, name)(x)


def _question(of_floats: Callable[[Algebra, Number], Number], of_integers: bool) -> Formula:
    """A predicate: computed for floats, the same constant for all integers and bools."""
    return lambda m, x: m.truth(of_integers, x) if m.dtype.is_integer or m.dtype.is_bool else of_floats(m, x)


# -- bits of floats
def float_exponent(m: Algebra, x: Number) -> Number:
    """The e with |x| = m·2^e, ½ ≤ m < 1, as an i32; 0 for 0, infinities and NaN."""
    form, size = FLOATS[m.kind(x)], m.abs(x)
    denormal = size < form.least_normal
    bits = m.bits(m.select(denormal, size * 2.0**54, size))
    exponent = m.logical_shift(bits, form.fraction) - m.select(denormal, m.constant(form.bias + 53, bits), form.bias - 1)
    usual = (size > 0.0) & (size < math.inf)
    return m.cast(m.select(usual, exponent, 0), form.integer, DType.of("i32"))


def next_after(m: Algebra, x: Number, y: Number, dtype: DType) -> Number:
    """The float of a dtype next to x towards y: one more or less in its bits, which are ordered as the magnitudes are."""
    own, goal = m.stored_bits(x, dtype), m.stored_bits(y, dtype)
    away = (x < y) ^ (x < 0.0)
    step = m.select(away, own + 1, own - 1)
    step = m.select(x == 0.0, (goal & -(1 << (dtype.bits - 1))) | 1, step)
    step = m.select(x == y, goal, step)
    return m.from_stored_bits(m.select(m.is_nan(x), own, m.select(m.is_nan(y), goal, step)), dtype)


# -- arithmetic
def _by_kind(number: Callable[[Number, Number], Number], boolean: Callable[[Number, Number], Number]) -> Formula:
    """A binary operator: one function for numbers and its logical counterpart for bools."""
    return lambda m, x, y: (boolean if m.dtype.is_bool else number)(x, y)


def maximum(m: Algebra, x: Number, y: Number) -> Number:
    return x | y if m.dtype.is_bool else m.maximum(x, y)


def minimum(m: Algebra, x: Number, y: Number) -> Number:
    return x & y if m.dtype.is_bool else m.minimum(x, y)


def clamp(m: Algebra, x: Number, low: Number, high: Number) -> Number:
    """min(max(x, low), high)"""
    return minimum(m, maximum(m, x, low), high)


# -- division
def _remainders(m: Algebra, x: Number, y: Number) -> tuple[Number, Number, Number]:
    """Remainders of floats: fmod(x, y), whether it is on the wrong side of 0, and the remainder with the sign of y."""
    rest = m.fmod(x, y)
    wrong = (rest != 0.0) & ((rest < 0.0) ^ (y < 0.0))
    adjusted = m.select(wrong, rest + y, rest)
    return rest, wrong, m.select(rest == 0.0, m.copysign(rest, y), adjusted)


def _divisor(m: Algebra, y: Number) -> Number:
    """An integer divisor, replaced by 1 where the machine's division would trap."""
    traps = y == 0
    if m.dtype.category == "int":
        traps = traps | (y == -1)
    return m.select(traps, 1, y)


def mod(m: Algebra, x: Number, y: Number) -> Number:
    """x − floor(x/y)·y with the sign of y; NaN for a divisor of 0, of integers 0 (np.mod)."""
    if m.dtype.is_float:
        return _remainders(m, x, y)[2]
    divisor = _divisor(m, y)
    return m.select(divisor == y, m.floor_modulo(x, divisor), 0)


def fmod(m: Algebra, x: Number, y: Number) -> Number:
    """x − trunc(x/y)·y with the sign of x, exact; NaN for a divisor of 0, of integers 0 (np.fmod)."""
    if m.dtype.is_float:
        return m.fmod(x, y)
    divisor = _divisor(m, y)
    return m.select(divisor == y, m.remainder(x, divisor), 0)


def floor_div(m: Algebra, x: Number, y: Number) -> Number:
    """floor(x/y) (np.floor_divide), of floats from the exact remainder, so never off by one; 0 for an integer divided by 0."""
    if not m.dtype.is_float:
        quotient = m.floor_divide(x, _divisor(m, y))
        if m.dtype.category == "int":
            quotient = m.select(y == -1, -x, quotient)
        return m.select(y == 0, 0, quotient)
    rest, wrong, _ = _remainders(m, x, y)
    quotient = (x - rest) / y
    quotient = m.select(wrong, quotient - 1.0, quotient)
    down = m.floor(quotient)
    down = m.select(quotient - down > 0.5, down + 1.0, down)
    integer = m.select(quotient == 0.0, m.copysign(m.constant(0.0, x), x / y), down)
    return m.select(y == 0.0, x / y, integer)


def power(m: Algebra, x: Number, y: Number) -> Number:
    """x to the y. Integers wrap; a negative power of an integer is 0 but for ±1."""
    if not m.dtype.is_integer:
        return m.pow(x, y)
    if m.dtype.category == "uint":
        return m.integer_pow(x, y)
    result = m.integer_pow(x, m.select(y < 0, 0, y))
    odd = (y & 1) != 0
    inverse = m.select(x == 1, 1, m.select(x == -1, m.select(odd, m.constant(-1, x), 1), 0))
    return m.select(y < 0, inverse, result)


# -- shifts
def shift_left(m: Algebra, x: Number, y: Number) -> Number:
    """x·2^y; 0 where y is at least the bits of x; a negative shift counts as too far."""
    inside = m.within(y, m.dtype.bits)
    return m.select(inside, x << m.select(inside, y, 0), 0)


def shift_right(m: Algebra, x: Number, y: Number) -> Number:
    """floor(x/2^y); 0 or, of negative numbers, −1 where y is at least the bits of x; a negative shift counts as too far."""
    inside = m.within(y, m.dtype.bits)
    shift = m.select(inside, y, 0)
    if m.dtype.category == "uint":
        return m.select(inside, m.logical_shift(x, shift), 0)
    return m.select(inside, x >> shift, x >> (m.dtype.bits - 1))


# -- comparisons
def _compare(name: str, boolean: Callable[[Number, Number], Number]) -> Formula:
    return lambda m, x, y: boolean(x, y) if m.dtype.is_bool else m.compare(name, x, y)


def _primitive(name: str) -> Formula:
    """A formula that is a primitive of each device's algebra."""
    return lambda m, *xs: getattr(m, name)(*xs)


FORMULAS: dict[str, Formula] = {
    # floats
    **{name: getattr(special, name) for name in ("gelu", "erfc", "erfinv", "ndtr", "log_ndtr", "ndtri")},
    **{name: getattr(special, name) for name in ("lgamma", "digamma", "polygamma", "i0e", "i1e")},
    **{f.__name__: f for f in (gelu_approx, silu, softplus, elu, hard_swish, rsqrt, hypot, logaddexp)},
    **{f.__name__: f for f in (asin, acos, asinh, acosh, atanh, float_exponent, next_after)},
    "sign_bit": lambda m, x: m.bits(x) < 0,
    "div": lambda m, x, y: x / y,
    **{
        name: _primitive(name)
        for name in (
            *("exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "cbrt", "sin", "cos", "tan", "atan", "atan2"),
            *("sinh", "cosh", "tanh", "sigmoid", "erf", "sqrt", "copysign"),
        )
    },
    # floats and integers
    **{f.__name__: f for f in (relu, relu2, sign, mod, fmod, floor_div, clamp)},
    "neg": lambda m, x: -x,
    "abs": absolute,
    "round": _rounding("round_even"),
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "trunc": _rounding("trunc"),
    "is_nan": _question(lambda m, x: m.is_nan(x), False),
    "is_inf": _question(lambda m, x: m.abs(x) == math.inf, False),
    "is_finite": _question(lambda m, x: m.abs(x) < math.inf, True),
    "add": _by_kind(lambda x, y: x + y, lambda x, y: x | y),
    "sub": lambda m, x, y: x - y,
    "mul": _by_kind(lambda x, y: x * y, lambda x, y: x & y),
    "max": maximum,
    "min": minimum,
    "pow": power,
    # bits
    **{name: _primitive(name) for name in ("gcd", "popcount", "count_leading_zeros")},
    "not": lambda m, x: ~x,
    "and": lambda m, x, y: x & y,
    "or": lambda m, x, y: x | y,
    "xor": lambda m, x, y: x ^ y,
    "shl": shift_left,
    "shr": shift_right,
    # comparisons
    "eq": _compare("eq", lambda x, y: ~(x ^ y)),
    "ne": _compare("ne", lambda x, y: x ^ y),
    "lt": _compare("lt", lambda x, y: ~x & y),
    "le": _compare("le", lambda x, y: ~x | y),
    "gt": _compare("gt", lambda x, y: x & ~y),
    "ge": _compare("ge", lambda x, y: x | ~y),
    # selection and casts
    "where": lambda m, condition, x, y: m.select(condition, x, y),
    "cast": lambda m, x, to: m.cast(x, m.dtype, to),
    "round_to_dtype": lambda m, x: m.cast(x, m.dtype.compute, m.dtype),
}
"""By the op's name. A device takes its own functions where it has better ones: its table says which, and why."""
