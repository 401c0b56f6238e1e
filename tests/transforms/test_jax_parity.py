"""Gradients, tangents and Hessian products of functions people write, beside JAX, in f64 on the reference."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.ir.op import OPS


@pytest.fixture(autouse=True)
def wide_numbers():
    """JAX in f64, here only: the setting is the process's."""
    with jax.enable_x64(True):
        yield


class Ours:
    """The functions the examples use, on Values."""

    scan, cond, while_loop = staticmethod(rlx.lax.scan), staticmethod(rlx.lax.cond), staticmethod(rlx.lax.while_loop)

    def __getattr__(self, name: str) -> Any:
        return OPS[name]

    @staticmethod
    def sum(x, axis=None, keepdims=False):
        return x.sum(axes=axis, keep_dim=keepdims)

    @staticmethod
    def mean(x, axis=None, keepdims=False):
        return x.mean(axes=axis, keep_dim=keepdims)

    @staticmethod
    def maximum(x, y):
        return OPS["max"](x, y)

    @staticmethod
    def softmax(x):
        return OPS["softmax"](x, axis=-1)

    @staticmethod
    def logsumexp(x, axis):
        return OPS["reduce_log_sum_exp"](x, axes=axis)

    @staticmethod
    def amax(x, axis):
        return x.max(axes=axis)

    @staticmethod
    def prod(x, axis):
        return x.prod(axes=axis)

    @staticmethod
    def transpose(x, perm):
        return x.transpose(*perm)

    @staticmethod
    def take(x, i, axis):
        return OPS["gather"](x, i, axis=axis)

    @staticmethod
    def concatenate(xs, axis):
        return OPS["concat"](*xs, axis=axis)

    @staticmethod
    def solve(a, b):
        return OPS["dense_solve"](a, b)

    @staticmethod
    def power_spectrum(x):
        return OPS["complex_norm_sq"](OPS["rfft"](x))

    @staticmethod
    def sort(x):
        return OPS["sort"](x, axis=-1)

    @staticmethod
    def cumsum(x, axis):
        return OPS["cumsum"](x, axis=axis)

    @staticmethod
    def cumprod(x, axis):
        return OPS["cumprod"](x, axis=axis)

    @staticmethod
    def conv2d(x, w):
        return OPS["conv"](x, w, stride=2, padding=1)

    @staticmethod
    def fori(n, f, x):
        return rlx.lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, f(c[0], c[1])), (np.int32(0), x), max_iterations=n)[1]

    @staticmethod
    def checkpoint(f):
        return rlx.checkpoint(f)


class Theirs(Ours):
    """The same in JAX."""

    scan, cond, while_loop = staticmethod(jax.lax.scan), staticmethod(jax.lax.cond), staticmethod(jax.lax.while_loop)

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name) if hasattr(jnp, name) else getattr(jax.nn, name)

    sum, mean, maximum, amax, prod, take = (
        staticmethod(getattr(jnp, n)) for n in ("sum", "mean", "maximum", "max", "prod", "take")
    )
    transpose, concatenate, solve, sort = (staticmethod(f) for f in (jnp.transpose, jnp.concatenate, jnp.linalg.solve, jnp.sort))
    cumsum, cumprod = staticmethod(jnp.cumsum), staticmethod(jnp.cumprod)
    checkpoint = staticmethod(jax.checkpoint)

    @staticmethod
    def softmax(x):
        return jax.nn.softmax(x, axis=-1)

    @staticmethod
    def logsumexp(x, axis):
        return jax.scipy.special.logsumexp(x, axis=axis)

    @staticmethod
    def power_spectrum(x):
        return jnp.abs(jnp.fft.rfft(x)) ** 2

    @staticmethod
    def conv2d(x, w):
        return jax.lax.conv_general_dilated(x, w, (2, 2), [(1, 1), (1, 1)])

    @staticmethod
    def fori(n, f, x):
        return jax.lax.fori_loop(0, n, f, x)


def layer_norm(m, x, g, b):
    c = x - m.mean(x, -1, keepdims=True)
    return c / m.sqrt(m.mean(c * c, -1, keepdims=True) + 1e-5) * g + b


def attention(m, x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    return m.softmax(q @ m.transpose(k, (0, 2, 1)) * 0.5) @ v


FUNCTIONS: dict[str, Any] = {
    "mlp": (lambda m, x, w, b, u: m.sum(m.tanh(x @ w + b) @ u), [(3, 4), (4, 5), (5,), (5, 2)]),
    "logistic": (lambda m, x, w: m.mean(m.log1p(m.exp(-(x @ w)))), [(6, 4), (4,)]),
    "softmax_loss": (lambda m, x, w: -m.mean(m.log(m.softmax(x @ w))[:, 1]), [(5, 4), (4, 3)]),
    "log_sum_exp": (lambda m, x: m.sum(m.logsumexp(x, 1) ** 2), [(3, 5)]),
    "layer_norm": (lambda m, x, g, b: m.sum(m.sin(layer_norm(m, x, g, b))), [(3, 6), (6,), (6,)]),
    "attention": (lambda m, x, a, b, c: m.sum(m.tanh(attention(m, x, a, b, c))), [(2, 4, 3), (3, 3), (3, 3), (3, 3)]),
    "max_reduce": (lambda m, x: m.sum(m.amax(x, 1) * m.amax(x, 0)[0]), [(4, 4)]),
    "prod": (lambda m, x: m.sum(m.prod(x, 1)), [(3, 4)]),
    "cumulative": (lambda m, x: m.sum(m.cumsum(x, 0) * m.cumprod(x, 1)), [(3, 4)]),
    "sorted_gaps": (lambda m, x: m.sum((m.sort(x)[:, 1:] - m.sort(x)[:, :-1]) ** 2), [(3, 5)]),
    "gather_rows": (lambda m, x: m.sum(m.take(x, np.array([2, 0, 2]), 0) ** 3), [(4, 3)]),
    "slices": (lambda m, x: m.sum(x[1:, ::2] * x[:-1, 1::2][:, :2]), [(4, 4)]),
    "concat_pad": (lambda m, x, y: m.sum(m.concatenate([x, y * 2.0, x], 0)[1:-1] ** 2), [(2, 3), (3, 3)]),
    "broadcast": (lambda m, x, y: m.sum((x[:, None] * y) / (1.0 + x[:, None] ** 2)), [(4,), (4, 3)]),
    "powers": (lambda m, x: m.sum(x**3 - 2.0 * x**2 + x**0.5), [(5,)]),
    "trigonometry": (lambda m, x: m.sum(m.sin(x) * m.cos(2.0 * x) + m.tanh(x) * m.exp(-x)), [(6,)]),
    "huber": (lambda m, x: m.sum(m.where(abs(x) < 1.0, x * x * 0.5, abs(x) - 0.5)), [(7,)]),
    "hinge": (lambda m, x, w: m.mean(m.maximum(1.0 - x @ w, 0.0)), [(6, 4), (4,)]),
    "rnn_scan": (
        lambda m, h, w, xs: (
            m.sum(m.scan(lambda c, x: (m.tanh(c @ w + x), c), h, xs)[0]) + m.sum(m.scan(lambda c, x: (c * x, m.sin(c)), h, xs)[1])
        ),
        [(3,), (3, 3), (4, 3)],
    ),
    "scan_reverse": (lambda m, h, xs: m.sum(m.scan(lambda c, x: (c * m.sin(x), c), h, xs, reverse=True)[1]), [(3,), (5, 3)]),
    "cond": (lambda m, x: m.cond(m.sum(x) > 0.0, lambda x: m.sum(x * x), lambda x: m.sum(m.sin(x)), x), [(4,)]),
    "loop": (lambda m, x: m.sum(m.fori(7, lambda i, c: m.sin(c) * 1.1, x)), [(3,)]),
    "implicit_solve": (lambda m, a, b: m.sum(m.solve(a @ a.T + 3.0 * np.eye(3), b) ** 2), [(3, 3), (3,)]),
    "newton": (lambda m, x: m.sum(m.fori(4, lambda i, y: y - (y * y - x) / (2.0 * y), x)), [(4,)]),
    "power_spectrum": (lambda m, x: m.sum(m.power_spectrum(x) * np.arange(5.0)), [(3, 8)]),
    "convolution": (lambda m, x, w: m.sum(m.tanh(m.conv2d(x, w))), [(1, 2, 5, 6), (3, 2, 3, 3)]),
    "reductions": (lambda m, x: m.sum(m.mean(x, (0, 2)) * m.sum(x * x, (0, 2))), [(2, 3, 4)]),
    "rms_and_gate": (
        lambda m, x, w: m.sum(x / (m.mean(x * x, -1, keepdims=True) + 1e-3) ** 0.5 * m.sigmoid(x @ w)),
        [(3, 4), (4, 4)],
    ),
    "mixture": (lambda m, x, mu: -m.sum(m.logsumexp(-0.5 * (x[:, None] - mu) ** 2, 1)), [(5,), (3,)]),
    "ode_euler": (lambda m, y, k: m.sum(m.scan(lambda c, t: (c + 0.1 * m.sin(k * c), c), y, np.arange(6.0))[1]), [(3,), (3,)]),
    "checkpointed": (lambda m, x, w: m.sum(m.checkpoint(lambda h: m.tanh(m.sin(h @ w) @ w))(x)), [(2, 3), (3, 3)]),
}
ALL = pytest.mark.parametrize("name", list(FUNCTIONS))
TWICE = [
    "softmax_loss",
    "attention",
    "cumulative",
    "powers",
    "rnn_scan",
    "cond",
    "implicit_solve",
    "power_spectrum",
    "checkpointed",
]


def arguments(name: str) -> list[Any]:
    random = np.random.default_rng(len(name))
    return [random.uniform(0.2, 1.5, dims) for dims in FUNCTIONS[name][1]]


def run(function, *args):
    return rlx.jit(function, device="reference")(*args)


@ALL
def test_gradient_is_jax_s(name):
    function, args = FUNCTIONS[name][0], arguments(name)
    numbers = tuple(range(len(args)))
    loss, gradients = run(rlx.value_and_grad(lambda *xs: function(Ours(), *xs), numbers), *args)
    wanted_loss, wanted = jax.jit(jax.value_and_grad(lambda *xs: function(Theirs(), *xs), numbers))(*args)
    np.testing.assert_allclose(loss, wanted_loss, rtol=1e-6)
    for mine, other in zip(gradients, wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", TWICE)
def test_hessian_product_is_jax_s(name):
    function, args = FUNCTIONS[name][0], arguments(name)
    directions = [np.cos(np.arange(a.size)).reshape(a.shape) for a in args]
    numbers = tuple(range(len(args)))
    mine = run(
        lambda xs, ts: rlx.jvp(rlx.grad(lambda *ys: function(Ours(), *ys), numbers), xs, ts)[1], tuple(args), tuple(directions)
    )
    gradient = jax.grad(lambda *xs: function(Theirs(), *xs), numbers)
    _, wanted = jax.jit(lambda xs, ts: jax.jvp(gradient, xs, ts))(tuple(args), tuple(directions))
    for found, other in zip(mine, wanted, strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["mlp", "attention", "rnn_scan", "implicit_solve", "loop", "power_spectrum", "layer_norm"])
def test_reverse_over_reverse_is_forward_over_reverse(name):
    function, args = FUNCTIONS[name][0], arguments(name)
    directions = [np.sin(1 + np.arange(a.size)).reshape(a.shape) for a in args]
    numbers = tuple(range(len(args)))

    def slope(*xs):
        gradients = rlx.grad(lambda *ys: function(Ours(), *ys), numbers)(*xs)
        return sum((g * d).sum() for g, d in zip(gradients, directions, strict=True))

    twice = run(rlx.grad(slope, numbers), *args)
    gradient = rlx.grad(lambda *ys: function(Ours(), *ys), numbers)
    product = run(lambda xs, ts: rlx.jvp(gradient, xs, ts)[1], tuple(args), tuple(directions))
    for mine, other in zip(twice, product, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-9)
