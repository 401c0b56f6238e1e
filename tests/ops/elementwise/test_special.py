"""The inverse, hyperbolic and special functions and those of bits: reference and CPU against SciPy, NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special

import rlx
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.ops.elementwise.bits import frexp, lcm, ldexp
from tests.ops.running import infer

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# name: (an independent function in f64, the interval it is compared on)
FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[float, float]]] = {
    "asin": (np.arcsin, (-1, 1)),
    "acos": (np.arccos, (-1, 1)),
    "sinh": (np.sinh, (-9, 9)),
    "cosh": (np.cosh, (-9, 9)),
    "asinh": (np.arcsinh, (-50, 50)),
    "acosh": (np.arccosh, (1, 50)),
    "atanh": (np.arctanh, (-1, 1)),
    "exp2": (np.exp2, (-9, 9)),
    "log2": (np.log2, (0.001, 50)),
    "log10": (np.log10, (0.001, 50)),
    "cbrt": (np.cbrt, (-50, 50)),
    "sinc": (lambda x: np.sinc(x), (-0.95, 0.95)),
    "erfc": (scipy.special.erfc, (-5, 5)),
    "erfinv": (scipy.special.erfinv, (-0.98, 0.98)),
    "ndtr": (scipy.special.ndtr, (-5, 5)),
    "log_ndtr": (scipy.special.log_ndtr, (-30, 5)),
    "ndtri": (scipy.special.ndtri, (0.001, 0.999)),
    "lgamma": (scipy.special.gammaln, (0.01, 40)),
    "digamma": (scipy.special.digamma, (0.01, 40)),
    "i0e": (scipy.special.i0e, (-40, 40)),
    "i1e": (scipy.special.i1e, (-40, 40)),
    "trunc": (np.trunc, (-9, 9)),
}
PAIRS: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    "hypot": (np.hypot, jnp.hypot),
    "logaddexp": (np.logaddexp, jnp.logaddexp),
    "copysign": (np.copysign, jnp.copysign),
    "fmod": (np.fmod, jnp.fmod),
    "next_after": (np.nextafter, None),
}
QUESTIONS: dict[str, Callable[..., Any]] = {"is_inf": np.isinf, "is_finite": np.isfinite, "sign_bit": np.signbit}
INTEGERS = ("popcount", "count_leading_zeros", "gcd")
COMPARED = {*FUNCTIONS, *PAIRS, *QUESTIONS, *INTEGERS, "polygamma", "float_exponent"}
SPECIALS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 1.5, -1.5, 30.0, -30.0, 1e30, np.inf, -np.inf, np.nan]
FLOATS = {"f32": (np.float32, 6e-7), "f64": (np.float64, 4e-15)}


def compiled(device: str, build: Callable[..., Any], *arrays: Any) -> Any:
    """The outputs of a graph of `build` on inputs like the arrays."""
    g = rlx.Graph("special")
    values = [g.input(f"x{i}", array.shape, DType.of(array.dtype).name) for i, array in enumerate(arrays)]
    found = build(*values)
    g.set_outputs(found if isinstance(found, dict) else {"y": found})
    results = rlx.compile(g, device).run({f"x{i}": array for i, array in enumerate(arrays)})
    return results if isinstance(found, dict) else results["y"]


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_against_scipy_and_numpy(dtype: str, device: str) -> None:
    kind, relative = FLOATS[dtype]
    random = np.random.default_rng(0)
    arrays = {name: random.uniform(low, high, 203).astype(kind) for name, (_, (low, high)) in FUNCTIONS.items()}
    names = list(arrays)
    found = compiled(device, lambda *xs: {n: OPS[n](x) for n, x in zip(names, xs, strict=True)}, *(arrays[n] for n in names))
    for name, result in found.items():
        wanted = FUNCTIONS[name][0](arrays[name].astype(np.float64))
        scale = np.maximum(np.abs(wanted), 0.05 if name in ("lgamma", "digamma") else 0)  # SciPy's zeros are coarser
        assert result.dtype == kind and np.all(np.abs(result - wanted) <= relative * scale), name


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_special_numbers(device: str) -> None:
    x = np.array(SPECIALS, np.float64)
    found = compiled(device, lambda v: {n: OPS[n](v) for n in FUNCTIONS}, x)
    for name, result in found.items():
        wanted = FUNCTIONS[name][0](x)
        if name == "digamma":
            wanted[1] = np.inf  # at −0, from below
        if name == "lgamma":
            wanted[x == -np.inf] = np.inf  # as C and JAX have it
        np.testing.assert_allclose(result, wanted, rtol=1e-13, atol=1e-300 if name != "sinc" else 1e-15, err_msg=name)
        zeros = (result == 0) & (wanted == 0) & (name not in ("sinc", "erfinv", "i1e"))  # SciPy's lose −0
        np.testing.assert_array_equal(np.signbit(result[zeros]), np.signbit(wanted[zeros]), err_msg=name)


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_gamma_below_zero(name: str) -> None:
    x = -np.random.default_rng(1).uniform(0, 30, 301)
    wanted = FUNCTIONS[name][0](x)
    for device in ("reference", "cpu"):
        found = compiled(device, OPS[name], x)
        assert np.all(np.abs(found - wanted) <= 2e-13 * (1 + np.abs(wanted)))


def test_polygamma() -> None:
    x = np.concatenate([np.random.default_rng(2).uniform(0.05, 30, 100), [0.0, np.inf, np.nan]])
    for device in ("reference", "cpu"):
        found = compiled(device, lambda v: {str(n): OPS["polygamma"](v, order=n) for n in (1, 2, 3, 6)}, x)
        for n, result in found.items():
            np.testing.assert_allclose(result, scipy.special.polygamma(int(n), x), rtol=1e-12)
    with pytest.raises(RlxError, match="order is 0"):
        infer(OPS["polygamma"], Shape((3,), "f32"), order=0)


def test_sinc_far_from_zero_vanishes_at_whole_numbers() -> None:
    x = np.array([1.0, 2.0, 1e6, 123456789.0, 0.5, 1e6 + 0.5])
    found = compiled("cpu", OPS["sinc"], x)
    np.testing.assert_array_equal(found[:4], 0)
    np.testing.assert_allclose(found[4:], [2 / np.pi, 1 / (np.pi * (1e6 + 0.5))], rtol=1e-14)


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_functions_of_two_numbers(dtype: str, device: str) -> None:
    kind = DType.of(dtype).numpy
    grid = np.array([*SPECIALS[:12], np.inf, -np.inf, np.nan, 7.0, 3.3])
    x, y = (a.ravel().astype(kind) for a in np.meshgrid(grid, grid))
    found = compiled(device, lambda a, b: {n: OPS[n](a, b) for n in PAIRS}, x, y)
    for name, result in found.items():
        own = name == "next_after"
        wide = kind if own else np.float64
        wanted = PAIRS[name][0](x.astype(wide), y.astype(wide)).astype(np.float64)
        relative = 0.0 if own else {"f32": 5e-7, "f64": 1e-15, "f16": 1e-3, "bf16": 8e-3}[dtype]
        assert result.dtype == kind
        size = np.maximum(np.abs(x), np.abs(y)).astype(np.float64) if name == "logaddexp" else 0.0  # what is added up
        bound = np.where(np.isfinite(size), size, 0.0) * relative
        fine = np.isclose(result.astype(np.float64), wanted, rtol=relative, atol=bound, equal_nan=True)
        assert fine.all(), (name, x[~fine], y[~fine], result[~fine], wanted[~fine])
        known = (wanted == 0) & (name in ("copysign", "fmod") or (own and dtype != "f16"))  # NumPy's f16 from 0 to −0 is 0
        np.testing.assert_array_equal(np.signbit(result[known]), np.signbit(wanted[known]), err_msg=name)


def test_derivatives_against_differences() -> None:
    """Of the independent functions in f64, by the midpoint rule twice (Richardson)."""
    points = {}
    for name, (_, (low, high)) in FUNCTIONS.items():
        inner = 0.05 * (high - low)
        points[name] = np.random.default_rng(3).uniform(low + inner, high - inner, 41)
    points.pop("trunc")
    found = rlx.grad(lambda xs: sum(OPS[name](x).sum() for name, x in xs.items()))(points)
    for name, x in points.items():
        function = FUNCTIONS[name][0]
        coarse, fine = ((function(x + h) - function(x - h)) / (2 * h) for h in (2e-4, 1e-4))
        np.testing.assert_allclose(found[name], (4 * fine - coarse) / 3, rtol=1e-6, atol=1e-8, err_msg=name)


def test_derivatives_of_two_numbers_against_jax() -> None:
    random = np.random.default_rng(4)
    x, y = random.uniform(-5, 5, 40).astype(np.float32), random.uniform(1, 3, 40).astype(np.float32)
    for name, (_, function) in PAIRS.items():
        if function is None:
            continue
        found = rlx.grad(lambda a, b, name=name: OPS[name](a, b).sum(), argnums=(0, 1))(x, y)
        wanted = jax.grad(lambda a, b, function=function: function(a, b).sum(), argnums=(0, 1))(x, y)
        for mine, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6, err_msg=name)


def test_derivatives_where_a_formula_would_divide_by_zero() -> None:
    zero, infinite = np.zeros(1, np.float32), np.full(1, np.inf, np.float32)
    np.testing.assert_array_equal(rlx.grad(lambda a, b: OPS["hypot"](a, b).sum())(zero, zero), [0.5])
    np.testing.assert_array_equal(rlx.grad(lambda a, b: OPS["logaddexp"](a, b).sum())(infinite, infinite), [0.5])
    second = rlx.grad(lambda a: rlx.grad(lambda b: OPS["sinc"](b).sum())(a).sum())(zero)
    np.testing.assert_allclose(second, [-(np.pi**2) / 3], rtol=1e-6)


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_questions(device: str) -> None:
    for dtype in ("f32", "f64", "f16", "bf16"):
        x = np.array(SPECIALS, DType.of(dtype).numpy)
        for name, result in compiled(device, lambda v: {n: OPS[n](v) for n in QUESTIONS}, x).items():
            np.testing.assert_array_equal(result, QUESTIONS[name](x.astype(np.float64)))
    for dtype in ("i32", "u8", "bool"):
        x = np.array([0, 1, 1], DType.of(dtype).numpy)
        found = compiled(device, lambda v: {n: OPS[n](v) for n in ("is_nan", "is_inf", "is_finite")}, x)
        assert [bool(found[n].all()) for n in ("is_nan", "is_inf", "is_finite")] == [False, False, True]
        assert not found["is_nan"].any() and not found["is_inf"].any()


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_ldexp_and_frexp(dtype: str) -> None:
    kind = DType.of(dtype).numpy
    x = np.array([1.0, -1.5, 3.14159, 0.0, -0.0, np.inf, np.nan, 1e-7, 1000.0, 6e-8], kind)
    for device in ("reference", "cpu"):
        found = compiled(device, lambda v: dict(zip("me", frexp(v), strict=True)), x)
        mantissa, exponent = np.frexp(x.astype(np.float64))
        np.testing.assert_array_equal(found["m"].astype(np.float64), mantissa)
        np.testing.assert_array_equal(found["e"], np.where(np.isfinite(x.astype(np.float64)), exponent, 0))
    if dtype in ("f32", "f64"):
        count = np.array([3, -3, 1030, 5, -9, 2, 1, -1060, -1074, -140], np.int32)
        small = np.array([1.7, 1.7, 5e-324, 0, 1, 1, 1, 1.9, 1.4, 1.0 + 2**-20], kind)
        for a, n in ((x, count), (small, count), (small, -count)):
            np.testing.assert_array_equal(compiled("cpu", ldexp, a, n), np.ldexp(a, n))


@pytest.mark.parametrize("dtype", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_bits_and_divisors(dtype: str) -> None:
    kind = DType.of(dtype).numpy
    info = np.iinfo(kind)  # type: ignore[type-var]
    random = np.random.default_rng(5)
    x = np.concatenate([random.integers(info.min, info.max, 70, kind, endpoint=True), np.array([0, 1, info.max], kind)])
    a, b = (random.integers(max(info.min + 1, -99), 100, 73, kind) for _ in range(2))
    for device in ("reference", "cpu"):
        found = compiled(
            device,
            lambda v, p, q: {
                "popcount": OPS["popcount"](v),
                "clz": OPS["count_leading_zeros"](v),
                "gcd": OPS["gcd"](p, q),
                "lcm": lcm(p, q),
            },
            *(x, a, b),
        )
        np.testing.assert_array_equal(found["popcount"], [(int(v) % 2**info.bits).bit_count() for v in x])
        np.testing.assert_array_equal(found["clz"], [info.bits - (int(v) % 2**info.bits).bit_length() for v in x])
        np.testing.assert_array_equal(found["gcd"], np.gcd(a, b))
        np.testing.assert_array_equal(found["lcm"], np.lcm(a, b))
        assert all(result.dtype == kind for result in found.values())


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="this machine's widest floats are f64")
def test_the_references_cube_roots_are_rounded_once() -> None:
    """NumPy's own are up to 2 ulp off, by machine: the error of y is (y³ - x) / 3y², exactly."""
    x = np.random.default_rng(0).uniform(-50, 50, 4000)
    found = OPS["cbrt"].reference(x)
    for value, root in zip(x, found, strict=True):
        exact, y = Fraction(float(value)), Fraction(float(root))
        assert abs((y**3 - exact) / (3 * y * y)) <= Fraction(0.501) * Fraction(float(np.spacing(abs(root))))
