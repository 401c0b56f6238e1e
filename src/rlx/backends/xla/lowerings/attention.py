"""Attention, and its keys and values in pages."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.algebra import cast
from rlx.backends.xla.lowerings.quantized import divided
from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.core.dtype import DType
from rlx.ops.attention.paged import GROUP, LEAST_HALF, MOST_HALF, NORMAL_HALF
from rlx.ops.attention.reference import Setting


def _in_rows(x: Any, at: Setting) -> Any:
    """Transposes heads to `[B, S, heads, D]`."""
    return x.reshape(*x.shape[:2], -1, at.head_dim)


def _visible(length: int, keys: int, q_position: Any, kv_length: Any, mask: Any, at: Setting) -> Any:
    """Mask of the keys each query sees, `[B or 1, 1, S, T]`; None where all queries see all."""
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
    """Lowers attention. Rows that see no key are zeros, and what no query sees has no effect, not even NaN.

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
    """In f64, with a bias (rows may be all -∞), with scores through softcap·tanh(score/softcap) before bias and mask, and with
    heads first, as caches of keys and values have them: those are read in their layout, not transposed in every step."""
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


_ROWS_AT_ONCE = 64
"""Rows of attention whose keys and values lie in memory together."""


# -- writing
def _placed(pages: Any, rows: Any, transposed: bool, start: Any, sequence: Any, tables: Any) -> Any:
    """Writes rows `[rows, heads, dim]` into the pages; a row without a position gets one past the end, and is dropped."""
    count, size = pages.shape[0], pages.shape[3 if transposed else 2]
    if not tables.size or not rows.size or not count:
        return pages
    position, owner, known = (x.astype(jnp.int64) for x in (start, sequence, tables))
    owners, blocks = known.shape
    inside = (owner >= 0) & (owner < owners) & (position >= 0) & (position < blocks * size)
    page = known[jnp.clip(owner, 0, owners - 1), jnp.clip(position // size, 0, blocks - 1)]
    page = jnp.where(inside & (page >= 0), page, count)
    place = position % size
    at = pages.at[page, :, :, place] if transposed else pages.at[page, :, place]
    return at.set(rows, mode="drop")


def _heads_and_dim(pages: Any, transposed: bool) -> tuple[int, int]:
    return pages.shape[1], pages.shape[2 if transposed else 3]


def _page_write(at: LoweringSite, pages: Any, rows: Any, *where: Any) -> Any:
    turned = at["transposed"]
    new = cast(rows.reshape(-1, *_heads_and_dim(pages, turned)), DType.of(pages.dtype))
    return _placed(pages, new, turned, *where)


def _page_write_q8(at: LoweringSite, pages: Any, scales: Any, rows: Any, *where: Any) -> tuple[Any, Any]:
    turned = at["transposed"]
    numbers, own = _rounded_to_q8(rows.reshape(-1, *_heads_and_dim(pages, turned)))
    return _placed(pages, numbers, turned, *where), _placed(scales, own, turned, *where)


def _rounded_to_q8(rows: Any) -> tuple[Any, Any]:
    """Rounds to Q8 as `rlx.ops.attention.paged.rounded_to_q8` does."""
    blocks = rows.astype(jnp.float32).reshape(*rows.shape[:-1], rows.shape[-1] // GROUP, GROUP)
    wanted = divided(jnp.abs(blocks).max(-1), np.float32(127))
    scales = jnp.clip(wanted, 0, np.float32(MOST_HALF)).astype(jnp.float16).astype(jnp.float32)
    short = (scales < wanted) & (wanted < np.float32(NORMAL_HALF))
    scales = jnp.where(short, scales + np.float32(LEAST_HALF), scales)
    inverse = divided(jnp.ones_like(scales), jnp.where(scales == 0, np.float32(np.inf), scales))
    rounded = jnp.rint(blocks * inverse[..., None])
    numbers = jnp.clip(jnp.nan_to_num(rounded, nan=0.0, posinf=127, neginf=-127), -127, 127)
    return numbers.astype(jnp.int8).reshape(rows.shape), scales.astype(jnp.float16)


# -- reading
def _floats(pages: Any, scales: Any, axis: int) -> Any:
    return pages if scales is None else pages.astype(scales.dtype) * jnp.repeat(scales, GROUP, axis)


def _paged_attention(
    at: LoweringSite,
    q: Any,
    k_pages: Any,
    v_pages: Any,
    start: Any,
    sequence: Any,
    tables: Any,
    k_scales: Any = None,
    v_scales: Any = None,
) -> Any:
    """Attention over page tables, several rows at once: gathers a row's pages; what it does not see has no effect, not even NaN."""
    count, kv_heads, dim, page = k_pages.shape
    total = tables.shape[1] * page
    if not q.size or not tables.size or not count:
        return jnp.zeros_like(q)
    scale = 1 / math.sqrt(dim) if at["score_scale"] is None else at["score_scale"]
    softcap, window = at["softcap"], at["mask_kind"].window
    known = jnp.clip(tables.astype(jnp.int64), 0, count - 1)

    def gathered(pages: Any, scales: Any, owned: Any, axis: int, order: tuple[int, ...], dims: tuple[int, ...]) -> Any:
        own = _floats(pages[owned], None if scales is None else scales[owned], axis)
        return own.transpose(order).reshape(dims)

    def row(given: tuple[Any, Any, Any]) -> Any:
        query, position, owner = given
        key = jnp.arange(total)
        seen = (key <= position) & (owner >= 0) & (owner < len(known))
        if window:
            seen &= key > position - window
        owned = known[jnp.clip(owner, 0, len(known) - 1)]
        keys = gathered(k_pages, k_scales, owned, 2, (1, 2, 0, 3), (kv_heads, dim, total))
        values = gathered(v_pages, v_scales, owned, 3, (1, 0, 2, 3), (kv_heads, total, dim))
        keys = jnp.where(seen, keys, jnp.zeros((), keys.dtype))
        values = jnp.where(seen[:, None], values, jnp.zeros((), values.dtype))
        scores = jnp.einsum("hgd,hdt->hgt", query, keys) * scale
        if softcap is not None:
            scores = softcap * jnp.tanh(scores / softcap)
        scores = jnp.where(seen, scores, -jnp.inf)
        top = scores.max(-1, keepdims=True)
        weights = jnp.exp(scores - jnp.where(jnp.isneginf(top), 0, top))
        shares = jnp.einsum("hgt,htd->hgd", weights, values)
        return shares / jnp.where(seen.any(), weights.sum(-1, keepdims=True), 1)

    queries = q.reshape(len(q), kv_heads, at["num_heads"] // kv_heads, dim)
    rows = queries, start.astype(jnp.int64), sequence.astype(jnp.int64)
    with jax.default_matmul_precision("highest"):
        result = jax.vmap(row)(rows) if len(q) <= _ROWS_AT_ONCE else lax.map(row, rows, batch_size=_ROWS_AT_ONCE)
    return result.reshape(q.shape)


LOWERINGS: dict[str, Lowering] = {
    "attention": _attention,
    "page_write": _page_write,
    "page_write_q8": _page_write_q8,
    "paged_attention": _paged_attention,
}
