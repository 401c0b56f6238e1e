"""`jax.lax`'s names for functions of elements, reductions and products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayFunction, ArrayLike, array_function, as_value, axis_of, emit, floating, promote_values
from rlx.frontends.nn.activations import sigmoid as logistic
from rlx.frontends.numpy.contraction import dot, product_of
from rlx.frontends.numpy.creation import full, full_like
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.elementwise import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    cbrt,
    ceil,
    conj,
    cos,
    cosh,
    exp,
    exp2,
    expm1,
    floor,
    imag,
    log,
    log1p,
    nextafter,
    pow,
    real,
    reciprocal,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
)
from rlx.frontends.numpy.elementwise import bitwise_count as population_count
from rlx.frontends.numpy.elementwise import bitwise_left_shift as shift_left
from rlx.frontends.numpy.elementwise import bitwise_right_shift as shift_right_arithmetic
from rlx.frontends.numpy.elementwise import complex_of as complex
from rlx.frontends.numpy.elementwise import equal as eq
from rlx.frontends.numpy.elementwise import greater as gt
from rlx.frontends.numpy.elementwise import greater_equal as ge
from rlx.frontends.numpy.elementwise import isfinite as is_finite
from rlx.frontends.numpy.elementwise import less as lt
from rlx.frontends.numpy.elementwise import less_equal as le
from rlx.frontends.numpy.elementwise import maximum as max
from rlx.frontends.numpy.elementwise import minimum as min
from rlx.frontends.numpy.elementwise import multiply as mul
from rlx.frontends.numpy.elementwise import negative as neg
from rlx.frontends.numpy.elementwise import not_equal as ne
from rlx.frontends.numpy.elementwise import rint as round
from rlx.frontends.numpy.elementwise import subtract as sub
from rlx.frontends.numpy.selection import where
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype
from rlx.trace.control import associative_scan_trees

__all__ = [
    "abs", "acos", "acosh", "add", "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh", "batch_matmul", "bessel_i0e",
    "bessel_i1e", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "cbrt", "ceil", "clamp", "complex", "conj",
    "convert_element_type", "cos", "cosh", "cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum", "digamma", "div", "dot",
    "dot_general", "eq", "erf", "erf_inv", "erfc", "exp", "exp2", "expm1", "floor", "full", "full_like", "ge", "gt", "imag",
    "integer_pow", "is_finite", "le", "lgamma", "log", "log1p", "logistic", "lt", "max", "min", "mul", "ne", "neg", "nextafter",
    "population_count", "pow", "real", "reciprocal", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_prod",
    "reduce_sum", "rem", "round", "rsqrt", "select", "select_n", "shift_left", "shift_right_arithmetic", "sign", "sin", "sinh",
    "sqrt", "square", "sub", "tan", "tanh",
]  # fmt: skip


@array_function
def erf(x: ArrayLike) -> Value:
    """The error function."""
    return emit("erf", as_value(x))


@array_function
def rsqrt(x: ArrayLike) -> Value:
    """One over the root."""
    return emit("rsqrt", as_value(x))


@array_function
def integer_pow(x: ArrayLike, y: int) -> Value:
    """To the power of a static whole number."""
    return as_value(x) ** y


@array_function
def div(x: ArrayLike, y: ArrayLike) -> Value:
    """A quotient; of integers towards zero."""
    a, b = promote_values(x, y)
    if not a.dtype.is_integer:
        return emit("div", a, b)
    down = emit("floor_div", a, b)
    whole = emit("eq", down * b, a)
    return emit("where", (down < 0) & emit("not", whole), down + 1, down) if a.dtype.category == "int" else down


@array_function
def rem(x: ArrayLike, y: ArrayLike) -> Value:
    """The remainder with the sign of x."""
    return emit("fmod", *promote_values(x, y))


@array_function
def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> Value:
    """x between two limits."""
    low, value, high = promote_values(min, x, max)
    return emit("clamp", value, low, high)


@array_function
def convert_element_type(operand: ArrayLike, new_dtype: DTypeLike) -> Value:
    """A cast."""
    return as_dtype(as_value(operand), named_dtype(new_dtype))


def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Elements of one where the condition holds, of the other elsewhere."""
    return where(pred, on_true, on_false)


@array_function
def select_n(which: ArrayLike, *cases: ArrayLike) -> Value:
    """Elements of the case that `which` numbers."""
    chosen = as_value(which)
    if chosen.dtype.is_bool:
        return emit("where", chosen, *reversed(promote_values(*cases)))
    values = promote_values(*cases)
    chosen_value = values[-1]
    for number in reversed(range(len(values) - 1)):
        chosen_value = emit("where", chosen == number, values[number], chosen_value)
    return chosen_value


def _reduction(name: str) -> ArrayFunction[..., Array]:
    def body(operand: ArrayLike, axes: Sequence[int]) -> Value:
        value = as_value(operand)
        return as_dtype(emit(name, value, axes=tuple(axes), keep_dim=False), value.dtype)

    body.__name__ = body.__qualname__ = name
    body.__doc__ = f"`{name}` over axes; the dtype stays."
    return array_function(body)


reduce_sum, reduce_prod = _reduction("reduce_sum"), _reduction("reduce_prod")
reduce_max, reduce_min = _reduction("reduce_max"), _reduction("reduce_min")
reduce_and, reduce_or = _reduction("reduce_all"), _reduction("reduce_any")


@array_function
def argmax(operand: ArrayLike, axis: int, index_dtype: DTypeLike = "i32") -> Value:
    """The position of the first maximum along an axis."""
    return as_dtype(emit("argmax", as_value(operand), axis=axis, keep_dim=False), named_dtype(index_dtype))


@array_function
def argmin(operand: ArrayLike, axis: int, index_dtype: DTypeLike = "i32") -> Value:
    """The position of the first minimum along an axis."""
    return as_dtype(emit("argmin", as_value(operand), axis=axis, keep_dim=False), named_dtype(index_dtype))


@array_function
def cumsum(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Value:
    """Sums along an axis, from the end with `reverse`."""
    value = as_value(operand)
    return as_dtype(emit("cumsum", value, axis=axis_of(axis, value.rank, "cumsum"), reverse=reverse), value.dtype)


@array_function
def cumprod(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Value:
    """Products along an axis."""
    value = as_value(operand)
    return as_dtype(emit("cumprod", value, axis=axis_of(axis, value.rank, "cumprod"), reverse=reverse), value.dtype)


def _running(op: str, operand: Any, axis: int, reverse: bool) -> Value:
    """Scans prefixes in a logarithmic number of steps, in JAX's order: gradients of equal elements match."""
    value = as_value(operand)
    axis = axis_of(axis, value.rank, op)
    if not isinstance(value.shape[axis], int):
        raise RlxError("RLX202", f"{op} along a symbolic axis", fix="a static size, or rlx.lax.scan")
    return associative_scan_trees(lambda x, y: emit(op, x, y), value, reverse, axis)


@array_function
def cummax(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Value:
    """The largest so far along an axis."""
    return _running("max", operand, axis, reverse)


@array_function
def cummin(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Value:
    """The smallest so far along an axis."""
    return _running("min", operand, axis, reverse)


@array_function
def cumlogsumexp(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Value:
    """The logarithm of running sums of exp."""
    return _running("logaddexp", operand, axis, reverse)


@array_function
def dot_general(
    lhs: ArrayLike, rhs: ArrayLike, dimension_numbers: Any, precision: Any = None, preferred_element_type: DTypeLike | None = None
) -> Value:
    """Sums of products over pairs of axes, with pairs of batch axes: ((contract, contract), (batch, batch))."""
    x, y = promote_values(lhs, rhs)
    (left, right), (first, second) = dimension_numbers
    product = product_of(
        "dot_general", x, y, lhs_contract=tuple(left), rhs_contract=tuple(right), lhs_batch=tuple(first), rhs_batch=tuple(second)
    )
    return product if preferred_element_type is None else as_dtype(product, named_dtype(preferred_element_type))


@array_function
def batch_matmul(lhs: ArrayLike, rhs: ArrayLike, precision: Any = None) -> Value:
    """Products of matrices in the last two axes."""
    return product_of("matmul", *promote_values(lhs, rhs))


# -- `jax.lax`'s names for special functions: those of `rlx.numpy`, and ops that have no name there ------------------


@array_function
def bessel_i0e(x: ArrayLike) -> Value:
    """The modified Bessel function of order 0, times e^-|x|."""
    return emit("i0e", floating(x))


@array_function
def bessel_i1e(x: ArrayLike) -> Value:
    """The modified Bessel function of order 1, times e^-|x|."""
    return emit("i1e", floating(x))


@array_function
def digamma(x: ArrayLike) -> Value:
    """The derivative of `lgamma`."""
    return emit("digamma", floating(x))


@array_function
def erf_inv(x: ArrayLike) -> Value:
    """What `erf` takes to x."""
    return emit("erfinv", floating(x))


@array_function
def erfc(x: ArrayLike) -> Value:
    """One minus `erf`, exact where that is near 1."""
    return emit("erfc", floating(x))


@array_function
def lgamma(x: ArrayLike) -> Value:
    """The logarithm of the absolute gamma function."""
    return emit("lgamma", floating(x))
