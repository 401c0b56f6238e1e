"""The tiles of one panel of B, and what becomes of their sums."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.matmul.blocking import Blocking
from rlx.backends.cpu.kernels.matmul.operands import Chunk, OutputBlock
from rlx.backends.cpu.kernels.matmul.spec import LISTED, Epilogue, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.streamed import StreamedColumns
from rlx.backends.cpu.kernels.matmul.tile import Prefetch, Tile, accumulate_tile
from rlx.backends.cpu.kernels.matmul.tile_subroutine import TileSubroutine, tile_places

_PREFETCH = 1024
"""Prefetch distance in B, in bytes, if 2 … 6 rows stream it; for one row the hardware prefetcher alone is faster."""

_ROWS_AHEAD = 16
"""Prefetch distance in rows for an unpacked B, in a tile that reads it directly."""


@dataclass(frozen=True)
class PanelTiles:
    """What the tiles of one panel read and write besides A."""

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


class PanelLoops(StreamedColumns):
    """All rows of a unit times one panel."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        super().__init__(k, spec, plan, epilogue)
        self.leftovers = self._leftovers()

    def _leftovers(self) -> set[int]:
        """How many rows can be left after the full tiles of a block: one number if M is static."""
        rows, plan = self.spec.m, self.plan
        if isinstance(rows, SizeSlot):
            return set(range(plan.tile_rows))
        share = plan.rows_of_a_block(rows)
        return {rows % share % plan.tile_rows, min(rows, share) % plan.tile_rows} if rows else {0}

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
        """All tiles of one panel. Sums go to scratch, or straight to C if they are stored unchanged. With a `source` the panel is not
        packed yet: the first tile reads that and fills `b`. A panel that is `done` has its sums in scratch."""

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
        """A panel whose columns are in so many vectors."""
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
        """Whether tiles are subroutines: if M is known at run time, those of all products of a program are the same, whatever their
        other sizes. (Listed rows are copied, and their tiles know the distance between rows.)"""
        return isinstance(self.spec.m, SizeSlot) and self.spec.m != LISTED

    def _base_tile(self, chunk: Chunk, tiles: PanelTiles) -> Tile:
        b_type = self.kind if self.spec.copies_b else self.b_type
        left = chunk.a, chunk.a_row, chunk.a_inner
        pairs = self.spec.b_steps == 2
        b_row = tiles.b_row or self.plan.width
        return Tile(self.plan.tile_rows, tiles.vectors, self.kind, *left, tiles.b, b_row, b_type, pairs=pairs)

    def _tiles(self, chunk: Chunk, tiles: PanelTiles, begin: int) -> None:
        """The tiles of a panel from number `begin` on."""
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
        """The tiles of a panel as one subroutine."""
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
        """How many full tiles there are, and how many rows are left. With M known at run time, more rows than the largest remainder variant
        count as a full tile too: one loop for both is half the code."""
        plan = self.plan
        whole, rest = rows.udiv(plan.tile_rows), rows.urem(plan.tile_rows)
        if not isinstance(self.spec.m, SizeSlot):
            return whole, rest
        more = rest > plan.variants[-1]
        return whole + self.k.select(more, 1, 0), self.k.select(more, 0, rest)

    def _prefetch(self, panel: PanelTiles, chunk: Chunk, tile: Value, tiles: Value, rows: int) -> Prefetch | None:
        """What to prefetch while one of a panel's tiles computes. A single tile prefetches the bytes just ahead; several
        share the lines of the next panel, so that memory stays busy."""
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
        """A tile that takes up `sums`, rows `width` apart, and leaves its own at `target`, rows `stride` apart."""
        k, width = self.k, self.plan.width
        even, in_order = self.even, self.spec.in_order
        if self._shares_tiles():
            made = TileSubroutine.of(tile, prefetch, width, panel_sums=panel_sums, even=even, in_order=in_order)
            made.call(k, tile, prefetch, chunk.depth, chunk.first, sums, target, stride)
            return
        taken = partial(tile_places, k, tile, sums, width, panel_sums)
        left = partial(tile_places, k, tile, target, stride, panel_sums)
        accumulate_tile(k, tile, chunk.depth, chunk.first, taken, left, even=even, in_order=in_order, prefetch=prefetch)
