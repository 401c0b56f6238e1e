"""Attention over packed or separate heads, with grouped kv heads, ragged lengths, masks and biases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from rlx.core.dim import proves_at_most, same
from rlx.core.dtype import i32, promote
from rlx.core.enums import MaskKind
from rlx.core.shape import is_one, is_zero
from rlx.ir.emit import emit, size_scalar
from rlx.ir.graph import Graph
from rlx.ir.value import one
from rlx.ops.attention.reference import OfValues, Setting, Summands, attend, pull_back
from rlx.ops.control.control import scan_values
from rlx.ops.conv.conv import within_axis
from rlx.ops.elementwise.binary import where
from rlx.ops.elementwise.unary import exp, tanh
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.record import (
    OPS,
    Array,
    Attr,
    Call,
    Case,
    Choice,
    Op,
    OpKind,
    Sample,
    Shape,
    Size,
    Value,
    as_dtype,
    case,
    define,
    sample,
)
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, batch_size, in_front, merge_batch, split_batch
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import as_composition, at_least_zero, match_type, swap_last_axes, zeros, zeros_like

# -- attention in primitive ops --------------------------------------------------------------------------------------


def split_heads(x: Value, groups: tuple[int, int], head_dim: int, layout: str) -> Value:
    """Reshapes an operand of attention to `[B, Hkv, G, S, D]`."""
    batch = x.shape[0]
    if layout == "bhsd":
        return x.reshape(batch, *groups, x.shape[2], head_dim)
    return x.reshape(batch, x.shape[1], *groups, head_dim).transpose(0, 2, 3, 1, 4)


def counting(graph: Graph, length: Size) -> Value:
    """The positions 0, 1, … length - 1 as an i32 Value."""
    return emit(OPS["iota"], (), {"shape": (length,)}, graph=graph)


def visible_value(
    scores: Value, mask: Value | None, q_position: Value | None, kv_length: Value | None, at: Setting
) -> Value | None:
    """The bool mask of visible keys, broadcastable to the scores `[B, Hkv, G, S, T]`; None when every key is visible."""
    batch, length, keys = scores.shape[0], scores.shape[3], scores.shape[4]
    column = (batch, 1, 1, 1, 1)
    key = counting(scores.graph, keys)
    conditions: list[Value] = []
    if kv_length is not None:
        conditions.append(key < as_dtype(kv_length, i32).reshape(column))
    if at.causal or at.mask_kind.is_causal:
        query = counting(scores.graph, length).reshape(length, 1)
        if q_position is not None:
            query = query + as_dtype(q_position, i32).reshape(column)
        elif kv_length is not None:
            query = query + (as_dtype(kv_length, i32).reshape(column) - size_scalar(scores, length))
        elif not same(keys, length):
            query = query + size_scalar(scores, keys) - size_scalar(scores, length)
        conditions.append(key <= query)
        if at.mask_kind.kind == "sliding_window":
            conditions.append(key > query - at.mask_kind.window)
    if at.mask_kind.kind == "custom":
        assert mask is not None
        conditions.append(mask.reshape(mask.shape[0], 1, 1, 1, keys))
    return reduce(and_, conditions) if conditions else None


def decompose_attention(
    q: Value,
    k: Value,
    v: Value,
    mask: Value | None = None,
    q_position: Value | None = None,
    kv_length: Value | None = None,
    **attrs: Any,
) -> Value:
    """Attention in primitive ops: scores, masks, softmax (zeros for empty rows) and the weighted sum. Memory is O(S·T)."""
    at = Setting(**attrs)
    result_type = promote(q.dtype, k.dtype, v.dtype)
    compute = result_type.compute
    if isinstance(k.type.num_elements, int) and k.type.num_elements == 0:
        return as_dtype(q, result_type) * 0.0  # no key at all
    queries = as_dtype(split_heads(q, (at.kv_heads, at.group), at.head_dim, at.layout), compute)
    keys, values = (as_dtype(split_heads(x, (at.kv_heads, 1), at.head_dim, at.layout), compute) for x in (k, v))
    scores = queries @ keys.transpose(0, 1, 2, 4, 3)
    scores = scores * at.scale
    if at.softcap is not None:
        scores = OPS["tanh"](scores / at.softcap) * at.softcap
    if at.mask_kind.kind == "bias":
        assert mask is not None
        full = mask.reshape(*(1,) * (4 - mask.rank), *mask.shape)
        heads = (1, 1) if isinstance(full.shape[1], int) and full.shape[1] == 1 else (at.kv_heads, at.group)
        scores = scores + as_dtype(full, compute).reshape(full.shape[0], *heads, *full.shape[2:])
    seen = visible_value(scores, mask, q_position, kv_length, at)
    if seen is not None:
        scores = OPS["where"](seen, scores, -math.inf)
    top = scores.max(axes=(4,), keep_dim=True)
    weights = OPS["exp"](scores - OPS["where"](top == -math.inf, 0.0, top))
    total = weights.sum(axes=(4,), keep_dim=True)
    mixed = weights / OPS["where"](total == 0.0, 1.0, total) @ values
    if at.layout != "bhsd":
        mixed = mixed.transpose(0, 3, 1, 2, 4)
    return as_dtype(mixed.reshape(*q.shape), result_type)


class AttentionLayout(Choice):
    """The axes of q, k, v and the result of attention: `[B, S, H·D]`, `[B, S, H, D]` or `[B, H, S, D]`."""

    Packed = "packed"
    Bshd = "bshd"
    Bhsd = "bhsd"


# -- shapes -----------------------------------------------------------------------------------------------------


def _batch_and_length(call: Call, index: int, heads: int) -> tuple[Size, Size]:
    """Returns batch and sequence length of q, k or v, after checking its heads against the layout."""
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


# -- tolerance against f64 --------------------------------------------------------------------------------------
def _largest_norm(x: Array, head_dim: int) -> float:
    """The largest norm of a head's vector in q or k, without vectors that are not finite."""
    heads = np.nan_to_num(np.asarray(x, np.float64), posinf=0.0, neginf=0.0).reshape(-1, head_dim)
    return float(np.sqrt((heads * heads).sum(1)).max(initial=0.0))


def score_bound(op: Op, operands: Sequence[Array | None]) -> int:
    """The error of attention in eps, squared: a score of size s that is off by s·eps moves the softmax by s·eps; a sum over T
    keys rounds by T/2."""
    q, k = operands[0], operands[1]
    assert q is not None and k is not None
    norms = [_largest_norm(x, op["head_dim"]) for x in (q, k)]
    scale = abs(Setting(**op.attrs).scale)
    keys = k.shape[2 if op["layout"] == "bhsd" else 1]
    count: float = norms[0] * norms[1] * scale + keys / 2
    return math.ceil(count**2)


def attention_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Operations of attention: two products of S·T·D for each head, and about eight operations for each score."""
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
    """Emits `attention_backward` for the gradients of q, k and v; the bias gradient is computed only where it is wanted."""
    q, k, v, *rest = operands
    mask = rest[0] if rest else None
    wanted = mask is not None and len(call.wanted) > 3 and call.wanted[3]
    dqkv = OPS["attention_backward"](q, k, v, cotangents[0], *rest, bias_gradient=wanted, **call.op.attrs)
    gradients = [as_dtype(gradient, x.dtype) for gradient, x in zip(dqkv, (q, k, v, mask), strict=False)]
    return [*gradients[:3], *(gradients[3] if index == 0 and wanted else None for index in range(len(rest)))]


def _batch_attention(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches attention: q, k, v, mask, positions and lengths become `[n·B, …]`; a bias shared by all rows stays as it is."""
    size = batch_size(operands, axes)
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is None or index != 3 or call.mask_kind.kind != "bias":
            given.append(None if value is None else merge_batch(value, axis, size))
        else:
            given.append(_bias(value, axis, size, call.given[0].dims[0]))
    return split_batch(call, again(call, given), size)


def _bias(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """The bias of batched attention, broadcastable to `[n·B, H, S, T]`; unchanged where all rows of all examples share it."""
    shared = axis is None and (bias.rank < 4 or is_one(bias.shape[0]))
    return bias if shared else bias_of_all(bias, axis, size, rows)


def bias_of_all(bias: Value, axis: Axis, size: Size, rows: Size) -> Value:
    """The bias of batched attention as `[n·B, …]`: one for each row of each example."""
    rank = bias.rank if axis is None else bias.rank - 1
    whole = in_front(bias, axis, size)
    whole = whole.reshape(size, *(1,) * (4 - rank), *whole.shape[1:])
    if is_one(whole.shape[1]):
        whole = OPS["expand"](whole, shape=(size, rows, *whole.shape[2:]))
    return merge_batch(whole, 0, size)


attention = define(
    "attention",
    "q, k, v, mask:mask?, q_position:index?, kv_length:index?",
    infer=_attention_shape,
    normalize=lambda call: call.op.with_attrs(num_kv_heads=Setting(**call.op.attrs).kv_heads),
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
    tolerance=OfValues(ulps=8.0, factor=1.0, length=score_bound),
    cost=attention_cost,
    integer_form="",
    cases=_attention_cases,
    vjp=_attention_vjp,
    batch=_batch_attention,
)


# -- the gradients of attention in one op ----------------------------------------------------------------------------
#
# s = cap(q·kᵀ·scale) + bias        p = softmax(s), zeros where nothing is visible        dp = dy·vᵀ
# ds = p·(dp - Σ p·dp)              dv = pᵀ·dy      dbias = ds      dq = (ds·cap')·k·scale      dk = (ds·cap')ᵀ·q·scale
#
# Queries are taken in chunks: scores of one chunk exist at a time, so memory is O(S), not O(S·T).


CHUNK = 128  # queries whose scores exist at one time


# -- shapes -----------------------------------------------------------------------------------------
def _gradient_shapes(call: Call) -> tuple[Shape, ...]:
    """Shapes of the attention gradients: those of q, k, v and the bias. dy has the shape of the result of attention."""
    q, k, v, dy = call.given[:4]
    attrs = {name: value for name, value in call.op.attrs.items() if name != "bias_gradient"}
    inner = Call(attention.op(**attrs), [*call.shapes[:3], *call.shapes[4:]], call.assumptions)
    result = attention.infer(inner)
    assert isinstance(result, Shape)
    if dy.rank != result.rank or not dy.dtype.is_float:
        raise call.error("RLX102", f"dy is {dy}", fix=f"the gradient of {result}")
    for axis, (mine, other) in enumerate(zip(dy.dims, result.dims, strict=True)):
        call.check_same(mine, other, f"sizes of dy and of the result at axis {axis}")
    dtype = promote(q.dtype, k.dtype, v.dtype, dy.dtype)
    shapes = [Shape.make(shape.dims, dtype) for shape in (q, k, v)]
    mask = call.shape(4)
    if Setting(**call.op.attrs).has_bias_gradient and mask is not None:
        shapes.append(Shape.make(mask.dims, dtype))
    return tuple(shapes)


# -- on Values --------------------------------------------------------------------------------------------------
class _Heads:
    """The operands of the attention backward as `[B, Hkv, G, S or T, D]` in f32 or wider, with the vjp of a chunk of queries."""

    def __init__(
        self,
        q: Value,
        k: Value,
        v: Value,
        dy: Value,
        mask: Value | None = None,
        q_position: Value | None = None,
        kv_length: Value | None = None,
        **attrs: Any,
    ) -> None:
        self.setting = at = Setting(**attrs)
        self.dtype, self.like = promote(q.dtype, k.dtype, v.dtype, dy.dtype), (q, k, v)
        self.q, self.dy = (self._split(x, at.group) for x in (q, dy))
        self.k, self.v = (self._split(x, 1) for x in (k, v))
        self.mask, self.kv_length = mask, kv_length
        self.position = self._first_position(q_position) if at.causal or at.mask_kind.is_causal else None
        if kv_length is not None:  # keys past the end of a cache have no effect, not even NaN
            inside = counting(k.graph, self.k.shape[3]) < as_dtype(kv_length, i32).reshape(kv_length.shape[0], 1)
            column = inside.reshape(inside.shape[0], 1, 1, inside.shape[1], 1)
            self.k, self.v = (where(column, x, 0.0) for x in (self.k, self.v))

    def _split(self, x: Value, group: int) -> Value:
        heads = split_heads(x, (self.setting.kv_heads, group), self.setting.head_dim, self.setting.layout)
        return as_dtype(heads, self.dtype.compute)

    def merge(self, x: Value, like: Value) -> Value:
        """Reshapes a gradient of heads back to the layout of its operand."""
        x = x if self.setting.layout == "bhsd" else x.transpose(0, 3, 1, 2, 4)
        return as_dtype(x.reshape(*like.shape), self.dtype)

    def _first_position(self, q_position: Value | None) -> Value:
        """The position of query 0 in each batch row, as i32[B]."""
        if q_position is not None:
            return as_dtype(q_position, i32)
        length = size_scalar(self.q, self.q.shape[3])
        if self.kv_length is not None:
            return as_dtype(self.kv_length, i32) - length
        return one("expand", (size_scalar(self.q, self.k.shape[3]) - length).reshape(1), shape=(self.q.shape[0],))

    def bias(self) -> Value | None:
        """The attention bias as `[…, Hkv or 1, G or 1, S or 1, T or 1]`; None where there is none."""
        if self.setting.mask_kind.kind != "bias" or self.mask is None:
            return None
        full = self.mask.reshape(*(1,) * (4 - self.mask.rank), *self.mask.shape)
        heads = (1, 1) if is_one(full.shape[1]) else (self.setting.kv_heads, self.setting.group)
        return as_dtype(full, self.dtype.compute).reshape(full.shape[0], *heads, *full.shape[2:])

    def pull(self, q: Value, dy: Value, k: Value, v: Value, bias: Value | None, first: Value | None) -> tuple[Value, ...]:
        """Computes dq, dk, dv and ds for a chunk of queries; its first query has position `first`."""
        at = self.setting
        scores = q @ swap_last_axes(k) * at.scale
        slope: Any = None
        if at.softcap is not None:
            turned = tanh(scores / at.softcap)
            scores, slope = turned * at.softcap, 1.0 - turned * turned
        if bias is not None:
            scores = scores + bias
        mask = self.mask if at.mask_kind.kind == "custom" else None
        seen = visible_value(scores, mask, first, self.kv_length, at)
        if seen is not None:
            scores = where(seen, scores, -math.inf)
        top = scores.max(axes=(4,), keep_dim=True)
        weights = exp(scores - where(top == -math.inf, 0.0, top))
        sums = weights.sum(axes=(4,), keep_dim=True)
        share = weights / where(sums == 0.0, 1.0, sums)
        dp = dy @ swap_last_axes(v)
        ds = share * (dp - (share * dp).sum(axes=(4,), keep_dim=True))
        raw = (ds if slope is None else ds * slope) * at.scale
        dk, dv = ((swap_last_axes(left) @ right).sum(axes=(2,), keep_dim=True) for left, right in ((raw, q), (share, dy)))
        return raw @ k, dk, dv, ds

    def finish(self, dq: Value, dk: Value, dv: Value, dbias: Value | None) -> tuple[Value, ...]:
        """Reshapes the attention gradients to the layouts and dims of the operands."""
        gradients = tuple(self.merge(x, operand) for x, operand in zip((dq, dk, dv), self.like, strict=True))
        if dbias is None or self.mask is None:
            return gradients
        return *gradients, as_dtype(dbias.reshape(self.mask.shape), self.dtype)


def _pull_at_once(q: Value, k: Value, v: Value, dy: Value, *rest: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """The attention backward of all queries at once, in O(S·T) memory. Higher derivatives differentiate this form."""
    if any(is_zero(size) for size in k.shape):  # no key at all
        like = as_dtype(dy, promote(q.dtype, k.dtype, v.dtype, dy.dtype))
        biases = rest[:1] if Setting(**attrs).has_bias_gradient else ()
        return tuple(zeros(like, x.shape) for x in (q, k, v, *biases) if x is not None)
    heads = _Heads(q, k, v, dy, *rest, **attrs)
    dq, dk, dv, ds = heads.pull(heads.q, heads.dy, heads.k, heads.v, heads.bias(), heads.position)
    bias = heads.bias() if attrs["bias_gradient"] else None
    return heads.finish(dq, dk, dv, None if bias is None else match_type(ds, bias))


def _pull_by_chunks(q: Value, k: Value, v: Value, dy: Value, *rest: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """The attention backward as a loop over chunks of queries that sums dk and dv; a partial chunk follows the loop."""
    length = q.shape[2] if attrs["layout"] == "bhsd" else q.shape[1]
    if proves_at_most(length, CHUNK, q.graph.assumptions) or any(is_zero(size) for size in k.shape):
        return _pull_at_once(q, k, v, dy, *rest, **attrs)
    heads = _Heads(q, k, v, dy, *rest, **attrs)
    bias = heads.bias()
    row_bias = None if bias is None or is_one(bias.shape[3]) else bias
    shared_bias = bias if row_bias is None else None
    learns_bias = attrs["bias_gradient"] and bias is not None
    count = length // CHUNK
    rows = _present(heads.q, heads.dy, row_bias)
    mains = [_chunks(x, count) for x in rows]
    sums = [zeros_like(x) for x in _present(heads.k, heads.v, shared_bias if learns_bias else None)]
    starts = counting(q.graph, count) * CHUNK
    fixed = _present(heads.k, heads.v, heads.position, shared_bias)

    def pull_chunk(
        values: Sequence[Value], lines: Sequence[Value], totals: Sequence[Value], start: Value
    ) -> tuple[list[Value], list[Value]]:
        first = None if heads.position is None else values[2] + start
        local = values[-1] if row_bias is None else lines[2]
        dq, dk, dv, ds = heads.pull(lines[0], lines[1], values[0], values[1], None if bias is None else local, first)
        added = [totals[0] + dk, totals[1] + dv]
        if not learns_bias:
            return added, [dq]
        dbias = match_type(ds, local)
        return ([*added, totals[2] + dbias], [dq]) if row_bias is None else (added, [dq, dbias])

    def step(*values: Value) -> list[Value]:
        totals, given = values[: len(sums)], values[len(sums) :]
        after, ys = pull_chunk(given[: len(fixed)], given[len(fixed) : -1], totals, given[-1])
        return [*after, *ys]

    results = scan_values(step, sums, [*mains, starts], bcasts=fixed, length=count)
    totals, lines = list(results[: len(sums)]), [_join_chunks(x) for x in results[len(sums) :]]
    left = at_least_zero(q.graph, length - count * CHUNK)
    if not is_zero(left):
        tails = [narrow(x, axis=3, start=count * CHUNK, length=left) for x in rows]
        totals, ends = pull_chunk(fixed, tails, totals, size_scalar(q, count * CHUNK))
        lines = [concat(line, end, axis=3) for line, end in zip(lines, ends, strict=True)]
    dbias = [*totals[2:], *lines[1:]]
    return heads.finish(lines[0], totals[0], totals[1], dbias[0] if dbias else None)


def _chunks(x: Value, count: Size) -> Value:
    """Splits the full chunks of queries: `[B, Hkv, G, S, …]` becomes `[count, B, Hkv, G, CHUNK, …]`."""
    within_axis(x, 3, count * CHUNK)
    cut: Value = narrow(x, axis=3, start=0, length=count * CHUNK).reshape(*x.shape[:3], count, CHUNK, x.shape[4])
    return cut.transpose(3, 0, 1, 2, 4, 5)


def _present(*values: Value | None) -> list[Value]:
    return [value for value in values if value is not None]


def _join_chunks(x: Value) -> Value:
    count, *outer, chunk, last = x.shape
    return x.transpose(1, 2, 3, 0, 4, 5).reshape(*outer, count * chunk, last)


# -- the record -------------------------------------------------------------------------------------------------
def _backward_cases() -> list[Case]:
    rows = []
    for row in attention.cases():  # type: ignore[operator]
        q, k, v, *rest = row.operands
        assert q is not None
        rows.append(case(q, k, v, sample(*q.dims), *rest, note=row.note, dtypes=("f32",), **row.attrs))
    wide: dict[str, Any] = {"num_heads": 2, "head_dim": 4, "mask_kind": "causal"}
    long = sample(1, 2 * CHUNK + 3, 8)
    rows.append(case(long, long, long, long, note="odd: two chunks and a rest", **wide))
    return rows


def _batch_backward(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `attention_backward` like attention; the gradient of a bias shared by an example's rows is summed over those rows."""
    size, rows = batch_size(operands, axes), call.given[0].dims[0]
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is not None and index == 4 and call.mask_kind.kind == "bias":
            given.append(bias_of_all(value, axis, size, rows))
        else:
            given.append(None if value is None else merge_batch(value, axis, size))
    gradients = list(again(call, given))
    examples = call.op.infer(call.shapes, call.assumptions)
    if len(gradients) == 4 and (examples[3].rank < 4 or is_one(examples[3].dims[0])):
        gradients[3] = gradients[3].reshape(size, rows, *gradients[3].shape[1:]).sum(axes=1)
    return split_batch(call, gradients, size)


attention_backward = define(
    "attention_backward",
    "q, k, v, dy, mask:mask?, q_position:index?, kv_length:index?",
    infer=_gradient_shapes,
    normalize=attention.normalize,
    reference=pull_back,
    decompose=_pull_by_chunks,
    kind=OpKind.Compute,
    results=("gradients*",),
    attrs={**attention.attrs, "bias_gradient": Attr("bool", True, "whether the gradient of a bias is wanted")},
    doc="The gradients of `attention` by q, k, v, and by a bias, in one pass with memory O(S); always a tuple.",
    tolerance=Summands(ulps=8.0, factor=1.0, length=score_bound),
    cost=lambda call, results: attention_cost(call, results) * 3,
    cases=_backward_cases,
    batch=_batch_backward,
    **as_composition(_pull_at_once),
)
