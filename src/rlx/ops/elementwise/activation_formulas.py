"""NumPy formulas of the activations that need care in double precision: what the other implementations are judged by.

In the tail of gelu the result is an exponential of about x²/2, so rounding the exponent alone costs x²/2 units in the last
place. The exponent is therefore computed in two parts, and its low part corrects the result to first order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_ROOT_HALF = (0.7071067811865476, -4.833646656726457e-17)  # 1/√2, and 2·√(2/π), each in two parts
_RATE = (1.5957691216057308, -9.96930880911092e-17)
_CUBIC = 0.044715
_LARGEST = 1e5  # beyond it the results are x, 0 and NaN, whatever the low part


def erf(x: Array) -> Array:
    """erf in double precision; f32 operands are rounded by the caller."""
    wide = np.asarray(x, np.float64)
    return np.vectorize(math.erf, otypes=[np.float64])(wide) if wide.size else wide


def sigmoid(x: Array) -> Array:
    """1/(1 + e^−x) in double precision, by the exponential that does not overflow."""
    wide = np.asarray(x, np.float64)
    power = np.exp(-np.abs(wide))
    return np.asarray(np.where(wide < 0, power, 1.0) / (1.0 + power))


def gelu(x: Array) -> Array:
    """x·erfc(z)/2 with z = −x/√2 in double precision: 1 + erf would cancel for negative x."""
    wide = np.asarray(x, np.float64)
    if not wide.size:
        return wide
    small = np.clip(wide, -_LARGEST, _LARGEST)
    z, lost = _product(small, -_ROOT_HALF[0])
    low = lost - small * _ROOT_HALF[1]
    slope = -2 / math.sqrt(math.pi) * np.exp(-z * z)  # of erfc at z
    return np.asarray(0.5 * wide * (np.vectorize(math.erfc, otypes=[np.float64])(z) + slope * low))


def gelu_approx(x: Array) -> Array:
    """(1 + tanh(u))/2 as sigmoid(2u), which does not cancel; 2u = rate·x·(1 + 0.044715·x²)."""
    wide = np.asarray(x, np.float64)
    small = np.clip(wide, -_LARGEST, _LARGEST)
    square, square_low = _product(small, small)
    cubic, cubic_low = _product(square, _CUBIC)
    factor = 1.0 + cubic
    factor_low = np.where(cubic > 1.0, (cubic - factor) + 1.0, (1.0 - factor) + cubic) + cubic_low + square_low * _CUBIC
    scaled, scaled_low = _product(small, _RATE[0])
    twice, lost = _product(scaled, factor)
    low = lost + scaled * factor_low + (scaled_low + small * _RATE[1]) * factor
    share = sigmoid(twice)
    return np.asarray(wide * (share + share * sigmoid(-twice) * low))


def _product(a: Array, b: Array | float) -> tuple[Array, Array]:
    """The rounded product and what the rounding lost (Dekker), for magnitudes below 2^500."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product + a_high * b_low) + a_low * b_high) + a_low * b_low


def _halves(x: Array | float) -> tuple[Any, Any]:
    """The upper and the lower half of the digits (Veltkamp)."""
    spread = x * (2.0**27 + 1.0)
    high = spread - (spread - x)
    return high, x - high


def log1p(x: Array) -> Array:
    """log(1 + x). NumPy's rounds |1 + z| of complex numbers before the logarithm and loses small ones; here it is log1p(|1 + z|² − 1)/2."""
    if not np.iscomplexobj(x):
        return np.asarray(np.log1p(x))
    shifted = np.empty(x.shape, x.dtype)
    shifted.real, shifted.imag = 1 + x.real, x.imag  # a sum of complex numbers would lose the sign of −0
    result = np.log(shifted)
    near = np.log1p(x.real * (2 + x.real) + x.imag * x.imag) / 2
    is_small = (np.abs(x.real) < 0.5) & (np.abs(x.imag) < 0.5)
    result.real = np.where(is_small, near, result.real)
    return result


def expm1(x: Array) -> Array:
    """exp(x) − 1. Of complex numbers that are not finite it is exp less 1, as the Array API has it; NumPy's is NaN where exp is not."""
    if not np.iscomplexobj(x):
        return np.asarray(np.expm1(x))
    result = np.where(np.isfinite(x), np.expm1(x), np.exp(x))
    result.real = np.where(np.isfinite(x), result.real + 0.0, result.real - 1.0)
    return result
