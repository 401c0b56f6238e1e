"""The special functions in vector code against mpmath, over their whole range, at every level of the machine.

`pytest -s` prints the largest error of each in units of the last place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import compile_object
from rlx.backends.cpu.emit import math as functions
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, F64, PTR, Value
from rlx.backends.cpu.kernels.region.elementwise import EMIT
from rlx.backends.cpu.target import Target
from rlx.core.dtype import DType
from tests.backends.cpu.emit.test_math import _mp, pairs, report, run
from tests.backends.cpu.levels import HOST, TARGETS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
TARGET = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
mpf = mpmath.mpf


def _log_gamma(x: mpf) -> mpf:
    return mpmath.inf if x <= 0 and x == mpmath.floor(x) else mpmath.re(mpmath.loggamma(x))


def _log_ndtr(x: mpf) -> mpf:
    if x > 0:
        return mpmath.log1p(-mpmath.ncdf(-x)) if x < 60 else mpf(0)
    return mpmath.log(mpmath.ncdf(x)) if x > -500 else -x * x / 2 - mpmath.log(-x * mpmath.sqrt(2 * mpmath.pi)) - 1 / x**2


def _quantile(p: mpf) -> mpf:
    if p in (0, 1):
        return -mpmath.inf if p == 0 else mpmath.inf
    if not 0 < p < 1:
        return mpmath.nan
    q = min(p, 1 - p)
    z = mpmath.sqrt(-2 * mpmath.log(q)) if q < mpf("0.1") else mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * q)
    for _ in range(80):
        tail = mpmath.erfc(z / mpmath.sqrt(2)) / 2
        step = (mpmath.log(tail) - mpmath.log(q)) * tail * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(z * z / 2)
        z += step
        if abs(step) < mpf(10) ** -35:
            break
    return -z if p < 0.5 else z


def _inverse_erf(x: mpf) -> mpf:
    if abs(x) > 1:
        return mpmath.nan
    if abs(x) < mpf("1e-6"):
        return mpmath.sqrt(mpmath.pi) / 2 * (x + mpmath.pi / 12 * x**3 + 7 * mpmath.pi**2 / 480 * x**5)
    return mpmath.sign(x) * mpmath.inf if abs(x) == 1 else _quantile((1 + x) / 2) / mpmath.sqrt(2)


def _bessel(order: int) -> Callable[[mpf], mpf]:
    return lambda x: mpf(0) if mpmath.isinf(x) else mpmath.besseli(order, x) * mpmath.exp(-abs(x))


def _limited(function: Callable[[mpf], mpf], low: float, below: Any, high: float, above: Any) -> Callable[[mpf], mpf]:
    """A function, with what it is beyond two bounds."""
    return lambda x: mpf(below) if x < low else mpf(above) if x > high else function(x)


def _spread(*parts: tuple[float, float, int], exponents: tuple[float, float] = (-300, 300)) -> np.ndarray:
    """Numbers of both signs at every scale, and even spreads over intervals."""
    random = np.random.default_rng(0)
    sizes = 10.0 ** random.uniform(*exponents, 200)
    specials = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0, 3.0, 0.5, 5e-324, 2.0**-1022, 1e-45, 1e-38]
    return np.concatenate([specials, sizes, -sizes, *(random.uniform(low, high, n) for low, high, n in parts)])


def _polygamma(order: int) -> Callable[[mpf], mpf]:
    def exact(x: mpf) -> mpf:
        if mpmath.isinf(x):
            return mpf(0) if x > 0 else mpmath.nan
        if x <= 0 and x == mpmath.floor(x):
            return mpmath.inf if order % 2 else mpmath.nan
        return mpmath.polygamma(order, x)

    return exact


def _exponential(base: Callable[[mpf], mpf]) -> Callable[[mpf], mpf]:
    return _limited(base, -1500, 0, 1500, mpmath.inf)


def _within_one(function: Callable[[mpf], mpf]) -> Callable[[mpf], mpf]:
    def exact(x: mpf) -> mpf:
        if abs(x) > 1:
            return mpmath.nan
        return mpmath.sign(x) * mpmath.inf if abs(x) == 1 and function is mpmath.atanh else function(x)

    return exact


EXP2 = _exponential(lambda x: mpf(2) ** x)
POSITIVE = _spread((0, 3, 300), (0, 40, 300))
# name: (emitter, exact function, arguments, allowed ulps in f32, in f64)
Row = tuple[Callable[[Function, Value], Value], Callable[[mpf], mpf], np.ndarray, float, float]
TABLE: dict[str, Row] = {
    "asin": (functions.asin, _within_one(mpmath.asin), _spread((-1, 1, 400)), 3.0, 3.0),
    "acos": (functions.acos, _within_one(mpmath.acos), _spread((-1, 1, 400)), 3.0, 3.0),
    "atanh": (functions.atanh, _within_one(mpmath.atanh), _spread((-1, 1, 400)), 3.0, 3.0),
    "asinh": (functions.asinh, mpmath.asinh, _spread((-3, 3, 400), (0, 1e6, 300), (0, 1e10, 300)), 2.5, 2.5),
    "acosh": (
        functions.acosh,
        lambda x: mpmath.acosh(x) if x >= 1 else mpmath.nan,
        _spread((1, 3, 400), (1, 1e6, 300), (1, 1e10, 300)),
        2.5,
        2.5,
    ),
    "exp2": (functions.exp2, EXP2, _spread((-160, 140, 400), (-1080, 1030, 400), (-2, 2, 300)), 1.1, 1.2),
    "log2": (functions.log2, lambda x: -mpmath.inf if x == 0 else mpmath.log(x, 2), POSITIVE, 1.5, 1.5),
    "log10": (functions.log10, lambda x: -mpmath.inf if x == 0 else mpmath.log10(x), POSITIVE, 1.6, 2.0),
    "sinh": (
        functions.sinh,
        _limited(mpmath.sinh, -1000, -mpmath.inf, 1000, mpmath.inf),
        _spread((-3, 3, 400), (-90, 90, 300), (-712, 712, 200)),
        1.3,
        1.5,
    ),
    "cosh": (
        functions.cosh,
        _limited(mpmath.cosh, -1000, mpmath.inf, 1000, mpmath.inf),
        _spread((-3, 3, 400), (-90, 90, 300), (-712, 712, 200)),
        1.2,
        1.3,
    ),
    "cbrt": (functions.cbrt, lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), _spread((-3, 3, 600)), 0.55, 0.55),
    "erfc": (functions.erfc, _limited(mpmath.erfc, -40, 2, 40, 0), _spread((-6, 11, 600), (9, 28, 300)), 4.0, 5.5),
    "ndtr": (functions.ndtr, _limited(mpmath.ncdf, -60, 0, 40, 1), _spread((-15, 8, 600), (-39, 8, 300)), 4.0, 5.5),
    "log_ndtr": (functions.log_ndtr, _log_ndtr, _spread((-15, 8, 500), (-60, 38, 300), exponents=(-300, 8)), 0.6, 5.0),
    "erfinv": (
        functions.erfinv,
        _inverse_erf,
        np.concatenate([_spread((-1, 1, 500)), 1 - 10.0 ** -np.linspace(0, 16, 100)]),
        3.5,
        5.0,
    ),
    "ndtri": (functions.ndtri, _quantile, np.concatenate([_spread((0, 1, 400)), 1 - 10.0 ** -np.linspace(0, 16, 100)]), 4.5, 6.0),
    "i0e": (functions.i0e, _bessel(0), _spread((-20, 20, 400), (-800, 800, 100), exponents=(-300, 5)), 0.6, 3.0),
    "i1e": (functions.i1e, _bessel(1), _spread((-20, 20, 400), (-800, 800, 100), exponents=(-300, 5)), 0.6, 3.0),
    "lgamma": (functions.lgamma, _log_gamma, _spread((0, 3, 400), (0, 12, 300), (12, 200, 100)), 0.6, 7.0),
    "digamma": (
        functions.digamma,
        lambda x: mpmath.nan if x < 0 and x == mpmath.floor(x) else mpmath.digamma(x),
        _spread((0, 3, 400), (0, 12, 300), (12, 200, 100), exponents=(-300, 15)),
        0.6,
        6.0,
    ),
    **{
        f"polygamma{n}": (
            lambda k, x, n=n: functions.polygamma(k, x, order=n),
            _polygamma(n),
            _spread((0, 3, 200), (-4, 12, 200), (12, 1e4, 50), exponents=(-20, 1)),
            0.6,
            9.0,
        )
        for n in (1, 2)
    },
}
NEGATIVE_BY_ABSOLUTE = ("lgamma", "digamma")
"""Below 0 they are a difference whose zeros are no floats: only the error relative to its terms is bounded."""


@cache
def _expected(name: str, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    _, exact, x, _, _ = TABLE[name]
    x = x.astype(dtype)
    with mpmath.workdps(60):
        expected = np.where(np.isnan(x), np.nan, _mp(exact)(x.astype(np.float64)))
    if name in ("digamma", "polygamma2"):
        expected[x == 0] = np.copysign(np.inf, -x[x == 0])
    return x, expected


@TARGET
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", TABLE)
def test_over_the_whole_range(name: str, dtype: str, target: Target) -> None:
    emit, _, _, *allowed = TABLE[name]
    x, expected = _expected(name, dtype)
    chosen = ~(x < 0) if name in NEGATIVE_BY_ABSOLUTE else np.ones(len(x), bool)
    actual = run(target, emit, x)
    assert report(name, target, actual[chosen], expected[chosen], x[chosen]) <= allowed[dtype == "f8"]
    zeros = (x == 0) & (expected == 0)
    np.testing.assert_array_equal(np.signbit(actual[zeros]), np.signbit(x[zeros]))


# -- two operands and bits
PAIRS: dict[str, tuple[Callable[..., Value], Callable[..., np.ndarray], float]] = {
    "hypot": (functions.hypot, np.hypot, 2.0),
    "logaddexp": (functions.logaddexp, np.logaddexp, 2.0),
    "fmod": (functions.fmod, np.fmod, 0.0),
}


@TARGET
@pytest.mark.parametrize("name", PAIRS)
def test_f32_pairs_against_f64(name: str, target: Target) -> None:
    emit, formula, allowed = PAIRS[name]
    x, y = pairs(np.float32, 5000)
    if name == "logaddexp":  # the error is one of what is added up: the larger operand
        keep = ~(np.logaddexp(x.astype(float), y.astype(float)) < 0.9 * np.maximum(np.abs(x), np.abs(y)))
        x, y = x[keep], y[keep]
    expected = formula(x, y).astype(np.float64) if allowed == 0 else formula(x.astype(np.float64), y.astype(np.float64))
    assert report(name, target, run(target, emit, x, y), expected, x, y) <= allowed


@TARGET
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hypot_of_every_size_and_remainders_in_f64(dtype: type, target: Target) -> None:
    x, y = pairs(dtype, 2000)
    expected = np.hypot(x.astype(np.longdouble), y.astype(np.longdouble))
    assert report("hypot", target, run(target, functions.hypot, x, y), expected, x, y) <= 2.0
    np.testing.assert_array_equal(run(target, functions.fmod, x, y), np.fmod(x, y))


@TARGET
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_next_floats(dtype: type, target: Target) -> None:
    x, y = pairs(dtype, 2000)
    stored = {"dtype": DType.of(dtype)}
    actual = run(target, lambda k, a, b: EMIT["next_after"](k, [a, b], stored, DType.of(dtype)), x, y)
    expected = np.nextafter(x, y)
    np.testing.assert_array_equal(actual, expected)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(actual[known]), np.signbit(expected[known]))


@TARGET
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponents(dtype: type, target: Target) -> None:
    x, _ = pairs(dtype, 2000)
    actual = run(target, lambda k, a: k.convert(EMIT["float_exponent"](k, [a], {}, DType.of(dtype)), a.type), x)
    np.testing.assert_array_equal(actual, np.where(np.isfinite(x), np.frexp(x)[1], 0))


@TARGET
def test_common_divisors(target: Target) -> None:
    random = np.random.default_rng(0)
    x, y = (random.integers(-(2**20), 2**20, 300, np.int32) * random.integers(0, 4, 300, np.int32) for _ in range(2))
    np.testing.assert_array_equal(run(target, lambda k, a, b: functions.gcd(k, a, b, True), x, y), np.gcd(x, y))


def test_powers_and_logarithms_of_two_and_ten_are_exact() -> None:
    whole = np.arange(-1074.0, 1024.0)
    np.testing.assert_array_equal(run(HOST, functions.exp2, whole), np.exp2(whole))
    np.testing.assert_array_equal(run(HOST, functions.log2, np.exp2(whole)), whole)
    small = np.arange(-126.0, 128.0, dtype=np.float32)
    np.testing.assert_array_equal(run(HOST, functions.log2, np.exp2(small)), small)


@pytest.mark.parametrize("name", ["x86_64-avx512", "x86_64-avx2", "aarch64"])
def test_compiles_for_other_machines(name: str) -> None:
    target = Target.named(name)
    module = Module(target)
    k = module.kernel("run")
    for kind in (F32, F64):
        x = k.load(k.argument(0, PTR), 0, k.vector(kind))
        for emit, *_ in TABLE.values():
            x = emit(k, x)
        k.store(x, k.argument(0, PTR), 0)
    assert len(compile_object(module.text(), target)) > 1000
