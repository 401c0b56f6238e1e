"""Exponentials, logarithms, circular and hyperbolic functions, and the activations made of them."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from rlx.backends.xla.site import Lowering, plain
from rlx.backends.xla.two_parts import constant_in_two_parts, exact_product

_LARGEST = 1e5  # beyond it gelu is x, 0 and NaN, whatever a low part says


def sigmoid(x: Any) -> Any:
    """By the exponential that does not overflow, small values to their last digits."""
    power = jnp.exp(-jnp.abs(x))
    return jnp.where(x < 0, power, 1) / (1 + power)


def _gelu(x: Any) -> Any:
    """x·Φ(x): the tail is accurate relative to its own size."""
    from rlx.backends.xla.lowerings.special import normal_tail

    tail = normal_tail(jnp.abs(x))
    return x * jnp.where(x < 0, tail, 1 - tail)


def _gelu_approx(x: Any) -> Any:
    """x·sigmoid(2u), whose exponent 2u = rate·x·(1 + 0.044715·x²) is in two parts: its error is the result's relative one."""
    rate, rate_low = constant_in_two_parts(1.5957691216057308, -9.96930880911092e-17, x.dtype)
    cubic, cubic_low = constant_in_two_parts(0.044715 * 1.5957691216057308, 0.0, x.dtype)
    small = jnp.clip(x, -_LARGEST, _LARGEST)
    square, square_low = exact_product(small, small)
    scaled, scaled_low = exact_product(square, cubic)
    factor = rate + scaled
    rounded = jnp.where(scaled > rate, (scaled - factor) + rate, (rate - factor) + scaled)
    factor_low = rounded + (scaled_low + square_low * cubic + square * cubic_low + rate_low)
    twice, lost = exact_product(small, factor)
    share = sigmoid(twice)
    return x * (share + share * sigmoid(-twice) * (lost + small * factor_low))


def log1p(x: Any) -> Any:
    """log(1 + x): XLA's own in f64 is a hundred units off near -0.4, where 1 + x may round.

    Of complex numbers near 0 the real part is log1p(|1 + z|² - 1)/2: |1 + z| would round before the logarithm.
    """
    if not jnp.issubdtype(x.dtype, jnp.complexfloating):
        near = jnp.log1p(x)
        return near if x.dtype != jnp.float64 else jnp.where(jnp.abs(x) < 0.3, near, jnp.log(1 + x))
    re, im = jnp.real(x), jnp.imag(x)
    whole = jnp.log(lax.complex(1 + re, im))
    near = log1p(re * (2 + re) + im * im) / 2
    small = (jnp.abs(re) < 0.5) & (jnp.abs(im) < 0.5)
    return lax.complex(jnp.where(small, near, jnp.real(whole)), jnp.imag(whole))


def _tanh(x: Any) -> Any:
    """XLA's of f32 is ±1 from 8 on, where 1 - 2·e^(-2x) still differs from it."""
    found = jnp.tanh(x)
    if x.dtype != jnp.float32:
        return found
    return jnp.where(jnp.abs(x) > 7, jnp.copysign(1 - 2 * jnp.exp(-2 * jnp.abs(x)), x), found)


def _atanh(x: Any) -> Any:
    if x.dtype != jnp.float64:
        return jnp.arctanh(x)
    size = jnp.abs(x)
    return jnp.copysign(0.5 * log1p(2 * size / (1 - size)), x)


def _cbrt(x: Any) -> Any:
    """XLA's root, and one step of Newton with the cube in two parts."""
    root = jnp.cbrt(x)
    square, lost = exact_product(root, root)
    cube, cube_lost = exact_product(square, root)
    step = ((cube - x) + cube_lost + lost * root) / (3 * square)
    return jnp.where(jnp.isfinite(x) & (x != 0) & jnp.isfinite(step), root - step, root)


LOWERINGS: dict[str, Lowering] = {
    "gelu": plain(_gelu),
    "gelu_approx": plain(_gelu_approx),
    "silu": plain(lambda x: x * sigmoid(x)),
    "sigmoid": plain(sigmoid),
    "softplus": plain(lambda x: jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))),
    "elu": plain(lambda x: jnp.where(x > 0, x, jnp.expm1(jnp.minimum(x, 0)))),
    "hard_swish": plain(lambda x: x * jnp.clip(x + 3, 0, 6) / 6),
    "tanh": plain(_tanh),
    "exp": plain(jnp.exp),
    "exp2": plain(jnp.exp2),
    "expm1": plain(jnp.expm1),
    "log": plain(jnp.log),
    "log1p": plain(log1p),
    "log2": plain(jnp.log2),
    "log10": plain(jnp.log10),
    "sqrt": plain(jnp.sqrt),
    "rsqrt": plain(lambda x: 1 / jnp.sqrt(x)),
    "cbrt": plain(_cbrt),
    "sin": plain(jnp.sin),
    "cos": plain(jnp.cos),
    "tan": plain(jnp.tan),
    "asin": plain(jnp.arcsin),
    "acos": plain(jnp.arccos),
    "atan": plain(jnp.arctan),
    "sinh": plain(jnp.sinh),
    "cosh": plain(jnp.cosh),
    "asinh": plain(jnp.arcsinh),
    "acosh": plain(jnp.arccosh),
    "atanh": plain(_atanh),
    "atan2": plain(jnp.arctan2),
    "hypot": plain(jnp.hypot),
    "logaddexp": plain(jnp.logaddexp),
}
