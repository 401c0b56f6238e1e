"""A folder of checkpoints: named by step, written atomically, the newest kept; an interrupted run resumes from the last."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.files import naming, writing
from rlx.train.language_model import Hosts
from rlx.train.sharded_checkpoint import remove_checkpoint, stored_indices
from rlx.train.step import Training

_NAME = re.compile(r"step-(\d+)(?:\.safetensors)?")  # a file, or a folder of pieces


@dataclass(frozen=True)
class Resumed:
    """Where a run resumes: after how many steps, from which file, which keys of the configuration differ, damaged files."""

    step: int
    path: Path
    changed: tuple[str, ...]
    damaged: tuple[str, ...]


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoint files of one training run; `keep` 0 keeps all."""

    folder: Path
    keep: int = 2

    def listed(self) -> list[tuple[int, Path]]:
        """Lists the run's checkpoints: steps and files, oldest first."""
        checkpoints = [(int(match[1]), path) for path in self.folder.glob("step-*") if (match := _NAME.fullmatch(path.name))]
        return sorted(checkpoints)

    def save(self, training: Training, step: int, config: Mapping[str, Any], *, drop: bool = True, wait: bool = True) -> Path:
        """Writes a checkpoint, then deletes the oldest beyond `keep`; without `wait` training may continue meanwhile."""
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / (f"step-{step:08}" + ("" if training.session.sharding is not None else ".safetensors"))
        training.save(path, wait=wait, step=step, config=json.dumps(config, default=str))
        if self.keep and drop and Hosts(training.session).is_first:
            for old in self._find_superseded():
                remove_checkpoint(old)
        return path

    def _find_superseded(self) -> list[Path]:
        """Lists the checkpoints before the newest complete ones; those that other processes still write do not count."""

        def is_complete(path: Path) -> bool:
            indices, count = stored_indices(path) if path.is_dir() else ((0,), 1)
            return 0 < count == len(indices)

        listed = self.listed()
        complete = [step for step, path in listed if is_complete(path)][-self.keep :]
        return [path for step, path in listed if len(complete) == self.keep and step < complete[0]]

    def resume(self, training: Training, config: Mapping[str, Any]) -> Resumed | None:
        """Loads the newest intact checkpoint; None if there is none. A checkpoint of another model is an error.

        All processes load the same checkpoint: the newest that the first one sees, and that each of them can read.
        """
        hosts = Hosts(training.session)
        if hosts.is_first:
            for part in self.folder.glob(".step-*.part"):  # left by a run that was killed while writing
                remove_checkpoint(part)
        damaged: list[str] = []
        listed = self.listed()[::-1]
        for at in range(hosts.first_says(len(listed))):
            step = hosts.first_says(listed[at][0] if at < len(listed) else 0)
            path = next((path for known, path in listed if known == step), self.folder / f"step-{step:08}")
            position = self._load(training, path, damaged)
            if not hosts.all(position is not None):
                continue
            assert position is not None
            with naming(path):
                before = dict(json.loads(position["config"]))
            now = json.loads(json.dumps(config, default=str))
            changed = tuple(
                f"{key}: {before.get(key)!r} before, {value!r} now"
                for key, value in now.items()
                if key in before and before[key] != value
            )
            return Resumed(step, path, changed, tuple(damaged))
        return None

    def _load(self, training: Training, path: Path, damaged: list[str]) -> dict[str, str] | None:
        """Loads a checkpoint and returns its position; None if it is damaged."""
        try:
            return training.load(path)
        except RlxError as error:
            if error.code in ("RLX701", "RLX303"):
                damaged.append(f"{path.name}: {error.message}")
                return None
            fix = "use another output folder, or --restart to start over"
            raise RlxError(error.code, error.message, fix=fix, at=None) from None

    def clear(self) -> None:
        """Removes all checkpoints of the run."""
        for _, path in self.listed():
            remove_checkpoint(path)
