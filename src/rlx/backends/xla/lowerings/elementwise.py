"""Elementwise ops: their formulas over JAX arrays, what XLA has better ones for, and complex numbers."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.algebra import cast, lower_formula, signed_integer
from rlx.backends.xla.site import Lowering, LoweringSite, plain
from rlx.formulas.elementwise import FORMULAS

_FRACTION_BITS = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}


def _float_exponent(x: Any) -> Any:
    """The exponent of np.frexp by the bits of x; XLA flushes subnormal numbers to 0, so their leading zeros are counted here."""
    word, width = signed_integer(x.dtype), _FRACTION_BITS[x.dtype.name]
    size = 8 * x.dtype.itemsize
    bias = (1 << (size - 2 - width)) - 2
    bits = lax.bitcast_convert_type(x, word) & word.type(np.iinfo(word).max)
    exponent = (bits >> width).astype(jnp.int32)
    fraction = bits & word.type((1 << width) - 1)
    subnormal = size - lax.clz(fraction).astype(jnp.int32) - width - bias
    largest = (1 << (size - 1 - width)) - 1
    return jnp.where((bits == 0) | (exponent == largest), 0, jnp.where(exponent == 0, subnormal, exponent - bias))


def _next_after(at: LoweringSite, x: Any, y: Any) -> Any:
    """The next float after x towards y: floats are ordered as integers, so one step in the bits, subnormal numbers included."""
    dtype = at["dtype"]
    x, y = jnp.broadcast_arrays(cast(x, dtype), cast(y, dtype))
    word = signed_integer(x.dtype)
    largest, least = word.type(np.iinfo(word).max), word.type(np.iinfo(word).min)
    bits = (lax.bitcast_convert_type(value, word) for value in (x, y))
    own, goal = (jnp.where(value < 0, -(value & largest), value) for value in bits)
    step = jnp.where(goal > own, own + word.type(1), own - word.type(1))
    result = lax.bitcast_convert_type(jnp.where(step < 0, -step | least, step), x.dtype)
    return jnp.where(jnp.isnan(x) | jnp.isnan(y), jnp.full((), jnp.nan, x.dtype), jnp.where(own == goal, y, result))


def _round_to_dtype(x: Any) -> Any:
    """Rounds to a 16-bit float: XLA may compute bf16 and f16 in f32, but it obeys `reduce_precision`."""
    if x.dtype not in (jnp.bfloat16, jnp.float16):
        return x
    info = jnp.finfo(x.dtype)
    return lax.reduce_precision(x, exponent_bits=info.nexp, mantissa_bits=info.nmant)


def _sign_of_complex(x: Any) -> Any:
    size = jnp.abs(x)
    return jnp.where(size == 0, 0, x / jnp.where(size == 0, 1, size)).astype(x.dtype)


def _unless_complex(name: str, of_complex: Any) -> Lowering:
    """Lowers real numbers by a formula and complex ones by XLA's own function."""
    real = lower_formula(FORMULAS[name])
    return lambda at, x: of_complex(x) if jnp.issubdtype(x.dtype, jnp.complexfloating) else real(at, x)


LOWERINGS: dict[str, Lowering] = {
    **{name: lower_formula(formula) for name, formula in FORMULAS.items()},
    # XLA takes subnormal numbers for 0 in the arithmetic and the comparisons of these formulas
    "float_exponent": plain(_float_exponent),
    "next_after": _next_after,
    # XLA rounds where it is told to
    "round_to_dtype": plain(_round_to_dtype),
    # XLA's own are as accurate, and of complex numbers too
    "asin": plain(jnp.arcsin),
    "acos": plain(jnp.arccos),
    "asinh": plain(jnp.arcsinh),
    "acosh": plain(jnp.arccosh),
    "atanh": _unless_complex("atanh", jnp.arctanh),
    "sign": _unless_complex("sign", _sign_of_complex),
    # complex numbers
    "conjugate": plain(jnp.conj),
    "real": plain(jnp.real),
    "imag": plain(jnp.imag),
    "complex": plain(lambda re, im: lax.complex(*jnp.broadcast_arrays(re, im))),
    "complex_norm_sq": plain(lambda x: jnp.square(jnp.real(x)) + jnp.square(jnp.imag(x))),
    "complex_norm_sq_backward": lambda at, x, dy: 2 * dy * (jnp.conj(x) if at["conjugated"] else x),
}
