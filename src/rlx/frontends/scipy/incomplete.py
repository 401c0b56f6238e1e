"""The incomplete gamma and beta functions, in f64: series and continued fractions in loops that end when their terms no longer count.

Derivatives come from their integrands; those by the shapes from the loops themselves, run forward.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rlx.core.dtype import DType, f64
from rlx.frontends.numpy.values import emit, floating, promoted
from rlx.frontends.random.gammas import log_slope
from rlx.functions.control_flow import while_loop
from rlx.functions.derivatives import custom_jvp, jvp
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

_MOST_TERMS = 3000
_SMALL, _TINY = 1e-15, 1e-300


def wide(*xs: Any) -> tuple[list[Value], DType]:
    """Arguments as f64 of one shape, and the dtype of the result: that of all of them, f32 for integers."""
    values = promoted(floating(xs[0]), *xs[1:])
    dtype = values[0].dtype
    zero = sum((value * 0 for value in values[1:]), values[0] * 0)
    values = [value if value.shape == zero.shape else emit("expand", value, shape=zero.shape) for value in values]
    return [as_dtype(value, f64) for value in values], dtype


def log_beta(a: Value, b: Value) -> Value:
    """log |Γ(a) Γ(b) / Γ(a + b)|."""
    return emit("lgamma", a) + emit("lgamma", b) - emit("lgamma", a + b)


def _any(x: Value) -> Value:
    return emit("reduce_any", x, axes=tuple(range(x.rank)), keep_dim=False) if x.rank else x


def _converged(step: Callable[[Value, Any], tuple[Any, Value]], start: Any, like: Value) -> Any:
    """`step(k, state) -> (state, change)` for k = 1, 2, … until no change is above the smallest relative one."""

    def body(carry: tuple[Value, Any, Value]) -> tuple[Value, Any, Value]:
        state, change = step(carry[0], carry[1])
        return carry[0] + 1.0, state, _any(emit("abs", change) > _SMALL)

    start = constant(like.graph, 1.0, f64), start, _any(like == like)
    return while_loop(lambda carry: carry[2], body, start, max_iterations=_MOST_TERMS)[1]


# -- gamma ----------------------------------------------------------------------------------------------------------
def incomplete_gamma(a: Value, x: Value, above: bool = False) -> Value:
    """The share of Γ(a)'s integral below x, or above it."""
    return _gamma_above(a, x) if above else _gamma_below(a, x)


def _share_of_gamma(a: Value, x: Value, above: bool) -> Value:
    """Below a + 1 by the series of the lower part, from there on by the continued fraction of the upper one."""
    inside = (a > 0) & (x > 0) & (x < math.inf)
    lower = inside & (x < a + 1.0)
    upper = inside & (x >= a + 1.0)
    low = _series(emit("where", lower, a, 1.0), emit("where", lower, x, 0.5))
    high = _fraction(emit("where", upper, a, 1.0), emit("where", upper, x, 3.0))
    ends = emit("where", x == 0, float(above), emit("where", x == math.inf, float(not above), math.nan))
    ends = emit("where", a > 0, ends, math.nan)
    parts = (1.0 - low, high) if above else (low, 1.0 - high)
    return emit("where", lower, parts[0], emit("where", upper, parts[1], ends))


def _series(a: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, Value]) -> tuple[Any, Value]:
        term, total = state
        term = term * x / (a + k)
        return (term, total + term), term / (total + term)

    one = x * 0.0 + 1.0
    _, total = _converged(step, (one, one), x)
    return total * emit("exp", a * emit("log", x) - x - emit("lgamma", a + 1.0))


def _fraction(a: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, ...]) -> tuple[Any, Value]:
        b, c, d, h = state
        top = -k * (k - a)
        b = b + 2.0
        d = 1.0 / (top * d + b)
        c = b + top / c
        return (b, c, d, h * c * d), c * d - 1.0

    b = x + 1.0 - a
    *_, h = _converged(step, (b, b * 0.0 + 1 / _TINY, 1.0 / b, 1.0 / b), x)
    return h * emit("exp", a * emit("log", x) - x - emit("lgamma", a))


def _gamma_slopes(a: Value, x: Value) -> tuple[Value, Value]:
    """Derivatives of the lower share by a and by x."""
    inside = (a > 0) & (x > 0) & (x < math.inf)
    a, x = emit("where", inside, a, 1.0), emit("where", inside, x, 1.0)
    log_x = emit("log", x)
    density = emit("exp", (a - 1.0) * log_x - x - emit("lgamma", a))
    return emit("where", inside, -density * x * log_slope(a, log_x), 0.0), emit("where", inside, density, 0.0)


@custom_jvp
def _gamma_below(a: Value, x: Value) -> Value:
    return _share_of_gamma(a, x, above=False)


@_gamma_below.defjvp
def _below_rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    by_a, by_x = _gamma_slopes(*primals)
    return _gamma_below(*primals), by_a * tangents[0] + by_x * tangents[1]


@custom_jvp
def _gamma_above(a: Value, x: Value) -> Value:
    return _share_of_gamma(a, x, above=True)


@_gamma_above.defjvp
def _above_rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    by_a, by_x = _gamma_slopes(*primals)
    return _gamma_above(*primals), -(by_a * tangents[0] + by_x * tangents[1])


# -- beta -----------------------------------------------------------------------------------------------------------
def _share_of_beta(a: Value, b: Value, x: Value) -> Value:
    inside = (a > 0) & (b > 0) & (x > 0) & (x < 1)
    a, b = emit("where", inside, a, 1.0), emit("where", inside, b, 1.0)
    ends = emit("where", x == 0, 0.0, emit("where", x == 1, 1.0, math.nan))
    x = emit("where", inside, x, 0.5)
    turned = x > (a + 1.0) / (a + b + 2.0)  # the fraction converges fast below that
    logs = a * emit("log", x) + b * emit("log1p", -x) - log_beta(a, b)
    first, second = emit("where", turned, b, a), emit("where", turned, a, b)
    part = emit("exp", logs) * _beta_fraction(first, second, emit("where", turned, 1.0 - x, x)) / first
    return emit("where", inside, emit("where", turned, 1.0 - part, part), ends)


def _beta_fraction(a: Value, b: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, ...]) -> tuple[Any, Value]:
        c, d, h = state
        for top in (
            k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0)),
        ):
            d = 1.0 / _not_zero(1.0 + top * d)
            c = _not_zero(1.0 + top / c)
            h = h * c * d
        return (c, d, h), c * d - 1.0

    d = 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    *_, h = _converged(step, (d * 0.0 + 1.0, d, d), x)
    return h


def _not_zero(x: Value) -> Value:
    return emit("where", emit("abs", x) < _TINY, _TINY, x)


@custom_jvp
def incomplete_beta(a: Value, b: Value, x: Value) -> Value:
    """The share of the beta integral below x."""
    return _share_of_beta(a, b, x)


@incomplete_beta.defjvp
def _beta_rule(primals: tuple[Value, ...], tangents: tuple[Any, ...]) -> tuple[Value, Any]:
    a, b, x = primals
    inside = (x > 0) & (x < 1)
    safe = emit("where", inside, x, 0.5)
    density = emit("exp", (a - 1.0) * emit("log", safe) + (b - 1.0) * emit("log1p", -safe) - log_beta(a, b))
    moved = emit("where", inside, density, 0.0) * tangents[2]
    by_a = jvp(lambda a: _share_of_beta(a, b, x), (a,), (a * 0.0 + 1.0,))[1]
    by_b = jvp(lambda b: _share_of_beta(a, b, x), (b,), (b * 0.0 + 1.0,))[1]
    return incomplete_beta(a, b, x), moved + by_a * tangents[0] + by_b * tangents[1]
