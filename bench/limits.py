"""What the machine can do at most: multiply-add loops in registers and a read loop over memory, on all threads.

The multiply-adds and the reads from memory are measured as `exe.profile` and `rlx doctor` measure them (`SpeedMeter`), so that all three
print the same limits on the same machine, with their spread.

Integer work has a limit of its own: products of bytes by the widest instruction the CPU has. What a workload reads is timed on an array
of that size, round after round: what fits the last-level cache is read from there, and a limit that ignores it is none. These loops are
LLVM text compiled here; their threads are Python's inside a native call, which holds no interpreter lock.
"""

from __future__ import annotations

import ctypes
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import llvmlite.binding as llvm
import numpy as np

from bench.integer_loops import integer_loop
from rlx.backends.base import Limits as Measured
from rlx.backends.cpu.machine import SpeedMeter

SAMPLE_SECONDS = 0.02  # of reading, so that starting threads does not count
INTEGER_ROUNDS = 2_000_000


@dataclass
class Limits:
    """The best rates seen so far in this run."""

    gflops: float = 0.0
    gigabytes: float = 0.0
    integer_gops: float = 0.0  # products of bytes and their sums; 0: not measured
    read_seconds: dict[int, float] = field(default_factory=dict)  # by the bytes of an array that is read again and again
    measured: Measured | None = None  # the first two with their spreads

    def seconds(self, flops: float, bytes_from_memory: float, arithmetic: str = "f32") -> float:
        """The least time for so much arithmetic and memory traffic."""
        rate = max(self.integer_gops, self.gflops) if arithmetic == "int8" else self.gflops
        reading = self.read_seconds.get(int(bytes_from_memory), bytes_from_memory / self.gigabytes * 1e-9)
        return max(flops / rate * 1e-9, reading)


class LimitMeter:
    """Measures the limits; `sample` may be called as often as wanted and keeps the best."""

    def __init__(self, threads: int) -> None:
        self.limits = Limits()
        self._threads = threads
        self._meter = SpeedMeter(threads)
        self._integer = integer_loop(llvm.get_host_cpu_features().flatten())
        self._engine = _compile(_read_text(_vector_lanes()) + self._integer.text)
        self._pool = ThreadPoolExecutor(threads)
        self._sinks = [np.zeros(4096, np.float32) for _ in range(threads)]
        self._memory = self._meter.memory.reshape(-1)
        signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self._multiply, self._read = (signature(self._engine.get_function_address(name)) for name in ("integer_loop", "read_loop"))

    def sample(self, bytes_from_memory: float = 0.0) -> Limits:
        """Run the loops once (about 100 ms), and read an array as large as a workload's."""
        self._meter.sample()
        limits, found = self.limits, self._meter.limits
        limits.gflops, limits.gigabytes, limits.measured = found.gflops, found.gigabytes, found
        limits.integer_gops = max(limits.integer_gops, self._rate(self._multiply, INTEGER_ROUNDS, self._integer.ops))
        size = int(bytes_from_memory)
        if 0 < size < self._memory.nbytes:
            found = self._reading(self._memory[: max(size // 4, 1)])
            limits.read_seconds[size] = min(found, limits.read_seconds.get(size, found))
        return limits

    def _rate(self, loop: Callable[[None, int, int, int], None], rounds: int, ops: int) -> float:
        """10^9 operations per second of a loop in registers."""
        seconds = self._on_all_threads(lambda i: loop(None, 0, rounds, self._sinks[i].ctypes.data))
        return ops * rounds * self._threads / seconds * 1e-9

    def _reading(self, part: np.ndarray) -> float:
        """Seconds in which all threads read an array once, each its share, of many rounds."""
        shares = np.array_split(part, self._threads)
        for rounds in itertools.accumulate(itertools.repeat(8), lambda count, factor: count * factor, initial=1):

            def work(i: int, rounds: int = rounds) -> None:
                self._read(shares[i].ctypes.data, shares[i].size, rounds, self._sinks[i].ctypes.data)

            seconds = self._on_all_threads(work)
            if seconds >= SAMPLE_SECONDS:
                return seconds / rounds
        raise AssertionError

    def _on_all_threads(self, work: Callable[[int], None]) -> float:
        start = time.perf_counter()
        rest = [self._pool.submit(work, i) for i in range(1, self._threads)]
        work(0)
        for done in rest:
            done.result()
        return time.perf_counter() - start


def _vector_lanes() -> int:
    features = llvm.get_host_cpu_features()
    return 16 if features.get("avx512f") else 8 if features.get("avx2") else 4


def _compile(text: str) -> llvm.ExecutionEngine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    return engine


def _read_text(lanes: int) -> str:
    """Sum `count` floats, `rounds` times, as four interleaved streams of two vectors: more pages open at once than one stream reads."""
    vector, streams, vectors = f"<{lanes} x float>", range(4), range(8)
    phis = "\n".join(f"  %s{i} = phi {vector} [ zeroinitializer, %again ], [ %t{i}, %loop ]" for i in vectors)
    heads = "\n".join(
        f"""  %o{j} = mul i64 %part, {j}
  %x{j} = add i64 %o{j}, %i
  %h{j} = getelementptr float, ptr %data, i64 %x{j}"""
        for j in streams
    )
    adds = "\n".join(
        f"""  %p{i} = getelementptr {vector}, ptr %h{i // 2}, i64 {i % 2}
  %v{i} = load {vector}, ptr %p{i}, align 4
  %t{i} = fadd {vector} %s{i}, %v{i}"""
        for i in vectors
    )
    stores = "\n".join(f"  store volatile {vector} %t{i}, ptr %sink, align 4" for i in vectors)
    return f"""
define void @read_loop(ptr %data, i64 %count, i64 %rounds, ptr %sink) {{
entry:
  %part = udiv i64 %count, 4
  %whole = and i64 %part, {-2 * lanes}
  %some = icmp ugt i64 %whole, 0
  br i1 %some, label %again, label %end
again:
  %round = phi i64 [ 0, %entry ], [ %following, %done ]
  br label %loop
loop:
  %i = phi i64 [ 0, %again ], [ %next, %loop ]
{phis}
{heads}
{adds}
  %next = add i64 %i, {2 * lanes}
  %more = icmp ult i64 %next, %whole
  br i1 %more, label %loop, label %done
done:
{stores}
  %following = add i64 %round, 1
  %repeat = icmp ult i64 %following, %rounds
  br i1 %repeat, label %again, label %end
end:
  ret void
}}
"""
