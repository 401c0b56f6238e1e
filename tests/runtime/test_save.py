"""Saved executables: the same bits without the compiler, refused where the CPU cannot run them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.target import Target
from rlx.core.errors import RlxError
from rlx.ir.text import read_file, write_file
from tests.small_llama import random_params, small_llama

F32 = np.float32


@pytest.fixture
def llama(tmp_path):
    exe = rlx.compile(small_llama())
    exe.set_params(random_params(exe.graph))
    return exe, tmp_path / "llama.rlxe"


def ids(batch, seq):
    return np.random.default_rng(seq).integers(0, 64, (batch, seq), dtype=np.int32)


def test_same_bits_at_every_size_with_params(llama):
    exe, path = llama
    exe.save(path, params=True)
    loaded = rlx.load_executable(path)
    assert loaded.inputs == exe.inputs and loaded.outputs == exe.outputs
    for batch, seq in ((1, 1), (2, 7), (3, 64)):
        given = ids(batch, seq)
        assert exe(ids=given).tobytes() == loaded(ids=given).tobytes()
    assert "native code" in str(loaded.report)
    assert loaded.memory(batch=2, seq=3) == exe.memory(batch=2, seq=3)
    assert loaded.lir == exe.lir


def test_without_params_they_are_set_as_always(llama):
    exe, path = llama
    exe.save(path)
    loaded = rlx.load_executable(path)
    with pytest.raises(RlxError) as error:
        loaded(ids=ids(1, 2))
    assert error.value.code == "RLX505"
    loaded.set_params({name: exe.param(name) for name in exe.graph.params})
    assert exe(ids=ids(1, 2)).tobytes() == loaded(ids=ids(1, 2)).tobytes()


def test_another_process_runs_it_without_any_pass(llama):
    exe, path = llama
    exe.save(path, params=True)
    np.save(path.with_suffix(".npy"), ids(2, 9))
    code = f"""
import sys, numpy as np, rlx
exe = rlx.load_executable({str(path)!r})
found = exe(ids=np.load({str(path.with_suffix(".npy"))!r}))
sys.stdout.buffer.write(found.tobytes())
assert not any(name.startswith("rlx.passes.fuse") for name in sys.modules), "a pass was loaded"
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, env={**os.environ, "RLX_CACHE": "0"})
    assert found.stdout == exe(ids=ids(2, 9)).tobytes(), found.stderr.decode()


def test_states_go_along_when_asked(tmp_path):
    g = rlx.Graph("count")
    total = g.state("total", ("n",), "f32", init=1)
    x = g.input("x", (rlx.Dim("n"),), "f32")
    g.update("total", total + x)
    g.set_outputs({"y": total * 2.0})
    exe = rlx.compile(g)
    exe.session.init_state(n=3)
    exe(x=np.ones(3, F32))
    exe.save(tmp_path / "with.rlxe", states=True)
    exe.save(tmp_path / "without.rlxe")
    np.testing.assert_array_equal(rlx.load_executable(tmp_path / "with.rlxe")(x=np.ones(3, F32)), np.full(3, 4, F32))
    fresh = rlx.load_executable(tmp_path / "without.rlxe")
    with pytest.raises(RlxError) as error:
        fresh(x=np.ones(3, F32))
    assert error.value.code == "RLX509"


def test_loading_into_a_session_shares_its_params(llama):
    exe, path = llama
    exe.save(path)
    loaded = rlx.load_executable(path, session=exe.session)
    assert exe(ids=ids(1, 4)).tobytes() == loaded(ids=ids(1, 4)).tobytes()
    with pytest.raises(RlxError) as error:
        rlx.load_executable(path, session=rlx.Session("reference"))
    assert error.value.code == "RLX406" and "'cpu'" in str(error.value) and "'reference'" in str(error.value)


def test_constants_and_assumptions_come_back(tmp_path):
    a, b = rlx.Dim("a"), rlx.Dim("b")
    g = rlx.Graph("assume")
    x, y = g.input("x", (a,), "f32"), g.input("y", (b,), "f32")
    g.assume(a == b)
    table = g.constant(np.arange(40, dtype=F32))
    g.set_outputs({"z": x + y, "t": table * 1.5})
    exe = rlx.compile(g, fuse=False)
    exe.save(tmp_path / "a.rlxe")
    loaded = rlx.load_executable(tmp_path / "a.rlxe")
    one = np.ones(4, F32)
    for name, value in exe.run({"x": one, "y": one}).items():
        assert value.tobytes() == loaded.run({"x": one, "y": one})[name].tobytes()
    with pytest.raises(RlxError) as error:
        loaded.run({"x": one, "y": np.ones(5, F32)})
    assert error.value.code == "RLX207"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"features": Target.host().features + ",+warp9"}, ["warp9", Target.host().cpu]),
        ({"triple": "riscv64-unknown-linux-gnu"}, ["riscv64", Target.host().triple.split("-")[0]]),
        ({"triple": Target.host().triple.split("-")[0] + "-pc-windows-msvc"}, ["windows"]),
    ],
)
def test_refused_on_a_machine_that_lacks_what_it_needs(tmp_path, change, words):
    g = rlx.Graph("one")
    g.set_outputs({"y": g.input("x", (1,), "f32") + 1.0})
    exe = rlx.compile(g)
    exe.code = replace(exe.code, target=replace(exe.code.target, **change))
    exe.save(tmp_path / "other.rlxe")
    with pytest.raises(RlxError) as error:
        rlx.load_executable(tmp_path / "other.rlxe")
    assert error.value.code == "RLX407"
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("symbolic", [False, True])
def test_code_for_another_machine_is_compiled_and_saved_but_not_run(tmp_path, monkeypatch, symbolic):
    other = "aarch64" if Target.host().is_x86 else "x86_64"
    monkeypatch.setenv("RLX_CPU", other)
    g = rlx.Graph("other")
    x, w = g.input("x", ("n" if symbolic else 33, 8)), g.param("w", (8, 4))
    g.set_outputs({"y": x @ w})
    exe = rlx.compile(g)
    exe.set_param("w", np.ones((8, 4), F32))
    exe.save(tmp_path / "other.rlxe")
    for run in (exe.run, exe.clone().run):
        with pytest.raises(RlxError) as error:
            run({"x": np.ones((33, 8), F32)})
        assert error.value.code == "RLX407" and other in str(error.value)


def test_code_for_an_older_machine_loads(tmp_path, monkeypatch):
    if not Target.host().is_x86:
        pytest.skip("the baseline is an x86 one")
    monkeypatch.setenv("RLX_CPU", "baseline")
    g = rlx.Graph("old")
    g.set_outputs({"y": g.exp(g.input("x", (33,), "f32"))})
    exe = rlx.compile(g)
    exe.save(tmp_path / "old.rlxe")
    monkeypatch.setenv("RLX_CPU", "")
    x = np.linspace(-3, 3, 33, dtype=F32)
    assert rlx.load_executable(tmp_path / "old.rlxe")(x=x).tobytes() == exe(x=x).tobytes()


def test_what_cannot_be_saved_says_so(tmp_path, llama):
    _, path = llama
    g = rlx.Graph("one")
    g.set_outputs({"y": g.input("x", (1,), "f32") + 1.0})
    with pytest.raises(RlxError) as error:
        rlx.compile(g, "reference").save(tmp_path / "r.rlxe")
    assert error.value.code == "RLX403"
    unset = rlx.compile(small_llama())
    with pytest.raises(RlxError) as error:
        unset.save(path, params=True)
    assert error.value.code == "RLX505"
    host = rlx.compile(g)
    stage = type("Stage", (), {"name": "my_op"})()
    host.code = replace(host.code, programs=(replace(host.code.programs[0], hosts={"host0": stage}),))
    with pytest.raises(RlxError) as error:
        host.save(tmp_path / "h.rlxe")
    assert error.value.code == "RLX403" and "my_op" in str(error.value)
    assert not list(tmp_path.glob("*.rlxe"))


def test_other_and_damaged_files_are_refused(tmp_path, llama):
    exe, path = llama
    module = small_llama()
    module.save(tmp_path / "module.rlx")
    with pytest.raises(RlxError, match="holds a module, not an executable"):
        rlx.load_executable(tmp_path / "module.rlx")
    exe.save(path)
    with pytest.raises(RlxError, match="load_executable"):
        rlx.load(path)
    blob = bytearray(path.read_bytes())
    blob[-100] ^= 1
    path.write_bytes(blob)
    with pytest.raises(RlxError, match="checksum differs"):
        rlx.load_executable(path)


def test_a_file_of_a_version_whose_sessions_packed_weights_is_refused(tmp_path, llama):
    """Its program would read params that no session makes any more."""
    exe, path = llama
    exe.save(path)
    header, arrays = read_file(path)
    del header["manifest"]["format"]
    write_file(tmp_path / "old.rlxe", header, arrays)
    with pytest.raises(RlxError) as error:
        rlx.load_executable(tmp_path / "old.rlxe")
    assert error.value.code == "RLX303" and "another version" in str(error.value)
