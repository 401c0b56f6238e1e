"""Clones: a second arena on the same code, session and prepared weights."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import rlx
from tests.small_llama import random_params, small_llama

F32 = np.float32


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def ids(number):
    return np.random.default_rng(number).integers(0, 64, (1 + number % 3, 1 + 5 * number % 60), dtype=np.int32)


def test_clones_run_on_several_threads_at_once(device):
    exe = rlx.compile(small_llama(), device)
    exe.set_params(random_params(exe.graph))
    expected = [exe(ids=ids(number)) for number in range(12)]
    wrong = []

    def work(clone, start):
        for step in range(24 if device == "cpu" else 12):
            number = (start + step) % 12
            found = clone(ids=ids(number))
            if found.tobytes() != expected[number].tobytes():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(exe.clone(), 3 * index)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_prepared_weights_are_shared_and_follow_params():
    exe = rlx.compile(small_llama())
    exe.set_params(random_params(exe.graph))
    clone = exe.clone()
    assert exe(ids=ids(1)).tobytes() == clone(ids=ids(1)).tobytes()
    first = {name: value.array for name, value in exe._values.items()}
    assert first and all(clone._values[name].array is array for name, array in first.items())
    exe.set_params(random_params(exe.graph, seed=5))
    assert exe(ids=ids(1)).tobytes() == clone(ids=ids(1)).tobytes()
    assert all(clone._values[name].array is exe._values[name].array is not array for name, array in first.items())
    again = rlx.compile(small_llama())
    again.set_params(random_params(again.graph, seed=5))
    assert clone(ids=ids(1)).tobytes() == again(ids=ids(1)).tobytes()


def test_params_may_change_while_clones_run():
    g = rlx.Graph("affine")
    x = g.input("x", (64, 64), "f32")
    g.set_outputs({"y": x @ g.param("w", (64, 64), "f32")})
    exe = rlx.compile(g)
    exe.set_param("w", np.zeros((64, 64), F32))
    ones, stop, wrong = np.ones((64, 64), F32), threading.Event(), []

    def work(clone):
        while not stop.is_set():
            found = clone(x=ones)
            if not (found == found[0, 0]).all():
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(exe.clone(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(50):
        exe.set_param("w", np.full((64, 64), number, F32))
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert exe(x=ones)[0, 0] == 64 * 49


def test_clones_share_states_and_take_turns(device):
    g = rlx.Graph("count")
    total = g.state("total", (1000,), "f32")
    g.update("total", total + g.input("x", (), "f32"))
    g.set_outputs({"y": total + 0.0})
    exe = rlx.compile(g, device)
    rounds = 50

    def work(clone):
        for _ in range(rounds):
            found = clone(x=F32(1))
            assert (found == found[0]).all()

    threads = [threading.Thread(target=work, args=(clone,)) for clone in (exe, exe.clone(), exe.clone())]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(exe.state("total"), np.full(1000, 3 * rounds, F32))


def test_snapshots_of_symbolic_states(device):
    batch, capacity = rlx.Dim("batch"), rlx.Dim("capacity")
    g = rlx.Graph("cache")
    x, at = g.input("x", (batch, 1, 2), "f32"), g.input("at", (), "i32")
    cache = g.state("cache", (batch, capacity, 2), "f32")
    length = g.state("length", (), "i32")
    new = g.dynamic_update_slice(cache, x, at, axes=(1,))
    g.update("cache", new)
    g.update("length", length + 1)
    g.set_outputs({"sum": g.sum(new, axes=1)})
    exe = rlx.compile(g, device)
    session = exe.session
    session.init_state(batch=2, capacity=4)

    def step(number):
        return exe(x=np.full((2, 1, 2), number, F32), at=np.int32(number))

    step(0), step(1)
    saved = session.snapshot()
    only = session.snapshot(["length"])
    after = step(2)
    assert session.state("length") == 3
    session.restore(saved)
    assert session.state("length") == 2 and (session.state("cache")[:, 2] == 0).all()
    np.testing.assert_array_equal(step(2), after)
    session.restore(only)
    assert session.state("length") == 2 and (session.state("cache")[:, 2] == 2).all()

    session.init_state(batch=3, capacity=8)  # other sizes: the snapshot brings its own back
    assert exe(x=np.ones((3, 1, 2), F32), at=np.int32(0)).shape == (3, 2)
    session.restore(saved)
    assert session.state("cache").shape == (2, 4, 2)
    np.testing.assert_array_equal(step(2), after)
    saved["cache"][:] = 9  # a snapshot is a copy
    np.testing.assert_array_equal(session.state("cache")[:, 2], np.full((2, 2), 2, F32))
