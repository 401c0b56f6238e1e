"""Kernels are compiled in parallel, while the next ones are still being emitted."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from types import TracebackType

from rlx.backends.cpu.run.thread_pool import available_threads

_MOST_THREADS = 8
"""More do not help: a program has about ten kernels, and one of them takes a fifth of the time."""


_SWITCH_INTERVAL = 0.0003
"""Seconds after which a thread that emits hands the GIL to one that compiles. Python's default is 5 ms, and a compiling thread needs
the GIL between each two of a dozen calls of LLVM: at 1 ms the first kernels waited 25 ms for 2 ms of work."""


class _FrequentSwitches:
    """Threads take turns more often while something is inside; then as before."""

    def __init__(self) -> None:
        self._lock, self._inside, self._before = threading.Lock(), 0, 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._before, _SWITCH_INTERVAL))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                sys.setswitchinterval(self._before)


_frequent_switches = _FrequentSwitches()


class Compilation:
    """Texts passed to `submit` are compiled in the background, equal ones once; `objects` waits for its texts.

    LLVM runs without the GIL, so the next kernel is emitted in the meantime.
    """

    def __init__(self, compile: Callable[[str], bytes]) -> None:
        self._compile = compile
        self._objects: dict[str, Future[bytes]] = {}

    def __enter__(self) -> Compilation:
        _frequent_switches.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for running in self._objects.values():
            running.cancel()
        wait(self._objects.values())
        _frequent_switches.__exit__()

    def submit(self, text: str) -> None:
        """Start compiling a module's text."""
        if text not in self._objects:
            self._objects[text] = _threads().submit(self._compile, text)

    def objects(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """The object code of some of the texts."""
        return tuple(self._objects[text].result() for text in texts)


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """The process's compiling threads. They stay, each with its LLVM machine, which takes longer to make than a small kernel to compile."""
    return ThreadPoolExecutor(min(available_threads(), _MOST_THREADS), thread_name_prefix="rlx-compile")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked child has none of its parent's threads
