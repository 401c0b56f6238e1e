"""Shared by all instruction families of a function: lines, names, constants, operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rlx.backends.cpu.emit.values import F64, I1, I64, PTR, Operand, Type, Value, Variable, round_to_f32

if TYPE_CHECKING:
    from rlx.backends.cpu.emit.builder import Module
    from rlx.backends.cpu.target import Target

_FLOAT_NAMES = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv", "srem": "frem"}
_FOLDS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
_NONNEGATIVE_FOLDS: dict[str, Callable[[int, int], int]] = {
    "udiv": operator.floordiv,
    "sdiv": operator.floordiv,
    "urem": operator.mod,
    "srem": operator.mod,
    "shl": operator.lshift,
    "ashr": operator.rshift,
    "lshr": operator.rshift,
}
_NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0, "shl": 0, "ashr": 0, "lshr": 0, "mul": 1, "udiv": 1, "sdiv": 1}
_COMPARES: dict[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


def _wrap(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value if bits == 1 or value < 1 << (bits - 1) else value - (1 << bits)


class Emitter:
    """Emits LLVM text line by line. Subclasses add instruction families; `Function` in `builder.py` has them all."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.target: Target = module.target
        self.fast = ""
        """Fast-math flags for float operators, such as "contract". Empty: IEEE as written."""
        self.lines: list[str] = []
        self.entry_lines: list[str] = []
        self._names = 0
        self._blocks = 0
        self.block = "entry"

    # -- text
    def line(self, text: str) -> None:
        """Appends one instruction that has no result."""
        self.lines.append(text)

    def instruction(self, kind: Type, text: str) -> Value:
        """Appends one instruction and names its result."""
        name = f"%v{self._names}"
        self._names += 1
        self.lines.append(f"{name} = {text}")
        return Value(self, kind, name)

    def label(self, hint: str) -> str:
        """A new label for a basic block."""
        self._blocks += 1
        return f"{hint}{self._blocks}"

    def begin_block(self, name: str) -> None:
        """Starts a basic block; the previous one must have ended with a branch."""
        self.lines.append(f"{name}:")
        self.block = name

    # -- constants and coercion
    def constant(self, value: float, like: Type | Value) -> Value:
        """A Python number as a constant of a type, or of a value's type; splatted over the lanes of a vector."""
        kind = like.type if isinstance(like, Value) else like
        if kind.is_integer:
            value = _wrap(int(value), kind.bits)
        elif kind.name == "f32":
            value = round_to_f32(value)
        return Value(self, kind, kind.literal(value), value)

    def coerce(self, operand: Operand, kind: Type) -> Value:
        """`operand` as a value of `kind`: a number becomes a constant, a scalar is splatted over a vector's lanes."""
        if not isinstance(operand, Value):
            return self.constant(operand, kind)
        if operand.type == kind:
            return operand
        if operand.type == kind.element:
            return self.splat(operand, kind.lanes)
        raise TypeError(f"expected {kind!r}, got {operand.type!r} ({operand.text})")

    def coerce_pair(self, a: Operand, b: Operand) -> tuple[Value, Value]:
        """Both operands in their common type."""
        if isinstance(a, Value):
            if isinstance(b, Value) and b.type.lanes and not a.type.lanes:
                return self.coerce(a, b.type), b
            return a, self.coerce(b, a.type)
        if isinstance(b, Value):
            return self.coerce(a, b.type), b
        kind = I64 if isinstance(a, int) and isinstance(b, int) else F64
        return self.constant(a, kind), self.constant(b, kind)

    def index(self, value: Operand) -> Value:
        """An i64, from a Python int or a value."""
        return self.coerce(value, I64)

    def splat(self, value: Operand, lanes: int, kind: Type | None = None) -> Value:
        """A scalar in every lane. A Python number needs `kind`, its element type."""
        if not isinstance(value, Value):
            if kind is None:
                raise TypeError("splat of a Python number needs its element type")
            return self.constant(value, kind.element.vector(lanes))
        vector = value.type.vector(lanes)
        if value.constant is not None:
            return self.constant(value.constant, vector)
        first = self.instruction(vector, f"insertelement {vector.text} poison, {value.type.text} {value.text}, i32 0")
        return self.instruction(
            vector, f"shufflevector {vector.text} {first.text}, {vector.text} poison, <{lanes} x i32> zeroinitializer"
        )

    # -- operators
    def binary(self, name: str, a: Operand, b: Operand) -> Value:
        """One arithmetic or bit instruction, folded when both sides are integer constants or one is neutral."""
        x, y = self.coerce_pair(a, b)
        kind = x.type
        if kind.is_float:
            if name not in _FLOAT_NAMES:
                raise TypeError(f"{name} of {kind!r}")
            flags = f" {self.fast}" if self.fast else ""
            return self.instruction(kind, f"{_FLOAT_NAMES[name]}{flags} {kind.text} {x.text}, {y.text}")
        if not kind.is_integer or name == "div":
            raise TypeError(f"{name} of {kind!r}" + ("; use // or sdiv" if kind.is_integer else "; convert it first"))
        folded = self._fold(name, x, y)
        if folded is not None:
            return folded
        return self.instruction(kind, f"{name} {kind.text} {x.text}, {y.text}")

    def _fold(self, name: str, x: Value, y: Value) -> Value | None:
        if x.constant is not None and y.constant is not None:
            a, b = int(x.constant), int(y.constant)
            if name in _FOLDS:
                return self.constant(_FOLDS[name](a, b), x.type)
            in_range = a >= 0 and (0 <= b < x.type.bits if name in ("shl", "ashr", "lshr") else b > 0)
            if in_range:
                return self.constant(_NONNEGATIVE_FOLDS[name](a, b), x.type)
        ones = 1 if x.type.bits == 1 else -1
        for value, other, right in ((y, x, True), (x, y, False)):
            if value.constant is None or not (right or name in ("add", "mul", "and", "or", "xor")):
                continue
            if value.constant == (ones if name == "and" else _NEUTRAL.get(name)):
                return other
            if value.constant == 1 and name in ("urem", "srem"):
                return self.constant(0, x.type)
            if (value.constant == 0 and name in ("mul", "and")) or (value.constant == ones and name == "or"):
                return value
        return None

    def floor_divide(self, a: Operand, b: Operand) -> Value:
        """Integer quotient rounded down, as in Python."""
        x, y = self.coerce_pair(a, b)
        if not x.type.is_integer:
            raise TypeError(f"// of {x.type!r}")
        if x.constant is not None and y.constant:
            return self.constant(int(x.constant) // int(y.constant), x.type)
        if y.constant is not None and y.constant > 0 and int(y.constant).bit_count() == 1:
            return self.binary("ashr", x, int(y.constant).bit_length() - 1)
        quotient = self.binary("sdiv", x, y)
        remainder = x - quotient * y
        inexact_and_opposite = self.compare("ne", remainder, 0) & self.compare("lt", remainder ^ y, 0)
        return self.select(inexact_and_opposite, quotient - 1, quotient)

    def floor_modulo(self, a: Operand, b: Operand) -> Value:
        """Integer remainder with the sign of the divisor, as in Python."""
        x, y = self.coerce_pair(a, b)
        if not x.type.is_integer:
            raise TypeError(f"% of {x.type!r}")
        if x.constant is not None and y.constant:
            return self.constant(int(x.constant) % int(y.constant), x.type)
        if y.constant is not None and y.constant > 0 and int(y.constant).bit_count() == 1:
            return x & (int(y.constant) - 1)
        remainder = self.binary("srem", x, y)
        wrong_sign = self.compare("ne", remainder, 0) & self.compare("lt", remainder ^ y, 0)
        return self.select(wrong_sign, remainder + y, remainder)

    def negate(self, value: Value) -> Value:
        """`-value`; the sign bit of a float is flipped, also for zero and NaN."""
        if value.type.is_float:
            if value.constant is not None:
                return self.constant(-value.constant, value.type)
            return self.instruction(value.type, f"fneg {value.type.text} {value.text}")
        return self.binary("sub", 0, value)

    def compare(self, name: str, a: Operand, b: Operand) -> Value:
        """A comparison, giving i1 lanes: lt le gt ge eq ne, unsigned ult ule ugt uge; for floats any LLVM predicate."""
        x, y = self.coerce_pair(a, b)
        result = I1.like(x.type)
        if x.constant is not None and y.constant is not None and name in _COMPARES:
            return self.constant(int(_COMPARES[name](x.constant, y.constant)), result)
        if x.type.is_float:
            predicate = "une" if name == "ne" else "o" + name if name in _COMPARES else name
            return self.instruction(result, f"fcmp {predicate} {x.type.text} {x.text}, {y.text}")
        if x.type.is_low_float:
            raise TypeError(f"comparison of {x.type!r}; convert it first")
        predicate = "s" + name if name in ("lt", "le", "gt", "ge") else name
        return self.instruction(result, f"icmp {predicate} {x.type.text} {x.text}, {y.text}")

    def select(self, condition: Operand, a: Operand, b: Operand) -> Value:
        """`a` where the condition is true, else `b`. A scalar condition selects complete vectors."""
        x, y = self.coerce_pair(a, b)
        if not isinstance(condition, Value):
            return x if condition else y
        if condition.constant is not None:
            return x if condition.constant else y
        if condition.type.lanes and not x.type.lanes:
            x, y = self.splat(x, condition.type.lanes), self.splat(y, condition.type.lanes)
        return self.instruction(
            x.type, f"select {condition.type.text} {condition.text}, {x.type.text} {x.text}, {y.type.text} {y.text}"
        )

    # -- locals
    def var(self, initial: Operand, kind: Type | None = None) -> Variable:
        """A mutable local. Code generation promotes it to registers, so loops need no bookkeeping."""
        if kind is None:
            if not isinstance(initial, Value):
                kind = I64 if isinstance(initial, int) else F64
            else:
                kind = initial.type
        variable = Variable(self._slot(kind.text), kind)
        variable.set(initial)
        return variable

    def alloca(self, kind: Type, count: int, align: int = 64) -> Value:
        """A pointer to `count` elements on the stack, allocated once in the entry block."""
        return self._slot(f"[{count} x {kind.text}]", align)

    def _slot(self, text: str, align: int = 0) -> Value:
        name = f"%s{len(self.entry_lines)}"
        self.entry_lines.append(f"{name} = alloca {text}" + (f", align {align}" if align else ""))
        return Value(self, PTR, name)

    # -- calls
    def intrinsic(self, name: str, result: Type | None, arguments: Sequence[Value], attributes: str = "") -> Value:
        """Calls an LLVM intrinsic by its full mangled name, declaring it once in the module."""
        self.module.declare(name, result, [argument.type for argument in arguments])
        return self.call_text(f"@{name}", result, arguments, attributes)

    def call_text(self, callee: str, result: Type | None, arguments: Sequence[Value], attributes: str = "") -> Value:
        """Emits a call to a callee given as text."""
        passed = ", ".join(f"{argument.type.text} {argument.text}" for argument in arguments)
        suffix = f" {attributes}" if attributes else ""
        if result is None:
            self.line(f"call void {callee}({passed}){suffix}")
            return Value(self, PTR, "poison")
        return self.instruction(result, f"call {result.text} {callee}({passed}){suffix}")
