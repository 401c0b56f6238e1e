"""The report: every decision the compiler took, in words, with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """One decision."""

    stage: str  # pass or phase name
    kind: str  # "fused", "not fused", "cast", "copy", "fallback", "cache", …
    message: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.kind}: {self.message}" + (f"  ({self.where})" if self.where else "")


@dataclass
class Report:
    """What was done, in order, and how long each phase took.

    >>> report = Report()
    >>> report.add("dce", "removed", "2 nodes nobody reads")
    >>> print(report)
    dce: removed: 2 nodes nobody reads
    """

    entries: list[Entry] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    watch: Callable[[str, object], None] | None = field(default=None, repr=False, compare=False)  # sees every stage, for RLX_DUMP

    def add(self, stage: str, kind: str, message: str, where: object = "") -> None:
        """Record one decision."""
        self.entries.append(Entry(stage, kind, message, str(where or "")))

    def time(self, phase: str, seconds: float) -> None:
        """Add to the time of a phase."""
        self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds

    def show(self, stage: str, thing: object) -> None:
        """Hand the outcome of a stage to whoever watches."""
        if self.watch is not None:
            self.watch(stage, thing)

    def of(self, kind: str) -> list[Entry]:
        """The entries of one kind."""
        return [entry for entry in self.entries if entry.kind == kind]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __str__(self) -> str:
        lines = [str(entry) for entry in self.entries]
        lines += [f"{name}: {value}" for name, value in self.facts.items()]
        lines += [f"time: {phase}: {seconds * 1e3:.1f} ms" for phase, seconds in self.seconds.items()]
        return "\n".join(lines)
