"""Products of bytes by small matrices, `smmla`: two rows of x times two columns of a weight, eight values of k at once.

Quads have four values of k for each column; two of one group, side by side in every column, are the matrices of a weight. The words of two
rows of x are brought together in the same way. Sums are integers, so they are those of any other order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, I32
from rlx.backends.cpu.emit.values import Value
from rlx.layouts.block_order import ROWS

FOUR_WORDS, _BYTES = I32.vector(4), I8.vector(16)


@dataclass(frozen=True)
class ByteMatrices:
    """Emits into one function; quads of so many groups take turns, and are multiples of four."""

    k: Function
    sides: int

    def of_weight(self, quads: Sequence[Value]) -> list[list[Value]]:
        """For every two quads of a group, matrices of two columns each: sixteen bytes."""
        k = self.k
        words = [k.bitcast(quad, I32.vector(ROWS)) for quad in quads]
        found = []
        for start in range(0, len(words), 4):
            for number in range(2):
                first, second = (words[start + place] for place in self._places(number))
                both = k.shuffle(first, second, [lane for column in range(ROWS) for lane in (column, column + ROWS)])
                found.append([k.bitcast(k.slice(both, at, 4), _BYTES) for at in range(0, 2 * ROWS, 4)])
        return found

    def sums(self, matrices: Sequence[Sequence[Value]], rows: Sequence[Sequence[Value]]) -> list[list[Value]]:
        """The products of matrices with an even number of rows, each given by vectors of four words: [row][side]."""
        found = []
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            found += self._two_rows(matrices, first, second)
        return found

    def _two_rows(self, matrices: Sequence[Sequence[Value]], first: Sequence[Value], second: Sequence[Value]) -> list[list[Value]]:
        k = self.k
        totals = [[k.constant(0, FOUR_WORDS)] * (ROWS // 2) for _ in range(self.sides)]
        for index, columns in enumerate(matrices):
            mine = self._places(index % 2)
            words = k.shuffle(first[index // 2], second[index // 2], [*mine, *(place + 4 for place in mine)])
            x, side = k.bitcast(words, _BYTES), totals[index % self.sides]
            side[:] = [k.dot_byte_matrices(total, weight, x) for total, weight in zip(side, columns, strict=True)]
        halves = [(k.concat(*side[:2]), k.concat(*side[2:])) for side in totals]
        return [[k.shuffle(left, right, range(row, 2 * ROWS, 2)) for left, right in halves] for row in range(2)]

    def _places(self, number: int) -> tuple[int, int]:
        """The two of four adjacent words that make a matrix."""
        return (number, number + 2) if self.sides == 2 else (2 * number, 2 * number + 1)
