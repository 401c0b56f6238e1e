"""A small GPT on characters: causal attention, pre-norm blocks, AdamW, and sampling with a scan."""

from functools import partial

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, nn, random

TEXT = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. " * 20
CHARACTERS = sorted(set(TEXT))
VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS = len(CHARACTERS), 32, 64, 4, 2


def init(key):
    def normal(*shape):
        nonlocal key
        key, subkey = random.split(key)
        return 0.02 * random.normal(subkey, shape)

    def norm():
        return {"scale": jnp.ones(WIDTH), "bias": jnp.zeros(WIDTH)}

    def block():
        return {
            "norm1": norm(),
            "qkv": normal(WIDTH, 3 * WIDTH),
            "proj": normal(WIDTH, WIDTH),
            "norm2": norm(),
            "up": normal(WIDTH, 4 * WIDTH),
            "down": normal(4 * WIDTH, WIDTH),
        }

    blocks = [block() for _ in range(LAYERS)]
    return {"tokens": normal(VOCABULARY, WIDTH), "places": normal(LENGTH, WIDTH), "blocks": blocks, "norm": norm()}


def layer_norm(p, x):
    mean = x.mean(axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]


def attention(p, x):
    batch, length, _ = x.shape
    q, k, v = jnp.split(x @ p["qkv"], 3, axis=-1)
    q, k, v = (t.reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3) for t in (q, k, v))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((length, length), dtype=bool))
    weights = nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)
    mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3)
    return mixed.reshape(x.shape) @ p["proj"]


def forward(params, ids):
    x = params["tokens"][ids] + params["places"][: ids.shape[1]]
    for p in params["blocks"]:
        x = x + attention(p, layer_norm(p["norm1"], x))
        x = x + nn.gelu(layer_norm(p["norm2"], x) @ p["up"]) @ p["down"]
    return layer_norm(params["norm"], x) @ params["tokens"].T


def loss(params, ids):
    logits = forward(params, ids[:, :-1])
    picked = jnp.take_along_axis(nn.log_softmax(logits), ids[:, 1:, None], axis=-1)
    return -picked.mean()


def adamw_init(params):
    return {"m": jax.tree.map(jnp.zeros_like, params), "v": jax.tree.map(jnp.zeros_like, params), "t": jnp.zeros(())}


@partial(jax.jit, donate_argnums=(0, 1))
def update(params, state, ids):
    value, grads = jax.value_and_grad(loss)(params, ids)
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (norm + 1e-6)), grads)
    t = state["t"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state["v"], grads)

    def step(p, m, v):
        return p - 3e-3 * ((m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8) + 0.01 * p)

    return jax.tree.map(step, params, m, v), {"m": m, "v": v, "t": t}, value


@partial(jax.jit, static_argnames="count")
def generate(params, start, noise, count):
    """Continue one row of LENGTH ids; `noise` is Gumbel's, one row for each character."""

    def step(ids, gumbel):
        following = jnp.argmax(forward(params, ids[None])[0, -1] + gumbel)
        return jnp.concatenate([ids[1:], following[None]]), following

    return lax.scan(step, start, noise, length=count)[1]


def main():
    ids = np.array([CHARACTERS.index(c) for c in TEXT], np.int32)
    params = init(random.key(0))
    state = adamw_init(params)
    rng = np.random.default_rng(0)
    for i in range(300):
        starts = rng.integers(0, len(ids) - LENGTH, 16)
        params, state, value = update(params, state, np.stack([ids[s : s + LENGTH + 1] for s in starts]))
        if i % 100 == 99:
            print(f"step {i + 1}: loss {value:.3f}")
    noise = 0.5 * random.gumbel(random.key(1), (60, VOCABULARY))
    text = generate(params, ids[:LENGTH], noise, count=60)
    print(TEXT[:LENGTH] + "|" + "".join(CHARACTERS[i] for i in text))


if __name__ == "__main__":
    main()
