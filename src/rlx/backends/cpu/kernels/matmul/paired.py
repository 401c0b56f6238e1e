"""Products of bf16 by pairs along k: `vdpbf16ps`, or with AMX tiles of 16 rows, 16 columns and 32 steps of k.

Both need two steps of k of a column side by side. Weights are packed so (`b_steps`), and so are other operands that are packed as a whole,
if k is a multiple of a tile's; else each unit interleaves the panel of B that it is about to use. A is read where it is, or copied: if k is
not its innermost axis or not a multiple of a tile's, or if its rows conflict in a cache. Sums are in f32: products of bf16
are exact in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.tiles import ROW_BYTES, Tiles
from rlx.backends.cpu.emit.values import BF16, F32, I8, I16, I32, Operand, Value, Variable
from rlx.backends.cpu.kernels.matmul.blocking import PAIRED_DEPTH, PAIRED_ROWS, PAIRED_STEP, Blocking, reads_a_in_place
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.operands import OutputBlock, ScratchLayout
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, MatMulSpec

_LANES = 16
"""Sums of a vector, columns of a tile."""
_AHEAD = 2
"""Prefetch distance in A, in steps: the second cache answers late, and nothing else asks in time for rows that far apart."""
_LINE = 64
"""Bytes of a cache line."""
_FEW = 4
"""Rows of the remainder tiles in vector registers."""
_SUMS, _PAIRS = F32.vector(_LANES), I32.vector(_LANES)
_HALVES = I16.vector(2 * _LANES)
_SIDES = [[lane // 4 * 8 + side * 4 + lane % 4 for lane in range(_LANES)] for side in range(2)]
"""The columns of both vectors of a panel: those that interleaving within 128 bits, which is cheapest, leaves side by side."""
_SUM_ORDERS = [[(_SIDES[0] + _SIDES[1]).index(first + lane) for lane in range(_LANES)] for first in (0, _LANES)]
"""Where the columns of a panel are among its sums."""


@dataclass(frozen=True)
class _PanelChunk:
    """The operands of a block's rows in one chunk of k: rows of A, a panel of B, and the sums of both so far."""

    a: Value
    a_row: Operand
    b: Value
    steps: Value
    sums: Value
    first: Value  # no sums yet
    following: Value | None = None  # the panel after this one, if it is in memory as it is read


class PairedProduct(ProductLoops):
    """Emits a product of bf16 pairs; remainders below a tile's rows, known at run time only, are handled as in `ProductLoops`."""

    def __init__(self, k: Function, spec: MatMulSpec, plan: Blocking, epilogue: Epilogue | None) -> None:
        super().__init__(k, spec, plan, epilogue)
        self.paired = ScratchLayout.of_pairs(plan)
        self.tiles = Tiles(k, bytes_of_k=2 * PAIRED_STEP) if k.target.has_tiles("bf16") else None
        self.in_place = reads_a_in_place(spec, k.target)

    def unit(self, unit: Value) -> None:
        """Emit one unit of the product."""
        self._choose(self.m >= PAIRED_ROWS, lambda: self._paired_unit(unit), lambda: self._unpaired_unit(unit))

    def _unpaired_unit(self, unit: Value) -> None:
        super().unit(unit)

    def _paired_unit(self, unit: Value) -> None:
        if self.tiles is None:
            self._chunks_of_pairs(self._block(unit))
        else:
            with self.tiles.configured():
                self._chunks_of_pairs(self._block(unit, 2 * PAIRED_ROWS))

    def _chunks_of_pairs(self, block: OutputBlock) -> None:
        """Multiply chunk by chunk of k, in each the panels of B in turn."""
        k = self.k
        orders = None if self.spec.b_steps == 2 else _SUM_ORDERS
        for start in k.range(0, k.maximum(self.depth, 1), PAIRED_DEPTH):
            length = k.minimum(PAIRED_DEPTH, self.depth - start)
            steps = (length + (PAIRED_STEP - 1)) & -PAIRED_STEP
            a, a_row = self._rows_of_a(block, start, length, steps)
            first, last = start == 0, start + length >= self.depth
            for panel in k.range(block.panels):
                b, following = self._panel_of_pairs(block, panel, start, length, steps)
                self._all_rows(block.rows, _PanelChunk(a, a_row, b, steps, self._sums(panel), first, following))
                self._choose(last, lambda panel=panel: self._finish(block, panel, orders))  # type: ignore[misc]

    def _panel_of_pairs(
        self, block: OutputBlock, panel: Value, start: Value, length: Value, steps: Value
    ) -> tuple[Value, Value | None]:
        """A chunk of a panel of B, in memory or interleaved in scratch, and the address of what is read next."""
        k, width = self.k, self.plan.width
        if self.spec.b_steps == 1:
            b = self._scratch(self.paired.b)
            self._interleave(block, panel, start, length, steps, b)
            return b, None
        b = k.pointer(block.b, ((block.panel + panel) * self.depth + start) * width, BF16)
        onward = (panel * -self.depth + length) * width  # after the last panel of a chunk comes the first one of the next
        return b, k.pointer(b, k.select(panel + 1 < block.panels, self.depth * width, onward), BF16)

    # -- A
    def _rows_of_a(self, block: OutputBlock, start: Value, length: Value, steps: Value) -> tuple[Value, Operand]:
        """A chunk of A by rows of full steps: (address, row stride)."""
        k, inner, stride = self.k, self._size(self.spec.a_inner), self.paired.a_row
        source = k.pointer(block.a, start * inner, BF16)
        if self.in_place:
            return source, self.a_row
        copy = self._scratch(self.paired.a)
        if self.spec.a_row == 1:
            self._copy_columns(source, inner, block.rows, length, steps, copy, stride)
            return copy, stride
        for row in k.range(block.rows):
            line, into = k.pointer(source, row * self.a_row, BF16), k.pointer(copy, row * stride, BF16)
            for p in k.range(0, steps, PAIRED_STEP):
                if self.spec.a_inner == 1:
                    k.store(k.load_masked(line, p, length - p, _HALVES), into, p)
                else:
                    for at in k.range(p, p + PAIRED_STEP):
                        place = k.minimum(at, length - 1) * inner
                        k.store(k.select(at < length, k.load(line, place, I16), 0), into, at)
        return copy, stride

    def _copy_columns(
        self, source: Value, inner: Value, rows: Value, length: Value, steps: Value, copy: Value, stride: int
    ) -> None:
        """Copy rows of A that are columns in memory, `inner` apart: squares are transposed in registers."""
        k, square = self.k, I16.vector(_LANES)
        for p in k.range(0, steps, _LANES):
            for row in k.range(0, rows, _LANES):
                lines = []
                for step in range(_LANES):
                    place = k.minimum(p + step, length - 1) * inner + row
                    count = k.select(p + step < length, rows - row, 0)
                    lines.append(k.load_masked(source, place, count, square))
                for index, line in enumerate(k.transpose(lines)):
                    k.store(line, copy, (row + index) * stride + p)

    # -- B
    def _interleave(self, block: OutputBlock, panel: Value, start: Value, length: Value, steps: Value, into: Value) -> None:
        """Interleave a panel's steps of k by pairs: for each pair two vectors of 16 columns; zeros past the last step."""
        k, width = self.k, self.plan.width
        column = (block.panel + panel) * width
        if self.spec.b_form == "columns":
            self._interleave_columns(block, column, start, length, steps, into)
            return
        if self.spec.b_form == "panels":
            base, row, count = (block.panel + panel) * self.depth * width, k.index(width), k.index(width)
        else:
            base, row, count = column, self.b_row, self.n - column
        source = k.pointer(block.b, base + start * row, BF16)

        def whole() -> None:
            self._interleave_rows(source, row, None, length, steps, into)

        def part() -> None:
            self._interleave_rows(source, row, count, length, steps, into)

        self._choose(count >= width, whole, part)

    def _interleave_rows(self, source: Value, row: Value, count: Value | None, length: Value, steps: Value, into: Value) -> None:
        k, both = self.k, 2 * _LANES
        orders = [[lane + step for lane in side for step in (0, both)] for side in _SIDES]

        def line(p: Value) -> Value:
            if count is None:
                return k.load(source, p * row, _HALVES)
            return k.load_masked(source, p * row, count, _HALVES)

        def write(p: Value, upper: Value, lower: Value) -> None:
            for side, order in enumerate(orders):
                k.store(k.shuffle(upper, lower, order), into, p * both + side * both, align=2)

        whole = length & -2
        for p in k.range(0, whole, 2):
            write(p, line(p), line(p + 1))
        zeros = k.constant(0, _HALVES)
        with k.when(whole < length):
            write(whole, line(whole), zeros)
        for p in k.range((length + 1) & -2, steps, 2):
            write(p, zeros, zeros)

    def _interleave_columns(
        self, block: OutputBlock, column: Value, start: Value, length: Value, steps: Value, into: Value
    ) -> None:
        """Interleave a panel of `[N, K]`: pairs of k are 32 bits already; squares of them are transposed in registers."""
        k, both = self.k, 2 * _LANES
        for side in range(2):
            rows = []
            for index in range(_LANES):
                number = k.minimum(column + _SIDES[side][index], self.n - 1)
                rows.append(k.pointer(block.b, number * self.b_row + start, BF16))
            for p in k.range(0, steps, both):
                lines = [k.bitcast(k.load_masked(row, p, length - p, _HALVES), _PAIRS) for row in rows]
                for index, line in enumerate(k.transpose(lines)):
                    place = (p.udiv(2) + index) * both + side * _LANES
                    k.store(line, into, place, align=4)

    # -- rows
    def _all_rows(self, rows: Value, chunk: _PanelChunk) -> None:
        """Multiply all rows of a block by a panel: tiles of 32 and of 16 rows, and the remainder by vectors."""
        k = self.k
        done = k.index(0)
        if self.tiles is not None:
            two = rows & -2 * PAIRED_ROWS
            for row in k.range(0, two, 2 * PAIRED_ROWS):
                self._tile_product(self.tiles, 2, row, chunk)
            done = rows & -PAIRED_ROWS
            for row in k.range(two, done, PAIRED_ROWS):
                self._tile_product(self.tiles, 1, row, chunk)
        else:
            each = self.plan.tile_rows
            done = rows.udiv(each) * each
            for row in k.range(0, done, each):
                self._vector_product(each, row, None, chunk)
        for row in k.range(done, rows, _FEW):
            self._vector_product(_FEW, row, rows - row - 1, chunk)

    def _tile_product(self, tiles: Tiles, count: int, row: Value, chunk: _PanelChunk) -> None:
        """Multiply `count` tiles of rows by both tiles of columns, added to the sums of earlier chunks."""
        k, line = self.k, self.plan.width * 4
        places = [
            (i, j, k.pointer(chunk.sums, (row + i * PAIRED_ROWS) * self.plan.width + j * _LANES, F32))
            for i in range(count)
            for j in range(2)
        ]
        with k.when(chunk.first):
            for i, j, _ in places:
                tiles.zero(2 * i + j)
        with k.otherwise():
            for i, j, place in places:
                tiles.load(2 * i + j, place, line)
        stride = k.index(chunk.a_row) * 2
        rows = [k.pointer(chunk.a, (row + i * PAIRED_ROWS) * chunk.a_row, BF16) for i in range(count)]
        for p in k.range(0, chunk.steps, PAIRED_STEP):
            self._prefetch_panel(chunk, row, p)
            for j in range(2):
                tiles.load(6 + j, k.pointer(chunk.b, p * line // 2 + j * ROW_BYTES, I8), line)
            for i, base in enumerate(rows):
                tiles.load(4 + i, k.pointer(base, p, BF16), stride)
                tiles.prefetch(4 + i, k.pointer(base, p + _AHEAD * PAIRED_STEP, BF16), stride)
                for j in range(2):
                    tiles.dot_bf16(2 * i + j, 4 + i, 6 + j)
        for i, j, place in places:
            tiles.store(2 * i + j, place, line)

    def _prefetch_panel(self, chunk: _PanelChunk, row: Value, p: Value) -> None:
        """Prefetch a part of the next panel into L2: all tiles of rows together prefetch the full panel."""
        if chunk.following is None:
            return
        k, lines = self.k, self._lines_of_a_step()
        place = (row.udiv(2 * PAIRED_ROWS) * chunk.steps + p).udiv(PAIRED_STEP) * (lines * _LINE)
        for line in range(lines):
            k.prefetch(chunk.following, place + line * _LINE, 2)

    def _lines_of_a_step(self) -> int:
        """Cache lines of a panel that each of a block's tile products prefetches."""
        rows = self.plan.block_rows
        if isinstance(self.spec.m, int):
            rows = -(-self.spec.m // -(-self.spec.m // rows))
        tiles = max(1, rows // (2 * PAIRED_ROWS))
        return -(-PAIRED_STEP * self.plan.width * 2 // (_LINE * tiles))

    def _vector_product(self, count: int, row: Value, last: Value | None, chunk: _PanelChunk) -> None:
        """Multiply `count` rows by both vectors of columns; rows past `last` repeat it."""
        k, width = self.k, self.plan.width
        numbers = [row + (i if last is None else k.minimum(last, i)) for i in range(count)]
        lines = [k.pointer(chunk.a, number * chunk.a_row, BF16) for number in numbers]
        places = [number * width + j * _LANES for number in numbers for j in range(2)]
        totals: list[Variable] = [k.var(0.0, _SUMS) for _ in places]
        with k.when(~chunk.first):
            for total, place in zip(totals, places, strict=True):
                total.set(k.load(chunk.sums, place, _SUMS))
        for p in k.range(0, chunk.steps, 2):
            columns = [k.load(chunk.b, p * width + j * 2 * _LANES, _HALVES, align=2) for j in range(2)]
            columns = [k.bitcast(column, _PAIRS) for column in columns]
            for i, base in enumerate(lines):
                pair = k.splat(k.load(k.pointer(base, p, BF16), 0, I32, align=2), _LANES)
                for j, column in enumerate(columns):
                    total = totals[2 * i + j]
                    total.set(k.dot_bf16(total.get(), pair, column))
        for total, place in zip(totals, places, strict=True):
            k.store(total.get(), chunk.sums, place)
