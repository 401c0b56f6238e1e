"""The encoder of the suite in PyTorch."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from bench import arrays
from bench.models.encoder import EncoderConfig


class TorchEncoder(nn.Module):
    """`forward(ids)` gives the last hidden states."""

    def __init__(self, config: EncoderConfig, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.embedding = _frozen(weights["embedding"])
        self.positions = _frozen(weights["positions"])
        self.types = _frozen(weights["types"])
        self.norm = _norm(config, weights, "norm")
        self.layers = nn.ModuleList(_Layer(config, weights, f"{i}.") for i in range(config.layers))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Hidden states `[batch, length, hidden]`."""
        x = functional.embedding(ids, self.embedding) + self.positions[: ids.shape[1]] + self.types[0]
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x)
        return x


class _Layer(nn.Module):
    def __init__(self, config: EncoderConfig, weights: dict[str, np.ndarray], prefix: str) -> None:
        super().__init__()
        self.head_dim = config.head_dim
        for name in ("q", "k", "v", "o", "up", "down"):
            setattr(self, name, _linear(weights, prefix + name))
        self.norm1, self.norm2 = _norm(config, weights, prefix + "norm1"), _norm(config, weights, prefix + "norm2")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q, k, v = (linear(x).view(batch, length, -1, self.head_dim).transpose(1, 2) for linear in (self.q, self.k, self.v))
        mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = self.norm1(x + self.o(mixed))
        return self.norm2(x + self.down(functional.gelu(self.up(x))))


def _frozen(array: np.ndarray) -> nn.Parameter:
    return nn.Parameter(torch.from_numpy(array), requires_grad=False)


def _linear(weights: dict[str, np.ndarray], name: str) -> nn.Linear:
    layer = nn.Linear(*weights[name].shape, device="meta")
    layer.weight = _frozen(arrays.aligned(weights[name].T))
    layer.bias = _frozen(weights[f"{name}.bias"])
    return layer


def _norm(config: EncoderConfig, weights: dict[str, np.ndarray], name: str) -> nn.LayerNorm:
    layer = nn.LayerNorm(config.hidden, eps=config.eps, device="meta")
    layer.weight, layer.bias = _frozen(weights[name]), _frozen(weights[f"{name}.bias"])
    return layer
