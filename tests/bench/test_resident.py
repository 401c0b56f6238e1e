"""The memory of a dense model: the folders it is measured on, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rlx
from bench import resident
from bench.models import llama_folders
from bench.models.gguf_files import Size

SEEN = {
    "tokens": 8,
    "weights": 100_000_000,
    "caches": 10_000_000,
    "resident": 126_000_000,
    "most": 130_000_000,
    "mapped": 60_000_000,
}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Size:
    size = Size("tiny", 64, 2, 4, 2, 96, vocab=320)
    monkeypatch.setitem(llama_folders.SIZES, "50M", size)
    return size


@pytest.mark.parametrize(("dtype", "bytes_each"), [("bf16", 2), ("f32", 4)])
def test_a_folder_is_a_llama_of_its_dtype(tiny: Size, dtype: str, bytes_each: int, tmp_path: Path) -> None:
    path = llama_folders.model_folder("50M", dtype, tmp_path)
    model = rlx.load_model(path)
    layer = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96 + 2 * 64
    count = 2 * layer + 2 * 320 * 64 + 64
    assert sum(tensor.nbytes for tensor in model.source.tensors.values()) == bytes_each * count
    assert model.tokenizer.encode("t5 t319", add_special=False) == [5, 319]
    written = (path / "model.safetensors").stat().st_mtime_ns
    assert llama_folders.model_folder("50M", dtype, tmp_path) == path
    assert (path / "model.safetensors").stat().st_mtime_ns == written, "written once"


def test_the_sizes_are_what_they_are_called() -> None:
    for name, size in llama_folders.SIZES.items():
        kv = size.kv_heads * size.head_dim
        layer = 2 * size.width * (size.width + kv) + 3 * size.width * size.hidden
        count = size.layers * layer + 2 * size.vocab * size.width
        assert abs(count / 1e6 / int(name.removesuffix("M")) - 1) < 0.1 and f"{count / 1e6:.0f}M" == size.name


@pytest.mark.long
def test_a_process_says_what_it_takes(tiny: Size, tmp_path: Path) -> None:
    path = llama_folders.model_folder("50M", "f32", tmp_path)
    seen = resident.in_a_process(path, 2, str(tmp_path / "cache"))
    assert seen["tokens"] == resident.TOKENS and seen["weights"] < seen["resident"] <= seen["most"]
    assert seen["caches"] > 0 and 0 < seen["mapped"] < seen["resident"]


def test_what_is_allowed_and_printed() -> None:
    assert resident.allowed(SEEN) == pytest.approx(126.5e6)
    first = {**SEEN, "resident": 220_000_000, "most": 230_000_000}
    text = resident.text_of("llama", first, SEEN)
    assert "weights 100 + caches 10 = 110 MB, allowed 126" in text and text.endswith("within")
    assert "first start: resident 220 MB = 2.00 x, of it mapped 60; at most 230" in text
    assert resident.text_of("llama", SEEN, first).endswith("above what is allowed")
