"""Where the integers of a block go, derived from the formulas that read them (`rlx.layouts.gguf_blocks`): no layout is written twice.

Blocks are columns here: bytes are `[bytes of a block, blocks]`, and values `[values of a group, groups, blocks]`, so that every
step works on long rows.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.bit_moves import Move, bit_moves, move_bits
from rlx.layouts.gguf_blocks import SCALES, STORED, ArrayBlock, Element


def empty_blocks(name: str, count: int) -> npt.NDArray[np.uint8]:
    """Zeros for the bytes of `count` blocks, in columns."""
    return np.zeros((QuantScheme.gguf(name).block_bytes(), count), np.uint8)


def put_half(data: Array, place: int, values: Array) -> None:
    """Store an f16 of every block."""
    data[place : place + 2] = values.astype("<f2").view(np.uint8).reshape(-1, 2).T


def put_numbers(name: str, data: Array, numbers: Array) -> None:
    """Store the integers of every block, `[numbers of a group, groups, blocks]`."""
    group, groups, count = numbers.shape
    move_bits(_number_moves(name, group), numbers.reshape(group * groups, count), data)


def put_scales(name: str, data: Array, which: int, scales: Array) -> None:
    """Store the integer scales (0) or minimums (1) of the groups of every block, `[groups, blocks]`."""
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
    """For every bit of `count` integers that `read` finds in a block, the bit of the block it comes from.

    Found by reading blocks in which each bit holds one binary digit of its own index. Bits that no block sets are not stored.
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
