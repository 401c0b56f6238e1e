"""The random models of the suite gguf: files another reader accepts, of the sizes and types they are named after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.models import gguf_files

gguf = pytest.importorskip("gguf")
TINY = gguf_files.Size("tiny", 256, 8, 4, 2, 512, vocab=320)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gguf_files, "FOLDER", tmp_path)
    monkeypatch.setitem(gguf_files.SIZES, "tiny", TINY)
    return tmp_path


def tensors(path: Path) -> dict[str, Any]:
    return {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}


@pytest.mark.parametrize("mixture", ["Q4_K_M", "Q8_0", "Q4_0", "F16"])
def test_weights_have_the_deviation_of_a_trained_model(folder: Path, mixture: str) -> None:
    """1/√k, whatever the type, as the package of llama.cpp reads them."""
    found = tensors(gguf_files.model_file("tiny", mixture))
    assert len(found) == 3 + 9 * TINY.layers
    for name, tensor in found.items():
        if "norm" in name:
            continue
        numbers = gguf.dequantize(tensor.data, tensor.tensor_type)
        assert numbers.shape == tuple(int(size) for size in tensor.shape[::-1])
        assert np.std(numbers) * np.sqrt(numbers.shape[-1]) == pytest.approx(1, abs=0.25), name


def test_mixtures_store_some_tensors_in_more_bits(folder: Path) -> None:
    found = {name: tensor.tensor_type.name for name, tensor in tensors(gguf_files.model_file("tiny", "Q4_K_M")).items()}
    assert found["output.weight"] == "Q6_K" and found["token_embd.weight"] == "Q4_K"
    more = [layer for layer in range(TINY.layers) if found[f"blk.{layer}.ffn_down.weight"] == "Q6_K"]
    assert more == [0, 3, 6, 7]
    assert {found[f"blk.{layer}.attn_q.weight"] for layer in range(TINY.layers)} == {"Q4_K"}


def test_a_file_is_written_once(folder: Path) -> None:
    path = gguf_files.model_file("tiny", "Q8_0")
    written = path.stat().st_mtime_ns
    assert gguf_files.model_file("tiny", "Q8_0") == path and path.stat().st_mtime_ns == written
