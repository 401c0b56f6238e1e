"""Linear systems, general and triangular: right-hand sides by blocks of columns, each substituted by itself.

A triangular matrix on the right and its transpose are other strides of the same numbers: x·a = b is aᵀ·xᵀ = bᵀ. Tiny general systems
are solved one matrix per unit, without blocks and their padding. A pivot of exactly 0 is an error of a system: the run raises RLX511.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import I32, I64, Value, type_of
from rlx.backends.cpu.kernels.linalg.block_columns import BlockColumns, round_up_inner, solve_function
from rlx.backends.cpu.kernels.linalg.factorization import Factorization, View, Work, lower_by
from rlx.backends.cpu.kernels.linalg.lu import SINGULAR, factor_block, subtract_block
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.core.dim import Size, maximum, minimum
from rlx.ir.op import Op

TINY = 7
"""The largest general system that is solved without blocks."""


@dataclass(frozen=True, kw_only=True)
class System(Factorization):
    """The linear system a·x = b: elimination leaves an upper triangle; for a triangular system, `lower` and `unit` describe a itself."""

    a: View
    b: View
    x: View
    is_triangular: bool = False
    lower: bool = False
    unit: bool = False

    def load(self, work: Work, block: Value) -> None:
        """Load one block column of a or b."""
        k, layout, first_more = work.k, self.layout, work.size(self.layout.first_more)
        with k.when(block < first_more):
            work.load(self.a, block, block, layout.columns)
        with k.otherwise():
            work.load(self.b, block, block - first_more, layout.more)

    def factor(self, work: Work, block: Value) -> None:
        """Eliminate the columns of a block; a pivot of 0 is an error."""
        factor_block(work, block, must_be_regular=True)

    def subtract(self, work: Work, done: Value, block: Value) -> None:
        subtract_block(work, done, block)

    def finish(self, work: Work, number: Value) -> None:
        """Solve one block of right-hand sides by substitution, and store the solution."""
        k, kind, width = work.basics
        block = number + work.size(self.layout.first_more)
        blocks, rows, height = (work.size(size) for size in (self.layout.first_more, self.layout.rows, self.layout.height))
        columns = work.used_columns(block)
        solve = solve_function(k.module, kind, width, lower=self.lower, unit=self.unit)
        for step in k.range(blocks):
            done = step if self.lower else blocks - 1 - step
            first = done * width
            size, here = k.minimum(width, rows - first), work.block(block, first)
            k.call(solve, here, work.block(done, first), size, columns)
            others, count = (first + width, height - first - width) if self.lower else (k.index(0), first)
            work.product(
                "subtract", work.block(block, others), work.block(done, others), here, count, columns, round_up_inner(size)
            )
        work.store(self.x, block, number, self.layout.more)

    def lower_to_commands(self, name: str, tensors: int) -> Lowering:
        """The commands of a linear system; general systems known to be tiny, or tiny at run time, run as one command."""
        layout = self.layout
        tiny = 0 if self.is_triangular else minimum(maximum(TINY + 1 - layout.columns, 0), 1)  # or 1
        if isinstance(tiny, int) and tiny == 0:
            return super().lower_to_commands(name, tensors)
        n = minimum(layout.columns, TINY)
        scratch = n * (n + layout.more) * layout.kind.size
        stage = Stage(
            name, ("tiny", self), (0, 1, 2), layout.number * tiny, lambda code: _emit_tiny(code, self), scratch, part=tiny
        )
        if isinstance(tiny, int):
            return Lowering((stage,))
        blocks = super().lower_to_commands(name, tensors)
        others = tuple(  # a profile counts the work of the op at the tasks, if the systems are not tiny
            replace(other, units=other.units * (1 - tiny), part=1 - tiny if other.ordered else 0) for other in blocks.stages
        )
        return Lowering((stage, *others), blocks.temporaries)


class _RowElimination:
    """Gaussian elimination of one tiny system in scratch: rows of n + columns numbers. Rows below a pivot are updated in
    vectors, then the right-hand sides are solved by back substitution."""

    def __init__(self, code: KernelCode, layout: BlockColumns) -> None:
        self.code, self.kind, self.k = code, layout.kind, code.code
        self.n, self.columns = index_of(code, layout.columns), index_of(code, layout.more)
        self.width = self.n + self.columns
        self.lanes = code.target.lanes(layout.kind)

    def row(self, index: Value) -> Value:
        """The address of a row in scratch."""
        return self.k.pointer(self.k.scratch, index * self.width, self.kind)

    def read(self, row: Value, column: Value) -> Value:
        """Load one element of the system."""
        return self.k.load(self.row(row), column, self.kind)

    def subtract_multiple(self, target: Value, source: Value, factor: Value, first: Value, last: Value) -> None:
        """Subtract a multiple of a row: target[first:last] -= factor·source[first:last]."""
        k, kind = self.k, self.kind
        end = first + (last - first) // self.lanes * self.lanes
        for start, stop, lanes in ((first, end, self.lanes), (end, last, 0)):
            for at in k.range(start, stop, max(lanes, 1)):
                wide = kind.vector(lanes)
                times = k.splat(factor, lanes) if lanes else factor
                k.store(k.load(target, at, wide) - times * k.load(source, at, wide), target, at)

    def swap(self, one: Value, other: Value, first: Value) -> None:
        """Exchange the remaining parts of two rows."""
        k, kind = self.k, self.kind
        with k.when(one != other):
            a, b = self.row(one), self.row(other)
            for at in k.range(first, self.width):
                left, right = k.load(a, at, kind), k.load(b, at, kind)
                k.store(right, a, at)
                k.store(left, b, at)

    def find_pivot(self, step: Value) -> Value:
        """The row at or after `step` with the largest magnitude in this column; NaN counts as the largest."""
        k = self.k
        best, best_row = k.var(k.abs(self.read(step, step))), k.var(step, I64)
        for row in k.range(step + 1, self.n):
            size = k.abs(self.read(row, step))
            better = (size > best.get()) | (k.is_nan(size) & ~k.is_nan(best.get()))
            best.set(k.select(better, size, best.get()))
            best_row.set(k.select(better, row, best_row.get()))
        return best_row.get()

    def eliminate(self) -> None:
        """Eliminate: zeros below the diagonal."""
        k = self.k
        for step in k.range(self.n):
            self.swap(step, self.find_pivot(step), step)
            diagonal = self.read(step, step)
            with k.when(diagonal == 0.0):
                self.code.fail(SINGULAR)
            for row in k.range(step + 1, self.n):
                factor = self.read(row, step) / diagonal
                self.subtract_multiple(self.row(row), self.row(step), factor, step + 1, self.width)

    def substitute(self) -> None:
        """Substitute back: the right-hand sides become the solution, last row first."""
        k = self.k
        for back in k.range(self.n):
            step = self.n - 1 - back
            diagonal, own = self.read(step, step), self.row(step)
            for column in k.range(self.n, self.width):
                k.store(k.load(own, column, self.kind) / diagonal, own, column)
            for row in k.range(step):
                self.subtract_multiple(self.row(row), own, self.read(row, step), self.n, self.width)


def _emit_tiny(code: KernelCode, system: System) -> None:
    """Emit one tiny system per unit: matrix and right-hand sides side by side in scratch, elimination, substitution, and the solution."""
    k, kind = code.code, system.layout.kind
    work = _RowElimination(code, system.layout)
    for unit in k.range(k.begin, k.end):
        indices = unravel(code, unit, system.layout.batch)
        for view, start, count in ((system.a, k.index(0), work.n), (system.b, work.n, work.columns)):
            base = offset_of(code, indices, view.strides[:-2])
            for row in k.range(work.n):
                for column in k.range(count):
                    value = k.load(code.pointer(view.tensor), base + offset_of(code, [row, column], view.inner), kind)
                    k.store(value, work.row(row), start + column)
        work.eliminate()
        work.substitute()
        base = offset_of(code, indices, system.x.strides[:-2])
        for row in k.range(work.n):
            for column in k.range(work.columns):
                value = work.read(row, work.n + column)
                k.store(value, code.pointer(2), base + offset_of(code, [row, column], system.x.inner))


def _general(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Factorization:
    """The factorization of a general system; complex systems are decomposed into real ones before."""
    a, b = inputs
    is_vector = len(b.dims) < len(a.dims)
    columns: Size = 1 if is_vector else b.dims[-1]
    layout = BlockColumns(type_of(a.dtype.name), a.dims[:-2], a.dims[-1], a.dims[-1], columns)
    view = View.vectors if is_vector else View.of
    ends = layout.count - layout.first_more
    return System(layout, layout.factored, ends, I32, layout.steps, a=View.of(0, a), b=view(1, b), x=view(2, outputs[0]))


def _triangular(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Factorization:
    a, b = inputs
    kind, left = type_of(a.dtype.name), op["left_side"]
    transposed = op["transpose"] == left
    layout = BlockColumns(kind, a.dims[:-2], a.dims[-1], a.dims[-1], b.dims[-1] if left else b.dims[-2])
    return System(
        layout,
        0,
        layout.count - layout.first_more,
        kind,
        0,
        a=View.of(0, a, transposed=transposed),
        b=View.of(1, b, transposed=not left),
        x=View.of(2, outputs[0], transposed=not left),
        is_triangular=True,
        lower=op["lower"] != transposed,
        unit=op["unit_diagonal"],
    )


_lower_general = lower_by(_general)

LOWER: dict[str, Lower] = {
    "dense_solve": _lower_general,
    "batched_dense_solve": _lower_general,
    "triangular_solve": lower_by(_triangular),
}
"""The ops of this file by name."""
