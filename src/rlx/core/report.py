"""The report: every decision of the compiler, in words, with the user's line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rlx.core.errors import RlxError

CHOICES: Mapping[str, str] = {
    "cast": "write the cast: `.astype(...)`; casts come from precision policies, and from promotion of mixed dtypes",
    "copy": "write the copy, or produce the value in the layout it is read in: the op reads dense memory",
    "fallback": "use an op and dtypes that the device has a kernel for; `docs/ops.md` lists them",
    "fast": "quant_mode='exact' does not round activations",
    "host call": "register a native kernel, or a decomposition, for the op",
    "implicit f64": "write the cast: `.astype('f64')`",
    "kept": "do not use the precision policy or `store_params` where it cannot apply",
    "not quantized": "the message names the reason; quantize that layer differently, or skip it",
    "static": "declare symbolic sizes: jit(f, dims={...}), or write the function so that it works for any size",
    "stored": "declare the param in this dtype instead of `store_params`",
}
"""Kinds of entries where the compiler chose something that the program does not say, and what to write instead.

Values in another dtype, memory copied in every run, another computation than the op's kernel, Python during a run, a version specialized
to some sizes: `strict=True` makes each an error.
"""

INFORMATION: Mapping[str, str] = {
    "added": "a pass of the device or of the caller",
    "boundary": "two commands with a value between them, and why they are not one",
    "callback": "a function of the program that it calls on the host during a run",
    "cache": "where the code was loaded from or stored",
    "compiled": "a program for one set of sizes, by a compiler that specializes: XLA",
    "decomposed": "an op that is defined by other ops, computed via decomposition",
    "dropped": "a version that was evicted",
    "dump": "the folder RLX_DUMP wrote to",
    "exact": "a product of packed weights with unrounded activations",
    "folded": "computed from constants at compile time",
    "fused": "ops that run as one command",
    "left out": "a pass left out by the option `skip` or by the device",
    "library": "a product that an installed library of the vendor computes: cuBLASLt",
    "loaded": "a saved executable",
    "not donated": "a donated argument whose memory no result can use, or whose array does not qualify",
    "not fused": "a missed fusion; `assert_fusion_clean=True` makes it an error",
    "packed": "weights in the layout that the device's products read: the same values; `exe.memory` counts them as prepared",
    "prepared": "depends only on params: computed once, when they change",
    "quantized": "a layer that computes on integers, as requested",
    "removed": "its result is not used",
    "rounded": "results rounded to their dtype inside fused kernels, under `excess_precision=False`",
    "shared": "computed once instead of twice",
    "symbol": "a size that the program declared equal to another",
    "symbolic": "a size that became a symbol, so that one version serves all sizes",
    "traced": "a function was traced into a graph",
    "trap_nan": "what the option changes",
}
"""Kinds of entries that only inform: results and their placement are as the program says."""


@dataclass(frozen=True)
class Decision:
    """One decision of the compiler."""

    stage: str  # pass or phase name
    kind: str  # a key of CHOICES or INFORMATION
    message: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.kind}: {self.message}" + (f"  ({self.where})" if self.where else "")


@dataclass
class Report:
    """The compiler's decisions, in order, and how long each phase took: `seconds` by phase, which add up to its "total".

    >>> report = Report()
    >>> report.add("dce", "removed", "2 unused nodes")
    >>> print(report)
    dce: removed: 2 unused nodes
    """

    entries: list[Decision] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    # sees every stage, for RLX_DUMP
    watch: Callable[[str, object], None] | None = field(default=None, repr=False, compare=False)
    strict: bool = field(default=False, compare=False)  # a silent choice is an error
    _inside: float = field(default=0.0, init=False, repr=False, compare=False)  # seconds of phases within the one that runs

    def add(self, stage: str, kind: str, message: str, where: Any = "") -> None:
        """Records one decision; under `strict` one of `CHOICES` raises RLX405, with the line of its node."""
        if self.strict and kind in CHOICES:
            at = getattr(where, "location", None) or "caller"
            raise RlxError("RLX405", f"strict: {kind}: {message} ({stage})", fix=CHOICES[kind], at=at)
        self.entries.append(Decision(stage, kind, message, str(where or "")))

    def time(self, phase: str, seconds: float) -> None:
        """Adds seconds to the time of a phase."""
        self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Times a phase without the phases nested in it, so that no second counts twice."""
        before, self._inside = self._inside, 0.0
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.time(name, spent - self._inside)
            self._inside = before + spent

    def show(self, stage: str, thing: object) -> None:
        """Passes the result of a compiler stage to the watcher, if there is one."""
        if self.watch is not None:
            self.watch(stage, thing)

    def of(self, kind: str) -> list[Decision]:
        """The report's entries of one kind."""
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
