"""The normal distribution function and its inverse."""

from __future__ import annotations

from rlx.frontends.numpy.values import emit
from rlx.ir.value import Value

__all__ = ["normal_cdf", "normal_quantile"]


def normal_cdf(x: Value) -> Value:
    """The share of the normal distribution below x."""
    return emit("ndtr", x)


def normal_quantile(p: Value) -> Value:
    """The x with that share below it; p in (0, 1)."""
    return emit("ndtri", p)
