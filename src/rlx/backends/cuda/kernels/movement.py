"""Movement that copies: strided copies, concat, pad, roll, iota, sizes as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText, fits_32_bits, merged_axes, power_of_two
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

BLOCK = 1024
_WORDS = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}


def as_words(tensor: CudaTensor) -> CudaTensor:
    """Reinterprets elements as unsigned integers of their size: what is only moved keeps its bits. A c128 is two of 64 bits."""
    if tensor.dtype.size == 16:
        strides = tuple(2 * stride for stride in tensor.strides)
        dims, offset = (*tensor.dims, 2), 2 * tensor.offset
        return CudaTensor(DType.of("u64"), dims, (*strides, 1), offset, tensor.aligned)
    return replace(tensor, dtype=DType.of(_WORDS[tensor.dtype.size]))


class FlatKernel:
    """A kernel over the flat elements of some dims: one block of them each; `mask` marks those within bounds."""

    def __init__(self, name: str, dims: Sequence[Size], tensors: Sequence[CudaTensor | None], block: int = BLOCK) -> None:
        self.k = KernelText(name)
        self.total: Size = product(dims)
        self.block = min(power_of_two(self.total), block) if isinstance(self.total, int) else block
        self.index = "tl.int32" if fits_32_bits(tensors) and isinstance(self.total, int) else "tl.int64"
        self.k.line(f"i = tl.program_id(0).to({self.index}) * {self.block} + tl.arange(0, {self.block})")
        self.mask = self.k.let(f"i < {self.k.size(self.total)}", "m")
        self.positions = self.k.positions("i", dims)

    def launch(self) -> Launch:
        """Finishes the kernel and returns its launch."""
        return self.k.launch((ceildiv(self.total, self.block),))


# -- copies --------------------------------------------------------------------------------------------------------
def copy_launch(source: CudaTensor, target: CudaTensor, operands: tuple[int, int], name: str = "copy") -> Launch:
    """Launches a copy of a tensor of any layout into one of any other."""
    x, y = as_words(source), as_words(target)
    axes = merged_axes(range(len(y.dims)), y.dims, {0: x.strides, 1: y.strides})
    flat = FlatKernel("copy", axes.dims, (x, y))
    k = flat.k
    out_of, into = k.pointer(operands[0], x), k.pointer(operands[1], y, written=True)
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    value = k.let(f"tl.load({out_of} + {k.offset(flat.positions, axes.strides[0])} + {zero}, mask={flat.mask})")
    k.line(f"tl.store({into} + {k.offset(flat.positions, axes.strides[1])} + {zero}, {value}, mask={flat.mask})")
    return replace(flat.launch(), name=name)


def copy(source: CudaTensor, target: CudaTensor) -> CudaLowering:
    """Lowers a copy that the compiler inserted."""
    return CudaLowering((copy_launch(source, target, (0, 1)),))


def part(tensor: CudaTensor, axis: int, start: Size, length: Size, step: int = 1) -> CudaTensor:
    """A window of a tensor along one axis, as a tensor."""
    dims = (*tensor.dims[:axis], length, *tensor.dims[axis + 1 :])
    strides = (*tensor.strides[:axis], tensor.strides[axis] * step, *tensor.strides[axis + 1 :])
    return replace(tensor, dims=dims, strides=strides, offset=tensor.offset + start * tensor.strides[axis], aligned=False)


def _viewed(op: Op, x: CudaTensor, outputs: Sequence[CudaTensor]) -> list[CudaTensor]:
    """The view of x that each output copies."""
    attrs = op.attrs
    match op.name:
        case "transpose":
            perm = attrs["perm"]
            return [replace(x, dims=tuple(x.dims[a] for a in perm), strides=tuple(x.strides[a] for a in perm))]
        case "expand":
            dims = outputs[0].dims
            own = [0 if isinstance(size, int) and size == 1 else stride for size, stride in zip(x.dims, x.strides, strict=True)]
            return [replace(x, dims=dims, strides=(*(0,) * (len(dims) - len(x.dims)), *own))]
        case "narrow":
            return [part(x, attrs["axis"], attrs["start"], attrs["length"])]
        case "slice":
            for axis, (start, step) in enumerate(zip(attrs["start"], attrs["step"], strict=True)):
                x = part(x, axis, start, outputs[0].dims[axis], step)
        case "flip":
            for axis in attrs["axes"]:
                x = part(x, axis, x.dims[axis] - 1, x.dims[axis], -1)
        case "split":
            parts, start = [], 0
            for size in attrs["sizes"]:
                parts.append(part(x, attrs["axis"], start, size))
                start = start + size
            return parts
    return [x]  # reshape: the same elements in the same order


def lower_view(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers views (reshape, transpose, expand, narrow, slice, flip, split) to a dense copy."""
    (x,) = inputs
    assert x is not None
    launches = []
    for index, (result, view) in enumerate(zip(outputs, _viewed(op, x, outputs), strict=True)):
        into = replace(result, dims=view.dims, strides=dense_strides(view.dims))
        launches.append(copy_launch(view, into, (0, 1 + index), op.name))
    return CudaLowering(tuple(launches))


def lower_concat(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `concat`: each operand is copied into its window of the result."""
    axis, launches = op["axis"], []
    start: Size = 0
    for index, tensor in enumerate(inputs):
        assert tensor is not None
        if tensor.dtype is not outputs[0].dtype:
            return f"concat of {tensor.dtype} into {outputs[0].dtype}: cast it first"
        window = part(outputs[0], axis, start, tensor.dims[axis])
        launches.append(copy_launch(tensor, window, (index, len(inputs)), "concat"))
        start = start + tensor.dims[axis]
    return CudaLowering(tuple(launches))


# -- pad and roll: results whose positions fold back into x ------------------------------------------------------------
def _folded(k: KernelText, position: str, low: Size, size: Size, mode: str) -> str:
    """Emits the position in x of a padded position, for modes other than constant."""
    shifted, n = k.let(f"{position} - {k.size(low)}", "c"), k.size(size)
    match mode:
        case "edge":
            return k.let(f"tl.maximum(tl.minimum({shifted}, {n} - 1), 0)", "c")
        case "wrap":
            return k.let(f"(({shifted} % {n}) + {n}) % {n}", "c")
        case _:  # reflect: the period is forward and back
            period = k.let(f"tl.maximum(({n} - 1) * 2, 1)", "c")
            inside = k.let(f"(({shifted} % {period}) + {period}) % {period}", "c")
            return k.let(f"tl.minimum({inside}, {period} - {inside})", "c")


def _fold(
    name: str, x: CudaTensor, y: CudaTensor, dims: Sequence[Size], low: Sequence[Size], mode: str, value: int
) -> CudaLowering:
    """Applies a pad mode to position p of an axis of the result, which reads `p - low` of x."""
    flat = FlatKernel(name, dims, (x, y))
    k, mask = flat.k, flat.mask
    source, target = k.pointer(0, x), k.pointer(1, y, written=True)
    if mode == "constant":
        own = []
        for position, by, size in zip(flat.positions, low, x.dims, strict=True):
            own.append(k.let(f"{position} - {k.size(by)}", "c"))
            mask = k.let(f"{mask} & ({own[-1]} >= 0) & ({own[-1]} < {k.size(size)})", "m")
    else:
        own = [_folded(k, p, by, n, mode) for p, by, n in zip(flat.positions, low, x.dims, strict=True)]
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    other = f"tl.full((), {value}, {language_type(x.dtype)})"
    found = k.let(f"tl.where({mask}, tl.load({source} + {k.offset(own, x.strides)} + {zero}, mask={mask}), {other})")
    k.line(f"tl.store({target} + i, {found}, mask={flat.mask})")
    return CudaLowering((flat.launch(),))


def lower_pad(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `pad` in all modes."""
    (given,) = inputs
    assert given is not None
    if given.dtype.size == 16 and op["mode"] == "constant" and op["value"] != 0:
        return "pad of c128 with a value other than 0"
    x, dims, low = as_words(given), outputs[0].dims, tuple(op["low"])
    if len(x.dims) > len(dims):
        dims, low = (*dims, 2), (*low, 0)
    stored = np.asarray(op["value"]).astype(given.dtype.numpy).reshape(1)
    value = int(stored.view(f"u{min(given.dtype.size, 8)}")[0])
    return _fold("pad", x, as_words(outputs[0]), dims, low, op["mode"], value)


def lower_roll(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `roll` as a wrapped axis of unchanged size."""
    (given,) = inputs
    assert given is not None
    x, y = as_words(given), as_words(outputs[0])
    if op["axes"] is None:
        if not given.is_dense or given.dtype.size == 16:
            return "roll of the flat elements of a view"
        size = product(x.dims)
        x = replace(x, dims=(size,), strides=(1,))
        return _fold("roll", x, y, (size,), tuple(op["shift"]), "wrap", 0)
    low: list[Size] = [0] * len(x.dims)
    for by, axis in zip(op["shift"], op["axes"], strict=True):
        low[axis] = low[axis] + by
    return _fold("roll", x, y, x.dims, low, "wrap", 0)


# -- numbers from sizes --------------------------------------------------------------------------------------------
def lower_iota(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `iota`: 0, 1, 2, … along an axis; ints wrap."""
    (out,) = outputs
    if out.dtype.is_complex or out.dtype.category == "f8" or out.dtype.is_bool:
        return f"iota of {out.dtype}"
    flat = FlatKernel("iota", out.dims, outputs)
    value = f"({flat.positions[op['axis']]} + tl.full(({flat.block},), 0, tl.int32))"
    target = flat.k.pointer(0, out, written=True)
    flat.k.line(f"tl.store({target} + i, {value}.to({language_type(out.dtype)}), mask={flat.mask})")
    return CudaLowering((flat.launch(),))


def lower_size_value(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `size_value`: a size as a number."""
    (out,) = outputs
    if out.dtype.is_complex or out.dtype.category == "f8" or out.dtype.is_bool:
        return f"a size as {out.dtype}"
    k = KernelText("size_value")
    target, value = k.pointer(0, out, written=True), k.size(op["size"])
    k.line(f"tl.store({target} + tl.arange(0, 1), tl.full((1,), {value}, tl.int64).to({language_type(out.dtype)}))")
    return CudaLowering((k.launch((1,)),))


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
