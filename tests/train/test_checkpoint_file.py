"""Checkpoints that are damaged, of another training, or cannot be written: refused with the reason, and nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.formats.safetensors import read_metadata, read_safetensors, write_safetensors
from rlx.train import AdamW, compile_training
from rlx.train.checkpoints import Checkpoints

WEIGHTS = {"w": np.arange(6, dtype=np.float32).reshape(3, 2)}
BATCH = {"x": np.ones((4, 3), np.float32)}


def training(width: int = 2, accumulate: int = 1) -> Any:
    g = rlx.Graph("line")
    error = g.input("x", (4, 3)) @ g.param("w", (3, width)) - 1.0
    g.set_outputs({"loss": (error * error).mean()})
    return compile_training(g, "loss", AdamW(lr=0.1), accumulate=accumulate, device="reference")


@pytest.fixture
def begun() -> Any:
    """After one step."""
    made = training()
    made.set_params(WEIGHTS)
    made.step(BATCH)
    return made


def values(made: Any) -> dict[str, bytes]:
    """All that a checkpoint holds."""
    params = {name: made.session.param(name).tobytes() for name in made.params}
    return params | {name: made.session.state(name).tobytes() for name in made.states}


# -- damage --------------------------------------------------------------------------------------------------------------
def test_any_flipped_bit_of_the_numbers_is_seen(begun: Any, tmp_path: Path) -> None:
    path = tmp_path / "c.safetensors"
    begun.save(path)
    data = path.read_bytes()
    start = 8 + struct.unpack_from("<Q", data)[0]
    before = values(begun)
    for bit in range(start * 8, len(data) * 8, 13):
        broken = bytearray(data)
        broken[bit // 8] ^= 1 << bit % 8
        path.write_bytes(broken)
        with pytest.raises(RlxError, match=r"RLX701.*c\.safetensors.*checksum"):
            begun.load(path)
    assert values(begun) == before


@pytest.mark.parametrize("change", ["position", "swapped tensors", "transposed"])
def test_a_changed_header_is_seen(change: str, begun: Any, tmp_path: Path) -> None:
    path = tmp_path / "c.safetensors"
    begun.save(path, row=5)
    text, tensors = (read_metadata(path), {name: np.array(tensor.array()) for name, tensor in read_safetensors(path).items()})
    if change == "position":
        text["row"] = "6"
    elif change == "swapped tensors":
        tensors["adamw.m.w"], tensors["adamw.v.w"] = tensors["adamw.v.w"], tensors["adamw.m.w"]
    else:
        tensors["w"] = tensors["w"].reshape(2, 3)
    write_safetensors(path, tensors, text)
    with pytest.raises(RlxError, match=r"RLX701.*checksum"):
        begun.load(path)


def test_a_damaged_checkpoint_is_passed_over_for_the_one_before_it(begun: Any, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(begun, 1, {})
    newest = checkpoints.save(begun, 2, {})
    data = bytearray(newest.read_bytes())
    data[-1] ^= 1
    newest.write_bytes(data)
    resumed = checkpoints.resume(training(), {})
    assert resumed is not None and resumed.step == 1 and "checksum" in resumed.damaged[0]


def test_a_checkpoint_of_an_earlier_version_is_read_with_a_warning(begun: Any, tmp_path: Path) -> None:
    """They have no checksums."""
    path = tmp_path / "c.safetensors"
    begun.save(path, row=5)
    tensors = {name: np.array(tensor.array()) for name, tensor in read_safetensors(path).items()}
    write_safetensors(path, tensors, {"format": "rlx.training.1", "round": "0", "row": "5"})
    other = training()
    with pytest.warns(UserWarning, match=r"c\.safetensors.*without checksums"):
        assert other.load(path) == {"row": "5"}
    assert values(other) == values(begun)


# -- of another training -------------------------------------------------------------------------------------------------
def test_a_checkpoint_of_other_shapes_changes_nothing(begun: Any, tmp_path: Path) -> None:
    path = tmp_path / "c.safetensors"
    wide = training(width=5)
    wide.set_params({"w": np.ones((3, 5), np.float32)})
    wide.step(BATCH)
    wide.save(path)
    before = values(begun)
    with pytest.raises(RlxError, match=r"RLX703.*c\.safetensors.*f32\[3, 5\].*f32\[3, 2\]"):
        begun.load(path)
    assert values(begun) == before


def test_a_checkpoint_amid_a_round_needs_the_same_rounds(tmp_path: Path) -> None:
    three = training(accumulate=3)
    three.set_params(WEIGHTS)
    for _ in range(5):
        three.step(BATCH)
    three.save(tmp_path / "c.safetensors")
    with pytest.raises(RlxError, match="RLX703"):
        training(accumulate=2).load(tmp_path / "c.safetensors")


# -- before the first step -----------------------------------------------------------------------------------------------
def test_saving_before_the_first_step_says_what_is_meant(tmp_path: Path) -> None:
    made = training()
    made.set_params(WEIGHTS)
    with pytest.raises(RlxError, match=r"RLX402.*first step") as raised:
        made.save(tmp_path / "c.safetensors")
    assert "training.step" in raised.value.fix and not list(tmp_path.iterdir()) and made.steps == 0


# -- a disk that is full ---------------------------------------------------------------------------------------------------
FULL = """
import resource, sys
from pathlib import Path
from rlx.core.errors import RlxError
from rlx.train.checkpoints import Checkpoints
from tests.train.test_checkpoint_file import BATCH, WEIGHTS, training
made = training()
made.set_params(WEIGHTS)
made.step(BATCH)
checkpoints = Checkpoints(Path(sys.argv[1]), keep=1)
checkpoints.save(made, 1, {})
made.step(BATCH)
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
try:
    checkpoints.save(made, 2, {})
except RlxError as error:
    print(error)
"""


def test_a_full_disk_is_an_error_and_the_old_checkpoint_stays(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], cwd=root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "RLX304" in done.stdout and "step-00000002.safetensors" in done.stdout, done
    assert os.listdir(tmp_path) == ["step-00000001.safetensors"]
    resumed = Checkpoints(tmp_path).resume(training(), {})
    assert resumed is not None and resumed.step == 1 and not resumed.damaged


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_fails_late_leaves_the_old_checkpoint(call: str, begun: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.safetensors"
    begun.save(path)
    old = path.read_bytes()
    begun.step(BATCH)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os if call == "fsync" else Path, call, full)
    with pytest.raises(RlxError, match=r"RLX304.*c\.safetensors.*No space left"):
        begun.save(path)
    assert path.read_bytes() == old and os.listdir(tmp_path) == ["c.safetensors"]


def test_the_numbers_are_on_the_disk_before_the_name_and_the_name_before_the_end(
    begun: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash between two of these leaves a whole file, old or new."""
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace
    kind = lambda number: "folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file"  # noqa: E731
    monkeypatch.setattr(os, "fsync", lambda number: (calls.append(kind(number)), fsync(number)))
    monkeypatch.setattr(Path, "replace", lambda path, target: (calls.append("rename"), replace(path, target)))
    begun.save(tmp_path / "c.safetensors")
    assert calls == ["file", "rename", "folder"]


def test_a_folder_of_checkpoints_that_is_a_file_is_an_error(begun: Any, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(RlxError, match=r"RLX304.*taken"):
        Checkpoints(tmp_path / "taken").save(begun, 1, {})


def test_the_checksums_are_those_of_sha256(begun: Any, tmp_path: Path) -> None:
    import hashlib

    path = tmp_path / "c.safetensors"
    begun.save(path)
    sums = json.loads(read_metadata(path)["checksums"])
    assert sums["w"] == hashlib.sha256(b"w f32[3, 2]" + begun.param("w").tobytes()).hexdigest()
