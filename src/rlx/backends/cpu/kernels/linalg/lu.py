"""LU with partial pivoting in block columns: a block is factored by panels of INNER columns, the others are updated by products."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import Lower, Tensor
from rlx.backends.cpu.emit.values import I32, I64, Value, Variable, type_of
from rlx.backends.cpu.kernels.linalg.block_columns import INNER, BlockColumns, product_function, rows_function, solve_function
from rlx.backends.cpu.kernels.linalg.factorization import Factorization, View, Work, lower_by
from rlx.core.dim import maximum
from rlx.ir.op import Op

SINGULAR = 511
"""The number reported for a matrix without an inverse: error RLX511."""


def read_pivot(work: Work, step: Value) -> Value:
    """The row that was exchanged with row `step`. The pivots (i32) are the side data of a matrix in LU."""
    return work.k.convert(work.k.load(work.side, step, I32), I64)


def subtract_block(work: Work, done: Value, number: Value) -> None:
    """Update block `number` in LU: apply the row order of block `done`, solve for its rows of u, subtract l·u from the rows below."""
    k, kind, width = work.basics
    block, factors, columns = work.block(number), work.block(done), work.used_columns(number)
    first, height = done * width, work.size(work.layout.height)
    inside, below = k.minimum(work.size(work.layout.steps) - first, width), first + width
    for step in k.range(first, first + inside):
        work.swap_rows(block, step, read_pivot(work, step))
    upper, left = (k.pointer(at, first * width, kind) for at in (block, factors))
    solve = solve_function(k.module, kind, width, lower=True, unit=True)
    k.call(solve, upper, left, inside, columns)
    rest, others = (k.pointer(at, below * width, kind) for at in (block, factors))
    work.product("subtract", rest, others, upper, height - below, columns, width)


def factor_block(work: Work, number: Value, *, must_be_regular: bool = False) -> None:
    """Factor a block in LU by panels of INNER columns, each followed by the update of the columns right of it."""
    k, kind, width = work.basics
    block, columns, first = work.block(number), work.used_columns(number), number * width
    height = work.size(work.layout.height)
    product = product_function(k.module, kind, width, "subtract")
    solve = rows_function(k.module, kind, width, lower=True, unit=True)
    last = k.minimum(width, work.size(work.layout.steps) - first)
    for column in k.range(0, last, INNER):
        row, right, count = first + column, column + INNER, k.minimum(INNER, last - column)
        _factor_panel(work, block, row, column, count, must_be_regular)
        corner = k.pointer(block, row * width + column, kind)
        beside, below = k.pointer(corner, INNER, kind), k.pointer(corner, INNER * width, kind)
        k.call(solve, beside, corner, count, columns - right)
        rest = k.pointer(below, INNER, kind)
        k.call(product, rest, below, beside, height - row - INNER, columns - right, INNER)


def _factor_panel(work: Work, block: Value, first: Value, column: Value, count: Value, must_be_regular: bool) -> None:
    """Factor `count` columns without blocks. While a step updates the rows, it searches for the pivot of the next step."""
    k, kind, width = work.basics
    rows = work.size(work.layout.rows)
    search = _PivotSearch(k, k.var(-1, I32 if kind.bits == 32 else I64), k.var(first))
    for row in k.range(first, rows):
        search.consider(row, k.load(block, row * width + column, kind))
    for step in k.range(count):
        _eliminate(work, block, first + step, column, step, search, must_be_regular)


def _eliminate(
    work: Work, block: Value, row: Value, column: Value, step: Value, search: _PivotSearch, must_be_regular: bool
) -> None:
    """Exchange the pivot's row into position, divide the column by the pivot, and subtract multiples of its row from the rows below."""
    k, kind, width = work.basics
    vector = kind.vector(k.target.lanes(kind))
    pivot_row = search.row.get()
    k.store(k.convert(pivot_row, I32), work.side, row)
    work.swap_rows(block, row, pivot_row)
    line = k.pointer(block, row * width + column, kind)
    pivot = k.load(line, step, kind)
    if must_be_regular:
        with k.when(pivot == 0.0):
            work.code.fail(SINGULAR)
    divisor = k.select(pivot == 0.0, 1.0, pivot)  # a column of zeros stays one
    starts = range(0, INNER, vector.lanes)
    lanes = [k.iota(I32.vector(vector.lanes), start) for start in starts]
    here = k.convert(step, I32)
    at_step = [numbers == k.splat(here, vector.lanes) for numbers in lanes]
    after = [numbers > k.splat(here, vector.lanes) for numbers in lanes]
    pivot_line = [k.load(line, start, vector) for start in starts]
    following = k.minimum(step + 1, INNER - 1)
    beside = k.load(line, following, kind)
    search.begin(row + 1)
    for other in k.range(row + 1, work.size(work.layout.rows)):
        at = k.pointer(block, other * width + column, kind)
        factor = k.load(at, step, kind) / divisor
        search.consider(other, k.fma(-factor, beside, k.load(at, following, kind)))
        for start, numbers, single, right in zip(starts, pivot_line, at_step, after, strict=True):
            old = k.load(at, start, vector)
            new = k.select(right, k.fma(-k.splat(factor, vector.lanes), numbers, old), old)
            k.store(k.select(single, k.splat(factor, vector.lanes), new), at, start)


@dataclass(frozen=True)
class _PivotSearch:
    """Searches the pivot: the largest magnitude so far and its row, the first of equals. NaN is the largest: bits are compared."""

    k: Function
    best: Variable
    row: Variable

    def begin(self, row: Value) -> None:
        """Start the search in a new column, from a row on."""
        self.best.set(-1)
        self.row.set(row)

    def consider(self, row: Value, number: Value) -> None:
        """Compare the element of one row with the largest so far."""
        k, best = self.k, self.best.get()
        bits = k.bitcast(k.abs(number), best.type)
        self.row.set(k.select(bits > best, row, self.row.get()))
        self.best.set(k.maximum(bits, best))


@dataclass(frozen=True, kw_only=True)
class PackedFactors(Factorization):
    """LU of `a` in one matrix, with its pivots and the permutation."""

    a: View
    packed: View
    pivots: View
    permutation: View

    def load(self, work: Work, block: Value) -> None:
        """Load one block column of a for LU."""
        work.load(self.a, block, block, self.layout.columns)

    def factor(self, work: Work, block: Value) -> None:
        """Eliminate the columns of a block; a pivot of 0 is not an error."""
        factor_block(work, block)

    def subtract(self, work: Work, done: Value, block: Value) -> None:
        subtract_block(work, done, block)

    def finish(self, work: Work, number: Value) -> None:
        """Store a block of the factors in the final row order; the first block also stores the pivots."""
        k, steps = work.k, work.size(self.layout.steps)
        for step in k.range((number + 1) * self.layout.width, steps):
            work.swap_rows(work.block(number), step, read_pivot(work, step))
        work.store(self.packed, number, number, self.layout.columns)
        with k.when(number == 0):
            self._store_order(work, steps)

    def _store_order(self, work: Work, steps: Value) -> None:
        k, first = work.k, work.k.index(0)
        for row in k.range(work.size(self.layout.rows)):
            k.store(k.convert(row, I32), self.permutation.at(work, first, row), 0)
        for step in k.range(steps):
            pivot_row = read_pivot(work, step)
            k.store(k.convert(pivot_row, I32), self.pivots.at(work, first, step), 0)
            left, right = (self.permutation.at(work, first, row) for row in (step, pivot_row))
            numbers = [k.load(at, 0, I32) for at in (left, right)]
            k.store(numbers[1], left, 0)
            k.store(numbers[0], right, 0)


def _factorization(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Factorization:
    (a,) = inputs
    layout = BlockColumns(type_of(a.dtype.name), a.dims[:-2], a.dims[-2], a.dims[-1])
    return PackedFactors(
        layout,
        layout.factored,
        maximum(layout.count, 1),
        I32,
        layout.steps,
        a=View.of(0, a),
        packed=View.of(1, outputs[0]),
        pivots=View.vectors(2, outputs[1], as_rows=True),
        permutation=View.vectors(3, outputs[2], as_rows=True),
    )


LOWER: dict[str, Lower] = {"lu": lower_by(_factorization)}
"""The ops of this file by name."""
