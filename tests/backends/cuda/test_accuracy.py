"""Accuracy that the records' cases do not ask for."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rlx
from rlx.core.dtype import DType
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def test_gelu_approx_of_f64_keeps_what_rounding_lost() -> None:
    """e^u magnifies every error of u: the constants have low parts, and nothing is contracted on the way."""
    x = np.random.default_rng(0).uniform(-9, -2, 500)
    g = rlx.Graph("gelu")
    g.set_outputs({"y": g.gelu_approx(g.input("x", (500,), "f64"))})
    run = Running(g)
    assert all(kernel.as_written for kernel in run.code.programs[0].kernels)
    wide = x.astype(np.longdouble)
    rate = 2 * np.sqrt(2 / (4 * np.arctan(np.longdouble(1))))
    wanted = wide / (1 + np.exp(-rate * (wide + np.longdouble(0.044715) * wide**3)))
    assert np.max(np.abs(run(x=x)["y"] - wanted) / np.spacing(np.abs(wanted).astype(np.float64))) < 3


@pytest.mark.parametrize(("dtype", "from_here"), [("f32", -10.0), ("f64", -21.5)])
def test_gelu_approx_where_e_to_the_minus_u_overflows(dtype: str, from_here: float) -> None:
    """It was NaN: the low part of u times infinity was taken from infinity."""
    kind = DType.of(dtype).numpy
    x = np.linspace(-120, from_here, 500).astype(kind)
    g = rlx.Graph("gelu")
    g.set_outputs({"y": g.gelu_approx(g.input("x", x.shape, dtype))})
    assert np.max(np.abs(Running(g)(x=x)["y"])) < 100 * np.finfo(kind).tiny


def gelu_of(x: np.ndarray) -> np.ndarray:
    g = rlx.Graph("gelu")
    g.set_outputs({"y": g.gelu(g.input("x", x.shape, str(DType.of(x.dtype))))})
    return np.asarray(Running(g)(x=x)["y"])


@pytest.mark.parametrize(("dtype", "most"), [("f32", 5.0), ("f16", 0.56), ("bf16", 0.51)])
def test_gelu_is_exact_relative_to_its_own_size(dtype: str, most: float) -> None:
    """In units of the last place, in the tail too, where it is as small as 1e-37."""
    kind = DType.of(dtype).numpy
    x = np.concatenate([np.linspace(-13.1, 13.1, 4001), *(sign * np.logspace(-20, 1, 200) for sign in (1, -1))])
    x = x.astype(np.float32).astype(kind)
    wanted = np.array([0.5 * v * math.erfc(-v / math.sqrt(2)) for v in x.astype(np.float64)])
    digits, least = {"f32": (23, -126), "f16": (10, -14), "bf16": (7, -126)}[dtype]
    exponents = np.maximum(np.frexp(wanted)[1] - 1, least)
    assert np.max(np.abs(gelu_of(x).astype(np.float64) - wanted) / 2.0 ** (exponents - digits)) <= most


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
def test_gelu_of_what_is_not_finite(dtype: str) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, -20.0, -3e4, 3e4], np.float32).astype(DType.of(dtype).numpy)
    wanted = np.array([np.inf, np.nan, np.nan, 0.0, -0.0, 0.0, 0.0, float(x[-1])], np.float32)
    np.testing.assert_array_equal(gelu_of(x).astype(np.float32), wanted)


def test_rows_divided_by_a_number_each_are_divided_as_one_by_one() -> None:
    """A reciprocal and the rest it leaves: the same as a division, but for a last bit of what is denormal."""
    under = [1, 3, 0, np.inf, -np.inf, np.nan, 1e-40, 1e-30, 3e38, 1e30, -7, 1.5, 2.0**-126, 5e-45, 2.0**64, 2.0**65]
    random = np.random.default_rng(0)
    special = np.tile([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, 1e-38], (len(under), 1))
    drawn = random.normal(size=(len(under), 56)) * 10.0 ** random.integers(-30, 30, (len(under), 56))
    x = np.concatenate([drawn, special], 1).astype(np.float32)
    parts = np.zeros_like(x)
    parts[:, 0] = under
    g = rlx.Graph("quotients")
    total = g.reduce_sum(g.input("parts", x.shape), axes=(-1,), keep_dim=True)
    g.set_outputs({"y": g.input("x", x.shape) / total})
    run = Running(g)
    assert len(run.texts) == 1 and run.texts[0].count("div_rn") == 1
    found = run(x=x, parts=parts)["y"]
    with np.errstate(all="ignore"):
        wanted = x / parts.sum(-1, keepdims=True)
    normal = ~(np.minimum(np.abs(wanted), np.abs(x)) < 2.0**-126) | (wanted == 0)
    np.testing.assert_array_equal(found[normal], wanted[normal])
    np.testing.assert_allclose(found[~normal], wanted[~normal], rtol=2.0**-22, atol=2.0**-149)
