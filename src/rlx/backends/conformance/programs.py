"""A graph compiled for a device and run on NumPy arrays, using only the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlx.backends.base import Array, Backend, ProgramRunner
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.verify import verify
from rlx.passes.entry import Options

_GUARD = 256
_FILL = 0xA5


class Guarded:
    """A host array with guard bytes on both sides."""

    def __init__(self, dims: Sequence[int], dtype: Any) -> None:
        dtype = np.dtype(dtype)
        size = int(np.prod(dims, dtype=np.int64)) * dtype.itemsize
        self._memory = np.full(size + 2 * _GUARD + 64, _FILL, np.uint8)
        self._start = _GUARD + (-self._memory.ctypes.data - _GUARD) % 64
        self._stop = self._start + size
        self.array: Array = self._memory[self._start : self._stop].view(dtype).reshape(dims)

    def check(self, what: str) -> None:
        """Raise if something was written outside the array."""
        if (self._memory[: self._start] != _FILL).any():
            raise AssertionError(f"wrote before {what}")
        if (self._memory[self._stop :] != _FILL).any():
            raise AssertionError(f"wrote past {what}")


class DeviceProgram:
    """A graph of inputs and outputs on a device. `alone`: each op with its kernel, without any pass.

    Raises what the device raises: RLX403 if it does not support an op.
    """

    def __init__(self, backend: Backend, graph: Graph, alone: bool = False) -> None:
        verify(graph)
        self.backend = backend
        self.inputs, self.outputs = (tuple(graph.inputs), {name: graph.shape(ref) for name, ref in graph.output_refs.items()})
        report = Report()
        options = Options()
        if alone:
            self.artifact = backend.compile_as_planned(graph)
        else:
            self.artifact = backend.compile(backend.lower(graph, options, report), options, report)

    def runner(self) -> ProgramRunner:
        """A runner with its prepared values, before the first run."""
        main, prepare = self.artifact.runners(self.inputs, tuple(self.outputs))
        if prepare is not None:
            made = {name: self._empty(shape) for name, shape in self.artifact.prepared.items()}
            prepare.make(made)
            for name, array in made.items():
                main.attach(name, array)
        return main

    def run(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs; in host memory, checks that nothing outside them and no input has changed."""
        arrays = self.backend.arrays
        inputs = [arrays.upload(given[name]) for name in self.inputs]
        if not arrays.is_host:
            outputs = [self._empty(shape) for shape in self.outputs.values()]
            self.runner().run({}, inputs, outputs)
            return dict(zip(self.outputs, map(arrays.download, outputs), strict=True))
        guarded = {name: Guarded(_sizes(shape), shape.dtype.numpy) for name, shape in self.outputs.items()}
        self.runner().run({}, inputs, [memory.array for memory in guarded.values()])
        for name, memory in guarded.items():
            memory.check(f"output {name}")
        for name, array in zip(self.inputs, inputs, strict=True):
            if array.tobytes() != np.ascontiguousarray(given[name]).tobytes():
                raise AssertionError(f"changed input {name}")
        return {name: memory.array for name, memory in guarded.items()}

    def prepared_run(self, given: Mapping[str, Array]) -> Any:
        """A function without arguments that runs once on these inputs, without any setup: for timing."""
        arrays, runner = self.backend.arrays, self.runner()
        inputs = [arrays.upload(given[name]) for name in self.inputs]
        outputs = [self._empty(shape) for shape in self.outputs.values()]
        sizes: dict[str, int] = {}

        def run() -> None:
            if not runner.again(inputs, outputs):
                runner.run(sizes, inputs, outputs)

        return run

    def _empty(self, shape: Shape) -> Any:
        return self.backend.arrays.empty(_sizes(shape), DType.of(shape.dtype))


def _sizes(shape: Shape) -> list[int]:
    return [int(size) for size in shape.dims]
