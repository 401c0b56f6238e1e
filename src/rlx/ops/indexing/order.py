"""Order ops: sorting, the largest elements, and where they are.

`sort`, `argmax` and `argmin` compare numbers: -0 equals 0, and NaN is the largest (the extreme, for both of the latter). `top_k` compares
floats in their total order: -NaN < -inf < … < -0 < 0 < … < inf < NaN. `argsort` has both. Equal elements keep their order everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dtype import i32
from rlx.ops.elementwise.unary import ALL_FLOATS
from rlx.ops.indexing.gather import added_along, take_along_axis
from rlx.ops.inference import per_operand_element, real, require
from rlx.ops.movement.parts import narrow
from rlx.ops.movement.shape import replaced
from rlx.ops.record import Array, Attr, Call, DType, OpDef, OpKind, Shape, Value, case, define, exact, sample
from rlx.transforms.rules.batch_formulas import along_axes
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import one

ORDERED = ("f32", "f64", "f16", "bf16", "i32", "u8", "bool")
_SPECIALS = [1.0, float("nan"), -0.0, 0.0, float("inf"), 1.0, -float("nan"), -float("inf")]
_INTEGER = {"vjp": "integer output", "jvp": "integer output"}


def _comparable(x: Array) -> Array:
    """16-bit floats as f32, which NumPy orders by the same rule as all others."""
    return x.astype(np.float32) if DType.of(x.dtype).is_low_float else x


def _total(x: Array) -> Array:
    """Integers in the total order of floats: all bits but the sign are inverted in negative ones."""
    if not DType.of(x.dtype).is_float:
        return x
    bits = x.view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def _order(x: Array, axis: int, descending: bool, total: bool = False) -> Array:
    """Positions in sorted order, equal elements in the order they stand."""
    keys = _total(x) if total else _comparable(x)
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    backward = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return np.asarray(x.shape[axis] - 1 - np.flip(backward, axis))


def _sort_shape(call: Call) -> Shape:
    require(call, real, "real numbers and bools")
    return call.given[0]


def _argsort_shape(call: Call) -> Shape:
    return _sort_shape(call).with_dtype(i32)


def _sort_by_order(x: Value, *, axis: int, descending: bool) -> Any:
    return take_along_axis(x, argsort(x, axis=axis, descending=descending), axis=axis)


def _sort_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The order's own order leads back."""
    back = argsort(argsort(x, axis=call.axis, descending=call.descending), axis=call.axis)
    return [take_along_axis(dy, back, axis=call.axis)]


def _sort_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    places = argsort(operands[0], axis=call.axis, descending=call.descending)
    return [take_along_axis(tangents[0], places, axis=call.axis)]


_SORTED = {"axis": Attr("axis", -1), "descending": Attr("bool", False)}


def _sort_op(name: str, doc: str, **facets: Any) -> OpDef:
    return define(
        name,
        "x",
        kind=OpKind.DataMovement,
        doc=doc,
        tolerance=exact(),
        cost=per_operand_element(1),
        batch=along_axes,
        cases=lambda: [
            case(sample(4, 9), note="plain", dtypes=ORDERED),
            case(sample(3, 8, 2, dtype="i32", low=0, high=3), note="ties on an odd axis", axis=1),
            case(sample(3, 8, dtype="i32", low=0, high=3), note="ties, descending, odd axis", axis=0, descending=True),
            case(sample(8, fixed=_SPECIALS), note="NaN, infinities and zeros", dtypes=("f32", "bf16"), descending=True),
            case(sample(2, 0), note="size 0"),
            *(
                [case(sample(8, fixed=_SPECIALS), note="total order", dtypes=ALL_FLOATS, total=True)]
                if "total" in facets["attrs"]
                else []
            ),
        ],
        **facets,
    )


argsort = _sort_op(
    "argsort",
    "Positions (i32) that sort x along one axis; ties keep their order, also descending. `total` is `top_k`'s order of floats.",
    attrs=_SORTED | {"total": Attr("bool", False)},
    infer=_argsort_shape,
    reference=_order,
    **_INTEGER,
)
sort = _sort_op(
    "sort",
    "x sorted along one axis; NaN is last ascending and first descending.",
    attrs=_SORTED,
    infer=_sort_shape,
    decompose=_sort_by_order,
    vjp=one(_sort_vjp),
    jvp=_sort_jvp,
    reference=lambda x, axis, descending: np.take_along_axis(x, _order(x, axis, descending), axis),
)


# -- the largest ------------------------------------------------------------------------------------------------
def _top_k_shape(call: Call) -> tuple[Shape, Shape]:
    require(call, real, "real numbers and bools")
    (x,) = call.given
    if call.k < 1:
        raise call.error("RLX105", f"k is {call.k}", fix="k is at least 1")
    call.check_at_most(call.k, x.dims[call.axis], f"k against the size of axis {call.axis}", code="RLX102")
    values = x.with_dims(replaced(x.dims, call.axis, call.k))
    return values, values.with_dtype(i32)


def _top_k(x: Array, k: int, axis: int) -> tuple[Array, Array]:
    first = np.take(_order(x, axis, True, total=True), np.arange(k), axis=axis)
    return np.take_along_axis(x, first, axis), first


def _top_k_by_sort(x: Value, *, k: int, axis: int) -> tuple[Value, Value]:
    first = narrow(argsort(x, axis=axis, descending=True, total=True), axis=axis, start=0, length=k)
    return take_along_axis(x, first, axis=axis), first


top_k = define(
    "top_k",
    "x",
    infer=_top_k_shape,
    reference=_top_k,
    kind=OpKind.DataMovement,
    results=("values", "indices"),
    attrs={"k": Attr("int", help="how many"), "axis": Attr("axis", -1)},
    doc="The k largest elements along one axis, descending, and their positions (i32); ties in order. Floats are in total order: -0 < 0.",
    tolerance=exact(),
    cost=per_operand_element(1),
    decompose=_top_k_by_sort,
    vjp=lambda call, operands, results, seeds: [added_along(seeds[0], operands[0], results[1], call.axis, "clip")],
    jvp=lambda call, operands, results, tangents: [take_along_axis(tangents[0], results[1], axis=call.axis), None],
    batch=along_axes,
    cases=lambda: [
        case(sample(4, 9), note="plain", dtypes=ORDERED, k=3),
        case(sample(2, 7, 3, dtype="i32", low=0, high=2), note="ties on an odd axis", k=5, axis=1),
        case(sample(8, fixed=_SPECIALS), note="NaN, infinities and zeros", dtypes=("f32", "bf16"), k=8),
        case(sample(0, 3), note="size 0", k=1),
    ],
)


def _arg_shape(call: Call) -> Shape:
    require(call, real, "real numbers and bools")
    (x,) = call.given
    call.check_at_most(
        1, x.dims[call.axis], f"elements of axis {call.axis} to choose from", code="RLX102", fix="an empty axis has no extreme"
    )
    kept = (1 if axis == call.axis else size for axis, size in enumerate(x.dims) if axis != call.axis or call.keep_dim)
    return Shape.make(kept, i32)


def _arg_op(name: str, find: Any, doc: str) -> OpDef:
    return define(
        name,
        "x",
        infer=_arg_shape,
        kind=OpKind.DataMovement,
        doc=doc,
        reference=lambda x, axis, keep_dim: find(_comparable(x), axis=axis, keepdims=keep_dim),
        attrs={"axis": Attr("axis"), "keep_dim": Attr("bool", False)},
        tolerance=exact(),
        cost=per_operand_element(1),
        batch=along_axes,
        cases=lambda: [
            case(sample(4, 9), note="plain", dtypes=ORDERED, axis=-1),
            case(sample(2, 7, 3, dtype="i32", low=0, high=2), note="ties on an odd axis", axis=1, keep_dim=True),
            case(sample(8, fixed=_SPECIALS), note="the first NaN wins", dtypes=("f32", "bf16"), axis=0),
            case(sample(0, 3), note="size 0 beside the axis", axis=1),
        ],
        **_INTEGER,
    )


argmax = _arg_op("argmax", np.argmax, "The position (i32) of the first maximum along one axis; NaN counts as the maximum.")
argmin = _arg_op("argmin", np.argmin, "The position (i32) of the first minimum along one axis; NaN counts as the minimum.")
