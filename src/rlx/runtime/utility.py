"""Utility programs: graphs of one kernel that the runtime itself runs, such as repacking; cached on disk as users' programs are."""

from __future__ import annotations

from typing import Any

from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.runtime import cache

__all__ = ["utility_runner"]


def utility_runner(graph: Graph) -> Any:
    """What runs a graph whose ops are all kernels of the CPU: planned as it is, by no pass."""
    from rlx.backends.cpu.backend import CpuBackend
    from rlx.backends.cpu.program import pack_program, unpack_program
    from rlx.backends.cpu.runner import CpuRunner

    backend = CpuBackend.shared()
    name = cache.native_key(backend.target, "utility", graph.fingerprint())
    stored = cache.load(name)
    if stored is None:
        program = backend.build(backend.plan(graph, Report()), Report())
        cache.store(name, pack_program(program))
    else:
        program = unpack_program(stored)
    runner = CpuRunner(program)
    runner.order(tuple(graph.inputs), tuple(graph.outputs))
    return runner
