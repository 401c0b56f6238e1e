"""Mathematical functions for generated code: `exp(k, x)` writes the instructions into the function `k`.

x is an f32 or f64, scalar or vector; every function is right for NaN, infinities, zeros and denormals. Accuracy in
units of the last place, measured over the whole range (tests/backends/cpu/test_math.py).
"""

from rlx.backends.cpu.math.arctangent import atan, atan2
from rlx.backends.cpu.math.division import floor_div, integer_floor_div, integer_mod, integer_pow, mod, rsqrt
from rlx.backends.cpu.math.error_function import erf, gelu, gelu_tanh
from rlx.backends.cpu.math.exponential import elu, exp, exp_between, expm1, sigmoid, silu, tanh
from rlx.backends.cpu.math.float8 import f32_to_float8, float8_to_f32
from rlx.backends.cpu.math.logarithm import log, log1p, pow_, softplus
from rlx.backends.cpu.math.trigonometric import cos, sin, tan

__all__ = [
    "atan", "atan2", "cos", "elu", "erf", "exp", "exp_between", "expm1", "f32_to_float8", "float8_to_f32",
    "floor_div", "gelu", "gelu_tanh", "integer_floor_div", "integer_mod", "integer_pow", "log", "log1p", "mod", "pow_",
    "rsqrt", "sigmoid", "silu", "sin", "softplus", "tan", "tanh",
]  # fmt: skip
