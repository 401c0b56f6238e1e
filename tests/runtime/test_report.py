"""What a report says: phases that add up, kernels counted once, levels that are what their names say, the user's names."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.report import Report
from tests.small_llama import random_params, small_llama

X = np.ones((4, 8), np.float32)


def affine() -> rlx.Graph:
    g = rlx.Graph("affine")
    x = g.input("x", (64, 32))
    h = g.matmul(x, g.param("w", (32, 16))) + g.param("b", (16,))
    g.set_outputs({"y": g.sort(g.softmax(h @ g.param("v", (16, 16)), axis=-1), axis=-1)})
    return g


def assert_adds_up(report: Report) -> None:
    named = {phase: seconds for phase, seconds in report.seconds.items() if phase != "total"}
    total = report.seconds["total"]
    assert sum(named.values()) == pytest.approx(total, rel=0.03)
    assert named["other"] < 0.1 * total  # what has a name is nearly all of it
    assert all(seconds >= 0 for seconds in named.values())


def test_phases_sum_to_the_total(monkeypatch: pytest.MonkeyPatch):
    """The phases that were listed were 455 of 965 ms, and 33 of 81 ms for a jitted function."""
    monkeypatch.setenv("RLX_CACHE", "0")
    unseen = {"fold_elements": 54321}  # so that no cache of this process has it
    assert_adds_up(rlx.compile(affine(), **unseen).report)
    assert_adds_up(rlx.compile(small_llama(1), **unseen).report)
    function = rlx.jit(lambda x: rnp.sort(rnp.exp(x) * 2, axis=-1) + 1, **unseen)
    function(X)
    assert_adds_up(function.report)
    assert "trace" in function.report.seconds


def test_phases_sum_to_the_total_from_the_caches_too(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    rlx.compile(affine())
    report = rlx.compile(affine()).report
    assert report.of("cache")[0].message.startswith("loaded")
    assert sum(report.seconds.values()) == pytest.approx(2 * report.seconds["total"], rel=0.03)


def test_a_phase_leaves_out_the_phases_inside_it(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 1.0, 3.0, 7.0, 8.0, 20.0, 30.0, 31.0])  # each time the clock is read
    monkeypatch.setattr("rlx.core.report.time.perf_counter", lambda: next(clock))
    report = Report()
    with report.phase("outer"):  # 0 to 31
        with report.phase("inner"), report.phase("innermost"):  # 1 to 8, 3 to 7
            pass
        with report.phase("inner"):  # 20 to 30
            pass
    assert report.seconds == {"innermost": 4.0, "inner": 3.0 + 10.0, "outer": 31.0 - 7.0 - 10.0}


def test_kernels_are_counted_once():
    """The line "kernels of affine.prepare: 2 compiled" stood beside "prepare: 1 kernels"."""
    text = str(rlx.compile(affine()).report)
    assert len(re.findall(r"\d+ kernels?\b", text)) == 2  # one line for main, one for prepare
    assert "compiled for" not in text and "1 kernels" not in text and "1 commands" not in text


# -- levels and names -------------------------------------------------------------------------------------------
def test_lower_hir_shows_hir():
    """It printed `mir @f`, and `.mir()` printed `lir @f`."""
    lowered = rlx.jit(lambda x: rnp.exp(x) * 2).lower(X)
    assert lowered.hir().startswith('hir @"<lambda>"') and "fused" not in lowered.hir()
    assert lowered.mir().startswith('mir @"<lambda>"') and "fused" in lowered.mir()
    assert lowered.lir().startswith('lir @"<lambda>"') and 'plan "cpu"' in lowered.lir()


@pytest.mark.parametrize("level", ["hir", "mir"])
def test_the_text_of_a_level_parses_back_and_computes_the_same(level: str):
    lowered = rlx.jit(lambda x: rnp.exp(x) * 2).lower(X)
    parsed = rlx.graphs.parse(lowered.as_text(level))
    (found,) = rlx.compile(parsed).run({"x": X}).values()
    np.testing.assert_allclose(found, np.exp(X) * 2, rtol=1e-6)


def test_inputs_keep_their_names():
    """`x` was `"0.0"` in every text, and in what a saved executable takes."""

    def layer(x: Any, params: Any, *rest: Any, scale: Any) -> Any:
        return (x @ params["w"] + rest[0]) * scale

    arguments = X, {"w": np.ones((8, 3), np.float32)}, np.zeros(3, np.float32)
    function = rlx.jit(layer)
    wanted = function(*arguments, scale=np.float32(2))
    assert set(function.executable.inputs) == {"x", "params.w", "rest[0]", "scale"}
    assert 'input("x")' in function.lower(*arguments, scale=np.float32(2)).hir()
    again = function(*arguments, scale=np.float32(2))  # the way of a call that was made before
    np.testing.assert_array_equal(again, wanted)


def test_two_arguments_of_one_name_are_told_apart():
    def both(x: Any, /, **options: Any) -> Any:
        return x - options["x"]

    found = rlx.jit(both)(X, x=X * 3)
    np.testing.assert_array_equal(found, X - X * 3)


def test_an_argument_named_as_a_param_of_put_is_told_apart():
    handle = rlx.put(X * 5)
    name, place = handle.name.split(".")
    function = rlx.jit(eval(f"lambda {name}: {name}['{place}'] + handle", {"handle": handle}))
    np.testing.assert_array_equal(function({place: X}), X * 6)


def test_params_of_a_compiled_model_keep_theirs():
    model = small_llama(1)
    executable = rlx.compile(model)
    for name, array in random_params(executable.graph).items():
        executable.set_param(name, array)
    assert set(executable.inputs) == {"ids"}
