"""Rows of x times the matrix of each row's expert: matrix products whose rows come from a list.

A first stage makes a table of all rows by expert (`RowTable`). Then a unit is a block of columns of one expert that has rows: it copies
these in blocks into contiguous scratch, and continues like any matrix product. Experts without rows cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import PTR
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.experts.rows import RowTable
from rlx.backends.cpu.kernels.matmul.blocking import blocking, panel_width
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.operands import OutputBlock
from rlx.backends.cpu.kernels.matmul.pack import copy_rows
from rlx.backends.cpu.kernels.matmul.scratch import scratch_bytes
from rlx.backends.cpu.kernels.matmul.spec import LISTED, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.spec import Size as SizeInCode
from rlx.backends.cpu.layouts import Panels
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv
from rlx.core.shape import is_one
from rlx.ir.op import Op
from rlx.ir.weight_layout import find_layout

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
        """Of a dense `[E, K, N]`, or of a view whose rows or columns are dense."""
        apart, row, column = w.strides
        if is_one(column) or is_one(w.dims[2]):
            return ExpertWeights(w.dtype.name, "rows", row, apart)
        if is_one(row) or is_one(w.dims[1]):
            return ExpertWeights(w.dtype.name, "columns", column, apart)
        return "the experts' weights have no axis of stride 1"

    @staticmethod
    def packed(panels: Tensor, x: Tensor, target: Target) -> ExpertWeights | str:
        """Of panels `[E, panels, K, width]`."""
        if not panels.is_dense or panels.dims[-1] != panel_width(target, x.dtype.name):
            return f"panels {panels.shape} for {x.shape}"
        return ExpertWeights(panels.dtype.name, "panels", None, panels.strides[0])


@dataclass(frozen=True)
class Experts:
    """One product: out `[M, N]` of x `[M, K]`, of any strides, and weights."""

    x: Tensor
    weights: ExpertWeights
    out: Tensor
    table: RowTable
    in_order: bool = False

    def spec(self, code: KernelCode | None = None) -> MatMulSpec:
        """The product of one expert; for planning without code, where a symbolic size can be anything."""

        def size(size: Size) -> SizeInCode:
            return size if isinstance(size, int) else SizeSlot(code.entry(size) if code is not None else 0)

        weights, places = self.weights, (_X, _WEIGHTS, _OUT)
        a, b, c = (code.address(place) for place in places) if code is not None else places
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
    """Emits the units of one product."""

    def __init__(self, code: KernelCode, experts: Experts) -> None:
        self.code, self.experts = code, experts
        spec = experts.spec(code)
        super().__init__(code.code, spec, blocking(spec, code.target), None)

    def _size(self, size: SizeInCode) -> Value:
        """Every block has its own number of LISTED rows."""
        return self.k.index(0) if size == LISTED else super()._size(size)

    # -- units
    def unit(self, unit: Value) -> None:
        """Some columns of all rows of one expert, in blocks of similar size; the first expert also handles rows that are only filled."""
        k, plan = self.k, self.plan
        panels = (self.n + (plan.columns - 1)).udiv(plan.columns)
        blocks = (panels + (plan.block_panels - 1)).udiv(plan.block_panels)
        wide = (panels + (blocks - 1)).udiv(blocks)
        number, panel = unit.udiv(blocks), unit.urem(blocks) * wide
        wide = k.minimum(wide, panels - panel)
        expert, first, last = self.experts.table.used(self.code, _TABLE, number)
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
        self._choose(few, lambda: self._chunks(block, self._streamed), lambda: self._chunks(block, self._packed_panels))

    def _has_one_row(self, block: OutputBlock) -> Value:
        return block.rows <= 1

    # -- rows of the list
    def _row_of_c(self, block: OutputBlock, row: Value) -> Value:
        return self.experts.table.row(self.code, _TABLE, block.row + row)

    def _a_chunk(self, block: OutputBlock, start: Value, length: Value) -> tuple[Value, Operand, Operand]:
        """The block's rows of x, contiguous; the last one is repeated to fill tiles, except for a single row."""
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
    """grouped_matmul and packed_grouped_matmul of floats and ints; packed weights can have another float type than x."""
    x, w = inputs[:2]
    assert x is not None and w is not None
    is_packed = op.name == "packed_grouped_matmul"
    layout = find_layout(op["layout"]) if is_packed else None
    if is_packed and not (isinstance(layout, Panels) and layout.steps == 1):
        return f"experts as {op['layout']}"
    fits = x.dtype is w.dtype or (is_packed and x.dtype.compute is w.dtype.compute)
    if not fits or x.dtype.is_bool or x.dtype.is_complex:
        return f"{op.name} of {x.dtype} and {w.dtype}"
    weights = ExpertWeights.packed(w, x, target) if is_packed else ExpertWeights.of(w)
    if isinstance(weights, str):
        return weights
    table = RowTable.of(op, x, w)
    experts = Experts(x, weights, outputs[0], table, target.batch_invariant)

    def emit(code: KernelCode) -> None:
        ExpertProduct(code, experts).units(code.code.begin, code.code.end)

    spec, made = experts.spec(), len(inputs) + len(outputs)
    plan = blocking(spec, target)
    units = table.most_used * ceildiv(outputs[0].dims[1], plan.columns * plan.block_panels)
    listing = table.stage(op, inputs, made)
    work = Stage(op.name, (op.name, experts), (0, 1, made, 3), units, emit, scratch_bytes(spec, target), reads=(made,))
    return Lowering((listing, work), (table.tensor,))
