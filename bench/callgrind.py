"""Instructions of a piece of Python in this thread alone, counted by valgrind's callgrind.

`counts(command)` starts a process under valgrind; in it, `count(name, call, times)` says where counting begins and ends. Starting Python,
compiling and other threads do not count: OpenBLAS has some that spin, for as many instructions as the machine lets them.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

WARM_UP = 200
"""Calls before counting: Python rewrites bytecode that has run often enough."""

# What valgrind takes for a request: rotations that change nothing, then an exchange that does nothing. rax: six words, rdx: the answer.
_REQUEST = bytes.fromhex(
    "4889f8"  # mov rax, rdi
    "31d2"  # xor edx, edx
    "48c1c703 48c1c70d 48c1c73d 48c1c733"  # rol rdi by 3, 13, 61, 51: 128 in all
    "4887db"  # xchg rbx, rbx
    "4889d0"  # mov rax, rdx
    "c3"  # ret
)
_CALLGRIND = ord("C") << 24 | ord("T") << 16
_ZERO, _TOGGLE, _DUMP, _START = (_CALLGRIND + number for number in (1, 2, 3, 4))


def unavailable() -> str | None:
    """Why nothing can be counted here, or None."""
    if platform.machine() not in ("x86_64", "AMD64") or platform.system() != "Linux":
        return "requests to valgrind are written for x86-64 Linux"
    return None if shutil.which("valgrind") else "valgrind is not installed"


# -- inside the process that is counted
def count(name: str, call: Callable[[], object], times: int) -> None:
    """Count so many calls, after some that are not counted. Without valgrind they are only made."""
    title = ctypes.create_string_buffer(f"{times} x {name}".encode())
    for _ in range(WARM_UP):
        call()
    turns = range(times)
    _request(_START)
    _request(_ZERO)
    _request(_TOGGLE)
    for _ in turns:
        call()
    _request(_TOGGLE)
    _request(_DUMP, ctypes.addressof(title))


def native(code: bytes, *kinds: type) -> Callable[..., int]:
    """Machine code as a function of these C types that gives a number."""
    room = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    room.write(code)
    held = ctypes.c_char.from_buffer(room)
    function = ctypes.CFUNCTYPE(ctypes.c_uint64, *kinds)(ctypes.addressof(held))
    function.memory = held  # type: ignore[attr-defined]  # it must live as long
    return function


@lru_cache(maxsize=1)
def _request_function() -> Callable[..., int]:
    return native(_REQUEST, ctypes.c_void_p)


def _request(number: int, argument: int = 0) -> None:
    words = (ctypes.c_uint64 * 6)(number, argument)
    _request_function()(ctypes.addressof(words))


# -- outside
def counts(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> dict[str, float]:
    """Run a command in a folder under valgrind: instructions of one call, by name, of each `count` in it."""
    with tempfile.TemporaryDirectory() as dumps:
        valgrind = [
            "valgrind",
            "--tool=callgrind",
            "--instr-atstart=no",
            "--collect-atstart=no",
            f"--callgrind-out-file={dumps}/dump",
        ]
        done = subprocess.run([*valgrind, *command], capture_output=True, text=True, env=environment, cwd=folder, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed under valgrind:\n{done.stderr[-2000:]}")
        return per_call(path.read_text() for path in sorted(Path(dumps).iterdir()))


def per_call(dumps: Iterable[str]) -> dict[str, float]:
    """Instructions of one call, by name, from callgrind's dumps; what `count` did not ask for is passed over."""
    found = {}
    for text in dumps:
        name = re.search(r"^desc: Trigger: Client Request: (\d+) x (.+)$", text, re.MULTILINE)
        total = re.search(r"^summary: (\d+)$", text, re.MULTILINE)
        if name and total:
            found[name[2]] = int(total[1]) / int(name[1])
    return found
