"""Matrices in block columns, and the tasks of a factorization.

A matrix is worked on in block columns `[block, row, column within the block]`: rows of a block are near each other whatever the size of
the matrix, so products read them where they are. Rows are padded with zeros to a multiple of INNER.

**Tasks.** Task 0 factors block 0; then, for each factored block k, one task for each block j > k subtracts k's part from j and, if j is
the next to be factored, factors it. So the next block is ready before the last tasks of the one before have begun. The tasks of a
matrix are the units of one ordered command (`Stage.ordered`): a task waits for `factored > k` and `progress[j] >= k`, words that the
load sets to 0. What a task computes does not depend on who runs it: the bits are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import I32, I64, Type
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.linalg.products import INNER
from rlx.backends.cpu.kernels.movement.runs import copy_run, fill_run, index_of
from rlx.core.dim import Size, ceildiv, product, proves_at_most, round_up

BLOCK = 64
"""Columns of a block: deep enough for the products of tasks, narrow enough for its factorization to be a small part."""
_PAUSES = 4096
"""How often a waiting thread pauses before it gives its core away."""


@dataclass(frozen=True)
class BlockColumns:
    """`columns` columns of matrices of `rows` rows, in blocks of `width`; `more` columns begin at a block of their own."""

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
        """Rows with padding."""
        return round_up(self.rows, INNER)

    @property
    def first_more(self) -> Size:
        """Blocks of the first columns."""
        return ceildiv(self.columns, self.width)

    @property
    def count(self) -> Size:
        """Blocks of one matrix."""
        return self.first_more + ceildiv(self.more, self.width)

    @property
    def block_size(self) -> Size:
        """Elements of a block."""
        return self.height * self.width

    @property
    def size(self) -> Size:
        """Elements of one matrix."""
        return self.count * self.block_size

    @property
    def number(self) -> Size:
        """How many matrices there are."""
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
    used = padded(columns)
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
    code: KernelCode, kind: Type, target: Value, stride: Size, source: Value, columns: Value, kept: tuple[Operand, Operand]
) -> None:
    """Columns of one row, with zeros outside of `kept`, first to before last: a row of a triangle."""
    k, vector = code.code, kind.vector(code.target.lanes(kind))
    first, last = (k.splat(k.convert(k.index(bound), I32), vector.lanes) for bound in kept)

    def part(start: Value) -> Value:
        lane = k.iota(I32.vector(vector.lanes)) + k.splat(k.convert(start, I32), vector.lanes)
        return k.select((lane >= first) & (lane < last), k.load(source, start, vector), 0.0)

    whole = columns // vector.lanes * vector.lanes
    if isinstance(stride, int) and stride == 1:
        for start in k.range(0, whole, vector.lanes):
            k.store(part(start), target, start)
        with k.when(whole < columns):
            k.store_masked(part(whole), target, whole, columns - whole)
        return
    for column in k.range(columns):
        inside = (column >= kept[0]) & (column < kept[1])
        value = k.select(inside, k.load(source, column, kind), 0.0)
        k.store(value, target, column * code.size(stride))


def padded(columns: Value) -> Value:
    """The next multiple of INNER."""
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


# -- tasks ------------------------------------------------------------------------------------------------------
def task_count(factored: Size, count: Size) -> Size:
    """Tasks of a matrix of which `factored` of `count` blocks are factored."""
    return factored * (count - 1) - factored * (factored - 1) // 2 + 1


@dataclass(frozen=True)
class Tasks:
    """The tasks of one matrix: how a block is factored, and how block k is subtracted from block j."""

    code: KernelCode
    factored: Size
    count: Size
    factor: Callable[[Value], None]
    subtract: Callable[[Value, Value], None]

    def run_all(self) -> None:
        """Every task, by one thread."""
        k, factored, count = self.code.code, *self._counts()
        for done in k.range(factored):
            self.factor(done)
            for block in k.range(done + 1, count):
                self.subtract(done, block)

    def run(self, number: Value, words: Value) -> None:
        """Task `number`, once what it needs is there; after an error of the run it may never be, and the task is left out."""
        k, factored, count = self.code.code, *self._counts()
        following, done, left = k.var(0), k.var(-1), k.var(number)
        with k.when(number > 0):
            with k.loop() as groups:
                done.set(done.get() + 1)
                inside = count - 1 - done.get()
                groups.stop(left.get() <= inside)
                left.set(left.get() - inside)
            step, block = done.get(), done.get() + left.get()
            ready = self._wait(words, k.index(0), step + 1) & self._wait(words, block + 1, step)
            with k.when(ready):
                self.subtract(step, block)
                k.store_atomic(step + 1, words, block + 1)
            following.set(k.select(ready & (block == step + 1), block, factored))
        with k.when(following.get() < factored):
            self.factor(following.get())
            k.store_atomic(following.get() + 1, words, 0)

    def _counts(self) -> tuple[Value, Value]:
        return index_of(self.code, self.factored), index_of(self.code, self.count)

    def _wait(self, words: Value, place: Value, target: Value) -> Value:
        """Wait for a word to reach a number; whether it did."""
        k, code = self.code.code, self.code
        pauses = k.var(0)
        with k.loop() as looks:
            looks.stop((k.load_atomic(words, place) >= target) | code.failed())
            k.pause()
            pauses.set(pauses.get() + 1)
            with k.when(pauses.get() > _PAUSES):
                pauses.set(0)
                k.call_external("SwitchToThread" if "windows" in code.target.triple else "sched_yield", I32)
        return k.load_atomic(words, place) >= target


def clear_words(code: KernelCode, words: Value, count: Value) -> None:
    """No block is factored and none has been subtracted from."""
    k = code.code
    for word in k.range(count):
        k.store(0, words, word, I64)
