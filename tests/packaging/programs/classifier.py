"""A small classifier: rlx.nn modules, losses, random keys, saved params."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import rlx
import rlx.numpy as rnp
from rlx import nn, random, tree


@dataclass
class Mlp(nn.Module):
    first: nn.Linear
    second: nn.Linear

    def __call__(self, x: rlx.Array) -> rlx.Array:
        return self.second(nn.gelu(self.first(x)))


def make(key: rlx.Array, inside: int) -> Mlp:
    one, two = random.split(key)
    return Mlp(nn.Linear(4, inside, key=one), nn.Linear(inside, 3, key=two))


def loss(model: Mlp, x: rlx.Array, y: rlx.Array) -> rlx.Array:
    return rnp.mean(nn.cross_entropy(model(x), y))


@rlx.jit
def step(model: Mlp, x: rlx.Array, y: rlx.Array) -> Mlp:
    gradient = rlx.grad(loss)(model, x, y)
    return tree.map(lambda p, g: p - 0.3 * g, model, gradient)


def main() -> None:
    key, data, labels = random.split(random.key(7), 3)
    x: rlx.Array = random.normal(data, (32, 4))
    y = random.randint(labels, (32,), 0, 3)
    model = make(key, 8)
    before = loss(model, x, y)
    for _ in range(20):
        model = step(model, x, y)
    after = loss(model, x, y)
    assert after < before
    one_hot = nn.one_hot(y, 3)
    probabilities = nn.softmax(model(x), axis=-1)
    assert probabilities.shape == one_hot.shape
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        nn.save(path, model)
        again = nn.load(path, model)
    assert bool(rnp.array_equal(again(x), model(x)))


main()
