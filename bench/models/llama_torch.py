"""The Llama of the suite in PyTorch."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from bench import arrays
from bench.models.llama import LlamaConfig


class TorchLlama(nn.Module):
    """`forward(ids, positions[, keys, values])` gives logits and this call's keys and values, stacked over layers.

    Matrices are stored `[out, in]`, as `linear` likes them. A cache holds the keys and values of all earlier positions.
    """

    def __init__(self, config: LlamaConfig, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.config = config
        self.embedding = _frozen(weights["embedding"])
        self.norm = _frozen(weights["norm"])
        self.head = _linear(weights["head"])
        self.layers = nn.ModuleList(_Layer(config, weights, f"{i}.") for i in range(config.layers))
        steps = torch.arange(0, config.head_dim, 2, dtype=torch.float64) / config.head_dim
        self.register_buffer("frequencies", (config.theta**-steps).float())

    def forward(
        self, ids: torch.Tensor, positions: torch.Tensor, keys: torch.Tensor | None = None, values: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits `[batch, length, vocab]` of every position given."""
        angles = positions[:, None].float() * self.frequencies
        angles = torch.cat((angles, angles), -1)
        turn = angles.cos(), angles.sin()
        x = functional.embedding(ids, self.embedding)
        new_keys, new_values = [], []
        for i, layer in enumerate(self.layers):
            cache = None if keys is None or values is None else (keys[i], values[i])
            x, key, value = layer(x, turn, cache)
            new_keys.append(key)
            new_values.append(value)
        logits = self.head(_rms_norm(x, self.norm, self.config.eps))
        return logits, torch.stack(new_keys), torch.stack(new_values)


class _Layer(nn.Module):
    def __init__(self, config: LlamaConfig, weights: dict[str, np.ndarray], prefix: str) -> None:
        super().__init__()
        self.config = config
        self.norm1, self.norm2 = _frozen(weights[prefix + "norm1"]), _frozen(weights[prefix + "norm2"])
        for name in ("q", "k", "v", "o", "gate", "up", "down"):
            setattr(self, name, _linear(weights[prefix + name]))

    def forward(self, x, turn, cache):
        normed = _rms_norm(x, self.norm1, self.config.eps)
        query = _rope(self._heads(self.q(normed)), turn)
        key, value = _rope(self._heads(self.k(normed)), turn), self._heads(self.v(normed))
        new = key, value
        if cache is not None:
            key, value = torch.cat((cache[0], key), 2), torch.cat((cache[1], value), 2)
        group = self.config.heads // self.config.kv_heads
        mixed = functional.scaled_dot_product_attention(query, _repeat(key, group), _repeat(value, group), is_causal=cache is None)
        x = x + self.o(mixed.transpose(1, 2).reshape(x.shape))
        normed = _rms_norm(x, self.norm2, self.config.eps)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed)), *new

    def _heads(self, x):
        return x.view(x.shape[0], x.shape[1], -1, self.config.head_dim).transpose(1, 2)


def _frozen(array: np.ndarray) -> nn.Parameter:
    return nn.Parameter(torch.from_numpy(array), requires_grad=False)


def _linear(matrix: np.ndarray) -> nn.Linear:
    layer = nn.Linear(*matrix.shape, bias=False, device="meta")
    layer.weight = _frozen(arrays.aligned(matrix.T))
    return layer


def _rms_norm(x, gain, eps: float):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain


def _rope(x, turn):
    first, second = x.chunk(2, -1)
    return x * turn[0] + torch.cat((-second, first), -1) * turn[1]


def _repeat(x, group: int):
    batch, heads, length, width = x.shape
    return x[:, :, None].expand(batch, heads, group, length, width).reshape(batch, heads * group, length, width)
