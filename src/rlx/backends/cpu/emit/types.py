"""The types of generated code: scalars and fixed-width vectors, with the text LLVM reads for them.

Integers carry no sign, as in LLVM: operations choose it. The 16-bit floats are *storage* types, held as `i16` in
registers: arithmetic on them goes through `Function.convert` to f32, which works on every target.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cached_property

_TEXT = {"f32": "float", "f64": "double", "f16": "i16", "bf16": "i16"}


@dataclass(frozen=True, eq=False)
class Type:
    """A scalar (`lanes == 0`) or a vector of `lanes` elements. `name` is the element's: "i32", "f32", "bf16", "ptr"…"""

    name: str
    bits: int
    lanes: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name and self.lanes == other.lanes

    def __hash__(self) -> int:
        return hash((self.name, self.lanes))

    def __repr__(self) -> str:
        return f"{self.name}x{self.lanes}" if self.lanes else self.name

    @cached_property
    def is_integer(self) -> bool:
        """True for i1 … i64."""
        return self.name[0] == "i"

    @cached_property
    def is_float(self) -> bool:
        """True for the floats that have arithmetic: f32 and f64."""
        return self.name in ("f32", "f64")

    @cached_property
    def is_low_float(self) -> bool:
        """True for the storage-only floats: f16 and bf16."""
        return self.name in ("f16", "bf16")

    @cached_property
    def size(self) -> int:
        """Bytes of one element in memory; a bool takes one byte."""
        return max(1, self.bits // 8)

    @cached_property
    def element(self) -> Type:
        """The scalar type of the lanes (itself for a scalar)."""
        return _SCALARS[self.name] if self.lanes else self

    @cached_property
    def element_text(self) -> str:
        """The LLVM text of one element."""
        return _TEXT.get(self.name, self.name)

    @cached_property
    def text(self) -> str:
        """The LLVM text of the whole type."""
        return f"<{self.lanes} x {self.element_text}>" if self.lanes else self.element_text

    @cached_property
    def suffix(self) -> str:
        """The mangled form used in names of overloaded intrinsics: `v8f32`, `i64`, `p0`."""
        element = {"ptr": "p0", "f16": "i16", "bf16": "i16"}.get(self.name, self.name)
        return f"v{self.lanes}{element}" if self.lanes else element

    def vector(self, lanes: int) -> Type:
        """A vector of this element type; `lanes == 0` gives the scalar."""
        key = (self.name, lanes)
        found = _VECTORS.get(key)
        if found is None:
            found = _VECTORS[key] = Type(self.name, self.bits, lanes)
        return found

    def like(self, other: Type) -> Type:
        """This element type with the lanes of `other`."""
        return self.vector(other.lanes)

    @cached_property
    def integer(self) -> Type:
        """The integer type of the same width and lanes: what a bit cast gives."""
        return _SCALARS["i64" if self.name == "ptr" else f"i{self.bits}"].vector(self.lanes)

    def literal(self, value: float) -> str:
        """The LLVM constant for a Python number, splatted over the lanes of a vector."""
        one = _scalar_literal(self.element, value)
        return f"splat ({self.element_text} {one})" if self.lanes else one


def _scalar_literal(kind: Type, value: float) -> str:
    if kind.name == "f64":
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    if kind.name == "f32":
        return f"0x{struct.unpack('<Q', struct.pack('<d', round_to_f32(value)))[0]:016X}"
    if kind.name == "f16":
        return str(_f16_bits(value))
    if kind.name == "bf16":
        return str(_bf16_bits(value))
    if kind.name == "ptr":
        return "null" if value == 0 else f"inttoptr (i64 {int(value)} to ptr)"
    if kind.name == "i1":
        return "true" if value else "false"
    if value != int(value):
        raise TypeError(f"{value!r} is not an {kind.name}")
    return str(int(value))


def round_to_f32(value: float) -> float:
    """The f32 nearest to a Python float, overflowing to infinity."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _f16_bits(value: float) -> int:
    try:
        return int(struct.unpack("<H", struct.pack("<e", value))[0])
    except OverflowError:
        return 0xFC00 if value < 0 else 0x7C00


def _bf16_bits(value: float) -> int:
    if math.isnan(value):
        return 0x7FC0
    bits = int(struct.unpack("<I", struct.pack("<f", round_to_f32(value)))[0])
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


_SCALARS = {
    name: Type(name, bits)
    for name, bits in [
        ("i1", 1),
        ("i8", 8),
        ("i16", 16),
        ("i32", 32),
        ("i64", 64),
        ("f16", 16),
        ("bf16", 16),
        ("f32", 32),
        ("f64", 64),
        ("ptr", 64),
    ]
}
_VECTORS: dict[tuple[str, int], Type] = {(name, 0): kind for name, kind in _SCALARS.items()}

I1, I8, I16, I32, I64 = (_SCALARS[name] for name in ("i1", "i8", "i16", "i32", "i64"))
F16, BF16, F32, F64, PTR = (_SCALARS[name] for name in ("f16", "bf16", "f32", "f64", "ptr"))


def type_of(name: str) -> Type:
    """The element type that stores a dtype, by name: `u8` and floats of 8 and 4 bits as `i8`, `bool` as `i1`."""
    if name in _SCALARS:
        return _SCALARS[name]
    if name == "bool":
        return I1
    if name[0] == "u":
        return _SCALARS["i" + name[1:]]
    if name.startswith(("f8", "f4")):
        return I8
    raise KeyError(f"no machine type stores {name!r}")
