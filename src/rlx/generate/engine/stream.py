"""A stream: one call on its way, seen by its caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from collections.abc import Sequence as Rows
from typing import TYPE_CHECKING

from rlx.core.errors import RlxError
from rlx.generate.engine.mailbox import AHEAD, Mailbox
from rlx.generate.engine.sequence import Request, Sequence
from rlx.generate.results import Generation, Piece, Speculation, Timings

if TYPE_CHECKING:
    from rlx.generate.engine.core import EngineCore


class Stream:
    """A generation on its way: iterate over it for text, once. `result` is all of it: it waits, unless the stream was read already.

    A stream that is closed, cancelled or collected stops costing anything at the next token. `async for` gives pieces without blocking.

    >>> from rlx.generate import Engine
    >>> from rlx.models import open_model
    >>> stream = Engine(open_model("smollm2")).stream("The capital of France is", max_tokens=4)
    >>> for text in stream:  # doctest: +SKIP
    ...     print(text, end="", flush=True)
    """

    def __init__(self, engine: EngineCore, request: Request, sequences: Rows[Sequence], notes: Rows[str] = ()) -> None:
        self._engine, self.notes = engine, tuple(notes)
        self._request, self._sequences = request, list(sequences)
        self._box = request.mailbox
        self._read = False

    def __iter__(self) -> Iterator[str]:
        return (piece.text for piece in self.pieces())

    def __del__(self) -> None:
        self.cancel()  # takes no lock: it may be collected anywhere

    # -- reading ----------------------------------------------------------------------------------------------------
    def pieces(self) -> Iterator[Piece]:
        """Pieces of text with the row they belong to, as they come. It may be left at any point, by Ctrl-C too."""
        box = self._begin_reading()
        try:
            while True:
                finished = box.finished  # before the last pieces are taken, not after
                while box.pieces:
                    yield self._take()
                if finished:
                    self._raise()
                    return
                self._engine.wait_for(box)
        finally:
            if not box.finished:
                self.cancel()

    async def __aiter__(self) -> AsyncIterator[Piece]:
        """Pieces as they come, without blocking the event loop; the engine steps in a thread of its own."""
        box = self._begin_reading()
        with box.told_to_the_loop() as there:
            self._engine.start()
            try:
                while True:
                    there.clear()
                    finished = box.finished
                    while box.pieces:
                        yield self._take()
                    if finished:
                        self._raise()
                        return
                    await there.wait()
            finally:
                if not box.finished:
                    self.cancel()

    def cancel(self) -> None:
        """End it at the next token. What there is stays in `result`."""
        if not self._box.finished:
            self._box.cancelled = True
            self._engine.go_on()

    def _take(self) -> Piece:
        """The next piece; a stream that was far ahead of its reader goes on."""
        piece = self._box.pieces.popleft()
        if len(self._box.pieces) == AHEAD - 1:
            self._engine.go_on()
        return piece

    def _begin_reading(self) -> Mailbox:
        if self._read:
            raise RlxError("RLX903", "a stream is read once", fix="keep its text, or `result`; or begin another stream", at=None)
        self._read = True
        return self._box

    def _raise(self) -> None:
        if self._box.error is not None:
            raise self._box.error

    # -- results ----------------------------------------------------------------------------------------------------
    @property
    def result(self) -> Generation:
        """The first sequence."""
        return self.results[0]

    @property
    def results(self) -> list[Generation]:
        """All sequences. Waits for their end; once somebody has begun to read, or it was cancelled, it is what there is so far, and those
        that did not end are "interrupted"."""
        if not self._read and not self._box.cancelled:
            self._box.whole = True
            self._engine.wait_for(self._box)
            self._raise()
        return [self._generation(sequence) for sequence in self._sequences]

    @property
    def timings(self) -> Timings:
        """Seconds so far."""
        return self._request.timings

    @property
    def speculation(self) -> Speculation | None:
        """How drafts did, of the first sequence."""
        return self._sequences[0].speculation

    def _generation(self, sequence: Sequence) -> Generation:
        return Generation(
            sequence.text.text,
            tuple(sequence.ids),
            sequence.finish or "interrupted",
            len(sequence.prompt),
            sequence.reused,
            tuple(sequence.choices),
            sequence.text.stopped,
            self._request.timings,
            sequence.speculation,
            self.notes,
            tuple(sequence.scored),
            sequence.end,
        )
