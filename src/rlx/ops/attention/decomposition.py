"""Attention in primitive ops."""

from __future__ import annotations

import math
from functools import reduce
from operator import and_
from typing import Any

from rlx.core.dim import Size, same
from rlx.core.dtype import i32, promote
from rlx.ir.emit import emit, size_scalar
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value, as_dtype
from rlx.ops.attention.reference import Setting


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
    scores: Value, mask: Value | None, q_position: Value | None, kv_length: Value | None, at: Setting
) -> Value | None:
    """A bool Value broadcastable to the scores `[B, Hkv, G, S, T]`; None when every key is visible."""
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
    """Scores, masks, a softmax whose empty rows are zeros, and the weighted sum; memory O(S·T)."""
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
