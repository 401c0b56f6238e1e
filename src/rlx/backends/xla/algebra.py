"""The algebra of formulas over JAX arrays, with XLA's functions where they are accurate; and casts as the IR defines them.

Two-part products stay exact where XLA contracts a·b + c to one rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.site import Lowering
from rlx.core.dtype import DType, f4e2m1, f32
from rlx.formulas import elementwise
from rlx.formulas.algebra import SQUARE_LIMIT, Formula
from rlx.formulas.algebra import Number as Array

_WORDS = {"float32": (jnp.uint32, 0xFFFFF000), "float64": (jnp.uint64, 0xFFFFFFFFF8000000)}
"""The integers of a float's size, and a mask that keeps half of its digits."""


def _upper_half(x: Array) -> Array:
    word, mask = _WORDS[x.dtype.name]
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, word) & word(mask), x.dtype)


def signed_integer(dtype: Any) -> Any:
    """The signed integer dtype of a number's size."""
    return jnp.dtype(f"int{8 * dtype.itemsize}")


_FUNCTIONS: dict[str, Callable[..., Array]] = {
    **{
        name: getattr(jnp, name)
        for name in ("abs", "sqrt", "copysign", "minimum", "maximum", "floor", "ceil", "trunc", "fmod", "gcd")
    },
    **{name: getattr(jnp, name) for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh")},
    **{"select": jnp.where, "is_nan": jnp.isnan, "round_even": jnp.round, "minimum_fast": jnp.minimum, "maximum_fast": jnp.maximum},
    **{"atan": jnp.arctan, "atan2": jnp.arctan2, "erf": lax.erf, "pow": jnp.power, "exp_negative": jnp.exp},
    **{"floor_divide": jnp.floor_divide, "floor_modulo": jnp.remainder, "remainder": jnp.fmod, "integer_pow": jnp.power},
    **{"popcount": lax.population_count, "count_leading_zeros": lax.clz, "as_is": lax.optimization_barrier},
}
"""Primitives that are one function."""


class JaxAlgebra:
    """The formulas' primitives in JAX for one op; what is not here is one of `_FUNCTIONS`. Numbers take the arrays' dtype."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    def __getattr__(self, name: str) -> Callable[..., Array]:
        if name not in _FUNCTIONS:
            raise AttributeError(name)
        return _FUNCTIONS[name]

    sigmoid = elementwise.sigmoid

    def kind(self, x: Array) -> str:
        return "f64" if x.dtype == jnp.float64 else "f32"

    def constant(self, number: float, like: Array) -> Array:
        return jnp.full_like(like, number)

    def rarely(self, condition: Array, make: Callable[[], Array], otherwise: Array) -> Array:
        return jnp.where(condition, make(), otherwise)

    def fma(self, a: Array, b: Array, c: Array) -> Array:
        return a * b + c

    def exact_product(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The rounded product and its error. Products of halves are exact, so a contracted sum is the same; a·b is never formed."""
        b = jnp.asarray(b, a.dtype)
        a_high, b_high = _upper_half(a), _upper_half(b)
        a_low, b_low = a - a_high, b - b_high
        high = a_high * b_high
        rest = a_high * b_low + (a_low * b_high + a_low * b_low)
        total = high + rest
        return total, (high - total) + rest

    def in_f64(self, formula: Formula, x: Array) -> Array:
        return formula(x.astype(jnp.float64)).astype(x.dtype)

    def exp_parts(self, x: Array, tail: Array) -> Array:
        return jnp.exp(x) * (1 + tail)

    def exp_of_square(self, a: Array, square: Array) -> Array:
        square, lost = self.exact_product(a, a)
        return jnp.where(a >= SQUARE_LIMIT[self.kind(a)], 0, self.exp_parts(square * -0.5, lost * -0.5))

    def log1p(self, x: Array) -> Array:
        """log1p: XLA's own in f64 is a hundred units off near -0.4, where 1 + x may round.

        Of complex numbers near 0 the real part is log1p(|1 + z|² - 1)/2: |1 + z| would round before the logarithm.
        """
        if not jnp.issubdtype(x.dtype, jnp.complexfloating):
            near = jnp.log1p(x)
            return near if x.dtype != jnp.float64 else jnp.where(jnp.abs(x) < 0.3, near, jnp.log(1 + x))
        re, im = jnp.real(x), jnp.imag(x)
        far = jnp.log(lax.complex(1 + re, im))
        near = self.log1p(re * (2 + re) + im * im) / 2
        small = (jnp.abs(re) < 0.5) & (jnp.abs(im) < 0.5)
        return lax.complex(jnp.where(small, near, jnp.real(far)), jnp.imag(far))

    def tanh(self, x: Array) -> Array:
        """tanh: XLA's of f32 is ±1 from 8 on, where 1 - 2·e^(-2x) still differs from it."""
        near = jnp.tanh(x)
        if x.dtype != jnp.float32:
            return near
        return jnp.where(jnp.abs(x) > 7, jnp.copysign(1 - 2 * jnp.exp(-2 * jnp.abs(x)), x), near)

    def cbrt(self, x: Array) -> Array:
        """The cube root: XLA's, and one step of Newton with the cube in two parts."""
        root = jnp.cbrt(x)
        square, lost = self.exact_product(root, root)
        cube, cube_lost = self.exact_product(square, root)
        step = ((cube - x) + cube_lost + lost * root) / (3 * square)
        return jnp.where(jnp.isfinite(x) & (x != 0) & jnp.isfinite(step), root - step, root)

    # -- integers and bits
    def compare(self, name: str, x: Array, y: Array) -> Array:
        """Compares two arrays; a u64 and a signed integer each keep their dtype, since they compare as the numbers they are."""
        if x.dtype == y.dtype:
            return getattr(lax, name)(*jnp.broadcast_arrays(x, y))
        if y.dtype != jnp.uint64:
            return self.compare({"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(name, name), y, x)
        negative = x < 0
        same = self.compare(name, x.astype(jnp.uint64), y)
        return negative | same if name in ("ne", "lt", "le") else ~negative & same

    def truth(self, value: bool, like: Array) -> Array:
        return jnp.full(like.shape, value)

    def within(self, x: Array, count: int) -> Array:
        return (x >= 0) & (x < count)

    def logical_shift(self, x: Array, places: Array) -> Array:
        return lax.shift_right_logical(*jnp.broadcast_arrays(x, jnp.asarray(places, x.dtype)))

    def multiply_high(self, x: Array, y: Array) -> Array:
        return ((x.astype(jnp.uint64) * y.astype(jnp.uint64)) >> np.uint64(32)).astype(jnp.uint32)

    def spread(self, scalar: Array, like: Array) -> Array:
        return jnp.broadcast_to(scalar, like.shape)

    def cast(self, x: Array, source: DType, to: DType) -> Array:
        return cast(x, to)

    def bits(self, x: Array) -> Array:
        return lax.bitcast_convert_type(x, signed_integer(x.dtype))

    def stored_bits(self, x: Array, dtype: DType) -> Array:
        return self.bits(cast(x, dtype))

    def from_stored_bits(self, bits: Array, dtype: DType) -> Array:
        return lax.bitcast_convert_type(bits, dtype.numpy)


def lower_formula(formula: Formula) -> Lowering:
    """Wraps a formula as a JAX lowering."""
    return lambda at, *xs: formula(JaxAlgebra(DType.of(xs[-1].dtype)), *xs, **at.op.attrs)


def cast(array: Array, to: DType) -> Array:
    """Casts an array in JAX as `rlx.core.dtype.cast_array` does: float to int truncates and saturates, NaN gives 0; int to int wraps."""
    source = DType.of(array.dtype)
    if source is to:
        return array
    if source.is_complex and not to.is_complex and not to.is_bool:
        array = jnp.real(array)
        source = DType.of(array.dtype)
        if source is to:
            return array
    if to.is_bool:
        return (array.astype(jnp.float32) if source.category == "f8" else array) != 0
    if to.is_integer and source.category in ("float", "f8"):
        return _to_integer(array if source.size >= f32.size else array.astype(jnp.float32), to)
    if "f8" in (to.category, source.category):
        array = lax.convert_element_type(array, jnp.float32)
        if to is f4e2m1:
            array = jnp.where(jnp.isnan(array), jnp.float32(0), array)
    return lax.convert_element_type(array, to.numpy)


def _to_integer(array: Array, to: DType) -> Array:
    """Casts a float to an integer dtype: truncates, saturates at the limits, and turns NaN into 0."""
    info: Any = np.iinfo(to.numpy)
    low, high = array.dtype.type(info.min), array.dtype.type(info.max)
    inside = (array > low) & (array < high)
    result = lax.convert_element_type(jnp.where(inside, array, 0), to.numpy)
    result = jnp.where(array >= high, to.numpy.type(info.max), result)
    return jnp.where(array <= low, to.numpy.type(info.min), result)
