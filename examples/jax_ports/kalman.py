"""A Kalman filter and smoother as scans, and its noise levels learned by the gradient of the likelihood."""

from typing import NamedTuple

import numpy as np

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, random

DT = 0.1
MOVE = np.kron(np.float32([[1, DT], [0, 1]]), np.eye(2, dtype=np.float32))  # place and speed in the plane
SEE = np.eye(2, 4, dtype=np.float32)  # of which the place is seen


class Belief(NamedTuple):
    mean: jax.Array
    covariance: jax.Array


def noise(params):
    """Covariances of what moves the object and of what disturbs the observations."""
    unit = np.kron(np.float32([[DT**3 / 3, DT**2 / 2], [DT**2 / 2, DT]]), np.eye(2, dtype=np.float32))
    return jnp.exp(params["move"]) * unit, jnp.exp(params["see"]) * jnp.eye(2)


def predict(belief, q):
    return Belief(MOVE @ belief.mean, MOVE @ belief.covariance @ MOVE.T + q)


def correct(belief, seen, r):
    """The belief after an observation, and the log-likelihood of that."""
    innovation = seen - SEE @ belief.mean
    s = SEE @ belief.covariance @ SEE.T + r
    gain = jnp.linalg.solve(s, SEE @ belief.covariance).T
    log_likelihood = -0.5 * (innovation @ jnp.linalg.solve(s, innovation) + jnp.linalg.slogdet(2 * jnp.pi * s)[1])
    covariance = belief.covariance - gain @ SEE @ belief.covariance
    return Belief(belief.mean + gain @ innovation, 0.5 * (covariance + covariance.T)), log_likelihood


def run_filter(params, observations):
    q, r = noise(params)

    def step(belief, seen):
        belief, log_likelihood = correct(predict(belief, q), seen, r)
        return belief, (belief, log_likelihood)

    start = Belief(jnp.zeros(4), 10.0 * jnp.eye(4))
    _, (beliefs, log_likelihoods) = lax.scan(step, start, observations)
    return beliefs, log_likelihoods.sum()


@jax.jit
def smooth(params, observations):
    """Beliefs given all observations, by a scan that runs backwards (Rauch, Tung and Striebel)."""
    beliefs, _ = run_filter(params, observations)
    q, _ = noise(params)

    def step(later, belief):
        predicted = predict(belief, q)
        gain = jnp.linalg.solve(predicted.covariance, MOVE @ belief.covariance).T
        mean = belief.mean + gain @ (later.mean - predicted.mean)
        covariance = belief.covariance + gain @ (later.covariance - predicted.covariance) @ gain.T
        return Belief(mean, covariance), Belief(mean, covariance)

    last = jax.tree.map(lambda leaf: leaf[-1], beliefs)
    earlier = jax.tree.map(lambda leaf: leaf[:-1], beliefs)
    _, smoothed = lax.scan(step, last, earlier, reverse=True)
    return jax.tree.map(lambda leaf, end: jnp.concatenate([leaf, end[None]]), smoothed, last)


@jax.jit
def update(params, observations, rate=0.01):
    loss, grads = jax.value_and_grad(lambda p: -run_filter(p, observations)[1] / len(observations))(params)
    return jax.tree.map(lambda p, g: p - rate * jnp.clip(g, -10, 10), params, grads), loss


def main():
    time = np.arange(200) * DT
    truth = np.stack([np.sin(time), np.cos(0.7 * time)], axis=1).astype(np.float32)
    observations = truth + 0.2 * random.normal(random.key(0), truth.shape)
    params = {"move": jnp.float32(0.0), "see": jnp.float32(0.0)}
    for _ in range(600):
        params, loss = update(params, observations)
    print(f"negative log-likelihood {loss:.3f}; noise of the observations {jnp.exp(params['see'] / 2):.3f} (0.2)")
    distance = jnp.sqrt(jnp.mean((smooth(params, observations).mean[:, :2] - truth) ** 2))
    print(f"off the truth: observed {jnp.sqrt(jnp.mean((observations - truth) ** 2)):.3f}, smoothed {distance:.3f}")


if __name__ == "__main__":
    main()
