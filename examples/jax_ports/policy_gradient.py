"""REINFORCE on a pole to be balanced: episodes run inside a scan, many at once by vmap."""

from typing import NamedTuple

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, nn, random

HORIZON, EPISODES = 64, 32


class Step(NamedTuple):
    observation: jax.Array
    action: jax.Array
    reward: jax.Array


def init(key):
    k1, k2 = random.split(key)
    return {"w1": 0.5 * random.normal(k1, (4, 32)), "b1": jnp.zeros(32), "w2": 0.1 * random.normal(k2, (32, 2))}


def logits(params, observation):
    return jnp.tanh(observation @ params["w1"] + params["b1"]) @ params["w2"]


def environment(state, action):
    """A cart with a pole: place, speed, angle, angular speed; pushed to the left or to the right."""
    _place, speed, angle, spin = state
    force = jnp.where(action == 1, 10.0, -10.0)
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    pushed = (force + 0.05 * spin**2 * sine) / 1.1
    turning = (9.8 * sine - cosine * pushed) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
    moving = pushed - 0.05 * turning * cosine / 1.1
    return state + 0.02 * jnp.array([speed, moving, spin, turning])


def episode(params, start, gumbel):
    """One episode; an action is drawn as the largest logit after Gumbel's noise."""

    def step(carry, noise):
        state, alive = carry
        action = jnp.argmax(logits(params, state) + noise)
        following = environment(state, action)
        upright = (jnp.abs(following[2]) < 0.2) & (jnp.abs(following[0]) < 2.4)
        alive = jnp.logical_and(alive, upright)
        following = lax.select(alive, following, state)
        return (following, alive), Step(state, action, alive.astype(jnp.float32))

    _, steps = lax.scan(step, (start, jnp.bool_(True)), gumbel)
    return steps


def rewards_to_go(rewards, discount=0.97):
    def step(later, reward):
        total = reward + discount * later
        return total, total

    return lax.scan(step, 0.0, rewards, reverse=True)[1]


def surrogate(params, steps, advantage):
    chosen = nn.one_hot(steps.action, 2) * nn.log_softmax(logits(params, steps.observation))
    return -jnp.mean(jnp.sum(chosen, axis=-1) * advantage)


@jax.jit
def update(params, starts, gumbel, rate=1.0):
    steps = jax.vmap(episode, in_axes=(None, 0, 0))(params, starts, gumbel)
    returns = jax.vmap(rewards_to_go)(steps.reward)
    advantage = (returns - returns.mean(axis=0)) / (returns.std() + 1e-6)
    grads = jax.grad(surrogate)(params, steps, lax.stop_gradient(advantage))
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), steps.reward.sum(axis=1).mean()


def main():
    key = random.key(0)
    params = init(key)
    for i in range(120):
        key, k1, k2 = random.split(key, 3)
        starts = random.uniform(k1, (EPISODES, 4), minval=-0.05, maxval=0.05)
        params, balanced = update(params, starts, random.gumbel(k2, (EPISODES, HORIZON, 2)))
        if i % 40 == 39:
            print(f"update {i + 1}: balanced for {balanced:.1f} of {HORIZON} steps")


if __name__ == "__main__":
    main()
