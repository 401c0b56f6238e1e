"""The device that plans everything and runs nothing: what it counts, what it leaves alone, what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rlx
from rlx.train import SGD, compile_training
from tests.small_llama import random_params, small_llama

BACKEND = Path(rlx.__file__).parent / "backends" / "null" / "backend.py"


def scale(n="n"):
    g = rlx.Graph("scale")
    x = g.input("x", (n, 4))
    g.set_outputs({"y": x * g.param("w", (4,))})
    return g


def counter():
    g = rlx.Graph("counter")
    seen = g.state("seen", (2,), "f32", init=5.0)
    x = g.input("x", (2,))
    g.update(seen, seen + x)
    g.set_outputs({"y": seen * x})
    return g


def test_it_is_short_enough_to_be_the_example():
    assert len(BACKEND.read_text().splitlines()) < 120


def test_a_profile_counts_the_bytes_of_operands_for_the_sizes_that_came():
    exe = rlx.compile(scale(), "null")
    exe.set_param("w", np.ones(4, np.float32))
    for n in (1, 7, 100):
        found = exe.profile({"x": np.ones((n, 4), np.float32)}, runs=2)
        assert len(found.lines) == 1
        assert found.bytes == 4 * (n * 4 + 4 + n * 4)  # x, w and y, once each
        assert found.seconds == 0 and found.operations == 0


def test_a_llama_block_is_planned_and_its_results_are_zeros():
    exe = rlx.compile(small_llama(), "null")
    exe.set_params(random_params(exe.graph))
    ids = np.zeros((2, 5), np.int32)
    logits = exe.run({"ids": ids})["logits"]
    assert logits.shape == (2, 5, 64) and not logits.any()
    found = exe.profile({"ids": ids})
    assert len(found.lines) == len(exe.lir.commands) > 5
    weights = sum(
        4 * int(np.prod(node.shape.dims)) for name, node in exe.graph.params.items() if name not in ("cos", "sin", "embed")
    )
    assert found.bytes > weights
    assert f"{len(exe.lir.commands)} commands" in str(exe.report.facts["main"])


def test_longer_sequences_read_more_bytes_by_the_same_commands():
    exe = rlx.compile(small_llama(), "null")
    exe.set_params(random_params(exe.graph))
    short, long = (exe.profile({"ids": np.zeros((1, seq), np.int32)}) for seq in (2, 40))
    assert [line.kernel for line in short.lines] == [line.kernel for line in long.lines]
    assert short.bytes < long.bytes


def test_a_training_step_is_planned_and_params_stay():
    g = rlx.Graph("fit")
    x, w = g.input("x", (8, 4)), g.param("w", (4, 1))
    g.set_outputs({"loss": g.reduce_mean((x @ w) * (x @ w), axes=(0, 1))})
    step = compile_training(g, "loss", SGD(lr=0.1), device="null")
    step.set_params({"w": np.full((4, 1), 3, np.float32)})
    assert step.step({"x": np.ones((8, 4), np.float32)})["loss"] == 0
    np.testing.assert_array_equal(step.param("w"), np.full((4, 1), 3, np.float32))


def test_states_keep_their_values():
    exe = rlx.compile(counter(), "null")
    for _ in range(3):
        assert not exe(x=np.ones(2, np.float32)).any()
    np.testing.assert_array_equal(exe.state("seen"), [5, 5])


def test_memory_is_known_before_a_run():
    g = rlx.Graph("two")
    x = g.input("x", ("n", 16))
    g.set_outputs({"y": (x @ g.param("a", (16, 16))) @ g.param("b", (16, 16))})
    memory = rlx.compile(g, "null").memory
    assert memory(n=10)["outputs"] == 640
    assert memory(n=20)["working"] >= 2 * 640  # the product in between


def test_a_clone_counts_alike():
    exe = rlx.compile(scale(), "null")
    exe.set_param("w", np.ones(4, np.float32))
    x = {"x": np.ones((3, 4), np.float32)}
    assert exe.clone().profile(x) == exe.profile(x)


def test_every_stage_is_dumped(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_DUMP", str(tmp_path))
    rlx.compile(scale(), "null")
    (folder,) = tmp_path.iterdir()
    names = sorted(path.name for path in folder.iterdir())
    assert "report.txt" in names and names[0] == "00-built.rlx" and any(name.endswith("-plan.rlx") for name in names)
    assert not [name for name in names if name.endswith((".ll", ".s"))]


def test_it_is_not_saved(tmp_path):
    exe = rlx.compile(scale(), "null")
    with pytest.raises(rlx.RlxError, match="'scale' on 'null' has no code") as error:
        exe.save(tmp_path / "scale.rlxe")
    assert error.value.code == "RLX403" and not list(tmp_path.iterdir())
    assert [entry.message for entry in exe.report.of("cache")] == ["compiled; not stored, 'null' has no cache"]


def test_check_says_that_there_is_nothing_to_check():
    exe = rlx.compile(scale(), "null")
    exe.set_param("w", np.ones(4, np.float32))
    with pytest.raises(rlx.RlxError, match="'null' computes nothing") as error:
        rlx.check(exe, {"x": np.ones((2, 4), np.float32)})
    assert error.value.code == "RLX403" and "reference" in error.value.fix


def test_wrong_inputs_are_refused_as_on_every_device():
    exe = rlx.compile(scale(), "null")
    exe.set_param("w", np.ones(4, np.float32))
    with pytest.raises(rlx.RlxError, match="RLX503"):
        exe.run({"x": np.ones((2, 5), np.float32)})


def test_packed_weights_are_planned_and_stay_as_they_were_given():
    g = rlx.Graph("packed")
    x = g.input("x", ("n", 32))
    g.set_outputs({"y": x @ g.param("w", (32, 8), scheme=rlx.QuantScheme.gguf("Q8_0"))})
    exe = rlx.compile(g, "null")
    rows = np.arange(8 * 34, dtype=np.uint8).reshape(8, 34)
    exe.set_param("w", rows)
    assert exe(x=np.ones((2, 32), np.float32)).shape == (2, 8)
    np.testing.assert_array_equal(exe.param("w"), rows)


def test_weights_are_not_packed_into_panels():
    assert not rlx.compile(small_llama(), "null").report.of("packed")


def test_nothing_is_decomposed_and_fusion_is_seen():
    g = rlx.Graph("norm")
    x = g.input("x", (4, 8))
    g.set_outputs({"y": g.softmax(x) * 2.0})
    assert not rlx.compile(g, "null").report.of("decomposed")
