"""rlx pull, and the offer to download a model that a command needs: what it is, whether it fits, how far it is."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from rlx.cli.starting import starting
from rlx.cli.train import byte_count
from rlx.core.errors import RlxError
from rlx.core.this_process import free_memory
from rlx.generate.api import load_model
from rlx.hub import find_model, parse_name
from rlx.hub.pull import Download, Lines, plan, skeleton


def pull(name: str, *, only_plan: bool) -> None:
    """Describes a download on stderr, runs it, and prints the model's path."""
    remote = parse_name(name)
    if remote is None or Path(name).exists():
        print(find_model(name))
        return
    starting.end()
    download = plan(remote)
    _describe(download)
    if not only_plan:
        print(_fetch(download))


def offer(name: str, *, agreed: bool) -> None:
    """Downloads a model that is not on this machine, with the user's consent. Without a terminal it does not ask."""
    remote = parse_name(name)
    if remote is None:
        return
    try:
        find_model(name)
    except RlxError as error:
        if error.code != "RLX708" or not (agreed or (sys.stdin.isatty() and sys.stderr.isatty())):
            return  # the command says it, after it has checked its options
        starting.end()
        download = plan(remote)
        _describe(download)
        if not agreed and not typer.confirm("Download it?", default=True, err=True):
            raise typer.Exit(1) from None
        _fetch(download)


def _say(text: str) -> None:
    Console(stderr=True).print(escape(text), highlight=False, soft_wrap=True)


def _describe(download: Download) -> None:
    """Prints size, path, free disk, and the context that fits; RLX304 if the disk is too small, an error if RLX cannot run it."""
    more = f", {byte_count(download.missing)} of it missing" if 0 < download.missing < download.size else ""
    count = f"{len(download.files)} files, " if len(download.files) > 1 else ""
    _say(f"{download.name}: {count}{byte_count(download.size)}{more}")
    if not download.missing:
        return
    _say(f"  to {download.folder.parent}, {byte_count(download.free)} free")
    download.check_space()
    with tempfile.TemporaryDirectory(prefix="rlx-") as folder:
        path = skeleton(download, Path(folder))
        if path is not None:
            _say(f"  {fit(path)}")


def fit(path: Path) -> str:
    """Formats the context length at which a model fits this machine's free memory, as a sentence."""
    from rlx.cli.inspect_models import memory_plan

    model = load_model(path)
    what, longest, free = (f"{model.config.architecture}, {model.config.layers} layers", model.config.context_length, free_memory())
    if free is None:
        return what
    needed, room = memory_plan(model, longest), f"{byte_count(free)} of free memory"
    if total(needed(longest)) <= free:
        return f"{what}: fits {room} at its full context of {longest} tokens ({byte_count(total(needed(longest)))})"
    if total(needed(1)) > free:
        return f"{what}: does not fit {room}: it needs {byte_count(total(needed(1)))} plus memory for each token of context"
    low, high = 1, longest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(needed(middle)) <= free else (low, middle)
    return f"{what}: fits {room} at a context of {low} tokens of {longest} (--context {low})"


def total(parts: dict[str, int]) -> int:
    """Sums the bytes of a download."""
    return sum(parts.values())


def _fetch(download: Download) -> Path:
    """Downloads a model and returns its path; after Ctrl-C, partial files stay."""
    try:
        with _bar() as progress:
            return download.run(progress)
    except KeyboardInterrupt:
        _say(f"interrupted; `rlx pull {download.name}` resumes")
        raise typer.Exit(130) from None


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int], None]]:
    """Opens a download's progress bar with speed and time left; plain lines without a terminal."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("download", total=None)

        def update(what: str, done: int, total: int) -> None:
            shown.update(task, description=escape(what), completed=done, total=total)

        yield update
