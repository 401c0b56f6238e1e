"""Knob: a tuned kernel parameter, and the rule for choosing its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_LEAST_GAIN = 0.03
"""A value replaces the default if it is faster by this much in every round: less is noise."""


@dataclass(frozen=True)
class Knob:
    """Measurements of one tuned parameter: the best time with each value in each round, the default, and the choice."""

    name: str
    unit: str
    work: float
    """Work per call, in billions of the unit."""
    rounds: Sequence[Mapping[int, float]]
    default: int

    @property
    def seconds(self) -> dict[int, float]:
        """The best time with each value of the parameter."""
        return {value: min(times[value] for times in self.rounds) for value in self.rounds[0]}

    @property
    def spread(self) -> float:
        """How much the default's own time varies between rounds: noise from other load on the machine."""
        times = [times[self.default] for times in self.rounds]
        return max(times) / min(times) - 1

    def gain(self, value: int) -> float:
        """How much faster a value is than the default in the same round, in its worst round."""
        return 1 - max(times[value] / times[self.default] for times in self.rounds)

    @property
    def chosen(self) -> int:
        """The fastest value that beats the default in every round, by more than noise and the default's own spread; else the default."""
        clear = [value for value in self.seconds if self.gain(value) >= max(_LEAST_GAIN, self.spread)]
        return min(clear, key=lambda value: self.seconds[value], default=self.default)

    def rate(self, value: int) -> float:
        """The speed with a value, in billions of the unit per second."""
        return self.work / self.seconds[value]
