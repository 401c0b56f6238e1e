"""Inverse circular and hyperbolic functions, other bases of powers and logarithms; of the normal distribution, gamma, Bessel's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rlx.ir.tolerance import Tolerance, ulps
from rlx.ir.value import one
from rlx.ops.elementwise import references as formulas
from rlx.ops.elementwise.binary import binary
from rlx.ops.elementwise.unary import ALL_FLOATS, activation
from rlx.ops.inference import compute_float, elementwise, floating, per_element, real
from rlx.ops.record import Array, Attr, Call, DType, Shape, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import pointwise
from rlx.transforms.rules.formulas import unary

_LOG_2, _LOG_10 = math.log(2), math.log(10)


def _root_of_rest(x: Value) -> Value:
    """√(1 − x²) without cancellation."""
    return one("sqrt", (1.0 - x) * (1.0 + x))


asin = activation(
    "asin",
    np.arcsin,
    lambda y, x: 1.0 / _root_of_rest(x),
    domain=(-0.95, 0.95),
    doc="Inverse sine; NaN for a real number beyond ±1.",
)
acos = activation(
    "acos",
    np.arccos,
    lambda y, x: -1.0 / _root_of_rest(x),
    domain=(-0.95, 0.95),
    doc="Inverse cosine; NaN for a real number beyond ±1.",
)
sinh = activation("sinh", np.sinh, lambda y, x: one("cosh", x), doc="Hyperbolic sine.")
cosh = activation("cosh", np.cosh, lambda y, x: one("sinh", x), doc="Hyperbolic cosine.")
asinh = activation("asinh", np.arcsinh, lambda y, x: 1.0 / one("sqrt", x * x + 1.0), accuracy=4, doc="Inverse hyperbolic sine.")
acosh = activation(
    "acosh",
    np.arccosh,
    lambda y, x: 1.0 / (one("sqrt", x - 1.0) * one("sqrt", x + 1.0)),
    domain=(1.05, 9),
    doc="Inverse hyperbolic cosine; NaN for a real number below 1.",
)
atanh = activation(
    "atanh",
    np.arctanh,
    lambda y, x: 1.0 / ((1.0 - x) * (1.0 + x)),
    domain=(-0.95, 0.95),
    doc="Inverse hyperbolic tangent; NaN for a real number beyond ±1.",
)
exp2 = activation("exp2", np.exp2, lambda y, x: y * _LOG_2, doc="2 to the x, exact for whole x.")
log2 = activation(
    "log2", np.log2, lambda y, x: 1.0 / (x * _LOG_2), domain=(0.01, 9), doc="Logarithm to base 2, exact for powers of 2."
)
log10 = activation("log10", np.log10, lambda y, x: 1.0 / (x * _LOG_10), domain=(0.01, 9), doc="Logarithm to base 10.")


def _cbrt(x: Array) -> Array:
    """Cube roots computed in longdouble: NumPy's f32 and f64 ones differ between machines, on AArch64 by 2 ulp."""
    wide = np.cbrt(np.asarray(x, np.longdouble))
    return np.asarray(wide.astype(np.float64).astype(x.dtype))


cbrt = activation("cbrt", _cbrt, lambda y, x: 1.0 / (y * y * 3.0), accepts=real, accuracy=1, doc="Cube root, with the sign of x.")


# -- sinc
def _sinc(x: Array) -> Array:
    """sin(πx)/(πx), from the difference of x and the nearest integer: sin(π·1e9) is 0, as without the rounding of π."""
    wide = np.asarray(x, np.float64)
    whole = np.rint(wide)
    turned = np.sin(np.pi * (wide - whole)) * np.where(np.remainder(whole, 2) == 0, 1.0, -1.0)
    return np.asarray(np.where(wide == 0, 1.0, turned / (np.pi * np.where(wide == 0, 1.0, wide))))


def _sinc_of_values(x: Value) -> Value:
    wide = as_dtype(x, x.dtype.compute) if x.dtype.is_float else as_dtype(x, DType.of("f32"))
    whole = one("round", one("stop_gradient", wide))
    half = whole * 0.5
    odd = one("floor", half) != half
    turned = one("sin", (wide - whole) * math.pi)
    nothing = wide == 0.0
    quotient = one("where", odd, -turned, turned) / (one("where", nothing, 1.0, wide) * math.pi)
    return as_dtype(one("where", nothing, 1.0, quotient), x.dtype if x.dtype.is_float else wide.dtype)


_SINC_TERMS = 10


def _sinc_slope(y: Value, x: Value) -> Value:
    """The slope of sinc, (cos πx − sinc x)/x; near 0, where it cancels, the series −π²x·(1/3 − (πx)²/30 + …)."""
    near = one("abs", x) < 0.4
    apart = one("where", near, 1.0, x)
    far = (one("cos", apart * math.pi) - y) / apart
    close = one("where", near, x, 0.0)
    square = close * close * math.pi**2
    series: Value | float = 0.0
    for k in range(_SINC_TERMS, 0, -1):
        series = square * series + (-1) ** k * 2 * k / math.factorial(2 * k + 1)
    assert isinstance(series, Value)
    return as_dtype(one("where", near, close * series * math.pi**2, far), x.dtype)


sinc = activation(
    "sinc",
    _sinc,
    _sinc_slope,
    accepts=real,
    accuracy=4,
    domain=(-0.9, 0.9),
    flops=30,
    doc="sin(πx)/(πx), 1 at 0.",
    decompose=_sinc_of_values,
)


# -- two operands
def _over(x: Value, z: Value) -> Value:
    """The slope of hypot, x/z, ½ where z is 0 as in JAX."""
    return one("where", z == 0.0, 0.5, x / one("where", z == 0.0, 1.0, z))


def _share_of_first(x: Value, y: Value) -> Value:
    """The slope of logaddexp by x, e^x/(e^x + e^y); ½ where both are the same infinity."""
    return one("where", x == y, 0.5, one("sigmoid", x - y))


hypot = binary(
    "hypot",
    np.hypot,
    (lambda z, x, y: _over(x, z), lambda z, x, y: _over(y, z)),
    keeps_ints=False,
    accepts=real,
    accuracy=3,
    dtypes=ALL_FLOATS,
    flops=10,
    doc="√(x² + y²) without overflow on the way; infinite if either is.",
)
logaddexp = binary(
    "logaddexp",
    np.logaddexp,
    (lambda z, x, y: _share_of_first(x, y), lambda z, x, y: _share_of_first(y, x)),
    keeps_ints=False,
    accepts=real,
    dtypes=ALL_FLOATS,
    flops=40,
    tolerance=Tolerance(ulps=4, scale="abs"),
    doc="log(e^x + e^y) without overflow on the way.",
)


# -- special functions: accurate relative to their own size unless a text says otherwise ------------------------------


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
    """The slope of i1e, i0e − (sign + 1/x)·y, ½ at 0."""
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
