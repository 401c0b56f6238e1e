"""Embeddings of texts: batches of similar length, to minimize padding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.errors import RlxError, check_is
from rlx.generate.prompts import token_ids
from rlx.models import Model, Shapes

Array = npt.NDArray[np.float32]
_MOST_TOKENS = 1 << 14  # tokens per batch: attention's memory grows with it
_SHORT = 16  # tokens of padding that cost less than another batch


def embed(model: Model, texts: Sequence[str], *, batch: int = 32, truncate: bool = False) -> Array:
    """A vector for each text, f32[count, width], with a new `Embedder`."""
    return Embedder(model)(texts, batch=batch, truncate=truncate)


def check_batch(batch: int) -> None:
    """An error where it is no number of texts."""
    check_is(batch, int, "RLX902", "batch", "an integer, 1 or more")
    if batch < 1:
        raise RlxError("RLX902", f"batch is {batch}", fix="an integer, 1 or more")


class Embedder:
    """Embeds texts with one graph for all batches and lengths.

    A model that generates text embeds as llama.cpp does where a file names no pooling: the last token's state after the last norm,
    divided by its length.

    >>> from rlx.models import open_model
    >>> Embedder(open_model("minilm"))(["a cat", "a kitten"]).shape  # doctest: +SKIP
    (2, 384)
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, texts: Iterable[str], *, batch: int = 32, truncate: bool = False) -> Array:
        """A vector for each text, f32[count, width], in order; up to `batch` texts are computed at once.

        A text longer than the model's context is an error, or truncated with `truncate`.
        """
        return self.of_ids(self.encode_all(texts, truncate=truncate), batch)

    def encode_all(self, texts: Iterable[str | Sequence[int]], *, truncate: bool = False) -> list[list[int]]:
        """The tokens of each text."""
        if isinstance(texts, str) or not hasattr(texts, "__iter__"):
            raise RlxError("RLX903", f"texts are {texts!r:.60}, {type(texts).__name__}", fix="a list of texts")
        return [self.encode(text, number, truncate=truncate) for number, text in enumerate(texts)]

    def of_ids(self, rows: Sequence[Sequence[int]], batch: int = 32) -> Array:
        """A vector for each row of ids, as `encode` gives them."""
        check_batch(batch)
        if not rows:
            return np.zeros((0, self.model.config.width), np.float32)
        self.prepare()  # before memory is allocated: it checks the settings
        found = np.zeros((len(rows), self.model.config.width), np.float32)
        for together in batches([len(row) for row in rows], batch):
            found[together] = self.run([rows[number] for number in together])
        return found

    def run(self, rows: Sequence[Sequence[int]]) -> Array:
        """The vectors of rows of ids, all in one batch."""
        found: Array = self._executable.run(_padded(rows))["embedding"]
        return found

    def prepare(self) -> None:
        """Compile, load and pack now, not at the first text."""
        self._executable.prepare()

    @property
    def _executable(self) -> Any:
        seq = Dim("seq", max=self.model.config.context_length)
        output = "last" if self.model.family.embeds else "embedding"
        return self.model.executable(Shapes(batch=Dim("batch"), seq=seq, logits=output))

    def encode(self, text: str | Sequence[int], number: int = 0, *, truncate: bool = False) -> list[int]:
        """The tokens of a text; an empty one has only its begin and end tokens. Ids are checked, and kept as they are.

        `number` says in errors which of several texts it is.
        """
        limit = self.model.config.context_length
        if isinstance(text, str):
            most = None if truncate else limit
            ids: list[int] = self.model.tokenizer.encode(text, most=most, name=f"text {number}")
        else:
            ids = token_ids(text)
        if not ids:
            raise RlxError("RLX903", f"text {number} has no tokens", fix="at least one character", at=None)
        vocabulary = self.model.config.vocab_size
        if max(ids) >= vocabulary and not isinstance(text, str):
            message = f"text {number} has the id {max(ids)}, the model has ids 0 to {vocabulary - 1}"
            raise RlxError("RLX903", message, at=None)
        if max(ids) >= vocabulary:
            message = f"{self.model.source.path}: its tokenizer gives the id {max(ids)}, the model has ids 0 to {vocabulary - 1}"
            raise RlxError("RLX701", message, fix="tokenizer and tensors must belong together", at=None)
        if len(ids) <= limit:
            return ids
        if not truncate:
            raise RlxError(
                "RLX901",
                f"text {number} has {len(ids)} tokens, the context has room for {limit}",
                fix="truncate=True cuts it",
                at=None,
            )
        return [*ids[: limit - 1], ids[-1]]  # keep the end token


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The indices of all rows, shortest first, in batches of bounded size; at most about half of each is padding.

    >>> list(batches([3, 1, 2], 2)), list(batches([90, 8, 9], 8))
    ([[1, 2], [0]], [[1, 2], [0]])
    """
    together: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        longer = together and lengths[row] > 2 * lengths[together[0]] + _SHORT
        if longer or len(together) == most or (together and (len(together) + 1) * lengths[row] > _MOST_TOKENS):
            yield together
            together = []
        together.append(row)
    if together:
        yield together


def _padded(rows: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The inputs of the graph: rows padded at the end."""
    count = np.array([len(row) for row in rows], np.int32)
    tokens = np.zeros((len(rows), int(count.max())), np.int32)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = row
    return {"tokens": tokens, "count": count}
