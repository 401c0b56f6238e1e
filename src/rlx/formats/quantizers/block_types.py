"""The encoders of GGUF's block types: columns of values `[values of a block, blocks]` to columns of bytes.

Where the integers of a block go is derived from the formulas that read them (`rlx.layouts.gguf_blocks`): no layout is written twice. Bytes
are `[bytes of a block, blocks]`, values `[values of a group, groups, blocks]`, so every step works on long rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.quantizers.fit import (
    Integers,
    Levels,
    Tabled,
    dot,
    fit_line,
    fit_scale,
    half,
    largest,
    line_error,
    ratio,
    reaching_half,
    solve_line,
)
from rlx.layouts.bit_moves import Move, bit_moves, move_bits
from rlx.layouts.gguf_blocks import E2M1, NONLINEAR, SCALES, STORED, ArrayBlock, Element


def empty_blocks(name: str, count: int) -> npt.NDArray[np.uint8]:
    """Allocates zeros for the bytes of `count` blocks, in columns."""
    return np.zeros((QuantScheme.gguf(name).block_bytes(), count), np.uint8)


def put_half(data: Array, place: int, values: Array) -> None:
    """Stores an f16 in every block."""
    data[place : place + 2] = values.astype("<f2").view(np.uint8).reshape(-1, 2).T


def put_numbers(name: str, data: Array, numbers: Array) -> None:
    """Stores the integers of every block, `[numbers of a group, groups, blocks]`."""
    group, groups, count = numbers.shape
    move_bits(_number_moves(name, group), numbers.reshape(group * groups, count), data)


def put_scales(name: str, data: Array, which: int, scales: Array) -> None:
    """Stores the integer scales (0) or minimums (1) of the groups of every block, `[groups, blocks]`."""
    move_bits(_scale_moves(name, which, len(scales)), scales, data)


@cache
def _number_moves(name: str, group: int) -> tuple[Move, ...]:
    count = QuantScheme.gguf(name).block_size()
    bits, elements = _bit_places(name, STORED[name], count)
    rows = elements // 8 % group * (count // group) + elements // 8 // group
    return bit_moves(bits, rows * 8 + elements % 8)


@cache
def _scale_moves(name: str, which: int, groups: int) -> tuple[Move, ...]:
    return bit_moves(*_bit_places(name, SCALES[name][which], groups))


def _bit_places(name: str, read: Element, count: int) -> tuple[Array, Array]:
    """The source bit in a block for every bit of the `count` integers that `read` decodes.

    Reads blocks in which each bit holds one binary digit of its own index. Bits that no block sets are not stored.
    """
    size = QuantScheme.gguf(name).block_bytes()
    numbers = np.arange(size * 8)
    width = int(numbers[-1]).bit_length()
    digits = np.stack([numbers >> digit & 1 for digit in range(width)] + [np.ones_like(numbers)])
    numbers_read = read(ArrayBlock(np.packbits(digits.astype(np.uint8), axis=1, bitorder="little")), np.arange(count))
    bits = numbers_read[:, :, None] >> np.arange(8) & 1  # [digits, integers, bits]
    sources = (bits[:-1] << np.arange(width)[:, None, None]).sum(0).reshape(-1)
    stored = np.flatnonzero(bits[-1].reshape(-1))
    return sources[stored], stored


# -- types with one scale per block ------------------------------------------------------------------------------------


Encoder = Callable[[Array], npt.NDArray[np.uint8]]


def around(peak: float, width: float, count: int) -> tuple[float, ...]:
    """Evenly spaced levels from `peak - width` to `peak + width`."""
    return tuple(np.linspace(peak - width, peak + width, count).tolist())


def both_ways(low: int, width: float) -> tuple[float, ...]:
    """Candidate levels for a block's largest value: around the low end, which reaches one further, and the high end.
    So either of two largest values with opposite signs can be at the low end."""
    return (*around(low, width, 7), -low)


def _scale(name: str, levels: Levels, peaks: Sequence[float], place: int = 0) -> Encoder:
    """An encoder for value = level · d; stores d at byte `place`."""

    def encode(x: Array) -> npt.NDArray[np.uint8]:
        scale = reaching_half(fit_scale(x, levels, peaks))
        data = empty_blocks(name, x.shape[1])
        put_half(data, place, scale)
        put_numbers(name, data, levels.stored(x * ratio(np.float32(1), scale))[:, None])
        return data

    return encode


def _line(name: str, high: int, spans: Sequence[float]) -> Encoder:
    """An encoder for value = q · d + m. After m is rounded to f16, d is refitted: this matters for values far from 0."""

    def encode(x: Array) -> npt.NDArray[np.uint8]:
        low, levels = x.min(0), Integers(0, high)
        scale, offset = fit_line(x - low, high, spans, signed=True)
        offset = half(offset + low)
        above = x - offset
        scale = reaching_half(fit_scale(above, levels, (high,), scale))
        data = empty_blocks(name, x.shape[1])
        put_half(data, 0, scale)
        put_half(data, 2, offset)
        put_numbers(name, data, levels.stored(above * ratio(np.float32(1), scale))[:, None])
        return data

    return encode


def _q8_0(x: Array) -> npt.NDArray[np.uint8]:
    """Encodes Q8_0: the scale that just spans a block is within a percent of the best, and readers expect it."""
    scale = reaching_half(np.abs(x).max(0) / np.float32(127))
    data = empty_blocks("Q8_0", x.shape[1])
    put_half(data, 0, scale)
    data[2:] = Integers(-127, 127).nearest(x * ratio(np.float32(1), scale)).astype(np.int8).view(np.uint8)
    return data


def _mxfp4(x: Array) -> npt.NDArray[np.uint8]:
    """Encodes MXFP4, E2M1 times a power of two: tries the one that maps 6 to the largest value or more, and half of it."""
    with np.errstate(divide="ignore"):
        reach = np.ceil(np.log2(np.abs(x).max(0) / np.float32(6)))
    exponent = np.clip(np.where(np.isfinite(reach), reach, -126), -126, 126).astype(np.float32)
    errors = []
    for less in (0, 1):
        scaled = x * np.exp2(np.float32(less) - exponent)
        rest = _E2M1_LEVELS.nearest(scaled.copy()) - scaled
        errors.append(dot(rest, rest) * np.float32(0.25**less))
    exponent = np.maximum(exponent - (errors[1] < errors[0]), -126)
    data = empty_blocks("MXFP4", x.shape[1])
    data[0] = (exponent + 127).astype(np.uint8)
    put_numbers("MXFP4", data, _E2M1_LEVELS.stored(x * np.exp2(-exponent))[:, None])
    return data


def _tq1_0(x: Array) -> npt.NDArray[np.uint8]:
    """Encodes TQ1_0: five base-3 digits per byte, as a fraction of 256 rounded up; the last four bytes hold four digits."""
    levels = Integers(-1, 1)
    scale = reaching_half(fit_scale(x, levels, _TERNARY_PEAKS))
    digits = levels.stored(x * ratio(np.float32(1), scale)).astype(np.uint16)
    data = empty_blocks("TQ1_0", x.shape[1])
    put_half(data, 52, scale)
    for start, first, count, places in ((0, 0, 5, 32), (32, 160, 5, 16), (48, 240, 4, 4)):
        total = np.zeros((places, x.shape[1]), np.uint16)
        for digit in range(5):
            total *= 3
            if digit < count:
                total += digits[first + digit * places : first + (digit + 1) * places]
        data[start : start + places] = (total * 256 + 242) // 243
    return data


_TERNARY_PEAKS = (1.0, 1.3, 1.6, 2.0, 2.5, 3.0)
_E2M1_LEVELS = Tabled(tuple(value / 2 for value in E2M1.values), steps=4)
NONLINEAR_LEVELS = Tabled(NONLINEAR.values, steps=2)
NONLINEAR_PEAKS = (*around(-127, 14, 7), 113.0)

SMALL_BLOCKS: dict[str, Encoder] = {
    "Q4_0": _scale("Q4_0", Integers(-8, 7), both_ways(-8, 1)),
    "Q5_0": _scale("Q5_0", Integers(-16, 15), both_ways(-16, 1.5)),
    "Q4_1": _line("Q4_1", 15, around(15, 1, 7)),
    "Q5_1": _line("Q5_1", 31, around(31, 1, 7)),
    "Q8_0": _q8_0,
    "IQ4_NL": _scale("IQ4_NL", NONLINEAR_LEVELS, NONLINEAR_PEAKS),
    "MXFP4": _mxfp4,
    "TQ1_0": _tq1_0,
    "TQ2_0": _scale("TQ2_0", Integers(-1, 1), _TERNARY_PEAKS, place=64),
}


# -- blocks of 256: groups with integer scales of their own, and one or two f16 for the full block ----------------------
#
# The best scales of the groups are found first and rounded to integers; then the f16 scale, the integer scales and the values are
# optimized alternately, and the best state of each block is kept.


Pair = tuple[Array, Array]  # of d and dmin, or of a scale and a minimum
_ONE = np.float32(1)


@dataclass(frozen=True)
class _Scaled:
    """An encoder for value = d · scale · level.
    `scales` are the possible integer scales of a group, stored starting at 0 or, with 8 bits, in two's complement."""

    name: str
    group: int
    levels: Levels
    peaks: Sequence[float]
    scales: Integers
    place: int  # of d

    def __call__(self, x: Array) -> npt.NDArray[np.uint8]:
        """Encodes blocks whose groups are columns, `[values of a group, groups · blocks]`, to bytes."""
        groups = 256 // self.group
        best = fit_scale(x, self.levels, self.peaks).reshape(groups, -1)
        d = reaching_half(largest(best) / np.float32(self.scales.low))
        scales = self.scales.nearest(best * ratio(_ONE, d))
        d, scales = self._improve(x, d, scales)
        data = empty_blocks(self.name, len(d))
        put_half(data, self.place, d)
        stored = scales.astype(np.int8).view(np.uint8) if self.scales.low == -128 else (scales - self.scales.low).astype(np.uint8)
        put_scales(self.name, data, 0, stored)
        numbers = self.levels.stored(x * ratio(_ONE, d * scales).reshape(-1))
        put_numbers(self.name, data, numbers.reshape(self.group, groups, -1))
        return data

    def _improve(self, x: Array, d: Array, scales: Array) -> tuple[Array, Array]:
        gains = np.full_like(d, -np.inf)
        best, scratch = (d, scales), np.empty_like(x)
        for step in range(_ROUNDS + 1):
            product = d * scales
            level = self.levels.nearest(np.multiply(x, ratio(_ONE, product).reshape(-1), out=scratch))
            squares, products = dot(level, level).reshape(product.shape), dot(x, level).reshape(product.shape)
            gain = (product * (2 * products - product * squares)).sum(0)
            better = gain > gains
            gains = np.where(better, gain, gains)
            best = np.where(better, d, best[0]), np.where(better, scales, best[1])
            if step % 2 == 0:
                d = half(ratio((scales * products).sum(0), (scales * scales * squares).sum(0)))
            else:
                scales = self.scales.nearest(ratio(products, squares) * ratio(_ONE, d))
        return best


@dataclass(frozen=True)
class _Line:
    """An encoder for value = d · scale · q - dmin · minimum, with both integers from 0 to `most`."""

    name: str
    group: int
    high: int  # of q
    spans: Sequence[float]
    most: int
    places: tuple[int, int]  # of d and dmin

    def __call__(self, x: Array) -> npt.NDArray[np.uint8]:
        """Encodes blocks whose groups are columns, `[values of a group, groups · blocks]`, to bytes."""
        groups, small = 256 // self.group, Integers(0, self.most)
        scale, offset = (part.reshape(groups, -1) for part in fit_line(x, self.high, self.spans, signed=False))
        halves = (reaching_half(scale.max(0) / np.float32(self.most)), reaching_half(-offset.min(0) / np.float32(self.most)))
        integers = small.nearest(scale * ratio(_ONE, halves[0])), small.nearest(-offset * ratio(_ONE, halves[1]))
        halves, integers = self._improve(x, halves, integers)
        data = empty_blocks(self.name, len(halves[0]))
        for which in (0, 1):
            put_half(data, self.places[which], halves[which])
            put_scales(self.name, data, which, integers[which].astype(np.uint8))
        numbers = self._round(x, halves, integers, np.empty_like(x)).astype(np.uint8)
        put_numbers(self.name, data, numbers.reshape(self.group, groups, -1))
        return data

    def _round(self, x: Array, halves: Pair, integers: Pair, scratch: Array) -> Array:
        """Rounds values to the nearest integers q."""
        np.add(x, (halves[1] * integers[1]).reshape(-1), out=scratch)
        np.multiply(scratch, ratio(_ONE, halves[0] * integers[0]).reshape(-1), out=scratch)
        return Integers(0, self.high).nearest(scratch)

    def _improve(self, x: Array, halves: Pair, integers: Pair) -> tuple[Pair, Pair]:
        shape = integers[0].shape
        total, scratch = x.sum(0).reshape(shape), np.empty_like(x)
        errors, best = np.full_like(halves[0], np.inf), (halves, integers)
        for step in range(_ROUNDS + 1):
            q = self._round(x, halves, integers, scratch)
            sums = q.sum(0).reshape(shape), dot(q, q).reshape(shape), total, dot(x, q).reshape(shape)
            error = line_error(self.group, halves[0] * integers[0], -halves[1] * integers[1], *sums).sum(0)
            better = error < errors
            errors = np.where(better, error, errors)
            best = _choose(better, halves, best[0]), _choose(better, integers, best[1])
            if step % 2 == 0:
                halves = self._best_halves(halves, integers, sums)
            else:
                integers = self._best_integers(halves, sums)
        return best

    def _best_halves(self, halves: Pair, integers: Pair, sums: tuple[Array, ...]) -> Pair:
        """Solves the normal equations of a block for d and dmin, given the integers; keeps them if there is no solution."""
        scale, minimum = integers
        q, qq, x, xq = sums
        a, b, c = (scale * scale * qq).sum(0), (scale * minimum * q).sum(0), self.group * (minimum * minimum).sum(0)
        right, left = (scale * xq).sum(0), (minimum * x).sum(0)
        determinant = a * c - b * b
        d, least = ratio(right * c - b * left, determinant), ratio(right * b - left * a, determinant)
        solved = (determinant > 1e-5 * a * c) & (d > 0) & (least >= 0)
        return half(np.where(solved, d, halves[0])), half(np.where(solved, least, halves[1]))

    def _best_integers(self, halves: Pair, sums: tuple[Array, ...]) -> Pair:
        """Rounds the scale of each group, then computes the best minimum for the rounded scale."""
        small = Integers(0, self.most)
        scale = small.nearest(solve_line(self.group, *sums)[0] * ratio(_ONE, halves[0]))
        above = (halves[0] * scale * sums[0] - sums[2]) / np.float32(self.group)
        return scale, small.nearest(above * ratio(_ONE, halves[1]))


def _choose(better: Array, new: Pair, old: Pair) -> Pair:
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
