"""Movement that copies: views that must become dense, concat, pad, roll, iota."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import Value, type_of
from rlx.backends.cpu.kernels.movement.runs import (
    Elements,
    broadcast_strides,
    copy_elements,
    copy_run,
    each_run,
    fill_run,
    index_of,
    offset_of,
    unit_count,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op


# -- strided copies ---------------------------------------------------------------------------------------------
def _emit_copy(code: KernelCode, parts: Sequence[tuple[int, Elements, int, Elements]]) -> None:
    """Emit several copies in sequence: the units of the first, then of the second, …"""
    k, before = code.code, index_of(code, 0)
    for target, into, source, out_of in parts:
        total = product(into.dims)
        units = index_of(code, unit_count(total, into.kind.size))
        begin, end = (k.minimum(k.maximum(bound - before, 0), units) for bound in (k.begin, k.end))
        copy_elements(code, target, into, source, out_of, begin, end, shared=len(parts) > 1)
        before = before + units


def _copy_stage(name: str, operands: tuple[int, ...], parts: Sequence[tuple[int, Elements, int, Elements]]) -> Stage:
    units: Size = 0
    for _, into, _, _ in parts:
        units = units + unit_count(product(into.dims), into.kind.size)
    return Stage(name, (name, tuple(parts)), operands, units, partial(_emit_copy, parts=tuple(parts)))


def copy(source: Tensor, target: Tensor) -> Lowering:
    """Copy a tensor of any layout into one of any other; not an op, inserted by the compiler."""
    return Lowering((_copy_stage("copy", (0, 1), [(1, Elements.of(target), 0, Elements.of(source))]),))


def _views_of(op: Op, x: Elements, outputs: Sequence[Elements]) -> list[Elements]:
    """For each output of a view op, the elements of x it consists of."""
    attrs = op.attrs
    match op.name:
        case "transpose":
            perm = attrs["perm"] if len(attrs["perm"]) == len(x.dims) else (*attrs["perm"], len(x.dims) - 1)
            return [Elements(x.kind, tuple(x.dims[a] for a in perm), tuple(x.strides[a] for a in perm))]
        case "expand":
            new_axes = len(outputs[0].dims) - len(x.dims)
            return [Elements(x.kind, outputs[0].dims, (*(0,) * new_axes, *broadcast_strides(x.dims, x.strides)))]
        case "narrow":
            return [x.part(attrs["axis"], attrs["start"], attrs["length"])]
        case "slice":
            for axis, (start, step) in enumerate(zip(attrs["start"], attrs["step"], strict=True)):
                x = x.part(axis, start, outputs[0].dims[axis], step)
        case "flip":
            for axis in attrs["axes"]:
                x = x.part(axis, x.dims[axis] - 1, x.dims[axis], -1)
        case "split":
            parts, start = [], 0
            for size in attrs["sizes"]:
                parts.append(x.part(attrs["axis"], start, size))
                start = start + size
            return parts
    return [x]  # reshape: the same elements in the same order


def lower_view(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower reshape, transpose, expand, narrow, slice, flip and split: a dense copy of the view."""
    (x,) = inputs
    assert x is not None
    results = [Elements.of(output) for output in outputs]
    parts = []
    for number, (result, view) in enumerate(zip(results, _views_of(op, Elements.of(x), results), strict=True), start=1):
        parts.append((number, Elements(result.kind, view.dims, dense_strides(view.dims)), 0, view))
    return Lowering((_copy_stage(op.name, tuple(range(1 + len(outputs))), parts),))


def lower_concat(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `concat`: copy each operand into its window of the result."""
    out, axis, start = Elements.of(outputs[0]), op.attrs["axis"], 0
    parts: list[tuple[int, Elements, int, Elements]] = []
    for index, tensor in enumerate(inputs):
        assert tensor is not None
        if tensor.dtype is not outputs[0].dtype:
            return f"concat of {tensor.dtype} into {outputs[0].dtype}: cast it first"
        x = Elements.of(tensor)
        parts.append((len(inputs), out.part(axis, start, x.dims[axis]), index, x))
        start = start + x.dims[axis]
    return Lowering((_copy_stage("concat", tuple(range(len(inputs) + 1)), parts),))


# -- pad and roll: results whose positions fold back into x ------------------------------------------------------
@dataclass(frozen=True)
class Fold:
    """The mapping from positions of a result to x: position p of an axis reads `p - low`, by the rule of the mode."""

    x: Elements
    dims: tuple[Size, ...]
    low: tuple[Size, ...]
    mode: str
    value: int  # the bits of the constant


def _fold_position(code: KernelCode, fold: Fold, axis: int, position: Value) -> Value:
    """The position in x that an element of a folded axis (pad, roll) reads, unless the mode is constant."""
    k, size = code.code, index_of(code, fold.x.dims[axis])
    shifted = position - code.size(fold.low[axis])
    match fold.mode:
        case "edge":
            return k.maximum(k.minimum(shifted, size - 1), 0)
        case "wrap":
            return shifted % size
        case _:  # reflect: the period is forward and back
            period = k.maximum((size - 1) * 2, 1)
            inside = shifted % period
            return k.minimum(inside, period - inside)


def _emit_fold(code: KernelCode, fold: Fold) -> None:
    k, kind, rank = code.code, fold.x.kind, len(fold.dims)
    source, target = code.pointer(0), code.pointer(1)
    for (*positions, column), count in each_run(code, fold.dims, kind.size):
        row = k.pointer(target, offset_of(code, [*positions, column], dense_strides(fold.dims)), kind)
        if fold.mode == "constant":
            inside = k.constant(1, type_of("bool"))
            own = [position - code.size(low) for position, low in zip(positions, fold.low, strict=False)]
            for axis, position in enumerate(own):
                inside = inside & position.ult(code.size(fold.x.dims[axis]))
        else:
            own = [_fold_position(code, fold, axis, position) for axis, position in enumerate(positions)]
            inside = k.constant(1, type_of("bool"))
        base = k.pointer(source, offset_of(code, own, fold.x.strides[:-1]), kind)
        _fold_run(code, fold, rank - 1, base, row, column, count, inside)


def _fold_run(code: KernelCode, fold: Fold, axis: int, base: Value, row: Value, column: Value, count: Value, inside: Value) -> None:
    """Copy one run along the last axis of a pad: before, inside and past x; a wrapped axis period by period."""
    k, kind, stride = code.code, fold.x.kind, fold.x.strides[-1]
    size, low = index_of(code, fold.x.dims[axis]), index_of(code, fold.low[axis])
    if fold.mode == "wrap":
        done = k.var(0)
        with k.loop() as loop:
            loop.stop(done.get() >= count)
            start = (column + done.get() - low) % size
            length = k.minimum(size - start, count - done.get())
            source = k.pointer(base, start * code.size(stride), kind)
            copy_run(code, kind, k.pointer(row, done.get(), kind), source, stride, length)
            done.set(done.get() + length)
        return
    value = k.constant(fold.value, kind)
    begin = k.minimum(k.maximum(low - column, 0), count)
    end = k.maximum(k.minimum(low + size - column, count), begin)
    if fold.mode == "constant":
        begin, end = k.select(inside, begin, count), k.select(inside, end, count)
        fill_run(code, row, value, begin)
        fill_run(code, k.pointer(row, end, kind), value, count - end)
    else:
        for start, stop in ((k.index(0), begin), (end, count)):
            for at in k.range(start, stop):
                index = _fold_position(code, fold, axis, column + at)
                k.store(k.load(base, index * code.size(stride), kind), row, at)
    origin = k.pointer(base, (column + begin - low) * code.size(stride), kind)
    copy_run(code, kind, k.pointer(row, begin, kind), origin, stride, end - begin)


def _fold_lowering(name: str, fold: Fold) -> Lowering:
    units = unit_count(product(fold.dims), fold.x.kind.size)
    return Lowering((Stage(name, (name, fold), (0, 1), units, partial(_emit_fold, fold=fold)),))


def lower_pad(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `pad`: constant, edge, reflect and wrap modes."""
    (x,) = inputs
    assert x is not None
    if x.dtype.size == 16 and op.attrs["mode"] == "constant" and op.attrs["value"] != 0:
        return "pad of c128 with a value other than 0"
    elements, dims, low = Elements.of(x), outputs[0].dims, tuple(op.attrs["low"])
    if len(elements.dims) > len(dims):
        dims, low = (*dims, 2), (*low, 0)
    if not dims:
        dims, low, elements = (1,), (0,), Elements(elements.kind, (1,), (1,))
    number = np.asarray(op.attrs["value"]).astype(x.dtype.numpy).reshape(1)
    bits = int(number.view({1: "u1", 2: "u2", 4: "u4", 8: "u8"}.get(x.dtype.size, "u8"))[0])
    return _fold_lowering("pad", Fold(elements, dims, low, op.attrs["mode"], bits))


def lower_roll(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `roll`: a wrapped axis of the same size."""
    (x,) = inputs
    assert x is not None
    elements, shift, axes = Elements.of(x), op.attrs["shift"], op.attrs["axes"]
    if axes is None:
        if not x.is_dense or x.dtype.size == 16:
            return "roll of the flat elements of a view"
        size = product(x.dims)
        return _fold_lowering("roll", Fold(Elements(elements.kind, (size,), (1,)), (size,), tuple(shift), "wrap", 0))
    low: list[Size] = [0] * len(elements.dims)
    for by, axis in zip(shift, axes, strict=True):
        low[axis] = low[axis] + by
    return _fold_lowering("roll", Fold(elements, elements.dims, tuple(low), "wrap", 0))


# -- numbers from sizes -----------------------------------------------------------------------------------------
def _emit_iota(code: KernelCode, dims: tuple[Size, ...], axis: int, dtype: DType) -> None:
    k, kind = code.code, type_of(dtype.name)
    for indices, count in each_run(code, dims, kind.size):
        row = k.pointer(code.pointer(0), offset_of(code, indices, dense_strides(dims)), kind)
        if axis < len(dims) - 1:
            fill_run(code, row, k.convert(indices[axis], kind), count)
        else:
            for at in k.range(count):
                k.store(k.convert(indices[-1] + at, kind), row, at)


def lower_iota(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `iota`: store 0, 1, 2, … along an axis; ints wrap."""
    out = outputs[0]
    if out.dtype.is_complex:
        return "iota of complex numbers"
    emit = partial(_emit_iota, dims=out.dims, axis=op.attrs["axis"], dtype=out.dtype)
    units = unit_count(product(out.dims), out.dtype.size)
    return Lowering((Stage("iota", ("iota", op.attrs["axis"]), (0,), units, emit),))


def lower_size_value(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower a symbolic size as a value: one number."""
    out, size = outputs[0], op.attrs["size"]
    if out.dtype.is_complex:
        return "a size as a complex number"

    def emit(code: KernelCode) -> None:
        code.code.store(code.code.convert(index_of(code, size), type_of(out.dtype.name)), code.pointer(0), 0)

    return Lowering((Stage("size_value", ("size_value", size), (0,), 1, emit),))


_VIEWS = ("reshape", "transpose", "expand", "narrow", "slice", "flip", "split")
LOWER: dict[str, Lower] = {
    **dict.fromkeys(_VIEWS, lower_view),
    "concat": lower_concat,
    "pad": lower_pad,
    "roll": lower_roll,
    "iota": lower_iota,
    "size_value": lower_size_value,
}
"""The ops of this file by name."""
