"""The device `xla` as a user meets it: sizes, states, errors of a run, arrays, saving, listings; and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.backends.registry import find_backend
from rlx.backends.xla import program
from rlx.backends.xla.arrays import XlaArray
from rlx.ops.control.control import scan_values

XLA = "xla"


def random(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def layer() -> rlx.Graph:
    g = rlx.Graph("layer")
    x, w = g.input("x", ("n", 4)), g.param("w", (4, 3))
    g.set_outputs({"y": g.tanh(x @ w)})
    return g


def counter() -> rlx.Graph:
    g = rlx.Graph("counter")
    total = g.state("total", (3,), "f32")
    new = total + g.input("x", (3,))
    g.update(total, new)
    g.set_outputs({"y": new * 2.0})
    return g


# -- sizes
def test_a_program_for_each_size_is_counted():
    exe = rlx.compile(layer(), XLA)
    exe.session.set_param("w", random(4, 3, seed=1))
    for n in (2, 5, 2, 1):
        x = random(n, 4, seed=n)
        np.testing.assert_allclose(exe.run({"x": x})["y"], np.tanh(x @ random(4, 3, seed=1)), rtol=1e-5, atol=1e-6)
    compiled = [entry.message for entry in exe.report.entries if entry.kind == "compiled"]
    assert len(compiled) == 3 and compiled[0].startswith("for n = 2 in ") and "program 1 of at most 64" in compiled[0]
    assert len(exe.code.programs) == 3


def test_the_cache_of_programs_is_bounded_and_evictions_are_counted(monkeypatch):
    monkeypatch.setattr(program, "COMPILED_AT_MOST", 2)
    g = rlx.Graph("double")
    g.set_outputs({"y": g.input("x", (rlx.Dim("n", max=64),)) * 2.0})
    exe = rlx.compile(g, XLA)
    for n in (1, 2, 3, 3, 1):  # the last one was evicted by then
        np.testing.assert_array_equal(exe.run({"x": np.ones(n, np.float32)})["y"], np.full(n, 2, np.float32))
    told = {kind: [e.message for e in exe.report.entries if e.kind == kind] for kind in ("compiled", "dropped")}
    assert len(told["compiled"]) == 4 and len(exe.code.programs) == len(exe.code.known_sizes()) == 2
    assert [message.split("; ")[1] for message in told["dropped"]] == ["1 so far", "2 so far"]


# -- states and params
def test_states_are_donated_and_snapshots_survive():
    exe = rlx.compile(counter(), XLA)
    exe.session.init_state()
    exe.run({"x": np.ones(3, np.float32)})
    kept, old = exe.session.snapshot(), exe.session.entries["total"].array.handle
    exe.run({"x": np.ones(3, np.float32)})
    assert old.is_deleted()
    np.testing.assert_array_equal(exe.state("total"), [2, 2, 2])
    exe.session.restore(kept)
    np.testing.assert_array_equal(exe.run({"x": np.ones(3, np.float32)})["y"], [4, 4, 4])


def test_inputs_and_results_stay_on_the_device():
    exe = rlx.compile(layer(), XLA)
    exe.session.set_param("w", random(4, 3, seed=1))
    x = exe.session.to_device(random(2, 4))
    y = exe.run({"x": x})["y"]
    assert type(y) is XlaArray and repr(y) == "<DeviceArray f32[2, 3] on xla>" and isinstance(y.handle, jax.Array)
    np.testing.assert_array_equal(np.asarray(exe.run({"x": x})["y"]), np.asarray(y))
    out = exe.session.to_device(np.zeros((2, 3), np.float32))
    assert exe.run({"x": x}, out={"y": out})["y"] is out
    np.testing.assert_array_equal(np.asarray(out), np.asarray(y))


def test_a_host_array_may_change_after_it_was_given():
    exe = rlx.compile(counter(), XLA)
    exe.session.init_state()
    x = np.ones(3, np.float32)
    y = exe.run({"x": x})["y"]
    x[...] = 7
    np.testing.assert_array_equal(y, [2, 2, 2])


def test_dlpack_in_and_out():
    torch = pytest.importorskip("torch")
    exe = rlx.compile(counter(), XLA)
    exe.session.init_state()
    y = exe.run({"x": jnp.ones(3)})["y"]
    np.testing.assert_array_equal(torch.from_dlpack(y).numpy(), [2, 2, 2])
    np.testing.assert_array_equal(exe.run({"x": torch.ones(3)})["y"], [4, 4, 4])


# -- what the process set is left alone
def test_f64_and_i64_without_touching_jax_settings():
    g = rlx.Graph("wide")
    x, n = g.input("x", (3,), "f64"), g.input("n", (), "i64")
    g.set_outputs({"y": g.exp(x), "m": n * 2})
    found = rlx.compile(g, XLA).run({"x": np.array([1.0, 2.0, 3.0]), "n": np.int64(2**40)})
    assert np.asarray(found["y"]).dtype == np.float64 and int(found["m"]) == 2**41
    np.testing.assert_allclose(found["y"], np.exp([1.0, 2.0, 3.0]), rtol=1e-15)
    assert jnp.asarray(np.arange(3.0)).dtype == np.float32  # JAX's default, as it was


def test_jax_is_imported_when_the_device_is_asked_for():
    code = textwrap.dedent("""
        import sys, numpy as np, rlx
        g = rlx.Graph("g"); x = g.input("x", (2,)); g.set_outputs({"y": x + 1.0})
        rlx.compile(g, "reference").run({"x": np.ones(2, np.float32)})
        assert not any(name.split(".")[0] in ("jax", "jaxlib") for name in sys.modules)
        class Blocked:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] == "jax":
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        sys.meta_path.insert(0, Blocked())
        try:
            rlx.compile(g, "xla")
        except rlx.RlxError as error:
            assert error.code == "RLX404" and "jax" in str(error), error
        else:
            raise AssertionError
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


# -- errors of a run
def expect(code: str, exe: rlx.Executable, inputs: dict) -> rlx.RlxError:
    with pytest.raises(rlx.RlxError) as caught:
        exe.run(inputs)
    assert caught.value.code == code
    return caught.value


def test_an_index_outside_is_an_error_and_changes_nothing():
    g = rlx.Graph("g")
    seen = g.state("seen", (), "f32")
    g.update(seen, seen + 1.0)
    g.set_outputs({"y": g.gather(g.input("x", (4,)), g.input("i", (2,), "i32"), axis=0, check_bounds=True)})
    exe = rlx.compile(g, XLA)
    exe.session.init_state()
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(exe.run({"x": x, "i": np.array([3, -4], np.int32)})["y"], [3, 0])
    expect("RLX508", exe, {"x": x, "i": np.array([4, 0], np.int32)})
    assert exe.state("seen") == 1.0


def test_a_singular_matrix_is_an_error_also_inside_a_loop():
    g = rlx.Graph("g")
    a, b = g.input("a", (3, 2, 2)), g.input("b", (3, 2))

    (total,) = scan_values(
        lambda total, rows, right: [total + g.dense_solve(rows, right).sum()], [g.constant(np.float32(0))], [a, b]
    )
    g.set_outputs({"y": total})
    exe = rlx.compile(g, XLA)
    good = np.broadcast_to(np.eye(2, dtype=np.float32), (3, 2, 2)).copy()
    exe.run({"a": good, "b": np.ones((3, 2), np.float32)})
    good[1, 1, 1] = 0
    error = expect("RLX511", exe, {"a": good, "b": np.ones((3, 2), np.float32)})
    assert "singular" in error.message


def test_trap_nan_names_the_op():
    g = rlx.Graph("g")
    g.set_outputs({"y": g.log(g.input("x", (2,))) + 1.0})
    exe = rlx.compile(g, XLA, trap_nan=True)
    exe.run({"x": np.ones(2, np.float32)})
    assert "log" in expect("RLX510", exe, {"x": np.array([1, -1], np.float32)}).message


def test_a_callback_that_raises_is_the_cause():
    def calls(x):
        def careful(array):
            if array[0] < 0:
                raise ValueError("below 0")
            return array * 2

        return rlx.pure_callback(careful, rlx.ShapeDtypeStruct((2,), "f32"), x)

    f = rlx.jit(calls, device=XLA)
    np.testing.assert_array_equal(f(np.ones(2, np.float32)), [2, 2])
    with pytest.raises(rlx.RlxError) as caught:
        f(np.full(2, -1, np.float32))
    assert caught.value.code == "RLX516" and "below 0" in str(caught.value)


# -- the same random numbers
def test_random_bits_are_those_of_every_device():
    g = rlx.Graph("noise")
    source = g.rng("noise", seed=11)
    logits = g.input("logits", (4, 50))
    g.set_outputs({"u": source.uniform((7, 3)), "n": source.normal((5,)), "id": source.sample(logits, 0.8, 9, 0.9)})
    given = {"logits": random(4, 50) * 3}
    runs = {}
    for device in ("reference", XLA):
        exe = rlx.compile(g, device)
        runs[device] = [{name: np.asarray(y) for name, y in exe.run(given).items()} for _ in range(3)]
    for mine, theirs in zip(runs[XLA], runs["reference"], strict=True):
        np.testing.assert_array_equal(mine["u"], theirs["u"])
        np.testing.assert_array_equal(mine["id"], theirs["id"])
        np.testing.assert_allclose(mine["n"], theirs["n"], rtol=1e-5, atol=1e-6)


# -- texts, files, descriptions
def test_stablehlo():
    text = rlx.graphs.lower(layer(), XLA).stablehlo(n=5)
    assert "tensor<5x4xf32>" in text and "stablehlo.dot_general" in text and "stablehlo.tanh" in text
    with pytest.raises(rlx.RlxError, match="no value for n"):
        rlx.graphs.lower(layer(), XLA).stablehlo()
    with pytest.raises(rlx.RlxError, match="only 'xla'"):
        rlx.graphs.lower(layer(), "reference").stablehlo(n=2)


def test_saved_and_loaded(tmp_path):
    exe = rlx.compile(layer(), XLA)
    exe.session.set_param("w", random(4, 3, seed=1))
    x = random(2, 4)
    expected = np.asarray(exe.run({"x": x})["y"])
    exe.save(tmp_path / "layer.rlxe", params=True)
    loaded = rlx.load_executable(tmp_path / "layer.rlxe")
    assert list(loaded.code.stored) == [(("n", 2),)]
    np.testing.assert_array_equal(loaded.run({"x": x})["y"], expected)
    np.testing.assert_array_equal(loaded.run({"x": np.tile(x, (2, 1))})["y"], np.tile(expected, (2, 1)))


def test_a_loaded_program_still_checks(tmp_path):
    g = rlx.Graph("g")
    g.set_outputs({"y": g.gather(g.input("x", (4,)), g.input("i", (1,), "i32"), axis=0, check_bounds=True)})
    rlx.compile(g, XLA).save(tmp_path / "g.rlxe")
    loaded = rlx.load_executable(tmp_path / "g.rlxe")
    expect("RLX508", loaded, {"x": np.ones(4, np.float32), "i": np.array([9], np.int32)})


def test_described_and_profiled():
    backend = find_backend(XLA)
    assert backend.describe()["jax"] == jax.__version__ and backend.describe()["platform"] == jax.default_backend()
    exe = rlx.compile(layer(), XLA)
    exe.session.set_param("w", random(4, 3))
    (line,) = exe.profile({"x": random(2, 4)}, limits=False).lines
    assert line.kernel == "layer"


def test_transforms_and_jit():
    def loss(w, x):
        return rlx.numpy.sum(rlx.numpy.tanh(x @ w) ** 2)

    w, x = random(4, 3, seed=1), random(5, 4)
    found = np.asarray(rlx.jit(rlx.grad(loss), device=XLA)(w, x))
    expected = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(w)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
