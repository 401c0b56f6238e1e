"""Small models that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

import rlx


def small_llama(
    layers: int = 1,
    hidden: int = 32,
    heads: int = 4,
    kv_heads: int = 2,
    ffn: int = 48,
    vocab: int = 64,
    context: int = 64,
    batch: Any = None,
    seq: Any = None,
) -> rlx.GraphModule:
    """A Llama at HIR; batch and sequence are symbolic unless given."""
    head = hidden // heads
    batch = rlx.Dim("batch", max=16) if batch is None else batch
    seq = rlx.Dim("seq", max=context) if seq is None else seq
    m = rlx.Graph.hir("llama")
    ids = m.input("ids", (batch, seq), "i32")
    cos, sin = m.param("cos", (context, head // 2), "f32"), m.param("sin", (context, head // 2), "f32")
    x = m.gather(m.param("embed", (vocab, hidden), "f32"), ids, axis=0)
    for layer in range(layers):
        shapes = {
            "ln1": (hidden,),
            "ln1_b": None,
            "q": (hidden, hidden),
            "k": (hidden, kv_heads * head),
            "v": (hidden, kv_heads * head),
            "o": (hidden, hidden),
            "ln2": (hidden,),
            "ln2_b": None,
            "gate": (hidden, ffn),
            "up": (hidden, ffn),
            "down": (ffn, hidden),
        }
        weights = [None if dims is None else m.param(f"layers.{layer}.{name}", dims, "f32") for name, dims in shapes.items()]
        x = m.llama_decoder_block(x, *weights, cos, sin, num_heads=heads, num_kv_heads=kv_heads, head_dim=head)
    x = m.rms_norm(x, m.param("norm", (hidden,), "f32"))
    m.set_outputs({"logits": m.linear(x, m.param("head", (hidden, vocab), "f32"))})
    return m


def random_params(graph: Any, seed: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    """An array for every param: norms near 1, matrices scaled by their rows, rotary tables right."""
    random = np.random.default_rng(seed)
    found = {}
    for name, node in graph.params.items():
        dims = tuple(int(size) for size in node.shape.dims)
        if name in ("cos", "sin"):
            angles = np.arange(dims[0])[:, None] / 10000.0 ** (np.arange(dims[1]) / dims[1])
            value = getattr(np, name)(angles)
        elif len(dims) == 1:
            value = 1 + 0.1 * random.standard_normal(dims)
        else:
            value = random.standard_normal(dims) * dims[0] ** -0.5
        found[name] = value.astype(node.shape.dtype.numpy)
    return found
