"""Products of packed weights in the order of `rlx.layouts.block_order`: with integers, or exactly with panels of floats."""

from __future__ import annotations

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import F32, I8, type_of
from rlx.backends.cpu.kernels.experts.product import RowTable
from rlx.backends.cpu.kernels.movement.indexing import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, unravel
from rlx.backends.cpu.kernels.quantized.activations import round_rows, round_units, rows_with_room
from rlx.backends.cpu.kernels.quantized.dequant_panel import Eights
from rlx.backends.cpu.kernels.quantized.dequant_product import Rows, lower_rows
from rlx.backends.cpu.kernels.quantized.float_panel import floats_function
from rlx.backends.cpu.kernels.quantized.product import IntegerProduct, scratch_bytes
from rlx.backends.cpu.kernels.quantized.product_units import ProductShape, rounds_to_tiles, runs_per_thread, unit_count
from rlx.backends.cpu.kernels.quantized.repack import lower_rows_side_by_side
from rlx.backends.cpu.kernels.quantized.rounded import GROUP_ROWS, Rounded
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, product
from rlx.core.dtype import u8
from rlx.core.shape import Shape
from rlx.ir.op import Op
from rlx.layouts.block_order import ORDERS, ROWS, BlockOrder
from rlx.layouts.stored_rows import StoredRows

_RUNS = 4
"""The number of runs in which a thread quantizes its share of the rows."""


def holds_stored_rows(op: Op) -> bool:
    """Whether the layout of an op is one of stored blocks."""
    return isinstance(op["layout"], StoredRows)


def _order(op: Op) -> BlockOrder:
    layout = op["layout"]
    assert isinstance(layout, StoredRows)
    return ORDERS[layout.scheme.detail]


def lower_pack_rows(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """pack: rows of stored blocks side by side."""
    source = inputs[0]
    assert source is not None
    return lower_rows_side_by_side(_order(op), source, outputs[0])


def lower_product(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """packed_matmul, and packed_grouped_matmul with its experts."""
    x, blocks = inputs[:2]
    out, name = outputs[0], _order(op).name
    assert x is not None and blocks is not None
    if not blocks.is_dense or not out.is_dense:
        return "operands with gaps"
    if any(isinstance(size, Dim) for size in (x.dims[-1], out.dims[-1])):
        return "a weight of symbolic size"
    has_experts, count = len(inputs) == 3, product(x.dims[:-1])
    if op.attrs["exact"] or name not in NUMBERS or x.dtype.name == "f64":
        table = RowTable.of(op, x, blocks) if has_experts else None
        position = len(inputs) + int(has_experts)
        rows = Rows(x, Eights(ORDERS[name], 1), x.dims[-1], out.dims[-1], out, position, table)
        return lower_rows(op, inputs, rows, target)
    align = GROUP_ROWS if rounds_to_tiles(name, count, target) else 1
    table = RowTable.of(op, x, blocks, align) if has_experts else None
    shape = ProductShape(name, count, x.dims[-1], out.dims[-1], out, table)
    return _by_integers(op, shape, x, inputs, target)


def _by_integers(op: Op, shape: ProductShape, x: Tensor, inputs: tuple[Tensor | None, ...], target: Target) -> Lowering:
    """Two commands: the rows quantized into a temporary, and the product; before them the table of the experts' rows."""
    order, table, operands = ORDERS[shape.name], shape.table, len(inputs)
    tiled = rounds_to_tiles(shape.name, shape.rows, target)
    row_bytes = Rounded.of(order, target).row(int(shape.k) // order.size)
    rounded = Tensor.dense(Shape((rows_with_room(shape.rows, tiled, table), row_bytes), u8))
    rounded_rows, listed = operands + 1, () if table is None else (operands + 2,)
    rounding = Stage(
        "round",
        ("round", order.name, tiled, table),
        (0, *listed, rounded_rows),
        round_units(order, x, tiled, table),
        lambda code: round_rows(code, order, x, tiled, table),
        runs=_RUNS,
        reads=listed,
    )

    def emit(code: KernelCode) -> None:
        work = IntegerProduct(code, shape)
        for unit in code.code.range(code.code.begin, code.code.end):
            work.unit(unit)

    places, reads = (rounded_rows, 1, *listed, operands), (rounded_rows, *listed)
    units, runs, scratch = unit_count(shape, target), runs_per_thread(shape), scratch_bytes(shape.name, target)
    multiply = Stage(op.name, (op.name, shape), places, units, emit, scratch, runs=runs, reads=reads)
    if table is None:
        return Lowering((rounding, multiply), (rounded,))
    listing = table.stage(op, inputs, operands + 2)
    return Lowering((listing, rounding, multiply), (rounded, table.tensor))


# -- rows of a table --------------------------------------------------------------------------------------------
def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """packed_gather: a unit is one index, its row unpacked block by block together with the seven rows interleaved with it."""
    blocks, indices = inputs
    if not holds_stored_rows(op):
        return f"a table as {op['layout']}"
    out, order = outputs[0], _order(op)
    assert blocks is not None and indices is not None
    if not blocks.is_dense or not out.is_dense:
        return "operands with gaps"
    fills, checks, count = op.attrs["mode"] == "fill", op.attrs["check_bounds"], product(indices.dims)

    def emit(code: KernelCode) -> None:
        k, kind = code.code, type_of(out.dtype.name)
        length, size = index_of(code, out.dims[-1]).udiv(order.size), order.scheme.block_bytes() * ROWS
        for unit in k.range(k.begin, k.end):
            at = offset_of(code, unravel(code, unit, indices.dims), indices.strides) if indices.dims else k.index(0)
            row, outside = read_position(code, code.pointer(1), at, indices.dtype, op.attrs["n"])
            if checks:
                with k.when(outside):
                    code.fail(OUT_OF_BOUNDS)
            for block in k.range(length):
                base = k.pointer(code.pointer(0), (row.udiv(ROWS) * length + block) * size, I8)
                k.call(floats_function(code.module, order.name, ROWS, F32), base, k.scratch, 1)
                for place in k.range(order.size):
                    number = k.load(k.scratch, place * ROWS + row.urem(ROWS), F32)
                    number = k.select(outside, float("nan"), number) if fills else number
                    k.store(k.convert(number, kind), code.pointer(2), (unit * length + block) * order.size + place)

    return Lowering((Stage(op.name, (op.name, order.name), (0, 1, 2), count, emit, 4 * ROWS * order.size),))
