"""The Cholesky factor: only the blocks on and below the diagonal are computed, those on it as full symmetric squares."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import Lower, Tensor
from rlx.backends.cpu.emit.values import I32, Value, type_of
from rlx.backends.cpu.kernels.linalg.block_columns import INNER, BlockColumns, load_block, product_function, store_part
from rlx.backends.cpu.kernels.linalg.factorization import Factorization, View, Work, lower_by
from rlx.backends.cpu.kernels.movement.runs import fill_run
from rlx.ir.op import Op


@dataclass(frozen=True, kw_only=True)
class CholeskyFactors(Factorization):
    """The lower Cholesky factor of `a`. The side data of a matrix is one number: 0, or NaN if the matrix is not positive definite."""

    a: View
    result: View

    def load(self, work: Work, block: Value) -> None:
        """Load the rows from the diagonal on; squares of INNER on the diagonal get their lower triangle on both sides."""
        k, kind, width = work.basics
        n, first = work.size(self.layout.columns), block * width
        columns = k.minimum(n - first, width)
        start, source = work.block(block, first), self.a.at(work, first, first)
        sizes = n - first, columns
        load_block(work.code, kind, width, start, source, self.a.inner, sizes, work.size(self.layout.height) - first)
        for row in k.range(1, columns):
            for column in k.range(row & -INNER, row):
                k.store(k.load(start, row * width + column, kind), start, column * width + row)
        with k.when(block == 0):
            k.store(0.0, work.side, 0, kind)

    def subtract(self, work: Work, done: Value, block: Value) -> None:
        """Subtract l·lᵀ: the rows of block `done` that belong to the columns of `block`, transposed, times its rows from there on."""
        first, columns = block * self.layout.width, work.used_columns(block)
        rows = work.block(done, first)
        _transpose(work, rows, columns, self.layout.width)
        height = work.size(self.layout.height) - first
        work.product("subtract", work.block(block, first), rows, work.scratch, height, columns, self.layout.width)

    def factor(self, work: Work, block: Value) -> None:
        """Factor a block by panels of INNER columns; l·lᵀ of each is subtracted from the columns right of it."""
        k, kind, width = work.basics
        first, columns, height = block * width, work.used_columns(block), work.size(self.layout.height)
        product = product_function(k.module, kind, width, "subtract")
        for column in k.range(0, columns, INNER):
            row, right = first + column, columns - column - INNER
            corner = work.block(block, row, column)
            left = work.size(self.layout.rows) - row
            for step in k.range(k.minimum(INNER, left)):
                _eliminate(work, corner, step, left)
            below = k.pointer(corner, INNER * width, kind)
            _transpose(work, below, right, INNER)
            k.call(product, k.pointer(below, INNER, kind), below, work.scratch, height - row - INNER, right, INNER)

    def finish(self, work: Work, number: Value) -> None:
        """Store a block of the result: zeros above the diagonal, the factor below it, NaN where there is no factor."""
        k, kind, width = work.basics
        n, first = work.size(self.layout.columns), number * width
        columns, stride = k.minimum(n - first, width), self.result.inner[1]
        missing = k.load(work.side, 0, kind)
        with k.when(k.is_nan(missing)):
            for row in k.range(n):
                fill_run(work.code, work.block(number, row), missing, columns)
        for row in k.range(n):
            part = 0, row + 1 - first
            store_part(work.code, kind, self.result.at(work, row, first), stride, work.block(number, row), columns, part)


def _eliminate(work: Work, corner: Value, step: Value, rows: Value) -> None:
    """Divide a column by the root of its diagonal element, and subtract its multiples from the columns after it."""
    k, kind, width = work.basics
    vector = kind.vector(k.target.lanes(kind))
    line = k.pointer(corner, step * width, kind)
    square = k.load(line, step, kind)
    with k.when(~(square > 0.0)):
        k.store(math.nan, work.side, 0, kind)
    root = k.sqrt(square)
    scale = k.splat(k.constant(1, kind) / root, vector.lanes)  # no root is so small that this overflows
    starts = range(0, INNER, vector.lanes)
    here = k.splat(k.convert(step, I32), vector.lanes)
    lanes = [k.iota(I32.vector(vector.lanes), start) for start in starts]
    scaled = [k.load(line, start, vector) * scale for start in starts]
    for start, numbers, lane in zip(starts, scaled, lanes, strict=True):
        old = k.load(line, start, vector)
        k.store(k.select(lane < here, old, numbers), line, start)
    k.store(root, line, step)
    for other in k.range(step + 1, rows):
        at = k.pointer(corner, other * width, kind)
        factor = k.splat(k.load(at, step, kind), vector.lanes) * scale
        for start, numbers, lane in zip(starts, scaled, lanes, strict=True):
            old = k.load(at, start, vector)
            new = k.select(lane > here, k.fma(-factor, numbers, old), old)
            k.store(k.select(lane == here, factor, new), at, start)


def _transpose(work: Work, rows: Value, count: Value, columns: int) -> None:
    """Transpose `count` rows of a block, so many columns, in registers, into the thread's scratch."""
    k, kind, width = work.basics
    side = k.target.lanes(kind)
    vector = kind.vector(side)
    for row in k.range(0, count, side):
        for column in k.range(0, columns, side):
            square = [k.load(rows, (row + i) * width + column, vector) for i in range(side)]
            for i, line in enumerate(k.transpose(square)):
                k.store(line, work.scratch, (column + i) * width + row)


def _factorization(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Factorization:
    (a,) = inputs
    kind = type_of(a.dtype.name)
    layout = BlockColumns(kind, a.dims[:-2], a.dims[-1], a.dims[-1])
    view, result = (View.of(number, tensor, transposed=op["upper"]) for number, tensor in ((0, a), (1, outputs[0])))
    return CholeskyFactors(layout, layout.factored, layout.count, kind, 1, layout.width * layout.width, a=view, result=result)


LOWER: dict[str, Lower] = {"cholesky": lower_by(_factorization)}
"""The ops of this file by name."""
