"""Workloads, contenders, and how they are timed.

A *workload* is one piece of work; its *contenders* are RLX and the peers that do the same work. They are timed
**interleaved**: round after round each gets a short turn of back-to-back calls, and the best call counts. So all see
the same machine, and a disturbance hits everyone.

Before each turn the harness waits until nothing else runs. Thread pools spin after work (OpenMP and XLA for
milliseconds, OpenBLAS for more than a hundred unless told otherwise), and a spinning pool would take a core from
whoever is next.
"""

from __future__ import annotations

import os
import statistics
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from bench.environment import own_seconds, processor_seconds
from bench.limits import LimitMeter

OURS = "rlx"
TURN_SECONDS = 0.04
CALLS_PER_TURN = 3
TURNS = 3  # at least
LONG_CALL = 0.2  # so long that one call is a turn
LONGEST_WAIT = 0.5


class Seconds(float):
    """What a call that timed itself returns, such as one whose work happens in another process."""


class Unavailable(Exception):
    """A contender that cannot take part; the message says why."""


@dataclass(frozen=True)
class Contender:
    """One way to do the work: `call` does it once, to its end; `result` reads what the last call computed."""

    name: str
    call: Callable[[], object]
    result: Callable[[], np.ndarray]

    @property
    def ours(self) -> bool:
        return self.name.startswith(OURS)


@dataclass(frozen=True)
class Workload:
    """What is computed, what it costs at least, and who competes.

    `contenders` are functions, called only when the workload is run: one that raises is reported and left out.
    `bytes_from_memory` counts what cannot be in a cache; 0 where all of it can.
    """

    name: str
    flops: float
    bytes_from_memory: float
    reference: Callable[[], np.ndarray]
    contenders: Sequence[tuple[str, Callable[[], Contender]]]
    rate: str = "GFLOP/s"
    tolerance: float = 1e-5
    select: Callable[[np.ndarray], np.ndarray] = lambda result: result
    tokens: float = 0.0  # what the rate "tokens/s" counts
    footprint: Callable[[str], int] | None = None  # bytes a contender takes, by its name
    rounds: int = 0  # turns, each of one call however long; 0: as many turns as the seconds allow
    measures: Callable[[Timing], dict[str, float]] | None = None  # what else was found of a contender
    arithmetic: str = "f32"  # whose limit bounds it: of floats, or of "int8" products
    peer: str = "best peer"  # what the fastest of the others is called

    def bare(self) -> Workload:
        """Itself without the functions that hold its data."""
        return replace(self, contenders=(), reference=lambda: np.empty(0), footprint=None, measures=None)

    def amount(self) -> float:
        """What `rate` counts, in its unit times seconds."""
        if self.rate == "tokens/s":
            return self.tokens
        return (self.flops if self.rate == "GFLOP/s" else self.bytes_from_memory) * 1e-9


@dataclass
class Timing:
    """All calls of one contender in one workload."""

    name: str
    ours: bool
    error: float
    seconds: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass
class Outcome:
    """A workload as it was run."""

    workload: Workload
    timings: list[Timing]
    absent: dict[str, str]
    others_share: float | None  # of the processor time, taken by other processes meanwhile
    footprints: dict[str, int] = field(default_factory=dict)  # bytes by contender, where they are measured
    measures: dict[str, dict[str, float]] = field(default_factory=dict)  # by contender, where there are any

    def best_peer(self) -> float | None:
        """The best time of a peer with a right result."""
        times = [t.best for t in self.timings if not t.ours and t.error <= self.workload.tolerance]
        return min(times, default=None)


@dataclass(frozen=True)
class Settings:
    """How long to measure and whom to ask."""

    threads: int = 2
    seconds: float = 1.0  # of calls, per contender and workload
    patience: float = 20.0  # to wait in all for other processes, per workload
    quick: bool = False
    torch_compile: bool = False
    only: tuple[str, ...] = ()  # contenders whose names start with one of these
    tracebacks: bool = False
    llama_bench: str = ""  # the program of a native build of llama.cpp


def relative_error(result: np.ndarray, reference: np.ndarray) -> float:
    """The largest deviation over the largest magnitude; infinite when shapes differ or a value is not finite."""
    if result.shape != reference.shape or not np.isfinite(result).all():
        return float("inf")
    return float(np.abs(result.astype(np.float64) - reference).max() / np.abs(reference).max())


def measure(workload: Workload, meter: LimitMeter, settings: Settings) -> Outcome:
    """Check every contender's result, then time them in turns."""
    contenders, timings, absent = _build(workload, settings)
    quiet, others, turns = Quiet(settings.patience), Others(), 0
    least, wanted = (workload.rounds, 0.0) if workload.rounds else (TURNS, settings.seconds)
    one_turn = (lambda call: [_timed(call)]) if workload.rounds else _one_turn
    while contenders and (turns < least or min(sum(timing.seconds) for timing in timings) < wanted):
        for contender, timing in zip(contenders, timings, strict=True):
            if turns < least or sum(timing.seconds) < 2 * wanted:
                quiet.wait()
                with others:
                    timing.seconds += one_turn(contender.call)
        quiet.wait()
        meter.sample(workload.bytes_from_memory)
        turns += 1
    found = {} if workload.measures is None else {timing.name: workload.measures(timing) for timing in timings}
    return Outcome(workload.bare(), timings, absent, others.share(), _footprints(workload, timings), found)


def _footprints(workload: Workload, timings: Sequence[Timing]) -> dict[str, int]:
    """The memory of each contender; one that cannot be measured is left out."""
    found = {}
    for timing in timings if workload.footprint is not None else ():
        with suppress(Unavailable):
            found[timing.name] = workload.footprint(timing.name)
    return found


class Others:
    """How much of the machine other processes used while it was entered."""

    def __init__(self) -> None:
        self.seconds = self.busy = 0.0

    def __enter__(self) -> None:
        self._start = time.perf_counter(), processor_seconds(), own_seconds()

    def __exit__(self, *_: object) -> None:
        start, machine, own = self._start
        self.seconds += time.perf_counter() - start
        if machine is not None:
            self.busy += processor_seconds() - machine - (own_seconds() - own)

    def share(self) -> float | None:
        """Of all processors; unknown where the system does not say it."""
        if not self.seconds or processor_seconds() is None:
            return None
        return max(0.0, self.busy / self.seconds / (os.cpu_count() or 1))


class Quiet:
    """Waits before a turn until nothing else runs.

    First the threads of this process: the pools must have stopped spinning. Then other processes, with `patience`
    seconds in all; when these are used up the measuring goes on, and the outcome says how busy the machine was. Clocks
    of what runs elsewhere move only at timer ticks, up to 10 ms apart: a look takes longer than two of them.
    """

    LOOK = 0.025

    def __init__(self, patience: float) -> None:
        self.patience = patience

    def wait(self) -> None:
        """Return when it is quiet, or when waiting has no more point."""
        deadline = time.perf_counter() + LONGEST_WAIT
        while True:
            start, own, machine = time.perf_counter(), time.process_time(), processor_seconds()
            time.sleep(self.LOOK)
            own = time.process_time() - own
            if own > 0.1 * self.LOOK and time.perf_counter() < deadline:
                continue
            if machine is None or self.patience <= 0 or processor_seconds() - machine - own < 0.5 * self.LOOK:
                return
            self.patience -= time.perf_counter() - start
            deadline += time.perf_counter() - start


def _one_turn(call: Callable[[], object]) -> list[float]:
    """Back-to-back calls for a short while.

    The first one wakes the pool, whose threads may sit on one core for a moment: it counts only when it is long.
    """
    seconds = [_timed(call)]
    if seconds[0] < LONG_CALL:
        seconds.clear()
    end = time.perf_counter() + TURN_SECONDS
    while len(seconds) < CALLS_PER_TURN or time.perf_counter() < end:
        seconds.append(_timed(call))
        if seconds[-1] >= LONG_CALL:
            break
    return seconds


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    own = call()
    return float(own) if isinstance(own, Seconds) else time.perf_counter() - start


def _build(workload: Workload, settings: Settings) -> tuple[list[Contender], list[Timing], dict[str, str]]:
    """Make the contenders, run each once and check what it computed. One that fails is left out, with the reason."""
    contenders, timings, absent = [], [], {}
    reference = cache(workload.reference)
    for name, build in workload.contenders:
        if settings.only and not name.startswith(settings.only):
            continue
        try:
            contender = build()
            contender.call()
            error = relative_error(workload.select(contender.result()), reference())
        except Unavailable as reason:
            absent[name] = str(reason)
        except Exception as failure:
            if settings.tracebacks:
                traceback.print_exc()
            absent[name] = f"{type(failure).__name__}: {failure}".split("\n")[0][:160]
        else:
            contenders.append(contender)
            timings.append(Timing(contender.name, contender.ours, error))
    return contenders, timings, absent


def run_all(workloads: Iterator[Workload], meter: LimitMeter, settings: Settings) -> Iterator[Outcome]:
    """Measure one workload after another, each built when its turn comes and dropped before the next."""
    with suppress(StopIteration):
        while True:
            yield measure(next(workloads), meter, settings)
