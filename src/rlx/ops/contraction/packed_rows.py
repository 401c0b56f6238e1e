"""Rows by expert, and rows of a table, of packed weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.ir.tolerance import ulps
from rlx.layouts.weight_layout import WeightLayout
from rlx.ops.contraction.grouped import batch_grouped_matmul, check_experts, grouped_matmul, require_an_expert, rows_by_expert
from rlx.ops.contraction.packed import (
    EXACT,
    PACKED_TOLERANCE,
    SOME_ROWS,
    check_packed,
    compute_packed,
    matrices,
    packed_attrs,
    packed_rows,
    product_dtype,
    work,
)
from rlx.ops.indexing.gather import fill_value, gather, index_attrs, resolve_positions
from rlx.ops.inference import define_movement, require_integers
from rlx.ops.quantized.dequant import dequant_gather, dequant_grouped_matmul
from rlx.ops.record import Array, Attr, Call, Case, DType, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, one_by_one, with_batch_axis
from rlx.transforms.rules.derivative import jvp_by_parts, vjp_by_parts


# -- rows by expert ---------------------------------------------------------------------------------------------
def _grouped_shape(call: Call) -> Shape:
    x, w, experts = call.given
    layout, dims = check_packed(call, w)
    check_experts(call, x, experts)
    if len(dims) != 3:
        raise call.error("RLX102", f"matrices {list(dims)}", fix="one for each expert: pack [E, K, N]")
    require_an_expert(call, dims[0], "pack [E, K, N]")
    call.check_same(x.dims[1], dims[1], "the inner sizes", fix="the experts' matrices are [K, n] with the K of x")
    return Shape.make((x.dims[0], dims[2]), product_dtype(call, layout))


def _grouped(x: Array, w: Array, experts: Array, layout: WeightLayout, n: int, exact: bool, mode: str, check_bounds: bool) -> Array:
    (weights,) = matrices(layout, w, n)
    return rows_by_expert(x, weights, experts, mode, check_bounds, "packed_grouped_matmul")


def _by_grouped(
    x: Value, w: Value, experts: Value, *, layout: WeightLayout, n: Size, exact: bool, mode: str, check_bounds: bool
) -> Value:
    (weights,) = layout.unpack_values(w, n)
    attrs = {"mode": mode, "check_bounds": check_bounds}
    if layout.scheme is None:
        result: Value = grouped_matmul(x, weights, experts, **attrs)
    else:
        result = dequant_grouped_matmul(x, weights, experts, scheme=layout.scheme, **attrs)
    return result


def _grouped_cases() -> list[Case]:
    def experts(dtype: str, *numbers: int) -> Any:
        return sample(len(numbers), dtype=dtype, fixed=numbers)

    dense = [
        ((6, 5), (3, 2, 5, 16), experts("i32", 0, 0, 1, 2, 2, 2), 32, {"dtypes": ("f32", "f16", "bf16")}, "grouped"),
        ((7, 33), (4, 2, 33, 16), experts("i64", 3, 0, -1, 1, 3, 0, 9), 19, {}, "mixed, odd columns, one outside, clamped"),
        ((3, 4), (2, 1, 4, 16), experts("i32", 0, 5, 1), 3, {"mode": "fill"}, "outside, filled, odd"),
        ((3, 4), (2, 2, 4, 3), experts("i32", 0, 1, 1), 5, {}, "odd: narrow panels"),
        ((0, 4), (2, 1, 4, 16), sample(0, dtype="i32"), 3, {}, "no rows"),
    ]
    stored = [
        ("rows8_q4k", True, "clip"),
        ("rows8_q4k", False, "fill"),
        ("rows8_q6k", False, "clip"),
        ("rows8_q8_0", False, "clip"),
    ]
    chosen = experts("i32", 2, 0, 0, -1, 1, 7)
    rows = [
        case(sample(*x), sample(*w), numbers, note=note, layout=f"panel{w[-1]}", n=n, **more)  # type: ignore[arg-type]
        for x, w, numbers, n, more, note in dense
    ]
    for name, exact_, mode in stored:
        attrs: dict[str, Any] = {"layout": name, "n": 9, "exact": exact_, "mode": mode}
        note = f"{name}, odd columns, one outside"
        rows.append(case(sample(6, 256), packed_rows(name, 256, 9, 3), chosen, note=note, **attrs))
    return rows


packed_grouped_matmul = define(
    "packed_grouped_matmul",
    "x, w, expert_idx:index",
    infer=_grouped_shape,
    reference=_grouped,
    kind=OpKind.Compute,
    compute_dtype=compute_packed,
    attrs=packed_attrs(**EXACT, **index_attrs()),
    doc="out[i] = x[i] times the matrix [K, n] of expert_idx[i], of experts [E, K, n] in one packed weight; `exact` as in `packed_matmul`.",
    tolerance=PACKED_TOLERANCE,
    cost=work(),
    decompose=_by_grouped,
    vjp=vjp_by_parts(),
    jvp=jvp_by_parts(),
    batch=batch_grouped_matmul,
    cases=_grouped_cases,
)


# -- rows of a table --------------------------------------------------------------------------------------------
def _gather_shape(call: Call) -> Shape:
    w, indices = call.given
    require_integers(call)
    _, dims = check_packed(call, w)
    if len(dims) != 2:
        raise call.error("RLX102", f"matrices {list(dims)}", fix="one table")
    return Shape.make((*indices.dims, dims[0]), call.op.attrs["dtype"])


def _gather(w: Array, indices: Array, layout: WeightLayout, n: int, dtype: DType, mode: str, check_bounds: bool) -> Array:
    (matrix,) = matrices(layout, w, n)
    positions, outside = resolve_positions(indices, n, check_bounds, "packed_gather")
    rows = matrix.T[positions]
    return np.where(outside[..., None], fill_value(dtype), rows) if mode == "fill" else rows


def _by_gather(w: Value, indices: Value, *, layout: WeightLayout, n: Size, dtype: DType, mode: str, check_bounds: bool) -> Value:
    (table,) = layout.unpack_values(w, n)
    attrs = {"mode": mode, "check_bounds": check_bounds}
    if layout.scheme is None:
        return as_dtype(gather(table.T, indices, axis=0, **attrs), dtype)
    return dequant_gather(table, indices, scheme=layout.scheme, dtype=dtype, **attrs)


def _batch_gather(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `packed_gather`: a shared table takes more indices; tables by example are read one after the other."""
    return one_by_one(call, operands, axes) if axes[0] is not None else with_batch_axis(again(call, operands))


def _gather_cases() -> list[Case]:
    indices = sample(2, 3, dtype="i32", fixed=[[0, -1, 5], [8, 2, 99]])
    filled: dict[str, Any] = {"layout": "rows8_q4k", "n": 9, "dtype": "bf16", "mode": "fill"}
    return [
        *(case(packed_rows(name, 512, 11), indices, note=f"{name}, odd: one outside", layout=name, n=11) for name in SOME_ROWS),
        case(packed_rows("rows8_q4k", 256, 9), indices, note="filled, bf16", **filled),
    ]


packed_gather = define_movement(
    "packed_gather",
    "w:packed, indices:index",
    infer=_gather_shape,
    reference=_gather,
    attrs=packed_attrs(dtype=Attr("dtype", "f32", help="the float to make"), **index_attrs()),
    doc="Columns of the matrix in a packed weight as floats: an embedding that is the output layer as well.",
    tolerance=ulps(1),
    decompose=_by_gather,
    no_gradient="packed weights have no gradient",
    batch=_batch_gather,
    cases=_gather_cases,
)
