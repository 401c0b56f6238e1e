"""Contractions: sums of products over shared axes, and the panels that weights are packed in.

Low floats accumulate in f32; ints multiply and add in their promoted dtype and wrap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.op import Call, Op, define
from rlx.ir.tolerance import exact, summed
from rlx.ir.value import Value
from rlx.ops.inference import broadcast_dims, compute_common, no_arithmetic, numeric, require
from rlx.ops.movement.pad import pad
from rlx.ops.movement.shape import MOVED, concat, narrow, reshape, transpose

Array = npt.NDArray[Any]
NUMBERS = ("f32", "f64", "f16", "bf16", "i32", "u8")
_WHAT = "numbers (bools: cast to an int first)"


# -- matmul -----------------------------------------------------------------------------------------------------
def matmul_dims(call: Call, left: Sequence[Size], right: Sequence[Size]) -> tuple[Size, ...]:
    """The dims of np.matmul: batch axes broadcast, a rank-1 operand is a row on the left and a column on the right."""
    if not left or not right:
        raise call.error("RLX102", "a scalar has no rows", fix="use mul, or reshape to rank 1")
    inner = right[-2] if len(right) > 1 else right[0]
    fix = f"transpose the right operand, or give it {left[-1]} rows: [{left[-1]}, …]" if len(right) > 1 else None
    call.check_same(
        left[-1], inner, "the inner sizes", fix=fix if isinstance(left[-1], int) and isinstance(inner, int) else None
    )
    batch = broadcast_dims(call, left[:-2], right[:-2])
    return (*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))


def _matmul_shape(call: Call) -> Shape:
    require(call, numeric, _WHAT)
    left, right = call.given
    return Shape.make(matmul_dims(call, left.dims, right.dims), promote(left.dtype, right.dtype))


def _two_for_each_product(call: Call, results: tuple[Shape, ...]) -> Size:
    """2·M·N·K: a multiplication and an addition."""
    return results[0].num_elements * call.given[0].dims[-1] * 2


def _inner_size(op: Op, operands: Sequence[Array | None]) -> int:
    assert operands[0] is not None
    return int(operands[0].shape[-1])


matmul = define(
    "matmul",
    "x, y",
    infer=_matmul_shape,
    reference=np.matmul,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    doc="The matrix product, as np.matmul; y may be a packed param.",
    tolerance=summed(1.0, _inner_size),
    cost=_two_for_each_product,
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
    """The axes that are not used, in order."""
    return [axis for axis in range(rank) if all(axis not in axes for axes in used)]


def _dot_general_shape(call: Call) -> Shape:
    require(call, numeric, _WHAT)
    left, right = call.given
    _check_pairs(call, "contract", call.lhs_contract, call.rhs_contract)
    _check_pairs(call, "batch", call.lhs_batch, call.rhs_batch)
    for side, contract, batch in (
        ("lhs", call.lhs_contract, call.lhs_batch),
        ("rhs", call.rhs_contract, call.rhs_batch),
    ):
        both = set(contract) & set(batch)
        if both:
            message = f"axis {min(both)} is in {side}_contract and in {side}_batch"
            raise call.error("RLX104", message, fix="an axis is one or the other")
    batch = [left.dims[axis] for axis in call.lhs_batch]
    rows = [left.dims[axis] for axis in _free(left.rank, call.lhs_contract, call.lhs_batch)]
    columns = [right.dims[axis] for axis in _free(right.rank, call.rhs_contract, call.rhs_batch)]
    return Shape.make((*batch, *rows, *columns), promote(left.dtype, right.dtype))


Axes = tuple[int, ...]


def _dot_general(
    x: Array, y: Array, lhs_contract: Axes, rhs_contract: Axes, lhs_batch: Axes = (), rhs_batch: Axes = ()
) -> Array:
    """Both sides as [batch…, rows, inner] and [batch…, inner, columns], multiplied."""
    rows, columns = _free(x.ndim, lhs_contract, lhs_batch), _free(y.ndim, rhs_contract, rhs_batch)
    left, right = x.transpose((*lhs_batch, *rows, *lhs_contract)), y.transpose((*rhs_batch, *rhs_contract, *columns))
    count, free = len(lhs_batch), left.ndim - len(lhs_contract)
    inner = int(np.prod(left.shape[free:], dtype=np.int64))
    batch, outer, across = left.shape[:count], left.shape[count:free], right.shape[count + len(rhs_contract) :]
    sizes = [int(np.prod(part, dtype=np.int64)) for part in (outer, across)]
    found = np.matmul(left.reshape(*batch, sizes[0], inner), right.reshape(*batch, inner, sizes[1]))
    return np.asarray(found.reshape((*batch, *outer, *across)))


def _dot_general_by_matmul(
    x: Value, y: Value, *, lhs_contract: Axes, rhs_contract: Axes, lhs_batch: Axes, rhs_batch: Axes
) -> Any:
    """The same on Values: transposes, reshapes (products of sizes, symbolic or not), one matmul."""
    rows, columns = _free(x.rank, lhs_contract, lhs_batch), _free(y.rank, rhs_contract, rhs_batch)
    batch = [x.shape[axis] for axis in lhs_batch]
    outer, across = [x.shape[axis] for axis in rows], [y.shape[axis] for axis in columns]
    inner = product(x.shape[axis] for axis in lhs_contract)
    left = reshape(transpose(x, perm=(*lhs_batch, *rows, *lhs_contract)), shape=(*batch, product(outer), inner))
    right = reshape(transpose(y, perm=(*rhs_batch, *rhs_contract, *columns)), shape=(*batch, inner, product(across)))
    return reshape(matmul(left, right), shape=(*batch, *outer, *across))


def _contracted(op: Op, operands: Sequence[Array | None]) -> int:
    x = operands[0]
    assert x is not None
    return int(np.prod([x.shape[axis] for axis in op.attrs["lhs_contract"]], dtype=np.int64))


dot_general = define(
    "dot_general",
    "x, y",
    infer=_dot_general_shape,
    reference=_dot_general,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    attrs={
        "lhs_contract": Attr("axes", help="axes of x summed over"),
        "rhs_contract": Attr("axes", help="their partners in y", of=1),
        "lhs_batch": Attr("axes", (), help="axes of x kept side by side"),
        "rhs_batch": Attr("axes", (), help="their partners in y", of=1),
    },
    doc="Products summed over paired axes, as lax.dot_general: result axes are batch, rest of x, rest of y.",
    tolerance=summed(1.0, _contracted),
    decompose=_dot_general_by_matmul,
    cost=lambda call, results: results[0].num_elements * product(call.given[0].dims[a] for a in call.lhs_contract) * 2,
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


# -- panels -----------------------------------------------------------------------------------------------------
def parse_layout(text: Any) -> str:
    """`panel<w>`: w columns side by side; `pair<w>`: w/2 columns of each of two matrices."""
    match = re.fullmatch(r"(panel|pair)([1-9]\d*)", str(text))
    if match is None or (match[1] == "pair" and int(match[2]) % 2):
        raise RlxError(
            "RLX105", f"{text!r} is not a layout of panels", fix="panel16, or pair16 for two matrices (an even width)"
        )
    return str(text)


def panel_columns(layout: str) -> tuple[int, int]:
    """Width of a panel, and how many columns of one matrix it holds."""
    width = int(re.sub(r"\D", "", layout))
    return width, width // 2 if layout.startswith("pair") else width


def _pack_shape(call: Call) -> Shape:
    shapes, pair = call.given, call.layout.startswith("pair")
    if len(shapes) != (2 if pair else 1):
        raise call.error(
            "RLX101",
            f"{len(shapes)} matrices for the layout {call.layout}",
            fix="panel takes one matrix, pair takes two",
        )
    x = shapes[0]
    if x.rank < 2:
        raise call.error("RLX102", f"rank {x.rank} is not a matrix", fix="pack takes [..., K, N]")
    if pair:
        if shapes[1].rank != x.rank:
            raise call.error("RLX102", f"ranks {x.rank} and {shapes[1].rank} differ")
        for axis in range(x.rank):
            call.check_same(x.dims[axis], shapes[1].dims[axis], f"sizes at axis {axis}")
    width, columns = panel_columns(call.layout)
    dtype = promote(*(shape.dtype for shape in shapes))
    return Shape.make((*x.dims[:-2], ceildiv(x.dims[-1], columns), x.dims[-2], width), dtype)


def _panels(x: Array, columns: int) -> Array:
    """[..., K, N] as [..., panels, K, columns], zeros past N."""
    count = -(-x.shape[-1] // columns)
    padded = np.zeros((*x.shape[:-1], count * columns), x.dtype)
    padded[..., : x.shape[-1]] = x
    return np.moveaxis(padded.reshape(*x.shape[:-1], count, columns), -2, -3)


def _pack(x: Array, up: Array | None = None, *, layout: str) -> Array:
    parts = [_panels(part, panel_columns(layout)[1]) for part in (x, up) if part is not None]
    return np.concatenate(parts, axis=-1)


def _pack_by_pad(x: Value, up: Value | None = None, *, layout: str) -> Any:
    """Zeros to a whole number of panels, then the panel axis in front of K; gate and up side by side."""
    columns = panel_columns(layout)[1]
    dtype = promote(*(part.dtype for part in (x, up) if part is not None))
    parts = []
    for part in (x, up):
        if part is None:
            continue
        rank, count = part.rank, ceildiv(part.shape[-1], columns)
        padded = pad(part.astype(dtype), low=(0,) * rank, high=(*(0,) * (rank - 1), count * columns - part.shape[-1]))
        cut = reshape(padded, shape=(*part.shape[:-1], count, columns))
        parts.append(transpose(cut, perm=(*range(rank - 2), rank - 1, rank - 2, rank)))
    return concat(*parts, axis=-1)


pack = define(
    "pack",
    "x, up?",
    infer=_pack_shape,
    reference=_pack,
    kind=OpKind.DataMovement,
    compute_dtype=compute_common,
    attrs={"layout": Attr("tag", "panel16", parse=parse_layout, help="panel<w>, or pair<w> for gate and up")},
    doc="[..., K, N] as panels [..., ceil(N/w), K, w], zeros past N; a pair has w/2 columns of x, then w/2 of up.",
    tolerance=exact(),
    cost=no_arithmetic,
    decompose=_pack_by_pad,
    cases=lambda: [
        case(sample(5, 32), note="whole panels", dtypes=MOVED),
        case(sample(3, 5, 21), note="a batch axis, odd width", layout="panel16"),
        case(sample(4, 19), sample(4, 19), note="pairs, odd width", layout="pair16"),
        case(sample(4, 7), note="odd: narrow panels", layout="panel3"),
        case(sample(0, 5), note="size 0"),
    ],
)


def packed_dims(call: Call, parts: int) -> tuple[Size, ...]:
    """The logical dims [..., K, n] of the matrix in the panels."""
    panels = call.given[1]
    if panels.rank < 3:
        raise call.error("RLX102", f"panels of rank {panels.rank}", fix="pack makes [..., panels, K, w]")
    width = panels.dims[-1]
    if not isinstance(width, int) or width % parts or width == 0:
        raise call.error(
            "RLX102", f"panels of width {width}", fix="the last axis is the static width that pack gave it"
        )
    call.check_same(ceildiv(call.n, width // parts), panels.dims[-3], f"panels for {call.n} columns and panels given,")
    return (*panels.dims[:-3], panels.dims[-2], call.n)


def _packed_shape(call: Call) -> Shape:
    require(call, numeric, _WHAT)
    x, panels = call.given
    return Shape.make(matmul_dims(call, x.dims, packed_dims(call, 1)), promote(x.dtype, panels.dtype))


def _packed_pair_shape(call: Call) -> tuple[Shape, Shape]:
    require(call, numeric, _WHAT)
    x, panels = call.given
    shape = Shape.make(matmul_dims(call, x.dims, packed_dims(call, 2)), promote(x.dtype, panels.dtype))
    return shape, shape


def unpacked(panels: Array, n: int) -> Array:
    """[..., panels, K, columns] as [..., K, n]."""
    merged = np.moveaxis(panels, -3, -2)
    return merged.reshape(*merged.shape[:-2], merged.shape[-2] * merged.shape[-1])[..., :n]


def _packed_pair(x: Array, panels: Array, n: int) -> tuple[Array, Array]:
    half = panels.shape[-1] // 2
    return np.matmul(x, unpacked(panels[..., :half], n)), np.matmul(x, unpacked(panels[..., half:], n))


def unpacked_value(panels: Value, n: Size) -> Value:
    rank = panels.rank
    merged = transpose(panels, perm=(*range(rank - 3), rank - 2, rank - 3, rank - 1))
    *outer, count, width = merged.shape
    found: Value = narrow(reshape(merged, shape=(*outer, count * width)), axis=-1, start=0, length=n)
    return found


def _packed_pair_by_matmul(x: Value, panels: Value, *, n: Size) -> tuple[Any, Any]:
    half = panels.shape[-1] // 2
    gate, up = (narrow(panels, axis=-1, start=start, length=half) for start in (0, half))
    return matmul(x, unpacked_value(gate, n)), matmul(x, unpacked_value(up, n))


packed_matmul = define(
    "packed_matmul",
    "x, panels",
    infer=_packed_shape,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    reference=lambda x, panels, n: np.matmul(x, unpacked(panels, n)),
    attrs={"n": Attr("size", help="columns of the packed matrix")},
    doc="x times the matrix [..., K, n] that pack put in panels.",
    tolerance=summed(1.0, _inner_size),
    cost=_two_for_each_product,
    decompose=lambda x, panels, *, n: matmul(x, unpacked_value(panels, n)),
    cases=lambda: [
        case(sample(4, 7), sample(2, 7, 16), note="whole panels", dtypes=("f32", "f16", "bf16"), n=32),
        case(sample(2, 3, 7), sample(2, 7, 16), note="broadcast over a batch, odd columns", n=21),
        case(sample(7), sample(1, 7, 8), note="a row, odd columns", n=5),
        case(sample(2, 3, 4), sample(2, 1, 4, 16), note="a batch of matrices, odd columns", n=9),
    ],
)
packed_pair_matmul = define(
    "packed_pair_matmul",
    "x, panels",
    infer=_packed_pair_shape,
    reference=_packed_pair,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    results=("gate", "up"),
    attrs={"n": Attr("size", help="columns of each matrix")},
    doc="x times both matrices [..., K, n] that pack put in paired panels.",
    tolerance=summed(1.0, _inner_size),
    cost=lambda call, results: _two_for_each_product(call, results) * 2,
    decompose=_packed_pair_by_matmul,
    cases=lambda: [
        case(sample(4, 7), sample(2, 7, 16), note="whole panels", dtypes=("f32", "f16", "bf16"), n=16),
        case(sample(2, 3, 7), sample(3, 7, 16), note="broadcast over a batch, odd columns", n=19),
        case(sample(7), sample(1, 7, 16), note="a row, odd columns", n=5),
    ],
)
