"""A neural ODE: fit the field that moves points along a spiral, through a Runge-Kutta solver written as a scan."""

from functools import partial

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, random

STEPS = 40


def init(key, width=32):
    k1, k2 = random.split(key)
    return {
        "w1": random.normal(k1, (2, width)) * 0.5,
        "b1": jnp.zeros(width),
        "w2": random.normal(k2, (width, 2)) * 0.1,
        "b2": jnp.zeros(2),
    }


def field(params, y, t):
    """The learned velocity at a point."""
    return jnp.tanh(y**3 @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]


def odeint(f, y0, times):
    """The solution at all times by the classical Runge-Kutta method."""

    def step(y, pair):
        t, dt = pair
        k1 = f(y, t)
        k2 = f(y + dt / 2 * k1, t + dt / 2)
        k3 = f(y + dt / 2 * k2, t + dt / 2)
        k4 = f(y + dt * k3, t + dt)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y

    _, ys = lax.scan(step, y0, (times[:-1], jnp.diff(times)))
    return jnp.concatenate([y0[None], ys])


def spiral(y, t):
    return y**3 @ jnp.array([[-0.1, 2.0], [-2.0, -0.1]])


def loss(params, starts, times, targets):
    paths = jax.vmap(lambda y0: odeint(partial(field, params), y0, times))(starts)
    return jnp.mean((paths - targets) ** 2)


@jax.jit
def update(params, momentum, starts, times, targets):
    value, grads = jax.value_and_grad(loss)(params, starts, times, targets)
    scale = 1.0 / jnp.maximum(1.0, jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(grads))))
    momentum = jax.tree.map(lambda m, g: 0.9 * m + scale * g, momentum, grads)
    return jax.tree.map(lambda p, m: p - 0.02 * m, params, momentum), momentum, value


@jax.jit
def paths_of_the_spiral(starts, times):
    return jax.vmap(lambda y0: odeint(spiral, y0, times))(starts)


def main():
    times = jnp.linspace(0.0, 2.0, STEPS)
    starts = random.uniform(random.key(0), (16, 2), minval=-1.2, maxval=1.2)
    targets = paths_of_the_spiral(starts, times)
    params = init(random.key(1))
    momentum = jax.tree.map(np.zeros_like, params)
    for i in range(600):
        params, momentum, value = update(params, momentum, starts, times, targets)
        if i % 200 == 199:
            print(f"step {i + 1}: mean squared distance {value:.5f}")


if __name__ == "__main__":
    main()
