"""Order ops: sorting, the largest elements, and where they are.

`sort`, `argmax` and `argmin` compare numbers: -0 equals 0, and NaN is the largest (the extreme, for both of the latter). `top_k` compares
floats in their total order: -NaN < -inf < … < -0 < 0 < … < inf < NaN. `argsort` has both. Equal elements keep their order everywhere.

The positions of nonzero elements, the distinct elements and their counts take the size of their result as an argument, since it would
depend on the numbers. They are composed of ops, so they compile, batch and differentiate like any graph.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.ir.value import one
from rlx.ops.elementwise.unary import ALL_FLOATS
from rlx.ops.indexing.gather import added_along, iota_like, take_along_axis
from rlx.ops.inference import compute_common, define_movement, per_element, per_operand_element, real, require
from rlx.ops.movement.parts import narrow
from rlx.ops.movement.shape import replace_size
from rlx.ops.record import Array, Attr, Call, Choice, DType, OpDef, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import along_axes, leading
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import one_result

ORDERED = ("f32", "f64", "f16", "bf16", "i32", "u8", "bool")
_SPECIALS = [1.0, float("nan"), -0.0, 0.0, float("inf"), 1.0, -float("nan"), -float("inf")]
_define_order = partial(define_movement, cost=per_operand_element(1), batch=along_axes)


def _comparable(x: Array) -> Array:
    """Converts 16-bit floats to f32, which NumPy sorts by the same rule as all others."""
    return x.astype(np.float32) if DType.of(x.dtype).is_low_float else x


def _total(x: Array) -> Array:
    """Integers in the total order of floats: all bits except the sign are inverted in negative ones."""
    if not DType.of(x.dtype).is_float:
        return x
    bits = x.view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def _order(x: Array, axis: int, descending: bool, total: bool = False) -> Array:
    """The NumPy reference of `argsort`: indices in sorted order; equal elements stay in their order."""
    keys = _total(x) if total else _comparable(x)
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    backward = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return np.asarray(x.shape[axis] - 1 - np.flip(backward, axis))


def _sort_shape(call: Call) -> Shape:
    require(call, real, "real numbers and bools")
    return call.given[0]


def _sort_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The vjp of `sort`: gathers dy by the inverse permutation, which is the argsort of the argsort."""
    back = argsort(argsort(x, axis=call.axis, descending=call.descending), axis=call.axis)
    return [take_along_axis(dy, back, axis=call.axis)]


def _sort_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    places = argsort(operands[0], axis=call.axis, descending=call.descending)
    return [take_along_axis(tangents[0], places, axis=call.axis)]


_SORTED = {"axis": Attr("axis", -1), "descending": Attr("bool", False)}


def _sort_op(name: str, doc: str, **facets: Any) -> OpDef:
    return _define_order(
        name,
        "x",
        doc=doc,
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
    infer=lambda call: _sort_shape(call).with_dtype(i32),
    reference=_order,
    no_gradient="integer output",
)
sort = _sort_op(
    "sort",
    "x sorted along one axis; NaN is last ascending and first descending.",
    attrs=_SORTED,
    infer=_sort_shape,
    decompose=lambda x, *, axis, descending: take_along_axis(x, argsort(x, axis=axis, descending=descending), axis=axis),
    vjp=one_result(_sort_vjp),
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
    values = x.with_dims(replace_size(x.dims, call.axis, call.k))
    return values, values.with_dtype(i32)


def _top_k(x: Array, k: int, axis: int) -> tuple[Array, Array]:
    first = np.take(_order(x, axis, True, total=True), np.arange(k), axis=axis)
    return np.take_along_axis(x, first, axis), first


def _top_k_by_sort(x: Value, *, k: int, axis: int) -> tuple[Value, Value]:
    first = narrow(argsort(x, axis=axis, descending=True, total=True), axis=axis, start=0, length=k)
    return take_along_axis(x, first, axis=axis), first


top_k = _define_order(
    "top_k",
    "x",
    infer=_top_k_shape,
    reference=_top_k,
    results=("values", "indices"),
    attrs={"k": Attr("int", help="how many"), "axis": Attr("axis", -1)},
    doc="The k largest elements along one axis, descending, and their positions (i32); ties in order. Floats are in total order: -0 < 0.",
    decompose=_top_k_by_sort,
    vjp=lambda call, operands, results, seeds: [added_along(seeds[0], operands[0], results[1], call.axis, "clip")],
    jvp=lambda call, operands, results, tangents: [take_along_axis(tangents[0], results[1], axis=call.axis), None],
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
    return _define_order(
        name,
        "x",
        infer=_arg_shape,
        doc=doc,
        reference=lambda x, axis, keep_dim: find(_comparable(x), axis=axis, keepdims=keep_dim),
        attrs={"axis": Attr("axis"), "keep_dim": Attr("bool", False)},
        cases=lambda: [
            case(sample(4, 9), note="plain", dtypes=ORDERED, axis=-1),
            case(sample(2, 7, 3, dtype="i32", low=0, high=2), note="ties on an odd axis", axis=1, keep_dim=True),
            case(sample(8, fixed=_SPECIALS), note="the first NaN wins", dtypes=("f32", "bf16"), axis=0),
            case(sample(0, 3), note="size 0 beside the axis", axis=1),
        ],
        no_gradient="integer output",
    )


argmax = _arg_op("argmax", np.argmax, "The position (i32) of the first maximum along one axis; NaN counts as the maximum.")
argmin = _arg_op("argmin", np.argmin, "The position (i32) of the first minimum along one axis; NaN counts as the minimum.")


# -- binary search in a sorted axis


class SearchSide(Choice):
    """Whether a search inserts before or after equal elements."""

    Left = "left"
    Right = "right"


def _search_shape(call: Call) -> Shape:
    require(call, real, "real numbers and bools")
    line, queries = call.given
    if not line.rank:
        raise call.error("RLX102", "a scalar is no sorted axis", fix="give it shape [n]")
    if queries.rank < line.rank - 1:
        fix = f"queries have the {line.rank - 1} axes before the sorted one, and any number behind them"
        raise call.error("RLX102", f"queries of rank {queries.rank}", fix=fix)
    for axis, (mine, other) in enumerate(zip(line.dims[:-1], queries.dims, strict=False)):
        call.check_same(mine, other, f"sizes at axis {axis}")
    return queries.with_dtype(i32)


def _search(line: Array, queries: Array, side: str) -> Array:
    if DType.of(line.dtype).is_low_float:
        line, queries = line.astype(np.float32), queries.astype(np.float32)
    indices = np.empty(queries.shape, np.int32)
    for index in np.ndindex(line.shape[:-1]):
        indices[index] = np.searchsorted(line[index], queries[index], "right" if side == "right" else "left")
    return indices


searchsorted = define_movement(
    "searchsorted",
    "line, queries",
    infer=_search_shape,
    reference=_search,
    attrs={
        "side": Attr("tag", "left", parse=SearchSide.parse, annotation="SearchSide | str", help="left of equal elements, or right")
    },
    doc="The positions (i32) where queries [batch…, …] belong in line [batch…, n], sorted along its last axis; NaN is the largest.",
    compute_dtype=compute_common,
    cost=per_element(20),
    batch=leading,
    no_gradient="integer output",
    cases=lambda: (
        [
            case(sample(7, fixed=[-2, -1, -1, 0, 1, 1, 2]), sample(3, 5), note="one line, odd", dtypes=ORDERED[:5], side=side)
            for side in ("left", "right")
        ]
        + [
            case(
                sample(2, 4, fixed=[[-1, 0, 0, 1], [0, 1, 2, float("nan")]]),
                sample(2, 6, fixed=[[0, -2, 2, 0.5, float("nan"), -0.0], [1, 0, 3, float("inf"), float("nan"), -1]]),
                note="a line for each row, NaN and both zeros; odd",
            ),
            case(sample(0), sample(4), note="an empty line"),
            case(sample(3, 5, fixed=[[0.0] * 5] * 3), sample(3), note="one query for each row", side="right"),
        ]
    ),
)


# -- results whose size would depend on the numbers, with a fixed size


def _flat(x: Value) -> Value:
    return x if x.rank == 1 else x.reshape(-1)


def _positions(chosen: Value, size: Size, fill_value: Any) -> Value:
    """The indices of the true elements in a mask [n], in order: the running count before each is its index in the result."""
    indices = as_dtype(chosen, i32)
    target = one("cumsum", indices, axis=0) - 1
    target = one("where", chosen, target, size)  # out of range: dropped
    positions = one("scatter_add", iota_like(chosen, chosen.shape, 0), target, out_dim=size, mode="fill")
    return one("where", iota_like(chosen, (size,), 0) < indices.sum(), positions, fill_value)


def nonzero(x: Value, *, size: Size, fill_value: int = 0) -> tuple[Value, ...]:
    """The indices (i32) of the elements that are not 0, one array of `size` for each axis of x, in row-major order.

    Indices beyond `size` are dropped; missing ones are `fill_value` on every axis.
    """
    if not x.rank:
        raise RlxError("RLX102", "nonzero of a scalar", fix="reshape it to [1]")
    flat = _flat(x)
    chosen = flat if flat.dtype.is_bool else flat != 0
    rest = _positions(chosen, size, -1)
    missing, coordinates = rest < 0, []
    for axis in range(x.rank - 1, 0, -1):
        count = x.shape[axis]
        coordinates.append(one("mod", rest, count))
        rest = one("floor_div", rest, count)
    return tuple(one("where", missing, fill_value, index) for index in (rest, *reversed(coordinates)))


class Unique(NamedTuple):
    """The results of `unique`: `inverse` has an entry for each element of x, the others one for each distinct element."""

    values: Value
    indices: Value
    inverse: Value
    counts: Value


def unique(x: Value, *, size: Size, fill_value: Any = None) -> Unique:
    """The distinct elements of x in ascending order, the first index of each, the inverse indices and the counts.

    Only the first `size` are returned; missing values are `fill_value` (the smallest element by default), with index 0 and count 0.
    All NaN count as one.
    """
    flat = _flat(x)
    order = argsort(flat, axis=0)
    ordered = one("gather", flat, order, axis=0)
    before, after = ordered[:-1], ordered[1:]
    differs = after != before
    if x.dtype.is_float:
        differs = differs & ~(one("is_nan", after) & one("is_nan", before))
    start = iota_like(flat, (1,), 0) == 0
    first = one("concat", start, differs, axis=0)
    group = one("cumsum", as_dtype(first, i32), axis=0) - 1
    counts = one("scatter_add", group * 0 + 1, group, out_dim=size, mode="fill")
    places = _positions(first, size, 0)
    missing = iota_like(flat, (size,), 0) > group[-1]
    values = one("gather", ordered, places, axis=0)
    values = one("where", missing, ordered[0] if fill_value is None else fill_value, values)
    indices = one("where", missing, 0, one("gather", order, places, axis=0))
    inverse = one("scatter_add", group, order, out_dim=flat.shape[0])
    return Unique(values, indices, inverse, counts)


def bincount(x: Value, *, length: Size, weights: Value | None = None) -> Value:
    """Counts each of 0 … length − 1 in the integers x, or sums their weights.

    Negative integers count as 0, larger ones are dropped.
    """
    if not x.dtype.is_integer:
        raise RlxError("RLX103", f"bincount of {x.dtype}", fix="it takes integers: .astype('i32')")
    places = one("max", _flat(x), 0)
    terms = as_dtype(places * 0 + 1, i32) if weights is None else _flat(weights)
    return one("scatter_add", terms, places, out_dim=length, mode="fill")
