"""The commands of a factorization, whichever it is: load into block columns, tasks, and what finishes each block.

A matrix known to be one small block is one unit of one command, in scratch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I64, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.block_columns import (
    BlockColumns,
    Tasks,
    clear_words,
    load_block,
    padded,
    store_block,
    task_count,
)
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.core.dim import Size
from rlx.core.dtype import DType, i64
from rlx.core.shape import Shape

_SMALL = 1 << 18
"""Bytes of a matrix that is worked on in one unit, in scratch."""


def factors(dtype: DType) -> bool:
    """Whether there is code for a dtype."""
    return dtype.name in ("f32", "f64")


@dataclass(frozen=True)
class View:
    """A tensor as matrices: where in the stage it stands, and its strides; the last two are of rows and columns."""

    place: int
    dtype: DType
    strides: tuple[Size, ...]

    @staticmethod
    def of(place: int, tensor: Tensor, *, transposed: bool = False) -> View:
        """A tensor of matrices, rows and columns changed if `transposed`."""
        *batch, rows, columns = tensor.strides
        return View(place, tensor.dtype, (*batch, columns, rows) if transposed else tensor.strides)

    @staticmethod
    def vectors(place: int, tensor: Tensor, *, as_rows: bool = False) -> View:
        """A tensor of vectors as matrices of one column, or of one row."""
        *batch, stride = tensor.strides
        return View(place, tensor.dtype, (*batch, 0, stride) if as_rows else (*batch, stride, 0))

    def at(self, work: Work, row: Value, column: Value) -> Value:
        """The address of one element of the matrix."""
        offset = offset_of(work.code, [*work.places, row, column], self.strides)
        return work.code.code.pointer(work.code.pointer(self.place), offset, type_of(self.dtype.name))

    @property
    def inner(self) -> tuple[Size, Size]:
        """The strides of rows and columns."""
        return self.strides[-2], self.strides[-1]


@dataclass(frozen=True)
class Work:
    """One matrix at work: its place in the batch, its block columns, what else is kept about it, and the thread's own room."""

    code: KernelCode
    layout: BlockColumns
    places: list[Value]
    matrix: Value
    side: Value
    room: Value

    def size(self, size: Size) -> Value:
        """A size as an i64."""
        return index_of(self.code, size)

    def block(self, number: Value, row: Value | int = 0, column: Value | int = 0) -> Value:
        """The address of an element of a block column."""
        place = number * self.size(self.layout.block_size) + row * self.code.code.index(self.layout.width) + column
        return self.code.code.pointer(self.matrix, place, self.layout.kind)

    def used(self, number: Value) -> Value:
        """The columns of a block, with padding."""
        k, layout, width = self.code.code, self.layout, self.layout.width
        first_more, columns, more = (self.size(size) for size in (layout.first_more, layout.columns, layout.more))
        left = k.select(number < first_more, columns - number * width, more - (number - first_more) * width)
        return padded(k.minimum(left, width))

    def load(self, source: View, block: Value, number: Value, whole: Size) -> None:
        """Fill a block with block `number` of the columns of a matrix, `whole` of them."""
        k, layout = self.code.code, self.layout
        first = number * layout.width
        sizes = self.size(layout.rows), k.minimum(self.size(whole) - first, layout.width)
        start, target = source.at(self, k.index(0), first), self.block(block)
        load_block(self.code, layout.kind, layout.width, target, start, source.inner, sizes, self.size(layout.height))

    def store(self, target: View, block: Value, number: Value, whole: Size) -> None:
        """The same the other way: a block as block `number` of a matrix."""
        k, layout = self.code.code, self.layout
        first = number * layout.width
        sizes = self.size(layout.rows), k.minimum(self.size(whole) - first, layout.width)
        start = target.at(self, k.index(0), first)
        store_block(self.code, layout.kind, layout.width, start, target.inner, self.block(block), sizes)


@dataclass(frozen=True)
class Factorization(ABC):
    """What a family states: how a block is loaded, the tasks, and how a block is finished."""

    layout: BlockColumns

    factored: Size
    """Blocks that are factored; 0 known as such: there are no tasks."""
    ends: Size
    """Blocks, or other parts of a matrix, that are finished by themselves."""

    side_kind: Type
    side: Size
    """What is kept about a matrix besides its blocks: how many elements of which type."""
    room: Size = 0
    """Elements of a thread's own memory."""

    @abstractmethod
    def load(self, work: Work, block: Value) -> None:
        """Fill one block column."""

    @abstractmethod
    def tasks(self, work: Work) -> Tasks:
        """The tasks of a matrix."""

    @abstractmethod
    def finish(self, work: Work, number: Value) -> None:
        """What comes after the tasks, for one part."""

    # -- lowering
    def lowering(self, name: str, tensors: int, dtype: DType) -> Lowering:
        """The commands; `tensors` is how many operands and results there are."""
        layout, kind = self.layout, self.layout.kind
        room = self.room * kind.size
        if self._is_small:
            scratch = room + layout.size * kind.size + self.side * self.side_kind.size
            stage = Stage(name, self, tuple(range(tensors)), layout.number, self._whole, scratch)
            return Lowering((stage,))
        load = ("load", layout.count, self._load, False)
        work = ("", task_count(self.factored, layout.count), self._task, True)
        end = ("end", self.ends, self.finish, False)
        is_factored = not (isinstance(self.factored, int) and self.factored == 0)
        stages = tuple(
            Stage(
                f"{name} {part}".rstrip(),
                (part, self),
                tuple(range(tensors + 3)),
                layout.number * count,
                self._units(tensors, count, body),
                room,
                ordered=ordered,
            )
            for part, count, body, ordered in ((load, work, end) if is_factored else (load, end))
        )
        blocks = Tensor.dense(Shape.make((layout.number, layout.size), dtype))
        side = Tensor.dense(Shape.make((layout.number, self.side), DType.of(self.side_kind.name)))
        words = Tensor.dense(Shape.make((layout.number, layout.count + 1), i64))
        return Lowering(stages, (blocks, side, words))

    @property
    def _is_small(self) -> bool:
        bytes_ = self.layout.size * self.layout.kind.size
        return isinstance(bytes_, int) and bytes_ <= _SMALL and isinstance(self.factored, int) and self.factored <= 1

    def _whole(self, code: KernelCode) -> None:
        """Everything about each matrix, in scratch."""
        k, layout = code.code, self.layout
        matrix = k.pointer(k.scratch, index_of(code, self.room), layout.kind)
        side = k.pointer(matrix, index_of(code, layout.size), layout.kind)
        for unit in k.range(k.begin, k.end):
            work = Work(code, layout, unravel(code, unit, layout.batch), matrix, side, k.scratch)
            for block in k.range(work.size(layout.count)):
                self.load(work, block)
            self.tasks(work).run_all()
            for number in k.range(work.size(self.ends)):
                self.finish(work, number)

    def _units(self, tensors: int, count: Size, body: Callable[..., None]) -> Callable[[KernelCode], None]:
        """The units of one command: the parts of each matrix."""
        layout = self.layout

        def emit(code: KernelCode) -> None:
            k = code.code
            for unit in k.range(k.begin, k.end):
                number, part = unit.udiv(index_of(code, count)), unit.urem(index_of(code, count))
                matrix = k.pointer(code.pointer(tensors), number * index_of(code, layout.size), layout.kind)
                side = k.pointer(code.pointer(tensors + 1), number * index_of(code, self.side), self.side_kind)
                body(Work(code, layout, unravel(code, number, layout.batch), matrix, side, k.scratch), part)

        return emit

    def _words(self, work: Work) -> Value:
        """The words of the tasks of a matrix."""
        k, layout, matrix = work.code.code, self.layout, work.code.code.index(0)
        for place, size in zip(work.places, layout.batch, strict=True):
            matrix = matrix * work.size(size) + place
        words = len(work.code.tensors) - 1
        return k.pointer(work.code.pointer(words), matrix * work.size(layout.count + 1), I64)

    def _load(self, work: Work, block: Value) -> None:
        self.load(work, block)
        with work.code.code.when(block == 0):
            clear_words(work.code, self._words(work), work.size(self.layout.count + 1))

    def _task(self, work: Work, number: Value) -> None:
        self.tasks(work).run(number, self._words(work))
