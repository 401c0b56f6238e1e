"""Speed and remaining time of a run, and whether it was told to stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """A completed step."""

    step: int
    loss: float
    rate: float
    gradient: float
    tokens_per_second: float
    seconds_left: float


class Pace:
    """Tokens per second and the time left, from recent steps; work between steps does not count."""

    def __init__(self, steps: int, tokens: int) -> None:
        self.steps, self.tokens = steps, tokens
        self._mean = self._weight = 0.0
        self._last = time.perf_counter()

    def stepped(self, step: int, loss: float, rate: float, norm: float) -> Progress:
        """After a step."""
        now = time.perf_counter()
        self._mean, self._weight = 0.95 * self._mean + 0.05 * (now - self._last), 0.95 * self._weight + 0.05
        self._last = now
        seconds = self._mean / self._weight
        return Progress(step, loss, rate, norm, self.tokens / seconds, (self.steps - step) * seconds)

    def pause(self, work: Callable[[], object]) -> None:
        """Run `work` without counting its time."""
        start = time.perf_counter()
        work()
        self._last += time.perf_counter() - start


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or SIGTERM has arrived; a second one stops immediately. Only the main thread receives signals."""
    received: list[int] = []

    def receive(number: int, frame: Any) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
