"""Floats of 8 and 4 bits to and from f32 by integer arithmetic: e4m3 (no infinity, largest 448), e5m2, e2m1 (no infinity, no NaN)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rlx.core.dtype import DType
from rlx.formulas.algebra import Algebra, Number

_F32, _I32, _U8 = (DType.of(name) for name in ("f32", "i32", "u8"))


@dataclass(frozen=True)
class LowFloat:
    """A float of 8 or fewer bits in a byte: how its bits are read; those below the sign are the magnitude."""

    fraction: int  # bits
    bias: int
    largest: int  # the largest finite number
    overflow: int  # what a number too large becomes: infinity, NaN where there is none, the largest where there is neither
    nan: int | None
    sign: int = 7  # its bit

    @property
    def shift(self) -> int:
        """The distance from the last digit to that of an f32."""
        return 23 - self.fraction

    @property
    def magnitude(self) -> int:
        """The mask of the bits below the sign."""
        return (1 << self.sign) - 1


LOW_FLOATS = {
    "f8e4m3": LowFloat(3, 7, 0x7E, 0x7F, 0x7F),
    "f8e5m2": LowFloat(2, 15, 0x7B, 0x7C, 0x7E),
    "f4e2m1": LowFloat(1, 1, 0x7, 0x7, None, sign=3),
}


def float8_to_f32(m: Algebra, byte: Number, name: str) -> Number:
    """Converts a byte to the float it stores, exactly."""
    form = LOW_FLOATS[name]
    bits = m.cast(byte, _U8, _I32)
    magnitude = bits & form.magnitude
    number = m.from_stored_bits(magnitude << form.shift, _F32) * 2.0 ** (127 - form.bias)  # also right for denormals
    if form.nan is not None:
        if form.overflow != form.nan:
            number = m.select(magnitude == form.overflow, math.inf, number)
        special = magnitude > form.overflow if form.overflow != form.nan else magnitude == form.nan
        number = m.select(special, math.nan, number)
    return m.select((bits & (1 << form.sign)) == 0, number, -number)


def f32_to_float8(m: Algebra, value: Number, name: str, *, saturates: bool = False) -> Number:
    """Rounds a float to nearest even and returns its byte. Too large a number gives infinity, NaN in e4m3, or the largest where it
    `saturates`, as e2m1 does always; NaN gives 0 in e2m1."""
    form = LOW_FLOATS[name]
    bits = m.bits(value)
    magnitude = bits & 0x7FFFFFFF
    rounded = magnitude + ((1 << (form.shift - 1)) - 1) + (m.logical_shift(magnitude, form.shift) & 1)
    normal = m.logical_shift(rounded, form.shift) - ((127 - form.bias) << form.fraction)
    # Below the normal range: adding a power of two leaves the digits of a denormal at the end.
    smallest = 1 - form.bias
    anchor = 2.0 ** (smallest - form.fraction + 23)
    aligned = m.bits(m.from_stored_bits(magnitude, _F32) + anchor)
    denormal = aligned - m.bits(m.constant(anchor, value))
    byte = m.select(magnitude < ((127 + smallest) << 23), denormal, normal)
    byte = m.minimum(byte, form.largest if saturates else form.overflow)
    if form.nan is not None:
        byte = m.select(magnitude > 0x7F800000, form.nan, byte)
    byte = byte | (m.logical_shift(bits, 31 - form.sign) & (1 << form.sign))
    if form.nan is None:
        byte = m.select(magnitude > 0x7F800000, 0, byte)
    return m.cast(byte, _I32, _U8)
