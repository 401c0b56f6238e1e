"""Libraries that ask an array for its namespace: einops, array-api-compat, SciPy; on Arrays and on Values."""

from __future__ import annotations

import os
import subprocess
import sys

import array_api_compat
import einops.array_api
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

A = np.random.default_rng(0).normal(size=(4, 6, 5)).astype(np.float32)

EINOPS = {
    "rearrange": ("b (h w) c -> h (b c) w", {"w": 2}),
    "reduce": ("b (h two) c -> b h", {"reduction": "mean", "two": 2}),
    "repeat": ("b h c -> (b three) c h", {"three": 3}),
}


def call(name, module, x):
    pattern, sizes = EINOPS[name]
    reduction = [sizes["reduction"]] if "reduction" in sizes else []
    rest = {key: size for key, size in sizes.items() if key != "reduction"}
    return getattr(module, name)(x, pattern, *reduction, **rest)


@pytest.mark.parametrize("name", EINOPS)
def test_einops_on_arrays_and_values(name: str) -> None:
    expected = call(name, einops, A)
    found = call(name, einops.array_api, rnp.asarray(A))
    assert isinstance(found, rlx.Array)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(rlx.jit(lambda x: call(name, einops.array_api, x))(A), expected, rtol=1e-5, atol=1e-7)


def test_einops_in_a_derivative() -> None:
    def loss(x):
        return (einops.array_api.reduce(x, "b h c -> b c", "mean") ** 2).sum()

    expected = np.broadcast_to(2 * A.mean(1, keepdims=True) / A.shape[1], A.shape)
    np.testing.assert_allclose(rlx.grad(loss)(A), expected, rtol=1e-5)


def test_einops_pack_and_unpack() -> None:
    packed, shapes = einops.array_api.pack([rnp.asarray(A), rnp.asarray(A[:, 0])], "b * c")
    assert packed.shape == (4, 7, 5)
    back = einops.array_api.unpack(packed, shapes, "b * c")
    np.testing.assert_array_equal(back[1], A[:, 0])


def test_array_api_compat_finds_the_namespace() -> None:
    x = rnp.asarray(A)
    assert array_api_compat.array_namespace(x) is rnp
    assert array_api_compat.is_array_api_obj(x) and array_api_compat.device(x) == "cpu"
    seen = []
    rlx.jit(lambda x: seen.append(array_api_compat.array_namespace(x)) or x)(A)
    assert seen == [rnp]


SCIPY = """
import numpy as np, rlx, rlx.numpy as rnp
from scipy import constants, fft, integrate, optimize, signal, special, stats
functions = [
    lambda a: special.softmax(a, axis=1), special.expit, lambda a: special.xlogy(abs(a), abs(a)),
    lambda a: stats.moment(a, 3, axis=1), lambda a: stats.skew(a, axis=1), lambda a: stats.kurtosis(a, axis=1),
    lambda a: stats.gmean(abs(a), axis=1), lambda a: stats.entropy(abs(a), axis=1), lambda a: stats.sem(a, axis=1),
    lambda a: stats.ttest_1samp(a, 0.0, axis=1).statistic, lambda a: signal.detrend(a, type="constant"),
    fft.fft, fft.rfftn, lambda a: integrate.trapezoid(a, axis=1), lambda a: integrate.cumulative_trapezoid(a, axis=1),
    lambda a: constants.convert_temperature(a, "C", "K"), optimize.rosen,
]
a = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
for number, function in enumerate(functions):
    found = function(rnp.asarray(a))
    assert isinstance(found, rlx.Array), (number, type(found))
    np.testing.assert_allclose(np.asarray(found), function(a), rtol=1e-4, atol=1e-5, err_msg=str(number))
"""


@pytest.mark.long
def test_scipy_runs_its_array_api_functions_on_our_arrays() -> None:
    found = subprocess.run(
        [sys.executable, "-c", SCIPY], capture_output=True, text=True, env={**os.environ, "SCIPY_ARRAY_API": "1"}
    )
    assert found.returncode == 0, found.stderr[-2000:]
