"""A small training run on a text with rules that can be learnt, for the tests beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rlx.train.config import TrainingConfig

SUBJECTS, VERBS, OBJECTS = (
    ("the cat", "a dog", "my aunt", "the sailor"),
    ("sees", "hears", "follows"),
    ("the moon", "a ship", "the whale"),
)


def sentences(count: int, seed: int = 0) -> bytes:
    """Sentences drawn from a grammar: 36 of them, all as likely, so a sentence carries log 36 nats."""
    random = np.random.default_rng(seed)
    words = zip(*(random.choice(part, count) for part in (SUBJECTS, VERBS, OBJECTS)), strict=True)
    return "".join(f"{' '.join(sentence)}.\n" for sentence in words).encode()


def write(folder: Path, **changed: Any) -> Path:
    """A configuration and its text in a folder; `section__key=value` changes a key."""
    settings: dict[str, dict[str, Any]] = {
        "data": {"paths": "text.txt", "validation": 0.1},
        "model": {"layers": 1, "width": 32, "heads": 2, "kv_heads": 1, "ffn": 48, "vocabulary": "bytes"},
        "training": {"steps": 12, "batch": 2, "length": 16},
        "optimizer": {"rate": 3e-3},
        "schedule": {"warmup": 2},
        "validation": {"every": 5, "rows": 4},
        "checkpoints": {"every": 4},
        "output": {"plot": False},
        "sample": {"tokens": 8},
    }
    for name, value in changed.items():
        section, key = name.split("__")
        settings.setdefault(section, {})[key] = value
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "text.txt").write_bytes(sentences(400))
    lines = []
    for section, keys in settings.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in keys.items()]
    (folder / "run.toml").write_text("\n".join(lines))
    return folder / "run.toml"


def config(folder: Path, **changed: Any) -> TrainingConfig:
    """The same, read."""
    return TrainingConfig.load(write(folder, **changed))
