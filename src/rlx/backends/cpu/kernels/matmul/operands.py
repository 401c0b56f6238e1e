"""Shared by the loops of a matrix product: its operands and sizes in registers, the addresses of a unit and its sums, the epilogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import I8, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import PAIRED_DEPTH, Blocking, blocking, multiplies_pairs
from rlx.backends.cpu.kernels.matmul.pack import copy_columns, copy_rows, copy_tiles
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, EpiloguePlace, MatMulSpec, Size, SizeSlot
from rlx.backends.cpu.kernels.matmul.tile import DEPTH_STEP, Places, Tile, accumulate_tile, store_sums, with_earlier
from rlx.backends.cpu.target import Target

_PAD = 16
"""Padding between the rows of a copy of A: keeps rows of a power of two from mapping to the same cache sets."""


def tile_elements(plan: Blocking, target: Target, kind: Type) -> int:
    """Elements of a copy of one tile of a transposed A, with room for a vector past its end."""
    return plan.tile_rows * plan.depth + target.lanes(kind)


@dataclass(frozen=True)
class ScratchLayout:
    """Byte offsets in a thread's scratch of a product: sums of the block, copy of A, panels of B."""

    a: int
    a_row: int
    b: int
    total: int

    @staticmethod
    def of(spec: MatMulSpec, plan: Blocking, target: Target) -> ScratchLayout:
        """The scratch layout of a product; its sums come first, as [panel][row][width]."""
        size = spec.kind.size
        sums = plan.block_panels * plan.block_rows * plan.width * size
        a_row = (plan.block_rows if spec.a_row == 1 else plan.depth) + _PAD
        a_rows = plan.depth if spec.a_row == 1 else plan.block_rows
        tiles = -(-plan.block_rows // plan.tile_rows) * tile_elements(plan, target, spec.kind) if spec.a_row == 1 else 0
        a_bytes = max(a_row * a_rows, tiles) * size + target.vector_bytes if spec.copies_a else 0
        b_panels = 2 if spec.is_thin else plan.block_panels
        b_bytes = b_panels * plan.depth * plan.width * size if spec.copies_b else 0
        a = -(-sums // 64) * 64
        b = a + -(-a_bytes // 64) * 64
        return ScratchLayout(a, a_row, b, b + b_bytes)

    @staticmethod
    def of_pairs(plan: Blocking) -> ScratchLayout:
        """The scratch layout of a product of pairs: also a copy of A if its rows cannot be read in place, and one panel of B."""
        a = plan.block_panels * plan.block_rows * plan.width * 4
        b = a + plan.block_rows * PAIRED_DEPTH * 2
        return ScratchLayout(a, PAIRED_DEPTH, b, b + PAIRED_DEPTH * plan.width * 2)


def scratch_bytes(spec: MatMulSpec, target: Target) -> int:
    """Bytes of scratch that each thread of a product needs."""
    plan = blocking(spec, target)
    total = ScratchLayout.of(spec, plan, target).total
    return max(total, ScratchLayout.of_pairs(plan).total) if multiplies_pairs(spec, target) else total


_MANY_ROWS = 8
"""From so many rows on, half a panel is told from a whole one."""


@dataclass(frozen=True)
class OutputBlock:
    """The part of C that a unit computes, and the operands of its batch."""

    a: Value
    b: Value
    c: Value
    batch: Value
    row: Value
    rows: Value
    panel: Value
    panels: Value


@dataclass(frozen=True)
class Chunk:
    """A range of k, with the operand A as the tiles read it."""

    start: Value
    depth: Value
    first: Value
    last: Value
    a: Value
    a_row: Operand
    a_inner: Operand
    a_tile: Operand | None = None
    """The distance between tiles of A if they are stored tile by tile; None: rows are `a_row` apart throughout."""

    def tile(self, k: Function, row: Value, tile_rows: int, kind: Type) -> Value:
        """The operand A from the first row of a tile on."""
        place = row * self.a_row if self.a_tile is None else row.udiv(tile_rows) * self.a_tile
        return k.pointer(self.a, place, kind)


class ProductParts:
    """One spec in a kernel under construction."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        self.k, self.spec, self.plan, self.epilogue = k, spec, plan, epilogue
        self.kind, self.lanes = spec.kind, k.target.lanes(spec.kind)
        self.a_type, self.b_type, self.c_type = (type_of(name) for name in (spec.a_type, spec.b_type, spec.c_type))
        self.m, self.n, self.depth = (self._size(size) for size in (spec.m, spec.n, spec.k))
        self.a_row = self._size(spec.a_row) if spec.a_row is not None else self.depth
        dense = self.n if spec.b_form == "rows" else self.depth
        self.b_row = self._size(spec.b_row) if spec.b_row is not None else dense
        self.c_row = self._size(spec.c_row) if spec.c_row is not None else self.n
        self.layout = ScratchLayout.of(spec, plan, k.target)
        self.narrow = self._has_narrow_panel()
        self.even = self.depth.constant is not None and self.depth.constant % DEPTH_STEP == 0

    def _has_narrow_panel(self) -> bool:
        """Whether the last panel is known to fit one vector: tiles omit its other half. Few rows are memory-bound, and code for
        a row count known at run time is long."""
        spec = self.spec
        if spec.pair or spec.is_thin or not (isinstance(spec.m, int) and isinstance(spec.n, int)) or spec.m < _MANY_ROWS:
            return False
        return 0 < spec.n % self.plan.columns <= self.lanes

    def _size(self, size: Size) -> Value:
        return self.k.argument(size.index) if isinstance(size, SizeSlot) else self.k.index(size)

    def _choose(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Emit a branch, or only the side that is known to be taken."""
        if condition.constant is not None:
            chosen = then if condition.constant else otherwise
            if chosen is not None:
                chosen()
            return
        with self.k.when(condition):
            then()
        if otherwise is not None:
            with self.k.otherwise():
                otherwise()

    # -- places
    def _coordinates(self, batch: Value) -> list[Value]:
        coordinates = []
        for size in reversed(self.spec.batch[1:]):
            coordinates.append(batch.urem(self._size(size)))
            batch = batch.udiv(self._size(size))
        return [batch, *reversed(coordinates)] if self.spec.batch else []

    def _offset(self, coordinates: list[Value], strides: tuple[Size, ...]) -> Value:
        offset = self.k.index(0)
        for coordinate, stride in zip(coordinates, strides or (0,) * len(coordinates), strict=True):
            offset = offset + coordinate * self._size(stride)
        return offset

    def _a_chunk(self, block: OutputBlock, start: Value, length: Value) -> tuple[Value, Operand, Operand]:
        """A chunk of A in place, or copied: (address, row stride, stride along k)."""
        k, spec = self.k, self.spec
        inner = self._size(spec.a_inner)
        source = k.pointer(block.a, start * inner, self.a_type)
        if not spec.copies_a:
            return source, self.a_row, 1
        copy, stride = self._scratch(self.layout.a), self.layout.a_row
        if spec.a_row == 1:
            copy_columns(k, source, self.a_type, inner, block.rows, length, copy, self.kind, stride)
            return copy, 1, stride
        step: Operand = 1 if spec.a_inner == 1 else inner
        copy_rows(k, source, self.a_type, self.a_row, step, block.rows, length, copy, self.kind, stride)
        return copy, stride, 1

    def _a_tiles(self, block: OutputBlock, start: Value, length: Value) -> tuple[Value, Operand]:
        """Copy a transposed A tile by tile, so that the cache lines a tile reads hold nothing else; returns (address, tile stride)."""
        inner, rows = self._size(self.spec.a_inner), self.plan.tile_rows
        source, copy = self.k.pointer(block.a, start * inner, self.a_type), self._scratch(self.layout.a)
        stride = tile_elements(self.plan, self.k.target, self.kind)
        copy_tiles(self.k, source, self.a_type, inner, block.rows, length, copy, self.kind, rows, stride)
        return copy, stride

    def _scratch(self, offset: int) -> Value:
        return self.k.pointer(self.k.scratch, offset, I8)

    # -- sums
    def _row(self, tile: Tile, row: int) -> Value:
        return tile.row(self.k, row)

    def _sums(self, panel: Value, index: int = 0) -> Value:
        return self.k.pointer(self.k.scratch, panel * (self.plan.block_rows * self.plan.width) + index, self.kind)

    def _sum_addresses(self, places: Places) -> Places:
        """The addresses of sums given as (panel, index): (address, index)."""
        return [(self._sums(panel), index) for panel, index in places]

    def _accumulate(self, chunk: Chunk, totals: list[Value], places: Places) -> None:
        k, targets = self.k, self._sum_addresses(places)
        store_sums(k, totals if self.spec.in_order else with_earlier(k, chunk.first, totals, lambda: targets), targets)

    def _accumulate_tile(self, chunk: Chunk, tile: Tile, places: Callable[[], Places]) -> None:
        """Add a tile's products to the sums at (panel, index) of its vectors, row by row."""

        def sums() -> Places:
            return self._sum_addresses(places())

        order = self.spec.in_order
        accumulate_tile(self.k, tile, chunk.depth, chunk.first, sums, sums, even=self.even, in_order=order)

    # -- the epilogue
    def _finish(self, block: OutputBlock, panel: Value, orders: Sequence[Sequence[int]] | None = None) -> None:
        """Load the sums of one panel from scratch, apply the epilogue and store C, row by row. `orders`: the columns' positions
        among both vectors of sums, if not in order."""
        k, plan = self.k, self.plan
        sums = self._sums(panel)
        column = (block.panel + panel) * plan.columns

        def rows(count: Value | None) -> None:
            for row in k.range(block.rows):
                vector = self.kind.vector(self.lanes)
                vectors = 1 if self.narrow and count is not None and orders is None else 2
                values = [k.load(sums, row * plan.width + j * self.lanes, vector) for j in range(vectors)]
                values += [k.constant(0, vector)] * (2 - vectors)
                if orders is not None:
                    values = [k.shuffle(values[0], values[1], order) for order in orders]
                place = EpiloguePlace(block.batch, block.row + row, column, count)
                results = values if self.epilogue is None else list(self.epilogue(k, values, place))
                for j, value in enumerate(results):
                    index = self._row_of_c(block, row) * self.c_row + column
                    place.store(k, k.convert(value, self.c_type), block.c, index, j)

        self._whole_or_part(self.n - column, rows)

    def _row_of_c(self, block: OutputBlock, row: Value) -> Value:
        """The index in C of a row of the block."""
        return row

    def _whole_or_part(self, count: Value, emit: Callable[[Value | None], None]) -> None:
        """Emit code for a panel with `count` valid columns: for a full one without the count, for a partial one with it."""
        if self.n.constant is not None and self.n.constant % self.plan.columns == 0:
            emit(None)
        else:
            self._choose(count >= self.plan.columns, lambda: emit(None), lambda: emit(count))
