"""Matrices in block columns, and the products and triangular systems of blocks.

A matrix is stored in block columns `[block, row, column within the block]`: rows of a block are near each other whatever the size of
the matrix, so products read them where they are. Rows are padded with zeros to a multiple of INNER.

The functions of blocks are internal to a module, one for each element type and width: a factorization calls them from many places.
Their row counts, column counts and depths are multiples of INNER, for which the padding of a block column has the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import I32, I64, PTR, Operand, Type, Value
from rlx.backends.cpu.kernels.matmul.tile import Tile, product_tile
from rlx.backends.cpu.kernels.movement.runs import copy_run, fill_run
from rlx.core.dim import Size, ceildiv, minimum, product, proves_at_most, round_up

INNER = 16
"""Columns that are factored without blocks: every register width divides it."""
BLOCK = 64
"""Columns of a block: deep enough for the products of tasks, narrow enough for its factorization to be a small part."""
_VECTORS = 4
"""Vectors of columns solved at a time: enough independent sums to hide their latency."""


@dataclass(frozen=True)
class BlockColumns:
    """Matrices in block columns: `columns` columns of `rows` rows, in blocks of `width`; `more` columns start in a block of their own."""

    kind: Type
    batch: tuple[Size, ...]
    rows: Size
    columns: Size
    more: Size = 0

    @property
    def width(self) -> int:
        """Columns of a block: fewer if all columns are known to fit."""
        fitting = (
            width for width in range(INNER, BLOCK, INNER) if all(proves_at_most(size, width) for size in (self.columns, self.more))
        )
        return next(fitting, BLOCK)

    @property
    def height(self) -> Size:
        """Rows of a block, with padding."""
        return round_up(self.rows, INNER)

    @property
    def steps(self) -> Size:
        """Columns with a diagonal element, which a factorization eliminates or reflects."""
        return minimum(self.rows, self.columns)

    @property
    def factored(self) -> Size:
        """Blocks with columns that have a diagonal element."""
        return ceildiv(self.steps, self.width)

    @property
    def first_more(self) -> Size:
        """The index of the first block of the `more` columns."""
        return ceildiv(self.columns, self.width)

    @property
    def count(self) -> Size:
        """Blocks of one matrix."""
        return self.first_more + ceildiv(self.more, self.width)

    @property
    def block_size(self) -> Size:
        """Elements of a block column."""
        return self.height * self.width

    @property
    def size(self) -> Size:
        """Elements of one matrix in block columns."""
        return self.count * self.block_size

    @property
    def number(self) -> Size:
        """The number of matrices in the batch."""
        return product(self.batch)


def load_block(
    code: KernelCode,
    kind: Type,
    width: int,
    block: Value,
    source: Value,
    strides: tuple[Size, Size],
    sizes: tuple[Value, Value],
    height: Value,
) -> None:
    """Copy rows and columns of a strided matrix into a block, with zeros around them up to `height` and a multiple of INNER."""
    k, zero = code.code, code.code.constant(0, kind)
    rows, columns = sizes
    used = round_up_inner(columns)
    for row in k.range(rows):
        target = k.pointer(block, row * width, kind)
        copy_run(code, kind, target, k.pointer(source, row * code.size(strides[0]), kind), strides[1], columns)
        for column in k.range(columns, used):
            k.store(zero, target, column)
    for row in k.range(rows, height):
        fill_run(code, k.pointer(block, row * width, kind), zero, used)


def store_block(
    code: KernelCode, kind: Type, width: int, target: Value, strides: tuple[Size, Size], block: Value, sizes: tuple[Value, Value]
) -> None:
    """Copy rows and columns of a block into a strided matrix."""
    k = code.code
    rows, columns = sizes
    for row in k.range(rows):
        line = k.pointer(target, row * code.size(strides[0]), kind)
        copy_run(code, kind, line, k.pointer(block, row * width, kind), 1, columns, strides[1])


def store_part(
    code: KernelCode, kind: Type, target: Value, stride: Size, source: Value, columns: Value, part: tuple[Operand, Operand]
) -> None:
    """Store columns of one row of a triangle, with zeros outside of `part`, first to before last."""
    k, vector = code.code, kind.vector(code.target.lanes(kind))
    first, last = (k.splat(k.convert(k.index(bound), I32), vector.lanes) for bound in part)

    def load(start: Value) -> Value:
        lane = k.iota(I32.vector(vector.lanes)) + k.splat(k.convert(start, I32), vector.lanes)
        return k.select((lane >= first) & (lane < last), k.load(source, start, vector), 0.0)

    in_vectors = columns // vector.lanes * vector.lanes
    if isinstance(stride, int) and stride == 1:
        for start in k.range(0, in_vectors, vector.lanes):
            k.store(load(start), target, start)
        with k.when(in_vectors < columns):
            k.store_masked(load(in_vectors), target, in_vectors, columns - in_vectors)
        return
    for column in k.range(columns):
        inside = (column >= part[0]) & (column < part[1])
        value = k.select(inside, k.load(source, column, kind), 0.0)
        k.store(value, target, column * code.size(stride))


def round_up_inner(columns: Value) -> Value:
    """Round up to the next multiple of INNER."""
    return (columns + (INNER - 1)) & -INNER


def swap_rows(code: KernelCode, kind: Type, width: int, block: Value, one: Value, other: Value) -> None:
    """Exchange two rows of a block."""
    k = code.code
    vector = kind.vector(min(width, code.target.lanes(kind)))
    with k.when(one != other):
        for column in range(0, width, vector.lanes):
            left, right = (k.load(block, row * width + column, vector) for row in (one, other))
            k.store(right, block, one * width + column)
            k.store(left, block, other * width + column)


# -- products -----------------------------------------------------------------------------------------------------
Form = Literal["subtract", "transposed", "plain"]
"""c -= a·b, c = aᵀ·b, or c = a·b."""


def product_function(module: Module, kind: Type, width: int, form: Form) -> Function:
    """`void (ptr c, ptr a, ptr b, i64 rows, i64 columns, i64 depth)` on row-major blocks whose rows are `width` apart."""

    def emit(k: Function) -> None:
        columns, lanes, done = k.parameters[4], module.target.lanes(kind), k.index(0)
        if width >= 2 * lanes:
            done = columns // (2 * lanes) * (2 * lanes)
            for column in k.range(0, done, 2 * lanes):
                _column_of_tiles(k, kind, width, form, column, 2)
        if INNER % (2 * lanes):
            for column in k.range(done, columns, lanes):
                _column_of_tiles(k, kind, width, form, column, 1)

    parameters = [(block, PTR) for block in "cab"] + [(size, I64) for size in ("rows", "columns", "depth")]
    return module.shared(f"linalg_{form}_{kind.name}_{width}", parameters, emit)


def _column_of_tiles(k: Function, kind: Type, width: int, form: Form, column: Value, vectors: int) -> None:
    """Multiply all rows of c by `vectors` vectors of columns: the panel of b stays in L1."""
    c, a, b, rows, _, depth = k.parameters
    height = 8 if k.target.vector_registers >= 32 else 4
    a_row, a_inner = (1, width) if form == "transposed" else (width, 1)
    lanes = k.target.lanes(kind)
    for row in k.range(0, rows, height):
        start = k.pointer(a, row * a_row, kind)
        tile = Tile(height, vectors, kind, start, a_row, a_inner, k.pointer(b, column, kind), width, kind)
        sums = product_tile(k, tile, depth, even=True)
        for i in range(height):
            for j in range(vectors):
                index, total = (row + i) * width + column + j * lanes, sums[i][j]
                if form == "subtract":
                    total = k.load(c, index, total.type) - total
                k.store(total, c, index)


# -- triangular systems, whose right-hand sides are rows of a block column ----------------------------------------
def solve_function(module: Module, kind: Type, width: int, *, lower: bool, unit: bool) -> Function:
    """`void (ptr x, ptr a, i64 size, i64 columns)`: x = a⁻¹·x for a triangle of `size` rows; the padding after them is not touched.

    Substitution by blocks of INNER rows; after each, a product subtracts it from the rows that are left.
    """
    rows = rows_function(module, kind, width, lower=lower, unit=unit)
    subtract = product_function(module, kind, width, "subtract")

    def emit(k: Function) -> None:
        x, a, size, columns = k.parameters
        padded_size = round_up_inner(size)
        for step in k.range(0, padded_size, INNER):
            first = step if lower else padded_size - INNER - step
            here = k.pointer(x, first * width, kind)
            k.call(rows, here, k.pointer(a, first * (width + 1), kind), k.minimum(size - first, INNER), columns)
            others = first + INNER if lower else k.index(0)
            rest = k.pointer(a, others * width + first, kind)
            k.call(subtract, k.pointer(x, others * width, kind), rest, here, padded_size - INNER - step, columns, INNER)

    parameters = [("x", PTR), ("a", PTR), ("size", I64), ("columns", I64)]
    return module.shared(f"linalg_solve_{_suffix(kind, width, lower, unit)}", parameters, emit)


def rows_function(module: Module, kind: Type, width: int, *, lower: bool, unit: bool) -> Function:
    """`void (ptr x, ptr a, i64 rows, i64 columns)`: `solve_function` for at most INNER rows, without blocks."""

    def emit(k: Function) -> None:
        columns, lanes, done = k.parameters[3], module.target.lanes(kind), k.index(0)
        if width >= _VECTORS * lanes:
            done = columns // (_VECTORS * lanes) * (_VECTORS * lanes)
            for column in k.range(0, done, _VECTORS * lanes):
                _substitute(k, kind, width, column, _VECTORS, lower, unit)
        if INNER % (_VECTORS * lanes):
            for column in k.range(done, columns, lanes):
                _substitute(k, kind, width, column, 1, lower, unit)

    parameters = [("x", PTR), ("a", PTR), ("rows", I64), ("columns", I64)]
    return module.shared(f"linalg_rows_{_suffix(kind, width, lower, unit)}", parameters, emit)


def _substitute(k: Function, kind: Type, width: int, column: Value, vectors: int, lower: bool, unit: bool) -> None:
    """Substitute some vectors of columns, row after row."""
    x, a, rows, _ = k.parameters
    vector = kind.vector(k.target.lanes(kind))
    starts = [column + i * vector.lanes for i in range(vectors)]
    for step in k.range(rows):
        row = step if lower else rows - 1 - step
        values = [k.var(k.load(x, row * width + start, vector)) for start in starts]
        for other in k.range(0, row) if lower else k.range(row + 1, rows):
            factor = -k.splat(k.load(a, row * width + other, kind), vector.lanes)
            for value, start in zip(values, starts, strict=True):
                value.set(k.fma(factor, k.load(x, other * width + start, vector), value.get()))
        for value, start in zip(values, starts, strict=True):
            solution = value.get() if unit else value.get() / k.splat(k.load(a, row * (width + 1), kind), vector.lanes)
            k.store(solution, x, row * width + start)


def _suffix(kind: Type, width: int, lower: bool, unit: bool) -> str:
    return f"{'lower' if lower else 'upper'}{'_unit' if unit else ''}_{kind.name}_{width}"
