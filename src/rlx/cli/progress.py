"""Progress bars for long steps, on stderr; nothing without a terminal."""

from __future__ import annotations

import re
import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from rlx.cli.starting import starting
from rlx.core.errors import RlxError


class Bars:
    """`bars(what, done, total)`: called by models while loading, packing and compiling; the bars disappear when all is done."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        starting.end()
        if self._shown:
            self._progress.start()
            self._progress.add_task("preparing", total=None)  # moves between the others and before the first
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bars."""
        if self._shown:
            self._progress.stop()
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if not self._shown:
            return
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)


_UNITS = {"": 1} | {
    f"{letter}{end}": base**power for power, letter in enumerate("KMGT", 1) for end, base in (("", 1000), ("B", 1000), ("iB", 1024))
}


def byte_size(text: str, option: str) -> int:
    """A size as people write it, in bytes.

    >>> byte_size("2GB", "--kv-memory"), byte_size("1.5GiB", "--kv-memory"), byte_size("4096", "--kv-memory")
    (2000000000, 1610612736, 4096)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?i?B?)", text.strip(), re.IGNORECASE)
    units = {unit.lower(): size for unit, size in _UNITS.items()} | {"b": 1}
    size = 0 if match is None or match[2].lower() not in units else int(float(match[1]) * units[match[2].lower()])
    if size < 1:
        raise RlxError("RLX907", f"{option} is {text[:40]!r}", fix="a size such as 512MB, 2GB or 1.5GiB", at=None)
    return size


def byte_count(count: int) -> str:
    """Bytes for people.

    >>> byte_count(900), byte_count(144_811_456), byte_count(4_661_211_424)
    ('900 B', '145 MB', '4.7 GB')
    """
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if count >= 10**power:
            value = count / 10**power
            return f"{value:.1f} {unit}" if value < 10 and unit == "GB" else f"{value:.0f} {unit}"
    return f"{count} B"
