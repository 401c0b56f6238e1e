"""Logistic regression: rlx.numpy, transforms, trees."""

from typing import NamedTuple

import numpy as np

import rlx
import rlx.numpy as rnp
from rlx import tree


class Params(NamedTuple):
    weights: rlx.Array
    bias: rlx.Array


def logits(params: Params, x: rlx.Array) -> rlx.Array:
    return rnp.matmul(x, params.weights) + params.bias


def loss(params: Params, x: rlx.Array, y: rlx.Array) -> rlx.Array:
    signed = rnp.where(y > 0, logits(params, x), -logits(params, x))
    return rnp.mean(rnp.logaddexp(0.0, -signed))


@rlx.jit
def step(params: Params, x: rlx.Array, y: rlx.Array) -> tuple[Params, rlx.Array]:
    value, gradient = rlx.value_and_grad(loss)(params, x, y)
    return tree.map(lambda p, g: p - 0.5 * g, params, gradient), value


def accuracy(params: Params, x: rlx.Array, y: rlx.Array) -> float:
    return float(rnp.mean((logits(params, x) > 0) == (y > 0)))


def main() -> None:
    generator = np.random.default_rng(0)
    x = rnp.asarray(generator.standard_normal((64, 3)), dtype=rnp.float32)
    y = rnp.sign(x @ rnp.array([1.0, -2.0, 0.5]))
    params = Params(rnp.zeros(3), rnp.zeros(()))
    values: list[float] = []
    for _ in range(30):
        params, value = step(params, x, y)
        values.append(value.item())
    assert values[-1] < values[0]
    assert accuracy(params, x, y) > 0.9
    rows, columns = x.shape
    spread = rnp.std(x, axis=0, keepdims=True)
    print(rows, columns, spread.dtype, rnp.linalg.norm(params.weights), np.asarray(params.weights).tolist())


main()
