"""Numbers in two parts, of which the second is what rounding lost; safe where a compiler contracts a·b + c to one rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

_WORDS = {"float32": (jnp.uint32, 0xFFFFF000), "float64": (jnp.uint64, 0xFFFFFFFFF8000000)}
"""The integers of a float's size, and a mask that keeps half of its digits."""


def kind_of(x: Any) -> str:
    """ "f32" or "f64"."""
    return "f64" if x.dtype == jnp.float64 else "f32"


def _upper_half(x: Any) -> Any:
    word, mask = _WORDS[x.dtype.name]
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, word) & word(mask), x.dtype)


def exact_product(a: Any, b: Any) -> tuple[Any, Any]:
    """a·b rounded, and the rest.

    Products of halves are exact, so that a contracted sum is the same number; a·b as such is computed nowhere.
    """
    b = jnp.asarray(b, a.dtype)
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    high = a_high * b_high
    rest = a_high * b_low + (a_low * b_high + a_low * b_low)
    total = high + rest
    return total, (high - total) + rest


def constant_in_two_parts(number: float, low: float, dtype: Any) -> tuple[float, float]:
    """A number known to twice the digits of f64 as a sum of two of the dtype."""
    high = float(np.asarray(number, dtype))
    return high, (number - high) + low


def exp_of_two_parts(high: Any, low: Any) -> Any:
    """e^(high + low), for a low part that is a rounding error."""
    return jnp.exp(high) * (1 + low)


def horner(x: Any, coefficients: Sequence[float]) -> Any:
    """A polynomial, lowest power first."""
    result = jnp.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        result = result * x + np.asarray(coefficient, x.dtype)
    return result
