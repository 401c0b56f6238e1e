"""Which rows of x belong to which expert, for products computed expert by expert; and how rows with a nonexistent expert are handled."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Stage, Tensor
from rlx.backends.cpu.emit.types import I64, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.gather import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.core.dim import Size, minimum
from rlx.core.shape import Shape
from rlx.ir.op import Op


@dataclass(frozen=True)
class RowTable:
    """The rows of every expert in one table of i64, which a stage of its own writes and products of the same rows share:

    bounds   E + 3   from `bounds[e]` to `bounds[e + 1]` of the list are the rows of expert e; E stands for no expert
    used     E       the experts that have rows
    count    1       how many those are
    groups   M       the expert of each row
    places   M       where in the list each row is
    list     M       the indices of all rows, grouped by expert, in order; then those without an expert

    If `align` is more than one, the rows of each expert begin at a multiple of it: the list is longer, with gaps.
    """

    rows: Size
    experts: Size
    fills: bool
    align: int = 1

    @staticmethod
    def of(op: Op, x: Tensor, weights: Tensor, align: int = 1) -> RowTable:
        """Of a product of x and the weights of all experts."""
        return RowTable(x.dims[0], weights.dims[0], op.attrs["mode"] == "fill", align)

    @property
    def length(self) -> Size:
        """Of the list."""
        return self.rows + (self.align - 1) * minimum(self.experts + 1, self.rows)

    @property
    def tensor(self) -> Tensor:
        """The table, as a temporary."""
        return Tensor.dense(Shape((2 * self.experts + 4 + 2 * self.rows + self.length,), "i64"))

    @property
    def most_used(self) -> Size:
        """How many experts can have rows."""
        return minimum(self.experts, self.rows)

    def _part(self, code: KernelCode, position: int, name: str) -> Value:
        used, groups = self.experts + 3, 2 * self.experts + 4
        starts = {"bounds": 0, "used": used, "count": groups - 1, "groups": groups}
        starts |= {"places": groups + self.rows, "list": groups + 2 * self.rows}
        return code.code.pointer(code.pointer(position), code.size(starts[name]), I64)

    # -- reading
    def row(self, code: KernelCode, position: int, place: Value) -> Value:
        """The index of the row at a place of the list."""
        return code.code.load(self._part(code, position, "list"), place, I64)

    def place(self, code: KernelCode, position: int, row: Value) -> Value:
        """Where in the list a row is."""
        return code.code.load(self._part(code, position, "places"), row, I64)

    def rows_beside(self, code: KernelCode, position: int, row: Value) -> Value:
        """How many rows the expert of a row has."""
        first, last = self._range(code, position, code.code.load(self._part(code, position, "groups"), row, I64))
        return last - first

    def used(self, code: KernelCode, position: int, index: Value) -> tuple[Value, Value, Value]:
        """One of the experts that have rows, and its range in the list; past the last such expert the range is empty."""
        k = code.code
        there = index < k.load(self._part(code, position, "count"), 0, I64)
        expert = k.load(self._part(code, position, "used"), k.select(there, index, 0), I64)
        expert = k.select(there, expert, 0)
        first, last = self._range(code, position, expert)
        return expert, first, k.select(there, last, first)

    def _range(self, code: KernelCode, position: int, expert: Value) -> tuple[Value, Value]:
        bounds = self._part(code, position, "bounds")
        return self._aligned(code.code.load(bounds, expert, I64)), code.code.load(bounds, expert + 1, I64)

    def _aligned(self, place: Value) -> Value:
        return place if self.align == 1 else (place + (self.align - 1)).udiv(self.align) * self.align

    def fill_outside(
        self, code: KernelCode, position: int, out: Value, n: Value, columns: tuple[Value, Value], kinds: tuple[Type, Type]
    ) -> None:
        """Fill these columns of the rows whose expert does not exist; kinds are what is computed and what is stored."""
        k, (kind, stored) = code.code, kinds
        value = k.convert(k.constant(float("nan") if kind.is_float else 0, kind), stored)
        for place in k.range(*self._range(code, position, index_of(code, self.experts))):
            start = self.row(code, position, place) * n
            for at in k.range(*columns):
                k.store(value, out, start + at)

    # -- writing
    def stage(self, op: Op, inputs: tuple[Tensor | None, ...], position: int) -> Stage:
        """Makes the table, in the temporary at a position, of the experts' numbers, which are the third operand."""
        experts, checks = inputs[2], op.attrs["check_bounds"]
        assert experts is not None
        key = ("expert rows", self, checks)
        return Stage("expert rows", key, (2, position), 1, lambda code: self._write(code, experts, checks))

    def _write(self, code: KernelCode, experts: Tensor, checks: bool) -> None:
        """A counting sort: count the rows of each expert, compute the offsets, then place every row."""
        k, rows, number = code.code, index_of(code, self.rows), index_of(code, self.experts)
        bounds, used, groups, places, listed = (
            self._part(code, 1, name) for name in ("bounds", "used", "groups", "places", "list")
        )
        for at in k.range(number + 3):
            k.store(0, bounds, at, I64)
        for row in k.range(rows):
            group = self._group(code, experts, row, checks)
            k.store(group, groups, row)
            place = group + 2
            k.store(k.load(bounds, place, I64) + 1, bounds, place)
        found = k.var(0, I64)
        for expert in k.range(number):
            # bounds[expert + 1] is where its rows begin, bounds[expert + 2] how many there are
            count = k.load(bounds, expert + 2, I64)
            k.store(self._aligned(k.load(bounds, expert + 1, I64) + count), bounds, expert + 2)
            with k.when(count > 0):
                k.store(expert, used, found.get())
                found.set(found.get() + 1)
        k.store(found.get(), self._part(code, 1, "count"), 0)
        for row in k.range(rows):
            place = k.load(groups, row, I64) + 1
            following = k.load(bounds, place, I64)
            k.store(row, listed, following)
            k.store(following, places, row)
            k.store(following + 1, bounds, place)

    def _group(self, code: KernelCode, experts: Tensor, row: Value, checks: bool) -> Value:
        """The expert of a row, or E for one that is filled because its expert does not exist; that is reported if it is an error."""
        k, at = code.code, row * code.size(experts.strides[0])
        position, outside = read_position(code, code.pointer(0), at, experts.dtype, self.experts)
        if checks:
            with k.when(outside):
                code.fail(OUT_OF_BOUNDS)
        return k.select(outside, index_of(code, self.experts), position) if self.fills else position
