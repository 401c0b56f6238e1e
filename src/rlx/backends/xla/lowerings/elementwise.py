"""Arithmetic, comparisons, bits, selection and complex parts."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.casts import cast
from rlx.backends.xla.site import Lowering, LoweringSite, plain


def _is_float(x: Any) -> bool:
    return bool(jnp.issubdtype(x.dtype, jnp.inexact))


# -- whole numbers and rounding
def _rounded(function: Any) -> Lowering:
    return lambda at, x: function(x) if _is_float(x) else x


def _by_zero(function: Any) -> Lowering:
    """A division whose result is 0 for an integer divided by 0."""

    def lower(at: LoweringSite, x: Any, y: Any) -> Any:
        if _is_float(x):
            return function(x, y)
        nothing = y == 0
        return jnp.where(nothing, jnp.zeros((), x.dtype), function(x, jnp.where(nothing, jnp.ones((), y.dtype), y)))

    return lower


def _pow(at: LoweringSite, x: Any, y: Any) -> Any:
    """Integer powers wrap; a negative one is 0 but for ±1."""
    if _is_float(x) or jnp.issubdtype(x.dtype, jnp.unsignedinteger):
        return jnp.power(x, y)
    x, y = jnp.broadcast_arrays(x, y)
    one = jnp.ones((), x.dtype)
    of_unit = jnp.where(x == 1, one, jnp.where(x == -1, jnp.where(y % 2 == 0, one, -one), one * 0))
    return jnp.where(y < 0, of_unit, jnp.power(x, jnp.maximum(y, 0)))


def _shift(function: Any, keeps_sign: bool) -> Lowering:
    def lower(at: LoweringSite, x: Any, y: Any) -> Any:
        x, y = jnp.broadcast_arrays(x, y)
        inside = (y >= 0) & (y < 8 * x.dtype.itemsize)
        past = jnp.zeros((), x.dtype)
        if keeps_sign and jnp.issubdtype(x.dtype, jnp.signedinteger):
            past = jnp.where(x < 0, jnp.full((), -1, x.dtype), past)
        return jnp.where(inside, function(x, jnp.where(inside, y, jnp.zeros((), y.dtype))), past)

    return lower


def _shift_right(x: Any, y: Any) -> Any:
    signed = jnp.issubdtype(x.dtype, jnp.signedinteger)
    return lax.shift_right_arithmetic(x, y) if signed else lax.shift_right_logical(x, y)


# -- comparisons
def _compare(name: str) -> Lowering:
    """Of u64 and a signed integer each keeps its dtype: they compare as the numbers they are."""
    function = getattr(jnp, name)
    flipped = {"less": "greater", "less_equal": "greater_equal", "greater": "less", "greater_equal": "less_equal"}

    def lower(at: LoweringSite, x: Any, y: Any) -> Any:
        if x.dtype == y.dtype:
            return function(x, y)
        if y.dtype != jnp.uint64:
            return _compare(flipped.get(name, name))(at, y, x)
        negative = x < 0
        same = function(x.astype(jnp.uint64), y)
        return negative | same if name in ("not_equal", "less", "less_equal") else ~negative & same

    return lower


# -- bits of floats
_FRACTION_BITS = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}


def _word_of(dtype: Any) -> Any:
    """The signed integers of a float's size."""
    return jnp.dtype(f"int{8 * dtype.itemsize}")


def _float_exponent(x: Any) -> Any:
    """The exponent of np.frexp by the bits of x; XLA takes subnormal numbers for 0, their leading zeros count here."""
    word, width = _word_of(x.dtype), _FRACTION_BITS[x.dtype.name]
    size = 8 * x.dtype.itemsize
    bias = (1 << (size - 2 - width)) - 2
    bits = lax.bitcast_convert_type(x, word) & word.type(np.iinfo(word).max)
    exponent = (bits >> width).astype(jnp.int32)
    fraction = bits & word.type((1 << width) - 1)
    subnormal = size - lax.clz(fraction).astype(jnp.int32) - width - bias
    found = jnp.where(exponent == 0, subnormal, exponent - bias)
    largest = (1 << (size - 1 - width)) - 1
    return jnp.where((bits == 0) | (exponent == largest), 0, found)


def _next_after(at: LoweringSite, x: Any, y: Any) -> Any:
    """Floats in order are integers in order: one step towards y, by their bits, subnormal numbers among them."""
    dtype = at["dtype"]
    x, y = jnp.broadcast_arrays(cast(x, dtype), cast(y, dtype))
    word = _word_of(x.dtype)
    largest = word.type(np.iinfo(word).max)
    places = []
    for value in (x, y):
        bits = lax.bitcast_convert_type(value, word)
        places.append(jnp.where(bits < 0, -(bits & largest), bits))
    place, goal = places
    moved = jnp.where(goal > place, place + word.type(1), place - word.type(1))
    bits = jnp.where(moved < 0, -moved | word.type(np.iinfo(word).min), moved)
    found = jnp.where(place == goal, y, lax.bitcast_convert_type(bits, x.dtype))
    return jnp.where(jnp.isnan(x) | jnp.isnan(y), jnp.full((), jnp.nan, x.dtype), found)


def _is_nan(x: Any) -> Any:
    return jnp.isnan(x) if _is_float(x) else jnp.zeros(x.shape, bool)


def _sign(x: Any) -> Any:
    if not jnp.issubdtype(x.dtype, jnp.complexfloating):
        return jnp.sign(x)
    size = jnp.abs(x)
    return jnp.where(size == 0, 0, x / jnp.where(size == 0, 1, size)).astype(x.dtype)


def _round_to_dtype(x: Any) -> Any:
    """XLA may compute bf16 and f16 in f32; `reduce_precision` it obeys."""
    if x.dtype not in (jnp.bfloat16, jnp.float16):
        return x
    info = jnp.finfo(x.dtype)
    return lax.reduce_precision(x, exponent_bits=info.nexp, mantissa_bits=info.nmant)


def _complex_norm_sq_backward(at: LoweringSite, x: Any, dy: Any) -> Any:
    return 2 * dy * (jnp.conj(x) if at["conjugated"] else x)


def _complex_norm_sq(x: Any) -> Any:
    return jnp.square(jnp.real(x)) + jnp.square(jnp.imag(x))


def _bits_set(x: Any) -> Any:
    return lax.population_count(x)


LOWERINGS: dict[str, Lowering] = {
    "relu": plain(lambda x: jnp.maximum(x, jnp.zeros((), x.dtype))),
    "neg": plain(jnp.negative),
    "abs": plain(jnp.abs),
    "round": _rounded(jnp.round),
    "floor": _rounded(jnp.floor),
    "ceil": _rounded(jnp.ceil),
    "trunc": _rounded(jnp.trunc),
    "sign": plain(_sign),
    "round_to_dtype": plain(_round_to_dtype),
    "relu2": plain(lambda x: jnp.square(jnp.maximum(x, jnp.zeros((), x.dtype)))),
    "not": plain(jnp.invert),
    "is_nan": plain(_is_nan),
    "is_inf": plain(lambda x: jnp.isinf(x) if _is_float(x) else jnp.zeros(x.shape, bool)),
    "is_finite": plain(lambda x: jnp.isfinite(x) if _is_float(x) else jnp.ones(x.shape, bool)),
    "sign_bit": plain(jnp.signbit),
    "float_exponent": plain(_float_exponent),
    "popcount": plain(_bits_set),
    "count_leading_zeros": plain(lax.clz),
    # two operands
    "add": plain(jnp.add),
    "sub": plain(jnp.subtract),
    "mul": plain(jnp.multiply),
    "div": plain(jnp.divide),
    "max": plain(jnp.maximum),
    "min": plain(jnp.minimum),
    "pow": _pow,
    "floor_div": _by_zero(jnp.floor_divide),
    "mod": _by_zero(jnp.remainder),
    "fmod": _by_zero(jnp.fmod),
    "copysign": plain(jnp.copysign),
    "next_after": _next_after,
    "gcd": plain(jnp.gcd),
    "and": plain(jnp.bitwise_and),
    "or": plain(jnp.bitwise_or),
    "xor": plain(jnp.bitwise_xor),
    "shl": _shift(jnp.left_shift, keeps_sign=False),
    "shr": _shift(_shift_right, keeps_sign=True),
    "eq": _compare("equal"),
    "ne": _compare("not_equal"),
    "lt": _compare("less"),
    "le": _compare("less_equal"),
    "gt": _compare("greater"),
    "ge": _compare("greater_equal"),
    # selection
    "where": plain(jnp.where),
    "clamp": plain(lambda x, low, high: jnp.minimum(jnp.maximum(x, low), high)),
    "cast": lambda at, x: cast(x, at["to"]),
    # complex numbers
    "conjugate": plain(jnp.conj),
    "real": plain(jnp.real),
    "imag": plain(jnp.imag),
    "complex": plain(lambda re, im: lax.complex(*jnp.broadcast_arrays(re, im))),
    "complex_norm_sq": plain(_complex_norm_sq),
    "complex_norm_sq_backward": _complex_norm_sq_backward,
}
