"""The command `rlx`: every command runs, says what it should, and needs its extra only when used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rlx
from rlx.cli import main
from rlx.ir.op import OPS
from rlx.passes.pipeline import PIPELINE
from tests.small_llama import random_params, small_llama

pytest.importorskip("typer")
pytest.importorskip("rich")


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command in this process; gives what it printed, or with another code what it complained about."""

    def run(*words, code=0, **environment):
        monkeypatch.setenv("COLUMNS", "200")
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["rlx", *words])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert (left.value.code or 0) == code, out + err
        return out if code == 0 else err

    return run


def test_passes_prints_the_pipeline_in_order(command):
    text = command("passes")
    places = [text.index(f"│ {number:2} │ {one.name} ") for number, one in enumerate(PIPELINE, 1)]
    assert places == sorted(places)
    assert "split_prepare" in text and "softmax(x)  ->" in text and "for speed" in text


def test_passes_shows_what_a_device_leaves_out_and_adds(command):
    assert text_row(command("passes", "--device", "reference"), "canonicalize") == "left out"
    assert text_row(command("passes", "--device", "reference"), "plan") == "always"
    assert text_row(command("passes", "--device", "cpu", RLX_CANARIES="1"), "canaries") == "added"
    assert "'gpu' is not a device" in command("passes", "--device", "gpu", code=1)


def text_row(text, name):
    """What the table says of a pass."""
    return next(line for line in text.splitlines() if f"│ {name} " in line).split("│")[3].strip()


def test_ops_lists_and_shows(command):
    text = command("ops")
    for record in OPS:
        assert f"│ {record.name} " in text
    text = command("ops", "rope")
    assert "head_dim=" in text and "native kernel" in text and "Rotary" in text
    assert "cumsum" in command("ops", "cum")
    assert "did you mean softmax" in command("ops", "sofmax", code=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ops", "nosuchopatall"), "`rlx ops` lists them"),
        (("inspect", "missing.gguf"), "no such file"),
        (("inspect", "smolm2"), "did you mean 'smollm2'?"),
        (("inspect", "Makefile"), "not an RLX file"),
        (("inspect", "missing.rlxe"), "the path of a file or folder"),
        (("train", "missing.toml"), "missing.toml"),
        (("run", "missing.gguf", "hello"), "missing.gguf"),
        (("run", "missing.gguf", "hello", "--temperature", "-1"), "temperature"),
        (("run", "missing.gguf", "hello", "--top-p", "7"), "top_p"),
        (("quantize", "missing.gguf", "out.gguf", "--type", "Q4_K_M"), "missing.gguf"),
        (("bench", "missing.gguf"), "missing.gguf"),
        (("demo", "train", "--text", "missing.txt"), "missing.txt"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_nothing_about_damage(command, words, said):
    text = " ".join(command(*words, code=1).split())
    assert said in text and "RLX" in text and "fix:" in text and "damaged" not in text and "Traceback" not in text


def test_inspect_shows_modules_and_executables(command, tmp_path):
    module = small_llama()
    module.save(tmp_path / "module.rlx")
    text = command("inspect", str(tmp_path / "module.rlx"))
    assert "hir @llama" in text and "llama_decoder_block" in text
    exe = rlx.compile(module)
    exe.set_params(random_params(exe.graph))
    exe.save(tmp_path / "exe.rlxe", params=True)
    text = command("inspect", str(tmp_path / "exe.rlxe"))
    shapes = ("ids: i32[batch, seq]", "logits: f32[batch, seq, 64]")
    for words in ("Executable llama", *shapes, "14, 14 of them in the file", "batch*seq", "kernels"):
        assert words in text
    assert "RLX303" in command("inspect", str(tmp_path / "nothing.rlx"), code=1)
    (tmp_path / "text.rlx").write_text("hello")
    assert "is not an RLX file" in command("inspect", str(tmp_path / "text.rlx"), code=1)


def test_doctor_measures_and_checks(command, tmp_path):
    text = command("doctor", "--seconds", "0.2", RLX_CACHE_DIR=str(tmp_path), RLX_THREADS="2")
    for words in (
        "CPU",
        "instruction sets",
        "GFLOP/s",
        "GB/s",
        "Native code is correct",
        str(tmp_path)[:20],
        "llvmlite",
        "RLX_THREADS=2",
    ):
        assert words in text
    assert "off" in command("doctor", "--seconds", "0.2", RLX_CACHE="0")


def test_tune_shows_what_it_tried_and_doctor_what_was_kept(command, tmp_path):
    text = command("tune", "--seconds", "0.1", RLX_CACHE_DIR=str(tmp_path), RLX_THREADS="2")
    assert all(part in text for part in ("prefetch_distance", "1792", "k_block", "384", "chosen", "GB/s", "GFLOP/s", "Saved in"))
    assert "nothing was saved" in command("tune", "--seconds", "0.1", RLX_CACHE="0")
    assert "tuned sizes" in command("doctor", "--seconds", "0.2", RLX_CACHE_DIR=str(tmp_path))


def test_doctor_says_when_results_are_wrong(monkeypatch, capsys):
    from rich.console import Console

    from rlx.cli import app as doctor
    from rlx.runtime.check import Checked, CheckReport

    row = Checked("compiled", "softmax", "model.py:3", 5.0, 0.1, 1, 10, "at [0]: 1 instead of 2")
    monkeypatch.setattr(doctor, "check", lambda exe, inputs: CheckReport((row,)))
    assert not doctor.examine(Console(width=200), 0.1)
    text = capsys.readouterr().out
    assert "WRONG on this machine" in text and "softmax" in text


def test_version_and_help(command):
    found = subprocess.run([sys.executable, "-m", "rlx", "--version"], capture_output=True, text=True)
    assert found.stdout == f"rlx {rlx.__version__}\n", found.stderr
    assert all(name in command("--help") for name in ("doctor", "passes", "ops", "inspect"))


def test_without_the_extra_it_says_how_to_get_it():
    code = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("typer", "rich"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from rlx.cli import main
main()
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.returncode == 2
    assert "pip install 'rlx[cli]'" in found.stderr and "Traceback" not in found.stderr


def test_the_package_does_not_load_it():
    code = "import rlx, sys; rlx.compile; rlx.check; assert 'typer' not in sys.modules and 'rich' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_measured_speed_is_plausible():
    from rlx.backends.cpu.machine import measure

    speed = measure(0.1)
    assert 0.5 < speed.gflops < 1e5 and 0.1 < speed.gigabytes < 1e4
