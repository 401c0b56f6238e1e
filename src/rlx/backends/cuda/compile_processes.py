"""Processes that compile kernels side by side: Triton's compiler holds Python's lock, and a model has dozens of kernels.

Each is `python -m rlx.backends.cuda.compile_processes`: it reads kernels from its input and writes cubins to its output, until the input
ends. They are started when a program first has several kernels to compile, and end with this process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any

from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.backends.cuda.triton_compile import Cubin, compile_here, keep, kept

_MOST = 16  # processes
_WORTH = 3  # kernels from which on they are asked
_lock = threading.Lock()
_workers: list[subprocess.Popen[bytes]] = []


def compile_ahead(kernels: Sequence[KernelSource], target: GpuTarget) -> int:
    """Compile the kernels that are not on disk yet, and keep them there; how many there were."""
    missing = [kernel for kernel in kernels if kept(kernel, target) is None]
    if len(missing) < _WORTH:
        return len(missing)
    with _lock:
        workers = _started(len(missing))
        shares = [missing[place :: len(workers)] for place in range(len(workers))]
        failures: list[BaseException] = []
        threads = [
            threading.Thread(target=_ask, args=(worker, share, target, failures))
            for worker, share in zip(workers, shares, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
    return len(missing)


def _started(wanted: int) -> list[subprocess.Popen[bytes]]:
    """Workers, as many as there is work and there are cores."""
    _workers[:] = [worker for worker in _workers if worker.poll() is None]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    while len(_workers) < min(wanted, os.cpu_count() or 1, _MOST):
        command = [sys.executable, "-W", "ignore", "-m", __name__]
        _workers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment))
    return _workers[:wanted]


def _ask(
    worker: subprocess.Popen[bytes], kernels: Sequence[KernelSource], target: GpuTarget, failures: list[BaseException]
) -> None:
    """Give a worker its share, one kernel after the other; the others are compiled also if one is refused."""
    assert worker.stdin is not None and worker.stdout is not None
    try:
        for kernel in kernels:
            _send(worker.stdin, (kernel, target))
            found = _received(worker.stdout)
            if isinstance(found, BaseException):
                failures.append(found)
                continue
            assert isinstance(found, Cubin)
            keep(kernel, target, found)
    except BaseException as error:  # raised on the thread that asked
        failures.append(error)


def _send(stream: IO[bytes], message: Any) -> None:
    blob = pickle.dumps(message)
    stream.write(len(blob).to_bytes(8, "little") + blob)
    stream.flush()


def _received(stream: IO[bytes]) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError("a process that compiles kernels ended")
    return pickle.loads(stream.read(int.from_bytes(head, "little")))


def _work() -> None:
    """What a worker does: compile until its input ends. What is printed while compiling goes to the error output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            kernel, target = _received(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer: Any = compile_here(kernel, target)
        except Exception as error:  # whatever the compiler raises is for the one who asked
            answer = RuntimeError(f"{type(error).__name__}: {error!s:.2000}")
        _send(answers, answer)


if __name__ == "__main__":
    _work()
