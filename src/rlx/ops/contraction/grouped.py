"""Products of several matrices in one op: rows by expert, and a low-rank addition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.emit import emit, is_packed, size_scalar
from rlx.ir.tolerance import summed
from rlx.ops.contraction.matmul import NUMERIC, identity, matmul, matmul_dims
from rlx.ops.control.control import scan_values
from rlx.ops.elementwise.binary import clamp, where
from rlx.ops.indexing.gather import count_from_front, gather, index_attrs, resolve_positions
from rlx.ops.inference import define_product, numeric, require, require_integers
from rlx.ops.movement.shape import expand
from rlx.ops.record import OPS, Array, Attr, Call, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    again,
    batch_size,
    in_front,
    merge_batch,
    positions_of_all,
    rows_of_x,
    split_batch,
)
from rlx.transforms.rules.derivative import Derivative, Maybe, Rule, Values
from rlx.transforms.rules.formulas import conj, match_type, multilinear, one_result, swap_last_axes


# -- a row, its expert ------------------------------------------------------------------------------------------
def check_experts(call: Call, x: Shape, experts: Shape) -> None:
    """Checks that x is `[M, K]` with one expert index for each row."""
    require_integers(call)
    if x.rank != 2:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="rows [M, K]; reshape batches into rows")
    if experts.rank != 1:
        raise call.error("RLX102", f"expert_idx has rank {experts.rank}", fix="one expert for each row: [M]")
    call.check_same(x.dims[0], experts.dims[0], "rows of x and entries of expert_idx")


def _grouped_shape(call: Call) -> Shape:
    x, w, experts = call.given
    require(call, numeric, NUMERIC)
    check_experts(call, x, experts)
    if w.rank != 3:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="a matrix for each expert: [E, K, N]")
    call.check_same(x.dims[1], w.dims[1], "the inner sizes", fix="w is [E, K, N] with the K of x")
    require_an_expert(call, w.dims[0], "w is [E, K, N]")
    return Shape.make((x.dims[0], w.dims[2]), promote(x.dtype, w.dtype))


def require_an_expert(call: Call, count: Size, what: str) -> None:
    """Checks that a grouped product has at least one matrix."""
    if isinstance(count, int) and count == 0:
        raise call.error("RLX102", "there is no expert", fix=f"{what} with E at least 1")


def rows_by_expert(x: Array, w: Array, experts: Array, mode: str, check_bounds: bool, what: str) -> Array:
    """Multiplies each expert's rows by its matrix; rows with an index out of range are NaN (0 for ints) under `fill`."""
    positions, outside = resolve_positions(experts, w.shape[0], check_bounds, what)
    result = np.zeros((x.shape[0], w.shape[2]), np.result_type(x, w))
    for expert in np.unique(positions):
        rows = positions == expert
        result[rows] = np.matmul(x[rows], w[expert])
    if mode == "fill":
        result[outside] = np.nan if np.issubdtype(result.dtype, np.inexact) else 0
    return result


def _grouped_by_gather(x: Value, w: Value, experts: Value, *, mode: str, check_bounds: bool) -> Any:
    """Multiplies each row by a gathered copy of its expert's matrix: only for backends without a kernel."""
    chosen = gather(w, experts, axis=0, mode=mode, check_bounds=check_bounds)
    return matmul(x.reshape(x.shape[0], 1, x.shape[1]), chosen).reshape(x.shape[0], w.shape[2])


def expert_mask(call: Derivative, dy: Value, experts: Value, count: Size) -> tuple[Value, Value]:
    """Returns the clamped expert of each row, and dy with zeros for rows that `fill` replaced."""
    size = size_scalar(dy, count)
    places, inside = count_from_front(experts, size)
    if call.mode == "fill":
        dy = where(inside.reshape(*experts.shape, 1), dy, 0.0)
    return clamp(places, 0, size - 1), dy


def dense_experts(w: Value, like: Value) -> Value:
    """Unpacks experts `[E, K, N]` by multiplying the identity with each."""
    count, inner, columns = w.shape
    rows = expand(identity(like.graph, like, inner), shape=(count, inner, inner)).reshape(count * inner, inner)
    places = emit(OPS["iota"], (), {"shape": (count, inner), "axis": 0}, graph=like.graph).reshape(count * inner)
    return grouped_matmul(rows, w, places).reshape(count, inner, columns)


def _grouped_vjp(call: Derivative, dy: Value, x: Value, w: Value, experts: Value) -> list[Maybe]:
    places, seed = expert_mask(call, dy, experts, w.shape[0])
    left: Maybe = None
    right: Maybe = None
    if call.wanted[0]:
        whole = dense_experts(w, dy) if is_packed(w) else w
        left = as_dtype(grouped_matmul(seed, swap_last_axes(conj(whole)), places), x.dtype)
    if call.wanted[1]:
        right = as_dtype(grouped_matmul_backward_weight(conj(x), seed, places, num_experts=w.shape[0]), w.dtype)
    return [left, right, None]


def grouped_jvp(*linear_in: int) -> Rule:
    """The jvp of a grouped product by these operands; rows with an index out of range, which `fill` replaced, have tangent 0."""

    def rule(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
        (moved,) = multilinear(*linear_in)(call.of(call.op.with_attrs(mode="clip")), operands, results, tangents)
        return [None if moved is None else expert_mask(call, moved, operands[2], operands[1].shape[0])[1]]

    return rule


def experts_of_all(call: Call, experts: Value, axis: Axis, size: Size, count: Size) -> Value:
    """The expert indices `[n·M]` of all examples' rows into the concatenated experts of the n examples."""
    outside = call.mode == "fill" or call.check_bounds
    return merge_batch(positions_of_all(in_front(experts, axis, size), count, keep_outside=outside), 0, size)


def batch_grouped_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `grouped_matmul`: concatenates the rows of all examples, and the experts where they differ by example."""
    x, w, experts = operands
    assert x is not None and w is not None and experts is not None
    size = batch_size(operands, axes)
    rows = merge_batch(x, axes[0], size)
    if axes[1] is None:
        return split_batch(call, again(call, (rows, w, merge_batch(experts, axes[2], size))), size)
    chosen = experts_of_all(call, experts, axes[2], size, call.given[1].dims[0])
    return split_batch(call, again(call, (rows, merge_batch(w, 0, size), chosen)), size)


grouped_matmul = define_product(
    "grouped_matmul",
    "x, w, expert_idx:index",
    infer=_grouped_shape,
    reference=lambda x, w, experts, mode, check_bounds: rows_by_expert(x, w, experts, mode, check_bounds, "grouped_matmul"),
    attrs=index_attrs(),
    decompose=_grouped_by_gather,
    packed_operand=1,
    doc="out[i] = x[i] @ w[expert_idx[i]], for x `[M, K]` and w `[E, K, N]`; fast when rows are grouped by expert.",
    tolerance=summed(1.0, lambda op, operands: operands[0].shape[-1]),
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[1] * 2,
    integer_form="",
    vjp=one_result(_grouped_vjp),
    jvp=grouped_jvp(0, 1),
    batch=batch_grouped_matmul,
    cases=lambda: [
        case(
            sample(6, 5),
            sample(3, 5, 4),
            sample(6, dtype="i32", fixed=[0, 0, 1, 2, 2, 2]),
            note="grouped",
            dtypes=("f32", "f64", "f16", "bf16", "i32"),
        ),
        case(
            sample(7, 33),
            sample(4, 33, 19),
            sample(7, dtype="i64", fixed=[3, 0, -1, 1, 3, 0, 9]),
            note="mixed, odd sizes, one outside, clamped",
        ),
        case(sample(3, 4), sample(2, 4, 3), sample(3, dtype="i32", fixed=[0, 5, 1]), note="outside, filled, odd", mode="fill"),
        case(sample(0, 4), sample(2, 4, 3), sample(0, dtype="i32"), note="no rows"),
    ],
)


# -- back to the experts' weights -------------------------------------------------------------------------------
def _weight_shape(call: Call) -> Shape:
    x, dy, experts = call.given
    require(call, numeric, NUMERIC)
    check_experts(call, x, experts)
    if dy.rank != 2:
        raise call.error("RLX102", f"dy has rank {dy.rank}", fix="rows [M, N], one for each row of x")
    call.check_same(x.dims[0], dy.dims[0], "rows of x and of dy")
    return Shape.make((call.num_experts, x.dims[1], dy.dims[1]), promote(x.dtype, dy.dtype))


def _weight_gradients(x: Array, dy: Array, experts: Array, num_experts: int) -> Array:
    gradients = np.zeros((num_experts, x.shape[1], dy.shape[1]), np.result_type(x, dy))
    for expert in range(num_experts):
        rows = experts == expert
        gradients[expert] = np.matmul(x[rows].T, dy[rows])
    return gradients


def _weights_one_by_one(x: Value, dy: Value, experts: Value, *, num_experts: Size) -> Value:
    """The gradient of the experts' matrices in a loop over experts, masking all other rows: only for backends without a kernel."""
    numbers = emit(OPS["iota"], (), {"shape": (num_experts,), "dtype": experts.dtype}, graph=x.graph)

    def step(rows: Value, seeds: Value, chosen: Value, number: Value) -> Any:
        mine = where((chosen == number).reshape(*chosen.shape, 1), rows, as_dtype(number, rows.dtype) * 0)
        return matmul(mine.T, seeds)

    (gradients,) = scan_values(step, (), (numbers,), bcasts=(x, dy, experts), length=num_experts)
    return gradients


def _experts_vjp(call: Derivative, ct: Value, x: Value, dy: Value, experts: Value) -> list[Maybe]:
    """The vjp of the experts' weight gradient: rows of x and dy times their expert's cotangent; zeros where there is none."""
    size = as_dtype(size_scalar(ct, call.num_experts), experts.dtype)
    inside = ((experts >= 0) & (experts < size)).reshape(*experts.shape, 1)
    places = clamp(experts, 0, size - 1)
    gradients = (grouped_matmul(rows, w, places) for rows, w in ((conj(dy), swap_last_axes(ct)), (conj(x), ct)))
    return [*(match_type(where(inside, rows, 0.0), operand) for rows, operand in zip(gradients, (x, dy), strict=True)), None]


grouped_matmul_backward_weight = define_product(
    "grouped_matmul_backward_weight",
    "x, dy, expert_idx:index",
    infer=_weight_shape,
    reference=_weight_gradients,
    attrs={"num_experts": Attr("size", help="E, the number of matrices")},
    decompose=_weights_one_by_one,
    doc="out[e] = Σ x[i]ᵀ·dy[i] over the rows of expert e, for x `[M, K]` and dy `[M, N]`; a row whose expert is outside adds nothing.",
    tolerance=summed(2.0, lambda op, operands: operands[0].shape[0]),
    cost=lambda call, results: call.given[0].num_elements * call.given[1].dims[1] * 2,
    vjp=one_result(_experts_vjp),
    jvp=multilinear(0, 1),
    cases=lambda: [
        case(
            sample(6, 5),
            sample(6, 4),
            sample(6, dtype="i32", fixed=[0, 0, 1, 2, 2, 2]),
            note="grouped",
            dtypes=("f32", "f64", "f16", "bf16", "i32"),
            num_experts=4,
        ),
        case(
            sample(210, 101),
            sample(210, 67),
            sample(210, dtype="i64", fixed=[3, 0, -1, 1, 3, 0, 9] * 30),
            note="mixed, odd sizes, some outside",
            num_experts=5,
        ),
        case(sample(0, 4), sample(0, 3), sample(0, dtype="i32"), note="no rows", num_experts=2),
    ],
)


# -- low-rank addition ------------------------------------------------------------------------------------------
def _lora_shape(call: Call) -> Shape:
    x, w, a, b = call.given
    require(call, numeric, NUMERIC)
    for name, shape in (("w", w), ("a", a), ("b", b)):
        if shape.rank != 2:
            raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="w [K, N], a [K, r], b [r, N]")
    call.check_same(w.dims[0], a.dims[0], "rows of w and of a")
    call.check_same(a.dims[1], b.dims[0], "columns of a and rows of b")
    call.check_same(w.dims[1], b.dims[1], "columns of w and of b")
    return Shape.make(matmul_dims(call, x.dims, w.dims), promote(*(shape.dtype for shape in call.given)))


def _lora_by_matmul(x: Value, w: Value, a: Value, b: Value, *, scale: float) -> Value:
    """Applies LoRA as two small products instead of a dense a·b; 16-bit floats are computed in f32 up to the sum."""
    dtype = promote(x.dtype, w.dtype, a.dtype, b.dtype)
    x, w, a, b = (as_dtype(value, dtype.compute) for value in (x, w, a, b))
    return as_dtype(matmul(x, w) + matmul(matmul(x, a), b) * scale, dtype)


lora_matmul = define_product(
    "lora_matmul",
    "x, w, a, b",
    infer=_lora_shape,
    reference=lambda x, w, a, b, scale: np.matmul(x, w) + np.asarray(scale, x.dtype) * np.matmul(np.matmul(x, a), b),
    attrs={"scale": Attr("float", 1.0, help="the weight of the addition")},
    doc="x·w + scale·(x·a)·b, for a `[K, r]` and b `[r, N]` of low rank.",
    tolerance=summed(4.0, lambda op, operands: operands[0].shape[-1]),
    decompose=_lora_by_matmul,
    cost=lambda call, results: (
        results[0].num_elements * (call.given[0].dims[-1] + call.given[2].dims[1]) * 2
        + call.given[0].num_elements * call.given[2].dims[1] * 2
    ),
    integer_form="",
    batch=rows_of_x,
    cases=lambda: [
        case(sample(4, 6), sample(6, 5), sample(6, 2), sample(2, 5), note="plain", dtypes=("f32", "f64", "f16", "bf16"), scale=0.5),
        case(sample(2, 3, 33), sample(33, 17), sample(33, 3), sample(3, 17), note="broadcast over a batch, odd sizes", scale=2.0),
        case(sample(4, 6), sample(6, 5), sample(6, 0), sample(0, 5), note="odd: rank 0 adds nothing"),
    ],
)
