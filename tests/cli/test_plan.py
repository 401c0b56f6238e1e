"""rlx plan: what it prints, and how it ends."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rlx.cli.app import app
from rlx.core.errors import RlxError
from rlx.estimate import chips

RUN = """[data]
paths = "book.txt"
[model]
layers = 1
width = 32
heads = 4
kv_heads = 2
ffn = 48
vocabulary_size = 288
[training]
batch = 32
length = 16
precision = "auto_mixed_bf16"
[device]
sharding = "fsdp"
"""

GOLDEN = Path(__file__).parents[1] / "golden" / "plan.txt"


def planned(tmp_path, *words):
    path = tmp_path / "run.toml"
    path.write_text(RUN)
    found = CliRunner().invoke(app, ["plan", str(path), *words])
    if isinstance(found.exception, RlxError):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.output


def test_what_it_prints(tmp_path):
    text = planned(tmp_path, "--mesh", "8", "--chip", "v5e")
    if os.environ.get("UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


def test_a_sharding_of_the_command_line(tmp_path):
    text = planned(tmp_path, "--mesh", "2x2", "--chip", "h200", "--sharding", "tensor")
    assert "on 4 h200 (data=2 model=2, tensor)" in text and "over model" in text


@pytest.mark.parametrize(
    "words, code, said",
    [
        (("--mesh", "8", "--chip", "v9"), "RLX406", "'v9' is not a chip"),
        (("--mesh", "8y", "--chip", "v5e"), "RLX406", "'8y' is not a mesh"),
        (("--mesh", "3", "--chip", "v5e"), "RLX406", "32 rows over 3 devices"),
        (("--mesh", "2x2x2", "--chip", "v5e"), "RLX406", "3 sizes"),
    ],
)
def test_bad_input(tmp_path, words, code, said):
    with pytest.raises(RlxError) as caught:
        planned(tmp_path, *words)
    assert caught.value.code == code and said in str(caught.value) and caught.value.fix


def test_a_run_that_does_not_fit_is_printed_and_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(chips.CHIPS, "v5e", replace(chips.CHIPS["v5e"], memory_bytes=1000))
    with pytest.raises(RlxError) as caught:
        planned(tmp_path, "--mesh", "8", "--chip", "v5e")
    assert caught.value.code == "RLX514" and "too much" in str(caught.value)


def test_a_missing_file(tmp_path):
    found = CliRunner().invoke(app, ["plan", str(tmp_path / "none.toml"), "--mesh", "8", "--chip", "v5e"])
    assert isinstance(found.exception, RlxError) and found.exception.code == "RLX801"
