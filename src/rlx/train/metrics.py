"""metrics.jsonl: one JSON object per line, written as training goes; a run that goes on drops what came after its checkpoint."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from types import TracebackType
from typing import Any

__all__ = ["MetricsLog", "read_metrics"]


def read_metrics(path: str | Path) -> list[dict[str, Any]]:
    """All whole lines; one that a killed run left half written is passed over."""
    found = []
    text = Path(path).read_text() if Path(path).exists() else ""
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


class MetricsLog:
    """The file, open to append; lines up to step `begin` are kept.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "metrics.jsonl"
    >>> for begin in (0, 1):
    ...     with MetricsLog(path, begin) as log:
    ...         log.add(step=begin + 1, loss=2.5)
    ...         log.add(step=begin + 2, loss=2.25)
    >>> [line["step"] for line in read_metrics(path)]
    [1, 2, 3]
    """

    def __init__(self, path: Path, begin: int) -> None:
        kept = [line for line in read_metrics(path) if line["step"] <= begin] if begin else []
        held = [line for line in kept if line.get("validation_loss") is not None]
        self.validated = {line["step"]: {"loss": line["validation_loss"], "nats_per_byte": line["nats_per_byte"]} for line in held}
        side = path.with_name(f".{path.name}.{os.getpid()}.part")
        side.write_text("".join(json.dumps(line) + "\n" for line in kept))
        side.replace(path)
        self._file = path.open("a")

    def add(self, **values: Any) -> None:
        """One line, flushed; JSON has no NaN and no infinity, so they become null."""
        plain = {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in values.items()}
        self._file.write(json.dumps(plain) + "\n")
        self._file.flush()

    def __enter__(self) -> MetricsLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()
