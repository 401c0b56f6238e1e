"""Casts as the IR defines them: float to int truncates and saturates with NaN as 0, int to int wraps, to bool is != 0."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.core.dtype import DType, f4e2m1, f32


def cast(array: Any, to: DType) -> Any:
    """An array in another dtype: `rlx.core.dtype.cast_array` in JAX."""
    source = DType.of(array.dtype)
    if source is to:
        return array
    if source.is_complex and not to.is_complex and not to.is_bool:
        array = jnp.real(array)
        source = DType.of(array.dtype)
        if source is to:
            return array
    if to.is_bool:
        return (array.astype(jnp.float32) if source.category == "f8" else array) != 0
    if to.is_integer and source.category in ("float", "f8"):
        return _whole(array if source.size >= f32.size else array.astype(jnp.float32), to)
    if "f8" in (to.category, source.category):
        array = _single(array)
        if to is f4e2m1:
            array = jnp.where(jnp.isnan(array), jnp.float32(0), array)
    return lax.convert_element_type(array, to.numpy)


def _single(array: Any) -> Any:
    return lax.convert_element_type(array, jnp.float32)


def _whole(array: Any, to: DType) -> Any:
    """Towards 0, the nearest number of the type where there is none, 0 for NaN."""
    info: Any = np.iinfo(to.numpy)
    low, high = array.dtype.type(info.min), array.dtype.type(info.max)
    inside = (array > low) & (array < high)
    found = lax.convert_element_type(jnp.where(inside, array, 0), to.numpy)
    found = jnp.where(array >= high, to.numpy.type(info.max), found)
    return jnp.where(array <= low, to.numpy.type(info.min), found)
