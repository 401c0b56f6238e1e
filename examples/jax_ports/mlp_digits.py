"""A multilayer perceptron on pictures of digits: stochastic gradient descent on a list of parameters."""

import itertools

from digits import digits

import rlx as jax
import rlx.numpy as jnp
from rlx import nn, random

SIZES = (64, 128, 64, 10)


def init(key):
    """He's initialization: one dictionary for each layer."""
    layers = []
    for fan_in, fan_out in itertools.pairwise(SIZES):
        key, subkey = random.split(key)
        w = random.normal(subkey, (fan_in, fan_out)) * jnp.sqrt(2 / fan_in)
        layers.append({"w": w, "b": jnp.zeros(fan_out)})
    return layers


def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = nn.relu(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss(params, x, labels):
    log_probabilities = nn.log_softmax(predict(params, x))
    return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=1))


@jax.jit
def accuracy(params, x, labels):
    return jnp.mean(jnp.argmax(predict(params, x), axis=-1) == labels)


@jax.jit
def update(params, x, labels, learning_rate=0.3):
    value, grads = jax.value_and_grad(loss)(params, x, labels)
    return jax.tree.map(lambda p, g: p - learning_rate * g, params, grads), value


def main():
    x, labels = digits(4096, seed=0)
    test_x, test_labels = digits(512, seed=1)
    params = init(random.key(0))
    for epoch in range(20):
        for start in range(0, len(x), 64):
            params, value = update(params, x[start : start + 64], labels[start : start + 64])
        if epoch % 5 == 4:
            right = accuracy(params, test_x, test_labels)
            print(f"epoch {epoch + 1:2}: loss {value:.4f}, right {right:.3f} of unseen digits")


if __name__ == "__main__":
    main()
