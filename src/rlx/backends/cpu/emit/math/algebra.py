"""The algebra of formulas over a function under construction: most primitives are the function's own instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math import division, exponential, trigonometric
from rlx.backends.cpu.emit.math.exact import multiply_exactly
from rlx.backends.cpu.emit.values import F32, F64, I1, Operand, Value, type_of
from rlx.core.dtype import DType
from rlx.formulas.algebra import Formula
from rlx.formulas.low_floats import f32_to_float8, float8_to_f32

_F32 = DType.of("f32")


def _own(emit: Callable[..., Value]) -> Callable[..., Value]:
    """A primitive of the algebra computed by a function of `emit.math`."""
    return lambda self, *xs: emit(self.k, *xs)


class CpuAlgebra:
    """The formulas' primitives as LLVM instructions of one op; what is not here is a method of `Function`."""

    def __init__(self, k: Function, dtype: DType = _F32) -> None:
        self.k, self.dtype = k, dtype
        self.signed = dtype.category != "uint"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.k, name)

    def kind(self, x: Value) -> str:
        return x.type.name

    def constant(self, number: float, like: Value) -> Value:
        return self.k.constant(number, like.type)

    def select(self, condition: Value, a: Operand, b: Operand) -> Value:
        if condition.type.lanes and isinstance(a, Value) and a.type.element == I1:  # one of them may be a scalar
            a, b = self.k.coerce(a, condition.type), self.k.coerce(b, condition.type)
        return self.k.select(condition, a, b)

    def rarely(self, condition: Value, make: Callable[[], Value], otherwise: Value) -> Value:
        """Emits a branch that is taken if some lane needs it."""
        result = self.k.var(otherwise)
        with self.k.when(self.k.any_lane(condition) if condition.type.lanes else condition):
            result.set(self.k.select(condition, make(), otherwise))
        return result.get()

    def exact_product(self, a: Value, b: Value) -> tuple[Value, Value]:
        return multiply_exactly(self.k, a, b)

    def as_is(self, x: Value) -> Value:
        return x

    def in_f64(self, formula: Formula, x: Value) -> Value:
        result: Value = formula(x if x.type.bits == 64 else self.k.convert(x, F64))
        return self.k.convert(result, x.type)

    exp, exp_parts, exp2, expm1 = _own(exponential.exp), _own(exponential.exp), _own(exponential.exp2), _own(exponential.expm1)
    exp_negative, exp_of_square = _own(exponential.exp_negative), _own(exponential.exp_of_square)
    log, log1p, log2, log10 = (_own(f) for f in (exponential.log, exponential.log1p, exponential.log2, exponential.log10))
    sinh, cosh, tanh = _own(exponential.sinh), _own(exponential.cosh), _own(exponential.tanh)
    sigmoid, erf, cbrt, pow = (_own(f) for f in (exponential.sigmoid, exponential.erf, exponential.cbrt, exponential.pow_))
    sin, cos, tan = _own(trigonometric.sin), _own(trigonometric.cos), _own(trigonometric.tan)
    atan, atan2 = _own(trigonometric.atan), _own(trigonometric.atan2)
    fmod, integer_pow = _own(division.fmod), _own(division.integer_pow)

    # -- integers and bits
    def minimum(self, a: Operand, b: Operand) -> Value:
        return self.k.minimum(a, b) if self.signed else self.k.unsigned_minimum(a, b)

    def maximum(self, a: Operand, b: Operand) -> Value:
        return self.k.maximum(a, b) if self.signed else self.k.unsigned_maximum(a, b)

    def compare(self, name: str, x: Value, y: Value) -> Value:
        return self.k.compare(name if self.signed or name in ("eq", "ne") else f"u{name}", x, y)

    def truth(self, value: bool, like: Value) -> Value:
        return self.k.constant(value, I1.like(like.type))

    def within(self, x: Value, count: int) -> Value:
        return x.ult(count)

    def logical_shift(self, x: Value, places: Operand) -> Value:
        return x.ushr(places)

    def floor_divide(self, x: Value, y: Value) -> Value:
        return self.k.floor_divide(x, y) if self.signed else x.udiv(y)

    def floor_modulo(self, x: Value, y: Value) -> Value:
        return self.k.floor_modulo(x, y) if self.signed else x.urem(y)

    def remainder(self, x: Value, y: Value) -> Value:
        return x.srem(y) if self.signed else x.urem(y)

    def spread(self, scalar: Value, like: Value) -> Value:
        return self.k.coerce(scalar, like.type)

    def gcd(self, x: Value, y: Value) -> Value:
        return division.gcd(self.k, x, y, self.signed)

    def cast(self, x: Value, source: DType, to: DType) -> Value:
        """Casts a number; a result of a 16-bit float type is rounded and in its storage type."""
        if source is to:
            return x
        if source.category == "f8":
            x, source = float8_to_f32(CpuAlgebra(self.k), x, source.name), _F32
        if to.category == "f8":
            wide = self.k.convert(x, F32, signed=source.category != "uint")
            byte: Value = f32_to_float8(CpuAlgebra(self.k), wide, to.name)
            return byte
        return self.k.convert(x, type_of(to.name), signed=(source if source.is_integer else to).category != "uint")

    def bits(self, x: Value) -> Value:
        return self.k.bitcast(x, x.type.integer)

    def stored_bits(self, x: Value, dtype: DType) -> Value:
        return self.bits(self.k.convert(x, type_of(dtype.name)))

    def from_stored_bits(self, bits: Value, dtype: DType) -> Value:
        return self.k.bitcast(bits, type_of(dtype.name).like(bits.type))


def emitter_of(formula: Formula) -> Callable[..., Value]:
    """Wraps a formula of floats as a function that emits it into a function under construction, its first parameter."""
    return lambda k, *xs, **attributes: formula(CpuAlgebra(k), *xs, **attributes)
