"""A source of random numbers in a graph: a key and a counter, and a stream for each draw."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DTypeLike
from rlx.ir.value import one
from rlx.ops.record import Value


@dataclass(frozen=True, eq=False)
class Rng:
    """A source of random numbers in a graph: a key, and a counter that advances by one each run.

    Each draw takes the next stream, so draws are independent. `graph.rng(name, seed)` makes one.

    >>> from rlx.module import Graph
    >>> graph = Graph("noisy")
    >>> noise = graph.rng("noise", seed=7).normal((2, 3))
    >>> noise
    <Value %4 : f32[2, 3]>
    """

    key: Value
    counter: Value
    streams: Iterator[int] = field(default_factory=itertools.count)

    def uniform(self, shape: Any, dtype: DTypeLike = "f32") -> Value:
        """Uniform in [0, 1)."""
        return one("random_uniform", self.key, self.counter, shape=shape, dtype=dtype, stream=next(self.streams))

    def normal(self, shape: Any, dtype: DTypeLike = "f32") -> Value:
        """Mean 0, variance 1."""
        return one("random_normal", self.key, self.counter, shape=shape, dtype=dtype, stream=next(self.streams))

    def dropout(self, x: Value, rate: float) -> Value:
        """Zeros with probability `rate`, the rest scaled up."""
        return one("dropout", x, self.key, self.counter, rate=rate, stream=next(self.streams))

    def sample(self, logits: Value, temperature: Any = None, top_k: Any = None, top_p: Any = None, min_p: Any = None) -> Value:
        """One id for each row."""
        settings = (as_setting(temperature), top_k, as_setting(top_p), as_setting(min_p))
        return one("sample", logits, self.key, self.counter, *settings, stream=next(self.streams))


def as_setting(value: Any) -> Any:
    """A number of a sampling setting as f32, whatever the logits are."""
    return np.float32(value) if isinstance(value, (int, float)) else value


def key_of(seed: int, name: str = "") -> npt.NDArray[Any]:
    """The key words of a seed, low word first; the name makes sources with equal seeds differ."""
    return np.array([seed & 0xFFFFFFFF, (seed >> 32) ^ zlib.crc32(name.encode())], np.uint32)
