"""Attention by `jax.nn.dot_product_attention`, and by its formula where that has no word for it, or keys and values lie heads first."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.ops.attention.reference import Setting


def _in_rows(x: Any, at: Setting) -> Any:
    """As `[B, S, heads, D]`."""
    return x.reshape(*x.shape[:2], -1, at.head_dim)


def _visible(length: int, keys: int, q_position: Any, kv_length: Any, mask: Any, at: Setting) -> Any:
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


def _attention(site: LoweringSite, q: Any, k: Any, v: Any, mask: Any = None, q_position: Any = None, kv_length: Any = None) -> Any:
    """Rows that see no key are zeros, and what no query sees has no effect, not even NaN.

    The score of a hidden key is replaced, whatever it is; a hidden value is multiplied with 0, so one that none sees is made 0.
    """
    at = Setting(**site.op.attrs)
    if k.size == 0 or q.size == 0:
        return jnp.zeros_like(q)
    heads_first = at.layout == "bhsd"
    queries, keys, values = (x if heads_first else _in_rows(x, at) for x in (q, k, v))
    positions = 2 if heads_first else 1
    seen = _visible(queries.shape[positions], keys.shape[positions], q_position, kv_length, mask, at)
    if seen is not None:
        by_any = jnp.expand_dims(jnp.any(seen, axis=(1, 2)), (1, 3) if heads_first else (2, 3))
        values = jnp.where(by_any, values, jnp.zeros((), values.dtype))
    bias = mask.reshape(*(1,) * (4 - mask.ndim), *mask.shape) if at.mask_kind.kind == "bias" else None
    with jax.default_matmul_precision("highest"):
        if heads_first or at.softcap is not None or bias is not None or q.dtype == jnp.float64:
            return _by_parts(queries, keys, values, bias, seen, at).reshape(q.shape)
        mixed = jax.nn.dot_product_attention(queries, keys, values, mask=seen, scale=at.scale)
    if seen is not None:
        rows = jnp.any(seen, axis=3)[:, 0, :, None, None]
        mixed = jnp.where(rows, mixed, jnp.zeros((), mixed.dtype))
    return mixed.reshape(q.shape)


def _by_parts(queries: Any, keys: Any, values: Any, bias: Any, seen: Any, at: Setting) -> Any:
    """In f64, with a bias (whose rows may be all -∞), with scores through softcap·tanh(score/softcap) before bias and mask, and with
    heads first, as caches of keys and values have them: those are read as they lie, not turned in every step."""
    heads_first = at.layout == "bhsd"
    query, key = ("bkgsd", "bktd") if heads_first else ("bskgd", "btkd")
    axis = 1 if heads_first else 2
    grouped = queries.reshape(*queries.shape[:axis], at.kv_heads, at.group, *queries.shape[axis + 1 :])
    scores = jnp.einsum(f"{query},{key}->bkgst", grouped, keys) * at.scale
    parts = scores.shape
    scores = scores.reshape(parts[0], at.num_heads, *parts[3:])
    if at.softcap is not None:
        scores = jnp.tanh(scores / at.softcap) * at.softcap
    if bias is not None:
        scores = scores + bias
    if seen is not None:
        scores = jnp.where(seen, scores, -jnp.inf)
    top = jnp.max(scores, axis=3, keepdims=True)
    weights = jnp.exp(scores - jnp.where(jnp.isneginf(top), 0, top))
    total = jnp.sum(weights, axis=3, keepdims=True)
    shares = (weights / jnp.where(total == 0, 1, total)).reshape(parts)
    return jnp.einsum(f"bkgst,{key}->{query}", shares, values)


LOWERINGS: dict[str, Lowering] = {"attention": _attention}
