"""Products of blocks inside a factorization: tiles of registers, all operands in block columns of one width.

The functions are internal to a module, made once for each element type and width: a factorization calls them from many places.
Row counts and depths are multiples of `INNER`, columns too; the memory of a block column is padded so that they can be.
"""

from __future__ import annotations

from typing import Literal

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import I64, PTR, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.matmul.tile import Tile, product_tile

INNER = 16
"""Columns that are factored without blocks: every register width divides it."""

Form = Literal["subtract", "transposed", "plain"]
"""c -= a·b, c = aᵀ·b, or c = a·b."""


def product_function(module: Module, kind: Type, width: int, form: Form) -> Function:
    """`void (ptr c, ptr a, ptr b, i64 rows, i64 columns, i64 depth)` on row-major blocks whose rows are `width` apart."""

    def emit(k: Function) -> None:
        columns, lanes, whole = k.parameters[4], module.target.lanes(kind), k.index(0)
        if width >= 2 * lanes:
            whole = columns // (2 * lanes) * (2 * lanes)
            for column in k.range(0, whole, 2 * lanes):
                _column_of_tiles(k, kind, width, form, column, 2)
        if INNER % (2 * lanes):
            for column in k.range(whole, columns, lanes):
                _column_of_tiles(k, kind, width, form, column, 1)

    parameters = [(block, PTR) for block in "cab"] + [(size, I64) for size in ("rows", "columns", "depth")]
    return module.shared(f"linalg_{form}_{kind.name}_{width}", parameters, emit)


def _column_of_tiles(k: Function, kind: Type, width: int, form: Form, column: Value, vectors: int) -> None:
    """All rows of `vectors` vectors of c: the panel of b stays in the nearest cache."""
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
                place, total = (row + i) * width + column + j * lanes, sums[i][j]
                if form == "subtract":
                    total = k.load(c, place, total.type) - total
                k.store(total, c, place)
