"""Products of bytes with i32 accumulators, rounded to bytes again or scaled to floats.

Both operands become 16-bit values minus their zero points, adjacent pairs along k, so that `pmaddwd` adds two exact products into
32 bits; nothing saturates. A unit is a block of rows and some panels of columns. It processes k in blocks: rows of x are widened once,
then each panel, and tiles of rows use it. For a few rows the panel is widened on the fly without storing it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, F64, I8, I16, I32, I64, PTR, Type, Value, Variable
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.ir.op import Op
from rlx.ops.quantized.byte_layers import COLUMNS, STEPS

_ROWS = 96
"""Rows of a unit: a multiple of every tile's rows."""
_DEPTH = 512
"""K block size: between blocks, sums are in scratch."""
_PANELS = 4
"""Of a unit."""
_FEW = 4
"""Up to this many rows stream the panels."""
_UNROLL = STEPS // 2
"""Pairs in one round of an inner loop."""
_X, _W, _FACTORS, _ZEROS = range(4)
_SUMS = _PANELS * COLUMNS
_X_PLACE = 4 * _ROWS * _SUMS
_W_PLACE = _X_PLACE + 2 * _ROWS * _DEPTH
_SCRATCH = _W_PLACE + 2 * _DEPTH * COLUMNS
"""Bytes of scratch: the sums of a unit, its widened rows, a widened panel."""


@dataclass(frozen=True)
class Registers:
    """The register tile of a byte product: a panel as vectors, and how many rows have their accumulators in registers."""

    lanes: int  # 32-bit numbers of a vector

    @staticmethod
    def of(target: Target) -> Registers:
        """Registers as wide as the target and the panel allow."""
        return Registers(min(target.lanes(I32), COLUMNS))

    @property
    def vectors(self) -> int:
        """Vectors of a panel."""
        return COLUMNS // self.lanes

    @property
    def tile_rows(self) -> int:
        """Rows of a tile: 12 accumulator vectors leave registers for a panel's vectors and a row's."""
        return 12 // self.vectors

    @property
    def sums(self) -> Type:
        """The type of an accumulator vector."""
        return I32.vector(self.lanes)

    @property
    def pairs(self) -> Type:
        """The type of a vector of pairs of 16-bit values."""
        return I16.vector(2 * self.lanes)


# -- functions of the object ------------------------------------------------------------------------------------
def _function(module: Module, name: str, parameters: list[str], emit: Callable[[Function], None]) -> Function:
    """A function emitted once per object file; parameters that end in `*` are addresses."""
    kinds = [(item.rstrip("*"), PTR if item.endswith("*") else I64) for item in parameters]
    return module.shared(name, kinds, emit)


def _widen_function(module: Module) -> Function:
    """The function (bytes, how many, zero point, target): stores 16-bit values minus the zero point, zeros up to a multiple of four."""

    def emit(k: Function) -> None:
        source, count, zero, target = k.parameters
        lanes = module.target.lanes(I16)
        less, full = k.convert(zero, I16), count & -lanes
        with k.when((count & (STEPS - 1)) != 0):
            k.store(k.constant(0, I16.vector(STEPS)), target, count & -STEPS)
        for at in k.range(0, full, lanes):
            k.store(k.convert(k.load(source, at, I8.vector(lanes), align=1), I16) - less, target, at)
        for at in k.range(full, count):
            k.store(k.convert(k.load(source, at, I8), I16) - less, target, at)

    return _function(module, "bytes_widen", ["source*", "count", "zero", "target*"], emit)


class _Tile:
    """The accumulators of some rows times some panels in registers, in one function."""

    def __init__(self, k: Function, shape: Registers, rows: int, panels: int, sums: Value, first: Value) -> None:
        self.k, self.shape, self.sums = k, shape, sums
        self.offsets = [
            [[row * _SUMS + panel * COLUMNS + vector * shape.lanes for vector in range(shape.vectors)] for panel in range(panels)]
            for row in range(rows)
        ]
        self.totals: list[list[list[Variable]]] = [[[k.var(0, shape.sums) for _ in panel] for panel in row] for row in self.offsets]
        with k.when(first == 0):
            for total, offset in self._all():
                total.set(k.load(sums, offset, shape.sums))

    def _all(self) -> list[tuple[Variable, int]]:
        return [
            pair
            for totals, offsets in zip(self.totals, self.offsets, strict=True)
            for total, offset in zip(totals, offsets, strict=True)
            for pair in zip(total, offset, strict=True)
        ]

    def add(self, x: Value, pair: Value, panel: int, vectors: list[Value]) -> None:
        """Add a pair of steps of k of every row times a panel's columns."""
        k, shape = self.k, self.shape
        for row, totals in enumerate(self.totals):
            two = k.load(x, pair + row * (_DEPTH // 2), I32, align=2)
            both = k.bitcast(k.splat(two, shape.lanes), shape.pairs)
            for total, vector in zip(totals[panel], vectors, strict=True):
                total.set(total.get() + k.multiply_add_words(vector, both))

    def finish(self) -> None:
        """Store the accumulators in scratch."""
        for total, offset in self._all():
            self.k.store(total.get(), self.sums, offset)


def _tile_function(module: Module, shape: Registers, rows: int) -> Function:
    """The function (widened rows, widened panel, pairs, sums, first): a tile of rows times a panel; continues the sums unless `first`."""

    def emit(k: Function) -> None:
        x, w, pairs, sums, first = k.parameters
        tile = _Tile(k, shape, rows, 1, sums, first)
        for start in k.range(0, pairs, _UNROLL):
            for pair in (start + i for i in range(_UNROLL)):
                offsets = [pair * (2 * COLUMNS) + vector * 2 * shape.lanes for vector in range(shape.vectors)]
                tile.add(x, pair, 0, [k.load(w, offset, shape.pairs) for offset in offsets])
        tile.finish()

    return _function(module, f"bytes_tile_{rows}", ["x*", "w*", "pairs", "sums*", "first"], emit)


def _stream_function(module: Module, shape: Registers, rows: int) -> Function:
    """The function (widened rows, a panel's bytes, pairs, zero point, sums, first): as `_tile_function`, from the panel's bytes."""

    def emit(k: Function) -> None:
        x, w, pairs, zero, sums, first = k.parameters
        less = k.convert(zero, I16)
        tile = _Tile(k, shape, rows, 1, sums, first)
        for start in k.range(0, pairs, _UNROLL):
            k.prefetch(w, start * (2 * COLUMNS) + 1024)
            for pair in (start + i for i in range(_UNROLL)):
                offsets = [pair * (2 * COLUMNS) + vector * 2 * shape.lanes for vector in range(shape.vectors)]
                loaded = [k.load(w, offset, I8.vector(2 * shape.lanes), align=1) for offset in offsets]
                tile.add(x, pair, 0, [k.convert(part, I16) - less for part in loaded])
        tile.finish()

    return _function(module, f"bytes_stream_{rows}", ["x*", "w*", "pairs", "zero", "sums*", "first"], emit)


# -- units ------------------------------------------------------------------------------------------------------
class ByteProduct:
    """Emits the units of one product of bytes. The stage's tensors are x, panels, factors, zeros, [bias], and the result."""

    def __init__(self, code: KernelCode, n: Size, has_bias: bool) -> None:
        self.code, self.k, self.has_bias = code, code.code, has_bias
        self.shape = Registers.of(code.target)
        x = code.tensors[_X]
        assert x is not None
        self.m, self.depth, self.n = (index_of(code, size) for size in (product(x.dims[:-1]), x.dims[-1], n))
        self.padded = (self.depth + (STEPS - 1)) & -STEPS
        self.zeros = [self.k.convert(self.k.load(code.pointer(_ZEROS), i, I32), I64) for i in range(3)]

    def _scratch(self, offset: int | Value) -> Value:
        return self.k.pointer(self.k.scratch, offset, I8)

    def unit(self, unit: Value) -> None:
        """Emit one unit: a block of rows times some panels."""
        k = self.k
        blocks = (self.n + (_SUMS - 1)).udiv(_SUMS)
        row, column = unit.udiv(blocks) * _ROWS, unit.urem(blocks) * _SUMS
        rows, columns = k.minimum(self.m - row, _ROWS), k.minimum(self.n - column, _SUMS)
        with k.when(self.depth == 0):
            for at in k.range(0, rows * _SUMS, self.shape.lanes):
                k.store(k.constant(0, self.shape.sums), k.scratch, at)
        for start in k.range(0, self.depth, _DEPTH):
            count = k.minimum(self.depth - start, _DEPTH)
            for at in k.range(rows):
                source = k.pointer(self.code.pointer(_X), (row + at) * self.depth + start, I8)
                k.call(_widen_function(self.code.module), source, count, self.zeros[0], self._scratch(at * (2 * _DEPTH) + _X_PLACE))
            steps = (count + (STEPS - 1)) & -STEPS
            first = k.convert(start == 0, I64, signed=False)
            for offset in k.range(0, columns, COLUMNS):
                panel = k.pointer(self.code.pointer(_W), (column + offset) * self.padded + start * COLUMNS, I8)
                with k.when(rows <= _FEW):
                    self._stream(rows, panel, offset, steps, first)
                with k.otherwise():
                    self._tiles(rows, panel, offset, steps, first)
        for at in k.range(rows):
            self._finish(at, row, column, columns)

    def _stream(self, rows: Value, panel: Value, offset: Value, steps: Value, first: Value) -> None:
        """Multiply a few rows directly by the panel's bytes."""
        k, sums = self.k, self._scratch(offset * 4)
        for number in range(1, _FEW + 1):
            with k.when(rows == number):
                stream = _stream_function(self.code.module, self.shape, number)
                k.call(stream, self._scratch(_X_PLACE), panel, steps.udiv(2), self.zeros[1], sums, first)

    def _tiles(self, rows: Value, panel: Value, offset: Value, steps: Value, first: Value) -> None:
        """Widen the panel, then multiply all rows by it."""
        k, size = self.k, self.shape.tile_rows
        k.call(_widen_function(self.code.module), panel, steps * COLUMNS, self.zeros[1], self._scratch(_W_PLACE))
        full = rows.udiv(size) * size
        for at in k.range(0, full, size):
            self._tile(size, at, offset, steps, first)
        for number in range(1, size):
            with k.when(rows - full == number):
                self._tile(number, full, offset, steps, first)

    def _tile(self, number: int, at: Value, offset: Value, steps: Value, first: Value) -> None:
        sums, x = self._scratch((at * _SUMS + offset) * 4), self._scratch(at * (2 * _DEPTH) + _X_PLACE)
        tile = _tile_function(self.code.module, self.shape, number)
        self.k.call(tile, x, self._scratch(_W_PLACE), steps.udiv(2), sums, first)

    # -- from sums to results
    def _finish(self, at: Value, row: Value, column: Value, columns: Value) -> None:
        """Finish a row of sums: bias, factor, rounding."""
        k, lanes = self.k, self.shape.lanes
        full = columns & -lanes
        for offset in k.range(0, full, lanes):
            self._results(at, row, column, offset, None)
        with k.when(columns > full):
            self._results(at, row, column, full, columns - full)

    def _results(self, at: Value, row: Value, column: Value, offset: Value, left: Value | None) -> None:
        """Compute a vector of results, or the remainder of a row."""
        k = self.k
        total = k.load(k.scratch, at * _SUMS + offset, self.shape.sums)
        if self.has_bias:
            total = total + self._entries(_ZEROS + 1, column + offset, self.shape.sums, left)
        result = self._round(k.convert(total, F64) * self._factors(column + offset, left))
        out, index = len(self.code.tensors) - 1, (row + at) * self.n + column + offset
        if left is None:
            k.store(result, self.code.pointer(out), index)
        else:
            k.store_masked(result, self.code.pointer(out), index, left)

    def _factors(self, index: Value, left: Value | None) -> Value:
        k, lanes, factors = self.k, self.shape.lanes, self.code.tensors[_FACTORS]
        assert factors is not None
        if factors.dims:
            return self._entries(_FACTORS, index, F64.vector(lanes), left)
        return k.splat(k.load(self.code.pointer(_FACTORS), 0, F64), lanes)

    def _round(self, scaled: Value) -> Value:
        k, out = self.k, self.code.tensors[-1]
        assert out is not None
        if out.dtype.name == "f32":
            return k.convert(scaled, F32)
        shifted = k.round_even(scaled) + k.splat(k.convert(self.zeros[2], F64), self.shape.lanes)
        return k.convert(k.convert_fast(k.minimum_fast(k.maximum_fast(shifted, -128.0), 127.0), I32), I8)

    def _entries(self, tensor: int, index: Value, kind: Type, left: Value | None) -> Value:
        """Load adjacent entries of an operand that has one for each column."""
        address = self.code.pointer(tensor)
        return self.k.load(address, index, kind) if left is None else self.k.load_masked(address, index, left, kind)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `q_product`."""
    present = [tensor for tensor in inputs if tensor is not None]
    if any(not tensor.is_dense for tensor in (*present, outputs[0])):
        return "operands with gaps"
    n, has_bias = op.attrs["n"], len(present) > _ZEROS + 1

    def emit(code: KernelCode) -> None:
        work = ByteProduct(code, n, has_bias)
        for unit in code.code.range(code.code.begin, code.code.end):
            work.unit(unit)

    units = ceildiv(product(present[_X].dims[:-1]), _ROWS) * ceildiv(n, _SUMS)
    tensors = (*range(len(present)), len(inputs))
    return Lowering((Stage(op.name, (op.name, n, op.attrs["dtype"]), tensors, units, emit, _SCRATCH),))


LOWER: dict[str, Lower] = {"q_product": lower}
"""The ops of this file by name."""
