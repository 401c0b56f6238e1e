"""Recent: a bounded LRU cache."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key; the least recently used is evicted first. Thread-safe.

    At most `entries` values, whose sizes by `weigh` sum to at most `limit` (the newest one stays whatever its size).

    >>> known = Recent(2)
    >>> for number in (1, 2, 1, 3):
    ...     known[number] = number * number
    >>> known.get(1), known.get(2), len(known)
    (1, None, 2)
    """

    def __init__(self, entries: int, limit: int = 0, weigh: Callable[[V], int] = lambda value: 0) -> None:
        self._most, self._limit, self._weigh = entries, limit, weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of a key, now the newest; None if it is missing."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def __setitem__(self, key: K, value: V) -> None:
        """Store a value, and evict what exceeds the limits."""
        with self._lock:
            self._drop(key)
            self._values[key] = value
            self._weight += self._weigh(value)
            while len(self._values) > 1 and (len(self._values) > self._most or self._weight > self._limit):
                self._drop(next(iter(self._values)))

    def _drop(self, key: K) -> None:
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))

    def values(self) -> list[V]:
        """What is stored, the newest last."""
        with self._lock:
            return list(self._values.values())

    def clear(self) -> None:
        """Remove everything."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def __len__(self) -> int:
        return len(self._values)
