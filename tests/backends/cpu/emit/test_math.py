"""The vector functions against double precision (f32) and mpmath (f64), over the whole range of bit patterns.

`pytest -s` prints the largest error of each function in units of the last place; `--long` takes every 1009th f32.
"""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
import scipy.special

from rlx.backends.cpu.compile.codegen import compile_object, load_object
from rlx.backends.cpu.emit import math as functions
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, F64, I8, I32, I64, PTR, Type, Value
from rlx.backends.cpu.kernels.region.elementwise import EMIT
from rlx.backends.cpu.target import Target
from rlx.core.dtype import DType
from tests.backends.cpu.levels import HOST, TARGETS
from tests.backends.cpu.lowered import SIGNATURE

KINDS = {
    np.dtype(np.float32): F32,
    np.dtype(np.float64): F64,
    np.dtype(np.int8): I8,
    np.dtype(np.int32): I32,
    np.dtype(np.int64): I64,
}

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def run(target: Target, build: Callable[..., Value], *inputs: np.ndarray, lanes: int | None = None) -> np.ndarray:
    """`build(k, *vectors)` over equally long arrays; `lanes=0` runs the scalar form."""
    kind = KINDS[inputs[0].dtype]
    width = target.lanes(kind) if lanes is None else max(lanes, 1)
    loaded: Type = kind if lanes == 0 else kind.vector(width)
    module = Module(target)
    k = module.kernel("run")
    pointers = [k.argument(index, PTR) for index in range(len(inputs) + 1)]
    for i in k.range(0, k.end, width):
        k.store(build(k, *(k.load(p, i, loaded) for p in pointers[:-1])), pointers[-1], i)
    code = load_object(compile_object(module.text(), target))
    size = len(inputs[0])
    padded = [np.concatenate([x, np.ones(-size % width, x.dtype)]) for x in inputs]
    out = np.zeros_like(padded[0])
    table = np.array([array.ctypes.data for array in (*padded, out)], np.int64)
    SIGNATURE(code.address("run"))(table.ctypes.data, 0, len(out), None)
    return out[:size]


def ulps(actual: np.ndarray, expected: np.ndarray, tiny: float = 0.0) -> np.ndarray:
    """The error in units of the last place of the expected number; none where both are NaN or round alike, or differ by
    less than `tiny`."""
    info = np.finfo(actual.dtype)
    wide = np.float64 if actual.dtype == np.float32 else np.longdouble
    exact = expected.astype(wide)
    _, exponent = np.frexp(np.where(np.isfinite(exact), exact, 1))
    unit = np.maximum(np.ldexp(wide(info.eps), exponent - 1), wide(info.smallest_subnormal))
    error = np.abs(actual.astype(wide) - exact) / unit
    rounded = expected.astype(actual.dtype)
    alike = (actual == rounded) | (np.isnan(actual) & np.isnan(rounded)) | (np.abs(actual - rounded) < tiny)
    return np.where(np.isfinite(error), np.where(alike, np.minimum(error, 0.5), error), np.where(alike, 0.0, np.inf))


def report(name: str, target: Target, actual: np.ndarray, expected: np.ndarray, *xs: np.ndarray, tiny: bool = False) -> float:
    """Print and give the largest error."""
    error = ulps(actual, expected, float(np.finfo(actual.dtype).tiny) if tiny else 0.0)
    worst = int(np.argmax(error))
    kind = "f32" if actual.dtype == np.float32 else "f64"
    at = ", ".join(repr(float(x[worst])) for x in xs)
    print(f"{name:10} {kind} {target.cpu:8} {error[worst]:6.2f} ulp: {float(actual[worst])!r} at {at}")
    return float(error[worst])


SPECIAL = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    0.9,
    np.sqrt(0.5),
    np.sqrt(2.0),
    np.sqrt(2) - 1,
    np.log(2) / 2,
    np.pi / 4,
    np.pi / 2,
    np.pi,
    2 * np.pi,
    355.0,
    1e5,
    2.0**20,
    1e10,
    1e22,
    1e30,
    -5.0,
    -10.0,
    -13.0,
    14.2,
    -14.3,
    18.8,
    -104.0,
    -103.97,
    -87.3,
    88.7228,
    88.72284,
    89.0,
    -176.1,
    -709.0,
    709.78,
    -745.1,
    710.0,
]


def whole_range(dtype: type, step: int) -> np.ndarray:
    """Every `step`-th f32, the neighbourhoods of special points, and an even spread over the usual range. f64: as f32
    with random lower digits, and the exponents f32 does not reach."""
    integer = np.int32 if dtype is np.float32 else np.int64
    special = np.array([*SPECIAL, float(np.finfo(dtype).tiny), float(np.finfo(dtype).max), 1e-45, -1e-45], dtype)
    near = (special.view(integer)[:, None] + np.arange(-100, 101, dtype=integer)).ravel().view(dtype)
    patterns = np.arange(0, 1 << 32, step, dtype=np.uint64).astype(np.uint32).view(np.float32)
    spread = np.linspace(-20, 20, 200001 if dtype is np.float32 else 2001)
    if dtype is np.float64:
        random = np.random.default_rng(0)
        patterns = random.integers(0, 1 << 64, len(patterns) // 4, dtype=np.uint64).view(np.float64)
        usual = random.standard_normal(3000) * 10.0 ** random.uniform(-8, 4, 3000)
        return np.concatenate([special, near[::5], patterns, spread, usual])
    return np.concatenate([special, near, patterns, spread.astype(dtype)])


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def _gelu(x: np.ndarray) -> np.ndarray:
    tail = scipy.special.erfc(np.abs(x) / np.sqrt(2)) / 2
    return x * np.where(x < 0, tail, 1 - tail)


def _gelu_tanh(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# name: (emitter, f64 formula, allowed ulps in f32)
SINGLE: dict[str, tuple[Callable[[Function, Value], Value], Callable[[np.ndarray], np.ndarray], float]] = {
    "exp": (functions.exp, np.exp, 1.3),
    "exp_negative": (lambda k, x: functions.exp_negative(k, -k.abs(x)), lambda x: np.exp(-np.abs(x)), 1.3),
    "expm1": (functions.expm1, np.expm1, 1.8),
    "log": (functions.log, np.log, 0.9),
    "log1p": (functions.log1p, np.log1p, 1.5),
    "tanh": (functions.tanh, np.tanh, 2.5),
    "sigmoid": (functions.sigmoid, _sigmoid, 2.5),
    "silu": (functions.silu, lambda x: x * _sigmoid(x), 3.0),
    "erf": (functions.erf, scipy.special.erf, 1.5),
    "gelu": (functions.gelu, _gelu, 5.5),
    "gelu_tanh": (functions.gelu_tanh, _gelu_tanh, 3.2),
    "sin": (functions.sin, np.sin, 1.6),
    "cos": (functions.cos, np.cos, 1.6),
    "tan": (functions.tan, np.tan, 3.2),
    "atan": (functions.atan, np.arctan, 2.0),
    "softplus": (functions.softplus, lambda x: np.logaddexp(x, 0), 1.8),
    "rsqrt": (functions.rsqrt, lambda x: 1 / np.sqrt(x), 1.6),
    "elu": (functions.elu, lambda x: np.where(x > 0, x, np.expm1(x)), 1.8),
}


TINY = {"silu", "gelu", "gelu_tanh"}
"""x times a small number: where the result is about to be denormal, the error is only below the least normal number."""


@pytest.mark.parametrize("step", [8111, pytest.param(1009, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SINGLE)
def test_f32_over_the_whole_range(name: str, step: int) -> None:
    emit, formula, allowed = SINGLE[name]
    x = whole_range(np.float32, step)
    expected = formula(x.astype(np.float64))
    for target in TARGETS:
        actual = run(target, emit, x)
        assert report(name, target, actual, expected, x, tiny=name in TINY) <= allowed
        zeros = (x == 0) & (expected == 0)
        np.testing.assert_array_equal(np.signbit(actual[zeros]), np.signbit(expected[zeros]))


def _mp(function: Callable[[mpmath.mpf], mpmath.mpf]) -> Callable[[np.ndarray], np.ndarray]:
    """A formula on exact numbers, rounded to long double; NaN where it has no real value."""

    def apply(*arrays: np.ndarray) -> np.ndarray:
        out = np.empty(len(arrays[0]), np.longdouble)
        for i, numbers in enumerate(zip(*(array.tolist() for array in arrays), strict=True)):
            try:
                value = function(*(mpmath.mpf(number) for number in numbers))
            except (ValueError, ZeroDivisionError, OverflowError):
                value = mpmath.nan
            out[i] = np.nan if isinstance(value, mpmath.mpc) or mpmath.isnan(value) else _longdouble(value)
        return out

    return apply


def _longdouble(value: mpmath.mpf) -> np.longdouble:
    if mpmath.isinf(value):
        return np.longdouble(np.inf if value > 0 else -np.inf)
    high = float(value) if abs(value) < mpmath.mpf(2) ** 1024 else (np.inf if value > 0 else -np.inf)
    if abs(value) < mpmath.mpf(2) ** -1074 / 2 or not np.isfinite(high):
        return np.longdouble(high)
    return np.longdouble(high) + np.longdouble(float(value - mpmath.mpf(high)))


def _mp_sigmoid(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(0) if x < -800 else 1 / (1 + mpmath.exp(-x)) if x > -700 else mpmath.exp(x)


def _mp_gelu(x: mpmath.mpf) -> mpmath.mpf:
    return x if x > 60 else mpmath.mpf(0) if x < -60 else x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _mp_gelu_tanh(x: mpmath.mpf) -> mpmath.mpf:
    exponent = -2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(0.044715) * x**3)
    return x if x > 60 else mpmath.mpf(0) if x < -60 else x / (1 + mpmath.exp(exponent))


def _mp_exp(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(0) if x < -800 else mpmath.inf if x > 800 else mpmath.exp(x)


def _mp_expm1(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(-1) if x < -800 else mpmath.inf if x > 800 else mpmath.expm1(x)


def _turning(function: Callable[[mpmath.mpf], mpmath.mpf]) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """A function of an angle with as many digits as its size asks for."""

    def apply(x: mpmath.mpf) -> mpmath.mpf:
        if not mpmath.isfinite(x):
            return mpmath.nan
        with mpmath.workdps(50 + int(max(0, mpmath.log10(abs(x) + 1)))):
            return function(x)

    return apply


DOUBLE: dict[str, tuple[Callable[[mpmath.mpf], mpmath.mpf], float]] = {
    "exp": (_mp_exp, 1.1),
    "expm1": (_mp_expm1, 2.0),
    "log": (lambda x: -mpmath.inf if x == 0 else mpmath.log(x), 1.0),
    "log1p": (lambda x: -mpmath.inf if x == -1 else mpmath.log1p(x), 1.5),
    "tanh": (lambda x: mpmath.sign(x) if abs(x) > 40 else mpmath.tanh(x), 2.5),
    "sigmoid": (_mp_sigmoid, 2.5),
    "silu": (lambda x: x * _mp_sigmoid(x), 3.0),
    "erf": (lambda x: mpmath.sign(x) if abs(x) > 10 else mpmath.erf(x), 1.8),
    "gelu": (_mp_gelu, 7.0),
    "gelu_tanh": (_mp_gelu_tanh, 3.2),
    "sin": (_turning(mpmath.sin), 1.2),
    "cos": (_turning(mpmath.cos), 1.2),
    "tan": (_turning(mpmath.tan), 2.5),
    "atan": (mpmath.atan, 2.0),
    "softplus": (lambda x: x if x > 800 else mpmath.log1p(_mp_exp(x)), 1.8),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), 1.6),
    "elu": (lambda x: x if x > 0 else _mp_expm1(x), 2.0),
}


@pytest.mark.parametrize("name", DOUBLE)
def test_f64_over_the_whole_range(name: str) -> None:
    formula, allowed = DOUBLE[name]
    x = whole_range(np.float64, step=2000003)
    with mpmath.workdps(60):
        expected = np.where(np.isnan(x), np.nan, _mp(formula)(x))
    if name in TINY:
        expected[x == -np.inf] = np.nan
    if name == "rsqrt":
        expected[x == 0] = np.copysign(np.inf, x[x == 0])
    for target in TARGETS:
        actual = run(target, getattr(functions, name), x)
        assert report(name, target, actual, expected, x, tiny=name in TINY) <= allowed


def test_f64_powers_of_negative_numbers() -> None:
    """Down to where they are 0, by way of the denormal ones."""
    x = -np.concatenate([np.linspace(0, 760, 3001), [0.0, 745.1, 745.2, np.inf, np.nan]])
    with mpmath.workdps(60):
        expected = np.where(np.isnan(x), np.nan, _mp(_mp_exp)(x))
    for target in TARGETS:
        assert report("exp", target, run(target, functions.exp_negative, x), expected, x) <= 1.1


def pairs(dtype: type, count: int) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of special numbers, random bit patterns, and random usual numbers."""
    special = np.array(
        [
            0.0,
            -0.0,
            1,
            -1,
            2,
            -2,
            0.5,
            -0.5,
            3,
            -3,
            1.5,
            2.0**24,
            2.0**24 + 1,
            -(2.0**53),
            np.inf,
            -np.inf,
            np.nan,
            10,
            7,
            np.finfo(dtype).tiny,
            np.finfo(dtype).max,
            -np.finfo(dtype).max,
            np.finfo(dtype).smallest_subnormal,
            1e-3,
            1 / 3,
        ],
        dtype,
    )
    a, b = (grid.ravel() for grid in np.meshgrid(special, special))
    random = np.random.default_rng(1)
    bits = np.uint32 if dtype is np.float32 else np.uint64
    top = 1 << (32 if dtype is np.float32 else 64)
    patterns = [random.integers(0, top, count, bits).view(dtype) for _ in range(2)]
    usual = [(random.standard_normal(count) * 10.0 ** random.uniform(-3, 3, count)).astype(dtype) for _ in range(2)]
    near_one = np.abs(usual[1] / 1e3).astype(dtype) + dtype(0.5)
    x = np.concatenate([a, patterns[0], usual[0], near_one])
    return x, np.concatenate([b, patterns[1], usual[1], usual[0] * dtype(30)])


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
def test_f32_pairs(target: Target) -> None:
    x, y = pairs(np.float32, 50000)
    for name, emit, formula, allowed in [("pow", functions.pow_, np.power, 0.6), ("atan2", functions.atan2, np.arctan2, 2.2)]:
        actual, expected = run(target, emit, x, y), formula(x.astype(np.float64), y.astype(np.float64))
        assert report(name, target, actual, expected, x, y) <= allowed
        zeros = expected == 0
        np.testing.assert_array_equal(np.signbit(actual[zeros]), np.signbit(expected[zeros]))


def _mp_pow(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
    exponent = y * mpmath.log(abs(x))
    if abs(exponent) > 800:
        size = mpmath.inf if exponent > 0 else mpmath.mpf(0)
    else:
        size = mpmath.exp(exponent)
    return -size if x < 0 and y % 2 == 1 else size


def test_f64_pairs() -> None:
    x, y = pairs(np.float64, 1000)
    for name, emit, exact, plain, allowed in [
        ("pow", functions.pow_, _mp_pow, np.power, 1.2),
        ("atan2", functions.atan2, mpmath.atan2, np.arctan2, 2.2),
    ]:
        expected = plain(x, y).astype(np.longdouble)  # for the edges, where it is exact
        ordinary = np.isfinite(expected) & (expected != 0) & np.isfinite(x) & np.isfinite(y) & (x != 0)
        with mpmath.workdps(60):
            expected[ordinary] = _mp(exact)(x[ordinary], y[ordinary])
        for target in TARGETS:
            assert report(name, target, run(target, emit, x, y), expected, x, y) <= allowed


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_remainders_equal_numpys(target: Target, dtype: type) -> None:
    x, y = pairs(dtype, 20000)
    for emit, formula in [(functions.mod, np.mod), (functions.floor_div, np.floor_divide)]:
        expected = formula(x, y)
        for lanes in (None, 0):
            actual = run(target, emit, x, y, lanes=lanes)
            np.testing.assert_array_equal(actual, expected)
            known = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(actual[known]), np.signbit(expected[known]))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("signed", [True, False])
def test_integer_division_and_power(target: Target, dtype: type, signed: bool) -> None:
    random = np.random.default_rng(2)
    info = np.iinfo(dtype)
    edge = np.array([info.min, info.max, -1, 0, 1, 2, 3, -2, 7], dtype)
    x, y = (np.concatenate([grid.ravel(), random.integers(info.min, info.max, 500, dtype)]) for grid in np.meshgrid(edge, edge))
    read = dtype if signed else np.dtype(dtype).str.replace("i", "u")
    a, b = x.view(read), y.view(read)
    for name, formula in [("floor_div", np.floor_divide), ("mod", np.mod), ("pow", _integer_power)]:
        actual = run(target, lambda k, p, q, name=name: EMIT[name](k, [p, q], {}, DType.of(read)), x, y)
        np.testing.assert_array_equal(actual.view(read), formula(a, b))


def _integer_power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Exact Python integers, wrapped to the dtype."""
    bits = 8 * x.dtype.itemsize
    found = []
    for base, power in zip(x.tolist(), y.tolist(), strict=True):
        value = pow(base, power, 1 << bits) if power >= 0 else {1: 1, -1: (-1) ** (power & 1)}.get(base, 0)
        found.append(value % (1 << bits))
    return np.array(found, f"u{x.dtype.itemsize}").view(x.dtype)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", SINGLE)
def test_scalar_and_odd_widths_agree_with_vectors(name: str, target: Target) -> None:
    x = whole_range(np.float32, step=100_003)
    emit = SINGLE[name][0]
    vector = run(target, emit, x)
    for lanes in (0, 4, 16):
        np.testing.assert_array_equal(run(target, emit, x, lanes=lanes), vector)


def test_rare_angles() -> None:
    """The f64 nearest to a multiple of π/2, and huge ones: where careless range reduction loses every digit."""
    x = np.array([6381956970095103.0 * 2.0**797, 1e22, 2.0**1023, -1.7976931348623157e308, 5.319372648326541e255])
    with mpmath.workdps(400):
        for name in ("sin", "cos", "tan"):
            expected = _mp(getattr(mpmath, name))(x)
            assert ulps(run(HOST, getattr(functions, name), x, lanes=0), expected).max() <= 2.5


@pytest.mark.parametrize("name", ["x86_64-avx512", "aarch64"])
def test_cross_compiles(name: str) -> None:
    target = Target.named(name)
    module = Module(target)
    k = module.kernel("run")
    for kind in (F32, F64):
        x = k.load(k.argument(0, PTR), 0, k.vector(kind))
        for emit, _, _ in SINGLE.values():
            x = emit(k, x)
        for binary in (functions.pow_, functions.atan2, functions.mod, functions.floor_div):
            x = binary(k, x, x)
        k.store(x, k.argument(0, PTR), 0)
    assert len(compile_object(module.text(), target)) > 1000
