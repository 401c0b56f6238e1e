"""Reductions and running sums."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from rlx.backends.xla.site import Lowering, LoweringSite


def _total(function: Any) -> Lowering:
    """Sums and products in the dtype of the result, 16-bit floats in f32."""
    return lambda at, x: function(x, axis=at["axes"], keepdims=at["keep_dim"], dtype=x.dtype)


def _extreme(function: Any, largest: bool) -> Lowering:
    def lower(at: LoweringSite, x: Any) -> Any:
        if x.dtype == jnp.bool_:
            first: Any = not largest
        elif jnp.issubdtype(x.dtype, jnp.integer):
            info = np.iinfo(x.dtype)
            first = info.min if largest else info.max
        else:
            first = -np.inf if largest else np.inf
        return function(x, axis=at["axes"], keepdims=at["keep_dim"], initial=np.asarray(first).astype(x.dtype))

    return lower


def _any_or_all(function: Any) -> Lowering:
    return lambda at, x: function(x, axis=at["axes"], keepdims=at["keep_dim"])


def _running(function: Any, identity: int) -> Lowering:
    def lower(at: LoweringSite, x: Any) -> Any:
        axis = at["axis"] % x.ndim
        if x.shape[axis] == 0:
            return x
        x = jnp.flip(x, axis) if at["reverse"] else x
        if at["exclusive"]:
            first = jnp.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), identity, x.dtype)
            x = jnp.concatenate([first, jnp.take(x, np.arange(x.shape[axis] - 1), axis=axis)], axis)
        found = function(x, axis=axis, dtype=x.dtype)
        return jnp.flip(found, axis) if at["reverse"] else found

    return lower


LOWERINGS: dict[str, Lowering] = {
    "reduce_sum": _total(jnp.sum),
    "reduce_prod": _total(jnp.prod),
    "reduce_max": _extreme(jnp.max, True),
    "reduce_min": _extreme(jnp.min, False),
    "reduce_any": _any_or_all(jnp.any),
    "reduce_all": _any_or_all(jnp.all),
    "cumsum": _running(jnp.cumsum, 0),
    "cumprod": _running(jnp.cumprod, 1),
}
