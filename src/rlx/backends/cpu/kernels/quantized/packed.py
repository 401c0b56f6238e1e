"""Packed weights in the order of `rlx.layouts.block_order`: pack, products with integers or exactly with panels of floats, and gather.

A unit of a product is a panel of 16 columns, of one expert that has rows or of 128 rows of x; for one row it has eight. Where x is in the
order of tiles it is two panels and fewer rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, I8, I64, Operand, Value, type_of
from rlx.backends.cpu.kernels.experts import RowTable
from rlx.backends.cpu.kernels.movement.indexing import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.backends.cpu.kernels.quantized.activations import (
    GROUP_ROWS,
    Rounded,
    round_rows,
    round_units,
    rows_with_room,
    streams_words,
)
from rlx.backends.cpu.kernels.quantized.dequant import Rows, lower_rows
from rlx.backends.cpu.kernels.quantized.dequant_values import InterleavedRows, floats_function
from rlx.backends.cpu.kernels.quantized.dot_rows import DotScratch, dot_columns, dot_rows_function
from rlx.backends.cpu.kernels.quantized.few_rows import stream_function, wide_stream_function
from rlx.backends.cpu.kernels.quantized.grid_words import has_byte_tables
from rlx.backends.cpu.kernels.quantized.integer_dot import FLOATS
from rlx.backends.cpu.kernels.quantized.many_rows import COLUMNS, PANEL_ROWS, TILE, UnpackedPanel, tiles_function, unpack_function
from rlx.backends.cpu.kernels.quantized.repack import lower_rows_side_by_side
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.kernels.quantized.tile_rows import (
    GROUP,
    PART_COLUMNS,
    PART_ROWS,
    TILE_ROWS,
    TiledScratch,
    TileScratch,
    has_tiled_rows,
    has_tiles,
    tile_rows_function,
    tiled_rows_function,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size, ceildiv, minimum, product
from rlx.core.dtype import u8
from rlx.core.shape import Shape
from rlx.ir.op import Op
from rlx.layouts.block_order import ORDERS, ROWS, BlockOrder
from rlx.layouts.stored_rows import StoredRows

_MEMORY_BOUND = 16
"""Up to this many rows, reading the weight dominates."""
_RUNS = 16
"""The number of runs in which a thread streams its share of a weight: what it prefetches should be its own next panel."""


@dataclass(frozen=True)
class ProductShape:
    """One product with a packed weight. Stage tensors: quantized rows, blocks, the table of the experts' rows if any, the result."""

    name: str
    rows: Size
    k: Size
    n: Size
    out: Tensor
    table: RowTable | None = None
    """With a weight for each row's expert: the rounded rows are in the order of the table."""


def rounds_to_tiles(name: str, rows: Size, target: Target) -> bool:
    """Whether sixteen and more rows, of x or of an expert, are quantized in tile order."""
    return has_tiled_rows(target, name) and not (isinstance(rows, int) and rows < GROUP_ROWS)


def expert_columns(shape: ProductShape, target: Target) -> int:
    """Columns of an expert in a unit."""
    return PART_COLUMNS if rounds_to_tiles(shape.name, shape.rows, target) else COLUMNS


def panel_columns(shape: ProductShape) -> int:
    """Columns of a panel. A single row streams eight at a time: units are half as long, so threads wait half as long at the end.
    Codebooks are looked up for sixteen."""
    is_alone = isinstance(shape.rows, int) and shape.rows == 1 and shape.table is None
    return ROWS if is_alone and ORDERS[shape.name].planes else COLUMNS


def unit_count(shape: ProductShape, target: Target) -> Size:
    """The unit count. A unit is a panel of one expert or of some rows; in tile order, two panels of an expert or of fewer rows."""
    if shape.table is not None:
        return ceildiv(shape.n, expert_columns(shape, target)) * shape.table.most_experts
    panels = ceildiv(shape.n, panel_columns(shape))
    if not rounds_to_tiles(shape.name, shape.rows, target):
        return panels * ceildiv(shape.rows, PANEL_ROWS)
    is_tiled, is_any = minimum(shape.rows // GROUP_ROWS, 1), minimum(shape.rows, 1)
    wide = ceildiv(shape.n, PART_COLUMNS)
    return panels * is_any * (1 - is_tiled) + wide * ceildiv(shape.rows, PART_ROWS) * is_tiled


def runs_per_thread(shape: ProductShape) -> int:
    """The number of runs of adjacent panels per thread; 0: panel by panel, if the product is certainly compute-bound."""
    many = isinstance(shape.rows, int) and shape.rows > _MEMORY_BOUND
    return _RUNS if shape.table is None and not many else 0


# -- products of packed weights with integers: which rows of x a unit takes, and by which functions -------------------
#
# A unit is a panel of 16 columns, of one expert that has rows or of 128 rows of x. A few rows stream the weight; more unpack it block by
# block, or with dot products some words at a time, or with AMX a tile at a time. These are in `few_rows.py`, `many_rows.py`, `dot_rows.py`
# and `tile_rows.py`.
#
# Rows with experts are rounded in the order of a table (`RowTable`), so that those of an expert are adjacent.


_TABLE = 2
"""Which tensor of the stage is the table of the experts' rows."""
_FEW, _SMALL_BLOCK = (1, 2, 4, 6), 32
"""How many rows of x stream a weight together, and up to which block more than two do; more rows unpack it."""
_FEW_OF_MANY_REGISTERS = (1, 2, 4)
"""The same for larger blocks, with 32 vector registers."""
_WIDE_ROWS = 8
"""With vectors of 64 bytes, how many rows stream sixteen columns together; more do so in turn."""
_BAND = 2
"""Parts of the rows of x that share a panel: so many rows of x stay in the cache beside it."""
_BAND_BYTES = 1 << 20
"""With tiles, how many bytes these rows may have: CPUs with tiles have second caches of 2 MB, where a part that misses waits longer."""


def scratch_bytes(name: str, target: Target) -> int:
    """Bytes of scratch of a thread."""
    panel = UnpackedPanel.of(name).total
    if has_tiled_rows(target, name):
        return max(panel, DotScratch().total, TiledScratch().total)
    if has_tiles(target, name):
        return max(panel, TileScratch().total)
    return max(panel, DotScratch().total) if target.has_dot_products(ROWS) else panel


class IntegerProduct:
    """Emits the units of one integer product: selects the rows of each, and the function that multiplies them."""

    def __init__(self, code: KernelCode, shape: ProductShape) -> None:
        self.code, self.shape, self.k = code, shape, code.code
        order = ORDERS[shape.name]
        self.is_wide = code.target.vector_bytes == 64 and code.target.has("avx512bw")
        large = _FEW_OF_MANY_REGISTERS if self.is_wide else _FEW[:2]
        self.few = _FEW if order.size <= _SMALL_BLOCK else large
        self.few_are_wide = self.is_wide and has_byte_tables(self.k) and bool(order.fields or order.digits)
        self.columns = panel_columns(shape)
        self.n, self.m = index_of(code, shape.n), index_of(code, shape.rows)
        self.blocks = index_of(code, shape.k // order.size)
        rounded = Rounded.of(order, code.target)
        self.block_bytes, self.row_bytes = order.scheme.block_bytes() * ROWS, rounded.row(self.blocks)
        part_bytes = int(shape.k) // order.size * rounded.stride * PANEL_ROWS
        self.band = _BAND if _BAND * part_bytes <= _BAND_BYTES or not code.target.has_tiles("int8") else 1
        self.out, self.out_type = len(code.tensors) - 1, type_of(shape.out.dtype.name)
        self.dot_columns = dot_columns(self.k, shape.name)
        can_be_many = self.m.constant is None or self.m.constant >= TILE_ROWS
        self.has_tiles = can_be_many and has_tiles(code.target, shape.name)
        self.has_tiled_rows = rounds_to_tiles(shape.name, shape.rows, code.target)
        self.sums = self.k.pointer(self.k.scratch, UnpackedPanel.of(shape.name).sums, I8)

    def _choose(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Emit both ways to multiply, or only the one known to be taken."""
        if condition.constant is not None:
            (then if condition.constant else otherwise)()
            return
        with self.k.when(condition):
            then()
        with self.k.otherwise():
            otherwise()

    # -- units
    def unit(self, unit: Value) -> None:
        """Emit one unit: a panel times all its rows; or two panels times rows in tile order."""
        if self.shape.table is not None:
            self._rows_of_expert(self.shape.table, unit)
        elif self.has_tiled_rows:
            tiled, other = partial(self._tiled_part, unit), partial(self._rows_of_x, unit)
            self._choose(self.m >= GROUP_ROWS, tiled, other)
        else:
            self._rows_of_x(unit)

    def _part_and_panel(self, unit: Value, panels: Value, part_rows: int, size: int) -> tuple[Value, Value]:
        """The part of the rows of x, and the panel. The parts of a band are adjacent units of the same panel, which the first of
        them reads from memory: a thread's share of the panels has all rows of the band, however few its last part has."""
        k, parts = self.k, (self.m + (part_rows - 1)).udiv(part_rows)
        if size == 1 or (parts.constant is not None and parts.constant <= 1):
            return unit.udiv(panels), unit.urem(panels)
        band = unit.udiv(panels * size)
        first, inside = band * size, unit.urem(panels * size)
        count = k.minimum(parts - first, size)
        return first + inside.urem(count), inside.udiv(count)

    def _rows_of_x(self, unit: Value) -> None:
        k, panels = self.k, (self.n + (self.columns - 1)).udiv(self.columns)
        part, panel = self._part_and_panel(unit, panels, PANEL_ROWS, self.band)
        column = panel * self.columns
        if self.m.constant is not None and self.m.constant <= PANEL_ROWS:
            start, count = k.index(0), self.m
        else:
            start = part * PANEL_ROWS
            count = k.minimum(self.m - start, PANEL_ROWS)
        self._adjacent_rows(k.index(0), column, start, count)

    def _tiled_part(self, unit: Value) -> None:
        wide = (self.n + (PART_COLUMNS - 1)).udiv(PART_COLUMNS)
        part, panel = self._part_and_panel(unit, wide, PART_ROWS, _BAND)
        start = part * PART_ROWS
        count = self.k.minimum(self.m - start, PART_ROWS)
        self._tiled_rows(self.k.index(0), panel * PART_COLUMNS, start, count)

    def _rows_of_expert(self, table: RowTable, unit: Value) -> None:
        """Multiply columns of one of the experts that have rows; the first expert also fills rows whose expert does not exist."""
        k, columns = self.k, expert_columns(self.shape, self.code.target)
        units = (self.n + (columns - 1)).udiv(columns)
        number, column = unit.udiv(units), unit.urem(units) * columns
        expert, first, last = table.find_expert(self.code, _TABLE, number)
        end = k.minimum(column + columns, self.n)
        tiled = partial(self._tiles_of_expert, expert, column, first, last)
        other = partial(self._panels_of_expert, expert, (column, end), first, last)
        if self.has_tiled_rows:
            self._choose(last - first >= GROUP_ROWS, tiled, other)
        else:
            other()
        if table.fills:
            with k.when(number == 0):
                out, kinds = self.code.pointer(self.out), (F32, self.out_type)
                table.fill_outside(self.code, _TABLE, out, self.n, (column, end), kinds)

    def _tiles_of_expert(self, expert: Value, column: Value, first: Value, last: Value) -> None:
        for start in self.k.range(first, last, PART_ROWS):
            self._tiled_rows(expert, column, start, self.k.minimum(last - start, PART_ROWS))

    def _panels_of_expert(self, expert: Value, columns: tuple[Value, Value], first: Value, last: Value) -> None:
        for column in self.k.range(*columns, COLUMNS):
            for start in self.k.range(first, last, PANEL_ROWS):
                self._adjacent_rows(expert, column, start, self.k.minimum(last - start, PANEL_ROWS))

    def _adjacent_rows(self, expert: Value, column: Value, start: Value, count: Value) -> None:
        """Multiply adjacent quantized rows from `start` on, listed in scratch."""
        for at in self.k.range(count):
            self.k.store(start + at, self.k.scratch, at)
        self._product(expert, column, count)

    def _product(self, expert: Value, column: Value, count: Value) -> None:
        if streams_words(self.code.target, ORDERS[self.shape.name]):
            self._choose(
                self.m == 1,
                lambda: self._streams(expert, column, self.k.index(0), count, is_alone=True),
                lambda: self._rows(expert, column, count),
            )
        else:
            self._rows(expert, column, count)

    def _rows(self, expert: Value, column: Value, count: Value) -> None:
        is_few = count <= self.few[-1]
        if self.is_wide and is_few.constant is None:  # few rows have one call, which LLVM inlines
            self._many(expert, column, count)
            return
        self._choose(
            is_few, lambda: self._few_rows(expert, column, self.k.index(0), count), lambda: self._many(expert, column, count)
        )

    def _many(self, expert: Value, column: Value, count: Value) -> None:
        """Multiply more rows than stream a weight together."""
        if self.has_tiles:
            self._choose(
                count >= TILE_ROWS,
                lambda: self._tile_rows(expert, column, count),
                lambda: self._many_without_tiles(expert, column, count),
            )
        else:
            self._many_without_tiles(expert, column, count)

    def _many_without_tiles(self, expert: Value, column: Value, count: Value) -> None:
        if not self.is_wide:
            (self._dot_rows if self.dot_columns else self._panel)(expert, column, count)
            return
        wide = partial(self._wide_streams, expert, column, count)
        if self.dot_columns:
            self._choose(count <= _WIDE_ROWS, wide, lambda: self._dot_rows(expert, column, count))
        else:
            wide()

    def _eight(self, expert: Value, column: Value) -> Value:
        """The address of the eight interleaved rows (columns of the product) that start at a column."""
        eights = (self.n + (ROWS - 1)).udiv(ROWS)
        return self.k.pointer(self.code.pointer(1), (expert * eights + column.udiv(ROWS)) * self.blocks * self.block_bytes, I8)

    def _row(self, count: Value, index: Operand) -> Value:
        """The index of the quantized row at a position of the list; past the end, the last one."""
        return self.k.load(self.k.scratch, self.k.minimum(self.k.index(index), count - 1), I64)

    # -- few rows
    def _few_rows(self, expert: Value, column: Value, start: Value, count: Value) -> None:
        """Multiply the rows from `start` on, eight columns at a time, or sixteen where codebook look-ups need full registers."""
        if not self.few_are_wide:
            self._streams(expert, column, start, count)
        else:
            stream = partial(self._wide_few, self._sides(expert, column), column, start, count)
            self._fewest(stream, count - start, self.few)

    def _fewest(self, stream: Callable[[int], None], count: Value, variants: tuple[int, ...]) -> None:
        """Stream with the smallest variant that fits all rows."""
        if len(variants) == 1:
            stream(variants[0])
        else:
            more = partial(self._fewest, stream, count, variants[1:])
            self._choose(count <= variants[0], partial(stream, variants[0]), more)

    def _streams(self, expert: Value, column: Value, start: Value, count: Value, is_alone: bool = False) -> None:
        """Stream a panel for the rows from `start` on, or for the single row of x."""
        k = self.k
        for at in k.range(column, k.minimum(column + self.columns, self.n), ROWS):
            if is_alone:
                self._stream(self._eight(expert, at), at, start, count, 1, is_alone=True)
            else:
                stream = partial(self._stream, self._eight(expert, at), at, start, count)
                self._fewest(stream, count - start, self.few)

    def _stream(self, weight: Value, column: Value, start: Value, count: Value, rows: int, is_alone: bool = False) -> None:
        """Stream eight columns, for up to `rows` rows."""
        k = self.k
        numbers = [self._row(count, start + index) for index in range(rows)]
        xs = [k.pointer(self.code.pointer(0), number * self.row_bytes, I8) for number in numbers]
        function = stream_function(self.code.module, self.shape.name, rows, is_alone)
        k.call(function, weight, self.blocks, self.sums, *xs)
        for index, number in enumerate(numbers):
            self._store(k.load(self.sums, index * ROWS, FLOATS), number, column)

    # -- any number of rows, with dot products
    def _dot_rows(self, expert: Value, column: Value, count: Value) -> None:
        """Multiply all rows at once with dot products, the columns of a panel side by side or in turn."""
        k, sides = self.k, self._sides(expert, column)
        each = self.dot_columns // ROWS
        for first in range(0, len(sides), each):
            function = dot_rows_function(self.code.module, self.shape.name, self.dot_columns)
            addresses = sides[first : first + each]
            k.call(function, *addresses, self.code.pointer(0), self.blocks, self.row_bytes, count, k.scratch)
            for at in k.range(count):
                row = k.load(k.scratch, at, I64)
                for side in range(each):
                    start = column + (first + side) * ROWS
                    value = k.load(self.sums, at * self.dot_columns + side * ROWS, FLOATS)
                    with k.when(start < self.n):
                        self._store(value, row, start)

    def _tile_rows(self, expert: Value, column: Value, count: Value) -> None:
        """Multiply all rows at once, by tiles of sixteen."""
        k, function = self.k, tile_rows_function(self.code.module, self.shape.name)
        sides = self._sides(expert, column)
        k.call(function, *sides, self.code.pointer(0), self.blocks, self.row_bytes, count, k.scratch)
        for at in k.range(count):
            self._store_sides(at, k.load(k.scratch, at, I64), column)

    def _tiled_rows(self, expert: Value, column: Value, start: Value, count: Value) -> None:
        """Multiply up to 64 rows in tile order by 32 columns; past the last column, the last eight again."""
        k = self.k
        last = (self.n - 1).udiv(ROWS) * ROWS
        sides = [self._eight(expert, k.minimum(column + at, last)) for at in range(0, PART_COLUMNS, ROWS)]
        x = k.pointer(self.code.pointer(0), start.udiv(GROUP_ROWS) * self.blocks * GROUP.stride, I8)
        groups = (count + (GROUP_ROWS - 1)).udiv(GROUP_ROWS)
        k.call(tiled_rows_function(self.code.module, self.shape.name), *sides, x, self.blocks, groups, k.scratch)
        for at in range(0, PART_COLUMNS, ROWS):
            with k.when(column + at < self.n):
                for row in k.range(count):
                    self._store(k.load(k.scratch, row * PART_COLUMNS + at, FLOATS), start + row, column + at)

    # -- sixteen columns
    def _wide_streams(self, expert: Value, column: Value, count: Value) -> None:
        """Stream all columns of a panel for eight rows at a time. Few remaining rows stream it alone; more overlap the previous eight."""
        k, few, sides = self.k, self.few[-1], self._sides(expert, column)
        for start in k.range(0, count, _WIDE_ROWS):
            with k.when((count - start <= few) | (count < _WIDE_ROWS)):
                for at in k.range(start, count, few):
                    self._few_rows(expert, column, at, k.minimum(at + few, count))
            with k.otherwise():
                self._wide_stream(sides, column, k.minimum(start, count - _WIDE_ROWS))

    def _wide_few(self, sides: list[Value], column: Value, start: Value, count: Value, rows: int) -> None:
        """Stream all columns of a panel, for up to `rows` rows."""
        k = self.k
        numbers = [self._row(count, start + index) for index in range(rows)]
        xs = [k.pointer(self.code.pointer(0), number * self.row_bytes, I8) for number in numbers]
        k.call(wide_stream_function(self.code.module, self.shape.name, rows, None), *sides, self.blocks, self.sums, *xs)
        for index, number in enumerate(numbers):
            self._store_sides(index, number, column)

    def _wide_stream(self, sides: list[Value], column: Value, start: Value) -> None:
        """Stream all columns of a panel, for eight rows from `start` on."""
        k, stride = self.k, self.row_bytes.constant
        assert stride is not None
        x = k.pointer(self.code.pointer(0), k.load(k.scratch, start, I64) * self.row_bytes, I8)
        function = wide_stream_function(self.code.module, self.shape.name, _WIDE_ROWS, int(stride))
        k.call(function, *sides, self.blocks, self.sums, x)
        for index in k.range(_WIDE_ROWS):
            self._store_sides(index, k.load(k.scratch, start + index, I64), column)

    def _sides(self, expert: Value, column: Value) -> list[Value]:
        """The addresses of both eights of a panel; past the last column, the last one again."""
        last = (self.n - 1).udiv(ROWS) * ROWS
        return [self._eight(expert, self.k.minimum(column + side * ROWS, last)) for side in range(2)]

    def _store_sides(self, index: Operand, row: Value, column: Value) -> None:
        """Store the sums of a row, from an offset of scratch, in the result."""
        k = self.k
        for side in range(2):
            value = k.load(self.sums, k.index(index) * COLUMNS + side * ROWS, FLOATS)
            with k.when(column + side * ROWS < self.n):
                self._store(value, row, column + side * ROWS)

    def _store(self, value: Value, row: Value, column: Value) -> None:
        """Store eight columns of a quantized row in the result's row, as the table maps it."""
        k, table = self.k, self.shape.table
        of_x = row if table is None else table.row(self.code, _TABLE, row)
        result, index = k.convert(value, self.out_type), of_x * self.n + column
        out, left = self.code.pointer(self.out), self.n - column
        self._choose(left >= ROWS, lambda: k.store(result, out, index), lambda: k.store_masked(result, out, index, left))

    # -- many rows
    def _panel(self, expert: Value, column: Value, count: Value) -> None:
        k, module, name = self.k, self.code.module, self.shape.name
        for at in k.range(0, (count + (TILE - 1)) * COLUMNS, ROWS):
            k.store(k.constant(0.0, FLOATS), self.sums, at)
        sides = self._sides(expert, column)
        panel = UnpackedPanel.of(name)
        for first in k.range(0, self.blocks, panel.blocks):
            depth = k.minimum(self.blocks - first, panel.blocks)
            for index in k.range(depth):
                stored = k.pointer(k.scratch, index * panel.block + panel.first, I8)
                for side, weight in enumerate(sides):
                    k.call(unpack_function(module, name, side), k.pointer(weight, (first + index) * self.block_bytes, I8), stored)
            k.call(tiles_function(module, name), self.code.pointer(0), first, self.blocks, self.row_bytes, count, k.scratch)
        for at in k.range(count):
            self._store_sides(at, k.load(k.scratch, at, I64), column)


# -- lowering ----------------------------------------------------------------------------------------------------------


_ROUNDING_RUNS = 4
"""The number of runs in which a thread quantizes its share of the rows."""


def holds_stored_rows(op: Op) -> bool:
    """Whether the layout of an op's packed weight is one of stored blocks."""
    return isinstance(op["layout"], StoredRows)


def _order(op: Op) -> BlockOrder:
    layout = op["layout"]
    assert isinstance(layout, StoredRows)
    return ORDERS[layout.scheme.detail]


def lower_pack_rows(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `pack` to interleaved rows of stored blocks."""
    source = inputs[0]
    assert source is not None
    return lower_rows_side_by_side(_order(op), source, outputs[0])


def lower_product(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower packed_matmul, and packed_grouped_matmul with its experts."""
    x, blocks = inputs[:2]
    out, name = outputs[0], _order(op).name
    assert x is not None and blocks is not None
    if not blocks.is_dense or not out.is_dense:
        return "operands with gaps"
    if any(isinstance(size, Dim) for size in (x.dims[-1], out.dims[-1])):
        return "a weight of symbolic size"
    has_experts, count = len(inputs) == 3, product(x.dims[:-1])
    if op.attrs["exact"] or name not in NUMBERS or x.dtype.name == "f64":
        table = RowTable.of(op, x, blocks) if has_experts else None
        position = len(inputs) + int(has_experts)
        rows = Rows(x, InterleavedRows(ORDERS[name], 1), x.dims[-1], out.dims[-1], out, position, table)
        return lower_rows(op, inputs, rows, target)
    align = GROUP_ROWS if rounds_to_tiles(name, count, target) else 1
    table = RowTable.of(op, x, blocks, align) if has_experts else None
    shape = ProductShape(name, count, x.dims[-1], out.dims[-1], out, table)
    return _by_integers(op, shape, x, inputs, target)


def _by_integers(op: Op, shape: ProductShape, x: Tensor, inputs: tuple[Tensor | None, ...], target: Target) -> Lowering:
    """Lower an integer product: the table of the experts' rows, the rows quantized into a temporary, and the product."""
    order, table, operands = ORDERS[shape.name], shape.table, len(inputs)
    tiled = rounds_to_tiles(shape.name, shape.rows, target)
    row_bytes = Rounded.of(order, target).row(int(shape.k) // order.size)
    rounded = Tensor.dense(Shape((rows_with_room(shape.rows, tiled, table), row_bytes), u8))
    rounded_rows, listed = operands + 1, () if table is None else (operands + 2,)
    rounding = Stage(
        "round",
        ("round", order.name, tiled, table),
        (0, *listed, rounded_rows),
        round_units(order, x, tiled, table),
        lambda code: round_rows(code, order, x, tiled, table),
        runs=_ROUNDING_RUNS,
        reads=listed,
    )

    def emit(code: KernelCode) -> None:
        work = IntegerProduct(code, shape)
        for unit in code.code.range(code.code.begin, code.code.end):
            work.unit(unit)

    tensors, reads = (rounded_rows, 1, *listed, operands), (rounded_rows, *listed)
    units, runs, scratch = unit_count(shape, target), runs_per_thread(shape), scratch_bytes(shape.name, target)
    multiply = Stage(op.name, (op.name, shape), tensors, units, emit, scratch, runs=runs, reads=reads)
    if table is None:
        return Lowering((rounding, multiply), (rounded,))
    listing = table.stage(op, inputs, operands + 2)
    return Lowering((listing, rounding, multiply), (rounded, table.tensor))


# -- rows of a table --------------------------------------------------------------------------------------------
def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `packed_gather`: a unit is one index, its row unpacked block by block together with the seven rows interleaved with it."""
    blocks, indices = inputs
    if not holds_stored_rows(op):
        return f"a table as {op['layout']}"
    out, order = outputs[0], _order(op)
    assert blocks is not None and indices is not None
    if not blocks.is_dense or not out.is_dense:
        return "operands with gaps"
    fills, checks, count = op.attrs["mode"] == "fill", op.attrs["check_bounds"], product(indices.dims)

    def emit(code: KernelCode) -> None:
        k, kind = code.code, type_of(out.dtype.name)
        length, size = index_of(code, out.dims[-1]).udiv(order.size), order.scheme.block_bytes() * ROWS
        for unit in k.range(k.begin, k.end):
            at = offset_of(code, unravel(code, unit, indices.dims), indices.strides) if indices.dims else k.index(0)
            row, outside = read_position(code, code.pointer(1), at, indices.dtype, op.attrs["n"])
            if checks:
                with k.when(outside):
                    code.fail(OUT_OF_BOUNDS)
            for block in k.range(length):
                base = k.pointer(code.pointer(0), (row.udiv(ROWS) * length + block) * size, I8)
                k.call(floats_function(code.module, order.name, ROWS, F32), base, k.scratch, 1)
                for index in k.range(order.size):
                    number = k.load(k.scratch, index * ROWS + row.urem(ROWS), F32)
                    number = k.select(outside, float("nan"), number) if fills else number
                    k.store(k.convert(number, kind), code.pointer(2), (unit * length + block) * order.size + index)

    return Lowering((Stage(op.name, (op.name, order.name), (0, 1, 2), count, emit, 4 * ROWS * order.size),))
