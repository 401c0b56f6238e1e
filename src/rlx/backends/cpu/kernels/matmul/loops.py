"""The loops of one unit of a matrix product: chunks of k, panels of columns, tiles of rows, then the epilogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rlx.backends.cpu.emit.builder import I8, PTR, Function, Operand, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import LISTED, Blocking, Epilogue, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.operands import Chunk, OutputBlock, Places
from rlx.backends.cpu.kernels.matmul.pack import panel_from_columns, panels_from_rows
from rlx.backends.cpu.kernels.matmul.streamed import StreamedColumns
from rlx.backends.cpu.kernels.matmul.tile import Prefetch, Tile, product_tile

__all__ = ["ProductLoops"]

_PREFETCH = 1024
"""Prefetch distance in B, in bytes, if 2 … 6 rows stream it; for one row the hardware prefetcher alone is faster."""

_NEAR = 4 << 20
"""Bytes of a B that stays in a near cache across blocks of rows."""

_ROWS_AHEAD = 16
"""Prefetch distance in rows for an unpacked B, in a tile that reads it directly."""

_STREAMS = 4
"""Panels that a single row is multiplied by at a time."""

_STREAMED_DEPTH = 8
"""Rows of an unpacked `[K, N]` read together along all columns of a unit: long runs, few pages."""


class ProductLoops(StreamedColumns):
    """Emits the units of one spec into a kernel."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        super().__init__(k, spec, plan, epilogue)
        self.leftovers = self._leftovers()
        self.keeps = self._first_tile_packs()

    def _leftovers(self) -> set[int]:
        """How many rows can be left after the full tiles of a block: one number if M is static."""
        rows, plan = self.spec.m, self.plan
        if isinstance(rows, SizeSlot):
            return set(range(plan.tile_rows))
        share = self._share(rows)
        return {rows % share % plan.tile_rows} if rows else {0}

    def _first_tile_packs(self) -> bool:
        """Whether the first tile of a panel reads `[K, N]` directly and packs it on the fly. That needs a full tile in every block,
        and a B in a near cache: from farther away, reading along its rows is faster."""
        spec = self.spec
        if not (
            spec.b_form == "rows" and isinstance(spec.m, int) and isinstance(spec.n, int) and isinstance(spec.k, int)
        ):
            return False
        smallest = (spec.m - 1) % self._share(spec.m) + 1 if spec.m else 0
        return smallest >= self.plan.tile_rows and spec.n * spec.k * self.b_type.size <= _NEAR

    def _share(self, rows: int) -> int:
        blocks = -(-rows // self.plan.block_rows)
        return -(-rows // max(blocks, 1) // self.plan.tile_rows) * self.plan.tile_rows

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
            self._choose(
                few, lambda: self._chunks(block, self._streamed), lambda: self._chunks(block, self._packed_panels)
            )
        else:
            self._chunks(block, self._panels)

    def _block(self, unit: Value, multiple: int = 0) -> OutputBlock:
        """The part of C of a unit; `multiple`: of how many rows, if not of a tile's."""
        k, plan, spec = self.k, self.plan, self.spec
        multiple = multiple or plan.tile_rows
        row_blocks = (self.m + (plan.block_rows - 1)).udiv(plan.block_rows)
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        per_block = k.select(self.m <= plan.block_rows, plan.few_panels, plan.block_panels)
        panel_blocks = (panels + (per_block - 1)).udiv(per_block)
        rest = unit.udiv(row_blocks)
        batch, panel_block = rest.udiv(panel_blocks), rest.urem(panel_blocks)
        # Blocks of equal size: rows a multiple of the tile's.
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
        """Split k so that a panel's chunk stays in L1. Rows that fit one tile use B once: no split."""
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
            last, first = start + length >= self.depth, k.compare("eq", start, 0)
            if self.spec.a_row == 1 and self.spec.copies_a and body != self._streamed:
                a, tile = self._a_tiles(block, start, length)
                body(block, Chunk(start, length, first, last, a, 1, self.plan.tile_rows, tile))
            else:
                body(block, Chunk(start, length, first, last, *self._a_chunk(block, start, length)))

    # -- panels of B
    def _panels(self, block: OutputBlock, chunk: Chunk) -> None:
        k, width = self.k, self.plan.width
        begin = k.var(0)
        self._choose(self._has_one_row(block), lambda: begin.set(self._panels_of_one_row(block, chunk)))
        if self.spec.m == 1 and self._only_fours():
            return
        for panel in k.range(begin.get(), block.panels):
            index = ((block.panel + panel) * self.depth + chunk.start) * width
            b = k.pointer(block.b, index, self.b_type)
            # After the last panel of this chunk comes the first one of the next.
            onward = (panel * -self.depth + chunk.depth) * width
            following = k.pointer(b, k.select(panel + 1 < block.panels, self.depth * width, onward), self.b_type)
            self._panel(block, chunk, panel, b, following)

    def _has_one_row(self, block: OutputBlock) -> Value:
        """Whether the product has no more than one row."""
        return self.m <= 1

    def _panels_of_one_row(self, block: OutputBlock, chunk: Chunk) -> Value:
        """A single row is memory-bound, and several streams are faster than one: four panels at a time. Returns how many are done."""
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
            )

            def places(panel: Value = panel) -> Places:
                return [(panel + j // 2, k.index(j % 2 * self.lanes)) for j in range(2 * _STREAMS)]

            self._accumulate_tile(chunk, tile, places)

            def finish(panel: Value = panel) -> None:
                for number in k.range(_STREAMS):
                    self._finish(block, panel + number)

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
        if self.keeps:
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

    def _panel(
        self,
        block: OutputBlock,
        chunk: Chunk,
        panel: Value,
        b: Value,
        following: Value | None = None,
        source: Value | None = None,
    ) -> None:
        """All tiles of one panel. Sums go to scratch, or straight to C if they are stored unchanged. With a `source` the panel is not
        packed yet: the first tile reads that and fills `b`."""
        k, plan = self.k, self.plan
        sums = self._sums(panel)
        column = (block.panel + panel) * plan.columns
        if self.epilogue is None and self.c_type == self.kind and self.spec.m != LISTED:
            straight = chunk.last & (self.n - column >= plan.columns)
            target = k.select(straight, k.pointer(block.c, column, self.c_type), sums)
            stride = k.select(straight, self.c_row, plan.width)
        else:
            straight, target, stride = k.constant(0, type_of("i1")), sums, k.index(plan.width)
        b_type = self.kind if self.spec.copies_b else self.b_type
        base = Tile(plan.tile_rows, 2, self.kind, chunk.a, chunk.a_row, chunk.a_inner, b, plan.width, b_type)
        whole, rest = self._whole_tiles(block.rows)
        tiles = (block.rows + (plan.tile_rows - 1)).udiv(plan.tile_rows)

        def tile(rows: int, row: Value, last_row: Value | None = None) -> None:
            made = replace(base, rows=rows, a=chunk.tile(k, row, plan.tile_rows, self.kind), last_row=last_row)
            prefetch = self._prefetch(b, following, chunk, row.udiv(plan.tile_rows), tiles, rows)
            self._tile(
                made,
                chunk,
                prefetch,
                k.pointer(sums, row * plan.width, self.kind),
                k.pointer(target, row * stride, self.kind),
                stride,
            )

        if source is not None:
            first = replace(base, b=source, b_row=self.b_row, b_type=self.b_type, copy=b)
            ahead = Prefetch(k.pointer(source, self.b_row * _ROWS_AHEAD, self.b_type), self.b_row * self.b_type.size)
            self._whole_or_part(
                self.n - column,
                lambda count: self._tile(replace(first, count=count), chunk, ahead, sums, target, stride),
            )
        for t in k.range(0 if source is None else 1, whole):
            row = t * plan.tile_rows
            tile(plan.tile_rows, row, self._last(block.rows - row - 1) if isinstance(self.spec.m, SizeSlot) else None)
        before = 0
        for variant in plan.variants:
            if any(before < left <= variant for left in self.leftovers):
                fits = (rest > before) & (rest <= variant)
                last_row = self._last(rest - 1) if variant - before > 1 else None
                self._choose(fits, lambda v=variant, r=last_row: tile(v, whole * plan.tile_rows, r))  # type: ignore[misc]
            before = variant
        self._choose(chunk.last & ~straight, lambda: self._finish(block, panel))

    def _whole_tiles(self, rows: Value) -> tuple[Value, Value]:
        """How many full tiles there are, and how many rows are left. With M known at run time, more rows than the largest remainder variant
        count as a full tile too: one loop for both is half the code."""
        plan = self.plan
        whole, rest = rows.udiv(plan.tile_rows), rows.urem(plan.tile_rows)
        if not isinstance(self.spec.m, SizeSlot):
            return whole, rest
        more = rest > plan.variants[-1]
        return whole + self.k.select(more, 1, 0), self.k.select(more, 0, rest)

    def _prefetch(
        self, b: Value, following: Value | None, chunk: Chunk, tile: Value, tiles: Value, rows: int
    ) -> Prefetch | None:
        """What to prefetch while one of a panel's tiles computes. A single tile prefetches the bytes just ahead; several
        share the lines of the next panel, so that memory stays busy."""
        k = self.k
        if following is None:
            return None
        line = self.plan.width * self.b_type.size
        alone = tiles <= 1
        step = k.select(alone, line, k.index(line).udiv(k.maximum(tiles, 1)))
        shared = k.pointer(following, tile * chunk.depth * step, I8)
        base = k.select(alone, k.pointer(b, _PREFETCH if rows > 1 else 0, I8), shared)
        return Prefetch(base, step)

    def _tile(
        self, tile: Tile, chunk: Chunk, prefetch: Prefetch | None, sums: Value, target: Value, stride: Value
    ) -> None:
        k, plan = self.k, self.plan

        def places(step: Operand) -> list[Value]:
            return [self._row(tile, i) * step + j * self.lanes for i in range(tile.rows) for j in range(tile.vectors)]

        before = self._earlier(chunk, tile, lambda: [(sums, index) for index in places(plan.width)])
        totals = product_tile(k, tile, chunk.depth, even=self.even, prefetch=prefetch, before=before)
        flat = [total for line in totals for total in line]
        complete = self._with_earlier(chunk, flat, [(sums, index) for index in places(plan.width)])
        for total, index in zip(complete, places(stride), strict=True):
            k.store(total, target, index)
