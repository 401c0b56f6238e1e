"""Products that read packed weights in the order of `rlx.ops.quantized.block_order`, and the op that brings them into it.

`exact=False` allows what makes them fast: x is rounded to integers of 8 bits or more, with at least one step per block of the weight
(32 or 256 numbers), so an error of at most half a step, max|x| / 254 of the block, per number. The references are the exact products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import DType, u8
from rlx.core.kinds import OpKind
from rlx.core.packed import ROWS
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, case, sample
from rlx.ir.op import Call, Op, define
from rlx.ir.tolerance import Tolerance, ulps
from rlx.ops.contraction.grouped import check_experts, rows_by_expert
from rlx.ops.indexing.gather import fill_value, index_attrs, resolve_positions
from rlx.ops.inference import no_arithmetic, require_integers
from rlx.ops.quantized.block_order import ORDERS, deinterleaved, interleaved
from rlx.ops.quantized.dequant import NO_GRADIENT
from rlx.ops.quantized.gguf_rows import dequantize_rows, random_rows
from rlx.ops.quantized.stored_weights import scheme_attr, stored
from rlx.ops.quantized.weights_by_example import (
    batch_interleaved_gather,
    batch_interleaved_grouped,
    batch_interleaved_matmul,
)
from rlx.transforms.rules.batch_formulas import leading

Array = npt.NDArray[Any]
SCHEMES = tuple(str(order.scheme) for order in ORDERS.values())
"""The schemes with such an order."""
_AFTER_TRANSFORMS = "made by passes, after transforms"


# -- into the order ---------------------------------------------------------------------------------------------
def _check_scheme(call: Call) -> QuantScheme:
    scheme: QuantScheme = call.scheme
    if scheme.detail not in ORDERS:
        raise call.error("RLX105", f"{scheme} has no order of its own", fix=f"one of: {', '.join(SCHEMES)}")
    return scheme


def _interleave_shape(call: Call) -> Shape:
    scheme, w = _check_scheme(call), call.given[0]
    if w.dtype is not u8 or w.rank < 2:
        raise call.error("RLX103", f"w is {w}", fix="the tensor's bytes u8[…, n, bytes of a row]")
    call.check_same(w.dims[-1] // scheme.block_bytes() * scheme.block_bytes(), w.dims[-1], "whole blocks and a row:")
    return w.with_dims((*w.dims[:-2], ceildiv(w.dims[-2], ROWS), w.dims[-1] * ROWS))


interleave = define(
    "interleave",
    "w:packed",
    infer=_interleave_shape,
    kind=OpKind.DataMovement,
    attrs={"scheme": scheme_attr()},
    reference=lambda w, scheme: interleaved(scheme.detail, w),
    doc="The bytes of packed rows `[…, n, bytes]` with eight rows side by side, `[…, ceil(n/8), 8·bytes]`: see `block_order`.",
    tolerance=Tolerance(),
    cost=no_arithmetic,
    vjp=NO_GRADIENT,
    jvp=NO_GRADIENT,
    batch=leading,
    cases=lambda: [case(*stored(text, 512, 11, 2), note=f"{text}, odd rows", scheme=text) for text in SCHEMES],
)


# -- the error that rounded activations may make ----------------------------------------------------------------
@dataclass(frozen=True)
class RoundedActivations(Tolerance):
    """What a sum of products may be off by, and where `exact` is not asked for half a step of x times |w| on top."""

    def bound(self, op: Op, operands: Sequence[Array | None], expected: Array, dtype: DType) -> Array:
        """The largest absolute error allowed, element by element."""
        allowed = super().bound(op, operands, expected, dtype)
        x, blocks = operands[:2]
        assert x is not None and blocks is not None
        if op.attrs["exact"] or not x.size:
            return allowed
        size = max(op.attrs["scheme"].block_size(), 1)
        steps = np.abs(np.asarray(x, np.float64)).reshape(*x.shape[:-1], -1, size).max(-1) / 254
        weights = np.abs(_weights(op.attrs["scheme"], blocks, expected.shape[-1]).astype(np.float64))
        sums = weights.reshape(*weights.shape[:-2], -1, size, weights.shape[-1]).sum(-2)  # […, blocks of k, n]
        if sums.ndim == 2:
            return np.asarray(allowed + 1.001 * (steps @ sums))
        experts = operands[2]
        assert experts is not None
        place = np.clip(np.where(experts < 0, experts + len(sums), experts), 0, len(sums) - 1)
        return np.asarray(allowed + 1.001 * np.einsum("mb,mbn->mn", steps, sums[place]))


_TOLERANCE = RoundedActivations(ulps=4.0, factor=4.0, scale="max", length=lambda op, operands: operands[0].shape[-1])  # type: ignore[union-attr]


# -- products ---------------------------------------------------------------------------------------------------
def _weights(scheme: QuantScheme, blocks: Array, n: int) -> Array:
    """`[…, k, n]` in f32."""
    return dequantize_rows(scheme.detail, deinterleaved(scheme.detail, blocks, n)).swapaxes(-1, -2)


def _check_blocks(call: Call, x: Shape, blocks: Shape, lead: int) -> Size:
    """n, after x and the blocks were compared."""
    scheme, n = _check_scheme(call), call.n
    if not x.dtype.is_float or x.rank < 1:
        raise call.error("RLX103", f"x is {x}", fix="floats […, k]")
    if blocks.dtype is not u8 or blocks.rank != lead + 2:
        raise call.error("RLX103", f"the blocks are {blocks}", fix="what interleave makes")
    wanted = x.dims[-1] * scheme.block_bytes() * ROWS
    call.check_same(wanted, blocks.dims[-1] * scheme.block_size(), "bytes of eight rows of k and of the blocks:")
    call.check_same(ceildiv(n, ROWS), blocks.dims[-2], "eights of n columns and of the blocks:")
    result: Size = n
    return result


def _matmul_shape(call: Call) -> Shape:
    x, blocks = call.given
    return x.with_dims((*x.dims[:-1], _check_blocks(call, x, blocks, 0)))


def _attrs(**more: Attr) -> dict[str, Attr]:
    return {
        "scheme": scheme_attr(),
        "n": Attr("size", help="columns of the weight"),
        "exact": Attr("bool", True, help="no rounding of x to integers"),
        **more,
    }


def _interleaved_operand(text: str, k: int, n: int, *lead: int) -> Any:
    name = QuantScheme.parse(text).detail
    blocks = interleaved(name, random_rows(name, *lead, n, k, seed=1))
    return sample(*blocks.shape, dtype="u8", fixed=blocks)


_SOME = ("gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_f16")


def _matmul_cases() -> list[Case]:
    ways = [(text, False, 1) for text in SCHEMES] + [(text, exact, 5) for text in _SOME for exact in (True, False)]
    rows = [
        case(
            sample(rows, 512),
            _interleaved_operand(text, 512, 19),
            note=f"{text}, odd columns",
            scheme=text,
            n=19,
            exact=exact,
        )
        for text, exact, rows in ways
    ]
    return [
        *rows,
        case(
            sample(2, 1, 256, dtype="bf16"),
            _interleaved_operand("gguf_q4k", 256, 8),
            note="bf16, broadcast",
            scheme="gguf_q4k",
            n=8,
            exact=False,
        ),
        case(
            sample(256),
            _interleaved_operand("gguf_q6k", 256, 9),
            note="odd: a row",
            scheme="gguf_q6k",
            n=9,
            exact=False,
        ),
        case(
            sample(0, 32),
            _interleaved_operand("gguf_q8_0", 32, 4),
            note="no rows",
            scheme="gguf_q8_0",
            n=4,
            exact=False,
        ),
    ]


interleaved_matmul = define(
    "interleaved_matmul",
    "x, blocks:packed",
    infer=_matmul_shape,
    kind=OpKind.Compute,
    attrs=_attrs(),
    reference=lambda x, blocks, scheme, n, exact: np.matmul(x, _weights(scheme, blocks, n)),
    doc="x @ the weight that `interleave` brought into its order; with `exact=False` x may be rounded to integers of 8 bits or more.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    vjp=_AFTER_TRANSFORMS,
    jvp=_AFTER_TRANSFORMS,
    batch=batch_interleaved_matmul,
    cases=_matmul_cases,
)


def _grouped_shape(call: Call) -> Shape:
    x, blocks, experts = call.given
    check_experts(call, x, experts)
    return x.with_dims((x.dims[0], _check_blocks(call, x, blocks, 1)))


def _grouped(
    x: Array, blocks: Array, experts: Array, scheme: QuantScheme, n: int, exact: bool, mode: str, check_bounds: bool
) -> Array:
    return rows_by_expert(x, _weights(scheme, blocks, n), experts, mode, check_bounds, "interleaved_grouped_matmul")


def _grouped_cases() -> list[Case]:
    experts = sample(6, dtype="i32", fixed=[2, 0, 0, -1, 1, 7])
    return [
        case(
            sample(6, 256),
            _interleaved_operand(text, 256, 9, 3),
            experts,
            note=f"{text}, odd columns, one outside",
            scheme=text,
            n=9,
            exact=exact,
            mode=mode,
        )
        for text, exact, mode in (
            ("gguf_q4k", True, "clip"),
            ("gguf_q4k", False, "fill"),
            ("gguf_q6k", False, "clip"),
            ("gguf_q8_0", False, "clip"),
        )
    ]


interleaved_grouped_matmul = define(
    "interleaved_grouped_matmul",
    "x, blocks:packed, expert_idx:index",
    infer=_grouped_shape,
    reference=_grouped,
    kind=OpKind.Compute,
    attrs=_attrs(**index_attrs()),
    doc="out[i] = x[i] @ the weight of expert_idx[i], experts outermost: `interleaved_matmul` by row.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    vjp=_AFTER_TRANSFORMS,
    jvp=_AFTER_TRANSFORMS,
    batch=batch_interleaved_grouped,
    cases=_grouped_cases,
)


# -- rows of a table --------------------------------------------------------------------------------------------
def _gather_shape(call: Call) -> Shape:
    blocks, indices = call.given
    require_integers(call)
    scheme, dtype = _check_scheme(call), call.op.attrs["dtype"]
    if blocks.dtype is not u8 or blocks.rank != 2:
        raise call.error("RLX103", f"the blocks are {blocks}", fix="what interleave makes of a table")
    call.check_same(ceildiv(call.n, ROWS), blocks.dims[-2], "eights of n rows and of the blocks:")
    return Shape.make((*indices.dims, blocks.dims[-1] // (scheme.block_bytes() * ROWS) * scheme.block_size()), dtype)


def _gather(
    blocks: Array, indices: Array, scheme: QuantScheme, n: int, dtype: DType, mode: str, check_bounds: bool
) -> Array:
    table = dequantize_rows(scheme.detail, deinterleaved(scheme.detail, blocks, n))
    positions, outside = resolve_positions(indices, n, check_bounds, "interleaved_gather")
    found = table[positions]
    return np.where(outside[..., None], fill_value(dtype), found) if mode == "fill" else found


def _gather_cases() -> list[Case]:
    indices = sample(2, 3, dtype="i32", fixed=[[0, -1, 5], [8, 2, 99]])
    found = [
        case(_interleaved_operand(text, 512, 11), indices, note=f"{text}, odd: one outside", scheme=text, n=11)
        for text in _SOME
    ]
    filled = case(
        _interleaved_operand("gguf_q4k", 256, 9),
        indices,
        note="filled, bf16",
        scheme="gguf_q4k",
        n=9,
        dtype="bf16",
        mode="fill",
    )
    return [*found, filled]


interleaved_gather = define(
    "interleaved_gather",
    "blocks:packed, indices:index",
    infer=_gather_shape,
    reference=_gather,
    kind=OpKind.DataMovement,
    attrs={
        "scheme": scheme_attr(),
        "n": Attr("size", help="rows of the table"),
        "dtype": Attr("dtype", "f32", help="the float to make"),
        **index_attrs(),
    },
    doc="Rows as floats of a table that `interleave` brought into its order: an embedding that is the output layer as well.",
    tolerance=ulps(1),
    cost=no_arithmetic,
    vjp=NO_GRADIENT,
    jvp=NO_GRADIENT,
    batch=batch_interleaved_gather,
    cases=_gather_cases,
)
