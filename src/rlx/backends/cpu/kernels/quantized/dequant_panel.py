"""Packed weights unpacked a panel at a time, in file order or interleaved: values `[depth, width]` of the accumulator type."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import I8, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.dequant_elements import Packed, element_of
from rlx.backends.cpu.kernels.quantized.dequant_lanes import LANES, unpack_run
from rlx.backends.cpu.kernels.quantized.float_panel import floats_function
from rlx.layouts.block_order import ROWS, BlockOrder


@dataclass(frozen=True)
class Eights:
    """An interleaved packed weight: eight rows side by side."""

    order: BlockOrder
    position: int


class Panel:
    """Emits the filling of one panel: a few columns of a weight `[experts, rows, columns]`, over a chunk of its rows."""

    def __init__(self, code: KernelCode, weight: Packed | Eights, rows: Value, columns: Value, kind: Type, numbers: Value) -> None:
        self.code, self.k, self.weight, self.kind, self.numbers = code, code.code, weight, kind, numbers
        self.depth, self.n = rows, columns
        self.lanes = code.target.lanes(kind)
        self.width = 2 * self.lanes
        self.element = element_of(code, weight) if isinstance(weight, Packed) else None

    def fill(self, expert: Value, column: Value, columns: Value, start: Value, depth: Value) -> None:
        """The values `[depth, width]` starting at row `start` and this column, zeros past the last column."""
        k, weight = self.k, self.weight
        with k.when(columns < self.width):
            for at in k.range(0, depth * self.width, self.lanes):
                k.store(k.constant(0, self.kind.vector(self.lanes)), self.numbers, at)
        if isinstance(weight, Packed) and weight.scheme.is_gguf():
            self._unpack_columns(weight, expert, column, columns, start, depth)
        elif isinstance(weight, Eights):
            self._unpack_eights(weight, expert, column, columns, start, depth)
        else:
            for p in k.range(depth):
                for j in k.range(columns):
                    self._put(self._number(expert, start + p, column + j), p, j)

    def _unpack_columns(self, weight: Packed, expert: Value, column: Value, columns: Value, start: Value, depth: Value) -> None:
        """ggml's blocks, column by column: eight values at a time if blocks are that long."""
        k, scheme, size = self.k, weight.scheme, weight.scheme.block_size()
        if size < LANES:
            for j in k.range(columns):
                for p in k.range(depth):
                    self._put(self._number(expert, start + p, column + j), p, j)
            return
        blocks = self.depth.udiv(size)
        for j in k.range(columns):
            line = (expert * self.n + column + j) * blocks + start.udiv(size)
            for block in k.range(depth.udiv(size)):
                base = k.pointer(self.code.pointer(weight.w[1]), (line + block) * scheme.block_bytes(), I8)
                for first in k.range(0, size, LANES):
                    numbers = k.convert(unpack_run(self.code, scheme.detail, base, first), self.kind)
                    k.scatter_strided(numbers, self.numbers, (block * size + first) * self.width + j, self.width)

    def _unpack_eights(self, weight: Eights, expert: Value, column: Value, columns: Value, start: Value, depth: Value) -> None:
        """Eight columns at a time; those past the last hold zeros."""
        k, order, size = self.k, weight.order, weight.order.scheme.block_bytes() * ROWS
        blocks, eights = self.depth.udiv(order.size), (self.n + (ROWS - 1)).udiv(ROWS)
        for j in k.range(0, columns, ROWS):
            line = (expert * eights + (column + j).udiv(ROWS)) * blocks + start.udiv(order.size)
            base = k.pointer(self.code.pointer(weight.position), line * size, I8)
            unpack = floats_function(self.code.module, order.name, self.width, self.kind)
            k.call(unpack, base, k.pointer(self.numbers, j, self.kind), depth.udiv(order.size))

    def _number(self, expert: Value, row: Value, column: Value) -> Value:
        assert self.element is not None
        return self.element(expert, row, column)

    def _put(self, value: Value, p: Value, j: Value) -> None:
        self.k.store(self.k.convert(value, self.kind), self.numbers, p * self.width + j)
