"""Traps of running: names and sizes of inputs, states that are read and written, params that change, memory that is shared."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError

F32 = np.float32


def simple(device):
    g = rlx.Graph("simple")
    n = rlx.Dim("n", 1, 64)
    x, y = g.input("x", (n, 3)), g.input("y", (n,), "i32")
    g.set_outputs({"sum": x.sum(axes=1) + y})
    return rlx.compile(g, device)


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"z": np.ones(2, F32)}, "RLX501", ["'z'", "x, y"]),
        ({"X": np.ones((2, 3), F32), "x": None}, "RLX502", ["'x'"]),
        ({"y": None}, "RLX502", ["'y'", "i32[n]"]),
        ({"x": np.ones((2, 4), F32)}, "RLX503", ["'x'", "f32[n, 3]", "[2, 4]"]),
        ({"x": np.ones(3, F32)}, "RLX503", ["'x'", "[3]"]),
        ({"y": np.ones(5, np.int32)}, "RLX204", ["symbol n", "2 in 'x'", "5 in 'y'"]),
        ({"x": np.ones((65, 3), F32), "y": np.ones(65, np.int32)}, "RLX203", ["65", "1..64"]),
        ({"y": np.ones(2, np.int64)}, "RLX504", ["'y'", "i32", "i64"]),
        ({"x": np.ones((2, 3), np.float64)}, "RLX504", ["'x'", "f32", "f64"]),
        ({"x": np.ones((2, 3), ">f4")}, "RLX504", ["'x'"]),
        ({"x": np.ones((2, 3), np.complex64)}, "RLX504", ["'x'", "c64"]),
        ({"x": np.array([["a"]])}, "RLX504", ["'x'"]),
    ],
)
def test_unknown_missing_mis_sized_and_mis_typed_inputs(device, change, code, words):
    exe = simple(device)
    given = {"x": np.ones((2, 3), F32), "y": np.ones(2, np.int32)}
    given = {name: array for name, array in {**given, **change}.items() if array is not None}
    with pytest.raises(RlxError) as raised:
        exe.run(given)
    assert raised.value.code == code, str(raised.value)
    for word in words:
        assert word in str(raised.value)
    np.testing.assert_array_equal(exe.run({"x": np.ones((2, 3), F32), "y": np.ones(2, np.int32)})["sum"], [4, 4])


def test_inputs_may_be_unaligned_strided_read_only_and_shared(device):
    g = rlx.Graph("add")
    a, b = g.input("a", (3, 17)), g.input("b", (3, 17))
    g.set_outputs({"y": a * 2.0 + b, "z": a @ b.T})
    exe = rlx.compile(g, device)
    content = np.random.default_rng(0).uniform(-1, 1, (3, 17)).astype(F32)
    raw = np.zeros(content.nbytes + 1, np.uint8)
    raw[1:] = content.view(np.uint8).ravel()
    unaligned = raw[1:].view(F32).reshape(3, 17)
    frozen = content.copy()
    frozen.flags.writeable = False
    spread = np.zeros((6, 34), F32)
    spread[::2, ::2] = content
    for value in (unaligned, frozen, spread[::2, ::2], np.asfortranarray(content), content[::-1][::-1]):
        found = exe.run({"a": value, "b": value})
        np.testing.assert_allclose(found["y"], 3 * content.astype(np.float64), rtol=4e-7)
        np.testing.assert_allclose(found["z"], content.astype(np.float64) @ content.T.astype(np.float64), rtol=1e-5, atol=1e-6)


def test_an_unaligned_input_gives_the_same_bits(device):
    """Vector tails depend on sizes, never on addresses."""
    g = rlx.Graph("softmax")
    x = g.input("x", (5, 37))
    g.set_outputs({"y": g.softmax(x), "s": x.sum(axes=1)})
    exe = rlx.compile(g, device)
    content = np.random.default_rng(0).uniform(-1, 1, (5, 37)).astype(F32)
    expected = {name: array.copy() for name, array in exe.run({"x": content}).items()}
    for shift in (1, 2, 4, 12, 28):
        raw = np.zeros(content.nbytes + shift, np.uint8)
        raw[shift:] = content.view(np.uint8).ravel()
        found = exe.run({"x": raw[shift:].view(F32).reshape(5, 37)})
        for name, array in expected.items():
            assert found[name].tobytes() == array.tobytes()


# -- states -----------------------------------------------------------------------------------------------------
def test_a_state_read_after_its_update_was_computed_has_the_old_value(device):
    g = rlx.Graph("old")
    x, s = g.input("x", (4,)), g.state("s", (4,), init=1)
    new = s + x
    g.update("s", new)
    late = g.exp(new * 0.0) * s  # reads s after new exists
    g.set_outputs({"late": late, "raw": s, "view": s.reshape(2, 2).T, "new": new})
    exe = rlx.compile(g, device)
    held = np.ones(4, F32)
    x = np.array([1, 2, 3, 4], F32)
    for _ in range(3):
        found = exe.run({"x": x})
        np.testing.assert_array_equal(found["late"], held)
        np.testing.assert_array_equal(found["raw"], held)
        np.testing.assert_array_equal(found["view"], held.reshape(2, 2).T)
        held = held + x
        np.testing.assert_array_equal(found["new"], held)
        np.testing.assert_array_equal(exe.state("s"), held)


def test_a_state_updated_with_its_own_transpose_or_roll(device):
    """Reads and writes of one buffer overlap: in place it would read what it wrote."""
    g = rlx.Graph("turn")
    s, t, u = g.state("s", (5, 5)), g.state("t", (7,)), g.state("u", (3, 4))
    g.update("s", s.T)
    g.update("t", g.concat(t[1:], t[:1], axis=0))
    g.update("u", u - u.mean(axes=0, keep_dim=True) + g.flip(u, 1))
    g.set_outputs({"y": s.sum()})
    exe = rlx.compile(g, device)
    first = {"s": np.arange(25, dtype=F32).reshape(5, 5), "t": np.arange(7, dtype=F32), "u": np.arange(12, dtype=F32).reshape(3, 4)}
    exe.run({})
    for name, array in first.items():
        exe.session.set_state(name, array)
    exe.run({})
    np.testing.assert_array_equal(exe.state("s"), first["s"].T)
    np.testing.assert_array_equal(exe.state("t"), np.roll(first["t"], -1))
    np.testing.assert_array_equal(exe.state("u"), first["u"] - first["u"].mean(0) + first["u"][:, ::-1])


def test_three_states_that_pass_their_values_around(device):
    g = rlx.Graph("ring")
    a, b, c = (g.state(name, (3,), init=i) for i, name in enumerate("abc"))
    g.update("a", b)
    g.update("b", c)
    g.update("c", a * 1.0)
    g.set_outputs({"all": g.concat(a, b, c, axis=0)})
    exe = rlx.compile(g, device)
    for turn in range(4):
        expected = np.repeat(np.roll([0, 1, 2], -turn), 3)
        np.testing.assert_array_equal(exe.run({})["all"], expected)


def test_one_value_updates_two_states_and_is_an_output(device):
    g = rlx.Graph("fan")
    x = g.input("x", (4,))
    a, b = g.state("a", (4,)), g.state("b", (4,))
    new = x + a
    g.update("a", new)
    g.update("b", new)
    g.set_outputs({"new": new, "old": b})
    exe = rlx.compile(g, device)
    found = exe.run({"x": np.ones(4, F32)})
    found["new"][:] = 99  # the caller's own memory
    np.testing.assert_array_equal(exe.state("a"), np.ones(4))
    np.testing.assert_array_equal(exe.state("b"), np.ones(4))
    found = exe.run({"x": np.ones(4, F32)})
    np.testing.assert_array_equal(found["old"], np.ones(4))
    np.testing.assert_array_equal(exe.state("b"), np.full(4, 2))


def test_a_state_updated_with_an_input_a_constant_or_a_param(device):
    g = rlx.Graph("set")
    x, w = g.input("x", (3,)), g.param("w", (3,))
    for name in "abc":
        g.state(name, (3,))
    g.update("a", x)
    g.update("b", w)
    g.update("c", g.constant(np.array([7, 8, 9], F32)))
    g.set_outputs({"y": x + w})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.array([4, 5, 6], F32))
    x = np.array([1, 2, 3], F32)
    exe.run({"x": x})
    x[:] = 0
    assert exe.state("a").tolist() == [1, 2, 3] and exe.state("b").tolist() == [4, 5, 6] and exe.state("c").tolist() == [7, 8, 9]


def test_a_run_that_fails_on_an_index_changes_no_state(device):
    g = rlx.Graph("checked")
    x, i = g.input("x", (4,)), g.input("i", (2,), "i32")
    s = g.state("s", (4,))
    g.update("s", s + x)
    g.set_outputs({"y": g.gather(x, i, axis=0, check_bounds=True)})
    exe = rlx.compile(g, device)
    exe.run({"x": np.ones(4, F32), "i": np.array([0, 3], np.int32)})
    with pytest.raises(RlxError) as raised:
        exe.run({"x": np.ones(4, F32), "i": np.array([0, 4], np.int32)})
    assert raised.value.code == "RLX508"
    np.testing.assert_array_equal(exe.state("s"), np.ones(4))
    exe.run({"x": np.ones(4, F32), "i": np.array([-4, 1], np.int32)})
    np.testing.assert_array_equal(exe.state("s"), np.full(4, 2))


@pytest.mark.parametrize("where", ["graph", "scan", "branch"])
def test_a_run_that_fails_on_a_singular_matrix_changes_no_state(device, where):
    g = rlx.Graph("solved")
    a, b = g.input("a", (3, 3)), g.input("b", (3,))
    s = g.state("s", (3,))
    g.update("s", s + b)

    def solve(v):
        return g.dense_solve(a, v)

    found = {
        "graph": lambda: solve(b),
        "scan": lambda: g.scan(b, solve, 2),
        "branch": lambda: g.cond(b.sum() > 0, solve, lambda v: v, (b,)),
    }[where]()
    g.set_outputs({"y": found})
    exe = rlx.compile(g, device)
    one = np.ones(3, F32)
    exe.run({"a": 2 * np.eye(3, dtype=F32), "b": one})
    with pytest.raises(RlxError) as raised:
        exe.run({"a": np.zeros((3, 3), F32), "b": one})
    assert raised.value.code == "RLX511"
    np.testing.assert_array_equal(exe.state("s"), one)
    exe.run({"a": np.eye(3, dtype=F32), "b": one})
    np.testing.assert_array_equal(exe.state("s"), 2 * one)


# -- params -----------------------------------------------------------------------------------------------------
def test_a_param_updated_by_one_executable_is_seen_by_another_that_prepared_it(device):
    """Training updates w in place; the packed copy that evaluation made of it must follow."""
    session = rlx.Session(device)
    train = rlx.Graph("train")
    w = train.param("w", (3, 2))
    train.update("w", w - train.input("g", (3, 2)))
    train.set_outputs({"norm": (w * w).sum()})
    evaluate = rlx.Graph("evaluate")
    evaluate.set_outputs(
        {
            "y": evaluate.input("x", (2, 3)) @ evaluate.param("w", (3, 2)),
            "t": evaluate.exp(Ref(evaluate, "w") * 0.0) + Ref(evaluate, "w"),
        }
    )
    step, score = session.compile(train), session.compile(evaluate)
    value = np.arange(6, dtype=F32).reshape(3, 2)
    session.set_param("w", value)
    x = np.array([[1, 0, 0], [1, 1, 1]], F32)
    np.testing.assert_array_equal(score(x=x)[0], x @ value)
    step(g=np.ones((3, 2), F32))
    found = score(x=x)
    np.testing.assert_array_equal(found[0], x @ (value - 1))
    np.testing.assert_array_equal(found[1], value)
    step(g=np.ones((3, 2), F32))
    np.testing.assert_array_equal(score(x=x)[0], x @ (value - 2))


def Ref(graph, name):
    return rlx.Value(graph, graph.params[name].ref)


def test_params_set_between_runs_and_outputs_made_of_params_alone(device):
    g = rlx.Graph("alone")
    w, v = g.param("w", (4, 4)), g.param("v", (4,))
    g.set_outputs(
        {"t": w.T, "sum": w.sum(axes=0), "w": w, "mixed": w @ v, "half": g.narrow(w, 0, 1, 2), "x": g.input("x", (4,)) @ w}
    )
    exe = rlx.compile(g, device)
    for seed in (0, 1):
        random = np.random.default_rng(seed)
        a, b = random.integers(-4, 5, (4, 4)).astype(F32), random.integers(-4, 5, 4).astype(F32)
        exe.set_params({"w": a, "v": b})
        for _ in range(2):
            found = exe.run({"x": np.ones(4, F32)})
            expected = {"t": a.T, "sum": a.sum(0), "w": a, "mixed": a @ b, "half": a[1:3], "x": a.sum(0)}
            for name, array in expected.items():
                np.testing.assert_array_equal(found[name], array, err_msg=name)
            for array in found.values():
                array[...] = -1  # owned by the caller: writing into it reaches neither params nor prepared values


def test_two_params_of_one_name_in_two_sessions(device):
    def build():
        g = rlx.Graph("g")
        g.set_outputs({"y": g.input("x", (2,)) @ g.param("w", (2, 2))})
        return g

    one, two = rlx.compile(build(), device), rlx.compile(build(), device)
    one.set_param("w", np.eye(2, dtype=F32))
    two.set_param("w", 2 * np.eye(2, dtype=F32))
    x = np.array([1, 2], F32)
    np.testing.assert_array_equal(one(x=x), x)
    np.testing.assert_array_equal(two(x=x), 2 * x)
    np.testing.assert_array_equal(one(x=x), x)


# -- sizes ------------------------------------------------------------------------------------------------------
def test_sizes_that_grow_shrink_and_come_back(device):
    g = rlx.Graph("sizes")
    n, m = rlx.Dim("n", 1, 300), rlx.Dim("m", 1, 300)
    x = g.input("x", (n, m))
    a = g.softmax(x * 2.0)
    g.set_outputs({"y": (a @ g.exp(x).T) + a.sum(axes=1, keep_dim=True), "t": a.T})
    exe = rlx.compile(g, device)
    for rows, columns in [(3, 5), (130, 70), (1, 1), (3, 5), (70, 130), (300, 2), (2, 300), (1, 300), (3, 5)]:
        x = np.random.default_rng(rows).uniform(-1, 1, (rows, columns)).astype(F32)
        found = exe.run({"x": x})
        w = np.exp(2 * x.astype(np.float64))
        w /= w.sum(1, keepdims=True)
        np.testing.assert_allclose(found["y"], w @ np.exp(x.astype(np.float64)).T + 1, rtol=1e-5)
        np.testing.assert_allclose(found["t"], w.T, rtol=4e-6)


def test_symbols_that_are_1_are_not_broadcast(device):
    """n = 1 at run time is a size like any other."""
    g = rlx.Graph("one")
    n = rlx.Dim("n", 1, 8)
    x, y = g.input("x", (n, 4)), g.input("y", (n, 4))
    g.set_outputs({"y": x * y + x.sum(axes=0, keep_dim=True), "mean": x.mean(axes=0), "t": (x.T @ y)})
    exe = rlx.compile(g, device)
    for rows in (1, 3, 1, 8):
        a, b = np.random.default_rng(rows).uniform(-1, 1, (2, rows, 4)).astype(F32)
        found = exe.run({"x": a, "y": b})
        p, q = a.astype(np.float64), b.astype(np.float64)
        np.testing.assert_allclose(found["y"], p * q + p.sum(0), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found["mean"], p.mean(0), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found["t"], p.T @ q, rtol=1e-5, atol=1e-6)


def test_a_symbol_may_be_0(device):
    g = rlx.Graph("none")
    n = rlx.Dim("n", 0, 8)
    x = g.input("x", (n, 4))
    w = g.param("w", (4, 3))
    g.set_outputs(
        {
            "y": g.gelu(x @ w),
            "sum": x.sum(axes=0),
            "cat": g.concat(x, x, axis=0),
            "soft": g.softmax(x, axis=0),
            "run": g.cumsum(x, 0),
        }
    )
    exe = rlx.compile(g, device)
    exe.set_param("w", np.ones((4, 3), F32))
    for rows in (2, 0, 5, 0):
        x = np.ones((rows, 4), F32)
        found = exe.run({"x": x})
        assert found["y"].shape == (rows, 3) and found["cat"].shape == (2 * rows, 4)
        np.testing.assert_array_equal(found["sum"], np.full(4, rows))
        np.testing.assert_allclose(found["soft"], np.full((rows, 4), 1 / max(rows, 1)), rtol=1e-6)
        np.testing.assert_array_equal(found["run"], np.cumsum(x, 0))


def test_results_are_not_overwritten_by_the_next_run(device):
    exe = simple(device)
    kept = [exe(x=np.full((n, 3), n, F32), y=np.zeros(n, np.int32)) for n in (3, 3, 3, 2, 2, 3, 3, 3, 3)]
    for array, n in zip(kept, (3, 3, 3, 2, 2, 3, 3, 3, 3), strict=True):
        np.testing.assert_array_equal(array, np.full(n, 3 * n))


def test_two_threads_call_one_executable(device):
    exe = simple(device)
    wrong = []

    def work(number):
        for n in range(1, 40):
            found = exe(x=np.full((n, 3), number, F32), y=np.full(n, n, np.int32))
            if not np.array_equal(found, np.full(n, 3 * number + n)):
                wrong.append((number, n))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
