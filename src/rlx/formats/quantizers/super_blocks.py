"""Encoders of the types with blocks of 256: groups with their own integer scales, and one or two f16 for the whole block.

The best scales of the groups are found first and rounded to integers; then the f16 scale, the integer scales and the values are
optimized alternately, and the best state of each block is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.formats.quantizers.fit import dot, fit_line, fit_scale, half, largest, line_error, ratio, reaching_half, solve_line
from rlx.formats.quantizers.levels import Integers, Levels
from rlx.formats.quantizers.packing import empty_blocks, put_half, put_numbers, put_scales
from rlx.formats.quantizers.small_blocks import NONLINEAR_LEVELS, NONLINEAR_PEAKS, Encoder, around, both_ways

Array = npt.NDArray[Any]
Pair = tuple[Array, Array]  # of d and dmin, or of a scale and a minimum
_ONE = np.float32(1)


@dataclass(frozen=True)
class _Scaled:
    """d · scale · level: `scales` are the possible integer scales of a group, stored starting at 0 or, with 8 bits, in two's complement."""

    name: str
    group: int
    levels: Levels
    peaks: Sequence[float]
    scales: Integers
    place: int  # of d

    def __call__(self, x: Array) -> npt.NDArray[np.uint8]:
        """The bytes of blocks whose groups are columns, `[values of a group, groups · blocks]`."""
        groups = 256 // self.group
        best = fit_scale(x, self.levels, self.peaks).reshape(groups, -1)
        d = reaching_half(largest(best) / np.float32(self.scales.low))
        scales = self.scales.nearest(best * ratio(_ONE, d))
        d, scales = self._improved(x, d, scales)
        data = empty_blocks(self.name, len(d))
        put_half(data, self.place, d)
        kept = scales.astype(np.int8).view(np.uint8) if self.scales.low == -128 else (scales - self.scales.low).astype(np.uint8)
        put_scales(self.name, data, 0, kept)
        numbers = self.levels.stored(x * ratio(_ONE, d * scales).reshape(-1))
        put_numbers(self.name, data, numbers.reshape(self.group, groups, -1))
        return data

    def _improved(self, x: Array, d: Array, scales: Array) -> tuple[Array, Array]:
        gains = np.full_like(d, -np.inf)
        kept, scratch = (d, scales), np.empty_like(x)
        for step in range(_ROUNDS + 1):
            whole = d * scales
            level = self.levels.nearest(np.multiply(x, ratio(_ONE, whole).reshape(-1), out=scratch))
            squares, products = dot(level, level).reshape(whole.shape), dot(x, level).reshape(whole.shape)
            gain = (whole * (2 * products - whole * squares)).sum(0)
            better = gain > gains
            gains = np.where(better, gain, gains)
            kept = np.where(better, d, kept[0]), np.where(better, scales, kept[1])
            if step % 2 == 0:
                d = half(ratio((scales * products).sum(0), (scales * scales * squares).sum(0)))
            else:
                scales = self.scales.nearest(ratio(products, squares) * ratio(_ONE, d))
        return kept


@dataclass(frozen=True)
class _Line:
    """d · scale · q - dmin · minimum, with both integers from 0 to `most`."""

    name: str
    group: int
    high: int  # of q
    spans: Sequence[float]
    most: int
    places: tuple[int, int]  # of d and dmin

    def __call__(self, x: Array) -> npt.NDArray[np.uint8]:
        """The bytes of blocks whose groups are columns, `[values of a group, groups · blocks]`."""
        groups, small = 256 // self.group, Integers(0, self.most)
        scale, offset = (found.reshape(groups, -1) for found in fit_line(x, self.high, self.spans, signed=False))
        halves = (reaching_half(scale.max(0) / np.float32(self.most)), reaching_half(-offset.min(0) / np.float32(self.most)))
        integers = small.nearest(scale * ratio(_ONE, halves[0])), small.nearest(-offset * ratio(_ONE, halves[1]))
        halves, integers = self._improved(x, halves, integers)
        data = empty_blocks(self.name, len(halves[0]))
        for which in (0, 1):
            put_half(data, self.places[which], halves[which])
            put_scales(self.name, data, which, integers[which].astype(np.uint8))
        numbers = self._rounded(x, halves, integers, np.empty_like(x)).astype(np.uint8)
        put_numbers(self.name, data, numbers.reshape(self.group, groups, -1))
        return data

    def _rounded(self, x: Array, halves: Pair, integers: Pair, scratch: Array) -> Array:
        """The nearest q."""
        np.add(x, (halves[1] * integers[1]).reshape(-1), out=scratch)
        np.multiply(scratch, ratio(_ONE, halves[0] * integers[0]).reshape(-1), out=scratch)
        return Integers(0, self.high).nearest(scratch)

    def _improved(self, x: Array, halves: Pair, integers: Pair) -> tuple[Pair, Pair]:
        shape = integers[0].shape
        total, scratch = x.sum(0).reshape(shape), np.empty_like(x)
        errors, kept = np.full_like(halves[0], np.inf), (halves, integers)
        for step in range(_ROUNDS + 1):
            q = self._rounded(x, halves, integers, scratch)
            sums = q.sum(0).reshape(shape), dot(q, q).reshape(shape), total, dot(x, q).reshape(shape)
            error = line_error(self.group, halves[0] * integers[0], -halves[1] * integers[1], *sums).sum(0)
            better = error < errors
            errors = np.where(better, error, errors)
            kept = _chosen(better, halves, kept[0]), _chosen(better, integers, kept[1])
            if step % 2 == 0:
                halves = self._best_halves(halves, integers, sums)
            else:
                integers = self._best_integers(halves, sums)
        return kept

    def _best_halves(self, halves: Pair, integers: Pair, sums: tuple[Array, ...]) -> Pair:
        """d and dmin for given integers: the normal equations of a block. Without a solution they stay unchanged."""
        scale, minimum = integers
        q, qq, x, xq = sums
        a, b, c = (scale * scale * qq).sum(0), (scale * minimum * q).sum(0), self.group * (minimum * minimum).sum(0)
        right, left = (scale * xq).sum(0), (minimum * x).sum(0)
        determinant = a * c - b * b
        d, least = ratio(right * c - b * left, determinant), ratio(right * b - left * a, determinant)
        solved = (determinant > 1e-5 * a * c) & (d > 0) & (least >= 0)
        return half(np.where(solved, d, halves[0])), half(np.where(solved, least, halves[1]))

    def _best_integers(self, halves: Pair, sums: tuple[Array, ...]) -> Pair:
        """The scale of each group, rounded, and then the best minimum for the rounded scale."""
        small = Integers(0, self.most)
        scale = small.nearest(solve_line(self.group, *sums)[0] * ratio(_ONE, halves[0]))
        above = (halves[0] * scale * sums[0] - sums[2]) / np.float32(self.group)
        return scale, small.nearest(above * ratio(_ONE, halves[1]))


def _chosen(better: Array, new: Pair, old: Pair) -> Pair:
    return np.where(better, new[0], old[0]), np.where(better, new[1], old[1])


_ROUNDS = 3
_SIX_BITS = Integers(-32, 31)

SUPER_BLOCKS: dict[str, tuple[int, Encoder]] = {
    encoder.name: (encoder.group, encoder)
    for encoder in (
        _Line("Q2_K", 16, 3, around(3, 0.5, 5), 15, (80, 82)),
        _Scaled("Q3_K", 16, Integers(-4, 3), both_ways(-4, 1), _SIX_BITS, 108),
        _Line("Q4_K", 32, 15, around(15, 1, 7), 63, (0, 2)),
        _Line("Q5_K", 32, 31, around(31, 1, 7), 63, (0, 2)),
        _Scaled("Q6_K", 16, Integers(-32, 31), both_ways(-32, 1.5), Integers(-128, 127), 208),
        _Scaled("IQ4_XS", 32, NONLINEAR_LEVELS, NONLINEAR_PEAKS, _SIX_BITS, 0),
    )
}
"""Values per group, and the encoder."""
