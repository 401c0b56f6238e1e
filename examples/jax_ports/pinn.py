"""A physics-informed network: solve the heat equation u_t = u_xx by the network's own derivatives."""

import itertools

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import random

SIZES = (2, 32, 32, 1)


def init(key):
    keys = random.split(key, len(SIZES) - 1)
    shapes = itertools.pairwise(SIZES)
    return [(random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n)) for k, (m, n) in zip(keys, shapes, strict=True)]


def u(params, x, t):
    """Temperature at one place and time."""
    h = jnp.stack([x, t])
    for w, b in params[:-1]:
        h = jnp.tanh(h @ w + b)
    w, b = params[-1]
    return (h @ w + b)[0]


def residual(params, x, t):
    """How far the network is from satisfying the equation."""
    u_t = jax.grad(u, argnums=2)(params, x, t)
    u_xx = jax.grad(jax.grad(u, argnums=1), argnums=1)(params, x, t)
    return u_t - u_xx


def exact(x, t):
    return jnp.exp(-(jnp.pi**2) * t) * jnp.sin(jnp.pi * x)


def loss(params, x, t):
    over_points = jax.vmap(residual, in_axes=(None, 0, 0))
    at = jax.vmap(u, in_axes=(None, 0, 0))
    equation = jnp.mean(over_points(params, x, t) ** 2)
    start = jnp.mean((at(params, x, jnp.zeros_like(t)) - jnp.sin(jnp.pi * x)) ** 2)
    ends = jnp.mean(at(params, jnp.zeros_like(x), t) ** 2 + at(params, jnp.ones_like(x), t) ** 2)
    return equation + 10.0 * (start + ends)


@jax.jit
def update(params, state, x, t, rate=2e-3):
    value, grads = jax.value_and_grad(loss)(params, x, t)
    mean, square, count = state
    count = count + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g**2, square, grads)

    def step(p, m, s):
        return p - rate * (m / (1 - 0.9**count)) / (jnp.sqrt(s / (1 - 0.999**count)) + 1e-8)

    return jax.tree.map(step, params, mean, square), (mean, square, count), value


@jax.jit
def error(params, x, t):
    return jnp.max(jnp.abs(jax.vmap(u, in_axes=(None, 0, 0))(params, x, t) - exact(x, t)))


def main():
    key, subkey = random.split(random.key(0))
    params = init(subkey)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = (zeros, zeros, jnp.float32(0))
    for i in range(3000):
        key, kx, kt = random.split(key, 3)
        x, t = random.uniform(kx, (128,)), 0.3 * random.uniform(kt, (128,))
        params, state, value = update(params, state, x, t)
        if i % 1000 == 999:
            print(f"step {i + 1}: loss {value:.5f}, largest error {error(params, x, t):.4f}")


if __name__ == "__main__":
    main()
