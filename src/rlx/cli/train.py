"""rlx train: shows a training run, as a live progress bar in a terminal and as plain lines elsewhere."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from rlx.backends.knob import Knob
from rlx.backends.registry import find_backend
from rlx.cli.starting import starting
from rlx.core import cache
from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup
from rlx.formats.gguf import product, read_gguf
from rlx.formats.gguf_recipes import Change, quantize_gguf, recipe_of
from rlx.hub import find_model
from rlx.runtime.processes import many_processes
from rlx.train.checkpoints import Resumed
from rlx.train.config import TrainingConfig
from rlx.train.loop import Outcome, Run, Validated, Watcher, run_training
from rlx.train.loop import Progress as Step

_SECONDS_BETWEEN_LINES = 5.0


def train(console: Console, config: TrainingConfig, command: str, *, restart: bool = False) -> Outcome:
    """Runs a training and prints the outcome; `command` is what to type to resume."""
    with Screen(console) if console.is_terminal else ProgressLines(console) as watcher:
        outcome = run_training(config, watcher, restart=restart)
    show_outcome(console, config, outcome, command)
    return outcome


def train_here(
    console: Console, config: TrainingConfig, command: str, group: ProcessGroup | None, *, restart: bool = False
) -> Outcome:
    """Trains in this process alone, or as one of many, of which the first prints."""
    if group is None:
        return train(console, config, command, restart=restart)
    if not config.device.mesh:
        fix = 'mesh = "fsdp=8" in [device], over the devices of all processes'
        raise RlxError("RLX801", f"{group.count} processes without a mesh", fix=fix, at=None)
    with many_processes(group):
        shown = console if group.index == 0 else Console(quiet=True)
        return train(shown, config, command, restart=restart)


def show_outcome(console: Console, config: TrainingConfig, outcome: Outcome, command: str) -> None:
    """Prints where results are, the validation loss and the sample; for a stopped run, how to resume it."""
    if not outcome.finished:
        _say(
            console,
            f"Stopped after step {outcome.step} of {config.training.steps}. Saved {outcome.checkpoint}\nTo resume: {command}",
        )
        return
    if outcome.validated is not None:
        _say(console, f"Validation loss {_both(outcome.validated)}")
    written = ", ".join(path.name for path in sorted(config.folder.iterdir()) if path.is_file())
    _say(console, f"Done. In {config.folder}: {written}")
    if config.output.plot and outcome.plot is None:
        _say(console, "No loss.png: matplotlib is not installed (pip install matplotlib; the values are in metrics.jsonl)")
    if outcome.sample:
        _say(console, "\n" + outcome.sample.decode(errors="replace"))


class Printed(Watcher):
    """Base of the two progress displays of a training run: bar and plain lines."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """Prints the run's sizes, and the checkpoint it resumes from."""
        shape, corpus = run.shape, run.corpus
        text = f"{len(corpus.training):,} training tokens, {len(corpus.held_back):,} held out, vocabulary {shape.vocabulary}"
        _say(self.console, f"Llama with {shape.parameters:,} weights; {text}")
        if resumed is not None:
            for line in resumed.damaged:
                _say(self.console, f"skipped {line}")
            _say(self.console, f"Resuming after step {resumed.step}, from {resumed.path}")
            for line in resumed.changed:
                _say(self.console, f"  note: {line}")

    def validated(self, result: Validated) -> None:
        """Prints one line for a validation."""
        _say(self.console, f"step {result.step}: validation {_both(result)}")


class ProgressLines(Printed):
    """Prints a training line every few seconds, and at the end."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._last = 0.0
        self._run: Run | None = None

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """Records how many steps there are."""
        super().prepared(run, resumed)
        self._run = run

    def stepped(self, progress: Step) -> None:
        """Prints a line if the last one is a few seconds old."""
        steps = self._run.config.training.steps if self._run is not None else 0
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES or progress.step == steps:
            self._last = now
            _say(self.console, f"step {progress.step}/{steps}  {_numbers(progress)}  {_clock(progress.seconds_left)} left")


class Screen(Printed):
    """Training progress bar with loss, learning rate, speed and the time left."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        )
        self._bar = Progress(*columns, _Numbers(), console=console, refresh_per_second=8)
        self._task = self._bar.add_task("compiling", total=1)

    def __enter__(self) -> Screen:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """Starts the training progress bar."""
        super().prepared(run, resumed)
        done = resumed.step if resumed else 0
        self._bar.update(self._task, description="training", total=run.config.training.steps, completed=done)

    def stepped(self, progress: Step) -> None:
        """Advances the training progress bar."""
        self._bar.update(self._task, completed=progress.step, step=progress)


class _Numbers(ProgressColumn):
    """Progress bar column: loss, learning rate, speed, time left."""

    def render(self, task: Task) -> Text:
        """Formats the numbers of the last step; empty before the first."""
        progress: Step | None = task.fields.get("step")
        return Text("" if progress is None else f"{_numbers(progress)}  {_clock(progress.seconds_left)} left")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _numbers(progress: Step) -> str:
    return f"loss {progress.loss:.3f}  lr {progress.rate:.2e}  {progress.tokens_per_second:,.0f} tokens/s"


def _both(result: Validated) -> str:
    return f"{result.loss:.4f} nats per token, {result.nats_per_byte:.4f} per byte"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


# -- rlx quantize: converts a GGUF file to other types, with a progress bar and a summary by tensor type -------------


def quantize(console: Console, name: str | Path, out: Path, kind: str, *, force: bool = False, pure: bool = False) -> None:
    """Writes the converted GGUF file `out` and prints a report."""
    recipe = recipe_of(kind)
    source = find_model(name)
    tensors = read_gguf(source).tensors.values()
    if not out.absolute().parent.is_dir():
        raise RlxError("RLX706", f"{out}: no folder {out.absolute().parent}", fix="create it first", at=None)
    total, before = sum(product(tensor.dims) for tensor in tensors), sum(tensor.nbytes for tensor in tensors)
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    started = time.perf_counter()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(recipe.name, total=total)

        def advance(name: str, count: int) -> None:
            bar.update(task, advance=count, description=escape(f"{recipe.name} {name}"))

        def warn(text: str) -> None:
            bar.console.print(f"Warning: {escape(text)}.", highlight=False, soft_wrap=True)

        changes = quantize_gguf(source, out, recipe, force=force, pure=pure, progress=advance, warn=warn)
    seconds = time.perf_counter() - started
    _report(console, changes)
    size = out.stat().st_size
    bits = f"{8 * size / max(total, 1):.2f} bits per weight"
    speed = f"{total / seconds / 1e6:.0f} M weights/s"
    console.print(
        f"{escape(str(out))}: {size / 1e6:.1f} MB, was {before / 1e6:.1f} MB; {bits}, {seconds:.1f} s, {speed}", soft_wrap=True
    )


def _report(console: Console, changes: list[Change]) -> None:
    """Prints the count of tensors by old and new type."""
    tensors: Counter[tuple[str, str]] = Counter()
    weights: Counter[tuple[str, str]] = Counter()
    for change in changes:
        tensors[change.before, change.after] += 1
        weights[change.before, change.after] += product(change.dims)
    table = Table()
    for heading in ("from", "to", "tensors", "weights"):
        table.add_column(heading, justify="right" if heading in ("tensors", "weights") else "left")
    for (before, after), count in weights.most_common():
        table.add_row(before, after if after != before else "unchanged", str(tensors[before, after]), f"{count:,}")
    console.print(table)


# -- rlx tune: time kernel parameters on this machine and keep the best ----------------------------------------------


_BUSY = 0.1  # the default's times vary by more than this between rounds
_WHAT = {"prefetch_distance": "prefetch distance of packed weights, in bytes", "k_block": "K block size of matrix products"}


def tune_here(console: Console, seconds: float) -> None:
    """Measures kernel parameters, saves the choices, and prints them."""
    for knob in find_backend("cpu").tune(seconds):
        console.print(_table(knob))
        console.print(_verdict(knob), soft_wrap=True, highlight=False)
    folder = cache.folder()
    if folder is None:
        console.print("The disk cache is off (RLX_CACHE=0): nothing was saved.")
    else:
        console.print(
            f"Saved in {folder}; future compilations use it. Another version of rlx needs its own run of rlx tune.", soft_wrap=True
        )


def _verdict(knob: Knob) -> str:
    """Formats in one line what was chosen and why."""
    count, spread = len(knob.rounds), f"{knob.spread:.0%}"
    if knob.chosen != knob.default:
        return f"Chosen: {knob.chosen}, at least {knob.gain(knob.chosen):.0%} faster than the default in each of {count} rounds.\n"
    busy = " The machine is busy: try again when it is not." if knob.spread > _BUSY else ""
    return f"Keeping the default: no value was clearly faster in all {count} rounds (noise between rounds: {spread}).{busy}\n"


def _table(knob: Knob) -> Table:
    table = Table(title=f"{knob.name}: {_WHAT[knob.name]}", title_justify="left")
    table.add_column("value", justify="right")
    table.add_column("best", justify="right")
    table.add_column("")
    for value in knob.seconds:
        notes = [note for note, holds in (("chosen", value == knob.chosen), ("default", value == knob.default)) if holds]
        table.add_row(str(value), f"{knob.rate(value):.1f} G{knob.unit}/s", ", ".join(notes))
    return table


# -- progress bars for long steps, on stderr; nothing without a terminal ---------------------------------------------


class Bars:
    """`bars(what, done, total)`: called by models while loading, packing and compiling; the bars disappear when all is done."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        starting.end()
        if self._shown:
            self._progress.start()
            self._progress.add_task("preparing", total=None)  # moves between the others and before the first
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Removes the progress bars."""
        if self._shown:
            self._progress.stop()
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if not self._shown:
            return
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)


_UNITS = {"": 1} | {
    f"{letter}{end}": base**power for power, letter in enumerate("KMGT", 1) for end, base in (("", 1000), ("B", 1000), ("iB", 1024))
}


def byte_size(text: str, option: str) -> int:
    """Parses a size as people write it to bytes.

    >>> byte_size("2GB", "--kv-memory"), byte_size("1.5GiB", "--kv-memory"), byte_size("4096", "--kv-memory")
    (2000000000, 1610612736, 4096)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?i?B?)", text.strip(), re.IGNORECASE)
    units = {unit.lower(): size for unit, size in _UNITS.items()} | {"b": 1}
    size = 0 if match is None or match[2].lower() not in units else int(float(match[1]) * units[match[2].lower()])
    if size < 1:
        raise RlxError("RLX907", f"{option} is {text[:40]!r}", fix="a size such as 512MB, 2GB or 1.5GiB", at=None)
    return size


def byte_count(count: int) -> str:
    """Formats a number of bytes for people.

    >>> byte_count(900), byte_count(144_811_456), byte_count(4_661_211_424)
    ('900 B', '145 MB', '4.7 GB')
    """
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if count >= 10**power:
            value = count / 10**power
            return f"{value:.1f} {unit}" if value < 10 and unit == "GB" else f"{value:.0f} {unit}"
    return f"{count} B"
