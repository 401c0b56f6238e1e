"""Where the bits of a codebook's type go: for every 32 numbers of a row the same few fields, each a word of its own.

    index     four low bytes of indices, those of the numbers in order (a codebook of four numbers has two such fields)
    signs     a bit for each number: number b of quad w is bit `sign_place(w)` of byte b, so that a shift brings a quad's signs into place
    high      the upper bits of the indices, where they have more than eight, and what else the file keeps beside them

A type whose signs are 7 bits for 8 numbers (the eighth makes their count even) leaves four bits of its signs free, the upper ones:
there are the bits that the file keeps beside the signs, a scale or the upper bits of the indices.
"""

from __future__ import annotations

from dataclasses import dataclass

SEGMENT = 32
"""Numbers that share fields."""
_ENTRIES, _QUADS = 4, 8


@dataclass(frozen=True)
class BitRun:
    """Neighbouring bits: `count` of a field from `target` on are those of the block from `source` on."""

    target: int
    source: int
    count: int


@dataclass(frozen=True)
class BitField:
    """A field of so many bytes; its sources move by `step` bytes from segment to segment."""

    size: int
    step: int
    runs: tuple[BitRun, ...]

    def bits(self, segment: int) -> list[int]:
        """The source of each bit, in order."""
        found = {run.target + i: run.source + 8 * self.step * segment + i for run in self.runs for i in range(run.count)}
        return [found[place] for place in range(8 * self.size)]

    @property
    def window(self) -> tuple[int, int]:
        """The bytes of a block that the first segment's bits are in: where they begin, and how many."""
        first = min(run.source for run in self.runs) // 8
        return first, (max(run.source + run.count for run in self.runs) + 7) // 8 - first

    @property
    def moves(self) -> dict[int, int]:
        """By how far bits of the window move up, and which of them do."""
        found: dict[int, int] = {}
        for run in self.runs:
            source = run.source - 8 * self.window[0]
            distance = run.target - source
            found[distance] = found.get(distance, 0) | ((1 << run.count) - 1) << source
        return found


def sign_place(quad: int) -> int:
    """The bit of every byte that holds the signs of four of 32 numbers: even quads below odd ones."""
    return quad // 2 + _QUADS // 2 * (quad % 2)


def _plain(source: int, size: int, step: int) -> BitField:
    """The bytes as they are."""
    return BitField(size, step, (BitRun(0, 8 * source, 8 * size),))


def _signs(first: int, apart: int, step: int, spare: tuple[int, ...] = ()) -> BitField:
    """Signs of 8 numbers from bit `first` on, the next ones `apart` bits away; `spare` are the sources of the four upper bits."""
    runs = []
    for entry in range(_ENTRIES):
        for number in range(7 if spare else 8):
            quad, byte = 2 * entry + number // 4, number % 4
            runs.append(BitRun(8 * byte + sign_place(quad), first + apart * entry + number, 1))
    runs += [BitRun(28 + entry, source, 1) for entry, source in enumerate(spare)]
    return BitField(4, step, tuple(runs))


def _bits(byte: int) -> tuple[int, ...]:
    """The four upper bits of the word at a byte."""
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
