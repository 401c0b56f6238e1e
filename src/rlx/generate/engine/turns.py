"""Who steps: the caller who waits, for everybody; or a thread of the engine's own."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from rlx.generate.engine.mailbox import Mailbox

__all__ = ["Turns", "undisturbed"]


class Turns:
    """One thread steps at a time, the others sleep until they have something or it is their turn.

    `step` does one step and says whether there was anything to do.
    """

    def __init__(self, step: Callable[[], bool]) -> None:
        self._step = step
        self._mutex = threading.Lock()
        self._stepping = False
        self._sleeping: dict[Mailbox, None] = {}
        self._driver: threading.Thread | None = None
        self._news = threading.Event()  # for the driver: something may have to be done
        self._stopped = False

    def wait_for(self, box: Mailbox) -> None:
        """Until a mailbox is ready: step, if nobody else does."""
        while not box.is_ready():
            with self._mutex:
                leads = not self._stepping and self._driver is None
                if leads:
                    self._stepping = True
                else:
                    box.woken.clear()
                    self._sleeping[box] = None
            if leads:
                self._lead(box)
            elif not box.is_ready():
                box.woken.wait()
            with self._mutex:
                self._sleeping.pop(box, None)
        self._pass_on()

    def _lead(self, box: Mailbox) -> None:
        """Step until a mailbox is ready."""
        try:
            while self._step():
                if box.is_ready():
                    return
            assert box.is_ready(), "a stream waits, and there is nothing to do"
        finally:
            with self._mutex:
                self._stepping = False

    def _pass_on(self) -> None:
        """Wake one who waits, if nobody steps: it may have to."""
        with self._mutex:
            follower = None if self._stepping else next(iter(self._sleeping), None)
        if follower is not None:
            follower.woken.set()

    # -- a thread of its own
    def start(self) -> None:
        """Step in a thread as long as there is something to do, from now on."""
        with self._mutex:
            if self._driver is None and not self._stopped:
                self._driver = threading.Thread(target=self._drive, name="rlx-engine", daemon=True)
                self._driver.start()

    def news(self) -> None:
        """There may be something to do."""
        self._news.set()

    def stop(self) -> None:
        """End the thread; nobody steps any more."""
        with self._mutex:
            self._stopped, driver, self._driver = True, self._driver, None
            sleeping = list(self._sleeping)
        self._news.set()
        if driver is not None and driver is not threading.current_thread():
            driver.join()
        for box in sleeping:
            box.woken.set()

    def _drive(self) -> None:
        while not self._stopped:
            self._news.clear()
            with self._mutex:
                mine = not self._stepping
                self._stepping = True
            if not mine:  # a caller steps, until it has what it waits for
                self._news.wait(0.001)
                continue
            try:
                busy = self._step()
            finally:
                with self._mutex:
                    self._stepping = False
            if not busy and not self._stopped:
                self._news.wait()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C takes effect afterwards, not in the middle."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[Any] = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # ignored, or not Python's
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[0])
