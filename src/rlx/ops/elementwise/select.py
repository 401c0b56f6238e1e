"""Selection between operands, and casts."""

from __future__ import annotations

import numpy as np

from rlx.core.dtype import cast_array, promote
from rlx.ir.tolerance import rounded_once
from rlx.ops.elementwise.binary import max_
from rlx.ops.elementwise.unary import ALL_FLOATS, not_
from rlx.ops.inference import broadcast_dims, compute_common, elementwise, per_element, real, same_type
from rlx.ops.record import Array, Attr, Call, DType, OpKind, Shape, case, define, exact, sample
from rlx.transforms.rules.batch_formulas import pointwise
from rlx.transforms.rules.formulas import by_slopes, linear, matched, unary


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
    cost=per_element(1),
    cases=lambda: [
        case(sample(4, 7, dtype="bool"), sample(4, 7), sample(4, 7), note="plain", dtypes=(*ALL_FLOATS, "i32", "bool")),
        case(sample(4, 1, dtype="bool"), sample(7), sample(), note="broadcast of all three", dtypes=(*ALL_FLOATS, "i32")),
        case(sample(2, 0, dtype="bool"), sample(1, 1), sample(0), note="size 0"),
    ],
    batch=pointwise,
    **by_slopes(None, lambda z, c, x, y: c, lambda z, c, x, y: not_(c)),
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
    cost=per_element(2),
    cases=lambda: [
        case(sample(4, 7), sample(fixed=-1.0), sample(fixed=1.0), note="scalar bounds, broadcast", dtypes=(*ALL_FLOATS, "i32")),
        case(sample(3, 1, 5), sample(5, low=-2, high=0), sample(3, 5, low=0, high=2), note="broadcast bounds"),
        case(sample(0), sample(), sample(), note="size 0"),
    ],
    batch=pointwise,
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
    vjp=unary(lambda call, dy, y, x: matched(dy, x)),
    jvp=linear(0),
)
