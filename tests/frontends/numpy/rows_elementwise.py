"""Calls of functions of each element."""

from __future__ import annotations

import numpy as np

from tests.frontends.numpy.table import Row, b, n, row, rows, v, x

_M = (3, 4)

ONE: list[Row] = [
    *rows("exp log sqrt tan tanh sin cos log1p expm1 atan arctan", x(*_M, edges=True), on="fi"),
    *rows("exp sin cos tanh sqrt", x(5), on="dhc", jax_=True),
    *rows("exp log sqrt tan tanh sin cos log1p expm1 atan arctan exp2 log2 log10", x(7, low=0.1, high=1.4), grad_=True),
    *rows("exp2 log2 log10 deg2rad radians rad2deg degrees fabs", x(*_M, edges=True), on="fi"),
    *rows("abs absolute sign negative square positive", x(*_M, edges=True), on="fi"),
    *rows("abs absolute negative square conj conjugate real imag positive reciprocal angle", x(2, 3), on="c"),
    *rows("abs square negative reciprocal deg2rad rad2deg fabs", x(6, low=0.2), grad_=True),
    *rows("real imag conj conjugate", x(4), on="f", grad_=False),
    *rows("floor ceil trunc rint round around", x(*_M, edges=True)),
    row("fix", x(*_M, edges=True), jax_=False),
    *rows("floor ceil trunc", x(*_M), on="i"),
    row("round", x(*_M), decimals=1, on="fd"),
    row("around", x(3, low=-200, high=200), decimals=-2),
    row("around", x(3, low=-200, high=200), decimals=-2, on="i", jax_=False),
    *rows("isnan isinf isfinite", x(*_M, edges=True), on="fic"),
    *rows("isposinf isneginf", x(*_M, edges=True), on="f"),
    *rows("invert bitwise_not bitwise_invert", x(*_M), on="iub", jax_=True),
    *rows("logical_not", x(*_M), on="fib"),
    row("angle", x(*_M), deg=True, on="fc"),
    row("nan_to_num", x(*_M, edges=True)),
    row("nan_to_num", x(*_M, edges=True), nan=2.0, posinf=5.0, neginf=-5.0),
    row("modf", x(*_M, edges=True)),
    row("clip", x(*_M, edges=True), -1.0, 2.0, on="f"),
    row("clip", x(*_M), None, x(4), on="fi"),
    row("clip", x(*_M), -1.0, 2.0, grad_=True),
    row("iscomplex", x(3), on="fc"),
    row("isreal", x(3), on="fc"),
]

SPECIAL: list[Row] = [
    *(row(name, x(*_M, edges=True)) for name in ("sinh", "cosh", "cbrt")),
    *(
        row(name, x(*_M, low=-1.2, high=1.2, edges=True), on="fi")
        for name in ("asin", "arcsin", "acos", "arccos", "asinh", "arcsinh", "atanh", "arctanh", "sinc")
    ),
    *(row(name, x(*_M, low=0.5, high=4, edges=True)) for name in ("acosh", "arccosh")),
    *(
        row(name, x(5, low=-0.8, high=0.8), grad_=True)
        for name in ("sinh", "cosh", "asin", "acos", "asinh", "atanh", "cbrt", "sinc")
    ),
    row("acosh", x(5, low=1.5, high=4), grad_=True),
    *(row(name, x(*_M), x(4), grad_=True) for name in ("hypot", "logaddexp")),
    row("logaddexp2", x(*_M), x(4), grad_=True),
    *(row(name, x(*_M, edges=True), x(*_M, edges=True)) for name in ("hypot", "logaddexp", "copysign")),
    row("nextafter", x(*_M, edges=True), x(*_M), tolerance_=0),
    row("signbit", x(*_M, edges=True)),
    row("signbit", x(*_M), on="i", jax_=False),
    row("frexp", x(*_M, edges=True, low=-1e4, high=1e4)),
    row("ldexp", x(*_M, edges=True), n(4, low=-20, high=20), jax_=False),
    row("ldexp", v(1.0, 1e-30, 1e30, 3.0), v(140, 200, -200, -149, dtype="int32"), jax_=False),
    row("spacing", x(*_M, edges=True)),
    row("i0", x(*_M, low=-6, high=6), tolerance_=4),
    *(row(name, x(*_M, low=-30, high=30), x(4, low=-30, high=30), on="i") for name in ("gcd", "lcm")),
    row("bitwise_count", x(*_M, low=-100, high=100), on="iu"),
]

_TWO = "add subtract multiply divide true_divide maximum minimum"
TWO: list[Row] = [
    *rows(_TWO, x(*_M, edges=True), x(4), on="fi"),
    *rows("add subtract multiply divide", x(2, 3), x(2, 1), on="cdhu"),
    *rows(_TWO + " atan2 arctan2 fmax fmin float_power power pow", x(*_M, low=0.3), x(4, low=0.3), grad_=True),
    *rows("remainder mod floor_divide fmod", x(*_M), x(4, low=0.4, high=2), on="f"),
    *rows("remainder mod floor_divide fmod", x(*_M, low=-9, high=9), x(4, low=1, high=5), on="ius"),
    row("remainder", v([5.0, -5.0, 5.0, -5.0, np.inf, 1.0]), v([3.0, 3.0, -3.0, -3.0, 2.0, np.inf])),
    row("fmod", v([5.0, -5.0, 5.0, -5.0]), v([3.0, 3.0, -3.0, -3.0])),
    row("divmod", x(*_M, low=-9, high=9), x(4, low=1, high=5), on="fi"),
    *rows("atan2 arctan2", x(*_M, edges=True), x(*_M, edges=True)),
    *rows("fmax fmin", x(*_M, edges=True), x(4), on="fi"),
    *rows("equal not_equal less less_equal greater greater_equal", x(*_M, edges=True), x(*_M, low=-1, high=2), on="fib"),
    *rows("equal not_equal", x(3), x(3), on="c"),
    *rows("bitwise_and bitwise_or bitwise_xor", x(*_M), x(4), on="iub"),
    *rows("bitwise_left_shift left_shift bitwise_right_shift right_shift", x(*_M, low=0, high=60), n(4), on="i"),
    *rows("logical_and logical_or logical_xor", x(*_M), x(4), on="fib"),
    *rows("power pow", x(*_M, low=0), x(4, low=0), on="fi"),
    *rows("power pow float_power", x(*_M), 3, on="fi"),
    row("float_power", x(*_M, low=1), x(4, low=1), on="fi"),
    row("heaviside", x(*_M, edges=True), x(4)),
    row("isclose", x(*_M, edges=True), x(*_M, edges=True), equal_nan=True),
    row("isclose", x(*_M), x(*_M), rtol=0.5, atol=0.5, on="fi"),
]


def _places(mask):
    found = np.nonzero(mask)
    return tuple(np.concatenate([part, np.full(mask.size - len(part), -1)]) for part in found)


ASKING: list[Row] = [
    row("allclose", x(*_M), x(4), rtol=0.1),
    row("allclose", v([1.0, np.nan]), v([1.0, np.nan]), equal_nan=True),
    row("array_equal", x(*_M), x(*_M), on="fi"),
    row("array_equal", v([1.0, np.nan]), v([1.0, np.nan]), equal_nan=True),
    row("array_equal", x(3), x(4)),
    row("array_equiv", x(3, 4), x(4), on="i"),
    row("array_equiv", v([1, 2], dtype="int32"), v([[1, 2], [1, 2]], dtype="int32")),
    row("array_equiv", x(3), x(4), jax_=False),
    row("where", b(3, 4), x(4), x(3, 1), on="fic"),
    row("where", b(3, 4), x(4), x(3, 1), grad_=True),
    row("where", x(4), 1.0, x(4), on="f"),
    row("where", b(3, 4), traced_=False),
    row("where", b(3, 4), ours_={"size": 12, "fill_value": -1}, numpy_=_places),
    row("select", [b(4), b(4)], [x(4), x(4)], 5, on="fi", grad_=False),
    row("select", [b(3, 4), b(4)], [x(3, 4), x(4)], x(4), grad_=True),
    row("choose", n(3, 4, low=-2, high=6), [x(3, 4), x(4), x(1)], mode="wrap", on="fi"),
    row("choose", n(4, low=-2, high=6), [x(4), x(4), x(4)], mode="clip", grad_=True),
    row("piecewise", x(6), [v([True, False, True, False, True, False], dtype="bool")], [-1.0, 7.0], jax_=False, traced_=False),
    row("isin", x(3, 4), x(5), on="ifb"),
    row("isin", x(3, 4), n(40, low=-3, high=9), invert=True, on="i"),
    row("astype", x(3), "int32"),
]

ROWS = [*ONE, *SPECIAL, *TWO, *ASKING]
