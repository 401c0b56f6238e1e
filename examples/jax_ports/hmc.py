"""Hamiltonian Monte Carlo: sample the posterior of a Bayesian logistic regression."""

from functools import partial

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, nn, random


def log_posterior(theta, x, y):
    """Bernoulli's likelihood of the labels and a standard normal prior."""
    logits = x @ theta
    return jnp.sum(y * nn.log_sigmoid(logits) + (1 - y) * nn.log_sigmoid(-logits)) - 0.5 * jnp.sum(theta**2)


def leapfrog(theta, momentum, gradient, step_size, steps):
    def body(_, state):
        theta, momentum = state
        momentum = momentum + 0.5 * step_size * gradient(theta)
        theta = theta + step_size * momentum
        momentum = momentum + 0.5 * step_size * gradient(theta)
        return theta, momentum

    return lax.fori_loop(0, steps, body, (theta, momentum))


@partial(jax.jit, static_argnames=("steps",))
def sample(theta, x, y, momenta, uniforms, step_size=0.1, steps=10):
    """A chain as long as the noise: one momentum and one uniform number for each proposal."""
    log_density = partial(log_posterior, x=x, y=y)
    gradient = jax.grad(log_density)

    def propose(theta, noise):
        momentum, uniform = noise
        moved, turned = leapfrog(theta, momentum, gradient, step_size, steps)
        before = log_density(theta) - 0.5 * momentum @ momentum
        after = log_density(moved) - 0.5 * turned @ turned
        accepted = jnp.log(uniform) < after - before
        theta = lax.cond(accepted, lambda: moved, lambda: theta)
        return theta, (theta, accepted)

    _, (chain, accepted) = lax.scan(propose, theta, (momenta, uniforms))
    return chain, accepted.mean()


def data(count=200, seed=0):
    rng = np.random.default_rng(seed)
    x = np.concatenate([np.ones((count, 1)), rng.standard_normal((count, 2))], axis=1).astype(np.float32)
    y = (rng.uniform(size=count) < 1 / (1 + np.exp(-x @ np.float32([0.5, 2.0, -1.0])))).astype(np.float32)
    return x, y


def main():
    x, y = data()
    k1, k2 = random.split(random.key(0))
    momenta, uniforms = random.normal(k1, (1000, 3)), random.uniform(k2, (1000,))
    chain, accepted = sample(jnp.zeros(3), x, y, momenta, uniforms)
    print(f"accepted {accepted:.2f}; the data were made with 0.5, 2, -1")
    print("mean", np.round(jnp.mean(chain[200:], axis=0), 2), "std", np.round(jnp.std(chain[200:], axis=0), 2))


if __name__ == "__main__":
    main()
