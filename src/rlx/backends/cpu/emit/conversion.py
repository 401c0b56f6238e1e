"""Conversions between types. bf16 converts by shifts everywhere, f16 in hardware or else by integer arithmetic."""

from __future__ import annotations

from rlx.backends.cpu.emit.arithmetic import Arithmetic
from rlx.backends.cpu.emit.types import F32, F64, I1, I16, I32, Type
from rlx.backends.cpu.emit.values import Value


class Conversion(Arithmetic):
    """The conversion family of a function."""

    def convert(self, value: Value, kind: Type, *, signed: bool = True) -> Value:
        """The number in another type, with the same lanes; `signed` applies to the integer side. Rounds to nearest even;
        float to integer truncates and saturates, NaN becomes 0; as a bool, anything but zero is true."""
        source, kind = value.type, kind.element.like(value.type)
        if source == kind:
            return value
        if value.constant is not None and not source.is_low_float and not kind.is_low_float:
            return self._convert_constant(value.constant, source, kind, signed)
        if kind.bits == 1:
            return self.compare("ne", self._widen(value), 0)
        if source.is_low_float:
            return self.convert(self._widen(value), kind, signed=signed)
        if kind.is_low_float:
            return self._narrow(value, kind, signed)
        if source.is_float and kind.is_float:
            return self._cast("fpext" if kind.bits > source.bits else "fptrunc", value, kind)
        if source.is_float:
            name = f"llvm.fpto{'s' if signed else 'u'}i.sat.{kind.suffix}.{source.suffix}"
            return self.intrinsic(name, kind, [value])
        signed = signed and source.bits > 1
        if kind.is_float:
            return self._cast("sitofp" if signed else "uitofp", value, kind)
        if kind.bits < source.bits:
            return self._cast("trunc", value, kind)
        return self._cast("sext" if signed else "zext", value, kind)

    def _cast(self, name: str, value: Value, kind: Type) -> Value:
        return self.instruction(kind, f"{name} {value.type.text} {value.text} to {kind.text}")

    def _convert_constant(self, number: float, source: Type, kind: Type, signed: bool) -> Value:
        if source.is_integer and not signed:
            number = int(number) & ((1 << source.bits) - 1)
        if source.is_float and kind.is_integer and kind.bits > 1:
            low, high = (-(1 << kind.bits - 1), (1 << kind.bits - 1) - 1) if signed else (0, (1 << kind.bits) - 1)
            number = 0 if number != number else low if number <= low else high if number >= high else int(number)
        return self.constant(int(number != 0) if kind.bits == 1 else number, kind)

    def convert_fast(self, value: Value, kind: Type) -> Value:
        """Float to signed integer toward zero in one instruction; undefined unless the result fits."""
        return self._cast("fptosi", value, kind.element.like(value.type))

    def bitcast(self, value: Value, kind: Type) -> Value:
        """The same bits as another type of the same total width."""
        if value.type.text == kind.text:
            return Value(self, kind, value.text)
        return self._cast("bitcast", value, kind)

    # -- 16-bit floats
    def _widen(self, value: Value) -> Value:
        """f16 and bf16 to f32; others stay."""
        if value.type.name == "bf16":
            bits = self._cast("zext", value, I32.like(value.type)) << 16
            return self.bitcast(bits, F32.like(value.type))
        if value.type.name == "f16":
            return self._widen_f16(value)
        return value

    @property
    def _has_f16(self) -> bool:
        return self.target.is_aarch64 or self.target.has("f16c")

    def _half_text(self, kind: Type) -> str:
        return f"<{kind.lanes} x half>" if kind.lanes else "half"

    def _widen_f16(self, value: Value) -> Value:
        wide = F32.like(value.type)
        if self._has_f16:
            half = self._half_text(value.type)
            bits = self.instruction(value.type, f"bitcast {value.type.text} {value.text} to {half}")
            return self.instruction(wide, f"fpext {half} {bits.text} to {wide.text}")
        stored = self._cast("zext", value, I32.like(value.type))
        shifted = (stored & 0x7FFF) << 13
        exponent = shifted & (0x7C00 << 13)
        rebased = shifted + ((127 - 15) << 23)
        infinite_or_nan = rebased + ((128 - 16) << 23)
        subnormal = self.bitcast(rebased + (1 << 23), wide) - 2.0**-14
        finite = self.select(exponent == 0, self.bitcast(subnormal, stored.type), rebased)
        magnitude = self.select(exponent == (0x7C00 << 13), infinite_or_nan, finite)
        return self.bitcast(magnitude | ((stored & 0x8000) << 16), wide)

    def _narrow(self, value: Value, kind: Type, signed: bool) -> Value:
        if value.type.is_integer:
            value = self.convert(value, F32 if value.type.bits <= 16 else F64, signed=signed)
        elif value.type.is_low_float:
            value = self._widen(value)
        if value.type.name == "f64":
            value = self._round_to_odd(value)
        return self._narrow_bf16(value, kind) if kind.name == "bf16" else self._narrow_f16(value, kind)

    def _round_to_odd(self, value: Value) -> Value:
        """f64 to f32, rounded to odd: rounding that to 16 bits gives the same as a single rounding."""
        nearest = self._cast("fptrunc", value, F32.like(value.type))
        back = self._cast("fpext", nearest, value.type)
        bits = self.bitcast(nearest, I32.like(value.type))
        inexact_and_even = self.compare("one", back, value) & ((bits & 1) == 0)
        too_far = self.abs(back) > self.abs(value)
        adjacent = self.select(too_far, bits - 1, bits + 1)
        return self.bitcast(self.select(inexact_and_even, adjacent, bits), nearest.type)

    def _narrow_bf16(self, value: Value, kind: Type) -> Value:
        bits = self.bitcast(value, I32.like(value.type))
        rounded = (bits + 0x7FFF + (bits.ushr(16) & 1)).ushr(16)
        quiet = bits.ushr(16) | 0x40
        chosen = self.select(self.is_nan(value), quiet, rounded)
        return self.bitcast(self._cast("trunc", chosen, I16.like(kind)), kind)

    def _narrow_f16(self, value: Value, kind: Type) -> Value:
        if self._has_f16:
            half = self._half_text(kind)
            rounded = self.instruction(kind, f"fptrunc {value.type.text} {value.text} to {half}")
            return self.instruction(kind, f"bitcast {half} {rounded.text} to {kind.text}")
        bits = self.bitcast(value, I32.like(value.type))
        sign = bits & -0x80000000
        magnitude = bits ^ sign
        overflow = self.select(magnitude > (255 << 23), magnitude.ushr(13) & 0x3FF | 0x7E00, 0x7C00)
        magic = (127 - 15 + 23 - 10 + 1) << 23
        aligned = self.bitcast(magnitude, value.type) + self.bitcast(self.constant(magic, bits.type), value.type)
        denormal = self.bitcast(aligned, bits.type)
        normal = (magnitude + (((15 - 127) << 23) + 0xFFF) + (magnitude.ushr(13) & 1)).ushr(13)
        finite = self.select(magnitude < (113 << 23), denormal - magic, normal)
        result = self.select(magnitude >= ((127 + 16) << 23), overflow, finite) | sign.ushr(16)
        return self.bitcast(self._cast("trunc", result, I16.like(kind)), kind)

    def mask_to(self, mask: Value, kind: Type) -> Value:
        """i1 lanes as all-ones or zero integers."""
        return self._cast("sext", mask, kind.like(mask.type)) if mask.type.name == I1.name else mask
