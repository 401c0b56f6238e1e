"""A variational autoencoder on pictures of digits: the reparameterization trick, and a batch of samples by vmap."""

from digits import digits

import rlx as jax
import rlx.numpy as jnp
from rlx import nn, random

PIXELS, HIDDEN, LATENT = 64, 128, 8


def dense(key, fan_in, fan_out):
    return random.normal(key, (fan_in, fan_out)) / jnp.sqrt(fan_in), jnp.zeros((fan_out,))


def init(key):
    keys = random.split(key, 5)
    return {
        "encoder": dense(keys[0], PIXELS, HIDDEN),
        "mean": dense(keys[1], HIDDEN, LATENT),
        "log_variance": dense(keys[2], HIDDEN, LATENT),
        "decoder": (dense(keys[3], LATENT, HIDDEN), dense(keys[4], HIDDEN, PIXELS)),
    }


def apply(layer, x):
    w, b = layer
    return jnp.dot(x, w) + b


def encode(params, image):
    h = jnp.tanh(apply(params["encoder"], image))
    return apply(params["mean"], h), apply(params["log_variance"], h)


def decode(params, z):
    first, second = params["decoder"]
    return apply(second, nn.softplus(apply(first, z)))


def negative_elbo(params, image, noise):
    """Of one image: the Gaussian's log-likelihood of its pixels and the divergence from the prior."""
    mean, log_variance = encode(params, image)
    z = mean + jnp.exp(0.5 * log_variance) * noise
    reconstruction = jnp.sum((decode(params, z) - image) ** 2) / (2 * 0.1**2)
    divergence = -0.5 * jnp.sum(1 + log_variance - mean**2 - jnp.exp(log_variance))
    return reconstruction + divergence


def loss(params, images, noise):
    return jnp.mean(jax.vmap(negative_elbo, in_axes=(None, 0, 0))(params, images, noise))


@jax.jit
def update(params, momentum, images, noise):
    value, grads = jax.value_and_grad(loss)(params, images, noise)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + jnp.clip(g, -50.0, 50.0), momentum, grads)
    params = jax.tree.map(lambda p, m: p - 5e-5 * m, params, momentum)
    return params, momentum, value


def main():
    images, _ = digits(2048, seed=0)
    key, subkey = random.split(random.key(0))
    params = init(subkey)
    momentum = jax.tree.map(jnp.zeros_like, params)
    for epoch in range(20):
        for start in range(0, len(images), 64):
            key, subkey = random.split(key)
            noise = random.normal(subkey, (64, LATENT))
            params, momentum, value = update(params, momentum, images[start : start + 64], noise)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2}: negative ELBO {value:.1f}")
    sample = decode(params, random.normal(key, (LATENT,))).reshape(8, 8)
    print("\n".join("".join(" .:#"[int(jnp.clip(4 * pixel, 0, 3))] for pixel in row) for row in sample))


if __name__ == "__main__":
    main()
