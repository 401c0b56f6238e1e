"""What the bytes of a ggml block mean: for each tensor type, element i of a block as a formula over its bytes.

The formulas are written once, over a `Block` that reads bytes and floats at offsets that depend on i. `ArrayBlock`
evaluates them in NumPy for many blocks and all i at once (the reference); the CPU backend has one that writes code.
`ELEMENTS` are the numbers, `STORED` the integers that stand for them before scales, offsets and tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.gguf_grids import codebook


@dataclass(frozen=True)
class Table:
    """A table of small integers; `name` tells tables apart."""

    name: str
    values: tuple[int, ...]


class Block(Protocol):
    """Reader of a GGUF block's bytes. Offsets and integers are of a type that the reader computes with, with int's operators."""

    def u8(self, place: Any) -> Any:
        """The byte at an offset, 0 to 255."""

    def i8(self, place: Any) -> Any:
        """The byte at an offset, -128 to 127."""

    def u16(self, place: Any) -> Any:
        """The little-endian 16-bit integer at an offset."""

    def f16(self, place: Any) -> Any:
        """The f16 at an offset, as an f32."""

    def f32(self, place: Any) -> Any:
        """The f32 at an offset."""

    def half(self, bits: Any) -> Any:
        """Converts f16 bits to an f32."""

    def power(self, exponent: Any) -> Any:
        """The f32 with the bits `exponent`: for powers of two."""

    def real(self, integer: Any) -> Any:
        """Converts an integer to an f32."""

    def flag(self, condition: Any) -> Any:
        """Converts a comparison to 1 or 0."""

    def table(self, table: Table, index: Any) -> Any:
        """Looks up an entry of a table."""


Element = Callable[[Block, Any], Any]

SIGNS = Table("signs", tuple(i | (i.bit_count() & 1) << 7 for i in range(128)))  # an even number of minus signs
NONLINEAR = Table("nonlinear", (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113))
E2M1 = Table("e2m1", (0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12))  # twice the number
POWERS_OF_3 = Table("powers_of_3", (1, 3, 9, 27, 81))


def _grid(name: str) -> Table:
    return Table(name, codebook(name))


def _sign(bits: Any, place: Any) -> Any:
    """The sign of a number: 1, or -1 where the bit is set."""
    return 1 - 2 * ((bits >> place) & 1)


def _nibble(b: Block, start: int, i: Any) -> Any:
    """The 4-bit value of a number: 16 bytes hold 32 numbers, low nibbles first, then the high ones."""
    return (b.u8(start + i % 16) >> (i // 16 * 4)) & 15


# -- blocks of 32 -----------------------------------------------------------------------------------------------
def _nibbles_at(start: int) -> Element:
    return lambda b, i: _nibble(b, start, i)


def _q4_0(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(_nibble(b, 2, i) - 8)


def _q4_1(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(_nibble(b, 4, i)) + b.f16(2)


def _fifth_bit(b: Block, start: int, i: Any) -> Any:
    return ((b.u8(start + i // 8) >> (i % 8)) & 1) << 4


def _q5_0_number(b: Block, i: Any) -> Any:
    return _nibble(b, 6, i) | _fifth_bit(b, 2, i)


def _q5_0(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(_q5_0_number(b, i) - 16)


def _q5_1_number(b: Block, i: Any) -> Any:
    return _nibble(b, 8, i) | _fifth_bit(b, 4, i)


def _q5_1(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(_q5_1_number(b, i)) + b.f16(2)


def _q8_0(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(b.i8(2 + i))


def _iq4_nl(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(b.table(NONLINEAR, _nibble(b, 2, i)))


def _mxfp4(b: Block, i: Any) -> Any:
    """MXFP4: 2^(e - 128), whose smallest ones are denormal, times twice the E2M1 number."""
    e = b.u8(0)
    small = b.flag(e < 2)
    bits = small * 0x200000 * (1 + (e & 1)) + (1 - small) * ((e - 1) << 23)
    return b.power(bits) * b.real(b.table(E2M1, _nibble(b, 1, i)))


# -- blocks of 256: two or more levels of scales ----------------------------------------------------------------
def _two_bits(b: Block, start: int, i: Any) -> Any:
    """The 2-bit value of a number: 64 bytes hold 256 numbers, four planes of 32 in each 32 bytes."""
    return (b.u8(start + i // 128 * 32 + i % 32) >> (i // 32 % 4 * 2)) & 3


def _q2_k(b: Block, i: Any) -> Any:
    scale = b.u8(i // 16)
    return b.f16(80) * b.real(scale & 15) * b.real(_two_bits(b, 16, i)) - b.f16(82) * b.real(scale >> 4)


def _q3_k_number(b: Block, i: Any) -> Any:
    return _two_bits(b, 32, i) | ((b.u8(i % 32) >> (i // 32)) & 1) << 2


def _q3_k_scale(b: Block, group: Any) -> Any:
    low = (b.u8(96 + group % 8) >> (group // 8 * 4)) & 15
    high = (b.u8(104 + group % 4) >> (group // 4 * 2)) & 3
    return low | high << 4


def _q3_k(b: Block, i: Any) -> Any:
    return b.f16(108) * b.real(_q3_k_scale(b, i // 16) - 32) * b.real(_q3_k_number(b, i) - 4)


def _scale_and_minimum(b: Block, group: Any) -> tuple[Any, Any]:
    """Eight 6-bit scales and minimums in 12 bytes: four plainly, four with their high bits in the bytes of the first."""
    late = b.flag(group >= 4)
    early_scale, early_minimum = b.u8(4 + group % 4) & 63, b.u8(8 + group % 4) & 63
    both = b.u8(12 + group % 4)
    late_scale = (both & 15) | ((b.u8(4 + group % 4) >> 6) << 4)
    late_minimum = (both >> 4) | ((b.u8(8 + group % 4) >> 6) << 4)
    return early_scale * (1 - late) + late_scale * late, early_minimum * (1 - late) + late_minimum * late


def _four_bits(b: Block, start: int, i: Any) -> Any:
    """The 4-bit value of a number: 128 bytes hold 256 numbers, in each 32 bytes the low nibbles, then the high ones."""
    return (b.u8(start + i // 64 * 32 + i % 32) >> (i // 32 % 2 * 4)) & 15


def _q4_k(b: Block, i: Any) -> Any:
    scale, minimum = _scale_and_minimum(b, i // 32)
    return b.f16(0) * b.real(scale) * b.real(_four_bits(b, 16, i)) - b.f16(2) * b.real(minimum)


def _q5_k_number(b: Block, i: Any) -> Any:
    return _four_bits(b, 48, i) | ((b.u8(16 + i % 32) >> (i // 32)) & 1) << 4


def _q5_k(b: Block, i: Any) -> Any:
    scale, minimum = _scale_and_minimum(b, i // 32)
    return b.f16(0) * b.real(scale) * b.real(_q5_k_number(b, i)) - b.f16(2) * b.real(minimum)


def _q6_k_number(b: Block, i: Any) -> Any:
    low = (b.u8(i // 128 * 64 + i % 64) >> (i // 64 % 2 * 4)) & 15
    return low | ((b.u8(128 + i // 128 * 32 + i % 32) >> (i // 32 % 4 * 2)) & 3) << 4


def _q6_k(b: Block, i: Any) -> Any:
    return b.f16(208) * b.real(b.i8(192 + i // 16)) * b.real(_q6_k_number(b, i) - 32)


def _q8_k(b: Block, i: Any) -> Any:
    return b.f32(0) * b.real(b.i8(4 + i))


def _iq4_xs_number(b: Block, i: Any) -> Any:
    return (b.u8(8 + i // 32 * 16 + i % 16) >> (i // 16 % 2 * 4)) & 15


def _iq4_xs_scale(b: Block, group: Any) -> Any:
    low = (b.u8(4 + group // 2) >> (group % 2 * 4)) & 15
    high = (b.u16(2) >> (group * 2)) & 3
    return low | high << 4


def _iq4_xs(b: Block, i: Any) -> Any:
    return b.f16(0) * b.real(_iq4_xs_scale(b, i // 32) - 32) * b.real(b.table(NONLINEAR, _iq4_xs_number(b, i)))


# -- codebooks --------------------------------------------------------------------------------------------------
def _u32(b: Block, place: Any) -> Any:
    return b.u16(place) | b.u16(place + 2) << 16


def _iq2_xxs(b: Block, i: Any) -> Any:
    start, row = 2 + i // 32 * 8, i // 8 % 4
    word = _u32(b, start + 4)
    signs = b.table(SIGNS, (word >> (row * 7)) & 127)
    q = b.table(_grid("IQ2_XXS"), b.u8(start + row) * 8 + i % 8) * _sign(signs, i % 8)
    return b.f16(0) * (b.real(word >> 28) + 0.5) * 0.25 * b.real(q)


def _pair_scale(b: Block, start: int, i: Any) -> Any:
    return b.f16(0) * (b.real((b.u8(start + i // 32) >> (i // 16 % 2 * 4)) & 15) + 0.5) * 0.25


def _iq2_xs(b: Block, i: Any) -> Any:
    word = b.u16(2 + i // 8 * 2)
    signs = b.table(SIGNS, word >> 9)
    q = b.table(_grid("IQ2_XS"), (word & 511) * 8 + i % 8) * _sign(signs, i % 8)
    return _pair_scale(b, 66, i) * b.real(q)


def _iq2_s(b: Block, i: Any) -> Any:
    row = i // 8
    index = b.u8(2 + row) | ((b.u8(66 + row // 4) >> (row % 4 * 2)) & 3) << 8
    q = b.table(_grid("IQ2_S"), index * 8 + i % 8) * _sign(b.u8(34 + row), i % 8)
    return _pair_scale(b, 74, i) * b.real(q)


def _iq3_xxs(b: Block, i: Any) -> Any:
    word = _u32(b, 66 + i // 32 * 4)
    signs = b.table(SIGNS, (word >> (i // 8 % 4 * 7)) & 127)
    q = b.table(_grid("IQ3_XXS"), b.u8(2 + i // 4) * 4 + i % 4) * _sign(signs, i % 8)
    return b.f16(0) * (b.real(word >> 28) + 0.5) * 0.5 * b.real(q)


def _iq3_s(b: Block, i: Any) -> Any:
    row, group = i // 4, i // 32
    index = b.u8(2 + row) | ((b.u8(66 + group) >> (row % 8)) & 1) << 8
    q = b.table(_grid("IQ3_S"), index * 4 + i % 4) * _sign(b.u8(74 + i // 8), i % 8)
    return b.f16(0) * b.real(1 + 2 * ((b.u8(106 + group // 2) >> (group % 2 * 4)) & 15)) * b.real(q)


def _shifted_entry(b: Block, index: Any, i: Any, minus: Any) -> Any:
    """TQ1_0: five digits of base 3 to a byte, as a fraction of 256: 32 bytes, then 16, then 4 bytes of four digits."""
    return b.real(b.table(_grid("IQ1_S"), index * 8 + i % 8)) + b.real(1 - 2 * minus) * 0.125


def _iq1_s(b: Block, i: Any) -> Any:
    row, word = i // 8, b.u16(34 + i // 32 * 2)
    index = b.u8(2 + row) | ((word >> (row % 4 * 3)) & 7) << 8
    return b.f16(0) * b.real(2 * ((word >> 12) & 7) + 1) * _shifted_entry(b, index, i, word >> 15)


def _iq1_m(b: Block, i: Any) -> Any:
    row, group = i // 8, i // 32
    words = [b.u16(48 + 2 * place) for place in range(4)]
    scale = b.half(words[0] >> 12 | (words[1] >> 8 & 0xF0) | (words[2] >> 4 & 0xF00) | (words[3] & 0xF000))
    high = b.u8(32 + row // 2) >> (row % 2 * 4)
    index = b.u8(row) | (high & 7) << 8
    step = (b.u16(48 + group // 2 * 2) >> (group % 2 * 6 + i // 16 % 2 * 3)) & 7
    return scale * b.real(2 * step + 1) * _shifted_entry(b, index, i, (high >> 3) & 1)


# -- ternary ----------------------------------------------------------------------------------------------------
def _tq1_0(b: Block, i: Any) -> Any:
    """Five digits of base 3 to a byte, as a fraction of 256: 32 bytes, then 16, then 4 bytes of four digits."""
    first, second = b.flag(i < 160), b.flag((i >= 160) & (i < 240))
    last = 1 - first - second
    place = first * (i % 32) + second * (32 + i % 16) + last * (48 + i % 4)
    digit = first * (i // 32) + second * ((i + 80) // 16 % 5) + last * (i // 4 % 4)
    q = (b.u8(place) * b.table(POWERS_OF_3, digit)) & 255
    return b.f16(52) * b.real(((q * 3) >> 8) - 1)


def _tq2_0(b: Block, i: Any) -> Any:
    return b.f16(64) * b.real(_two_bits(b, 0, i) - 1)


ELEMENTS: dict[str, Element] = {
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "Q8_0": _q8_0,
    "Q2_K": _q2_k,
    "Q3_K": _q3_k,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
    "Q8_K": _q8_k,
    "IQ4_NL": _iq4_nl,
    "IQ4_XS": _iq4_xs,
    "IQ2_XXS": _iq2_xxs,
    "IQ2_XS": _iq2_xs,
    "IQ2_S": _iq2_s,
    "IQ3_XXS": _iq3_xxs,
    "IQ3_S": _iq3_s,
    "IQ1_S": _iq1_s,
    "IQ1_M": _iq1_m,
    "TQ1_0": _tq1_0,
    "TQ2_0": _tq2_0,
    "MXFP4": _mxfp4,
    "F16": lambda b, i: b.f16(0),
    "BF16": lambda b, i: b.power(b.u16(0) << 16),
}

STORED: dict[str, Element] = {
    "Q4_0": _nibbles_at(2),
    "Q4_1": _nibbles_at(4),
    "Q5_0": _q5_0_number,
    "Q5_1": _q5_1_number,
    "Q8_0": lambda b, i: b.u8(2 + i),
    "Q2_K": lambda b, i: _two_bits(b, 16, i),
    "Q3_K": _q3_k_number,
    "Q4_K": lambda b, i: _four_bits(b, 16, i),
    "Q5_K": _q5_k_number,
    "Q6_K": _q6_k_number,
    "IQ4_NL": _nibbles_at(2),
    "IQ4_XS": _iq4_xs_number,
    "TQ2_0": lambda b, i: _two_bits(b, 0, i),
    "MXFP4": _nibbles_at(1),
}
"""The types whose numbers are a scale times a small integer (or its entry in a table of 16), plus an offset."""

SCALES: dict[str, tuple[Element, ...]] = {
    "Q2_K": (lambda b, group: b.u8(group) & 15, lambda b, group: b.u8(group) >> 4),
    "Q3_K": (_q3_k_scale,),
    "Q4_K": (lambda b, group: _scale_and_minimum(b, group)[0], lambda b, group: _scale_and_minimum(b, group)[1]),
    "Q5_K": (lambda b, group: _scale_and_minimum(b, group)[0], lambda b, group: _scale_and_minimum(b, group)[1]),
    "Q6_K": (lambda b, group: b.u8(192 + group),),
    "IQ4_XS": (_iq4_xs_scale,),
}
"""The integer scales of a block's groups, and their minimums where they have some, as they are stored."""


# -- rows of ggml blocks as NumPy arrays: the formulas of `gguf_blocks` for many blocks at once ----------------------


Array = npt.NDArray[Any]


class ArrayBlock:
    """Reader of many GGUF blocks as NumPy rows of bytes; every offset is read from all of them at once."""

    def __init__(self, rows: Array) -> None:
        self.rows = rows

    def u8(self, place: Any) -> Array:
        return self.rows[:, np.atleast_1d(place)].astype(np.int64)

    def i8(self, place: Any) -> Array:
        return np.asarray(self.rows[:, np.atleast_1d(place)].view(np.int8).astype(np.int64))

    def u16(self, place: Any) -> Array:
        return np.asarray(self.u8(place) | self.u8(place + 1) << 8)

    def f16(self, place: Any) -> Array:
        return self.half(self.u16(place))

    def f32(self, place: Any) -> Array:
        return self.power(self.u16(place) | self.u16(place + 2) << 16)

    def half(self, bits: Array) -> Array:
        return bits.astype(np.uint16).view(np.float16).astype(np.float32)

    def power(self, exponent: Array) -> Array:
        return exponent.astype(np.uint32).view(np.float32)

    def real(self, integer: Array) -> Array:
        return np.asarray(integer).astype(np.float32)

    def flag(self, condition: Any) -> Any:
        return np.asarray(condition).astype(np.int64)

    def table(self, table: Table, index: Array) -> Array:
        return np.asarray(np.asarray(table.values, np.int64)[index])


def dequantize_rows(name: str, rows: Array) -> Array:
    """Dequantizes the bytes of a GGUF tensor, `[…, bytes of a row]` to f32 `[…, elements of a row]`."""
    scheme = QuantScheme.gguf(name)
    size, count = scheme.block_bytes(), scheme.block_size()
    blocks = np.ascontiguousarray(rows, np.uint8).reshape(-1, size)
    with np.errstate(all="ignore"):
        numbers = ELEMENTS[name](ArrayBlock(blocks), np.arange(count))
    numbers = np.broadcast_to(numbers, (blocks.shape[0], count)).astype(np.float32)
    return numbers.reshape(*rows.shape[:-1], rows.shape[-1] // size * count)


_SCALE_PLACES: dict[str, Sequence[int]] = {
    "Q4_1": (0, 2),
    "Q5_1": (0, 2),
    "Q4_K": (0, 2),
    "Q5_K": (0, 2),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q6_K": (208,),
    "TQ1_0": (52,),
    "TQ2_0": (64,),
}


def random_rows(name: str, *dims: int, seed: int = 0) -> Array:
    """Random bytes of GGUF rows for `dims` numbers whose scales are of ordinary size, for tests and cases."""
    scheme, random = QuantScheme.gguf(name), np.random.default_rng(seed)
    if name in ("F16", "BF16"):
        numbers = random.standard_normal(dims).astype(np.float32)
        low = numbers.astype(np.float16).view(np.uint16) if name == "F16" else numbers.view(np.uint32) >> 16
        return low.astype("<u2").view(np.uint8).reshape(*dims[:-1], dims[-1] * 2)
    blocks = random.integers(0, 256, (*dims[:-1], dims[-1] // scheme.block_size(), scheme.block_bytes()), np.uint8)

    def put(place: int, numbers: Array) -> None:
        stored = np.ascontiguousarray(numbers)[..., None].view(np.uint8)
        blocks[..., place : place + stored.shape[-1]] = stored

    scales = random.uniform(0.001, 0.01, blocks.shape[:-1]) * random.choice([-1, 1], blocks.shape[:-1])
    if name == "Q8_K":
        put(0, scales.astype("<f4"))
    elif name == "MXFP4":
        blocks[..., 0] = random.integers(118, 128, blocks.shape[:-1])
    elif name == "IQ1_M":  # four nibbles of the scale stand at the top of four words
        bits = scales.astype(np.float16).view(np.uint16)
        for place in range(4):
            blocks[..., 49 + 2 * place] = blocks[..., 49 + 2 * place] & 15 | (bits >> (4 * place) & 15) << 4
    else:
        for place in _SCALE_PLACES.get(name, (0,)):
            put(place, scales.astype("<f2"))
    return blocks.reshape(*dims[:-1], blocks.shape[-2] * blocks.shape[-1])
