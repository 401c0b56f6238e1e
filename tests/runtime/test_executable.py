"""Running: inputs checked, sizes bound, params and states owned by the session, results owned by the caller."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError

DEVICES = ["reference", "cpu"]
F32 = np.float32


@pytest.fixture(params=DEVICES)
def device(request):
    return request.param


def affine(device):
    g = rlx.Graph("affine")
    n = rlx.Dim("n", 1, 100)
    x = g.input("x", (n, 3), "f32")
    w = g.param("w", (3, 2), "f32")
    g.set_outputs({"y": x @ w + 1.0})
    return rlx.compile(g, device)


def test_run_by_name_and_call(device):
    exe = affine(device)
    w = np.arange(6, dtype=F32).reshape(3, 2)
    exe.set_param("w", w)
    x = np.ones((4, 3), F32)
    np.testing.assert_allclose(exe.run({"x": x})["y"], x @ w + 1)
    np.testing.assert_allclose(exe(x), exe(x=x))
    np.testing.assert_allclose(exe(x=[[1, 2, 3]]), np.array([[1, 2, 3]], F32) @ w + 1)


@pytest.mark.parametrize(
    ("inputs", "code", "words"),
    [
        ({}, "RLX502", ["'x'", "f32[n, 3]"]),
        ({"x": np.ones((4, 3), F32), "z": np.ones(1, F32)}, "RLX501", ["'z'", "the inputs: x"]),
        ({"x": np.ones((4, 4), F32)}, "RLX503", ["f32[n, 3]", "[4, 4]", "axis 1 must be 3"]),
        ({"x": np.ones((4, 3, 1), F32)}, "RLX503", ["[4, 3, 1]"]),
        ({"x": np.ones((4, 3), np.float64)}, "RLX504", ["f64", "astype('f32')"]),
        ({"x": np.ones((4, 3), np.int32)}, "RLX504", ["i32"]),
        ({"x": np.ones((101, 3), F32)}, "RLX203", ["symbol n is 101", "1..100"]),
        ({"x": np.ones((0, 3), F32)}, "RLX203", ["symbol n is 0"]),
        ({"x": "text"}, "RLX504", ["str"]),
    ],
)
def test_wrong_inputs_say_what_is_wrong(device, inputs, code, words):
    exe = affine(device)
    exe.set_param("w", np.ones((3, 2), F32))
    with pytest.raises(RlxError) as error:
        exe.run(inputs)
    assert error.value.code == code
    for word in words:
        assert word in str(error.value)
    assert "test_executable.py" in str(error.value)


def test_missing_param_and_wrong_params(device):
    exe = affine(device)
    with pytest.raises(RlxError, match=r"'w' \(f32\[3, 2\]\) is not set"):
        exe(x=np.ones((1, 3), F32))
    for array, code in ((np.ones((2, 3), F32), "RLX503"), (np.ones((3, 2), np.int32), "RLX504")):
        with pytest.raises(RlxError) as error:
            exe.set_param("w", array)
        assert error.value.code == code
    with pytest.raises(RlxError, match="no param named 'v'"):
        exe.set_param("v", np.ones(1, F32))


def test_params_are_copied_and_versions_seen(device):
    exe = affine(device)
    w = np.ones((3, 2), F32)
    exe.set_param("w", w)
    first = exe(x=np.ones((1, 3), F32)).copy()
    w[:] = 7
    np.testing.assert_array_equal(exe(x=np.ones((1, 3), F32)), first)
    exe.set_param("w", w)
    np.testing.assert_array_equal(exe(x=np.ones((1, 3), F32)), np.full((1, 2), 22, F32))


def test_inputs_are_never_written_and_strided_inputs_work(device):
    exe = affine(device)
    exe.set_param("w", np.ones((3, 2), F32))
    base = np.arange(24, dtype=F32).reshape(4, 6)
    view = base[:, ::2]
    before = base.copy()
    np.testing.assert_allclose(exe(x=view), view @ np.ones((3, 2), F32) + 1)
    np.testing.assert_array_equal(base, before)


def test_results_belong_to_the_caller(device):
    exe = affine(device)
    exe.set_param("w", np.ones((3, 2), F32))
    held = [exe(x=np.full((2, 3), i, F32)) for i in range(10)]
    for i, y in enumerate(held):
        np.testing.assert_array_equal(y, np.full((2, 2), 3 * i + 1, F32))
    view = exe(x=np.full((2, 3), 50, F32))[0]  # only a view of the result stays alive
    for i in range(10):
        exe(x=np.full((2, 3), i, F32))
    np.testing.assert_array_equal(view, np.full(2, 151, F32))


def test_dropped_results_are_recycled():
    exe = affine("cpu")
    exe.set_param("w", np.ones((3, 2), F32))
    x = np.ones((2, 3), F32)
    addresses = {exe(x=x).__array_interface__["data"][0] for _ in range(20)}
    assert len(addresses) == 1


def test_out_is_written_and_checked(device):
    exe = affine(device)
    exe.set_param("w", np.ones((3, 2), F32))
    x = np.ones((4, 3), F32)
    out = np.zeros((4, 2), F32)
    found = exe.run({"x": x}, out={"y": out})
    assert found["y"] is out
    np.testing.assert_array_equal(out, np.full((4, 2), 4, F32))
    frozen = np.zeros((4, 2), F32)
    frozen.flags.writeable = False
    for bad in (np.zeros((3, 2), F32), np.zeros((4, 2)), np.zeros((4, 4), F32)[:, ::2], frozen, "text"):
        with pytest.raises(RlxError) as error:
            exe.run({"x": x}, out={"y": bad})
        assert error.value.code == "RLX507"
    with pytest.raises(RlxError, match="'q' is not an output"):
        exe.run({"x": x}, out={"q": out})


def test_symbols_that_disagree_or_do_not_hold(device):
    n = rlx.Dim("n")
    g = rlx.Graph("two")
    a, b = g.input("a", (n,), "f32"), g.input("b", (n,), "f32")
    c = g.input("c", (2 * n,), "f32")
    g.set_outputs({"y": a + b, "z": c + 0.5})
    exe = rlx.compile(g, device)
    ok = exe.run({"a": np.ones(3, F32), "b": np.ones(3, F32), "c": np.ones(6, F32)})
    assert ok["y"].shape == (3,)
    with pytest.raises(RlxError) as error:
        exe.run({"a": np.ones(3, F32), "b": np.ones(4, F32), "c": np.ones(6, F32)})
    assert error.value.code == "RLX204" and "3 in 'a' and 4 in 'b'" in str(error.value)
    with pytest.raises(RlxError) as error:
        exe.run({"a": np.ones(3, F32), "b": np.ones(3, F32), "c": np.ones(7, F32)})
    assert error.value.code == "RLX206" and "2*n is 6" in str(error.value)


def test_assumptions_are_checked_when_bound(device):
    a, b = rlx.Dim("a"), rlx.Dim("b")
    g = rlx.Graph("assume")
    x, y = g.input("x", (a,), "f32"), g.input("y", (b,), "f32")
    with pytest.raises(RlxError) as error:
        x + y
    assert error.value.code == "RLX202" and "assume" in str(error.value)
    g.assume(a == b)
    g.set_outputs({"z": x + y})
    exe = rlx.compile(g, device)
    np.testing.assert_array_equal(exe(np.ones(2, F32), np.ones(2, F32)), np.full(2, 2, F32))
    with pytest.raises(RlxError) as error:
        exe(np.ones(2, F32), np.ones(3, F32))
    assert error.value.code == "RLX207"


def counter(device):
    g = rlx.Graph("counter")
    x = g.input("x", (2,), "f32")
    total = g.state("total", (2,), "f32", init=10)
    g.update("total", total + x)
    g.set_outputs({"before": total * 1.0, "after": total + x})
    return rlx.compile(g, device)


def test_states_live_from_run_to_run(device):
    exe = counter(device)
    one = np.ones(2, F32)
    for i in range(3):
        found = exe.run({"x": one})
        np.testing.assert_array_equal(found["before"], np.full(2, 10 + i, F32))
        np.testing.assert_array_equal(found["after"], np.full(2, 11 + i, F32))
    np.testing.assert_array_equal(exe.state("total"), np.full(2, 13, F32))
    saved = exe.session.snapshot()
    exe(x=one)
    exe.session.restore(saved)
    np.testing.assert_array_equal(exe.state("total"), np.full(2, 13, F32))


def test_a_failed_run_changes_nothing(device):
    exe = counter(device)
    exe(x=np.ones(2, F32))
    with pytest.raises(RlxError):
        exe.run({"x": np.ones(3, F32)})
    np.testing.assert_array_equal(exe.state("total"), np.full(2, 11, F32))


def test_swapped_states_do_not_overwrite_each_other(device):
    g = rlx.Graph("swap")
    a, b = g.state("a", (3,), "f32", init=1), g.state("b", (3,), "f32", init=2)
    g.update("a", b)
    g.update("b", a)
    g.set_outputs({"sum": a + 10 * b})
    exe = rlx.compile(g, device)
    np.testing.assert_array_equal(exe(), np.full(3, 21, F32))
    np.testing.assert_array_equal(exe(), np.full(3, 12, F32))
    np.testing.assert_array_equal(exe(), np.full(3, 21, F32))


def test_params_can_be_updated(device):
    g = rlx.Graph("sgd")
    w = g.param("w", (4,), "f32")
    gradient = g.input("g", (4,), "f32")
    g.update("w", w - 0.5 * gradient)
    g.set_outputs({"norm": g.sum(w * w, axes=0)})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.ones(4, F32))
    assert float(exe(g=np.ones(4, F32))) == 4
    assert float(exe(g=np.ones(4, F32))) == 1
    np.testing.assert_array_equal(exe.param("w"), np.zeros(4, F32))


def test_symbolic_states_need_init(device):
    batch, capacity = rlx.Dim("batch"), rlx.Dim("capacity")
    g = rlx.Graph("cache")
    x = g.input("x", (batch, 1, 2), "f32")
    at = g.input("at", (), "i32")
    cache = g.state("cache", (batch, capacity, 2), "f32")
    new = g.dynamic_update_slice(cache, x, at, axes=(1,))
    g.update("cache", new)
    g.set_outputs({"sum": g.sum(new, axes=1)})
    exe = rlx.compile(g, device)
    with pytest.raises(RlxError) as error:
        exe(x=np.ones((2, 1, 2), F32), at=np.int32(0))
    assert error.value.code == "RLX509" and "init_state(batch=…, capacity=…)" in str(error.value)
    exe.session.init_state(batch=2, capacity=8)
    for step in range(3):
        found = exe(x=np.full((2, 1, 2), step + 1, F32), at=np.int32(step))
        np.testing.assert_array_equal(found, np.full((2, 2), sum(range(1, step + 2)), F32))
    assert exe.state("cache").shape == (2, 8, 2)


def test_executables_of_a_session_share_params_and_states(device):
    session = rlx.Session(device)

    def build(name, size):
        g = rlx.Graph(name)
        w = g.param("w", (size,), "f32")
        s = g.state("s", (size,), "f32")
        g.update("s", s + w)
        g.set_outputs({"y": s + w})
        return g

    one, two = session.compile(build("one", 2)), session.compile(build("two", 2))
    one.set_param("w", np.ones(2, F32))
    np.testing.assert_array_equal(one(), [1, 1])
    np.testing.assert_array_equal(two(), [2, 2])
    np.testing.assert_array_equal(one(), [3, 3])
    with pytest.raises(RlxError) as error:
        session.compile(build("three", 3))
    assert error.value.code == "RLX506" and "f32[2]" in str(error.value) and "f32[3]" in str(error.value)


def test_outputs_that_are_inputs_params_views_or_twice(device):
    g = rlx.Graph("outputs")
    x = g.input("x", (2, 3), "f32")
    w = g.param("w", (3,), "f32")
    y = x + 1.0
    g.set_outputs({"x": x, "w": w, "t": y.T, "y": y, "again": y, "part": y[0], "c": g.constant(np.arange(3, dtype=np.int32))})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.arange(3, dtype=F32))
    value = np.arange(6, dtype=F32).reshape(2, 3)
    found = exe.run({"x": value})
    np.testing.assert_array_equal(found["x"], value)
    np.testing.assert_array_equal(found["w"], [0, 1, 2])
    np.testing.assert_array_equal(found["t"], (value + 1).T)
    np.testing.assert_array_equal(found["again"], value + 1)
    np.testing.assert_array_equal(found["part"], value[0] + 1)
    np.testing.assert_array_equal(found["c"], [0, 1, 2])
    found["x"][:] = 0
    assert value.sum() == 15


def test_options_and_devices_are_checked():
    g = rlx.Graph("g")
    g.set_outputs({"y": g.input("x", (1,), "f32") + 1.0})
    with pytest.raises(RlxError, match="'tpu' is not a device"):
        rlx.compile(g, "tpu")
    with pytest.raises(RlxError, match="no option 'speed'"):
        rlx.compile(g, speed=11)
    with pytest.raises(RlxError, match="has no outputs"):
        rlx.compile(rlx.Graph("empty"))
    found = rlx.devices()
    assert list(found) == ["reference", "cpu", "null", "cuda", "xla"]
    assert [found[name] for name in ("reference", "cpu", "null", "xla")] == ["available"] * 4
    assert found["cuda"] == "available" or found["cuda"].startswith("device 'cuda' is not available: ")


def test_states_get_their_memory_by_name():
    """Those of one part of a session, which may have other sizes than the rest."""
    session = rlx.Session("cpu")
    g = rlx.Graph("two")
    a, b = (g.state(name, (rlx.Dim(symbol), 2), "f32", init=init) for name, symbol, init in (("a", "n", 0.0), ("b", "m", 1.5)))
    g.update("a", a + 1.0)
    g.update("b", b + 1.0)
    exe = session.compile(g)
    session.init_state(["a"], n=3)
    session.init_state(["b"], m=2)
    exe.run()
    np.testing.assert_array_equal(session.state("a"), np.full((3, 2), 1, F32))
    np.testing.assert_array_equal(session.state("b"), np.full((2, 2), 2.5, F32))
    session.init_state(["a"], n=4)
    np.testing.assert_array_equal(session.state("a"), np.zeros((4, 2), F32))
    assert session.entries["a"].array.ctypes.data % 64 == 0 and session.state("b").shape == (2, 2)
    with pytest.raises(RlxError, match="no state named 'c'"):
        session.init_state(["c"], n=1)
