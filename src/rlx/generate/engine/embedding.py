"""Embeddings for many callers: each step computes one batch of one call, and calls take turns.

Texts of different calls are never put into one batch: a vector's last bits depend on how far its row is padded, and so a call gets the
same bytes alone and among others.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Hashable
from collections.abc import Sequence as Rows
from typing import Any

import numpy as np

from rlx.core.errors import RlxError, check_is, with_known_options
from rlx.generate.embed import Array, Embedder, batches, check_batch
from rlx.generate.engine.fairness import CallerShares
from rlx.generate.engine.mailbox import Mailbox
from rlx.generate.engine.stats import EngineStats
from rlx.generate.engine.stepping import TakesTurns
from rlx.models import Model


class EmbeddingCall:
    """Vectors on their way: `vectors` waits for them, `await call.gathered()` does for coroutines, `cancel()` gives them up."""

    def __init__(self, core: EmbeddingCore, rows: Rows[list[int]], batch: int, priority: int, caller: Hashable) -> None:
        self._core, self.rows, self.priority, self.caller = core, rows, priority, caller
        self.batches = deque(batches([len(row) for row in rows], batch))  # numbers of rows, still to be computed
        self._found: Array | None = None
        self.mailbox = Mailbox()
        self.mailbox.remaining = int(bool(rows))
        self.order = 0  # of arrival
        self.begun = False

    @property
    def tokens(self) -> int:
        """How many tokens the texts have."""
        return sum(map(len, self.rows))

    @property
    def vectors(self) -> Array:
        """A vector for each text, f32[count, width]; waits for them."""
        try:
            self._core.wait_for(self.mailbox)
        finally:
            self.cancel()  # by Ctrl-C, if it is not finished
        return self._result()

    async def gathered(self) -> Array:
        """The same for coroutines; a task that is cancelled gives the rest up."""
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
        """It costs nothing from the next batch on."""
        if not self.mailbox.finished:
            self.mailbox.cancelled = True
            self._core.go_on()

    def _result(self) -> Array:
        if self.mailbox.error is not None:
            raise self.mailbox.error
        if self.batches:
            raise RlxError("RLX906", "the call was cancelled, or the engine closed, before all vectors were computed", at=None)
        return self.found

    @property
    def found(self) -> Array:
        """The vectors so far; memory is allocated when a batch has been computed: the settings are right then."""
        if self._found is None:
            self._found = np.zeros((len(self.rows), self._core.model.config.width), np.float32)
        return self._found


class EmbeddingCore(TakesTurns):
    """What an engine does with a model that gives embeddings. Its methods may be called from any thread."""

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
        """Tokens a text can have."""
        return self.model.config.context_length

    @with_known_options("embed", "RLX902")
    def submit(self, rows: Rows[list[int]], *, batch: int = 32, priority: int = 0, caller: Hashable = None) -> EmbeddingCall:
        """Rows of ids, as `Embedder.encode` gives them."""
        check_batch(batch)
        check_is(priority, int, "RLX902", "priority", "an integer; a higher one goes first")
        check_is(caller, Hashable, "RLX902", "caller", "a name: anything hashable")
        call = EmbeddingCall(self, rows, batch, priority, caller)
        with self._mutex:
            if self._closed:
                raise RlxError("RLX906", "the engine is closed", fix="make another: Engine(model)", at=None)
            if call.batches:
                call.order = next(self._arrivals)
                self._shares.arrive(caller, {other.caller for other in self._calls})
                self._calls.append(call)
        self._turns.news()
        return call

    # -- a step -----------------------------------------------------------------------------------------------------
    def _step(self) -> bool:
        """One batch of one call; False if there is nothing to do."""
        gone = self._let_go()
        call = self._next()
        if call is not None:
            self._run(call)
        return bool(gone or call)

    def _let_go(self) -> list[EmbeddingCall]:
        """Calls whose caller left cost nothing from here on."""
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
            call.found[together] = vectors
        except BaseException as error:  # of memory, of a bug: the others go on
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
        """Compile, load and pack."""
        return self.embedder.prepare()

    def close(self) -> None:
        """End all calls, and the thread."""
        with self._mutex:
            self._closed = True
        self._turns.stop()
        for call in list(self._calls):
            self._end(call)

    def stats(self) -> EngineStats:
        """What it is doing."""
        with self._mutex:
            begun = sum(call.begun for call in self._calls)
            return EngineStats(begun, len(self._calls) - begun, steps=self._steps, tokens_in=self._tokens)
