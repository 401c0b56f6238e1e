"""What the machine can do at most: an FMA loop in registers and a read loop over memory, on all threads.

Both are LLVM text compiled here, so that they owe nothing to the compiler that is being measured. Threads are Python
threads inside a native call, which holds no interpreter lock.
"""

from __future__ import annotations

import ctypes
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import llvmlite.binding as llvm
import numpy as np

ACCUMULATORS = 10  # enough independent chains for two FMA units at latency 4 or 5, and they fit 16 registers
MEMORY_BYTES = 512 << 20  # far more than any cache,
READ_BYTES = 64 << 20  # read a part at a time
FMA_ROUNDS = 10_000_000


@dataclass
class Limits:
    """The best rates seen so far in this run."""

    gflops: float = 0.0
    gigabytes: float = 0.0

    def seconds(self, flops: float, bytes_from_memory: float) -> float:
        """The least time for so much arithmetic and memory traffic."""
        return max(flops / self.gflops, bytes_from_memory / self.gigabytes) * 1e-9


class LimitMeter:
    """Measures the limits; `sample` may be called as often as wanted and keeps the best."""

    def __init__(self, threads: int) -> None:
        self.limits = Limits()
        self._threads = threads
        self._lanes = _vector_lanes()
        self._engine = _compile(_fma_text(self._lanes) + _read_text(self._lanes))
        self._pool = ThreadPoolExecutor(threads)
        self._memory = itertools.cycle(np.ones((MEMORY_BYTES // READ_BYTES, READ_BYTES // 4), np.float32))
        self._sinks = [np.zeros(64, np.float32) for _ in range(threads)]
        signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
        self._fma = signature(self._engine.get_function_address("fma_loop"))
        self._read = signature(self._engine.get_function_address("read_loop"))

    def sample(self) -> Limits:
        """Run both loops once (about 40 ms)."""
        flops = 2 * self._lanes * ACCUMULATORS * FMA_ROUNDS * self._threads
        seconds = self._on_all_threads(lambda i: self._fma(None, FMA_ROUNDS, self._sinks[i].ctypes.data))
        self.limits.gflops = max(self.limits.gflops, flops / seconds * 1e-9)
        for part in itertools.islice(self._memory, 8):
            shares = np.array_split(part, self._threads)
            seconds = self._on_all_threads(partial(self._read_share, shares))
            self.limits.gigabytes = max(self.limits.gigabytes, part.nbytes / seconds * 1e-9)
        return self.limits

    def _read_share(self, shares: list[np.ndarray], i: int) -> None:
        self._read(shares[i].ctypes.data, shares[i].size, self._sinks[i].ctypes.data)

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


def _fma_text(lanes: int) -> str:
    """acc = acc · x + y on independent accumulators; x and y are loaded, so that nothing can be folded."""
    vector = f"<{lanes} x float>"
    chains = range(ACCUMULATORS)
    phis = "\n".join(f"  %a{i} = phi {vector} [ %y, %entry ], [ %n{i}, %loop ]" for i in chains)
    fmas = "\n".join(
        f"  %n{i} = call {vector} @llvm.fma.v{lanes}f32({vector} %a{i}, {vector} %x, {vector} %y)" for i in chains
    )
    stores = "\n".join(f"  store volatile {vector} %n{i}, ptr %sink, align 4" for i in chains)
    return f"""
declare {vector} @llvm.fma.v{lanes}f32({vector}, {vector}, {vector})
define void @fma_loop(ptr %unused, i64 %rounds, ptr %sink) {{
entry:
  %x = load volatile {vector}, ptr %sink, align 4
  %y = load volatile {vector}, ptr %sink, align 4
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{fmas}
  %next = add i64 %r, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
{stores}
  ret void
}}
"""


def _read_text(lanes: int) -> str:
    """Sum `count` floats as four interleaved streams of two vectors: more pages open at once than one stream reads."""
    vector, streams, vectors = f"<{lanes} x float>", range(4), range(8)
    phis = "\n".join(f"  %s{i} = phi {vector} [ zeroinitializer, %entry ], [ %t{i}, %loop ]" for i in vectors)
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
define void @read_loop(ptr %data, i64 %count, ptr %sink) {{
entry:
  %part = udiv i64 %count, 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{heads}
{adds}
  %next = add i64 %i, {2 * lanes}
  %more = icmp ult i64 %next, %part
  br i1 %more, label %loop, label %done
done:
{stores}
  ret void
}}
"""
