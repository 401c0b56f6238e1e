"""SSA values of generated code, with Python's operators, and their types: scalars and fixed-width vectors.

`a * b + 1` emits a multiplication and an addition into the function that owns `a`. Python numbers take the type of
the other side; a scalar combined with a vector is splatted. Integer operators are signed; the unsigned ones are methods
(`udiv`, `ushr`, `ult` …). Constants are folded.

Integers carry no sign, as in LLVM: operations choose it. The 16-bit floats are *storage* types, held as `i16` in registers: arithmetic
on them goes through `Function.convert` to f32, which works on every target.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

# -- types
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
        """The LLVM text of the complete type."""
        return f"<{self.lanes} x {self.element_text}>" if self.lanes else self.element_text

    @cached_property
    def suffix(self) -> str:
        """The mangled form used in names of overloaded intrinsics: `v8f32`, `i64`, `p0`."""
        element = {"ptr": "p0", "f16": "i16", "bf16": "i16"}.get(self.name, self.name)
        return f"v{self.lanes}{element}" if self.lanes else element

    def vector(self, lanes: int) -> Type:
        """The vector type of these elements; `lanes == 0` gives the scalar type."""
        key = (self.name, lanes)
        kind = _VECTORS.get(key)
        if kind is None:
            kind = _VECTORS[key] = Type(self.name, self.bits, lanes)
        return kind

    def like(self, other: Type) -> Type:
        """The type of these elements with the lanes of `other`."""
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


if TYPE_CHECKING:
    from rlx.backends.cpu.emit.emitter import Emitter


class Value:
    """One SSA value: its type, the text that names it, and its number if it is a constant."""

    __slots__ = ("constant", "function", "text", "type")

    def __init__(self, function: Emitter, kind: Type, text: str, constant: float | None = None) -> None:
        self.function = function
        self.type = kind
        self.text = text
        self.constant = constant

    def __repr__(self) -> str:
        return f"{self.type!r} {self.text}"

    def __bool__(self) -> bool:
        if self.constant is None:
            raise TypeError("the value is only known at run time: use k.when(...) or k.select(...)")
        return bool(self.constant)

    __hash__ = object.__hash__

    # -- arithmetic
    def __add__(self, other: Operand) -> Value:
        return self.function.binary("add", self, other)

    def __radd__(self, other: Operand) -> Value:
        return self.function.binary("add", other, self)

    def __sub__(self, other: Operand) -> Value:
        return self.function.binary("sub", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.function.binary("sub", other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.function.binary("mul", self, other)

    def __rmul__(self, other: Operand) -> Value:
        return self.function.binary("mul", other, self)

    def __truediv__(self, other: Operand) -> Value:
        return self.function.binary("div", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self.function.binary("div", other, self)

    def __floordiv__(self, other: Operand) -> Value:
        return self.function.floor_divide(self, other)

    def __rfloordiv__(self, other: Operand) -> Value:
        return self.function.floor_divide(other, self)

    def __mod__(self, other: Operand) -> Value:
        return self.function.floor_modulo(self, other)

    def __rmod__(self, other: Operand) -> Value:
        return self.function.floor_modulo(other, self)

    def __neg__(self) -> Value:
        return self.function.negate(self)

    # -- bits
    def __lshift__(self, other: Operand) -> Value:
        return self.function.binary("shl", self, other)

    def __rshift__(self, other: Operand) -> Value:
        """Arithmetic shift; `ushr` is the logical one."""
        return self.function.binary("ashr", self, other)

    def __and__(self, other: Operand) -> Value:
        return self.function.binary("and", self, other)

    def __rand__(self, other: Operand) -> Value:
        return self.function.binary("and", other, self)

    def __or__(self, other: Operand) -> Value:
        return self.function.binary("or", self, other)

    def __ror__(self, other: Operand) -> Value:
        return self.function.binary("or", other, self)

    def __xor__(self, other: Operand) -> Value:
        return self.function.binary("xor", self, other)

    def __rxor__(self, other: Operand) -> Value:
        return self.function.binary("xor", other, self)

    def __invert__(self) -> Value:
        return self.function.binary("xor", self, 1 if self.type.bits == 1 else -1)

    # -- comparisons (floats: ordered, but `!=` is true for NaN, as in IEEE and NumPy)
    def __lt__(self, other: Operand) -> Value:
        return self.function.compare("lt", self, other)

    def __le__(self, other: Operand) -> Value:
        return self.function.compare("le", self, other)

    def __gt__(self, other: Operand) -> Value:
        return self.function.compare("gt", self, other)

    def __ge__(self, other: Operand) -> Value:
        return self.function.compare("ge", self, other)

    def __eq__(self, other: Operand) -> Value:  # type: ignore[override]
        return self.function.compare("eq", self, other)

    def __ne__(self, other: Operand) -> Value:  # type: ignore[override]
        return self.function.compare("ne", self, other)

    # -- unsigned and truncating variants
    def udiv(self, other: Operand) -> Value:
        """Unsigned quotient."""
        return self.function.binary("udiv", self, other)

    def urem(self, other: Operand) -> Value:
        """Unsigned remainder."""
        return self.function.binary("urem", self, other)

    def sdiv(self, other: Operand) -> Value:
        """Signed quotient rounded toward zero, as in C."""
        return self.function.binary("sdiv", self, other)

    def srem(self, other: Operand) -> Value:
        """Signed remainder with the sign of the dividend, as in C; for floats, `fmod`."""
        return self.function.binary("srem", self, other)

    def ushr(self, other: Operand) -> Value:
        """Logical shift right."""
        return self.function.binary("lshr", self, other)

    def ult(self, other: Operand) -> Value:
        """Unsigned less than."""
        return self.function.compare("ult", self, other)

    def ugt(self, other: Operand) -> Value:
        """Unsigned greater than."""
        return self.function.compare("ugt", self, other)

    def uge(self, other: Operand) -> Value:
        """Unsigned greater or equal."""
        return self.function.compare("uge", self, other)


Operand = Value | int | float
"""An operand of an instruction: a value, or a Python number that becomes a constant of the right type."""


class Variable:
    """A mutable local: a stack slot of the entry block that code generation turns into registers."""

    __slots__ = ("_slot", "_type")

    def __init__(self, slot: Value, kind: Type) -> None:
        self._slot = slot
        self._type = kind

    def get(self) -> Value:
        """Loads the current value."""
        function = self._slot.function
        return function.instruction(self._type, f"load {self._type.text}, ptr {self._slot.text}")

    def set(self, value: Operand) -> None:
        """Stores a new value."""
        function = self._slot.function
        stored = function.coerce(value, self._type)
        function.line(f"store {self._type.text} {stored.text}, ptr {self._slot.text}")
