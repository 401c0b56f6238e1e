"""The order packed weights are read in by products: ggml's blocks of eight rows side by side, the same bytes in another place.

A block of eight rows is its `items` (scales, as they are) and then its integers, all by words that hold the eight rows:
item or word of row 0, of row 1, … of row 7. So a vector register holds a row in each lane.

    items     a few bytes of a block at an offset, such as the scale d; those of 8 rows are neighbours
    planes    the bits of an integer, low ones first: (4, 2) stores 6 bits as 4 in one word and 2 in another
    pairs     groups of numbers that share an integer scale, two by two, or one by one
    fields    the integers of codebooks, those of 32 numbers after each other: see `BitField`

Four numbers are the bytes of a word once unpacked: two of a group and two of its partner, so that one instruction
multiplies both sums by their scales; without such pairs, four neighbours. A unit is as many such words as the thinnest plane
has in one stored word; it is stored as the words of its first plane, then those of its second.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.bit_moves import Move, bit_moves, move_bits
from rlx.layouts.gguf_blocks import STORED, ArrayBlock

Array = npt.NDArray[Any]
ROWS = 8
"""Rows side by side."""


# -- the fields of codebooks -------------------------------------------------------------------------------------------
SEGMENT = 32
"""Numbers that share fields."""
_ENTRIES = 4


@dataclass(frozen=True)
class BitRun:
    """A run of neighboring bits: `count` bits of a field from `target` on are those of the block from `source` on."""

    target: int
    source: int
    count: int


@dataclass(frozen=True)
class BitField:
    """A field of so many bytes; its sources move by `step` bytes from segment to segment.

    For every 32 numbers of a row a codebook's type has the same few fields, each a word of its own:

        index     four low bytes of indices, those of the numbers in order (a codebook of four numbers has two such fields)
        signs     a bit for each number: number b of quad w is bit `sign_place(w)` of byte b, so that a shift brings a quad's signs
                  into place
        high      the upper bits of the indices, where they have more than eight, and what else the file stores beside them

    A type whose signs are 7 bits for 8 numbers (the eighth makes their count even) leaves four bits of its signs free, the upper ones:
    they hold the bits that the file stores beside the signs, a scale or the upper bits of the indices.
    """

    size: int
    step: int
    runs: tuple[BitRun, ...]

    def bits(self, segment: int) -> list[int]:
        """The source of each bit of the field, in order."""
        sources = {run.target + i: run.source + 8 * self.step * segment + i for run in self.runs for i in range(run.count)}
        return [sources[bit] for bit in range(8 * self.size)]

    @property
    def window(self) -> tuple[int, int]:
        """The bytes of a block that contain the first segment's bits: where they begin, and how many."""
        first = min(run.source for run in self.runs) // 8
        return first, (max(run.source + run.count for run in self.runs) + 7) // 8 - first

    @property
    def moves(self) -> dict[int, int]:
        """Shift distances of the window's bits, and the mask of the bits with each distance."""
        masks: dict[int, int] = {}
        for run in self.runs:
            source = run.source - 8 * self.window[0]
            distance = run.target - source
            masks[distance] = masks.get(distance, 0) | ((1 << run.count) - 1) << source
        return masks


def sign_place(quad: int) -> int:
    """The bit of every byte that holds the signs of four of 32 numbers: even quads below odd ones."""
    return quad // 2 + _ENTRIES * (quad % 2)


def _plain(source: int, size: int, step: int) -> BitField:
    """A field that copies bytes in order."""
    return BitField(size, step, (BitRun(0, 8 * source, 8 * size),))


def _signs(first: int, apart: int, step: int, spare: tuple[int, ...] = ()) -> BitField:
    """A field of signs of 8 numbers from bit `first` on, the next 8 `apart` bits away; `spare`: the sources of the 4 upper bits."""
    runs = []
    for entry in range(_ENTRIES):
        for number in range(7 if spare else 8):
            quad, byte = 2 * entry + number // 4, number % 4
            runs.append(BitRun(8 * byte + sign_place(quad), first + apart * entry + number, 1))
    runs += [BitRun(28 + entry, source, 1) for entry, source in enumerate(spare)]
    return BitField(4, step, tuple(runs))


def _bits(byte: int) -> tuple[int, ...]:
    """The bit numbers of the four upper bits of the word at a byte."""
    return tuple(range(8 * byte + 28, 8 * byte + 32))


_NINES = BitField(4, 8, tuple(BitRun(8 * entry, 16 + 16 * entry, 8) for entry in range(_ENTRIES)))
FIELDS: dict[str, tuple[BitField, ...]] = {
    "IQ2_XXS": (_plain(2, 4, 8), _signs(8 * 6, 7, 8, _bits(6))),
    "IQ2_XS": (_NINES, _signs(16 + 9, 16, 8, (24, 40, 56, 72))),
    "IQ2_S": (_plain(2, 4, 4), _signs(8 * 34, 8, 4), _plain(66, 1, 1)),
    "IQ3_XXS": (_plain(2, 4, 8), _plain(6, 4, 8), _signs(8 * 66, 7, 4, _bits(66))),
    "IQ3_S": (_plain(2, 4, 8), _plain(6, 4, 8), _signs(8 * 74, 8, 4), _plain(66, 1, 1)),
    "IQ1_S": (_plain(2, 4, 4), _plain(34, 2, 2)),
    "IQ1_M": (_plain(0, 4, 4), _plain(32, 2, 2)),
}
"""The fields of each type, in the order in which they are stored."""


# -- the order of a type's blocks --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockOrder:
    """The order of the bytes of a block of eight rows; see the module."""

    name: str
    items: tuple[tuple[int, int], ...]  # (offset in ggml's block, bytes)
    planes: tuple[int, ...]
    pairs: tuple[tuple[int, ...], ...] = ()
    fields: tuple[BitField, ...] = ()
    digits: int = 0  # the last items hold digits of base 3: so many words

    @property
    def scheme(self) -> QuantScheme:
        """The scheme whose blocks have this order."""
        return QuantScheme.gguf(self.name)

    @property
    def size(self) -> int:
        """The number of values in a block."""
        return self.scheme.block_size()

    @property
    def groups(self) -> int:
        """The number of groups in a block that have an integer scale each."""
        return sum(len(pair) for pair in self.pairs)

    @property
    def group(self) -> int:
        """The number of values that share an integer scale: all of a block where there is none."""
        return self.size // (self.groups or 1)

    @property
    def holds_floats(self) -> bool:
        """Whether the items of the block are the numbers themselves."""
        return not (self.planes or self.fields or self.digits)

    @property
    def weaves(self) -> bool:
        """Whether a word holds two numbers of a group and two of its partner, as they are stored."""
        return bool(self.pairs) and not self.fields

    @property
    def unit(self) -> int:
        """The number of unpacked words that share stored words."""
        return 8 // min(self.planes)

    @property
    def item_bytes(self) -> int:
        """The number of bytes of a row before its integers."""
        return sum(size for _, size in self.items)

    @property
    def words(self) -> list[tuple[int, int, int, int]]:
        """The four numbers of each unpacked word of a block, in the order they are used."""
        if self.groups == len(self.pairs):
            return [] if self.holds_floats else [(i, i + 1, i + 2, i + 3) for i in range(0, self.size, 4)]
        starts = [(left * self.group, right * self.group) for left, right in self.pairs]
        return [(left + i, left + i + 1, right + i, right + i + 1) for left, right in starts for i in range(0, self.group, 2)]

    def stored_bytes(self, words: int) -> int:
        """The number of stored bytes for so many unpacked words of eight rows."""
        if not self.fields:
            return words * sum(self.planes) * ROWS // 2
        return words * 4 // SEGMENT * sum(field.size for field in self.fields) * ROWS


_QUADS = ((0, 2), (1, 3), (4, 6), (5, 7), (8, 10), (9, 11), (12, 14), (13, 15))
_SIXES = ((4, 4), (8, 4), (12, 4), (0, 2), (2, 2))  # scales and minimums of 6 bits, d, dmin


_SIXTEENTHS = tuple((2 * i, 2 * i + 1) for i in range(8))
_EIGHTHS = tuple((i,) for i in range(8))


def _order(
    name: str, items: tuple[tuple[int, int], ...], planes: tuple[int, ...], pairs: tuple[tuple[int, int], ...] = ()
) -> BlockOrder:
    return BlockOrder(name, items, planes, pairs)


def _codebook(name: str, items: tuple[tuple[int, int], ...], pairs: tuple[tuple[int, ...], ...]) -> BlockOrder:
    return BlockOrder(name, items, (), pairs, FIELDS[name])


ORDERS: dict[str, BlockOrder] = {
    order.name: order
    for order in (
        _order("Q4_0", ((0, 2),), (4,)),
        _order("Q4_1", ((0, 2), (2, 2)), (4,)),
        _order("Q5_0", ((0, 2),), (4, 1)),
        _order("Q5_1", ((0, 2), (2, 2)), (4, 1)),
        _order("Q8_0", ((0, 2),), (8,)),
        _order("Q2_K", ((0, 4), (4, 4), (8, 4), (12, 4), (80, 2), (82, 2)), (2,), _QUADS),
        _order("Q3_K", ((96, 4), (100, 4), (104, 4), (108, 2)), (2, 1), _QUADS),
        _order("Q4_K", _SIXES, (4,), _QUADS[:4]),
        _order("Q5_K", _SIXES, (4, 1), _QUADS[:4]),
        _order("Q6_K", ((192, 4), (196, 4), (200, 4), (204, 4), (208, 2)), (4, 2), _QUADS),
        _order("IQ4_NL", ((0, 2),), (4,)),
        _order("IQ4_XS", ((4, 4), (2, 2), (0, 2)), (4,), ((0, 4), (2, 6), (1, 5), (3, 7))),
        _order("TQ2_0", ((64, 2),), (2,)),
        _order("MXFP4", ((0, 1),), (4,)),
        _codebook("IQ2_XXS", ((0, 2),), _EIGHTHS),
        _codebook("IQ2_XS", ((0, 2), (66, 4), (70, 4)), _SIXTEENTHS),
        _codebook("IQ2_S", ((0, 2), (74, 4), (78, 4)), _SIXTEENTHS),
        _codebook("IQ3_XXS", ((0, 2),), _EIGHTHS),
        _codebook("IQ3_S", ((0, 2), (106, 4)), _EIGHTHS),
        _codebook("IQ1_S", ((0, 2),), _EIGHTHS),
        _codebook("IQ1_M", ((48, 4), (52, 4)), _SIXTEENTHS),
        BlockOrder("TQ1_0", ((52, 2), *((4 * i, 4) for i in range(13))), (), digits=13),
        _order("F16", ((0, 2),), ()),
        _order("BF16", ((0, 2),), ()),
    )
}
"""The types that have such an order; the others are multiplied in the order of the file."""


def interleave_rows(name: str, rows: Array) -> Array:
    """Interleaves rows of bytes `[…, n, bytes of a row]` to `[…, ceil(n/8), 8 · bytes of a row]`; rows past the last are zeros."""
    order = ORDERS[name]
    size = order.scheme.block_bytes()
    *lead, count, length = rows.shape
    padded = np.zeros((*lead, -(-count // ROWS) * ROWS, length), np.uint8)
    padded[..., :count, :] = rows
    blocks = padded.reshape(*lead, -1, ROWS, length // size, size).swapaxes(-3, -2)  # […, n/8, blocks, 8, bytes]
    pieces = [blocks[..., offset : offset + bytes_].reshape(*blocks.shape[:-2], -1) for offset, bytes_ in order.items]
    if order.planes:
        numbers = STORED[name](ArrayBlock(blocks.reshape(-1, size)), np.arange(order.size))
        numbers = numbers[:, np.array(order.words)].reshape(*blocks.shape[:-1], -1, 4)  # […, 8, words, 4]
        pieces += _planes(order, numbers.astype(np.uint8))
    if order.fields:
        pieces += _fields(order, blocks)
    return np.concatenate(pieces, -1).reshape(*lead, blocks.shape[-4], ROWS * length)


def _fields(order: BlockOrder, blocks: Array) -> list[Array]:
    bits = np.unpackbits(blocks, axis=-1, bitorder="little")
    fields = []
    for segment in range(order.size // SEGMENT):
        for field in order.fields:
            part = np.packbits(bits[..., field.bits(segment)], axis=-1, bitorder="little")
            fields.append(part.reshape(*part.shape[:-2], -1))
    return fields


def _planes(order: BlockOrder, numbers: Array) -> list[Array]:
    words = []
    for first in range(0, numbers.shape[-2], order.unit):
        taken = 0
        for bits in order.planes:
            part = (numbers >> taken) & ((1 << bits) - 1)
            each = 8 // bits
            for start in range(first, first + order.unit, each):
                word = np.zeros_like(part[..., 0, :])
                for index in range(each):
                    word |= part[..., start + index, :] << (bits * index)
                words.append(word.reshape(*word.shape[:-2], -1))
            taken += bits
    return words


@cache
def bit_sources(name: str) -> Array:
    """The source bit in the rows' bytes of each bit of a block of eight rows: computed by interleaving the bits of every number."""
    count = ROWS * QuantScheme.gguf(name).block_bytes() * 8
    numbers = np.arange(count)
    sources = np.zeros(count, np.int64)
    for bit in range(count.bit_length()):
        pattern = np.packbits((numbers >> bit & 1).astype(np.uint8), bitorder="little").reshape(ROWS, -1)
        sources |= np.unpackbits(interleave_rows(name, pattern).ravel(), bitorder="little").astype(np.int64) << bit
    return sources


@cache
def _moves_back(name: str) -> tuple[Move, ...]:
    """The moves that restore the rows' bits from interleaved blocks."""
    sources = bit_sources(name)
    return bit_moves(sources, np.arange(len(sources)))


_CHUNK_BYTES = 1 << 22


def restore_rows(name: str, blocks: Array, count: int) -> Array:
    """Restores the bytes of `count` rows from `interleave_rows`."""
    size = QuantScheme.gguf(name).block_bytes()
    *lead, groups, length = blocks.shape
    ordered = np.ascontiguousarray(blocks).reshape(-1, ROWS * size)
    restored = np.empty_like(ordered)
    step = max(_CHUNK_BYTES // (ROWS * size), 1)
    for start in range(0, len(ordered), step):
        source = np.ascontiguousarray(ordered[start : start + step].T)  # by byte of a block: each move takes whole rows
        target = np.zeros_like(source)
        move_bits(_moves_back(name), source, target)
        restored[start : start + step] = target.T
    rows = restored.reshape(*lead, groups, length // (ROWS * size), ROWS, size).swapaxes(-3, -2)
    return np.ascontiguousarray(rows.reshape(*lead, groups * ROWS, length // ROWS)[..., :count, :])
