"""The 8-bit floats e4m3 (no infinity, largest 448) and e5m2, to and from f32 by integer arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import F32, I8, I32, Function, Value

__all__ = ["f32_to_float8", "float8_to_f32"]


@dataclass(frozen=True)
class Float8:
    """How the seven bits below the sign are read."""

    fraction: int  # bits
    bias: int
    overflow: int  # what a number too large becomes: infinity, or NaN where there is none
    nan: int

    @property
    def shift(self) -> int:
        """From the last digit to that of an f32."""
        return 23 - self.fraction


FLOAT8 = {"f8e4m3": Float8(3, 7, 0x7F, 0x7F), "f8e5m2": Float8(2, 15, 0x7C, 0x7E)}


def float8_to_f32(k: Function, value: Value, name: str) -> Value:
    """Exact."""
    form = FLOAT8[name]
    bits = k.convert(value, I32, signed=False)
    magnitude = bits & 0x7F
    wide = F32.like(value.type)
    number = k.bitcast(magnitude << form.shift, wide) * 2.0 ** (127 - form.bias)  # also right for denormals
    if form.overflow != form.nan:
        number = k.select(magnitude == form.overflow, float("inf"), number)
    special = magnitude > form.overflow if form.overflow != form.nan else magnitude == form.nan
    number = k.select(special, float("nan"), number)
    return k.select((bits & 0x80) == 0, number, -number)


def f32_to_float8(k: Function, value: Value, name: str) -> Value:
    """Rounded to nearest even; too large gives infinity, or NaN in e4m3."""
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
    found = k.minimum(found, form.overflow)
    found = k.select(magnitude > 0x7F800000, form.nan, found)
    return k.convert(found | (bits.ushr(24) & 0x80), I8)
