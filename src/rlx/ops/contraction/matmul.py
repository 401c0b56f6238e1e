"""Contractions: sums of products over shared axes.

Low floats accumulate in f32; ints multiply and add in their promoted dtype and wrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.dtype import promote
from rlx.ir.emit import emit, is_packed
from rlx.ir.graph import Graph
from rlx.ir.tolerance import summed
from rlx.ops.inference import broadcast_dims, define_product, numeric, require
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.record import OPS, Array, Attr, Call, Op, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, align_example_axes, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import conj, match_type, multilinear, one_result, swap_last_axes

NUMBERS = ("f32", "f64", "f16", "bf16", "i32", "u8")
NUMERIC = "numbers (bools: cast to an int first)"


# -- matmul -----------------------------------------------------------------------------------------------------
def matmul_dims(call: Call, left: Sequence[Size], right: Sequence[Size]) -> tuple[Size, ...]:
    """The result dims of np.matmul: batch axes broadcast, a rank-1 operand is a row on the left and a column on the right."""
    if not left or not right:
        raise call.error("RLX102", "a scalar has no rows", fix="use mul, or reshape to rank 1")
    inner = right[-2] if len(right) > 1 else right[0]
    fix = f"transpose the right operand, or give it {left[-1]} rows: [{left[-1]}, …]" if len(right) > 1 else None
    call.check_same(left[-1], inner, "the inner sizes", fix=fix if isinstance(left[-1], int) and isinstance(inner, int) else None)
    batch = broadcast_dims(call, left[:-2], right[:-2])
    return (*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))


def _matmul_shape(call: Call) -> Shape:
    require(call, numeric, NUMERIC)
    left, right = call.given
    return Shape.make(matmul_dims(call, left.dims, right.dims), promote(left.dtype, right.dtype))


def two_for_each_product(call: Call, results: tuple[Shape, ...]) -> Size:
    """Operations of a matmul: a multiplication and an addition for each of M·N·K products."""
    return results[0].num_elements * call.given[0].dims[-1] * 2


def inner_size(op: Op, operands: Sequence[Array | None]) -> int:
    """The size K of the contracted axis of a matmul."""
    assert operands[0] is not None
    return int(operands[0].shape[-1])


def identity(graph: Graph, like: Value, size: Size) -> Value:
    """The identity matrix in the dtype of a Value."""
    rows, columns = (emit(OPS["iota"], (), {"shape": (size, size), "axis": axis}, graph=graph) for axis in (0, 1))
    return as_dtype(rows == columns, like.dtype)


def _dense(w: Value, like: Value) -> Value:
    """Unpacks a packed weight by multiplying the identity with it."""
    return matmul(identity(like.graph, like, w.shape[-2]), w) if is_packed(w) else w


def _matmul_vjp(call: Derivative, dy: Value, x: Value, y: Value) -> list[Maybe]:
    """The vjp of `matmul`: dx = dy·yᴴ, dy = xᴴ·dy. Vectors become rows and columns; batches with one matrix are flattened."""
    rows = x if x.rank > 1 else x.reshape(1, *x.shape)
    columns = y if y.rank > 1 else y.reshape(*y.shape, 1)
    batch = dy.shape[: dy.rank - (x.rank > 1) - (y.rank > 1)]
    seed = dy.reshape(*batch, rows.shape[-2], columns.shape[-1])
    left: Maybe = None
    right: Maybe = None
    if call.wanted[0]:
        left = match_type(matmul(seed, swap_last_axes(conj(_dense(columns, dy)))), rows).reshape(x.shape)
    if call.wanted[1]:
        if columns.rank == 2 and rows.rank > 2:
            rows = rows.reshape(product(rows.shape[:-1]), rows.shape[-1])
            seed = seed.reshape(product(seed.shape[:-1]), seed.shape[-1])
        right = match_type(matmul(swap_last_axes(conj(rows)), seed), columns).reshape(y.shape)
    return [left, right]


def _batch_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `matmul`: a shared matrix or vector multiplies the rows of all examples; else one product for each example."""
    x, y = operands
    assert x is not None and y is not None
    left, right = call.given
    if axes[1] is None and right.rank <= 2:
        return with_batch_axis(again(call, (x, y)))
    if axes[0] is None and right.rank == 1 and left.rank <= 2:
        return with_batch_axis(again(call, (y, x if left.rank == 1 else x.T)))
    if axes[0] is None and right.rank >= 2 and left.rank <= 2:
        return with_batch_axis(again(call, (x, y)))
    rank = max(left.rank, right.rank, 2)
    rows, columns = align_example_axes(_as_row(x, left), axes[0], rank), align_example_axes(_as_column(y, right), axes[1], rank)
    (out,) = again(call, (rows, columns))
    (example,) = call.op.infer(call.shapes, call.assumptions)
    return with_batch_axis([out.reshape(out.shape[0], *example.dims)])


def _as_row(value: Value, example: Shape) -> Value:
    """Reshapes a vector operand of `matmul`, batched or not, to a matrix of one row; returns matrices unchanged."""
    return value if example.rank > 1 else value.reshape(*value.shape[:-1], 1, value.shape[-1])


def _as_column(value: Value, example: Shape) -> Value:
    """Reshapes a vector operand of `matmul` to a matrix of one column."""
    return value if example.rank > 1 else value.reshape(*value.shape, 1)


matmul = define_product(
    "matmul",
    "x, y",
    infer=_matmul_shape,
    reference=np.matmul,
    doc="The matrix product, as np.matmul; y may be a packed param.",
    tolerance=summed(1.0, inner_size),
    cost=two_for_each_product,
    packed_operand=1,
    integer_form="q_matmul",
    vjp=one_result(_matmul_vjp),
    jvp=multilinear(0, 1),
    batch=_batch_matmul,
    cases=lambda: [
        case(sample(4, 7), sample(7, 5), note="plain", dtypes=NUMBERS),
        case(sample(2, 1, 3, 5), sample(4, 5, 2), note="broadcast of batches both ways", dtypes=("f32", "bf16", "i32")),
        case(sample(6), sample(6, 3), note="a row, odd"),
        case(sample(2, 4, 6), sample(6), note="a column, odd"),
        case(sample(6), sample(6), note="two vectors, odd"),
        case(sample(33, 67), sample(67, 35), note="odd sizes around vector widths", dtypes=("f32", "f16")),
        case(sample(3, 0), sample(0, 2), note="nothing to sum: zeros"),
        case(sample(3, 4, dtype="c64"), sample(4, 2, dtype="c64"), note="complex"),
    ],
)


# -- dot_general ------------------------------------------------------------------------------------------------
def _check_pairs(call: Call, kind: str, left_axes: Sequence[int], right_axes: Sequence[int]) -> None:
    left, right = call.given
    if len(left_axes) != len(right_axes):
        message = f"lhs_{kind} {tuple(left_axes)} and rhs_{kind} {tuple(right_axes)} differ in length"
        raise call.error("RLX105", message, fix="axes are paired in order")
    for a, b in zip(left_axes, right_axes, strict=True):
        call.check_same(left.dims[a], right.dims[b], f"{kind} sizes at axes {a} and {b},")


def _free(rank: int, *used: Sequence[int]) -> list[int]:
    """The axes of a `dot_general` operand that are neither batch nor contracted, in order."""
    return [axis for axis in range(rank) if all(axis not in axes for axes in used)]


def _dot_general_shape(call: Call) -> Shape:
    require(call, numeric, NUMERIC)
    left, right = call.given
    _check_pairs(call, "contract", call.lhs_contract, call.rhs_contract)
    _check_pairs(call, "batch", call.lhs_batch, call.rhs_batch)
    for side, contract, batch in (("lhs", call.lhs_contract, call.lhs_batch), ("rhs", call.rhs_contract, call.rhs_batch)):
        both = set(contract) & set(batch)
        if both:
            message = f"axis {min(both)} is in {side}_contract and in {side}_batch"
            raise call.error("RLX104", message, fix="an axis is one or the other")
    batch = [left.dims[axis] for axis in call.lhs_batch]
    rows = [left.dims[axis] for axis in _free(left.rank, call.lhs_contract, call.lhs_batch)]
    columns = [right.dims[axis] for axis in _free(right.rank, call.rhs_contract, call.rhs_batch)]
    return Shape.make((*batch, *rows, *columns), promote(left.dtype, right.dtype))


Axes = tuple[int, ...]


def _dot_general(x: Array, y: Array, lhs_contract: Axes, rhs_contract: Axes, lhs_batch: Axes = (), rhs_batch: Axes = ()) -> Array:
    """The NumPy reference of `dot_general`: multiplies [batch…, rows, inner] by [batch…, inner, columns]."""
    rows, columns = _free(x.ndim, lhs_contract, lhs_batch), _free(y.ndim, rhs_contract, rhs_batch)
    left, right = x.transpose((*lhs_batch, *rows, *lhs_contract)), y.transpose((*rhs_batch, *rhs_contract, *columns))
    count, free = len(lhs_batch), left.ndim - len(lhs_contract)
    inner = int(np.prod(left.shape[free:], dtype=np.int64))
    batch, outer, across = left.shape[:count], left.shape[count:free], right.shape[count + len(rhs_contract) :]
    sizes = [int(np.prod(part, dtype=np.int64)) for part in (outer, across)]
    out = np.matmul(left.reshape(*batch, sizes[0], inner), right.reshape(*batch, inner, sizes[1]))
    return np.asarray(out.reshape((*batch, *outer, *across)))


def _dot_general_by_matmul(x: Value, y: Value, *, lhs_contract: Axes, rhs_contract: Axes, lhs_batch: Axes, rhs_batch: Axes) -> Any:
    """`dot_general` in terms of transposes, reshapes (of static or symbolic sizes) and one matmul."""
    rows, columns = _free(x.rank, lhs_contract, lhs_batch), _free(y.rank, rhs_contract, rhs_batch)
    batch = [x.shape[axis] for axis in lhs_batch]
    outer, across = [x.shape[axis] for axis in rows], [y.shape[axis] for axis in columns]
    inner = product(x.shape[axis] for axis in lhs_contract)
    left = reshape(transpose(x, perm=(*lhs_batch, *rows, *lhs_contract)), shape=(*batch, product(outer), inner))
    right = reshape(transpose(y, perm=(*rhs_batch, *rhs_contract, *columns)), shape=(*batch, inner, product(across)))
    return reshape(matmul(left, right), shape=(*batch, *outer, *across))


def _count_contracted_elements(op: Op, operands: Sequence[Array | None]) -> int:
    x = operands[0]
    assert x is not None
    return int(np.prod([x.shape[axis] for axis in op.attrs["lhs_contract"]], dtype=np.int64))


def _batch_dot_general(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dot_general`: two batched operands get one more batch axis; a single one gets a free axis, moved in the result."""
    attrs = {
        side + part: tuple(axis + (batch is not None) for axis in call.op.attrs[side + part])
        for side, batch in zip(("lhs_", "rhs_"), axes, strict=True)
        for part in ("contract", "batch")
    }
    if axes[0] is not None and axes[1] is not None:
        attrs["lhs_batch"], attrs["rhs_batch"] = (0, *attrs["lhs_batch"]), (0, *attrs["rhs_batch"])
        return with_batch_axis(again(call, operands, **attrs))
    count = len(call.lhs_batch)
    free = 0 if axes[0] is not None else call.given[0].rank - count - len(call.lhs_contract)
    return with_batch_axis(again(call, operands, **attrs), count + free)


dot_general = define_product(
    "dot_general",
    "x, y",
    infer=_dot_general_shape,
    reference=_dot_general,
    attrs={
        "lhs_contract": Attr("axes", help="axes of x summed over"),
        "rhs_contract": Attr("axes", help="their partners in y", of=1),
        "lhs_batch": Attr("axes", (), help="axes of x kept side by side"),
        "rhs_batch": Attr("axes", (), help="their partners in y", of=1),
    },
    doc="Products summed over paired axes, as lax.dot_general: result axes are batch, rest of x, rest of y.",
    tolerance=summed(1.0, _count_contracted_elements),
    decompose=_dot_general_by_matmul,
    cost=lambda call, results: results[0].num_elements * product(call.given[0].dims[a] for a in call.lhs_contract) * 2,
    integer_form="",
    jvp=multilinear(0, 1),
    batch=_batch_dot_general,
    cases=lambda: [
        case(sample(4, 7), sample(5, 7), note="y transposed", dtypes=NUMBERS, lhs_contract=1, rhs_contract=1),
        case(
            sample(3, 2, 5, 4),
            sample(5, 3, 6),
            note="a batch axis in odd places",
            lhs_contract=2,
            rhs_contract=0,
            lhs_batch=0,
            rhs_batch=1,
        ),
        case(sample(2, 3, 4), sample(4, 5, 3), note="two inner axes, odd", lhs_contract=(1, -1), rhs_contract=(2, 0)),
        case(sample(2, 3), sample(4), note="an outer product, broadcast", lhs_contract=(), rhs_contract=()),
        case(sample(2, 0), sample(0, 3), note="size 0", lhs_contract=1, rhs_contract=0),
    ],
)
