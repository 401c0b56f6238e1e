"""Loops and branches as users call them, on arrays and in traces, beside `jax.lax`: values, gradients, batching, errors."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest

import rlx

F32 = np.float32
OURS = SimpleNamespace(
    scan=rlx.lax.scan,
    cond=rlx.lax.cond,
    switch=rlx.lax.switch,
    while_loop=rlx.lax.while_loop,
    fori_loop=rlx.lax.fori_loop,
    map=rlx.lax.map,
    associative_scan=rlx.lax.associative_scan,
)
THEIRS = jax.lax


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


BRANCHES = [lambda x: x * 2, lambda x: -x, lambda x: x * x, lambda x: x + 1, lambda x: x * 0]
CALLS = {
    "scan": (lambda m, x: m.scan(lambda c, r: (c * 0.5 + r, c * r), x[0], x), [(4, 3)]),
    "scan backwards with containers": (
        lambda m, x: m.scan(
            lambda c, r: ({"a": c["a"] + r[0], "b": (c["b"][0] * r[1],)}, None), {"a": x[0], "b": (x[1],)}, (x, x), reverse=True
        ),
        [(5, 2)],
    ),
    "scan of an int to floats": (lambda m, x: m.scan(lambda c, r: (c + r, c), 0, x), [(7,)]),
    "scan of a float and an int": (lambda m, x: m.scan(lambda c, r: ((c[0] + r, c[1] + 1), c[1]), (0.0, 0), x), [(7,)]),
    "scan of a length": (lambda m, x: m.scan(lambda c, _: (c * 2, c), x, length=3), [(2, 3)]),
    "scan of no rows": (lambda m, x: m.scan(lambda c, r: (c + r, c), x.sum(), x), [(0,)]),
    "scan unrolled": (lambda m, x: m.scan(lambda c, r: (c + r, c), x[0], x, unroll=2), [(6, 1)]),
    "cond": (lambda m, x: m.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x), [(3,)]),
    "cond of a constant": (lambda m, x: m.cond(True, lambda x: x * 2, lambda x: -x, x), [(3,)]),
    "cond without operands": (lambda m, x: m.cond(x.sum() > 0, lambda: x * 2, lambda: -x), [(3,)]),
    "cond of a number": (lambda m, x: m.cond(2, lambda x: {"y": x * 2}, lambda x: {"y": -x}, x), [(3,)]),
    "while_loop": (lambda m, x: m.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * x), (0, x)), [(2, 2)]),
    "while_loop of an int to floats": (lambda m, x: m.while_loop(lambda c: c < 9, lambda c: c + 1 + abs(x[0]), 0), [(3,)]),
    "fori_loop": (lambda m, x: m.fori_loop(0, 5, lambda i, v: v * x + i, x), [(3,)]),
    "fori_loop from below zero": (lambda m, x: m.fori_loop(-3, 4, lambda i, v: v * 0.5 + i, x), [(1, 3)]),
    "fori_loop of nothing": (lambda m, x: m.fori_loop(3, 3, lambda i, v: v * 2, x), [(3,)]),
    "fori_loop backwards": (lambda m, x: m.fori_loop(3, -1, lambda i, v: v * 2, x), [(3,)]),
    "fori_loop of NumPy's ints": (lambda m, x: m.fori_loop(np.int32(1), np.int64(4), lambda i, v: v * i, x), [(3,)]),
    "fori_loop of an int to floats": (lambda m, x: m.fori_loop(0, 4, lambda i, v: v + x, 0 * x), [(3,)]),
    "fori_loop with containers": (lambda m, x: m.fori_loop(0, 4, lambda i, v: [v[1], v[0] * 0.5], [x, x + 1]), [(3,)]),
    "map": (lambda m, x: m.map(lambda r: (r.sum(), {"r": r * 2}), x), [(4, 3)]),
    "map in batches": (lambda m, x: m.map(lambda r: r * r.sum(), x, batch_size=2), [(4, 3)]),
    "map in batches with a rest": (lambda m, x: m.map(lambda r: (r * 2, r.sum()), x, batch_size=3), [(7, 3)]),
    "map in one short batch": (lambda m, x: m.map(lambda r: r * 2, x, batch_size=9), [(7, 3)]),
    "associative_scan of sums": (lambda m, x: m.associative_scan(lambda a, b: a + b, x), [(9, 2)]),
    "associative_scan along an axis backwards": (
        lambda m, x: m.associative_scan(lambda a, b: a * b, x, reverse=True, axis=1),
        [(2, 6, 2)],
    ),
    "associative_scan of a linear recurrence": (
        lambda m, x: m.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x, x * 2), axis=-1),
        [(3, 13)],
    ),
    **{f"switch {index}": (lambda m, x, index=index: m.switch(index, BRANCHES, x), [(3,)]) for index in (-2, 0, 1, 2, 3, 4, 7)},
    "switch of two": (lambda m, x: m.switch((x.sum() > 0).astype("int32"), BRANCHES[:2], x), [(3,)]),
    "switch of one": (lambda m, x: m.switch(3, BRANCHES[2:3], x), [(3,)]),
    "map over scan over cond": (
        lambda m, x: m.map(lambda r: m.scan(lambda c, y: (m.cond(y > 0, lambda c: c + y, lambda c: c * y, c), c), r[0], r)[1], x),
        [(3, 5)],
    ),
}


def both(name: str) -> tuple[Any, Any, list[Any]]:
    call, shapes = CALLS[name]
    arrays = [draw(*dims, seed=i) for i, dims in enumerate(shapes)]
    return (lambda *xs: call(OURS, *xs)), (lambda *xs: call(THEIRS, *xs)), arrays


def same(found: Any, wanted: Any) -> None:
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    for mine, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert isinstance(mine, rlx.Array) and mine.dtype == other.dtype and mine.shape == other.shape
        np.testing.assert_allclose(mine, other, rtol=2e-5, atol=2e-6)


SHORT = ["scan", "cond without operands", "while_loop", "fori_loop", "map", "switch 1"]


@pytest.mark.parametrize("name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in CALLS])
def test_called_on_arrays_it_runs_at_once(name):
    ours, theirs, arrays = both(name)
    same(ours(*arrays), jax.jit(theirs)(*arrays))


@pytest.mark.parametrize("name", CALLS)
def test_in_a_trace_it_is_part_of_it(name):
    ours, theirs, arrays = both(name)
    same(rlx.jit(ours, device="reference")(*arrays), jax.jit(theirs)(*arrays))


DIFFERENTIABLE = [
    name
    for name in CALLS
    if name not in ("while_loop", "while_loop of an int to floats", "scan of no rows")
    and (not name.startswith("switch") or name in ("switch 1", "switch of two"))
]


SHORT_GRADIENTS = ["scan", "fori_loop", "switch of two", "map in batches with a rest", "associative_scan of sums"]


@pytest.mark.parametrize(
    "name", [name if name in SHORT_GRADIENTS else pytest.param(name, marks=pytest.mark.long) for name in DIFFERENTIABLE]
)
def test_gradients_are_those_of_jax(name):
    ours, theirs, arrays = both(name)

    def loss(f: Any) -> Any:
        def of(*xs: Any) -> Any:
            leaves = [leaf for leaf in jax.tree.leaves(f(*xs)) if "f" in str(leaf.dtype)]
            return sum(((leaf * leaf).sum() for leaf in leaves[1:]), (leaves[0] * leaves[0]).sum())

        return of

    same(rlx.jit(rlx.grad(loss(ours)), device="reference")(*arrays), jax.jit(jax.grad(loss(theirs)))(*arrays))


@pytest.mark.parametrize("name", ["fori_loop", "switch of two", "map", "associative_scan of sums", "cond", "while_loop"])
def test_batched_it_is_that_of_jax(name):
    ours, theirs, arrays = both(name)
    many = [np.stack([x, -x, x * 0.5]) for x in arrays]
    same(rlx.jit(rlx.vmap(ours), device="reference")(*many), jax.jit(jax.vmap(theirs))(*many))


@pytest.mark.parametrize("count", range(18))
@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan_of_every_length_is_the_cumulative_product(count, reverse):
    x = np.arange(1, 2 * count + 1, dtype=np.int64).reshape(2, count) % 5 + 1
    f = rlx.jit(lambda x: rlx.lax.associative_scan(lambda a, b: a * b, x, reverse=reverse, axis=1), device="reference")
    found = f(x)
    wanted = np.cumprod(x[:, ::-1], 1)[:, ::-1] if reverse else np.cumprod(x, 1)
    np.testing.assert_array_equal(found, wanted)


def test_associative_scan_of_matrices_keeps_the_order():
    x = draw(6, 3, 3)
    found = rlx.jit(lambda x: rlx.lax.associative_scan(lambda a, b: a @ b, x), device="reference")(x)
    wanted = [x[0]]
    for matrix in x[1:]:
        wanted.append(wanted[-1] @ matrix)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bounds", [(0, 5), (-2, 3), (4, 1)])
def test_bounds_of_fori_loop_may_be_values(bounds):
    x = draw(3)
    call = lambda m: lambda low, high, x: m.fori_loop(low, high, lambda i, v: v * 0.5 + i, x)  # noqa: E731
    f = rlx.jit(call(OURS), device="reference")
    same(f(*map(np.int32, bounds), x), jax.jit(call(THEIRS))(*map(np.int32, bounds), x))
    same(f(*bounds, x), jax.jit(call(THEIRS))(*bounds, x))
    same(rlx.jvp(lambda x: f(*bounds, x), (x,), (x,)), jax.jvp(lambda x: jax.jit(call(THEIRS))(*bounds, x), (x,), (x,)))


def test_an_eager_loop_is_compiled_once_for_all_bounds():
    traces = []

    def body(i: Any, v: Any) -> Any:
        traces.append(1)
        return v + i

    for upper in (3, 4, 9, 0):
        np.testing.assert_array_equal(rlx.lax.fori_loop(0, upper, body, np.float32(1)), 1 + sum(range(upper)))
    assert len(traces) == 1


def test_eager_loops_of_one_function_are_traced_once_for_each_kind():
    traces = []

    def step(c: Any, x: Any) -> Any:
        traces.append(1)
        return c + x, c

    for _ in range(3):
        rlx.lax.scan(step, F32(0), F32([1, 2, 3]))
    assert len(traces) == 1
    rlx.lax.scan(step, F32(0), F32([1, 2, 3]), reverse=True)
    assert len(traces) == 2


def test_methods_and_callables_without_weak_references_run_eagerly():
    class Step:
        __slots__ = ("scale",)

        def __init__(self, scale: float) -> None:
            self.scale = scale

        def __call__(self, c: Any, x: Any) -> Any:
            return c + x * self.scale, None

    class Model:
        def step(self, c: Any, x: Any) -> Any:
            return c + x, None

    np.testing.assert_array_equal(rlx.lax.scan(Step(2.0), F32(0), F32([1, 2, 3]))[0], 12)
    np.testing.assert_array_equal(rlx.lax.scan(Model().step, F32(0), F32([1, 2, 3]))[0], 6)


def test_a_number_as_carry_takes_the_width_of_the_rows():
    for dtype in (np.float64, np.float16, np.int64, np.complex64):
        total, _ = rlx.lax.scan(lambda c, x: (c + x, None), 0, np.ones(3, dtype))
        assert total.dtype == dtype and total == 3
    total, _ = rlx.jit(lambda start, xs: rlx.lax.scan(lambda c, x: (c + x, None), start, xs))(2**40, np.ones(3))
    assert total == 2.0**40 + 3


def test_loops_in_a_trace_whose_carries_are_all_constants_see_what_they_close_over():
    f = rlx.jit(lambda x: rlx.lax.scan(lambda c, _: (c + x, None), np.zeros(3, F32), length=4)[0])
    np.testing.assert_array_equal(f(F32([1, 2, 3])), [4, 8, 12])
    g = rlx.jit(lambda x: rlx.lax.switch(np.int32(1), [lambda: x, lambda: x * 2]))
    np.testing.assert_array_equal(g(F32([1, 2, 3])), [2, 4, 6])


# -- errors -----------------------------------------------------------------------------------------------------
X = F32([1, 2, 3])


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        (lambda: rlx.lax.scan(lambda c, x: c, X[0], X), "RLX114", "return (carry, y)"),
        (lambda: rlx.lax.scan(lambda c, x: ((c, c), None), X[0], X), "RLX114", "the carry after a step"),
        (lambda: rlx.lax.scan(lambda c, x: (c.astype("f16"), None), X[0], X), "RLX102", "carry 0 after a step is f16[]"),
        (lambda: rlx.lax.scan(lambda c, x: (c > 0, None), 0.0, X), "RLX102", "carry 0 after a step is bool[]"),
        (lambda: rlx.lax.scan(lambda c, x: (c, None), X), "RLX105", "length="),
        (lambda: rlx.lax.scan(lambda c, x: (c, None), X, X[0]), "RLX102", "is the scalar"),
        (lambda: rlx.lax.scan(3, X, X), "RLX105", "not a function"),
        (lambda: rlx.lax.while_loop(lambda c: c.sum() < 3, lambda c: (c, c), X), "RLX114", "the body"),
        (lambda: rlx.lax.while_loop(lambda c: c < 3, lambda c: c, X), "RLX102", "cond"),
        (lambda: rlx.lax.fori_loop(0, 3, lambda i, v: (v, v), X), "RLX114", "the body of fori_loop"),
        (lambda: rlx.lax.fori_loop(0, 3, lambda i, v: v.sum(), X), "RLX102", "f32[]"),
        (lambda: rlx.lax.fori_loop(0, 2.5, lambda i, v: v, X), "RLX103", "2.5"),
        (lambda: rlx.jit(lambda n: rlx.lax.fori_loop(0, n, lambda i, v: v, X))(X[0]), "RLX103", "f32[]"),
        (lambda: rlx.lax.switch(0, [], X), "RLX101", "at least one function"),
        (lambda: rlx.lax.switch(0.5, BRANCHES, X), "RLX103", "the index of switch"),
        (lambda: rlx.lax.switch(1, [lambda x: x, lambda x: (x,)], X), "RLX114", "branch 1 of switch"),
        (lambda: rlx.lax.switch(1, [lambda x: x, lambda x: x, lambda x: x.sum()], X), "RLX102", "branch 2 of switch"),
        (lambda: rlx.lax.cond(True, lambda x: x, lambda x: (x,), X), "RLX114", "else"),
        (lambda: rlx.lax.cond(X > 0, lambda x: x, lambda x: -x, X), "RLX10", "bool[3]"),
        (lambda: rlx.lax.map(lambda x: x, X, batch_size=0), "RLX105", "batch_size"),
        (lambda: rlx.lax.associative_scan(lambda a, b: a, X, axis=1), "RLX104", "axis 1"),
        (lambda: rlx.lax.associative_scan(lambda a, b: a.sum(), X), "RLX102", "f32[]"),
        (lambda: rlx.lax.associative_scan(lambda a, b: a[0], (X, X)), "RLX114", "associative_scan"),
        (lambda: rlx.lax.associative_scan(lambda a, b: a, (X, X[:2])), "RLX102", "3 and 2 elements"),
        (lambda: rlx.lax.associative_scan(lambda a, b: a, ()), "RLX101", "no arrays"),
        (
            lambda: rlx.jit(rlx.grad(lambda x, n: rlx.lax.fori_loop(0, n, lambda i, v: v * 2, x).sum()))(X, 3),
            "RLX604",
            "max_iterations",
        ),
    ],
)
def test_what_does_not_fit_is_an_error_with_the_users_line(call, code, words):
    with pytest.raises(rlx.RlxError, match=code) as caught:
        call()
    assert words in str(caught.value) and "test_control_flow.py" in str(caught.value)


# -- second derivatives -----------------------------------------------------------------------------------------
def test_hessians_are_those_of_jax():
    x, y = draw(3), draw(3, seed=1)

    def f(x: Any, y: Any) -> Any:
        return (x * x * y).sum() + (x.sum() * y).sum() ** 2

    ours = lambda f, *argnums: rlx.jit(rlx.hessian(f, *argnums), device="reference")  # noqa: E731
    same(rlx.hessian(f)(x, y), jax.jit(jax.hessian(f))(x, y))
    same(ours(f, 1)(x, y), jax.jit(jax.hessian(f, argnums=1))(x, y))
    same(ours(f, (0, 1))(x, y), jax.jit(jax.hessian(f, argnums=(0, 1)))(x, y))
    trees = {"a": x, "b": [y]}
    same(ours(lambda p: f(p["a"], p["b"][0]))(trees), jax.jit(jax.hessian(lambda p: f(p["a"], p["b"][0])))(trees))
