"""A description of this machine and its peak speed: an FMA loop in registers and a read loop over memory, on all threads.

Both loops are emitted with the kernels' own builder and run on the kernels' own thread pool, so they also show that these work.
"""

from __future__ import annotations

import itertools
import os
import platform
import time
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rlx.backends.base import Limits
from rlx.backends.cpu.compile.codegen import Loaded, compile_object, llvm_version, load_object
from rlx.backends.cpu.emit.builder import F32, I64, PTR, Module
from rlx.backends.cpu.run.commands import Argument, CommandTable, NativeCommand
from rlx.backends.cpu.run.job import Job
from rlx.backends.cpu.run.thread_pool import available_threads, cpu_quota, run, thread_count
from rlx.backends.cpu.target import TUNED, Target, instruction_sets, unused_sets
from rlx.backends.cpu.topology import Topology

__all__ = ["described", "measure"]

_ACCUMULATORS = 10  # enough independent chains for two FMA units with latency 4 or 5, within 16 registers
_ROUNDS = 200_000
_STREAMS = 4  # parallel read streams: more open pages
_MEMORY_BYTES = 256 << 20  # larger than the caches,
_READ_BYTES = 64 << 20  # read one part at a time


def described(target: Target) -> dict[str, str]:
    """A description of the machine, row by row."""
    quota, topology = cpu_quota(), Topology.read()
    granted = f", cgroup quota {quota:g}, rounded up" if quota is not None else ""
    tuned = [f"{name} {getattr(target, name)}" for name in TUNED if getattr(target, name) != getattr(Target, name)]
    unused = "; ".join(f"{names} ({why})" for why, names in unused_sets(target).items())
    return {
        "CPU": target.cpu,
        "instruction sets": ", ".join(instruction_sets(target)) or "the baseline",
        "there but unused": unused or "none",
        "vectors": f"{target.vector_bytes} bytes, {target.vector_registers} registers",
        "tuned sizes": ", ".join(tuned) or "defaults (rlx tune looks for better values)",
        "threads": f"{thread_count()} of {os.cpu_count()} CPUs ({available_threads()} cores available{granted})",
        **topology.described(),
        "caches": f"{topology.last_level_bytes >> 20} MB of last level",
        "system": f"{platform.system()} {platform.release()}, {target.triple}",
        "compiler": f"LLVM {'.'.join(map(str, llvm_version()))}",
    }


def measure(seconds: float = 1.0) -> Limits:
    """GFLOP/s of f32 multiply-adds and GB/s of reads, on as many threads as a run uses; half of the time for each."""
    target, threads = Target.host(), thread_count()
    code, lanes = _loops(), target.lanes("f32")
    sink = np.full(1024, 0.5, np.float32)
    units = threads * 4
    job = _job(code, "fma_loop", units, [sink.ctypes.data], threads)
    work = 2 * lanes * _ACCUMULATORS * _ROUNDS * units
    gflops = work / _best(job, seconds / 2) * 1e-9
    count = _READ_BYTES // 4 // threads // (8 * lanes) * (8 * lanes)  # floats per thread
    parts = np.ones((_MEMORY_BYTES // _READ_BYTES, count * threads), np.float32)
    job = _job(code, "read_loop", threads, [parts.ctypes.data, sink.ctypes.data], threads, count // _STREAMS)
    return Limits(
        gflops, parts[0].nbytes / _best(job, seconds / 2, [part.ctypes.data for part in parts]) * 1e-9, threads
    )


def _best(job: Job, seconds: float, parts: Sequence[int] = ()) -> float:
    """The shortest time of a run; with `parts`, each run reads a different one."""
    run(job)
    best, end = float("inf"), time.perf_counter() + seconds
    for number in itertools.count():
        if parts:
            job.buffers[0] = parts[number % len(parts)]
        start = time.perf_counter()
        run(job)
        now = time.perf_counter()
        best = min(best, now - start)
        if now > end:
            break
    return best


def _job(code: Loaded, kernel: str, units: int, buffers: list[int], threads: int, extra: int = 0) -> Job:
    arguments = [*(Argument.buffer(index) for index in range(len(buffers))), Argument.immediate(extra)]
    table = CommandTable.build([NativeCommand(kernel, 0, arguments)], [units], len(buffers))
    job = Job(table, code.address, threads)
    job.buffers[:] = buffers
    return job


@lru_cache(maxsize=1)
def _loops() -> Loaded:
    target = Target.host()
    module = Module(target)
    vector = F32.vector(target.lanes("f32"))
    k = module.kernel("fma_loop")
    sink = k.argument(0, PTR)
    for unit in k.range(k.begin, k.end):
        x = k.load(sink, 0, vector)
        totals = [k.var(x * float(i)) for i in range(_ACCUMULATORS)]
        for _ in k.range(_ROUNDS):
            for total in totals:
                total.set(k.fma(total.get(), x, x))
        result = totals[0].get()
        for total in totals[1:]:
            result = result + total.get()
        k.store(k.reduce_add(result), sink, unit % 64 + 512)  # past what the loops read
    k = module.kernel("read_loop")
    data, sink, length = k.argument(0, PTR), k.argument(1, PTR), k.argument(2, I64)
    for unit in k.range(k.begin, k.end):
        sums = [k.var(0.0, vector) for _ in range(2 * _STREAMS)]
        starts = [k.pointer(data, (unit * _STREAMS + stream) * length, F32) for stream in range(_STREAMS)]
        for at in k.range(0, length, 2 * vector.lanes):
            for number, total in enumerate(sums):
                total.set(total.get() + k.load(starts[number // 2], at + number % 2 * vector.lanes, vector))
        result = sums[0].get()
        for total in sums[1:]:
            result = result + total.get()
        k.store(k.reduce_add(result), sink, unit % 64 + 512)
    return load_object(compile_object(module.text(), target))
