"""Triangular systems inside a factorization: the right-hand sides are rows of a block column."""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import I64, PTR, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.products import INNER, product_function

_VECTORS = 4
"""Vectors of columns solved at a time: enough independent sums to hide their latency."""


def solve_function(module: Module, kind: Type, width: int, *, lower: bool, unit: bool) -> Function:
    """`void (ptr x, ptr a, i64 size, i64 columns)`: x = a⁻¹·x for a triangle of `size` rows; the padding after them is not touched.

    Substitution by blocks of INNER rows; after each, a product subtracts it from the rows that are left.
    """
    rows = rows_function(module, kind, width, lower=lower, unit=unit)
    subtract = product_function(module, kind, width, "subtract")

    def emit(k: Function) -> None:
        x, a, size, columns = k.parameters
        whole = (size + (INNER - 1)) & -INNER
        for step in k.range(0, whole, INNER):
            first = step if lower else whole - INNER - step
            here = k.pointer(x, first * width, kind)
            k.call(rows, here, k.pointer(a, first * (width + 1), kind), k.minimum(size - first, INNER), columns)
            others = first + INNER if lower else k.index(0)
            rest = k.pointer(a, others * width + first, kind)
            k.call(subtract, k.pointer(x, others * width, kind), rest, here, whole - INNER - step, columns, INNER)

    parameters = [("x", PTR), ("a", PTR), ("size", I64), ("columns", I64)]
    return module.shared(f"linalg_solve_{_title(kind, width, lower, unit)}", parameters, emit)


def rows_function(module: Module, kind: Type, width: int, *, lower: bool, unit: bool) -> Function:
    """`void (ptr x, ptr a, i64 rows, i64 columns)`: the same for at most INNER rows, without blocks."""

    def emit(k: Function) -> None:
        columns, lanes, whole = k.parameters[3], module.target.lanes(kind), k.index(0)
        if width >= _VECTORS * lanes:
            whole = columns // (_VECTORS * lanes) * (_VECTORS * lanes)
            for column in k.range(0, whole, _VECTORS * lanes):
                _substitute(k, kind, width, column, _VECTORS, lower, unit)
        if INNER % (_VECTORS * lanes):
            for column in k.range(whole, columns, lanes):
                _substitute(k, kind, width, column, 1, lower, unit)

    parameters = [("x", PTR), ("a", PTR), ("rows", I64), ("columns", I64)]
    return module.shared(f"linalg_rows_{_title(kind, width, lower, unit)}", parameters, emit)


def _substitute(k: Function, kind: Type, width: int, column: Value, vectors: int, lower: bool, unit: bool) -> None:
    """Some vectors of columns, row after row."""
    x, a, rows, _ = k.parameters
    vector = kind.vector(k.target.lanes(kind))
    places = [column + i * vector.lanes for i in range(vectors)]
    for step in k.range(rows):
        row = step if lower else rows - 1 - step
        values = [k.var(k.load(x, row * width + place, vector)) for place in places]
        for other in k.range(0, row) if lower else k.range(row + 1, rows):
            factor = -k.splat(k.load(a, row * width + other, kind), vector.lanes)
            for value, place in zip(values, places, strict=True):
                value.set(k.fma(factor, k.load(x, other * width + place, vector), value.get()))
        for value, place in zip(values, places, strict=True):
            found = value.get() if unit else value.get() / k.splat(k.load(a, row * (width + 1), kind), vector.lanes)
            k.store(found, x, row * width + place)


def _title(kind: Type, width: int, lower: bool, unit: bool) -> str:
    return f"{'lower' if lower else 'upper'}{'_unit' if unit else ''}_{kind.name}_{width}"
