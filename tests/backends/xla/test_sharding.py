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
from rlx.core.quant_scheme import QuantScheme
from rlx.core.sharding import ShardingTable
from rlx.formats.gguf_writer import QuantizedTensor, write_gguf
from rlx.formats.quantizers import quantize_rows
from tests.backends.xla.sharded import CASES
from tests.models.convert import settings, vocabulary

GOLDEN = Path(__file__).parents[2] / "golden" / "shardings"


BOUNDS = {"f64": ("largest", 1e-12, 1e-9), "f32": ("norm", 1e-5, 1e-3)}
"""How gradients of the first step are measured, how far they may be from those of one device, and how far the losses."""


def run(steps: int, layers: int, precision: str, *names: str) -> list[dict[str, Any]]:
    """The cases in a process of its own with 8 devices."""
    command = [sys.executable, "-m", "tests.backends.xla.sharded", str(steps), str(layers), precision, *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, env={**os.environ, "JAX_PLATFORMS": "cpu"})
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Involuntary full rematerialization" not in done.stderr  # XLA's word for a cut that it cannot follow
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(found: dict[str, Any]) -> None:
    measure, gradients, curve = BOUNDS[found["precision"]]
    assert found[measure] < gradients and found["curve"] < curve, found


def text_of(found: dict[str, Any]) -> str:
    lines = [f"{name:40} {spec:24} {dims}" for name, (spec, dims) in found["shardings"].items()]
    exchanges = [f"collective {name}: {count}, {size} bytes" for name, (count, size) in found["collectives"].items()]
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
    (found,) = run(4, 2, "f64", "fsdp+tensor")
    check(found)
    compare(found)


@pytest.mark.long
def test_dropout_does_not_depend_on_the_mesh():
    (found,) = run(4, 2, "f32", "dropout")
    check(found)


@pytest.mark.long
def test_shardings_and_collectives_of_every_mesh():
    for found in run(4, 2, "f64", *CASES):
        check(found)
        compare(found)


@pytest.mark.long
@pytest.mark.parametrize("precision", BOUNDS)
@pytest.mark.parametrize("case", CASES)
def test_every_mesh_gives_the_curve_of_one_device(case, precision):
    (found,) = run(50, 8, precision, case)
    print({key: found[key] for key in ("case", "precision", "largest", "norm", "curve", "fell")})
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


def small_gguf(path: Path) -> None:
    """A Llama of two layers whose matrices are stored as Q8_0 and Q4_0, at random."""
    random, hidden, inner, words = np.random.default_rng(11), 64, 128, 320
    config = {
        "max_position_embeddings": 64,
        "hidden_size": hidden,
        "num_hidden_layers": 2,
        "intermediate_size": inner,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_theta": 1e4, "rope_type": "default"},
    }
    sizes = {"token_embd": (words, hidden), "output": (words, hidden)}
    for layer in range(2):
        shapes = {f"attn_{name}": (hidden, hidden) for name in ("q", "k", "v", "output")}
        shapes |= {"ffn_gate": (inner, hidden), "ffn_up": (inner, hidden), "ffn_down": (hidden, inner)}
        sizes |= {f"blk.{layer}.{name}": dims for name, dims in shapes.items()}
    tensors: dict[str, Any] = {"output_norm.weight": np.ones(hidden, np.float32)}
    for layer in range(2):
        tensors |= {f"blk.{layer}.{name}_norm.weight": np.ones(hidden, np.float32) for name in ("attn", "ffn")}
    for name, dims in sizes.items():
        kind = "Q4_0" if name.endswith(("up", "gate")) else "Q8_0"
        rows = quantize_rows(kind, random.standard_normal(dims).astype(np.float32) * 0.2)
        tensors[f"{name}.weight"] = QuantizedTensor(QuantScheme.gguf(kind), rows)
    write_gguf(path, settings(config, "llama")[0] | vocabulary(words), tensors)


def said_over_four_devices(path: Path, tokens: int, *ids: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.backends.xla.sharded_model", str(path), str(tokens), *map(str, ids)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, env=environment)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.long
def test_a_small_gguf_model_over_four_devices_gives_the_tokens_of_the_cpu(tmp_path):
    small_gguf(tmp_path / "small.gguf")
    prompt = [3, 141, 59, 265, 35]
    told = said_over_four_devices(tmp_path / "small.gguf", 12, *prompt)
    model = rlx.load_model(tmp_path / "small.gguf", quant_mode="exact")
    expected = list(model.generate(prompt, max_tokens=12, temperature=0).ids)
    assert told["ids"] == expected and len(set(expected)) > 4 and told["cut"] >= 14


@pytest.mark.long
def test_a_gguf_model_over_four_devices_says_what_it_says_on_the_cpu():
    from rlx.hub import find_model

    try:
        path = find_model("smollm2")
    except rlx.RlxError as error:
        pytest.skip(str(error))
    told = said_over_four_devices(path, 6)
    model = rlx.load_model(path, quant_mode="exact")
    expected = model.generate("The capital of France is", max_tokens=6, temperature=0)
    assert told["ids"] == list(expected.ids) and told["cut"] > 30
