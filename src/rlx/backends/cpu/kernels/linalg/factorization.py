"""The commands of a factorization, whichever it is: load into block columns, tasks, and what finishes each block.

A matrix known to be one small block is one unit of one command, in scratch.

**Tasks.** Task 0 factors block 0; then, for each factored block k, one task for each block j > k subtracts k's part from j and, if j is
the next to be factored, factors it. So the next block is ready before the last tasks of the one before have begun. The tasks of a
matrix are the units of one ordered command (`Stage.ordered`): a task waits for `factored > k` and `progress[j] >= k`, words that the
load sets to 0. What a task computes does not depend on who runs it: the bits are the same for any number of threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import I32, I64, Type, Value, type_of
from rlx.backends.cpu.kernels.linalg.block_columns import (
    BlockColumns,
    Form,
    load_block,
    product_function,
    round_up_inner,
    store_block,
    swap_rows,
)
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size
from rlx.core.dtype import DType, i64
from rlx.core.shape import Shape
from rlx.ir.op import Op

_SMALL = 1 << 18
"""Bytes of a matrix that is factored in one unit, in scratch."""
_PAUSES = 4096
"""How often a waiting thread pauses before it gives its core away."""


@dataclass(frozen=True)
class View:
    """A tensor as matrices: its number in the stage, its element type, and its strides; the last two strides are of rows and columns."""

    tensor: int
    kind: Type
    strides: tuple[Size, ...]

    @staticmethod
    def of(number: int, tensor: Tensor, *, transposed: bool = False) -> View:
        """The view of a tensor of matrices, rows and columns exchanged if `transposed`."""
        *batch, rows, columns = tensor.strides
        return View(number, type_of(tensor.dtype.name), (*batch, columns, rows) if transposed else tensor.strides)

    @staticmethod
    def vectors(number: int, tensor: Tensor, *, as_rows: bool = False) -> View:
        """The view of a tensor of vectors as matrices of one column, or of one row."""
        *batch, stride = tensor.strides
        return View(number, type_of(tensor.dtype.name), (*batch, 0, stride) if as_rows else (*batch, stride, 0))

    def at(self, work: Work, row: Value, column: Value) -> Value:
        """The address of one element of the matrix."""
        offset = offset_of(work.code, [*work.batch, row, column], self.strides)
        return work.k.pointer(work.code.pointer(self.tensor), offset, self.kind)

    @property
    def inner(self) -> tuple[Size, Size]:
        """The strides of rows and columns."""
        return self.strides[-2], self.strides[-1]


@dataclass(frozen=True)
class Work:
    """One matrix under factorization: its index in the batch, its block columns, its side data, and the thread's own scratch."""

    code: KernelCode
    layout: BlockColumns
    batch: list[Value]
    matrix: Value
    side: Value
    scratch: Value

    @property
    def k(self) -> Function:
        """The builder of the function under construction."""
        return self.code.code

    @property
    def basics(self) -> tuple[Function, Type, int]:
        """The builder of the function, the element type, and the columns of a block."""
        return self.code.code, self.layout.kind, self.layout.width

    def size(self, size: Size) -> Value:
        """Load a size as an i64."""
        return index_of(self.code, size)

    def block(self, number: Value, row: Value | int = 0, column: Value | int = 0) -> Value:
        """The address of an element of a block column."""
        return self.block_of(self.matrix, number, row, column)

    def block_of(self, matrix: Value, number: Value, row: Value | int = 0, column: Value | int = 0) -> Value:
        """The address of an element of a block column of a matrix with this layout."""
        k, kind, width = self.basics
        return k.pointer(matrix, number * self.size(self.layout.block_size) + row * k.index(width) + column, kind)

    def used_columns(self, number: Value) -> Value:
        """The columns of a block that are used, with padding."""
        k, layout, width = self.k, self.layout, self.layout.width
        first_more, columns, more = (self.size(size) for size in (layout.first_more, layout.columns, layout.more))
        left = k.select(number < first_more, columns - number * width, more - (number - first_more) * width)
        return round_up_inner(k.minimum(left, width))

    def load(self, source: View, block: Value, number: Value, columns: Size) -> None:
        """Fill a block with block `number` of a matrix of `columns` columns."""
        k, kind, width = self.basics
        first = number * width
        sizes = self.size(self.layout.rows), k.minimum(self.size(columns) - first, width)
        start, target = source.at(self, k.index(0), first), self.block(block)
        load_block(self.code, kind, width, target, start, source.inner, sizes, self.size(self.layout.height))

    def store(self, target: View, block: Value, number: Value, columns: Size) -> None:
        """Store a block as block `number` of a matrix of `columns` columns."""
        k, kind, width = self.basics
        first = number * width
        sizes = self.size(self.layout.rows), k.minimum(self.size(columns) - first, width)
        start = target.at(self, k.index(0), first)
        store_block(self.code, kind, width, start, target.inner, self.block(block), sizes)

    def product(self, form: Form, c: Value, a: Value, b: Value, rows: Value, columns: Value, depth: Value | int) -> None:
        """Multiply blocks into c, or subtract the product from it."""
        k, kind, width = self.basics
        k.call(product_function(k.module, kind, width, form), c, a, b, rows, columns, depth)

    def swap_rows(self, block: Value, one: Value, other: Value) -> None:
        """Exchange two rows of a block of this matrix."""
        swap_rows(self.code, self.layout.kind, self.layout.width, block, one, other)


@dataclass(frozen=True)
class Factorization(ABC):
    """One family of factorizations: subclasses define how a block is loaded, factored, subtracted from a later one, and finished."""

    layout: BlockColumns
    factored: Size
    """Blocks that are factored; 0 known as such: there are no tasks."""
    ends: Size
    """Blocks, or other parts of a matrix, that are finished by themselves."""
    side_kind: Type
    side: Size
    """Elements of the data that a matrix has besides its blocks, and their type."""
    scratch: Size = 0
    """Elements of a thread's own memory."""

    @abstractmethod
    def load(self, work: Work, block: Value) -> None:
        """Load one block column."""

    @abstractmethod
    def factor(self, work: Work, block: Value) -> None:
        """Factor one block column."""

    @abstractmethod
    def subtract(self, work: Work, done: Value, block: Value) -> None:
        """Subtract the part of a factored block from a later block."""

    @abstractmethod
    def finish(self, work: Work, number: Value) -> None:
        """Finish one part of the result after all tasks."""

    # -- lowering
    def lower_to_commands(self, name: str, tensors: int) -> Lowering:
        """The commands of a factorization; `tensors` is the number of operands and results."""
        layout, kind = self.layout, self.layout.kind
        scratch = self.scratch * kind.size
        if self._is_small:
            size = scratch + layout.size * kind.size + self.side * self.side_kind.size
            return Lowering((Stage(name, self, tuple(range(tensors)), layout.number, self._emit_matrices, size),))
        load = ("load", layout.count, self._load, False)
        tasks = ("", self.factored * (layout.count - 1) - self.factored * (self.factored - 1) // 2 + 1, self._run_task, True)
        end = ("end", self.ends, self.finish, False)
        stages = tuple(
            Stage(
                f"{name} {part}".rstrip(),
                (part, self),
                tuple(range(tensors + 3)),
                layout.number * count,
                self._emit_parts(tensors, count, body),
                scratch,
                ordered=ordered,
            )
            for part, count, body, ordered in ((load, tasks, end) if self._has_tasks else (load, end))
        )
        blocks, side = (
            Tensor.dense(Shape.make((layout.number, size), DType.of(each.name)))
            for size, each in ((layout.size, kind), (self.side, self.side_kind))
        )
        words = Tensor.dense(Shape.make((layout.number, layout.count + 1), i64))
        return Lowering(stages, (blocks, side, words))

    @property
    def _has_tasks(self) -> bool:
        return not (isinstance(self.factored, int) and self.factored == 0)

    @property
    def _is_small(self) -> bool:
        size = self.layout.size * self.layout.kind.size
        return isinstance(size, int) and size <= _SMALL and isinstance(self.factored, int) and self.factored <= 1

    def _emit_matrices(self, code: KernelCode) -> None:
        """Emit the complete factorization of each small matrix, in scratch."""
        k, layout = code.code, self.layout
        matrix = k.pointer(k.scratch, index_of(code, self.scratch), layout.kind)
        side = k.pointer(matrix, index_of(code, layout.size), layout.kind)
        for unit in k.range(k.begin, k.end):
            work = Work(code, layout, unravel(code, unit, layout.batch), matrix, side, k.scratch)
            for block in k.range(work.size(layout.count)):
                self.load(work, block)
            for done in k.range(work.size(self.factored)):
                self.factor(work, done)
                for block in k.range(done + 1, work.size(layout.count)):
                    self.subtract(work, done, block)
            for number in k.range(work.size(self.ends)):
                self.finish(work, number)

    def _emit_parts(self, tensors: int, count: Size, body: Callable[..., None]) -> Callable[[KernelCode], None]:
        """Emit the units of one command: the parts of each matrix."""
        layout = self.layout

        def emit(code: KernelCode) -> None:
            k = code.code
            for unit in k.range(k.begin, k.end):
                number, part = unit.udiv(index_of(code, count)), unit.urem(index_of(code, count))
                matrix = k.pointer(code.pointer(tensors), number * index_of(code, layout.size), layout.kind)
                side = k.pointer(code.pointer(tensors + 1), number * index_of(code, self.side), self.side_kind)
                body(Work(code, layout, unravel(code, number, layout.batch), matrix, side, k.scratch), part)

        return emit

    # -- tasks
    def _words(self, work: Work) -> Value:
        """The address of the words that the tasks of a matrix wait for: `factored`, then `progress` of each block."""
        k, layout, matrix = work.k, self.layout, work.k.index(0)
        for index, size in zip(work.batch, layout.batch, strict=True):
            matrix = matrix * work.size(size) + index
        words = len(work.code.tensors) - 1
        return k.pointer(work.code.pointer(words), matrix * work.size(layout.count + 1), I64)

    def _load(self, work: Work, block: Value) -> None:
        """Load a block; the first one also sets the words: no block is factored, and none has been subtracted from."""
        self.load(work, block)
        k = work.k
        with k.when(block == 0):
            words = self._words(work)
            for word in k.range(work.size(self.layout.count + 1)):
                k.store(0, words, word, I64)

    def _run_task(self, work: Work, number: Value) -> None:
        """Run task `number` once its inputs are ready. After an error of the run they may never be ready, and the task is skipped."""
        words = self._words(work)
        k, factored, count = work.k, work.size(self.factored), work.size(self.layout.count)
        following, done, left = k.var(0), k.var(-1), k.var(number)
        with k.when(number > 0):
            with k.loop() as groups:
                done.set(done.get() + 1)
                inside = count - 1 - done.get()
                groups.stop(left.get() <= inside)
                left.set(left.get() - inside)
            step, block = done.get(), done.get() + left.get()
            ready = _wait(work.code, words, k.index(0), step + 1) & _wait(work.code, words, block + 1, step)
            with k.when(ready):
                self.subtract(work, step, block)
                k.store_atomic(step + 1, words, block + 1)
            following.set(k.select(ready & (block == step + 1), block, factored))
        with k.when(following.get() < factored):
            self.factor(work, following.get())
            k.store_atomic(following.get() + 1, words, 0)


def _wait(code: KernelCode, words: Value, index: Value, target: Value) -> Value:
    """Wait until a word reaches a number; returns whether it did."""
    k, pauses = code.code, code.code.var(0)
    with k.loop() as looks:
        looks.stop((k.load_atomic(words, index) >= target) | code.failed())
        k.pause()
        pauses.set(pauses.get() + 1)
        with k.when(pauses.get() > _PAUSES):
            pauses.set(0)
            k.call_external("SwitchToThread" if "windows" in code.target.triple else "sched_yield", I32)
    return k.load_atomic(words, index) >= target


def lower_by(make: Callable[[Op, tuple[Tensor, ...], tuple[Tensor, ...]], Factorization]) -> Lower:
    """The lowering of an op by its factorization: f32 and f64, any views."""

    def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
        operands = tuple(tensor for tensor in inputs if tensor is not None)
        dtypes = [tensor.dtype for tensor in operands]
        if dtypes[0].name not in ("f32", "f64") or any(dtype is not dtypes[0] for dtype in dtypes):
            return f"{op.name} of {' and '.join(map(str, dtypes))}"
        return make(op, operands, outputs).lower_to_commands(op.name, len(operands) + len(outputs))

    return lower
