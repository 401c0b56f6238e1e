"""A Llama as modules for training, evaluation and decoding, all with the same params."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.module.graph import Graph
from rlx.runtime.session import Session
from rlx.train.vocabulary import TokenStream, Vocabulary

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
        """The size of an attention head."""
        return self.width // self.heads

    @property
    def parameters(self) -> int:
        """The number of trained parameters."""
        return sum(math.prod(dims) for dims in self.param_dims().values())

    def param_dims(self) -> dict[str, tuple[int, ...]]:
        """Returns the dims of the params by name; matrices are `[in, out]`."""
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
        """Initializes gains to 1, matrices normally with σ = 0.02, divided by √(2·layers) where they add to the residual stream."""
        random = np.random.default_rng([seed, 1])
        weights = {}
        for name, dims in self.param_dims().items():
            scale = 0.02 / math.sqrt(2 * self.layers) if name.endswith((".o", ".down")) else 0.02
            value = np.ones(dims) if len(dims) == 1 else random.standard_normal(dims) * scale
            weights[name] = value.astype(np.float32)
        return weights

    # -- modules
    def training(self, rows: int, length: int) -> Any:
        """Builds the training module: `ids` i32 `[rows, length]`, `labels` i32 `[rows·length]` to `loss`, in nats per token."""
        module = Graph.hir("llama_training")
        ids, labels = module.input("ids", (rows, length), "i32"), module.input("labels", (rows * length,), "i32")
        logits = self._logits(module, ids).reshape(rows * length, self.vocabulary)
        module.set_outputs({"loss": module.softmax_cross_entropy_with_logits(logits, labels).mean()})
        return module

    def evaluation(self, length: int) -> Any:
        """Builds the validation module: any number of rows to `losses`, the cross entropy of every token."""
        module = Graph.hir("llama_evaluation")
        rows = Dim("rows", max=1 << 16)
        ids, labels = module.input("ids", (rows, length), "i32"), module.input("labels", (rows * length,), "i32")
        logits = self._logits(module, ids).reshape(rows * length, self.vocabulary)
        module.set_outputs({"losses": module.softmax_cross_entropy_with_logits(logits, labels)})
        return module

    def decoding(self) -> Any:
        """Builds the decoding module: new `ids` i32 `[1, count]` after `length` i32 `[1]` cached ones, to the `logits` of each."""
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
        """Computes cos and sin of RoPE, `[positions, head_dim / 2]`."""
        angles = np.arange(self.positions)[:, None] * self.theta ** -(np.arange(0, self.head_dim, 2) / self.head_dim)
        yield np.cos(angles).astype(np.float32)
        yield np.sin(angles).astype(np.float32)


# -- the processes that train together, each on its hosts' devices: what they agree on, and the part of a batch that each reads


@dataclass(frozen=True)
class Hosts:
    """The processes of a session's mesh; one, without a mesh. All of them call the same methods in the same order.

    >>> hosts = Hosts(Session("reference"))
    >>> hosts.is_first, hosts.any(True), hosts.first_says(7)
    (True, True, 7)
    """

    session: Session

    @property
    def index(self) -> int:
        """The index of this process."""
        return 0 if self._arrays is None else self._arrays.process

    @property
    def count(self) -> int:
        """The number of processes."""
        return 1 if self._arrays is None else self._arrays.processes

    @property
    def is_first(self) -> bool:
        """Whether this process writes what all have in common, and prints."""
        return self.index == 0

    @property
    def _arrays(self) -> Any:
        return None if self.session.sharding is None else self.session.arrays

    def _gather(self, number: int) -> list[int]:
        return [number] if self.count == 1 else self._arrays.gathered(number)

    def any(self, flag: bool) -> bool:
        """All-reduces a flag: whether it is true in one of the processes."""
        return max(self._gather(flag)) > 0

    def all(self, flag: bool) -> bool:
        """All-reduces a flag: whether it is true in each process."""
        return min(self._gather(flag)) > 0

    def first_says(self, number: int) -> int:
        """Broadcasts the first process's number to all."""
        return self._gather(number)[0]

    def meet(self) -> None:
        """Waits until all processes call it (a barrier)."""
        self._gather(0)

    def batch(self, stream: TokenStream, step: int) -> dict[str, Any]:
        """Reads the batch of a step: each process only the rows of its own devices."""
        if self.count == 1:
            return dict(stream.at(step))
        made = {}
        for name, dims in stream.dims().items():

            def read(slices: tuple[slice, ...], name: str = name) -> Any:
                return stream.part(name, step, slices)

            assert self.session.sharding is not None
            spec = self.session.sharding.input_spec(name, dims)
            made[name] = self._arrays.assembled(dims, DType.of("i32"), spec, read)
        return made


# -- text from a model: token by token, with a KV cache --------------------------------------------------------------


@dataclass
class TextSampler:
    """Generates text with the params of a training session. When the cache is full, the older half is dropped."""

    shape: LlamaShape
    vocabulary: Vocabulary
    executable: Any

    @staticmethod
    def of(shape: LlamaShape, vocabulary: Vocabulary, session: Any) -> TextSampler:
        """Compiles a sampler in a session that has the params."""
        return TextSampler(shape, vocabulary, session.compile(shape.decoding()))

    def text(self, prompt: bytes, tokens: int, *, temperature: float = 0.8, top_k: int = 0, seed: int = 0) -> bytes:
        """Generates `tokens` tokens after a prompt; returns both."""
        ids = [int(index) for index in self.vocabulary.encode(prompt)]
        if not ids:
            raise RlxError("RLX801", "the prompt is empty", fix="at least one byte: the first token is predicted from it", at=None)
        random = np.random.default_rng([seed, 2])
        for logits, _ in zip(self._logits(ids), range(tokens), strict=False):
            ids.append(choose(logits, temperature, top_k, random))
        return self.vocabulary.decode(ids)

    def _logits(self, ids: list[int]) -> Iterator[npt.NDArray[np.float32]]:
        """Yields the logits after the last of `ids`, which the caller extends by one each time."""
        capacity = self.shape.positions
        begin = done = max(0, len(ids) - capacity)
        while True:
            if len(ids) - begin > capacity:
                begin = done = len(ids) - capacity // 2
            new = np.array([ids[done:]], np.int32)
            results = self.executable.run({"ids": new, "length": np.array([done - begin], np.int32)})
            yield np.asarray(results["logits"])[0, -1]
            done += new.shape[1]


def choose(logits: npt.NDArray[np.float32], temperature: float, top_k: int, random: np.random.Generator) -> int:
    """Draws an id from softmax(logits / temperature) among the `top_k` likeliest; at temperature 0 the likeliest."""
    if temperature == 0:
        return int(logits.argmax())
    scaled = logits.astype(np.float64) / temperature
    if 0 < top_k < len(scaled):
        scaled[scaled < np.partition(scaled, -top_k)[-top_k]] = -np.inf
    weights = np.exp(scaled - scaled.max())
    return int(random.choice(len(weights), p=weights / weights.sum()))
