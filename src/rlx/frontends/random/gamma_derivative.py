"""How a gamma number moves with its shape, the probability below it fixed (implicit differentiation; Figurnov et al., 2018).

With P(a, x) the share below x,  dx/da = -(dP/da) / (dP/dx).  From the series P = x^a e^-x Σ x^k / Γ(a + k + 1):

    d(log x)/da = Σ_k  x^k / (a (a + 1) … (a + k)) · (ψ(a) + 1/a + … + 1/(a + k) - log x)

computed in f64, its terms by a loop that ends when they no longer count. Beyond a = 200 the series is long; there the cube of a
normal number (Wilson and Hilferty, 1931) gives the derivative to some 1e-4 of its size.
"""

from __future__ import annotations

from typing import Any

from rlx.core.dtype import f64
from rlx.frontends.numpy.values import emit
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype
from rlx.transforms.control_flow import while_loop
from rlx.transforms.function_derivatives import custom_jvp

_SERIES_UP_TO = 200.0
_MOST_TERMS = 2000


@custom_jvp
def with_derivative(a: Value, log_x: Value) -> Value:
    """The logarithm of a gamma number, as a function of its shape."""
    return log_x * 1.0


@with_derivative.defjvp
def _rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    a, log_x = primals
    return with_derivative(a, log_x), as_dtype(log_slope(as_dtype(a, f64), as_dtype(log_x, f64)), a.dtype) * tangents[0]


def log_slope(a: Value, log_x: Value) -> Value:
    """d(log x)/da with the probability below x fixed, in f64."""
    few = a < _SERIES_UP_TO
    near = _series(emit("where", few, a, 1.0), emit("where", few, log_x, 0.0))
    return emit("where", few, near, _wilson_hilferty(emit("where", few, _SERIES_UP_TO, a), log_x))


def _series(a: Value, log_x: Value) -> Value:
    x = emit("exp", log_x)

    def unfinished(carry: tuple[Value, ...]) -> Value:
        k, term, factor, total = carry
        counts = emit("abs", term * factor) > 1e-13 * emit("abs", total)
        counts = counts | (a + k < x)  # terms grow until then
        axes = tuple(range(counts.rank))
        return emit("reduce_any", counts, axes=axes, keep_dim=False) if axes else counts

    def body(carry: tuple[Value, ...]) -> tuple[Value, ...]:
        k, term, factor, total = carry
        k = k + 1.0
        term, factor = term * x / (a + k), factor + 1.0 / (a + k)
        return k, term, factor, total + term * factor

    term, factor = 1.0 / a, emit("digamma", a) + 1.0 / a - log_x
    start = constant(a.graph, 0.0, f64), term, factor, term * factor
    return while_loop(unfinished, body, start, max_iterations=_MOST_TERMS)[3]


def _wilson_hilferty(a: Value, log_x: Value) -> Value:
    """x = a (1 - 1/(9 a) + z / (3 sqrt(a)))³ for a fixed z."""
    root = emit("exp", (log_x - emit("log", a)) / 3.0)
    shift = 1.0 / (9.0 * a)
    inner = shift / a - 0.5 * (root - 1.0 + shift) / a
    return 1.0 / a + 3.0 * inner / root
