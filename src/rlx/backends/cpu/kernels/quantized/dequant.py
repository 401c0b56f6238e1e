"""Packed weights as floats: products panel by panel, also with a weight for each row's expert; rows of a table; the weights of all experts.

A unit computes one panel of columns (for one expert). It processes its rows in blocks; for each it copies a chunk of
those rows and of the panel into scratch, in the accumulator type, and multiplies them by tiles in registers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.tiles import ROWS as TILE_ROWS
from rlx.backends.cpu.emit.values import F32, I1, I8, I64, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.experts import RowTable
from rlx.backends.cpu.kernels.matmul.tile import Tile, product_tile
from rlx.backends.cpu.kernels.movement.indexing import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, offset_of, shares, unit_count, unravel, walk_runs
from rlx.backends.cpu.kernels.quantized.dequant_values import InterleavedRows, Packed, Panel, element_of
from rlx.backends.cpu.kernels.quantized.half_weights import (
    FEW,
    PartsProduct,
    halves_function,
    has_parts,
    part_rows,
    part_units,
    parts_of_rows,
    parts_scratch,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.core.quant_scheme import QuantScheme
from rlx.ir.op import Op
from rlx.layouts.block_order import ROWS

_DEPTH = 256
"""Steps of k in a chunk: a multiple of every block size."""
_ROWS = 96
"""Rows of a block."""
_MOST_STREAMED = 64
"""Up to this many rows stream a weight of 16-bit floats, a few at a time, if sums are in order."""
_RUNS = 16
"""The number of runs in which a thread streams its share of a weight for a few rows."""


@dataclass(frozen=True)
class Rows:
    """One product with a dequantized weight: x's rows, the weight, the result's columns, and the table of rows if there are experts."""

    x: Tensor
    weight: Packed | InterleavedRows
    k: Size
    n: Size
    out: Tensor
    out_position: int
    table: RowTable | None = None
    """The rows of every expert, before the result among the stage's tensors."""
    in_order: bool = False
    """Each sum is one chain along k, whatever the number of rows."""

    @property
    def kind(self) -> Type:
        """The accumulator type."""
        kind = type_of(self.x.dtype.name)
        return F32 if kind.is_low_float else kind

    @property
    def count(self) -> Size:
        """The number of rows of x."""
        return product(self.x.dims[:-1])

    @property
    def axes(self) -> tuple[tuple[Size, ...], tuple[Size, ...]]:
        """Sizes and strides of the axes of x's rows, merged as far as possible."""
        if len(self.x.dims) == 1:
            return (1,), (0,)
        dims, (strides,) = merge_axes(self.x.dims[:-1], self.x.strides[:-1])
        return dims, strides


@dataclass(frozen=True)
class _ProductScratch:
    """Byte offsets in scratch of a dequantizing product: the row indices, a chunk of x, a chunk of the panel, the sums."""

    x: int
    panel: int
    sums: int
    total: int

    @staticmethod
    def of(kind: Type, target: Target) -> _ProductScratch:
        rows, width = _ROWS + _tile_rows(target), 2 * target.lanes(kind)
        x = 8 * _ROWS
        panel = x + rows * _DEPTH * kind.size
        sums = panel + _DEPTH * width * kind.size
        return _ProductScratch(x, panel, sums, sums + rows * width * kind.size)


def _tile_rows(target: Target) -> int:
    return 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4


class _Product:
    """Emits one unit of a dequantizing product."""

    def __init__(self, code: KernelCode, rows: Rows) -> None:
        self.code, self.rows, self.k, self.kind = code, rows, code.code, rows.kind
        self.lanes = code.target.lanes(self.kind)
        self.width = 2 * self.lanes
        self.depth, self.n, self.m = (index_of(code, size) for size in (rows.k, rows.n, rows.count))
        layout = _ProductScratch.of(self.kind, code.target)
        base = self.k.scratch
        self.list, self.a, numbers, self.sums = (self.k.pointer(base, at, I8) for at in (0, layout.x, layout.panel, layout.sums))
        self.x_type, self.out_type = type_of(rows.x.dtype.name), type_of(rows.out.dtype.name)
        self.panel = Panel(code, rows.weight, self.depth, self.n, self.kind, numbers)

    def unit(self, unit: Value) -> None:
        """Multiply one panel of one expert's weight by all its rows; the first expert also fills rows whose expert does not exist."""
        k, table = self.k, self.rows.table
        panels = (self.n + (self.width - 1)).udiv(self.width)
        number, column = unit.udiv(panels), unit.urem(panels) * self.width
        columns = k.minimum(self.n - column, self.width)
        tensor = self.rows.out_position - 1
        expert, first, last = (number, k.index(0), self.m) if table is None else table.find_expert(self.code, tensor, number)
        for start in k.range(first, last, _ROWS):
            count = k.minimum(last - start, _ROWS)
            for at in k.range(count):
                row = start + at
                k.store(row if table is None else table.row(self.code, tensor, row), self.list, at)
            self._block(expert, column, columns, count)
        if table is not None and table.fills:
            with k.when(number == 0):
                out, kinds = self.code.pointer(self.rows.out_position), (self.kind, self.out_type)
                table.fill_outside(self.code, tensor, out, self.n, (column, column + columns), kinds)

    # -- a block of rows
    def _block(self, expert: Value, column: Value, columns: Value, count: Value) -> None:
        weight, direct = self.rows.weight, self._direct_rows(self.k.index(0))
        if isinstance(weight, InterleavedRows) and weight.order.holds_floats and direct is not None and self.kind == F32:
            if self.rows.in_order:
                self._stream_in_turn(weight, direct, column, count)
            else:
                self._stream(weight, direct, column, count, self.sums)
            with self.k.when(count > (_MOST_STREAMED if self.rows.in_order else FEW[-1])):
                self._by_panels(expert, column, columns, count)
        else:
            self._by_panels(expert, column, columns, count)
        self._store(column, columns, count)

    def _stream_in_turn(self, weight: InterleavedRows, direct: tuple[Value, Operand], column: Value, count: Value) -> None:
        """Multiply a few rows at a time: in order, the sums are those of panels, and unpacking panels pays off for more rows only."""
        k, (x, stride), few = self.k, direct, FEW[-1]
        for first in k.range(0, k.select(count <= _MOST_STREAMED, count, 0), few):
            rows = k.pointer(x, first * stride, F32), stride
            sums = k.pointer(self.sums, first * self.width, F32)
            self._stream(weight, rows, column, k.minimum(count - first, few), sums)

    def _stream(self, weight: InterleavedRows, direct: tuple[Value, Operand], column: Value, count: Value, sums: Value) -> None:
        """Multiply a few rows by 16-bit floats streamed from memory, with the smallest variant that fits; the last row is repeated."""
        k, least, (x, stride) = self.k, 0, direct
        last = (self.n - 1).udiv(ROWS)
        indices = [k.minimum(column.udiv(ROWS) + i, last) for i in range(self.width // ROWS)]
        size = weight.order.scheme.block_bytes() * ROWS
        weights = [k.pointer(self.code.pointer(weight.position), index * self.depth * size, I8) for index in indices]
        for rows in FEW:
            if count.constant is None or least < count.constant <= rows:
                with k.when((count > least) & (count <= rows)):
                    given_rows = [k.pointer(x, k.minimum(count - 1, i) * stride, F32) for i in range(rows)]
                    chains = 1 if self.rows.in_order else None
                    function = halves_function(self.code.module, weight.order.name, rows, len(weights), chains)
                    k.call(function, *weights, self.depth, *given_rows, sums)
            least = rows

    def _by_panels(self, expert: Value, column: Value, columns: Value, count: Value) -> None:
        """Convert the weight to f32 chunk by chunk, and multiply each chunk by all rows."""
        k, kind = self.k, self.kind
        for at in k.range(0, count * self.width, self.lanes):
            k.store(k.constant(0, kind.vector(self.lanes)), self.sums, at)
        for start in k.range(0, self.depth, _DEPTH):
            depth = k.minimum(self.depth - start, _DEPTH)
            rows = self._direct_rows(start) or self._copy_rows(start, depth, count)
            self.panel.fill(expert, column, columns, start, depth)
            self._multiply(rows, depth, count)

    def _direct_rows(self, start: Value) -> tuple[Value, Operand] | None:
        """The address and row stride of a chunk of x if the tiles can read it in place, else None."""
        k, x = self.k, self.rows.x
        if self.rows.table is not None or self.x_type != self.kind or not (isinstance(x.strides[-1], int) and x.strides[-1] == 1):
            return None
        dims, strides = self.rows.axes
        if len(dims) > 1:
            return None
        stride = self.code.size(strides[0])
        return k.pointer(self.code.pointer(0), k.load(self.list, 0, I64) * stride + start, self.kind), stride

    def _copy_rows(self, start: Value, depth: Value, count: Value) -> tuple[Value, Operand]:
        """Copy a chunk of x, converted, with contiguous rows."""
        k, x = self.k, self.rows.x
        (dims, strides), inner = self.rows.axes, x.strides[-1]
        for at in k.range(count):
            point = unravel(self.code, k.load(self.list, at, I64), dims)
            base = offset_of(self.code, point, strides) + start * self.code.size(inner)
            source = k.pointer(self.code.pointer(0), base, self.x_type)
            self._copy(source, inner, at * _DEPTH, depth)
        return self.a, _DEPTH

    def _copy(self, source: Value, inner: Size, target: Value, depth: Value) -> None:
        k, lanes = self.k, self.lanes
        full = depth // lanes * lanes if isinstance(inner, int) and inner == 1 else k.index(0)
        for p in k.range(0, full, lanes):
            k.store(k.convert(k.load(source, p, self.x_type.vector(lanes)), self.kind), self.a, target + p)
        for p in k.range(full, depth):
            k.store(k.convert(k.load(source, p * self.code.size(inner), self.x_type), self.kind), self.a, target + p)

    def _multiply(self, chunk: tuple[Value, Operand], depth: Value, count: Value) -> None:
        """Multiply tiles of rows; the last row is repeated to fill the tile."""
        k = self.k
        base, stride = chunk

        def tile(rows: int, first: Operand) -> None:
            start = k.index(first)
            a = k.pointer(base, start * stride, self.kind)
            sums = k.pointer(self.sums, start * self.width, self.kind)
            last = count - 1 - start if rows > 1 else None
            shape = Tile(rows, 2, self.kind, a, stride, 1, self.panel.numbers, self.width, self.kind, last)
            offsets = [[i * self.width + j * self.lanes for j in range(2)] for i in range(rows)]
            vector, before = self.kind.vector(self.lanes), None
            if self.rows.in_order:
                before = [[k.load(sums, at, vector) for at in line] for line in offsets]
            for line, totals in zip(offsets, product_tile(k, shape, depth, even=False, before=before), strict=True):
                for at, total in zip(line, totals, strict=True):
                    k.store(total if before is not None else k.load(sums, at, vector) + total, sums, at)

        with k.when(count == 1):
            tile(1, 0)
        with k.otherwise():
            rows = _tile_rows(self.code.target)
            for first in k.range(0, count, rows):
                tile(rows, first)

    def _store(self, column: Value, columns: Value, count: Value) -> None:
        k = self.k
        for at in k.range(count):
            base = k.load(self.list, at, I64) * self.n + column
            for j in k.range(columns):
                value = k.load(self.sums, at * self.width + j, self.kind)
                k.store(k.convert(value, self.out_type), self.code.pointer(self.rows.out_position), base + j)


def lower_rows(op: Op, inputs: tuple[Tensor | None, ...], rows: Rows, target: Target) -> Lowering | str:
    """Lower a dequantizing product: the table of the experts' rows, then a command whose unit is a panel of columns of one expert."""
    rows, name, operands = replace(rows, in_order=target.batch_invariant), op.name, len(inputs)
    if rows.x.dtype.is_complex or not rows.out.is_dense:
        return f"{name} of {rows.x.dtype}" if rows.x.dtype.is_complex else "a result with gaps"
    if isinstance(rows.weight, InterleavedRows) and 2 * target.lanes(rows.kind) < ROWS:
        return f"{name} of {rows.x.dtype} with panels of less than {ROWS} columns"
    panels = ceildiv(rows.n, 2 * target.lanes(rows.kind))
    layout = _ProductScratch.of(rows.kind, target)
    if _takes_rows_apart(rows, target):
        return _lower_by_parts(name, rows, operands, panels, layout)

    def emit(code: KernelCode) -> None:
        work = _Product(code, rows)
        for unit in code.code.range(code.code.begin, code.code.end):
            work.unit(unit)

    streams = isinstance(rows.weight, InterleavedRows) and isinstance(rows.count, int) and rows.count <= FEW[-1]
    listed = () if rows.table is None else (operands + 1,)
    units = panels if rows.table is None else panels * rows.table.most_experts
    tensors, runs = (*range(operands), *listed, operands), _RUNS if streams else 0
    stage = Stage(name, (name, rows), tensors, units, emit, layout.total, runs=runs, reads=listed)
    if rows.table is None:
        return Lowering((stage,))
    return Lowering((rows.table.stage(op, inputs, operands + 1), stage), (rows.table.tensor,))


def _takes_rows_apart(rows: Rows, target: Target) -> bool:
    """Whether the product splits floats into bf16 parts: possibly enough rows for tiles, no experts, and sums in any order."""
    may_be_many = not isinstance(rows.count, int) or rows.count >= TILE_ROWS
    return rows.table is None and not rows.in_order and may_be_many and has_parts(rows.weight, rows.x, target)


def _lower_by_parts(name: str, rows: Rows, operands: int, units: Size, layout: _ProductScratch) -> Lowering:
    """Lower a product of bf16 parts to two commands: splitting the rows of x, and the product, by tiles or for few rows as elsewhere."""
    weight, temporaries = rows.weight, parts_of_rows(rows.x)
    assert isinstance(weight, InterleavedRows)
    parts = (operands + 1, operands + 2)
    part = Stage("part", ("part",), (0, *parts), part_units(rows.x), lambda code: part_rows(code, rows.x))

    def emit(code: KernelCode) -> None:
        k = code.code
        work = _Product(code, rows)
        by_parts = PartsProduct(code, weight, (rows.count, rows.k, rows.n), (*parts, rows.out_position))
        fits = by_parts.fits()
        for unit in k.range(k.begin, k.end):
            is_done = k.var(False, I1)
            with k.when(fits):
                is_done.set(by_parts.unit(unit * work.width))
            with k.when(~is_done.get()):
                work.unit(unit)

    stage = Stage(
        name, (name, rows, "parts"), tuple(range(operands + 3)), units, emit, max(layout.total, parts_scratch()), reads=parts
    )
    return Lowering((part, stage), temporaries)


def packed_of(op: Op, inputs: tuple[Tensor | None, ...], k: Size, n: Size, first: int, rest: int, experts: bool) -> Packed | str:
    """The packed weight among the operands: w at `first`; scale, zp and the global scale from `rest` on."""

    def part(index: int) -> tuple[Tensor, int] | None:
        tensor = inputs[index] if index < len(inputs) else None
        return None if tensor is None else (tensor, index)

    w = part(first)
    assert w is not None
    packed = Packed(op.attrs["scheme"], k, n, w, part(rest), part(rest + 1), part(rest + 2), experts)
    return packed.refusal() or packed


def lower_dequant_matmul(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `dequant_matmul`: every scheme; x of any float dtype and view."""
    x, out = inputs[0], outputs[0]
    assert x is not None
    packed = packed_of(op, inputs, x.dims[-1], out.dims[-1], 1, 2, False)
    if isinstance(packed, str):
        return packed
    return lower_rows(op, inputs, Rows(x, packed, x.dims[-1], out.dims[-1], out, len(inputs)), target)


def lower_dequant_grouped_matmul(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """Lower `dequant_grouped_matmul`: every scheme, experts outermost."""
    x, w, out = *inputs[:2], outputs[0]
    assert x is not None and w is not None
    packed = packed_of(op, inputs, x.dims[-1], out.dims[-1], 1, 3, True)
    if isinstance(packed, str):
        return packed
    table = RowTable.of(op, x, w)
    return lower_rows(op, inputs, Rows(x, packed, x.dims[-1], out.dims[-1], out, len(inputs) + 1, table), target)


# -- rows of a table, and the weights of all experts -------------------------------------------------------------------


@dataclass(frozen=True)
class Gathering:
    """A gather of rows of a packed table: by rows of bytes for ggml's blocks, else by rows of k."""

    packed: Packed
    rows: Size
    width: Size
    indices: Tensor
    out: Tensor
    fills: bool
    checks: bool


def _emit_gather(code: KernelCode, gathering: Gathering) -> None:
    """Emit a gather of dequantized rows. Tensors: w, indices, [scale, zp,] result."""
    k, packed = code.code, gathering.packed
    element = element_of(code, packed)
    kind, out = type_of(gathering.out.dtype.name), len(code.tensors) - 1
    by_bytes = packed.scheme.is_gguf()
    dims = (*gathering.indices.dims, gathering.width)
    first, last = shares(code, product(dims), kind.size)
    for positions, column, count in walk_runs(code, dims, first, last):
        at = index_of(code, 0)
        flat = index_of(code, 0)
        for position, stride, size in zip(positions, gathering.indices.strides, gathering.indices.dims, strict=True):
            at = at + position * code.size(stride)
            flat = flat * code.size(size) + position
        row, outside = read_position(code, code.pointer(1), at, gathering.indices.dtype, gathering.rows)
        if gathering.checks:
            with k.when(outside):
                code.fail(OUT_OF_BOUNDS)
        target = k.pointer(code.pointer(out), flat * code.size(gathering.width) + column, kind)
        for step in k.range(count):
            index = column + step
            number = element(k.index(0), index, row) if by_bytes else element(k.index(0), row, index)
            if gathering.fills:
                number = k.select(outside, float("nan"), number)
            k.store(k.convert(number, kind), target, step)


def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `dequant_gather`: every scheme, indices of any rank and integer dtype."""
    w, indices = inputs[:2]
    out, scheme = outputs[0], op.attrs["scheme"]
    assert w is not None and indices is not None and isinstance(scheme, QuantScheme)
    if not out.is_dense:
        return "a result with gaps"
    width = out.dims[-1]
    if scheme.is_gguf():
        rows, k, n = w.dims[0], width, w.dims[0]
    else:
        rows = w.dims[0] * 2 // width if scheme.kind in ("int4", "nvfp4") else w.dims[0]
        k, n = rows, width
    packed = packed_of(op, inputs, k, n, 0, 2, False)
    if isinstance(packed, str):
        return packed
    gathering = Gathering(packed, rows, width, indices, out, op.attrs["mode"] == "fill", op.attrs["check_bounds"])
    units = unit_count(product(out.dims), out.dtype.size)
    operands = tuple(range(len(inputs) + 1))
    return Lowering((Stage(op.name, (op.name, gathering), operands, units, lambda code: _emit_gather(code, gathering)),))


def _emit_weights(code: KernelCode, packed: Packed, out: Tensor) -> None:
    k, kind = code.code, type_of(out.dtype.name)
    element, target = element_of(code, packed), code.pointer(len(code.tensors) - 1)
    first, last = shares(code, product(out.dims), kind.size)
    for (expert, row), column, count in walk_runs(code, out.dims, first, last):
        start = (expert * code.size(packed.k) + row) * code.size(packed.n) + column
        for step in k.range(count):
            k.store(k.convert(element(expert, row, column + step), kind), target, start + step)


def lower_weights(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `dequant_moe_weights`: every scheme."""
    out = outputs[0]
    packed = packed_of(op, inputs, out.dims[1], out.dims[2], 0, 1, True)
    if isinstance(packed, str):
        return packed
    if not out.is_dense:
        return "a result with gaps"
    units = unit_count(product(out.dims), out.dtype.size)
    operands = tuple(range(len(inputs) + 1))
    return Lowering((Stage(op.name, (op.name, packed, out), operands, units, lambda code: _emit_weights(code, packed, out)),))


LOWER: dict[str, Lower] = {
    "dequant_matmul": lower_dequant_matmul,
    "dequant_grouped_matmul": lower_dequant_grouped_matmul,
    "dequant_gather": lower_gather,
    "dequant_moe_weights": lower_weights,
}
"""The ops of this file by name."""
