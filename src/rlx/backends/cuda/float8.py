"""Floats of 8 bits: bytes in memory, f32 in registers. All by arithmetic on bits, so that every GPU has them, with the IR's overflow."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cuda.text import KernelText


@dataclass(frozen=True)
class ByteFloat:
    """A float of 8 bits in Triton text; an f16 of 2^-scale times the number has its bits, shifted by 10 - digits positions."""

    digits: int
    least_exponent: int
    largest: float
    overflow: str  # what is larger than the largest: a NaN, or an infinity
    scale: int

    @property
    def _shift(self) -> int:
        return 10 - self.digits

    def rounded(self, k: KernelText, x: str) -> str:
        """Emits code that rounds an f32 to the nearest number of this type, ties to even, as an f32."""
        x = k.let(x)
        bits = k.let(f"{x}.to(tl.int32, bitcast=True)")
        exponent = k.let(f"tl.maximum((({bits} >> 23) & 255) - 127, {self.least_exponent})")
        unit = k.let(f"(({exponent} - {self.digits} + 127) << 23).to(tl.float32, bitcast=True)")
        inverse = k.let(f"((127 - {exponent} + {self.digits}) << 23).to(tl.float32, bitcast=True)")
        near = k.let(f"libdevice.rint({x} * {inverse}) * {unit}")
        size = k.let(f"tl.abs({x})")
        near = k.let(f'tl.where({size} < float("inf"), {near}, {x})')
        if self.overflow == "nan":
            return f'tl.where(tl.abs({near}) > {self.largest}, float("nan"), {near})'
        return f'tl.where(tl.abs({near}) > {self.largest}, tl.where({x} > 0, float("inf"), float("-inf")), {near})'

    def stored(self, x: str) -> str:
        """Emits code that converts a number of this type to its byte."""
        half = f"({x} * {2.0**-self.scale!r}).to(tl.float16).to(tl.uint16, bitcast=True)"
        byte = f"((({half} >> {self._shift}) & 127) | (({half} >> 8) & 128)).to(tl.uint8)"
        return byte if self.overflow != "nan" else f"tl.where({x} != {x}, tl.full((), 127, tl.uint8), {byte})"

    def loaded(self, byte: str) -> str:
        """Emits code that converts a byte to the number, in f32."""
        bits = f"((({byte}.to(tl.uint16) & 127) << {self._shift}) | (({byte}.to(tl.uint16) & 128) << 8))"
        number = f"({bits}.to(tl.uint16).to(tl.float16, bitcast=True).to(tl.float32) * {2.0**self.scale!r})"
        return number if self.overflow != "nan" else f'tl.where(({byte} & 127) == 127, float("nan"), {number})'


FLOATS_OF_8_BITS = {"f8e4m3": ByteFloat(3, -6, 448.0, "nan", 8), "f8e5m2": ByteFloat(2, -14, 57344.0, "inf", 0)}
"""The types by name."""
