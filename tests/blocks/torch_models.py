"""The Llama block and the MTP head in torch, row by row and head by head: written from the formulas, not from ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

LLAMA = ["ln1_g", "ln1_b", "q_w", "k_w", "v_w", "o_w", "ln2_g", "ln2_b", "gate_w", "up_w", "down_w"]


def tensors(arrays: dict[str, Any]) -> dict[str, Any]:
    """Floats in f64, the rest as they are."""
    return {n: torch.tensor(a.astype(np.float64) if a.dtype.kind == "f" else a) for n, a in arrays.items()}


def rms(x: Any, gamma: Any, beta: Any, eps: float) -> Any:
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * gamma + (0 if beta is None else beta)


def turn(head: Any, cos: Any, sin: Any, interleaved: bool = False) -> Any:
    """One head [S, D], tables of its positions [S, n/2]."""
    half = cos.shape[-1]
    out = head.clone()
    for i in range(half):
        a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + half)
        out[:, a] = head[:, a] * cos[:, i] - head[:, b] * sin[:, i]
        out[:, b] = head[:, b] * cos[:, i] + head[:, a] * sin[:, i]
    return out


def attend(q: Any, k: Any, v: Any, visible: Any, bias: Any = None) -> Any:
    """One head: q [S, D], k and v [T, D], visible [S, T]."""
    out = torch.zeros_like(q)
    for i in range(q.shape[0]):
        seen = [j for j in range(k.shape[0]) if visible[i, j]]
        if seen:
            scores = (k[seen] @ q[i]) / q.shape[1] ** 0.5 + (0 if bias is None else bias[i, seen])
            out[i] = torch.softmax(scores, 0) @ v[seen]
    return out


def llama_row(
    x: Any,
    w: dict[str, Any],
    cos: Any,
    sin: Any,
    positions: Any,
    heads: int,
    kv_heads: int,
    size: int,
    eps: float,
    visible: Any,
    bias: Any = None,
    interleaved: bool = False,
) -> Any:
    """The block on one batch row [S, E] without a cache."""
    n = rms(x, w["ln1_g"], w["ln1_b"], eps)
    q, k, v = n @ w["q_w"], n @ w["k_w"], n @ w["v_w"]
    table = (cos[positions], sin[positions])
    mixed = []
    for h in range(heads):
        g = h // (heads // kv_heads)
        mine, theirs = slice(h * size, (h + 1) * size), slice(g * size, (g + 1) * size)
        one = None if bias is None else bias[h]
        mixed.append(
            attend(turn(q[:, mine], *table, interleaved), turn(k[:, theirs], *table, interleaved), v[:, theirs], visible, one)
        )
    h_ = x + torch.cat(mixed, -1) @ w["o_w"]
    n = rms(h_, w["ln2_g"], w["ln2_b"], eps)
    return h_ + (F.silu(n @ w["gate_w"]) * (n @ w["up_w"])) @ w["down_w"]


def mtp_row(
    h: Any, ids: Any, last: int, w: dict[str, Any], cos: Any, sin: Any, heads: int, kv_heads: int, size: int, eps: float
) -> Any:
    """The MTP head on one batch row: h [S, E], ids [S]."""
    e = rms(w["embed_w"][ids], w["enorm_g"], w["enorm_b"], eps)
    cur = torch.cat((e, rms(h, w["hnorm_g"], w["hnorm_b"], eps)), -1) @ w["eh_w"]
    x = rms(cur, w["attn_norm_g"], w["attn_norm_b"], eps)
    both, k, v = x @ w["q_gate_w"], x @ w["k_w"], x @ w["v_w"]
    seq = h.shape[0]
    table, visible = (cos[:seq], sin[:seq]), torch.ones(seq, seq).tril() > 0
    mixed = []
    for head in range(heads):
        g = head // (heads // kv_heads)
        q = both[:, 2 * head * size : (2 * head + 1) * size]
        gate = both[:, (2 * head + 1) * size : (2 * head + 2) * size]
        q = turn(rms(q, w["q_norm_g"], w["q_norm_b"], eps), *table)
        key = turn(rms(k[:, g * size : (g + 1) * size], w["k_norm_g"], w["k_norm_b"], eps), *table)
        mixed.append(attend(q, key, v[:, g * size : (g + 1) * size], visible) * torch.sigmoid(gate))
    cur = cur + torch.cat(mixed, -1) @ w["o_w"]
    n = rms(cur, w["post_norm_g"], w["post_norm_b"], eps)
    cur = cur + (F.silu(n @ w["gate_w"]) * (n @ w["up_w"])) @ w["down_w"]
    return rms(cur[last], w["head_norm_g"], w["head_norm_b"], eps) @ w["lm_head_w"]
