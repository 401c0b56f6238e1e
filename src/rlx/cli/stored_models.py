"""rlx pull, rlx list, rlx rm, rlx cache: the models on this machine, and the disk they take."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.model_commands import MODELS
from rlx.cli.train import byte_count
from rlx.core.errors import RlxError, count_of
from rlx.hub import found_models

Sure = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def pull(
    name: Annotated[str, typer.Argument(help="org/repo, org/repo:Q4_K_M, a URL of the hub, or ollama:name:tag.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would be downloaded.")] = False,
) -> None:
    """Download a model, or its newest version, into the cache of the hub or of Ollama. An interrupted download resumes."""
    from rlx.cli.pull import pull

    pull(name, only_plan=dry_run)


def list_models(as_data: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List models on this machine: installed ones, and those of Hugging Face, Ollama and LM Studio."""
    models = found_models()
    if as_data:
        print(json.dumps([{**vars(one), "path": str(one.path)} for one in models], indent=2))
        return
    console = Console()
    if not console.is_terminal:  # a line for each model, for programs that read lines
        for one in models:
            print(one.name, one.source, one.kind, byte_count(one.size), one.path, sep="\t")
        return
    table = Table(title=count_of(len(models), "model"), title_justify="left")
    table.add_column("model", no_wrap=True)
    table.add_column("from")
    table.add_column("type")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("path", overflow="fold")
    for one in models:
        table.add_row(escape(one.name), one.source, escape(one.kind), byte_count(one.size), escape(str(one.path)))
    console.print(table)


def rm(
    name: Annotated[str, typer.Argument(help="A name of `rlx list`, org/repo for all of it, or org/repo:Q4_K_M.")],
    yes: Sure = False,
) -> None:
    """Remove a downloaded model from the disk."""
    from rlx.hub.upkeep import removal

    _remove(removal(name), yes, f"rlx rm {name} --yes")


cache = typer.Typer(help="Show, check and clean the folders of downloaded models.", invoke_without_command=True)


@cache.callback()
def sizes(context: typer.Context) -> None:
    """Show the folders of downloaded models and what they hold; `verify` checks them, `prune` removes what nothing uses."""
    if context.invoked_subcommand is not None:
        return
    from rlx.hub.upkeep import stores

    table = Table()
    for heading in ("store", "models", "size", "unused", "path"):
        table.add_column(heading, justify="right" if heading in ("models", "size", "unused") else "left", overflow="fold")
    for one in stores():
        table.add_row(one.name, str(one.models), byte_count(one.size), byte_count(one.unused), escape(str(one.path)))
    Console().print(table)


@cache.command()
def verify() -> None:
    """Read every file of the hub's and Ollama's stores and compare its hash with its name. Exit code 1 if one differs."""
    from rlx.hub.upkeep import verify_files

    bad = count = 0
    for name, path, right in verify_files():
        count += 1
        if not right:
            bad += 1
            print(f"{path}: damaged, part of {name}; `rlx rm {name}`, then `rlx pull {name}`", file=sys.stderr)
    print(f"{count_of(count, 'file')} checked, {bad} damaged")
    if bad:
        raise typer.Exit(1)


@cache.command()
def prune(yes: Sure = False) -> None:
    """Remove unfinished downloads, versions that no branch or tag names, and files that no version shows, from the hub's cache."""
    from rlx.hub.upkeep import unused_files

    _remove(unused_files(), yes, "rlx cache prune --yes")


def _remove(paths: list[Path], yes: bool, command: str) -> None:
    """Removes paths after a confirmation; without a terminal, an error names the command."""
    from rlx.hub.upkeep import remove, size_of

    if not paths:
        print("nothing to remove")
        return
    size = sum(map(size_of, paths))
    for path in paths:
        print(path)
    if not yes:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise RlxError("RLX907", f"removing {byte_count(size)} needs an answer", fix=command, at=None)
        if not typer.confirm(f"Remove {byte_count(size)}?", default=False, err=True):
            raise typer.Exit(1)
    for path in paths:
        remove(path)
    print(f"removed {byte_count(size)}")


def register(app: typer.Typer) -> None:
    """Registers the commands for stored models."""
    for name, command in (("pull", pull), ("list", list_models), ("rm", rm)):
        app.command(name, rich_help_panel=MODELS)(command)
    app.add_typer(cache, name="cache", rich_help_panel=MODELS)
