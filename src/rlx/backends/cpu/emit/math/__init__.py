"""Mathematical functions for generated code: `exp(k, x)` emits the instructions into the function `k`.

x is an f32 or f64, scalar or vector; every function is correct for NaN, infinities, zeros and denormals. The largest error in
units of the last place, with FMA and over the whole range (`pytest -s tests/backends/cpu/emit/test_math.py` prints them):

    f32   pow 0.5   log 0.8   exp 1.0   elu 1.0   erf 1.3   log1p expm1 1.5   sin cos rsqrt 1.5   softplus 1.6
          atan atan2 1.9   tanh sigmoid 2.3   silu 2.7   tan 2.8   gelu_tanh 3.0   gelu 4.6
    f64   sin cos log 0.8   exp erf 1.0   pow elu 1.1   expm1 log1p 1.3   softplus 1.3   rsqrt sigmoid 1.5
          atan tan 1.8   silu tanh gelu_tanh 1.9   gelu 5.1

Inverse, hyperbolic and special functions (`tests/backends/cpu/emit/test_special_functions.py`), with and without FMA:

    f32   cbrt 0.5   lgamma digamma polygamma log_ndtr i0e i1e 0.5, by way of f64   exp2 cosh 1.0   sinh acos acosh asinh 1.2
          log2 1.3   log10 1.4   atanh 1.5   asin 1.7   hypot logaddexp 2   erfinv 3.1   erfc 3.6   ndtr 3.7   ndtri 4.2
    f64   cbrt 0.5   exp2 atanh 1.0   cosh 1.1   log2 asin acos 1.3   sinh 1.4   log10 asinh acosh 1.9   hypot 2   i0e i1e 2.7   erfinv 4.4
          log_ndtr 4.7   erfc ndtr 5.1   digamma 5.4   ndtri 5.5   polygamma 6 (of order 5: 8)   lgamma 6.3

lgamma and digamma of negative numbers are differences: there the error is bounded relative to their terms.

Without FMA the first ones are up to 0.3 worse, for gelu in f64 1.2. Where silu and the gelus are about to be denormal, only their
absolute error is bounded: by the least normal number.
"""

from rlx.backends.cpu.emit.math.arctangent import atan, atan2
from rlx.backends.cpu.emit.math.bessel import i0e, i1e
from rlx.backends.cpu.emit.math.bits import exponent, gcd, next_after
from rlx.backends.cpu.emit.math.division import (
    floor_div,
    fmod,
    integer_floor_div,
    integer_fmod,
    integer_mod,
    integer_pow,
    mod,
    rsqrt,
)
from rlx.backends.cpu.emit.math.error_function import erf, gelu, gelu_tanh
from rlx.backends.cpu.emit.math.exponential import cosh, elu, exp, exp2, exp_between, exp_negative, expm1, sigmoid, silu, sinh, tanh
from rlx.backends.cpu.emit.math.float8 import f32_to_float8, float8_to_f32
from rlx.backends.cpu.emit.math.gamma import digamma, lgamma, polygamma
from rlx.backends.cpu.emit.math.inverse import acos, acosh, asin, asinh, atanh, hypot, logaddexp
from rlx.backends.cpu.emit.math.logarithm import log, log1p, log2, log10, pow_, softplus
from rlx.backends.cpu.emit.math.normal import erfc, erfinv, log_ndtr, ndtr, ndtri
from rlx.backends.cpu.emit.math.roots import cbrt
from rlx.backends.cpu.emit.math.trigonometric import cos, sin, tan

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "digamma",
    "elu",
    "erf",
    "erfc",
    "erfinv",
    "exp",
    "exp2",
    "exp_between",
    "exp_negative",
    "expm1",
    "exponent",
    "f32_to_float8",
    "float8_to_f32",
    "floor_div",
    "fmod",
    "gcd",
    "gelu",
    "gelu_tanh",
    "hypot",
    "i0e",
    "i1e",
    "integer_floor_div",
    "integer_fmod",
    "integer_mod",
    "integer_pow",
    "lgamma",
    "log",
    "log1p",
    "log2",
    "log10",
    "log_ndtr",
    "logaddexp",
    "mod",
    "ndtr",
    "ndtri",
    "next_after",
    "polygamma",
    "pow_",
    "rsqrt",
    "sigmoid",
    "silu",
    "sin",
    "sinh",
    "softplus",
    "tan",
    "tanh",
]
