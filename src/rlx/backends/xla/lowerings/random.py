"""Random numbers by Philox4x32-10, the same bits as on every device, and sampling from logits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.ops.random import PHILOX_KEY_STEPS, PHILOX_MULTIPLIERS, PHILOX_ROUNDS, dropout_threshold

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def philox_bits(key: Any, counter: Any, stream: int, count: int) -> Any:
    """`count` words of 32 bits, by the layout that `rlx.ops.random` describes."""
    block = jnp.arange((count + 3) // 4, dtype=jnp.uint64)
    number = counter.astype(jnp.uint64)
    words = [block, jnp.full_like(block, stream), *(jnp.broadcast_to(w, block.shape) for w in (number & _LOW, number >> _HALF))]
    keys = [key[place].astype(jnp.uint64) for place in (0, 1)]
    for _ in range(PHILOX_ROUNDS):
        first, second = (words[place] * np.uint64(by) for place, by in zip((0, 2), PHILOX_MULTIPLIERS, strict=True))
        words = [(second >> _HALF) ^ words[1] ^ keys[0], second & _LOW, (first >> _HALF) ^ words[3] ^ keys[1], first & _LOW]
        keys = [(word + np.uint64(step)) & _LOW for word, step in zip(keys, PHILOX_KEY_STEPS, strict=True)]
    return jnp.stack(words, 1).reshape(-1)[:count].astype(jnp.uint32)


def _uniform(key: Any, counter: Any, stream: int, count: int, dtype: Any) -> Any:
    bits = philox_bits(key, counter, stream, count) >> np.uint32(8)
    return bits.astype(dtype) * np.asarray(2.0**-24, dtype)


def _float_of(at: LoweringSite) -> Any:
    return np.float64 if at.dtype == np.float64 else np.float32


def _in_rows(draw: Callable[[LoweringSite, Any, Any], Any]) -> Lowering:
    """A draw of one key and counter, or of a row for each of several."""

    def lower(at: LoweringSite, key: Any, counter: Any) -> Any:
        axes = (0 if key.ndim == 2 else None, 0 if counter.ndim == 1 else None)
        if axes == (None, None):
            return draw(at, key, counter)
        if 0 in at.dims[:1]:
            return jnp.zeros(at.dims, at.dtype)
        return jax.vmap(lambda k, c: draw(at, k, c), axes)(key, counter)

    return lower


def _bits(at: LoweringSite, key: Any, counter: Any) -> Any:
    return philox_bits(key, counter, at["stream"], math.prod(at["shape"])).reshape(at["shape"])


def _uniform_numbers(at: LoweringSite, key: Any, counter: Any) -> Any:
    return _uniform(key, counter, at["stream"], math.prod(at["shape"]), _float_of(at)).reshape(at["shape"])


def _normal_numbers(at: LoweringSite, key: Any, counter: Any) -> Any:
    """Box and Muller on pairs of lanes."""
    count = math.prod(at["shape"])
    u = _uniform(key, counter, at["stream"], 4 * ((count + 3) // 4), _float_of(at))
    radius, angle = jnp.sqrt(-2 * jnp.log(1 - u[0::2])), 2 * math.pi * u[1::2]
    pairs = jnp.stack([radius * jnp.cos(angle), radius * jnp.sin(angle)], 1)
    return pairs.reshape(-1)[:count].reshape(at["shape"])


def _dropout(at: LoweringSite, x: Any, key: Any, counter: Any) -> Any:
    bits = philox_bits(key, counter, at["stream"], x.size).reshape(x.shape)
    rate = at["rate"]
    kept = bits >> np.uint32(8) >= np.uint32(dropout_threshold(rate))
    return jnp.where(kept, x * np.asarray(1 / (1 - rate) if rate < 1 else 0.0, x.dtype), jnp.zeros((), x.dtype))


def _sample(
    at: LoweringSite,
    logits: Any,
    key: Any,
    counter: Any,
    temperature: Any = None,
    top_k: Any = None,
    top_p: Any = None,
    min_p: Any = None,
) -> Any:
    """The rule of the record, all rows at once: sums in f64, so that the ids are those of every device."""
    batch, vocabulary = logits.shape
    u = _uniform(key, counter, at["stream"], batch, jnp.float64)
    settings = [(temperature, 1.0), (top_k, 0), (top_p, 1.0), (min_p, 0.0)]
    heat, most, mass, least = (
        jnp.broadcast_to(jnp.asarray(default if given is None else given), (batch,))[:, None] for given, default in settings
    )
    x = logits.astype(jnp.float64)
    safe = jnp.where(heat > 0, heat, 1).astype(jnp.float64)
    weights = jnp.exp((x - jnp.max(x, 1, keepdims=True)) / safe).astype(jnp.float32).astype(jnp.float64)
    order = jnp.argsort(-x, axis=1, stable=True)
    sorted_weights = jnp.take_along_axis(weights, order, 1)
    rank = jnp.arange(vocabulary)[None, :]
    limit = jnp.where((most > 0) & (most < vocabulary), most, vocabulary)
    inside = rank < limit
    sums = jnp.cumsum(jnp.where(inside, sorted_weights, 0), axis=1)
    before = jnp.sum(sums < mass.astype(jnp.float64) * sums[:, -1:], axis=1, keepdims=True)
    inside &= (mass >= 1) | (rank <= before)
    inside &= sorted_weights >= jnp.minimum(least.astype(jnp.float64), 1.0)
    kept = jnp.zeros_like(weights).at[jnp.arange(batch)[:, None], order].set(jnp.where(inside, sorted_weights, 0))
    cdf = jnp.cumsum(kept, axis=1)
    drawn = jnp.sum(cdf <= u[:, None] * cdf[:, -1:], axis=1)
    return jnp.where(heat[:, 0] > 0, drawn, jnp.argmax(logits, 1)).astype(jnp.int32)


LOWERINGS: dict[str, Lowering] = {
    "random_bits": _in_rows(_bits),
    "random_uniform": _in_rows(_uniform_numbers),
    "random_normal": _in_rows(_normal_numbers),
    "dropout": _dropout,
    "sample": _sample,
}
