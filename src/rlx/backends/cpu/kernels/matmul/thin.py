"""Few rows times an unpacked B `[K, N]`: B is read once, directly, and everything else is arranged around that.

Memory is fastest in long runs, so adjacent units become one wide run of columns, whose accumulators stay in L1. A few rows of B at a
time are processed along all its columns. The first tile of rows saves what it reads for the other tiles: a column of B read again
would miss, since its elements are usually a power of two apart and map to the same few cache sets.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.values import I8, PTR, Operand, Value
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.operands import OutputBlock
from rlx.backends.cpu.kernels.matmul.tile import Prefetch, Tile, multiply_add, product_tile

_LINE = 64
"""Bytes of a cache line."""
_SECOND_CACHE = 2
"""Where B is prefetched to: its rows are usually a power of two apart, and more of them than the sets of the first cache hold."""


class ThinProduct(ProductLoops):
    """Emits the units of a spec that `is_thin`.

    Every column is summed along k in one order, so it does not matter which columns are taken together.
    """

    def units(self, begin: Value, end: Value) -> None:
        """Emit the units [begin, end) of a thin product, merging adjacent ones."""
        k, unit = self.k, self.k.var(begin)
        with k.loop() as runs:
            runs.stop(unit.get() >= end)
            block, count = self._run(unit.get(), end)
            self._product(block)
            unit.set(unit.get() + count)

    def _run(self, unit: Value, end: Value) -> tuple[OutputBlock, Value]:
        """The columns from a unit on that have room for their accumulators, and how many units they cover."""
        k, plan, spec = self.k, self.plan, self.spec
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        blocks = (panels + (plan.few_panels - 1)).udiv(plan.few_panels)
        wide = (panels + (blocks - 1)).udiv(blocks)
        batch, index = unit.udiv(blocks), unit.urem(blocks)
        room = k.index(plan.block_panels).udiv(k.maximum(wide, 1))
        count = k.minimum(k.minimum(end - unit, blocks - index), k.maximum(room, 1))
        panel = index * wide
        a, b, c = (k.argument(position, PTR) for position in (spec.a, spec.b, spec.c))
        coordinates = self._coordinates(batch)
        block = OutputBlock(
            k.pointer(a, self._offset(coordinates, spec.a_batch), self.a_type),
            k.pointer(b, self._offset(coordinates, spec.b_batch), self.b_type),
            k.pointer(c, self._offset(coordinates, spec.c_batch), self.c_type),
            batch,
            k.index(0),
            self.m,
            panel,
            k.minimum(wide * count, panels - panel),
        )
        return block, count

    def _product(self, block: OutputBlock) -> None:
        k, step = self.k, self.plan.depth
        zero = k.constant(0, self.kind.vector(self.lanes))
        for index in k.range(0, block.panels * self.m * self.plan.width, self.lanes):
            k.store(zero, k.scratch, index)
        whole = self.depth.udiv(step) * step
        for start in k.range(0, whole, step):
            self._rows(block, start, k.index(step))
        rest = self.depth - whole
        self._choose(rest > 0, lambda: self._rows(block, whole, rest))
        for panel in k.range(block.panels):
            self._finish(block, panel)

    def _rows(self, block: OutputBlock, start: Value, depth: Value) -> None:
        """Add the contribution of some rows of B, in all columns of the run."""
        k, width = self.k, self.plan.width
        a, a_row, a_inner = self._a_chunk(block, start, depth)
        rows = self._row_count()
        vectors = 4 if 2 <= rows <= 3 else 2
        count = k.minimum(block.panels * width, self.n - block.panel * width)
        whole = count.udiv(vectors * self.lanes) * (vectors * self.lanes)
        b = k.pointer(block.b, start * self.b_row + block.panel * width, self.b_type)
        if rows == 1 and depth.constant == self.plan.depth:
            self._one_row(a, a_inner, b, whole)
        else:
            for column in k.range(0, whole, vectors * self.lanes):
                self._columns((a, a_row, a_inner), b, depth, column, vectors, None)
        for column in k.range(whole, count, width):
            self._columns((a, a_row, a_inner), b, depth, column, 2, count - column)

    def _one_row(self, a: Value, a_inner: Operand, b: Value, columns: Value) -> None:
        """Multiply one row of A, its elements in registers: only B is loaded."""
        k, lanes, vectors, depth = self.k, self.lanes, 2, self.plan.depth
        left = [k.splat(k.load(a, k.index(a_inner) * p, self.kind), lanes) for p in range(depth)]
        rows = [k.pointer(b, self.b_row * p, self.b_type) for p in range(depth)]
        for column in k.range(0, columns, vectors * lanes):
            totals = [k.load(k.scratch, column + j * lanes, self.kind.vector(lanes)) for j in range(vectors)]
            for factor, row in zip(left, rows, strict=True):
                for j in range(vectors):
                    loaded = k.convert(k.load(row, column + j * lanes, self.b_type.vector(lanes)), self.kind)
                    totals[j] = multiply_add(k, factor, loaded, totals[j])
            for j, total in enumerate(totals):
                k.store(total, k.scratch, column + j * lanes)

    def _columns(
        self, left: tuple[Value, Operand, Operand], b: Value, depth: Value, column: Value, vectors: int, count: Value | None
    ) -> None:
        """Multiply some columns by all tiles of rows: the first tile reads B, the others read what the first saved."""
        k, lanes, width = self.k, self.lanes, self.plan.width
        a, a_row, a_inner = left
        source = k.pointer(b, column, self.b_type)
        kept = k.pointer(k.scratch, self.layout.b, I8)
        tiles = self._tile_sizes()
        ahead = k.pointer(source, self.b_row * self.plan.depth, self.b_type)
        lines = max(1, vectors * lanes * self.b_type.size // _LINE)
        row = 0
        for number, rows in enumerate(tiles):
            at = k.pointer(a, k.index(a_row) * row, self.kind)
            if number == 0:
                copy = kept if len(tiles) > 1 else None
                tile = Tile(rows, vectors, self.kind, at, a_row, a_inner, source, self.b_row, self.b_type, count=count, copy=copy)
            else:
                tile = Tile(rows, vectors, self.kind, at, a_row, a_inner, kept, vectors * lanes, self.kind)
            prefetch = None
            if number < 2:  # prefetches spread over two tiles, since only so many can be in flight
                prefetch = Prefetch(ahead, self.b_row * self.b_type.size, lines, number, min(2, len(tiles)), _SECOND_CACHE)
            places = [
                [self._sums(column.udiv(width) + j // 2, (row + i) * width + j % 2 * lanes) for j in range(vectors)]
                for i in range(rows)
            ]
            vector = self.kind.vector(lanes)
            before = [[k.load(place, 0, vector) for place in line] for line in places]
            totals = product_tile(k, tile, depth, even=depth.constant == self.plan.depth, prefetch=prefetch, before=before)
            for line, results in zip(places, totals, strict=True):
                for place, total in zip(line, results, strict=True):
                    k.store(total, place, 0)
            row += rows

    def _row_count(self) -> int:
        assert isinstance(self.spec.m, int)
        return self.spec.m

    def _tile_sizes(self) -> list[int]:
        """Rows of each tile: as few tiles as possible, of nearly equal size."""
        rows = self._row_count()
        count = -(-rows // self.plan.tile_rows)
        return [rows // count + (number < rows % count) for number in range(count)]
