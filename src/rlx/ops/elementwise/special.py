"""Special functions: of the normal distribution, gamma, and Bessel's; accurate relative to their own size unless a text says otherwise."""

from __future__ import annotations

import math
from typing import Any

from rlx.ir.tolerance import ulps
from rlx.ir.value import one
from rlx.ops.elementwise import references as formulas
from rlx.ops.elementwise.unary import ALL_FLOATS, activation
from rlx.ops.inference import compute_float, elementwise, floating, per_element, real
from rlx.ops.record import Attr, Call, Shape, Value, case, define, sample
from rlx.transforms.rules.batching import pointwise
from rlx.transforms.rules.formulas import unary

_ROOT_PI = math.sqrt(math.pi)
_ROOT_2PI = math.sqrt(2 * math.pi)


def _special(name: str, reference: Any, slope: Any, domain: tuple[float, float], accuracy: float, doc: str) -> Any:
    return activation(name, reference, slope, domain=domain, accepts=real, accuracy=accuracy, flops=60, doc=doc)


erfc = _special(
    "erfc",
    formulas.erfc,
    lambda y, x: one("exp", -(x * x)) * (-2 / _ROOT_PI),
    (-3, 3),
    8,
    "1 - erf(x), accurate where it is small.",
)
erfinv = _special(
    "erfinv",
    formulas.erfinv,
    lambda y, x: one("exp", y * y) * (_ROOT_PI / 2),
    (-0.95, 0.95),
    8,
    "The inverse of erf: infinite at -1 and 1, NaN beyond.",
)
ndtr = _special(
    "ndtr",
    formulas.ndtr,
    lambda y, x: one("exp", x * x * -0.5) * (1 / _ROOT_2PI),
    (-5, 5),
    8,
    "The normal distribution function Φ(x), accurate where it is small.",
)
log_ndtr = _special(
    "log_ndtr",
    formulas.log_ndtr,
    lambda y, x: one("exp", x * x * -0.5 - y) * (1 / _ROOT_2PI),
    (-6, 5),
    8,
    "log Φ(x), for x far below 0 too.",
)
ndtri = _special(
    "ndtri",
    formulas.ndtri,
    lambda y, x: one("exp", y * y * 0.5) * _ROOT_2PI,
    (0.02, 0.98),
    8,
    "The inverse of ndtr: infinite at 0 and 1, NaN outside.",
)
lgamma = _special(
    "lgamma",
    formulas.lgamma,
    lambda y, x: one("digamma", x),
    (0.1, 9),
    8,
    "log |Γ(x)|: infinite at 0, -1, -2, …; below 0 it is a difference, and the error relative to its terms is bounded.",
)
digamma = _special(
    "digamma",
    formulas.digamma,
    lambda y, x: one("polygamma", x, order=1),
    (0.1, 9),
    8,
    "The derivative of lgamma: -∞ at 0, NaN at -1, -2, …; below 0 it is a difference, and the error relative to its terms is bounded.",
)


def _polygamma_shape(call: Call) -> Shape:
    if call.order < 1:
        raise call.error("RLX105", f"order is {call.order}", fix="at least 1; digamma(x) is the one of order 0")
    return elementwise(floating, real, "real numbers")(call)


polygamma = define(
    "polygamma",
    "x",
    infer=_polygamma_shape,
    reference=formulas.polygamma,
    family="activation",
    attrs={"order": Attr("int", help="which derivative of digamma, from 1")},
    doc="The derivative of digamma of some order; at 0, -1, -2, … infinite if the order is odd.",
    compute_dtype=compute_float,
    tolerance=ulps(10),
    cost=per_element(100),
    cases=lambda: [
        case(sample(4, 7, low=0.1, high=9), note="plain", dtypes=ALL_FLOATS, order=1),
        case(sample(3, 1, 67, low=0.5, high=9), note="odd length with a vector tail", order=3),
        case(sample(3, 5, low=-0.9, high=-0.1), note="below 0, odd", dtypes=("f32", "f64"), order=2),
        case(sample(2, 0), note="size 0", order=1),
    ],
    batch=pointwise,
    vjp=unary(lambda call, dy, y, x: dy * one("polygamma", x, order=call.order + 1)),
    jvp=unary(lambda call, t, y, x: t * one("polygamma", x, order=call.order + 1)),
)


def _i1e_slope(y: Value, x: Value) -> Value:
    """i0e − (sign + 1/x)·y, ½ at 0."""
    nothing = x == 0.0
    apart = one("where", nothing, 1.0, x)
    return one("where", nothing, 0.5, one("i0e", apart) - (one("sign", apart) + 1.0 / apart) * y)


i0e = _special(
    "i0e",
    formulas.i0e,
    lambda y, x: one("i1e", x) - one("sign", x) * y,
    (-20, 20),
    8,
    "exp(-|x|)·I₀(x), the modified Bessel function.",
)
i1e = _special("i1e", formulas.i1e, _i1e_slope, (-20, 20), 8, "exp(-|x|)·I₁(x), the modified Bessel function.")
