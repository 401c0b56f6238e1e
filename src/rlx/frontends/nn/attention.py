"""Attention as a function, with `jax.nn.dot_product_attention`'s arguments."""

from __future__ import annotations

import math
from typing import Any

from rlx.core.dtype import boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, promote_values
from rlx.frontends.numpy.contraction import einsum
from rlx.frontends.numpy.movement import broadcast_to
from rlx.ir.value import Value, as_dtype

__all__ = ["dot_product_attention"]


@array_function
def dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    bias: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: ArrayLike | None = None,
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: int | tuple[int, int] | None = None,
    implementation: str | None = None,
    return_residual: bool = False,
) -> Value:
    """softmax(query · key / sqrt(d) + bias, masked) · value, for `[batch, length, heads, d]` or `[length, heads, d]`.

    Fewer heads of key and value are shared by groups of those of the query. Without a bias, lengths and a window it is one op of the
    compiler, which runs in one kernel.
    """
    if return_residual:
        raise RlxError(
            "RLX109", "dot_product_attention with return_residual=True", fix="compute the log-sum-exp by rlx.nn.logsumexp"
        )
    q, k, v = promote_values(query, key, value)
    single = q.rank == 3
    if single:
        q, k, v = (x.reshape((1, *x.shape)) for x in (q, k, v))
    if not q.rank == k.rank == v.rank == 4:
        message = f"attention of {q.type}, {k.type}, {v.type}"
        raise RlxError("RLX102", message, fix="[batch, length, heads, d] or [length, heads, d] for all three")
    others = (bias, mask, query_seq_lengths, key_value_seq_lengths, local_window_size)
    plain = all(each is None for each in others) and k.shape[-1] == v.shape[-1]
    if plain and (not is_causal or q.shape[1] == k.shape[1]):
        out = _one_op(q, k, v, scale, is_causal)
    else:
        lengths = query_seq_lengths, key_value_seq_lengths
        out = _emit_composition(q, k, v, bias, mask, scale, is_causal, lengths, local_window_size)
    return out.reshape(out.shape[1:]) if single else out


def _one_op(q: Value, k: Value, v: Value, scale: float | None, is_causal: bool) -> Value:
    """Emits dot-product attention as the compiler's `attention` op."""
    return emit(
        "attention",
        q,
        k,
        v,
        num_heads=q.shape[2],
        num_kv_heads=k.shape[2],
        head_dim=q.shape[3],
        mask_kind="causal" if is_causal else "none",
        score_scale=scale,
        layout="bshd",
    )


def _emit_composition(
    q: Value, k: Value, v: Value, bias: Any, mask: Any, scale: float | None, is_causal: bool, lengths: Any, window: Any
) -> Value:
    """Emits scores, mask, softmax and sum as ops of their own; scores in f32."""
    batch, queries, heads, size = q.shape
    keys, shared = k.shape[1], k.shape[2]
    if isinstance(heads, int) and isinstance(shared, int) and heads % shared:
        raise RlxError("RLX102", f"{heads} heads of the query for {shared} of the key", fix="a multiple")
    groups = heads // shared
    grouped = q.reshape((batch, queries, shared, groups, size))
    factor = scale if scale is not None else 1 / math.sqrt(size) if isinstance(size, int) else None
    if factor is None:
        raise RlxError("RLX202", "attention of a symbolic head size", fix="give scale=")
    scores = as_value(einsum("btkgd,bskd->bkgts", grouped, k)).astype(f32) * factor
    scores = scores.reshape((batch, heads, queries, keys))
    if bias is not None:
        scores = scores + as_value(bias, q).astype(f32)
    for part in _masks(scores, mask, is_causal, lengths, window):
        scores = emit("where", broadcast_to(part, scores.shape), scores, -0.7 * 3.4028235e38)
    weights = emit("softmax", scores, axis=3).astype(q.dtype)
    weights = weights.reshape((batch, shared, groups, queries, keys))
    out = einsum("bkgts,bskd->btkgd", weights, v)
    return out.reshape((batch, queries, heads, v.shape[3]))  # type: ignore[return-value]


def _masks(scores: Value, mask: Any, is_causal: bool, lengths: Any, window: Any) -> list[Value]:
    """The masks of keys that each query sees: `[batch, heads, queries, keys]`, or what broadcasts to it."""
    masks = [] if mask is None else [as_dtype(as_value(mask, scores), boolean)]
    queries, keys = scores.shape[2], scores.shape[3]
    rows = emit("iota", shape=(queries, keys), axis=0, dtype=i32, graph=scores.graph)
    columns = emit("iota", shape=(queries, keys), axis=1, dtype=i32, graph=scores.graph)
    if is_causal:
        masks.append(rows >= columns)
    if window is not None:
        left, right = (window, window) if isinstance(window, int) else window
        masks += [columns >= rows - left, columns <= rows + right]
    for length, places in zip(lengths, (rows, columns), strict=True):
        if length is not None:
            count = as_value(length, scores)
            masks.append(places.reshape((1, 1, queries, keys)) < count.reshape((count.shape[0], 1, 1, 1)))
    return masks
