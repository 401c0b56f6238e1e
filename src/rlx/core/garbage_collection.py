"""Python's cyclic garbage collector stands still while much is allocated that stays."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collection_paused", "kept_for_good"]

_lock = threading.Lock()
_pausing = 0
"""How many are inside; the collector starts again with the last of them."""


@contextmanager
def collection_paused() -> Iterator[None]:
    """No collection of cycles inside; memory without cycles is freed as always.

    A graph of n nodes is copied by every pass. Each few hundred objects start a collection, which looks again at all that were made before:
    a third of the time that a graph of 50,000 nodes takes, and nothing of it is garbage. A collector that the program itself has switched
    off stays off.

    >>> with collection_paused():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    global _pausing
    with _lock:
        paused = _pausing > 0 or gc.isenabled()
        if paused:
            _pausing += 1
            gc.disable()
    try:
        yield
    finally:
        if paused:
            with _lock:
                _pausing -= 1
                if _pausing == 0:
                    gc.enable()


@contextmanager
def kept_for_good() -> Iterator[None]:
    """Collections inside do not look at what exists now. For the loop of a program that runs for long, not for a library.

    A server's models and modules are 60,000 objects that stay: looking at them takes 20 to 40 ms, several steps of decoding, and comes
    whenever requests have left enough behind.

    >>> with kept_for_good():
    ...     gc.get_freeze_count() > 0
    True
    >>> gc.get_freeze_count()
    0
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
