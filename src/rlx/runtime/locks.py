"""Locks that a forked child can take: in it, the threads that held them are gone."""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType

__all__ = ["RunLock"]


class RunLock:
    """A re-entrant lock, free again in a forked child.

    >>> lock = RunLock()
    >>> with lock, lock:
    ...     print("twice by one thread")
    twice by one thread
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Forget who holds it."""
        self._lock = threading.RLock()


_locks: weakref.WeakSet[RunLock] = weakref.WeakSet()


def _renew_all() -> None:
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
