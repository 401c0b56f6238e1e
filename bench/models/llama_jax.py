"""The Llama of the suite in JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from bench.models.llama import LlamaConfig


def parameters(weights: dict[str, np.ndarray], out_first: bool) -> dict[str, jax.Array]:
    """The weights on the device, matrices stored `[in, out]` or `[out, in]`."""
    turned = {n: v.T if out_first and v.ndim == 2 and n != "embedding" else v for n, v in weights.items()}
    return {name: jnp.asarray(np.ascontiguousarray(value)) for name, value in turned.items()}


def prefill(config: LlamaConfig, out_first: bool):
    """A function `(w, ids)` to logits and the keys and values, stacked over layers."""

    def forward(w, ids):
        length = ids.shape[1]
        visible = jnp.tril(jnp.ones((length, length), bool))
        keys, values = [], []

        def remember(_i, key, value):
            keys.append(key)
            values.append(value)
            return key, value

        logits = _decoder(config, out_first, w, ids, jnp.arange(length), visible, remember)
        return logits, jnp.stack(keys), jnp.stack(values)

    return forward


def decode(config: LlamaConfig, out_first: bool):
    """A function `(w, ids, position, keys, values)`, the last two of fixed capacity and given back updated."""

    def forward(w, ids, position, keys, values):
        cache = [keys, values]
        visible = jnp.arange(keys.shape[3]) <= position

        def remember(i, *new):
            for which in (0, 1):
                cache[which] = jax.lax.dynamic_update_slice(cache[which], new[which][None], (i, 0, 0, position, 0))
            return cache[0][i], cache[1][i]

        logits = _decoder(config, out_first, w, ids, position[None], visible, remember)
        return logits, *cache

    return forward


def _decoder(config: LlamaConfig, out_first: bool, w, ids, positions, visible, remember):
    frequencies = config.theta ** -(jnp.arange(0, config.head_dim, 2, dtype=jnp.float32) / config.head_dim)
    angles = positions[:, None].astype(jnp.float32) * frequencies
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    batch, length = ids.shape
    group = config.heads // config.kv_heads

    def linear(x, name):
        return x @ (w[name].T if out_first else w[name])

    def rms_norm(x, name):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + config.eps) * w[name]

    def heads(x):
        return x.reshape(batch, length, -1, config.head_dim).transpose(0, 2, 1, 3)

    def rope(x):
        first, second = jnp.split(x, 2, -1)
        return jnp.concatenate((first * cos - second * sin, second * cos + first * sin), -1)

    x = w["embedding"][ids]
    for i in range(config.layers):
        normed = rms_norm(x, f"{i}.norm1")
        query = rope(heads(linear(normed, f"{i}.q"))).reshape(batch, config.kv_heads, group, length, config.head_dim)
        key, value = remember(i, rope(heads(linear(normed, f"{i}.k"))), heads(linear(normed, f"{i}.v")))
        scores = jnp.einsum("bkgsd,bktd->bkgst", query, key) / np.float32(np.sqrt(config.head_dim))
        shares = jax.nn.softmax(jnp.where(visible, scores, -1e30), -1)
        mixed = jnp.einsum("bkgst,bktd->bkgsd", shares, value).reshape(batch, config.heads, length, config.head_dim)
        x = x + linear(mixed.transpose(0, 2, 1, 3).reshape(batch, length, config.hidden), f"{i}.o")
        normed = rms_norm(x, f"{i}.norm2")
        x = x + linear(jax.nn.silu(linear(normed, f"{i}.gate")) * linear(normed, f"{i}.up"), f"{i}.down")
    return linear(rms_norm(x, "norm"), "head")
