"""Dense weights are in memory once: prepared values are the session's, and numbers in a mapped file stay there."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import rlx
from rlx.core.aligned import is_mapped
from rlx.core.errors import RlxError
from rlx.formats.gguf import MappedFile
from rlx.ops.control.custom_values import USER_KERNELS, register_op, unregister_op

F32 = np.float32
K, N = 48, 40


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).integers(-8, 9, shape).astype(F32)  # products and sums of these are exact


def product(name, rows, weights=("w",), *, scale=None):
    """x @ w for each weight, side by side."""
    g = rlx.Graph(name)
    x = g.input("x", (rows, K), "f32")
    params = [g.param(weight, (K, N), "f32") for weight in weights]
    g.set_outputs({f"y{place}": x @ (param if scale is None else param * scale) for place, param in enumerate(params)})
    return g


def arrays(exe):
    return [value.array for value in exe._values.values()]


def mapped(tmp_path, array):
    """The numbers as `load_model` gets them: in a file that is mapped read-only."""
    path = tmp_path / "weights.bin"
    path.write_bytes(array.tobytes())
    return MappedFile(path).array(0, array.nbytes).view(array.dtype).reshape(array.shape)


# -- one array for all executables of a session ---------------------------------------------------------------------
def test_two_executables_of_a_session_share_what_is_prepared_and_follow_the_param():
    session = rlx.Session("cpu")
    one, four = session.compile(product("one", 1)), session.compile(product("four", 4))
    for seed in range(3):
        w, x = numbers(K, N, seed=seed), numbers(4, K, seed=9)
        session.set_param("w", w)
        np.testing.assert_array_equal(one(x[:1]), x[:1] @ w)
        np.testing.assert_array_equal(four(x), x @ w)
        (first,), (second,) = arrays(one), arrays(four)
        assert first is second and len(session.prepared) == 1


def test_values_made_of_several_params_are_shared_and_renewed_when_one_of_them_changes():
    session = rlx.Session("cpu")
    one, four = session.compile(product("one", 1, "ab")), session.compile(product("four", 4, "ab"))
    weights = {name: numbers(K, N, seed=seed) for seed, name in enumerate("ab")}
    session.set_params(weights)
    x = numbers(4, K, seed=9)
    for changed in ("", "a", "b"):
        if changed:
            weights[changed] = weights[changed] + 1
            session.set_param(changed, weights[changed])
        for exe, rows in ((four, x), (one, x[:1])):
            for found, w in zip(exe(rows), weights.values(), strict=True):
                np.testing.assert_array_equal(found, rows @ w)
        assert [id(array) for array in arrays(one)] == [id(array) for array in arrays(four)]


def test_what_is_made_otherwise_or_in_another_session_is_not_shared():
    session, w, x = rlx.Session("cpu"), numbers(K, N), numbers(1, K, seed=9)
    plain, doubled = session.compile(product("plain", 1)), session.compile(product("doubled", 1, scale=2.0))
    other = rlx.compile(product("plain", 1))
    session.set_param("w", w)
    other.set_param("w", 3 * w)
    for exe, factor in ((plain, 1), (doubled, 2), (other, 3), (plain, 1)):
        np.testing.assert_array_equal(exe(x), factor * (x @ w))
    assert len({id(array) for exe in (plain, doubled, other) for array in arrays(exe)}) == 3


def test_an_executable_that_shares_some_values_leaves_them_as_they_are():
    session, x = rlx.Session("cpu"), numbers(2, K, seed=9)
    small, large = session.compile(product("small", 1, "a")), session.compile(product("large", 2, "ab"))
    weights = {name: numbers(K, N, seed=seed) for seed, name in enumerate("ab")}
    session.set_params(weights)
    small(x[:1])
    (before,) = arrays(small)
    for found, w in zip(large(x), weights.values(), strict=True):
        np.testing.assert_array_equal(found, x @ w)
    small(x[:1])
    assert arrays(small)[0] is before


def test_a_value_that_nobody_else_reads_is_renewed_in_place():
    exe, x = rlx.compile(product("one", 1)), numbers(1, K, seed=9)
    exe.set_param("w", numbers(K, N))
    exe(x)
    (before,) = arrays(exe)
    exe.set_param("w", numbers(K, N, seed=1))
    np.testing.assert_array_equal(exe(x), x @ numbers(K, N, seed=1))
    assert arrays(exe)[0] is before


def test_what_a_clone_may_still_read_is_not_written_to():
    session, x = rlx.Session("cpu"), numbers(1, K, seed=9)
    exe, other = session.compile(product("one", 1)), session.compile(product("two", 2))
    late = other.clone()
    for seed, running in enumerate(((exe, other, late), (other,), (exe,))):  # `late` stays at the first value
        session.set_param("w", numbers(K, N, seed=seed))
        for each in running:
            each(np.repeat(x, 1 if each is exe else 2, 0))
    (old,) = arrays(late)
    again = rlx.compile(product("one", 1))
    again.set_param("w", numbers(K, N, seed=0))
    again(x)
    np.testing.assert_array_equal(old, arrays(again)[0])


def test_the_last_executable_that_goes_takes_the_value_with_it(tmp_path):
    """Where the param lies elsewhere, as here in a file."""
    session, x = rlx.Session("cpu"), numbers(2, K, seed=9)
    one, two = session.compile(product("one", 1)), session.compile(product("two", 2))
    session.set_param("w", mapped(tmp_path, numbers(K, N)))
    one(x[:1]), two(x)
    value = weakref.ref(next(iter(one._values.values())))
    del one
    gc.collect()
    assert value() is not None
    np.testing.assert_array_equal(two(x), x @ numbers(K, N))
    del two
    gc.collect()
    assert value() is None and not session.prepared


def test_params_change_while_two_executables_and_their_clones_run():
    session = rlx.Session("cpu")
    one, four = session.compile(product("one", 1)), session.compile(product("four", 4))
    session.set_param("w", np.zeros((K, N), F32))
    stop, wrong = threading.Event(), []

    def work(exe, rows):
        x = np.ones((rows, K), F32)
        while not stop.is_set():
            found = exe(x)
            if not (found == found[0, 0]).all():
                wrong.append(found)

    threads = [threading.Thread(target=work, args=pair) for pair in ((one, 1), (one.clone(), 1), (four, 4), (four.clone(), 4))]
    for thread in threads:
        thread.start()
    for number in range(60):
        session.set_param("w", np.full((K, N), number, F32))
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert (one(np.ones((1, K), F32)) == K * 59).all() and (four(np.ones((4, K), F32)) == K * 59).all()
    assert arrays(one)[0] is arrays(four)[0]


def test_a_prepared_value_that_failed_is_not_taken_for_whole():
    session, x = rlx.Session("cpu"), numbers(1, K, seed=9)
    exe = session.compile(product("one", 1, scale=2.0), trap_nan=True)
    session.set_param("w", numbers(K, N))
    exe(x)
    session.set_param("w", np.full((K, N), np.inf, F32))
    for _ in range(2):
        with pytest.raises(RlxError, match="RLX510"):
            exe(x)
    session.set_param("w", numbers(K, N, seed=1))
    np.testing.assert_array_equal(exe(x), 2 * (x @ numbers(K, N, seed=1)))


def test_a_loaded_executable_shares_with_a_compiled_one(tmp_path):
    exe, x = rlx.compile(product("one", 1)), numbers(1, K, seed=9)
    exe.set_param("w", numbers(K, N))
    exe(x)
    path = tmp_path / "one.rlxe"
    exe.save(path, params=True)
    session = rlx.Session("cpu")
    loaded, made = rlx.load_executable(path, session), session.compile(product("two", 2))
    loaded(x), made(np.repeat(x, 2, 0))
    assert arrays(loaded)[0] is arrays(made)[0]


# -- numbers that lie in a file -------------------------------------------------------------------------------------
def test_a_dense_param_in_a_mapped_file_is_prepared_from_there_and_not_copied(tmp_path):
    w, x = numbers(K, N), numbers(1, K, seed=9)
    w[0, 0] = np.array([0x7FC12345], np.uint32).view(F32)[0]  # a NaN with a payload
    given = mapped(tmp_path, w)
    exe = rlx.compile(product("one", 1))
    exe.set_param("w", given)
    exe(x)
    assert exe.session.entries["w"].array is given and is_mapped(given)
    assert exe.param("w").tobytes() == w.tobytes() and exe.param("w").flags.writeable
    exe.save(tmp_path / "one.rlxe", params=True)
    loaded = rlx.load_executable(tmp_path / "one.rlxe")
    assert loaded.param("w").tobytes() == w.tobytes()
    assert loaded(x).tobytes() == exe(x).tobytes()


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_what_runs_read_themselves_is_copied_from_the_file(tmp_path, device):
    w = numbers(K, N)
    g = rlx.Graph("rows")
    g.set_outputs({"y": g.gather(g.param("w", (K, N), "f32"), g.input("i", (3,), "i32"), axis=0)})
    exe = rlx.compile(g, device)
    exe.set_param("w", mapped(tmp_path, w))
    np.testing.assert_array_equal(exe(np.int32([4, 0, 7])), w[[4, 0, 7]])
    assert not is_mapped(exe.session.entries["w"].array)


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_a_param_from_a_file_can_be_updated_by_runs(tmp_path, device):
    w, x = numbers(K, N), numbers(1, K, seed=9)
    session = rlx.Session(device)
    exe = session.compile(product("one", 1))
    session.set_param("w", mapped(tmp_path, w))
    np.testing.assert_array_equal(exe(x), x @ w)
    g = rlx.Graph("step")
    param = g.param("w", (K, N), "f32")
    g.update("w", param + g.input("by", (), "f32"))
    g.set_outputs({"y": g.sum(param)})
    step = session.compile(g)
    for number in (1, 2):
        step(by=F32(1))
        np.testing.assert_array_equal(exe(x), x @ (w + number))
        np.testing.assert_array_equal(session.param("w"), w + number)
    assert (tmp_path / "weights.bin").read_bytes() == w.tobytes()


def test_numbers_that_do_not_lie_on_whole_elements_are_copied(tmp_path):
    w, x = numbers(K, N), numbers(1, K, seed=9)
    path = tmp_path / "odd.bin"
    path.write_bytes(b"?" + w.tobytes())
    exe = rlx.compile(product("one", 1))
    exe.set_param("w", MappedFile(path).array(1, w.nbytes).view(F32).reshape(w.shape))
    np.testing.assert_array_equal(exe(x), x @ w)
    assert exe.session.entries["w"].array is None and exe.param("w").tobytes() == w.tobytes()


def test_one_param_of_a_file_and_one_of_the_users_make_one_value(tmp_path):
    exe = rlx.compile(product("both", 2, "ab"))
    a, b, x = numbers(K, N), numbers(K, N, seed=1), numbers(2, K, seed=9)
    exe.set_params({"a": mapped(tmp_path, a), "b": b})
    for change in range(2):
        exe.set_param("b", b + change)
        for found, w in zip(exe(x), (a, b + change), strict=True):
            np.testing.assert_array_equal(found, x @ w)


def test_values_made_by_registered_ops_are_nobody_elses():
    """The code of such an op may be another one under the same name by the time the second executable is compiled."""

    def shifted(by):
        register_op(
            "shifted", "x", infer=lambda call: call.given[0], reference=lambda x: x + by, kernels={"cpu": lambda x: x + F32(by)}
        )

    session, w, x = rlx.Session("cpu"), numbers(K, N), numbers(1, K, seed=9)
    made = []
    try:
        for by in (1, 2):
            shifted(by)
            g = rlx.Graph("custom")
            g.set_outputs([g.input("x", (1, K), "f32") @ g.custom("shifted", g.param("w", (K, N), "f32"))])
            made.append(session.compile(g))
            if by == 1:
                session.set_param("w", w)
            np.testing.assert_array_equal(made[-1](x), x @ (w + by))
            unregister_op("shifted")
    finally:
        if "shifted" in USER_KERNELS:
            unregister_op("shifted")
