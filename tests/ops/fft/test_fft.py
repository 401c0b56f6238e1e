"""Transforms against NumPy and SciPy at every small length; complex parts; the traps by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.elementwise.complex import complex_, complex_norm_sq, complex_norm_sq_backward, conjugate, imag, real
from rlx.ops.fft import fft, fft_conv1d, fftfreq, fftn, ifftn, irfft, psd, rfft, rfftfreq, stft, window_values
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

NORMS = st.sampled_from(["backward", "ortho", "forward"])
BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=8, max=64)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


@given(st.integers(1, 40), NORMS, st.booleans(), st.booleans())
def test_fft_as_numpy(n: int, norm: str, inverse: bool, is_complex: bool) -> None:
    x = draw((2, n), "c128" if is_complex else "f64")
    close(run(fft, x, inverse=inverse, norm=norm), (np.fft.ifft if inverse else np.fft.fft)(x, norm=norm))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), NORMS, st.data())
def test_fftn_as_numpy(dims: list[int], norm: str, data: st.DataObject) -> None:
    axes = data.draw(st.none() | st.lists(st.integers(0, len(dims) - 1), unique=True, min_size=1))
    x = draw(tuple(dims), "c128")
    for record, wanted in ((fftn, np.fft.fftn), (ifftn, np.fft.ifftn)):
        for apply in (run, decomposed):
            close(apply(record, x, axes=axes, norm=norm), wanted(x, axes=axes, norm=norm))


@given(st.integers(1, 12), st.none() | st.integers(1, 14), NORMS)
def test_rfft_and_irfft_as_numpy(size: int, n: int | None, norm: str) -> None:
    x, spectrum = draw((2, size), "f64"), draw((2, size), "c128")
    for apply in (run, decomposed):
        close(apply(rfft, x, n=n, norm=norm), np.fft.rfft(x, n, norm=norm))
        if n is not None or size > 1:
            close(apply(irfft, spectrum, n=n, norm=norm), np.fft.irfft(spectrum, n, norm=norm))


def test_rfft_of_length_6() -> None:
    x = np.arange(6, dtype=np.float32)
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(rfft, x), np.fft.rfft(x), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(apply(irfft, np.fft.rfft(x).astype(np.complex64), n=6), x, rtol=1e-6, atol=1e-6)


def test_irfft_after_rfft_at_8() -> None:
    x = draw((3, 8))
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(irfft, apply(rfft, x)), x, rtol=1e-5, atol=1e-5)


def test_fftfreq_8_at_4() -> None:
    assert run(fftfreq, n=8)[4] == -0.5
    for n in range(1, 10):
        np.testing.assert_array_equal(run(fftfreq, n=n, d=0.25, dtype="f64"), np.fft.fftfreq(n, 0.25))
        np.testing.assert_array_equal(run(rfftfreq, n=n, d=0.25, dtype="f64"), np.fft.rfftfreq(n, 0.25))


# -- signals ----------------------------------------------------------------------------------------------------
def test_windows_as_scipy() -> None:
    for name in ("hann", "hamming", "blackman", "boxcar"):
        for size in (1, 2, 7, 16):
            if size > 1:
                close(window_values(name, size), scipy.signal.get_window(name, size))


@given(st.integers(20, 60), st.integers(2, 20), st.booleans(), st.booleans(), st.sampled_from(["spectrum", "density"]), st.data())
def test_stft_as_scipy(length: int, nperseg: int, boundary: bool, padded: bool, scaling: str, data: st.DataObject) -> None:
    noverlap = data.draw(st.none() | st.integers(0, nperseg - 1))
    nfft = data.draw(st.none() | st.integers(nperseg, nperseg + 5))
    window = data.draw(st.sampled_from(["hann", "hamming", "boxcar"]))
    x = draw((2, length), "f64", seed=1)
    common = {"nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "window": window, "padded": padded}
    wanted = scipy.signal.stft(
        x, 5.0, boundary="zeros" if boundary else None, scaling="psd" if scaling == "density" else "spectrum", **common
    )[2]
    for apply in (run, decomposed):
        close(apply(stft, x, fs=5.0, boundary=boundary, scaling=scaling, **common), wanted)


@given(st.integers(20, 60), st.integers(2, 20), st.booleans(), st.sampled_from(["spectrum", "density"]), st.data())
def test_psd_as_scipy_welch(length: int, nperseg: int, detrend: bool, scaling: str, data: st.DataObject) -> None:
    noverlap = data.draw(st.none() | st.integers(0, nperseg - 1))
    nfft = data.draw(st.none() | st.integers(nperseg, nperseg + 5))
    x = draw((2, length), "f64", seed=1)
    common = {"nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "window": "hann", "scaling": scaling}
    wanted = scipy.signal.welch(x, 5.0, detrend="constant" if detrend else False, **common)[1]
    for apply in (run, decomposed):
        close(apply(psd, x, fs=5.0, detrend=detrend, **common), wanted)


@given(st.integers(1, 20), st.integers(1, 9), st.sampled_from(["full", "same", "valid"]))
def test_fft_conv1d_as_scipy(n: int, m: int, mode: str) -> None:
    x, kernel = draw((2, 3, n), "f64"), draw((3, m), "f64")
    if mode == "valid" and m > n:
        return
    wanted = scipy.signal.fftconvolve(x, np.broadcast_to(kernel, (2, 3, m)), mode, axes=-1)
    for apply in (run, decomposed):
        close(apply(fft_conv1d, x, kernel, mode=mode), wanted)


# -- complex parts ----------------------------------------------------------------------------------------------
def test_complex_parts() -> None:
    x = draw((3, 4), "c64")
    np.testing.assert_array_equal(run(real, x), x.real)
    np.testing.assert_array_equal(run(imag, x), x.imag)
    np.testing.assert_array_equal(run(conjugate, x), x.conj())
    np.testing.assert_array_equal(run(complex_, x.real, x.imag), x)
    np.testing.assert_allclose(run(complex_norm_sq, x), np.abs(x) ** 2, rtol=1e-6)
    t = torch.from_numpy(x).requires_grad_()
    dy = draw((3, 4))
    (wanted,) = torch.autograd.grad((t.real**2 + t.imag**2), t, torch.from_numpy(dy))
    np.testing.assert_allclose(run(complex_norm_sq_backward, x, dy), wanted.numpy(), rtol=1e-6)
    assert infer(complex_, Shape((2,), "f64"), Shape((2,), "i8")).dtype.name == "c128"
    infinite = np.array([np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(run(complex_, np.zeros(2, np.float32), infinite).real, 0)


def test_symbolic() -> None:
    sizes = {"batch": 2, "size": 12}
    symbolic(fft, [Shape((BATCH, SIZE))], sizes, {})
    for decompose in (False, True):
        symbolic(rfft, [Shape((BATCH, SIZE))], sizes, {}, decompose)
        symbolic(psd, [Shape((BATCH, SIZE * 4))], sizes, {"nperseg": 8}, decompose)
    assert infer(irfft, Shape((BATCH, SIZE), "c64")).dims == (BATCH, SIZE * 2 - 2)
    assert infer(fft_conv1d, Shape((SIZE,)), Shape((5,))).dims == (SIZE + 4,)


MESSAGES = [
    (lambda x: fft(x[0, 0]), "RLX102", "a scalar has no axis", "rank 1"),
    (lambda x: fft(x, norm="both"), "RLX105", "'both' is not a FftNorm", "backward, ortho, forward"),
    (lambda x: rfft(x, n=0), "RLX102", "points to transform: 1 is more than 0", "at least one point"),
    (lambda x: rfft(fft(x)), "RLX103", "c64 is not accepted", "fft takes complex"),
    (lambda x: stft(x, nperseg=4, noverlap=4), "RLX105", "nperseg is 4 and noverlap 4", "less overlap"),
    (lambda x: psd(x, nperseg=9), "RLX102", "9 is more than 6", "smaller nperseg"),
    (lambda x: real(x), "RLX103", "f32 is not accepted", "complex(re, im)"),
    (lambda x: fft_conv1d(x[:, :2], x, mode="valid"), "RLX102", "6 is more than 2", "full"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
