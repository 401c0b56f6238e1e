"""Elementwise functions of one operand: one record per function, one line per formula."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.ir.tolerance import ulps
from rlx.ir.value import one
from rlx.ops.elementwise import references as formulas
from rlx.ops.inference import (
    compute_common,
    compute_float,
    define_pointwise,
    elementwise,
    floating,
    logical,
    numeric,
    per_element,
    real,
    same_type,
    to_bool,
)
from rlx.ops.record import Array, Case, DType, OpDef, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import pointwise
from rlx.transforms.rules.formulas import Slope, by_slopes, conj, unary

ALL_FLOATS = ("f32", "f64", "f16", "bf16")


def _unary_cases(low: float, high: float) -> Callable[[], list[Case]]:
    return lambda: [
        case(sample(4, 7, low=low, high=high), note="plain", dtypes=ALL_FLOATS),
        case(sample(low=low, high=high), note="rank 0"),
        case(sample(2, 0, 3, low=low, high=high), note="size 0, odd"),
        case(sample(3, 1, 67, low=low, high=high), note="odd length with a vector tail", dtypes=ALL_FLOATS),
    ]


def activation(
    name: str,
    reference: Callable[[Array], Array],
    slope: Slope,
    *,
    domain: tuple[float, float] = (-6.0, 6.0),
    accuracy: float = 4.0,
    keeps_ints: bool = False,
    accepts: Callable[[DType], bool] = lambda d: numeric(d) or d.is_bool,
    flops: int = 10,
    result: Callable[[DType], DType] | None = None,
    doc: str,
    **facets: Any,
) -> OpDef:
    """Defines an op of one operand with its slope, a function of (y, x); ints become f32 unless the function keeps them."""
    to = result or (same_type if keeps_ints else floating)
    return define(
        name,
        "x",
        infer=elementwise(to, accepts, "numbers"),
        reference=reference,
        family="activation",
        doc=doc,
        compute_dtype=compute_common if keeps_ints else compute_float,
        tolerance=ulps(accuracy),
        cost=per_element(flops),
        cases=_unary_cases(*domain),
        batch=pointwise,
        **{**by_slopes(slope), **facets},
    )


def _rounding(
    name: str, function: Callable[[Array], Array], slope: Slope, doc: str, accepts: Callable[[DType], bool] = real
) -> OpDef:
    """Defines a rounding of floats to integral values; ints and bools stay as they are."""

    def reference(x: Array) -> Array:
        return function(x) if np.issubdtype(x.dtype, np.inexact) else x

    return activation(name, reference, slope, keeps_ints=True, accepts=accepts, accuracy=0, flops=1, doc=doc)


def _gelu_slope(y: Value, x: Value) -> Value:
    """The slope of gelu, Φ(x) + x·φ(x)."""
    below = 0.5 * (1.0 + one("erf", x * (1 / math.sqrt(2))))
    return below + x * (one("exp", x * x * -0.5) * (1 / math.sqrt(2 * math.pi)))


def _gelu_approx_slope(y: Value, x: Value) -> Value:
    """The slope of tanh gelu x·s with s = sigmoid(2u), u = √(2/π)·(x + 0.044715·x³): s + x·s·(1 - s)·2u'."""
    c = 2 * math.sqrt(2 / math.pi)
    s = one("sigmoid", (x + x * x * x * 0.044715) * c)
    return s + x * s * (1.0 - s) * ((x * x * (3 * 0.044715) + 1.0) * c)


def _silu_slope(y: Value, x: Value) -> Value:
    s = one("sigmoid", x)
    return s * (1.0 + x * (1.0 - s))


gelu = activation("gelu", formulas.gelu, _gelu_slope, accepts=real, accuracy=8, flops=20, doc="x·Φ(x), exact through erf.")
gelu_approx = activation(
    "gelu_approx", formulas.gelu_approx, _gelu_approx_slope, accepts=real, accuracy=8, flops=20, doc="gelu by the tanh form."
)
silu = activation("silu", lambda x: x * formulas.sigmoid(x), _silu_slope, accepts=real, doc="x·sigmoid(x).")
relu = activation(
    "relu",
    lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)) if np.issubdtype(x.dtype, np.inexact) else np.maximum(x, 0),
    lambda y, x: x > 0.0,
    keeps_ints=True,
    accepts=real,
    accuracy=0,
    flops=1,
    doc="max(x, 0).",
)
sigmoid = activation("sigmoid", formulas.sigmoid, lambda y, x: y * (1.0 - y), accepts=real, doc="1/(1 + exp(-x)).")
tanh = activation("tanh", np.tanh, lambda y, x: 1.0 - y * y, doc="Hyperbolic tangent.")
exp = activation("exp", np.exp, lambda y, x: y, doc="e to the x.")
log = activation("log", np.log, lambda y, x: 1.0 / x, domain=(0.01, 9), doc="Natural logarithm.")
sqrt = activation("sqrt", np.sqrt, lambda y, x: 0.5 / y, domain=(0, 9), accuracy=1, flops=1, doc="Square root.")
rsqrt = activation(
    "rsqrt", lambda x: 1 / np.sqrt(x), lambda y, x: y * y * y * -0.5, domain=(0.01, 9), accuracy=2, flops=2, doc="1/sqrt(x)."
)
neg = activation("neg", np.negative, lambda y, x: -1, keeps_ints=True, accepts=numeric, accuracy=0, flops=1, doc="-x.")


def _over_modulus(y: Value) -> Value:
    """Returns 1/|x| for y = |x|, 0 where y is 0."""
    return one("where", y == 0.0, 0.0, 1.0 / one("where", y == 0.0, 1.0, y))


def _abs_of_real(seed: Value, x: Value) -> Value:
    """The derivative of real abs: dy for x ≥ 0, else -dy. The slope at 0 is 1, as in JAX."""
    return one("where", x >= 0.0, seed, -seed)


abs_ = activation(
    "abs",
    np.abs,
    None,
    keeps_ints=True,
    accuracy=1,
    flops=1,
    result=lambda dtype: {"c64": DType.of("f32"), "c128": DType.of("f64")}.get(dtype.name, dtype),
    doc="Absolute value; the modulus of a complex number.",
    vjp=unary(lambda call, dy, y, x: x * (dy * _over_modulus(y)) if x.dtype.is_complex else _abs_of_real(dy, x)),
    jvp=unary(lambda call, t, y, x: one("real", conj(x) * t) * _over_modulus(y) if x.dtype.is_complex else _abs_of_real(t, x)),
)
sin = activation("sin", np.sin, lambda y, x: one("cos", x), domain=(-20, 20), doc="Sine.")
cos = activation("cos", np.cos, lambda y, x: -one("sin", x), domain=(-20, 20), doc="Cosine.")
tan = activation("tan", np.tan, lambda y, x: 1.0 + y * y, domain=(-1.5, 1.5), doc="Tangent.")
atan = activation("atan", np.arctan, lambda y, x: 1.0 / (1.0 + x * x), doc="Inverse tangent.")
round_ = _rounding(
    "round",
    np.rint,
    lambda y, x: 1,  # straight through
    "To the nearest integer, halves to even; each part of a complex number.",
    lambda d: numeric(d) or d.is_bool,
)
erf = activation(
    "erf", formulas.erf, lambda y, x: one("exp", -(x * x)) * (2 / math.sqrt(math.pi)), accepts=real, doc="The error function."
)
log1p = activation("log1p", formulas.log1p, lambda y, x: 1.0 / (1.0 + x), domain=(-0.9, 9), doc="log(1 + x), accurate near 0.")
expm1 = activation("expm1", formulas.expm1, lambda y, x: y + 1.0, doc="exp(x) - 1, accurate near 0.")
floor = _rounding("floor", np.floor, None, "Largest integer not above x.")
ceil = _rounding("ceil", np.ceil, None, "Smallest integer not below x.")
sign = activation(
    "sign",
    np.sign,
    None,
    keeps_ints=True,
    accepts=numeric,
    accuracy=0,
    flops=1,
    doc="-1, 0 or 1, of a complex number x/|x|; NaN stays.",
)
softplus = activation(
    "softplus", lambda x: np.logaddexp(x, 0), lambda y, x: one("sigmoid", x), domain=(-30, 30), accepts=real, doc="log(1 + exp(x))."
)
elu = activation(
    "elu",
    lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    lambda y, x: as_dtype(one("where", x > 0.0, 1.0, y + 1.0), x.dtype),
    accepts=real,
    doc="x above 0, exp(x) - 1 below.",
)
round_to_dtype = activation(
    "round_to_dtype",
    lambda x: x,
    lambda y, x: 1,
    keeps_ints=True,
    accuracy=0,
    flops=1,
    doc="x, rounded to its dtype also where a fused kernel computes f16 and bf16 in f32.",
)
relu2 = activation(
    "relu2",
    lambda x: np.square(np.maximum(x, 0)),
    lambda y, x: one("relu", x) * 2.0,
    keeps_ints=True,
    accepts=real,
    accuracy=1,
    flops=2,
    doc="max(x, 0) squared.",
)


hard_swish = activation(
    "hard_swish",
    lambda x: x * np.clip(x + 3, 0, 6) / 6,
    lambda y, x: as_dtype(one("where", x < -3.0, 0.0, one("where", x > 3.0, 1.0, x * (1 / 3) + 0.5)), x.dtype),
    accepts=real,
    accuracy=4,
    flops=4,
    doc="x·clip(x + 3, 0, 6)/6.",
)


not_ = define_pointwise(
    "not",
    "x",
    infer=elementwise(same_type, logical, "ints and bools"),
    reference=np.invert,
    family="activation",
    doc="Bitwise not; logical for bools.",
    cases=lambda: [case(sample(3, 5, dtype=d, low=0, high=9), note=f"{d}, odd") for d in ("bool", "i32", "u8", "i64")],
    no_gradient="integer output",
)
is_nan = define_pointwise(
    "is_nan",
    "x",
    infer=elementwise(to_bool, lambda d: numeric(d) or d.is_bool, "numbers"),
    reference=np.isnan,
    family="activation",
    doc="Whether x is NaN.",
    cases=lambda: [
        case(sample(4, fixed=[1.0, float("nan"), float("inf"), -0.0]), note="specials, odd"),
        case(sample(2, 9)),
        case(sample(0)),
    ],
    no_gradient="bool output",
)
