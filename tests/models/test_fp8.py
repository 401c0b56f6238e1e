"""Folders in 8-bit floats: with their scales they are the model; other quantizations are refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from rlx.core.errors import RlxError
from rlx.models import open_model
from tests.models.running import Running, close
from tests.models.tiny_models import logits, reference, save, token_ids

Scales = Callable[[torch.Tensor], torch.Tensor]
BLOCK = (32, 48)


def by_blocks(matrix: torch.Tensor) -> torch.Tensor:
    """A scale for each block of 32 × 48, the last ones smaller."""
    rows, columns = matrix.shape[-2:]
    padded = torch.nn.functional.pad(matrix, (0, -columns % BLOCK[1], 0, -rows % BLOCK[0]))
    blocks = padded.reshape(*matrix.shape[:-2], -(-rows // BLOCK[0]), BLOCK[0], -(-columns // BLOCK[1]), BLOCK[1])
    return blocks.abs().amax((-3, -1)) / 448


SCALES: dict[str, tuple[Scales, str, Any]] = {
    "blocks": (by_blocks, "_scale_inv", list(BLOCK)),
    "a matrix": (lambda matrix: matrix.abs().max() / 448, "_scale_inv", None),
    "a matrix, as a list": (lambda matrix: (matrix.abs().max() / 448).reshape(1), "_scale", None),
    "rows": (lambda matrix: matrix.abs().amax(-1, keepdim=True) / 448, "_scale", None),
}


def in_fp8(name: str, folder: Path, scales: Scales, ending: str, block: Any, kind: torch.dtype = torch.float8_e4m3fn) -> Any:
    """A folder whose matrices in layers are 8-bit floats; gives the model with the numbers they stand for."""
    save(name, folder)
    tensors, stored, numbers = load_file(folder / "model.safetensors"), {}, {}
    for key, value in tensors.items():
        if value.ndim < 2 or "layers" not in key:
            stored[key] = value
            continue
        scale = scales(value)
        wide = scale
        if scale.ndim == 2 and scale.shape[-1] > 1:
            wide = scale.repeat_interleave(BLOCK[0], -2)[: value.shape[0]].repeat_interleave(BLOCK[1], -1)[:, : value.shape[1]]
        stored[key] = (value / wide).to(kind)
        stored[key + ending] = scale.clone()
        numbers[key] = stored[key].float() * wide
    save_file(stored, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    quantized = {
        "quant_method": "fp8",
        "activation_scheme": "dynamic",
        "weight_block_size": block,
        "modules_to_not_convert": ["lm_head"],
    }
    (folder / "config.json").write_text(json.dumps({**config, "quantization_config": quantized}))
    oracle = type(reference(name))(reference(name).config).eval()
    plain = folder / "plain"
    plain.mkdir()
    save_file({**tensors, **numbers}, plain / "model.safetensors")
    (plain / "config.json").write_text(json.dumps(config))
    return type(oracle).from_pretrained(plain, attn_implementation="eager", dtype=torch.float32).eval()


@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("name", ["qwen3", "mixtral"])
def test_fp8_folders_are_the_model_their_scales_say(name: str, scales: str, tmp_path: Path) -> None:
    oracle = in_fp8(name, tmp_path, *SCALES[scales])
    running = Running.of(oracle, tmp_path, decodes=False)
    ids = token_ids(1, 12, seed=5)
    expected = logits(oracle, ids[0], [12])
    assert np.abs(expected - logits(reference(name), ids[0], [12])).max() > 1e-3  # rounding to 8 bits is seen
    running.fresh(1)
    close(running.feed(running.prefill, ids, [0], [12])[0], expected)


def test_e5m2_too(tmp_path: Path) -> None:
    oracle = in_fp8("llama", tmp_path, *SCALES["a matrix"], kind=torch.float8_e5m2)
    running = Running.of(oracle, tmp_path, decodes=False)
    ids = token_ids(1, 9, seed=6)
    running.fresh(1)
    close(running.feed(running.prefill, ids, [0], [9])[0], logits(oracle, ids[0], [9]))


def changed(folder: Path, tensors: dict[str, torch.Tensor] | None = None, **quantized: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {**config.get("quantization_config", {}), **quantized}
    (folder / "config.json").write_text(json.dumps(config))
    if tensors is not None:
        save_file(tensors, folder / "model.safetensors")


def refused(folder: Path, code: str, *words: str) -> None:
    with pytest.raises(RlxError) as raised:
        open_model(folder)
    assert raised.value.code == code and all(word in str(raised.value) for word in words), str(raised.value)


Q = "model.layers.0.self_attn.q_proj.weight"


def test_scales_that_are_missing_or_do_not_fit(tmp_path: Path) -> None:
    in_fp8("qwen3", tmp_path, *SCALES["blocks"])
    tensors = load_file(tmp_path / "model.safetensors")
    scale = tensors[f"{Q}_scale_inv"]
    changed(tmp_path, {key: value for key, value in tensors.items() if key != f"{Q}_scale_inv"})
    refused(tmp_path, "RLX703", f"{Q}_scale_inv")
    changed(tmp_path, {**tensors, f"{Q}_scale_inv": torch.cat([scale, scale])})
    refused(tmp_path, "RLX701", Q, "[128, 64]", "[8, 2]", "[32, 48]")
    changed(tmp_path, {**tensors, f"{Q}_scale_inv": scale.to(torch.int32)})
    refused(tmp_path, "RLX702", Q, "i32")
    changed(tmp_path, {key: value for key, value in tensors.items() if key != Q})
    refused(tmp_path, "RLX702", f"{Q}_scale_inv")
    changed(tmp_path, tensors, weight_block_size=[64, 64])
    refused(tmp_path, "RLX701", "[64, 64]")
    changed(tmp_path, tensors, weight_block_size=list(BLOCK), expert_dtype="fp4")
    refused(tmp_path, "RLX702", "expert_dtype", "fp4")


@pytest.mark.parametrize(
    "method", ["awq", "gptq", "bitsandbytes", "compressed-tensors", "fbgemm_fp8", "mxfp4", "quanto", "hqq", "torchao"]
)
def test_other_quantizations_are_refused_by_name(method: str, tmp_path: Path) -> None:
    save("llama", tmp_path)
    changed(tmp_path, quant_method=method, bits=4)
    refused(tmp_path, "RLX702", method, "GGUF")


def test_a_quantization_without_a_name(tmp_path: Path) -> None:
    save("llama", tmp_path)
    changed(tmp_path, load_in_4bit=True)
    refused(tmp_path, "RLX702", "bitsandbytes")


def test_gptq_tensors_without_settings(tmp_path: Path) -> None:
    """As folders of earlier releases have them, with settings in a file of their own."""
    save("llama", tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    tensors[Q.replace("weight", "qweight")] = tensors.pop(Q).to(torch.int32)
    save_file(tensors, tmp_path / "model.safetensors")
    refused(tmp_path, "RLX702", "qweight", "GPTQ")
