"""Fork-safe locks: a fork acquires them first, since in the child the threads that held them are gone."""

from __future__ import annotations

import os
import threading
import time
import weakref


class RunLock(type(threading.RLock())):  # type: ignore[misc]  # the class itself: `with` then takes it in one step, also under Ctrl-C
    """A re-entrant lock that is free in a forked child.

    >>> lock = RunLock()
    >>> with lock, lock:
    ...     print("twice by one thread")
    twice by one thread
    """

    def __init__(self) -> None:
        super().__init__()
        _locks.add(self)


_PATIENCE = 5.0
"""Seconds that a fork waits for runs to end: two threads that fork inside each other's host calls would deadlock."""

_locks: weakref.WeakSet[RunLock] = weakref.WeakSet()
_taken: list[RunLock] = []


def _take_all() -> None:
    """Waits, before a fork, for runs to end, so that the child does not inherit half-updated state."""
    end = time.monotonic() + _PATIENCE
    for lock in sorted(_locks, key=id):
        if lock.acquire(timeout=max(end - time.monotonic(), 0)):
            _taken.append(lock)


def _release_all() -> None:
    while _taken:
        _taken.pop().release()


def _renew_all() -> None:
    _taken.clear()
    for lock in list(_locks):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take_all, after_in_parent=_release_all, after_in_child=_renew_all)
