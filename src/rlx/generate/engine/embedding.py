"""Embeddings of texts: `Embedder` computes batches of similar length, to minimize padding; an engine does it for many callers.

Each step of an engine computes one batch of one call, and calls take turns. Texts of different calls are never put into one batch: a
vector's last bits depend on how far its row is padded, and so a call gets the same bytes alone and among others.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from collections.abc import Sequence as Rows
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.errors import RlxError, check_is, with_known_options
from rlx.generate.engine.mailbox import Mailbox
from rlx.generate.engine.schedule import CallerShares
from rlx.generate.engine.stepping import TakesTurns
from rlx.generate.results import EngineStats
from rlx.generate.text import token_ids
from rlx.models import Model, Shapes

Array = npt.NDArray[np.float32]
_MOST_TOKENS = 1 << 14  # tokens per batch: attention's memory grows with it
_SHORT = 16  # tokens of padding that cost less than another batch


def embed(model: Model, texts: Sequence[str], *, batch: int = 32, truncate: bool = False) -> Array:
    """Embeds texts with a new `Embedder`: a vector for each, f32[count, width]."""
    return Embedder(model)(texts, batch=batch, truncate=truncate)


def check_batch(batch: int) -> None:
    """Raises for an invalid number of texts."""
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
        """Returns a vector for each text, f32[count, width], in order; up to `batch` texts are computed at once.

        A text longer than the model's context is an error, or truncated with `truncate`.
        """
        return self.of_ids(self.encode_all(texts, truncate=truncate), batch)

    def encode_all(self, texts: Iterable[str | Sequence[int]], *, truncate: bool = False) -> list[list[int]]:
        """Tokenizes each text."""
        if isinstance(texts, str) or not hasattr(texts, "__iter__"):
            raise RlxError("RLX903", f"texts are {texts!r:.60}, {type(texts).__name__}", fix="a list of texts")
        return [self.encode(text, number, truncate=truncate) for number, text in enumerate(texts)]

    def of_ids(self, rows: Sequence[Sequence[int]], batch: int = 32) -> Array:
        """Embeds rows of ids, as `encode` returns them: a vector for each."""
        check_batch(batch)
        if not rows:
            return np.zeros((0, self.model.config.width), np.float32)
        self.prepare()  # before memory is allocated: it checks the settings
        vectors = np.zeros((len(rows), self.model.config.width), np.float32)
        for together in batches([len(row) for row in rows], batch):
            vectors[together] = self.run([rows[number] for number in together])
        return vectors

    def run(self, rows: Sequence[Sequence[int]]) -> Array:
        """Embeds rows of ids, all in one batch."""
        vectors: Array = self._executable.run(_pad_rows(rows))["embedding"]
        return vectors

    def prepare(self) -> None:
        """Compiles, loads and packs the embedding model now, not at the first text."""
        self._executable.prepare()

    @property
    def _executable(self) -> Any:
        seq = Dim("seq", max=self.model.config.context_length)
        output = "last" if self.model.family.embeds else "embedding"
        return self.model.executable(Shapes(batch=Dim("batch"), seq=seq, logits=output))

    def encode(self, text: str | Sequence[int], number: int = 0, *, truncate: bool = False) -> list[int]:
        """Tokenizes a text; an empty one has only its begin and end tokens. Ids are checked and returned unchanged.

        `number` is the text's position among several, for error messages.
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
    """Groups row indices, shortest rows first, into batches of bounded size; at most about half of each is padding.

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


def _pad_rows(rows: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Returns the inputs of the embedding graph: rows padded at the end."""
    count = np.array([len(row) for row in rows], np.int32)
    tokens = np.zeros((len(rows), int(count.max())), np.int32)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = row
    return {"tokens": tokens, "count": count}


# -- for many callers ------------------------------------------------------------------------------------------------
class EmbeddingCall:
    """A submitted call for vectors: `vectors` waits, `await call.gathered()` does so in coroutines, `cancel()` ends it."""

    def __init__(self, core: EmbeddingCore, rows: Rows[list[int]], batch: int, priority: int, caller: Hashable) -> None:
        self._core, self.rows, self.priority, self.caller = core, rows, priority, caller
        self.batches = deque(batches([len(row) for row in rows], batch))  # indices of rows still to be computed
        self._found: Array | None = None
        self.mailbox = Mailbox()
        self.mailbox.remaining = int(bool(rows))
        self.order = 0  # order of arrival
        self.begun = False

    @property
    def tokens(self) -> int:
        """The number of tokens of the call's texts."""
        return sum(map(len, self.rows))

    @property
    def vectors(self) -> Array:
        """Waits for the vectors of all texts, f32[count, width]."""
        try:
            self._core.wait_for(self.mailbox)
        finally:
            self.cancel()  # unfinished only after Ctrl-C
        return self._result()

    async def gathered(self) -> Array:
        """Awaits `vectors` in a coroutine; a task that is cancelled ends the call."""
        with self.mailbox.told_to_the_loop() as there:
            self._core.start()
            try:
                while not self.mailbox.finished:
                    await there.wait()
                    there.clear()
            finally:
                self.cancel()
        return self._result()

    def cancel(self) -> None:
        """Ends the call before its next batch."""
        if not self.mailbox.finished:
            self.mailbox.cancelled = True
            self._core.go_on()

    def _result(self) -> Array:
        if self.mailbox.error is not None:
            raise self.mailbox.error
        if self.batches:
            raise RlxError("RLX906", "the call was cancelled, or the engine closed, before all vectors were computed", at=None)
        return self.vectors_so_far

    @property
    def vectors_so_far(self) -> Array:
        """The vectors computed so far; allocated after the first batch, which checks the settings."""
        if self._found is None:
            self._found = np.zeros((len(self.rows), self._core.model.config.width), np.float32)
        return self._found


class EmbeddingCore(TakesTurns):
    """The engine core of an embedding model. Its methods may be called from any thread."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.embedder = Embedder(model)
        self._calls: list[EmbeddingCall] = []
        self._shares = CallerShares()
        self._arrivals = itertools.count()
        self._mutex = threading.Lock()
        super().__init__()
        self._closed = False
        self._steps = self._tokens = 0

    @property
    def capacity(self) -> int:
        """The limit of tokens in a text."""
        return self.model.config.context_length

    @with_known_options("embed", "RLX902")
    def submit(self, rows: Rows[list[int]], *, batch: int = 32, priority: int = 0, caller: Hashable = None) -> EmbeddingCall:
        """Submits rows of ids, as `Embedder.encode` returns them."""
        check_batch(batch)
        check_is(priority, int, "RLX902", "priority", "an integer; a higher one goes first")
        check_is(caller, Hashable, "RLX902", "caller", "a name: anything hashable")
        call = EmbeddingCall(self, rows, batch, priority, caller)
        with self._mutex:
            if self._closed:
                raise RlxError("RLX906", "the engine is closed", fix="create another: Engine(model)", at=None)
            if call.batches:
                call.order = next(self._arrivals)
                self._shares.arrive(caller, {other.caller for other in self._calls})
                self._calls.append(call)
        self._turns.news()
        return call

    # -- a step -----------------------------------------------------------------------------------------------------
    def _step(self) -> bool:
        """Computes one batch of one call; False if there is nothing to do."""
        gone = self._let_go()
        call = self._next()
        if call is not None:
            self._run(call)
        return bool(gone or call)

    def _let_go(self) -> list[EmbeddingCall]:
        """Removes embedding calls whose caller left."""
        with self._mutex:
            gone = [call for call in self._calls if call.mailbox.cancelled]
        for call in gone:
            self._end(call)
        return gone

    def _next(self) -> EmbeddingCall | None:
        with self._mutex:
            return min(self._calls, key=lambda call: (-call.priority, self._shares.of(call.caller), call.order), default=None)

    def _run(self, call: EmbeddingCall) -> None:
        together, call.begun = call.batches[0], True
        rows = [call.rows[number] for number in together]
        try:
            vectors = self.embedder.run(rows)
            call.vectors_so_far[together] = vectors
        except BaseException as error:  # out of memory, or a bug: other calls continue
            call.mailbox.error = error
            self._end(call)
            return
        call.batches.popleft()
        tokens = sum(map(len, rows))
        self._steps, self._tokens = self._steps + 1, self._tokens + tokens
        self._shares.serve(call.caller, tokens)
        if not call.batches:
            self._end(call)

    def _end(self, call: EmbeddingCall) -> None:
        with self._mutex:
            if call in self._calls:
                self._calls.remove(call)
            if not self._calls:
                self._shares.clear()
        call.mailbox.remaining = 0
        call.mailbox.wake()

    # -- beginning, ending ---------------------------------------------------------------------------------
    def prepare(self) -> Any:
        """Compiles, loads and packs the embedding model."""
        return self.embedder.prepare()

    def close(self) -> None:
        """Ends all embedding calls, and the engine's thread."""
        with self._mutex:
            self._closed = True
        self._turns.stop()
        for call in list(self._calls):
            self._end(call)

    def stats(self) -> EngineStats:
        """Returns the state of the embedding engine."""
        with self._mutex:
            begun = sum(call.begun for call in self._calls)
            return EngineStats(begun, len(self._calls) - begun, steps=self._steps, tokens_in=self._tokens)
