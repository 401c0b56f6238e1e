"""A Llama as modules for training, evaluation and decoding, all with the same params."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.module.graph import Graph

_LAYER = ("norm1", "q", "k", "v", "o", "norm2", "gate", "up", "down")


@dataclass(frozen=True)
class LlamaShape:
    """The sizes of a Llama: RMS norms, RoPE, grouped-query attention, a gated feed-forward; no biases.

    >>> shape = LlamaShape(vocabulary=256, layers=2, width=64, heads=4, kv_heads=2, ffn=160, positions=32)
    >>> shape.parameters, shape.param_dims()["layers.1.k"]
    (119104, (64, 32))
    """

    vocabulary: int
    layers: int
    width: int
    heads: int
    kv_heads: int
    ffn: int
    positions: int
    theta: float = 10_000.0
    eps: float = 1e-5

    def __post_init__(self) -> None:
        if self.width % (2 * self.heads):
            fix = f"use a width that is a multiple of {2 * self.heads}: the head size must be even"
            raise RlxError("RLX801", f"width {self.width} with {self.heads} heads", fix=fix)
        if self.heads % self.kv_heads:
            raise RlxError("RLX801", f"{self.heads} heads with {self.kv_heads} kv_heads", fix="kv_heads must divide heads")

    @property
    def head_dim(self) -> int:
        """The size of a head."""
        return self.width // self.heads

    @property
    def parameters(self) -> int:
        """The number of trained parameters."""
        return sum(math.prod(dims) for dims in self.param_dims().values())

    def param_dims(self) -> dict[str, tuple[int, ...]]:
        """The params by name; matrices are `[in, out]`."""
        width, narrow = self.width, self.kv_heads * self.head_dim
        layer = {
            "norm1": (width,),
            "q": (width, width),
            "k": (width, narrow),
            "v": (width, narrow),
            "o": (width, width),
            "norm2": (width,),
            "gate": (width, self.ffn),
            "up": (width, self.ffn),
            "down": (self.ffn, width),
        }
        layers = {f"layers.{i}.{name}": layer[name] for i in range(self.layers) for name in _LAYER}
        return {"embedding": (self.vocabulary, width), **layers, "norm": (width,), "head": (width, self.vocabulary)}

    def first_weights(self, seed: int) -> dict[str, npt.NDArray[np.float32]]:
        """Gains of 1; matrices normal with σ = 0.02, those that add to the residual stream divided by √(2·layers) (Radford et al. 2019)."""
        random = np.random.default_rng([seed, 1])
        found = {}
        for name, dims in self.param_dims().items():
            scale = 0.02 / math.sqrt(2 * self.layers) if name.endswith((".o", ".down")) else 0.02
            value = np.ones(dims) if len(dims) == 1 else random.standard_normal(dims) * scale
            found[name] = value.astype(np.float32)
        return found

    # -- modules
    def training(self, rows: int, length: int) -> Any:
        """`ids` i32 `[rows, length]` and `labels` i32 `[rows·length]` to `loss`, the mean cross entropy in nats per token."""
        module = Graph.hir("llama_training")
        ids, labels = module.input("ids", (rows, length), "i32"), module.input("labels", (rows * length,), "i32")
        logits = self._logits(module, ids).reshape(rows * length, self.vocabulary)
        module.set_outputs({"loss": module.softmax_cross_entropy_with_logits(logits, labels).mean()})
        return module

    def evaluation(self, length: int) -> Any:
        """Any number of rows to `losses`, the cross entropy of every token."""
        module = Graph.hir("llama_evaluation")
        rows = Dim("rows", max=1 << 16)
        ids, labels = module.input("ids", (rows, length), "i32"), module.input("labels", (rows * length,), "i32")
        logits = self._logits(module, ids).reshape(rows * length, self.vocabulary)
        module.set_outputs({"losses": module.softmax_cross_entropy_with_logits(logits, labels)})
        return module

    def decoding(self) -> Any:
        """Any number of new `ids` i32 `[1, count]` after `length` i32 `[1]` earlier ones in a cache, to the `logits` of each."""
        module = Graph.hir("llama_decoding")
        count = Dim("count", max=self.positions)
        ids, filled = module.input("ids", (1, count), "i32"), module.input("length", (1,), "i32")
        caches = [
            module.kv_cache(f"cache.{i}", filled, kv_heads=self.kv_heads, capacity=self.positions, head_dim=self.head_dim)
            for i in range(self.layers)
        ]
        module.set_outputs({"logits": self._logits(module, ids, caches)})
        return module

    def _logits(self, module: Any, ids: Any, caches: list[Any] | None = None) -> Any:
        params = {name: module.param(name, dims) for name, dims in self.param_dims().items()}
        cos, sin = (module.constant(table) for table in self._rotations())
        x = module.gather(params["embedding"], ids, axis=0)
        for i in range(self.layers):
            norm1, q, k, v, o, norm2, gate, up, down = (params[f"layers.{i}.{name}"] for name in _LAYER)
            x = module.llama_decoder_block(
                x,
                norm1,
                None,
                q,
                k,
                v,
                o,
                norm2,
                None,
                gate,
                up,
                down,
                cos,
                sin,
                num_heads=self.heads,
                head_dim=self.head_dim,
                num_kv_heads=self.kv_heads,
                eps=self.eps,
                mask_kind="causal",
                name=f"layers.{i}",
                **({"cache": caches[i]} if caches else {}),
            )
        return module.linear(module.rms_norm(x, params["norm"], None, eps=self.eps), params["head"])

    def _rotations(self) -> Iterator[npt.NDArray[np.float32]]:
        """cos and sin, `[positions, head_dim / 2]`."""
        angles = np.arange(self.positions)[:, None] * self.theta ** -(np.arange(0, self.head_dim, 2) / self.head_dim)
        yield np.cos(angles).astype(np.float32)
        yield np.sin(angles).astype(np.float32)
