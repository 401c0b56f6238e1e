"""Small floats to and from f32 by integer arithmetic: e4m3 (no infinity, largest 448), e5m2, and e2m1 (4 bits, no infinity, no NaN)."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import F32, I8, I32
from rlx.backends.cpu.emit.values import Value


@dataclass(frozen=True)
class Float8:
    """How the bits of a byte are read; those below the sign are the magnitude."""

    fraction: int  # bits
    bias: int
    largest: int  # the largest finite number
    overflow: int  # what a number too large becomes: infinity, NaN where there is none, the largest where there is neither
    nan: int | None
    sign: int = 7  # its bit

    @property
    def shift(self) -> int:
        """From the last digit to that of an f32."""
        return 23 - self.fraction

    @property
    def magnitude(self) -> int:
        """The bits below the sign."""
        return (1 << self.sign) - 1


FLOAT8 = {
    "f8e4m3": Float8(3, 7, 0x7E, 0x7F, 0x7F),
    "f8e5m2": Float8(2, 15, 0x7B, 0x7C, 0x7E),
    "f4e2m1": Float8(1, 1, 0x7, 0x7, None, sign=3),
}


def float8_to_f32(k: Function, value: Value, name: str) -> Value:
    """Exact."""
    form = FLOAT8[name]
    bits = k.convert(value, I32, signed=False)
    magnitude = bits & form.magnitude
    wide = F32.like(value.type)
    number = k.bitcast(magnitude << form.shift, wide) * 2.0 ** (127 - form.bias)  # also right for denormals
    if form.nan is not None:
        if form.overflow != form.nan:
            number = k.select(magnitude == form.overflow, float("inf"), number)
        special = magnitude > form.overflow if form.overflow != form.nan else magnitude == form.nan
        number = k.select(special, float("nan"), number)
    return k.select((bits & (1 << form.sign)) == 0, number, -number)


def f32_to_float8(k: Function, value: Value, name: str, *, saturates: bool = False) -> Value:
    """Rounded to nearest even. Too large gives infinity, NaN in e4m3, or the largest number where it `saturates`, as e2m1 does always;
    NaN gives 0 in e2m1."""
    form = FLOAT8[name]
    bits = k.bitcast(value, I32.like(value.type))
    magnitude = bits & 0x7FFFFFFF
    rounded = magnitude + ((1 << (form.shift - 1)) - 1) + (magnitude.ushr(form.shift) & 1)
    normal = rounded.ushr(form.shift) - ((127 - form.bias) << form.fraction)
    # Below the normal range: adding a power of two leaves the digits of a denormal at the end.
    smallest = 1 - form.bias
    anchor = 2.0 ** (smallest - form.fraction + 23)
    aligned = k.bitcast(k.bitcast(magnitude, value.type) + anchor, bits.type)
    denormal = aligned - k.bitcast(k.constant(anchor, value.type), bits.type)
    found = k.select(magnitude < ((127 + smallest) << 23), denormal, normal)
    found = k.minimum(found, form.largest if saturates else form.overflow)
    if form.nan is not None:
        found = k.select(magnitude > 0x7F800000, form.nan, found)
    found = found | (bits.ushr(31 - form.sign) & (1 << form.sign))
    if form.nan is None:
        found = k.select(magnitude > 0x7F800000, 0, found)
    return k.convert(found, I8)
