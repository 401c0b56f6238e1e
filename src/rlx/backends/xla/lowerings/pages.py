"""Caches in pages: rows scattered into their places, and attention that gathers the pages of each row's sequence."""

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

_ROWS_AT_ONCE = 64
"""Rows of attention whose keys and values lie in memory together."""


# -- writing
def _placed(pages: Any, rows: Any, transposed: bool, start: Any, sequence: Any, tables: Any) -> Any:
    """The pages with rows `[rows, heads, dim]` written; a row without a place gets one past the end, and is dropped."""
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
    """As `rlx.ops.attention.paged.rounded_to_q8`."""
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
    """Row by row, some at once: the pages of a row are gathered, and what it does not see has no effect, not even NaN."""
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
        found = jax.vmap(row)(rows) if len(q) <= _ROWS_AT_ONCE else lax.map(row, rows, batch_size=_ROWS_AT_ONCE)
    return found.reshape(q.shape)


LOWERINGS: dict[str, Lowering] = {"page_write": _page_write, "page_write_q8": _page_write_q8, "paged_attention": _paged_attention}
