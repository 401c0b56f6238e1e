"""Mathematical functions for generated code: `exp(k, x)` emits the instructions into the function `k`.

x is an f32 or f64, scalar or vector; every function is correct for NaN, infinities, zeros and denormals. The largest error in
units of the last place, with FMA and over the full range (`pytest -s tests/backends/cpu/emit/test_math.py` prints them):

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

from rlx.backends.cpu.emit.math.algebra import CpuAlgebra, emitter_of
from rlx.backends.cpu.emit.math.division import fmod, gcd, integer_pow
from rlx.backends.cpu.emit.math.exponential import (
    cbrt,
    cosh,
    erf,
    exp,
    exp2,
    exp_between,
    exp_negative,
    expm1,
    gelu_tanh,
    log,
    log1p,
    log2,
    log10,
    pow_,
    sigmoid,
    sinh,
    tanh,
)  # fmt: skip
from rlx.backends.cpu.emit.math.trigonometric import atan, atan2, cos, sin, tan
from rlx.formulas import elementwise, low_floats, special

acos, acosh, asin, asinh, atanh = map(
    emitter_of, (elementwise.acos, elementwise.acosh, elementwise.asin, elementwise.asinh, elementwise.atanh)
)
elu, silu, softplus, rsqrt = map(emitter_of, (elementwise.elu, elementwise.silu, elementwise.softplus, elementwise.rsqrt))
floor_div, mod, hypot, logaddexp = map(
    emitter_of, (elementwise.floor_div, elementwise.mod, elementwise.hypot, elementwise.logaddexp)
)
digamma, lgamma, polygamma, i0e, i1e = map(
    emitter_of, (special.digamma, special.lgamma, special.polygamma, special.i0e, special.i1e)
)
gelu, erfc, erfinv = map(emitter_of, (special.gelu, special.erfc, special.erfinv))
ndtr, log_ndtr, ndtri = map(emitter_of, (special.ndtr, special.log_ndtr, special.ndtri))
f32_to_float8, float8_to_f32 = emitter_of(low_floats.f32_to_float8), emitter_of(low_floats.float8_to_f32)

__all__ = [
    "CpuAlgebra", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "digamma", "elu", "emitter_of",
    "erf", "erfc", "erfinv", "exp", "exp2", "exp_between", "exp_negative", "expm1", "f32_to_float8", "float8_to_f32", "floor_div",
    "fmod", "gcd", "gelu", "gelu_tanh", "hypot", "i0e", "i1e", "integer_pow", "lgamma", "log", "log1p", "log2", "log10", "log_ndtr",
    "logaddexp", "mod", "ndtr", "ndtri", "polygamma", "pow_", "rsqrt", "sigmoid", "silu", "sin", "sinh", "softplus", "tan", "tanh",
]  # fmt: skip
