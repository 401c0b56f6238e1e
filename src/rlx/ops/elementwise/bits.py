"""Functions of the digits of numbers: signs, neighbours, exponents, remainders with the sign of x, bits, common divisors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rlx.core.dtype import i32, promote
from rlx.ir.value import one
from rlx.ops.elementwise.binary import binary
from rlx.ops.elementwise.unary import ALL_FLOATS, activation
from rlx.ops.inference import compute_float, define_pointwise, elementwise, floating, numeric, per_element, real, to_bool
from rlx.ops.record import Array, Attr, Call, Case, DType, Op, OpDef, Value, as_dtype, case, sample

_SPECIALS = [0.0, -0.0, 1.5, -2.5, float("inf"), -float("inf"), float("nan"), 1e-40]


def _trunc(x: Array) -> Array:
    return np.asarray(np.trunc(x)) if np.issubdtype(x.dtype, np.inexact) else x


trunc = activation("trunc", _trunc, None, keeps_ints=True, accepts=real, accuracy=0, flops=1, doc="The whole part, towards 0.")


def _question(name: str, reference: Callable[[Array], Array], accepts: Callable[[DType], bool], doc: str) -> OpDef:
    """Defines a predicate such as `is_nan`: a bool for each float."""
    return define_pointwise(
        name,
        "x",
        infer=elementwise(to_bool, accepts, "floats"),
        reference=reference,
        family="activation",
        doc=doc,
        cases=lambda: [
            case(sample(8, fixed=_SPECIALS), note="specials, odd", dtypes=ALL_FLOATS),
            case(sample(2, 9), note="plain"),
            case(sample(0), note="size 0"),
        ],
        no_gradient="bool output",
    )


is_inf = _question("is_inf", np.isinf, lambda d: numeric(d) or d.is_bool, "Whether x is infinite.")
is_finite = _question("is_finite", np.isfinite, lambda d: numeric(d) or d.is_bool, "Whether x is neither infinite nor NaN.")
sign_bit = _question("sign_bit", np.signbit, lambda d: d.is_float, "Whether the sign is minus, of zeros and NaN too.")


def _exponent(x: Array) -> Array:
    return np.asarray(np.where(np.isfinite(x), np.frexp(np.where(np.isfinite(x), x, 0).astype(np.float64))[1], 0), np.int32)


float_exponent = define_pointwise(
    "float_exponent",
    "x",
    infer=elementwise(lambda dtype: i32, lambda d: d.is_float, "floats"),
    reference=_exponent,
    family="activation",
    doc="The e (i32) with |x| = m·2^e and ½ ≤ m < 1, as np.frexp has it; 0 for 0, infinities and NaN.",
    cost=per_element(4),
    cases=lambda: [
        case(sample(8, fixed=_SPECIALS), note="specials, odd", dtypes=ALL_FLOATS),
        case(sample(3, 67, low=-1e4, high=1e4), note="plain", dtypes=ALL_FLOATS),
        case(sample(0), note="size 0"),
    ],
    no_gradient="integer output",
)


# -- two operands


copysign = binary(
    "copysign",
    np.copysign,
    (lambda z, x, y: as_dtype(one("where", x >= 0.0, 1.0, -1.0) * one("where", one("sign_bit", y), -1.0, 1.0), z.dtype), None),
    keeps_ints=False,
    accepts=real,
    accuracy=0,
    dtypes=ALL_FLOATS,
    doc="|x| with the sign of y, of a zero too.",
)
fmod = binary(
    "fmod",
    np.fmod,
    (lambda z, x, y: 1, lambda z, x, y: -one("trunc", x / y)),
    domain=(1, 9),
    accepts=lambda d: real(d) and not d.is_bool,
    accuracy=0,
    doc="x - trunc(x/y)·y, the sign of x; 0 for an int by 0.",
)


def _of_operands(call: Call) -> Op:
    """Saves the promoted dtype of `next_after` as an attribute: a kernel may hold its floats in another dtype."""
    return call.op.with_attrs(dtype=floating(promote(*(shape.dtype for shape in call.given))))


next_after = define_pointwise(
    "next_after",
    "x, y",
    infer=elementwise(floating, real, "real numbers"),
    normalize=_of_operands,
    reference=lambda x, y, dtype: np.asarray(np.nextafter(x.astype(dtype.numpy), y.astype(dtype.numpy))),
    family="binary",
    attrs={"dtype": Attr("dtype", "f32", help="that of the operands: set from them")},
    doc="The float of the same dtype next to x in the direction of y.",
    compute_dtype=compute_float,
    cost=per_element(2),
    cases=lambda: [
        case(sample(3, 7), sample(7), note="broadcast", dtypes=ALL_FLOATS),
        case(sample(8, fixed=_SPECIALS), sample(8, fixed=_SPECIALS[::-1]), note="specials", dtypes=("f32", "bf16")),
        case(sample(2, 0), sample(2, 0), note="size 0"),
    ],
    no_gradient="steps from float to float",
)


# -- integers
def _integers(operands: str, name: str, reference: Callable[..., Array], doc: str, flops: int) -> OpDef:
    count = len(operands.split(","))

    def rows() -> list[Case]:
        kinds = ("i32", "u8", "i64", "u16")
        rows = [(sample(3, 35, dtype=d, low=-99, high=99), sample(35, dtype=d, low=-9, high=9)) for d in kinds]
        return [case(*pair[:count], note=f"broadcast {d}") for d, pair in zip(kinds, rows, strict=True)]

    return define_pointwise(
        name,
        operands,
        infer=elementwise(lambda dtype: dtype, lambda d: d.is_integer, "ints"),
        reference=reference,
        family="activation" if count == 1 else "binary",
        doc=doc,
        cost=per_element(flops),
        cases=rows,
        no_gradient="integer output",
    )


def _as_unsigned(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}")


def _leading_zeros(x: Array) -> Array:
    bits, rest = 8 * x.dtype.itemsize, _as_unsigned(x).astype(np.uint64)
    length = np.zeros(x.shape, np.int64)
    for step in (32, 16, 8, 4, 2, 1):
        more = rest >> np.uint64(step) != 0
        length += np.where(more, step, 0)
        rest = np.where(more, rest >> np.uint64(step), rest)
    return np.asarray(bits - length - (rest != 0), x.dtype)


popcount = _integers("x", "popcount", lambda x: np.bitwise_count(_as_unsigned(x)).astype(x.dtype), "How many bits of x are set.", 1)
count_leading_zeros = _integers(
    "x", "count_leading_zeros", _leading_zeros, "How many zero bits precede the highest that is set.", 1
)
gcd = _integers("x, y", "gcd", np.gcd, "The greatest common divisor, not negative; gcd(0, 0) is 0.", 20)


# -- composed
def lcm(x: Value, y: Value) -> Value:
    """The least common multiple of integers, not negative; 0 if either is 0."""
    divisor = gcd(x, y)
    return one("floor_div", one("abs", x), one("where", divisor == 0, 1, divisor)) * one("abs", y)


def ldexp(x: Value, exponent: Value) -> Value:
    """x·2^exponent for integer exponents of any size, rounded once: large factors come last, while the number is normal."""
    dtype = floating(x.dtype)
    wide = DType.of("f64") if dtype.name == "f64" else DType.of("f32")
    step = 1000.0 if wide.name == "f64" else 120.0
    left = as_dtype(one("clamp", exponent, -4000, 4000), wide)
    rest = one("fmod", left, step)
    scaled, left = as_dtype(x, wide) * one("exp2", rest), left - rest
    for _ in range(4):
        part = one("clamp", left, -step, step)
        scaled, left = scaled * one("exp2", part), left - part
    return as_dtype(scaled, dtype)


def frexp(x: Value) -> tuple[Value, Value]:
    """(m, e) with x = m·2^e and ½ ≤ |m| < 1; zeros, infinities and NaN stay, with e = 0."""
    exponent = float_exponent(x)
    return ldexp(x, -exponent), exponent
