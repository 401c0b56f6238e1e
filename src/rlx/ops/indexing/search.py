"""Where numbers belong in a sorted axis."""

from __future__ import annotations

import numpy as np

from rlx.core.dtype import i32
from rlx.ops.indexing.order import ORDERED
from rlx.ops.inference import compute_common, per_element, real, require
from rlx.ops.record import Array, Attr, Call, Choice, DType, OpKind, Shape, case, define, exact, sample
from rlx.transforms.rules.batch_formulas import leading


class SearchSide(Choice):
    """Before or behind elements that are equal."""

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
    found = np.empty(queries.shape, np.int32)
    for index in np.ndindex(line.shape[:-1]):
        found[index] = np.searchsorted(line[index], queries[index], "right" if side == "right" else "left")
    return found


searchsorted = define(
    "searchsorted",
    "line, queries",
    infer=_search_shape,
    reference=_search,
    kind=OpKind.DataMovement,
    attrs={
        "side": Attr("tag", "left", parse=SearchSide.parse, annotation="SearchSide | str", help="left of equal elements, or right")
    },
    doc="The positions (i32) where queries [batch…, …] belong in line [batch…, n], sorted along its last axis; NaN is the largest.",
    compute_dtype=compute_common,
    tolerance=exact(),
    cost=per_element(20),
    batch=leading,
    vjp="integer output",
    jvp="integer output",
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
