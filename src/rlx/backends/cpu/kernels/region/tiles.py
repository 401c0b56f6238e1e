"""Elementwise code with operands that are contiguous along another axis: transposed views.

A unit is a tile: some columns, some positions of the axis those operands are contiguous along. Each operand is first
copied into scratch in square blocks that are transposed in registers, so that all accesses are vectors, and then
the rows of the tile are ordinary column code.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.types import I8
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.region.columns import ColumnCode
from rlx.backends.cpu.kernels.region.memory import Reference, Scope
from rlx.backends.cpu.kernels.region.sweeps import TILE_ROWS
from rlx.core.dim import Size, ceildiv


class TileCode(ColumnCode):
    """The generator of tiled column code."""

    def units(self, scope: Scope) -> None:
        """The loop over units: one tile each."""
        k, plan = self.k, self.plan
        *others, deep = plan.outer
        self._refer_to_tiles(scope, deep)
        depth = self.size(self.space.axes[deep].size)
        blocks, tiles = self.size(plan.blocks), self.size(ceildiv(self.space.axes[deep].size, TILE_ROWS))
        count = self.size(plan.row_blocks * plan.blocks)
        for unit in k.range(k.begin, k.minimum(k.end, count)):
            left = unit.udiv(blocks)
            self.choose_block(unit.urem(blocks))
            first = left.urem(tiles) * TILE_ROWS
            inside = self.moved(scope, self.row_positions(left.udiv(tiles), others))
            last = k.minimum(first + TILE_ROWS, depth)
            for index in plan.staged:
                self._fetch(index, inside, deep, first, last)
                offset = first * plan.block + self.begin  # so that row and column indices are the same everywhere
                kind = self.references[index].kind
                inside.pointers[index] = k.pointer(scope.pointers["tile", index], -offset, kind)
            for row in k.range(first, last):
                self.row(self.moved(inside, {deep: row}))

    def _refer_to_tiles(self, scope: Scope, deep: int) -> None:
        """Staged operands are read from their tile; their source has its own reference."""
        for index, slot in self.plan.staged.items():
            strides: list[Size] = [0] * len(self.space.axes)
            strides[deep], strides[self.plan.vector] = self.plan.block, 1
            source = self.references[index]
            self.references["source", index] = source
            self.references[index] = Reference(source.kind, tuple(strides))
            scope.pointers["source", index] = scope.pointers[index]
            scope.pointers["tile", index] = self.k.pointer(self.k.scratch, self.size(slot.offset), I8)

    def _fetch(self, index: int, scope: Scope, deep: int, first: Value, last: Value) -> None:
        """Copy a tile of one operand into scratch: square blocks in registers, the edges one by one."""
        k, reference = self.k, self.references["source", index]
        kind = I8 if reference.kind.bits == 1 else reference.kind
        source, tile = scope.pointers["source", index], scope.pointers["tile", index]
        step = self.size(reference.strides[self.plan.vector])
        block = min(self.code.target.vector_bytes, 32 if kind.size >= 4 else 16) // kind.size
        vector = kind.vector(block)
        end = self.begin + self.width
        deep_whole, wide_whole = first + (last - first) // block * block, self.begin + self.width // block * block

        def place(row: Operand, column: Operand) -> Value:
            return (row - first) * self.plan.block + (column - self.begin)

        for column in k.range(self.begin, wide_whole, block):
            for row in k.range(first, deep_whole, block):
                lines = [k.load(source, (column + line) * step + row, vector) for line in range(block)]
                for line, value in enumerate(k.transpose(lines)):
                    k.store(value, tile, place(row + line, column))
        for rows, columns in (((first, deep_whole), (wide_whole, end)), ((deep_whole, last), (self.begin, end))):
            for row in k.range(*rows):
                for column in k.range(*columns):
                    k.store(k.load(source, column * step + row, kind), tile, place(row, column))
