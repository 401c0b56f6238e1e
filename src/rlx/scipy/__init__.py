"""`jax.scipy`'s modules: `special`, `linalg`, `stats`, `signal`. What JAX has there and RLX has not is an error that says so.

>>> import rlx.scipy as rsp, rlx.numpy as rnp
>>> rsp.special.logsumexp(rnp.zeros(2))
Array(0.6931472, dtype=float32)
"""

from typing import Any

from rlx.scipy import linalg, signal, special, stats

__all__ = ["linalg", "signal", "special", "stats"]

_INSTEAD = {
    "cluster": "argmin of the distances, rlx.numpy.argmin",
    "fft": "rlx.numpy.fft",
    "integrate": "rlx.numpy.trapezoid",
    "interpolate": "rlx.numpy.interp for one axis",
    "ndimage": "rlx.numpy and indexing",
    "optimize": "an optimizer of rlx.train and rlx.grad",
    "sparse": "rlx.lax.while_loop and products of your own",
    "spatial": "rlx.numpy and formulas",
}
"""Modules of `jax.scipy` that RLX does not have, and what does their work."""


def __getattr__(name: str) -> Any:
    if name in _INSTEAD:
        raise AttributeError(f"module 'rlx.scipy' has no attribute {name!r}; use {_INSTEAD[name]}")
    raise AttributeError(f"module 'rlx.scipy' has no attribute {name!r}")
