"""What each elementwise op emits into a kernel: its formula, over the instructions of the CPU.

Values in registers are *carried*: f16 and bf16 as f32 (or still in their storage type, straight after a load or a
cast), bools as i1, other dtypes unchanged. The fused kernels call `refusal` first, then `find_emit`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.backends.cpu.emit import math
from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import F32, Type, Value, type_of
from rlx.core.dtype import DType
from rlx.formulas.algebra import Formula
from rlx.formulas.elementwise import FORMULAS
from rlx.ops.control.custom_values import USER_KERNELS

Attributes = Mapping[str, Any]
Emit = Callable[[Function, Sequence[Value], Attributes, DType], Value]
"""(function, carried operands of one dtype, the op's attributes, that dtype) → the carried result. For `where` the
condition comes first and is a bool; for `cast` the dtype is the operand's."""


def carried_type(dtype: DType) -> Type:
    """The element type that holds a dtype in registers: f32 for the 16-bit floats."""
    return F32 if dtype.is_low_float else type_of(dtype.name)


def widened(k: Function, value: Value) -> Value:
    """Convert a 16-bit float to f32; returns other values unchanged."""
    return k.convert(value, F32) if value.type.is_low_float else value


def find_emit(name: str) -> Emit | None:
    """The function that emits an elementwise op: its formula from the table, or the one it was registered with."""
    own = USER_KERNELS[name].elementwise.get("cpu") if name in USER_KERNELS else None
    return EMIT.get(name) if own is None else lambda k, xs, attrs, dtype: own(k, *xs, **attrs)


def emit_cost(name: str) -> int:
    """Instructions per vector of an elementwise op; a registered op counts as a costly one."""
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
    """Cast a number to another dtype. To a 16-bit float the result is rounded and in its storage type."""
    return math.CpuAlgebra(k).cast(value, source, to)


def _emit_formula(formula: Formula) -> Emit:
    return lambda k, xs, attrs, dtype: formula(math.CpuAlgebra(k, dtype), *xs, **attrs)


EMIT: dict[str, Emit] = {name: _emit_formula(formula) for name, formula in FORMULAS.items()}
"""The ops by name."""
EMIT["gelu_approx"] = lambda k, xs, attrs, dtype: math.gelu_tanh(
    k, xs[0]
)  # half the instructions of the formula: no exp of its own

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
