"""The loops of one unit of a matrix product: chunks of k, panels of columns, tiles of rows, then the epilogue."""

from __future__ import annotations

from collections.abc import Callable

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import PTR
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.matmul.blocking import NEAR, Blocking
from rlx.backends.cpu.kernels.matmul.operands import Chunk, OutputBlock
from rlx.backends.cpu.kernels.matmul.pack import panel_from_columns, panels_from_rows
from rlx.backends.cpu.kernels.matmul.panel import PanelLoops
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, MatMulSpec
from rlx.backends.cpu.kernels.matmul.tile import Tile

_STREAMS = 4
"""Panels that a single row is multiplied by at a time."""

_STREAMED_DEPTH = 8
"""Rows of an unpacked `[K, N]` read together along all columns of a unit: long runs, few pages."""


class ProductLoops(PanelLoops):
    """Emits the units of one spec into a kernel."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        super().__init__(k, spec, plan, epilogue)
        self.keeps = self._first_tile_packs()

    def _first_tile_packs(self) -> bool:
        """Whether the first tile of a panel reads `[K, N]` directly and packs it on the fly. That needs a full tile in every block,
        and a B in a near cache: from farther away, reading along its rows is faster."""
        spec = self.spec
        if not (spec.b_form == "rows" and isinstance(spec.m, int) and isinstance(spec.n, int) and isinstance(spec.k, int)):
            return False
        smallest = (spec.m - 1) % self.plan.rows_of_a_block(spec.m) + 1 if spec.m else 0
        return smallest >= self.plan.tile_rows and spec.n * spec.k * self.b_type.size <= NEAR

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
            self._choose(few, lambda: self._chunks(block, self._streamed), lambda: self._chunks(block, self._packed_panels))
        else:
            self._chunks(block, self._panels)

    def _block(self, unit: Value, multiple: int = 0) -> OutputBlock:
        """The part of C of a unit; `multiple`: of how many rows, if not of the plan's."""
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
        """How many panels a single row has been multiplied by; none if there are more rows."""
        one = self._has_one_row(block)
        if one.constant is not None:
            return self._panels_of_one_row(block, chunk) if one.constant else self.k.index(0)
        done = self.k.var(0)
        with self.k.when(one):
            done.set(self._panels_of_one_row(block, chunk))
        return done.get()

    def _has_one_row(self, block: OutputBlock) -> Value:
        """Whether the product has no more than one row."""
        return self.m <= 1

    def _panels_of_one_row(self, block: OutputBlock, chunk: Chunk) -> Value:
        """A single row is memory-bound, and several streams are faster than one: four panels at a time. Returns how many are done; if
        there may be more rows, their sums are finished with those of the others."""
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
