"""Learning rates as formulas of the step, computed in the graph: a changing learning rate never recompiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlx.core.errors import RlxError

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.module.graph import Graph


@dataclass(frozen=True)
class Schedule:
    """Warm-up to `peak` over `warmup` steps, then down to `floor` at `steps`: linearly, as half a cosine, or not at all.

    >>> [Schedule(1.0, warmup=4).at(step) for step in (0, 1, 3, 100)]
    [0.25, 0.5, 1.0, 1.0]
    """

    peak: float
    warmup: int = 0
    steps: int = 0
    floor: float = 0.0
    shape: str = "constant"  # "constant", "linear", "cosine"

    def __post_init__(self) -> None:
        if self.shape != "constant" and self.steps <= self.warmup:
            message = f"{self.shape} schedule of {self.steps} steps, {self.warmup} of them warm-up"
            raise RlxError("RLX105", message, fix="steps must be more than warmup")

    def rate(self, graph: Graph, step: Value) -> Value:
        """The learning rate of a step, an f32 Value that counts from 0."""
        rising = graph.min((step + 1.0) / float(max(self.warmup, 1)), 1.0) if self.warmup else 1.0
        if self.shape == "constant":
            return graph.constant(self.peak) * rising
        part = graph.clamp((step - float(self.warmup)) / float(self.steps - self.warmup), 0.0, 1.0)
        down = 1.0 - part if self.shape == "linear" else (graph.cos(part * math.pi) + 1.0) * 0.5
        return (self.floor + (self.peak - self.floor) * down) * rising

    def at(self, step: int) -> float:
        """The same value in Python, for logs and plots."""
        rising = min((step + 1) / self.warmup, 1.0) if self.warmup else 1.0
        if self.shape == "constant":
            return self.peak * rising
        part = min(max((step - self.warmup) / (self.steps - self.warmup), 0.0), 1.0)
        down = 1 - part if self.shape == "linear" else (math.cos(part * math.pi) + 1) / 2
        return (self.floor + (self.peak - self.floor) * down) * rising


def constant(peak: float, warmup: int = 0) -> Schedule:
    """The same learning rate throughout, after warm-up.

    >>> [constant(0.5, warmup=2).at(step) for step in (0, 1, 2)]
    [0.25, 0.5, 0.5]
    """
    return Schedule(peak, warmup)


def linear(peak: float, steps: int, warmup: int = 0, floor: float = 0.0) -> Schedule:
    """Linearly down to `floor` at `steps`.

    >>> [linear(1.0, 100).at(step) for step in (0, 50, 100)]
    [1.0, 0.5, 0.0]
    """
    return Schedule(peak, warmup, steps, floor, "linear")


def cosine(peak: float, steps: int, warmup: int = 0, floor: float = 0.0) -> Schedule:
    """Half a cosine down to `floor` at `steps`.

    >>> [round(cosine(1.0, 100, warmup=10).at(step), 3) for step in (0, 9, 55, 100)]
    [0.1, 1.0, 0.5, 0.0]
    """
    return Schedule(peak, warmup, steps, floor, "cosine")
