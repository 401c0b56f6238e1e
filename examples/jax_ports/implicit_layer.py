"""An implicit layer: the output is a fixed point, and its gradient another one, by custom_vjp."""

from functools import partial

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, random

WIDTH = 24


def iterate(f, z):
    """z = f(z), by iteration until it moves less than 1e-5 or 200 times."""

    def moves(state):
        before, z, count = state
        return (jnp.max(jnp.abs(before - z)) > 1e-5) & (count < 200)

    def body(state):
        _, z, count = state
        return z, f(z), count + 1

    return lax.while_loop(moves, body, (z, f(z), 0))[1]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, params, x):
    return iterate(lambda z: f(params, x, z), jnp.zeros(WIDTH))


def fixed_point_fwd(f, params, x):
    z = fixed_point(f, params, x)
    return z, (params, x, z)


def fixed_point_bwd(f, residuals, z_bar):
    """By the implicit function theorem: w = z_bar + (df/dz)^T w is a fixed point as well."""
    params, x, z = residuals
    _, vjp_z = jax.vjp(lambda z: f(params, x, z), z)
    w = iterate(lambda w: vjp_z(w)[0] + z_bar, z_bar)
    _, vjp_inputs = jax.vjp(lambda params, x: f(params, x, z), params, x)
    return vjp_inputs(w)


fixed_point.defvjp(fixed_point_fwd, fixed_point_bwd)


def cell(params, x, z):
    return jnp.tanh(z @ params["w"] + x @ params["u"] + params["b"])


def predict(params, x):
    return fixed_point(cell, params["cell"], x) @ params["out"]


def loss(params, x, y):
    return jnp.mean((jax.vmap(lambda x: predict(params, x))(x) - y) ** 2)


@jax.jit
def update(params, x, y, rate=0.05):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), value


def init(key):
    k1, k2, k3 = random.split(key, 3)
    w = 0.1 * random.normal(k1, (WIDTH, WIDTH))
    cell = {"w": w, "u": random.normal(k2, (2, WIDTH)), "b": jnp.zeros(WIDTH)}
    return {"cell": cell, "out": 0.2 * random.normal(k3, (WIDTH,))}


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (128, 2)).astype(np.float32)
    y = np.sin(3 * x[:, 0]) * x[:, 1]
    params = init(random.key(0))
    for i in range(600):
        params, value = update(params, x, y)
        if i % 200 == 199:
            print(f"step {i + 1}: mean squared error {value:.5f}")


if __name__ == "__main__":
    main()
