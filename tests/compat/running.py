"""Running a module of any kind by the NumPy reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.ir.evaluate import evaluate_graph
from rlx.module.modules import as_mir_graph

F32 = np.float32


def draw(*dims: int, seed: int = 0, scale: float = 0.5) -> Any:
    """Normal numbers, the same for the same arguments."""
    return (np.random.default_rng([seed, *dims]).normal(size=dims) * scale).astype(F32)


def run(module: Any, /, **arrays: Any) -> Any:
    """The only output, or a list of all."""
    found = list(evaluate_graph(as_mir_graph(module), arrays).values())
    return found[0] if len(found) == 1 else found


def near(found: Any, wanted: Any) -> None:
    """Equal within a few roundings of f32."""
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6)


def silu(x: Any) -> Any:
    """x·sigmoid(x)."""
    return x / (1 + np.exp(-x))


def rms(x: Any, gamma: Any, eps: float) -> Any:
    """rms_norm of the last axis."""
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gamma


def softmax(x: Any) -> Any:
    """Along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def heads_attention(q: Any, k: Any, v: Any, heads: int, causal: bool) -> Any:
    """Attention of `[B, S, H·D]` for each head."""
    batch, seq, width = q.shape
    size = width // heads
    split = [x.reshape(batch, seq, heads, size).transpose(0, 2, 1, 3) for x in (q, k, v)]
    scores = split[0] @ split[1].transpose(0, 1, 3, 2) / np.sqrt(size)
    if causal:
        scores = np.where(np.tril(np.ones((seq, seq), bool)), scores, -np.inf)
    return (softmax(scores) @ split[2]).transpose(0, 2, 1, 3).reshape(batch, seq, width)


def turned(x: Any, cos: Any, sin: Any, heads: int) -> Any:
    """rope of whole heads, pairs (i, i + D/2)."""
    batch, seq, width = x.shape
    parts = x.reshape(batch, seq, heads, 2, width // heads // 2)
    a, b = parts[..., 0, :], parts[..., 1, :]
    c, s = cos[None, :seq, None], sin[None, :seq, None]
    return np.stack([a * c - b * s, b * c + a * s], axis=3).reshape(batch, seq, width)


def delta_net(q: Any, k: Any, v: Any, g: Any, beta: Any, state: Any) -> tuple[Any, Any]:
    """The gated delta rule, step by step."""
    batch, seq, heads, size = q.shape
    state, out = state.astype(np.float64).copy(), np.zeros(q.shape)
    for b in range(batch):
        for h in range(heads):
            for t in range(seq):
                s = state[b, h] * np.exp(g[b, t, h])
                s = s + np.outer(k[b, t, h], (v[b, t, h] - s.T @ k[b, t, h]) * beta[b, t, h])
                out[b, t, h], state[b, h] = s.T @ q[b, t, h] / np.sqrt(size), s
    return out, state


def llama(x: Any, w: dict[str, Any], heads: int, eps: float) -> Any:
    """A decoder layer, causal, with as many kv heads as query heads."""
    n = rms(x, w["ln1_g"], eps)
    q, k = (turned(n @ w[name], w["cos"], w["sin"], heads) for name in ("q_w", "k_w"))
    h = x + heads_attention(q, k, n @ w["v_w"], heads, True) @ w["o_w"]
    n = rms(h, w["ln2_g"], eps)
    return h + (silu(n @ w["gate_w"]) * (n @ w["up_w"])) @ w["down_w"]
