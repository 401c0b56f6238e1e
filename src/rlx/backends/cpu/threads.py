"""The pool of worker threads, and `run`, which gives a Job to it.

Workers are Python threads that enter native code once and stay there, waiting for jobs without the GIL: they spin for
a short while after a job, then sleep, so a hot pool answers in a fraction of a microsecond and an idle one costs
nothing. There is one pool per process and it does one job at a time.

**The gate.** A job is open to as many workers as it has seats; the word is `seats << 32 | tickets taken`. A worker
takes a ticket by one atomic addition, whose old value tells it at once whether it has a seat and which. The caller
never waits for a worker to come: it starts alone and closes the gate (one exchange with 0) when nothing is left to
claim. Only then does it wait for those who did take a seat to leave, after which the job's memory is its own again.
"""

from __future__ import annotations

import atexit
import ctypes
import math
import os
import threading
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

from rlx.core.config import THREADS
from rlx.core.errors import RlxError

from .builder import I64, PTR, Function, Module, Value
from .codegen import compile_object, load_object
from .runloop import REFUSED, Job, JobField, aligned_words
from .target import Target
from .waiting import SLEEPERS, Platform, Waiting, define_waiting
from .walk import RunLoop, define_run_loop, float_mode, set_float_mode

__all__ = ["Pool", "available_threads", "cpu_quota", "native_text", "run", "set_threads", "thread_count"]


# -- native code
class PoolField(IntEnum):
    """Words of a pool (i64 each). The first three are signals: jobs so far, workers done with this one, whose turn."""

    EPOCH, LEFT, TURN = 0, 16, 32
    GATE, TICKET = 48, 56
    JOB, WORKERS, STOP, OWNER = 64, 65, 66, 67


POOL_WORDS = 72


def native_text(target: Target, platform: Platform | None = None) -> str:
    """The LLVM text of the run loop and the pool: `rlx_run(job, pool)`, `rlx_worker(pool)`, `rlx_stop(pool)`."""
    module = Module(target)
    waiting = define_waiting(module, platform)
    loop = define_run_loop(module, waiting)
    _define_run(module, waiting, loop)
    _define_worker(module, waiting, loop)
    _define_stop(module, waiting)
    return waiting.globals + module.text()


def _define_run(module: Module, waiting: Waiting, loop: RunLoop) -> None:
    """`i64 rlx_run(job, pool)`: run a job and give its status; without the pool when that is null or of no use.

    The thread whose job the pool is doing gets here again from a host call; that inner job runs on it alone.
    """
    k = module.function("rlx_run", [("job", PTR), ("pool", PTR)], I64)
    job, pool = k.parameters
    callers_mode = float_mode(k)
    set_float_mode(k)
    useful = k.call(loop.prepare, job)
    with k.when(useful == 0):
        set_float_mode(k, callers_mode)
        k.ret(REFUSED)
    shared = k.var(0)
    with k.when((useful > 1) & (k.address_of(pool) != 0)):
        shared.set(k.select(k.load_atomic(pool, PoolField.OWNER) == k.call(waiting.self), 0, 1))
    with k.when(shared.get() != 0):
        k.call(_define_run_shared(module, waiting, loop), job, pool, useful)
    with k.otherwise():
        k.call(loop.walk_alone, job)
    set_float_mode(k, callers_mode)
    k.ret(k.load(k.load(job, JobField.STATUS, PTR), 0, I64))


def _define_run_shared(module: Module, waiting: Waiting, loop: RunLoop) -> Function:
    """Wait for the turn, run the job with the workers, let the next one in."""
    k = module.function("rlx_run_shared", [("job", PTR), ("pool", PTR), ("useful", I64)], internal=True)
    job, pool, useful = k.parameters
    _take_turn(k, waiting, pool)
    seats = k.minimum(useful - 1, k.load(pool, PoolField.WORKERS, I64))
    with k.when(seats > 0):
        k.call(_define_open(module, waiting), pool, job, seats)
        k.call(loop.walk, job, 0)
        gate = k.exchange(pool, PoolField.GATE, 0)
        k.call(waiting.wait_for, k.pointer(pool, PoolField.LEFT, I64), k.minimum(gate & 0xFFFFFFFF, seats))
    with k.otherwise():
        k.call(loop.walk_alone, job)
    _give_turn(k, waiting, pool)
    return k


def _take_turn(k: Function, waiting: Waiting, pool: Value) -> None:
    """A lock, first come first served: callers of the pool wait here in native code, without the GIL."""
    k.call(waiting.wait_for, k.pointer(pool, PoolField.TURN, I64), k.fetch_add(pool, PoolField.TICKET, 1))
    k.store_atomic(k.call(waiting.self), pool, PoolField.OWNER)


def _give_turn(k: Function, waiting: Waiting, pool: Value) -> None:
    k.store_atomic(0, pool, PoolField.OWNER)
    k.call(waiting.signal, k.pointer(pool, PoolField.TURN, I64), 1)


def _define_open(module: Module, waiting: Waiting) -> Function:
    """Open the gate and wake as many sleepers as there are seats that the workers now awake cannot fill."""
    k = module.function("rlx_open", [("pool", PTR), ("job", PTR), ("seats", I64)], internal=True)
    pool, job, seats = k.parameters
    k.store(job, pool, PoolField.JOB)
    k.store(0, pool, PoolField.LEFT, I64)
    k.call(waiting.wake_from_here, pool)
    k.store_atomic(seats << 32, pool, PoolField.GATE)
    k.fetch_add(pool, PoolField.EPOCH, 1, I64, "seq_cst")
    sleepers = k.load_atomic(pool, PoolField.EPOCH + SLEEPERS, I64, "seq_cst")
    missing = seats - (k.load(pool, PoolField.WORKERS, I64) - sleepers)
    with k.when(missing > 0):
        k.call(waiting.wake, pool, missing)
    return k


def _define_worker(module: Module, waiting: Waiting, loop: RunLoop) -> None:
    """`rlx_worker(pool)`: take part in jobs until the pool stops."""
    k = module.function("rlx_worker", [("pool", PTR)])
    pool = k.parameters[0]
    set_float_mode(k)
    epoch = k.var(0)
    with k.loop() as jobs:
        epoch.set(k.call(waiting.wait_for, pool, epoch.get() + 1))
        jobs.stop(k.load_atomic(pool, PoolField.STOP) != 0)
        ticket = k.fetch_add(pool, PoolField.GATE, 1)
        seat = ticket & 0xFFFFFFFF
        with k.when(seat < ticket.ushr(32)):
            k.call(loop.walk, k.load(pool, PoolField.JOB, PTR), seat + 1)
            k.call(waiting.signal, k.pointer(pool, PoolField.LEFT, I64), 1)


def _define_stop(module: Module, waiting: Waiting) -> None:
    """`i64 rlx_stop(pool)`: after the running job, send the workers home. 0 if it is this thread that runs it."""
    k = module.function("rlx_stop", [("pool", PTR)], I64)
    pool = k.parameters[0]
    with k.when(k.load_atomic(pool, PoolField.OWNER) == k.call(waiting.self)):
        k.ret(0)
    _take_turn(k, waiting, pool)
    k.store(0, pool, PoolField.WORKERS, I64)
    k.store_atomic(1, pool, PoolField.STOP)
    k.call(waiting.signal, pool, 1)
    _give_turn(k, waiting, pool)
    k.ret(1)


class _Native:
    """The native functions, loaded: callable with addresses, without the GIL."""

    def __init__(self, platform: Platform | None) -> None:
        target = Target.host()
        self._loaded = load_object(compile_object(native_text(target, platform), target))
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        run = ctypes.CFUNCTYPE(number, pointer, pointer)(self._loaded.address("rlx_run"))
        self.run: Callable[[int, int | None], int] = run
        self.worker: Callable[[int], None] = ctypes.CFUNCTYPE(None, pointer)(self._loaded.address("rlx_worker"))
        self.stop: Callable[[int], int] = ctypes.CFUNCTYPE(number, pointer)(self._loaded.address("rlx_stop"))
        self.reset: Callable[[], None] = ctypes.CFUNCTYPE(None)(self._loaded.address("rlx_reset"))
        self.reset()


# -- the pool
class Pool:
    """Worker threads that wait in native code, started when first needed. With the caller they are `threads`."""

    def __init__(self, platform: Platform | None = None) -> None:
        self._platform: Platform | None = platform
        self._native: _Native | None = None
        self._call: Callable[[int, int | None], int] = self._load_and_call
        self._words = aligned_words(POOL_WORDS)  # lives as long as the pool: callers may be waiting in it
        self._address: int = self._words.ctypes.data
        self._started = False
        self._lock = threading.RLock()
        self._threads = 0
        self._workers: list[threading.Thread] = []

    def run(self, job: Job) -> int:
        """Run a job and give its status (0: fine).

        A job with one thread stays off the pool; others wait here until those that came before are done. Signals are
        handled after the native call has returned, so an interrupt finds the job complete. A job is the caller's to
        guard: it must not be run twice at the same time.
        """
        if job.threads == 1:
            return self._call(job.address, None)
        if not self._started:
            self._start()
        return self._call(job.address, self._address)

    @property
    def threads(self) -> int:
        """How many threads a job can have: what was set, else RLX_THREADS, else what this process may use."""
        return self._threads or _requested_threads() or available_threads()

    def set_threads(self, threads: int | None) -> None:
        """Set how many threads a job can have, or with None go back to the default. Waits for a running job."""
        if threads is not None and threads < 1:
            raise RlxError("RLX406", f"set_threads({threads})", fix="at least 1, or None for the default")
        with self._lock:
            if self._native is not None and not self._native.stop(self._address):
                raise RlxError("RLX402", "set_threads inside a host call", fix="call it between runs")
            for worker in self._workers:
                worker.join()
            self._workers.clear()
            self._started = False
            self._threads = threads or 0

    def close(self) -> None:
        """End the workers, before the memory their code is in goes. Later jobs run on their callers."""
        self.set_threads(1)

    def forget_threads(self) -> None:
        """Start anew in a forked child: it has none of its parent's threads, and maybe locks that none will release."""
        self._words[:] = 0
        if self._native is not None:
            self._native.reset()
        self._started = False
        self._lock = threading.RLock()
        self._workers.clear()

    def _start(self) -> None:
        with self._lock:
            if self._started:
                return
            self._words[PoolField.STOP] = 0
            worker = self._load().worker
            for number in range(1, self.threads):
                thread = threading.Thread(target=worker, args=(self._address,), name=f"rlx-{number}", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the system gives no more
                    break
                self._workers.append(thread)
            self._words[PoolField.WORKERS] = len(self._workers)
            self._started = True

    def _load(self) -> _Native:
        with self._lock:
            if self._native is None:
                self._native = _Native(self._platform)
                self._call = self._native.run
            return self._native

    def _load_and_call(self, job: int, pool: int | None) -> int:
        return self._load().run(job, pool)


# -- how many
def available_threads(root: Path = Path("/")) -> int:
    """CPUs this process may use: those of its affinity, and no more than its cgroup's quota, rounded up."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = cpu_quota(root)
    return cpus if quota is None else max(1, min(cpus, math.ceil(quota)))


def cpu_quota(root: Path = Path("/")) -> float | None:
    """The CPUs the cgroup of this process and those above it grant, or None without a limit. Knows cgroup v1 and v2."""
    quotas: list[float] = []
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        for mount in ("cpu", "cpu,cpuacct", "cpuacct,cpu") if controllers else (".", "unified"):
            base = root / "sys/fs/cgroup" / mount
            inner = base / path.strip("/")
            levels = len(inner.parts) - len(base.parts) + 1
            folders = [base] if ".." in inner.parts else [inner, *inner.parents][:levels]
            quotas.extend(quota for folder in folders if (quota := _folder_quota(folder)) is not None)
    return min(quotas, default=None)


def _folder_quota(folder: Path) -> float | None:
    fields = _read(folder / "cpu.max").split() or [
        _read(folder / "cpu.cfs_quota_us").strip(), _read(folder / "cpu.cfs_period_us").strip()
    ]  # fmt: skip
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or int(fields[1]) == 0:
        return None  # "max", −1, or no such file
    return int(fields[0]) / int(fields[1])


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _requested_threads() -> int:
    text = THREADS.read()
    if text and not (text.isdecimal() and int(text) > 0):
        raise RlxError("RLX406", f"{THREADS.name}={text}", fix="a number of threads, at least 1")
    return int(text or 0)


_pool = Pool()
atexit.register(_pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.forget_threads)

run = _pool.run
"""Run a job on the process's pool and give its status; see `Pool.run`."""
set_threads = _pool.set_threads
"""Set how many threads a job can have; see `Pool.set_threads`."""


def thread_count() -> int:
    """How many threads a job can have; see `Pool.threads`."""
    return _pool.threads
