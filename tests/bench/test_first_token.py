"""The first token and the memory: measured in processes of their own, judged by what is allowed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench import first_token
from bench.models import gguf_files

TINY = gguf_files.Size("tiny", 256, 2, 4, 2, 512, vocab=320)
OURS: dict[str, Any] = {
    "seconds": 0.7,
    "user": 0.6,
    "system": 0.1,
    "prompt": 41,
    "resident": 250e6,
    "most": 255e6,
    "file": 95e6,
    "caches": 10e6,
}
THEIRS: dict[str, Any] = {"seconds": 0.5, "user": 0.5, "system": 0.1, "prompt": 41}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gguf_files, "FOLDER", tmp_path)
    monkeypatch.setitem(gguf_files.SIZES, "tiny", TINY)
    return first_token.model_path("tiny-Q8_0")


def test_a_process_of_ours(tiny: Path, tmp_path: Path) -> None:
    cold, warm = (first_token.run("rlx", tiny, first_token.LETTERS, 2, str(tmp_path / "cache")) for _ in range(2))
    assert "failed" not in cold and "failed" not in warm, (cold, warm)
    assert warm["seconds"] > 0 and warm["user"] < cold["user"], "the second finds its programs in the cache"
    assert warm["file"] == tiny.stat().st_size and warm["prompt"] > len(first_token.LETTERS)
    token = 2 * 2 * 2 * 64 * 2  # layers, keys and values, heads, numbers, bytes of f16
    assert 0 <= warm["caches"] - (warm["prompt"] + first_token.TOKENS - 1) * token < 32 * token, "whole pages"
    assert warm["file"] + warm["caches"] < warm["resident"] <= warm["most"]
    assert first_token.bars_missed({"rlx": warm}) == []


def test_a_process_of_llama_cpp(tiny: Path, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    ours, theirs = (first_token.run(name, tiny, first_token.LETTERS, 2, str(tmp_path)) for name in ("rlx", "llama.cpp"))
    assert theirs["seconds"] > 0 and theirs["not counted"] > 0 and theirs["prompt"] == ours["prompt"]


def test_both_bars_are_judged() -> None:
    assert first_token.bars_missed({"rlx": OURS, "llama.cpp": THEIRS}) == []
    late, large = {**OURS, "seconds": 0.81}, {**OURS, "resident": 256e6}
    assert first_token.bars_missed({"rlx": late, "llama.cpp": THEIRS}) == ["the first token comes too late"]
    assert first_token.bars_missed({"rlx": large, "llama.cpp": {"failed": "not installed"}}) == ["too much memory"]
    assert first_token.bars_missed({"rlx": {"failed": "no such file"}, "llama.cpp": THEIRS}) == ["no such file"]


def test_what_is_printed() -> None:
    text = first_token.text_of("SmolLM2", {"rlx": OURS, "llama.cpp": THEIRS})
    assert "+0.20 s   allowed +0.30" in text and "250 MB   at most 255   allowed 255 = file 95 + caches 10 + 150" in text
    assert "not installed" in first_token.text_of("SmolLM2", {"rlx": OURS, "llama.cpp": {"failed": "not installed"}})


def test_a_process_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "Traceback\nImportError: no such thing\n")
    monkeypatch.setattr("bench.first_token.subprocess.run", lambda *_, **__: failed)
    assert first_token.run("rlx", Path("none.gguf"), "text", 2, "cache") == {"failed": "ImportError: no such thing"}
