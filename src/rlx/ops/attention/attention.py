"""Attention over packed or separate heads, with grouped kv heads, ragged lengths, masks and biases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import promote
from rlx.core.enums import Choice, MaskKind, OpKind
from rlx.core.shape import Shape, is_one
from rlx.ir.attributes import Attr
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS, Call, Op, define
from rlx.ir.tolerance import Case, Sample, Tolerance, case, sample
from rlx.ir.value import Value, as_dtype
from rlx.ops.attention.decomposition import decompose_attention
from rlx.ops.attention.reference import Setting, attend
from rlx.transforms.rules.batch_formulas import again, merged, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, in_front
from rlx.transforms.rules.derivative import Derivative, Maybe, Values

Array = npt.NDArray[Any]


class AttentionLayout(Choice):
    """How heads lie in q, k, v and the result: `[B, S, H·D]`, `[B, S, H, D]` or `[B, H, S, D]`."""

    Packed = "packed"
    Bshd = "bshd"
    Bhsd = "bhsd"


# -- shapes -----------------------------------------------------------------------------------------------------
def _fill_kv_heads(call: Call) -> Op:
    return call.op.with_attrs(num_kv_heads=Setting(**call.op.attrs).kv_heads)


def _batch_and_length(call: Call, index: int, heads: int) -> tuple[Size, Size]:
    """Batch and sequence length of q, k or v, its heads checked against the layout."""
    shape, name, layout = call.shapes[index], call.op.definition.operands[index].name, call.layout
    assert shape is not None
    if layout == "packed":
        if shape.rank == 4:
            raise call.error("RLX102", f"{name} has rank 4 and no layout", fix="layout='bshd' or layout='bhsd'")
        if shape.rank != 3:
            raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="[B, S, H·D], or rank 4 with a layout")
        what = f"last size of {name} and heads·head_dim = {heads}·{call.head_dim}:"
        call.check_same(shape.dims[2], heads * call.head_dim, what)
        return shape.dims[0], shape.dims[1]
    if shape.rank != 4:
        raise call.error("RLX102", f"{name} has rank {shape.rank}, layout {layout} has 4 axes", fix="layout='packed'")
    batch, second, third, last = shape.dims
    call.check_same(last, call.head_dim, f"last size of {name} and head_dim:")
    length, count = (second, third) if layout == "bshd" else (third, second)
    call.check_same(count, heads, f"heads of {name} and the op's:")
    return batch, length


def _check_heads(call: Call) -> int:
    kv_heads = Setting(**call.op.attrs).kv_heads
    for name in ("num_heads", "head_dim"):
        if call.op.attrs[name] < 1:
            raise call.error("RLX105", f"{name} is {call.op.attrs[name]}", fix=f"{name} is at least 1")
    if kv_heads < 1 or call.num_heads % kv_heads:
        raise call.error("RLX105", f"{call.num_heads} query heads on {kv_heads} kv heads", fix="a divisor of num_heads")
    if call.softcap is not None and not call.softcap > 0:
        raise call.error("RLX105", f"softcap is {call.softcap}", fix="a positive number, or None")
    return kv_heads


def _check_mask(call: Call, target: Sequence[Size]) -> None:
    kind, mask = call.mask_kind, call.shape(3)
    batch, _, _, keys = target
    if mask is None:
        if kind.has_operand:
            wanted = "bool [B, T]" if kind.kind == "custom" else "floats broadcastable to [B, H, S, T]"
            raise call.error("RLX101", f"mask_kind {kind} needs the operand mask", fix=f"mask: {wanted}")
        return
    if not kind.has_operand:
        raise call.error("RLX101", f"mask_kind {kind} has no operand mask", fix="mask_kind='custom' or 'bias'")
    if kind.kind == "custom":
        if not mask.dtype.is_bool:
            raise call.error("RLX103", f"the validity mask is {mask.dtype}", fix="bools: mask != 0")
        if mask.rank != 2:
            raise call.error("RLX102", f"the validity mask has rank {mask.rank}", fix="[B, T], or mask_kind='bias'")
        call.check_same(mask.dims[0], batch, "batch of the mask and of q:")
        call.check_same(mask.dims[1], keys, "size of the mask and keys:")
        return
    if not mask.dtype.is_float:
        raise call.error("RLX103", f"the bias is {mask.dtype}", fix="floats, added to the scores")
    if mask.rank > 4:
        raise call.error("RLX102", f"the bias has rank {mask.rank}", fix="broadcastable to [B, H, S, T]")
    for mine, full in zip(reversed(mask.dims), reversed(target), strict=False):
        if not (isinstance(mine, int) and mine == 1):
            call.check_same(mine, full, "sizes of the bias and of [B, H, S, T]:")


def _check_per_row(call: Call, index: int, batch: Size) -> None:
    shape, name = call.shape(index), call.op.definition.operands[index].name
    if shape is None:
        return
    if not shape.dtype.is_integer:
        raise call.error("RLX103", f"{name} is {shape.dtype}", fix="integers, i32[B]")
    if shape.rank != 1:
        raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="one number for each batch row: i32[B]")
    call.check_same(shape.dims[0], batch, f"size of {name} and batch:")


def _attention_shape(call: Call) -> Shape:
    kv_heads = _check_heads(call)
    for index, name in enumerate("qkv"):
        shape = call.shapes[index]
        if shape is None or not shape.dtype.is_float:
            raise call.error("RLX103", f"{name} is {shape and shape.dtype}", fix="attention takes floats")
    batch, length = _batch_and_length(call, 0, call.num_heads)
    key_batch, keys = _batch_and_length(call, 1, kv_heads)
    value_batch, values = _batch_and_length(call, 2, kv_heads)
    call.check_same(batch, key_batch, "batch of q and k:")
    call.check_same(batch, value_batch, "batch of q and v:")
    call.check_same(keys, values, "lengths of k and v:")
    _check_mask(call, (batch, call.num_heads, length, keys))
    _check_per_row(call, 4, batch)
    _check_per_row(call, 5, batch)
    q, k, v = call.given[:3]
    return Shape.make(q.dims, promote(q.dtype, k.dtype, v.dtype))


# -- how far a result may be from f64 ---------------------------------------------------------------------------
def _largest_norm(x: Array, head_dim: int) -> float:
    """The largest length of a head's vector, what is not finite left out."""
    heads = np.nan_to_num(np.asarray(x, np.float64), posinf=0.0, neginf=0.0).reshape(-1, head_dim)
    return float(np.sqrt((heads * heads).sum(1)).max(initial=0.0))


def score_bound(op: Op, operands: Sequence[Array | None]) -> int:
    """The square of how many eps the roundings come to: an error of eps in a score of size s moves the softmax by s·eps, and sums over T
    keys round by T/2."""
    q, k = operands[0], operands[1]
    assert q is not None and k is not None
    norms = [_largest_norm(x, op["head_dim"]) for x in (q, k)]
    scale = abs(Setting(**op.attrs).scale)
    keys = k.shape[2 if op["layout"] == "bhsd" else 1]
    count: float = norms[0] * norms[1] * scale + keys / 2
    return math.ceil(count**2)


class _OfValues(Tolerance):
    """Measured from the average of |v|: averages of v may cancel, their roundings do not."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The result on |v|, or the element itself where what is not finite makes it larger."""
        q, k, v, *rest = operands
        assert v is not None
        (size,) = evaluate_op(op, (q, k, np.abs(v), *rest), wide=True)
        return np.asarray(np.fmax(np.abs(size), np.abs(expected)))


def attention_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Two products of S·T·D for each head, and about eight operations for each score."""
    batch, length = _batch_and_length(call, 0, call.num_heads)
    _, keys = _batch_and_length(call, 1, Setting(**call.op.attrs).kv_heads)
    heads, each = int(call.num_heads), 4 * int(call.head_dim) + 8
    return batch * heads * length * keys * each


# -- the record -------------------------------------------------------------------------------------------------
_FLOATS = ("f32", "f64", "f16", "bf16")
_HEADS: dict[str, Any] = {"num_heads": 4, "head_dim": 8}
_GROUPED: dict[str, Any] = {**_HEADS, "num_kv_heads": 2}
_PAIR: dict[str, Any] = {"num_heads": 2, "head_dim": 8}
_HOLES = [[1, 1, 0, 1, 0], [0] * 5]  # the second row sees nothing
_GAPS = [[1, 1, 0, 1, 1], [0, 1, 1, 1, 1]]
_INFINITE = [[0.0, -math.inf, 1.0], [-math.inf] * 3, [2.0, 0.5, -1.0]]


def _row(
    note: str,
    q: tuple[int, ...],
    kv: tuple[int, ...],
    mask: Sample | None = None,
    first: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    dtypes: tuple[str, ...] = ("f32",),
    **attrs: Any,
) -> Case:
    rows = (None if x is None else sample(len(x), dtype="i32", fixed=x) for x in (first, lengths))
    return case(sample(*q), sample(*kv), sample(*kv), mask, *rows, note=note, dtypes=dtypes, **attrs)


def _attention_cases() -> list[Case]:
    causal, custom, bias = ({"mask_kind": kind, **_HEADS} for kind in ("causal", "custom", "bias"))
    grouped: dict[str, Any] = {"mask_kind": "causal", **_GROUPED}
    packed, narrow, cache = (2, 5, 32), (2, 5, 16), (3, 6, 16)
    return [
        _row("no mask", packed, packed, dtypes=_FLOATS, **_HEADS),
        _row("causal, grouped kv heads", packed, narrow, dtypes=_FLOATS, **grouped),
        _row("odd: T > S, causal", (2, 3, 32), (2, 7, 32), **causal),
        _row("odd: T < S, causal, two queries without a key", (1, 4, 16), (1, 2, 16), mask_kind="causal", **_PAIR),
        _row("odd: decode, ragged", (3, 1, 32), cache, None, (0, 5, 2), (1, 6, 3), dtypes=_FLOATS, **grouped),
        _row("odd: ragged lengths without positions, one row empty", (3, 2, 32), cache, lengths=(2, 6, 0), **grouped),
        _row("sliding window", packed, packed, mask_kind="sliding_window(3)", **_HEADS),
        _row("odd: a window in decode", (2, 1, 32), (2, 9, 32), None, (8, 4), (9, 5), mask_kind="sliding_window(4)", **_HEADS),
        _row("odd: validity mask, one row empty", packed, packed, sample(2, 5, dtype="bool", fixed=_HOLES), **custom),
        _row("validity and causal", packed, packed, sample(2, 5, dtype="bool", fixed=_GAPS), causal=True, **custom),
        _row("bias per head", packed, narrow, sample(2, 4, 5, 5), dtypes=("f32", "bf16"), **{**bias, **_GROUPED}),
        _row("bias broadcast, -inf rows", (1, 3, 32), (1, 3, 32), sample(3, 3, fixed=_INFINITE), **bias),
        _row("bias broadcast over heads and queries, causal", packed, packed, sample(2, 1, 1, 5), causal=True, **bias),
        _row("scale and softcap", packed, packed, score_scale=0.5, softcap=2.0, **causal),
        _row("bshd", (2, 5, 4, 8), (2, 7, 2, 8), layout="bshd", **_GROUPED),
        _row("bhsd, a cache", (2, 4, 5, 8), (2, 2, 9, 8), None, (3, 4), (8, 9), dtypes=_FLOATS, layout="bhsd", **grouped),
        _row("odd: head_dim 67, vector tails", (1, 9, 201), (1, 33, 201), num_heads=3, head_dim=67),
        _row("size 0: no query", (2, 0, 16), (2, 3, 16), **_PAIR),
        _row("size 0: no key gives zeros", (2, 3, 16), (2, 0, 16), **_PAIR),
    ]


def _attention_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """All gradients by `attention_backward`; a bias that nobody differentiates costs nothing."""
    q, k, v, *rest = operands
    mask = rest[0] if rest else None
    wanted = mask is not None and len(call.wanted) > 3 and call.wanted[3]
    found = OPS["attention_backward"](q, k, v, cotangents[0], *rest, bias_gradient=wanted, **call.op.attrs)
    gradients = [as_dtype(gradient, x.dtype) for gradient, x in zip(found, (q, k, v, mask), strict=False)]
    return [*gradients[:3], *(gradients[3] if index == 0 and wanted else None for index in range(len(rest)))]


def _batch_attention(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """q, k, v, validity, positions and lengths as `[n·B, …]`; a bias too, unless it is one for all rows."""
    size = batch_size(operands, axes)
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is None or index != 3 or call.mask_kind.kind != "bias":
            given.append(None if value is None else merged(value, axis, size))
        else:
            given.append(_bias(value, axis, size, call.given[0].dims[0]))
    return separated(call, again(call, given), size)


def _bias(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """Broadcastable to `[n·B, H, S, T]`: as it is, where it is one for all rows of all examples."""
    shared = axis is None and (bias.rank < 4 or is_one(bias.shape[0]))
    return bias if shared else bias_of_all(bias, axis, size, rows)


def bias_of_all(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """`[n·B, …]`, a bias for each row of each example."""
    rank = bias.rank if axis is None else bias.rank - 1
    whole = in_front(bias, axis, size)
    whole = whole.reshape(size, *(1,) * (4 - rank), *whole.shape[1:])
    if is_one(whole.shape[1]):
        whole = OPS["expand"](whole, shape=(size, rows, *whole.shape[2:]))
    return merged(whole, 0, size)


attention = define(
    "attention",
    "q, k, v, mask:mask?, q_position:index?, kv_length:index?",
    infer=_attention_shape,
    normalize=_fill_kv_heads,
    reference=attend,
    decompose=decompose_attention,
    kind=OpKind.Compute,
    attrs={
        "num_heads": Attr("int", help="query heads"),
        "head_dim": Attr("int", help="size of a head"),
        "mask_kind": Attr("tag", "none", "which keys a query sees", parse=MaskKind.parse, annotation="MaskKind | str"),
        "num_kv_heads": Attr("int", None, "key and value heads; query head h reads kv head h // group"),
        "score_scale": Attr("float", None, "factor of the scores; 1/sqrt(head_dim) when not given"),
        "softcap": Attr("float", None, "scores become c·tanh(s/c) before any mask"),
        "layout": Attr("tag", "packed", "packed, bshd or bhsd", parse=AttentionLayout.parse, annotation="AttentionLayout | str"),
        "causal": Attr("bool", False, "hide later keys, whatever the mask kind"),
    },
    doc="""softmax(q·kᵀ·scale + masks)·v for each head, the softmax in f32 (f64 for f64).

    q is `[B, S, H·D]` (packed), `[B, S, H, D]` (bshd) or `[B, H, S, D]` (bhsd); k and v have T in place of S and
    num_kv_heads heads. Key j is visible to query i of row b iff j < kv_length[b] (default T), for causal kinds
    j <= q_position[b] + i (default kv_length[b] - S), for sliding_window(w) also j > q_position[b] + i - w.
    `custom` adds a bool mask `[B, T]`, `bias` a float mask broadcastable to `[B, H, S, T]`; -inf hides a key.
    A row with no visible key gives zeros. The result has q's dims and the promoted dtype.""",
    tolerance=_OfValues(ulps=8.0, factor=1.0, length=score_bound),
    cost=attention_cost,
    integer_form="",
    cases=_attention_cases,
    vjp=_attention_vjp,
    batch=_batch_attention,
)
