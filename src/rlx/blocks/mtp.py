"""The multi-token-prediction head of Qwen3.5: one gated attention layer on the last hidden state and the next token."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rlx.blocks.attend import norm
from rlx.blocks.block import BlockLowering, block
from rlx.blocks.linear import feed_forward
from rlx.blocks.llama import HeadCounts
from rlx.core.dim import Size, same
from rlx.core.errors import RlxError
from rlx.ir.attributes import Attr
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.attention.attention import attention
from rlx.ops.attention.rope import rope

NAME = "qwen35_mtp_head"


@dataclass(frozen=True, eq=False)
class Qwen35MtpWeights:
    """The 24 weights of the prediction head, in the order of its inputs; any β may be None.

    >>> [each.name for each in fields(Qwen35MtpWeights)][:3], len(fields(Qwen35MtpWeights))
    (['embed_w', 'hnorm_g', 'hnorm_b'], 24)
    """

    embed_w: Any
    hnorm_g: Any
    hnorm_b: Any
    enorm_g: Any
    enorm_b: Any
    eh_w: Any
    attn_norm_g: Any
    attn_norm_b: Any
    q_gate_w: Any
    k_w: Any
    v_w: Any
    q_norm_g: Any
    q_norm_b: Any
    k_norm_g: Any
    k_norm_b: Any
    o_w: Any
    post_norm_g: Any
    post_norm_b: Any
    gate_w: Any
    up_w: Any
    down_w: Any
    head_norm_g: Any
    head_norm_b: Any
    lm_head_w: Any

    def inputs(self) -> tuple[Any, ...]:
        """The weights in order."""
        return tuple(getattr(self, each.name) for each in fields(self))


def _expect(value: Value, name: str, *dims: Size) -> None:
    if value.rank != len(dims) or not all(same(mine, other) for mine, other in zip(value.shape, dims, strict=True)):
        wanted = ", ".join(str(size) for size in dims)
        raise RlxError("RLX102", f"{name} is {value.type}, expected [{wanted}]", fix="check the attributes and the weight")


def _qwen35_mtp_head(
    lowering: BlockLowering,
    h_pre_norm: Value,
    input_ids: Value,
    cos: Value,
    sin: Value,
    last_token_idx: Value,
    *weights: Any,
    num_heads: int,
    num_kv_heads: int | None,
    head_dim: int,
    n_rot: int,
    n_embd: int,
    n_ff: int,
    mtp_vocab: int,
    eps: float,
) -> Value:
    heads = HeadCounts.of(NAME, num_heads, num_kv_heads, head_dim)
    w = Qwen35MtpWeights(*weights)
    if h_pre_norm.rank != 3:
        raise RlxError("RLX102", f"h_pre_norm is {h_pre_norm.type}", fix="[B, S, E]")
    batch, seq = h_pre_norm.shape[:2]
    _expect(input_ids, "input_ids", batch, seq)
    _expect(last_token_idx, "last_token_idx", batch)
    _expect(w.eh_w, "eh_w", 2 * n_embd, n_embd)
    _expect(w.q_gate_w, "q_gate_w", n_embd, 2 * num_heads * head_dim)
    _expect(w.up_w, "up_w", n_embd, n_ff)
    _expect(w.lm_head_w, "lm_head_w", n_embd, mtp_vocab)
    e = norm(OPS["gather"](w.embed_w, input_ids, axis=0), w.enorm_g, w.enorm_b, eps)
    hn = norm(h_pre_norm, w.hnorm_g, w.hnorm_b, eps)
    cur = OPS["concat"](e, hn, axis=-1) @ w.eh_w
    with lowering.part("/attn"):
        cur = cur + _gated_attention(norm(cur, w.attn_norm_g, w.attn_norm_b, eps), w, cos, sin, heads, n_rot, eps)
    with lowering.part("/ffn"):
        cur = cur + feed_forward(lowering, norm(cur, w.post_norm_g, w.post_norm_b, eps), w.up_w, w.gate_w, w.down_w)
    with lowering.part("/head"):
        last = OPS["take_along_axis"](cur, last_token_idx.reshape(batch, 1, 1), axis=1)
        result: Value = norm(last, w.head_norm_g, w.head_norm_b, eps) @ w.lm_head_w
    return result


def _gated_attention(x: Value, w: Qwen35MtpWeights, cos: Value, sin: Value, heads: HeadCounts, n_rot: int, eps: float) -> Value:
    """Emits causal attention with per-head norms and partial RoPE, times the sigmoid of the gate beside each query head."""
    batch, seq = x.shape[:2]
    both = (x @ w.q_gate_w).reshape(batch, seq, heads.query, 2 * heads.size)
    q, gate = OPS["split"](both, sizes=(heads.size, heads.size), axis=-1)
    k, v = ((x @ each).reshape(batch, seq, heads.kv, heads.size) for each in (w.k_w, w.v_w))
    q, k = norm(q, w.q_norm_g, w.q_norm_b, eps), norm(k, w.k_norm_g, w.k_norm_b, eps)
    q, k = (rope(part, cos, sin, head_dim=heads.size, n_rot=n_rot) for part in (q, k))
    mixed = attention(q, k, v, num_heads=heads.query, num_kv_heads=heads.kv, head_dim=heads.size, mask_kind="causal", layout="bshd")
    gated = (mixed * OPS["sigmoid"](gate)).reshape(batch, seq, heads.query * heads.size)
    return gated @ w.o_w


qwen35_mtp_head = block(
    NAME,
    "h_pre_norm, input_ids:index, cos, sin, last_token_idx:index, embed_w, hnorm_g, hnorm_b?, enorm_g, enorm_b?, eh_w, "
    "attn_norm_g, attn_norm_b?, q_gate_w, k_w, v_w, q_norm_g, q_norm_b?, k_norm_g, k_norm_b?, o_w, "
    "post_norm_g, post_norm_b?, gate_w, up_w, down_w, head_norm_g, head_norm_b?, lm_head_w",
    _qwen35_mtp_head,
    attrs={
        "num_heads": Attr("int", help="query heads"),
        "num_kv_heads": Attr("int", None, "key and value heads; default: num_heads"),
        "head_dim": Attr("int", help="size of a head"),
        "n_rot": Attr("int", help="rotated dims of each head"),
        "n_embd": Attr("int", help="E"),
        "n_ff": Attr("int", help="width of the feed-forward"),
        "mtp_vocab": Attr("int", help="V' of lm_head_w [E, V']"),
        "eps": Attr("float", 1e-6, "of all norms"),
    },
    doc="""Logits `[B, 1, V']` of the token after next.

    cur = concat(norm(embed[ids]), norm(h_pre_norm)) @ eh_w; gated causal attention with per-head norms and partial RoPE,
    then swiglu, each with a residual; then position last_token_idx of each row → norm → @ lm_head_w.""",
)
