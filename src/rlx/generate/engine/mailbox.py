"""What the engine puts and a stream takes out: pieces of text, and the end."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rlx.generate.results import Piece

if TYPE_CHECKING:
    import asyncio

AHEAD = 256
"""Pieces that a stream may have which nobody has read yet; then it pauses."""


class Mailbox:
    """Pieces of one call. The engine puts them, one reader takes them; `finished` once no more will come."""

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque()
        self.remaining = 0  # sequences that have not ended
        self.error: BaseException | None = None
        self.cancelled = False
        self.whole = False  # somebody waits for the end: pieces are not counted
        self.bells: list[threading.Event] = []  # of the threads that wait for it
        self.on_change: Callable[[], object] | None = None  # told from the thread that steps, when there is something

    @property
    def finished(self) -> bool:
        """Whether all its sequences have ended."""
        return self.remaining == 0

    def is_ready(self) -> bool:
        """Whether the reader has something to do."""
        return self.remaining == 0 or (bool(self.pieces) and not self.whole)

    @property
    def paused(self) -> bool:
        """Whether it is far ahead of its reader."""
        return len(self.pieces) >= AHEAD and not self.whole

    def wake(self) -> None:
        """Tell those who wait."""
        for bell in tuple(self.bells):
            bell.set()
        told = self.on_change
        if told is not None:
            told()

    @contextmanager
    def told_to_the_loop(self) -> Iterator[asyncio.Event]:
        """An event of the running event loop that is set whenever there is something."""
        import asyncio

        from rlx.generate.engine.loop_waker import LoopWaker

        waker, there = LoopWaker.of_running_loop(), asyncio.Event()

        def tell() -> None:
            if not waker.wake(there):  # the loop is closed: nobody will read
                self.cancelled = True

        self.on_change = tell
        try:
            yield there
        finally:
            self.on_change = None
