"""Few rows times an unpacked B: it is read once, directly, by tiles of one row or four."""

from __future__ import annotations

from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.matmul.operands import Chunk, OutputBlock, ProductParts
from rlx.backends.cpu.kernels.matmul.spec import LISTED
from rlx.backends.cpu.kernels.matmul.tile import Places, Tile, dot_tile

_STREAMED_ROWS = 4
"""Rows of a tile that reads an unpacked B directly."""

_DOTS = 4
"""Columns of `[N, K]` that one row is multiplied by at a time: a good number of memory streams."""

_MOST_STREAMED_ROWS = {"rows": 4, "columns": 8}
"""The maximum number of rows; for more, packing pays off. (`thin.py` goes further if the number of rows is static.)"""


class StreamedColumns(ProductParts):
    """The columns of a unit, read directly from B."""

    def _most_streamed_rows(self) -> int:
        """Up to how many rows read B directly. Dot products, whose vectors run along k, do not sum in order."""
        spec = self.spec
        dots = spec.b_form == "columns"
        needs_copy = spec.copies_a and spec.a_row == 1  # dots read A along k
        return 0 if dots and (needs_copy or spec.in_order) else _MOST_STREAMED_ROWS[spec.b_form]

    def _streamed(self, block: OutputBlock, chunk: Chunk) -> None:
        """Full groups of columns by tiles of one row or four; the remainder by a tile of four, with masks."""
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
        """Read `[K, N]` along its rows, as many vectors wide as there are registers for the sums."""
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
        """Read `[N, K]` along its rows: each element of C is a dot product."""
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
        """The last existing row of a tile; None for listed rows: their copy and their sums have room for full tiles, and rows past the
        last are discarded. Tiles then need no pointer for each row."""
        return None if self.spec.m == LISTED else row
