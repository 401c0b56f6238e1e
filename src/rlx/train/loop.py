"""A training run from its configuration: resumes, validates, logs, saves, and stops with the cause if a value is not finite."""

from __future__ import annotations

import importlib.util
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.runtime.session import Session
from rlx.train.checkpoints import Checkpoints, Resumed
from rlx.train.config import TrainingConfig
from rlx.train.language_model import Hosts, TextSampler
from rlx.train.model_folder import write_model
from rlx.train.step import MetricsLog, Training, compile_training, read_metrics
from rlx.train.vocabulary import Corpus, TokenStream, Vocabulary

# -- the loss curve of a run as a PNG: losses above, the learning rate below. Drawn with matplotlib, an extra imported only here


_TRAIN, _VALID, _RATE, _GRID = "#3b6fb6", "#d1495b", "#6b7280", "#e5e7eb"


def can_draw() -> bool:
    """Returns whether matplotlib is installed: training works without the plot."""
    return importlib.util.find_spec("matplotlib") is not None


def draw_losses(lines: Sequence[dict[str, Any]], path: Path, title: str) -> None:
    """Draws metrics.jsonl: every step's loss pale, its running mean dark, validation as points."""
    if not can_draw():
        raise RlxError("RLX803", "loss.png needs matplotlib, which is not installed", fix="pip install matplotlib", at=None)
    from matplotlib.figure import Figure

    steps = [line for line in lines if "loss" in line]
    validated = [line for line in lines if line.get("validation_loss") is not None]
    figure = Figure(figsize=(9, 5.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    numbers, losses = np.array([line["step"] for line in steps]), np.array([line["loss"] for line in steps])
    points = [line["validation_loss"] for line in validated]
    if steps:
        above.plot(numbers, losses, color=_TRAIN, alpha=0.25, linewidth=0.8)
        above.plot(numbers, running_mean(losses), color=_TRAIN, linewidth=1.8, label="training, running mean")
        below.plot(numbers, [line["rate"] for line in steps], color=_RATE, linewidth=1.5)
        above.set_ylim(*_limits(losses, points))
    if validated:
        last = validated[-1]
        label = f"validation, {last['validation_loss']:.3f} at the end ({last['nats_per_byte']:.3f} nats per byte)"
        above.plot([line["step"] for line in validated], points, "o-", color=_VALID, markersize=4, label=label)
    if steps or validated:
        above.legend(frameon=False)
    above.set_title(title, loc="left", fontsize=11)
    _style(above, below)
    figure.align_ylabels()
    figure.savefig(path, dpi=130)


def _style(above: Any, below: Any) -> None:
    """Sets the labels and grids of the plot's two axes."""
    above.set_ylabel("nats per token")
    below.set_ylabel("learning rate")
    below.set_xlabel("step")
    below.set_ylim(bottom=0)
    below.ticklabel_format(axis="y", style="sci", scilimits=(-2, 2))
    for axes in (above, below):
        axes.grid(color=_GRID)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.01)


def running_mean(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Averages about 2 % of the run around each step, truncated at the ends."""
    half = len(values) // 100
    sums = np.concatenate([[0.0], np.cumsum(values)])
    steps = np.arange(len(values))
    first, last = np.maximum(steps - half, 0), np.minimum(steps + half + 1, len(values))
    means: npt.NDArray[np.float64] = (sums[last] - sums[first]) / (last - first)
    return means


def _limits(losses: npt.NDArray[np.float64], validated: Sequence[float]) -> tuple[float, float]:
    """Returns the limits of the plot's axis: slightly below the minimum to slightly above the maximum."""
    low, high = min([losses.min(), *validated]), max([losses.max(), *validated])
    room = 0.05 * (high - low) + 1e-3
    return low - room, high + room


# -- speed and remaining time of a run, and whether it was told to stop ----------------------------------------------


@dataclass(frozen=True)
class Progress:
    """A completed step of training: its loss, speed and time left."""

    step: int
    loss: float
    rate: float
    gradient: float
    tokens_per_second: float
    seconds_left: float


class Pace:
    """Tokens per second and the time left, from recent steps; work between steps does not count."""

    def __init__(self, steps: int, tokens: int) -> None:
        self.steps, self.tokens = steps, tokens
        self._mean = self._weight = 0.0
        self._last = time.perf_counter()

    def stepped(self, step: int, loss: float, rate: float, norm: float) -> Progress:
        """Records the time of a step."""
        now = time.perf_counter()
        self._mean, self._weight = 0.95 * self._mean + 0.05 * (now - self._last), 0.95 * self._weight + 0.05
        self._last = now
        seconds = self._mean / self._weight
        return Progress(step, loss, rate, norm, self.tokens / seconds, (self.steps - step) * seconds)

    def pause(self, work: Callable[[], object]) -> None:
        """Calls `work` without counting its time."""
        start = time.perf_counter()
        work()
        self._last += time.perf_counter() - start


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Catches Ctrl-C and SIGTERM and yields whether one arrived; a second one stops immediately. Only in the main thread."""
    received: list[int] = []

    def receive(number: int, frame: Any) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_SKIPPED_AT_MOST = 40  # consecutive steps that overflow: a loss scale falls from its maximum to 1 in 24
_EVALUATED_ROWS = 16


@dataclass(frozen=True)
class Validated:
    """Result of a validation: the mean loss on the held-out text."""

    step: int
    loss: float  # nats per token
    nats_per_byte: float  # comparable across vocabularies


@dataclass(frozen=True)
class Outcome:
    """How a training run ended: after all its steps, or earlier because it was told to stop."""

    step: int
    finished: bool
    checkpoint: Path
    validated: Validated | None
    sample: bytes
    plot: Path | None  # None: turned off, or matplotlib is not installed


class Watcher:
    """Callbacks of a training run; these do nothing."""

    def prepared(self, run: Run, resumed: Resumed | None) -> None:
        """Called when the run is compiled and about to start."""

    def stepped(self, progress: Progress) -> None:
        """Called after each step."""

    def validated(self, found: Validated) -> None:
        """Called after each validation."""

    def saved(self, path: Path) -> None:
        """Called after each checkpoint."""


def run_training(config: TrainingConfig, watcher: Watcher | None = None, *, restart: bool = False) -> Outcome:
    """Trains as configured; resumes from the newest checkpoint in the output folder unless told to `restart`."""
    return Run(config, watcher or Watcher(), restart).go()


class Run:
    """One training run: its corpus, its compiled step, and the files in its folder."""

    def __init__(self, config: TrainingConfig, watcher: Watcher, restart: bool = False) -> None:
        self.config, self.watcher, self.restart = config, watcher, restart
        self.checkpoints = Checkpoints(config.checkpoint_folder, config.checkpoints.keep)
        known = config.folder / "vocabulary.json"
        self.corpus = self._corpus(known)
        self.shape = config.shape(len(self.corpus.vocabulary))
        self.training = self._compile()
        self.hosts = Hosts(self.training.session)
        if self.hosts.is_first:
            self.corpus.vocabulary.save(known)
        steps = config.training
        self.stream = TokenStream(self.corpus.training, steps.batch, steps.length, steps.seed)
        # whose params are validated and sampled from
        own = self.training.session
        self.evaluated = Session(own.device, sharding=own.sharding) if steps.ema else own
        self._evaluate: Any = None
        self._skipped = 0

    def go(self) -> Outcome:
        """Runs all steps, or until a signal stops it."""
        config = self.config
        if self.restart and self.hosts.is_first:
            self.checkpoints.clear()
        self.hosts.meet()
        self.training.set_params(self.shape.first_weights(config.training.seed))
        resumed = self.checkpoints.resume(self.training, config.flat())
        step = resumed.step if resumed else 0
        self.watcher.prepared(self, resumed)
        pace = Pace(config.training.steps, config.training.batch * config.training.length * config.training.accumulate)
        path = config.folder / "metrics.jsonl" if self.hosts.is_first else None
        with MetricsLog(path, step) as log, stop_signals() as stopped:
            while step < config.training.steps and not (step and self.hosts.any(stopped())):  # a checkpoint needs one step
                self._step(step, log, pace)
                step += 1
                if self._is_due(step, config.validation.every):
                    pace.pause(lambda: self._validate(step, log))  # noqa: B023  called immediately
                if self._is_due(step, config.checkpoints.every):
                    pace.pause(lambda: self._save(step, wait=False))  # noqa: B023
            checkpoint = self._save(step)
            finished = step >= config.training.steps
            validated = self._validate(step, log) if finished else None
        return Outcome(step, finished, checkpoint, validated, self._sample() if finished else b"", self._draw())

    # -- parts
    def _is_due(self, step: int, every: int) -> bool:
        """Returns whether a step before the last one is a multiple of `every` (0: never)."""
        return bool(every) and step % every == 0 and step < self.config.training.steps

    def _corpus(self, known: Path) -> Corpus:
        """Reads the run's text; a resumed run reuses its vocabulary."""
        data, model = self.config.data, self.config.model
        vocabulary: Vocabulary | int | None = None
        if model.vocabulary == "pairs":
            resuming = known.exists() and not self.restart and bool(self.checkpoints.listed())
            vocabulary = Vocabulary.load(known) if resuming else model.vocabulary_size
        paths = [self.config.base / path for path in data.paths]
        corpus = Corpus.read(paths, data.validation, self.config.training.length, vocabulary)
        self.config.folder.mkdir(parents=True, exist_ok=True)
        return corpus

    def _compile(self) -> Training:
        steps = self.config.training
        return compile_training(
            self.shape.training(steps.batch, steps.length),
            "loss",
            self.config.rule(),
            clip_norm=steps.clip_norm or None,
            accumulate=steps.accumulate,
            loss_scale=steps.loss_scale or None,
            ema=steps.ema or None,
            guard=True,
            precision=steps.precision,
            **self.config.placement(),
        )

    def _step(self, step: int, log: MetricsLog, pace: Pace) -> None:
        """Runs one optimizer step on the batches of this step number."""
        accumulate = self.config.training.accumulate
        numbers = range(step * accumulate, (step + 1) * accumulate)
        results: dict[str, Any] = {}
        total = 0.0
        for number in numbers:
            results = self.training.step(self.hosts.batch(self.stream, number))
            total += float(results["loss"])
            if not math.isfinite(total):
                raise self._not_finite(step, total, float("nan"), numbers)
        loss, norm = total / accumulate, float(results["grad_norm"])
        self._skipped = 0 if math.isfinite(norm) else self._skipped + 1
        if self._skipped and (not self.config.training.loss_scale or self._skipped > _SKIPPED_AT_MOST):
            raise self._not_finite(step, loss, norm, numbers)
        progress = pace.stepped(step + 1, loss, float(results["lr"]), norm)
        scale = {"loss_scale": float(results["loss_scale"])} if "loss_scale" in results else {}
        speed = {"tokens_per_second": round(progress.tokens_per_second, 1)}
        log.add(step=step + 1, loss=loss, rate=progress.rate, gradient=norm, **speed, **scale)
        self.watcher.stepped(progress)

    def _not_finite(self, step: int, loss: float, norm: float, numbers: Sequence[int]) -> RlxError:
        """Builds the error that stops a run, with op and line of the first NaN or infinity. The params are from before the step."""
        cause = self.training.explain([self.stream.at(number) for number in numbers])
        self.training.forget_round()
        path = self.checkpoints.save(self.training, step, self.config.flat(), drop=False)
        what = f"the loss is {loss}" if not math.isfinite(loss) else f"the norm of the gradients is {norm}"
        made = cause.message if cause else "the step is finite when repeated op by op without fusion"
        fix = f"the params before this step are in {path}; lower rate in [optimizer] or clip_norm in [training], or check the text"
        if cause is not None and "had NaN" in cause.fix:
            fix = f"{cause.fix}; {fix}"
        return RlxError("RLX510", f"step {step + 1}: {what}; {made}", fix=fix, at=cause.location if cause else None)

    def _validate(self, step: int, log: MetricsLog) -> Validated | None:
        """Computes the mean loss over the held-out text; taken from the log if the run had already finished."""
        if self.hosts.first_says(step in log.validated):
            return Validated(step, **log.validated[step]) if self.hosts.is_first else None
        length = self.config.training.length
        ids, labels = self.corpus.windows(length, self.config.validation.rows)
        if not len(ids):
            return None
        self._bring_weights()
        total = 0.0
        for at in range(0, len(ids), _EVALUATED_ROWS):
            batch = {"ids": ids[at : at + _EVALUATED_ROWS], "labels": labels[at : at + _EVALUATED_ROWS].reshape(-1)}
            total += float(np.asarray(self._evaluate.run(batch)["losses"]).sum(dtype=np.float64))
        validated = Validated(step, total / labels.size, total / float(self.corpus.vocabulary.piece_bytes[labels].sum()))
        log.add(step=step, validation_loss=validated.loss, nats_per_byte=validated.nats_per_byte)
        self.watcher.validated(validated)
        return validated

    def _bring_weights(self) -> None:
        """Updates the weights used for validation and sampling: the params, or their averages."""
        steps = self.config.training
        if self._evaluate is None:
            self._evaluate = self.evaluated.compile(self.shape.evaluation(steps.length), precision=steps.precision)
        if steps.ema:
            self.evaluated.set_params({name: self.training.averaged(name) for name in self.shape.param_dims()})

    def _save(self, step: int, *, wait: bool = True) -> Path:
        path = self.checkpoints.save(self.training, step, self.config.flat(), wait=wait)
        self.watcher.saved(path)
        return path

    def _sample(self) -> bytes:
        """Saves the final weights and samples a text from them."""
        self._bring_weights()
        params = {name: self.evaluated.param(name) for name in self.shape.param_dims()}
        if self.hosts.is_first:
            write_model(self.config.folder, self.shape, self.corpus.vocabulary, params)
        chosen = self.config.sample
        if not chosen.tokens:
            return b""
        sampler = TextSampler.of(self.shape, self.corpus.vocabulary, self.evaluated)
        seed = self.config.training.seed
        return sampler.text(chosen.prompt.encode(), chosen.tokens, temperature=chosen.temperature, top_k=chosen.top_k, seed=seed)

    def _draw(self) -> Path | None:
        if not self.config.output.plot or not can_draw() or not self.hosts.is_first:
            return None
        path = self.config.folder / "loss.png"
        model, steps = self.config.model, self.config.training
        layers = f"{model.layers} layer{'s' if model.layers > 1 else ''} of {model.width}"
        title = f"Llama with {self.shape.parameters:,} weights, {layers}, batches of {steps.batch} × {steps.length} tokens"
        draw_losses(read_metrics(self.config.folder / "metrics.jsonl"), path, title)
        return path
