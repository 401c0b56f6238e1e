"""Params whose arrays are dropped once they are packed: they come back to the bit, and nothing can lose them."""

from __future__ import annotations

import gc
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.layouts.gguf_blocks import random_rows

F32 = np.float32
NUMPY = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f64": np.float64}


def any_bits(*dims: int, dtype: str = "f32", seed: int = 0) -> Any:
    """Every pattern of bits, NaNs with payloads among them."""
    random = np.random.default_rng(seed)
    return random.integers(0, 256, (*dims, np.dtype(NUMPY[dtype]).itemsize), np.uint8).view(NUMPY[dtype])[..., 0]


def numbers(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(-8, 9, dims).astype(F32)  # products and sums of these are exact


def dropped(session: rlx.Session) -> set[str]:
    return {name for name, entry in session.entries.items() if entry.kind == "param" and entry.array is None}


def same(session: Any, given: dict[str, Any]) -> None:
    for name, array in given.items():
        found = session.param(name)
        assert found.dtype == array.dtype and found.shape == array.shape and found.tobytes() == array.tobytes(), name


# -- what is dropped, and comes back ----------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", NUMPY)
def test_dense_weights(dtype: str) -> None:
    sizes = ((8, 16), (7, 21), (1, 1), (33, 5), (5, 70))
    g = rlx.Graph("products")
    g.set_outputs({f"y{k}": g.input(f"x{k}", (3, k), dtype) @ g.param(f"w{k}", (k, n), dtype) for k, n in sizes})
    exe, given = rlx.compile(g), {f"w{k}": any_bits(k, n, dtype=dtype) for k, n in sizes}
    exe.set_params(given)
    exe.run({f"x{k}": np.ones((3, k), NUMPY[dtype]) for k, _ in sizes})
    assert dropped(exe.session) == set(given) and exe.memory()["params"] == 0
    same(exe.session, given)
    assert exe.param("w1").flags.writeable


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_experts(dtype: str) -> None:
    g = rlx.Graph("experts")
    x, e = g.input("x", (4, 9), dtype), g.input("e", (4,), "i32")
    g.set_outputs({"y": g.grouped_matmul(x, g.param("w", (3, 9, 21), dtype), e)})
    exe, w = rlx.compile(g), any_bits(3, 9, 21, dtype=dtype)
    exe.set_param("w", w)
    exe(np.ones((4, 9), NUMPY[dtype]), np.int32([0, 2, 1, 1]))
    assert dropped(exe.session) == {"w"}
    same(exe.session, {"w": w})


def attention_weights(dtype: str = "f32") -> tuple[Any, dict[str, Any]]:
    """Three weights side by side in one value, two in pairs, one turned."""
    g = rlx.Graph("block")
    x = g.input("x", (2, 3, 24), dtype)
    sizes = {"q": (24, 24), "k": (24, 8), "v": (24, 8), "gate": (24, 19), "up": (24, 19), "out": (11, 24)}
    w = {name: g.param(name, dims, dtype) for name, dims in sizes.items()}
    outputs = {name: x @ w[name] for name in "qkv"}
    outputs["ffn"] = g.silu(x @ w["gate"]) * (x @ w["up"])
    outputs["out"] = x @ w["out"].T
    g.set_outputs(outputs)
    given = {name: any_bits(*dims, dtype=dtype, seed=seed) for seed, (name, dims) in enumerate(sizes.items())}
    return rlx.compile(g), given


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
def test_weights_that_are_packed_together_and_turned(dtype: str) -> None:
    exe, given = attention_weights(dtype)
    exe.set_params(given)
    exe(np.ones((2, 3, 24), NUMPY[dtype]))
    assert dropped(exe.session) == set(given)
    same(exe.session, given)


@pytest.mark.parametrize("name", ["Q4_0", "Q5_1", "Q8_0", "Q2_K", "Q4_K", "Q6_K", "IQ4_XS", "MXFP4", "F16", "BF16"])
def test_stored_blocks(name: str) -> None:
    g = rlx.Graph("product")
    scheme = rlx.QuantScheme.gguf(name)
    g.set_outputs({"y": g.input("x", (3, 256)) @ g.param("w", (256, 19), scheme=scheme)})
    exe = rlx.compile(g)
    rows = np.random.default_rng(1).integers(0, 256, random_rows(name, 19, 256).shape, np.uint8)
    exe.set_param("w", rows)
    exe(np.ones((3, 256), F32))
    assert dropped(exe.session) == {"w"}
    same(exe.session, {"w": rows})


# -- what stays -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{"store_params": "bf16"}, {"precision": "auto_mixed_bf16"}])
def test_what_is_rounded_stays_as_it_was_set(options: dict[str, str]) -> None:
    g = rlx.Graph("product")
    g.set_outputs({"y": g.input("x", (3, 8)) @ g.param("w", (8, 21))})
    exe, w = rlx.compile(g, **options), np.random.default_rng(0).standard_normal((8, 21)).astype(F32)
    exe.set_param("w", w)
    exe(np.ones((3, 8), F32))
    assert not dropped(exe.session) and exe.memory()["params"] == w.nbytes
    same(exe.session, {"w": w})


def test_what_runs_read_stays_and_what_is_packed_only_in_part_stays() -> None:
    g = rlx.Graph("mixed")
    x, i = g.input("x", (3, 8)), g.input("i", (2,), "i32")
    table, wide = g.param("table", (21, 8)), g.param("wide", (8, 40))
    g.set_outputs({"rows": g.gather(table, i, axis=0), "y": x @ table.T, "z": x @ wide[:, :16]})
    exe, given = rlx.compile(g), {"table": numbers(21, 8), "wide": numbers(8, 40, seed=1)}
    exe.set_params(given)
    found = exe.run({"x": numbers(3, 8, seed=2), "i": np.int32([4, 20])})
    np.testing.assert_array_equal(found["rows"], given["table"][[4, 20]])
    np.testing.assert_array_equal(found["z"], numbers(3, 8, seed=2) @ given["wide"][:, :16])
    assert not dropped(exe.session)
    same(exe.session, given)


# -- others that read it ----------------------------------------------------------------------------------------
def product(name: str, turned: bool = False) -> Any:
    g = rlx.Graph(name)
    w = g.param("w", (24, 24))
    g.set_outputs({"y": g.input("x", (2, 24)) @ (w.T if turned else w)})
    return g


def test_a_later_executable_gets_the_array_or_another_layout() -> None:
    session, w, x = rlx.Session("cpu"), numbers(24, 24), numbers(2, 24, seed=1)
    first = session.compile(product("first"))
    session.set_param("w", w)
    np.testing.assert_array_equal(first(x), x @ w)
    assert dropped(session) == {"w"}
    turned = session.compile(product("turned", turned=True))
    np.testing.assert_array_equal(turned(x), x @ w.T)
    assert dropped(session) == {"w"}
    g = rlx.Graph("sum")
    g.set_outputs({"y": g.sum(g.param("w", (24, 24)) * g.input("by", ()))})
    raw = session.compile(g)
    assert raw(F32(2)) == 2 * w.sum()
    assert not dropped(session)
    for exe, wanted in ((first, x @ w), (turned, x @ w.T)):
        np.testing.assert_array_equal(exe(x), wanted)
    same(session, {"w": w})


def test_a_training_step_after_it_was_dropped() -> None:
    session, w, x = rlx.Session("cpu"), numbers(24, 24), numbers(2, 24, seed=1)
    exe = session.compile(product("first"))
    session.set_param("w", w)
    exe(x)
    g = rlx.Graph("step")
    param = g.param("w", (24, 24))
    g.update("w", param + g.input("by", ()))
    g.set_outputs({"y": g.sum(param)})
    step = session.compile(g)
    for number in (1, 2):
        step(F32(1))
        np.testing.assert_array_equal(exe(x), x @ (w + number))
        same(session, {"w": w + number})


def test_it_outlives_the_executables_that_packed_it(tmp_path: Any) -> None:
    session, w, x = rlx.Session("cpu"), numbers(24, 24), numbers(2, 24, seed=1)
    exe = session.compile(product("first"))
    session.set_param("w", w)
    exe(x)
    exe.save(tmp_path / "first.rlxe", params=True)
    del exe
    gc.collect()
    same(session, {"w": w})
    np.testing.assert_array_equal(session.compile(product("turned", turned=True))(x), x @ w.T)
    loaded = rlx.load_executable(tmp_path / "first.rlxe")
    np.testing.assert_array_equal(loaded(x), x @ w)
    assert dropped(loaded.session) == {"w"}
    same(loaded.session, {"w": w})


# -- changes ----------------------------------------------------------------------------------------------------
def test_one_of_the_weights_that_are_packed_together_is_set_again() -> None:
    exe, given = attention_weights()
    given = {name: numbers(*array.shape, seed=seed) for seed, (name, array) in enumerate(given.items())}
    exe.set_params(given)
    x = numbers(2, 3, 24, seed=99)
    exe(x)
    for name in ("k", "up", "out", "q"):
        given[name] = given[name] + 1
        exe.set_param(name, given[name])
        found = exe.run({"x": x})
        for each in "qkv":
            np.testing.assert_array_equal(found[each], x @ given[each])
        np.testing.assert_array_equal(found["out"], x @ given["out"].T)
        assert dropped(exe.session) == set(given)
        same(exe.session, given)


def test_a_failure_while_it_is_packed_anew_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value that holds the others is written over: they are in memory of their own by then."""
    exe, given = attention_weights()
    exe.set_params(given)
    x = np.ones((2, 3, 24), F32)
    exe(x)
    given["q"] = any_bits(24, 24, seed=50)
    exe.set_param("q", given["q"])
    runner, make = exe._prepared._runner, exe._prepared._runner.make

    def fails(outputs: dict[str, Any]) -> None:
        for array in outputs.values():
            array[...] = 0
        raise RlxError("RLX512", "cut short")

    monkeypatch.setattr(runner, "make", fails)
    with pytest.raises(RlxError, match="cut short"):
        exe(x)
    same(exe.session, given)
    monkeypatch.setattr(runner, "make", make)
    exe(x)
    assert dropped(exe.session) == set(given)
    same(exe.session, given)


def test_only_what_is_packed_with_it_is_brought_back(monkeypatch: pytest.MonkeyPatch) -> None:
    exe, given = attention_weights()
    exe.set_params(given)
    x = np.ones((2, 3, 24), F32)
    exe(x)
    made: list[tuple[str, ...]] = []
    make = exe._prepared._runner.make
    monkeypatch.setattr(exe._prepared._runner, "make", lambda outputs: made.append(tuple(outputs)) or make(outputs))
    exe.set_param("out", given["out"])
    exe(x)
    assert len(made) == 1 and len(made[0]) == 1


def test_params_are_read_and_set_while_others_run() -> None:
    session = rlx.Session("cpu")
    exes = [session.compile(product("first")), session.compile(product("turned", turned=True))]
    session.set_param("w", np.zeros((24, 24), F32))
    stop, wrong = threading.Event(), []

    def runs(exe: Any) -> None:
        while not stop.is_set():
            found = exe(np.ones((2, 24), F32))
            if not (found == found[0, 0]).all():
                wrong.append(found)

    def reads() -> None:
        while not stop.is_set():
            found = session.param("w")
            if not (found == found[0, 0]).all():
                wrong.append(found)

    threads = [threading.Thread(target=runs, args=(exe,)) for exe in (*exes, exes[0].clone())]
    threads.append(threading.Thread(target=reads))
    for thread in threads:
        thread.start()
    for number in range(60):
        session.set_param("w", np.full((24, 24), number, F32))
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    for exe in exes:
        assert (exe(np.ones((2, 24), F32)) == 24 * 59).all()
    assert dropped(session) == {"w"}
