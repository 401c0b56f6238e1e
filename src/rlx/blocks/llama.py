"""The Llama decoder block: attention and gated feed-forward, each after a norm and added to the residual stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlx.blocks.attend import MASK_KIND, norm
from rlx.blocks.block import BlockLowering, block
from rlx.blocks.linear import feed_forward
from rlx.core.dim import Dim
from rlx.core.enums import MaskKind
from rlx.core.errors import LowerError, RlxError
from rlx.ir.attributes import Attr
from rlx.ir.op import OPS
from rlx.ir.value import Value, as_dtype
from rlx.ops.attention.attention import attention
from rlx.ops.attention.rope import advance, decode_positions, rope


@dataclass(frozen=True)
class HeadCounts:
    """The head counts of an attention layer, and the rotated part of a head."""

    query: int
    kv: int
    size: int

    @staticmethod
    def of(block: str, num_heads: int, num_kv_heads: int | None, head_dim: int) -> HeadCounts:
        """Checks head counts; the default is as many kv heads as query heads."""
        kv = num_heads if num_kv_heads is None else num_kv_heads
        if kv < 1 or num_heads % kv:
            message = f"{block}: {num_heads} query heads on {kv} kv heads"
            raise RlxError("RLX105", message, fix="num_kv_heads divides num_heads")
        return HeadCounts(num_heads, kv, head_dim)


def rotated_dims(table: Value) -> int:
    """The number of elements that a RoPE table `[P, n_rot/2]` rotates."""
    half = table.shape[-1] if table.rank else 0
    if isinstance(half, Dim):
        raise RlxError("RLX102", f"the table {table.type} has a symbolic last size", fix="[P, n_rot/2] with a static n_rot")
    return 2 * half


def cached_attention(
    q: Value, k: Value, v: Value, mask: Value | None, cache: tuple[Value, Value, Value], heads: HeadCounts, **attrs: Any
) -> tuple[Value, Value, Value]:
    """Writes k and v `[B, S, Hkv·D]` into the cache at `length`, attends to its first length + S keys; (mixed, k, v)."""
    cache_k, cache_v, length = cache
    batch, seq = q.shape[:2]

    def heads_first(x: Value, count: int) -> Value:
        return x.reshape(batch, seq, count, heads.size).transpose(0, 2, 1, 3)

    new_k, new_v = (
        OPS["dynamic_update_slice"](old, as_dtype(heads_first(new, heads.kv), old.dtype), length, axes=(2,))
        for old, new in ((cache_k, k), (cache_v, v))
    )
    mixed = attention(
        heads_first(q, heads.query),
        new_k,
        new_v,
        mask,
        length,
        advance(length, seq),
        layout="bhsd",
        num_heads=heads.query,
        num_kv_heads=heads.kv,
        head_dim=heads.size,
        **attrs,
    )
    packed = mixed.transpose(0, 2, 1, 3).reshape(batch, seq, heads.query * heads.size)
    return as_dtype(packed, q.dtype), new_k, new_v


def _cache_of(cache: tuple[Value | None, ...]) -> tuple[Value, Value, Value] | None:
    k, v, length = cache
    if k is None and v is None and length is None:
        return None
    if k is None or v is None or length is None:
        given = sum(part is not None for part in cache)
        raise LowerError("llama_decoder_block", "all three of cache_k, cache_v and cache_length as", given)
    return k, v, length


def _llama_decoder_block(
    lowering: BlockLowering,
    x: Value,
    ln1_g: Value,
    ln1_b: Value | None,
    q_w: Value,
    k_w: Value,
    v_w: Value,
    o_w: Value,
    ln2_g: Value,
    ln2_b: Value | None,
    gate_w: Value,
    up_w: Value,
    down_w: Value,
    cos: Value,
    sin: Value,
    mask: Value | None = None,
    positions: Value | None = None,
    cache_k: Value | None = None,
    cache_v: Value | None = None,
    cache_length: Value | None = None,
    *,
    num_heads: int,
    head_dim: int,
    num_kv_heads: int | None,
    eps: float,
    mask_kind: MaskKind,
    interleaved: bool,
    causal: bool,
) -> Value | tuple[Value, ...]:
    heads = HeadCounts.of("llama_decoder_block", num_heads, num_kv_heads, head_dim)
    cache = _cache_of((cache_k, cache_v, cache_length))
    if mask_kind.has_operand != (mask is not None):
        raise LowerError("llama_decoder_block", *((15, 14) if mask is None else (f"14 (mask_kind {mask_kind} has no mask)", 15)))
    if x.rank != 3:
        raise RlxError("RLX102", f"x is {x.type}", fix="[B, S, E]")
    with lowering.part("/attn"):
        normed = norm(x, ln1_g, ln1_b, eps)
        q, k, v = normed @ q_w, normed @ k_w, normed @ v_w
        if positions is None and cache is not None:
            positions = decode_positions(cache[2], x.shape[1])
        turn: dict[str, Any] = {"head_dim": head_dim, "n_rot": rotated_dims(cos), "interleaved": interleaved}
        q, k = (rope(part, cos, sin, positions, **turn) for part in (q, k))
        if cache is not None:
            mixed, *written = cached_attention(q, k, v, mask, cache, heads, mask_kind=mask_kind, causal=causal)
        else:
            counts = {"num_heads": heads.query, "num_kv_heads": heads.kv, "head_dim": head_dim}
            mixed, written = attention(q, k, v, mask, mask_kind=mask_kind, causal=causal, **counts), []
        h = x + mixed @ o_w
    with lowering.part("/ffn"):
        result = h + feed_forward(lowering, norm(h, ln2_g, ln2_b, eps), up_w, gate_w, down_w)
    return (result, *written) if written else result


llama_decoder_block = block(
    "llama_decoder_block",
    "x, ln1_g, ln1_b?, q_w, k_w, v_w, o_w, ln2_g, ln2_b?, gate_w, up_w, down_w, cos, sin, "
    "mask:mask?, positions:index?, cache_k?, cache_v?, cache_length:index?",
    _llama_decoder_block,
    attrs={
        "num_heads": Attr("int", help="query heads"),
        "head_dim": Attr("int", help="size of a head"),
        "num_kv_heads": Attr("int", None, "key and value heads; default: num_heads"),
        "eps": Attr("float", 1e-5, "of both norms"),
        "mask_kind": Attr("tag", "causal", MASK_KIND.help, parse=MaskKind.parse, annotation=MASK_KIND.annotation),
        "interleaved": Attr("bool", False, "rope pairs (2i, 2i + 1)"),
        "causal": Attr("bool", False, "hide later keys in addition to a custom or bias mask"),
    },
    doc="""n = norm(x); h = x + attention(rope(n @ q_w), rope(n @ k_w), n @ v_w) @ o_w; h + swiglu(norm(h)).

    cos and sin are `[P, n_rot/2]`, indexed by positions i32[B, S] (default: 0…S-1, plus the cache's length if there is one). With
    cache_k, cache_v `[B, Hkv, C, D]` and cache_length i32[B] the results are (x, k, v): the updated cache.""",
)
