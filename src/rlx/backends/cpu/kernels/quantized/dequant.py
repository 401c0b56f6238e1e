"""Packed weights as floats: rows of a table (dequant_gather), and the weights of all experts (dequant_moe_weights)."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import type_of
from rlx.backends.cpu.kernels.movement.indexing import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import index_of, shares, unit_count, walk_runs
from rlx.backends.cpu.kernels.quantized.dequant_elements import Packed, element_of
from rlx.backends.cpu.kernels.quantized.dequant_product import lower_dequant_grouped, lower_dequant_matmul, packed_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.quant_scheme import QuantScheme
from rlx.ir.op import Op


@dataclass(frozen=True)
class Gathering:
    """Rows of a packed table: by rows of bytes for ggml's blocks, else by rows of k."""

    packed: Packed
    rows: Size
    width: Size
    indices: Tensor
    out: Tensor
    fills: bool
    checks: bool


def _emit_gather(code: KernelCode, gathering: Gathering) -> None:
    """Tensors: w, indices, [scale, zp,] result."""
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
            place = column + step
            number = element(k.index(0), place, row) if by_bytes else element(k.index(0), row, place)
            if gathering.fills:
                number = k.select(outside, float("nan"), number)
            k.store(k.convert(number, kind), target, step)


def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Every scheme, indices of any rank and integer dtype."""
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
    """dequant_moe_weights of every scheme."""
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
    "dequant_grouped_matmul": lower_dequant_grouped,
    "dequant_gather": lower_gather,
    "dequant_moe_weights": lower_weights,
}
"""The ops of this file and of `dequant_product` by name."""
