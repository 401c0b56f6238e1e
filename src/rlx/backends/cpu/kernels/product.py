"""The loops of one unit of a matrix product: chunks of k, panels of columns, tiles of rows, then the epilogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rlx.backends.cpu.builder import I8, PTR, Function, Operand, Value, type_of
from rlx.backends.cpu.kernels.matmul_plan import Blocking, Epilogue, MatMulSpec, Place, ScratchLayout, Size, Slot
from rlx.backends.cpu.kernels.pack import copy_rows, copy_transposed, panel_from_columns, panels_from_rows
from rlx.backends.cpu.kernels.tile import DEPTH_STEP, Prefetch, Tile, dot_tile, product_tile

__all__ = ["Product"]

_PREFETCH = 1024
"""Bytes ahead B is asked for where 2 … 6 rows stream it; for one row the hardware alone is faster."""

_STREAMED_DEPTH = 8
"""Rows of an unpacked `[K, N]` that are read together along all columns of a unit: long runs, few pages."""

_STREAMED_ROWS = 4
"""Up to here a B that is not packed is read as it lies; for more rows packing it pays."""


@dataclass(frozen=True)
class _Block:
    """The part of C a unit makes, and the operands moved to its batch."""

    a: Value
    b: Value
    c: Value
    batch: Value
    row: Value
    rows: Value
    panel: Value
    panels: Value


@dataclass(frozen=True)
class _Chunk:
    """A stretch of k with the operand A as the tiles read it."""

    start: Value
    depth: Value
    first: Value
    last: Value
    a: Value
    a_row: Operand
    a_inner: Operand


class Product:
    """Emits the units of one spec into a kernel."""

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
        self.leftovers = self._leftovers()
        self.even = self.depth.constant is not None and self.depth.constant % DEPTH_STEP == 0

    def _leftovers(self) -> set[int]:
        """How many rows can be left below the whole tiles of a block: one number when M is static."""
        rows, plan = self.spec.m, self.plan
        if isinstance(rows, Slot):
            return set(range(plan.tile_rows))
        share = self._share(rows)
        return {rows % share % plan.tile_rows} if rows else {0}

    def _share(self, rows: int) -> int:
        blocks = -(-rows // self.plan.block_rows)
        return -(-rows // max(blocks, 1) // self.plan.tile_rows) * self.plan.tile_rows

    def _size(self, size: Size) -> Value:
        return self.k.argument(size.index) if isinstance(size, Slot) else self.k.index(size)

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

    # -- the unit
    def unit(self, unit: Value) -> None:
        """Emit one unit: rows vary fastest, so neighbouring units share columns of B."""
        block, spec = self._block(unit), self.spec
        if spec.copies_b:
            dots = spec.b_form == "columns"  # need A along k
            few = self.m <= (0 if dots and spec.copies_a and spec.a_row == 1 else _STREAMED_ROWS)
            self._choose(few, lambda: self._chunks(block, self._streamed), lambda: self._chunks(block, self._packed_panels))
        else:
            self._chunks(block, self._panels)

    def _block(self, unit: Value) -> _Block:
        k, plan, spec = self.k, self.plan, self.spec
        row_blocks = (self.m + (plan.block_rows - 1)).udiv(plan.block_rows)
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        per_block = k.select(self.m <= plan.block_rows, plan.few_panels, plan.block_panels)
        panel_blocks = (panels + (per_block - 1)).udiv(per_block)
        rest = unit.udiv(row_blocks)
        batch, panel_block = rest.udiv(panel_blocks), rest.urem(panel_blocks)
        # Blocks of equal size: rows a multiple of the tile's.
        share = (self.m + (row_blocks - 1)).udiv(row_blocks)
        share = (share + (plan.tile_rows - 1)).udiv(plan.tile_rows) * plan.tile_rows
        row = unit.urem(row_blocks) * share
        wide = (panels + (panel_blocks - 1)).udiv(panel_blocks)
        panel = panel_block * wide
        a, b, c = (k.argument(index, PTR) for index in (spec.a, spec.b, spec.c))
        coordinates = self._coordinates(batch)
        return _Block(
            k.pointer(a, self._offset(coordinates, spec.a_batch) + row * self.a_row, self.a_type),
            k.pointer(b, self._offset(coordinates, spec.b_batch), self.b_type),
            k.pointer(c, self._offset(coordinates, spec.c_batch) + row * self.c_row, self.c_type),
            batch, row, k.minimum(share, self.m - row), panel, k.minimum(wide, panels - panel),
        )  # fmt: skip

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

    # -- along k
    def _chunks(self, block: _Block, body: Callable[[_Block, _Chunk], None]) -> None:
        """Cut k so that a panel's chunk stays in the first cache. Rows that fit one tile use B once: no cut."""
        k, depth = self.k, self.plan.depth
        step: Value = k.index(depth)
        if body == self._streamed and self.spec.b_form == "rows":
            step = k.minimum(_STREAMED_DEPTH, self.depth)
        elif self.depth.constant is not None and self.depth.constant <= depth:
            step = self.depth
        elif not self.spec.copies_a and body != self._packed_panels:
            step = k.select(block.rows <= self.plan.tile_rows, self.depth, depth)
        step = k.maximum(step, 1)
        for start in k.range(0, k.maximum(self.depth, 1), step):
            length = k.minimum(step, self.depth - start)
            a, a_row, a_inner = self._a_chunk(block, start, length)
            last = start + length >= self.depth
            body(block, _Chunk(start, length, k.compare("eq", start, 0), last, a, a_row, a_inner))

    def _a_chunk(self, block: _Block, start: Value, length: Value) -> tuple[Value, Operand, Operand]:
        k, spec = self.k, self.spec
        inner = self._size(spec.a_inner)
        source = k.pointer(block.a, start * inner, self.a_type)
        if not spec.copies_a:
            return source, self.a_row, 1
        copy, stride = self._scratch(self.layout.a), self.layout.a_row
        if spec.a_row == 1:
            copy_transposed(k, source, self.a_type, inner, block.rows, length, copy, self.kind, stride)
            return copy, 1, stride
        step: Operand = 1 if spec.a_inner == 1 else inner
        copy_rows(k, source, self.a_type, self.a_row, step, block.rows, length, copy, self.kind, stride)
        return copy, stride, 1

    def _scratch(self, offset: int) -> Value:
        return self.k.pointer(self.k.scratch, offset, I8)

    # -- panels of B
    def _panels(self, block: _Block, chunk: _Chunk) -> None:
        k, width = self.k, self.plan.width
        for panel in k.range(block.panels):
            index = ((block.panel + panel) * self.depth + chunk.start) * width
            b = k.pointer(block.b, index, self.b_type)
            # After the last panel of this chunk comes the first one of the next.
            onward = (panel * -self.depth + chunk.depth) * width
            following = k.pointer(b, k.select(panel + 1 < block.panels, self.depth * width, onward), self.b_type)
            self._panel(block, chunk, panel, b, following)

    def _packed_panels(self, block: _Block, chunk: _Chunk) -> None:
        """Pack this block's panels of B to scratch, then go on as if they had been there."""
        k, plan = self.k, self.plan
        base, size = self._scratch(self.layout.b), plan.depth * plan.width
        column = block.panel * plan.width
        count = self.n - column
        if self.spec.b_form == "rows":
            source = k.pointer(block.b, chunk.start * self.b_row, self.b_type)
            panels_from_rows(
                k, source, self.b_type, self.b_row, column, count, chunk.depth,
                block.panels, base, self.kind, plan.width, plan.width, size,
            )  # fmt: skip
        else:
            source = k.pointer(block.b, chunk.start, self.b_type)
            for panel in k.range(block.panels):
                start = panel * plan.width
                panel_from_columns(
                    k, source, self.b_type, self.b_row, column + start, count - start, chunk.depth,
                    k.pointer(base, panel * size, self.kind), self.kind, plan.width, plan.width,
                )  # fmt: skip
        for panel in k.range(block.panels):
            self._panel(block, chunk, panel, k.pointer(base, panel * size, self.kind))

    def _panel(self, block: _Block, chunk: _Chunk, panel: Value, b: Value, following: Value | None = None) -> None:
        """All tiles of one panel. Sums go to scratch, or straight to C when they are what is stored."""
        k, plan = self.k, self.plan
        sums = self._sums(panel)
        column = (block.panel + panel) * plan.columns
        if self.epilogue is None and self.c_type == self.kind:
            straight = chunk.last & (self.n - column >= plan.columns)
            target = k.select(straight, k.pointer(block.c, column, self.c_type), sums)
            stride = k.select(straight, self.c_row, plan.width)
        else:
            straight, target, stride = k.constant(0, type_of("i1")), sums, k.index(plan.width)
        b_type = self.kind if self.spec.copies_b else self.b_type
        base = Tile(plan.tile_rows, 2, self.kind, chunk.a, chunk.a_row, chunk.a_inner, b, plan.width, b_type)
        whole, rest, before = block.rows.udiv(plan.tile_rows), block.rows.urem(plan.tile_rows), 0
        tiles = (block.rows + (plan.tile_rows - 1)).udiv(plan.tile_rows)

        def tile(rows: int, row: Value, last_row: Value | None = None) -> None:
            a = k.pointer(chunk.a, row * chunk.a_row, self.kind)
            made = replace(base, rows=rows, a=a, last_row=last_row)
            prefetch = self._prefetch(b, following, chunk, row.udiv(plan.tile_rows), tiles, rows)
            self._tile(made, chunk, prefetch, k.pointer(sums, row * plan.width, self.kind),
                       k.pointer(target, row * stride, self.kind), stride)  # fmt: skip

        for t in k.range(whole):
            tile(plan.tile_rows, t * plan.tile_rows)
        for variant in plan.variants:
            if not any(before < left <= variant for left in self.leftovers):
                before = variant
                continue
            fits = (rest > before) & (rest <= variant)
            last_row = rest - 1 if variant - before > 1 else None
            self._choose(fits, lambda v=variant, r=last_row: tile(v, whole * plan.tile_rows, r))  # type: ignore[misc]
            before = variant
        self._choose(chunk.last & ~straight, lambda: self._finish(block, panel))

    def _prefetch(self, b: Value, following: Value | None, chunk: _Chunk, tile: Value, tiles: Value, rows: int) -> Prefetch | None:
        """What to ask for while one of a panel's tiles computes. A single tile asks for the bytes just ahead; several
        share the lines of the next panel, so that memory works all the time."""
        k = self.k
        if following is None:
            return None
        line = self.plan.width * self.b_type.size
        alone = tiles <= 1
        step = k.select(alone, line, k.index(line).udiv(k.maximum(tiles, 1)))
        shared = k.pointer(following, tile * chunk.depth * step, I8)
        base = k.select(alone, k.pointer(b, _PREFETCH if rows > 1 else 0, I8), shared)
        return Prefetch(base, step)

    def _tile(self, tile: Tile, chunk: _Chunk, prefetch: Prefetch | None, sums: Value, target: Value, stride: Value) -> None:
        k, plan = self.k, self.plan
        totals = product_tile(k, tile, chunk.depth, even=self.even, prefetch=prefetch)
        places = [
            (self._row(tile, i) * plan.width + j * self.lanes, self._row(tile, i) * stride + j * self.lanes)
            for i in range(tile.rows)
            for j in range(tile.vectors)
        ]
        flat = [total for line in totals for total in line]
        complete = self._with_earlier(chunk, flat, [(sums, index) for index, _ in places])
        for total, (_, index) in zip(complete, places, strict=True):
            k.store(total, target, index)

    def _row(self, tile: Tile, row: int) -> Value:
        index = self.k.index(row)
        return index if tile.last_row is None else self.k.minimum(index, tile.last_row)

    def _with_earlier(self, chunk: _Chunk, totals: list[Value], places: list[tuple[Value, Value]]) -> list[Value]:
        """The sums with those of earlier chunks, all read before any is written: rows may repeat."""
        k = self.k
        if chunk.first.constant:
            return totals
        kept = [k.var(total) for total in totals]
        with k.when(~chunk.first):
            for total, (base, index) in zip(kept, places, strict=True):
                total.set(total.get() + k.load(base, index, totals[0].type))
        return [total.get() for total in kept]

    def _sums(self, panel: Value) -> Value:
        return self.k.pointer(self.k.scratch, panel * (self.plan.block_rows * self.plan.width), self.kind)

    # -- few rows, B as it lies
    def _streamed(self, block: _Block, chunk: _Chunk) -> None:
        """Whole groups of columns by tiles of one row or of four; what is left by a tile of four, through masks."""
        k, width = self.k, self.plan.width
        by_rows = self.spec.b_form == "rows"
        emit = self._columns_by_rows if by_rows else self._columns_by_dots
        one_row, more_rows = (4 * width, width) if by_rows else (4, 2)
        count = k.minimum(block.panels * width, self.n - block.panel * width)
        whole = count.udiv(one_row) * one_row
        for rows, step, fits in ((1, one_row, block.rows <= 1), (_STREAMED_ROWS, more_rows, block.rows > 1)):

            def columns(rows: int = rows, step: int = step) -> None:
                for column in k.range(0, whole, step):
                    emit(block, chunk, column, step, rows, None)

            self._choose(fits, columns)
        rest = width if by_rows else 1
        for column in k.range(whole, count, rest):
            emit(block, chunk, column, rest, _STREAMED_ROWS, count - column if by_rows else None)

        def finish() -> None:
            for panel in k.range(block.panels):
                self._finish(block, panel)

        self._choose(chunk.last, finish)

    def _columns_by_rows(self, block: _Block, chunk: _Chunk, column: Value, columns: int, rows: int, count: Value | None) -> None:
        """Read `[K, N]` along its rows, as many vectors wide as there are registers for the sums."""
        k, width = self.k, self.plan.width
        start = chunk.start * self.b_row + block.panel * width + column
        tile = Tile(
            rows, columns // self.lanes, self.kind, chunk.a, chunk.a_row, chunk.a_inner,
            k.pointer(block.b, start, self.b_type), self.b_row, self.b_type, self._last_row(block, rows), count,
        )  # fmt: skip
        totals = product_tile(k, tile, chunk.depth, even=self.even)
        panel = column.udiv(width)
        places = [(panel + j // 2, self._row(tile, i) * width + (j % 2) * self.lanes) for i in range(rows) for j in range(tile.vectors)]
        self._accumulate(chunk, [total for line in totals for total in line], places)

    def _columns_by_dots(self, block: _Block, chunk: _Chunk, column: Value, columns: int, rows: int, count: Value | None) -> None:
        """Read `[N, K]` along its rows: each element of C is a dot product."""
        k, width = self.k, self.plan.width
        start = (block.panel * width + column) * self.b_row + chunk.start
        tile = Tile(
            rows, 1, self.kind, chunk.a, chunk.a_row, chunk.a_inner,
            k.pointer(block.b, start, self.b_type), self.b_row, self.b_type, self._last_row(block, rows), count,
        )  # fmt: skip
        totals = dot_tile(k, tile, columns, chunk.depth)
        places = [
            ((column + j).udiv(width), self._row(tile, i) * width + (column + j).urem(width)) for i in range(rows) for j in range(columns)
        ]
        self._accumulate(chunk, [total for line in totals for total in line], places)

    def _last_row(self, block: _Block, rows: int) -> Value | None:
        last = block.rows - 1
        return None if rows == 1 or last.constant == rows - 1 else last

    def _accumulate(self, chunk: _Chunk, totals: list[Value], places: list[tuple[Value, Value]]) -> None:
        targets = [(self._sums(panel), index) for panel, index in places]
        for total, (base, index) in zip(self._with_earlier(chunk, totals, targets), targets, strict=True):
            self.k.store(total, base, index)

    # -- the epilogue
    def _finish(self, block: _Block, panel: Value) -> None:
        """Take the sums of one panel from scratch through the epilogue to C, row by row."""
        k, plan = self.k, self.plan
        sums = self._sums(panel)
        column = (block.panel + panel) * plan.columns

        def rows(count: Value | None) -> None:
            for row in k.range(block.rows):
                vector = self.kind.vector(self.lanes)
                values = [k.load(sums, row * plan.width + j * self.lanes, vector) for j in range(2)]
                place = Place(block.batch, block.row + row, column, count)
                results = values if self.epilogue is None else list(self.epilogue(k, values, place))
                for j, value in enumerate(results):
                    index = row * self.c_row + column
                    place.store(k, k.convert(value, self.c_type), block.c, index, j)

        count = self.n - column
        if self.n.constant is not None and self.n.constant % plan.columns == 0:
            rows(None)
        else:
            self._choose(count >= plan.columns, lambda: rows(None), lambda: rows(count))
