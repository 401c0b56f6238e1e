"""Packed weights read element by element: `element(expert, row, column)` of the weight `[k, n]` a scheme stores.

The formulas of ggml's blocks are those of `rlx.layouts.gguf_blocks`, applied to a block that emits code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.math import float8_to_f32
from rlx.backends.cpu.emit.types import F16, F32, I8, I16, I32, I64, type_of
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.core.dim import Size
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.gguf_blocks import E2M1, ELEMENTS, Table

Element = Callable[[Value, Value, Value], Value]
"""(expert, row of k, column of n) → the value, in f32."""


class CodeBlock:
    """One ggml block at an address; places may depend on values of the running code."""

    def __init__(self, code: KernelCode, base: Value) -> None:
        self.code, self.k, self.base = code, code.code, base

    def _bytes(self, place: Operand) -> Value:
        return self.k.pointer(self.base, place, I8)

    def u8(self, place: Operand) -> Value:
        """The byte at a place, 0 to 255."""
        return self.k.convert(self.k.load(self.base, place, I8), I64, signed=False)

    def i8(self, place: Operand) -> Value:
        """The byte at a place, -128 to 127."""
        return self.k.convert(self.k.load(self.base, place, I8), I64)

    def u16(self, place: Operand) -> Value:
        """Two bytes, the low one first."""
        return self.k.convert(self.k.load(self._bytes(place), 0, I16, align=1), I64, signed=False)

    def f16(self, place: Operand) -> Value:
        """An f16 as an f32."""
        return self.k.convert(self.k.load(self._bytes(place), 0, F16, align=1), F32)

    def f32(self, place: Operand) -> Value:
        """An f32."""
        return self.k.load(self._bytes(place), 0, F32, align=1)

    def half(self, bits: Value) -> Value:
        """The f16 with these bits, as an f32."""
        return self.k.convert(self.k.bitcast(self.k.convert(bits, I16), F16), F32)

    def power(self, exponent: Value) -> Value:
        """The f32 with these bits."""
        return self.k.bitcast(self.k.convert(exponent, I32), F32)

    def real(self, integer: Value) -> Value:
        """An integer as an f32."""
        return self.k.convert(self.k.convert(integer, I32), F32)

    def flag(self, condition: Value) -> Value:
        """1 if a comparison is true, else 0."""
        return self.k.convert(condition, I64, signed=False)

    def table(self, table: Table, index: Value) -> Value:
        """An entry of a table in the object."""
        unsigned = max(table.values) > 127
        entries = [value - 256 if value > 127 else value for value in table.values]
        base = self.code.module.constant_array(entries, I8)
        return self.k.convert(self.k.load(base, index, I8), I64, signed=not unsigned)


@dataclass(frozen=True)
class Packed:
    """The operands of a packed weight as a kernel sees them: (tensor, position among the stage's tensors)."""

    scheme: QuantScheme
    k: Size
    n: Size
    w: tuple[Tensor, int]
    scale: tuple[Tensor, int] | None
    zp: tuple[Tensor, int] | None
    global_scale: tuple[Tensor, int] | None
    experts: bool

    def refusal(self) -> str | None:
        """Why the operands cannot be read, or None."""
        for part in (self.w, self.scale, self.zp, self.global_scale):
            if part is not None and not part[0].is_dense:
                return f"{self.scheme} operands with gaps"
        if self.w[0].dtype.is_float:
            return "a packed param that was not split into its arrays: run select_dequant first"
        return None


def element_of(code: KernelCode, packed: Packed) -> Element:
    """How to read one element of the weight."""
    if packed.scheme.is_gguf():
        return _gguf(code, packed)
    return {"int8": _integers, "int8_asym": _integers, "int4": _integers, "nvfp4": _nvfp4}.get(packed.scheme.kind, _float8)(
        code, packed
    )


def _gguf(code: KernelCode, packed: Packed) -> Element:
    scheme, k = packed.scheme, code.code
    formula, size = ELEMENTS[scheme.detail], scheme.block_size()
    columns, blocks = index_of(code, packed.n), index_of(code, packed.k // size)

    def element(expert: Value, row: Value, column: Value) -> Value:
        line = (expert * columns + column) * blocks + row // size
        found: Value = formula(CodeBlock(code, k.pointer(code.pointer(packed.w[1]), line * scheme.block_bytes(), I8)), row % size)
        return found

    return element


def _block_place(code: KernelCode, packed: Packed, expert: Value, row: Value, column: Value) -> Value:
    """The position of an element's scale in `[experts, ceil(k/block), n]`."""
    size, columns = packed.scheme.block_size(), index_of(code, packed.n)
    blocks = (index_of(code, packed.k) + (size - 1)).udiv(size)
    return (expert * blocks + row.udiv(size)) * columns + column


def _nibble(code: KernelCode, packed: Packed, expert: Value, row: Value, column: Value) -> Value:
    k, columns = code.code, index_of(code, packed.n)
    each = (index_of(code, packed.k) * columns + 1).udiv(2)
    flat = row * columns + column
    byte = k.convert(k.load(code.pointer(packed.w[1]), expert * each + flat.udiv(2), I8), I64, signed=False)
    return (byte >> ((flat & 1) * 4)) & 15


def _integers(code: KernelCode, packed: Packed) -> Element:
    """int8 and int4: (q - zp)·scale."""
    k = code.code
    assert packed.scale is not None
    scales = code.pointer(packed.scale[1])

    def element(expert: Value, row: Value, column: Value) -> Value:
        if packed.scheme.kind == "int4":
            whole = k.convert(_nibble(code, packed, expert, row, column), I32)
        else:
            flat = (expert * index_of(code, packed.k) + row) * index_of(code, packed.n) + column
            whole = k.convert(k.load(code.pointer(packed.w[1]), flat, I8), I32)
        place = _block_place(code, packed, expert, row, column)
        number = k.convert(whole, F32)
        if packed.zp is not None:
            number = number - k.load(code.pointer(packed.zp[1]), place, F32)
        elif packed.scheme.kind == "int4":
            number = number - 8.0
        return number * k.load(scales, place, F32)

    return element


def _float8(code: KernelCode, packed: Packed) -> Element:
    k = code.code
    assert packed.scale is not None
    scale, position = packed.scale
    name = "f8e4m3" if packed.scheme.kind == "fp8_e4m3" else "f8e5m2"

    def element(expert: Value, row: Value, column: Value) -> Value:
        columns = index_of(code, packed.n)
        flat = (expert * index_of(code, packed.k) + row) * columns + column
        number = float8_to_f32(k, k.load(code.pointer(packed.w[1]), flat, type_of(name)), name)
        place = expert * columns + column if scale.dims else k.index(0)
        return number * k.load(code.pointer(position), place, F32)

    return element


def _nvfp4(code: KernelCode, packed: Packed) -> Element:
    k = code.code
    assert packed.scale is not None and packed.global_scale is not None
    scales, whole = code.pointer(packed.scale[1]), code.pointer(packed.global_scale[1])
    block = CodeBlock(code, scales)

    def element(expert: Value, row: Value, column: Value) -> Value:
        number = block.real(block.table(E2M1, _nibble(code, packed, expert, row, column))) * 0.5
        place = _block_place(code, packed, expert, row, column)
        scale = float8_to_f32(k, k.load(scales, place, I8), "f8e4m3")
        return number * scale * k.load(whole, 0, F32)

    return element
