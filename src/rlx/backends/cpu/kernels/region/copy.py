"""Strided copies: a view made dense. Elements move as integers of their size, so every dtype takes the same code.

A copy is a region of one load; a transposing one goes through tiles, as any region with such an operand does.
"""

from __future__ import annotations

from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.region.columns import ColumnCode
from rlx.backends.cpu.kernels.region.plan import plan_of
from rlx.backends.cpu.kernels.region.space import Axis, Output, Space, Term, merged
from rlx.backends.cpu.kernels.region.sweeps import Plan
from rlx.backends.cpu.kernels.region.tiles import TileCode
from rlx.backends.cpu.target import Target
from rlx.core.dtype import DType

__all__ = ["lower_copy"]

_INTEGERS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


def lower_copy(source: Tensor, into: Tensor, target: Target) -> Lowering:
    """Copy between two strided tensors of the same dims."""
    plan = plan_of(_space(source, into), target)
    stage = Stage("copy", ("copy", source, into), (0, 1), plan.units, partial(_emit, plan=plan), plan.scratch)
    return Lowering((stage,))


def _emit(code: KernelCode, plan: Plan) -> None:
    (TileCode if plan.staged else ColumnCode)(code, plan, (0, 1)).emit()


def _space(source: Tensor, into: Tensor) -> Space:
    """One load and one output; an element of 16 bytes is an axis of two."""
    size = source.dtype.size
    rows = [
        (dim, a, b)
        for dim, a, b in zip(into.dims, source.strides, into.strides, strict=True)
        if not (isinstance(dim, int) and dim == 1)
    ]
    if size == 16:
        rows = [*((dim, a * 2, b * 2) for dim, a, b in rows), (2, 1, 1)]
    dtype = DType.of(_INTEGERS[min(size, 8)])
    axes = tuple(Axis(dim) for dim, _, _ in rows)
    reads, writes = tuple(a for _, a, _ in rows), tuple(b for _, _, b in rows)
    varying = tuple(axis for axis, stride in enumerate(reads) if not (isinstance(stride, int) and stride == 0))
    load = Term("load", dtype, varying, tensor=0, strides=reads)
    return merged(Space(axes, (load,), (Output(0, 1, tuple(range(len(axes))), writes, dtype),)))
