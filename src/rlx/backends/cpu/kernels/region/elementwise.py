"""What each elementwise op emits into a kernel: one line per op.

Values in registers are *carried*: f16 and bf16 as f32 (or still in their storage type, straight after a load or a
cast), bools as i1, other dtypes unchanged. The fused kernels call `refusal` first, then `find_emit`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from rlx.backends.cpu.emit import math
from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import F32, I1, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.core.dtype import DType
from rlx.ops.control.custom_values import USER_KERNELS

Attributes = Mapping[str, Any]
Emit = Callable[[Function, Sequence[Value], Attributes, DType], Value]
"""(function, carried operands of one dtype, the op's attributes, that dtype) → the carried result. For `where` the
condition comes first and is a bool; for `cast` the dtype is the operand's."""


def carried_type(dtype: DType) -> Type:
    """The element type that holds a dtype in registers."""
    return F32 if dtype.is_low_float else type_of(dtype.name)


def widened(k: Function, value: Value) -> Value:
    """A 16-bit float as f32; others unchanged."""
    return k.convert(value, F32) if value.type.is_low_float else value


def find_emit(name: str) -> Emit | None:
    """What an op writes: its line of the table, or the one it was registered with."""
    own = USER_KERNELS[name].elementwise.get("cpu") if name in USER_KERNELS else None
    return EMIT.get(name) if own is None else lambda k, xs, attrs, dtype: own(k, *xs, **attrs)


def emit_cost(name: str) -> int:
    """How many instructions per vector; a registered op counts as a costly one."""
    return _COST.get(name, 1 if name in EMIT else 40)


def refusal(name: str, dtypes: Sequence[DType]) -> str | None:
    """Why an op cannot be computed here on operands and results of these dtypes, or None."""
    if find_emit(name) is None:
        return f"{name} is not elementwise"
    for dtype in dtypes:
        if dtype.is_complex:
            return f"{name} of {dtype}: complex arithmetic has no vector code"
        if dtype.category == "f8" and name != "cast":
            return f"{name} of {dtype}: floats of 8 and 4 bits are storage"
    return None


def cast(k: Function, value: Value, source: DType, to: DType) -> Value:
    """The number in another dtype. To a 16-bit float the result is rounded and in its storage type."""
    if source is to:
        return value
    if source.category == "f8":
        value, source = math.float8_to_f32(k, value, source.name), DType.of("f32")
    if to.category == "f8":
        return math.f32_to_float8(k, k.convert(value, F32, signed=_signed(source)), to.name)
    return k.convert(value, type_of(to.name), signed=_signed(source if source.is_integer else to))


def _signed(dtype: DType) -> bool:
    return dtype.category != "uint"


# -- one operand ------------------------------------------------------------------------------------------------
def _floating(emit: Callable[[Function, Value], Value]) -> Emit:
    """A function of a float."""
    return lambda k, xs, attrs, dtype: emit(k, xs[0])


def _rounding(emit: Callable[[Function, Value], Value]) -> Emit:
    """A function of a float that does not change ints and bools."""
    return lambda k, xs, attrs, dtype: emit(k, xs[0]) if dtype.is_float else xs[0]


def _question(emit: Callable[[Function, Value], Value], of_integers: bool) -> Emit:
    """A bool for each float, the same for all ints and bools."""

    def answer(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
        return emit(k, xs[0]) if dtype.is_float else k.constant(of_integers, I1.like(xs[0].type))

    return answer


def _relu(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    (x,) = xs
    if dtype.is_float:
        return k.maximum_fast(0.0, x)  # this order keeps NaN
    return k.maximum(x, 0) if dtype.category == "int" else x


def _relu2(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    positive = _relu(k, xs, attrs, dtype)
    return positive if dtype.is_bool else positive * positive


def _abs(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    return k.abs(xs[0]) if dtype.is_float or dtype.category == "int" else xs[0]


def _sign(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    (x,) = xs
    one, zero = k.constant(1, x.type), k.constant(0, x.type)
    if dtype.category == "uint":
        return k.select(x == 0, zero, one)
    signed = k.select(x > 0, one, k.select(x < 0, -one, zero))
    return k.select(k.is_nan(x), x, signed) if dtype.is_float else signed


def _hard_swish(k: Function, x: Value) -> Value:
    return (x * k.minimum_fast(6.0, k.maximum_fast(0.0, x + 3.0))) * (1 / 6)


# -- two operands -----------------------------------------------------------------------------------------------
def _arithmetic(number: Callable[[Value, Value], Value], boolean: Callable[[Value, Value], Value]) -> Emit:
    """An operator of numbers, and its logical counterpart on bools."""
    return lambda k, xs, attrs, dtype: (boolean if dtype.is_bool else number)(xs[0], xs[1])


def _extreme(larger: bool) -> Emit:
    def emit(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
        x, y = xs
        if dtype.is_bool:
            return x | y if larger else x & y
        if dtype.category == "uint":
            return k.unsigned_maximum(x, y) if larger else k.unsigned_minimum(x, y)
        return k.maximum(x, y) if larger else k.minimum(x, y)

    return emit


def _by_kind(number: Callable[[Function, Value, Value], Value], integer: Callable[[Function, Value, Value, bool], Value]) -> Emit:
    """A function with one form for floats and one for ints, which gets their signedness."""

    def emit(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
        return number(k, xs[0], xs[1]) if dtype.is_float else integer(k, xs[0], xs[1], _signed(dtype))

    return emit


def _shift_left(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    x, y = xs
    inside = y.ult(dtype.bits)  # a negative shift counts as too far
    return k.select(inside, x << k.select(inside, y, 0), 0)


def _shift_right(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    x, y = xs
    inside = y.ult(dtype.bits)
    shift = k.select(inside, y, 0)
    if dtype.category == "uint":
        return k.select(inside, x.ushr(shift), 0)
    return k.select(inside, x >> shift, x >> (dtype.bits - 1))


def _compare(name: str, boolean: Callable[[Value, Value], Value]) -> Emit:
    def emit(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
        if dtype.is_bool:
            return boolean(xs[0], xs[1])
        unsigned = dtype.category == "uint" and name not in ("eq", "ne")
        return k.compare(f"u{name}" if unsigned else name, xs[0], xs[1])

    return emit


def _next_after(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    return math.next_after(k, xs[0], xs[1], type_of(attrs["dtype"].name))


# -- three operands ---------------------------------------------------------------------------------------------
def _where(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    condition, x, y = xs
    if x.type.element == I1 and condition.type.lanes:
        x, y = (k.coerce(value, condition.type) for value in (x, y))
    return k.select(condition, x, y)


def _clamp(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    x, low, high = xs
    return EMIT["min"](k, [EMIT["max"](k, [x, low], attrs, dtype), high], attrs, dtype)


def _cast(k: Function, xs: Sequence[Value], attrs: Attributes, dtype: DType) -> Value:
    return cast(k, xs[0], dtype, attrs["to"])


EMIT: dict[str, Emit] = {
    # activations
    "gelu": _floating(math.gelu),
    "gelu_approx": _floating(math.gelu_tanh),
    "silu": _floating(math.silu),
    "relu": _relu,
    "sigmoid": _floating(math.sigmoid),
    "tanh": _floating(math.tanh),
    "exp": _floating(math.exp),
    "log": _floating(math.log),
    "sqrt": _floating(lambda k, x: k.sqrt(x)),
    "rsqrt": _floating(math.rsqrt),
    "neg": lambda k, xs, attrs, dtype: -xs[0],
    "abs": _abs,
    "sin": _floating(math.sin),
    "cos": _floating(math.cos),
    "tan": _floating(math.tan),
    "atan": _floating(math.atan),
    "round": _rounding(lambda k, x: k.round_even(x)),
    "erf": _floating(math.erf),
    "log1p": _floating(math.log1p),
    "expm1": _floating(math.expm1),
    "floor": _rounding(lambda k, x: k.floor(x)),
    "ceil": _rounding(lambda k, x: k.ceil(x)),
    "sign": _sign,
    "softplus": _floating(math.softplus),
    "elu": _floating(math.elu),
    "round_to_dtype": lambda k, xs, attrs, dtype: cast(k, xs[0], dtype.compute, dtype),
    "relu2": _relu2,
    "hard_swish": _floating(_hard_swish),
    "not": lambda k, xs, attrs, dtype: ~xs[0],
    "is_nan": _question(lambda k, x: k.is_nan(x), False),
    "asin": _floating(math.asin),
    "acos": _floating(math.acos),
    "sinh": _floating(math.sinh),
    "cosh": _floating(math.cosh),
    "asinh": _floating(math.asinh),
    "acosh": _floating(math.acosh),
    "atanh": _floating(math.atanh),
    "exp2": _floating(math.exp2),
    "log2": _floating(math.log2),
    "log10": _floating(math.log10),
    "cbrt": _floating(math.cbrt),
    "erfc": _floating(math.erfc),
    "erfinv": _floating(math.erfinv),
    "ndtr": _floating(math.ndtr),
    "log_ndtr": _floating(math.log_ndtr),
    "ndtri": _floating(math.ndtri),
    "lgamma": _floating(math.lgamma),
    "digamma": _floating(math.digamma),
    "polygamma": lambda k, xs, attrs, dtype: math.polygamma(k, xs[0], attrs["order"]),
    "i0e": _floating(math.i0e),
    "i1e": _floating(math.i1e),
    "trunc": _rounding(lambda k, x: k.trunc(x)),
    "is_inf": _question(lambda k, x: k.abs(x) == inf, False),
    "is_finite": _question(lambda k, x: k.abs(x) < inf, True),
    "sign_bit": _floating(lambda k, x: k.bitcast(x, x.type.integer) < 0),
    "float_exponent": _floating(math.exponent),
    "popcount": lambda k, xs, attrs, dtype: k.popcount(xs[0]),
    "count_leading_zeros": lambda k, xs, attrs, dtype: k.count_leading_zeros(xs[0]),
    # binaries
    "add": _arithmetic(lambda x, y: x + y, lambda x, y: x | y),
    "sub": lambda k, xs, attrs, dtype: xs[0] - xs[1],
    "mul": _arithmetic(lambda x, y: x * y, lambda x, y: x & y),
    "div": lambda k, xs, attrs, dtype: xs[0] / xs[1],
    "max": _extreme(True),
    "min": _extreme(False),
    "pow": _by_kind(math.pow_, math.integer_pow),
    "floor_div": _by_kind(math.floor_div, math.integer_floor_div),
    "mod": _by_kind(math.mod, math.integer_mod),
    "atan2": lambda k, xs, attrs, dtype: math.atan2(k, xs[0], xs[1]),
    "hypot": lambda k, xs, attrs, dtype: math.hypot(k, xs[0], xs[1]),
    "logaddexp": lambda k, xs, attrs, dtype: math.logaddexp(k, xs[0], xs[1]),
    "copysign": lambda k, xs, attrs, dtype: k.copysign(xs[0], xs[1]),
    "next_after": _next_after,
    "fmod": _by_kind(math.fmod, math.integer_fmod),
    "gcd": lambda k, xs, attrs, dtype: math.gcd(k, xs[0], xs[1], _signed(dtype)),
    "and": lambda k, xs, attrs, dtype: xs[0] & xs[1],
    "or": lambda k, xs, attrs, dtype: xs[0] | xs[1],
    "xor": lambda k, xs, attrs, dtype: xs[0] ^ xs[1],
    "shl": _shift_left,
    "shr": _shift_right,
    # comparisons
    "eq": _compare("eq", lambda x, y: ~(x ^ y)),
    "ne": _compare("ne", lambda x, y: x ^ y),
    "lt": _compare("lt", lambda x, y: ~x & y),
    "le": _compare("le", lambda x, y: ~x | y),
    "gt": _compare("gt", lambda x, y: x & ~y),
    "ge": _compare("ge", lambda x, y: x | ~y),
    # selection and casts
    "where": _where,
    "clamp": _clamp,
    "cast": _cast,
}

# Instructions per vector, if there are many: the cost of recomputing a value, and how far to unroll.
_COST: dict[str, int] = {
    "gelu": 40,
    "gelu_approx": 40,
    "silu": 28,
    "sigmoid": 26,
    "tanh": 24,
    "exp": 20,
    "log": 28,
    "sqrt": 6,
    "rsqrt": 10,
    "sin": 60,
    "cos": 60,
    "tan": 70,
    "atan": 30,
    "erf": 45,
    "log1p": 36,
    "expm1": 28,
    "softplus": 60,
    "elu": 30,
    "div": 5,
    "pow": 150,
    "floor_div": 40,
    "mod": 30,
    "atan2": 40,
    "sign": 4,
    "hard_swish": 5,
    "asin": 45,
    "acos": 45,
    "sinh": 35,
    "cosh": 30,
    "asinh": 50,
    "acosh": 50,
    "atanh": 45,
    "exp2": 20,
    "log2": 28,
    "log10": 30,
    "cbrt": 45,
    "erfc": 60,
    "erfinv": 80,
    "ndtr": 60,
    "log_ndtr": 160,
    "ndtri": 80,
    "lgamma": 150,
    "digamma": 120,
    "polygamma": 200,
    "i0e": 80,
    "i1e": 80,
    "hypot": 20,
    "logaddexp": 60,
    "fmod": 30,
    "gcd": 100,
    "clamp": 4,
    "max": 3,
    "min": 3,
}
