"""The device `cuda` without a GPU: the fake driver, for tests of this folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from rlx.backends.cuda import fake_driver
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.passes.entry import Options

NEEDS_TRITON = pytest.mark.skipif(find_spec("triton") is None, reason="kernels run by Triton's interpreter: pip install triton")


class Running:
    """A graph compiled for a fake GPU, run on NumPy arrays."""

    def __init__(self, graph: Graph, *, as_planned: bool = False) -> None:
        self.driver = FakeDriver()
        self.backend = CudaBackend(self.driver)
        self.report = Report()
        if as_planned:
            self.code = self.backend.compile_as_planned(graph)
        else:
            lir = self.backend.lower(graph, Options(), self.report)
            self.code = self.backend.compile(lir, Options(), self.report)
        self.outputs = {name: graph.shape(ref) for name, ref in graph.output_refs.items()}
        self.inputs = tuple(graph.inputs)
        self.runner, _ = self.code.runners(self.inputs, tuple(self.outputs))

    @property
    def texts(self) -> list[str]:
        """The sources of its kernels."""
        return [kernel.text for kernel in self.code.programs[0].kernels]

    def __call__(self, sizes: dict[str, int] | None = None, **given: Any) -> dict[str, Any]:
        """The outputs, downloaded."""
        arrays, sizes = self.backend.arrays, sizes or {}
        inputs = [arrays.upload(np.asarray(given[name])) for name in self.inputs]
        dims = {name: shape.bind(sizes).dims for name, shape in self.outputs.items()}
        outputs = [arrays.empty(dims[name], shape.dtype) for name, shape in self.outputs.items()]
        self.runner.run(sizes, inputs, outputs)
        return dict(zip(self.outputs, map(arrays.download, outputs), strict=True))


@contextmanager
def noted_reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[tuple[str, int], set[str]]]:
    """When blocks read: of each (kernel, argument) "before" and "after" the wait. An argument is the last whose address is not above."""
    rules, run_blocks, running = fake_driver._RULES, fake_driver.run_blocks, list[Any]()
    check, found = rules.check_load, defaultdict[tuple[str, int], set[str]](set)

    def noted_run(kernel: Any, grid: Any, addresses: Any, *spans: Any) -> None:
        running[:] = kernel.name, addresses
        run_blocks(kernel, grid, addresses, *spans)

    def noted_load(addresses: Any, size: int) -> None:
        if addresses.size:
            name, own = running
            below = [(start, -place) for place, start in enumerate(own) if start <= int(addresses.min())]
            found[name, -max(below)[1]].add("after" if rules.has_waited else "before")
        check(addresses, size)

    with monkeypatch.context() as patched:
        patched.setattr(fake_driver, "run_blocks", noted_run)
        patched.setattr(rules, "check_load", noted_load)
        yield found
