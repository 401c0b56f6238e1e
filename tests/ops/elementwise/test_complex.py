"""Complex functions at special numbers, as NumPy has them (C99, Annex G): both devices, c64 and c128.

Where C leaves a sign open (zeros and infinities that come from a part that is not finite) only the size is compared. On purpose
we do not follow NumPy in: expm1, which is exp(z) - 1 at what is not finite and 0 at -0, as the Array API has it; log1p, where NumPy's
rounds 1 + z, or overflows, before the logarithm; products whose terms overflow, and powers of or to what is not finite
(docs/decisions/0013-numerics.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.ir.op import OPS

UNARY: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "neg": np.negative,
    "sqrt": np.sqrt,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "exp": np.exp,
    "expm1": lambda z: standard_expm1(z),
    "log": np.log,
    "log1p": lambda z: np.log(z - complex(-1, 0)),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "is_nan": np.isnan,
    "is_inf": np.isinf,
    "is_finite": np.isfinite,
    "round": np.round,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "log2": np.log2,
    "log10": np.log10,
    "conjugate": np.conj,
    "complex_norm_sq": lambda z: np.square(z.real) + np.square(z.imag),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "eq": np.equal,
    "ne": np.not_equal,
}
SIGN_OPEN = ("exp", "expm1", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh")
RELATIVE = {"c64": 4e-6, "c128": 1e-14}
NUMPY = {"c64": np.complex64, "c128": np.complex128}
ENDS = {"c64": (1e-30, 3e38), "c128": (1e-300, 1.7e308)}  # near the ends of the range
DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])
DTYPES = pytest.mark.parametrize("dtype", ["c64", "c128"])


def standard_expm1(z: Any) -> Any:
    """NumPy's where z is finite, but 0 for -0; elsewhere its exp less 1: expm1(-inf + i NaN) is -1."""
    finite = np.isfinite(z)
    result = np.where(finite, np.expm1(z), np.exp(z))
    result.real[~finite] -= 1
    result.real[finite & (result.real == 0)] = 0
    return result


def numbers(dtype: str) -> Any:
    """Every pair of special parts."""
    tiny, huge = ENDS[dtype]
    sizes = [0.0, 1.0, 2.0, 0.5, 1e-20, 1e20, 100.0, tiny, huge, np.inf]
    parts = [*sizes, *(-size for size in sizes), np.nan]
    return made([complex(a, b) for a, b in itertools.product(parts, parts)], dtype)


def made(values: list[complex], dtype: str) -> Any:
    found = np.empty(len(values), NUMPY[dtype])
    found.real, found.imag = [z.real for z in values], [z.imag for z in values]
    return found


def run(names: list[str], dtype: str, device: str, *arrays: Any) -> dict[str, Any]:
    g = rlx.Graph("special")
    values = [g.input(f"x{i}", array.shape, dtype) for i, array in enumerate(arrays)]
    g.set_outputs({name: OPS[name](*values) for name in names})
    return rlx.compile(g, device).run({f"x{i}": array for i, array in enumerate(arrays)})


def wrong(found: Any, expected: Any, dtype: str, sign_open: Any) -> Any:
    """Where a result is not NumPy's."""
    if found.dtype.kind == "b":
        return found != expected
    size = np.abs(expected.astype(np.complex128))
    result = np.zeros(found.shape, bool)
    pairs = [(found, expected)] if found.dtype.kind == "f" else [(found.real, expected.real), (found.imag, expected.imag)]
    for mine, other in pairs:
        sign = (np.signbit(mine) == np.signbit(other)) | sign_open
        equal = (np.isnan(mine) & np.isnan(other)) | ((np.abs(mine) == np.abs(other)) & sign)
        with np.errstate(all="ignore"):
            near = np.abs(mine.astype(float) - other) <= RELATIVE[dtype] * np.where(np.isfinite(size), size, 0)
        near &= np.isfinite(mine) & np.isfinite(other) & ((mine != 0) | (other != 0))
        result |= ~(equal | near)
    return result


def numpys(function: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """NumPy's answer in the dtype itself, and from c128 rounded: its c64 functions are not all as good as its c128 ones."""
    with np.errstate(all="ignore"):
        own = function(*arrays)
        return own, function(*(array.astype(np.complex128) for array in arrays)).astype(own.dtype)


@DEVICES
@DTYPES
def test_functions_of_one_number(dtype: str, device: str) -> None:
    z = numbers(dtype)
    for name, found in run(list(UNARY), dtype, device, z).items():
        sign_open = ~np.isfinite(z) & (name in SIGN_OPEN)
        answers = numpys(UNARY[name], z)
        bad = wrong(found, answers[0], dtype, sign_open) & wrong(found, answers[1], dtype, sign_open)
        if name == "log1p":
            bad &= (np.abs(z.real) >= 0.5) | (np.abs(z.imag) >= 0.5)
        first = np.flatnonzero(bad)[:3]
        assert not bad.any(), f"{name}: {bad.sum()} differ: of {z[first]} {found[first]} is not {answers[0][first]}"


@DEVICES
@DTYPES
def test_functions_of_two_numbers(dtype: str, device: str) -> None:
    z = numbers(dtype)
    places = np.random.default_rng(0).integers(0, len(z), (2, 4000))
    x, y = z[places[0]], z[places[1]]
    for name, found in run(list(BINARY), dtype, device, x, y).items():
        answers = numpys(BINARY[name], x, y)
        fine = np.ones(len(x), bool)
        sign_open: Any = np.zeros(len(x), bool)
        if name == "mul":
            with np.errstate(all="ignore"):
                parts = [a * b for a in (x.real, x.imag) for b in (y.real, y.imag)]
            fine = np.isfinite(np.stack(parts)).all(0)
            sign_open = (np.stack(parts) == 0).any(0)  # of terms that vanish
        elif name == "div":
            fine = np.isfinite(y) & (y == 0) | np.isfinite(x) & np.isfinite(y) & (np.abs(y) > 1e-3) & (np.abs(y) < 1e3) & (
                np.abs(x) < 1e30
            )
        elif name == "pow":
            with np.errstate(all="ignore"):
                exponent = np.abs(y * np.log(x))
            fine = np.isfinite(x) & np.isfinite(y) & ((x == 0) | (y == 0) | (exponent < 8))
            sign_open = np.ones(len(x), bool)
        bad = fine & wrong(found, answers[0], dtype, sign_open) & wrong(found, answers[1], dtype, sign_open)
        first = np.flatnonzero(bad)[:3]
        assert fine.sum() > 100
        assert not bad.any(), f"{name}: {bad.sum()} differ: of {x[first]}, {y[first]} {found[first]} is not {answers[0][first]}"


@DEVICES
@DTYPES
def test_the_sign_of_a_complex_number(dtype: str, device: str) -> None:
    """z/|z|, for infinities too; of 1.7e308·(1 + i), whose modulus overflows, on the CPU."""
    z = numbers(dtype)
    z = z[np.abs(z.real) + np.abs(z.imag) != np.inf] if device == "cpu" else z[np.isfinite(np.abs(z))]
    z = z[~np.isnan(z) & (np.abs(z.real) < ENDS[dtype][1]) & (np.abs(z.imag) < ENDS[dtype][1])]
    found = run(["sign"], dtype, device, z)["sign"]
    wide = z.astype(np.complex128)
    scale = np.maximum(np.abs(wide.real), np.abs(wide.imag))
    scaled = wide / np.where(scale == 0, 1, scale)
    wanted = np.where(scale == 0, 0, scaled / np.where(scale == 0, 1, np.abs(scaled)))
    np.testing.assert_allclose(found, wanted, rtol=RELATIVE[dtype])


@DTYPES
def test_the_sign_of_an_infinity_is_the_direction_of_its_infinite_parts(dtype: str) -> None:
    z = made([complex(np.inf, 3), complex(-1, -np.inf), complex(-np.inf, 0.0)], dtype)
    for device in ("reference", "cpu"):
        np.testing.assert_array_equal(run(["sign"], dtype, device, z)["sign"], [1, -1j, -1])


@DEVICES
@DTYPES
def test_the_sign_of_a_zero_chooses_the_root(dtype: str, device: str) -> None:
    z = made([complex(-4, 0.0), complex(-4, -0.0), complex(4, 0.0), complex(4, -0.0), complex(-0.0, -0.0)], dtype)
    found = run(["sqrt"], dtype, device, z)["sqrt"]
    assert [str(w) for w in found] == ["2j", "-2j", "(2+0j)", "(2-0j)", "-0j"]


@DEVICES
@DTYPES
def test_roots_at_the_ends_of_the_range(dtype: str, device: str) -> None:
    tiny, huge = ENDS[dtype]
    z = made([complex(huge, huge), complex(-huge, huge), complex(-huge, -tiny), complex(tiny, -tiny), complex(-tiny, 0)], dtype)
    found = run(["sqrt"], dtype, device, z)["sqrt"].astype(np.complex128)
    scale = np.exp2(-2.0 * np.round(np.log2(np.abs(z.real.astype(float))) / 2))
    np.testing.assert_allclose(found * np.sqrt(scale), np.sqrt(z.astype(np.complex128) * scale), rtol=RELATIVE[dtype])


@DEVICES
@DTYPES
def test_a_number_over_zero_is_infinite(dtype: str, device: str) -> None:
    x, y = made([1 + 1j, -1 + 2j, 1 + 0j, 0j], dtype), np.zeros(4, NUMPY[dtype])
    found = run(["div"], dtype, device, x, y)["div"]
    np.testing.assert_array_equal(found.real, [np.inf, -np.inf, np.inf, np.nan])
    np.testing.assert_array_equal(found.imag, [np.inf, np.inf, np.nan, np.nan])


@DEVICES
@DTYPES
def test_infinite_moduli_and_angles(dtype: str, device: str) -> None:
    z = made([complex(np.inf, np.nan), complex(np.nan, -np.inf), complex(0, np.inf), complex(np.inf, 0)], dtype)
    found = run(["abs", "sin", "cos", "exp"], dtype, device, z)
    np.testing.assert_array_equal(found["abs"], [np.inf] * 4)
    assert (found["sin"][2].real, found["sin"][2].imag) == (0.0, np.inf)
    assert (found["cos"][2].real, found["cos"][2].imag) == (np.inf, 0.0)
    assert (found["exp"][3].real, found["exp"][3].imag) == (np.inf, 0.0)


@DEVICES
@DTYPES
def test_powers_of_zero(dtype: str, device: str) -> None:
    powers = made([1j, 0j, 2 + 0j, 1 - 1j, -1 + 0j, -2j], dtype)
    found = run(["pow"], dtype, device, np.zeros(6, NUMPY[dtype]), powers)["pow"]
    np.testing.assert_array_equal(np.isnan(found), [True, False, False, False, True, True])
    np.testing.assert_array_equal(found[1:4], [1, 0, 0])


@DEVICES
@DTYPES
def test_log1p_of_small_numbers(dtype: str, device: str) -> None:
    """z − z²/2 + z³/3 where that is all there is to see."""
    z = made([1e-9 + 0j, 1e-12 - 3e-12j, -1e-9 + 1e-9j, 1e-20j, complex(-1e-25, -0.0)], dtype)
    found, wide = run(["log1p"], dtype, device, z)["log1p"].astype(np.complex128), z.astype(np.complex128)
    np.testing.assert_allclose(found, wide - wide**2 / 2 + wide**3 / 3, rtol=RELATIVE[dtype])
    assert found[0].real != 0 and np.signbit(found[4].imag)
