"""Knob: a size of kernels that was tried out on a machine, and the rule by which a value is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Knob"]

_LEAST_GAIN = 0.03
"""A value takes the place of the default when it is faster by so much in every round: less is noise."""


@dataclass(frozen=True)
class Knob:
    """One size that was tried out: the best time with each value in each round, what is used by default, and what was chosen."""

    name: str
    unit: str
    work: float
    """What a call does, in billions of the unit times seconds."""
    rounds: Sequence[Mapping[int, float]]
    default: int

    @property
    def seconds(self) -> dict[int, float]:
        """The best time with each value."""
        return {value: min(times[value] for times in self.rounds) for value in self.rounds[0]}

    @property
    def spread(self) -> float:
        """By how much the default's own time differs from round to round: what else the machine does."""
        times = [times[self.default] for times in self.rounds]
        return max(times) / min(times) - 1

    def gain(self, value: int) -> float:
        """By how much a value is faster than the default beside it, in the round where it is so by least."""
        return 1 - max(times[value] / times[self.default] for times in self.rounds)

    @property
    def chosen(self) -> int:
        """The fastest of the values that beat the default in every round, by more than noise and than the default's own spread; else it."""
        clear = [value for value in self.seconds if self.gain(value) >= max(_LEAST_GAIN, self.spread)]
        return min(clear, key=lambda value: self.seconds[value], default=self.default)

    def rate(self, value: int) -> float:
        """How fast it was with a value, in billions of the unit per second."""
        return self.work / self.seconds[value]
