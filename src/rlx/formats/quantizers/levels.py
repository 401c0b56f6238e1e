"""Levels: the values that stored integers represent before scaling, and finding the nearest one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Levels(Protocol):
    """A set of values, and the integers stored for them."""

    def nearest(self, scaled: Array) -> Array:
        """The nearest levels, in f32; `scaled` may be overwritten."""

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """The stored integers of the nearest levels; `scaled` may be overwritten."""


@dataclass(frozen=True)
class Integers:
    """All integers from `low` to `high`, stored starting at 0."""

    low: int
    high: int

    def nearest(self, scaled: Array) -> Array:
        """The nearest levels, in place."""
        return np.clip(np.rint(scaled, out=scaled), self.low, self.high, out=scaled)

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """Counted from the lowest."""
        found = self.nearest(scaled)
        return (found - self.low if self.low else found).astype(np.uint8)


@dataclass(frozen=True)
class Tabled:
    """Values of a table, stored by index.

    The midpoint of two of them is a multiple of 1/`steps`; so each cell of that width has one nearest level,
    and finding it is one table lookup.

    >>> levels = Tabled((-3, 0, 1), steps=2)
    >>> levels.nearest(np.array([-9, -1.6, -1.4, 0.4, 0.6, 7], np.float32)).tolist()
    [-3.0, -3.0, 0.0, 0.0, 1.0, 1.0]
    """

    values: Sequence[float]
    steps: int

    @cached_property
    def _start(self) -> int:
        return int(min(self.values) * self.steps) - 1

    @cached_property
    def _cells(self) -> npt.NDArray[np.uint8]:
        """The index of the nearest level, by cell."""
        last = int(max(self.values) * self.steps) + 1
        middles = (np.arange(self._start, last) + 0.5) / self.steps
        distances = np.abs(middles[:, None] - np.asarray(self.values, np.float64))
        return np.asarray(np.argmin(distances, 1), np.uint8)

    @cached_property
    def _levels(self) -> npt.NDArray[np.float32]:
        return np.asarray(self.values, np.float32)[self._cells]

    def _cell(self, scaled: Array) -> Array:
        np.multiply(scaled, np.float32(self.steps), out=scaled)
        np.subtract(scaled, np.float32(self._start), out=scaled)
        return np.clip(scaled, 0, len(self._cells) - 1, out=scaled).astype(np.intp)  # not negative, so this rounds down

    def nearest(self, scaled: Array) -> Array:
        """The nearest levels."""
        return np.take(self._levels, self._cell(scaled), out=scaled, mode="clip")

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """Their indices."""
        return np.take(self._cells, self._cell(scaled), mode="clip")
