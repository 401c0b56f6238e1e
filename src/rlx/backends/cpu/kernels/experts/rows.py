"""Which rows of x belong to an expert, for products computed expert by expert; and how rows with a nonexistent expert are handled.

`ExpertRows` scans all rows for those of one expert. `RowTable` holds the same for all experts at once, written by a separate stage that
products of the same rows share.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import I64, Type, Value, Variable
from rlx.backends.cpu.emit.kernel import KernelCode, Stage, Tensor
from rlx.backends.cpu.kernels.movement.gather import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.core.dim import Size
from rlx.core.shape import Shape

__all__ = ["ExpertRows", "RowTable"]


@dataclass(frozen=True)
class ExpertRows:
    """The experts of some rows: tensor `position` of the kernel has one number for each row."""

    code: KernelCode
    rows: Value
    experts: Tensor
    position: int
    count: Size
    fills: bool
    checks: bool

    def _expert(self, row: Value) -> tuple[Value, Value]:
        """The expert of a row, and whether it does not exist."""
        at = row * self.code.size(self.experts.strides[0])
        return read_position(self.code, self.code.pointer(self.position), at, self.experts.dtype, self.count)

    def group(self, row: Value, reports: bool = False) -> Value:
        """The expert of a row, or E for one that is filled because its expert does not exist; `reports` that if it is an error."""
        k = self.code.code
        position, outside = self._expert(row)
        if self.checks and reports:
            with k.when(outside):
                self.code.fail(OUT_OF_BOUNDS)
        return k.select(outside, index_of(self.code, self.count), position) if self.fills else position

    def collect(self, expert: Value, following: Variable, into: Value, most: int) -> Value:
        """The indices of this expert's next rows starting at `following`, up to a limit; returns how many."""
        k, found = self.code.code, self.code.code.var(0, I64)
        with k.loop() as loop:
            row = following.get()
            loop.stop((row >= self.rows) | (found.get() >= most))
            position, outside = self._expert(row)
            mine = (position == expert) & ~outside if self.fills else position == expert
            k.store(row, into, k.minimum(found.get(), most - 1))
            found.set(found.get() + k.convert(mine, I64, signed=False))
            following.set(row + 1)
        return found.get()

    def emit_outside(
        self, expert: Value, out: Value, n: Value, column: Value, columns: Value, kind: Type, stored: Type
    ) -> None:
        """In the units of the first expert: rows whose expert does not exist are reported, or filled in these columns."""
        k = self.code.code
        if not (self.fills or self.checks):
            return
        with k.when(expert == 0):
            for row in k.range(self.rows):
                _, outside = self._expert(row)
                with k.when(outside):
                    if self.checks:
                        self.code.fail(OUT_OF_BOUNDS)
                    if self.fills:
                        value = k.convert(k.constant(float("nan") if kind.is_float else 0, kind), stored)
                        for at in k.range(columns):
                            k.store(value, out, row * n + column + at)


# -- all experts at once ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class RowTable:
    """The rows of every expert in one table of i64:

    rows     M       the indices of all rows, grouped by expert, in order; then those without an expert
    bounds   E + 3   from `bounds[e]` to `bounds[e + 1]` are the rows of expert e; E stands for no expert
    used     E       the experts that have rows
    count    1       how many those are
    """

    rows: Size
    experts: Size
    fills: bool

    @property
    def tensor(self) -> Tensor:
        """The table, as a temporary."""
        return Tensor.dense(Shape((self.rows + 2 * self.experts + 4,), "i64"))

    def _part(self, code: KernelCode, position: int, name: str) -> Value:
        bounds, used = self.rows, self.rows + self.experts + 3
        start = {"rows": 0, "bounds": bounds, "used": used, "count": used + self.experts}[name]
        return code.code.pointer(code.pointer(position), code.size(start), I64)

    # -- reading
    def row(self, code: KernelCode, position: int, index: Value) -> Value:
        """The index of the row at a position of the list."""
        return code.code.load(self._part(code, position, "rows"), index, I64)

    def used(self, code: KernelCode, position: int, index: Value) -> tuple[Value, Value, Value]:
        """One of the experts that have rows, and its range in the list; past the last such expert the range is empty."""
        k = code.code
        there = index < k.load(self._part(code, position, "count"), 0, I64)
        expert = k.load(self._part(code, position, "used"), k.select(there, index, 0), I64)
        expert = k.select(there, expert, 0)
        first, last = self._bounds(code, position, expert)
        return expert, first, k.select(there, last, first)

    def outside(self, code: KernelCode, position: int) -> tuple[Value, Value]:
        """The range of rows without an expert in the list; empty unless they are filled."""
        return self._bounds(code, position, index_of(code, self.experts))

    def _bounds(self, code: KernelCode, position: int, expert: Value) -> tuple[Value, Value]:
        bounds = self._part(code, position, "bounds")
        return code.code.load(bounds, expert, I64), code.code.load(bounds, expert + 1, I64)

    # -- writing
    def stage(self, experts: Tensor, checks: bool, operands: tuple[int, int]) -> Stage:
        """Makes the table of the experts' numbers: operands are these and the table."""
        return Stage(
            "expert rows", ("expert rows", self, checks), operands, 1, lambda code: self._write(code, experts, checks)
        )

    def _write(self, code: KernelCode, experts: Tensor, checks: bool) -> None:
        """A counting sort: count the rows of each expert, compute the offsets, then place every row."""
        k, given = code.code, ExpertRows(code, index_of(code, self.rows), experts, 0, self.experts, self.fills, checks)
        number, bounds = index_of(code, self.experts), self._part(code, 1, "bounds")
        for at in k.range(number + 3):
            k.store(0, bounds, at, I64)
        for row in k.range(given.rows):
            place = given.group(row, reports=True) + 2
            k.store(k.load(bounds, place, I64) + 1, bounds, place)
        found, used = k.var(0, I64), self._part(code, 1, "used")
        for expert in k.range(
            number
        ):  # bounds[expert + 1] is where its rows begin, bounds[expert + 2] how many there are
            count = k.load(bounds, expert + 2, I64)
            k.store(k.load(bounds, expert + 1, I64) + count, bounds, expert + 2)
            with k.when(count > 0):
                k.store(expert, used, found.get())
                found.set(found.get() + 1)
        k.store(found.get(), self._part(code, 1, "count"), 0)
        for row in k.range(given.rows):
            place = given.group(row) + 1
            following = k.load(bounds, place, I64)
            k.store(row, self._part(code, 1, "rows"), following)
            k.store(following + 1, bounds, place)
