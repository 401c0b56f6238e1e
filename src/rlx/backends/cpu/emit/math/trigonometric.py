"""sin, cos, tan, atan and atan2.

    x = n·π/2 + r,  |r| ≤ π/4      then a polynomial in r, chosen and signed by n mod 4

Up to |x| = 2^20 the multiple of π/2 is subtracted in parts (f32: in f64 arithmetic). Beyond, x is multiplied by as
many digits of 2/π as matter, skipping those that only add complete turns (Payne and Hanek's method): correct for every
finite x, in a branch that is taken if some lane needs it.

atan and atan2 divide once: with a ≤ b the two magnitudes, atan(a/b) = t + t³·p(t²), where t = a/b, or t = (a − b)/(a + b) and π/4 more
when the ratio is above tan(π/8).
"""

from __future__ import annotations

import math
from functools import lru_cache

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exact import add_exactly, multiply_exactly
from rlx.backends.cpu.emit.values import F32, F64, I8, I32, I64, PTR, Value
from rlx.formulas.algebra import horner
from rlx.formulas.coefficients import ATAN, COS, SIN

_LIMIT = 2.0**20
_BIG = 1.5 * 2.0**52
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17)
# π/2 in parts of 33 digits, whose products with n are exact, and the rest.
_HALF_PI_PARTS = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
# π/4 in two parts; up to four times the first is exact.
_QUARTER_PI = {"f32": (0.785398006439209, 1.5695823932524066e-07), "f64": (0.7853981633974483, 3.061616997868383e-17)}
_DIGITS = 24  # of 2/π in one entry of the table
_TERMS = {"f32": 7, "f64": 9}  # entries that matter for one x


@lru_cache(maxsize=1)
def _two_over_pi() -> tuple[float, ...]:
    """2/π in pieces of 24 bits as integers, after one zero: enough for every exponent of f64."""
    count = 52
    bits = count * _DIGITS
    quotient = (2 << (2 * bits)) // _pi(bits)
    mask = (1 << _DIGITS) - 1
    return (0.0, *(float(quotient >> (bits - _DIGITS * (i + 1)) & mask) for i in range(count - 1)))


def _pi(bits: int) -> int:
    """π·2^bits by Machin's formula 16·atan(1/5) − 4·atan(1/239), with 64 guard bits."""

    def atan_of_inverse(n: int) -> int:
        term = total = (1 << (bits + 64)) // n
        divisor = 1
        while term:
            term //= -n * n
            divisor += 2
            total += term // divisor
        return total

    return (16 * atan_of_inverse(5) - 4 * atan_of_inverse(239)) >> 64


def _far_function(k: Function, single: bool) -> Function:
    """A function of the module that reduces one large f64: it writes (n mod 4 up to a multiple of 4, and r as high +
    low) to memory. `single`: the number came from an f32. Rare, so it is not inlined."""

    def emit(far: Function) -> None:
        x, results = far.parameters
        for index, part in enumerate(_far(far, x, single)):
            far.store(part, results, index)
        far.ret()

    return k.module.shared(f"reduce_angle_{'f32' if single else 'f64'}", [("x", F64), ("found", PTR)], emit)


def _far(k: Function, x: Value, single: bool) -> tuple[Value, Value, Value]:
    exponent = (k.bitcast(x, I64).ushr(52) & 0x7FF) - 1023
    skipped = k.maximum(exponent - 30, 0).udiv(_DIGITS)  # entries of the table
    scaled = x * k.bitcast((1023 - skipped * _DIGITS) << 52, F64)  # below 2^54
    pieces = [scaled]
    if not single:
        upper = k.bitcast(k.bitcast(scaled, I64) & -(1 << 27), F64)
        pieces = [upper, scaled - upper]
    table = k.module.constant_array(_two_over_pi(), F64)
    n = high = low = k.constant(0.0, F64)
    for position in range(_TERMS["f32" if single else "f64"]):
        digits = k.load(table, skipped + position, F64) * 2.0 ** (-_DIGITS * position)
        for piece in pieces:
            term = piece * digits  # exact
            if position < 4:
                term = term - k.round_even(term * 0.25) * 4.0
            high, lost = add_exactly(high, term)
            high, low = add_exactly(high, low + lost)
        if position == 3:
            n = k.round_even(high)
            high, low = add_exactly(high - n, low)
    product, lost = multiply_exactly(k, high, k.constant(_HALF_PI[0], F64))
    return n, product, lost + (high * _HALF_PI[1] + low * _HALF_PI[0])


def _far_lanes(k: Function, x: Value, large: Value, single: bool) -> list[Value]:
    """Calls `_far_function` for every lane that is large and returns its three results; the other lanes are undefined."""
    far, lanes = _far_function(k, single), max(x.type.lanes, 1)
    given, mask = k.alloca(F64, lanes), k.alloca(I8, lanes)
    parts, results = k.alloca(F64, 3), k.alloca(F64, 3 * lanes)
    k.store(x, given, 0)
    k.store(large, mask, 0)
    for lane in k.range(lanes):
        with k.when(k.load(mask, lane, I8) != 0):
            k.call(far, k.load(given, lane, F64), parts)
            for part in range(3):
                k.store(k.load(parts, part, F64), results, lane + part * lanes)
    return [k.load(results, part * lanes, x.type) for part in range(3)]


def _reduce(k: Function, x: Value) -> tuple[Value, Value, Value | None]:
    """Reduces an angle x: (n as an integer, r, the rounding error of r or None)."""
    wide = k.convert(x, F64)
    shifted = k.fma(wide, 2 / math.pi, _BIG)
    n = shifted - _BIG
    first, second, third = _HALF_PI_PARTS
    high = k.fma(n, -first, wide)
    if x.type.bits == 32:
        high = k.fma(n, -(second + third), high)
        low = None
    else:
        product = n * second
        nearer = high - product
        rest = ((high - nearer) - product) - n * third
        high = nearer + rest
        low = (nearer - high) + rest
    large = k.abs(x) > _LIMIT
    shifted_var, high_var = k.var(shifted), k.var(high)
    low_var = k.var(low) if low is not None else None
    with k.when(k.any_lane(large) if large.type.lanes else large):
        far_n, far_high, far_low = _far_lanes(k, wide, large, x.type.bits == 32)
        shifted_var.set(k.select(large, far_n + _BIG, shifted))
        if low_var is None:
            high_var.set(k.select(large, far_high + far_low, high))
        else:
            assert low is not None
            high_var.set(k.select(large, far_high, high))
            low_var.set(k.select(large, far_low, low))
    quadrant = k.bitcast(shifted_var.get(), I64.like(x.type))
    if low_var is None:
        return k.convert(quadrant, I32), k.convert(high_var.get(), F32), None
    return quadrant, high_var.get(), low_var.get()


def _sin_and_cos(k: Function, r: Value, low: Value | None) -> tuple[Value, Value]:
    """Sine and cosine of the reduced angle r + low."""
    z = r * r
    half = z * 0.5
    tail = (z * r) * horner(k, z, SIN[r.type.name])
    near_one = 1.0 - half
    rest = (z * z) * horner(k, z, COS[r.type.name])
    if low is not None:
        tail = k.fma(low, near_one, tail)
        rest = rest - r * low
    return r + tail, near_one + (((1.0 - near_one) - half) + rest)


def _finite(k: Function, x: Value, result: Value) -> Value:
    """Replaces the result by NaN where x is infinite."""
    return k.select(k.abs(x) < math.inf, result, math.nan)


def _sine(k: Function, x: Value, quarters: int) -> Value:
    """sin(x + quarters·π/2)."""
    n, r, low = _reduce(k, x)
    n = n + quarters
    sine, cosine = _sin_and_cos(k, r, low)
    chosen = k.select((n & 1) == 0, sine, cosine)
    return _finite(k, x, k.select((n & 2) == 0, chosen, -chosen))


def sin(k: Function, x: Value) -> Value:
    """The sine."""
    return k.select(x == 0.0, x, _sine(k, x, 0))  # keeps the sign of zero


def cos(k: Function, x: Value) -> Value:
    """The cosine."""
    return _sine(k, x, 1)


def tan(k: Function, x: Value) -> Value:
    """The tangent: sin/cos, or −cos/sin in odd quadrants."""
    n, r, low = _reduce(k, x)
    sine, cosine = _sin_and_cos(k, r, low)
    even = (n & 1) == 0
    result = k.select(even, sine, -cosine) / k.select(even, cosine, sine)
    return k.select(x == 0.0, x, _finite(k, x, result))


def _angle(k: Function, y: Value, x: Value, behind: Value | None = None) -> Value:
    """The angle of (x, y), both ≥ 0 and not both 0 or infinite; π minus it where `behind` holds."""
    kind = y.type
    steep = y > x
    small, large = k.select(steep, x, y), k.select(steep, y, x)
    near = small <= large * (math.sqrt(2) - 1)
    t = k.select(near, small, small - large) / k.select(near, large, small + large)
    z = t * t
    tail = (z * t) * horner(k, z, ATAN[kind.name])
    # The result is eighths·π/4 ± (t + tail); both reflections turn the sign.
    eighths = k.select(near, k.constant(0.0, kind), 1.0)
    eighths, turned = k.select(steep, 2.0 - eighths, eighths), steep
    if behind is not None:
        eighths, turned = k.select(behind, 4.0 - eighths, eighths), steep ^ behind
    high, low = _QUARTER_PI[kind.name]
    t, tail = k.select(turned, -t, t), k.select(turned, -tail, tail)
    return k.fma(eighths, high, t + k.fma(eighths, low, tail))


def atan(k: Function, x: Value) -> Value:
    """The inverse tangent."""
    return k.copysign(_angle(k, k.abs(x), k.constant(1.0, x.type)), x)


def atan2(k: Function, y: Value, x: Value) -> Value:
    """The angle of the point (x, y), with signed zeros and infinities as in C."""
    height, width = k.abs(y), k.abs(x)
    halved = k.select(k.maximum_fast(height, width) > 1.0, k.constant(0.5, x.type), 1.0)  # the sum must not overflow
    diagonal = (height == math.inf) & (width == math.inf)
    nothing = (height == 0.0) & (width == 0.0)
    height = k.select(diagonal, 1.0, height * halved)
    width = k.select(diagonal | nothing, 1.0, width * halved)
    behind = k.bitcast(x, x.type.integer) < 0
    return k.copysign(_angle(k, height, width, behind), y)
