"""Packed weights as floats: `element(expert, row, column)` of the weight `[k, n]` a scheme stores, eight adjacent values, or a panel.

The formulas of ggml's blocks are those of `rlx.layouts.gguf_blocks`, applied to a block that emits code.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.math import float8_to_f32
from rlx.backends.cpu.emit.values import F16, F32, I8, I16, I32, I64, PTR, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.quantized.grid_words import interleaved_block
from rlx.backends.cpu.kernels.quantized.stored_words import WORDS, InterleavedBlock
from rlx.core.dim import Size
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.block_order import ORDERS, ROWS, BlockOrder
from rlx.layouts.gguf_blocks import E2M1, ELEMENTS, STORED, Table

Element = Callable[[Value, Value, Value], Value]
"""(expert, row of k, column of n) → the value, in f32."""


class CodeBlock:
    """One ggml block at an address, as `rlx.layouts.gguf_blocks.Block`; offsets may be values of the emitted code."""

    def __init__(self, code: KernelCode, base: Value) -> None:
        self.code, self.k, self.base = code, code.code, base

    def _bytes(self, offset: Operand) -> Value:
        return self.k.pointer(self.base, offset, I8)

    def u8(self, offset: Operand) -> Value:
        return self.k.convert(self.k.load(self.base, offset, I8), I64, signed=False)

    def i8(self, offset: Operand) -> Value:
        return self.k.convert(self.k.load(self.base, offset, I8), I64)

    def u16(self, offset: Operand) -> Value:
        return self.k.convert(self.k.load(self._bytes(offset), 0, I16, align=1), I64, signed=False)

    def f16(self, offset: Operand) -> Value:
        return self.k.convert(self.k.load(self._bytes(offset), 0, F16, align=1), F32)

    def f32(self, offset: Operand) -> Value:
        return self.k.load(self._bytes(offset), 0, F32, align=1)

    def half(self, bits: Value) -> Value:
        return self.k.convert(self.k.bitcast(self.k.convert(bits, I16), F16), F32)

    def power(self, exponent: Value) -> Value:
        return self.k.bitcast(self.k.convert(exponent, I32), F32)

    def real(self, integer: Value) -> Value:
        return self.k.convert(self.k.convert(integer, I32), F32)

    def flag(self, condition: Value) -> Value:
        return self.k.convert(condition, I64, signed=False)

    def table(self, table: Table, index: Value) -> Value:
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
        """Why the packed operands cannot be read, or None."""
        for part in (self.w, self.scale, self.zp, self.global_scale):
            if part is not None and not part[0].is_dense:
                return f"{self.scheme} operands with gaps"
        if self.w[0].dtype.is_float:
            return "a packed param that was not split into its arrays: run select_dequant first"
        return None


def element_of(code: KernelCode, packed: Packed) -> Element:
    """The function that emits one element of a packed weight."""
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
        value: Value = formula(CodeBlock(code, k.pointer(code.pointer(packed.w[1]), line * scheme.block_bytes(), I8)), row % size)
        return value

    return element


def _block_index(code: KernelCode, packed: Packed, expert: Value, row: Value, column: Value) -> Value:
    """The index of an element's scale in `[experts, ceil(k/block), n]`."""
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
    """Dequantize int8 and int4: (q - zp)·scale."""
    k = code.code
    assert packed.scale is not None
    scales = code.pointer(packed.scale[1])

    def element(expert: Value, row: Value, column: Value) -> Value:
        if packed.scheme.kind == "int4":
            integer = k.convert(_nibble(code, packed, expert, row, column), I32)
        else:
            flat = (expert * index_of(code, packed.k) + row) * index_of(code, packed.n) + column
            integer = k.convert(k.load(code.pointer(packed.w[1]), flat, I8), I32)
        block = _block_index(code, packed, expert, row, column)
        number = k.convert(integer, F32)
        if packed.zp is not None:
            number = number - k.load(code.pointer(packed.zp[1]), block, F32)
        elif packed.scheme.kind == "int4":
            number = number - 8.0
        return number * k.load(scales, block, F32)

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
        index = expert * columns + column if scale.dims else k.index(0)
        return number * k.load(code.pointer(position), index, F32)

    return element


def _nvfp4(code: KernelCode, packed: Packed) -> Element:
    k = code.code
    assert packed.scale is not None and packed.global_scale is not None
    scales, common = code.pointer(packed.scale[1]), code.pointer(packed.global_scale[1])
    block = CodeBlock(code, scales)

    def element(expert: Value, row: Value, column: Value) -> Value:
        number = block.real(block.table(E2M1, _nibble(code, packed, expert, row, column))) * 0.5
        index = _block_index(code, packed, expert, row, column)
        scale = float8_to_f32(k, k.load(scales, index, I8), "f8e4m3")
        return number * scale * k.load(common, 0, F32)

    return element


# -- ggml's blocks eight values at a time: the formulas of `rlx.layouts.gguf_blocks` over vectors ---------------
#
# Eight adjacent i share most of what a formula computes. A `Lane` is an integer or float of all eight: `uniform` if
# they are equal (a scale), a `run` if they are a base plus small known steps (a position), else a `vector`. Reading bytes at a
# run is one vector load.


LANES = 8
"""Values unpacked together: half of the smallest group that shares a scale."""


@dataclass(frozen=True)
class Lane:
    """Eight numbers of emitted code: one scalar, a run (a base plus static `steps`, the base a multiple of `align`), or a vector."""

    code: KernelCode
    value: Value  # the scalar all agree on, the base of a run, or the vector
    steps: tuple[int, ...] | None = None
    align: int = 1

    @property
    def is_vector(self) -> bool:
        """Whether the numbers are a vector."""
        return self.value.type.lanes > 0

    @property
    def is_run(self) -> bool:
        """Whether the numbers are a base and static steps."""
        return self.steps is not None

    @property
    def is_uniform(self) -> bool:
        """Whether one scalar stands for all eight."""
        return not (self.is_vector or self.is_run)

    def vector(self) -> Value:
        """Convert all eight numbers to a vector: integers in 32 bits."""
        k = self.code.code
        if self.is_vector:
            return self.value
        narrow = k.convert(self.value, I32) if self.value.type == I64 else self.value
        wide = k.splat(narrow, LANES)
        return wide if self.steps is None else wide + k.vector_of(self.steps, I32)

    def _of(self, other: Lane | int | float) -> Lane:
        if isinstance(other, Lane):
            return other
        kind = F32 if self.value.type.element == F32 else I64
        return Lane(self.code, self.code.code.constant(other, kind))

    def _apply(self, other: Lane | int | float, operation: Callable[[Value, Value], Value], *, swap: bool = False) -> Lane:
        left, right = (self._of(other), self) if swap else (self, self._of(other))
        if left.is_uniform and right.is_uniform:
            return Lane(self.code, operation(left.value, right.value))
        return Lane(self.code, operation(left.vector(), right.vector()))

    # -- runs stay runs if possible
    def __add__(self, other: Lane | int | float) -> Lane:
        right = self._of(other)
        for run, distance in ((self, right), (right, self)):
            if run.is_run and distance.is_uniform:
                known = distance.value.constant
                align = 1 if known is None else math.gcd(run.align, int(known))
                return Lane(self.code, run.value + distance.value, run.steps, align)
        return self._apply(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Lane | int | float) -> Lane:
        return self._apply(other, operator.sub)

    def __rsub__(self, other: Lane | int | float) -> Lane:
        return self._apply(other, operator.sub, swap=True)

    def __mul__(self, other: Lane | int | float) -> Lane:
        if self.is_run and isinstance(other, int):
            return Lane(self.code, self.value * other, tuple(step * other for step in self.steps or ()), self.align * other)
        return self._apply(other, operator.mul)

    __rmul__ = __mul__

    def __mod__(self, size: int) -> Lane:
        if self.steps is None:
            return self._apply(size, operator.mod)
        if self.align % size == 0:
            return Lane(self.code, self.code.code.index(0), tuple(step % size for step in self.steps), size)
        assert size % self.align == 0 and max(self.steps) < self.align
        return Lane(self.code, self.value % size, self.steps, self.align)

    def __floordiv__(self, size: int) -> Lane:
        if self.steps is None:
            return self._apply(size, operator.floordiv)
        if self.align % size == 0 and self.align > size:
            return Lane(self.code, self.value // size, tuple(step // size for step in self.steps), self.align // size)
        assert size % self.align == 0 and max(self.steps) < self.align
        return Lane(self.code, self.value // size)

    def _compare(self, size: int, operation: Callable[[Value, Value], Value]) -> Lane:
        assert self.steps is None or size % self.align == 0  # then the base decides for all
        return Lane(self.code, operation(self.value, self.code.code.constant(size, self.value.type)))

    def __lt__(self, size: int) -> Lane:
        return self._compare(size, operator.lt)

    def __ge__(self, size: int) -> Lane:
        return self._compare(size, operator.ge)

    def __and__(self, other: Lane | int) -> Lane:
        return self._apply(other, operator.and_)

    def __or__(self, other: Lane | int) -> Lane:
        return self._apply(other, operator.or_)

    def __lshift__(self, other: Lane | int) -> Lane:
        return self._apply(other, operator.lshift)

    def __rshift__(self, other: Lane | int) -> Lane:
        return self._apply(other, operator.rshift)


class LaneBlock:
    """One ggml block as `CodeBlock`, whose loaded and computed values are `Lane`s of eight numbers."""

    def __init__(self, code: KernelCode, base: Value) -> None:
        self.code, self.k, self.base = code, code.code, base
        self.scalar = CodeBlock(code, base)

    def _bytes(self, base: Value, offset: Lane | int, signed: bool) -> Lane:
        """Load bytes at an offset: one, a vector of adjacent ones, or lane by lane."""
        k = self.k
        if isinstance(offset, int) or offset.is_uniform:
            at = offset if isinstance(offset, int) else offset.value
            return Lane(self.code, k.convert(k.load(base, at, I8), I64, signed=signed))
        if offset.steps is not None:
            count = max(offset.steps) + 1
            loaded = k.load(base, offset.value, I8.vector(count), align=1)
            spread = loaded if offset.steps == tuple(range(LANES)) else k.shuffle(loaded, None, offset.steps)
            return Lane(self.code, k.convert(spread, I32, signed=signed))
        gathered, offsets = k.constant(0, I8.vector(LANES)), offset.vector()
        for lane in range(LANES):
            at = k.convert(k.extract(offsets, lane), I64)
            gathered = k.insert(gathered, k.load(base, at, I8), lane)
        return Lane(self.code, k.convert(gathered, I32, signed=signed))

    def u8(self, offset: Lane | int) -> Lane:
        return self._bytes(self.base, offset, False)

    def i8(self, offset: Lane | int) -> Lane:
        return self._bytes(self.base, offset, True)

    def _uniform(self, offset: Lane | int) -> Value | int:
        assert isinstance(offset, int) or offset.is_uniform
        return offset if isinstance(offset, int) else offset.value

    def u16(self, offset: Lane | int) -> Lane:
        return Lane(self.code, self.scalar.u16(self._uniform(offset)))

    def f16(self, offset: Lane | int) -> Lane:
        return Lane(self.code, self.scalar.f16(self._uniform(offset)))

    def f32(self, offset: Lane | int) -> Lane:
        return Lane(self.code, self.scalar.f32(self._uniform(offset)))

    def half(self, bits: Lane) -> Lane:
        return Lane(self.code, self.scalar.half(bits.value))

    def power(self, exponent: Lane) -> Lane:
        return Lane(self.code, self.scalar.power(exponent.value))

    def real(self, integer: Lane) -> Lane:
        if integer.is_uniform:
            return Lane(self.code, self.scalar.real(integer.value))
        return Lane(self.code, self.k.convert(integer.vector(), F32))

    def flag(self, condition: Lane) -> Lane:
        return Lane(self.code, self.k.convert(condition.value, I64, signed=False))

    def table(self, table: Table, index: Lane) -> Lane:
        entries = [value - 256 if value > 127 else value for value in table.values]
        return self._bytes(self.code.module.constant_array(entries, I8), index, max(table.values) <= 127)


def unpack_run(code: KernelCode, name: str, block: Value, first: Value) -> Value:
    """The numbers first … first + 7 of a ggml block in f32; `first` is a multiple of 8."""
    run = Lane(code, first, tuple(range(LANES)), LANES)
    numbers: Lane = ELEMENTS[name](LaneBlock(code, block), run)
    return numbers.vector()


def stored_run(code: KernelCode, name: str, block: Value, first: Value) -> Value:
    """The stored integers of eight numbers of a ggml block, as bytes."""
    run = Lane(code, first, tuple(range(LANES)), LANES)
    numbers: Lane = STORED[name](LaneBlock(code, block), run)
    return code.code.convert(numbers.vector(), I8)


# -- the values of eight interleaved rows as floats: for the panels of exact products ---------------------------------


def floats_function(module: Module, name: str, width: int, kind: Type) -> Function:
    """The function (blocks of eight rows, panel, how many blocks): dequantizes into a panel; emitted once per object file."""
    order = ORDERS[name]

    def emit(k: Function) -> None:
        first, panel, count = k.parameters
        for block in k.range(count):
            eight = interleaved_block(k, name, k.pointer(first, block * (order.scheme.block_bytes() * ROWS), I8))
            _store_floats(k, eight, k.pointer(panel, block * (order.size * width), kind), width, kind)

    parameters = [("blocks", PTR), ("panel", PTR), ("count", I64)]
    return module.shared(f"floats_{name}_{kind.name}_{width}", parameters, emit)


def _store_floats(k: Function, eight: InterleavedBlock, panel: Value, width: int, kind: Type) -> None:
    """The block's values in file order, those of eight rows adjacent, `width` elements apart.

    Each is computed with the formula of `rlx.layouts.gguf_blocks`, so it has the same bits.
    """
    order, numbers = eight.order, eight.numbers
    if numbers is None:
        k.store(k.convert(eight.real(0), kind), panel, 0)
        return
    d, m = eight.scale(), eight.minimum()
    scales, minimums = eight.scale_pairs()
    factors = {group: d * scale for group, scale in _by_group(k, order.pairs, scales).items()} or {0: d}
    offsets = {group: -(m * value) for group, value in _by_group(k, order.pairs, minimums).items()} if m is not None else {}
    for numbered, word in zip(order.words, eight.words(), strict=True):
        bits = k.bitcast(word, WORDS)
        for byte, index in enumerate(numbered):
            integer = (bits << (24 - 8 * byte)) >> 24 if numbers.signed else bits.ushr(8 * byte) & 255
            number = k.convert(integer, F32)
            group = index // order.group
            number = factors[group] * (number - float(numbers.zero) if numbers.zero else number)
            offset = offsets.get(group, m)
            number = number if offset is None else number + offset
            k.store(k.convert(number, kind), panel, index * width)


def _by_group(k: Function, pairs: tuple[tuple[int, ...], ...], stored: list[Value]) -> dict[int, Value]:
    """A pair of 16-bit values as an f32 for each group."""
    by_group = {}
    for pair, both in zip(pairs, stored, strict=False):
        word = k.bitcast(both, WORDS)
        by_group[pair[0]], by_group[pair[-1]] = k.convert((word << 16) >> 16, F32), k.convert(word >> 16, F32)
    return by_group


# -- a panel: values `[depth, width]` of the accumulator type, of blocks in file order or interleaved -------------------


@dataclass(frozen=True)
class InterleavedRows:
    """A packed weight whose rows are interleaved by eight."""

    order: BlockOrder
    position: int


class Panel:
    """Emits the filling of one panel: a few columns of a weight `[experts, rows, columns]`, over a chunk of its rows."""

    def __init__(
        self, code: KernelCode, weight: Packed | InterleavedRows, rows: Value, columns: Value, kind: Type, numbers: Value
    ) -> None:
        self.code, self.k, self.weight, self.kind, self.numbers = code, code.code, weight, kind, numbers
        self.depth, self.n = rows, columns
        self.lanes = code.target.lanes(kind)
        self.width = 2 * self.lanes
        self.element = element_of(code, weight) if isinstance(weight, Packed) else None

    def fill(self, expert: Value, column: Value, columns: Value, start: Value, depth: Value) -> None:
        """Fill the panel with the values `[depth, width]` from row `start` and this column on, zeros past the last column."""
        k, weight = self.k, self.weight
        with k.when(columns < self.width):
            for at in k.range(0, depth * self.width, self.lanes):
                k.store(k.constant(0, self.kind.vector(self.lanes)), self.numbers, at)
        if isinstance(weight, Packed) and weight.scheme.is_gguf():
            self._unpack_columns(weight, expert, column, columns, start, depth)
        elif isinstance(weight, InterleavedRows):
            self._unpack_side_by_side(weight, expert, column, columns, start, depth)
        else:
            for p in k.range(depth):
                for j in k.range(columns):
                    self._put(self._number(expert, start + p, column + j), p, j)

    def _unpack_columns(self, weight: Packed, expert: Value, column: Value, columns: Value, start: Value, depth: Value) -> None:
        """Fill the panel from ggml's blocks, column by column: eight values at a time if blocks are that long."""
        k, scheme, size = self.k, weight.scheme, weight.scheme.block_size()
        if size < LANES:
            for j in k.range(columns):
                for p in k.range(depth):
                    self._put(self._number(expert, start + p, column + j), p, j)
            return
        blocks = self.depth.udiv(size)
        for j in k.range(columns):
            line = (expert * self.n + column + j) * blocks + start.udiv(size)
            for block in k.range(depth.udiv(size)):
                base = k.pointer(self.code.pointer(weight.w[1]), (line + block) * scheme.block_bytes(), I8)
                for first in k.range(0, size, LANES):
                    numbers = k.convert(unpack_run(self.code, scheme.detail, base, first), self.kind)
                    k.scatter_strided(numbers, self.numbers, (block * size + first) * self.width + j, self.width)

    def _unpack_side_by_side(
        self, weight: InterleavedRows, expert: Value, column: Value, columns: Value, start: Value, depth: Value
    ) -> None:
        """Fill the panel from interleaved rows, eight columns at a time; those past the last hold zeros."""
        k, order, size = self.k, weight.order, weight.order.scheme.block_bytes() * ROWS
        blocks, eights = self.depth.udiv(order.size), (self.n + (ROWS - 1)).udiv(ROWS)
        for j in k.range(0, columns, ROWS):
            line = (expert * eights + (column + j).udiv(ROWS)) * blocks + start.udiv(order.size)
            base = k.pointer(self.code.pointer(weight.position), line * size, I8)
            unpack = floats_function(self.code.module, order.name, self.width, self.kind)
            k.call(unpack, base, k.pointer(self.numbers, j, self.kind), depth.udiv(order.size))

    def _number(self, expert: Value, row: Value, column: Value) -> Value:
        assert self.element is not None
        return self.element(expert, row, column)

    def _put(self, value: Value, p: Value, j: Value) -> None:
        self.k.store(self.k.convert(value, self.kind), self.numbers, p * self.width + j)
