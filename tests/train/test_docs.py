"""docs/training.md: its programs run, its configurations are accepted, and it lists every key."""

import re
from pathlib import Path

import numpy as np

from rlx.train.config import TrainingConfig, reference

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "training.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_key_is_listed():
    assert reference() in PAGE, "docs/training.md is not current: put what rlx.train.config.reference() gives at its end"


def test_configurations_are_accepted():
    assert blocks("toml")
    for text in blocks("toml"):
        TrainingConfig.parse(text)


def test_programs_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = {}
    for program in blocks("python"):
        exec(compile(program, "docs/training.md", "exec"), found)
    assert np.isfinite(found["found"]["loss"]) and found["found"]["grad_norm"] > 0
    assert np.abs(found["training"].param("w") - 3).max() < 0.2 and capsys.readouterr().out
    assert (tmp_path / "line.safetensors").exists()
