"""LU with partial pivoting in block columns: a block is factored by panels of INNER columns, the others are updated by products."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import I32, I64, Type
from rlx.backends.cpu.emit.values import Value, Variable
from rlx.backends.cpu.kernels.linalg.block_columns import BlockColumns, Tasks, swap_rows
from rlx.backends.cpu.kernels.linalg.commands import Work
from rlx.backends.cpu.kernels.linalg.products import INNER, product_function
from rlx.backends.cpu.kernels.linalg.triangles import rows_function, solve_function
from rlx.core.dim import Size, ceildiv, minimum

SINGULAR = 511
"""The number reported for a matrix without an inverse: error RLX511."""


@dataclass(frozen=True)
class Elimination:
    """The elimination of one matrix, whose side are the pivots (i32); whether a pivot of 0 is an error."""

    work: Work
    must_be_regular: bool = False

    @property
    def steps(self) -> Size:
        """Columns that are eliminated."""
        return minimum(self.layout.rows, self.layout.columns)

    def tasks(self) -> Tasks:
        """Factor and subtract, as the tasks of a matrix."""
        factored = ceildiv(self.steps, self.layout.width)
        return Tasks(self.code, factored, self.layout.count, self.factor, self.subtract)

    @property
    def code(self) -> KernelCode:
        """The kernel under construction."""
        return self.work.code

    @property
    def layout(self) -> BlockColumns:
        """The blocks of the matrix."""
        return self.work.layout

    def subtract(self, done: Value, number: Value) -> None:
        """Give block `number` the row order of block `done`, solve for its rows of u, and subtract l·u from the rows below."""
        k, layout, kind, width = self.code.code, self.layout, self.layout.kind, self.layout.width
        block, factors, columns = self.work.block(number), self.work.block(done), self.work.used(number)
        first, height = done * width, self.work.size(layout.height)
        inside, below = k.minimum(self.work.size(self.steps) - first, width), first + width
        for step in k.range(first, first + inside):
            swap_rows(self.code, kind, width, block, step, self.pivot(step))
        upper, left = (k.pointer(at, first * width, kind) for at in (block, factors))
        solve = solve_function(k.module, kind, width, lower=True, unit=True)
        k.call(solve, upper, left, inside, columns)
        rest, others = (k.pointer(at, below * width, kind) for at in (block, factors))
        product = product_function(k.module, kind, width, "subtract")
        k.call(product, rest, others, upper, height - below, columns, width)

    def pivot(self, step: Value) -> Value:
        """The row that a row changed places with."""
        return self.code.code.convert(self.code.code.load(self.work.side, step, I32), I64)

    # -- one block
    def factor(self, number: Value) -> None:
        """Factor a block: panels of INNER columns, each followed by the update of the columns right of it."""
        k, layout, kind, width = self.code.code, self.layout, self.layout.kind, self.layout.width
        block, columns, first = self.work.block(number), self.work.used(number), number * width
        height = self.work.size(layout.height)
        product = product_function(k.module, kind, width, "subtract")
        solve = rows_function(k.module, kind, width, lower=True, unit=True)
        last = k.minimum(width, self.work.size(self.steps) - first)
        for column in k.range(0, last, INNER):
            row, right, count = first + column, column + INNER, k.minimum(INNER, last - column)
            self._panel(block, row, column, count)
            corner = k.pointer(block, row * width + column, kind)
            beside, below = k.pointer(corner, INNER, kind), k.pointer(corner, INNER * width, kind)
            k.call(solve, beside, corner, count, columns - right)
            rest = k.pointer(below, INNER, kind)
            k.call(product, rest, below, beside, height - row - INNER, columns - right, INNER)

    def _panel(self, block: Value, first: Value, column: Value, count: Value) -> None:
        """`count` columns without blocks. While a step updates the rows it finds the pivot of the next one."""
        k, kind, width = self.code.code, self.layout.kind, self.layout.width
        rows = self.work.size(self.layout.rows)
        search = _PivotSearch.of(k, kind, first)
        for row in k.range(first, rows):
            search.consider(row, k.load(block, row * width + column, kind))
        for step in k.range(count):
            self._step(block, first + step, column, step, search)

    def _step(self, block: Value, row: Value, column: Value, step: Value, search: _PivotSearch) -> None:
        """Bring the pivot to its row, divide the column by it, and subtract multiples of its row from the rows below."""
        k, kind, width = self.code.code, self.layout.kind, self.layout.width
        vector = kind.vector(k.target.lanes(kind))
        chosen = search.place.get()
        k.store(k.convert(chosen, I32), self.work.side, row)
        swap_rows(self.code, kind, width, block, row, chosen)
        line = k.pointer(block, row * width + column, kind)
        pivot = k.load(line, step, kind)
        if self.must_be_regular:
            with k.when(pivot == 0.0):
                self.code.fail(SINGULAR)
        divisor = k.select(pivot == 0.0, 1.0, pivot)  # a column of zeros stays one
        places = range(0, INNER, vector.lanes)
        lanes = [k.iota(I32.vector(vector.lanes), start) for start in places]
        here = k.convert(step, I32)
        at_step = [numbers == k.splat(here, vector.lanes) for numbers in lanes]
        after = [numbers > k.splat(here, vector.lanes) for numbers in lanes]
        pivot_row = [k.load(line, start, vector) for start in places]
        following = k.minimum(step + 1, INNER - 1)
        beside = k.load(line, following, kind)
        search.begin(row + 1)
        for other in k.range(row + 1, self.work.size(self.layout.rows)):
            at = k.pointer(block, other * width + column, kind)
            factor = k.load(at, step, kind) / divisor
            search.consider(other, k.fma(-factor, beside, k.load(at, following, kind)))
            for start, numbers, single, right in zip(places, pivot_row, at_step, after, strict=True):
                old = k.load(at, start, vector)
                new = k.select(right, k.fma(-k.splat(factor, vector.lanes), numbers, old), old)
                k.store(k.select(single, k.splat(factor, vector.lanes), new), at, start)


@dataclass(frozen=True)
class _PivotSearch:
    """The largest magnitude so far and its row; the first of equals wins. Magnitudes are compared by their bits: NaN is the largest."""

    k: Function
    best: Variable
    place: Variable

    @staticmethod
    def of(k: Function, kind: Type, row: Value) -> _PivotSearch:
        """From a row on."""
        return _PivotSearch(k, k.var(-1, I32 if kind.bits == 32 else I64), k.var(row))

    def begin(self, row: Value) -> None:
        """A new column, from a row on."""
        self.best.set(-1)
        self.place.set(row)

    def consider(self, row: Value, number: Value) -> None:
        """The element of one row."""
        k, best = self.k, self.best.get()
        bits = k.bitcast(k.abs(number), best.type)
        self.place.set(k.select(bits > best, row, self.place.get()))
        self.best.set(k.maximum(bits, best))
