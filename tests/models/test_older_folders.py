"""Folders as earlier releases of transformers wrote them, and as models of images and text have them: read as today's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.models import Shapes, open_model
from tests.models.convert import to_gguf
from tests.models.tiny_models import save

Settings = dict[str, Any]


def flat_rope(config: Settings) -> None:
    """`rope_theta` and `rope_scaling` in place of `rope_parameters`; the kind was called `type` at first."""
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    if "partial_rotary_factor" in rope:
        config["partial_rotary_factor"] = rope.pop("partial_rotary_factor")
    config["rope_scaling"] = None if rope["rope_type"] == "default" else {"type": rope.pop("rope_type"), **rope}


def gemma3_of_2025(config: Settings) -> None:
    ropes = config.pop("rope_parameters")
    config["rope_theta"] = ropes["full_attention"].pop("rope_theta")
    config["rope_scaling"] = ropes["full_attention"]
    config["rope_local_base_freq"] = ropes["sliding_attention"]["rope_theta"]
    config["sliding_window_pattern"] = config.pop("layer_types").index("full_attention") + 1


def before_layer_types(config: Settings) -> None:
    flat_rope(config)
    del config["layer_types"]


OLDER: dict[str, Callable[[Settings], None]] = {
    "llama": flat_rope,
    "llama dynamic": flat_rope,
    "mistral": flat_rope,
    "mixtral": flat_rope,
    "qwen2": flat_rope,
    "qwen2 windows": before_layer_types,
    "gemma2": before_layer_types,
    "gemma3": gemma3_of_2025,
    "phi3": flat_rope,
}


@pytest.mark.parametrize("name", OLDER)
def test_older_settings_mean_the_same(name: str, tmp_path: Path) -> None:
    today = open_model(save(name, tmp_path)).config
    config = json.loads((tmp_path / "config.json").read_text())
    OLDER[name](config)
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert open_model(tmp_path).config == today


@pytest.mark.parametrize("used", [{}, {"use_sliding_window": False}])
def test_qwen2_names_a_window_it_does_not_use(used: Settings, tmp_path: Path) -> None:
    save("qwen2", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    del config["use_sliding_window"]
    (tmp_path / "config.json").write_text(json.dumps({**config, "sliding_window": 8, **used}))
    assert open_model(tmp_path).config.window is None  # type: ignore[attr-defined]


def test_qwen3_moe_does_not_norm_weights_unasked(tmp_path: Path) -> None:
    """That is what transformers does with a folder that does not say."""
    save("qwen3moe", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    assert open_model(tmp_path).config.experts_normalized  # type: ignore[attr-defined]
    del config["norm_topk_prob"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert not open_model(tmp_path).config.experts_normalized  # type: ignore[attr-defined]


def test_gemma3_files_name_local_layers_by_a_period_or_one_by_one(tmp_path: Path) -> None:
    to_gguf(save("gemma3", tmp_path), tmp_path / "period.gguf")
    file = read_gguf(tmp_path / "period.gguf")
    listed = {**file.metadata, "gemma3.attention.sliding_window_pattern": np.array([True, True, False])}
    write_gguf(tmp_path / "list.gguf", listed, file.tensors)
    period, one_by_one = (open_model(tmp_path / f"{name}.gguf").config for name in ("period", "list"))
    assert one_by_one == period and period.local == (True, True, False)  # type: ignore[attr-defined]


def renamed(folder: Path, change: Callable[[str], str]) -> None:
    tensors = load_file(folder / "model.safetensors")
    save_file({change(name): array for name, array in tensors.items()}, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("gpt2", lambda name: name.removeprefix("transformer.")),
        ("llama", lambda name: name.removeprefix("model.")),
        ("gemma3", lambda name: f"language_model.{name}"),
        ("gemma3", lambda name: name.replace("model.", "model.language_model.", 1)),
    ],
)
def test_whatever_stands_in_front_of_a_name(name: str, change: Callable[[str], str], tmp_path: Path) -> None:
    expected = open_model(save(name, tmp_path)).source.weights
    numbers = {ours: weight.load().copy() for ours, weight in expected.items()}
    renamed(tmp_path, change)
    found = open_model(tmp_path).source.weights
    assert found.keys() == expected.keys()
    for ours, array in numbers.items():
        np.testing.assert_array_equal(found[ours].load(), array)


def test_what_a_model_of_images_and_text_says_of_the_whole_comes_first(tmp_path: Path) -> None:
    """Its settings of text often repeat what their class has by default."""
    save("gemma3", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    whole = {"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "tie_word_embeddings": False}
    whole |= {"quantization_config": {"quant_method": "awq"}, "text_config": {**config, "quantization_config": None}}
    (tmp_path / "config.json").write_text(json.dumps(whole))
    with pytest.raises(RlxError, match="awq"):
        open_model(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({**whole, "quantization_config": None}))
    tensors = load_file(tmp_path / "model.safetensors")
    save_file({**tensors, "lm_head.weight": tensors["model.embed_tokens.weight"] + 1}, tmp_path / "model.safetensors")
    assert "output" in open_model(tmp_path).source.weights


def test_the_text_of_a_model_of_images_and_text(tmp_path: Path) -> None:
    """Gemma 3 from 4B on: settings of text lie one level deeper."""
    today = open_model(save("gemma3", tmp_path)).config
    config = json.loads((tmp_path / "config.json").read_text())
    whole = {
        "architectures": ["Gemma3ForConditionalGeneration"],
        "model_type": "gemma3",
        "text_config": config,
        "vision_config": {},
    }
    (tmp_path / "config.json").write_text(json.dumps(whole))
    renamed(tmp_path, lambda name: f"language_model.{name}")
    model = open_model(tmp_path)
    assert replace(model.config, architecture=today.architecture) == today
    assert list(model.graph(Shapes(seq=2)).into_graph().outputs) == ["logits"]
