"""Trainings of many processes on one host, which exchange numbers by gloo: the curve of one process, a lost one ends all, resuming."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlx.formats.safetensors import read_safetensors
from rlx.train.loop import run_training
from rlx.train.step import read_metrics
from tests.train.runs import config, write

SETTINGS = {
    "training__batch": 4,
    "schedule__shape": "constant",
    "checkpoints__keep": 0,
    "device__sharding": "fsdp",
    "device__mesh": "fsdp=4",
}


COMPILE_QUICKLY = "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"


def free_port() -> int:
    """The first of two ports that nobody listens at."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def start(path: Path, count: int, devices: int = 4) -> list[Any]:
    """The processes of a run, which have this many virtual devices together."""
    own = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices // count} {COMPILE_QUICKLY}",
    }
    command = [sys.executable, "-m", "rlx", "train", str(path)]
    if count > 1:
        command += ["--coordinator", f"127.0.0.1:{free_port()}", "--processes", str(count), "--process"]
    return [
        subprocess.Popen(
            [*command, *([str(index)] if count > 1 else [])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own
        )
        for index in range(count)
    ]


def finished(processes: list[Any], status: int = 0) -> list[str]:
    """What each printed, once all have ended."""
    texts = [process.communicate(timeout=300) for process in processes]
    for process, (_, errors) in zip(processes, texts, strict=True):
        assert process.returncode == status, errors[-3000:]
    return [printed for printed, _ in texts]


def curve(folder: Path) -> list[dict[str, Any]]:
    lines = read_metrics(folder / "run" / "metrics.jsonl")
    names = ("step", "loss", "gradient", "rate", "validation_loss")
    return [{name: line[name] for name in names if name in line} for line in lines]


def assert_close(first: Path, second: Path, rtol: float = 2e-5) -> None:
    mine, theirs = curve(first), curve(second)
    assert [sorted(line) for line in mine] == [sorted(line) for line in theirs] and len(mine) > 3
    for own, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(list(own.values()), list(other.values()), rtol=rtol)


def pieces(folder: Path, step: int) -> dict[str, bytes]:
    """The tensors of a checkpoint of pieces, by file and name."""
    files = sorted((folder / "run" / "checkpoints" / f"step-{step:08}").glob("*.safetensors"))
    return {f"{path.name} {name}": tensor.array().tobytes() for path in files for name, tensor in read_safetensors(path).items()}


def wait_for_checkpoint(processes: list[Any], folder: Path, step: int, count: int) -> None:
    path = folder / "run" / "checkpoints" / f"step-{step:08}"
    deadline = time.monotonic() + 200
    while len(list(path.glob("index-*.json"))) < count:
        assert time.monotonic() < deadline and all(process.poll() is None for process in processes)
        time.sleep(0.02)


def test_two_processes_have_the_curve_of_one(tmp_path):
    """Few steps over a mesh of two processes, against the device `cpu`."""
    sizes = {"training__batch": 4, "training__steps": 4, "optimizer__kind": "sgd", "optimizer__rate": 0.5}
    sizes |= {"data__validation": 0.0, "sample__tokens": 0}
    runs = start(write(tmp_path / "both", **sizes, device__mesh="fsdp=2"), 2, 2)
    run_training(config(tmp_path / "alone", **sizes))
    first, second = finished(runs)
    assert "Done. In" in first and "step" not in second
    assert_close(tmp_path / "alone", tmp_path / "both")
    assert {name.split(".safetensors")[0] for name in pieces(tmp_path / "both", 4)} == {
        "pieces-00000-of-00002",
        "pieces-00001-of-00002",
    }


@pytest.mark.long
@pytest.mark.parametrize("preset, mesh", [("fsdp", "fsdp=4"), ("fsdp+tensor", "fsdp=2 model=2")])
def test_two_and_four_processes_have_the_curve_of_one(tmp_path, preset, mesh):
    sizes = {**SETTINGS, "device__mesh": mesh, "device__sharding": preset, "training__ema": 0.5}
    for count in (1, 2, 4):
        finished(start(write(tmp_path / str(count), **sizes), count))
        assert len(list((tmp_path / str(count) / "run/checkpoints/step-00000012").glob("index-*"))) == count
        assert_close(tmp_path / "1", tmp_path / str(count))
    weights = [read_safetensors(tmp_path / str(count) / "run/model.safetensors") for count in (1, 4)]
    for name, tensor in weights[0].items():
        np.testing.assert_allclose(tensor.array(), weights[1][name].array(), rtol=2e-4, atol=2e-6)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a run of so many processes that nothing disturbs."""

    @cache
    def made(count: int) -> Path:
        folder = tmp_path_factory.mktemp("whole")
        finished(start(write(folder, **SETTINGS), count))
        return folder

    return made


@pytest.fixture(scope="module")
def whole(undisturbed):
    """Two processes that nothing disturbs."""
    return undisturbed(2)


@pytest.mark.long
@pytest.mark.parametrize("count, victim", [(2, 0), (2, 1), (4, 0), (4, 2)])
def test_a_lost_process_ends_all_and_a_restart_resumes_bit_for_bit(tmp_path, undisturbed, count, victim):
    whole = undisturbed(count)
    path = write(tmp_path, **{**SETTINGS, "training__steps": 10**6})
    processes = start(path, count)
    wait_for_checkpoint(processes, tmp_path, 4, count)
    processes[victim].send_signal(signal.SIGKILL)
    killed = time.monotonic()
    for other in (process for process in processes if process is not processes[victim]):
        _, errors = other.communicate(timeout=60)
        assert time.monotonic() - killed < 30 and other.returncode in (75, -signal.SIGABRT), errors
        text = next(line for line in errors.splitlines() if "RLX" in line or "F1" in line[:2])
        assert f"[RLX805] process {victim} of {count}" in text and "resumes from its last checkpoint" in errors, errors
    processes[victim].communicate()
    for late in (tmp_path / "run/checkpoints").glob("step-*"):  # resume where all still are the same
        if int(late.name[5:]) > 8:
            shutil.rmtree(late)
    finished(start(write(tmp_path, **SETTINGS), count))
    assert curve(tmp_path) == curve(whole) and pieces(tmp_path, 12) == pieces(whole, 12)


@pytest.mark.long
@pytest.mark.parametrize("count, mesh", [(1, "fsdp=4"), (4, "fsdp=2 model=2"), (1, "")])
def test_resuming_on_another_mesh(tmp_path, whole, count, mesh):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    for late in (8, 12):
        shutil.rmtree(tmp_path / f"run/checkpoints/step-{late:08}")
    where = {"device__mesh": mesh, "device__sharding": "fsdp+tensor"} if "model" in mesh else {"device__mesh": mesh}
    (text, *_) = finished(start(write(tmp_path, **{**SETTINGS, **where}), count))
    assert "Resuming after step 4" in text
    assert_close(whole, tmp_path, rtol=2e-4)


@pytest.mark.long
def test_asked_to_stop_they_stop_at_one_step(tmp_path):
    path = write(tmp_path, **{**SETTINGS, "training__steps": 10**6})
    processes = start(path, 2)
    wait_for_checkpoint(processes, tmp_path, 4, 2)
    processes[1].send_signal(signal.SIGTERM)
    text, _ = finished(processes, 130)
    assert "Stopped after step" in text and f"To resume: rlx train {path}" in text
    newest = max((tmp_path / "run/checkpoints").iterdir())
    assert len(list(newest.glob("index-*"))) == 2 and f"Stopped after step {int(newest.name[5:])} " in text
