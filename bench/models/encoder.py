"""A sentence encoder of MiniLM's shape: settings, weights, and its definition in f64 NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bench import arrays


@dataclass(frozen=True)
class EncoderConfig:
    """6 post-norm BERT layers of width 384."""

    hidden: int = 384
    layers: int = 6
    heads: int = 12
    ffn: int = 1536
    vocab: int = 30_522
    max_positions: int = 512
    eps: float = 1e-12

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads

    def flops(self, batch: int, length: int) -> float:
        """Of the products of one forward pass."""
        weights = 4 * self.hidden * self.hidden + 2 * self.hidden * self.ffn
        return batch * self.layers * (2.0 * length * weights + 4.0 * length * length * self.hidden)


def weights(config: EncoderConfig, seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights, matrices stored `[in, out]`."""
    random = np.random.default_rng(seed)
    width = config.hidden

    def matrix(*shape: int) -> np.ndarray:
        return arrays.normal(random, *shape, scale=0.02)

    def norm(name: str) -> dict[str, np.ndarray]:
        return {name: 1 + matrix(width), f"{name}.bias": matrix(width)}

    made = {
        "embedding": matrix(config.vocab, width),
        "positions": matrix(config.max_positions, width),
        "types": matrix(2, width),
        **norm("norm"),
    }
    sizes = dict.fromkeys("qkvo", (width, width)) | {"up": (width, config.ffn), "down": (config.ffn, width)}
    for i in range(config.layers):
        for name, (inner, outer) in sizes.items():
            made[f"{i}.{name}"], made[f"{i}.{name}.bias"] = matrix(inner, outer), matrix(outer)
        made |= norm(f"{i}.norm1") | norm(f"{i}.norm2")
    return made


def reference(config: EncoderConfig, made: dict[str, np.ndarray], ids: np.ndarray) -> np.ndarray:
    """The last layer's hidden states in f64."""
    w = {name: value.astype(np.float64) for name, value in made.items()}
    erf = np.vectorize(math.erf, otypes=[np.float64])

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ w[name] + w[f"{name}.bias"]

    def layer_norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + config.eps) * w[name] + w[f"{name}.bias"]

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(*x.shape[:2], config.heads, config.head_dim).transpose(0, 2, 1, 3)

    x = layer_norm(w["embedding"][ids] + w["positions"][: ids.shape[1]] + w["types"][0], "norm")
    for i in range(config.layers):
        q, k, v = (heads(linear(x, f"{i}.{name}")) for name in "qkv")
        scores = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(config.head_dim))
        mixed = scores / scores.sum(-1, keepdims=True) @ v
        x = layer_norm(x + linear(mixed.transpose(0, 2, 1, 3).reshape(x.shape), f"{i}.o"), f"{i}.norm1")
        up = linear(x, f"{i}.up")
        x = layer_norm(x + linear(up * 0.5 * (1 + erf(up / np.sqrt(2))), f"{i}.down"), f"{i}.norm2")
    return x
