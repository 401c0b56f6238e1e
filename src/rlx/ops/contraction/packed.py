"""Weights in a layout of `rlx.layouts`, and the products that read them.

`exact=False` allows what makes products with stored blocks fast: x is rounded to integers of 8 bits or more, with at least one step per
block of the weight (32 or 256 numbers), so an error of at most half a step, max|x| / 254 of the block, per number. The references are the
exact products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.dtype import promote, u8
from rlx.ir.emit import emit
from rlx.ir.tolerance import Tolerance
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows
from rlx.layouts.table import parse_layout
from rlx.layouts.weight_layout import WeightLayout
from rlx.ops.contraction.matmul import matmul, matmul_dims
from rlx.ops.inference import compute_common, define_movement, define_product, numeric, require
from rlx.ops.movement.shape import MOVED
from rlx.ops.quantized.dequant import dequant_matmul
from rlx.ops.record import OPS, Array, Attr, Call, Case, DType, Op, OpKind, Shape, Size, Value, case, define, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, batch_size, by_parts, in_front, leading, with_batch_axis
from rlx.transforms.rules.derivative import jvp_by_parts, vjp_by_parts
from rlx.transforms.rules.formulas import multilinear

_WHAT = "numbers (bools: cast to an int first)"


# -- into a layout ----------------------------------------------------------------------------------------------
def layout_attr() -> Attr:
    """The attribute of ops on packed weights: a `WeightLayout`, or its name."""
    return Attr("tag", parse=parse_layout, help="a layout of the device: panel16, pair16, rows8_q4k")


def _pack_shape(call: Call) -> Shape:
    layout: WeightLayout = call.layout
    if len(call.given) != layout.sources:
        message = f"{len(call.given)} weights for the layout {layout.name}"
        raise call.error("RLX101", message, fix=f"it takes {layout.sources}")
    return layout.packed_shape(call, *call.given)


def _pack(x: Array, up: Array | None = None, *, layout: WeightLayout) -> Array:
    return layout.pack(*(part for part in (x, up) if part is not None))


def _pack_by_ops(x: Value, up: Value | None = None, *, layout: WeightLayout) -> Value:
    return layout.pack_values(*(part for part in (x, up) if part is not None))


_TYPES = "q4_0 q4_1 q5_0 q5_1 q8_0 q2k q3k q4k q5k q6k iq4_nl iq4_xs tq1_0 tq2_0 mxfp4 f16 bf16"
_CODEBOOKS = "iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq3_xxs iq3_s"
STORED_ROWS = tuple(f"rows8_{name}" for name in (*_TYPES.split(), *_CODEBOOKS.split()))
"""The layouts of stored blocks, for the rows of tests."""


def _stored(layout: str, k: int, n: int, *lead: int) -> Array:
    scheme = parse_layout(layout).scheme
    assert scheme is not None
    return random_rows(scheme.detail, *lead, n, k, seed=1)


def _bytes(array: Array) -> Any:
    return sample(*array.shape, dtype="u8", fixed=array)


pack = define_movement(
    "pack",
    "x, up?",
    infer=_pack_shape,
    reference=_pack,
    compute_dtype=compute_common,
    attrs={"layout": layout_attr()},
    doc="A weight in a layout of a device: a dense `[..., K, N]`, two that are multiplied together, or the rows a scheme stores.",
    decompose=_pack_by_ops,
    vjp=vjp_by_parts(),
    jvp=jvp_by_parts(),
    batch=leading,
    cases=lambda: [
        case(sample(5, 32), note="whole panels", dtypes=MOVED, layout="panel16"),
        case(sample(3, 5, 21), note="a batch axis, odd width", layout="panel16"),
        case(sample(4, 19), sample(4, 19), note="pairs, odd width", layout="pair16"),
        case(sample(4, 7), note="odd: narrow panels", layout="panel3"),
        case(sample(0, 5), note="size 0", layout="panel16"),
        *(case(_bytes(_stored(name, 512, 11, 2)), note=f"{name}, odd rows", layout=name) for name in STORED_ROWS),
    ],
)


# -- what a packed weight holds ---------------------------------------------------------------------------------
def matrices(layout: WeightLayout, w: Array, n: int) -> tuple[Array, ...]:
    """Unpacks a packed weight to its matrices `[…, k, n]`."""
    sources = layout.unpack(w, n)
    if layout.scheme is None:
        return sources
    return tuple(dequantize_rows(layout.scheme.detail, rows).swapaxes(-1, -2) for rows in sources)


def check_packed(call: Call, w: Shape, sources: int = 1) -> tuple[WeightLayout, tuple[Size, ...]]:
    """Returns the layout of a packed weight and the dims `[…, k, n]` of its matrices."""
    layout: WeightLayout = call.layout
    if layout.sources != sources:
        raise call.error("RLX105", f"{layout.name} holds {layout.sources} matrices", fix=f"a layout of {sources}")
    return layout, layout.matrix(call, w, call.n)


def product_dtype(call: Call, layout: WeightLayout) -> DType:
    require(call, numeric, _WHAT)
    x, w = call.given[:2]
    if layout.scheme is None:
        return promote(x.dtype, w.dtype)
    if not x.dtype.is_float:
        raise call.error("RLX103", f"x is {x}", fix="floats […, k]")
    return x.dtype


def compute_packed(x: DType, w: DType) -> DType | None:
    """The dtypes a packed product computes in: operands are promoted, the bytes of stored blocks stay bytes."""
    return None if w is u8 and x.is_float else promote(x, w)


def packed_attrs(**more: Attr) -> dict[str, Attr]:
    return {"layout": layout_attr(), "n": Attr("size", help="columns of the weight"), **more}


EXACT = {"exact": Attr("bool", True, help="no rounding of x to integers")}


@dataclass(frozen=True)
class PackedProduct(Tolerance):
    """Tolerance of products with packed weights; stored blocks without `exact` add half a quantization step of x times |w|."""

    def bound(self, op: Op, operands: Sequence[Array | None], expected: Array, dtype: DType) -> Array:
        """The largest absolute error allowed for each element of a packed product."""
        x, w = operands[:2]
        assert x is not None and w is not None
        layout: WeightLayout = op.attrs["layout"]
        if layout.scheme is None:
            return super().bound(op, operands, expected, dtype)
        allowed = Tolerance(4.0, 4.0, "max", self.length).bound(op, operands, expected, dtype)
        if op.attrs["exact"] or not x.size:
            return allowed
        size = max(layout.scheme.block_size(), 1)
        steps = np.abs(np.asarray(x, np.float64)).reshape(*x.shape[:-1], -1, size).max(-1) / 254
        (weights,) = (np.abs(each.astype(np.float64)) for each in matrices(layout, w, expected.shape[-1]))
        sums = weights.reshape(*weights.shape[:-2], -1, size, weights.shape[-1]).sum(-2)  # […, blocks of k, n]
        if sums.ndim == 2:
            return np.asarray(allowed + 1.001 * (steps @ sums))
        experts = operands[2]
        assert experts is not None
        index = np.clip(np.where(experts < 0, experts + len(sums), experts), 0, len(sums) - 1)
        return np.asarray(allowed + 1.001 * np.einsum("mb,mbn->mn", steps, sums[index]))


PACKED_TOLERANCE = PackedProduct(2.0, 1.0, "abs", lambda op, operands: operands[0].shape[-1], biased=True)  # type: ignore[union-attr]


def work(matrices: int = 1) -> Any:
    """Operations of a packed product: a multiplication and an addition for each of M·N·K."""
    return lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2 * matrices


def packed_rows(layout: str, k: int, n: int, *lead: int) -> Any:
    return _bytes(parse_layout(layout).pack(_stored(layout, k, n, *lead)))


# -- products ---------------------------------------------------------------------------------------------------
def _matmul_shape(call: Call) -> Shape:
    x, w = call.given
    layout, dims = check_packed(call, w)
    if layout.scheme is not None and len(dims) != 2:
        raise call.error("RLX102", f"matrices {list(dims)}", fix="one matrix; packed_grouped_matmul takes experts")
    return Shape.make(matmul_dims(call, x.dims, dims), product_dtype(call, layout))


def _by_matmul(x: Value, w: Value, *, layout: WeightLayout, n: Size, exact: bool) -> Value:
    (weight,) = layout.unpack_values(w, n)
    return matmul(x, weight) if layout.scheme is None else dequant_matmul(x, weight, scheme=layout.scheme)


def _batch_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `packed_matmul`: a shared weight multiplies all rows, stored blocks by example become experts; else decomposes."""
    x, w = operands
    assert x is not None and w is not None
    layout, dims = check_packed(call, call.given[1])
    if axes[1] is None and len(dims) == 2:
        return with_batch_axis(again(call, operands))
    if layout.scheme is None:
        return by_parts(call, operands, axes)
    (example,) = call.op.infer(call.shapes, call.assumptions)
    size, rows = batch_size(operands, axes), product(example.dims[:-1])
    whole = in_front(x, axes[0], size).reshape(size * rows, dims[0])
    number = emit(OPS["iota"], (), {"shape": (size, rows), "axis": 0}, graph=x.graph).reshape(size * rows)
    out = OPS["packed_grouped_matmul"](whole, w, number, **call.op.attrs)
    return with_batch_axis([out.reshape(size, *example.dims)])


SOME_ROWS = ("rows8_q4k", "rows8_q6k", "rows8_q8_0", "rows8_f16")


def _stored_cases() -> list[Case]:
    ways = [(name, False, 1) for name in STORED_ROWS] + [(name, exact, 5) for name in SOME_ROWS for exact in (True, False)]
    given: list[tuple[tuple[int, ...], str, str, int, bool, str]]
    given = [((rows, 512), "f32", name, 19, exact, "odd columns") for name, exact, rows in ways]
    given += [
        ((2, 1, 256), "bf16", "rows8_q4k", 8, False, "bf16, broadcast"),
        ((256,), "f32", "rows8_q6k", 9, False, "odd: a row"),
        ((0, 32), "f32", "rows8_q8_0", 4, False, "no rows"),
    ]
    return [
        case(sample(*x, dtype=dtype), packed_rows(name, x[-1], n), note=f"{name}, {note}", layout=name, n=n, exact=exact)
        for x, dtype, name, n, exact, note in given
    ]


packed_matmul = define(
    "packed_matmul",
    "x, w",
    infer=_matmul_shape,
    kind=OpKind.Compute,
    compute_dtype=compute_packed,
    reference=lambda x, w, layout, n, exact: np.matmul(x, matrices(layout, w, n)[0]),
    attrs=packed_attrs(**EXACT),
    doc="x times the matrix [..., K, n] in a packed weight; `exact=False` lets x be rounded to 8 bits or more for stored blocks.",
    tolerance=PACKED_TOLERANCE,
    cost=work(),
    decompose=_by_matmul,
    vjp=vjp_by_parts(),
    jvp=multilinear(0, 1),
    batch=_batch_matmul,
    cases=lambda: [
        case(sample(4, 7), sample(2, 7, 16), note="whole panels", dtypes=("f32", "f16", "bf16"), layout="panel16", n=32),
        case(sample(2, 3, 7), sample(2, 7, 16), note="broadcast over a batch, odd columns", layout="panel16", n=21),
        case(sample(7), sample(1, 7, 8), note="a row, odd columns", layout="panel8", n=5),
        case(sample(2, 3, 4), sample(2, 1, 4, 16), note="a batch of matrices, odd columns", layout="panel16", n=9),
        *_stored_cases(),
    ],
)


def _pair_shape(call: Call) -> tuple[Shape, Shape]:
    x, w = call.given
    layout, dims = check_packed(call, w, 2)
    shape = Shape.make(matmul_dims(call, x.dims, dims), product_dtype(call, layout))
    return shape, shape


def _pair(x: Array, w: Array, layout: WeightLayout, n: int) -> tuple[Array, ...]:
    return tuple(np.matmul(x, matrix) for matrix in matrices(layout, w, n))


def _pair_by_matmul(x: Value, w: Value, *, layout: WeightLayout, n: Size) -> tuple[Value, ...]:
    return tuple(matmul(x, matrix) for matrix in layout.unpack_values(w, n))


def _batch_pair(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `packed_pair_matmul`: shared weights multiply all rows; else decomposes."""
    shared = axes[1] is None and len(check_packed(call, call.given[1], 2)[1]) == 2
    return with_batch_axis(again(call, operands)) if shared else by_parts(call, operands, axes)


packed_pair_matmul = define_product(
    "packed_pair_matmul",
    "x, w",
    infer=_pair_shape,
    reference=_pair,
    results=("gate", "up"),
    attrs=packed_attrs(),
    doc="x times both matrices [..., K, n] that pack put together.",
    tolerance=PACKED_TOLERANCE,
    cost=work(2),
    decompose=_pair_by_matmul,
    vjp=vjp_by_parts(),
    jvp=jvp_by_parts(),
    batch=_batch_pair,
    cases=lambda: [
        case(sample(4, 7), sample(2, 7, 16), note="whole panels", dtypes=("f32", "f16", "bf16"), layout="pair16", n=16),
        case(sample(2, 3, 7), sample(3, 7, 16), note="broadcast over a batch, odd columns", layout="pair16", n=19),
        case(sample(7), sample(1, 7, 16), note="a row, odd columns", layout="pair16", n=5),
    ],
)
