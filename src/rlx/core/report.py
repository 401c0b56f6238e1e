"""The report: every decision the compiler took, in words, with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlx.core.errors import RlxError

CHOICES: Mapping[str, str] = {
    "cast": "write the cast: `.astype(...)`; precision policies insert casts, promotion does where dtypes differ",
    "copy": "lay the value out as it is read, or write the copy: the op reads dense memory",
    "fallback": "use an op or dtypes that the device has a kernel for; `docs/ops.md` lists them",
    "fast": "quant_mode='exact' reads activations as they are",
    "host call": "register a native kernel, or a decomposition, for the op",
    "implicit f64": "write the cast: `.astype('f64')`",
    "kept": "leave the precision policy or `store_params` out where it cannot hold",
    "not quantized": "the message names the reason; quantize that layer otherwise, or leave it out",
    "static": "declare symbolic sizes: jit(f, dims={...}), or write the function for any size",
    "stored": "declare the param in this dtype instead of `store_params`",
}
"""Kinds of entries by which the compiler chose something that the program does not say, and what to write instead.

Numbers in another dtype, memory copied in every run, another way to compute than the op's kernel, Python in between, a version for some
sizes alone: `strict=True` makes each an error.
"""

INFORMATION: Mapping[str, str] = {
    "added": "a pass of the device or of the caller",
    "cache": "where the code came from, or went to",
    "decomposed": "an op that is defined by others, computed by those",
    "dropped": "a version that was not used for long",
    "dump": "where RLX_DUMP wrote",
    "exact": "a product of packed weights on activations as they are",
    "folded": "computed while compiling, from constants",
    "fused": "ops that run as one command",
    "left out": "a pass, by the option `skip` or by the device",
    "loaded": "a saved executable",
    "not fused": "ops that could have run as one command; `assert_fusion_clean=True` makes it an error",
    "packed": "weights in the layout that the device's products read: the same numbers; `exe.memory` counts them as prepared",
    "prepared": "what depends on params alone, computed once for each value of them",
    "quantized": "a layer that computes on integers, as asked",
    "removed": "nobody reads it",
    "shared": "computed once instead of twice",
    "symbol": "a size that the program assumes to equal another",
    "symbolic": "a size that became a symbol, so that one version serves all sizes",
    "traced": "a function that became a graph",
    "trap_nan": "what the option changes",
}
"""Kinds of entries that say what was done: results and where they live are as the program says."""


@dataclass(frozen=True)
class Decision:
    """One decision."""

    stage: str  # pass or phase name
    kind: str  # of CHOICES or INFORMATION
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

    entries: list[Decision] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    # sees every stage, for RLX_DUMP
    watch: Callable[[str, object], None] | None = field(default=None, repr=False, compare=False)
    strict: bool = field(default=False, compare=False)  # a silent choice is an error

    def add(self, stage: str, kind: str, message: str, where: Any = "") -> None:
        """Record one decision; under `strict` one of `CHOICES` is RLX405, with the line of the node it is about."""
        if self.strict and kind in CHOICES:
            at = getattr(where, "location", None) or "caller"
            raise RlxError("RLX405", f"strict: {kind}: {message} ({stage})", fix=CHOICES[kind], at=at)
        self.entries.append(Decision(stage, kind, message, str(where or "")))

    def time(self, phase: str, seconds: float) -> None:
        """Add to the time of a phase."""
        self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds

    def show(self, stage: str, thing: object) -> None:
        """Hand the outcome of a stage to whoever watches."""
        if self.watch is not None:
            self.watch(stage, thing)

    def of(self, kind: str) -> list[Decision]:
        """The entries of one kind."""
        return [entry for entry in self.entries if entry.kind == kind]

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.entries)

    def __repr__(self) -> str:
        return f"<Report: {len(self.entries)} decisions; print it to read them>"

    def __str__(self) -> str:
        lines = [str(entry) for entry in self.entries]
        lines += [f"{name}: {value}" for name, value in self.facts.items()]
        lines += [f"time: {phase}: {seconds * 1e3:.1f} ms" for phase, seconds in self.seconds.items()]
        return "\n".join(lines)
