"""Attention over packed or separate heads, with grouped kv heads, ragged lengths, masks and biases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, same
from rlx.core.dtype import i32, promote
from rlx.core.kinds import Choice, MaskKind, OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, Sample, case, sample
from rlx.ir.emit import emit, size_scalar
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call, Op, define
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import Value, as_dtype

Array = npt.NDArray[Any]


class AttentionLayout(Choice):
    """How heads lie in q, k, v and the result: `[B, S, H·D]`, `[B, S, H, D]` or `[B, H, S, D]`."""

    Packed = "packed"
    Bshd = "bshd"
    Bhsd = "bhsd"


# -- shapes -----------------------------------------------------------------------------------------------------
def _kv_heads(attrs: Any) -> int:
    """Key and value heads: as many as query heads unless stated."""
    return int(attrs["num_heads"] if attrs["num_kv_heads"] is None else attrs["num_kv_heads"])


def _fill_kv_heads(call: Call) -> Op:
    return call.op.with_attrs(num_kv_heads=_kv_heads(call.op.attrs))


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
    kv_heads = _kv_heads(call.op.attrs)
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


# -- meaning ----------------------------------------------------------------------------------------------------
def heads_first(x: Array, heads: int, head_dim: int, layout: str) -> Array:
    """As `[B, heads, S, D]`."""
    if layout == "packed":
        x = x.reshape(x.shape[0], x.shape[1], heads, head_dim)
    return x if layout == "bhsd" else x.transpose(0, 2, 1, 3)


def visible_keys(
    batch: int,
    length: int,
    keys: int,
    q_position: Array | None,
    kv_length: Array | None,
    mask_kind: MaskKind,
    causal: bool,
) -> Array:
    """Whether key j is visible to query i by lengths and positions: `[B, 1, S, T]`."""
    limit = np.full(batch, keys, np.int64) if kv_length is None else kv_length.astype(np.int64)
    first = limit - length if q_position is None else q_position.astype(np.int64)
    key = np.arange(keys)[None, None, :]
    query = first[:, None, None] + np.arange(length)[None, :, None]
    seen: Array = np.broadcast_to(key < limit[:, None, None], (batch, length, keys))
    if causal or mask_kind.is_causal:
        seen = seen & (key <= query)
    if mask_kind.kind == "sliding_window":
        seen = seen & (key > query - mask_kind.window)
    return seen[:, None]


def _attention(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None = None,
    q_position: Array | None = None,
    kv_length: Array | None = None,
    *,
    num_heads: int,
    head_dim: int,
    mask_kind: MaskKind,
    num_kv_heads: int | None,
    score_scale: float | None,
    softcap: float | None,
    layout: str,
    causal: bool,
) -> Array:
    kv_heads = num_kv_heads or num_heads
    group = num_heads // kv_heads
    queries = heads_first(q, num_heads, head_dim, layout)
    keys, values = (heads_first(x, kv_heads, head_dim, layout) for x in (k, v))
    batch, _, length, _ = queries.shape
    visible = visible_keys(batch, length, keys.shape[2], q_position, kv_length, mask_kind, causal)
    if mask_kind.kind == "custom":
        assert mask is not None
        visible = visible & mask[:, None, None, :]
    seen_by_any: Array = np.any(visible, axis=(1, 2))  # what lies past the end of a cache has no effect, not even NaN
    values = np.where(seen_by_any[:, None, :, None], values, np.zeros((), values.dtype))
    scale = 1 / math.sqrt(head_dim) if score_scale is None else score_scale
    weights, _ = score_weights(
        queries, keys.repeat(group, 1), visible, scale, softcap, mask if mask_kind.kind == "bias" else None
    )
    total = weights.sum(3, keepdims=True)
    mixed = weights @ values.repeat(group, 1) / np.where(total == 0, 1, total)
    return mixed if layout == "bhsd" else mixed.transpose(0, 2, 1, 3).reshape(q.shape)


def score_weights(
    queries: Array, keys: Array, visible: Array, scale: float, softcap: float | None, bias: Array | None
) -> tuple[Array, Array]:
    """exp(score - the row's largest), 0 where a key is hidden, of heads `[B, H, S, D]`; and the scores from before bias and mask."""
    scores = capped = queries @ keys.swapaxes(2, 3) * scale
    if softcap is not None:
        scores = capped = softcap * np.tanh(scores / softcap)
    if bias is not None:
        scores = scores + bias
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(3, initial=-np.inf, keepdims=True)
    return np.exp(scores - np.where(np.isneginf(top), 0, top)), capped


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
    scale = 1 / math.sqrt(op["head_dim"]) if op["score_scale"] is None else abs(op["score_scale"])
    keys = k.shape[2 if op["layout"] == "bhsd" else 1]
    count: float = norms[0] * norms[1] * scale + keys / 2
    return math.ceil(count**2)


def attention_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Two products of S·T·D for each head, and about eight operations for each score."""
    batch, length = _batch_and_length(call, 0, call.num_heads)
    _, keys = _batch_and_length(call, 1, _kv_heads(call.op.attrs))
    heads, each = int(call.num_heads), 4 * int(call.head_dim) + 8
    return batch * heads * length * keys * each


# -- the same in primitive ops ----------------------------------------------------------------------------------
def split_heads(x: Value, groups: tuple[int, int], head_dim: int, layout: str) -> Value:
    """As `[B, Hkv, G, S, D]`."""
    batch = x.shape[0]
    if layout == "bhsd":
        return x.reshape(batch, *groups, x.shape[2], head_dim)
    return x.reshape(batch, x.shape[1], *groups, head_dim).transpose(0, 2, 3, 1, 4)


def counting(graph: Graph, length: Size) -> Value:
    """0, 1, … length - 1 as i32."""
    value: Value = emit(OPS["iota"], (), {"shape": (length,)}, graph=graph)
    return value


def visible_value(
    scores: Value,
    mask: Value | None,
    q_position: Value | None,
    kv_length: Value | None,
    mask_kind: MaskKind,
    causal: bool,
) -> Value | None:
    """A bool Value broadcastable to the scores `[B, Hkv, G, S, T]`; None when every key is visible."""
    batch, length, keys = scores.shape[0], scores.shape[3], scores.shape[4]
    column = (batch, 1, 1, 1, 1)
    key = counting(scores.graph, keys)
    conditions: list[Value] = []
    if kv_length is not None:
        conditions.append(key < as_dtype(kv_length, i32).reshape(column))
    if causal or mask_kind.is_causal:
        query = counting(scores.graph, length).reshape(length, 1)
        if q_position is not None:
            query = query + as_dtype(q_position, i32).reshape(column)
        elif kv_length is not None:
            query = query + (as_dtype(kv_length, i32).reshape(column) - size_scalar(scores, length))
        elif not same(keys, length):
            query = query + size_scalar(scores, keys) - size_scalar(scores, length)
        conditions.append(key <= query)
        if mask_kind.kind == "sliding_window":
            conditions.append(key > query - mask_kind.window)
    if mask_kind.kind == "custom":
        assert mask is not None
        conditions.append(mask.reshape(mask.shape[0], 1, 1, 1, keys))
    return reduce(and_, conditions) if conditions else None


def _decompose_attention(
    q: Value,
    k: Value,
    v: Value,
    mask: Value | None = None,
    q_position: Value | None = None,
    kv_length: Value | None = None,
    *,
    num_heads: int,
    head_dim: int,
    mask_kind: MaskKind,
    num_kv_heads: int | None,
    score_scale: float | None,
    softcap: float | None,
    layout: str,
    causal: bool,
) -> Value:
    """Scores, masks, a softmax whose empty rows are zeros, and the weighted sum; memory O(S·T)."""
    kv_heads = num_kv_heads or num_heads
    group = num_heads // kv_heads
    result_type = promote(q.dtype, k.dtype, v.dtype)
    compute = result_type.compute
    if isinstance(k.type.num_elements, int) and k.type.num_elements == 0:
        zero: Value = as_dtype(q, result_type) * 0.0  # no key at all
        return zero
    queries = as_dtype(split_heads(q, (kv_heads, group), head_dim, layout), compute)
    keys, values = (as_dtype(split_heads(x, (kv_heads, 1), head_dim, layout), compute) for x in (k, v))
    scores = queries @ keys.transpose(0, 1, 2, 4, 3)
    scores = scores * (1 / math.sqrt(head_dim) if score_scale is None else score_scale)
    if softcap is not None:
        scores = OPS["tanh"](scores / softcap) * softcap
    if mask_kind.kind == "bias":
        assert mask is not None
        full = mask.reshape(*(1,) * (4 - mask.rank), *mask.shape)
        heads = (1, 1) if isinstance(full.shape[1], int) and full.shape[1] == 1 else (kv_heads, group)
        scores = scores + as_dtype(full, compute).reshape(full.shape[0], *heads, *full.shape[2:])
    seen = visible_value(scores, mask, q_position, kv_length, mask_kind, causal)
    if seen is not None:
        scores = OPS["where"](seen, scores, -math.inf)
    top = scores.max(axes=(4,), keep_dim=True)
    weights = OPS["exp"](scores - OPS["where"](top == -math.inf, 0.0, top))
    total = weights.sum(axes=(4,), keep_dim=True)
    mixed = weights / OPS["where"](total == 0.0, 1.0, total) @ values
    if layout != "bhsd":
        mixed = mixed.transpose(0, 3, 1, 2, 4)
    return as_dtype(mixed.reshape(*q.shape), result_type)


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
        _row(
            "odd: a window in decode",
            (2, 1, 32),
            (2, 9, 32),
            None,
            (8, 4),
            (9, 5),
            mask_kind="sliding_window(4)",
            **_HEADS,
        ),
        _row("odd: validity mask, one row empty", packed, packed, sample(2, 5, dtype="bool", fixed=_HOLES), **custom),
        _row("validity and causal", packed, packed, sample(2, 5, dtype="bool", fixed=_GAPS), causal=True, **custom),
        _row("bias per head", packed, narrow, sample(2, 4, 5, 5), dtypes=("f32", "bf16"), **{**bias, **_GROUPED}),
        _row("bias broadcast, -inf rows", (1, 3, 32), (1, 3, 32), sample(3, 3, fixed=_INFINITE), **bias),
        _row("bias broadcast over heads and queries, causal", packed, packed, sample(2, 1, 1, 5), causal=True, **bias),
        _row("scale and softcap", packed, packed, score_scale=0.5, softcap=2.0, **causal),
        _row("bshd", (2, 5, 4, 8), (2, 7, 2, 8), layout="bshd", **_GROUPED),
        _row(
            "bhsd, a cache", (2, 4, 5, 8), (2, 2, 9, 8), None, (3, 4), (8, 9), dtypes=_FLOATS, layout="bhsd", **grouped
        ),
        _row("odd: head_dim 67, vector tails", (1, 9, 201), (1, 33, 201), num_heads=3, head_dim=67),
        _row("size 0: no query", (2, 0, 16), (2, 3, 16), **_PAIR),
        _row("size 0: no key gives zeros", (2, 3, 16), (2, 0, 16), **_PAIR),
    ]


class _OfValues(Tolerance):
    """Measured from the average of |v|: averages of v may cancel, their roundings do not."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The result on |v|, or the element itself where what is not finite makes it larger."""
        q, k, v, *rest = operands
        assert v is not None
        (size,) = evaluate_op(op, (q, k, np.abs(v), *rest), wide=True)
        return np.asarray(np.fmax(np.abs(size), np.abs(expected)))


attention = define(
    "attention",
    "q, k, v, mask:mask?, q_position:index?, kv_length:index?",
    infer=_attention_shape,
    normalize=_fill_kv_heads,
    reference=_attention,
    decompose=_decompose_attention,
    kind=OpKind.Compute,
    attrs={
        "num_heads": Attr("int", help="query heads"),
        "head_dim": Attr("int", help="size of a head"),
        "mask_kind": Attr("tag", "none", "which keys a query sees", parse=MaskKind.parse, annotation="MaskKind | str"),
        "num_kv_heads": Attr("int", None, "key and value heads; query head h reads kv head h // group"),
        "score_scale": Attr("float", None, "factor of the scores; 1/sqrt(head_dim) when not given"),
        "softcap": Attr("float", None, "scores become c·tanh(s/c) before any mask"),
        "layout": Attr(
            "tag", "packed", "packed, bshd or bhsd", parse=AttentionLayout.parse, annotation="AttentionLayout | str"
        ),
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
    cases=_attention_cases,
)
