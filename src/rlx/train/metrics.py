"""metrics.jsonl: one JSON object per line, written during training; a resumed run drops the lines after its checkpoint."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from rlx.core.files import read_regular, writing, written_whole


def read_metrics(path: str | Path) -> list[dict[str, Any]]:
    """All complete lines; a partial line, left by a killed run, is skipped."""
    found = []
    data = read_regular(path) if Path(path).exists() else b""
    for line in data.splitlines():
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(values, dict) and _is_number(values.get("step")):
            found.append(values)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


class MetricsLog:
    """The file, open for appending; lines up to step `begin` are kept. Without a path (another process writes it) nothing is.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "metrics.jsonl"
    >>> for begin in (0, 1):
    ...     with MetricsLog(path, begin) as log:
    ...         log.add(step=begin + 1, loss=2.5)
    ...         log.add(step=begin + 2, loss=2.25)
    >>> [line["step"] for line in read_metrics(path)]
    [1, 2, 3]
    """

    def __init__(self, path: Path | None, begin: int) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self.validated: dict[int, dict[str, float]] = {}
        if path is not None:
            self._open(path, begin)

    def _open(self, path: Path, begin: int) -> None:
        kept = [line for line in read_metrics(path) if line["step"] <= begin] if begin else []
        held = [line for line in kept if _is_number(line.get("validation_loss")) and _is_number(line.get("nats_per_byte"))]
        self.validated = {line["step"]: {"loss": line["validation_loss"], "nats_per_byte": line["nats_per_byte"]} for line in held}
        with written_whole(path) as file:
            file.write("".join(json.dumps(line) + "\n" for line in kept).encode())
        with writing(path):
            self._file = path.open("a")

    def add(self, **values: Any) -> None:
        """One line, flushed; JSON has no NaN and no infinity, so they become null."""
        if self._path is None or self._file is None:
            return
        plain = {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in values.items()}
        with writing(self._path):
            self._file.write(json.dumps(plain) + "\n")
            self._file.flush()

    def __enter__(self) -> MetricsLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
