"""A BERT encoder by torch's own layers, in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def encode(arrays: dict[str, Any], ids: Any, kinds: Any, valid: Any, layers: int, heads: int, eps: float) -> tuple[Any, Any]:
    """(hidden [B, S, E], pooled [B, E]) of token ids, token types and a validity mask."""
    t = {name: torch.tensor(np.asarray(array, np.float64)) for name, array in arrays.items()}
    size = t["word"].shape[1]
    x = t["word"][torch.tensor(ids).long()] + t["position"][: ids.shape[1]] + t["type"][torch.tensor(kinds).long()]
    x = torch.nn.functional.layer_norm(x, (size,), t["embed.g"], t["embed.b"], eps)
    for i in range(layers):
        layer = torch.nn.TransformerEncoderLayer(
            size,
            heads,
            t[f"{i}.fc1.w"].shape[1],
            dropout=0.0,
            activation="gelu",
            layer_norm_eps=eps,
            batch_first=True,
            dtype=torch.float64,
        )
        parts = {
            "self_attn.in_proj_weight": torch.cat([t[f"{i}.{n}.w"] for n in "qkv"], 1).T,
            "self_attn.in_proj_bias": torch.cat([t[f"{i}.{n}.b"] for n in "qkv"]),
            "self_attn.out_proj.weight": t[f"{i}.o.w"].T,
            "self_attn.out_proj.bias": t[f"{i}.o.b"],
            "linear1.weight": t[f"{i}.fc1.w"].T,
            "linear1.bias": t[f"{i}.fc1.b"],
            "linear2.weight": t[f"{i}.fc2.w"].T,
            "linear2.bias": t[f"{i}.fc2.b"],
            "norm1.weight": t[f"{i}.ln1.g"],
            "norm1.bias": t[f"{i}.ln1.b"],
            "norm2.weight": t[f"{i}.ln2.g"],
            "norm2.bias": t[f"{i}.ln2.b"],
        }
        layer.load_state_dict(parts)
        with torch.no_grad():
            x = layer(x, src_key_padding_mask=~torch.tensor(valid))
    pooled = torch.tanh(x[:, 0] @ t["pool.w"] + t["pool.b"])
    return x.numpy(), pooled.numpy()
