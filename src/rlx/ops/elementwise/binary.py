"""Elementwise functions of two operands: arithmetic, bits and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.dtype import cast_array, promote
from rlx.ir.tolerance import Tolerance, rounded_once, ulps
from rlx.ir.value import one
from rlx.ops.elementwise.unary import ALL_FLOATS, not_
from rlx.ops.inference import (
    broadcast_dims,
    compute_common,
    compute_comparison,
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
from rlx.ops.record import Array, Attr, Call, Case, DType, OpDef, OpKind, Shape, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import pointwise
from rlx.transforms.rules.formulas import Slope, by_slopes, linear, match_type, unary


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
    slopes: tuple[Slope, Slope],
    *,
    domain: tuple[float, float] = (-6.0, 6.0),
    accuracy: float = 1.0,
    accepts: Callable[[DType], bool] = lambda d: numeric(d) or d.is_bool,
    keeps_ints: bool = True,
    dtypes: tuple[str, ...] = (*ALL_FLOATS, "i32"),
    flops: int = 1,
    tolerance: Tolerance | None = None,
    doc: str,
) -> OpDef:
    """Defines a broadcasting and promoting op of two operands with its slope by each, a function of (z, x, y)."""
    return define(
        name,
        "x, y",
        infer=elementwise(same_type if keeps_ints else floating, accepts, "numbers"),
        reference=reference,
        family="binary",
        doc=doc,
        compute_dtype=compute_common if keeps_ints else compute_float,
        tolerance=tolerance or ulps(accuracy),
        cost=per_element(flops),
        cases=_binary_cases(*domain, dtypes),
        batch=pointwise,
        **by_slopes(*slopes),
    )


def _shift_left(x: Array, y: Array) -> Array:
    """The NumPy reference of `shl`: 0 once the shift reaches the width."""
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    return np.where(inside, np.left_shift(x, np.where(inside, y, 0)), 0).astype(x.dtype)


def _shift_right(x: Array, y: Array) -> Array:
    """The NumPy reference of `shr`: arithmetic for signed ints; a shift past the width leaves the sign."""
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    past = np.where(x < 0, -1, 0) if np.issubdtype(x.dtype, np.signedinteger) else 0
    return np.where(inside, np.right_shift(x, np.where(inside, y, 0)), past).astype(x.dtype)


def _share(wins: Value, tie: Value, like: Value) -> Value:
    """The slope of maximum or minimum by one operand: 1 where it is chosen, ½ where both are equal, else 0."""
    return as_dtype(one("where", wins, 1.0, one("where", tie, 0.5, 0.0)), like.dtype)


add = binary("add", np.add, (lambda z, x, y: 1, lambda z, x, y: 1), doc="x + y; logical or for bools.")
sub = binary("sub", np.subtract, (lambda z, x, y: 1, lambda z, x, y: -1), accepts=numeric, doc="x - y.")
mul = binary("mul", np.multiply, (lambda z, x, y: y, lambda z, x, y: x), doc="x·y; logical and for bools.")
div = binary(
    "div",
    np.true_divide,
    (lambda z, x, y: 1.0 / y, lambda z, x, y: -z / y),
    keeps_ints=False,
    domain=(0.5, 6),
    doc="x/y; ints give f32.",
)
max_ = binary(
    "max",
    np.maximum,
    (lambda z, x, y: _share(x > y, x == y, z), lambda z, x, y: _share(y > x, x == y, z)),
    accepts=real,
    accuracy=0,
    doc="The larger; NaN if either is.",
)
min_ = binary(
    "min",
    np.minimum,
    (lambda z, x, y: _share(x < y, x == y, z), lambda z, x, y: _share(y < x, x == y, z)),
    accepts=real,
    accuracy=0,
    doc="The smaller; NaN if either is.",
)


def _pow(x: Array, y: Array) -> Array:
    """The NumPy reference of `pow`: integer powers wrap; NumPy refuses negative ones."""
    if not np.issubdtype(x.dtype, np.signedinteger):
        return np.power(x, y)
    of_unit = np.where(x == 1, 1, np.where(x == -1, np.where(y % 2 == 0, 1, -1), 0)).astype(x.dtype)
    return np.where(y < 0, of_unit, np.power(x, np.maximum(y, 0)))


def _fixed(x: Value) -> float | None:
    """The number in a constant of one real element; None for any other Value."""
    node = x.graph.node(x.ref)
    if node.op.name != "constant" or node.op["value"].array.size != 1 or x.dtype.is_complex:
        return None
    return float(node.op["value"].array.reshape(()))


def _is_whole(y: Value) -> bool:
    """Whether an exponent was an integer before it was promoted to the dtype of its base."""
    node = y.graph.node(y.ref)
    source = node.inputs[0] if node.op.name == "cast" else None
    return y.dtype.is_integer or (source is not None and y.graph.shape(source).dtype.is_integer)


def _pow_base(z: Value, x: Value, y: Value) -> Value | float | None:
    """The slope of x^y by x, y·x^(y - 1); for a constant or integer exponent of 0 it is 0, whatever x is."""
    number = _fixed(y)
    if number is not None:
        if number in (0.0, 1.0, 2.0):
            return {0.0: None, 1.0: 1.0, 2.0: x * 2.0}[number]
        return one("pow", x, number - 1.0) * number
    if not _is_whole(y):
        return one("pow", x, y - 1.0) * y
    nothing = y == 0
    return one("where", nothing, 0.0, one("pow", x, one("where", nothing, 1.0, y - 1.0)) * y)


def _pow_exponent(z: Value, x: Value, y: Value) -> Value:
    """The slope of x^y by y, x^y·log(x); for a base of 0 it is 0, or NaN where the power is infinite."""
    return z * one("log", one("where", x == 0, 1.0, x))


pow_ = binary(
    "pow",
    _pow,
    (_pow_base, _pow_exponent),
    domain=(0.1, 4),
    accepts=numeric,
    accuracy=8,
    flops=20,
    doc="x to the y; a negative int power of an int is 0 but for ±1.",
)
floor_div = binary(
    "floor_div",
    np.floor_divide,
    (None, None),
    domain=(1, 9),
    accepts=lambda d: real(d) and not d.is_bool,
    accuracy=1,
    doc="floor(x/y); 0 for an int by 0.",
)
mod = binary(
    "mod",
    np.mod,
    (lambda z, x, y: 1, lambda z, x, y: -floor_div(x, y)),
    domain=(1, 9),
    accepts=lambda d: real(d) and not d.is_bool,
    accuracy=1,
    doc="x - floor(x/y)·y, the sign of y; 0 for an int by 0.",
)
atan2 = binary(
    "atan2",
    np.arctan2,
    (lambda z, x, y: y / (x * x + y * y), lambda z, x, y: -x / (x * x + y * y)),
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
        return [case(sample(3, 5, dtype=d, low=0, high=6), sample(5, dtype=d, low=0, high=6), note=f"broadcast {d}") for d in kinds]

    return define_pointwise(
        name,
        "x, y",
        infer=elementwise(same_type, accepts, "ints" + (" and bools" if accepts(DType.of("bool")) else "")),
        reference=reference,
        family="binary",
        doc=doc,
        cases=rows,
        no_gradient="integer output",
    )


and_ = _bitwise("and", np.bitwise_and, logical, "Bitwise and.")
or_ = _bitwise("or", np.bitwise_or, logical, "Bitwise or.")
xor = _bitwise("xor", np.bitwise_xor, logical, "Bitwise exclusive or.")
shl = _bitwise("shl", _shift_left, lambda d: d.is_integer, "x shifted left by y bits; 0 past the width.")
shr = _bitwise("shr", _shift_right, lambda d: d.is_integer, "x shifted right by y bits, the sign kept.")


def _define_comparison(name: str, reference: Callable[[Array, Array], Array], ordered: bool) -> OpDef:
    accepts = real if ordered else (lambda d: real(d) or d.is_complex)
    return define_pointwise(
        name,
        "x, y",
        infer=elementwise(to_bool, accepts, "numbers and bools"),
        reference=reference,
        family="compare",
        doc=f"x {name} y, elementwise; integers as the numbers they are.",
        compute_dtype=compute_comparison,
        cases=_binary_cases(-2, 2, (*ALL_FLOATS, "i32", "u8", "bool")),
        no_gradient="bool output",
    )


eq = _define_comparison("eq", np.equal, False)
ne = _define_comparison("ne", np.not_equal, False)
lt = _define_comparison("lt", np.less, True)
le = _define_comparison("le", np.less_equal, True)
gt = _define_comparison("gt", np.greater, True)
ge = _define_comparison("ge", np.greater_equal, True)


# -- selection, and casts


def _where_shape(call: Call) -> Shape:
    condition, left, right = call.given
    if not condition.dtype.is_bool:
        raise call.error("RLX103", f"the condition is {condition.dtype}", fix="compare first: where(x != 0, a, b)")
    return Shape.make(broadcast_dims(call, condition.dims, left.dims, right.dims), promote(left.dtype, right.dtype))


where = define_pointwise(
    "where",
    "condition:mask, x, y",
    infer=_where_shape,
    reference=np.where,
    family="select",
    doc="x where the condition holds, else y (np.where).",
    cases=lambda: [
        case(sample(4, 7, dtype="bool"), sample(4, 7), sample(4, 7), note="plain", dtypes=(*ALL_FLOATS, "i32", "bool")),
        case(sample(4, 1, dtype="bool"), sample(7), sample(), note="broadcast of all three", dtypes=(*ALL_FLOATS, "i32")),
        case(sample(2, 0, dtype="bool"), sample(1, 1), sample(0), note="size 0"),
    ],
    **by_slopes(None, lambda z, c, x, y: c, lambda z, c, x, y: not_(c)),
)
clamp = define_pointwise(
    "clamp",
    "x, low, high",
    infer=elementwise(same_type, real, "real numbers"),
    reference=lambda x, low, high: np.minimum(np.maximum(x, low), high),
    family="select",
    doc="min(max(x, low), high), as np.clip.",
    cost=per_element(2),
    cases=lambda: [
        case(sample(4, 7), sample(fixed=-1.0), sample(fixed=1.0), note="scalar bounds, broadcast", dtypes=(*ALL_FLOATS, "i32")),
        case(sample(3, 1, 5), sample(5, low=-2, high=0), sample(3, 5, low=0, high=2), note="broadcast bounds"),
        case(sample(0), sample(), sample(), note="size 0"),
    ],
    **by_slopes(
        lambda z, x, low, high: (x > low) & (x < high),
        lambda z, x, low, high: (low > x) & (low < high),
        lambda z, x, low, high: high < max_(x, low),
    ),
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
    cost=per_element(1),
    cases=lambda: (
        [case(sample(3, 7, low=-300, high=300), note=f"to {to}, odd", dtypes=(*ALL_FLOATS, "i32", "u8"), to=to) for to in _CASTS]
        + [
            case(sample(5, fixed=[float("nan"), float("inf"), -float("inf"), 1e30, -0.5]), note=f"specials to {to}", to=to)
            for to in ("i32", "u8", "i8", "f16")
        ]
    ),
    batch=pointwise,
    vjp=unary(lambda call, dy, y, x: match_type(dy, x)),
    jvp=linear(0),
)
