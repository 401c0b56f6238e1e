"""A small Llama: settings, weights, and its definition in f64 NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench import arrays


@dataclass(frozen=True)
class LlamaConfig:
    """8 layers of width 512, 28 M weights without the embedding."""

    hidden: int = 512
    layers: int = 8
    heads: int = 8
    kv_heads: int = 4
    ffn: int = 1408
    vocab: int = 8192
    eps: float = 1e-5
    theta: float = 10_000.0
    max_positions: int = 256

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads

    @property
    def matrix_weights(self) -> int:
        """The weights that every token multiplies with."""
        attention = 2 * self.hidden * self.hidden + 2 * self.hidden * self.kv_heads * self.head_dim
        return self.layers * (attention + 3 * self.hidden * self.ffn) + self.hidden * self.vocab

    def flops(self, tokens: int, keys: int) -> float:
        """Of `tokens` that each look at `keys` keys."""
        return 2.0 * tokens * self.matrix_weights + 4.0 * self.layers * tokens * keys * self.hidden

    def rope_tables(self) -> tuple[np.ndarray, np.ndarray]:
        """cos and sin, `[positions, head_dim / 2]`."""
        frequencies = self.theta ** -(np.arange(0, self.head_dim, 2) / self.head_dim)
        angles = np.arange(self.max_positions)[:, None] * frequencies
        return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def weights(config: LlamaConfig, seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights, matrices stored `[in, out]`."""
    random = np.random.default_rng(seed)
    width, narrow = config.hidden, config.kv_heads * config.head_dim

    def matrix(*shape: int) -> np.ndarray:
        return arrays.normal(random, *shape, scale=0.02)

    def gain() -> np.ndarray:
        return 1 + matrix(width)

    made = {"embedding": matrix(config.vocab, width), "norm": gain(), "head": matrix(width, config.vocab)}
    for i in range(config.layers):
        made |= {
            f"{i}.norm1": gain(),
            f"{i}.q": matrix(width, width),
            f"{i}.k": matrix(width, narrow),
            f"{i}.v": matrix(width, narrow),
            f"{i}.o": matrix(width, width),
            f"{i}.norm2": gain(),
            f"{i}.gate": matrix(width, config.ffn),
            f"{i}.up": matrix(width, config.ffn),
            f"{i}.down": matrix(config.ffn, width),
        }
    return made


def reference(config: LlamaConfig, made: dict[str, np.ndarray], ids: np.ndarray) -> np.ndarray:
    """Logits of every position in f64, from the whole sequence at once."""
    w = {name: value.astype(np.float64) for name, value in made.items()}
    length, group = ids.shape[1], config.heads // config.kv_heads
    frequencies = config.theta ** -(np.arange(0, config.head_dim, 2) / config.head_dim)
    angles = np.arange(length)[:, None] * frequencies
    hidden_keys = np.triu(np.full((length, length), -np.inf), 1)

    def rms_norm(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + config.eps) * gain

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(*x.shape[:2], -1, config.head_dim).transpose(0, 2, 1, 3)

    def rope(x: np.ndarray) -> np.ndarray:
        first, second = np.split(x, 2, -1)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate((first * cos - second * sin, second * cos + first * sin), -1)

    x = w["embedding"][ids]
    for i in range(config.layers):
        normed = rms_norm(x, w[f"{i}.norm1"])
        q = rope(heads(normed @ w[f"{i}.q"]))
        k = rope(heads(normed @ w[f"{i}.k"])).repeat(group, 1)
        v = heads(normed @ w[f"{i}.v"]).repeat(group, 1)
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(config.head_dim) + hidden_keys
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores / scores.sum(-1, keepdims=True) @ v
        x = x + mixed.transpose(0, 2, 1, 3).reshape(x.shape) @ w[f"{i}.o"]
        normed = rms_norm(x, w[f"{i}.norm2"])
        gate = normed @ w[f"{i}.gate"]
        x = x + (gate / (1 + np.exp(-gate)) * (normed @ w[f"{i}.up"])) @ w[f"{i}.down"]
    return rms_norm(x, w["norm"]) @ w["head"]
