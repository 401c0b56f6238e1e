"""exe.memory before running, and canaries behind the slots of the arena."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.emit.values import F32 as FLOAT
from rlx.backends.cpu.kernels import KERNELS
from rlx.core.errors import RlxError
from rlx.runtime import compile as compile_file
from tests.small_llama import random_params, small_llama

F32 = np.float32


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_memory_is_a_function_of_symbols(device):
    exe = rlx.compile(small_llama(), device)
    memory = exe.memory
    assert memory(batch=2, seq=5)["outputs"] == 2 * 5 * 64 * 4
    assert memory(batch=2, seq=5)["inputs"] == 2 * 5 * 4
    given = random_params(exe.graph)
    exe.set_params(given)
    exe(ids=np.zeros((1, 2), np.int32))
    arrays = [array for name in given for array in exe.session.entries[name].leaves(name).values()]
    assert memory(batch=1, seq=1)["params"] == sum(array.nbytes for array in arrays), "params that products read are packed"
    assert device == "cpu" or len(arrays) == len(given)
    assert memory.peak_bytes(batch=1, seq=1) < memory.peak_bytes(batch=4, seq=64)
    assert memory.peak_bytes(batch=2, seq=5) == sum(memory(batch=2, seq=5).values()) - 40
    assert "batch*seq" in str(memory) and "peak" in str(memory)
    with pytest.raises(RlxError) as error:
        memory(batch=2)
    assert error.value.code == "RLX205" and "seq=…" in str(error.value)


def test_memory_is_what_a_run_takes():
    exe = rlx.compile(small_llama())
    exe.set_params(random_params(exe.graph))
    runner, prepare = exe._runner, exe._prepared._runner
    released = prepare.release
    prepare.release = lambda: None  # what it takes while it runs
    exe(ids=np.zeros((2, 33), np.int32))
    taken = sum(r._held[part].nbytes for r in (runner, prepare) for part in ("arena", "scratch") if part in r._held)
    planned = exe.memory(batch=2, seq=33)
    assert planned["working"] == taken
    assert planned["prepared"] == sum(value.array.nbytes for value in exe._values.values())
    released()
    assert not {"arena", "scratch"} & set(prepare._held)


def test_memory_is_known_without_lowering_again(monkeypatch):
    rlx.compile(small_llama())
    exe = rlx.compile(small_llama())
    monkeypatch.setattr(exe, "_lower", lambda: pytest.fail("lowered again"))
    assert exe.memory(batch=1, seq=2)["working"] > 0


@pytest.fixture
def canaries(monkeypatch):
    monkeypatch.setenv("RLX_CANARIES", "1")
    monkeypatch.setenv("RLX_CACHE", "0")
    monkeypatch.setattr(compile_file, "_memory", {})


def chain():
    g = rlx.Graph("chain")
    x = g.input("x", ("n", 16), "f32")
    y = g.cumsum(x, axis=1)  # the overwriting line
    g.set_outputs({"z": g.cumsum(g.cumsum(y, axis=0), axis=1)})
    return g


def test_canaries_change_no_result(canaries, monkeypatch):
    watched = rlx.compile(small_llama())
    assert watched._runner.program.canaries
    watched.set_params(random_params(watched.graph))
    ids = np.arange(14, dtype=np.int32).reshape(2, 7)
    found = watched(ids=ids), watched(ids=ids[:1, :3])
    monkeypatch.setenv("RLX_CANARIES", "0")
    plain = rlx.compile(small_llama())
    assert not plain._runner.program.canaries
    plain.set_params(random_params(plain.graph))
    assert found[0].tobytes() == plain(ids=ids).tobytes() and found[1].tobytes() == plain(ids=ids[:1, :3]).tobytes()


@pytest.mark.parametrize("past", [0, 3, 15])
def test_a_kernel_that_writes_past_its_slot_is_named(canaries, monkeypatch, past):
    right = KERNELS["cumsum"]
    seen = []

    def lower(op, inputs, outputs, target):
        found = right(op, inputs, outputs, target)
        last = found.stages[-1]
        if op["axis"] != 1 or inputs[0].dims != outputs[0].dims:
            return found
        place = last.operands.index(1)

        def emit(code):
            last.emit(code)
            if not seen:  # only the first of the two
                seen.append(1)
                k = code.code
                rows = k.index(code.size(outputs[0].dims[0]))
                k.store(1.0, code.pointer(place), rows * 16 + past, FLOAT)

        return replace(found, stages=(*found.stages[:-1], replace(last, emit=emit, key=("long", last.key))))

    monkeypatch.setitem(KERNELS, "cumsum", lower)
    exe = rlx.compile(chain())
    for _ in range(2):
        with pytest.raises(RlxError) as error:
            exe(x=np.ones((4, 16), F32))
        text = str(error.value)
        assert error.value.code == "RLX512" and "cumsum" in text and "test_memory.py" in text and "slot" in text
    monkeypatch.setitem(KERNELS, "cumsum", right)
    monkeypatch.setattr(compile_file, "_memory", {})
    assert rlx.compile(chain())(x=np.ones((1, 16), F32)).shape == (1, 16)
