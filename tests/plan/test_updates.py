"""Updates of states and params are written where they belong, without a copy, also beside a sum over the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import rlx

ROWS, COLUMNS = 300, 1000


def moments(product: bool):
    """What an optimizer does: the new moment and the new param of a gradient, and its norm."""
    g = rlx.Graph("moments")
    if product:
        gradient = g.matmul(g.input("a", (ROWS, 7), "f32"), g.input("b", (7, COLUMNS), "f32"))
    else:
        gradient = g.input("x", (ROWS, COLUMNS), "f32")
    w, m, v = g.param("w", (ROWS, COLUMNS), "f32"), *(g.state(name, (ROWS, COLUMNS), "f32", init=1) for name in "mv")
    first, second = 0.9 * m + 0.1 * gradient, 0.8 * v + 0.2 * (gradient * gradient)
    g.update("m", first)
    g.update("v", second)
    g.update("w", w - 0.5 * first / g.sqrt(second))
    g.set_outputs({"norm": g.sqrt((gradient * gradient).sum())})
    return g


@pytest.mark.parametrize("product", [False, True])
def test_a_sum_beside_an_update_costs_no_copy(product):
    """A region with a reduction over everything runs as two stages: it was said to do nothing in place, and all new values were copied."""
    exe = rlx.compile(moments(product))
    size = ROWS * COLUMNS * 4
    assert exe.lir.arena < (1.2 * size if product else 0.2 * size)
    assert not [command.kernel for command in exe.lir.commands if "copy" in command.kernel]
    random = np.random.default_rng(0)
    arrays = {name: random.standard_normal(shape.dims).astype(np.float32) for name, shape in exe.inputs.items()}
    w = random.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    exe.set_param("w", w)
    m, v = np.ones((ROWS, COLUMNS)), np.ones((ROWS, COLUMNS))
    wanted = w.astype(np.float64)
    gradient = (arrays["a"].astype(np.float64) @ arrays["b"]) if product else arrays["x"].astype(np.float64)
    for _ in range(3):
        found = exe.run(arrays)
        m, v = 0.9 * m + 0.1 * gradient, 0.8 * v + 0.2 * gradient**2
        wanted = wanted - 0.5 * m / np.sqrt(v)
        np.testing.assert_allclose(found["norm"], np.sqrt((gradient**2).sum()), rtol=1e-5)
    np.testing.assert_allclose(exe.state("m"), m, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(exe.state("v"), v, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(exe.session.param("w"), wanted, rtol=1e-5, atol=1e-5)


def test_a_new_value_that_is_wanted_twice_is_right():
    """The old value is read after the new one is made: nothing may be written early."""
    g = rlx.Graph("late")
    x = g.input("x", (64, 64), "f32")
    m = g.state("m", (64, 64), "f32", init=2)
    new = m + g.matmul(x, x)
    g.update("m", new)
    g.set_outputs({"late": g.matmul(new, m)})
    exe = rlx.compile(g)
    x = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    old = np.full((64, 64), 2.0)
    for _ in range(2):
        fresh = old + x.astype(np.float64) @ x
        np.testing.assert_allclose(exe.run({"x": x})["late"], fresh @ old, rtol=1e-4, atol=1e-2)
        old = fresh
    np.testing.assert_allclose(exe.state("m"), old, rtol=1e-5, atol=1e-5)
