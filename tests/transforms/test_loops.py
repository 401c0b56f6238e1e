"""Derivatives of loops and branches: checkpoints, limits, both directions, and what they keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.op import OPS

F32 = np.float32
DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


def recurrent(length: Any, checkpoints: int | None, reverse: bool = False) -> Graph:
    """h = tanh(h·w + x_t), loss Σ h_last² + Σ sin(h_t)."""
    g = rlx.Graph("rnn")
    h, w, xs = g.input("h", (4,)), g.param("w", (4, 4)), g.input("xs", (length, 4))
    step = lambda c, x: (OPS["tanh"](c @ w + x), OPS["sin"](c))  # noqa: E731
    (last,), (ys,) = g.scan_general(step, h, xs, reverse=reverse, num_checkpoints=checkpoints)
    g.set_outputs({"loss": (last * last).sum() + ys.sum()})
    return g


def gradients(graph: Any, device: str, length: int) -> dict[str, Any]:
    exe = rlx.compile(rlx.autodiff.grad_with_loss(graph, ["h", "w", "xs"]), device)
    exe.set_param("w", draw(4, 4, seed=1))
    return exe.run({"h": draw(4, seed=2), "xs": draw(length, 4, seed=3)})


def by_hand(length: int, reverse: bool) -> dict[str, Any]:
    """The same by the chain rule in f64."""
    h, w, xs = draw(4, seed=2).astype(float), draw(4, 4, seed=1).astype(float), draw(length, 4, seed=3).astype(float)
    order = range(length - 1, -1, -1) if reverse else range(length)
    states, loss = [h], 0.0
    for t in order:
        loss += np.sin(states[-1]).sum()
        states.append(np.tanh(states[-1] @ w + xs[t]))
    d, dw, dxs = 2 * states[-1], np.zeros_like(w), np.zeros_like(xs)
    for step, t in reversed(list(enumerate(order))):
        inner = d * (1 - states[step + 1] ** 2)
        dxs[t], dw = inner, dw + np.outer(states[step], inner)
        d = w @ inner + np.cos(states[step])
    return {"loss": loss + (states[-1] ** 2).sum(), "grad_h": d, "grad_w": dw, "grad_xs": dxs}


@DEVICES
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("checkpoints", [None, 1, 3, 7])
def test_gradients_of_a_scan_are_the_chain_rule_s(device, checkpoints, reverse):
    found, wanted = gradients(recurrent(7, checkpoints, reverse), device, 7), by_hand(7, reverse)
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=2e-5, atol=1e-5, err_msg=name)


@DEVICES
@pytest.mark.parametrize("reverse", [False, True])
def test_every_number_of_checkpoints_gives_the_same_bits(device, reverse):
    """20 steps: 1, 2 and 20 checkpoints divide them, 3 and 7 leave a tail. The steps are the same ones in the same order."""
    plain = gradients(recurrent(20, None, reverse), device, 20)
    for name, array in by_hand(20, reverse).items():
        np.testing.assert_allclose(plain[name], array, rtol=2e-5, atol=1e-5, err_msg=name)
    for checkpoints in (1, 2, 3, 7, 20):
        found = gradients(recurrent(20, checkpoints, reverse), device, 20)
        for name, array in plain.items():
            assert found[name].tobytes() == array.tobytes(), (checkpoints, name)


@DEVICES
@pytest.mark.parametrize("checkpoints", [None, 3])
def test_a_scan_of_symbolic_length_compiles_its_gradient_once(device, checkpoints):
    exe = rlx.compile(rlx.autodiff.grad_with_loss(recurrent("steps", checkpoints), ["h", "w", "xs"]), device)
    exe.set_param("w", draw(4, 4, seed=1))
    for length in (2, 3, 7, 12):
        found = exe.run({"h": draw(4, seed=2), "xs": draw(length, 4, seed=3)})
        for name, array in by_hand(length, False).items():
            np.testing.assert_allclose(found[name], array, rtol=2e-5, atol=1e-5, err_msg=name)


def largest_rows(graph: Graph) -> int:
    """Elements of the largest result in a graph and its bodies."""
    found = max((int(shape.num_elements) for node in graph.nodes for shape in node.results), default=0)
    return max([found, *(largest_rows(body) for node in graph.nodes for _, body in node.op.graphs())])


def test_checkpoints_keep_k_and_length_over_k_carries():
    """64 steps of a carry of 100: all kept are 6400 elements, with 8 checkpoints never more than 8 carries at once."""

    def chain(checkpoints: int | None) -> Graph:
        g = rlx.Graph("chain")
        g.set_outputs(
            {"loss": g.scan_checkpointed(g.input("h", (100,)), lambda c: OPS["sin"](c), 64, num_checkpoints=checkpoints).sum()}
            if checkpoints
            else {"loss": g.scan(g.input("h", (100,)), lambda c: OPS["sin"](c), 64).sum()}
        )
        return rlx.autodiff.grad(g, "h").as_graph()

    assert largest_rows(chain(None)) == 6400
    assert largest_rows(chain(8)) == 800


def test_gradients_that_nobody_wants_are_not_carried():
    g = recurrent(5, None)
    only_h = rlx.autodiff.grad(g, "h").as_graph()
    backward = [node for node in only_h.nodes if node.op.name == "scan"][-1]
    assert backward.op["num_carry"] == 1 and len(backward.results) == 1


@DEVICES
def test_while_with_two_carries_and_a_limit(device):
    """y = x·w until y·y ≥ 30, the count beside it: gradient by hand is w^n and n·x·w^(n-1)."""

    def loss(x, w):
        return rlx.lax.while_loop(
            lambda c: (c[1] * c[1]) < 30.0, lambda c: (c[0] + 1, c[1] * w), (np.int32(0), x), max_iterations=10
        )[1]

    run = rlx.jit(rlx.grad(loss, (0, 1)), device=device)
    for x, w in ((1.0, 1.5), (2.0, 1.2), (9.0, 1.2)):
        n, y = 0, x
        while y * y < 30 and n < 10:
            n, y = n + 1, y * w
        dx, dw = run(F32(x), F32(w))
        np.testing.assert_allclose([dx, dw], [w**n, n * x * w ** (n - 1)], rtol=1e-5)


def test_reverse_through_a_while_without_a_limit_says_so_and_forward_works():
    def loop(x):
        return rlx.lax.while_loop(lambda y: y < 100.0, lambda y: y * y, x)

    with pytest.raises(RlxError) as caught:
        rlx.jit(rlx.grad(loop), device="reference")(F32(2))
    assert caught.value.code == "RLX604"
    _, slope = rlx.jit(lambda x: rlx.jvp(loop, (x,), (np.float32(1),)), device="reference")(F32(2))
    np.testing.assert_allclose(slope, 8 * 2.0**7)  # x⁸


@DEVICES
def test_only_the_taken_branch_has_a_gradient(device):
    """The other branch divides by zero: nothing of it reaches the gradient."""
    f = rlx.jit(rlx.grad(lambda x: rlx.lax.cond(x > 0.0, lambda x: 1.0 / x, lambda x: x * 3.0, x)), device=device)
    np.testing.assert_allclose([f(F32(2)), f(F32(0)), f(F32(-1))], [-0.25, 3, 3])


@DEVICES
def test_gradient_of_a_scan_of_a_custom_vjp(device):
    @rlx.custom_vjp
    def slow(x):
        return x * x

    slow.defvjp(lambda x: (x * x, x), lambda x, g: (g * x,))  # half the slope

    def loss(x):
        return rlx.lax.scan(lambda c, _: (slow(c), c), x, length=3)[0]

    np.testing.assert_allclose(rlx.jit(rlx.grad(loss), device=device)(F32(1.5)), 1.5 * 1.5**2 * 1.5**4, rtol=1e-6)


@pytest.mark.parametrize("checkpoints", [None, 2])
def test_scan_gradients_gives_all_gradients_at_once(checkpoints):
    g = rlx.Graph("builders")
    h, w, xs = g.input("h", (4,)), g.input("w", (4, 4)), g.input("xs", (7, 4))
    step = lambda c, w, x: (OPS["tanh"](c @ w + x), OPS["sin"](c))  # noqa: E731
    (last,), _ = g.scan_general(step, h, xs, bcasts=w)
    how: dict[str, Any] = {"bcasts": w, "xs": xs}
    made = g.scan_gradients(step, h, last * 2.0, g.constant(np.ones((7, 4), F32)), num_checkpoints=checkpoints, **how)
    g.set_outputs({"grad_h": made[0][0], "grad_w": made[1][0], "grad_xs": made[2][0]})
    found = rlx.compile(g, "reference").run({"h": draw(4, seed=2), "w": draw(4, 4, seed=1), "xs": draw(7, 4, seed=3)})
    wanted = by_hand(7, False)
    for name in ("grad_h", "grad_w", "grad_xs"):
        np.testing.assert_allclose(found[name], wanted[name], rtol=2e-5, atol=1e-5)
