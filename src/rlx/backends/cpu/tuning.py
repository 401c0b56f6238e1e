"""Tuning: times kernel parameters that depend on the machine's memory and caches, and saves the best.

Every value gives correct results on every machine. Programs of a tuned machine have their own entries in the disk cache, and products
may add their terms in a different order, as on another machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.run.runner import CpuRunner
from rlx.backends.cpu.target import Target
from rlx.backends.cpu.topology import keep
from rlx.backends.knob import Knob
from rlx.core.aligned import weights_empty
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.layouts.stored_rows import StoredRows

_ROUNDS = 5
_COLUMNS, _DEPTH, _WEIGHTS = 2048, 4096, 16
"""Packed weights of 4.7 MB each, together far larger than the caches."""
_SIDE = 768
_CANDIDATES: dict[str, tuple[int, ...]] = {"prefetch_distance": (0, 640, 1024, 1792, 3072, 4096), "k_block": (192, 256, 384, 512)}


def tune(seconds: float = 1.0) -> tuple[Knob, ...]:
    """Times every parameter for its share of the seconds, and saves the choices for programs compiled in new processes.

    Compiling the candidates takes about a second more.
    """
    knobs = tuple(trial.knob(seconds / 2) for trial in (_streaming(), _product()))
    keep(Target.host(), {knob.name: knob.chosen for knob in knobs})
    return knobs


@dataclass(frozen=True)
class _Trial:
    """The timed program of one tuned parameter."""

    name: str
    unit: str
    work: float
    graph: Graph
    inputs: tuple[str, ...]
    call: Callable[[CpuRunner], None]

    def knob(self, seconds: float) -> Knob:
        """Times each candidate, interleaved, in several rounds."""
        host = Target.host()
        runners = {value: self._runner(host.with_sizes({self.name: value})) for value in _CANDIDATES[self.name]}
        rounds = [self._round(runners, seconds / _ROUNDS) for _ in range(_ROUNDS)]
        return Knob(self.name, self.unit, self.work, rounds, getattr(Target, self.name))

    def _round(self, runners: Mapping[int, CpuRunner], seconds: float) -> dict[int, float]:
        best = dict.fromkeys(runners, float("inf"))
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or float("inf") in best.values():
            for value, runner in runners.items():
                start = time.perf_counter()
                self.call(runner)
                best[value] = min(best[value], time.perf_counter() - start)
        return best

    def _runner(self, target: Target) -> CpuRunner:
        backend = CpuBackend(target)
        made = CpuRunner(backend.build(backend.plan(self.graph, Report()), Report()))
        made.order(self.inputs, ("y",))
        self.call(made)
        return made


def _streaming() -> _Trial:
    """Trial of the prefetch distance: one row times packed weights from memory."""
    rows = StoredRows("Q4_K")
    stored = Shape((_COLUMNS, _DEPTH // rows.scheme.block_size() * rows.scheme.block_bytes()), "u8")
    (shape,) = OPS["pack"].op(layout=rows).infer((stored,))
    graph = Graph("stream", "mir")
    x = graph.add_node(OPS["input"].op(name="x", shape=Shape((1, _DEPTH), "f32")))
    w = graph.add_node(OPS["input"].op(name="w", shape=shape))
    made = graph.add_node(OPS["packed_matmul"].op(layout=rows, n=_COLUMNS, exact=False), [x.ref, w.ref])
    graph.set_output_refs({"y": made.ref})
    weights = weights_empty((_WEIGHTS, *map(int, shape.dims)), np.dtype(np.uint8))
    weights[...] = 0x3C
    given, out = np.ones((1, _DEPTH), np.float32), np.empty((1, _COLUMNS), np.float32)

    def call(runner: CpuRunner) -> None:
        for weight in weights:
            runner.run({}, [given, weight], [out])

    return _Trial("prefetch_distance", "B", weights.nbytes * 1e-9, graph, ("x", "w"), call)


def _product() -> _Trial:
    """Trial of the K block size: a matrix product."""
    graph = Graph("product", "mir")
    shape = Shape((_SIDE, _SIDE), "f32")
    a, b = (graph.add_node(OPS["input"].op(name=name, shape=shape)) for name in ("a", "b"))
    graph.set_output_refs({"y": graph.add_node(OPS["matmul"].op(), [a.ref, b.ref]).ref})
    ones, out = np.ones((_SIDE, _SIDE), np.float32), np.empty((_SIDE, _SIDE), np.float32)
    return _Trial("k_block", "FLOP", 2.0 * _SIDE**3 * 1e-9, graph, ("a", "b"), lambda runner: runner.run({}, [ones, ones], [out]))
