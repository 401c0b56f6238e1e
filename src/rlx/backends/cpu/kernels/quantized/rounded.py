"""Where the parts of quantized activations lie: row by row, or sixteen rows together in the order of tiles. See `activations.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.loud_pairs import marks_loud_pairs
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS, Numbers
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import BlockOrder

CHUNK = 256
"""Values that share a byte of the mask."""
FINER = 254
"""Steps of a residual per step of its byte: a residual is at most half a step, 127 of its own."""
T = TypeVar("T", int, Value)
GROUP_ROWS = tiles.ROWS
"""Rows that lie together in the order of tiles; the least number of rows that are in it."""
_LINE = 64
_GAPS = 1.125
"""How many times as long an aligned block may be."""


def _lines(count: T) -> T:
    """Bytes up to a whole number of cache lines."""
    return (count + (_LINE - 1)) // _LINE * _LINE


@dataclass(frozen=True)
class Rounded:
    """Byte offsets within a block of a quantized row, and of the parts after its blocks."""

    order: BlockOrder
    aligned: bool = False
    """Whether blocks begin on cache lines: a tile whose rows cross them takes four times as long to load."""
    marks_loud: bool = False
    """Whether a block says which of its pairs are loud."""

    @staticmethod
    def of(order: BlockOrder, target: Target) -> Rounded:
        """As the products of a target read it: for tiles aligned, unless blocks are so small that the gaps would take much of the cache."""
        plain = Rounded(order)
        by_tiles = target.has_tiles("int8") and not plain.numbers.signed and bool(order.planes)
        aligned = by_tiles and _lines(plain.stride) <= plain.stride * _GAPS
        return Rounded(order, aligned, marks_loud_pairs(target, order))

    @property
    def numbers(self) -> Numbers:
        """The arithmetic of the type."""
        return NUMBERS[self.order.name]

    @property
    def pairs(self) -> int:
        """How many steps a block has."""
        return 1 if self.numbers.signed else max(len(self.order.pairs), 1)

    @property
    def steps(self) -> int:
        """Where the steps of a block begin."""
        return self.order.size * (2 if self.numbers.signed else 1)

    @property
    def sums(self) -> int:
        """Where the sums of its groups begin."""
        return self.steps + 4 * self.pairs

    @property
    def loud(self) -> int:
        """Where the bits of its loud pairs are."""
        groups = 0 if self.numbers.signed else self.order.groups or 1
        return self.sums + 4 * groups

    @property
    def stride(self) -> int:
        """Bytes of a block."""
        used = self.loud + (4 if self.marks_loud else 0)
        return _lines(used) if self.aligned else used

    def masks(self, length: T) -> T:
        """Where the masks of a row of `length` blocks begin."""
        return length * self.stride

    def residuals(self, length: T) -> T:
        """Where the second bytes begin: after a multiple of eight masks."""
        each = CHUNK // self.order.size
        return self.masks(length) + (length + (8 * each - 1)) // (8 * each) * 8

    def row(self, length: T) -> T:
        """Bytes of a row."""
        if self.numbers.signed:
            return self.masks(length)
        used = self.residuals(length) + length * self.order.size
        # an odd number of lines: those of sixteen rows do not meet in the same places of a cache
        return _lines(used) | _LINE if self.aligned else used


@dataclass(frozen=True)
class TiledGroup:
    """Byte offsets within a block of sixteen rows in the order of tiles: a row's lower bytes, its upper ones, …, then the steps."""

    size: int

    @property
    def row(self) -> int:
        """Bytes of a row."""
        return 2 * self.size

    @property
    def steps(self) -> int:
        """Where the steps begin."""
        return GROUP_ROWS * self.row

    @property
    def stride(self) -> int:
        """Bytes of a block of all rows: as many as in the order of rows."""
        return self.steps + 4 * GROUP_ROWS
