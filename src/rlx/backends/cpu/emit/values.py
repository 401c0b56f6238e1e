"""SSA values of generated code, with Python's operators.

`a * b + 1` emits a multiplication and an addition into the function that owns `a`. Python numbers take the type of
the other side; a scalar combined with a vector is splatted. Integer operators are signed; the unsigned ones are methods
(`udiv`, `ushr`, `ult` …). Constants are folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlx.backends.cpu.emit.types import Type

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
        """The current value."""
        function = self._slot.function
        return function.instruction(self._type, f"load {self._type.text}, ptr {self._slot.text}")

    def set(self, value: Operand) -> None:
        """Replace the value."""
        function = self._slot.function
        stored = function.coerce(value, self._type)
        function.line(f"store {self._type.text} {stored.text}, ptr {self._slot.text}")
