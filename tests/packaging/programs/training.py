"""Training with rlx.train's optimizers on trees, a schedule and clipping."""

from typing import Any

import rlx
import rlx.numpy as rnp
from rlx import random, train, tree

Params = dict[str, rlx.Array]


def forward(params: Params, x: rlx.Array) -> rlx.Array:
    return rnp.tanh(x @ params["w"]) @ params["v"]


def loss(params: Params, x: rlx.Array, y: rlx.Array) -> rlx.Array:
    return ((forward(params, x) - y) ** 2).mean()


def smallest(values: list[rlx.Array]) -> rlx.Array:
    return rnp.stack(values).min()


optimizer = train.chain(train.clip_by_global_norm(1.0), train.AdamW(lr=train.cosine(0.05, 50)))


@rlx.jit
def step(params: Params, state: Any, x: rlx.Array, y: rlx.Array) -> tuple[Params, Any, rlx.Array]:
    value, gradient = rlx.value_and_grad(loss)(params, x, y)
    updates, state = optimizer.update(gradient, state, params)
    return train.apply_updates(params, updates), state, value


def main() -> None:
    one, two, three = random.split(random.key(0), 3)
    params = {"w": random.normal(one, (3, 8)), "v": rnp.zeros(8)}
    params["v"] = random.normal(two, (8,)) * 0.5
    x = random.normal(three, (64, 3))
    y = rnp.sin(x.sum(axis=1))
    state = optimizer.init(params)
    values: list[rlx.Array] = []
    for _ in range(50):
        params, state, value = step(params, state, x, y)
        values.append(value)
    assert values[-1] < values[0]
    assert sum(leaf.size for leaf in tree.leaves(params)) == 32
    rows = [rnp.zeros(2), rnp.ones_like(x)[0, :2], random.uniform(one, (2,))]
    print(smallest(values), smallest(rows))


main()
