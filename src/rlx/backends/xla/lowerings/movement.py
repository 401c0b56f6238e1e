"""Shapes, parts and borders."""

from __future__ import annotations

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.site import Lowering, LoweringSite, plain


def _narrow(at: LoweringSite, x: Any) -> Any:
    return lax.slice_in_dim(x, at["start"], at["start"] + at["length"], axis=at["axis"])


def _slice(at: LoweringSite, x: Any) -> Any:
    ends = zip(at["start"], at["stop"], at["step"], strict=True)
    return x[tuple(slice(first, None if last < 0 else last, by) for first, last, by in ends)]


def _split(at: LoweringSite, x: Any) -> tuple[Any, ...]:
    stops = list(itertools.accumulate(at["sizes"]))
    return tuple(lax.slice_in_dim(x, stop - size, stop, axis=at["axis"]) for stop, size in zip(stops, at["sizes"], strict=True))


def _iota(at: LoweringSite) -> Any:
    wide = lax.broadcasted_iota(jnp.int64, at.dims, at["axis"])
    return lax.convert_element_type(wide, at.dtype)


def _pad(at: LoweringSite, x: Any) -> Any:
    widths = list(zip(at["low"], at["high"], strict=True))
    if not widths:
        return x
    if at["mode"] == "constant":
        return jnp.pad(x, widths, constant_values=np.asarray(at["value"]).astype(x.dtype))
    return jnp.pad(x, widths, mode=at["mode"])


LOWERINGS: dict[str, Lowering] = {
    "reshape": lambda at, x: jnp.reshape(x, at.dims),
    "transpose": lambda at, x: jnp.transpose(x, at["perm"]),
    "expand": lambda at, x: jnp.broadcast_to(x, at.dims),
    "narrow": _narrow,
    "slice": _slice,
    "split": _split,
    "concat": lambda at, *xs: jnp.concatenate(xs, at["axis"]),
    "iota": _iota,
    "size_value": lambda at: jnp.asarray(np.asarray(at["size"]).astype(at.dtype)),
    "pad": _pad,
    "flip": lambda at, x: jnp.flip(x, at["axes"]),
    "stop_gradient": plain(lambda x: x),
}
