"""exp, log, and functions based on them: powers and roots, hyperbolic functions and their inverses, sigmoid, tanh, erf.

    x = n·log 2 + r,  |r| ≤ log(2)/2        e^x = 2^n · (1 + r + r²·p(r))
    x = 2^e · m,  m in [1/√2, √2)           log x = e·log 2 + log m
    x = 8^q · m,  m in [1/(2√2), 2√2)       ∛x = 2^q · ∛m, from a cubic polynomial by steps of Halley and one of Newton

n comes from adding a number so large that the fraction is dropped; the low bits of the sum then hold n plus a bias. Tails of erf come
from Φ(−a) = e^(−a²/2) · m(a) with a rational m whose coefficients are all positive, so no digits cancel.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exact import add_exactly, cancel, exponent_bias, fraction_bits, multiply_exactly
from rlx.backends.cpu.emit.values import F64, Type, Value
from rlx.formulas.algebra import FLOATS, by_squares, horner
from rlx.formulas.coefficients import ATANH, ATANH_REST, ERF, EXP, LOG, SINH
from rlx.formulas.special import mills

# log 2 in two parts; the first has few enough digits that its product with any n is exact.
_LOG_2 = {"f32": (0.693145751953125, 1.4286068203094173e-06), "f64": (0.6931471805598903, 5.497923018708371e-14)}
# At the first both factors of e^x are 0; above the second it is infinite.
_RANGE = {"f32": (-176.1, 89.0), "f64": (-1418.2, 710.0)}
# The same of 2^x, and for e^x/2 the upper one.
_RANGE_OF_TWO = {"f32": (-254.0, 129.0), "f64": (-2046.0, 1025.0)}
_HALF_LIMIT = {"f32": 90.0, "f64": 711.0}
# Below the first e^x rounds to 0; 2^n times this power of two is in range from there to 1.
_NEGATIVE = {"f32": (-105.0, 64), "f64": (-746.0, 512)}
# With e^−x smaller by this power of two it is finite as long as 1/(1 + e^−x) is not 0.
_LOGISTIC_SHIFT = {"f32": 24, "f64": 53}
# Below the first sigmoid is 0 (2^n is still finite there), above the second 1 (2^n is 0).
_LOGISTIC_RANGE = {"f32": (-104.87, 71.7), "f64": (-746.03, 672.1)}
# tanh is ±1 above it.
_TANH_LIMIT = {"f32": 10.0, "f64": 20.0}
_ROOT_HALF_BITS = {"f32": 0x3F3504F3, "f64": 0x3FE6A09E667F3BCD}
# log10(2) in two parts, as log 2.
_LOG10_2 = {"f32": (0.301025390625, 4.605038981195214e-06), "f64": (0.30102999566383914, 1.42050232272661e-13)}
_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
_FIRST = (0.48202832, 0.72899253, -0.24491054, 0.03698379)  # within 0.6 % of the root
# erf is ±1 above it.
_ERF_LIMIT = {"f32": 4.0, "f64": 6.0}
_ERF_POLYNOMIAL = 0.9
# gelu_tanh: below the first it is 0, above the second x; 2·sqrt(2/π)/log 2 and 0.044715 times it in two parts, the first
# of them with so few digits that its difference from the sum is exact
_TANH_RANGE = {"f32": (-10.715, 9.262), "f64": (-21.5256, 20.769)}
_LINEAR = {"f32": (2.3017578125, 0.0004503856471274048), "f64": (2.3022081981434894, 8.354631319883755e-13)}
_CUBIC = {"f32": (0.10294324159622192, -2.016198541454628e-09), "f64": (0.10294323958002348, 2.843912529053798e-18)}


def _reduce(k: Function, x: Value, bias: int, tail: Value | None = None) -> tuple[Value, Value]:
    """(n + bias in the low bits of an integer, r) with x + tail = n·log 2 + r."""
    big = 1.5 * 2.0 ** fraction_bits(x.type) + bias
    shifted = k.fma(x, 1 / math.log(2), big)
    n = shifted - big
    high, low = _LOG_2[x.type.name]
    r = k.fma(n, -high, x)
    return k.bitcast(shifted, x.type.integer), k.fma(n, -low, r if tail is None else r + tail)


def _expm1_reduced(k: Function, r: Value, scale: float = 1.0) -> Value:
    """e^(scale·r) − 1 for the reduced r."""
    coefficients = [c * scale ** (power + 2) for power, c in enumerate(EXP[r.type.name])]
    square = r * r
    return k.fma(square, by_squares(k, r, square, coefficients), r if scale == 1.0 else r * scale)


def _power_of_two(k: Function, bits: Value, kind: Type) -> Value:
    """2^n where the low bits hold n + the bias; the least n gives 0."""
    return k.bitcast(bits << fraction_bits(kind), kind)


def exp(k: Function, x: Value, tail: Value | None = None) -> Value:
    """e^x, or e^(x + tail) if x alone is not precise enough; also correct for denormal results: the factor 2^n is applied
    in two halves, since n may exceed the range of one."""
    low, high = _RANGE[x.type.name]
    x = k.minimum_fast(high, k.maximum_fast(low, x))  # this order of operands keeps NaN
    bits, r = _reduce(k, x, 2 * exponent_bias(x.type), tail)
    half = bits.ushr(1)
    factor = _power_of_two(k, half, x.type)
    return k.fma(_expm1_reduced(k, r), factor, factor) * _power_of_two(k, bits - half, x.type)


def exp2(k: Function, x: Value) -> Value:
    """2^x, exact for integers."""
    low, high = _RANGE_OF_TWO[x.type.name]
    x = k.minimum_fast(high, k.maximum_fast(low, x))
    big = 1.5 * 2.0 ** fraction_bits(x.type) + 2 * exponent_bias(x.type)
    shifted = x + big
    r = x - (shifted - big)
    return _two_factors(k, _expm1_reduced(k, r, math.log(2)), k.bitcast(shifted, x.type.integer))


def _two_factors(k: Function, power: Value, bits: Value) -> Value:
    """(1 + power)·2^n where the bits hold n + twice the bias: 2^n in two halves, since n may exceed the range of one."""
    half = bits.ushr(1)
    factor = _power_of_two(k, half, power.type)
    return k.fma(power, factor, factor) * _power_of_two(k, bits - half, power.type)


def _half_exp(k: Function, x: Value) -> Value:
    """e^x/2 for x ≥ 0, finite as long as it fits."""
    bits, r = _reduce(k, k.minimum_fast(_HALF_LIMIT[x.type.name], x), 2 * exponent_bias(x.type) - 1)
    return _two_factors(k, _expm1_reduced(k, r), bits)


def sinh(k: Function, x: Value) -> Value:
    """x + x³·p(x²) up to 1, else (e^|x| − e^−|x|)/2 with the sign of x."""
    size, square = k.abs(x), x * x
    half = _half_exp(k, size)
    near = k.fma(x * square, horner(k, square, SINH[x.type.name]), x)
    return k.select(size < 1.0, near, k.copysign(half - 0.25 / half, x))


def cosh(k: Function, x: Value) -> Value:
    """(e^|x| + e^−|x|)/2."""
    half = _half_exp(k, k.abs(x))
    return half + 0.25 / half


def exp_negative(k: Function, x: Value) -> Value:
    """e^x for x ≤ 0 or NaN, also correct for denormal results: n is shifted into the range of one factor."""
    low, shift = _NEGATIVE[x.type.name]
    bits, r = _reduce(k, k.maximum_fast(low, x), exponent_bias(x.type) + shift)
    factor = _power_of_two(k, bits, x.type)
    return k.fma(_expm1_reduced(k, r), factor, factor) * 2.0**-shift


def exp_between(k: Function, x: Value) -> Value:
    """e^x for x between -88 (f64: -709), where it is exactly 0, and 88 (709). Anything outside is undefined."""
    bits, r = _reduce(k, x, exponent_bias(x.type))
    factor = _power_of_two(k, bits, x.type)
    return k.fma(_expm1_reduced(k, r), factor, factor)


def exp_of_square(k: Function, a: Value, square: Value) -> Value:
    """e^(−a²/2) without the error of rounding a² to `square`; a is limited so that the exponent is at least -88 (-709), at
    which the result is exactly 0."""
    big = 1.5 * 2.0 ** fraction_bits(a.type) + exponent_bias(a.type)
    shifted = k.fma(square, -0.5 / math.log(2), big)
    n = shifted - big
    high, low = _LOG_2[a.type.name]
    r = k.fma(n, 2 * low, cancel(k, a, a, n * (2 * high)))
    coefficients = [c * (-0.5) ** power for power, c in enumerate((1.0, 1.0, *EXP[a.type.name]))]
    return horner(k, r, coefficients) * _power_of_two(k, k.bitcast(shifted, a.type.integer), a.type)


def expm1(k: Function, x: Value) -> Value:
    """e^x − 1, accurate near 0."""
    _, high = _RANGE[x.type.name]
    bias, width = exponent_bias(x.type), fraction_bits(x.type)
    given = x
    x = k.minimum_fast(high, k.maximum_fast(-50.0, x))
    bits, r = _reduce(k, x, bias)
    n = (bits & (2 * bias + 1)) - bias
    most = k.minimum(n, bias)  # 2^n as 2^most · 2^over, so that the factors are finite
    over = n - most
    factor = k.bitcast((most + bias) << width, x.type)
    one = k.bitcast((-over + bias) << width, x.type)
    result = k.fma(_expm1_reduced(k, r), factor, factor - one) * k.bitcast((over + bias) << width, x.type)
    return k.copysign(result, given)


def sigmoid(k: Function, x: Value) -> Value:
    """1/(1 + e^−x)."""
    low, high = _LOGISTIC_RANGE[x.type.name]
    bias = exponent_bias(x.type) - _LOGISTIC_SHIFT[x.type.name]
    bits, r = _reduce(k, -k.minimum_fast(high, k.maximum_fast(low, x)), bias)
    return _one_over_one_plus(k, _expm1_reduced(k, r), bits)


def _one_over_one_plus(k: Function, power: Value, bits: Value) -> Value:
    """1/(1 + (1 + power)·2^n) where the bits hold n + the bias − `_LOGISTIC_SHIFT`: both sides of the fraction are scaled,
    so that no denormal result is lost to an infinite 2^n."""
    scale = 2.0 ** -_LOGISTIC_SHIFT[power.type.name]
    factor = _power_of_two(k, bits, power.type)
    return scale / k.fma(power, factor, factor + scale)


def tanh(k: Function, x: Value) -> Value:
    """m/(m + 2) with m = e^2|x| − 1, and the sign of x."""
    doubled = k.minimum_fast(2 * _TANH_LIMIT[x.type.name], k.abs(x) * 2.0)
    bits, r = _reduce(k, doubled, exponent_bias(x.type))
    factor = _power_of_two(k, bits, x.type)
    m = k.fma(_expm1_reduced(k, r), factor, factor - 1.0)
    return k.copysign(m / (m + 2.0), x)


def _split(k: Function, x: Value) -> tuple[Value, Value]:
    """(e as an integer, m) of a positive normal number."""
    root_half, width = _ROOT_HALF_BITS[x.type.name], fraction_bits(x.type)
    above = k.bitcast(x, x.type.integer) - root_half
    return above >> width, k.bitcast((above & ((1 << width) - 1)) + root_half, x.type)


def _split_any(k: Function, x: Value) -> tuple[Value, Value]:
    """(e as a float, m) of a positive number that may be denormal."""
    denormal = x < FLOATS[x.type.name].least_normal
    e, m = _split(k, k.select(denormal, x * 2.0**54, x))
    return _float_of(k, e, x) - k.select(denormal, k.constant(54.0, x.type), 0.0), m


def _float_of(k: Function, e: Value, like: Value) -> Value:
    """An exponent as a float: by adding 1.5·2^52 for f64, which AVX2 cannot convert."""
    if like.type.bits == 32:
        return k.convert(e, like.type)
    big = 1.5 * 2.0**52
    return k.bitcast(e + 0x4338000000000000, like.type) - big


def _log_sum(k: Function, e: Value, f: Value) -> Value:
    """e·log 2 + log(1 + f) for the reduced f."""
    high, low = _LOG_2[f.type.name]
    half_square = f * f * 0.5
    if f.type.bits == 32:
        rest = k.fma(f * f * f, horner(k, f, LOG["f32"]), e * low)
        return k.fma(e, high, f + (rest - half_square))
    s = f / (f + 2.0)
    z = s * s
    rest = k.fma(s, k.fma(z, horner(k, z, ATANH["f64"]), half_square), e * low)
    return k.fma(e, high, f + (rest - half_square))


def _log_edges(k: Function, x: Value, result: Value, zero: float = 0.0) -> Value:
    """Handles the special cases of logarithms: −∞ at `zero`, NaN below it, infinity and NaN passed through."""
    outside = k.select(x == zero, k.constant(-math.inf, x.type), math.nan)
    return k.select(x == math.inf, x, k.select(x > zero, result, outside))


def log(k: Function, x: Value) -> Value:
    """The natural logarithm."""
    e, m = _split_any(k, x)
    return _log_edges(k, x, _log_sum(k, e, m - 1.0))


def log2(k: Function, x: Value) -> Value:
    """The logarithm to base 2, exact for powers of 2."""
    e, m = _split_any(k, x)
    part = _log_sum(k, k.constant(0.0, x.type), m - 1.0)
    return _log_edges(k, x, k.fma(part, 1 / math.log(2), e))


def log10(k: Function, x: Value) -> Value:
    """The logarithm to base 10."""
    e, m = _split_any(k, x)
    part = _log_sum(k, k.constant(0.0, x.type), m - 1.0)
    high, low = _LOG10_2[x.type.name]
    return _log_edges(k, x, k.fma(e, high, k.fma(part, 1 / math.log(10), e * low)))


def log1p(k: Function, x: Value) -> Value:
    """log(1 + x), accurate near 0: the rounding error of 1 + x is added back to the reduced number."""
    total, lost = add_exactly(k.constant(1.0, x.type), x)
    e, m = _split(k, total)
    inverse = k.bitcast(k.maximum(-e + exponent_bias(x.type), 0) << fraction_bits(x.type), x.type)
    f = k.fma(lost, inverse, m - 1.0)
    return _log_edges(k, x, k.copysign(_log_sum(k, _float_of(k, e, x), f), x), -1.0)


def _log_twofold(k: Function, x: Value) -> tuple[Value, Value]:
    """log x of a positive f64 as an unevaluated sum of two, good to 2^-65 relative."""
    e, m = _split_any(k, x)
    f = m - 1.0
    below = m + 1.0
    below_lost = m - (below - 1.0)
    s = f / below
    product, lost = multiply_exactly(k, s, below)
    s_low = (((f - product) - lost) - s * below_lost) / below
    z, z_lost = multiply_exactly(k, s, s)
    z_low = k.fma(s * 2.0, s_low, z_lost)
    factor, factor_low = add_exactly(k.constant(_TWO_THIRDS[0], x.type), z * horner(k, z, ATANH_REST["f64"]))
    factor_low = factor_low + _TWO_THIRDS[1]
    cube, cube_low = multiply_exactly(k, s, z)
    cube_low = cube_low + (s * z_low + s_low * z)
    third, third_low = multiply_exactly(k, cube, factor)
    third_low = third_low + (cube * factor_low + cube_low * factor)
    high, low = _LOG_2["f64"]
    total, error_one = add_exactly(e * high, s * 2.0)
    total, error_two = add_exactly(total, third)
    rest = ((error_one + error_two) + (s_low * 2.0 + third_low)) + e * low
    result = total + rest
    return result, rest - (result - total)


def pow_(k: Function, x: Value, y: Value) -> Value:
    """x to the y as in C and NumPy. f32 is computed in f64, so within 0.51 ulp; f64 by a twofold logarithm."""
    kind = x.type
    wide_x, wide_y = k.convert(x, F64), k.convert(y, F64)
    magnitude = _pow_positive(k, k.abs(wide_x), wide_y, kind.bits == 32)
    result = k.convert(magnitude, kind)
    whole, half = k.floor(y) == y, y * 0.5
    odd = whole & (k.floor(half) != half)
    negative = k.bitcast(x, kind.integer) < 0
    result = k.select(negative & odd, -result, result)
    result = k.select((x < 0.0) & (x > -math.inf) & ~whole, math.nan, result)
    one = (y == 0.0) | (x == 1.0) | ((x == -1.0) & (k.abs(y) == math.inf))
    return k.select(one, k.constant(1.0, kind), result)


def _pow_positive(k: Function, x: Value, y: Value, single: bool) -> Value:
    """x to the y for f64 x ≥ 0; `single`: precise enough for an f32 result."""
    if single:
        return exp(k, log(k, x) * y)
    high, low = _log_twofold(k, x)
    edge = _log_edges(k, x, high)
    product, lost = multiply_exactly(k, edge, y)
    tail = k.fma(low, y, lost)
    return exp(k, product, k.select(k.abs(tail) < 1e-10, tail, 0.0))  # larger ones are beyond overflow


def cbrt(k: Function, x: Value) -> Value:
    """The cube root, with the sign of x."""
    kind, bias = x.type, exponent_bias(x.type)
    size = k.abs(x)
    e, m = _split_any(k, size)
    q = k.round_even(e * (1 / 3))
    m = m * _power_of_float(k, e - q * 3.0, bias)
    y = horner(k, m, _FIRST)
    for _ in range(1 if kind.bits == 32 else 2):
        cube = y * y * y
        y = y * ((cube + m * 2.0) / (cube * 2.0 + m))
    square, lost = multiply_exactly(k, y, y)
    y = y - (cancel(k, square, y, -m) + lost * y) / (square * 3.0)
    root = k.copysign(y * _power_of_float(k, q, bias), x)
    return k.select((size > 0.0) & (size < math.inf), root, x)


def _power_of_float(k: Function, exponent: Value, bias: int) -> Value:
    """2^n for a small integer n that is a float: the low bits of a sum with a large number hold it."""
    width = fraction_bits(exponent.type)
    shifted = exponent + (1.5 * 2.0**width + bias)
    return k.bitcast(k.bitcast(shifted, exponent.type.integer) << width, exponent.type)


def erf(k: Function, x: Value) -> Value:
    """The error function: x + x·p(x²) near 0, else 1 − 2Φ(−√2·|x|)."""
    a = k.minimum_fast(_ERF_LIMIT[x.type.name], k.abs(x))
    square = a * a
    top, bottom = mills(k, x.type.name, a, square, math.sqrt(2), 2.0)
    far = 1.0 - (top / bottom) * exp_between(k, -square)
    near = k.fma(x, horner(k, square, ERF[x.type.name]), x)
    return k.select(k.abs(x) < _ERF_POLYNOMIAL, near, k.copysign(far, x))


def gelu_tanh(k: Function, x: Value) -> Value:
    """x·(1 + tanh(u))/2 = x/(1 + 2^−t) with t = x·(linear + cubic·x²).

    The factor is carried in two parts, as the error of t is the relative error of the result where that is small."""
    kind = x.type.name
    (linear, linear_low), (cubic, cubic_low) = _LINEAR[kind], _CUBIC[kind]
    lowest, highest = _TANH_RANGE[kind]
    a = k.minimum_fast(highest, k.maximum_fast(lowest, x))
    square, square_low = multiply_exactly(k, a, a)
    factor = k.fma(square, cubic, linear)
    factor_low = k.fma(square_low, cubic, k.fma(square, cubic_low, linear_low))
    factor_low = factor_low + cancel(k, square, k.constant(cubic, x.type), linear - factor)  # its rounding error
    big = 1.5 * 2.0 ** fraction_bits(x.type) + (exponent_bias(x.type) - _LOGISTIC_SHIFT[kind])
    shifted = k.fma(-a, factor, big)
    r = k.fma(a, factor_low, cancel(k, a, factor, shifted - big))
    return x * _one_over_one_plus(k, _expm1_reduced(k, r, -math.log(2)), k.bitcast(shifted, x.type.integer))
