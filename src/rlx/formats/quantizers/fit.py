"""Least squares: the scale, or scale and minimum, for which the rounded values are closest to the given ones.

Levels are the values that stored integers represent before scaling. For fixed integers the best scale has a closed form; for a fixed scale
the best integers are the nearest ones. So a few scales are tried around the one that just spans the values, each is replaced by the best
one for its integers, and the best of all is refined once more. Groups are columns: values are `[values of a group, groups]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array


class Levels(Protocol):
    """A set of values that a block type can store, and the integers stored for them."""

    def nearest(self, scaled: Array) -> Array:
        """Rounds to the nearest levels, in f32; may overwrite `scaled`."""

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """The stored integers of the nearest levels; may overwrite `scaled`."""


@dataclass(frozen=True)
class Integers:
    """Levels that are all integers from `low` to `high`, stored starting at 0."""

    low: int
    high: int

    def nearest(self, scaled: Array) -> Array:
        """Rounds to the nearest integers in range, in place."""
        return np.clip(np.rint(scaled, out=scaled), self.low, self.high, out=scaled)

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """The nearest integers minus the lowest."""
        level = self.nearest(scaled)
        return (level - self.low if self.low else level).astype(np.uint8)


@dataclass(frozen=True)
class Tabled:
    """Levels of a table, stored by index.

    The midpoint of two levels is a multiple of 1/`steps`, so each cell of that width has one nearest level, which one table lookup
    returns.

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
        """The index of the nearest level for each cell of width 1/`steps`."""
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
        """Rounds to the nearest levels of the table."""
        return np.take(self._levels, self._cell(scaled), out=scaled, mode="clip")

    def stored(self, scaled: Array) -> npt.NDArray[np.uint8]:
        """The table indices of the nearest levels."""
        return np.take(self._cells, self._cell(scaled), mode="clip")


# -- the best scale ---------------------------------------------------------------------------------------------------


_TINY = np.float32(1e-30)  # far above any scale in f16
_ENDLESS = np.float32(np.inf)
_MOST_HALF, _NORMAL_HALF, _LEAST_HALF = np.float32(65504), np.float32(2.0**-14), np.float32(2.0**-24)


def ratio(over: Any, under: Array) -> Array:
    """Divides over / under, with 0 where the divisor is 0."""
    return np.asarray(over / np.where(np.abs(under) > _TINY, under, _ENDLESS))


def half(values: Array) -> Array:
    """Rounds to f16, in f32; saturates at the largest finite f16."""
    stored = np.asarray(np.clip(values, -_MOST_HALF, _MOST_HALF), np.float16)
    return np.asarray(stored, np.float32)


def reaching_half(values: Array) -> Array:
    """Rounds scales to f16, subnormal ones away from 0, since a smaller scale would clip the largest values."""
    nearest = half(values)
    short = (np.abs(nearest) < np.abs(values)) & (np.abs(values) < _NORMAL_HALF)
    return np.asarray(np.where(short, nearest + np.copysign(_LEAST_HALF, values), nearest))


def dot(a: Array, b: Array) -> Array:
    """Σ a·b of every group."""
    return np.asarray(np.einsum("ig,ig->g", a, b))


def largest(x: Array) -> Array:
    """The signed value with the largest magnitude of every column."""
    high, low = x.max(0), x.min(0)
    return np.asarray(np.where(high > -low, high, low))


def fit_scale(x: Array, levels: Levels, peaks: Sequence[float], start: Array | None = None) -> Array:
    """Fits the scale of every group. `peaks` are the levels to try for its largest value, `start` is one more scale to try.

    For given levels, the error of the best scale is Σx² - (Σx·level)² / Σlevel², so the last term is maximized.
    """
    top, scratch = largest(x), np.empty_like(x)
    best, scale = np.zeros_like(top), np.zeros_like(top)
    tried = [ratio(np.float32(peak), top) for peak in peaks] + ([] if start is None else [ratio(np.float32(1), start)])
    for step in range(len(tried) + 1):
        inverse = tried[step] if step < len(tried) else ratio(np.float32(1), scale)
        level = levels.nearest(np.multiply(x, inverse, out=scratch))
        product = dot(x, level)
        fitted = ratio(product, dot(level, level))
        gain = product * fitted
        better = gain > best
        best, scale = np.where(better, gain, best), np.where(better, fitted, scale)
    return scale


def solve_line(count: int, q: Array, qq: Array, x: Array, xq: Array) -> tuple[Array, Array]:
    """Solves the normal equations of a group for scale and offset, given Σq, Σq², Σx, Σxq."""
    scale = ratio(count * xq - q * x, count * qq - q * q)
    return scale, (x - scale * q) / np.float32(count)


def fit_line(x: Array, high: int, spans: Sequence[float], *, signed: bool) -> tuple[Array, Array]:
    """Fits scale and offset of every group for integers from 0 to `high`. `spans` are the integers to try for its largest value.

    Unless `signed`, offsets are not positive, as they are stored as minimums to be subtracted.
    """
    count, levels, scratch = len(x), Integers(0, high), np.empty_like(x)
    low, top, total = x.min(0), x.max(0), x.sum(0)
    if not signed:
        low, top = np.minimum(low, 0), np.maximum(top, 0)
    best, scale, offset = np.full_like(low, -np.inf), np.zeros_like(low), np.zeros_like(low)
    for step in range(len(spans) + 1):
        inverse, start = (
            (ratio(np.float32(spans[step]), top - low), low) if step < len(spans) else (ratio(np.float32(1), scale), offset)
        )
        np.subtract(x, start, out=scratch)
        q = levels.nearest(np.multiply(scratch, inverse, out=scratch))
        squares, products = dot(q, q), dot(x, q)
        line = solve_line(count, q.sum(0), squares, total, products)
        if not signed:
            line = _not_above_zero(*line, products, squares)
        gain = line[0] * products + line[1] * total  # Σx² minus the error, since both are least-squares solutions
        better = gain > best
        best, scale, offset = (np.where(better, new, old) for new, old in zip((gain, *line), (best, scale, offset), strict=True))
    return scale, offset


def _not_above_zero(scale: Array, offset: Array, xq: Array, qq: Array) -> tuple[Array, Array]:
    """Replaces a positive offset by 0, with the best scale for it."""
    above = offset > 0
    return np.where(above, ratio(xq, qq), scale), np.where(above, np.float32(0), offset)


def line_error(count: int, scale: Array, offset: Array, q: Array, qq: Array, x: Array, xq: Array) -> Array:
    """Σ (scale·q + offset - x)² of every group, minus Σx²."""
    return np.asarray(scale * (scale * qq + 2 * (offset * q - xq)) + offset * (count * offset - 2 * x))
