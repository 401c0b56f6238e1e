"""The encoder of the suite in JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from bench.models.encoder import EncoderConfig


def forward(config: EncoderConfig):
    """A function `(w, ids)` to the last hidden states; matrices are stored `[in, out]`."""

    def layer_norm(x, gain, bias):
        centred = x - jnp.mean(x, -1, keepdims=True)
        return centred * jax.lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + config.eps) * gain + bias

    def encode(w, ids):
        batch, length = ids.shape

        def linear(x, name):
            return x @ w[name] + w[f"{name}.bias"]

        def norm(x, name):
            return layer_norm(x, w[name], w[f"{name}.bias"])

        def heads(x):
            return x.reshape(batch, length, config.heads, config.head_dim).transpose(0, 2, 1, 3)

        x = norm(w["embedding"][ids] + w["positions"][:length] + w["types"][0], "norm")
        for i in range(config.layers):
            q, k, v = (heads(linear(x, f"{i}.{name}")) for name in "qkv")
            scores = jnp.einsum("bhsd,bhtd->bhst", q, k) / np.float32(np.sqrt(config.head_dim))
            mixed = jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(scores, -1), v)
            x = norm(x + linear(mixed.transpose(0, 2, 1, 3).reshape(x.shape), f"{i}.o"), f"{i}.norm1")
            up = jax.nn.gelu(linear(x, f"{i}.up"), approximate=False)
            x = norm(x + linear(up, f"{i}.down"), f"{i}.norm2")
        return x

    return encode
