"""Inverse functions of complex numbers on pairs of real ones (Kahan 1987): the sign of a zero says on which side of a cut a number is.

Beyond `_FAR` the logarithm of 2z is all there is to see, of infinities too.
"""

from __future__ import annotations

import math

from rlx.ir.emit import constant
from rlx.ir.op import OPS
from rlx.ir.value import Value, one
from rlx.passes.complex_formulas import Pair, like, log_modulus, sizes, sqrt

_FAR = {"f32": 2.0**15, "f64": 2.0**30}


def _turned(z: Pair) -> Pair:
    """i·z"""
    return -z[1], z[0]


def _turned_back(z: Pair) -> Pair:
    """−i·z"""
    return z[1], -z[0]


def _beside_one(z: Pair) -> tuple[Pair, Pair]:
    """√(1 − z) and √(1 + z)."""
    return sqrt((1.0 - z[0], -z[1])), sqrt((1.0 + z[0], z[1]))


def _is_far(z: Pair) -> Value:
    """So large that z² ± 1 is z², or not finite."""
    found: Value = ~(sizes(z)[0] < _FAR[z[0].dtype.name])
    return found


def _log_of_double(z: Pair) -> Value:
    """log |2z|"""
    return log_modulus(z) + math.log(2)


def asin(z: Pair) -> Pair:
    """The cuts are the real axis beyond ±1."""
    (a, b), (c, d) = _beside_one(z)
    far = _is_far(z)
    near_re, near_im = OPS["atan2"](z[0], a * c - b * d), OPS["asinh"](a * d - b * c)
    re = one("where", far, OPS["atan2"](z[0], OPS["abs"](z[1])), near_re)
    return one("where", z[0] == 0.0, z[0], re), one("where", far, like(_log_of_double(z), z[1]), near_im)


def acos(z: Pair) -> Pair:
    """The cuts are those of asin."""
    (a, b), (c, d) = _beside_one(z)
    far = _is_far(z)
    near_re, near_im = OPS["atan2"](a, c) * 2.0, OPS["asinh"](c * b - d * a)
    re = one("where", far, OPS["atan2"](OPS["abs"](z[1]), z[0]), near_re)
    re = one("where", z[0] == 0.0, math.pi / 2, re)
    return re, one("where", far, -like(_log_of_double(z), z[1]), near_im)


def asinh(z: Pair) -> Pair:
    """asinh z = −i·asin(i·z)"""
    return _turned_back(asin(_turned(z)))


def acosh(z: Pair) -> Pair:
    """acosh z = ±i·acos z, with a real part that is not negative; the cut is the real axis below 1."""
    re, im = acos(z)
    return OPS["abs"](im), like(re, z[1])


def atanh(z: Pair) -> Pair:
    """log(1 + 4x/((1 − x)² + y²))/4 and half the angle of 1 − z² turned; the cuts are the real axis beyond ±1."""
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
    return _turned_back(atanh(_turned(z)))
