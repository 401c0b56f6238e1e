"""A convolutional network on pictures of digits, trained by Adam written by hand on the tree of parameters."""

import math

from digits import digits

import rlx as jax
import rlx.numpy as jnp
from rlx import lax, nn, random


def init(key):
    k1, k2, k3 = random.split(key, 3)

    def he(key, shape):
        return random.normal(key, shape) * math.sqrt(2 / math.prod(shape[:-1]))

    return {
        "conv1": {"w": he(k1, (3, 3, 1, 16)), "b": jnp.zeros(16)},
        "conv2": {"w": he(k2, (3, 3, 16, 32)), "b": jnp.zeros(32)},
        "dense": {"w": he(k3, (128, 10)), "b": jnp.zeros(10)},
    }


def convolve(layer, x):
    y = lax.conv_general_dilated(x, layer["w"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return nn.relu(y + layer["b"])


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def predict(params, images):
    x = images.reshape(-1, 8, 8, 1)
    x = max_pool(convolve(params["conv1"], x))
    x = max_pool(convolve(params["conv2"], x))
    return x.reshape(x.shape[0], -1) @ params["dense"]["w"] + params["dense"]["b"]


def loss(params, images, labels):
    one_hot = nn.one_hot(labels, 10)
    return -jnp.mean(jnp.sum(one_hot * nn.log_softmax(predict(params, images)), axis=-1))


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return jnp.zeros((), jnp.int32), zeros, zeros


def adam(grads, state, params, rate=3e-3, b1=0.9, b2=0.999, eps=1e-8):
    count, mean, square = state
    count = count + 1
    mean = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mean, grads)
    square = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, square, grads)
    scale = rate * jnp.sqrt(1 - b2**count) / (1 - b1**count)
    params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + eps), params, mean, square)
    return params, (count, mean, square)


@jax.jit
def update(params, state, images, labels):
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    params, state = adam(grads, state, params)
    return params, state, value


@jax.jit
def accuracy(params, images, labels):
    return (predict(params, images).argmax(-1) == labels).mean()


def main():
    images, labels = digits(2048, seed=0)
    unseen, unseen_labels = digits(512, seed=1)
    params = init(random.PRNGKey(0))
    state = adam_init(params)
    for epoch in range(4):
        for start in range(0, len(images), 64):
            params, state, value = update(params, state, images[start : start + 64], labels[start : start + 64])
        right = accuracy(params, unseen, unseen_labels)
        print(f"epoch {epoch + 1}: loss {value:.4f}, right {right:.3f} of unseen digits")


if __name__ == "__main__":
    main()
