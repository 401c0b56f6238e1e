"""Graph's recurrences, scans and custom functions in the original's words, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx import Graph, RlxError, Shape
from rlx.compat import MultiOutputHandle
from tests.compat.running import F32, delta_net, draw, near, run

L, N = 6, 3
X0, XS, W = draw(N, seed=1), draw(L, N, seed=2), draw(N, N, seed=3)


def carries(x: Any, xs: Any) -> Any:
    """Every carry of h = tanh(h @ W + x_t)."""
    found = []
    for row in xs:
        x = np.tanh(x @ W + row)
        found.append(x)
    return np.stack(found)


def gradients(upstream: Any, stacked: bool) -> tuple[Any, Any]:
    """(d_init, d_xs) by hand, in f64."""
    rows = carries(X0.astype(np.float64), XS)
    d: Any = np.zeros(N) if stacked else upstream.astype(np.float64)
    d_xs = np.zeros((L, N))
    for t in reversed(range(L)):
        d = d + upstream[t] if stacked else d
        d_xs[t] = d * (1 - rows[t] ** 2)
        d = d_xs[t] @ W.T
    return d, d_xs


def forward(g: Graph) -> tuple[Any, Any, Any]:
    return g.input("x", (N,)), g.input("xs", (L, N)), g.constant(W)


def test_recurrences():
    g = Graph("g")
    x, d, a = g.input("x", (1, L, 4)), g.input("d", (1, L, 4)), g.input("a", (4, 2))
    b, c = g.input("b", (1, L, 2)), g.input("c", (1, L, 2))
    y = g.selective_scan(x, d, a, b, c, state_size=2, shape=Shape((1, L, 4)))  # item: Graph.selective_scan
    g.set_outputs([y])
    arrays = {name: draw(*dims, seed=i) for i, (name, dims) in enumerate((("x", (1, L, 4)), ("d", (1, L, 4)), ("a", (4, 2))))}
    arrays |= {"b": draw(1, L, 2, seed=8), "c": draw(1, L, 2, seed=9)}
    state, wanted = np.zeros((4, 2)), np.zeros((1, L, 4))
    for t in range(L):
        step = arrays["d"][0, t][:, None]
        state = np.exp(step * arrays["a"]) * state + step * arrays["b"][0, t] * arrays["x"][0, t][:, None]
        wanted[0, t] = state @ arrays["c"][0, t]
    near(run(g, **arrays), wanted)
    with pytest.raises(RlxError, match="RLX102"):
        g.selective_scan(x, d, a, b, c, state_size=2, shape=Shape((1, L, 5)))


def test_gated_delta_nets():
    shapes = {**dict.fromkeys("qkv", (1, L, 2, 3)), "g": (1, L, 2), "beta": (1, L, 2), "state": (1, 2, 3, 3)}
    arrays = {name: draw(*dims, seed=i) for i, (name, dims) in enumerate(shapes.items())}
    m = Graph("g")
    q, k, v, g, beta, state = (m.input(name, dims) for name, dims in shapes.items())
    plain = m.gated_delta_net(q, k, v, g, beta, state_size=3)  # item: Graph.gated_delta_net
    o, after = m.gated_delta_net_carry(q, k, v, g, beta, state, state_size=3)  # item: Graph.gated_delta_net_carry
    m.set_outputs([plain, o, after])
    found = run(m, **arrays)
    near(found[0], delta_net(*(arrays[n] for n in ("q", "k", "v", "g", "beta")), np.zeros((1, 2, 3, 3)))[0])
    for mine, wanted in zip(found[1:], delta_net(*arrays.values()), strict=True):
        near(mine, wanted)


def test_scans():
    g = Graph("g")
    x, xs, w = forward(g)
    b = g.constant(np.ones(N, F32))
    step = lambda h, r: g.tanh(h @ w + r)  # noqa: E731
    found = [
        g.scan(x, lambda h: g.tanh(h @ w), L),  # item: Graph.scan
        g.scan_trajectory(x, lambda h: g.tanh(h @ w), L),  # item: Graph.scan_trajectory
        g.scan_checkpointed(x, lambda h: g.tanh(h @ w), L, 2),  # item: Graph.scan_checkpointed
        g.scan_with_xs(x, xs, step, L),  # item: Graph.scan_with_xs
        g.scan_with_bcasts_and_xs(x, b, xs, lambda h, b, r: step(h, r) + b, L),  # item: Graph.scan_with_bcasts_and_xs
    ]
    g.set_outputs(dict(zip("abcde", found, strict=True)))
    last, rows, checkpointed, with_xs, with_bcasts = run(g, x=X0, xs=XS)
    plain = carries(X0, np.zeros((L, N), F32))
    near(rows, plain)
    near(last, plain[-1])
    near(checkpointed, plain[-1])
    near(with_xs, carries(X0, XS)[-1])
    h = X0
    for row in XS:
        h = np.tanh(h @ W + row) + 1
    near(with_bcasts, h)
    for wrong in (lambda: g.scan_with_xs(x, xs, step, L + 1), lambda: g.scan_checkpointed(x, step, L)):
        with pytest.raises(RlxError):
            wrong()


@pytest.mark.parametrize("stacked", [False, True])
def test_scan_backward(stacked):
    g = Graph("g")
    x, xs, w = forward(g)
    up = g.input("up", (L, N) if stacked else (N,))

    def vjp(h: Any, r: Any, d_output: Any) -> Any:
        d = d_output * (1 - g.tanh(h @ w + r) ** 2)
        return d @ w.transpose(1, 0), d

    fwd = lambda h, r: g.tanh(h @ w + r)  # noqa: E731
    traj = g.scan_trajectory(x, fwd, L, xs=xs)
    s, one, rows = stacked, Shape((N,)), Shape((L, N))
    found = {
        "a": g.scan_backward(x, traj, up, [xs], vjp, L, s, one),  # item: Graph.scan_backward
        "b": g.scan_backward_with_checkpoints(
            x, traj, up, [xs], vjp, L, s, 2, fwd, one
        ),  # item: Graph.scan_backward_with_checkpoints
        "c": g.scan_backward_xs(x, traj, up, [xs], vjp, L, s, 0, rows),  # item: Graph.scan_backward_xs
        "d": g.scan_backward_xs_with_checkpoints(
            x, traj, up, [xs], vjp, L, s, 0, 2, fwd, rows
        ),  # item: Graph.scan_backward_xs_with_checkpoints
        "e": g.scan_backward_with_checkpoints(x, traj, up, [xs], vjp, L, s, 2),
    }
    g.set_outputs(found)
    upstream = draw(*((L, N) if stacked else (N,)), seed=5)
    d_init, d_xs = gradients(upstream, stacked)
    for mine, wanted in zip(run(g, x=X0, xs=XS, up=upstream), (d_init, d_init, d_xs, d_xs, d_init), strict=True):
        near(mine, wanted)
    for wrong in (
        lambda: g.scan_backward(x, traj, up, [xs], vjp, L + 1),
        lambda: g.scan_backward(x, traj, up, [xs], vjp, L, s, rows),
        lambda: g.scan_backward_xs(x, traj, up, [xs], vjp, L, s, 1),
        lambda: g.scan_backward_with_checkpoints(x, None, up, [xs], vjp, L, s, 2),
    ):
        with pytest.raises(RlxError):
            wrong()


def test_scan_backward_with_a_graph_as_its_body():
    body = Graph("vjp")
    h, d = body.input("h", (N,)), body.input("d_output", (N,))
    body.set_outputs([d * 2.0 * h])
    g = Graph("g")
    x, up = g.input("x", (N,)), g.input("up", (N,))
    traj = g.scan_trajectory(x, lambda h: h * h, 3)
    g.set_outputs([g.scan_backward(x, traj, up, [], body, 3)])
    near(run(g, x=X0, up=np.ones(N, F32)), 8 * X0**7)


def test_custom_functions():
    g = Graph("g")
    x = g.input("x", (2, 3))
    y = g.custom_fn([x], lambda x: g.round(x), lambda x, d_output: d_output * 3.0)  # item: Graph.custom_fn
    g.set_outputs({"loss": g.sum(y)})
    near(run(g, x=np.float32([[0.4, 1.6, 2.0], [0, 0, 0]])), 4.0)
    np.testing.assert_array_equal(run(rlx.autodiff.grad(g, "x"), x=draw(2, 3)), np.full((2, 3), 3.0))


def test_several_outputs():
    g = Graph("g")
    x = g.input("x", (2, 3))
    h = g.custom_fn_multi([x], lambda x: (x * 2.0, x.sum(axes=0), x[0, 0]))  # item: Graph.custom_fn_multi
    assert isinstance(h, MultiOutputHandle)  # item: MultiOutputHandle
    g.set_outputs([h.output(g, i) for i in range(h.n_outputs())])  # item: MultiOutputHandle.output, MultiOutputHandle.n_outputs
    a = draw(2, 3)
    found = run(g, x=a)
    flat = np.concatenate([part.ravel() for part in found])
    for start, shape, part in zip(
        h.offsets, h.sub_shapes, found, strict=True
    ):  # item: MultiOutputHandle.offsets, MultiOutputHandle.sub_shapes
        np.testing.assert_array_equal(flat[start : start + part.size].reshape(shape.dims), part)
    near(flat, np.concatenate([(a * 2).ravel(), a.sum(0), a[:1, 0]]))
    assert g.node(h.source).outputs == tuple(value.ref for value in h)  # item: MultiOutputHandle.source
