"""Recipes: modules found in the disk cache by name, without being built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dim import Dim
from rlx.runtime import compile as compile_file
from rlx.runtime.compile import Recipe, described
from rlx.runtime.interface import Interface
from tests.small_llama import random_params, small_llama


@pytest.fixture(autouse=True)
def fresh(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compile_file, "_memory", {})
    return cache_dir


class Kitchen:
    """Counts how often its module is built: y = x @ w + 1, and a state that counts runs in steps of 2."""

    def __init__(self) -> None:
        self.built = 0

    def build(self) -> rlx.Graph:
        self.built += 1
        g = rlx.Graph("cooked")
        x, n = g.input("x", ("n", 4), "f32"), g.state("runs", (), "f32", init=3.0)
        g.update(n, n + 2.0)
        g.set_outputs({"y": x @ g.param("w", (4, 3), "f32") + 1.0, "runs": n + 0.0})
        return g

    def compile(self, name: str = "cooked", **options: Any) -> rlx.Executable:
        exe = rlx.compile(Recipe(name, self.build), **options)
        exe.set_param("w", np.arange(12, dtype=np.float32).reshape(4, 3))
        return exe


def test_the_second_time_nothing_is_built_and_the_values_are_the_same() -> None:
    kitchen, x = Kitchen(), np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    for _ in range(3):
        exe = kitchen.compile()
        found = exe.run({"x": x})
        np.testing.assert_allclose(found["y"], x @ np.arange(12, dtype=np.float32).reshape(4, 3) + 1, rtol=1e-5)
        assert found["runs"] == 3 and exe.run({"x": x})["runs"] == 5
        compile_file._memory.clear()
    assert kitchen.built == 1
    assert "the graph was not built" in str(exe.report) and "fused" in str(exe.report)


def test_what_looks_at_the_graph_builds_it_then() -> None:
    kitchen = Kitchen()
    first, again = kitchen.compile(), kitchen.compile()
    assert kitchen.built == 1
    assert str(again.lir) == str(first.lir) and kitchen.built == 2
    assert again.graph == first.graph and again.clone().graph is again.graph and kitchen.built == 2
    assert again.memory.parts == first.memory.parts and repr(again) == repr(first)


def test_another_name_or_option_is_another_program() -> None:
    kitchen = Kitchen()
    for number, (name, options) in enumerate([("cooked", {}), ("baked", {}), ("cooked", {"fuse": False})], start=1):
        kitchen.compile(name, **options)
        assert kitchen.built == number


def test_a_program_that_left_the_cache_is_made_again(cache_dir: Path) -> None:
    kitchen = Kitchen()
    kitchen.compile()
    program = max(cache_dir.glob("*.rlxc"), key=lambda path: path.stat().st_size)
    program.unlink()
    compile_file._memory.clear()
    assert "compiled and stored" in str(kitchen.compile().report) and kitchen.built == 2


def test_a_dump_sees_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kitchen = Kitchen()
    kitchen.compile()
    monkeypatch.setenv("RLX_DUMP", str(tmp_path / "dump"))
    kitchen.compile()
    assert kitchen.built == 2 and list((tmp_path / "dump").rglob("00-*.rlx"))


def test_the_reference_runs_recipes_too() -> None:
    exe = rlx.compile(Recipe("cooked", Kitchen().build), "reference")
    exe.set_param("w", np.ones((4, 3), np.float32))
    np.testing.assert_array_equal(exe.run({"x": np.ones((1, 4), np.float32)})["y"], np.full((1, 3), 5, np.float32))


def test_an_interface_comes_back_from_json() -> None:
    """Symbols with bounds, expressions, assumptions, packed params with parts, states with initial values."""
    g = rlx.Graph("all of it")
    n, m = Dim("n", min=2, max=64), Dim("m")
    g.assume(n <= m)
    x, table = g.input("x", (n, 64), "f32"), g.param("table", (64, 32), scheme="int4/32")
    state = g.state("seen", (m, 2 * n + 1), "bf16", init=float("-inf"))
    g.update(state, state)
    g.set_outputs({"y": x @ table + np.arange(32, dtype=np.float32), "z": g.concat(x, x, axis=0)})
    interface = Interface.of(rlx.compile(g, "reference").graph)
    again = Interface.read(interface.plain())
    assert again == interface
    assert again.symbols["n"].maximum == 64 and str(again.outputs["z"]) == "f32[2*n, 64]" and again.constant_bytes >= 128
    assert set(again.params["table"].storage) == {"w", "scale", "zp"} and again.states["seen"].init == float("-inf")
    assert again.entries()["seen"] is not again.entries()["seen"]


def test_words_tell_values_apart() -> None:
    @dataclass(frozen=True)
    class Settings:
        eps: float
        sizes: tuple[int, ...] = ()

    values = [
        None,
        1,
        1.0,
        "1",
        True,
        (1,),
        ("1",),
        (1, 2),
        {"a": 1},
        {"a": "1"},
        Dim("n"),
        Dim("n", max=8),
        2 * Dim("n"),
        "n",
        Settings(1e-5),
        Settings(1e-6),
        Settings(1e-5, (1,)),
        0.1,
        float(np.float32(0.1)),
    ]
    assert len({described(value) for value in values}) == len(values)
    assert described(np.float64(0.1)) == described(0.1) and described({"b": 1, "a": 2}) == described({"a": 2, "b": 1})
    with pytest.raises(TypeError, match="ndarray"):
        described(np.zeros(3))


def test_a_llama_by_its_recipe_has_the_same_bits() -> None:
    module = small_llama()
    exes = [rlx.compile(Recipe("llama", lambda: module)) for _ in range(2)]
    x = np.arange(6, dtype=np.int32).reshape(1, 6)
    found = []
    for exe in exes:
        exe.set_params(random_params(exe.graph))
        found.append(exe(x))
    np.testing.assert_array_equal(*found)
