"""An integrated pendulum: rlx.lax control flow and vmap."""

from functools import partial

import rlx
import rlx.numpy as rnp
from rlx import lax

State = tuple[rlx.Array, rlx.Array]


def slope(state: State, length: float) -> State:
    angle, speed = state
    return speed, -9.81 / length * rnp.sin(angle)


def euler(length: float, dt: float, state: State, _: rlx.Array) -> tuple[State, rlx.Array]:
    dangle, dspeed = slope(state, length)
    after = (state[0] + dt * dangle, state[1] + dt * dspeed)
    return after, after[0]


@rlx.jit(static_argnames=("steps",))
def simulate(angle: rlx.Array, steps: int, length: float = 1.0) -> rlx.Array:
    state: State = (angle, rnp.zeros_like(angle))
    _, angles = lax.scan(partial(euler, length, 0.01), state, rnp.arange(steps))
    return angles


def halvings(x: rlx.Array) -> rlx.Array:
    def more(carry: tuple[rlx.Array, rlx.Array]) -> rlx.Array:
        return carry[0] > 1.0

    def halve(carry: tuple[rlx.Array, rlx.Array]) -> tuple[rlx.Array, rlx.Array]:
        return carry[0] / 2, carry[1] + 1

    return lax.while_loop(more, halve, (x, rnp.int32(0)))[1]


def clamp(x: rlx.Array) -> rlx.Array:
    def one(v: rlx.Array) -> rlx.Array:
        return rnp.ones_like(v)

    def same(v: rlx.Array) -> rlx.Array:
        return v

    return lax.cond(x > 1.0, one, same, x)


def main() -> None:
    path = simulate(rnp.float32(0.1), 200)
    assert path.shape == (200,)
    many = rlx.vmap(lambda angle: simulate(angle, 50))(rnp.linspace(0.0, 1.0, 5))
    assert many.ndim == 2
    assert int(halvings(rnp.asarray(40.0))) == 6
    assert float(clamp(rnp.asarray(3.0))) == 1.0
    total = lax.fori_loop(0, 10, lambda i, s: s + i, rnp.asarray(0))
    assert total.item() == 45
    values, indices = lax.top_k(path, 3)
    print(values.tolist(), indices.tolist())


main()
