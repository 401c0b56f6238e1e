"""Which rows of x belong to which expert, for products computed expert by expert; and how rows with a nonexistent expert are handled."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import I64, Type, Value
from rlx.backends.cpu.emit.kernel import KernelCode, Stage, Tensor
from rlx.backends.cpu.kernels.movement.gather import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.core.dim import Size, minimum
from rlx.core.shape import Shape
from rlx.ir.op import Op

__all__ = ["RowTable"]


@dataclass(frozen=True)
class RowTable:
    """The rows of every expert in one table of i64, which a stage of its own writes and products of the same rows share:

    rows     M       the indices of all rows, grouped by expert, in order; then those without an expert
    bounds   E + 3   from `bounds[e]` to `bounds[e + 1]` are the rows of expert e; E stands for no expert
    used     E       the experts that have rows
    count    1       how many those are
    places   M       where in the list each row is
    """

    rows: Size
    experts: Size
    fills: bool

    @staticmethod
    def of(op: Op, x: Tensor, weights: Tensor) -> RowTable:
        """Of a product of x and the weights of all experts."""
        return RowTable(x.dims[0], weights.dims[0], op.attrs["mode"] == "fill")

    @property
    def tensor(self) -> Tensor:
        """The table, as a temporary."""
        return Tensor.dense(Shape((2 * self.rows + 2 * self.experts + 4,), "i64"))

    @property
    def most_used(self) -> Size:
        """How many experts can have rows."""
        return minimum(self.experts, self.rows)

    def _part(self, code: KernelCode, position: int, name: str) -> Value:
        bounds, used = self.rows, self.rows + self.experts + 3
        count = used + self.experts
        start = {"rows": 0, "bounds": bounds, "used": used, "count": count, "places": count + 1}[name]
        return code.code.pointer(code.pointer(position), code.size(start), I64)

    # -- reading
    def row(self, code: KernelCode, position: int, index: Value) -> Value:
        """The index of the row at a position of the list."""
        return code.code.load(self._part(code, position, "rows"), index, I64)

    def place(self, code: KernelCode, position: int, row: Value) -> Value:
        """Where in the list a row is."""
        return code.code.load(self._part(code, position, "places"), row, I64)

    def used(self, code: KernelCode, position: int, index: Value) -> tuple[Value, Value, Value]:
        """One of the experts that have rows, and its range in the list; past the last such expert the range is empty."""
        k = code.code
        there = index < k.load(self._part(code, position, "count"), 0, I64)
        expert = k.load(self._part(code, position, "used"), k.select(there, index, 0), I64)
        expert = k.select(there, expert, 0)
        first, last = self._bounds(code, position, expert)
        return expert, first, k.select(there, last, first)

    def _bounds(self, code: KernelCode, position: int, expert: Value) -> tuple[Value, Value]:
        bounds = self._part(code, position, "bounds")
        return code.code.load(bounds, expert, I64), code.code.load(bounds, expert + 1, I64)

    def fill_outside(
        self,
        code: KernelCode,
        position: int,
        out: Value,
        n: Value,
        columns: tuple[Value, Value],
        kinds: tuple[Type, Type],
    ) -> None:
        """Fill these columns of the rows whose expert does not exist; kinds are what is computed and what is stored."""
        k, (kind, stored) = code.code, kinds
        value = k.convert(k.constant(float("nan") if kind.is_float else 0, kind), stored)
        for place in k.range(*self._bounds(code, position, index_of(code, self.experts))):
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

    def _group(self, code: KernelCode, experts: Tensor, row: Value) -> tuple[Value, Value]:
        """The expert of a row, or E for one that is filled because its expert does not exist; and whether it does not."""
        k, at = code.code, row * code.size(experts.strides[0])
        position, outside = read_position(code, code.pointer(0), at, experts.dtype, self.experts)
        return k.select(outside, index_of(code, self.experts), position) if self.fills else position, outside

    def _write(self, code: KernelCode, experts: Tensor, checks: bool) -> None:
        """A counting sort: count the rows of each expert, compute the offsets, then place every row."""
        k, rows = code.code, index_of(code, self.rows)
        number, bounds = index_of(code, self.experts), self._part(code, 1, "bounds")
        for at in k.range(number + 3):
            k.store(0, bounds, at, I64)
        for row in k.range(rows):
            group, outside = self._group(code, experts, row)
            if checks:
                with k.when(outside):
                    code.fail(OUT_OF_BOUNDS)
            place = group + 2
            k.store(k.load(bounds, place, I64) + 1, bounds, place)
        found, used = k.var(0, I64), self._part(code, 1, "used")
        for expert in k.range(number):
            # bounds[expert + 1] is where its rows begin, bounds[expert + 2] how many there are
            count = k.load(bounds, expert + 2, I64)
            k.store(k.load(bounds, expert + 1, I64) + count, bounds, expert + 2)
            with k.when(count > 0):
                k.store(expert, used, found.get())
                found.set(found.get() + 1)
        k.store(found.get(), self._part(code, 1, "count"), 0)
        for row in k.range(rows):
            place = self._group(code, experts, row)[0] + 1
            following = k.load(bounds, place, I64)
            k.store(row, self._part(code, 1, "rows"), following)
            k.store(following, self._part(code, 1, "places"), row)
            k.store(following + 1, bounds, place)
