"""Token streams: batches from one long array of ids, determined by the seed and the step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError


@dataclass
class TokenStream:
    """Batches of random crops that depend only on the step number: to resume, only `step` has to be saved.

    Each batch has `ids` i32 `[rows, length]` and `labels` i32 `[rows·length]`, the ids shifted by one.

    >>> stream = TokenStream(np.arange(100), rows=2, length=4, seed=1)
    >>> first = next(stream)
    >>> first["ids"].shape, bool((first["labels"].reshape(2, 4) == first["ids"] + 1).all())
    ((2, 4), True)
    """

    tokens: npt.NDArray[Any]  # may be a memory map
    rows: int
    length: int
    seed: int = 0
    step: int = 0

    def __repr__(self) -> str:
        return f"<TokenStream of {len(self.tokens)} tokens: {self.rows} rows of {self.length}, seed {self.seed}, step {self.step}>"

    def __post_init__(self) -> None:
        if self.tokens.ndim != 1 or self.tokens.dtype.kind not in "iu" or len(self.tokens) <= self.length:
            message = f"tokens {self.tokens.dtype}{list(self.tokens.shape)} for rows of {self.length}"
            raise RlxError("RLX105", message, fix="a 1-d array of integers, longer than a row")

    def __iter__(self) -> Iterator[dict[str, npt.NDArray[np.int32]]]:
        return self

    def __next__(self) -> dict[str, npt.NDArray[np.int32]]:
        batch = self.at(self.step)
        self.step += 1
        return batch

    def at(self, step: int) -> dict[str, npt.NDArray[np.int32]]:
        """The batch of a step."""
        rows = self._rows(step, slice(None))
        return {"ids": np.ascontiguousarray(rows[:, :-1]), "labels": np.ascontiguousarray(rows[:, 1:]).reshape(-1)}

    def _rows(self, step: int, wanted: slice) -> npt.NDArray[np.int32]:
        """Some rows of a step, each with the token after its last: the others are not read."""
        random = np.random.Generator(np.random.Philox(key=[self.seed, step]))
        starts = random.integers(0, len(self.tokens) - self.length, self.rows)[wanted]
        return np.stack([self.tokens[start : start + self.length + 1] for start in starts]).astype(np.int32)

    def dims(self) -> dict[str, tuple[int, ...]]:
        """The sizes of a batch."""
        return {"ids": (self.rows, self.length), "labels": (self.rows * self.length,)}

    def part(self, name: str, step: int, slices: tuple[slice, ...]) -> npt.NDArray[np.int32]:
        """A slice of `ids` or `labels` of a step, from the rows it lies in: what one host reads of a batch.

        >>> stream = TokenStream(np.arange(100), rows=4, length=5)
        >>> bool((stream.part("labels", 3, (slice(7, 18),)) == stream.at(3)["labels"][7:18]).all())
        True
        """
        if name == "ids":
            rows, columns = slices
            return np.ascontiguousarray(self._rows(step, rows)[:, :-1][:, columns])
        (flat,) = slices
        first = flat.start // self.length
        labels = self._rows(step, slice(first, -(-flat.stop // self.length)))[:, 1:]
        return labels.reshape(-1)[flat.start - first * self.length :][: flat.stop - flat.start]

    def split(self, part: float) -> tuple[TokenStream, TokenStream]:
        """The training tokens, and the last `part` of the tokens, held out."""
        cut = round(len(self.tokens) * (1 - part))
        halves = self.tokens[:cut], self.tokens[cut:]
        first, second = (TokenStream(tokens, self.rows, self.length, self.seed + number) for number, tokens in enumerate(halves))
        return first, second


def byte_tokens(path: str | Path) -> npt.NDArray[np.uint8]:
    """The bytes of a file as ids, memory-mapped.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    ...     _ = file.write(b"abc"); file.flush()
    ...     byte_tokens(file.name).tolist()
    [97, 98, 99]
    """
    return np.memmap(path, np.uint8, "r")
