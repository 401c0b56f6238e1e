"""A folder of checkpoints: named by step, written atomically, the newest kept; an interrupted run resumes from the last."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.files import naming, writing
from rlx.train.step import Training

__all__ = ["Checkpoints", "Resumed"]

_NAME = re.compile(r"step-(\d+)(?:\.safetensors)?")  # a file, or a folder of pieces


@dataclass(frozen=True)
class Resumed:
    """Where a run resumes: after how many steps, from which file, which keys of the configuration differ, and which files were damaged."""

    step: int
    path: Path
    changed: tuple[str, ...]
    damaged: tuple[str, ...]


@dataclass(frozen=True)
class Checkpoints:
    """Checkpoints of one run; `keep` 0 keeps all."""

    folder: Path
    keep: int = 2

    def listed(self) -> list[tuple[int, Path]]:
        """Steps and files, oldest first."""
        found = [(int(match[1]), path) for path in self.folder.glob("step-*") if (match := _NAME.fullmatch(path.name))]
        return sorted(found)

    def save(
        self, training: Training, step: int, config: Mapping[str, Any], *, drop: bool = True, wait: bool = True
    ) -> Path:
        """Write one, then delete the oldest beyond the number to keep; without `wait` training may go on meanwhile."""
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / (f"step-{step:08}" + ("" if training.session.sharding is not None else ".safetensors"))
        training.save(path, wait=wait, step=step, config=json.dumps(config, default=str))
        if self.keep and drop:
            for _, old in self.listed()[: -self.keep]:
                _remove(old)
        return path

    def resume(self, training: Training, config: Mapping[str, Any]) -> Resumed | None:
        """Load the newest intact one; None if there is none. A checkpoint of another model is an error."""
        for part in self.folder.glob(".step-*.part"):  # left by a run that was killed while writing
            _remove(part)
        damaged = []
        for step, path in reversed(self.listed()):
            try:
                position = training.load(path)
            except RlxError as error:
                if error.code in ("RLX701", "RLX303"):
                    damaged.append(f"{path.name}: {error.message}")
                    continue
                fix = "use another output folder, or --restart to start over"
                raise RlxError(error.code, error.message, fix=fix, at=None) from None
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

    def clear(self) -> None:
        """Remove all of them."""
        for _, path in self.listed():
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
