"""How many threads a device uses: `rlx.set_threads`, the one way to set it, and `rlx.thread_count`."""

from __future__ import annotations

from rlx.backends.registry import find_backend


def set_threads(count: int | None, device: str = "cpu") -> None:
    """Sets the number of threads for runs of a device; None: RLX_THREADS or all available cores. Results have the same bits.

    >>> set_threads(2)
    >>> thread_count()
    2
    >>> set_threads(None)
    """
    find_backend(device).set_threads(count)


def thread_count(device: str = "cpu") -> int:
    """The number of threads that a run of a device uses.

    >>> thread_count() >= 1
    True
    """
    return find_backend(device).thread_count()
