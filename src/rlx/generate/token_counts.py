"""How often each token was seen, as arrays that penalties read: a text grows by one token at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt


class TokenCounts:
    """Tokens and their counts, in no order.

    >>> counts = TokenCounts([3, 5, 3])
    >>> counts.remove(5)
    >>> counts.ids, counts.counts
    (array([3]), array([2.], dtype=float32))
    """

    def __init__(self, tokens: Iterable[int] = ()) -> None:
        self._places: dict[int, int] = {}
        self._ids: npt.NDArray[Any] = np.empty(16, np.int64)
        self._counts: npt.NDArray[Any] = np.empty(16, np.float32)
        for token in tokens:
            self.add(token)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> npt.NDArray[Any]:
        """Tokens that were seen."""
        return self._ids[: len(self)]

    @property
    def counts(self) -> npt.NDArray[Any]:
        """How often each of `ids` was."""
        return self._counts[: len(self)]

    def add(self, token: int) -> None:
        """It was seen once more."""
        place = self._places.get(token)
        if place is None:
            place = self._places[token] = len(self._places)
            if place == len(self._ids):
                self._ids, self._counts = np.resize(self._ids, 2 * place), np.resize(self._counts, 2 * place)
            self._ids[place], self._counts[place] = token, 0
        self._counts[place] += 1

    def remove(self, token: int) -> None:
        """It was seen once less; the last one takes the place of one that is gone."""
        place = self._places[token]
        self._counts[place] -= 1
        if self._counts[place] == 0:
            last = len(self._places) - 1
            moved = int(self._ids[last])
            self._ids[place], self._counts[place] = moved, self._counts[last]
            self._places[moved] = place
            del self._places[token]

    def clear(self) -> None:
        """None was seen."""
        self._places.clear()
