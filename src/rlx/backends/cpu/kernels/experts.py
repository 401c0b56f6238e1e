"""Rows of x times the matrix of each row's expert, matrix products whose rows come from a list; and the gradient of the weights.

A first stage makes a table of all rows by expert (`RowTable`). Then a unit is a block of columns of one expert that has rows: it copies
these in blocks into contiguous scratch, and continues like any matrix product. Experts without rows cost nothing.

The gradient is for each expert xᵀ·dy over its own rows, so all experts together cost one product. A unit is (expert, block of columns).
It lists the rows of its expert, then processes them in blocks: a chunk of x and the block's columns of dy are copied into contiguous
scratch, and accumulated by register tiles of rows of the weight × 2 vectors of columns. Rows are added in order, whichever thread runs
the unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, I64, PTR, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import blocking, panel_width
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.operands import OutputBlock, scratch_bytes
from rlx.backends.cpu.kernels.matmul.pack import copy_rows
from rlx.backends.cpu.kernels.matmul.spec import LISTED, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.spec import Size as SizeInCode
from rlx.backends.cpu.kernels.movement.indexing import OUT_OF_BOUNDS, load_integer, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum
from rlx.core.shape import Shape, is_one
from rlx.ir.op import Op
from rlx.layouts.panels import Panels


@dataclass(frozen=True)
class RowTable:
    """The rows of every expert in one table of i64, which a stage of its own writes and products of the same rows share:

    bounds   E + 3   from `bounds[e]` to `bounds[e + 1]` of the list are the rows of expert e; E stands for no expert
    used     E       the experts that have rows
    count    1       how many those are
    groups   M       the expert of each row
    indices  M       the index of each row in the list
    list     M       the indices of all rows, grouped by expert, in order; then those without an expert

    If `align` is more than one, the rows of each expert begin at a multiple of it: the list is longer, with gaps.
    """

    rows: Size
    experts: Size
    fills: bool
    align: int = 1

    @staticmethod
    def of(op: Op, x: Tensor, weights: Tensor, align: int = 1) -> RowTable:
        """The table of a product of x and the weights of all experts."""
        return RowTable(x.dims[0], weights.dims[0], op.attrs["mode"] == "fill", align)

    @property
    def length(self) -> Size:
        """Entries of the list of rows."""
        return self.rows + (self.align - 1) * minimum(self.experts + 1, self.rows)

    @property
    def tensor(self) -> Tensor:
        """The table as a temporary tensor of i64."""
        return Tensor.dense(Shape((2 * self.experts + 4 + 2 * self.rows + self.length,), "i64"))

    @property
    def most_experts(self) -> Size:
        """The largest number of experts that can have rows."""
        return minimum(self.experts, self.rows)

    def _part(self, code: KernelCode, position: int, name: str) -> Value:
        used, groups = self.experts + 3, 2 * self.experts + 4
        starts = {"bounds": 0, "used": used, "count": groups - 1, "groups": groups}
        starts |= {"indices": groups + self.rows, "list": groups + 2 * self.rows}
        return code.code.pointer(code.pointer(position), code.size(starts[name]), I64)

    # -- reading
    def row(self, code: KernelCode, position: int, index: Value) -> Value:
        """The row of x at an index of the list."""
        return code.code.load(self._part(code, position, "list"), index, I64)

    def index_of_row(self, code: KernelCode, position: int, row: Value) -> Value:
        """The index in the list of a row of x."""
        return code.code.load(self._part(code, position, "indices"), row, I64)

    def rows_beside(self, code: KernelCode, position: int, row: Value) -> Value:
        """The number of rows of the same expert as a row."""
        first, last = self._range(code, position, code.code.load(self._part(code, position, "groups"), row, I64))
        return last - first

    def find_expert(self, code: KernelCode, position: int, index: Value) -> tuple[Value, Value, Value]:
        """The n-th expert that has rows, and its range in the list; past the last such expert the range is empty."""
        k = code.code
        exists = index < k.load(self._part(code, position, "count"), 0, I64)
        expert = k.load(self._part(code, position, "used"), k.select(exists, index, 0), I64)
        expert = k.select(exists, expert, 0)
        first, last = self._range(code, position, expert)
        return expert, first, k.select(exists, last, first)

    def _range(self, code: KernelCode, position: int, expert: Value) -> tuple[Value, Value]:
        bounds = self._part(code, position, "bounds")
        return self._align(code.code.load(bounds, expert, I64)), code.code.load(bounds, expert + 1, I64)

    def _align(self, index: Value) -> Value:
        return index if self.align == 1 else (index + (self.align - 1)).udiv(self.align) * self.align

    def fill_outside(
        self, code: KernelCode, position: int, out: Value, n: Value, columns: tuple[Value, Value], kinds: tuple[Type, Type]
    ) -> None:
        """Fill these columns of the rows whose expert does not exist; `kinds` are the accumulator type and the result's type."""
        k, (kind, stored) = code.code, kinds
        value = k.convert(k.constant(float("nan") if kind.is_float else 0, kind), stored)
        for index in k.range(*self._range(code, position, index_of(code, self.experts))):
            start = self.row(code, position, index) * n
            for at in k.range(*columns):
                k.store(value, out, start + at)

    # -- writing
    def stage(self, op: Op, inputs: tuple[Tensor | None, ...], position: int) -> Stage:
        """The stage that writes the table to temporary `position`, from each row's expert, the third operand."""
        experts, checks = inputs[2], op.attrs["check_bounds"]
        assert experts is not None
        key = ("expert rows", self, checks)
        return Stage("expert rows", key, (2, position), 1, lambda code: self._write(code, experts, checks))

    def _write(self, code: KernelCode, experts: Tensor, checks: bool) -> None:
        """Write the table by a counting sort: count the rows of each expert, compute the offsets, then place every row."""
        k, rows, number = code.code, index_of(code, self.rows), index_of(code, self.experts)
        names = ("bounds", "used", "groups", "indices", "list")
        bounds, used, groups, positions, listed = (self._part(code, 1, name) for name in names)
        for at in k.range(number + 3):
            k.store(0, bounds, at, I64)
        for row in k.range(rows):
            group = self._group(code, experts, row, checks)
            k.store(group, groups, row)
            at = group + 2
            k.store(k.load(bounds, at, I64) + 1, bounds, at)
        used_count = k.var(0, I64)
        for expert in k.range(number):
            # bounds[expert + 1] is where its rows begin, bounds[expert + 2] how many there are
            count = k.load(bounds, expert + 2, I64)
            k.store(self._align(k.load(bounds, expert + 1, I64) + count), bounds, expert + 2)
            with k.when(count > 0):
                k.store(expert, used, used_count.get())
                used_count.set(used_count.get() + 1)
        k.store(used_count.get(), self._part(code, 1, "count"), 0)
        for row in k.range(rows):
            at = k.load(groups, row, I64) + 1
            following = k.load(bounds, at, I64)
            k.store(row, listed, following)
            k.store(following, positions, row)
            k.store(following + 1, bounds, at)

    def _group(self, code: KernelCode, experts: Tensor, row: Value, checks: bool) -> Value:
        """The expert of a row, or E for a row that is filled because its expert does not exist; reports it if that is an error."""
        k, at = code.code, row * code.size(experts.strides[0])
        position, outside = read_position(code, code.pointer(0), at, experts.dtype, self.experts)
        if checks:
            with k.when(outside):
                code.fail(OUT_OF_BOUNDS)
        return k.select(outside, index_of(code, self.experts), position) if self.fills else position


_X, _WEIGHTS, _TABLE, _OUT = range(4)
"""The tensors of a product's stage."""


@dataclass(frozen=True)
class ExpertWeights:
    """The experts' matrices `[K, N]`: the layout of one, as in `MatMulSpec`, and the stride between them."""

    dtype: str
    form: Literal["panels", "rows", "columns"]
    row: Size | None
    apart: Size

    @staticmethod
    def of(w: Tensor) -> ExpertWeights | str:
        """The experts' matrices of a dense `[E, K, N]`, or of a view whose rows or columns are dense."""
        apart, row, column = w.strides
        if is_one(column) or is_one(w.dims[2]):
            return ExpertWeights(w.dtype.name, "rows", row, apart)
        if is_one(row) or is_one(w.dims[1]):
            return ExpertWeights(w.dtype.name, "columns", column, apart)
        return "the experts' weights have no axis of stride 1"

    @staticmethod
    def of_panels(panels: Tensor, x: Tensor, target: Target) -> ExpertWeights | str:
        """The experts' matrices as panels `[E, panels, K, width]`."""
        if not panels.is_dense or panels.dims[-1] != panel_width(target, x.dtype.name):
            return f"panels {panels.shape} for {x.shape}"
        return ExpertWeights(panels.dtype.name, "panels", None, panels.strides[0])


@dataclass(frozen=True)
class Experts:
    """One grouped product: out `[M, N]` of x `[M, K]`, of any strides, and the experts' weights."""

    x: Tensor
    weights: ExpertWeights
    out: Tensor
    table: RowTable
    in_order: bool = False

    def spec(self, code: KernelCode | None = None) -> MatMulSpec:
        """The product of one expert as a `MatMulSpec`; for planning without code, where a symbolic size can be anything."""

        def size(size: Size) -> SizeInCode:
            return size if isinstance(size, int) else SizeSlot(code.entry(size) if code is not None else 0)

        weights, tensors = self.weights, (_X, _WEIGHTS, _OUT)
        a, b, c = (code.address(tensor) for tensor in tensors) if code is not None else tensors
        return MatMulSpec(
            LISTED,
            size(self.out.dims[1]),
            size(self.x.dims[1]),
            self.x.dtype.name,
            weights.dtype,
            self.out.dtype.name,
            b_form=weights.form,
            b_row=None if weights.row is None else size(weights.row),
            b_batch=(size(weights.apart),),
            in_order=self.in_order,
            a=a,
            b=b,
            c=c,
        )


class ExpertProduct(ProductLoops):
    """Emits the units of one grouped product."""

    def __init__(self, code: KernelCode, experts: Experts) -> None:
        self.code, self.experts = code, experts
        spec = experts.spec(code)
        super().__init__(code.code, spec, blocking(spec, code.target), None)

    def _size(self, size: SizeInCode) -> Value:
        """The number of rows of a block, which differs per block where rows are `LISTED`."""
        return self.k.index(0) if size == LISTED else super()._size(size)

    # -- units
    def unit(self, unit: Value) -> None:
        """Emit a unit: some columns of all rows of an expert, in similar blocks; the first expert also fills rows without one."""
        k, plan = self.k, self.plan
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        blocks = (panels + (plan.block_panels - 1)).udiv(plan.block_panels)
        wide = (panels + (blocks - 1)).udiv(blocks)
        number, panel = unit.udiv(blocks), unit.urem(blocks) * wide
        wide = k.minimum(wide, panels - panel)
        expert, first, last = self.experts.table.find_expert(self.code, _TABLE, number)
        shares = (last - first + (plan.block_rows - 1)).udiv(plan.block_rows)
        share = (last - first + (shares - 1)).udiv(k.maximum(shares, 1))
        share = (share + (plan.tile_rows - 1)).udiv(plan.tile_rows) * plan.tile_rows
        a, b, c = (k.argument(index, PTR) for index in (self.spec.a, self.spec.b, self.spec.c))
        b = k.pointer(b, self._offset([expert], self.spec.b_batch), self.b_type)
        for row in k.range(first, last, share):
            self._product(OutputBlock(a, b, c, expert, row, k.minimum(share, last - row), panel, wide))
        if self.experts.table.fills:
            with k.when(number == 0):
                columns = panel * plan.columns, k.minimum((panel + wide) * plan.columns, self.n)
                out, kinds = k.argument(self.spec.c, PTR), (self.kind, self.c_type)
                self.experts.table.fill_outside(self.code, _TABLE, out, self.c_row, columns, kinds)

    def _product(self, block: OutputBlock) -> None:
        if not self.spec.copies_b:
            self._chunks(block, self._panels)
            return
        few = block.rows <= self._most_streamed_rows()
        self._choose(few, lambda: self._chunks(block, self._stream_columns), lambda: self._chunks(block, self._packed_panels))

    def _has_one_row(self, block: OutputBlock) -> Value:
        return block.rows <= 1

    # -- rows of the list
    def _row_of_c(self, block: OutputBlock, row: Value) -> Value:
        return self.experts.table.row(self.code, _TABLE, block.row + row)

    def _a_chunk(self, block: OutputBlock, start: Value, length: Value) -> tuple[Value, Operand, Operand]:
        """Copy the block's rows of x, contiguous; the last one is repeated to fill tiles, except for a single row."""
        k, (row_stride, inner) = self.k, (self.code.size(stride) for stride in self.experts.x.strides)
        copy, apart = self._scratch(self.layout.a), self.layout.a_row
        tiles = (block.rows + (self.plan.tile_rows - 1)).udiv(self.plan.tile_rows)
        for at in k.range(k.select(block.rows == 1, 1, tiles * self.plan.tile_rows)):
            row = self._row_of_c(block, k.minimum(at, block.rows - 1))
            source = k.pointer(block.a, row * row_stride + start * inner, self.a_type)
            copy_rows(
                k, source, self.a_type, 0, inner, k.index(1), length, k.pointer(copy, at * apart, self.kind), self.kind, apart
            )
        return copy, apart, 1


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower grouped_matmul and packed_grouped_matmul of floats and ints; packed weights can have another float type than x."""
    x, w = inputs[:2]
    assert x is not None and w is not None
    is_packed = op.name == "packed_grouped_matmul"
    layout = op["layout"] if is_packed else None
    if is_packed and not (isinstance(layout, Panels) and layout.steps == 1):
        return f"experts as {op['layout']}"
    fits = x.dtype is w.dtype or (is_packed and x.dtype.compute is w.dtype.compute)
    if not fits or x.dtype.is_bool or x.dtype.is_complex:
        return f"{op.name} of {x.dtype} and {w.dtype}"
    weights = ExpertWeights.of_panels(w, x, target) if is_packed else ExpertWeights.of(w)
    if isinstance(weights, str):
        return weights
    table = RowTable.of(op, x, w)
    experts = Experts(x, weights, outputs[0], table, target.batch_invariant)

    def emit(code: KernelCode) -> None:
        ExpertProduct(code, experts).units(code.code.begin, code.code.end)

    spec, temporary = experts.spec(), len(inputs) + len(outputs)
    plan = blocking(spec, target)
    units = table.most_experts * ceildiv(outputs[0].dims[1], plan.columns * plan.block_panels)
    listing, tensors = table.stage(op, inputs, temporary), (0, 1, temporary, 3)
    work = Stage(op.name, (op.name, experts), tensors, units, emit, scratch_bytes(spec, target), reads=(temporary,))
    return Lowering((listing, work), (table.tensor,))


# -- the gradient of the weights -------------------------------------------------------------------------------------
_GRADIENT_PANELS = 4  # of two vectors: columns of a unit
_GRADIENT_ROWS = 96  # rows of x and dy in scratch
_GRADIENT_DEPTH = 96  # columns of x in scratch: full tiles of 6 and of 12


class _WeightGradientUnit:
    """Emits a unit of the experts' weight gradient. Tensors: x `[M, K]`, dy `[M, N]`, experts `[M]`, result `[E, K, N]`."""

    def __init__(self, code: KernelCode, kind: Type) -> None:
        self.code, self.k, self.kind = code, code.code, kind
        x, dy, experts, out = (tensor for tensor in code.tensors if tensor is not None)
        self.tensors = {"x": x, "dy": dy, "experts": experts, "out": out}
        self.lanes = code.target.lanes(kind)
        self.vector = kind.vector(self.lanes)
        self.tile = 6 if code.target.vector_registers == 16 else 12
        self.width = _GRADIENT_PANELS * 2 * self.lanes
        self.rows, self.depth, self.columns = (index_of(code, size) for size in (*x.dims, dy.dims[1]))
        self.x, self.dy = (self.k.pointer(self.k.scratch, at, kind) for at in (0, _GRADIENT_ROWS * _GRADIENT_DEPTH))
        self.sums = self.k.pointer(self.k.scratch, _GRADIENT_ROWS * (_GRADIENT_DEPTH + self.width), kind)
        padded = (self.depth + (_GRADIENT_DEPTH - 1)) // _GRADIENT_DEPTH * _GRADIENT_DEPTH
        self.list = self.k.pointer(self.sums, padded * self.width, kind)

    @staticmethod
    def scratch(kind: Type, target: Target, rows: Size, depth: Size) -> Size:
        """Bytes of scratch: chunks of x and dy, the sums of the unit's columns, and the indices of the expert's rows."""
        width = _GRADIENT_PANELS * 2 * target.lanes(kind)
        elements = _GRADIENT_ROWS * (_GRADIENT_DEPTH + width) + ceildiv(depth, _GRADIENT_DEPTH) * _GRADIENT_DEPTH * width
        return elements * kind.size + rows * I64.size

    def run(self, expert: Value, column: Value) -> None:
        """Compute the columns from `column` on of one expert's gradient."""
        k = self.k
        count = self._list_rows(expert)
        zero = k.constant(0, self.vector)
        for at in k.range(0, (self.depth + (self.tile - 1)) // self.tile * self.tile * self.width, self.lanes):
            k.store(zero, self.sums, at)
        for first in k.range(0, count, _GRADIENT_ROWS):
            rows = k.minimum(count - first, _GRADIENT_ROWS)
            self._copy("dy", self.dy, first, rows, column, k.minimum(self.columns - column, self.width), self.width)
            for start in k.range(0, self.depth, _GRADIENT_DEPTH):
                depth = k.minimum(self.depth - start, _GRADIENT_DEPTH)
                self._copy("x", self.x, first, rows, start, depth, _GRADIENT_DEPTH)
                for at in k.range(0, depth, self.tile):
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

    def _copy(self, name: str, target: Value, first: Value, rows: Value, start: Value, count: Value, width: int) -> None:
        """Copy rows of x or dy from a column on, in the accumulator type, zeros past the last column."""
        k, tensor, stored = self.k, self.tensors[name], type_of(self.tensors[name].dtype.name)
        base = self.code.pointer(0 if name == "x" else 1)
        for row in k.range(rows):
            offset = k.load(self.list, first + row, I64) * self.code.size(tensor.strides[0])
            source = k.pointer(base, offset + start * self.code.size(tensor.strides[1]), stored)
            if isinstance(tensor.strides[1], int) and tensor.strides[1] == 1:
                for at in k.range(0, width, self.lanes):
                    loaded = k.load_masked(source, at, count - at, stored.vector(self.lanes))
                    k.store(k.convert(loaded, self.kind), target, row * width + at)
                continue
            zero = k.constant(0, self.vector)
            for at in k.range(0, width, self.lanes):
                k.store(zero, target, row * width + at)
            for at in k.range(count):
                k.store(
                    k.convert(k.load(source, at * self.code.size(tensor.strides[1]), stored), self.kind), target, row * width + at
                )

    def _add(self, start: Value, at: Value, panel: Value, rows: Value) -> None:
        """Add Σ x[row, at + i]·dy[row] to sums[start + at + i] for a tile of rows of the weight, two vectors of columns."""
        k, lanes = self.k, self.lanes
        offsets = [[(start + at + i) * self.width + panel + v * lanes for v in range(2)] for i in range(self.tile)]
        totals = [[k.var(k.load(self.sums, offset, self.vector)) for offset in row] for row in offsets]
        for row in k.range(rows):
            vectors = [k.load(self.dy, row * self.width + panel + v * lanes, self.vector) for v in range(2)]
            for i, line in enumerate(totals):
                number = k.splat(k.load(self.x, row * _GRADIENT_DEPTH + at + i, self.kind), lanes)
                for total, vector in zip(line, vectors, strict=True):
                    total.set(k.fma(number, vector, total.get()) if self.kind.is_float else number * vector + total.get())
        for line, row_offsets in zip(totals, offsets, strict=True):
            for total, offset in zip(line, row_offsets, strict=True):
                k.store(total.get(), self.sums, offset)

    def _write(self, expert: Value, column: Value) -> None:
        k, stored = self.k, type_of(self.tensors["out"].dtype.name)
        count = self.columns - column
        for row in k.range(self.depth):
            target = k.pointer(self.code.pointer(3), (expert * self.depth + row) * self.columns + column, stored)
            for at in range(0, self.width, self.lanes):
                with k.when(count > at):
                    value = k.convert(k.load(self.sums, row * self.width + at, self.vector), stored)
                    k.store_masked(value, target, at, count - at)


def _emit_weight_gradient(code: KernelCode, kind: Type) -> None:
    unit, k = _WeightGradientUnit(code, kind), code.code
    blocks = (unit.columns + (unit.width - 1)) // unit.width
    for number in k.range(k.begin, k.end):
        unit.run(number // blocks, number % blocks * unit.width)


def lower_weight_gradient(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `grouped_matmul_backward_weight` of real numbers of one dtype."""
    x, dy, experts = inputs
    assert x is not None and dy is not None and experts is not None
    if x.dtype is not dy.dtype or x.dtype.is_complex:
        return f"{op.name} of {x.dtype} and {dy.dtype}"
    kind = type_of(x.dtype.name)
    kind = F32 if kind.is_low_float else kind
    units = ceildiv(dy.dims[1], _GRADIENT_PANELS * 2 * target.lanes(kind)) * outputs[0].dims[0]
    scratch = _WeightGradientUnit.scratch(kind, target, x.dims[0], x.dims[1])
    return Lowering(
        (
            Stage(
                "grouped_weights",
                ("grouped_weights", kind),
                (0, 1, 2, 3),
                units,
                partial(_emit_weight_gradient, kind=kind),
                scratch,
            ),
        )
    )
