"""Elementwise ops: one record per function, one line per formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import DType, cast_array, promote
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, case, sample
from rlx.ir.op import Call, OpDef, define
from rlx.ir.tolerance import exact, rounded_once, ulps
from rlx.ops.elementwise import activation_formulas as formulas
from rlx.ops.inference import (
    broadcast_dims,
    compute_common,
    compute_compared,
    compute_float,
    elementwise,
    floating,
    logical,
    numeric,
    real,
    same_type,
    to_bool,
)

Array = npt.NDArray[Any]
ALL_FLOATS = ("f32", "f64", "f16", "bf16")


def _per_element(count: int) -> Callable[[Call, tuple[Shape, ...]], Size]:
    return lambda call, results: results[0].num_elements * count


def _unary_cases(low: float, high: float, dtypes: tuple[str, ...]) -> Callable[[], list[Case]]:
    def rows() -> list[Case]:
        return [
            case(sample(4, 7, low=low, high=high), note="plain", dtypes=dtypes),
            case(sample(low=low, high=high), note="rank 0"),
            case(sample(2, 0, 3, low=low, high=high), note="size 0, odd"),
            case(sample(3, 1, 67, low=low, high=high), note="odd length with a vector tail", dtypes=dtypes),
        ]

    return rows


# -- functions of one operand -----------------------------------------------------------------------------------
def _round_even(x: Array) -> Array:
    return np.rint(x) if np.issubdtype(x.dtype, np.inexact) else x


def _sign(x: Array) -> Array:
    return np.sign(x)


def activation(
    name: str,
    reference: Callable[[Array], Array],
    *,
    domain: tuple[float, float] = (-6.0, 6.0),
    accuracy: float = 4.0,
    keeps_ints: bool = False,
    accepts: Callable[[DType], bool] = lambda d: numeric(d) or d.is_bool,
    what: str = "numbers",
    flops: int = 10,
    result: Callable[[DType], DType] | None = None,
    dtypes: tuple[str, ...] = ALL_FLOATS,
    doc: str,
) -> OpDef:
    """A function of one operand; ints become f32 unless the function keeps them."""
    to = result or (same_type if keeps_ints else floating)
    return define(
        name,
        "x",
        infer=elementwise(to, accepts, what),
        reference=reference,
        kind=OpKind.Elementwise,
        family="activation",
        doc=doc,
        compute_dtype=compute_common if keeps_ints else compute_float,
        tolerance=ulps(accuracy),
        cost=_per_element(flops),
        cases=_unary_cases(*domain, dtypes),
    )


def _real_or_bool(dtype: DType) -> bool:
    return real(dtype)


gelu = activation("gelu", formulas.gelu, accepts=_real_or_bool, accuracy=8, flops=20, doc="x·Φ(x), exact through erf.")
gelu_approx = activation(
    "gelu_approx", formulas.gelu_approx, accepts=_real_or_bool, accuracy=8, flops=20, doc="gelu by the tanh form."
)
silu = activation("silu", lambda x: x * formulas.sigmoid(x), accepts=_real_or_bool, doc="x·sigmoid(x).")
relu = activation(
    "relu",
    lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)) if np.issubdtype(x.dtype, np.inexact) else np.maximum(x, 0),
    keeps_ints=True,
    accepts=_real_or_bool,
    accuracy=0,
    flops=1,
    doc="max(x, 0).",
)
sigmoid = activation("sigmoid", formulas.sigmoid, accepts=_real_or_bool, doc="1/(1 + exp(-x)).")
tanh = activation("tanh", np.tanh, doc="Hyperbolic tangent.")
exp = activation("exp", np.exp, doc="e to the x.")
log = activation("log", np.log, domain=(0.01, 9), doc="Natural logarithm.")
sqrt = activation("sqrt", np.sqrt, domain=(0, 9), accuracy=1, flops=1, doc="Square root.")
rsqrt = activation("rsqrt", lambda x: 1 / np.sqrt(x), domain=(0.01, 9), accuracy=2, flops=2, doc="1/sqrt(x).")
neg = activation("neg", np.negative, keeps_ints=True, accepts=numeric, accuracy=0, flops=1, doc="-x.")


def _abs_type(dtype: DType) -> DType:
    return {"c64": DType.of("f32"), "c128": DType.of("f64")}.get(dtype.name, dtype)


abs_ = activation(
    "abs",
    np.abs,
    keeps_ints=True,
    accuracy=1,
    flops=1,
    result=_abs_type,
    doc="Absolute value; the modulus of a complex number.",
)
sin = activation("sin", np.sin, domain=(-20, 20), doc="Sine.")
cos = activation("cos", np.cos, domain=(-20, 20), doc="Cosine.")
tan = activation("tan", np.tan, domain=(-1.5, 1.5), doc="Tangent.")
atan = activation("atan", np.arctan, accepts=_real_or_bool, doc="Inverse tangent.")
round_ = activation(
    "round",
    _round_even,
    keeps_ints=True,
    accepts=_real_or_bool,
    accuracy=0,
    flops=1,
    doc="To the nearest integer, halves to even.",
)
erf = activation("erf", formulas.erf, accepts=_real_or_bool, doc="The error function.")
log1p = activation("log1p", formulas.log1p, domain=(-0.9, 9), doc="log(1 + x), accurate near 0.")
expm1 = activation("expm1", np.expm1, doc="exp(x) - 1, accurate near 0.")
floor = activation(
    "floor",
    lambda x: np.floor(x) if np.issubdtype(x.dtype, np.inexact) else x,
    keeps_ints=True,
    accepts=_real_or_bool,
    accuracy=0,
    flops=1,
    doc="Largest integer not above x.",
)
ceil = activation(
    "ceil",
    lambda x: np.ceil(x) if np.issubdtype(x.dtype, np.inexact) else x,
    keeps_ints=True,
    accepts=_real_or_bool,
    accuracy=0,
    flops=1,
    doc="Smallest integer not below x.",
)
sign = activation(
    "sign",
    _sign,
    keeps_ints=True,
    accepts=lambda d: d.is_integer or d.is_float,
    accuracy=0,
    flops=1,
    doc="-1, 0 or 1; NaN stays.",
)
softplus = activation(
    "softplus", lambda x: np.logaddexp(x, 0), domain=(-30, 30), accepts=_real_or_bool, doc="log(1 + exp(x))."
)
elu = activation(
    "elu",
    lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    accepts=_real_or_bool,
    doc="x above 0, exp(x) - 1 below.",
)
relu2 = activation(
    "relu2",
    lambda x: np.square(np.maximum(x, 0)),
    keeps_ints=True,
    accepts=_real_or_bool,
    accuracy=1,
    flops=2,
    doc="max(x, 0) squared.",
)
hard_swish = activation(
    "hard_swish",
    lambda x: x * np.clip(x + 3, 0, 6) / 6,
    accepts=_real_or_bool,
    accuracy=4,
    flops=4,
    doc="x·clip(x + 3, 0, 6)/6.",
)


def _integer_cases(*dtypes: str) -> Callable[[], list[Case]]:
    def rows() -> list[Case]:
        return [case(sample(3, 5, dtype=d, low=0, high=9), note=f"{d}, odd") for d in dtypes]

    return rows


not_ = define(
    "not",
    "x",
    infer=elementwise(same_type, logical, "ints and bools"),
    reference=np.invert,
    family="activation",
    doc="Bitwise not; logical for bools.",
    compute_dtype=compute_common,
    tolerance=exact(),
    cost=_per_element(1),
    cases=_integer_cases("bool", "i32", "u8", "i64"),
    vjp="integer output",
    jvp="integer output",
)
is_nan = define(
    "is_nan",
    "x",
    infer=elementwise(to_bool, lambda d: d.is_float or d.is_complex, "floats"),
    reference=np.isnan,
    family="activation",
    doc="Whether x is NaN.",
    compute_dtype=compute_common,
    tolerance=exact(),
    cost=_per_element(1),
    cases=lambda: [
        case(sample(4, fixed=[1.0, float("nan"), float("inf"), -0.0]), note="specials, odd"),
        case(sample(2, 9)),
        case(sample(0)),
    ],
    vjp="bool output",
    jvp="bool output",
)


# -- functions of two operands ----------------------------------------------------------------------------------
def _binary_cases(low: float, high: float, dtypes: tuple[str, ...]) -> Callable[[], list[Case]]:
    def rows() -> list[Case]:
        def s(*dims: int) -> Any:
            return sample(*dims, low=low, high=high)

        return [
            case(s(4, 7), s(4, 7), note="plain", dtypes=dtypes),
            case(s(4, 1, 7), s(3, 1), note="broadcast both ways", dtypes=dtypes),
            case(s(), s(5), note="broadcast of a scalar"),
            case(s(2, 0), s(2, 0), note="size 0"),
            case(s(3, 33), s(33), note="broadcast of a row with a vector tail"),
        ]

    return rows


def binary(
    name: str,
    reference: Callable[[Array, Array], Array],
    *,
    domain: tuple[float, float] = (-6.0, 6.0),
    accuracy: float = 1.0,
    accepts: Callable[[DType], bool] = lambda d: numeric(d) or d.is_bool,
    what: str = "numbers",
    keeps_ints: bool = True,
    dtypes: tuple[str, ...] = (*ALL_FLOATS, "i32"),
    flops: int = 1,
    doc: str,
    **facets: Any,
) -> OpDef:
    """A function of two operands that broadcast and promote."""
    return define(
        name,
        "x, y",
        infer=elementwise(same_type if keeps_ints else floating, accepts, what),
        reference=reference,
        kind=OpKind.Elementwise,
        family="binary",
        doc=doc,
        compute_dtype=compute_common if keeps_ints else compute_float,
        tolerance=ulps(accuracy),
        cost=_per_element(flops),
        cases=_binary_cases(*domain, dtypes),
        **facets,
    )


def _floor_div(x: Array, y: Array) -> Array:
    """NumPy's floor division; an int divided by 0 gives 0."""
    return np.floor_divide(x, y)


def _shift_left(x: Array, y: Array) -> Array:
    """Zero once the shift reaches the width."""
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    return np.where(inside, np.left_shift(x, np.where(inside, y, 0)), 0).astype(x.dtype)


def _shift_right(x: Array, y: Array) -> Array:
    """Arithmetic for signed ints; a shift past the width leaves the sign."""
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    past = np.where(x < 0, -1, 0) if np.issubdtype(x.dtype, np.signedinteger) else 0
    return np.where(inside, np.right_shift(x, np.where(inside, y, 0)), past).astype(x.dtype)


add = binary("add", np.add, doc="x + y; logical or for bools.")
sub = binary("sub", np.subtract, accepts=numeric, doc="x - y.")
mul = binary("mul", np.multiply, doc="x·y; logical and for bools.")
div = binary("div", np.true_divide, keeps_ints=False, domain=(0.5, 6), doc="x/y; ints give f32.")
max_ = binary("max", np.maximum, accepts=real, accuracy=0, doc="The larger; NaN if either is.")
min_ = binary("min", np.minimum, accepts=real, accuracy=0, doc="The smaller; NaN if either is.")


def _pow(x: Array, y: Array) -> Array:
    """Integer powers wrap; NumPy refuses negative ones."""
    if not np.issubdtype(x.dtype, np.signedinteger):
        return np.power(x, y)
    of_unit = np.where(x == 1, 1, np.where(x == -1, np.where(y % 2 == 0, 1, -1), 0)).astype(x.dtype)
    return np.where(y < 0, of_unit, np.power(x, np.maximum(y, 0)))


pow_ = binary(
    "pow",
    _pow,
    domain=(0.1, 4),
    accepts=numeric,
    accuracy=8,
    flops=20,
    doc="x to the y; a negative int power of an int is 0 but for ±1.",
)
floor_div = binary(
    "floor_div",
    _floor_div,
    domain=(1, 9),
    accepts=lambda d: real(d) and not d.is_bool,
    accuracy=1,
    doc="floor(x/y); 0 for an int by 0.",
)
mod = binary(
    "mod",
    np.mod,
    domain=(1, 9),
    accepts=lambda d: real(d) and not d.is_bool,
    accuracy=1,
    doc="x - floor(x/y)·y, the sign of y; 0 for an int by 0.",
)
atan2 = binary(
    "atan2",
    np.arctan2,
    keeps_ints=False,
    accepts=real,
    accuracy=4,
    dtypes=ALL_FLOATS,
    flops=20,
    doc="The angle of (y, x) as np.arctan2(x, y) names them.",
)


def _bitwise(name: str, reference: Callable[..., Array], accepts: Callable[[DType], bool], doc: str) -> OpDef:
    def rows() -> list[Case]:
        kinds = ("bool", "i32", "u8", "i64") if accepts(DType.of("bool")) else ("i32", "u8", "i64")
        return [
            case(sample(3, 5, dtype=d, low=0, high=6), sample(5, dtype=d, low=0, high=6), note=f"broadcast {d}")
            for d in kinds
        ]

    return define(
        name,
        "x, y",
        infer=elementwise(same_type, accepts, "ints" + (" and bools" if accepts(DType.of("bool")) else "")),
        reference=reference,
        family="binary",
        doc=doc,
        compute_dtype=compute_common,
        tolerance=exact(),
        cost=_per_element(1),
        cases=rows,
        vjp="integer output",
        jvp="integer output",
    )


and_ = _bitwise("and", np.bitwise_and, logical, "Bitwise and.")
or_ = _bitwise("or", np.bitwise_or, logical, "Bitwise or.")
xor = _bitwise("xor", np.bitwise_xor, logical, "Bitwise exclusive or.")
shl = _bitwise("shl", _shift_left, lambda d: d.is_integer, "x shifted left by y bits; 0 past the width.")
shr = _bitwise("shr", _shift_right, lambda d: d.is_integer, "x shifted right by y bits, the sign kept.")


def _compare(name: str, reference: Callable[[Array, Array], Array], ordered: bool) -> OpDef:
    accepts = real if ordered else (lambda d: real(d) or d.is_complex)
    return define(
        name,
        "x, y",
        infer=elementwise(to_bool, accepts, "numbers and bools"),
        reference=reference,
        family="compare",
        doc=f"x {name} y, elementwise; integers as the numbers they are.",
        compute_dtype=compute_compared,
        tolerance=exact(),
        cost=_per_element(1),
        cases=_binary_cases(-2, 2, (*ALL_FLOATS, "i32", "u8", "bool")),
        vjp="bool output",
        jvp="bool output",
    )


eq = _compare("eq", np.equal, False)
ne = _compare("ne", np.not_equal, False)
lt = _compare("lt", np.less, True)
le = _compare("le", np.less_equal, True)
gt = _compare("gt", np.greater, True)
ge = _compare("ge", np.greater_equal, True)


# -- selection and casts ----------------------------------------------------------------------------------------
def _where_shape(call: Call) -> Shape:
    condition, left, right = call.given
    if not condition.dtype.is_bool:
        raise call.error("RLX103", f"the condition is {condition.dtype}", fix="compare first: where(x != 0, a, b)")
    return Shape.make(broadcast_dims(call, condition.dims, left.dims, right.dims), promote(left.dtype, right.dtype))


where = define(
    "where",
    "condition:mask, x, y",
    infer=_where_shape,
    reference=np.where,
    family="select",
    doc="x where the condition holds, else y (np.where).",
    compute_dtype=compute_common,
    tolerance=exact(),
    cost=_per_element(1),
    cases=lambda: [
        case(sample(4, 7, dtype="bool"), sample(4, 7), sample(4, 7), note="plain", dtypes=(*ALL_FLOATS, "i32", "bool")),
        case(
            sample(4, 1, dtype="bool"), sample(7), sample(), note="broadcast of all three", dtypes=(*ALL_FLOATS, "i32")
        ),
        case(sample(2, 0, dtype="bool"), sample(1, 1), sample(0), note="size 0"),
    ],
)
clamp = define(
    "clamp",
    "x, low, high",
    infer=elementwise(same_type, real, "real numbers"),
    reference=lambda x, low, high: np.minimum(np.maximum(x, low), high),
    family="select",
    doc="min(max(x, low), high), as np.clip.",
    compute_dtype=compute_common,
    tolerance=exact(),
    cost=_per_element(2),
    cases=lambda: [
        case(
            sample(4, 7),
            sample(fixed=-1.0),
            sample(fixed=1.0),
            note="scalar bounds, broadcast",
            dtypes=(*ALL_FLOATS, "i32"),
        ),
        case(sample(3, 1, 5), sample(5, low=-2, high=0), sample(3, 5, low=0, high=2), note="broadcast bounds"),
        case(sample(0), sample(), sample(), note="size 0"),
    ],
)


def _cast_shape(call: Call) -> Shape:
    (x,) = call.given
    return x.with_dtype(call.op.attrs["to"])


def _cast(x: Array, to: DType) -> Array:
    if x.dtype == np.float64 and to.is_float and to.name != "f64":
        return x  # the caller rounds once, to the inferred dtype
    return cast_array(x, to)


_CASTS = ("f32", "f64", "f16", "bf16", "i32", "i64", "u8", "i8", "bool")
cast = define(
    "cast",
    "x",
    infer=_cast_shape,
    reference=_cast,
    kind=OpKind.DataMovement,
    family="select",
    attrs={"to": Attr("dtype", help="the new dtype")},
    doc="Another dtype: float to int truncates and saturates with NaN as 0, int to int wraps, to bool is != 0.",
    tolerance=rounded_once(),
    cost=_per_element(1),
    cases=lambda: (
        [
            case(sample(3, 7, low=-300, high=300), note=f"to {to}, odd", dtypes=(*ALL_FLOATS, "i32", "u8"), to=to)
            for to in _CASTS
        ]
        + [
            case(
                sample(5, fixed=[float("nan"), float("inf"), -float("inf"), 1e30, -0.5]),
                note=f"specials to {to}",
                to=to,
            )
            for to in ("i32", "u8", "i8", "f16")
        ]
    ),
)
