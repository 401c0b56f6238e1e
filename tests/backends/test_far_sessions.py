"""Sessions on a device with memory of its own, and everything that runs there: check, profile, jit, training, generation."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from tests.backends.far_device import crossing, near
from tests.backends.far_graphs import WEIGHTS, counter, expected, layer, random

pytestmark = pytest.mark.usefixtures("far")


# -- sessions ----------------------------------------------------------------------------------------------------
def test_params_and_states_read_back_as_they_were_set():
    exe = counter()
    w, total = random(3, seed=5), random(3, seed=6)
    there = exe.session.to_device(w)
    with crossing():
        exe.set_param("w", there)
    near(there)[...] = 0  # the session has a copy
    np.testing.assert_array_equal(exe.param("w"), w)
    exe.session.set_state("total", total)
    np.testing.assert_array_equal(exe.state("total"), total)
    with crossing():
        exe.session.set_state("total", there)
    np.testing.assert_array_equal(exe.state("total"), 0)
    half = rlx.Graph("half")
    half.set_outputs({"y": half.param("w", (3,), "bf16") + half.input("x", (3,), "bf16")})
    other = rlx.compile(half, "far")
    other.set_param("w", other.session.to_device(w))  # f32 for bf16: rounded on the host
    np.testing.assert_array_equal(other.param("w"), w.astype(other.param("w").dtype))


def test_a_snapshot_goes_back_without_a_transfer():
    exe = counter()
    exe.set_param("w", np.ones(3, np.float32))
    x = exe.session.to_device(random(3))
    exe(x)
    with crossing():
        snapshot = exe.session.snapshot()
        once = exe(x)
        exe.session.restore(snapshot)
        again = exe(x)
    np.testing.assert_array_equal(np.asarray(once), np.asarray(again))
    exe.session.restore({"total": np.zeros(3, np.float32)})
    np.testing.assert_array_equal(exe.state("total"), 0)
    for wrong in (np.zeros(3, np.float64), np.zeros((3, 1), np.float32)):
        with pytest.raises(rlx.RlxError) as caught:
            exe.session.restore({"total": wrong})
        assert caught.value.code == "RLX503"


def test_a_state_of_symbolic_size_is_made_on_the_device():
    g = rlx.Graph("cache")
    cache, at = g.state("cache", ("capacity", 2), init=0.5), g.state("at", (), "i32")
    new = g.dynamic_update_slice(cache, g.input("x", (1, 2)), at, axes=(0,))
    g.update(cache, new)
    g.update(at, at + 1)
    g.set_outputs({"y": g.sum(new, axes=0)})
    exe = rlx.compile(g, "far")
    exe.session.init_state(capacity=4)
    for _ in range(3):
        y = exe(np.float32([[1, 2]]))
    np.testing.assert_array_equal(np.asarray(y), [3.5, 6.5])
    np.testing.assert_array_equal(exe.state("cache"), [[1, 2], [1, 2], [1, 2], [0.5, 0.5]])


def test_what_depends_on_params_alone_is_made_and_kept_on_the_device():
    g = rlx.Graph("turned")
    w, v = g.param("w", (4, 3)), g.param("v", (4, 3))
    x, x2 = g.input("x", ("n", 3)), g.input("x2", ("n", 3))
    g.set_outputs({"y": x @ g.transpose(w, (1, 0)) + x2 @ g.transpose(v * 2.0, (1, 0))})
    exe = rlx.compile(g, "far")
    assert exe.code.prepared, "nothing was cut off"
    values = {name: random(4, 3, seed=seed) for seed, name in enumerate("wv")}
    exe.session.set_params(values)
    given = {"x": random(2, 3), "x2": random(2, 3, seed=9)}
    for change in range(3):
        with crossing(upload=2):
            y = exe.run(given)["y"]
        wanted = given["x"] @ values["w"].T + given["x2"] @ (values["v"] * 2).T
        np.testing.assert_allclose(np.asarray(y), wanted, rtol=1e-5)
        held = [name for name, entry in exe.session.entries.items() if entry.array is None]
        assert held == ["w"], "a param that a prepared value holds is dropped"
        for name, value in values.items():
            assert exe.param(name).tobytes() == value.tobytes()
        values["w" if change else "v"] += 1
        exe.session.set_params(values)
    exe.run(given)
    plain = rlx.Graph("plain")
    plain.set_outputs({"y": plain.param("w", (4, 3)) + plain.input("x", ())})
    other, zero = exe.session.compile(plain), exe.session.to_device(np.float32(0))
    with crossing(download=1, upload=1):  # it reads `w` as it was set: brought back by way of the host, once
        y = other(zero)
        other(zero)
    np.testing.assert_array_equal(np.asarray(y), values["w"])


def test_clones_share_params_and_states():
    exe = counter()
    exe.set_param("w", np.ones(3, np.float32))
    x = exe.session.to_device(np.ones(3, np.float32))
    exe(x)
    clone = exe.clone()
    with crossing():
        clone(x)
        y = exe(x)
    np.testing.assert_array_equal(np.asarray(y), [3, 3, 3])


def test_packed_params_are_uploaded_by_part():
    g = rlx.Graph("packed")
    g.set_outputs({"y": g.input("x", (2, 32)) @ g.param("w", (32, 8), scheme=rlx.QuantScheme.gguf("Q8_0"))})
    rows = np.zeros((8, 34), np.uint8)
    rows[:, :2] = np.frombuffer(np.float16(0.5).tobytes(), np.uint8)
    rows[:, 2:] = 3
    exe = rlx.compile(g, "far", quant_mode="exact")
    with crossing(upload=1):
        exe.set_param("w", rows)
    np.testing.assert_array_equal(np.asarray(exe(np.ones((2, 32), np.float32))), 32 * 1.5)
    assert exe.param("w").tobytes() == rows.tobytes()
    assert rlx.check(exe, {"x": np.ones((2, 32), np.float32)}).ok


def test_a_param_in_a_mapped_file_is_uploaded(tmp_path):
    place = tmp_path / "w.npy"
    np.save(place, WEIGHTS["w"])
    exe = layer()
    exe.session.set_params({**WEIGHTS, "w": np.load(place, mmap_mode="r")})
    x = random(2, 4)
    np.testing.assert_allclose(np.asarray(exe(x)), expected(x), rtol=1e-6)


def test_saved_and_loaded_with_params_and_states(tmp_path):
    exe, x = counter(), random(3)
    exe.set_param("w", random(3, seed=1))
    exe(x)
    exe.save(tmp_path / "counter.rlxe", params=True, states=True)
    loaded = rlx.load_executable(tmp_path / "counter.rlxe")
    assert loaded.session.device == "far" and isinstance(loaded.session.entries["w"].array, rlx.DeviceArray)
    np.testing.assert_array_equal(loaded.param("w"), exe.param("w"))
    np.testing.assert_array_equal(np.asarray(loaded(x)), np.asarray(exe(x)))


# -- everything that runs on a device ------------------------------------------------------------------------------
def test_check_and_profile():
    exe, x = layer(), random(2, 4)
    exe.session.set_params(WEIGHTS)
    report = rlx.check(exe, {"x": exe.session.to_device(x)})
    assert report.ok and {row.stage for row in report.rows} >= {"compiled", "op by op"}, str(report)
    assert exe.profile({"x": x}).lines
    assert rlx.check(counter_with_param(), {"x": random(3)}).ok


def counter_with_param() -> rlx.Executable:
    exe = counter()
    exe.set_param("w", np.ones(3, np.float32))
    return exe


def test_a_failed_run_names_what_was_not_finite():
    exe = layer(trap_nan=True)
    exe.session.set_params({**WEIGHTS, "b": np.float32([1, np.nan, 1, 1])})
    with pytest.raises(rlx.RlxError, match="b had NaN or infinity before the run") as caught:
        exe(random(2, 4))
    assert caught.value.code == "RLX510"


def test_jit_takes_and_gives_arrays_of_the_device():
    @rlx.jit(device="far")
    def step(x, scale):
        return x * scale + 1.0

    x = random(3)
    y, scale = step(x, np.float32(2)), rlx.Session("far").to_device(np.float32(2))
    with crossing():
        for _ in range(3):
            y = step(y, scale)
    wanted = x
    for _ in range(4):
        wanted = wanted * np.float32(2) + np.float32(1)
    np.testing.assert_allclose(np.asarray(y), wanted, rtol=1e-6)
    assert step.traces == 1
    with pytest.raises(rlx.RlxError) as caught:
        rlx.jit(lambda x: x + x, device="cpu")(y)
    assert caught.value.code == "RLX515"


def test_transforms_inside_jit_run_on_the_device():
    x = random(4)
    found = rlx.jit(rlx.grad(lambda x: (x * x * x).sum()), device="far")(x)
    np.testing.assert_allclose(np.asarray(found), 3 * x * x, rtol=1e-6)
    there, two = (rlx.Session("far").to_device(array) for array in (x, np.full(4, 2, np.float32)))
    pulled = rlx.jit(lambda x, dy: rlx.vjp(lambda x: x * x * x, x)[1](dy), device="far")
    pulled(there, two)
    with crossing():
        (dx,) = pulled(there, two)
    np.testing.assert_allclose(np.asarray(dx), 6 * x * x, rtol=1e-6)
    with pytest.raises(rlx.RlxError, match="expected one in host memory"):  # outside jit, transforms run on the CPU
        rlx.vjp(lambda x: x * x, there)


def test_a_training_step_leaves_everything_where_it_is():
    def training(device):
        g = rlx.Graph("fit")
        x, y, w = g.input("x", ("n", 3)), g.input("y", ("n",)), g.param("w", (3,))
        g.set_outputs({"loss": g.mean((g.sum(x * w, axes=1) - y) ** 2.0)})
        made = rlx.train.compile_training(g, "loss", rlx.train.AdamW(lr=0.1), device=device)
        made.set_params({"w": np.zeros(3, np.float32)})
        return made

    far, reference = training("far"), training("reference")
    x = random(8, 3)
    batch = {"x": x, "y": x @ np.float32([1, -2, 3])}
    there = {name: far.session.to_device(array) for name, array in batch.items()}
    far.step(there)
    reference.step(batch)
    with crossing():
        found = [far.step(there)["loss"] for _ in range(5)]
    wanted = [reference.step(batch)["loss"] for _ in range(5)]
    np.testing.assert_allclose([float(loss) for loss in found], wanted, rtol=1e-5)
    np.testing.assert_allclose(far.param("w"), reference.param("w"), rtol=1e-5)
    assert far.steps == 6


def test_a_checkpoint_of_a_training_resumes(tmp_path):
    g = rlx.Graph("fit")
    g.set_outputs({"loss": g.sum((g.param("w", (3,)) - g.input("y", (3,))) ** 2.0)})
    made = [rlx.train.compile_training(g, "loss", rlx.train.AdamW(lr=0.1), device="far") for _ in range(2)]
    for each in made:
        each.set_params({"w": np.zeros(3, np.float32)})
    batch = {"y": random(3)}
    made[0].step(batch)
    made[0].save(tmp_path / "one.safetensors")
    made[1].load(tmp_path / "one.safetensors")
    assert float(made[0].step(batch)["loss"]) == float(made[1].step(batch)["loss"])


@pytest.mark.parametrize("kind", ["attention", "recurrent"])
def test_a_model_generates_the_same_tokens(kind):
    from rlx.generate.runner import Runner
    from tests.generate import tiny

    def tokens(device: str) -> list[int]:
        model = (tiny.attention_model if kind == "attention" else tiny.recurrent_model)(session=rlx.Session(device))
        runner = Runner(model, capacity=64)
        logits, found = runner.prefill([[1, 2, 3, 4, 5]]), []
        for _ in range(12):
            found.append(int(logits[0].argmax()))
            logits = runner.decode([found[-1]])
        return found

    assert tokens("far") == tokens("reference")


@pytest.mark.parametrize("kind", ["attention", "recurrent"])
def test_rows_that_rest_and_caches_that_grow(kind, monkeypatch):
    from rlx.generate import runner as runners
    from tests.generate import tiny

    monkeypatch.setattr(runners, "_FIRST_CAPACITY", 4)
    make, logits = (
        (tiny.attention_model, tiny.attention_logits) if kind == "attention" else (tiny.recurrent_model, tiny.recurrent_logits)
    )
    runner = runners.Runner(make(session=rlx.Session("far")), batch=2, capacity=64, chunk=4)
    rows = [[1, 2, 3, 4, 5, 6, 7], [8, 9]]
    found = runner.prefill(rows)
    runner.truncate(1, 0)
    rows[1] = [3, 4, 5]
    again = runner.prefill([[], rows[1]])
    last = runner.decode([20, 21])
    np.testing.assert_allclose(found[0], logits(rows[0])[-1], rtol=2e-4, atol=2e-4)
    np.testing.assert_allclose(again[1], logits(rows[1])[-1], rtol=2e-4, atol=2e-4)
    for row, token in enumerate((20, 21)):
        np.testing.assert_allclose(last[row], logits([*rows[row], token])[-1], rtol=2e-4, atol=2e-4)


def test_decoding_moves_tokens_in_and_logits_out():
    from rlx.generate.runner import Runner
    from tests.generate import tiny

    runner = Runner(tiny.attention_model(session=rlx.Session("far")), capacity=64)
    runner.prefill([[1, 2, 3]])
    runner.decode([4])
    with crossing(upload=9, download=3):  # tokens, start and count; logits
        for token in (5, 6, 7):
            runner.decode([token])


def test_speculation_goes_back_without_downloading_states():
    from rlx.generate.runner import Runner
    from tests.generate import tiny

    runner = Runner(tiny.recurrent_model(session=rlx.Session("far")), capacity=64)
    runner.prefill([[1, 2, 3]])
    with crossing():
        snapshot = runner.snapshot()
    first = runner.decode([4])
    with crossing():
        runner.restore(snapshot)
    np.testing.assert_array_equal(runner.decode([4]), first)


def test_calibration_observes_values_of_the_device():
    g = rlx.Graph("one")
    g.set_outputs({"y": g.input("x", (2, 4)) @ g.param("w", (4, 4))})
    data = random(2, 4)
    found = rlx.quant.calibrate(g, [data], params={"w": WEIGHTS["w"]}, device="far")
    assert next(iter(found.ranges.values())) == (float(data.min()), float(data.max()))


@pytest.mark.parametrize("mode", ["test", "grad", "vmap", "perf"])
def test_the_conformance_program_runs_on_it(mode):
    from rlx.backends.conformance.__main__ import main

    assert main(["--device", "far", "--mode", mode, "--op", "log_softmax", "--dtype", "f32"]) == 0
