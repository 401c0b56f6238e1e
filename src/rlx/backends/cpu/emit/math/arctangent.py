"""atan and atan2, by one division.

With a ≤ b the two magnitudes: atan(a/b) = t + t³·p(t²), where t = a/b, or t = (a − b)/(a + b) and π/4 more when the
ratio is above tan(π/8).
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.polynomial import horner
from rlx.backends.cpu.emit.values import Value
from rlx.backends.elementary_coefficients import ATAN

# π/4 in two parts; up to four times the first is exact.
_QUARTER_PI = {"f32": (0.785398006439209, 1.5695823932524066e-07), "f64": (0.7853981633974483, 3.061616997868383e-17)}


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
