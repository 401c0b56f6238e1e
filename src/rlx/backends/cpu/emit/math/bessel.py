"""The modified Bessel functions I₀ and I₁, scaled by e^−|x|. f32 is computed in f64."""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exponential import exp_negative
from rlx.backends.cpu.emit.math.polynomial import horner
from rlx.backends.cpu.emit.types import F64
from rlx.backends.cpu.emit.values import Value
from rlx.backends.special_coefficients import BESSEL_0, BESSEL_0_FAR, BESSEL_1, BESSEL_1_FAR

_FAR = 8.0


def _scaled(k: Function, x: Value, near: tuple[float, ...], far: tuple[float, ...], odd: bool) -> Value:
    """e^−|x| times a polynomial of x² up to 8, else a polynomial of 16/x − 1 over √x."""
    if x.type.bits == 32:
        return k.convert(_scaled(k, k.convert(x, F64), near, far, odd), x.type)
    size = k.abs(x)
    a = k.minimum_fast(_FAR, size)
    small = exp_negative(k, -a) * horner(k, a * a, near)
    large = horner(k, 16.0 / k.maximum_fast(_FAR, size) - 1.0, far) / k.sqrt(size)
    result = k.select(size > _FAR, large, small * a if odd else small)
    return k.copysign(result, x) if odd else result


def i0e(k: Function, x: Value) -> Value:
    """e^−|x|·I₀(x)."""
    return _scaled(k, x, BESSEL_0["f64"], BESSEL_0_FAR["f64"], odd=False)


def i1e(k: Function, x: Value) -> Value:
    """e^−|x|·I₁(x)."""
    return _scaled(k, x, BESSEL_1["f64"], BESSEL_1_FAR["f64"], odd=True)
