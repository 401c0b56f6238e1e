"""Mathematical functions for generated code: `exp(k, x)` emits the instructions into the function `k`.

x is an f32 or f64, scalar or vector; every function is correct for NaN, infinities, zeros and denormals. The largest error in
units of the last place, with FMA and over the whole range (`pytest -s tests/backends/cpu/emit/test_math.py` prints them):

    f32   pow 0.5   log 0.8   exp 1.0   elu 1.0   erf 1.3   log1p expm1 1.5   sin cos rsqrt 1.5   softplus 1.6
          atan atan2 1.9   tanh sigmoid 2.3   silu 2.7   tan 2.8   gelu_tanh 3.0   gelu 4.6
    f64   sin cos log 0.8   exp erf 1.0   pow elu 1.1   expm1 log1p 1.3   softplus 1.3   rsqrt sigmoid 1.5
          atan tan 1.8   silu tanh gelu_tanh 1.9   gelu 5.1

Without FMA it is up to 0.3 more, for gelu in f64 1.2 more. Where silu and the gelus are about to be denormal, only their
absolute error is bounded: by the least normal number.
"""

from rlx.backends.cpu.emit.math.arctangent import atan, atan2
from rlx.backends.cpu.emit.math.division import floor_div, integer_floor_div, integer_mod, integer_pow, mod, rsqrt
from rlx.backends.cpu.emit.math.error_function import erf, gelu, gelu_tanh
from rlx.backends.cpu.emit.math.exponential import elu, exp, exp_between, exp_negative, expm1, sigmoid, silu, tanh
from rlx.backends.cpu.emit.math.float8 import f32_to_float8, float8_to_f32
from rlx.backends.cpu.emit.math.logarithm import log, log1p, pow_, softplus
from rlx.backends.cpu.emit.math.trigonometric import cos, sin, tan

__all__ = [
    "atan",
    "atan2",
    "cos",
    "elu",
    "erf",
    "exp",
    "exp_between",
    "exp_negative",
    "expm1",
    "f32_to_float8",
    "float8_to_f32",
    "floor_div",
    "gelu",
    "gelu_tanh",
    "integer_floor_div",
    "integer_mod",
    "integer_pow",
    "log",
    "log1p",
    "mod",
    "pow_",
    "rsqrt",
    "sigmoid",
    "silu",
    "sin",
    "softplus",
    "tan",
    "tanh",
]
