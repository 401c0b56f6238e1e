"""Grids: the mapping between integers and values, q ↔ (q - zero)·scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, eq=False)
class Grid:
    """i8 values: one f32 scale, or one for each position of `axis`, and one zero point.

    >>> grid = Grid(np.float32(0.5), zero=10)
    >>> grid.scale * (np.int8([10, 12]) - grid.zero)
    array([0., 1.], dtype=float32)
    """

    scale: Array
    zero: int = 0
    axis: int | None = None

    @staticmethod
    def of_range(low: float, high: float, symmetric: bool = False) -> Grid:
        """256 steps over a range that always contains 0, so that 0 is exact; an all-zero range has scale 1.

        >>> grid = Grid.of_range(0.0, 25.5)
        >>> round(float(grid.scale), 6), grid.zero
        (0.1, -128)
        """
        low, high = min(low, 0.0), max(high, 0.0)
        if symmetric:
            top = max(-low, high)
            return Grid(np.asarray(max(top / 127, _TINY) if top else 1.0, np.float32))
        if low == high:
            return Grid(np.asarray(1.0, np.float32))
        scale = np.asarray(max((high - low) / 255, _TINY), np.float32)
        return Grid(scale, int(np.clip(np.rint(-128 - low / float(scale)), -128, 127)))

    @staticmethod
    def of_weight(weight: Array, axis: int | None) -> Grid:
        """Steps of max|w|/127, for each channel or for all; a channel of zeros takes the largest of the others."""
        others = tuple(a for a in range(weight.ndim) if a != axis) if axis is not None else None
        top = np.max(np.abs(weight.astype(np.float64)), axis=others, initial=0.0)
        spare = float(top.max(initial=0.0)) or 127.0
        return Grid(np.maximum(np.where(top == 0, spare, top) / 127, _TINY).astype(np.float32), 0, axis)

    def rounded(self, array: Array) -> Array:
        """These values rounded to the grid."""
        scale = self.scale if self.axis is None else self.scale.reshape([-1 if a == self.axis else 1 for a in range(array.ndim)])
        return np.asarray((np.clip(np.rint(array / scale) + self.zero, -128, 127) - self.zero) * scale)


def signal_to_noise(wanted: Array, found: Array) -> float:
    """10·log10 of the power of `wanted` over that of the difference, in dB; inf if there is no difference.

    >>> signal_to_noise(np.array([3.0, 4.0]), np.array([3.0, 4.5]))
    20.0
    """
    exact = wanted.astype(np.float64)
    return decibels(float(np.square(exact).sum()), float(np.square(exact - found.astype(np.float64)).sum()))


def decibels(signal: float, noise: float) -> float:
    """The ratio of two powers; inf without noise."""
    if noise == 0:
        return float("inf")
    return float(10 * np.log10(signal / noise)) if signal else float("-inf")
