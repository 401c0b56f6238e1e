"""Random numbers by Philox4x32-10, the same bits as on every device, and sampling from logits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from rlx.backends.xla.algebra import JaxAlgebra
from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.core.dtype import DType
from rlx.formulas.random import normal_pair, philox, uniform
from rlx.ops.random import dropout_threshold

_ALGEBRA = JaxAlgebra(DType.of("u32"))


def _words(key: Any, counter: Any, stream: int, count: int) -> list[Any]:
    """The random words of as many Philox blocks as `count` elements need."""
    halves = counter.astype(jnp.uint32), (counter.astype(jnp.uint64) >> np.uint64(32)).astype(jnp.uint32)
    return philox(_ALGEBRA, jnp.arange((count + 3) // 4, dtype=jnp.uint32), stream, key.astype(jnp.uint32), halves)


def _in_order(parts: Sequence[Any], count: int) -> Any:
    """The numbers of Philox blocks, block by block."""
    return jnp.stack(parts, 1).reshape(-1)[:count]


def _uniform(key: Any, counter: Any, stream: int, count: int, dtype: Any) -> Any:
    return uniform(_ALGEBRA, _in_order(_words(key, counter, stream, count), count), DType.of(dtype))


def _float_of(at: LoweringSite) -> Any:
    return np.float64 if at.dtype == np.float64 else np.float32


def _in_rows(draw: Callable[[LoweringSite, Any, Any], Any]) -> Lowering:
    """Lowers a draw of one key and counter, or one row for each of several keys or counters."""

    def lower(at: LoweringSite, key: Any, counter: Any) -> Any:
        axes = (0 if key.ndim == 2 else None, 0 if counter.ndim == 1 else None)
        if axes == (None, None):
            return draw(at, key, counter)
        if 0 in at.dims[:1]:
            return jnp.zeros(at.dims, at.dtype)
        return jax.vmap(lambda k, c: draw(at, k, c), axes)(key, counter)

    return lower


def _bits(at: LoweringSite, key: Any, counter: Any) -> Any:
    count = math.prod(at["shape"])
    return _in_order(_words(key, counter, at["stream"], count), count).reshape(at["shape"])


def _uniform_numbers(at: LoweringSite, key: Any, counter: Any) -> Any:
    return _uniform(key, counter, at["stream"], math.prod(at["shape"]), _float_of(at)).reshape(at["shape"])


def _normal_numbers(at: LoweringSite, key: Any, counter: Any) -> Any:
    count, dtype = math.prod(at["shape"]), DType.of(_float_of(at))
    words = _words(key, counter, at["stream"], count)
    pairs = (normal_pair(_ALGEBRA, dtype, *words[first : first + 2]) for first in (0, 2))
    return _in_order([number for pair in pairs for number in pair], count).reshape(at["shape"])


def _dropout(at: LoweringSite, x: Any, key: Any, counter: Any) -> Any:
    bits = _in_order(_words(key, counter, at["stream"], x.size), x.size).reshape(x.shape)
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
    """Samples tokens by the rule of the record, all rows at once: sums in f64, so that the ids are those of every device."""
    batch, vocabulary = logits.shape
    u = _uniform(key, counter, at["stream"], batch, jnp.float64)
    settings = [(temperature, 1.0), (top_k, 0), (top_p, 1.0), (min_p, 0.0)]
    temperature, top_k, top_p, min_p = (
        jnp.broadcast_to(jnp.asarray(default if value is None else value), (batch,))[:, None] for value, default in settings
    )
    x = logits.astype(jnp.float64)
    safe = jnp.where(temperature > 0, temperature, 1).astype(jnp.float64)
    weights = jnp.exp((x - jnp.max(x, 1, keepdims=True)) / safe).astype(jnp.float32).astype(jnp.float64)
    order = jnp.argsort(-x, axis=1, stable=True)
    sorted_weights = jnp.take_along_axis(weights, order, 1)
    rank = jnp.arange(vocabulary)[None, :]
    limit = jnp.where((top_k > 0) & (top_k < vocabulary), top_k, vocabulary)
    inside = rank < limit
    sums = jnp.cumsum(jnp.where(inside, sorted_weights, 0), axis=1)
    before = jnp.sum(sums < top_p.astype(jnp.float64) * sums[:, -1:], axis=1, keepdims=True)
    inside &= (top_p >= 1) | (rank <= before)
    inside &= sorted_weights >= jnp.minimum(min_p.astype(jnp.float64), 1.0)
    remaining = jnp.zeros_like(weights).at[jnp.arange(batch)[:, None], order].set(jnp.where(inside, sorted_weights, 0))
    cdf = jnp.cumsum(remaining, axis=1)
    drawn = jnp.sum(cdf <= u[:, None] * cdf[:, -1:], axis=1)
    return jnp.where(temperature[:, 0] > 0, drawn, jnp.argmax(logits, 1)).astype(jnp.int32)


LOWERINGS: dict[str, Lowering] = {
    "random_bits": _in_rows(_bits),
    "random_uniform": _in_rows(_uniform_numbers),
    "random_normal": _in_rows(_normal_numbers),
    "dropout": _dropout,
    "sample": _sample,
}
