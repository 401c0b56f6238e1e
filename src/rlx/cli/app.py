"""The commands: doctor, passes, ops, inspect."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from rlx import __version__
from rlx.core.errors import RlxError

__all__ = ["app", "run"]

app = typer.Typer(
    help="RLX: an ML compiler and runtime for transformers.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


def run() -> None:
    """Run the command line; an error that RLX explains is printed without a traceback."""
    try:
        app(prog_name="rlx")
    except RlxError as error:
        error.location = None  # the line would be one of ours
        print(error, file=sys.stderr)
        raise SystemExit(1) from None


def _version(wanted: bool) -> None:
    if wanted:
        print(f"rlx {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")] = False,
) -> None:
    """RLX: an ML compiler and runtime for transformers."""


@app.command()
def doctor(
    seconds: Annotated[float, typer.Option(help="How long the speed test takes.", min=0.1, max=60.0)] = 2.0,
) -> None:
    """Look at this machine: CPU, threads, cache, versions, measured speed, and whether native code gives right results."""
    from rlx.cli.doctor import examine

    if not examine(Console(), seconds):
        raise typer.Exit(1)


@app.command()
def passes() -> None:
    """Print the pipeline: what happens to a graph on its way to native code, in order."""
    from rlx.cli.listing import list_passes

    list_passes(Console())


@app.command()
def ops(name: Annotated[str, typer.Argument(help="One op to show in full; part of a name lists what matches.")] = "") -> None:
    """List the ops, or show one: operands, attributes, what it computes, where it runs."""
    from rlx.cli.listing import list_ops

    list_ops(Console(), name)


@app.command()
def inspect(file: Annotated[Path, typer.Argument(help="A file of module.save or exe.save.")]) -> None:
    """Show what is in a saved module or executable. Nothing of it is run."""
    from rlx.cli.listing import inspect_file

    inspect_file(Console(), file)
