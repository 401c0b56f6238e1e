"""The loss curve of a run as a PNG: losses above, the learning rate below. Drawn with matplotlib, an extra imported only here."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError

_TRAIN, _VALID, _RATE, _GRID = "#3b6fb6", "#d1495b", "#6b7280", "#e5e7eb"


def can_draw() -> bool:
    """Whether matplotlib is installed: training works without the plot."""
    return importlib.util.find_spec("matplotlib") is not None


def draw_losses(lines: Sequence[dict[str, Any]], path: Path, title: str) -> None:
    """Draw metrics.jsonl: every step's loss pale, its running mean dark, validation as points."""
    if not can_draw():
        raise RlxError("RLX803", "loss.png needs matplotlib, which is not installed", fix="pip install matplotlib", at=None)
    from matplotlib.figure import Figure

    steps = [line for line in lines if "loss" in line]
    held = [line for line in lines if line.get("validation_loss") is not None]
    figure = Figure(figsize=(9, 5.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    places, losses = np.array([line["step"] for line in steps]), np.array([line["loss"] for line in steps])
    if len(steps):
        above.plot(places, losses, color=_TRAIN, alpha=0.25, linewidth=0.8)
        above.plot(places, running_mean(losses), color=_TRAIN, linewidth=1.8, label="training, running mean")
        below.plot(places, [line["rate"] for line in steps], color=_RATE, linewidth=1.5)
        above.set_ylim(*_limits(losses, [line["validation_loss"] for line in held]))
    if held:
        last = held[-1]
        label = f"validation, {last['validation_loss']:.3f} at the end ({last['nats_per_byte']:.3f} nats per byte)"
        points = [line["step"] for line in held], [line["validation_loss"] for line in held]
        above.plot(*points, "o-", color=_VALID, markersize=4, label=label)
    above.set_title(title, loc="left", fontsize=11)
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
    if steps or held:
        above.legend(frameon=False)
    figure.align_ylabels()
    figure.savefig(path, dpi=130)


def running_mean(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The mean over about 2 % of the run around each step, truncated at the ends."""
    half = len(values) // 100
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    first, last = np.maximum(places - half, 0), np.minimum(places + half + 1, len(values))
    found: npt.NDArray[np.float64] = (sums[last] - sums[first]) / (last - first)
    return found


def _limits(losses: npt.NDArray[np.float64], held: Sequence[float]) -> tuple[float, float]:
    """From slightly below the minimum to slightly above the maximum."""
    least, most = min([losses.min(), *held]), max([losses.max(), *held])
    room = 0.05 * (most - least) + 1e-3
    return least - room, most + room
