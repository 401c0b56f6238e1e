"""What a formula may use: Python's operators on the numbers of a device, and the methods of an `Algebra`, implemented once per device.

A formula is `digamma(m, x)`: m is the algebra, x is whatever the device computes with (LLVM values, Triton text, JAX arrays). It may
rely on what the docstring of a primitive promises and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rlx.core.dtype import DType

Number = Any
"""A number of a device, an integer, a float or a truth value; primitives take Python's numbers too, beside at least one of these."""
V = TypeVar("V")
Formula = Callable[..., Number]
"""(algebra, operands, attributes by name) → the result."""


@dataclass(frozen=True)
class FloatForm:
    """The bit layout of a float type."""

    integer: DType
    """The signed integers of its size."""
    fraction: int
    """The width of the stored fraction."""
    bias: int
    """Of the exponent."""

    @property
    def least_normal(self) -> float:
        """The least number of full precision."""
        return 2.0 ** (1 - self.bias)


FLOATS = {"f32": FloatForm(DType.of("i32"), 23, 127), "f64": FloatForm(DType.of("i64"), 52, 1023)}
"""By kind."""
SQUARE_LIMIT = {"f32": 13.27, "f64": 37.655}
"""By kind, the a from which on `Algebra.exp_of_square` is 0."""


class Polynomials(Protocol[V]):
    """The operations that evaluating a polynomial needs."""

    def constant(self, value: float, like: V, /) -> V:
        """A constant in the type of another number."""

    def fma(self, a: V | float, b: V | float, c: V | float, /) -> V:
        """a·b + c, rounded once or twice."""


class Algebra(Polynomials[Number], Protocol):
    """The primitives that formulas are written in, for one op on one device."""

    dtype: DType
    """That of the op's last operand: the dtype of the values alone does not always say whether an integer has a sign."""

    def kind(self, x: Number) -> str:
        """The type of a number: "f32" or "f64"."""

    # -- choices
    def select(self, condition: Number, a: Number, b: Number) -> Number:
        """a where the condition holds, else b."""

    def rarely(self, condition: Number, make: Callable[[], Number], otherwise: Number) -> Number:
        """`make()` where the condition holds, which is seldom: a device may branch."""

    # -- floats
    def exact_product(self, a: Number, b: Number) -> tuple[Number, Number]:
        """a·b rounded, and what rounding lost."""

    def as_is(self, x: Number) -> Number:
        """Returns x, and prevents compilers from undoing its rounding."""

    def in_f64(self, formula: Formula, x: Number) -> Number:
        """`formula(x)` computed in f64, in the type of x."""

    def abs(self, x: Number) -> Number: ...
    def sqrt(self, x: Number) -> Number: ...
    def copysign(self, size: Number, sign: Number) -> Number: ...

    def minimum(self, a: Number, b: Number) -> Number:
        """The smaller number, NaN if one is NaN."""

    def maximum(self, a: Number, b: Number) -> Number:
        """The larger number, NaN if one is NaN."""

    def minimum_fast(self, a: Number, b: Number) -> Number:
        """The smaller number where neither is NaN; NaN where b is."""

    def maximum_fast(self, a: Number, b: Number) -> Number:
        """The larger number where neither is NaN; NaN where b is."""

    def is_nan(self, x: Number) -> Number: ...
    def round_even(self, x: Number) -> Number: ...
    def floor(self, x: Number) -> Number: ...
    def ceil(self, x: Number) -> Number: ...
    def trunc(self, x: Number) -> Number: ...

    def fmod(self, x: Number, y: Number) -> Number:
        """x − trunc(x/y)·y, exact."""

    # -- elementary functions, each device's own, good to the tolerance of the record that has their name
    def exp(self, x: Number) -> Number: ...
    def exp2(self, x: Number) -> Number: ...
    def expm1(self, x: Number) -> Number: ...
    def log(self, x: Number) -> Number: ...
    def log1p(self, x: Number) -> Number: ...
    def log2(self, x: Number) -> Number: ...
    def log10(self, x: Number) -> Number: ...
    def cbrt(self, x: Number) -> Number: ...
    def sin(self, x: Number) -> Number: ...
    def cos(self, x: Number) -> Number: ...
    def tan(self, x: Number) -> Number: ...
    def atan(self, x: Number) -> Number: ...
    def atan2(self, y: Number, x: Number) -> Number: ...
    def sinh(self, x: Number) -> Number: ...
    def cosh(self, x: Number) -> Number: ...
    def tanh(self, x: Number) -> Number: ...
    def sigmoid(self, x: Number) -> Number: ...
    def erf(self, x: Number) -> Number: ...
    def pow(self, x: Number, y: Number) -> Number: ...

    def exp_negative(self, x: Number) -> Number:
        """e^x for x ≤ 0."""

    def exp_parts(self, x: Number, tail: Number) -> Number:
        """e^(x + tail), the tail a rounding error of x."""

    def exp_of_square(self, a: Number, square: Number) -> Number:
        """e^(−a²/2) for 0 ≤ a ≤ SQUARE_LIMIT, where it is 0; `square` is a² rounded."""

    # -- integers and bits
    def compare(self, name: str, x: Number, y: Number) -> Number:
        """Whether x is lt, le, gt, ge, eq or ne y, as numbers of `dtype`."""

    def truth(self, value: bool, like: Number) -> Number:
        """A bool for each element of another number."""

    def within(self, x: Number, count: int) -> Number:
        """Whether the integer of `dtype` is ≥ 0 and < count."""

    def logical_shift(self, x: Number, places: Number) -> Number:
        """x shifted right by `places`, with zeros for the sign."""

    def floor_divide(self, x: Number, y: Number) -> Number:
        """floor(x/y) of integers of `dtype`; y is neither 0 nor −1."""

    def floor_modulo(self, x: Number, y: Number) -> Number:
        """x − floor(x/y)·y of integers of `dtype`; y is neither 0 nor −1."""

    def remainder(self, x: Number, y: Number) -> Number:
        """x − trunc(x/y)·y of integers of `dtype`; y is neither 0 nor −1."""

    def integer_pow(self, x: Number, y: Number) -> Number:
        """x to the y ≥ 0 of integers, wrapping."""

    def gcd(self, x: Number, y: Number) -> Number:
        """The greatest common divisor of integers, ≥ 0."""

    def multiply_high(self, x: Number, y: Number) -> Number:
        """The upper half of the product of two u32."""

    def spread(self, scalar: Number, like: Number) -> Number:
        """Broadcasts a scalar to each element of another number of its dtype."""

    def popcount(self, x: Number) -> Number: ...
    def count_leading_zeros(self, x: Number) -> Number: ...

    def cast(self, x: Number, source: DType, to: DType) -> Number:
        """Casts a number to another dtype, rounded and saturated as `rlx.core.dtype.cast_array` does."""

    def bits(self, x: Number) -> Number:
        """The bits of an f32 or f64 as a signed integer."""

    def stored_bits(self, x: Number, dtype: DType) -> Number:
        """A float's bits in a dtype, which may be of 16 bits, as a signed integer of that size."""

    def from_stored_bits(self, bits: Number, dtype: DType) -> Number:
        """The float of a dtype whose bits are a signed integer: the inverse of `stored_bits`."""


def horner(m: Polynomials[V], x: V, coefficients: Sequence[float]) -> V:
    """Evaluates c0 + c1·x + c2·x² + … by Horner's rule."""
    result = m.constant(coefficients[-1], x)
    for coefficient in reversed(coefficients[:-1]):
        result = m.fma(result, x, coefficient)
    return result


def by_squares(m: Polynomials[V], x: V, square: V, coefficients: Sequence[float]) -> V:
    """Evaluates a polynomial as (c0 + c1·x) + x²·((c2 + c3·x) + …): a dependency chain half as long as Horner's rule."""
    pairs = [coefficients[i : i + 2] for i in range(0, len(coefficients), 2)]
    terms = [m.fma(x, pair[1], pair[0]) if len(pair) == 2 else m.constant(pair[0], x) for pair in pairs]
    result = terms[-1]
    for term in reversed(terms[:-1]):
        result = m.fma(result, square, term)
    return result


def paired(m: Polynomials[V], x: V, square: V, coefficients: Sequence[float]) -> V:
    """Evaluates a polynomial as c0 + x·((c1 + c2·x) + x²·(…)): half the roundings of Horner's rule where high powers count."""
    return m.fma(by_squares(m, x, square, coefficients[1:]), x, coefficients[0])
