"""The types whose numbers come from codebooks: which fields of a segment hold what, and the bytes that stand for the numbers.

An entry of a codebook is 16 bits: eight codes of 2 bits, or four of 4. A code and a sign bit are an index among at most 16 levels, which
are bytes without signs: the number plus a zero point, as other types have it. Where the fields are is data in
`rlx.layouts.block_order`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rlx.layouts.gguf_grids import codebook, codebook_levels, codebook_places


@dataclass(frozen=True)
class BitsOfEntries:
    """Bits of a field that belong to the entries of a segment: `count` of entry e from `first + apart · e` on."""

    field: int
    first: int
    apart: int
    count: int = 1


@dataclass(frozen=True)
class Codebook:
    """How a type's numbers are found."""

    name: str
    levels: tuple[int, ...]
    signs: int | None = None  # the field with a bit for each number
    even: bool = False  # the sign of every eighth number makes their count even
    shifts: BitsOfEntries | None = None  # signs that all numbers of an entry share
    upper: BitsOfEntries | None = None  # of the indices, above eight bits
    scale_bits: int = 4
    scale_field: int | None = None  # the field with the scale of its segment, or else items hold them
    scale_place: Callable[[int], tuple[int, int]] = lambda group: (0, 0)  # of a group: its item, or 0 for a field; its first bit

    @property
    def code_bits(self) -> int:
        """Of a number in an entry that matter."""
        return len(self.levels).bit_length() - 2

    @property
    def each(self) -> int:
        """Numbers of an entry."""
        return 2 * len(codebook(self.name)) // len(codebook_places(self.name))

    @property
    def low(self) -> bytes:
        """The lower bytes of the entries."""
        return codebook_places(self.name)[::2]

    @property
    def high(self) -> bytes:
        """The upper ones."""
        return codebook_places(self.name)[1::2]

    @property
    def plain(self) -> list[int]:
        """Each entry with a byte for every number, as without its sign."""
        places, bits = codebook_places(self.name), 16 // self.each
        entries = [int.from_bytes(places[at : at + 2], "little") for at in range(0, len(places), 2)]
        codes = [[entry >> (bits * i) & ((1 << bits) - 1) for i in range(self.each)] for entry in entries]
        return [int.from_bytes(bytes(self.levels[code] for code in entry), "little") for entry in codes]


def _signed(name: str) -> tuple[int, ...]:
    """The levels plus the largest one, then the same minus each; padded to a power of two.

    Without a factor that all have (IQ3_XXS: 2), so that more products fit 16 bits.
    """
    common = math.gcd(*codebook_levels(name))
    levels = tuple(level // common for level in codebook_levels(name))
    padding = (0,) * ((1 << (len(levels) - 1).bit_length()) - len(levels))
    zero = levels[-1]
    return (*(zero + level for level in levels), *padding, *(zero - level for level in levels), *padding)


_TERNARY = (2, 10, 18, 0, 0, 8, 16, 0)
"""Eight times -1, 0 and 1, an eighth up, then an eighth down, plus 9."""


def _nibbles(first: int) -> Callable[[int], tuple[int, int]]:
    """Eight scales of 4 bits to an item."""
    return lambda group: (first + group // 8, group % 8 * 4)


CODEBOOKS: dict[str, Codebook] = {
    "IQ2_XXS": Codebook("IQ2_XXS", _signed("IQ2_XXS"), signs=1, even=True, scale_field=1, scale_place=lambda group: (0, 28)),
    "IQ2_XS": Codebook("IQ2_XS", _signed("IQ2_XS"), signs=1, even=True, upper=BitsOfEntries(1, 28, 1), scale_place=_nibbles(1)),
    "IQ2_S": Codebook("IQ2_S", _signed("IQ2_S"), signs=1, upper=BitsOfEntries(2, 0, 2, 2), scale_place=_nibbles(1)),
    "IQ3_XXS": Codebook("IQ3_XXS", _signed("IQ3_XXS"), signs=2, even=True, scale_field=2, scale_place=lambda group: (0, 28)),
    "IQ3_S": Codebook("IQ3_S", _signed("IQ3_S"), signs=2, upper=BitsOfEntries(3, 0, 1), scale_place=_nibbles(1)),
    "IQ1_S": Codebook(
        "IQ1_S",
        _TERNARY,
        shifts=BitsOfEntries(1, 15, 0),
        upper=BitsOfEntries(1, 0, 3, 3),
        scale_bits=3,
        scale_field=1,
        scale_place=lambda group: (0, 12),
    ),
    "IQ1_M": Codebook(
        "IQ1_S",
        _TERNARY,
        shifts=BitsOfEntries(1, 3, 4),
        upper=BitsOfEntries(1, 0, 4, 3),
        scale_bits=3,
        scale_place=lambda group: (group // 8, group // 4 % 2 * 16 + group % 4 * 3),
    ),
}
