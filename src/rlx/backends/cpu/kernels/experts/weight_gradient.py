"""The gradient of experts' weights: for each expert xᵀ·dy over its own rows, so all experts together cost one product.

A unit is (expert, block of columns). It lists the rows of its expert, then processes them in blocks: a chunk of x and the block's columns
of dy are copied into contiguous scratch, and accumulated by register tiles of rows of the weight × 2 vectors of columns. Rows are
added in order, whichever thread runs the unit.
"""

from __future__ import annotations

from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import F32, I64, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.gather import load_integer
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv
from rlx.ir.op import Op

_PANELS = 4  # of two vectors: columns of a unit
_ROWS = 96  # rows of x and dy in scratch
_DEPTH = 96  # columns of x in scratch: whole tiles of 6 and of 12


class _WeightGradientUnit:
    """The code of a unit; tensors are x `[M, K]`, dy `[M, N]`, experts `[M]` and the result `[E, K, N]`."""

    def __init__(self, code: KernelCode, kind: Type) -> None:
        self.code, self.k, self.kind = code, code.code, kind
        x, dy, experts, out = (tensor for tensor in code.tensors if tensor is not None)
        self.tensors = {"x": x, "dy": dy, "experts": experts, "out": out}
        self.lanes = code.target.lanes(kind)
        self.vector = kind.vector(self.lanes)
        self.tile = 6 if code.target.vector_registers == 16 else 12
        self.width = _PANELS * 2 * self.lanes
        self.rows, self.depth, self.columns = (index_of(code, size) for size in (*x.dims, dy.dims[1]))
        self.x, self.dy = (self.k.pointer(self.k.scratch, at, kind) for at in (0, _ROWS * _DEPTH))
        self.sums = self.k.pointer(self.k.scratch, _ROWS * (_DEPTH + self.width), kind)
        padded = (self.depth + (_DEPTH - 1)) // _DEPTH * _DEPTH
        self.list = self.k.pointer(self.sums, padded * self.width, kind)

    @staticmethod
    def scratch(kind: Type, target: Target, rows: Size, depth: Size) -> Size:
        """Bytes: chunks of x and dy, the sums of the unit's columns, and the numbers of the expert's rows."""
        width = _PANELS * 2 * target.lanes(kind)
        elements = _ROWS * (_DEPTH + width) + ceildiv(depth, _DEPTH) * _DEPTH * width
        return elements * kind.size + rows * I64.size

    def run(self, expert: Value, column: Value) -> None:
        """The columns from `column` on of one expert's gradient."""
        k = self.k
        count = self._list_rows(expert)
        zero = k.constant(0, self.vector)
        for at in k.range(0, (self.depth + (self.tile - 1)) // self.tile * self.tile * self.width, self.lanes):
            k.store(zero, self.sums, at)
        for first in k.range(0, count, _ROWS):
            rows = k.minimum(count - first, _ROWS)
            self._copy("dy", self.dy, first, rows, column, k.minimum(self.columns - column, self.width), self.width)
            for start in k.range(0, self.depth, _DEPTH):
                there = k.minimum(self.depth - start, _DEPTH)
                self._copy("x", self.x, first, rows, start, there, _DEPTH)
                for at in k.range(0, there, self.tile):
                    for panel in k.range(0, self.width, 2 * self.lanes):
                        self._add(start, at, panel, rows)
        self._write(expert, column)

    def _list_rows(self, expert: Value) -> Value:
        """Write the row indices of an expert to scratch; returns how many there are."""
        k, experts, count = self.k, self.tensors["experts"], self.k.var(0, I64)
        stride = self.code.size(experts.strides[0])
        for row in k.range(self.rows):
            with k.when(load_integer(self.code, self.code.pointer(2), row * stride, experts.dtype) == expert):
                k.store(row, self.list, count.get())
                count.set(count.get() + 1)
        return count.get()

    def _copy(self, name: str, target: Value, first: Value, rows: Value, start: Value, there: Value, width: int) -> None:
        """Rows of x or dy from a column on, in the accumulating type, zeros past the last column."""
        k, tensor, stored = self.k, self.tensors[name], type_of(self.tensors[name].dtype.name)
        base = self.code.pointer(0 if name == "x" else 1)
        for row in k.range(rows):
            place = k.load(self.list, first + row, I64) * self.code.size(tensor.strides[0])
            source = k.pointer(base, place + start * self.code.size(tensor.strides[1]), stored)
            if isinstance(tensor.strides[1], int) and tensor.strides[1] == 1:
                for at in k.range(0, width, self.lanes):
                    loaded = k.load_masked(source, at, there - at, stored.vector(self.lanes))
                    k.store(k.convert(loaded, self.kind), target, row * width + at)
                continue
            zero = k.constant(0, self.vector)
            for at in k.range(0, width, self.lanes):
                k.store(zero, target, row * width + at)
            for at in k.range(there):
                k.store(
                    k.convert(k.load(source, at * self.code.size(tensor.strides[1]), stored), self.kind), target, row * width + at
                )

    def _add(self, start: Value, at: Value, panel: Value, rows: Value) -> None:
        """sums[start + at + i] += Σ x[row, at + i]·dy[row] for a tile of rows of the weight, two vectors of columns."""
        k, lanes = self.k, self.lanes
        places = [[(start + at + i) * self.width + panel + v * lanes for v in range(2)] for i in range(self.tile)]
        totals = [[k.var(k.load(self.sums, place, self.vector)) for place in row] for row in places]
        for row in k.range(rows):
            vectors = [k.load(self.dy, row * self.width + panel + v * lanes, self.vector) for v in range(2)]
            for i, line in enumerate(totals):
                number = k.splat(k.load(self.x, row * _DEPTH + at + i, self.kind), lanes)
                for total, vector in zip(line, vectors, strict=True):
                    total.set(k.fma(number, vector, total.get()) if self.kind.is_float else number * vector + total.get())
        for line, row_places in zip(totals, places, strict=True):
            for total, place in zip(line, row_places, strict=True):
                k.store(total.get(), self.sums, place)

    def _write(self, expert: Value, column: Value) -> None:
        k, stored = self.k, type_of(self.tensors["out"].dtype.name)
        there = self.columns - column
        for row in k.range(self.depth):
            target = k.pointer(self.code.pointer(3), (expert * self.depth + row) * self.columns + column, stored)
            for at in range(0, self.width, self.lanes):
                with k.when(there > at):
                    value = k.convert(k.load(self.sums, row * self.width + at, self.vector), stored)
                    k.store_masked(value, target, at, there - at)


def _emit(code: KernelCode, kind: Type) -> None:
    unit, k = _WeightGradientUnit(code, kind), code.code
    blocks = (unit.columns + (unit.width - 1)) // unit.width
    for number in k.range(k.begin, k.end):
        unit.run(number // blocks, number % blocks * unit.width)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Real numbers of one dtype."""
    x, dy, experts = inputs
    assert x is not None and dy is not None and experts is not None
    if x.dtype is not dy.dtype or x.dtype.is_complex:
        return f"{op.name} of {x.dtype} and {dy.dtype}"
    kind = type_of(x.dtype.name)
    kind = F32 if kind.is_low_float else kind
    units = ceildiv(dy.dims[1], _PANELS * 2 * target.lanes(kind)) * outputs[0].dims[0]
    scratch = _WeightGradientUnit.scratch(kind, target, x.dims[0], x.dims[1])
    return Lowering((Stage("grouped_weights", ("grouped_weights", kind), (0, 1, 2, 3), units, partial(_emit, kind=kind), scratch),))
