"""The panels that weights are packed in, and products with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.op import Call, define
from rlx.ir.tolerance import exact, summed
from rlx.ir.value import Value
from rlx.ops.contraction.matmul import NUMERIC, inner_size, matmul, matmul_dims, two_for_each_product
from rlx.ops.inference import compute_common, no_arithmetic, numeric, require
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.movement.shape import MOVED, reshape, transpose
from rlx.transforms.rules.batch_formulas import again, batched, leading
from rlx.transforms.rules.batching import Axis, Batched, Operands, by_parts
from rlx.transforms.rules.formulas import multilinear

Array = npt.NDArray[Any]


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
    batch=leading,
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
    require(call, numeric, NUMERIC)
    x, panels = call.given
    return Shape.make(matmul_dims(call, x.dims, packed_dims(call, 1)), promote(x.dtype, panels.dtype))


def _packed_pair_shape(call: Call) -> tuple[Shape, Shape]:
    require(call, numeric, NUMERIC)
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


def _batch_packed(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The panels of one shared matrix multiply all rows; else by parts."""
    if axes[1] is None and call.given[1].rank == 3:
        return batched(again(call, operands))
    return by_parts(call, operands, axes)


packed_matmul = define(
    "packed_matmul",
    "x, panels",
    infer=_packed_shape,
    kind=OpKind.Compute,
    compute_dtype=compute_common,
    reference=lambda x, panels, n: np.matmul(x, unpacked(panels, n)),
    attrs={"n": Attr("size", help="columns of the packed matrix")},
    doc="x times the matrix [..., K, n] that pack put in panels.",
    tolerance=summed(1.0, inner_size),
    cost=two_for_each_product,
    decompose=lambda x, panels, *, n: matmul(x, unpacked_value(panels, n)),
    integer_form="",
    jvp=multilinear(0, 1),
    batch=_batch_packed,
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
    tolerance=summed(1.0, inner_size),
    cost=lambda call, results: two_for_each_product(call, results) * 2,
    decompose=_packed_pair_by_matmul,
    batch=_batch_packed,
    cases=lambda: [
        case(sample(4, 7), sample(2, 7, 16), note="whole panels", dtypes=("f32", "f16", "bf16"), n=16),
        case(sample(2, 3, 7), sample(3, 7, 16), note="broadcast over a batch, odd columns", n=19),
        case(sample(7), sample(1, 7, 16), note="a row, odd columns", n=5),
    ],
)
