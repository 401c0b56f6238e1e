"""Recurrent layers: a block keeps its part of the state in registers and walks the steps; channels and columns are independent."""

from __future__ import annotations

import math

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.register_types import Folding, language_type
from rlx.backends.cuda.text import KernelText, block_of, power_of_two
from rlx.core.dim import ceildiv
from rlx.core.dtype import DType
from rlx.ir.op import Op

LARGEST_STATE = 8192  # numbers of the state that a block holds


class _Steps:
    """Shared by both recurrences: operands by step, the initial state, and the row's length."""

    def __init__(self, name: str, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> None:
        self.k = KernelText(name)
        self.inputs, self.outputs = inputs, outputs
        floats = [tensor for tensor in (*inputs, *outputs) if tensor is not None and tensor.dtype.is_float]
        self.kind = "tl.float64" if any(tensor.dtype.name == "f64" for tensor in floats) else "tl.float32"
        self.dtype = DType.of("f64" if self.kind == "tl.float64" else "f32")

    def given(self, place: int) -> CudaTensor | None:
        """An operand of the recurrence that may be missing, else None."""
        return self.inputs[place] if place < len(self.inputs) else None

    def load(self, place: int, positions: list[str], mask: str) -> str:
        """Loads an operand at positions, in the type of the state."""
        tensor = self.inputs[place]
        assert tensor is not None
        address = f"{self.k.pointer(place, tensor)} + {self.k.tile_offset(positions, tensor.strides)}"
        masked = f", mask={mask}, other=0" if mask else ""
        return self.k.let(f"tl.load({address}{masked}).to({self.kind})", "v")

    def store(self, which: int, positions: list[str], value: str, mask: str) -> None:
        """Stores a result at positions."""
        tensor = self.outputs[which]
        pointer = self.k.pointer(len(self.inputs) + which, tensor, written=True)
        address = f"{pointer} + {self.k.tile_offset(positions, tensor.strides)}"
        self.k.line(f"tl.store({address}, {value}.to({language_type(tensor.dtype)}), mask={mask})")

    def state(self, place: int, positions: list[str], mask: str, shape: str) -> str:
        """Loads the state before the first step: given, or zeros."""
        if self.given(place) is None:
            return self.k.let(f"tl.full({shape}, 0, {self.kind})", "a")
        return self.k.let(f"tl.full({shape}, 0, {self.kind}) + {self.load(place, positions, mask)}", "a")

    def active(self, place: int) -> str:
        """Loads the row's length, up to which steps count; empty text where all steps do."""
        lengths = self.given(place)
        if lengths is None:
            return ""
        address = f"{self.k.pointer(place, lengths)} + batch * {self.k.size(lengths.strides[0])}"
        return self.k.let(f"tl.load({address}).to(tl.int64)", "n")

    def add(self) -> str:
        """The name of the combining function for sums."""
        return Folding("sum", self.dtype).function(self.k)


def lower_selective_scan(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers selective_scan: st = exp(delta·A)·st + delta·B·x; y = Σ C·st (+ D·x): some channels of a row in each block."""
    x = inputs[0]
    assert x is not None
    (batch, count, channels), size = x.dims, op["state_size"]
    wide = power_of_two(size)
    if wide > LARGEST_STATE:
        return f"a state of {size} numbers for each channel"
    lines = min(block_of(channels, 64), max(1, 2048 // wide))
    steps = _Steps(op.name, inputs, outputs)
    k = steps.k
    blocks = ceildiv(channels, lines)
    k.line("block = tl.program_id(0).to(tl.int64)")
    k.line(f"batch = block // {k.size(blocks)}")
    k.line(f"h = (block % {k.size(blocks)}) * {lines} + tl.arange(0, {lines})")
    k.line(f"j = tl.arange(0, {wide})")
    k.line(f"there = batch < {k.size(batch)}")
    k.line("batch = tl.where(there, batch, 0)")
    k.line(f"in_h = (h < {k.size(channels)}) & there")
    k.line(f"mask = in_h[:, None] & (j < {size})[None, :]")
    k.line(f"in_j = (j < {size}) & there")
    tile = ["h[:, None]", "j[None, :]"]
    decay = steps.load(2, tile, "mask")
    skip = steps.load(5, ["h"], "in_h") if steps.given(5) is not None else ""
    st = steps.state(6, ["batch", *tile], "mask", f"({lines}, {wide})")
    length = steps.active(7)
    with k.block(f"for t in range(0, {k.size(count)})"):
        value, delta = steps.load(0, ["batch", "t", "h"], "in_h"), steps.load(1, ["batch", "t", "h"], "in_h")
        b, c = steps.load(3, ["batch", "t", "j"], "in_j"), steps.load(4, ["batch", "t", "j"], "in_j")
        after = k.let(f"libdevice.exp({delta}[:, None] * {decay}) * {st} + ({delta} * {value})[:, None] * {b}[None, :]", "s")
        k.line(f"{st} = tl.where(t < {length}, {after}, {st})" if length else f"{st} = {after}")
        y = k.let(f"tl.reduce({st} * {c}[None, :], 1, {steps.add()})", "y")
        steps.store(0, ["batch", "t", "h"], k.let(f"{y} + {skip} * {value}", "y") if skip else y, "in_h")
    steps.store(1, ["batch", *tile], st, "mask")
    return CudaLowering((k.launch((blocks * batch,)),))


def lower_delta_net(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers delta_net: S *= exp(g); d = (v − Sᵀk)·beta; S += k⊗d; o = Sᵀq/√n: some columns of a head's state in each block."""
    q = inputs[0]
    assert q is not None
    (batch, count, heads, _), size = q.dims, op["state_size"]
    wide = power_of_two(size)
    if wide > LARGEST_STATE:
        return f"a head of {size}"
    columns = min(wide, max(1, 2048 // wide))
    steps = _Steps(op.name, inputs, outputs)
    k = steps.k
    parts = ceildiv(size, columns)
    k.line("block = tl.program_id(0).to(tl.int64)")
    k.line(f"j = (block % {parts}) * {columns} + tl.arange(0, {columns})")
    k.line(f"head = (block // {parts}) % {k.size(heads)}")
    k.line(f"batch = block // ({parts} * {k.size(heads)})")
    k.line(f"there = batch < {k.size(batch)}")
    k.line("batch = tl.where(there, batch, 0)")
    k.line(f"i = tl.arange(0, {wide})")
    k.line(f"in_i = (i < {size}) & there")
    k.line(f"in_j = (j < {size}) & there")
    k.line("mask = in_i[:, None] & in_j[None, :]")
    tile = ["batch", "head", "i[:, None]", "j[None, :]"]
    s = steps.state(5, tile, "mask", f"({wide}, {columns})")
    length = steps.active(6)
    with k.block(f"for t in range(0, {k.size(count)})"):
        query, key = (steps.load(place, ["batch", "t", "head", "i"], "in_i") for place in (0, 1))
        value = steps.load(2, ["batch", "t", "head", "j"], "in_j")
        gate, beta = (steps.load(place, ["batch", "t", "head"], "there") for place in (3, 4))
        decayed = k.let(f"{s} * libdevice.exp({gate} + tl.full((1,), 0, {steps.kind}))", "s")
        seen = k.let(f"tl.reduce({decayed} * {key}[:, None], 0, {steps.add()})", "s")
        change = k.let(f"({value} - {seen}) * {beta}", "s")
        after = k.let(f"{decayed} + {key}[:, None] * {change}[None, :]", "s")
        k.line(f"{s} = tl.where(t < {length}, {after}, {s})" if length else f"{s} = {after}")
        o = k.let(f"tl.reduce({s} * {query}[:, None], 0, {steps.add()}) * {1 / math.sqrt(size)!r}", "y")
        steps.store(0, ["batch", "t", "head", "j"], o, "in_j")
    steps.store(1, tile, s, "mask")
    return CudaLowering((k.launch((parts * heads * batch,)),))


LOWER: dict[str, Lower] = {"selective_scan": lower_selective_scan, "gated_delta_net": lower_delta_net}
"""The ops of this file by name."""
