"""The loops of one unit of a matrix product: chunks of k, panels of columns, tiles of rows, then the epilogue."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import I8, PTR, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import NEAR, Blocking
from rlx.backends.cpu.kernels.matmul.operands import Chunk, OutputBlock, ProductParts
from rlx.backends.cpu.kernels.matmul.pack import panel_from_columns, panels_from_rows
from rlx.backends.cpu.kernels.matmul.spec import LISTED, Epilogue, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.tile import Places, Prefetch, Tile, TileSubroutine, accumulate_tile, dot_tile, tile_places

_STREAMED_ROWS = 4
"""Rows of a tile that reads an unpacked B directly."""

_DOTS = 4
"""Columns of `[N, K]` that one row is multiplied by at a time: a good number of memory streams."""

_MOST_STREAMED_ROWS = {"rows": 4, "columns": 8}
"""The maximum number of rows; for more, packing pays off. (`thin.py` goes further if the number of rows is static.)"""

_STREAMS = 4
"""Panels that a single row is multiplied by at a time."""

_STREAMED_DEPTH = 8
"""Rows of an unpacked `[K, N]` read together along all columns of a unit: long runs, few pages."""

_PREFETCH = 1024
"""Prefetch distance in B, in bytes, if 2 … 6 rows stream it; for one row the hardware prefetcher alone is faster."""

_ROWS_AHEAD = 16
"""Prefetch distance in rows for an unpacked B, in a tile that reads it directly."""


@dataclass(frozen=True)
class PanelTiles:
    """The operands of the tiles of one panel, besides A."""

    rows: Value
    b: Value
    following: Value | None
    """The panel to prefetch, if any."""
    sums: Value
    target: Value
    stride: Value
    vectors: int = 2
    b_row: int = 0
    """The distance between steps of k in `b`; 0: a panel's width."""


class ProductLoops(ProductParts):
    """Emits the loops over blocks, chunks, panels and tiles of one product."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        super().__init__(k, spec, plan, epilogue)
        self.leftovers = self._leftovers()
        self.first_tile_packs = self._first_tile_packs()

    def _leftovers(self) -> set[int]:
        """How many rows can remain after the full tiles of a block: one count if M is static."""
        rows, plan = self.spec.m, self.plan
        if isinstance(rows, SizeSlot):
            return set(range(plan.tile_rows))
        share = plan.rows_of_a_block(rows)
        return {rows % share % plan.tile_rows, min(rows, share) % plan.tile_rows} if rows else {0}

    def _first_tile_packs(self) -> bool:
        """Whether the first tile of a panel reads `[K, N]` directly and packs it on the fly. That needs a full tile in every
        block, and a B in a near cache: from farther away, reading along its rows is faster."""
        if self.spec.b_form != "rows" or self.spec.static_sizes is None:
            return False
        m, n, k = self.spec.static_sizes
        smallest = (m - 1) % self.plan.rows_of_a_block(m) + 1 if m else 0
        return smallest >= self.plan.tile_rows and n * k * self.b_type.size <= NEAR

    # -- the unit
    def units(self, begin: Value, end: Value) -> None:
        """Emit units [begin, end)."""
        for unit in self.k.range(begin, end):
            self.unit(unit)

    def unit(self, unit: Value) -> None:
        """Emit one unit: rows vary fastest, so adjacent units share columns of B."""
        block, spec = self._block(unit), self.spec
        if spec.copies_b:
            few = self.m <= self._most_streamed_rows()
            self._choose(few, lambda: self._chunks(block, self._stream_columns), lambda: self._chunks(block, self._packed_panels))
        else:
            self._chunks(block, self._panels)

    def _block(self, unit: Value, multiple: int = 0) -> OutputBlock:
        """The block of C that a unit computes; `multiple`: the step of its row count, if not the plan's."""
        k, plan, spec = self.k, self.plan, self.spec
        multiple = multiple or plan.row_step
        row_blocks = (self.m + (plan.block_rows - 1)).udiv(plan.block_rows)
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        per_block = k.select(self.m <= plan.block_rows, plan.few_panels, plan.block_panels)
        panel_blocks = (panels + (per_block - 1)).udiv(per_block)
        rest = unit.udiv(row_blocks)
        batch, panel_block = rest.udiv(panel_blocks), rest.urem(panel_blocks)
        # Blocks of equal size.
        share = (self.m + (row_blocks - 1)).udiv(row_blocks)
        share = (share + (multiple - 1)).udiv(multiple) * multiple
        row = unit.urem(row_blocks) * share
        wide = (panels + (panel_blocks - 1)).udiv(panel_blocks)
        panel = panel_block * wide
        a, b, c = (k.argument(index, PTR) for index in (spec.a, spec.b, spec.c))
        coordinates = self._coordinates(batch)
        return OutputBlock(
            k.pointer(a, self._offset(coordinates, spec.a_batch) + row * self.a_row, self.a_type),
            k.pointer(b, self._offset(coordinates, spec.b_batch), self.b_type),
            k.pointer(c, self._offset(coordinates, spec.c_batch) + row * self.c_row, self.c_type),
            batch,
            row,
            k.minimum(share, self.m - row),
            panel,
            k.minimum(wide, panels - panel),
        )

    # -- along k
    def _chunks(self, block: OutputBlock, body: Callable[[OutputBlock, Chunk], None]) -> None:
        """Split k so that a panel's chunk stays in L1. Rows that fit one tile read B once: no split."""
        k, depth = self.k, self.plan.depth
        step: Value = k.index(depth)
        if body == self._stream_columns and self.spec.b_form == "rows":
            step = k.minimum(_STREAMED_DEPTH, self.depth)
        elif self.depth.constant is not None and self.depth.constant <= depth:
            step = self.depth
        elif not self.spec.copies_a and body != self._packed_panels:
            step = k.select(block.rows <= self.plan.tile_rows, self.depth, depth)
        step = k.maximum(step, 1)
        for start in k.range(0, k.maximum(self.depth, 1), step):
            length = k.minimum(step, self.depth - start)
            last, first = start + length >= self.depth, k.compare("eq", start, 0)
            if self.spec.a_row == 1 and self.spec.copies_a and body != self._stream_columns:
                a, tile = self._a_tiles(block, start, length)
                body(block, Chunk(start, length, first, last, a, 1, self.plan.tile_rows, tile))
            else:
                body(block, Chunk(start, length, first, last, *self._a_chunk(block, start, length)))

    # -- panels of B
    def _panels(self, block: OutputBlock, chunk: Chunk) -> None:
        k, width = self.k, self.plan.width
        done = self._panels_done(block, chunk)
        if self.spec.m == 1 and self._only_fours():
            return
        known = self.spec.m == 1 or done.constant is not None
        for panel in k.range(done if known else 0, block.panels):
            index = ((block.panel + panel) * self.depth + chunk.start) * width
            b = k.pointer(block.b, index, self.b_type)
            # After the last panel of this chunk comes the first one of the next.
            onward = (panel * -self.depth + chunk.depth) * width
            following = k.pointer(b, k.select(panel + 1 < block.panels, self.depth * width, onward), self.b_type)
            self._panel(block, chunk, panel, b, following, done=None if known else panel < done)

    def _panels_done(self, block: OutputBlock, chunk: Chunk) -> Value:
        """How many panels have already been multiplied by a single row; 0 if there are more rows."""
        one = self._has_one_row(block)
        if one.constant is not None:
            return self._panels_of_one_row(block, chunk) if one.constant else self.k.index(0)
        done = self.k.var(0)
        with self.k.when(one):
            done.set(self._panels_of_one_row(block, chunk))
        return done.get()

    def _has_one_row(self, block: OutputBlock) -> Value:
        """Whether the product has at most one row."""
        return self.m <= 1

    def _panels_of_one_row(self, block: OutputBlock, chunk: Chunk) -> Value:
        """Multiply a single row by four panels at a time: it is memory-bound, and several streams are faster than one. Returns
        how many panels are done; if there may be more rows, their sums are finished with those of the others."""
        k, plan = self.k, self.plan
        whole = block.panels.udiv(_STREAMS) * _STREAMS
        for panel in k.range(0, whole, _STREAMS):
            b = k.pointer(block.b, ((block.panel + panel) * self.depth + chunk.start) * plan.width, self.b_type)
            tile = Tile(
                1,
                2 * _STREAMS,
                self.kind,
                chunk.a,
                chunk.a_row,
                chunk.a_inner,
                b,
                plan.width,
                self.b_type,
                panel=self.depth * plan.width,
                pairs=self.spec.b_steps == 2,
            )
            sums = self._sums(panel)
            self._tile(tile, chunk, None, sums, sums, k.index(plan.width), plan.block_rows * plan.width)

            def finish(panel: Value = panel) -> None:
                for number in k.range(_STREAMS):
                    self._finish(block, panel + number)

            if self.spec.m == 1:
                self._choose(chunk.last, finish)
        return whole

    def _only_fours(self) -> bool:
        """Whether every unit of few rows has a multiple of `_STREAMS` panels."""
        if self.n.constant is None:
            return False
        panels = -(-int(self.n.constant) // self.plan.columns)
        wide = -(-panels // max(1, -(-panels // self.plan.few_panels)))
        return panels % _STREAMS == 0 and wide % _STREAMS == 0

    def _packed_panels(self, block: OutputBlock, chunk: Chunk) -> None:
        """Pack this block's panels of B to scratch, then continue as with packed ones; or, if the first tile is a full one, let
        it read the panel directly and pack it for the others."""
        k, plan = self.k, self.plan
        base, size = self._scratch(self.layout.b), plan.depth * plan.width
        column = block.panel * plan.width
        count = self.n - column
        if self.first_tile_packs:
            source = k.pointer(block.b, chunk.start * self.b_row + column, self.b_type)
            for panel in k.range(block.panels):
                self._panel(block, chunk, panel, base, source=k.pointer(source, panel * plan.width, self.b_type))
            return
        if self.spec.b_form == "rows":
            source = k.pointer(block.b, chunk.start * self.b_row, self.b_type)
            panels_from_rows(
                k,
                source,
                self.b_type,
                self.b_row,
                column,
                count,
                chunk.depth,
                block.panels,
                base,
                self.kind,
                plan.width,
                plan.width,
                size,
            )
        else:
            source = k.pointer(block.b, chunk.start, self.b_type)
            for panel in k.range(block.panels):
                start = panel * plan.width
                panel_from_columns(
                    k,
                    source,
                    self.b_type,
                    self.b_row,
                    column + start,
                    count - start,
                    chunk.depth,
                    k.pointer(base, panel * size, self.kind),
                    self.kind,
                    plan.width,
                    plan.width,
                )
        for panel in k.range(block.panels):
            self._panel(block, chunk, panel, k.pointer(base, panel * size, self.kind))

    # -- the tiles of a panel
    def _panel(
        self,
        block: OutputBlock,
        chunk: Chunk,
        panel: Value,
        b: Value,
        following: Value | None = None,
        source: Value | None = None,
        done: Value | None = None,
    ) -> None:
        """Multiply all tiles of one panel. Sums are stored in scratch, or directly in C if unchanged. With a `source` the panel
        is not packed yet: the first tile reads the source and fills `b`. A panel that is `done` has its sums in scratch."""

        def emit(vectors: int) -> None:
            self._panel_of(vectors, block, chunk, panel, b, following, source, done)

        if self.narrow:
            self._choose((block.panel + panel + 1) * self.plan.columns > self.n, partial(emit, 1), partial(emit, 2))
        else:
            emit(2)

    def _panel_of(
        self,
        vectors: int,
        block: OutputBlock,
        chunk: Chunk,
        panel: Value,
        b: Value,
        following: Value | None,
        source: Value | None,
        done: Value | None,
    ) -> None:
        """The `PanelTiles` of a panel whose columns are in so many vectors."""
        k, plan = self.k, self.plan
        sums = self._sums(panel)
        column = (block.panel + panel) * plan.columns
        if self.epilogue is None and self.c_type == self.kind and self.spec.m != LISTED:
            straight = chunk.last & (self.n - column >= plan.columns)
            straight = straight if done is None else straight & ~done
            target = k.select(straight, k.pointer(block.c, column, self.c_type), sums)
            stride = k.select(straight, self.c_row, plan.width)
        else:
            straight, target, stride = k.constant(0, type_of("i1")), sums, k.index(plan.width)
        b_row = plan.width if source is None else vectors * self.lanes
        tiles = PanelTiles(block.rows, b, following, sums, target, stride, vectors, b_row)
        if source is not None:
            base = self._base_tile(chunk, tiles)
            first = replace(base, b=source, b_row=self.b_row, b_type=self.b_type, copy=b)
            ahead = Prefetch(k.pointer(source, self.b_row * _ROWS_AHEAD, self.b_type), self.b_row * self.b_type.size)

            def first_tile(count: Value | None) -> None:
                self._tile(replace(first, count=count), chunk, ahead, sums, target, stride)

            if self.narrow:
                first_tile(self.n - column if vectors == 1 else None)
            else:
                self._whole_or_part(self.n - column, first_tile)
        emit = self._call_tiles if self._shares_tiles() else self._tiles
        self._choose(
            k.constant(1, type_of("i1")) if done is None else ~done, lambda: emit(chunk, tiles, 0 if source is None else 1)
        )
        self._choose(chunk.last & ~straight, lambda: self._finish(block, panel))

    def _shares_tiles(self) -> bool:
        """Whether tiles are subroutines: if M is known at run time, all products of a program share them, whatever their other
        sizes. (Listed rows are copied, and their tiles know the distance between rows.)"""
        return isinstance(self.spec.m, SizeSlot) and self.spec.m != LISTED

    def _base_tile(self, chunk: Chunk, tiles: PanelTiles) -> Tile:
        b_type = self.kind if self.spec.copies_b else self.b_type
        left = chunk.a, chunk.a_row, chunk.a_inner
        pairs = self.spec.b_steps == 2
        b_row = tiles.b_row or self.plan.width
        return Tile(self.plan.tile_rows, tiles.vectors, self.kind, *left, tiles.b, b_row, b_type, pairs=pairs)

    def _tiles(self, chunk: Chunk, tiles: PanelTiles, begin: int) -> None:
        """Multiply the tiles of a panel from index `begin` on."""
        k, plan, rows = self.k, self.plan, tiles.rows
        base = self._base_tile(chunk, tiles)
        whole, rest = self._whole_tiles(rows)
        count = (rows + (plan.tile_rows - 1)).udiv(plan.tile_rows)

        def tile(size: int, row: Value, last_row: Value | None = None) -> None:
            made = replace(base, rows=size, a=chunk.tile(k, row, plan.tile_rows, self.kind), last_row=last_row)
            prefetch = self._prefetch(tiles, chunk, row.udiv(plan.tile_rows), count, size)
            self._tile(
                made,
                chunk,
                prefetch,
                k.pointer(tiles.sums, row * plan.width, self.kind),
                k.pointer(tiles.target, row * tiles.stride, self.kind),
                tiles.stride,
            )

        for t in k.range(begin, whole):
            row = t * plan.tile_rows
            tile(plan.tile_rows, row, self._last(rows - row - 1) if isinstance(self.spec.m, SizeSlot) else None)
        before = 0
        for variant in plan.variants:
            if any(before < left <= variant for left in self.leftovers):
                fits = (rest > before) & (rest <= variant)
                last_row = self._last(rest - 1) if variant - before > 1 else None
                self._choose(fits, lambda v=variant, r=last_row: tile(v, whole * plan.tile_rows, r))  # type: ignore[misc]
            before = variant

    def _call_tiles(self, chunk: Chunk, tiles: PanelTiles, begin: int) -> None:
        """Call the tiles of a panel as one subroutine."""
        form = (self.kind, self.b_type, self.spec.b_steps, self.spec.copies_b, self.even, self.spec.in_order)
        apart = (chunk.a_inner, chunk.a_tile, tiles.following is None)
        given = [chunk.a, self.k.index(chunk.a_row), chunk.depth, chunk.first]
        given += [
            tiles.rows,
            tiles.b,
            tiles.b if tiles.following is None else tiles.following,
            tiles.sums,
            tiles.target,
            tiles.stride,
        ]
        parameters = [(f"p{number}", value.type) for number, value in enumerate(given)]

        def emit(k: Function) -> None:
            a, a_row, depth, first, rows, b, following, sums, target, stride = k.parameters
            inside = copy(self)
            inside.k = k
            part = replace(chunk, start=k.index(0), depth=depth, first=first, last=first, a=a, a_row=a_row)
            panel = PanelTiles(rows, b, None if tiles.following is None else following, sums, target, stride)
            inside._tiles(part, panel, begin)

        key = ("tiles of a panel", self.plan.tile_rows, self.plan.variants, self.plan.width, *form, *apart)
        self.k.call_subroutine(self.k.module.subroutine(key, parameters, emit), *given)

    def _whole_tiles(self, rows: Value) -> tuple[Value, Value]:
        """The number of full tiles, and of remaining rows. With M known at run time, more rows than the largest remainder
        variant count as a full tile too: one loop for both is half the code."""
        plan = self.plan
        whole, rest = rows.udiv(plan.tile_rows), rows.urem(plan.tile_rows)
        if not isinstance(self.spec.m, SizeSlot):
            return whole, rest
        more = rest > plan.variants[-1]
        return whole + self.k.select(more, 1, 0), self.k.select(more, 0, rest)

    def _prefetch(self, panel: PanelTiles, chunk: Chunk, tile: Value, tiles: Value, rows: int) -> Prefetch | None:
        """The prefetch of one of a panel's tiles. A single tile prefetches the bytes just ahead; several tiles share the lines
        of the next panel, so that memory stays busy."""
        k = self.k
        if panel.following is None:
            return None
        line = self.plan.width * self.b_type.size
        alone = tiles <= 1
        step = k.select(alone, line, k.index(line).udiv(k.maximum(tiles, 1)))
        shared = k.pointer(panel.following, tile * chunk.depth * step, I8)
        base = k.select(alone, k.pointer(panel.b, _PREFETCH if rows > 1 else 0, I8), shared)
        return Prefetch(base, step)

    def _tile(
        self, tile: Tile, chunk: Chunk, prefetch: Prefetch | None, sums: Value, target: Value, stride: Value, panel_sums: int = 0
    ) -> None:
        """Multiply a tile that starts from `sums`, rows `width` apart, and stores its own sums at `target`, rows `stride` apart."""
        k, width = self.k, self.plan.width
        even, in_order = self.even, self.spec.in_order
        if self._shares_tiles():
            made = TileSubroutine.of(tile, prefetch, width, panel_sums=panel_sums, even=even, in_order=in_order)
            made.call(k, tile, prefetch, chunk.depth, chunk.first, sums, target, stride)
            return
        taken = partial(tile_places, k, tile, sums, width, panel_sums)
        left = partial(tile_places, k, tile, target, stride, panel_sums)
        accumulate_tile(k, tile, chunk.depth, chunk.first, taken, left, even=even, in_order=in_order, prefetch=prefetch)

    # -- few rows, which read an unpacked B directly
    def _most_streamed_rows(self) -> int:
        """The largest number of rows that read B directly. Dot products, whose vectors run along k, do not sum in order."""
        spec = self.spec
        dots = spec.b_form == "columns"
        needs_copy = spec.copies_a and spec.a_row == 1  # dots read A along k
        return 0 if dots and (needs_copy or spec.in_order) else _MOST_STREAMED_ROWS[spec.b_form]

    def _stream_columns(self, block: OutputBlock, chunk: Chunk) -> None:
        """Multiply full groups of columns by tiles of one row or four; the remaining columns by a tile of four, with masks."""
        k, width = self.k, self.plan.width
        by_rows = self.spec.b_form == "rows"
        emit = self._columns_by_rows if by_rows else self._columns_by_dots
        one_row, more_rows = (4 * width, width) if by_rows else (_DOTS, 2)
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

    def _columns_by_rows(
        self, block: OutputBlock, chunk: Chunk, column: Value, columns: int, rows: int, count: Value | None
    ) -> None:
        """Multiply a few rows by `[K, N]` read along its rows, as many vectors wide as there are registers for the sums."""
        k, width = self.k, self.plan.width
        start = chunk.start * self.b_row + block.panel * width + column
        tile = Tile(
            rows,
            columns // self.lanes,
            self.kind,
            chunk.a,
            chunk.a_row,
            chunk.a_inner,
            k.pointer(block.b, start, self.b_type),
            self.b_row,
            self.b_type,
            self._last_row(block, rows),
            count,
        )

        def places() -> Places:
            panel = column.udiv(width)
            return [
                (panel + j // 2, self._row(tile, i) * width + (j % 2) * self.lanes)
                for i in range(rows)
                for j in range(tile.vectors)
            ]

        self._accumulate_tile(chunk, tile, places)

    def _columns_by_dots(
        self, block: OutputBlock, chunk: Chunk, column: Value, columns: int, rows: int, count: Value | None
    ) -> None:
        """Multiply a few rows by `[N, K]` read along its rows: each element of C is a dot product."""
        k, width = self.k, self.plan.width
        b = k.pointer(block.b, (block.panel * width + column) * self.b_row + chunk.start, self.b_type)
        for first in k.range(0, 1 if rows == 1 else block.rows, rows):
            a = k.pointer(chunk.a, first * chunk.a_row, self.kind)
            last_row = None if rows == 1 else block.rows - 1 - first
            tile = Tile(rows, 1, self.kind, a, chunk.a_row, chunk.a_inner, b, self.b_row, self.b_type, last_row, count)
            totals = dot_tile(k, tile, columns, chunk.depth)
            places = [
                ((column + j).udiv(width), (self._row(tile, i) + first) * width + (column + j).urem(width))
                for i in range(rows)
                for j in range(columns)
            ]
            self._accumulate(chunk, [total for line in totals for total in line], places)

    def _last_row(self, block: OutputBlock, rows: int) -> Value | None:
        last = block.rows - 1
        return None if rows == 1 or last.constant == rows - 1 else self._last(last)

    def _last(self, row: Value) -> Value | None:
        """The last existing row of a tile; None for listed rows: their copy and their sums have room for full tiles, and rows
        past the last are discarded. Tiles then need no pointer for each row."""
        return None if self.spec.m == LISTED else row
