"""rlx quantize: writes, reports, and explains what it refuses."""

import sys

import gguf
import numpy as np
import pytest

from rlx.cli import main
from rlx.formats.gguf_recipes import quantize_gguf
from rlx.formats.gguf_writer import write_gguf

pytest.importorskip("typer")
pytest.importorskip("rich")


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(0).standard_normal((64, 256)).astype(np.float32)
    write_gguf(
        "m.gguf", {"general.architecture": "llama"}, {"output.weight": x, "blk.0.ffn_up.weight": x, "output_norm.weight": x[0]}
    )

    def run(*words, code=0):
        monkeypatch.setattr(sys, "argv", ["rlx", "quantize", *words])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert (left.value.code or 0) == code, out + err
        return out + err

    return run


def test_a_file_is_written_and_reported(command):
    text = command("m.gguf", "out.gguf", "--type", "Q4_K_M")
    assert "│ F32  │ Q4_K      │       1 │  16,384 │" in text and "unchanged" in text and "bits per weight" in text
    kinds = {tensor.name: tensor.tensor_type.name for tensor in gguf.GGUFReader("out.gguf").tensors}
    assert kinds == {"output.weight": "Q6_K", "blk.0.ffn_up.weight": "Q4_K", "output_norm.weight": "F32"}
    command("m.gguf", "out.gguf", "--type", "q5_0", "--pure", "--force")
    assert gguf.GGUFReader("out.gguf").tensors[0].tensor_type.name == "Q5_0"


def test_quantizing_a_quantized_file_again_is_said(command):
    """Q4_1 became Q4_0 without a word."""
    assert "Warning:" not in command("m.gguf", "first.gguf", "--type", "q4_1")
    text = command("first.gguf", "second.gguf", "--type", "q4_0", "--pure")
    assert "2 tensors are quantized already (Q4_1, Q6_K): quantizing again loses accuracy a second time" in text
    assert text.index("Warning:") < text.index("second.gguf: ")
    assert "Warning:" not in command("first.gguf", "same.gguf", "--type", "q4_1")  # copied
    assert "Warning:" not in command("first.gguf", "floats.gguf", "--type", "f16")  # back to floats
    with pytest.warns(UserWarning, match="quantized already") as raised:
        quantize_gguf("first.gguf", "third.gguf", "q8_0")
    assert raised[0].filename == __file__


def test_what_is_refused_says_why(command):
    assert "one of f32, f16" in command("m.gguf", "out.gguf", "--type", "q9", code=1)
    assert "RLX303" in command("none.gguf", "out.gguf", "--type", "q8_0", code=1)
    assert "no folder" in command("m.gguf", "missing/out.gguf", "--type", "q8_0", code=1)
    command("m.gguf", "out.gguf", "--type", "q8_0")
    assert "--force" in command("m.gguf", "out.gguf", "--type", "q8_0", code=1)
