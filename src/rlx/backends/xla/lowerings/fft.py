"""Fourier transforms."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from rlx.backends.xla.site import Lowering, LoweringSite


def _fft(at: LoweringSite, x: Any) -> Any:
    return (jnp.fft.ifft if at["inverse"] else jnp.fft.fft)(x, norm=at["norm"])


def _several(function: Any) -> Lowering:
    """Axes one after the other, also one that is named twice."""

    def lower(at: LoweringSite, x: Any) -> Any:
        for axis in at["axes"]:
            x = function(x, axis=axis, norm=at["norm"])
        return x.astype(at.dtype)

    return lower


def _rfft(at: LoweringSite, x: Any) -> Any:
    return jnp.fft.rfft(x, at["n"], norm=at["norm"])


def _irfft(at: LoweringSite, x: Any) -> Any:
    complex_type = jnp.complex128 if at.dtype == np.float64 else jnp.complex64
    return jnp.fft.irfft(x.astype(complex_type), at["n"], norm=at["norm"])


LOWERINGS: dict[str, Lowering] = {
    "fft": _fft,
    "fftn": _several(jnp.fft.fft),
    "ifftn": _several(jnp.fft.ifft),
    "rfft": _rfft,
    "irfft": _irfft,
}
