"""Monte Carlo with rlx.random: keys, distributions, vmap over keys, derivatives of expectations."""

from collections.abc import Callable

import numpy as np

import rlx
import rlx.numpy as rnp
from rlx import lax, random

Density = Callable[[rlx.Array], rlx.Array]


def normal_density(x: rlx.Array) -> rlx.Array:
    return -0.5 * rnp.sum(x * x)


def metropolis(log_density: Density, start: rlx.Array, key: rlx.Array, steps: int) -> rlx.Array:
    def one(x: rlx.Array, key: rlx.Array) -> tuple[rlx.Array, rlx.Array]:
        move, accept = random.split(key)
        proposal = x + random.normal(move, x.shape)
        accepted = rnp.log(random.uniform(accept)) < log_density(proposal) - log_density(x)
        x = rnp.where(accepted, proposal, x)
        return x, x

    return lax.scan(one, start, random.split(key, steps))[1]


def expectation(mean: rlx.Array, key: rlx.Array) -> rlx.Array:
    return rnp.mean(rnp.square(mean + random.normal(key, (1000,))))


def main() -> None:
    key = random.key(3)
    samples = rlx.jit(lambda k: metropolis(normal_density, rnp.zeros(2), k, 500))(key)
    assert samples.shape == (500, 2)
    covariance = rnp.cov(samples, rowvar=False)
    assert np.all(np.isfinite(np.asarray(covariance)))
    slope = rlx.grad(expectation)(rnp.asarray(1.5), key)
    assert abs(float(slope) - 3.0) < 0.5
    means = rlx.vmap(lambda k: expectation(rnp.asarray(0.0), k))(random.split(key, 8))
    assert means.shape == (8,)
    order = random.permutation(key, rnp.arange(5))
    picked: rlx.Array = random.choice(key, order, (2,), replace=False)
    print(picked.tolist(), random.bernoulli(key, 0.3, (4,)).sum())


main()
