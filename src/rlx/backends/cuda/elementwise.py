"""Triton code for each elementwise op: its shared formula, or GPU-specific code where that is better.

Values in registers are *carried*: f16 and bf16 as fp32, bools as int1, other dtypes as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.backends.cuda.algebra import Emit, write_formula
from rlx.backends.cuda.float8 import FLOATS_OF_8_BITS
from rlx.backends.cuda.register_types import literal
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType
from rlx.formulas.coefficients import MILLS_BOTTOM, MILLS_TOP
from rlx.formulas.elementwise import FORMULAS


def refusal(name: str, dtypes: Sequence[DType]) -> str | None:
    """Why CUDA kernels cannot compute an op on operands and results of these dtypes, or None."""
    if name not in EMIT:
        return f"{name} has no entry in the table of elementwise ops"
    for dtype in dtypes:
        if dtype.is_complex:
            return f"{name} of {dtype}: complex numbers are computed by their parts"
        if dtype.category == "f8" and (name != "cast" or dtype.name not in FLOATS_OF_8_BITS):
            return f"{name} of {dtype}: floats of 8 and 4 bits are storage"
    return None


_TAIL = (
    *(1.0000337362289429, 1.1509331464767456, 0.45889127254486084, 0.05387644097208977, -0.008634578436613083),
    *(0.0010135989869013429, -8.267238445114344e-05, 4.389079094835324e-06, -1.3548373090088717e-07),
    1.8374070043236657e-09,
)
"""Minimax polynomial of −log2 Φ(−a) for a from 0 to 13.4 (f16 and bf16): error 3.4e-5, 2.3e-5 relative to Φ."""
_SHIFT = 24
"""The tail is computed scaled up by this power of two, so that no digits are lost where Φ is denormal."""
_LIMIT = {"low": 16.0, "f32": 14.5}  # from here on the tail is 0
_SQUARE = (-0.7213475108146667, -9.629814955633087e-09)
"""−1/(2·log 2) as two f32: the nearest one, and the remainder."""


def _gelu(k: KernelText, xs: Sequence[str], attrs: Mapping[str, Any], dtype: DType) -> str:
    """GELU, x·Φ(x), with few instructions: memory is the limit of a kernel that computes it, not arithmetic.

    With a = |x|, gelu(x) = max(x, 0) − a·Φ(−a): the tail Φ(−a) is accurate however small it is. For f16 and bf16 its logarithm is
    one polynomial, far more exact than those dtypes; for f32 it is e^(−a²/2) times a rational function; f64 by CUDA's library.
    """
    (x,) = xs
    if dtype.name == "f64":
        return f"({x} * libdevice.normcdf({x}))"
    limit = _LIMIT["f32" if dtype.name == "f32" else "low"]
    a = k.let(f"tl.minimum(tl.abs({x}), {limit}, propagate_nan=tl.PropagateNan.ALL)")
    positive = k.let(f"{x} - tl.minimum({x}, 0.0)")  # −∞ gives NaN, as x·Φ(x) = −∞·0 does
    if dtype.name == "f32":
        factor, power = _tail(k, a, dtype)
        return f"tl.fma(-{a} * {factor}, {power}, {positive})"  # factor·power alone may be denormal where gelu is not
    shifted = [_SHIFT - _TAIL[0], *(-c for c in _TAIL[1:])]
    power = k.let(f"tl.exp2({_polynomial(k, a, shifted, dtype)})")
    return f"tl.fma({a} * {-(2.0**-_SHIFT)!r}, {power}, {positive})"


def _tail(k: KernelText, a: str, dtype: DType) -> tuple[str, str]:
    """Factors of Φ(−a) = m(a)·2^(−a²/(2·log 2)): the exponent in two parts, since its error is that of the result."""
    square = k.let(f"{a} * {a}")
    lost = k.let(f"tl.fma({a}, {a}, -{square})")
    rate, rest = (literal(c, dtype) for c in _SQUARE)
    exponent = k.let(f"{square} * {rate}")
    low = k.let(f"tl.fma({square}, {rate}, -{exponent})")
    low = k.let(f"tl.fma({lost}, {rate}, tl.fma({square}, {rest}, {low}))")
    power = k.let(f"libdevice.exp2({exponent})")
    power = k.let(f"tl.fma({power}, {low} * {math.log(2)!r}, {power})")
    top, bottom = (_polynomial(k, a, table["f32"], dtype) for table in (MILLS_TOP, MILLS_BOTTOM))
    return k.let(f"libdevice.fast_dividef({top}, {bottom})"), power


def _polynomial(k: KernelText, x: str, coefficients: Sequence[float], dtype: DType) -> str:
    """Evaluates c0 + c1·x + …, by Horner's rule."""
    *others, result = (literal(c, dtype) for c in coefficients)
    for coefficient in reversed(others):
        result = k.let(f"tl.fma({result}, {x}, {coefficient})")
    return result


def _library(name: str) -> Emit:
    return lambda k, xs, attrs, dtype: f"libdevice.{name}({', '.join(xs)})"


EMIT: dict[str, Emit] = {
    **{name: write_formula(formula) for name, formula in FORMULAS.items()},
    # with fewer instructions than the formula
    "gelu": _gelu,
    # libdevice has these, as accurate as the formulas
    **{name: _library(name) for name in ("asin", "acos", "asinh", "acosh", "atanh", "hypot", "erfc", "erfinv", "lgamma")},
    "ndtr": _library("normcdf"),
    "ndtri": _library("normcdfinv"),
}
"""The emitter of each op, by name."""
