"""A description of this machine and its peak speed: an FMA loop in registers and a read loop over memory, on all threads.

Both loops are emitted with the kernels' own builder and run on the kernels' own thread pool, so they also show that these work.
"""

from __future__ import annotations

import itertools
import os
import platform
import time
from functools import lru_cache
from statistics import median

import numpy as np

from rlx.backends.base import Limits
from rlx.backends.cpu.compile.codegen import Loaded, compile_object, llvm_version, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import F32, I64, PTR
from rlx.backends.cpu.run.commands import Argument, CommandTable, NativeCommand
from rlx.backends.cpu.run.job import Job
from rlx.backends.cpu.run.thread_pool import available_threads, cpu_quota, run, thread_count
from rlx.backends.cpu.target import TUNED, Target, instruction_sets, unused_sets
from rlx.backends.cpu.topology import Topology
from rlx.core.this_process import free_memory

_ACCUMULATORS = 10  # enough independent chains for two FMA units with latency 4 or 5, within 16 registers
_ROUNDS = 200_000
_STREAMS = 4  # parallel read streams: more open pages
_MEMORY_BYTES = 256 << 20  # of what is read, at least,
_CACHES = 8  # and so many times the last-level cache,
_READ_BYTES = 64 << 20  # one part at a time
_LEAST_RUNS = 5


def describe(target: Target) -> dict[str, str]:
    """The machine's rows in `rlx doctor`: CPU, instruction sets, sizes, threads, caches, compiler."""
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
        **topology.describe(),
        "caches": f"{topology.last_level_bytes >> 20} MB of last level",
        "system": f"{platform.system()} {platform.release()}, {target.triple}",
        "compiler": f"LLVM {'.'.join(map(str, llvm_version()))}",
    }


def measure(seconds: float = 1.0) -> Limits:
    """Measures GFLOP/s of f32 multiply-adds and GB/s of reads, on as many threads as a run uses."""
    meter = SpeedMeter()
    meter.sample(seconds)
    return meter.limits


class SpeedMeter:
    """Measures the two limits, for `exe.profile`, `rlx doctor` and the benchmarks: the best of all runs so far, and their spread.

    `memory` is what the read loop reads, one part after the other: more than the caches hold, first written by the threads that read it.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or thread_count()
        code, lanes = _loops(), Target.host().lanes("f32")
        self._sink = np.full(1024, 0.5, np.float32)
        units = self.threads * 4
        self._work = 2 * lanes * _ACCUMULATORS * _ROUNDS * units
        self._multiply = _job(code, "fma_loop", units, [self._sink.ctypes.data], self.threads)
        step = 2 * lanes * _STREAMS
        count = _READ_BYTES // 4 // self.threads // step * step  # floats per thread
        self.memory = np.empty((_memory_bytes() // _READ_BYTES, count * self.threads), np.float32)
        buffers = [self.memory.ctypes.data, self._sink.ctypes.data]
        self._read, write = (
            _job(code, name, self.threads, buffers, self.threads, count // _STREAMS) for name in ("read_loop", "write_loop")
        )
        for part in range(len(self.memory)):
            self._seconds(write, part)
        self._seconds(self._multiply)  # wakes the threads
        self._runs: dict[str, list[float]] = {"multiply": [], "read": []}

    def sample(self, seconds: float = 0.05) -> None:
        """Runs the FMA loop and the read loop in turn, for so long, and five times at least."""
        end = time.perf_counter() + seconds
        for number in itertools.count():
            self._runs["multiply"].append(self._seconds(self._multiply))
            self._runs["read"].append(self._seconds(self._read, number % len(self.memory)))
            if number >= _LEAST_RUNS and time.perf_counter() > end:
                return

    @property
    def limits(self) -> Limits:
        """The best rates so far, and how far the median is below them."""
        best = {name: min(runs) for name, runs in self._runs.items()}
        spread = {name: 1 - best[name] / median(runs) for name, runs in self._runs.items()}
        rates = self._work / best["multiply"] * 1e-9, self.memory[0].nbytes / best["read"] * 1e-9
        return Limits(*rates, self.threads, spread["multiply"], spread["read"])

    def _seconds(self, job: Job, part: int | None = None) -> float:
        """The time of one run of a loop; the part of the memory goes into the first buffer."""
        if part is not None:
            job.buffers[0] = self.memory[part].ctypes.data
        start = time.perf_counter()
        run(job)
        return time.perf_counter() - start


def _memory_bytes() -> int:
    """The size of the read loop's memory: much more than the last-level cache, at most a quarter of the free; full parts."""
    wanted = max(_MEMORY_BYTES, _CACHES * Topology.read().last_level_bytes)
    free = free_memory()
    allowed = wanted if free is None else min(wanted, free // 4)
    return max(2, allowed // _READ_BYTES) * _READ_BYTES


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
    k = module.kernel("write_loop")
    data, length = k.argument(0, PTR), k.argument(2, I64)
    for unit in k.range(k.begin, k.end):
        one = k.splat(k.constant(1.0, F32), vector.lanes)
        for at in k.range(0, length * _STREAMS, vector.lanes):
            k.store(one, k.pointer(data, unit * _STREAMS * length, F32), at)
    return load_object(compile_object(module.text(), target))
