"""Convolutions and pools over one, two or three axes."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.lowerings.contraction import summed_in
from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.core.dtype import DType
from rlx.ops.conv.pool import border


def _convolved(at: LoweringSite, x: Any, w: Any) -> Any:
    return lax.conv_general_dilated(
        x,
        w,
        at["stride"],
        [(amount, amount) for amount in at["padding"]],
        rhs_dilation=at["dilation"],
        feature_group_count=at["groups"],
        precision=lax.Precision.HIGHEST,
        preferred_element_type=summed_in(x),
    )


def _with_bias(y: Any, bias: Any) -> Any:
    return y if bias is None else y + bias.reshape(-1, *(1,) * (y.ndim - 2))


def _conv(at: LoweringSite, x: Any, w: Any, bias: Any = None) -> Any:
    return _with_bias(_convolved(at, x, w), bias)


def _spread_back(at: LoweringSite, dy: Any, w: Any) -> Any:
    """Transposed convolution: dy through the weight `[Cdy, C/groups, …]`, dy dilated by the stride, the weight flipped."""
    groups, axes = at["groups"], range(len(at["stride"]))
    if dy.size == 0:
        return jnp.zeros(at.dims, summed_in(dy))
    parts = w.reshape(groups, w.shape[0] // groups, *w.shape[1:]).swapaxes(1, 2)
    flipped = jnp.flip(parts.reshape(groups * w.shape[1], w.shape[0] // groups, *w.shape[2:]), tuple(range(2, w.ndim)))
    amounts = []
    for axis in axes:
        reach = at["dilation"][axis] * (w.shape[axis + 2] - 1)
        low = reach - at["padding"][axis]
        spaced = (dy.shape[axis + 2] - 1) * at["stride"][axis] + 1
        amounts.append((low, at.dims[axis + 2] - spaced - low + reach))
    return lax.conv_general_dilated(
        dy,
        flipped,
        (1,) * len(axes),
        amounts,
        lhs_dilation=at["stride"],
        rhs_dilation=at["dilation"],
        feature_group_count=groups,
        precision=lax.Precision.HIGHEST,
        preferred_element_type=summed_in(dy),
    )


def _backward_weight(at: LoweringSite, x: Any, dy: Any) -> Any:
    """Weight gradient: x convolved with dy, summed over the batch; x's channels are the batch of that convolution."""
    if x.size == 0 or dy.size == 0:
        return jnp.zeros(at.dims, summed_in(x))
    axes = "HWD"[: x.ndim - 2]
    result = lax.conv_general_dilated(
        x,
        dy,
        at["dilation"],
        [(amount, amount) for amount in at["padding"]],
        rhs_dilation=at["stride"],
        dimension_numbers=(f"CN{axes}", f"IO{axes}", f"CN{axes}"),
        batch_group_count=at["groups"],
        precision=lax.Precision.HIGHEST,
        preferred_element_type=summed_in(x),
    )
    return result[tuple(slice(size) for size in at.dims)]


# -- pools
def _windows(at: LoweringSite, x: Any, first: Any, combine: Any) -> Any:
    amounts = [(0, 0), (0, 0), *((amount, amount) for amount in at["padding"])]
    window, strides = (1, 1, *at["kernel_size"]), (1, 1, *at["stride"])
    return lax.reduce_window(x, np.asarray(first).astype(x.dtype), combine, window, strides, amounts)


def _pool(at: LoweringSite, x: Any) -> Any:
    kind = at["kind"]
    first = border(kind, DType.of(x.dtype))
    if kind in ("max", "min"):
        return _windows(at, x, first, lax.max if kind == "max" else lax.min)
    wide = x.astype(DType.of(x.dtype).compute.numpy)
    sums = _windows(at, wide, first, lax.add)
    return sums / math.prod(at["kernel_size"]) if kind == "mean" else sums


def _max_pool_backward(at: LoweringSite, x: Any, dy: Any) -> Any:
    """Adds dy of each window to its first maximum; NaN counts as infinite."""
    wide = DType.of(x.dtype).compute.numpy if jnp.issubdtype(x.dtype, jnp.floating) else x.dtype
    x, dy = x.astype(wide), dy.astype(wide)
    if jnp.issubdtype(wide, jnp.floating):
        x = jnp.where(jnp.isnan(x), jnp.inf, x)
    if dy.size == 0:
        return jnp.zeros(at.dims, wide)
    sizes, steps = at["kernel_size"], at["stride"]
    first = np.asarray(border("max", DType.of(x.dtype))).astype(wide)
    amounts = [(0, 0, 0), (0, 0, 0), *((amount, amount, 0) for amount in at["padding"])]
    padded = lax.pad(x, first, amounts)
    taps = [_tap(padded, offset, steps, dy.shape) for offset in np.ndindex(*sizes)]
    chosen = jnp.argmax(jnp.stack(taps), axis=0)
    total = jnp.zeros(padded.shape, wide)
    for number, offset in enumerate(np.ndindex(*sizes)):
        place = tuple(slice(o, o + (n - 1) * s + 1, s) for o, s, n in zip(offset, steps, dy.shape[2:], strict=True))
        total = total.at[(slice(None), slice(None), *place)].add(jnp.where(chosen == number, dy, 0))
    inside = tuple(slice(p, p + n) for p, n in zip(at["padding"], at.dims[2:], strict=True))
    return total[(slice(None), slice(None), *inside)]


def _tap(x: Any, offset: tuple[int, ...], steps: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    """One element (a tap) of every window."""
    place = tuple(slice(o, o + (n - 1) * s + 1, s) for o, s, n in zip(offset, steps, dims[2:], strict=True))
    return x[(slice(None), slice(None), *place)]


LOWERINGS: dict[str, Lowering] = {
    "conv": _conv,
    "conv_transpose": lambda at, x, w, bias=None: _with_bias(_spread_back(at, x, w), bias),
    "conv2d_backward_input": _spread_back,
    "conv2d_backward_weight": _backward_weight,
    "pool": _pool,
    "max_pool2d_backward": _max_pool_backward,
}
