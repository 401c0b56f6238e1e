"""Tables of pages of keys and values, and the kernels that write new rows into pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import I8, I32, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.indexing import load_integer
from rlx.backends.cpu.kernels.movement.runs import Elements, copy_elements, index_of, merge_axes, unit_count
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.op import Op

SCALED = 32
"""Numbers along the head dim that share a scale in q8_0 pages."""
_ROWS = 16
"""Rows of a unit of writing. Which of two rows with one place stays is known only within a unit."""
_RUNS = 4
"""In how many runs of adjacent units a thread takes its share: rows that follow each other write the same cache lines of a page of keys,
which two threads would take from each other."""
_MOST_HALF, _NORMAL_HALF, _LEAST_HALF = 65504.0, 2.0**-14, 2.0**-24


@dataclass(frozen=True)
class PageTables:
    """The page-table operands `start`, `sequence` and `tables`: they map a sequence's position to a page and an index in it."""

    first: int  # the tensor of the stage that is `start`; the others follow
    dtypes: tuple[DType, DType, DType]
    strides: tuple[Size, Size, Size, Size]  # of start, sequence and both axes of tables
    sequences: Size
    blocks: Size
    pages: Size
    page: int  # positions of a page

    @staticmethod
    def of(tensors: tuple[Tensor | None, ...], first: int, operand: int, pages: Size, page: int) -> PageTables:
        """The page tables among an op's inputs from `operand` on; their stage tensors start at `first`."""
        start, sequence, table = tensors[operand : operand + 3]
        assert start is not None and sequence is not None and table is not None
        return PageTables(
            first,
            (start.dtype, sequence.dtype, table.dtype),
            (start.strides[0], sequence.strides[0], table.strides[0], table.strides[1]),
            table.dims[0],
            table.dims[1],
            pages,
            page,
        )

    def position(self, code: KernelCode, row: Value) -> Value:
        """The position of a row in its sequence."""
        return load_integer(code, code.pointer(self.first), row * code.size(self.strides[0]), self.dtypes[0])

    def sequence(self, code: KernelCode, row: Value) -> Value:
        """The sequence of a row."""
        return load_integer(code, code.pointer(self.first + 1), row * code.size(self.strides[1]), self.dtypes[1])

    def page_at(self, code: KernelCode, sequence: Value, block: Value) -> Value:
        """The number of a page in a table, unchecked."""
        index = sequence * code.size(self.strides[2]) + block * code.size(self.strides[3])
        return load_integer(code, code.pointer(self.first + 2), index, self.dtypes[2])

    def room(self, code: KernelCode, sequence: Value) -> Value:
        """How many positions a sequence has pages for; 0 for a sequence that does not exist, or without pages."""
        k = code.code
        exists = sequence.ult(index_of(code, self.sequences)) & (index_of(code, self.pages) > 0)
        return k.select(exists, index_of(code, self.blocks) * self.page, 0)


def row_stride(tensor: Tensor) -> Size | None:
    """The stride of rows whose elements are adjacent in memory; None where they are not."""
    _, (strides,) = merge_axes(tensor.dims[1:], tensor.strides[1:])
    width = product(tensor.dims[1:])
    dense = len(strides) == 1 and (strides[0] == 1 or width == 1)
    return tensor.strides[0] if dense else None


@dataclass(frozen=True)
class PageWriting:
    """One `page_write` op: everything its code depends on."""

    kv_heads: int
    head_dim: int
    transposed: bool
    rows: Size
    row_stride: Size
    source: Type
    stored: Type
    tables: PageTables
    scaled: bool


class PageWriter:
    """Emits the write of a row's heads into its page. Stage tensors: the rows, the tables, the pages and their scales."""

    def __init__(self, code: KernelCode, writing: PageWriting) -> None:
        self.code, self.k, self.writing = code, code.code, writing
        self.compute = type_of("f64") if writing.source == type_of("f64") and not writing.scaled else type_of("f32")
        self.lanes = code.target.lanes(self.compute)

    def write_row(self, row: Value) -> None:
        """Store all heads of a row, if its sequence has a page for it."""
        k, code, at = self.k, self.code, self.writing.tables
        position, sequence = at.position(code, row), at.sequence(code, row)
        with k.when(position.ult(at.room(code, sequence))):
            page = at.page_at(code, sequence, position // at.page)
            with k.when(page.ult(index_of(code, at.pages))):
                for head in k.range(self.writing.kv_heads):
                    self._write_head(row, page * self.writing.kv_heads + head, head, position % at.page)

    def _write_head(self, row: Value, target: Value, head: Value, index: Value) -> None:
        k, writing = self.k, self.writing
        offset = row * self.code.size(writing.row_stride) + head * writing.head_dim
        source = k.pointer(self.code.pointer(0), offset, writing.source)
        page, size = writing.tables.page, writing.head_dim
        start = target * (page * size) + (index if writing.transposed else index * size)
        pages = k.pointer(self.code.pointer(4), start, writing.stored)
        step = page if writing.transposed else 1
        if not writing.scaled:
            self._convert(source, pages, step)
            return
        groups = size // SCALED
        start = target * (page * groups) + (index if writing.transposed else index * groups)
        scales = k.pointer(self.code.pointer(5), start, type_of("f16"))
        for group in k.range(groups):
            self._round(
                k.pointer(source, group * SCALED, writing.source),
                k.pointer(pages, group * SCALED * step, I8),
                step,
                k.pointer(scales, group * step, type_of("f16")),
            )

    def _convert(self, source: Value, target: Value, step: int) -> None:
        """Store a head's elements in the pages' dtype, `step` apart."""
        k, writing, lanes = self.k, self.writing, self.lanes
        end = writing.head_dim // lanes * lanes  # of the full vectors

        def store(at: Value | int, count: int) -> None:
            kind = writing.source.vector(lanes)
            vector = k.load(source, at, kind) if count == lanes else k.load_masked(source, at, count, kind)
            stored = k.convert(vector, writing.stored)
            if step > 1:
                k.scatter_strided(stored, target, at * step, step, count)
            elif count == lanes:
                k.store(stored, target, at)
            else:
                k.store_masked(stored, target, at, count)

        for at in k.range(0, end, lanes):
            store(at, lanes)
        if end < writing.head_dim:
            store(end, writing.head_dim - end)

    def _round(self, source: Value, target: Value, step: int, scale: Value) -> None:
        """Quantize 32 elements to q8_0: the scale spans them exactly, and is rounded up if denormal."""
        k, writing, f32 = self.k, self.writing, self.compute
        kind = writing.source.vector(self.lanes)
        vectors = [k.convert(k.load(source, at, kind), f32) for at in range(0, SCALED, self.lanes)]
        top = k.abs(vectors[0])
        for vector in vectors[1:]:
            top = k.maximum(top, k.abs(vector))
        exact = k.reduce_max(top) / 127.0
        half = type_of("f16")
        nearest = k.convert(k.convert(k.minimum(exact, _MOST_HALF), half), f32)
        short = (nearest < exact) & (exact < _NORMAL_HALF)
        chosen = k.select(short, nearest + _LEAST_HALF, nearest)
        k.store(k.convert(chosen, half), scale, 0)
        inverse = k.splat(k.select(chosen == 0.0, 0.0, 1.0 / chosen), self.lanes)
        for at, vector in zip(range(0, SCALED, self.lanes), vectors, strict=True):
            scaled = k.maximum(k.minimum(k.round_even(vector * inverse), 127.0), -127.0)
            bytes_ = k.convert(k.convert(scaled, I32), I8)
            if step > 1:
                k.scatter_strided(bytes_, target, at * step, step)
            else:
                k.store(bytes_, target, at)


def _emit_write(code: KernelCode, writing: PageWriting) -> None:
    k, writer = code.code, PageWriter(code, writing)
    rows = index_of(code, writing.rows)
    for unit in k.range(k.begin, k.end):
        for row in k.range(unit * _ROWS, k.minimum(unit * _ROWS + _ROWS, rows)):
            writer.write_row(row)


def _emit_rest(code: KernelCode, pages: Elements) -> None:
    """Copy the old pages into the result, unless both are the same memory."""
    k = code.code
    with k.when(code.pointer(0) != code.pointer(1)):
        copy_elements(code, 1, pages, 0, pages, k.begin, k.end)


def _lower_writing(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], scaled: bool) -> Lowering | str:
    count = 2 if scaled else 1
    pages, rows = inputs[0], inputs[count]
    assert pages is not None and rows is not None
    if any(tensor is None or not tensor.is_dense for tensor in inputs[:count]):
        return "pages that are not dense"
    stride = row_stride(rows)
    if stride is None:
        return "the numbers of a row are not adjacent in memory"
    transposed = op["transposed"]
    _, kv_heads, second, third = pages.dims
    head_dim, page = (second, third) if transposed else (third, second)
    assert isinstance(kv_heads, int) and isinstance(head_dim, int) and isinstance(page, int)
    tables = PageTables.of(inputs, 1, count + 1, pages.dims[0], page)
    kinds = type_of(rows.dtype.name), type_of(pages.dtype.name)
    writing = PageWriting(kv_heads, head_dim, transposed, rows.dims[0], stride, *kinds, tables, scaled)
    last = len(inputs)
    stages = []
    for index in range(count):
        elements = Elements.of(outputs[index])
        units = unit_count(product(elements.dims), elements.kind.size)
        emit = partial(_emit_rest, pages=elements)
        stages.append(Stage("page_rest", "page_rest", (index, last + index), units, emit, idle_in_place=True))
    operands = (*range(count, last), *range(last, last + count))
    emit_rows = partial(_emit_write, writing=writing)
    stages.append(Stage(op.name, writing, operands, ceildiv(rows.dims[0], _ROWS), emit_rows, runs=_RUNS))
    return Lowering(tuple(stages), in_place=tuple((index, index) for index in range(count)))


def lower_page_write(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `page_write`: copy the pages unless they share memory with the result, then write the rows."""
    return _lower_writing(op, inputs, outputs, scaled=False)


def lower_page_write_q8(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `page_write_q8`: the page write of rows quantized to i8."""
    return _lower_writing(op, inputs, outputs, scaled=True)


LOWER: dict[str, Lower] = {"page_write": lower_page_write, "page_write_q8": lower_page_write_q8}
"""The ops of this file by name."""
