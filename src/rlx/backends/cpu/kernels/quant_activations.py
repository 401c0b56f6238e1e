"""Activations rounded to 8 bits: once per product, block by block, in the order its weight's words are unpacked in.

A block of x becomes: its bytes; for each pair of groups their two sums in 16 bits (without groups: one sum in 32, times the
weight's zero point and negative; or as a number where the weight has a minimum); the step in f32; and for weights with signs, whose
panels have 16 bits, the same numbers in 16 bits, the first and third of every four before the second and fourth. A step is max|x| / 127 of
the block. Blocks below 2^-120 become zero, for the inverse of their step is not finite.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.builder import F32, I8, I16, I32, Value, type_of
from rlx.backends.cpu.kernel import KernelCode, Tensor
from rlx.backends.cpu.kernels.quant_numbers import NUMBERS
from rlx.backends.cpu.kernels.runs import index_of, merged, offset_of, share_of, unravel
from rlx.core.dim import Size, ceildiv, minimum, product
from rlx.ops.block_order import BlockOrder

__all__ = ["Rounded", "round_rows", "round_units"]

_STEPS = 127
_SMALLEST = 2.0**-120
_MAGIC = 1.5 * 2.0**23
"""Added to a number below 2^22 it leaves the nearest integer, ties to even, in the lowest bits."""
_WORDS = 8
"""Words of four bytes that are widened together."""
_UNIT_ROWS_BYTES = 1 << 14
_MOST_UNITS = 256


@dataclass(frozen=True)
class Rounded:
    """Byte offsets within a rounded block."""

    order: BlockOrder

    @property
    def sums(self) -> int:
        """Where the sums begin."""
        return self.order.size

    @property
    def step(self) -> int:
        """Where the step is."""
        return self.sums + 4 * max(len(self.order.pairs), 1)

    @property
    def wide(self) -> int:
        """Where the numbers of 16 bits are, if there are any."""
        return self.step + 4

    @property
    def stride(self) -> int:
        """Bytes of a block."""
        return self.wide + (2 * self.order.size if NUMBERS[self.order.name].signed else 0)

    def row(self, k: Size) -> Size:
        """Bytes of a row of k numbers."""
        return k // self.order.size * self.stride


def round_units(x: Tensor) -> Size:
    """How many units the rounding of x has."""
    return minimum(ceildiv(product(x.dims) * 4, _UNIT_ROWS_BYTES), _MOST_UNITS)


def round_rows(code: KernelCode, order: BlockOrder, x: Tensor) -> None:
    """Tensors: x, and the rounded rows one after the other."""
    k = code.code
    blocks = x.dims[-1] // order.size
    first, last = share_of(code, product(x.dims[:-1]) * blocks, round_units(x), 1, k.begin, k.end)
    outer, (strides,) = merged(x.dims[:-1], x.strides[:-1]) if len(x.dims) > 1 else ((1,), ((0,),))
    inner, kind, count = x.strides[-1], type_of(x.dtype.name), index_of(code, blocks)
    for block in k.range(first, last):
        places = unravel(code, block.udiv(count), outer)
        base = offset_of(code, places, strides) + block.urem(count) * order.size * code.size(inner)
        source = k.pointer(code.pointer(0), base, kind)
        target = k.pointer(code.pointer(1), block * Rounded(order).stride, I8)
        _Block(code, order, source, inner, x.dtype.name, target).emit()


class _Block:
    """One block of x."""

    def __init__(self, code: KernelCode, order: BlockOrder, source: Value, inner: Size, dtype: str, target: Value) -> None:
        self.code, self.k, self.order, self.source, self.target = code, code.code, order, source, target
        self.inner, self.kind = inner, type_of(dtype)
        self.lanes = min(code.target.lanes(F32), 8)

    def emit(self) -> None:
        """Round to bytes; for weights with signs make 16 bits of them."""
        self._round()
        if NUMBERS[self.order.name].signed:
            self._widen()

    def _widen(self) -> None:
        k, wide = self.k, Rounded(self.order).wide
        words = I32.vector(_WORDS)
        for at in k.range(0, self.order.size // 4, _WORDS):
            pairs = k.bitcast(k.load(self.target, at, words, align=4), I16.vector(2 * _WORDS))
            even, odd = (k.bitcast(part, words) for part in ((pairs << 8) >> 8, pairs >> 8))
            for half in range(2):
                first = half * _WORDS // 2
                lanes = [lane for i in range(first, first + _WORDS // 2) for lane in (i, i + _WORDS)]
                k.store(k.shuffle(even, odd, lanes), k.pointer(self.target, wide, I8), 2 * at + half * _WORDS, align=4)

    def _round(self) -> None:
        """Find the step, then round group by group."""
        k, order, place = self.k, self.order, Rounded(self.order)
        largest = k.var(0.0, F32.vector(self.lanes))
        for at in k.range(0, order.size, self.lanes):
            largest.set(k.maximum(k.abs(self._read(at)), largest.get()))
        top = k.reduce_max(largest.get())
        k.store(top * (1.0 / _STEPS), k.pointer(self.target, place.step, I8), 0)
        self.inverse = k.splat(k.select(top < _SMALLEST, 0.0, k.constant(float(_STEPS), F32) / top), self.lanes)
        if not order.pairs:
            total, numbers = self._copied(order.size), NUMBERS[order.name]
            whole = total * -numbers.zero if numbers.m is None else k.convert(total, F32) * (top * (1.0 / _STEPS))
            k.store(whole, k.pointer(self.target, place.sums, I8), 0)
            return
        for index, (left, right) in enumerate(order.pairs):
            pair = [self._group(number * order.group) for number in (left, right)]
            first, second = (k.bitcast(values, I16.vector(order.group // 2)) for values, _ in pair)
            woven = k.shuffle(first, second, [lane for i in range(order.group // 2) for lane in (i, i + order.group // 2)])
            k.store(woven, k.pointer(self.target, index * 2 * order.group, I8), 0, align=4)
            for side, (_, total) in enumerate(pair):
                k.store(k.convert(total, I16), k.pointer(self.target, place.sums + 4 * index + 2 * side, I8), 0)

    def _read(self, at: Value) -> Value:
        """Neighbours of the block in f32."""
        k = self.k
        if isinstance(self.inner, int) and self.inner == 1:
            return k.convert(k.load(self.source, at, self.kind.vector(self.lanes)), F32)
        stride = self.code.size(self.inner)
        return k.convert(k.gather_strided(self.source, at * stride, stride, self.kind.vector(self.lanes)), F32)

    def _rounded(self, at: Value) -> Value:
        """Integers of 32 bits, from -127 to 127."""
        k = self.k
        bits = k.bitcast(self._read(at) * self.inverse + _MAGIC, I32.vector(self.lanes))
        return bits - k.bitcast(k.constant(_MAGIC, F32.vector(self.lanes)), bits.type)

    def _group(self, start: int) -> tuple[Value, Value]:
        """The bytes of a group as one vector, and their sum."""
        k = self.k
        parts = [self._rounded(k.index(start + at)) for at in range(0, self.order.group, self.lanes)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        values = [k.convert(part, I8) for part in parts]
        while len(values) > 1:
            values = [k.concat(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        return values[0], k.reduce_add(total)

    def _copied(self, count: int) -> Value:
        """The bytes of a block in their own order; their sum."""
        k = self.k
        total = k.var(0, I32.vector(self.lanes))
        for at in k.range(0, count, self.lanes):
            part = self._rounded(at)
            total.set(total.get() + part)
            k.store(k.convert(part, I8), self.target, at)
        return k.reduce_add(total.get())
