"""Trainings on meshes of 8 virtual devices give what one device gives; shardings and collectives are written down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import rlx
from rlx.core.sharding import ShardingTable
from tests.backends.xla.sharded import CASES

GOLDEN = Path(__file__).parents[2] / "golden" / "shardings"


def run(steps: int, layers: int, *names: str) -> list[dict[str, Any]]:
    """The cases in a process of its own with 8 devices."""
    command = [sys.executable, "-m", "tests.backends.xla.sharded", str(steps), str(layers), *names]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=1500, env={**os.environ, "JAX_PLATFORMS": "cpu"}
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(found: dict[str, Any]) -> None:
    assert found["gradients"] < 1e-12 and found["curve"] < 1e-9, found


def text_of(found: dict[str, Any]) -> str:
    lines = [f"{name:40} {spec:24} {dims}" for name, (spec, dims) in found["shardings"].items()]
    exchanges = [f"collective {name}: {count}" for name, count in found["collectives"].items()]
    return "\n".join([*lines, f"jax {'.'.join(jax.__version__.split('.')[:2])}", *exchanges, ""])


def compare(found: dict[str, Any]) -> None:
    """Shardings as they were; what XLA exchanges only with the release of JAX that it was written down with."""
    path, text = GOLDEN / f"{found['case'].replace('+', '_')}.txt", text_of(found)
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text)
    (mine, own), (theirs, other) = (whole.split("jax ") for whole in (text, path.read_text()))
    assert mine == theirs
    assert own == other or own.splitlines()[0] != other.splitlines()[0]


def test_a_mesh_gives_what_one_device_gives():
    (found,) = run(3, 1, "fsdp+tensor")
    check(found)
    compare(found)


@pytest.mark.long
def test_shardings_and_collectives_of_every_mesh():
    for found in run(3, 1, *CASES):
        compare(found)


@pytest.mark.long
def test_every_mesh_gives_the_curve_of_one_device():
    for found in run(50, 8, *CASES):
        check(found)
        assert found["fell"] > 0.01


def test_checkpoints_of_pieces(tmp_path):
    command = [sys.executable, "-m", "tests.backends.xla.sharded_checkpoints", str(tmp_path)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout)
    assert told["files"] == ["index-00000-of-00001.json", "pieces-00000-of-00001.safetensors"]
    assert told["pieces"]["up"] == [[16, 8]] * 4 and told["pieces"]["down"] == [[8, 8]] * 8
    assert told["pieces"]["adamw.m.down"] == told["pieces"]["ema.down"] == [[8, 8]] * 8
    assert told["pieces"]["scale"] == [[16]] and told["position same"] == {"row": "7"}
    assert told["same"] == told["curve"]  # to the bit
    np.testing.assert_allclose([told["other"], told["one device"]], [told["curve"]] * 2, rtol=1e-5)
    np.testing.assert_allclose(*told["from a file"], rtol=1e-5)
    assert told["random"] and told["damaged"] == "RLX701" and "1 of 2 indices" in told["incomplete"]


def test_a_mesh_larger_than_the_machine_is_refused():
    table = ShardingTable(rlx.Mesh((1000,), ("data",)))
    with pytest.raises(rlx.RlxError) as caught:
        rlx.Session("xla", sharding=table).arrays
    assert caught.value.code == "RLX406" and "JAX has" in str(caught.value)


@pytest.mark.long
def test_a_gguf_model_over_four_devices_says_what_it_says_on_the_cpu():
    from rlx.models.installed import find_model

    try:
        path = find_model("smollm2")
    except rlx.RlxError as error:
        pytest.skip(str(error))
    command = [sys.executable, "-m", "tests.backends.xla.sharded_model", str(path), "6"]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, env=environment)
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout.splitlines()[-1])
    expected = rlx.load_model(path, quant_mode="exact").generate(
        "The capital of France is", max_tokens=6, temperature=0
    )
    assert told["ids"] == list(expected.ids) and told["cut"] > 30
