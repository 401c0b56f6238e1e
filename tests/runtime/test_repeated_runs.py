"""A run like the one before is checked in native code; anything that is not like it takes the long way, and says what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.job import LAYOUT
from rlx.core.errors import RlxError

F32 = np.float32


def product(rows: object = 4) -> rlx.Executable:
    g = rlx.Graph("product")
    x, w = g.input("x", (rows, 3), "f32"), g.input("w", (3, 2), "f32")
    g.set_outputs({"y": x @ w, "z": x + 1.0})
    return rlx.compile(g, "cpu")


def arrays(rows: int = 4, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {"x": rng.integers(-9, 9, (rows, 3)).astype(F32), "w": rng.integers(-9, 9, (3, 2)).astype(F32)}


def check(exe: rlx.Executable, inputs: dict[str, np.ndarray], **options: object) -> dict[str, np.ndarray]:
    found = exe.run(inputs, **options)
    x, w = (np.asarray(inputs[name], F32) for name in "xw")
    np.testing.assert_array_equal(found["y"], x @ w)
    np.testing.assert_array_equal(found["z"], x + 1)
    return found


def warm(exe: rlx.Executable) -> rlx.Executable:
    for seed in range(3):
        check(exe, arrays(seed=seed))
    return exe


def test_the_short_way_is_taken_where_the_layout_of_arrays_is_known(monkeypatch):
    exe = warm(product())
    if LAYOUT is None:
        pytest.skip("the layout of arrays is not known here")
    monkeypatch.setattr(type(exe), "_run", lambda *_: pytest.fail("the long way"))
    check(exe, arrays(seed=9))
    out = {"y": np.empty((4, 2), F32), "z": np.empty((4, 3), F32)}
    assert check(exe, arrays(seed=10), out=out)["y"] is out["y"]


def shifted(session: rlx.Session, name: str) -> rlx.Executable:
    """x + w + s: a param that nothing is prepared from, and a state."""
    g = rlx.Graph(name)
    x, w, s = g.input("x", (3,), "f32"), g.param("w", (3,), "f32"), g.state("s", (3,), "f32")
    g.set_outputs({"y": x + w + s})
    return session.compile(g)


@pytest.mark.skipif(LAYOUT is None, reason="the layout of arrays is not known here")
def test_the_short_way_is_taken_with_params_that_nothing_is_prepared_from(monkeypatch):
    session = rlx.Session("cpu")
    exe = shifted(session, "shift")
    exe.set_param("w", F32([1, 2, 3]))
    session.init_state()
    given = {"x": F32([10, 20, 30])}
    for _ in range(3):
        exe.run(given)
    with monkeypatch.context() as patch:
        patch.setattr(type(exe), "_run", lambda *_: pytest.fail("the long way"))
        assert exe.run(given)["y"].tolist() == [11, 22, 33]


def test_a_change_is_seen_by_every_executable_of_the_session_and_by_no_other():
    sessions = rlx.Session("cpu"), rlx.Session("cpu")
    first, second, apart = shifted(sessions[0], "a"), shifted(sessions[0], "b"), shifted(sessions[1], "c")
    given = {"x": F32([0, 0, 0])}
    for session in sessions:
        session.set_param("w", F32([1, 2, 3]))
        session.init_state()

    def found() -> list[float]:
        return [float(exe.run(given)["y"][0]) for exe in (first, second, apart)]

    assert [found() for _ in range(3)] == [[1, 1, 1]] * 3
    sessions[0].set_param("w", F32([5, 5, 5]))
    assert [found() for _ in range(2)] == [[5, 5, 1]] * 2
    sessions[1].set_state("s", F32([100, 0, 0]))
    assert [found() for _ in range(2)] == [[5, 5, 101]] * 2
    sessions[0].set_state("s", F32([10, 0, 0]))
    first.set_param("w", F32([7, 7, 7]))
    assert [found() for _ in range(2)] == [[17, 17, 101]] * 2
    sessions[0].init_state()
    assert found() == [7, 7, 101]


def test_other_things_than_arrays_and_other_layouts():
    exe, given = warm(product()), arrays(seed=5)
    check(exe, {"x": given["x"].tolist(), "w": given["w"]})
    check(exe, {"x": np.asfortranarray(given["x"]), "w": given["w"]})
    check(exe, {"x": np.repeat(given["x"], 2, axis=1)[:, ::2], "w": given["w"]})
    check(exe, {"x": given["x"].view(np.matrix), "w": given["w"]})
    unaligned = np.zeros(4 * 3 * 4 + 1, np.uint8)[1:].view(F32).reshape(4, 3)
    unaligned[...] = given["x"]
    check(exe, {"x": unaligned, "w": given["w"]})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"x": np.ones((4, 3))}, "RLX504"),
        ({"x": np.ones((4, 3), np.int32)}, "RLX504"),
        ({"x": np.ones((4, 3), ">f4")}, "RLX504"),
        ({"x": np.ones((3, 4), F32)}, "RLX503"),
        ({"x": np.ones(12, F32)}, "RLX503"),
        ({"x": np.ones((4, 3, 1), F32)}, "RLX503"),
        ({"x": np.ones((5, 3), F32)}, "RLX503"),
        ({"x": None}, "RLX504"),
        ({"x": "text"}, "RLX504"),
        ({"q": np.ones(1, F32)}, "RLX501"),
    ],
)
def test_wrong_inputs_after_right_ones(change, code):
    exe = warm(product())
    with pytest.raises(RlxError) as error:
        exe.run({**arrays(), **change})
    assert error.value.code == code
    check(exe, arrays(seed=3))
    with pytest.raises(RlxError) as error:
        exe.run({"x": arrays()["x"], "v": arrays()["w"]})
    assert error.value.code == "RLX502"


def test_an_array_changed_in_place_is_seen():
    exe, given = warm(product()), arrays(seed=5)
    check(exe, given)
    given["x"].shape = (3, 4)
    with pytest.raises(RlxError, match="axis 0 must be 4"):
        exe.run(given)
    given["x"].shape = (4, 3)
    check(exe, given)


def test_outputs_after_right_ones():
    exe, given = warm(product()), arrays(seed=5)
    out = {"y": np.empty((4, 2), F32), "z": np.empty((4, 3), F32)}
    check(exe, given, out=out)
    frozen = np.empty((4, 2), F32)
    frozen.flags.writeable = False
    for name, wrong in (("y", frozen), ("y", np.empty((2, 4), F32)), ("y", np.empty((4, 2))), ("z", given["x"])):
        before = given["x"].copy()
        with pytest.raises(RlxError) as error:
            exe.run(given, out={**out, name: wrong})
        assert error.value.code == "RLX507"
        np.testing.assert_array_equal(given["x"], before)
    memory = np.empty(24, F32)
    memory[4:16] = given["x"].ravel()
    with pytest.raises(RlxError, match="shares memory"):
        exe.run({**given, "x": memory[4:16].reshape(4, 3)}, out={**out, "z": memory[12:24].reshape(4, 3)})
    memory[0:12] = given["x"].ravel()
    check(exe, {**given, "x": memory[0:12].reshape(4, 3)}, out={**out, "z": memory[12:24].reshape(4, 3)})
    with pytest.raises(RlxError, match="'q' is not an output"):
        exe.run(given, out={"y": out["y"], "q": out["z"]})
    check(exe, given, out={"y": out["y"]})


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("count", [2, 3])
def test_two_outputs_never_share_memory(count, device):
    """The first run and those like it refuse it, and nothing is written."""
    g = rlx.Graph("several")
    x = g.input("x", (4, 3))
    g.set_outputs({f"y{i}": x * (i + 2.0) for i in range(count)})
    exe, given = rlx.compile(g, device), {"x": np.ones((4, 3), F32)}
    memory = np.zeros(12 * count + 12, F32)
    right = {f"y{i}": memory[12 * i : 12 * i + 12].reshape(4, 3) for i in range(count)}
    for _ in range(3):
        for wrong in (right["y0"], memory[4:16].reshape(4, 3)):
            memory[:] = 0
            with pytest.raises(RlxError, match="share memory") as error:
                exe.run(given, out={**right, f"y{count - 1}": wrong})
            assert error.value.code == "RLX507" and "'y0'" in str(error.value) and f"'y{count - 1}'" in str(error.value)
            assert not memory.any()
        exe.run(given, out=right)
        np.testing.assert_array_equal(memory[: 12 * count].reshape(count, -1).mean(1), np.arange(count) + 2)


def test_params_and_states_never_share_memory_with_an_output():
    """What a session takes and gives are copies, so the arrays a caller has are free to be written."""
    g = rlx.Graph("owned")
    x, w, s = g.input("x", (3,)), g.param("w", (3,)), g.state("s", (3,))
    g.update("s", s + x)
    g.set_outputs({"y": x * w + s})
    exe, given, weight = rlx.compile(g), {"x": np.ones(3, F32)}, np.float32([1, 2, 3])
    exe.set_param("w", weight)
    for step in range(3):
        for out in (weight, exe.param("w"), exe.state("s") if step else weight):
            before = exe.state("s") if step else np.zeros(3, F32)
            np.testing.assert_array_equal(exe.run(given, out={"y": out})["y"], np.float32([1, 2, 3]) + before)
            np.testing.assert_array_equal(exe.state("s"), before + 1)
            exe.session.set_state("s", before)
            step = 1
        np.testing.assert_array_equal(exe.param("w"), [1, 2, 3])


def test_sizes_that_come_and_go():
    exe = product(rlx.Dim("rows", 1, 50))
    for rows in (4, 4, 7, 7, 4, 1, 1, 4, 50, 50):
        check(exe, arrays(rows, rows))
    exe.profile(arrays(9), runs=1, limits=False)
    for rows in (50, 9, 9):
        check(exe, arrays(rows, rows))


def test_params_set_between_runs_are_seen():
    g = rlx.Graph("affine")
    x, w = g.input("x", (2, 3), "f32"), g.param("w", (3, 2), "f32")
    g.set_outputs({"y": x @ w})
    exe, given = rlx.compile(g, "cpu"), np.ones((2, 3), F32)
    for value in (1, 2, 3):
        exe.set_param("w", np.full((3, 2), value, F32))
        for _ in range(3):
            np.testing.assert_array_equal(exe(x=given), np.full((2, 2), 3 * value, F32))


def test_states_advance_in_repeated_runs():
    g = rlx.Graph("count")
    total = g.state("total", (2,), "f32")
    g.update("total", total + g.input("x", (2,), "f32"))
    g.set_outputs({"y": total + 0.0})
    exe = rlx.compile(g, "cpu")
    for step in range(5):
        np.testing.assert_array_equal(exe(x=np.ones(2, F32)), np.full(2, step, F32))


def test_the_layout_of_arrays_is_the_documented_one():
    if LAYOUT is None:
        pytest.skip("not known here")
    rng = np.random.default_rng(0)
    base = rng.standard_normal((3, 4, 5, 6))
    for array in (
        base,
        base[1:, ::2],
        base.T,
        base[0, 0, 0, 0:0],
        np.array(3, np.int8),
        np.zeros((2, 0), bool),
        base.astype(">f4"),
    ):
        assert LAYOUT.describes(array)


def test_a_state_of_another_size_that_was_looked_at_before_the_run() -> None:
    """`leaves` attaches the new memory: the sizes of the run before must not be used with it."""
    g, rows = rlx.Graph("sums"), rlx.Dim("rows")
    state = g.state("total", (rows,), "f32")
    x = g.input("x", (1,), "f32")
    g.update(state, state + x)
    g.set_outputs({"y": (state + x).sum()})
    exe = rlx.compile(g, "cpu")
    one = np.ones(1, F32)
    for count in (9, 3, 17):
        exe.session.init_state(rows=count)
        exe.leaves({"x": one})
        for turn in (1, 2, 3):
            assert exe(x=one) == turn * count
        np.testing.assert_array_equal(exe.state("total"), np.full(count, 3, F32))
