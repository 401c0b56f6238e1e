"""A run that is killed, at any moment and while it writes a checkpoint, goes on to the bit; one that is asked to stop says how."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rlx.train.step import read_metrics
from tests.train.runs import write

SETTINGS = {"training__steps": 40, "training__accumulate": 2, "training__ema": 0.9, "checkpoints__every": 1, "validation__every": 9}

# The process kills itself inside the write of a checkpoint: its file is on the side, whole or half.
DIES_WRITING = """
import os, signal, sys
plain, left = os.fsync, [int(sys.argv[1])]
def fsync(file):
    left[0] -= ".step-" in os.readlink(f"/proc/self/fd/{file}")
    if left[0] < 0:
        if sys.argv[2] == "half":
            os.ftruncate(file, os.fstat(file).st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    plain(file)
os.fsync = fsync
sys.argv[1:] = ["train", sys.argv[3]]
from rlx.cli import main
main()
"""


def start(path):
    return subprocess.Popen(
        [sys.executable, "-m", "rlx", "train", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def curve(folder):
    lines = read_metrics(folder / "run" / "metrics.jsonl")
    names = ("step", "loss", "gradient", "rate", "validation_loss")
    return [{name: line[name] for name in names if name in line} for line in lines]


def wait_for_step(process, folder, step):
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        if any(line["step"] >= step for line in read_metrics(folder / "run" / "metrics.jsonl")):
            return
        time.sleep(0.002)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("whole")
    process = start(write(folder, **SETTINGS))
    text = process.communicate()[0]
    assert process.returncode == 0, text
    assert len([line for line in curve(folder) if "loss" in line]) == 40
    return folder


def same(whole, folder):
    assert curve(folder) == curve(whole)
    for name in ("model.safetensors", "vocabulary.json", "checkpoints/step-00000040.safetensors"):
        assert (folder / "run" / name).read_bytes() == (whole / "run" / name).read_bytes(), name
    assert not list((folder / "run" / "checkpoints").glob(".*")), "something half written was left"


def finish(path, whole):
    process = start(path)
    text = process.communicate()[0]
    assert process.returncode == 0 and "Resuming after step" in text, text
    same(whole, path.parent)


def test_killed_at_any_moment(tmp_path, whole):
    path = write(tmp_path, **SETTINGS)
    random = np.random.default_rng()
    for step in (2, 25):
        process = start(path)
        wait_for_step(process, tmp_path, step)
        time.sleep(random.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode in (-signal.SIGKILL, 0)
    finish(path, whole)


def test_killed_while_a_checkpoint_is_written(tmp_path, whole):
    path = write(tmp_path, **SETTINGS)
    for checkpoint, how in ((6, "half"), (11, "whole")):
        found = subprocess.run(
            [sys.executable, "-c", DIES_WRITING, str(checkpoint), how, str(path)], capture_output=True, text=True
        )
        assert found.returncode == -signal.SIGKILL, found.stdout + found.stderr
        assert list((tmp_path / "run" / "checkpoints").glob(".step-*.part"))
    finish(path, whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop(tmp_path, whole, number):
    path = write(tmp_path, **{**SETTINGS, "checkpoints__every": 0, "training__steps": 10**6})
    process = start(path)
    wait_for_step(process, tmp_path, 5)
    os.kill(process.pid, number)
    text = process.communicate()[0]
    assert process.returncode == 130, text
    assert "Stopped after step" in text and f"To resume: rlx train {path}" in text and "Traceback" not in text
    saved = list((tmp_path / "run" / "checkpoints").iterdir())
    assert len(saved) == 1 and str(saved[0]) in text
