"""`jax.lax`'s names for special functions: those of `rlx.numpy`, and ops that have no name there."""

from __future__ import annotations

from rlx.frontends.dispatch import ArrayLike, array_function
from rlx.frontends.numpy.creation import full, full_like
from rlx.frontends.numpy.special import acos, acosh, asin, asinh, atanh, cbrt, cosh, nextafter, sinh
from rlx.frontends.numpy.special import bitwise_count as population_count
from rlx.frontends.numpy.values import emit, floating
from rlx.ir.value import Value

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atanh",
    "bessel_i0e",
    "bessel_i1e",
    "cbrt",
    "cosh",
    "digamma",
    "erf_inv",
    "erfc",
    "full",
    "full_like",
    "lgamma",
    "nextafter",
    "population_count",
    "sinh",
]


@array_function
def bessel_i0e(x: ArrayLike) -> Value:
    """The modified Bessel function of order 0, times e^-|x|."""
    return emit("i0e", floating(x))


@array_function
def bessel_i1e(x: ArrayLike) -> Value:
    """The modified Bessel function of order 1, times e^-|x|."""
    return emit("i1e", floating(x))


@array_function
def digamma(x: ArrayLike) -> Value:
    """The derivative of `lgamma`."""
    return emit("digamma", floating(x))


@array_function
def erf_inv(x: ArrayLike) -> Value:
    """What `erf` takes to x."""
    return emit("erfinv", floating(x))


@array_function
def erfc(x: ArrayLike) -> Value:
    """One minus `erf`, exact where that is near 1."""
    return emit("erfc", floating(x))


@array_function
def lgamma(x: ArrayLike) -> Value:
    """The logarithm of the absolute gamma function."""
    return emit("lgamma", floating(x))
