"""Profile: where the time of a run goes, command by command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rlx.backends.base import Limits
from rlx.backends.registry import find_backend
from rlx.core.argument_checks import check_is
from rlx.core.errors import RlxError

_MOST_RUNS = 1_000_000  # of one profile: each keeps its times


@dataclass(frozen=True)
class ProfileLine:
    """One command."""

    kernel: str
    origin: str
    seconds: float
    operations: int
    bytes: int

    def __str__(self) -> str:
        seconds = max(self.seconds, 1e-9)
        rates = f"{self.operations / seconds / 1e9:8.1f} GFLOP/s {self.bytes / seconds / 1e9:7.1f} GB/s"
        return f"{self.seconds * 1e6:10.1f} µs {rates}  {self.kernel}  {self.origin}"


@dataclass(frozen=True)
class RunProfile:
    """All commands in order; prints as a table, and by kernel with `by_kernel()`.

    With `limits`, as the device measures them, each kernel shows its share of them (roofline): the least time for its arithmetic
    and its bytes, over the time it took. It can exceed 100 %: operands in a cache are read faster than memory.
    """

    lines: tuple[ProfileLine, ...]
    limits: Limits | None = None

    @staticmethod
    def of_runs(runs: Sequence[Sequence[tuple[str, str, float, int, int]]], limits: Limits | None) -> RunProfile:
        """Of each command the median of its times in some runs."""
        from statistics import median

        rows = [(*times[0][:2], median(row[2] for row in times), *times[0][3:]) for times in zip(*runs, strict=True)]
        return RunProfile(tuple(ProfileLine(*row) for row in rows), limits)

    @property
    def seconds(self) -> float:
        """The sum over all commands."""
        return sum(line.seconds for line in self.lines)

    @property
    def operations(self) -> int:
        """The sum over all commands."""
        return sum(line.operations for line in self.lines)

    @property
    def bytes(self) -> int:
        """Bytes of operands read and written, over all commands."""
        return sum(line.bytes for line in self.lines)

    def by_kernel(self) -> dict[str, tuple[int, float]]:
        """Count and seconds of each kernel, the slowest first."""
        found: dict[str, tuple[int, float]] = {}
        for line in self.lines:
            count, seconds = found.get(line.kernel, (0, 0.0))
            found[line.kernel] = (count + 1, seconds + line.seconds)
        return dict(sorted(found.items(), key=lambda item: -item[1][1]))

    def share_of_limit(self, kernel: str) -> float | None:
        """The least time for the arithmetic and bytes of a kernel's commands, over the time they took."""
        if self.limits is None:
            return None
        own = [line for line in self.lines if line.kernel == kernel]
        limits = self.limits
        least = sum(max(line.operations / limits.gflops, line.bytes / limits.gigabytes) * 1e-9 for line in own)
        return least / max(sum(line.seconds for line in own), 1e-12)

    def _share(self, kernel: str) -> str:
        share = self.share_of_limit(kernel)
        return "" if share is None else f"  {100 * share:4.0f} % of the limit"

    def __str__(self) -> str:
        summary = [
            f"{seconds * 1e6:10.1f} µs {100 * seconds / max(self.seconds, 1e-12):5.1f} %  {count:4} × {kernel}{self._share(kernel)}"
            for kernel, (count, seconds) in self.by_kernel().items()
        ]
        if self.limits is not None:
            summary.append(f"limits measured here: {self.limits}")
            summary += [] if self.limits.warning is None else [f"careful: {self.limits.warning}"]
        return "\n".join([*(str(line) for line in self.lines), f"{self.seconds * 1e6:10.1f} µs total", "", *summary])


@lru_cache(maxsize=4)
def measured_limits(device: str) -> Limits | None:
    """What a device reaches at most, measured once, as `rlx doctor` and the benchmarks measure it."""
    return find_backend(device).limits(0.4)


def check_runs(runs: int) -> None:
    """How many runs a profile is made of, or an error."""
    check_is(runs, int, "RLX406", "runs", f"a whole number, 1 to {_MOST_RUNS}")
    if not 1 <= runs <= _MOST_RUNS:
        raise RlxError("RLX406", f"runs is {runs!r:.60}", fix=f"a whole number, 1 to {_MOST_RUNS}")
