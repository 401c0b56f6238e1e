"""Utility programs: graphs of one kernel that the runtime itself runs, such as repacking; cached on disk like users' programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlx.core import cache
from rlx.core.report import Report
from rlx.ir.graph import Graph


def utility_runner(name: str, build: Callable[[], Graph], inputs: Sequence[str], outputs: Sequence[str]) -> Any:
    """The runner of a graph whose ops are all CPU kernels: planned as it is, without any pass.

    The name determines the graph: it is built only if the cache does not have its program.
    """
    from rlx.backends.cpu.backend import CpuBackend
    from rlx.backends.cpu.compile.program import pack_program, unpack_program
    from rlx.backends.cpu.run.runner import CpuRunner

    backend = CpuBackend.shared()
    key = backend.key("utility", name)
    runner = cache.read(key, lambda stored: CpuRunner(unpack_program(stored)))
    if runner is None:
        program = backend.build(backend.plan(build(), Report()), Report())
        cache.store(key, pack_program(program))
        runner = CpuRunner(program)
    runner.order(inputs, outputs)
    return runner
