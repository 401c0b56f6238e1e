"""Locks that a forked child can take: in it, the threads that held them are gone."""

from __future__ import annotations

import os
import threading
import weakref

__all__ = ["RunLock"]


class RunLock(type(threading.RLock())):  # type: ignore[misc]  # the class itself: `with` then takes it in one step, also under Ctrl-C
    """A re-entrant lock, free again in a forked child.

    >>> lock = RunLock()
    >>> with lock, lock:
    ...     print("twice by one thread")
    twice by one thread
    """

    def __init__(self) -> None:
        super().__init__()
        _locks.add(self)


_locks: weakref.WeakSet[RunLock] = weakref.WeakSet()


def _renew_all() -> None:
    for lock in list(_locks):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
