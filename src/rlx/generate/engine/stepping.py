"""Who runs the steps: a waiting caller, for all callers; or a thread of the engine."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Any

from rlx.core.this_process import trim_heap
from rlx.generate.engine.mailbox import Mailbox

IDLE_SECONDS = 60.0
"""Idle seconds until unused memory returns to the system."""


class Turns:
    """Shares the engine's steps among threads: the leader steps; the others sleep until their mailbox is ready or they lead.

    `step` runs one step and returns whether there was anything to do. With a thread of its own (the driver) no other thread leads;
    a caller who leads when the driver starts hands over after the step.
    """

    def __init__(self, step: Callable[[], bool], rest: Callable[[], None] = lambda: None) -> None:
        self._step, self._rest = step, rest
        self._mutex = threading.Lock()
        self._idle = threading.Condition(self._mutex)  # no thread leads any more; only `stop` waits for it
        self._leader: int | None = None  # the thread that steps
        self._bells: dict[threading.Event, None] = {}  # events of the sleeping threads
        self._driver: threading.Thread | None = None
        self._news: SimpleQueue[None] = SimpleQueue()  # news for the driver; `__del__` may put to it without a lock
        self._stopped = False

    def wait_for(self, box: Mailbox) -> None:
        """Waits until a mailbox is ready; steps the engine if no other thread does."""
        bell: threading.Event | None = None
        try:
            while not box.is_ready():
                if self._begins():
                    self._lead(box)
                elif bell is None:
                    bell = self._listen(box)  # check again: it may have become ready before
                else:
                    bell.wait()
                    bell.clear()
        finally:
            self._pass_on(box, bell)

    def _begins(self, *, drives: bool = False) -> bool:
        """Tries to become the leading thread; returns whether it did."""
        with self._mutex:
            if self._leader is not None or self._stopped or (self._driver is not None and not drives):
                return False
            self._leader = threading.get_ident()
            return True

    def _ends(self) -> None:
        """Stops leading: another thread may step."""
        with self._mutex:
            self._leader = None
            self._idle.notify_all()
            driven = self._driver is not None
        if driven:
            self.news()

    def _lead(self, box: Mailbox) -> None:
        """Steps the engine until a mailbox is ready, or another thread takes over."""
        try:
            with _interrupts_between_steps() as came:
                while not came and not box.is_ready() and self._driver is None and not self._stopped:
                    if not self._step():
                        assert box.is_ready() or self._stopped, "a stream waits, and there is nothing to do"
        finally:
            self._ends()

    def _listen(self, box: Mailbox) -> threading.Event:
        bell = threading.Event()
        with self._mutex:
            self._bells[bell] = None
            box.bells.append(bell)
        return bell

    def _pass_on(self, box: Mailbox, bell: threading.Event | None) -> None:
        """Wakes another caller to lead, when a caller leaves with its result or by Ctrl-C."""
        with self._mutex:
            if self._leader == threading.get_ident():  # Ctrl-C came before its first step
                self._leader = None
            if bell is not None:
                del self._bells[bell]
                box.bells.remove(bell)
            follower = next(iter(self._bells), None) if self._leader is None else None
        if follower is not None:
            follower.set()

    # -- a thread of its own
    def start(self) -> None:
        """Starts the driver: a thread that steps the engine whenever there is something to do."""
        with self._mutex:
            if self._driver is None and not self._stopped:
                self._driver = threading.Thread(target=self._drive, name="rlx-engine", daemon=True)
                self._driver.start()

    def news(self) -> None:
        """Wakes the driver for new work. May be called from anywhere, also while an object is collected."""
        if self._news.empty():
            self._news.put(None)

    def stop(self) -> None:
        """Stops stepping: the step in progress ends, and the driver. Callers wait until their mailboxes are ready."""
        with self._mutex:
            self._stopped, driver, self._driver = True, self._driver, None
            self._idle.wait_for(lambda: self._leader in (None, threading.get_ident()))
        self.news()
        if driver is not None and driver is not threading.current_thread():
            driver.join()

    def _drive(self) -> None:
        while not self._stopped:
            while not self._news.empty():
                self._news.get()
            busy = False
            if self._begins(drives=True):
                try:
                    busy = self._step()
                finally:
                    self._ends_driving()
            if not busy and not self._stopped:
                self._wait()

    def _wait(self) -> None:
        """Waits in the driver for new work or a caller that hands over; after a long wait, releases memory."""
        try:
            self._news.get(timeout=IDLE_SECONDS)
        except Empty:
            if self._begins(drives=True):
                try:
                    self._rest()
                finally:
                    self._ends_driving()
            self._news.get()

    def _ends_driving(self) -> None:
        with self._mutex:
            self._leader = None
            self._idle.notify_all()


class TakesTurns:
    """Base of engine cores whose callers share the steps: `_step` runs one step and returns whether there was anything to do."""

    def __init__(self) -> None:
        self._turns = Turns(self._step, self._rest)

    def _step(self) -> bool:
        raise NotImplementedError

    def _rest(self) -> None:
        """Releases unused memory while the engine is idle. The engine's thread calls it."""
        trim_heap()

    def wait_for(self, box: Mailbox) -> None:
        """Waits until a call's mailbox has a piece, or is finished."""
        self._turns.wait_for(box)

    def go_on(self) -> None:
        """Wakes the engine: a caller left, or has read its pieces."""
        self._turns.news()

    def start(self) -> None:
        """Starts the engine's own thread."""
        self._turns.start()


@contextlib.contextmanager
def _interrupts_between_steps() -> Iterator[list[Any]]:
    """Delays Ctrl-C to the end of the block, so that no step is interrupted; until then it is in the given list."""
    came: list[Any] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # ignored, or not Python's
        yield came
        return
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[0])
