"""From the source of a kernel to a cubin: Triton compiles, without a GPU and without a C compiler. Cubins are stored on disk.

A kernel that is on disk is loaded without importing Triton. Several missing kernels are compiled side by side by processes, since Triton's
compiler holds Python's lock and a model has dozens of kernels. Each process reads kernels from its input and writes cubins to its output
until the input ends. They are started when a program first has several kernels to compile, and end with this process.
"""

from __future__ import annotations

import json
import linecache
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import IO, Any

from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.kernel_data import ALIGNMENT, HAND_WRITTEN, KernelSource
from rlx.core import cache
from rlx.core.errors import RlxError

_FORMAT = "1"


@dataclass(frozen=True)
class Cubin:
    """A kernel's machine code, and the data that launching it needs."""

    name: str
    code: bytes
    warps: int
    shared: int
    """Bytes of shared memory."""
    global_scratch: int
    """Bytes of scratch per block that the caller provides; 0 for every kernel so far."""

    def pack(self) -> bytes:
        """The cubin as bytes."""
        about = {name: value for name, value in asdict(self).items() if name != "code"}
        head = json.dumps(about).encode()
        return len(head).to_bytes(4, "little") + head + self.code

    @staticmethod
    def unpack(blob: bytes) -> Cubin:
        """Reads a cubin from its bytes."""
        size = int.from_bytes(blob[:4], "little")
        return Cubin(code=blob[4 + size :], **json.loads(blob[4 : 4 + size]))


@lru_cache(maxsize=1)
def triton_version() -> str:
    """The installed version of Triton, found without importing it; empty without one."""
    try:
        return version("triton")
    except PackageNotFoundError:
        return ""


def compiled(kernel: KernelSource, target: GpuTarget) -> Cubin:
    """The cubin of a kernel for a target: from disk, or compiled and stored there."""
    cubin = kept(kernel, target)
    if cubin is None:
        cubin = compile_here(kernel, target)
        keep(kernel, target, cubin)
    return cubin


def _entry(kernel: KernelSource, target: GpuTarget) -> str:
    return cache.key("cuda", _FORMAT, str(target), triton_version(), kernel.key)


def kept(kernel: KernelSource, target: GpuTarget) -> Cubin | None:
    """The cubin of a kernel that is on disk or was compiled in this process, else None."""
    return _recent.get((kernel.key, target)) or cache.read(_entry(kernel, target), Cubin.unpack)


def keep(kernel: KernelSource, target: GpuTarget, cubin: Cubin) -> None:
    """Stores a compiled kernel on disk."""
    remember(kernel.key, target, cubin)
    cache.store(_entry(kernel, target), cubin.pack())


def remember(key: str, target: GpuTarget, cubin: Cubin) -> None:
    """Registers the machine code of a kernel that came with a program."""
    _recent[key, target] = cubin


_recent: dict[tuple[str, GpuTarget], Cubin] = {}
"""Compiled in this process, or read with a program: for where the disk cache is off, or is not that of this machine."""


def compile_here(kernel: KernelSource, target: GpuTarget) -> Cubin:
    """Compiles a kernel in this process."""
    try:
        import triton
        from triton.backends.compiler import GPUTarget
    except ImportError as error:
        message = f"compiling for 'cuda' takes Triton, which cannot be imported: {error}"
        raise RlxError("RLX404", message, fix="pip install 'rlx[cuda]'", at=None) from error
    options = {"num_warps": kernel.warps, "num_stages": kernel.stages, "enable_fp_fusion": not kernel.as_written}
    made = triton.compile(triton_source(kernel, target), target=GPUTarget("cuda", target.capability, 32), options=options)
    about = made.metadata
    return Cubin(about.name, made.asm["cubin"], about.num_warps, about.shared, getattr(about, "global_scratch_size", 0))


def triton_source(kernel: KernelSource, target: GpuTarget) -> Any:
    """The input of Triton's compiler: the function, the types of its parameters and which pointers are aligned."""
    from triton.compiler import ASTSource

    signature = {f"p{index}": f"*{kind}" for index, kind in enumerate(kernel.pointers)}
    if kernel.sizes:
        signature["sizes"] = "*i64"
    wide = [*kernel.aligned, *([True] if kernel.sizes else [])]
    attrs = {(place,): [["tt.divisibility", ALIGNMENT]] for place, aligned in enumerate(wide) if aligned}
    return ASTSource(_function(kernel, target), signature, {}, attrs=attrs)


def _function(kernel: KernelSource, target: GpuTarget) -> Any:
    """Compiles source text to a Triton function. Triton looks its lines up by file name, so they are given one."""
    import triton
    import triton.language as tl
    from triton.language.extra import libdevice

    text = kernel.text.replace(f"def {kernel.name}(", f"@jit\ndef {kernel.name}(")
    file = f"<rlx {kernel.name} {kernel.key} {target}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": __name__, "tl": tl, "jit": triton.jit, "libdevice": libdevice}
    scope |= _launch_functions(target)
    if kernel.functions:
        scope |= {path.stem: import_module(f"rlx.backends.cuda.triton.{path.stem}") for path in HAND_WRITTEN.glob("*.py")}
    exec(compile(text, file, "exec"), scope)
    return scope[kernel.name]


def _launch_functions(target: GpuTarget) -> dict[str, Any]:
    """The functions of `launches.py` that a kernel may call; without support of the target, ones that do nothing."""
    from rlx.backends.cuda.triton import launches

    if target.dependent_launch:
        names = {name: name for name in ("launch_dependents", "wait_for_previous", "prefetch")}
    else:
        names = {"launch_dependents": "nothing", "wait_for_previous": "nothing", "prefetch": "no_prefetch"}
    return {name: getattr(launches, own) for name, own in names.items()}


_MOST = 16  # processes
_WORTH = 3  # kernels from which on they are asked
_lock = threading.Lock()
_workers: list[subprocess.Popen[bytes]] = []


def compile_ahead(kernels: Sequence[KernelSource], target: GpuTarget) -> int:
    """Compiles the kernels that are not on disk yet, and stores them; returns their number."""
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
    """Starts worker processes, at most one for each kernel and core."""
    _workers[:] = [worker for worker in _workers if worker.poll() is None]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    while len(_workers) < min(wanted, os.cpu_count() or 1, _MOST):
        command = [sys.executable, "-W", "ignore", "-c", f"from {__name__} import work; work()"]
        _workers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment))
    return _workers[:wanted]


def _ask(
    worker: subprocess.Popen[bytes], kernels: Sequence[KernelSource], target: GpuTarget, failures: list[BaseException]
) -> None:
    """Sends a worker its kernels, one after the other; continues if one is refused."""
    assert worker.stdin is not None and worker.stdout is not None
    try:
        for kernel in kernels:
            _send(worker.stdin, (kernel, target))
            answer = _received(worker.stdout)
            if isinstance(answer, BaseException):
                failures.append(answer)
                continue
            assert isinstance(answer, Cubin)
            keep(kernel, target, answer)
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


def work() -> None:
    """Main loop of a worker: compiles until its input ends. Output of the compiler goes to stderr."""
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
