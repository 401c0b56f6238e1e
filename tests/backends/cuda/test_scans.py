"""Loops of a known length are launches of the graph; longer ones, branches and loops of unknown length run on the host, and say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.device_passes import MOST_NODES
from rlx.ops.control.control import cond_values, scan_values, while_values
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def drawn(*dims: int) -> np.ndarray:
    return np.random.default_rng(sum(dims)).normal(size=dims).astype(np.float32)


def recurrent(rows: int | str, length: int | str, reverse: bool = False) -> rlx.Graph:
    """h ← tanh(h·w + x_t): the last h, and each doubled."""
    g = rlx.Graph("recurrent")
    h, w, x = g.input("h", (rows, 6)), g.input("w", (6, 6)), g.input("x", (length, rows, 6))

    def step(h: Any, x: Any) -> Any:
        h = (h @ w + x).tanh()
        return h, h * 2.0

    last, ys = scan_values(step, [h], [x], reverse=reverse)
    g.set_outputs({"last": last, "ys": ys})
    return g


def expected(h: np.ndarray, w: np.ndarray, x: np.ndarray, reverse: bool) -> tuple[np.ndarray, np.ndarray]:
    h, w, x = (array.astype(np.float64) for array in (h, w, x))
    ys = np.zeros(x.shape)
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        h = np.tanh(h @ w + x[t])
        ys[t] = 2 * h
    return h, ys


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("rows", [3, "n"])
def test_a_loop_of_known_length_is_one_graph(rows: int | str, length: int, reverse: bool) -> None:
    run = Running(recurrent(rows, length, reverse))
    given = {"h": drawn(3, 6), "w": drawn(6, 6), "x": drawn(length, 3, 6)}
    found = run({"n": 3} if rows == "n" else {}, **given)
    last, ys = expected(*given.values(), reverse)
    np.testing.assert_allclose(found["last"], last, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["ys"], ys, rtol=1e-5, atol=1e-5)
    assert not run.code.host_calls
    assert any(f"scan: {length} steps" in entry.message for entry in run.report.entries)


def test_a_loop_inside_a_loop() -> None:
    g = rlx.Graph("powers")
    x = g.input("x", (4,))

    def outer(a: Any) -> Any:
        return scan_values(lambda b: b * x, [a + 1.0], [], length=2)

    g.set_outputs({"y": scan_values(outer, [x], [], length=3)[0]})
    run, given = Running(g), drawn(4)
    wanted = given.astype(np.float64)
    for _ in range(3):
        wanted = (wanted + 1) * given * given
    np.testing.assert_allclose(run({}, x=given)["y"], wanted, rtol=1e-5)
    assert not run.code.host_calls


@pytest.mark.parametrize("length", [MOST_NODES + 1, "t"])
def test_a_long_loop_and_one_of_unknown_length_run_on_the_host_and_the_report_says_so(length: int | str) -> None:
    g = rlx.Graph("long")
    x = g.input("x", (length, 2))
    start = g.constant(np.zeros(2, np.float32))
    g.set_outputs({"y": scan_values(lambda a, x: a + x, [start], [x])[0]})
    run = Running(g)
    steps = length if isinstance(length, int) else 3
    given = drawn(steps, 2)
    np.testing.assert_allclose(run({} if isinstance(length, int) else {"t": 3}, x=given)["y"], given.sum(0), atol=1e-3)
    assert run.code.host_calls == ("scan",)
    assert any("scan runs on the host" in entry.message for entry in run.report.entries)


@pytest.mark.parametrize("positive", [True, False])
def test_a_branch_runs_on_the_host_and_the_report_says_so(positive: bool) -> None:
    g = rlx.Graph("branch")
    x = g.input("x", (4,))
    found = cond_values(x.sum() > 0.0, lambda x: x * 2.0, lambda x: x - 1.0, [x])
    g.set_outputs({"y": found[0] + 1.0})
    run = Running(g)
    given = np.abs(drawn(4)) * np.float32(1 if positive else -1)
    wanted = given * 2 + 1 if positive else given
    np.testing.assert_allclose(run({}, x=given)["y"], wanted, rtol=1e-6, atol=1e-6)
    assert any("runs on the host" in entry.message for entry in run.report.entries)


@pytest.mark.parametrize("limit", [1.0, 30.0])
def test_a_while_loop_runs_on_the_host_and_the_report_says_so(limit: float) -> None:
    """Between two graphs: what it reads is computed on the device, and so is what reads it."""
    g = rlx.Graph("while")
    x, most = g.input("x", (4,)), g.input("most", ())
    (doubled,) = while_values([x * x], lambda a: a.sum() < most, lambda a: a * 2.0)
    g.set_outputs({"y": doubled + 1.0})
    run, given = Running(g), drawn(4)
    wanted = given.astype(np.float64) ** 2
    while wanted.sum() < limit:
        wanted = wanted * 2
    found = run({}, x=given, most=np.array(limit, np.float32))
    np.testing.assert_allclose(found["y"], wanted + 1, rtol=1e-5)
    assert run.code.host_calls == ("while",)
    lines = [entry.message for entry in run.report.entries]
    assert any("while runs on the host" in line for line in lines)
    assert any("captured: in parts" in line and "on the host in between: while" in line for line in lines)
