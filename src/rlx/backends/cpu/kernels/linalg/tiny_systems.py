"""Tiny linear systems by Gaussian elimination with partial pivoting, one matrix per unit, without blocks and their padding.

Matrix and right-hand sides are adjacent in scratch; rows below a pivot are updated in vectors, then the right-hand sides
are solved by back substitution. A pivot of exactly 0 is reported: the run raises RLX511.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Stage
from rlx.backends.cpu.emit.types import I64, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.elimination import SINGULAR
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.core.dim import Size, minimum, product

TINY = 7
"""The largest size that is solved here."""


@dataclass(frozen=True)
class TinySystem:
    """Sizes and strides: batch axes, then rows and columns; a vector b is one column."""

    kind: Type
    batch: tuple[Size, ...]
    n: Size
    columns: Size
    a_strides: tuple[Size, ...]
    b_strides: tuple[Size, ...]
    out_strides: tuple[Size, ...]


class _RowElimination:
    """The work on one matrix in scratch: rows of n + columns numbers."""

    def __init__(self, code: KernelCode, system: TinySystem) -> None:
        self.code, self.system, self.k = code, system, code.code
        self.n, self.columns = index_of(code, system.n), index_of(code, system.columns)
        self.width = self.n + self.columns
        self.lanes = code.target.lanes(system.kind)

    def row(self, index: Value) -> Value:
        """Where a row starts."""
        return self.k.pointer(self.k.scratch, index * self.width, self.system.kind)

    def read(self, row: Value, column: Value) -> Value:
        """One number."""
        return self.k.load(self.row(row), column, self.system.kind)

    def add_multiple(self, target: Value, source: Value, factor: Value, first: Value, last: Value) -> None:
        """target[first:last] -= factor·source[first:last]"""
        k, kind = self.k, self.system.kind
        whole = first + (last - first) // self.lanes * self.lanes
        for start, stop, lanes in ((first, whole, self.lanes), (whole, last, 0)):
            for at in k.range(start, stop, max(lanes, 1)):
                wide = kind.vector(lanes)
                times = k.splat(factor, lanes) if lanes else factor
                k.store(k.load(target, at, wide) - times * k.load(source, at, wide), target, at)

    def swap(self, one: Value, other: Value, first: Value) -> None:
        """Swap the remaining parts of two rows."""
        k, kind = self.k, self.system.kind
        with k.when(one != other):
            a, b = self.row(one), self.row(other)
            for at in k.range(first, self.width):
                left, right = k.load(a, at, kind), k.load(b, at, kind)
                k.store(right, a, at)
                k.store(left, b, at)

    def pivot(self, step: Value) -> Value:
        """The row at or after `step` with the largest magnitude in this column; NaN counts as the largest."""
        k = self.k
        best, place = k.var(k.abs(self.read(step, step))), k.var(step, I64)
        for row in k.range(step + 1, self.n):
            size = k.abs(self.read(row, step))
            better = (size > best.get()) | (k.is_nan(size) & ~k.is_nan(best.get()))
            best.set(k.select(better, size, best.get()))
            place.set(k.select(better, row, place.get()))
        return place.get()

    def eliminate(self) -> None:
        """Zeros below the diagonal."""
        k = self.k
        for step in k.range(self.n):
            self.swap(step, self.pivot(step), step)
            diagonal = self.read(step, step)
            with k.when(diagonal == 0.0):
                self.code.fail(SINGULAR)
            for row in k.range(step + 1, self.n):
                factor = self.read(row, step) / diagonal
                self.add_multiple(self.row(row), self.row(step), factor, step + 1, self.width)

    def substitute(self) -> None:
        """Back substitution: the right-hand sides become the solution, last row first."""
        k, kind = self.k, self.system.kind
        for back in k.range(self.n):
            step = self.n - 1 - back
            diagonal, own = self.read(step, step), self.row(step)
            for column in k.range(self.n, self.width):
                k.store(k.load(own, column, kind) / diagonal, own, column)
            for row in k.range(step):
                self.add_multiple(self.row(row), own, self.read(row, step), self.n, self.width)


def _emit(code: KernelCode, system: TinySystem) -> None:
    k, kind = code.code, system.kind
    work = _RowElimination(code, system)
    for unit in k.range(k.begin, k.end):
        places = unravel(code, unit, system.batch)
        for operand, strides, start, count in (
            (0, system.a_strides, k.index(0), work.n),
            (1, system.b_strides, work.n, work.columns),
        ):
            base = offset_of(code, places, strides[:-2])
            for row in k.range(work.n):
                for column in k.range(count):
                    value = k.load(code.pointer(operand), base + offset_of(code, [row, column], strides[-2:]), kind)
                    k.store(value, work.row(row), start + column)
        work.eliminate()
        work.substitute()
        base = offset_of(code, places, system.out_strides[:-2])
        for row in k.range(work.n):
            for column in k.range(work.columns):
                value = work.read(row, work.n + column)
                k.store(value, code.pointer(2), base + offset_of(code, [row, column], system.out_strides[-2:]))


def tiny_stage(name: str, system: TinySystem, part: Size) -> Stage:
    """The command, with its units times `part`: 1, or 0 if the systems turn out not to be tiny."""
    n = minimum(system.n, TINY)
    scratch = n * (n + system.columns) * system.kind.size
    key = ("solve", system)
    units = product(system.batch) * part
    return Stage(name, key, (0, 1, 2), units, lambda code: _emit(code, system), scratch, part=part)
