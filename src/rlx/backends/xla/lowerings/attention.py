"""Attention by `jax.nn.dot_product_attention`, and by its formula where that has no word for it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.ops.attention.reference import Setting

__all__ = ["LOWERINGS"]


def _in_rows(x: Any, heads: int, at: Setting) -> Any:
    """As `[B, S, heads, D]`."""
    if at.layout == "bhsd":
        return x.transpose(0, 2, 1, 3)
    return x.reshape(x.shape[0], x.shape[1], heads, at.head_dim)


def _visible(batch: int, length: int, keys: int, q_position: Any, kv_length: Any, mask: Any, at: Setting) -> Any:
    """Which key each query sees, `[B or 1, 1, S, T]`; None where all see all."""
    key = jnp.arange(keys)[None, None, :]
    conditions = []
    limit: Any = keys if kv_length is None else kv_length.astype(jnp.int64)[:, None, None]
    if kv_length is not None:
        conditions.append(key < limit)
    if at.causal or at.mask_kind.is_causal or at.mask_kind.kind == "sliding_window":
        first: Any = limit - length if q_position is None else q_position.astype(jnp.int64)[:, None, None]
        query = first + jnp.arange(length)[None, :, None]
        if at.causal or at.mask_kind.is_causal:
            conditions.append(key <= query)
        if at.mask_kind.kind == "sliding_window":
            conditions.append(key > query - at.mask_kind.window)
    if at.mask_kind.kind == "custom":
        conditions.append(mask[:, None, :])
    if not conditions:
        return None
    seen = conditions[0]
    for condition in conditions[1:]:
        seen = seen & condition
    return jnp.broadcast_to(seen, (seen.shape[0], length, keys))[:, None]


def _attention(
    site: LoweringSite, q: Any, k: Any, v: Any, mask: Any = None, q_position: Any = None, kv_length: Any = None
) -> Any:
    """Rows that see no key are zeros, and what no query sees has no effect, not even NaN."""
    at = Setting(**site.op.attrs)
    queries = _in_rows(q, at.num_heads, at)
    keys, values = (_in_rows(x, at.kv_heads, at) for x in (k, v))
    batch, length = queries.shape[:2]
    count = keys.shape[1]
    if count == 0 or q.size == 0:
        return jnp.zeros_like(q)
    seen = _visible(batch, length, count, q_position, kv_length, mask, at)
    if seen is not None:
        by_any = jnp.any(seen, axis=(1, 2))[:, :, None, None]
        keys, values = (jnp.where(by_any, x, jnp.zeros((), x.dtype)) for x in (keys, values))
    bias = mask.reshape(*(1,) * (4 - mask.ndim), *mask.shape) if at.mask_kind.kind == "bias" else None
    with jax.default_matmul_precision("highest"):
        if at.softcap is None and bias is None and q.dtype != jnp.float64:
            mixed = jax.nn.dot_product_attention(queries, keys, values, mask=seen, scale=at.scale)
            if seen is not None:
                rows = jnp.any(seen, axis=3)[:, 0, :, None, None]
                mixed = jnp.where(rows, mixed, jnp.zeros((), mixed.dtype))
        else:
            mixed = _by_parts(queries, keys, values, bias, seen, at)
    return mixed.transpose(0, 2, 1, 3) if at.layout == "bhsd" else mixed.reshape(q.shape)


def _by_parts(queries: Any, keys: Any, values: Any, bias: Any, seen: Any, at: Setting) -> Any:
    """In f64, with a bias (whose rows may be all -∞), and with scores through softcap·tanh(score/softcap) before bias and mask."""
    batch, length, heads, size = queries.shape
    grouped = queries.reshape(batch, length, at.kv_heads, at.group, size)
    scores = jnp.einsum("bskgd,btkd->bkgst", grouped, keys).reshape(batch, heads, length, -1) * at.scale
    if at.softcap is not None:
        scores = jnp.tanh(scores / at.softcap) * at.softcap
    if bias is not None:
        scores = scores + bias
    if seen is not None:
        scores = jnp.where(seen, scores, -jnp.inf)
    top = jnp.max(scores, axis=3, keepdims=True)
    weights = jnp.exp(scores - jnp.where(jnp.isneginf(top), 0, top))
    total = jnp.sum(weights, axis=3, keepdims=True)
    shares = (weights / jnp.where(total == 0, 1, total)).reshape(batch, at.kv_heads, at.group, length, -1)
    return jnp.einsum("bkgst,btkd->bskgd", shares, values).reshape(queries.shape)


LOWERINGS: dict[str, Lowering] = {"attention": _attention}
