"""rlx doctor: describes this machine, measures its speed, and checks that native code gives correct results on it."""

from __future__ import annotations

import importlib.metadata
import os
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from rlx import __version__
from rlx.backends.base import Limits
from rlx.backends.registry import devices, find_backend
from rlx.core import cache, config
from rlx.core.counted import counted
from rlx.module.graph import Graph
from rlx.runtime.check import check
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable


def examine(console: Console, seconds: float = 2.0) -> bool:
    """Print everything; False if a result is wrong."""
    _machine(console)
    _settings(console)
    limits = find_backend("cpu").limits(seconds)
    if limits is not None:
        console.print(speed_table(limits))
        if limits.warning is not None:
            console.print(f"Careful: {limits.warning}.", highlight=False)
    _gpu(console)
    report = check(*_sample())
    if report.ok:
        console.print(f"Native code is correct: {len(report.rows)} results agree with the f64 reference.")
    else:
        console.print(str(report), markup=False, highlight=False)
        console.print("Native code is WRONG on this machine; please report the rows above.")
    return report.ok


def speed_table(limits: Limits) -> Table:
    """What the machine reaches at most, and how much its runs differed."""
    table = Table(title=f"Speed on {counted(limits.threads, 'thread')}", title_justify="left")
    table.add_column("what")
    for heading in ("measured", "spread"):
        table.add_column(heading, justify="right")
    for what, rate, spread in (
        ("f32 multiply-add (in registers)", f"{limits.gflops:.1f} GFLOP/s", limits.gflops_spread),
        ("reading memory", f"{limits.gigabytes:.1f} GB/s", limits.gigabytes_spread),
    ):
        table.add_row(what, rate, f"{100 * spread:.0f} %")
    return table


def _machine(console: Console) -> None:
    table = Table(title="Machine", title_justify="left", show_header=False)
    for what, words in find_backend("cpu").describe().items():
        table.add_row(what, words)
    console.print(table)
    table = Table(title="Devices", title_justify="left", show_header=False)
    for name, state in devices().items():
        table.add_row(name, state)
    console.print(table)


def _gpu(console: Console) -> None:
    """The GPU and its measured limits, where there is one."""
    if devices().get("cuda") != "available":
        return
    from rlx.cli.gpu import gpu_rows

    table = Table(title="GPU", title_justify="left", show_header=False)
    for what, words in gpu_rows().items():
        table.add_row(what, words)
    console.print(table)


def _settings(console: Console) -> None:
    table = Table(title="Software", title_justify="left", show_header=False)
    table.add_row("rlx", __version__)
    table.add_row("Python", sys.version.split()[0])
    for name in ("numpy", "ml_dtypes", "llvmlite"):
        table.add_row(name, importlib.metadata.version(name))
    folder = cache.folder()
    if folder is None:
        table.add_row("disk cache", "off")
    else:
        sizes = [state.st_size for _, state in cache.entries(folder)]
        kept = f"{folder}: {counted(len(sizes), 'program')}, {sum(sizes) / 1e6:.1f} of {config.CACHE_MEGABYTES.read()} MB"
        table.add_row("disk cache", kept + ("" if os.access(folder, os.W_OK) else ", read-only"))
    changed = [f"{flag.name}={flag.read()}" for flag in config.FLAGS if flag.name in os.environ]
    table.add_row("flags set", ", ".join(changed) or "none")
    console.print(table)


def _sample() -> tuple[Executable, dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]]:
    """A small graph: a product with an epilogue, regions with reductions, and a scan along rows."""
    g = Graph("doctor")
    x = g.input("x", ("n", 96), "f32")
    w = g.param("w", (96, 96), "f32")
    y = g.gelu(x @ w + 0.5)
    g.set_outputs({"y": g.softmax(y, axis=-1), "mean": g.mean(y * y, axes=1), "sum": g.cumsum(y, axis=1)})
    exe = compile_module(g)
    random = np.random.default_rng(0)
    exe.set_param("w", (random.standard_normal((96, 96)) / 10).astype(np.float32))
    return exe, {"x": random.standard_normal((67, 96)).astype(np.float32)}
