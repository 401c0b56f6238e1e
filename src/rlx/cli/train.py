"""rlx train: shows a training run, as a live progress bar in a terminal and as plain lines elsewhere."""

from __future__ import annotations

import time
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text

from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup
from rlx.runtime.processes import many_processes
from rlx.train.checkpoints import Resumed
from rlx.train.config import TrainingConfig
from rlx.train.loop import Outcome, Run, Validated, Watcher, run_training
from rlx.train.progress import Progress as Step

_SECONDS_BETWEEN_LINES = 5.0


def train(console: Console, config: TrainingConfig, command: str, *, restart: bool = False) -> Outcome:
    """Run it and print the outcome; `command` is what to type to resume."""
    with Screen(console) if console.is_terminal else ProgressLines(console) as watcher:
        outcome = run_training(config, watcher, restart=restart)
    show_outcome(console, config, outcome, command)
    return outcome


def train_here(
    console: Console, config: TrainingConfig, command: str, group: ProcessGroup | None, *, restart: bool = False
) -> Outcome:
    """Run it in this process alone, or as one of many, of which the first prints."""
    if group is None:
        return train(console, config, command, restart=restart)
    if not config.device.mesh:
        fix = 'mesh = "fsdp=8" in [device], over the devices of all processes'
        raise RlxError("RLX801", f"{group.count} processes without a mesh", fix=fix, at=None)
    with many_processes(group):
        shown = console if group.index == 0 else Console(quiet=True)
        return train(shown, config, command, restart=restart)


def show_outcome(console: Console, config: TrainingConfig, outcome: Outcome, command: str) -> None:
    """Where results are, the validation loss and the sample; for a stopped run, how to resume it."""
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
    """Shared by the progress bar and the plain lines."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """The sizes, and the checkpoint it resumes from."""
        shape, corpus = run.shape, run.corpus
        text = f"{len(corpus.training):,} training tokens, {len(corpus.held_back):,} held out, vocabulary {shape.vocabulary}"
        _say(self.console, f"Llama with {shape.parameters:,} weights; {text}")
        if resumed is not None:
            for line in resumed.damaged:
                _say(self.console, f"skipped {line}")
            _say(self.console, f"Resuming after step {resumed.step}, from {resumed.path}")
            for line in resumed.changed:
                _say(self.console, f"  note: {line}")

    def validated(self, found: Validated) -> None:
        """One line."""
        _say(self.console, f"step {found.step}: validation {_both(found)}")


class ProgressLines(Printed):
    """A line every few seconds, and at the end."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._last = 0.0
        self._run: Run | None = None

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """How many steps there are."""
        super().prepared(run, resumed)
        self._run = run

    def stepped(self, progress: Step) -> None:
        """Print a line if the last one is a few seconds old."""
        steps = self._run.config.training.steps if self._run is not None else 0
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES or progress.step == steps:
            self._last = now
            _say(self.console, f"step {progress.step}/{steps}  {_numbers(progress)}  {_clock(progress.seconds_left)} left")


class Screen(Printed):
    """A progress bar with loss, learning rate, speed and the time left."""

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
        """Start the bar."""
        super().prepared(run, resumed)
        done = resumed.step if resumed else 0
        self._bar.update(self._task, description="training", total=run.config.training.steps, completed=done)

    def stepped(self, progress: Step) -> None:
        """Advance the bar."""
        self._bar.update(self._task, completed=progress.step, step=progress)


class _Numbers(ProgressColumn):
    """Loss, learning rate, speed, time left."""

    def render(self, task: Task) -> Text:
        """Empty before the first step."""
        progress: Step | None = task.fields.get("step")
        return Text("" if progress is None else f"{_numbers(progress)}  {_clock(progress.seconds_left)} left")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _numbers(progress: Step) -> str:
    return f"loss {progress.loss:.3f}  lr {progress.rate:.2e}  {progress.tokens_per_second:,.0f} tokens/s"


def _both(found: Validated) -> str:
    return f"{found.loss:.4f} nats per token, {found.nats_per_byte:.4f} per byte"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
