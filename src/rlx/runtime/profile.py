"""Profile: where the time of a run goes, command by command."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
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
class Profile:
    """All commands in order; prints as a table, and by kernel with `by_kernel()`."""

    lines: tuple[Line, ...]

    @property
    def seconds(self) -> float:
        """The sum over all commands."""
        return sum(line.seconds for line in self.lines)

    def by_kernel(self) -> dict[str, tuple[int, float]]:
        """Count and seconds of each kernel, the costliest first."""
        found: dict[str, tuple[int, float]] = {}
        for line in self.lines:
            count, seconds = found.get(line.kernel, (0, 0.0))
            found[line.kernel] = (count + 1, seconds + line.seconds)
        return dict(sorted(found.items(), key=lambda item: -item[1][1]))

    def __str__(self) -> str:
        summary = [
            f"{seconds * 1e6:10.1f} µs {100 * seconds / max(self.seconds, 1e-12):5.1f} %  {count:4} × {kernel}"
            for kernel, (count, seconds) in self.by_kernel().items()
        ]
        return "\n".join([*(str(line) for line in self.lines), f"{self.seconds * 1e6:10.1f} µs in all", "", *summary])
