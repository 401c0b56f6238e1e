"""Gaussian process regression: hyperparameters by the gradient of the marginal likelihood, through Cholesky."""

import rlx as jax
import rlx.numpy as jnp
from rlx import nn, random


def squared_distance(a, b):
    return jnp.sum((a - b) ** 2)


def kernel(params, xs, ys):
    """The covariance of all pairs: a function of two points, mapped twice."""
    length, height = nn.softplus(params["length"]), nn.softplus(params["height"])

    def covariance(a, b):
        return height**2 * jnp.exp(-0.5 * squared_distance(a, b) / length**2)

    return jax.vmap(lambda a: jax.vmap(lambda b: covariance(a, b))(ys))(xs)


def noisy_kernel(params, xs):
    return kernel(params, xs, xs) + (nn.softplus(params["noise"]) ** 2 + 1e-5) * jnp.eye(len(xs))


def negative_log_likelihood(params, x, y):
    k = noisy_kernel(params, x)
    factor = jnp.linalg.cholesky(k)
    fit = y @ jnp.linalg.solve(k, y)
    return 0.5 * fit + jnp.sum(jnp.log(jnp.diag(factor))) + 0.5 * len(x) * jnp.log(2 * jnp.pi)


@jax.jit
def update(params, momentum, x, y):
    value, grads = jax.value_and_grad(negative_log_likelihood)(params, x, y)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + jnp.clip(g, -20.0, 20.0), momentum, grads)
    return jax.tree.map(lambda p, m: p - 1e-3 * m, params, momentum), momentum, value


@jax.jit
def predict(params, x, y, at):
    """Mean and standard deviation of the function at new points."""
    k, cross = noisy_kernel(params, x), kernel(params, x, at)
    solved = jnp.linalg.solve(k, jnp.concatenate([y[:, None], cross], axis=1))
    mean = cross.T @ solved[:, 0]
    variance = jnp.diag(kernel(params, at, at)) - jnp.einsum("ij,ij->j", cross, solved[:, 1:])
    return mean, jnp.sqrt(jnp.maximum(variance, 0))


def main():
    k1, k2 = random.split(random.key(0))
    x = random.uniform(k1, (60, 1), minval=-3, maxval=3)
    y = jnp.sin(2 * x[:, 0]) + 0.1 * random.normal(k2, (60,))
    params = {"length": jnp.float32(1.0), "height": jnp.float32(0.5), "noise": jnp.float32(-1.0)}
    momentum = jax.tree.map(jnp.zeros_like, params)
    for i in range(300):
        params, momentum, value = update(params, momentum, x, y)
        if i % 100 == 99:
            print(f"step {i + 1}: negative log-likelihood {value:.2f}, noise {nn.softplus(params['noise']):.3f} (0.1)")
    at = jnp.linspace(-2, 2, 5)[:, None]
    for point, mean, deviation in zip(at[:, 0], *predict(params, x, y, at), strict=True):
        print(f"f({point:+.1f}) = {mean:+.3f} ± {2 * deviation:.3f}, truly {jnp.sin(2 * point):+.3f}")


if __name__ == "__main__":
    main()
