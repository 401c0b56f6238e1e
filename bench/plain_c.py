"""`plain_scan.c`, compiled with the system's C compiler where there is one: what a hand-written loop reaches here."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

from bench import arrays
from bench.harness import Contender, Unavailable
from bench.peers import EXPORTED

SOURCE = Path(__file__).parent / "plain_scan.c"
OPTIONS = ("-O3", "-march=native", "-ffast-math", "-shared", "-fPIC")


@cache
def library() -> ctypes.CDLL:
    """The compiled file, made once per content."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise Unavailable("no C compiler")
    EXPORTED.mkdir(exist_ok=True)
    path = EXPORTED / f"plain_scan-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:12]}.so"
    if not path.exists():
        partial = path.with_suffix(".partial")
        subprocess.run([compiler, *OPTIONS, "-o", str(partial), str(SOURCE), "-lm"], check=True, capture_output=True)
        partial.rename(path)
    return ctypes.CDLL(str(path))


def contender(
    function: str, operands: Sequence[np.ndarray], shape: tuple[int, ...], sizes: tuple[int, int], units: int, threads: int
) -> Contender:
    """Call a function of the file on all threads, each with an equal share of the units."""
    native: Callable[..., None] = getattr(library(), function)
    out = arrays.empty(shape)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*operands, out)]
    pool = ThreadPoolExecutor(threads)
    bounds = [units * i // threads for i in range(threads + 1)]

    def share(i: int) -> None:
        native(*pointers, *(ctypes.c_long(size) for size in (*sizes, bounds[i], bounds[i + 1])))

    def run() -> None:
        rest = [pool.submit(share, i) for i in range(1, threads)]
        share(0)
        for done in rest:
            done.result()

    keep = (*operands, out)
    return Contender(f"plain C, {threads} threads", run, lambda: keep[-1])
