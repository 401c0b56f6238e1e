"""Products and gathers that read packed weights: how each scheme stores a weight, and what it stands for.

| scheme | operands after x | weight `[k, n]` |
|---|---|---|
| int8/b, int8_asym/b | w i8 `[k, n]`, scale f32 `[ceil(k/b), n]`, zp f32 the same (asym; else optional) | (q - zp)·scale |
| int4/b | w u8 `[ceil(k·n/2)]`, the low nibble first; scale and zp as above, zp 8 when not given | (q - zp)·scale |
| fp8_e4m3, fp8_e5m2 | w f8 `[k, n]`, scale f32 `[n]` or scalar | q·scale |
| nvfp4 | w u8 `[ceil(k·n/2)]`, scale f8e4m3 `[ceil(k/16), n]`, global_scale f32 `[]` | E2M1·scale·global_scale |
| gguf_… | w u8 `[n, bytes of k]`: rows of the output | as `rlx.layouts.gguf_blocks` says |

Experts are one more axis in front of each. A packed param of a graph stands for its operands until the pass
`select_dequant` takes it apart: then w is the logical `[k, n]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.quant_scheme import QuantScheme
from rlx.ir.emit import constant, emit, is_packed
from rlx.ir.graph import Graph
from rlx.ir.tolerance import Tolerance, ulps
from rlx.layouts.gguf_blocks import dequantize_rows
from rlx.ops.contraction.grouped import (
    check_experts,
    dense_experts,
    expert_mask,
    experts_of_all,
    grouped_jvp,
    grouped_matmul,
    rows_by_expert,
)
from rlx.ops.contraction.matmul import identity, matmul
from rlx.ops.indexing.gather import fill_value, index_attrs, resolve_positions
from rlx.ops.inference import define_movement, no_arithmetic, require_integers
from rlx.ops.quantized.stored_weights import (
    BLOCKS,
    PLAIN,
    check_storage,
    columns_of,
    dequantize,
    is_halves,
    random_operands,
    scheme_attr,
)
from rlx.ops.record import OPS, Array, Attr, Call, Case, DType, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    again,
    any_has_batch,
    batch_op,
    batch_size,
    in_front,
    merge_batch,
    split_batch,
    with_batch_axis,
)
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import multilinear, one_result, swap_last_axes

# -- batching rules


class _Storage:
    """Batched quantized weights (w, scale, zp, global_scale) as experts `[n·E, …]`, and a factor `[n]` left to multiply by, if any.

    `places` are their operand indices; an example has `experts` of them, None where it has one weight without an expert axis.
    """

    def __init__(
        self, call: Call, operands: Operands, axes: Sequence[Axis], places: Sequence[int], experts: Size | None, columns: Size
    ) -> None:
        self.size = size = batch_size(operands, axes)
        self.factor: Value | None = None
        self.operands: list[Value | None] = []
        for name, index in zip(("w", "scale", "zp", "global_scale"), places, strict=True):
            value, axis = (operands[index], axes[index]) if index < len(operands) else (None, None)
            if value is not None and axis is not None and name == "global_scale":
                self.factor, value = value, constant(value.graph, 1.0, value.dtype)
            elif value is not None and axis is not None and value.rank == 1:  # one scale for a whole weight: one for each column
                dims = (size, 1 if experts is None else experts, columns)
                value = merge_batch(OPS["expand"](value.reshape(size, 1, 1), shape=dims), 0, size)
            elif value is not None and (axis is not None or value.rank):
                value = in_front(value, axis, size) if experts is None else merge_batch(value, axis, size)
            self.operands.append(value)

    def scaled(self, result: Value, dtype: DType) -> Value:
        """Multiplies a result `[n, …]` by the factor and casts it."""
        if self.factor is not None:
            result = result * self.factor.reshape(self.size, *(1,) * (result.rank - 1))
        return as_dtype(result, dtype)


def batch_dequant_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dequant_matmul`: shared weights multiply all rows; weights by example become the experts of their rows."""
    if not any_has_batch(axes, (1, 2, 3, 4)):
        return with_batch_axis(again(call, operands))
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (1, 2, 3, 4), None, example.dims[-1])
    x = operands[0]
    assert x is not None
    rows = product(example.dims[:-1])
    whole = as_dtype(in_front(x, axes[0], stored.size), x.dtype.compute).reshape(stored.size * rows, call.given[0].dims[-1])
    chosen = _example_of_row(x.graph, stored.size, rows)
    w, *rest = stored.operands
    out = OPS["dequant_grouped_matmul"](whole, w, chosen, *rest, scheme=call.scheme)
    return with_batch_axis([stored.scaled(out.reshape(stored.size, *example.dims), example.dtype)])


def batch_dequant_grouped(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dequant_grouped_matmul`: concatenates the rows of all examples; weights by example become more experts."""
    x, _, experts = operands[:3]
    assert x is not None and experts is not None
    size = batch_size(operands, axes)
    rows = merge_batch(x, axes[0], size)
    if not any_has_batch(axes, (1, 3, 4, 5)):
        return split_batch(call, again(call, (rows, operands[1], merge_batch(experts, axes[2], size), *operands[3:])), size)
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (1, 3, 4, 5), call.given[1].dims[0], example.dims[-1])
    chosen = experts_of_all(call, experts, axes[2], size, call.given[1].dims[0])
    w, *rest = stored.operands
    (out,) = again(call, (as_dtype(rows, rows.dtype.compute), w, chosen, *rest))
    return with_batch_axis([stored.scaled(out.reshape(size, *example.dims), example.dtype)])


def batch_dequant_moe(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dequant_moe_weights`: concatenates the experts of all examples."""
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (0, 1, 2, 3), call.given[0].dims[0], example.dims[-1])
    (out,) = again(call, stored.operands, dtype="f32", k=example.dims[1])
    return with_batch_axis([stored.scaled(out.reshape(stored.size, *example.dims), example.dtype)])


def batch_dequant_gather(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dequant_gather`: a shared table stays packed and takes more indices; tables by example are dequantized first."""
    if not any_has_batch(axes, (0, 2, 3, 4)):
        return with_batch_axis(again(call, operands))
    scheme: QuantScheme = call.scheme
    w, indices = operands[:2]
    assert w is not None and indices is not None
    (example,) = call.op.infer(call.shapes, call.assumptions)
    width, stored_shape = example.dims[-1], call.given[0]
    k: Size
    if scheme.is_gguf():
        k, columns = width, stored_shape.dims[0]
    else:
        columns = width
        k = stored_shape.dims[-1] * 2 // width if stored_shape.rank == 1 else stored_shape.dims[-2]
    stored = _Storage(call, operands, axes, (0, 2, 3, 4), None, columns)
    table = OPS["dequant_moe_weights"](*stored.operands, scheme=scheme, k=k, dtype="f32")
    table = stored.scaled(table.transpose(0, 2, 1) if scheme.is_gguf() else table, example.dtype)
    gather = OPS["gather"].op(axis=0, mode=call.mode, check_bounds=call.check_bounds)
    return batch_op(w.graph, gather, (table, indices), (0, axes[1]))


def _example_of_row(graph: Graph, size: Size, rows: Size) -> Value:
    """The example index of each row, `[n·M]`."""
    number: Value = emit(OPS["iota"], (), {"shape": (size, rows), "axis": 0}, graph=graph)
    return number.reshape(size * rows)


_TOLERANCE = Tolerance(ulps=4.0, factor=4.0, scale="max", length=lambda op, operands: operands[0].shape[-1])  # type: ignore[union-attr]
NO_GRADIENT = "packed weights have no gradient"


# -- the product ------------------------------------------------------------------------------------------------
def _matmul_shape(call: Call) -> Shape:
    x, w = call.given[:2]
    if not x.dtype.is_float or x.rank < 1:
        raise call.error("RLX103", f"x is {x}", fix="floats […, k]")
    _, n = check_storage(call, w, 2, x.dims[-1], 0)
    return x.with_dims((*x.dims[:-1], n))


def _dequant_matmul(x: Array, w: Array, scale: Array | None = None, *rest: Array | None, scheme: QuantScheme) -> Array:
    return np.asarray(np.matmul(x, dequantize(scheme, x.shape[-1], columns_of(scheme, w, scale), w, scale, *rest)))


def _matmul_cases() -> list[Case]:
    rows = [case(sample(3, 70), *random_operands(text, 70, 19), note=f"{text}, odd sizes", scheme=text) for text in PLAIN]
    rows += [case(sample(2, 512), *random_operands(text, 512, 17), note=f"{text}, odd columns", scheme=text) for text in BLOCKS]
    int8 = random_operands("int8/8", 24, 5)
    return [
        *rows,
        case(
            sample(2, 1, 24),
            *int8,
            random_operands("int8_asym/8", 24, 5)[2],
            note="int8 with a zero point, broadcast",
            scheme="int8/8",
        ),
        case(sample(4, 32, dtype="bf16"), *random_operands("int8/8", 32, 5), note="bf16", scheme="int8/8"),
        case(sample(24), *random_operands("int4/8", 24, 5)[:2], note="odd: a row, zero points left out", scheme="int4/8"),
        case(sample(0, 32), *random_operands("gguf_q8_0", 32, 4), note="no rows", scheme="gguf_q8_0"),
    ]


def _only_x(call: Derivative) -> None:
    if any(call.wanted[1:]):
        raise call.error(
            "RLX601", "packed weights and their scales have no gradient", fix="train x, or dense weights with fake_quantize"
        )


def _dequant_vjp(call: Derivative, dy: Value, x: Value, *storage: Any) -> list[Maybe]:
    _only_x(call)
    dense = dequant_matmul(identity(dy.graph, dy, x.shape[-1]), *storage, **call.op.attrs)
    return [as_dtype(matmul(dy, swap_last_axes(dense)), x.dtype), *(None for _ in storage)]


dequant_matmul = define(
    "dequant_matmul",
    "x, w:packed, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_matmul_shape,
    reference=_dequant_matmul,
    kind=OpKind.Compute,
    attrs={"scheme": scheme_attr()},
    packed_operand=1,
    doc="x @ the weight that w and what follows it store, in the dtype of x; the operands of each scheme: `rlx.ops.quantized.dequant`.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    integer_form="",
    vjp=one_result(_dequant_vjp),
    jvp=multilinear(0),
    batch=batch_dequant_matmul,
    cases=_matmul_cases,
)


# -- rows by expert ---------------------------------------------------------------------------------------------
def _grouped_shape(call: Call) -> Shape:
    x, w = call.given[:2]
    experts = call.shapes[2]
    assert experts is not None
    if not x.dtype.is_float:
        raise call.error("RLX103", f"x is {x}", fix="floats [M, k]")
    check_experts(call, x, experts)
    _, n = check_storage(call, w, 3, x.dims[-1], 1)
    return x.with_dims((x.dims[0], n))


def _multiply_experts(
    x: Array,
    w: Array,
    experts: Array,
    scale: Array | None = None,
    *rest: Array | None,
    scheme: QuantScheme,
    mode: str,
    check_bounds: bool,
) -> Array:
    weights = dequantize(scheme, x.shape[-1], columns_of(scheme, w, scale), w, scale, *rest)
    return rows_by_expert(x, weights, experts, mode, check_bounds, "dequant_grouped_matmul")


def _grouped_cases() -> list[Case]:
    experts = sample(5, dtype="i32", fixed=[2, 0, 0, -1, 1])
    rows = []
    for text in (*PLAIN, "gguf_q4_0", "gguf_q6k", "gguf_iq2_xxs"):
        first, *rest = random_operands(text, 256, 9, 3)
        rows.append(case(sample(5, 256), first, experts, *rest, note=f"{text}, odd columns", scheme=text))
    first, *rest = random_operands("gguf_q4_0", 256, 9, 3)
    outside = sample(5, dtype="i32", fixed=[2, 7, 0, -9, 1])
    return [*rows, case(sample(5, 256), first, outside, note="outside, filled, odd", scheme="gguf_q4_0", mode="fill")]


def _dequant_grouped_vjp(call: Derivative, dy: Value, x: Value, w: Value, experts: Value, *storage: Any) -> list[Maybe]:
    _only_x(call)
    if is_packed(w):
        dense = dense_experts(w, dy)
    else:
        dense = dequant_moe_weights(w, *storage, scheme=call.scheme, k=x.shape[-1], dtype=dy.dtype)
    places, seed = expert_mask(call, dy, experts, dense.shape[0])
    return [as_dtype(grouped_matmul(seed, swap_last_axes(dense), places), x.dtype), *(None for _ in range(2 + len(storage)))]


dequant_grouped_matmul = define(
    "dequant_grouped_matmul",
    "x, w:packed, expert_idx:index, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_grouped_shape,
    reference=_multiply_experts,
    kind=OpKind.Compute,
    attrs={"scheme": scheme_attr(), **index_attrs()},
    packed_operand=1,
    doc="out[i] = x[i] @ the weight of expert_idx[i]: `grouped_matmul` of packed weights, experts outermost.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    integer_form="",
    vjp=one_result(_dequant_grouped_vjp),
    jvp=grouped_jvp(0),
    batch=batch_dequant_grouped,
    cases=_grouped_cases,
)


# -- rows of a table --------------------------------------------------------------------------------------------
def _check_float(call: Call) -> DType:
    dtype: DType = call.op.attrs["dtype"]
    if not dtype.is_float:
        raise call.error("RLX103", f"dtype is {dtype}", fix="a float")
    return dtype


def _gather_shape(call: Call) -> Shape:
    w, indices = call.given[:2]
    require_integers(call)
    dtype = _check_float(call)
    k, n = check_storage(call, w, 2, None, 0)
    width = k if call.scheme.is_gguf() and not w.dtype.is_float else n
    return Shape.make((*indices.dims, width), dtype)


def _dequant_gather(
    w: Array,
    indices: Array,
    scale: Array | None = None,
    *rest: Array | None,
    scheme: QuantScheme,
    dtype: DType,
    mode: str,
    check_bounds: bool,
) -> Array:
    if scheme.is_gguf() and w.dtype == np.uint8:
        table = dequantize_rows(scheme.detail, w)
    else:
        n = columns_of(scheme, w, scale)
        k = w.shape[-1] * 2 // n if is_halves(scheme) else w.shape[-2]
        table = dequantize(scheme, k, n, w, scale, *rest)
    positions, outside = resolve_positions(indices, table.shape[0], check_bounds, "dequant_gather")
    rows = table[positions]
    return np.where(outside[..., None], fill_value(dtype), rows) if mode == "fill" else rows


def _gather_cases() -> list[Case]:
    indices = sample(2, 3, dtype="i32", fixed=[[0, -1, 5], [5, 2, 99]])
    rows = []
    for text in (*PLAIN, *BLOCKS):
        first, *rest = random_operands(text, 512, 6) if text in BLOCKS else random_operands(text, 6, 34)
        rows.append(case(first, indices, *rest, note=f"{text}, odd: one outside", scheme=text))
    first, *rest = random_operands("int8/32", 6, 34)
    rows.append(case(first, indices, *rest, note="filled, bf16", scheme="int8/32", dtype="bf16", mode="fill"))
    return rows


dequant_gather = define_movement(
    "dequant_gather",
    "w:packed, indices:index, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_gather_shape,
    reference=_dequant_gather,
    attrs={"scheme": scheme_attr(), "dtype": Attr("dtype", "f32", help="the float to make"), **index_attrs()},
    packed_operand=0,
    doc="""Rows of a packed table as floats: `gather` on axis 0 of the weight `[k, n]`.

    A GGUF table is gathered by its own rows: bytes `[rows, bytes of a row]`, as a file stores an embedding.""",
    tolerance=ulps(1),
    no_gradient=NO_GRADIENT,
    batch=batch_dequant_gather,
    cases=_gather_cases,
)


# -- all experts ------------------------------------------------------------------------------------------------
def _moe_shape(call: Call) -> Shape:
    w = call.given[0]
    dtype = _check_float(call)
    k, n = check_storage(call, w, 1, call.k, 1)
    return Shape.make((w.dims[0], k, n), dtype)


def _moe_weights(
    w: Array, scale: Array | None = None, *rest: Array | None, scheme: QuantScheme, k: int | None, dtype: DType
) -> Array:
    n = columns_of(scheme, w, scale)
    if k is None:
        k = w.shape[-1] * 2 // n if is_halves(scheme) else w.shape[-2]
    return dequantize(scheme, k, n, w, scale, *rest)


def _moe_cases() -> list[Case]:
    rows = []
    for text in (*PLAIN, *BLOCKS):
        k = 256 if text in BLOCKS else 34
        rows.append(case(*random_operands(text, k, 5, 2), note=f"{text}, odd columns", scheme=text, k=k))
    rows.append(case(*random_operands("gguf_q5_1", 64, 3, 2), note="bf16", scheme="gguf_q5_1", dtype="bf16"))
    return rows


dequant_moe_weights = define(
    "dequant_moe_weights",
    "w:packed, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_moe_shape,
    reference=_moe_weights,
    kind=OpKind.Compute,
    attrs={
        "scheme": scheme_attr(),
        "k": Attr("size", None, help="rows of a weight, where its bytes do not say"),
        "dtype": Attr("dtype", "f32", help="the float to make"),
    },
    packed_operand=0,
    doc="The weights `[E, k, n]` of all experts as floats, from packed ones, experts outermost.",
    tolerance=ulps(1),
    cost=no_arithmetic,
    no_gradient=NO_GRADIENT,
    batch=batch_dequant_moe,
    cases=_moe_cases,
)
