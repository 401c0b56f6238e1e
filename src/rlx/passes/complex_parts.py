"""Complex arithmetic in terms of real arithmetic, for backends whose vectors hold real numbers.

The formulas on pairs of real numbers keep the accuracy of the reference: moduli without overflow, logarithms near 1 and quotients
(Smith 1962) without cancellation. Each rule takes the operands of an op and builds its result of `real`, `imag`
and `complex` and of the op's real counterparts, so a chain of complex ops becomes one region of real ones (canonicalize removes
`real(complex(a, b))`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.emit import constant
from rlx.ir.op import OPS
from rlx.ir.value import Value, one
from rlx.ops.control.control import scan_values
from rlx.ops.elementwise.complex import part_type

Pair = tuple[Value, Value]

_INFINITE = math.inf
_LARGE = 20.0
"""The real part beyond which tanh is ±1 in all bits of f64."""
_LIMIT = {"f32": 88.0, "f64": 709.0}
"""By dtype, the number beyond which exp overflows or nearly does."""
_SCALES = {"f32": (2.0**120, 2.0**-90, 2.0**-4, 2.0**24), "f64": (2.0**1000, 2.0**-960, 2.0**-4, 2.0**50)}
"""Before a root a size above the first number is multiplied with the square of the third, one below the second with that of the last."""


# -- the four operations and the root
def mul(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def div(a: Pair, b: Pair) -> Pair:
    """Smith's quotient with NumPy's order of sums, so that an exact 0 has the same sign. A number over 0 divides each part by 0."""
    flat = OPS["abs"](b[0]) >= OPS["abs"](b[1])
    large, small = OPS["where"](flat, b[0], b[1]), OPS["where"](flat, b[1], b[0])
    first, second = OPS["where"](flat, a[0], a[1]), OPS["where"](flat, a[1], a[0])
    ratio, by_zero = small / large, (large == 0.0) & (small == 0.0)
    below = OPS["where"](by_zero, 0.0, large + small * ratio)
    turned = OPS["where"](flat, second - first * ratio, first * ratio - second)
    return OPS["where"](by_zero, a[0], first + second * ratio) / below, OPS["where"](by_zero, a[1], turned) / below


def sizes(z: Pair) -> tuple[Value, Value]:
    """The larger and the smaller of |re| and |im|."""
    re, im = OPS["abs"](z[0]), OPS["abs"](z[1])
    return OPS["max"](re, im), OPS["min"](re, im)


def _ratio(large: Value, small: Value) -> Value:
    """small/large, 0 for 0/0."""
    return one("where", large == 0.0, 0.0, small / large)


def is_infinite(z: Pair) -> Value:
    """Whether one part is infinite, whatever the other is."""
    return (OPS["abs"](z[0]) == _INFINITE) | (OPS["abs"](z[1]) == _INFINITE)


def is_finite(x: Value) -> Value:
    return OPS["abs"](x) < _INFINITE


def modulus(z: Pair) -> Value:
    large, small = sizes(z)
    ratio = _ratio(large, small)
    return one("where", is_infinite(z), _INFINITE, large * OPS["sqrt"](1.0 + ratio * ratio))


def like(size: Value, x: Value) -> Value:
    """|size| with the sign of x, including the sign of zero."""
    negative = OPS["where"](x == 0.0, 1.0 / x, x) < 0.0
    return one("where", negative, -size, size)


def sqrt(z: Pair) -> Pair:
    """Complex sqrt; on the cut (im = ±0) the sign of zero selects the root. Values near the range's ends are rescaled."""
    huge, tiny, down, up = _SCALES[z[0].dtype.name]
    large, _ = sizes(z)
    by = OPS["where"](large > huge, down * down, _one_or(large < tiny, up * up, large))
    back = OPS["where"](large > huge, 1.0 / down, _one_or(large < tiny, 1.0 / up, large))
    re, im = z[0] * by, z[1] * by
    half = OPS["sqrt"]((OPS["abs"](re) + modulus((re, im))) * 0.5)
    other = OPS["where"](half == 0.0, half, OPS["abs"](im) / (half + half)) * back
    right, half = re >= 0.0, half * back
    beyond = OPS["abs"](im) == _INFINITE
    return (
        OPS["where"](beyond, _INFINITE, OPS["where"](right, half, other)),
        OPS["where"](beyond, im, like(OPS["where"](right, other, half), im)),
    )


# -- exponentials and logarithms
def _one_or(chosen: Value, number: float, like: Value) -> Value:
    """Selects the number where the condition holds, else 1, in the dtype of `like`."""
    return one("where", chosen, constant(like.graph, number, like.dtype), 1.0)


def _power(x: Value) -> Pair:
    """exp(x) as a product of two numbers, so that a later factor can cancel an overflow."""
    limit = _LIMIT[x.dtype.name]
    far = x > limit
    return OPS["exp"](OPS["where"](far, x - limit, x)), _one_or(far, math.exp(limit), x)


def exp(z: Pair) -> Pair:
    size, more = _power(z[0])
    vanishes, grows = z[0] == -_INFINITE, z[0] == _INFINITE
    beyond = OPS["where"](vanishes, 0.0, OPS["where"](grows, z[0], z[0] * 0.0 + z[1] * 0.0))  # for an angle that is not finite
    re = OPS["where"](is_finite(z[1]), size * OPS["cos"](z[1]) * more, beyond)
    turned = OPS["where"](vanishes & ~is_finite(z[1]), 0.0, size * OPS["sin"](z[1]) * more)
    return OPS["where"](z[1] == 0.0, size * more, re), OPS["where"](z[1] == 0.0, z[1], turned)


def expm1(z: Pair) -> Pair:
    """exp(z) − 1 without cancellation; for non-finite z, and 0 (not −0) for ±0 + 0i, as the Array API specifies."""
    half = OPS["sin"](z[1] * 0.5)
    near = OPS["expm1"](z[0]) * OPS["cos"](z[1]) - 2.0 * half * half
    re, im = exp(z)
    finite = is_finite(z[0]) & is_finite(z[1])
    re = OPS["where"](finite, OPS["where"](near == 0.0, OPS["abs"](near), near), re - 1.0)
    return re, OPS["where"](finite, OPS["exp"](z[0]) * OPS["sin"](z[1]), im)


def log_modulus(z: Pair) -> Value:
    """log |z| without cancellation near 1, and without forming |z|, which may overflow."""
    large, small = sizes(z)
    near = OPS["log1p"]((large - 1.0) * (large + 1.0) + small * small) * 0.5
    ratio = _ratio(large, small)
    far = OPS["log"](large) + OPS["log1p"](ratio * ratio) * 0.5
    return one("where", is_infinite(z), _INFINITE, OPS["where"]((large > 0.5) & (large < 2.0), near, far))


def log(z: Pair) -> Pair:
    return log_modulus(z), OPS["atan2"](z[1], z[0])


def log1p(z: Pair) -> Pair:
    re, im = z
    near = OPS["log1p"](re * (2.0 + re) + im * im) * 0.5
    small = (OPS["abs"](re) < 0.5) & (OPS["abs"](im) < 0.5)
    far = log((1.0 + re, im))
    return OPS["where"](small, near, far[0]), far[1]


def pow_(a: Pair, b: Pair) -> Pair:
    """exp(b·log a) with NumPy's cases of zero: 0 to a power with positive real part is 0, to others NaN; anything to the power 0 is 1."""
    re, im = exp(mul(b, log(a)))
    of_zero, to_zero = (a[0] == 0.0) & (a[1] == 0.0), (b[0] == 0.0) & (b[1] == 0.0)
    power_of_zero = OPS["where"](b[0] > 0.0, 0.0, math.nan)
    re, im = OPS["where"](of_zero, power_of_zero, re), OPS["where"](of_zero, power_of_zero, im)
    return OPS["where"](to_zero, 1.0, re), OPS["where"](to_zero, 0.0, im)


# -- circular and hyperbolic functions
def _hyperbolic(x: Value) -> tuple[Value, Value, Value]:
    """(cosh, sinh, factor) of a real number: multiply both by the factor, which is not 1 where they would overflow."""
    limit = _LIMIT[x.dtype.name]
    size = OPS["abs"](x)
    far = size > limit
    less = OPS["expm1"](OPS["where"](far, size - limit, size))
    inverse = less / (less + 1.0)
    half = (less + 1.0) * 0.5
    sinh = OPS["where"](far, half, (less + inverse) * 0.5)
    cosh = OPS["where"](far, half, sinh + (1.0 - inverse))  # sinh + exp(−|x|)
    return cosh, OPS["where"](x == 0.0, x, OPS["where"](x < 0.0, -sinh, sinh)), _one_or(far, math.exp(limit), x)


def sin(z: Pair) -> Pair:
    """Complex sin from sin(re)·cosh(im) and cos(re)·sinh(im), where 0·∞ is 0 and ∞·NaN is ∞."""
    re, im = z
    cosh, sinh, more = _hyperbolic(im)
    exact = ((im == 0.0) | (OPS["abs"](im) == _INFINITE)) & ~is_finite(re)
    return (OPS["where"](re == 0.0, re, OPS["sin"](re) * cosh * more), OPS["where"](exact, im, OPS["cos"](re) * sinh * more))


def cos(z: Pair) -> Pair:
    """Complex cos from cos(re)·cosh(im) and −sin(re)·sinh(im), where 0·∞ is 0 and ∞·NaN is ∞."""
    re, im = z
    cosh, sinh, more = _hyperbolic(im)
    infinite = (OPS["abs"](im) == _INFINITE) & ~is_finite(re)
    turned = OPS["where"](im > 0.0, -re, re)
    natural = -(OPS["sin"](re) * sinh * more)
    zero = OPS["where"]((im == 0.0) & ~is_finite(re), im, OPS["where"]((re == 0.0) & (im != 0.0), turned, natural))
    return OPS["where"](infinite, _INFINITE, OPS["cos"](re) * cosh * more), zero


def tanh(z: Pair) -> Pair:
    """Complex tanh in Kahan's form: with t = tan(im), s = sinh(re), the divisor 1 + (1 + t²)·s² never cancels."""
    re, im = z
    near = OPS["clamp"](re, -_LARGE, _LARGE)
    cosh, sinh, _ = _hyperbolic(near)
    tangent = OPS["tan"](im)
    beta = 1.0 + tangent * tangent
    below = 1.0 + beta * sinh * sinh
    decay = OPS["exp"](OPS["abs"](re) * -2.0)
    far = OPS["abs"](re) >= _LARGE
    lost = OPS["where"](is_finite(re), im - im, 0.0)  # NaN for a finite real part with an infinite angle
    slow = OPS["where"](is_finite(im), 4.0 * OPS["sin"](im) * OPS["cos"](im) * decay, lost)
    slow = OPS["where"](is_finite(re), slow, like(zero(im), im))  # the sign of a zero is that of the angle
    return (
        OPS["where"](re == 0.0, re, OPS["where"](far, OPS["sign"](re) + lost, beta * cosh * sinh / below)),
        OPS["where"](im == 0.0, im, OPS["where"](far, slow, tangent / below)),
    )


def tan(z: Pair) -> Pair:
    """tan z = −i·tanh(i·z)."""
    re, im = tanh((-z[1], z[0]))
    return im, -re


def rsqrt(z: Pair) -> Pair:
    nothing = zero(z[0])
    return div((nothing + 1.0, nothing), sqrt(z))


def sinh(z: Pair) -> Pair:
    """sinh z = −i·sin(i·z)."""
    re, im = sin((-z[1], z[0]))
    return im, -re


def cosh(z: Pair) -> Pair:
    """cosh z = cos(i·z)."""
    return cos((-z[1], z[0]))


def exp2(z: Pair) -> Pair:
    """e^(z·log 2)"""
    return exp((z[0] * math.log(2), z[1] * math.log(2)))


def log2(z: Pair) -> Pair:
    """log z/log 2"""
    re, im = log(z)
    return re * (1 / math.log(2)), im * (1 / math.log(2))


def log10(z: Pair) -> Pair:
    """log z/log 10"""
    re, im = log(z)
    return re * (1 / math.log(10)), im * (1 / math.log(10))


def sign(z: Pair) -> Pair:
    """z/|z|, and 0 for 0; for an infinity, the direction of its infinite parts."""
    large, _ = sizes(z)
    infinite = is_infinite(z)
    apart = OPS["where"](infinite | (large == 0.0), 1.0, large)
    re, im = (OPS["where"](infinite, _sign_of_infinite(part), part / apart) for part in z)
    size = modulus((re, im))
    nothing = size == 0.0
    size = OPS["where"](nothing, 1.0, size)
    return OPS["where"](nothing, 0.0, re / size), OPS["where"](nothing, 0.0, im / size)


def _sign_of_infinite(x: Value) -> Value:
    """±1 for an infinity, NaN for NaN, else 0."""
    return one("where", is_finite(x), 0.0, OPS["sign"](x))


def zero(like: Value) -> Value:
    return constant(like.graph, 0.0, like.dtype)


# -- inverse functions of complex numbers on pairs of real ones (Kahan 1987): the sign of a zero says on which side of a cut a numbe
#
# Beyond `_FAR`, and for infinities, the inverse functions reduce to the logarithm of 2z.


_FAR = {"f32": 2.0**15, "f64": 2.0**30}


def _rotate(z: Pair) -> Pair:
    """i·z"""
    return -z[1], z[0]


def _turned_back(z: Pair) -> Pair:
    """−i·z"""
    return z[1], -z[0]


def _beside_one(z: Pair) -> tuple[Pair, Pair]:
    """√(1 − z) and √(1 + z)."""
    return sqrt((1.0 - z[0], -z[1])), sqrt((1.0 + z[0], z[1]))


def _is_far(z: Pair) -> Value:
    """Whether z is so large that z² ± 1 rounds to z², or not finite."""
    return ~(sizes(z)[0] < _FAR[z[0].dtype.name])


def _log_of_double(z: Pair) -> Value:
    """log |2z|"""
    return log_modulus(z) + math.log(2)


def asin(z: Pair) -> Pair:
    """Complex asin; the cuts are the real axis beyond ±1."""
    (a, b), (c, d) = _beside_one(z)
    far = _is_far(z)
    near_re, near_im = OPS["atan2"](z[0], a * c - b * d), OPS["asinh"](a * d - b * c)
    re = one("where", far, OPS["atan2"](z[0], OPS["abs"](z[1])), near_re)
    return one("where", z[0] == 0.0, z[0], re), one("where", far, like(_log_of_double(z), z[1]), near_im)


def acos(z: Pair) -> Pair:
    """Complex acos, with the same cuts as asin."""
    (a, b), (c, d) = _beside_one(z)
    far = _is_far(z)
    near_re, near_im = OPS["atan2"](a, c) * 2.0, OPS["asinh"](c * b - d * a)
    re = one("where", far, OPS["atan2"](OPS["abs"](z[1]), z[0]), near_re)
    re = one("where", z[0] == 0.0, math.pi / 2, re)
    return re, one("where", far, -like(_log_of_double(z), z[1]), near_im)


def asinh(z: Pair) -> Pair:
    """asinh z = −i·asin(i·z)"""
    return _turned_back(asin(_rotate(z)))


def acosh(z: Pair) -> Pair:
    """acosh z = ±i·acos z, with a real part that is not negative; the cut is the real axis below 1."""
    re, im = acos(z)
    return OPS["abs"](im), like(re, z[1])


def atanh(z: Pair) -> Pair:
    """log(1 + 4x/((1 − x)² + y²))/4 and half the angle of conj(1 − z²); the cuts are the real axis beyond ±1."""
    size, height = OPS["abs"](z[0]), OPS["abs"](z[1])
    far = _is_far(z)
    x, y = one("where", far, 0.5, size), one("where", far, 0.5, height)
    gap = 1.0 - x
    pole = (gap == 0.0) & (y < 1 / _FAR[y.dtype.name])
    near = OPS["log1p"](4.0 * x / (gap * gap + y * y)) * 0.25
    near = one("where", pole, OPS["log"](2.0 / y) * 0.5, near)
    angle = OPS["atan2"](y + y, gap * (1.0 + x) - y * y) * 0.5
    re = one("where", far, _real_part_of_inverse(size, height), near)
    lost = OPS["is_nan"](height) | (OPS["is_nan"](size) & (height < math.inf))
    quarter = constant(angle.graph, math.pi / 2, angle.dtype)
    im = one("where", far, one("where", lost, math.nan, quarter), angle)
    return one("where", z[0] == 0.0, z[0], like(re, z[0])), like(im, z[1])


def _real_part_of_inverse(size: Value, height: Value) -> Value:
    """x/(x² + y²), 0 for infinities."""
    large, small = sizes((size, height))
    ratio = small / large
    infinite = (size == math.inf) | (height == math.inf)
    return one("where", infinite, 0.0, size / large / large / (1.0 + ratio * ratio))


def atan(z: Pair) -> Pair:
    """atan z = −i·atanh(i·z)"""
    return _turned_back(atanh(_rotate(z)))


# -- complex arithmetic in terms of real arithmetic, for backends whose vectors hold real numbers --------------------


Rule = Callable[..., Value]


def _split_parts(x: Value) -> Pair:
    node = x.graph.node(x.ref.node)
    if node.op.is_constant:
        array = node.op["value"].array
        return constant(x.graph, np.real(array)), constant(x.graph, np.imag(array))
    return OPS["real"](x), OPS["imag"](x)


def _join_parts(parts: Pair) -> Value:
    return one("complex", *parts)


def _on_parts(formula: Callable[..., Pair]) -> Rule:
    """A rewrite rule from a formula on pairs of real numbers."""
    return lambda *operands, **attrs: _join_parts(formula(*(_split_parts(x) for x in operands), **attrs))


def _each_part(name: str) -> Rule:
    """Applies an op to the real and the imaginary part separately."""
    return _on_parts(
        lambda *pairs, **attrs: (OPS[name](*(p[0] for p in pairs), **attrs), OPS[name](*(p[1] for p in pairs), **attrs))
    )


# -- what is not elementwise on pairs
def _cast(x: Value, *, to: Any) -> Value:
    kind = DType.of(to)
    if not kind.is_complex:
        re, im = _split_parts(x)
        return (re != 0.0) | (im != 0.0) if kind.is_bool else OPS["cast"](re, to=kind)
    part = part_type(kind)
    if x.dtype.is_complex:
        re, im = _split_parts(x)
        return _join_parts((OPS["cast"](re, to=part), OPS["cast"](im, to=part)))
    re = OPS["cast"](x, to=part)
    return _join_parts((re, OPS["expand"](zero(re), shape=re.shape)))


def _where(condition: Value, a: Value, b: Value) -> Value:
    x, y = _split_parts(a), _split_parts(b)
    return _join_parts((OPS["where"](condition, x[0], y[0]), OPS["where"](condition, x[1], y[1])))


def _at_indices(name: str) -> Rule:
    """Applies an op that reads x at indices to both parts, with the same indices."""

    def rule(x: Value, indices: Value, **attrs: Any) -> Value:
        re, im = _split_parts(x)
        return _join_parts((OPS[name](re, indices, **attrs), OPS[name](im, indices, **attrs)))

    return rule


def _abs(z: Value) -> Value:
    return modulus(_split_parts(z))


def _equal(a: Value, b: Value) -> Value:
    x, y = _split_parts(a), _split_parts(b)
    return (x[0] == y[0]) & (x[1] == y[1])


def _unequal(a: Value, b: Value) -> Value:
    x, y = _split_parts(a), _split_parts(b)
    return (x[0] != y[0]) | (x[1] != y[1])


def _is_nan(z: Value) -> Value:
    re, im = _split_parts(z)
    return one("is_nan", re) | one("is_nan", im)


def _is_finite_number(z: Value) -> Value:
    re, im = _split_parts(z)
    return one("is_finite", re) & one("is_finite", im)


def _matmul(a: Value, b: Value) -> Value:
    x, y = _split_parts(a), _split_parts(b)
    return _join_parts((x[0] @ y[0] - x[1] @ y[1], x[0] @ y[1] + x[1] @ y[0]))


def _running_product(x: Value, axis: int, exclusive: bool, reverse: bool) -> tuple[Value, Value]:
    """Emits cumulative complex products along an axis as a scan over rows, since they do not split into real sums."""
    order = (axis, *(a for a in range(x.rank) if a != axis))
    rows = [part.transpose(*order) for part in _split_parts(x)]
    one = OPS["expand"](zero(rows[0]) + 1.0, shape=rows[0].shape[1:])

    def step(re: Value, im: Value, xr: Value, xi: Value) -> tuple[Value, ...]:
        after = mul((re, im), (xr, xi))
        return (*after, *((re, im) if exclusive else after))

    re, im, all_re, all_im = scan_values(step, (one, one * 0.0), rows, length=x.shape[axis], reverse=reverse)
    back = tuple(order.index(a) for a in range(x.rank))
    return _join_parts((re, im)), _join_parts((all_re, all_im)).transpose(*back)


def _cumprod(x: Value, *, axis: int, exclusive: bool, reverse: bool) -> Value:
    return _running_product(x, axis, exclusive, reverse)[1]


def _reduce_prod(x: Value, *, axes: Sequence[int], keep_dim: bool) -> Value:
    total, shape = x, list(x.shape)
    for axis in sorted(axes, reverse=True):
        total = _running_product(total, axis, False, False)[0]
        shape[axis] = 1
    return total.reshape(*shape) if keep_dim else total


_FORMULAS: dict[str, Callable[..., Pair]] = {
    "mul": mul,
    "div": div,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log2": log2,
    "log10": log10,
    "log1p": log1p,
    "pow": pow_,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "sign": sign,
}

COMPLEX_RULES: dict[str, Rule] = {
    **{name: _each_part(name) for name in ("neg", "add", "sub", "round", "reduce_sum", "reduce_mean", "cumsum")},
    **{name: _on_parts(formula) for name, formula in _FORMULAS.items()},
    "abs": _abs,
    "cast": _cast,
    "where": _where,
    "eq": _equal,
    "ne": _unequal,
    "is_nan": _is_nan,
    "is_inf": lambda z: is_infinite(_split_parts(z)),
    "is_finite": _is_finite_number,
    "matmul": _matmul,
    "cumprod": _cumprod,
    "reduce_prod": _reduce_prod,
    "gather": _at_indices("gather"),
    "take_along_axis": _at_indices("take_along_axis"),
}
"""By op name: (*operands, **attributes) → the result."""
