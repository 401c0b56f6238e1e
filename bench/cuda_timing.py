"""How kernels on a GPU are timed: many launches in one graph between two waits, for us and for torch alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.graph import BucketRun
from rlx.core.report import Report
from rlx.passes.entry import Options

ROUNDS = 5
LONG_ENOUGH = 0.02  # seconds between two waits


def best_seconds(launch: Callable[[], object], wait: Callable[[], object], inside: int) -> float:
    """Seconds of one of the `inside` calls that a launch makes: the best of some rounds, each long enough for a clock."""
    launch()
    wait()
    start = time.perf_counter()
    launch()
    wait()
    once = time.perf_counter() - start
    count = max(1, min(200, int(LONG_ENOUGH / max(once, 1e-6))))
    found = []
    for _ in range(ROUNDS):
        wait()
        start = time.perf_counter()
        for _ in range(count):
            launch()
        wait()
        found.append((time.perf_counter() - start) / count / inside)
    return min(found)


def repeated(run: BucketRun, driver: Any, times: int) -> Any:
    """The kernels of a program `times` times after each other, as one graph."""
    nodes = [node for part in run.parts for node in getattr(part, "nodes", ())]
    assert len(run.parts) == 1, "a program with steps on the host"
    return driver.graph(nodes * times)


def seconds_on_device(run: BucketRun, driver: Any, times: int = 20) -> float:
    """What the kernels of a program take, launches overlapping as they do in a graph."""
    graph = repeated(run, driver, times)
    return best_seconds(lambda: driver.launch(graph), driver.synchronize, times)


class Compiled:
    """A graph compiled by `rlx.compile`, with params, run once: its result, and what its kernels take."""

    def __init__(self, graph: rlx.Graph, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> None:
        self.exe = rlx.compile(graph, "cuda")
        self.exe.session.set_params(dict(params))
        self.inputs = {name: self.exe.session.to_device(array) for name, array in inputs.items()}
        self.out = self.exe.run(self.inputs)
        self.driver = CudaBackend.shared().driver
        (self.run,) = self.exe._runner._runs.values()  # type: ignore[union-attr]

    def result(self) -> np.ndarray:
        """Its first output, in host memory."""
        return np.asarray(next(iter(self.out.values())))

    def seconds(self) -> float:
        """Of the kernels."""
        return seconds_on_device(self.run, self.driver)


class Lowered:
    """A plan without params, compiled without any cache of programs: for tables of tiles that change from one to the next."""

    def __init__(self, lir: Any) -> None:
        self.graph, self.backend = lir.graph, CudaBackend.shared()
        self.code = self.backend.compile(lir, Options(), Report())

    def seconds(self, inputs: Mapping[str, Any]) -> float:
        """Of the kernels, on arrays of the device."""
        outputs = {name: self.graph.shape(ref) for name, ref in self.graph.output_refs.items()}
        runner, _ = self.code.runners(tuple(inputs), tuple(outputs))
        arrays = [self.backend.arrays.empty(shape.dims, shape.dtype) for shape in outputs.values()]
        runner.run({}, list(inputs.values()), arrays)
        (run,) = runner._runs.values()
        return seconds_on_device(run, self.backend.driver)


class Torch:
    """The peer: its kernels in a CUDA graph, or called one by one on a machine without a GPU, for tests of these programs."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.has_gpu = torch.cuda.is_available()
        self.device = "cuda" if self.has_gpu else "cpu"

    def array(self, array: np.ndarray) -> Any:
        """A tensor of bf16 or f32, by way of f32: torch knows no bf16 of NumPy."""
        kind = self.torch.bfloat16 if array.dtype.name == "bfloat16" else self.torch.float32
        return self.torch.from_numpy(array.astype(np.float32)).to(self.device).to(kind)

    def wait(self) -> None:
        """For its stream."""
        if self.has_gpu:
            self.torch.cuda.synchronize()

    def seconds(self, call: Callable[[], object], times: int = 20) -> float:
        """Of one call."""
        if not self.has_gpu:
            return best_seconds(call, self.wait, 1)
        stream = self.torch.cuda.Stream()
        with self.torch.cuda.stream(stream):
            for _ in range(3):
                call()
        self.wait()
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            for _ in range(times):
                call()
        return best_seconds(graph.replay, self.wait, times)
