"""The pool of worker threads, and `run`, which runs a Job on it.

Workers are Python threads that enter native code once and stay there, waiting for jobs without the GIL: they spin for
a short while after a job, then sleep, so a hot pool responds in a fraction of a microsecond and an idle one costs
nothing. There is one pool per process, and it runs one job at a time.

Where memory is divided into nodes, a worker stays on the CPUs of one: the system places a page near the thread that first writes to it,
and a worker reads the shares of weights it has packed (`run_loop.py`). The caller's thread is not ours to move.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import math
import os
import threading
from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rlx.backends.cpu.compile.codegen import Loaded, compile_object, load_object, native_key
from rlx.backends.cpu.run.commands import POOL_WORDS, PoolField, aligned_words
from rlx.backends.cpu.run.job import LAYOUT, Job
from rlx.backends.cpu.target import Target
from rlx.backends.cpu.topology import Topology, known_topology
from rlx.core import cache
from rlx.core.config import THREADS
from rlx.core.errors import RlxError

if TYPE_CHECKING:
    from rlx.backends.cpu.run.waiting import Platform


# -- native code
def _load(platform: Platform | None) -> Loaded:
    """Loads the native code of a pool, from the disk cache if it is there."""
    target = Target.host()
    name = native_key(target, "pool", str(platform), repr(LAYOUT))
    loaded = cache.read(name, load_object)
    if loaded is None:
        from rlx.backends.cpu.run.thread_pool_code import native_text

        code = compile_object(native_text(target, platform), target)
        cache.store(name, code)
        loaded = load_object(code)
    return loaded


class _Native:
    """The loaded native functions of the pool: callable with addresses, without the GIL."""

    def __init__(self, platform: Platform | None) -> None:
        self._loaded = _load(platform)
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        run = ctypes.CFUNCTYPE(number, pointer, pointer)(self._loaded.address("rlx_run"))
        self.run: Callable[[int, int | None], int] = run
        worker = ctypes.CFUNCTYPE(None, pointer, number)(self._loaded.address("rlx_worker"))
        self.worker: Callable[[int, int], None] = worker
        self.stop: Callable[[int], int] = ctypes.CFUNCTYPE(number, pointer)(self._loaded.address("rlx_stop"))
        self.reset: Callable[[], None] = ctypes.CFUNCTYPE(None)(self._loaded.address("rlx_reset"))
        self.reset()


# -- the pool
class Pool:
    """Worker threads that wait in native code, started when first needed. `threads` counts them and the caller.

    `topology` names the CPUs of each worker; by default it is this machine's.
    """

    def __init__(self, platform: Platform | None = None, topology: Topology | None = None) -> None:
        self._platform: Platform | None = platform
        self._topology = topology
        self._native: _Native | None = None
        self._call: Callable[[int, int | None], int] = self._load_and_call
        self._words = aligned_words(POOL_WORDS)  # lives as long as the pool: callers may be waiting in it
        self._address: int = self._words.ctypes.data
        self._started = False
        self._lock = threading.RLock()
        self._threads = 0
        self._workers: list[threading.Thread] = []

    def run(self, job: Job) -> int:
        """Runs a job and returns its status (0: success).

        A job with one thread does not use the pool; others wait here until earlier ones are done. Signals are
        handled after the native call has returned, so an interrupt finds the job complete. The caller must ensure
        that a job is not run concurrently with itself.
        """
        if job.threads == 1:
            return self._call(job.address, None)
        if not self._started:
            self._start()
        return self._call(job.address, self._address)

    @property
    def threads(self) -> int:
        """The number of threads a job can use: the value set, else RLX_THREADS, else all available cores."""
        return self._threads or _requested_threads() or available_threads()

    def set_threads(self, threads: int | None) -> None:
        """Sets the number of threads a job can use; None restores the default. Waits for a running job."""
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
        """Stops the workers, before their code is unloaded. Later jobs run on their callers."""
        self.set_threads(1)

    def forget_threads(self) -> None:
        """Resets the pool in a forked child: it has none of its parent's threads, and locks may never be released."""
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
            worker, threads = self._load().worker, self.threads
            homes = (self._topology or known_topology()).homes(threads)
            for number in range(1, threads):
                arguments = (worker, self._address, number, homes[number])
                thread = threading.Thread(target=_work, args=arguments, name=f"rlx-{number}", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the system refuses more
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


def _work(worker: Callable[[int, int], None], pool: int, number: int, cpus: Collection[int]) -> None:
    """Body of a worker thread: it pins itself to its CPUs, if it may, and stays in native code."""
    if cpus and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):  # CPUs taken from this process in the meantime: it runs where it can
            os.sched_setaffinity(0, cpus)
    worker(pool, number)


# -- how many
def available_threads(root: Path = Path("/"), cpus: Collection[int] | None = None) -> int:
    """The number of cores available to this process: those of its affinity, at most its cgroup's quota, rounded up.

    Two CPUs of one core share its arithmetic units and caches, so a second thread there only gets in the way of the first.
    """
    cores, quota = len(known_topology(root, cpus).cores), _known_quota(root)
    return cores if quota is None else max(1, min(cores, math.ceil(quota)))


def cpu_quota(root: Path = Path("/")) -> float | None:
    """The CPU quota of this process's cgroup and its parents, or None without a limit. Supports cgroup v1 and v2."""
    quotas: list[float] = []
    for line in _read_text(root / "proc/self/cgroup").splitlines():
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


_known_quota = lru_cache(maxsize=1)(cpu_quota)
"""Read once: it takes a dozen files, and every program that is loaded asks for it."""


def _folder_quota(folder: Path) -> float | None:
    fields = _read_text(folder / "cpu.max").split() or [
        _read_text(folder / "cpu.cfs_quota_us").strip(),
        _read_text(folder / "cpu.cfs_period_us").strip(),
    ]
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or int(fields[1]) == 0:
        return None  # "max", −1, or no such file
    return int(fields[0]) / int(fields[1])


def _read_text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _requested_threads() -> int:
    return THREADS.integer(1) or 0


_pool = Pool()
atexit.register(_pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.forget_threads)

run = _pool.run
"""Run a job on the process's pool and return its status; see `Pool.run`."""
set_threads = _pool.set_threads
"""Set how many threads a job can use; see `Pool.set_threads`."""


def thread_count() -> int:
    """The number of threads a job can use; see `Pool.threads`."""
    return _pool.threads
