"""Wakes the readers of an event loop from the thread that steps: one call into the loop for all of a step."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections import deque
from weakref import WeakKeyDictionary

_wakers: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWaker] = WeakKeyDictionary()
_mutex = threading.Lock()


class LoopWaker:
    """Sets events of one loop. `call_soon_threadsafe` writes to a pipe each time; here only the first of those that the loop has not
    seen yet does."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = weakref.ref(loop)
        self._waiting: deque[asyncio.Event] = deque()
        self._called = False

    @staticmethod
    def of_running_loop() -> LoopWaker:
        """The one of the loop that runs in this thread."""
        loop = asyncio.get_running_loop()
        with _mutex:
            return _wakers.setdefault(loop, LoopWaker(loop))

    def wake(self, event: asyncio.Event) -> bool:
        """Set an event soon; False if the loop is closed. May be called from any thread."""
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
