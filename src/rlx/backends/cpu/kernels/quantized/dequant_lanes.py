"""ggml's blocks eight values at a time: the formulas of `rlx.layouts.gguf_blocks` over vectors.

Eight adjacent i share most of what a formula computes. A `Lane` is an integer or float of all eight: `uniform` if
they are equal (a scale), a `run` if they are a base plus small known steps (a position), else a `vector`. Reading bytes at a
run is one vector load.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import F32, I8, I32, I64
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.dequant_elements import CodeBlock
from rlx.layouts.gguf_blocks import ELEMENTS, STORED, Table

LANES = 8
"""Values unpacked together: half of the smallest group that shares a scale."""


@dataclass(frozen=True)
class Lane:
    """Eight numbers. `steps` of a run are added to the base, which is a multiple of `align`."""

    code: KernelCode
    value: Value  # the scalar all agree on, the base of a run, or the vector
    steps: tuple[int, ...] | None = None
    align: int = 1

    @property
    def is_vector(self) -> bool:
        """Known only lane by lane."""
        return self.value.type.lanes > 0

    @property
    def is_run(self) -> bool:
        """A base and steps."""
        return self.steps is not None

    def vector(self) -> Value:
        """All eight as a vector: integers in 32 bits."""
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
        if any(side.is_vector or side.is_run for side in (left, right)):
            return Lane(self.code, operation(left.vector(), right.vector()))
        return Lane(self.code, operation(left.value, right.value))

    # -- runs stay runs if possible
    def __add__(self, other: Lane | int | float) -> Lane:
        right = self._of(other)
        for run, moved in ((self, right), (right, self)):
            if run.is_run and not moved.is_run and not moved.is_vector:
                known = moved.value.constant
                return Lane(self.code, run.value + moved.value, run.steps, 1 if known is None else math.gcd(run.align, int(known)))
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
    """One block; what it reads are Lanes."""

    def __init__(self, code: KernelCode, base: Value) -> None:
        self.code, self.k, self.base = code, code.code, base
        self.scalar = CodeBlock(code, base)

    def _bytes(self, base: Value, place: Lane | int, signed: bool) -> Lane:
        """Bytes at a position: one, a vector of adjacent ones, or lane by lane."""
        k = self.k
        if isinstance(place, int) or not (place.is_run or place.is_vector):
            at = place if isinstance(place, int) else place.value
            return Lane(self.code, k.convert(k.load(base, at, I8), I64, signed=signed))
        if place.steps is not None:
            count = max(place.steps) + 1
            loaded = k.load(base, place.value, I8.vector(count), align=1)
            spread = loaded if place.steps == tuple(range(LANES)) else k.shuffle(loaded, None, place.steps)
            return Lane(self.code, k.convert(spread, I32, signed=signed))
        found, places = k.constant(0, I8.vector(LANES)), place.vector()
        for lane in range(LANES):
            at = k.convert(k.extract(places, lane), I64)
            found = k.insert(found, k.load(base, at, I8), lane)
        return Lane(self.code, k.convert(found, I32, signed=signed))

    def u8(self, place: Lane | int) -> Lane:
        """The bytes at a place, 0 to 255."""
        return self._bytes(self.base, place, False)

    def i8(self, place: Lane | int) -> Lane:
        """The bytes at a place, -128 to 127."""
        return self._bytes(self.base, place, True)

    def _uniform(self, place: Lane | int) -> Value | int:
        assert isinstance(place, int) or not (place.is_run or place.is_vector)
        return place if isinstance(place, int) else place.value

    def u16(self, place: Lane | int) -> Lane:
        """Two bytes, the same for all."""
        return Lane(self.code, self.scalar.u16(self._uniform(place)))

    def f16(self, place: Lane | int) -> Lane:
        """An f16 as an f32."""
        return Lane(self.code, self.scalar.f16(self._uniform(place)))

    def f32(self, place: Lane | int) -> Lane:
        """An f32."""
        return Lane(self.code, self.scalar.f32(self._uniform(place)))

    def half(self, bits: Lane) -> Lane:
        """The f16 with these bits, as an f32."""
        return Lane(self.code, self.scalar.half(bits.value))

    def power(self, exponent: Lane) -> Lane:
        """The f32 with these bits."""
        return Lane(self.code, self.scalar.power(exponent.value))

    def real(self, integer: Lane) -> Lane:
        """Integers as f32."""
        if integer.is_run or integer.is_vector:
            return Lane(self.code, self.k.convert(integer.vector(), F32))
        return Lane(self.code, self.scalar.real(integer.value))

    def flag(self, condition: Lane) -> Lane:
        """1 where a comparison holds, else 0."""
        return Lane(self.code, self.k.convert(condition.value, I64, signed=False))

    def table(self, table: Table, index: Lane) -> Lane:
        """Entries of a table."""
        entries = [value - 256 if value > 127 else value for value in table.values]
        return self._bytes(self.code.module.constant_array(entries, I8), index, max(table.values) <= 127)


def unpack_run(code: KernelCode, name: str, block: Value, first: Value) -> Value:
    """The numbers first … first + 7 of a block, f32; `first` is a multiple of 8."""
    run = Lane(code, first, tuple(range(LANES)), LANES)
    found: Lane = ELEMENTS[name](LaneBlock(code, block), run)
    return found.vector()


def stored_run(code: KernelCode, name: str, block: Value, first: Value) -> Value:
    """Their stored integers, as bytes."""
    run = Lane(code, first, tuple(range(LANES)), LANES)
    found: Lane = STORED[name](LaneBlock(code, block), run)
    return code.code.convert(found.vector(), I8)
