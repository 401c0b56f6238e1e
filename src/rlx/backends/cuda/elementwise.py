"""What each elementwise op writes into a kernel: an expression of its operands.

Values in registers are *carried*: f16 and bf16 as fp32, bools as int1, other dtypes as they are. `libdevice` is CUDA's library of
mathematical functions, which Triton links into the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rlx.backends.cuda import special
from rlx.backends.cuda.float8 import FLOATS_OF_8_BITS
from rlx.backends.cuda.gelu import gelu
from rlx.backends.cuda.register_types import carried, cast, divided, literal, rooted
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType

Attributes = Mapping[str, Any]
Emit = Callable[[KernelText, Sequence[str], Attributes, DType], str]
"""(kernel, operands, attributes, the last operand's dtype) → an expression. The condition of `where` comes first."""


def refusal(name: str, dtypes: Sequence[DType]) -> str | None:
    """Why an op cannot be computed here on operands and results of these dtypes, or None."""
    if name not in EMIT:
        return f"{name} has no line in the table of elementwise ops"
    for dtype in dtypes:
        if dtype.is_complex:
            return f"{name} of {dtype}: complex numbers are computed by their parts"
        if dtype.category == "f8" and (name != "cast" or dtype.name not in FLOATS_OF_8_BITS):
            return f"{name} of {dtype}: floats of 8 and 4 bits are storage"
    return None


# -- forms of a table line -----------------------------------------------------------------------------------------
def _floating(template: str) -> Emit:
    """An expression of a float {x} (and {y})."""
    return lambda k, xs, attrs, dtype: template.format(x=xs[0], y=xs[-1])


def _library(name: str) -> Emit:
    return lambda k, xs, attrs, dtype: f"libdevice.{name}({', '.join(xs)})"


def _rounding(template: str) -> Emit:
    """A function of a float that leaves ints and bools."""
    return lambda k, xs, attrs, dtype: template.format(x=xs[0]) if dtype.is_float else xs[0]


def _question(template: str, of_integers: bool) -> Emit:
    return lambda k, xs, attrs, dtype: (
        template.format(x=xs[0]) if dtype.is_float else f"({xs[0]} == {xs[0]})" if of_integers else f"({xs[0]} != {xs[0]})"
    )


def _kinds(number_form: str, boolean_form: str) -> Emit:
    """One expression for numbers, another for bools."""
    return lambda k, xs, attrs, dtype: (boolean_form if dtype.is_bool else number_form).format(x=xs[0], y=xs[-1])


def _by_kind(floats: Emit, integers: Emit) -> Emit:
    return lambda k, xs, attrs, dtype: (floats if dtype.is_float else integers)(k, xs, attrs, dtype)


def _div(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return divided(xs[0], xs[1], dtype)


def _one(dtype: DType) -> str:
    return literal(1, dtype)


def _rsqrt(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return divided(_one(dtype), rooted(xs[0], dtype), dtype)


def _sigmoid(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return divided(_one(dtype), f"(1.0 + libdevice.exp(-{xs[0]}))", dtype)


def _silu(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return divided(xs[0], f"(1.0 + libdevice.exp(-{xs[0]}))", dtype)


def _gelu_approx(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """x·sigmoid(u), u = 2·√(2/π)·(x + 0.044715·x³): the same as x·(1 + tanh(u/2))/2 without its cancellation.

    e^u magnifies the rounding of u, so u has a second part: what each step of it lost.
    """
    x = xs[0]
    k.as_written = True
    (a, a_rest), (c, c_rest) = (_in_parts(*value, dtype) for value in ((0.044715, 0.0), _RATE))
    square = k.let(f"{x} * {x}")
    cube = k.let(f"{square} * {a!r}")
    lost = k.let(f"tl.fma({square}, {literal(a, dtype)}, -{cube}) + tl.fma({x}, {x}, -{square}) * {a!r} + {square} * {a_rest!r}")
    total = k.let(f"{cube} + 1.0")
    one = k.let(f"{total} - {cube}")
    lost = k.let(f"({cube} - ({total} - {one})) + (1.0 - {one}) + {lost}")
    scaled = k.let(f"{x} * {c!r}")
    scaled_lost = k.let(f"tl.fma({x}, {literal(c, dtype)}, -{scaled}) + {x} * {c_rest!r}")
    u = k.let(f"{scaled} * {total}")
    rest = k.let(f"tl.fma({scaled}, {total}, -{u}) + {scaled} * {lost} + {scaled_lost} * {total}")
    power = k.let(f"libdevice.exp(-{u})")
    power = k.let(f"tl.where(tl.abs({rest}) < 1.0, {power} - {power} * {rest}, {power})")
    return divided(x, f"(1.0 + {power})", dtype)


_RATE = (2 * math.sqrt(2 / math.pi), -9.96930880911092e-17)
"""2·√(2/π), and what its rounding lost."""


def _in_parts(value: float, lost: float, dtype: DType) -> tuple[float, float]:
    """A number as the nearest of a dtype, and what is left."""
    near = value if dtype.name == "f64" else float(np.float32(value))
    return near, value - near + lost


def _relu(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x = xs[0]
    return x if dtype.is_bool or dtype.category == "uint" else f"tl.where({x} < 0, {literal(0, dtype)}, {x})"


def _relu2(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    positive = k.let(_relu(k, xs, attrs, dtype))
    return positive if dtype.is_bool else f"{positive} * {positive}"


def _sign(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x, one, zero = xs[0], _one(dtype), literal(0, dtype)
    if dtype.category == "uint":
        return f"tl.where({x} == 0, {zero}, {one})"
    signed = f"tl.where({x} > 0, {one}, tl.where({x} < 0, {literal(-1, dtype)}, {zero}))"
    return f"tl.where({x} != {x}, {x}, {signed})" if dtype.is_float else signed


def _softplus(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x = xs[0]
    return f"tl.where({x} > 0, {x}, 0.0 * {x}) + libdevice.log1p(libdevice.exp(-tl.abs({x})))"


def _extreme(name: str) -> Emit:
    def emit(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
        x, y = xs
        if dtype.is_bool:
            return f"({x} {'|' if name == 'maximum' else '&'} {y})"
        if dtype.is_float:
            return f"tl.{name}({x}, {y}, propagate_nan=tl.PropagateNan.ALL)"
        return f"tl.where({x} {'>' if name == 'maximum' else '<'} {y}, {x}, {y})"

    return emit


def _compare(sign: str, boolean: str) -> Emit:
    return lambda k, xs, attrs, dtype: (boolean if dtype.is_bool else f"({{x}} {sign} {{y}})").format(x=xs[0], y=xs[1])


# -- remainders ----------------------------------------------------------------------------------------------------
def _mod(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x, y = xs
    rest = k.let(f"libdevice.fmod({x}, {y})")
    wrong = k.let(f"({rest} != 0.0) & (({rest} < 0.0) != ({y} < 0.0))")
    moved = k.let(f"tl.where({wrong}, {rest} + {y}, {rest})")
    return f"tl.where({rest} == 0.0, libdevice.copysign({rest}, {y}), {moved})"


def _floor_div(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """From the exact remainder, so never off by one."""
    x, y = xs
    rest = k.let(f"libdevice.fmod({x}, {y})")
    wrong = k.let(f"({rest} != 0.0) & (({rest} < 0.0) != ({y} < 0.0))")
    plain = k.let(divided(x, y, dtype))
    quotient = k.let(divided(f"({x} - {rest})", y, dtype))
    quotient = k.let(f"tl.where({wrong}, {quotient} - 1.0, {quotient})")
    down = k.let(f"tl.floor({quotient})")
    down = k.let(f"tl.where({quotient} - {down} > 0.5, {down} + 1.0, {down})")
    whole = k.let(f"tl.where({quotient} == 0.0, libdevice.copysign({quotient} * 0.0, {plain}), {down})")
    return f"tl.where({y} == 0.0, {plain}, {whole})"


def _integer_division(form: str) -> Emit:
    """Quotients and remainders of integers, 0 for a divisor of 0; a divisor of -1 must not overflow."""

    def emit(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
        x, y = xs
        signed, zero = dtype.category == "int", literal(0, dtype)
        special = f"({y} == 0) | ({y} == -1)" if signed else f"{y} == 0"
        safe = k.let(f"tl.where({special}, {_one(dtype)}, {y})")
        rest = k.let(f"({x} % {safe}).to({carried(dtype)})")
        wrong = k.let(f"({rest} != 0) & (({rest} < 0) != ({safe} < 0))") if signed else ""
        if form == "quotient":
            quotient = k.let(f"({x} // {safe}).to({carried(dtype)})")
            if signed:
                quotient = k.let(f"tl.where({wrong}, {quotient} - {_one(dtype)}, {quotient})")
                quotient = k.let(f"tl.where({y} == -1, {zero} - {x}, {quotient})")
            return f"tl.where({y} == 0, {zero}, {quotient})"
        if form == "modulo" and signed:
            rest = k.let(f"tl.where({wrong}, {rest} + {safe}, {rest})")
        return f"tl.where({special}, {zero}, {rest})"

    return emit


# -- bits ----------------------------------------------------------------------------------------------------------
def _shift_left(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x, y = xs
    inside = k.let(f"({y} >= 0) & ({y} < {dtype.bits})" if dtype.category == "int" else f"{y} < {dtype.bits}")
    return f"tl.where({inside}, ({x} << tl.where({inside}, {y}, {literal(0, dtype)})).to({carried(dtype)}), {literal(0, dtype)})"


def _shift_right(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x, y = xs
    if dtype.category == "uint":
        inside = k.let(f"{y} < {dtype.bits}")
        return (
            f"tl.where({inside}, ({x} >> tl.where({inside}, {y}, {literal(0, dtype)})).to({carried(dtype)}), {literal(0, dtype)})"
        )
    inside = k.let(f"({y} >= 0) & ({y} < {dtype.bits})")
    return f"({x} >> tl.where({inside}, {y}, {literal(dtype.bits - 1, dtype)})).to({carried(dtype)})"


def _where(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return f"tl.where({xs[0]}, {xs[1]}, {xs[2]})"


def _clamp(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    x, low, high = xs
    above = k.let(_extreme("maximum")(k, [x, low], attrs, dtype))
    return _extreme("minimum")(k, [above, high], attrs, dtype)


EMIT: dict[str, Emit] = {
    # activations
    "gelu": gelu,
    "gelu_approx": _gelu_approx,
    "silu": _silu,
    "relu": _relu,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
    "elu": _floating("tl.where({x} > 0, {x}, libdevice.expm1({x}))"),
    "round_to_dtype": lambda k, xs, attrs, dtype: cast(k, xs[0], dtype.compute, dtype),
    "relu2": _relu2,
    "sqrt": lambda k, xs, attrs, dtype: rooted(xs[0], dtype),
    "rsqrt": _rsqrt,
    "neg": lambda k, xs, attrs, dtype: f"(-{xs[0]})" if dtype.is_float else f"({literal(0, dtype)} - {xs[0]})",
    "abs": lambda k, xs, attrs, dtype: f"tl.abs({xs[0]})" if dtype.is_float or dtype.category == "int" else xs[0],
    "sign": _sign,
    "hard_swish": _floating(
        "({x} * tl.minimum(tl.maximum({x} + 3.0, 0.0, propagate_nan=tl.PropagateNan.ALL), 6.0, "
        "propagate_nan=tl.PropagateNan.ALL)) * 0.16666666666666666"
    ),
    **{
        name: _library(name)
        for name in (
            *("tanh", "exp", "log", "sin", "cos", "tan", "atan", "erf", "log1p", "expm1", "asin", "acos", "sinh", "cosh"),
            *("asinh", "acosh", "atanh", "exp2", "log2", "log10", "cbrt", "erfc", "erfinv", "lgamma", "atan2", "hypot"),
            "copysign",
        )
    },
    "ndtr": _library("normcdf"),
    "ndtri": _library("normcdfinv"),
    "round": _rounding("libdevice.rint({x})"),
    "floor": _rounding("tl.floor({x})"),
    "ceil": _rounding("tl.ceil({x})"),
    "trunc": _rounding("libdevice.trunc({x})"),
    "not": _kinds("(~{x})", "({x} == 0)"),
    "is_nan": _question("({x} != {x})", False),
    "is_inf": _question('(tl.abs({x}) == float("inf"))', False),
    "is_finite": _question('(tl.abs({x}) < float("inf"))', True),
    # binaries
    "add": _kinds("({x} + {y})", "({x} | {y})"),
    "sub": _floating("({x} - {y})"),
    "mul": _kinds("({x} * {y})", "({x} & {y})"),
    "div": _div,
    "max": _extreme("maximum"),
    "min": _extreme("minimum"),
    "mod": _by_kind(_mod, _integer_division("modulo")),
    "fmod": _by_kind(_library("fmod"), _integer_division("remainder")),
    "floor_div": _by_kind(_floor_div, _integer_division("quotient")),
    "and": _floating("({x} & {y})"),
    "or": _floating("({x} | {y})"),
    "xor": _floating("({x} ^ {y})"),
    "shl": _shift_left,
    "shr": _shift_right,
    # comparisons
    "eq": _compare("==", "({x} == {y})"),
    "ne": _compare("!=", "({x} != {y})"),
    "lt": _compare("<", "(({x} == 0) & {y})"),
    "le": _compare("<=", "(({x} == 0) | {y})"),
    "gt": _compare(">", "({x} & ({y} == 0))"),
    "ge": _compare(">=", "({x} | ({y} == 0))"),
    # selection and casts
    "where": _where,
    "clamp": _clamp,
    "cast": lambda k, xs, attrs, dtype: cast(k, xs[0], dtype, attrs["to"]),
    **special.EMIT,
}
"""The ops by name."""
