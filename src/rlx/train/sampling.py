"""Text from a model: token by token, with a KV cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.train.language_model import LlamaShape
from rlx.train.vocabulary import Vocabulary


@dataclass
class TextSampler:
    """Decodes with the params of a session. When the cache is full, the older half is dropped."""

    shape: LlamaShape
    vocabulary: Vocabulary
    executable: Any

    @staticmethod
    def of(shape: LlamaShape, vocabulary: Vocabulary, session: Any) -> TextSampler:
        """A sampler in a session that has the params."""
        return TextSampler(shape, vocabulary, session.compile(shape.decoding()))

    def text(self, prompt: bytes, tokens: int, *, temperature: float = 0.8, top_k: int = 0, seed: int = 0) -> bytes:
        """The prompt followed by `tokens` tokens."""
        ids = [int(index) for index in self.vocabulary.encode(prompt)]
        if not ids:
            raise RlxError("RLX801", "the prompt is empty", fix="at least one byte: the first token is predicted from it", at=None)
        random = np.random.default_rng([seed, 2])
        for logits, _ in zip(self._logits(ids), range(tokens), strict=False):
            ids.append(choose(logits, temperature, top_k, random))
        return self.vocabulary.decode(ids)

    def _logits(self, ids: list[int]) -> Iterator[npt.NDArray[np.float32]]:
        """The logits after the last of `ids`, which the caller extends by one each time."""
        capacity = self.shape.positions
        begin = done = max(0, len(ids) - capacity)
        while True:
            if len(ids) - begin > capacity:
                begin = done = len(ids) - capacity // 2
            new = np.array([ids[done:]], np.int32)
            found = self.executable.run({"ids": new, "length": np.array([done - begin], np.int32)})
            yield np.asarray(found["logits"])[0, -1]
            done += new.shape[1]


def choose(logits: npt.NDArray[np.float32], temperature: float, top_k: int, random: np.random.Generator) -> int:
    """An id drawn from softmax(logits / temperature) among the `top_k` likeliest; at temperature 0 the likeliest."""
    if temperature == 0:
        return int(logits.argmax())
    scaled = logits.astype(np.float64) / temperature
    if 0 < top_k < len(scaled):
        scaled[scaled < np.partition(scaled, -top_k)[-top_k]] = -np.inf
    weights = np.exp(scaled - scaled.max())
    return int(random.choice(len(weights), p=weights / weights.sum()))
