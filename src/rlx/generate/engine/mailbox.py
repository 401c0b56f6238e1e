"""What the engine puts and a stream takes out: pieces of text, and the end; and how a reader in an event loop is woken."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rlx.generate.results import Piece

if TYPE_CHECKING:
    import asyncio

_wakers: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWaker] = WeakKeyDictionary()
_mutex = threading.Lock()


class LoopWaker:
    """Sets asyncio events of one loop from other threads. `call_soon_threadsafe` writes to a pipe each time; this class calls it
    only for the first event that the loop has not seen yet."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = weakref.ref(loop)
        self._waiting: deque[asyncio.Event] = deque()
        self._called = False

    @staticmethod
    def of_running_loop() -> LoopWaker:
        """Returns the waker of the event loop in this thread."""
        import asyncio  # a caller without a loop does not load it

        loop = asyncio.get_running_loop()
        with _mutex:
            return _wakers.setdefault(loop, LoopWaker(loop))

    def wake(self, event: asyncio.Event) -> bool:
        """Schedules an event to be set; False if the loop is closed. May be called from any thread."""
        self._waiting.append(event)
        if self._called:
            return True
        self._called = True
        loop = self._loop()
        try:
            if loop is None:
                raise RuntimeError("the loop is gone")
            loop.call_soon_threadsafe(self._set_all)
        except RuntimeError:
            self._called = False
            return False
        return True

    def _set_all(self) -> None:
        self._called = False  # first: an event that is appended from here on may find nobody in the loop below
        while self._waiting:
            self._waiting.popleft().set()


AHEAD = 256
"""Limit of unread pieces; then the stream pauses."""


class Mailbox:
    """Queue of the generated pieces of one call. The engine adds them, one reader takes them; `finished` after the last one."""

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque()
        self.remaining = 0  # sequences that have not ended
        self.error: BaseException | None = None
        self.cancelled = False
        self.whole = False  # a caller waits for the end: pieces are not counted
        self.bells: list[threading.Event] = []  # events of the waiting threads
        self.on_change: Callable[[], object] | None = None  # called by the stepping thread when something changed

    @property
    def finished(self) -> bool:
        """Whether all sequences of the call have ended."""
        return self.remaining == 0

    def is_ready(self) -> bool:
        """Returns whether the call has ended, or has pieces that its reader may take now."""
        return self.remaining == 0 or (bool(self.pieces) and not self.whole)

    @property
    def paused(self) -> bool:
        """Whether the call has too many unread pieces."""
        return len(self.pieces) >= AHEAD and not self.whole

    def wake(self) -> None:
        """Wakes the threads and the event loop that wait for the call."""
        for bell in tuple(self.bells):
            bell.set()
        told = self.on_change
        if told is not None:
            told()

    @contextmanager
    def told_to_the_loop(self) -> Iterator[asyncio.Event]:
        """Sets an event of the running event loop whenever the mailbox changes, until the block ends."""
        import asyncio

        waker, there = LoopWaker.of_running_loop(), asyncio.Event()

        def tell() -> None:
            if not waker.wake(there):  # the loop is closed: nobody will read
                self.cancelled = True

        self.on_change = tell
        try:
            yield there
        finally:
            self.on_change = None
