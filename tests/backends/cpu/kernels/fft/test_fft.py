"""Transforms on the CPU against NumPy: every length to 70, long ones, both directions and norms, views, other targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels.fft.fft import LOWER
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

RANDOM = np.random.default_rng(0)


def numbers(*dims: int, dtype: Any = np.complex64) -> Any:
    x = RANDOM.standard_normal(dims)
    return (x + 1j * RANDOM.standard_normal(dims) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def lowered(x: Any, target: Target | None = None, **attrs: Any) -> Lowered:
    tensors = [tensor_of(x)]
    return Lowered(LOWER["fft"], op_for("fft", tensors, **attrs), tensors, target)


def check(x: Any, target: Target | None = None, inverse: bool = False, norm: str = "backward") -> None:
    made = lowered(x, target, inverse=inverse, norm=norm)
    (found,) = made.call([x])
    wide = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
    wanted = (np.fft.ifft if inverse else np.fft.fft)(wide, norm=norm)
    size = np.sqrt(np.mean(np.abs(wanted) ** 2)) if wanted.size else 1
    step = 2.0**-23 if found.dtype == np.complex64 else 2.0**-52
    assert np.abs(found - wanted).max(initial=0) <= 24 * step * size * max(np.log2(x.shape[-1]), 1)
    np.testing.assert_array_equal(made.call([x], split=1, threads=2)[0], found)


@pytest.mark.parametrize("n", [*range(1, 20), 24, 31, 32, 33, 48, 60, 64, 67, 70])
def test_every_short_length(n: int) -> None:
    check(numbers(3, n))
    check(numbers(2, n, dtype=np.float32), inverse=True)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("n", [16, 100, 128, 512])
def test_dtypes_directions_and_norms(target: Target, dtype: Any, n: int) -> None:
    for inverse in (False, True):
        for norm in ("backward", "ortho", "forward"):
            check(numbers(2, n, dtype=dtype), target, inverse, norm)


@pytest.mark.parametrize("n", [4096, 5000, 8192, 16384, 12000, 65536])
def test_long_transforms(n: int) -> None:
    check(numbers(2, n))
    check(numbers(1, n, dtype=np.float64), inverse=True)


def test_views() -> None:
    check(numbers(6, 3, 40)[::2, :, ::-1].transpose(1, 0, 2))
    check(numbers(16, 5, dtype=np.float32).T)
    check(numbers(0, 8))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
def test_a_symbolic_length_compiles_once(target: Target, dtype: Any) -> None:
    for inverse, norm in ((False, "backward"), (True, "backward"), (True, "ortho"), (False, "forward")):
        tensors = [tensor_of(numbers(2, 8, dtype=dtype), ("b", Dim("n", min=1)))]
        made = Lowered(LOWER["fft"], op_for("fft", tensors, inverse=inverse, norm=norm), tensors, target)
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 33, 64, 100, 1000, 4096):
            x = numbers(2, n, dtype=dtype)
            wanted = (np.fft.ifft if inverse else np.fft.fft)(x.astype(np.complex128), norm=norm)
            step = 1e-5 if dtype == np.float32 else 1e-13
            found = made.call([x])[0]
            assert np.abs(found - wanted).max() <= step * np.abs(wanted).max(), n
        np.testing.assert_array_equal(made.call([x], split=1, threads=2)[0], found)


def test_symbolic_rows_compile_once() -> None:
    made: Lowered | None = None
    for rows in (3, 1, 0, 50):
        x = numbers(rows, 64)
        if made is None:
            tensors = [tensor_of(x, ("b", 64))]
            made = Lowered(LOWER["fft"], op_for("fft", tensors), tensors)
        np.testing.assert_allclose(made.call([x])[0], np.fft.fft(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    for n in (5, 8, 30, 64):
        assert all(len(stage.object) > 500 for stage in lowered(numbers(2, n), target).stages)
