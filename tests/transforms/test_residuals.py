"""`vjp` and `linearize` on arrays: the function runs once, what is kept is what the linear half reads, and results are JAX's."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS
from rlx.ops.random import dropout
from tests.transforms.test_jax_parity import FUNCTIONS, Ours, Theirs, arguments

F32 = np.float32
sin, cos, exp = OPS["sin"], OPS["cos"], OPS["exp"]
X, T = F32([0.3, 0.7, 1.1]), F32([1, -2, 3])


def nbytes(kept: Any) -> int:
    return sum(array.nbytes for array in kept.residuals)


def close(mine: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-6) -> None:
    for one, two in zip(jax.tree.leaves(mine), jax.tree.leaves(other), strict=True):
        if np.asarray(two).dtype != jax.dtypes.float0:
            np.testing.assert_allclose(np.asarray(one, np.float64), np.asarray(two, np.float64), rtol=rtol, atol=atol)


# -- results ----------------------------------------------------------------------------------------------------
QUICK = ["mlp", "rnn_scan", "checkpointed"]
TABLE = [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in FUNCTIONS]
DTYPES = [pytest.param("f4", id="f32"), pytest.param("f8", id="f64", marks=pytest.mark.long)]


def beside_jax(name: str, dtype: str) -> tuple[Any, Any, list[Any], list[Any], dict[str, float]]:
    function, args = FUNCTIONS[name][0], [array.astype(dtype) for array in arguments(name)]
    directions = [np.cos(np.arange(a.size)).reshape(a.shape).astype(dtype) for a in args]
    near = {"rtol": 2e-4, "atol": 2e-4} if dtype == "f4" else {"rtol": 1e-6, "atol": 1e-7}
    return lambda *xs: function(Ours(), *xs), jax.jit(lambda *xs: function(Theirs(), *xs)), args, directions, near


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TABLE)
def test_pullback_is_jax_s(name: str, dtype: str) -> None:
    with jax.enable_x64(dtype == "f8"):
        ours, theirs, args, _, near = beside_jax(name, dtype)
        value, pullback = rlx.vjp(ours, *args)
        wanted, back = jax.vjp(theirs, *args)
        close(value, wanted, **near)
        for seed in (1, -3):
            close(pullback(np.asarray(seed, dtype)), back(np.asarray(seed, dtype)), **near)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TABLE)
def test_pushforward_is_jax_s(name: str, dtype: str) -> None:
    with jax.enable_x64(dtype == "f8"):
        ours, theirs, args, directions, near = beside_jax(name, dtype)
        value, forward = rlx.linearize(ours, *args)
        wanted, moved = jax.linearize(theirs, *args)
        close(value, wanted, **near)
        for scale in (1, -3):
            tangents = [(scale * d).astype(dtype) for d in directions]
            close(forward(*tangents), moved(*tangents), **near)


LOOPS: dict[str, Any] = {
    "scan": lambda m, x: m.scan(lambda c, _: (m.sin(c) * x, c * x), x, length=4),
    "scan of a scan": lambda m, x: m.scan(
        lambda c, _: (m.scan(lambda d, _: (m.sin(d) * c, d), c, length=2)[0], m.cos(c)), x, length=3
    ),
    "while without a limit": lambda m, x: m.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, m.sin(s[1]) * x), (np.int32(0), x)),
    "scan in a branch": lambda m, x: m.cond(
        m.sum(x) > 0.5, lambda x: m.scan(lambda c, _: (m.sin(c), c), x, length=3)[0], lambda x: x * x, x
    ),
    "branch in a scan": lambda m, x: m.scan(
        lambda c, _: (m.cond(m.sum(c) > 0.5, lambda c: m.sin(c) * x, lambda c: c * c, c), c), x, length=3
    ),
    "count beside a value": lambda m, x: m.scan(lambda c, _: ((c[0] + 1, m.sin(c[1])), c[0]), (np.int32(0), x), length=3),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_linearized_as_jax_does(name: str) -> None:
    value, forward = rlx.linearize(lambda x: LOOPS[name](Ours(), x), X)
    wanted, moved = jax.linearize(jax.jit(lambda x: LOOPS[name](Theirs(), x)), X)
    close(value, wanted)
    for tangent in (T, 2 * T):
        close(forward(tangent), moved(tangent))


# -- the function runs once -------------------------------------------------------------------------------------
@pytest.fixture
def counted() -> Iterator[tuple[Any, list[int]]]:
    """x² as a registered op that calls Python on the host, and a list that grows with each call."""
    calls: list[int] = []

    def square(x: Any) -> Any:
        calls.append(x.size)
        return x * x

    op = rlx.register_op(
        "counted_square",
        "x",
        infer=lambda call: call.given[0],
        reference=square,
        kernels={"cpu": square},
        vjp=lambda call, operands, results, cotangents: [2.0 * operands[0] * cotangents[0]],
        jvp=lambda call, operands, results, tangents: [2.0 * operands[0] * tangents[0]],
    )
    yield op, calls
    rlx.graphs.unregister_op("counted_square")


@pytest.mark.parametrize("transform", [rlx.vjp, rlx.linearize])
def test_the_function_runs_once_for_any_number_of_calls(transform: Any, counted: Any) -> None:
    square, calls = counted
    value, linear = transform(lambda x: exp(square(x)), X)
    close(value, np.exp(X * X))
    for scale in (1, 2, 3):
        close(linear(scale * T), scale * T * 2 * X * np.exp(X * X))
    assert len(calls) == 1


def test_a_loop_of_values_runs_once_before_its_tangents(counted: Any) -> None:
    """What the linear half needs of a step it computes from the carry that was kept; here that is no square."""
    square, calls = counted
    _, forward = rlx.linearize(lambda x: rlx.lax.scan(lambda c, _: (square(c) * 0.5, None), x, length=4)[0], X)
    assert len(calls) == 4
    for tangent in (T, 2 * T):
        close(forward(tangent), 16 * X**15 / 2**15 * tangent)  # of x¹⁶ / 2¹⁵
    assert len(calls) == 4


def test_what_a_rule_by_parts_computes_again_is_the_functions_own_value() -> None:
    _, pullback = rlx.vjp(lambda x: OPS["softplus"](x @ x), np.eye(3, dtype=F32))
    back = pullback._version.halves.linear
    assert [node.op.name for node in back.nodes].count("matmul") == 2  # one for each factor, none for the product


# -- what is kept -----------------------------------------------------------------------------------------------
def test_values_nobody_reads_on_the_way_back_are_not_kept() -> None:
    x = np.ones((64, 64), F32)
    _, pullback = rlx.vjp(lambda x: ((x + 1.0) * 3.0 - x).sum(), x)
    assert pullback.residuals == ()
    np.testing.assert_array_equal(pullback(F32(2))[0], np.full((64, 64), 4, F32))


def test_a_broadcast_value_is_kept_once() -> None:
    x, big = np.ones(64, F32), np.ones((100, 64), F32)
    _, pullback = rlx.vjp(lambda x, y: (sin(x) * y).sum(), x, big)
    assert nbytes(pullback) <= 2 * x.nbytes + big.nbytes


def test_checkpoint_keeps_nothing_of_the_inside() -> None:
    def layer(x: Any) -> Any:
        return sin(cos(sin(x * 2.0)))

    for transform in (rlx.vjp, rlx.linearize):
        plain, kept = transform(layer, X)[1], transform(rlx.checkpoint(layer), X)[1]
        assert nbytes(plain) > X.nbytes == nbytes(kept)
        close(kept(T), plain(T))


def test_a_scan_keeps_its_carries_and_with_checkpoints_as_many() -> None:
    def loop(x: Any, marks: int | None = None) -> Any:
        return rlx.lax.scan(lambda c, _: (sin(cos(c)) * x, None), x, length=16, num_checkpoints=marks)[0]

    pullback, forward = rlx.vjp(loop, X)[1], rlx.linearize(loop, X)[1]
    assert nbytes(pullback) == nbytes(forward) == 17 * X.nbytes  # the carry before each step, and x
    few = rlx.vjp(lambda x: loop(x, 4), X)[1]
    assert nbytes(few) == 5 * X.nbytes
    none = rlx.linearize(lambda x: loop(x, 4), X)[1]
    assert nbytes(none) == X.nbytes
    close(few(T), pullback(T))
    close(none(T), forward(T))


def test_residuals_of_a_rule_of_ones_own_are_kept() -> None:
    @rlx.custom_vjp
    def squared(x: Any) -> Any:
        return x * x

    squared.defvjp(lambda x: (x * x, (cos(x), 3.0)), lambda kept, g: (g * kept[0] * kept[1],))
    _, pullback = rlx.vjp(squared, X)
    np.testing.assert_allclose(pullback(T)[0], T * np.cos(X) * 3, rtol=1e-5)
    assert nbytes(pullback) == X.nbytes


def test_a_custom_tangent_rule_is_linearized_with_its_own_value() -> None:
    @rlx.custom_jvp
    def curve(x: Any) -> Any:
        return sin(x)

    curve.defjvp(lambda primals, tangents: (cos(primals[0]), tangents[0] * exp(primals[0])))
    value, forward = rlx.linearize(curve, X)
    close((value, forward(T)), (np.cos(X), T * np.exp(X)))


def test_random_numbers_are_drawn_once() -> None:
    key, counter = np.uint32([1, 2]), np.uint64(3)
    x = np.linspace(0.5, 1.5, 256, dtype=F32)
    value, pullback = rlx.vjp(lambda x: dropout(x, key, counter, rate=0.5, stream=4) * x, x)
    mask = value / (x * x)
    close(pullback(np.ones_like(x))[0], 2 * mask * x)


def test_a_large_captured_array_is_a_param_of_both_halves_and_no_residual() -> None:
    w, x = np.random.default_rng(0).standard_normal((256, 256)).astype(F32), np.ones((2, 256), F32)
    _, pullback = rlx.vjp(lambda x: x @ w, x)
    assert pullback.residuals == ()
    before = x @ w.T
    w *= 0
    close(pullback(x)[0], before, atol=1e-4)
    close(rlx.jit(lambda u: pullback(u)[0])(x), before, atol=1e-4)


# -- values at the time of the call -----------------------------------------------------------------------------
@pytest.mark.parametrize("transform", [rlx.vjp, rlx.linearize])
def test_arrays_may_be_written_to_afterwards(transform: Any) -> None:
    x = X.copy()
    value, linear = transform(lambda x: exp(x) * x, x)
    wanted = linear(T)
    x[:] = 100
    with pytest.raises(RlxError, match="immutable"):
        value[:] = 100
    close(linear(T), wanted, rtol=0, atol=0)


def test_arrays_nobody_can_write_to_are_not_copied() -> None:
    x = np.arange(1000, dtype=F32)
    x.flags.writeable = False
    view = x[::2]
    for array in (x, view):
        assert np.shares_memory(rlx.vjp(lambda x: x * x, array)[1].residuals[0], array)
    locked = X.copy()[:2]
    locked.flags.writeable = False  # the array behind it is not
    assert not np.shares_memory(rlx.vjp(lambda x: x * x, locked)[1].residuals[0], locked)


def test_a_handle_may_change_afterwards() -> None:
    w = rlx.put(F32([2, 3, 4]))
    _, pullback = rlx.vjp(lambda w, x: w * w * x, w, X)
    before = pullback(T)
    w.set(F32([7, 7, 7]))
    close(pullback(T), before, rtol=0, atol=0)
    close(rlx.vjp(lambda w, x: w * w * x, w, X)[1](T), (14 * X * T, 49 * T))


# -- life -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("transform", [rlx.vjp, rlx.linearize])
def test_a_linear_part_holds_residuals_and_not_the_function(transform: Any) -> None:
    class Held:
        """Something a function closes over."""

    held = Held()

    def function(x: Any, held: Any = held) -> Any:
        return sin(x) * x

    _, linear = transform(function, X)
    wanted, alive = linear(T), weakref.ref(held)
    del function, held
    gc.collect()
    assert alive() is None
    close(linear(T), wanted, rtol=0, atol=0)


def test_residuals_are_given_back_with_the_pullback() -> None:
    """The executable uses their memory again: as many arrays after ten calls as after two."""
    x = np.ones((128, 128), F32)
    seen = set()
    for _ in range(10):
        _, pullback = rlx.vjp(cube, x)
        pullback(x)
        seen |= {array.ctypes.data for array in pullback.residuals}
        del pullback
    assert len(seen) <= 4


# -- sizes ------------------------------------------------------------------------------------------------------
def test_sizes_become_symbols_as_in_jit() -> None:
    traces = []

    def function(x: Any) -> Any:
        traces.append(x.shape)
        return (x * 2.0).sum(), sin(x).sum(axes=0)

    for rows in (2, 3, 4):
        x = np.random.default_rng(rows).uniform(size=(rows, 3)).astype(F32)
        (total, sums), pullback = rlx.vjp(function, x)
        close((total, sums), (2 * x.sum(), np.sin(x).sum(0)))
        close(pullback((F32(2), T))[0], 4 + np.cos(x) * T)
        close(rlx.linearize(function, x)[1](3 * x), (6 * x.sum(), (np.cos(x) * 3 * x).sum(0)))
    assert len(traces) == 4  # twice for each transform


def test_a_pullback_of_symbolic_sizes_has_one_size() -> None:
    def function(x: Any) -> Any:
        return sin(x)

    for size in (2, 3):
        x = np.ones(size, F32)
        _, pullback = rlx.vjp(function, x)
        close(rlx.vmap(pullback)(np.ones((4, size), F32))[0], np.full((4, size), np.cos(1)))
        with pytest.raises(RlxError) as caught:
            pullback(np.ones(size + 1, F32))
        assert caught.value.code == "RLX102"


# -- containers, numbers, other results -------------------------------------------------------------------------
def test_containers_whole_numbers_and_words() -> None:
    def function(p: Any, k: Any) -> Any:
        return {"y": p["a"] * k, "n": (p["a"] > 0.5).astype("i32"), "name": "rlx", "none": None}, (p["b"][0] + k,)

    params = {"a": X, "b": [T]}
    value, pullback = rlx.vjp(function, params, 2.0)
    assert value[0]["name"] == "rlx" and value[0]["none"] is None
    np.testing.assert_array_equal(value[0]["n"], [0, 1, 1])
    cotangents = ({"y": T, "n": np.int32([0, 0, 0]), "name": "rlx", "none": None}, (X,))
    close(pullback(cotangents), ({"a": 2 * T, "b": [X]}, (T * X).sum() + X.sum()))
    value, forward = rlx.linearize(function, params, 2.0)
    moved = forward({"a": T, "b": [X]}, 1.0)
    close((moved[0]["y"], moved[1][0]), (2 * T + X, X + 1))
    np.testing.assert_array_equal(moved[0]["n"], [0, 0, 0])  # float0 in JAX


def test_numbers_take_the_dtype_they_meet() -> None:
    _, pullback = rlx.vjp(lambda x, k: x * k, X.astype(np.float64), 1 / 3)
    dx, dk = pullback(T)
    assert dx.dtype == dk.dtype == np.float64
    close(dx, T.astype(np.float64) / 3, rtol=1e-15, atol=0)
    assert rlx.vjp(lambda x, k: x * k, X.astype(np.float16), 1 / 3)[1](T)[0].dtype == np.float16


def test_complex_numbers_pull_back_as_in_jax() -> None:
    z = np.complex64([1 + 2j, 3 - 1j])
    _, pullback = rlx.vjp(lambda z: z * z, z)
    np.testing.assert_allclose(pullback(np.complex64([1, 1j]))[0], 2 * z * [1, 1j], rtol=1e-6)


def test_other_containers_and_shapes_are_refused() -> None:
    _, pullback = rlx.vjp(lambda x: (x, x), X)
    for wrong, code in ((T, "RLX114"), ([T, T], "RLX114"), ((T, T[:2]), "RLX102"), ((T, 1.0), "RLX102")):
        with pytest.raises(RlxError) as caught:
            pullback(wrong)
        assert caught.value.code == code


# -- other transforms around it ---------------------------------------------------------------------------------
def cube(x: Any) -> Any:
    return sin(x) * x * x


def jax_cube(x: Any) -> Any:
    return jnp.sin(x) * x * x


def test_a_pullback_inside_other_transforms() -> None:
    pullback, back = rlx.vjp(cube, X)[1], jax.vjp(jax_cube, X)[1]
    us = np.stack([T, X, T * X])
    close(rlx.vmap(pullback)(us), jax.vmap(back)(us))
    close(rlx.jit(lambda u: pullback(u)[0] * u)(T), back(T)[0] * T)
    loss, theirs = lambda u: (pullback(u * u)[0] ** 2).sum(), lambda u: (back(u * u)[0] ** 2).sum()
    close(rlx.grad(loss)(T), jax.grad(theirs)(T))
    close(rlx.vjp(pullback, T)[1]((X,)), jax.vjp(back, T)[1]((X,)))
    forward, moved = rlx.linearize(cube, X)[1], jax.linearize(jax_cube, X)[1]
    close(rlx.vmap(forward)(us), jax.vmap(moved)(us))
    close(rlx.vjp(forward, T)[1](X), jax.vjp(moved, T)[1](X))


def test_vjp_of_vjp_and_linearize_of_grad() -> None:
    ours = rlx.vjp(lambda x: rlx.vjp(cube, x)[1](x * 2.0)[0], X)
    theirs = jax.vjp(lambda x: jax.vjp(jax_cube, x)[1](x * 2.0)[0], X)
    close((ours[0], ours[1](T)), (theirs[0], theirs[1](T)))
    ours = rlx.linearize(rlx.grad(lambda x: cube(x).sum()), X)
    theirs = jax.linearize(jax.grad(lambda x: jax_cube(x).sum()), X)
    close((ours[0], ours[1](T)), (theirs[0], theirs[1](T)))


def test_inside_jit_grad_and_vmap() -> None:
    def squared(vjp: Any, f: Any) -> Any:
        return lambda x: (vjp(f, x)[1](x)[0] ** 2).sum()

    ours, theirs = squared(rlx.vjp, cube), squared(jax.vjp, jax_cube)
    close(rlx.jit(ours)(X), theirs(X))
    close(rlx.grad(ours)(X), jax.grad(theirs)(X))
    xs = np.stack([X, T])
    close(rlx.vmap(ours)(xs), jax.vmap(theirs)(xs))
