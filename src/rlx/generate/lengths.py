"""How many tokens to draft in a round: the number with the most tokens per second, given the recent acceptance rate.

With acceptance rate a, a draft of k tokens gives 1 + a + … + aᵏ tokens per round, which takes k runs of the drafter and one run of
the model on k + 1 tokens. The choice depends on counts, not on a clock: the same request has the same rounds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rlx.models import Weight

MOST = 7
"""With the token before them, a run of 8: up to 8 a token gets the same bits as alone, so a greedy text is the same."""
_RUNS = {
    "bytes": (1.0, 1.15, 1.5, 1.5, 2.4, 2.4, 3.2, 3.25),  # 8 bits and more: Q8_0, F16
    "small blocks": (1.0, 1.2, 1.75, 1.85, 2.7, 2.75, 3.7, 3.75),  # blocks of up to 32 values: Q4_0, Q4_1
    "large blocks": (1.0, 1.15, 2.2, 2.25, 3.3, 3.35, 3.4, 3.5),  # Q4_K and similar
}
"""Time of a run of the model on 1, 2, … tokens, relative to a run on one, by weight format (docs/performance.md)."""
_SMALL = 32
_MEMORY = 0.9
"""The decay of a token's weight with each later one."""
_FIRST_SHARE, _FIRST_WEIGHT = 0.8, 4.0
"""The prior acceptance rate, and how many tokens it counts as."""
_PAUSE = 16
"""Rounds without a draft before one is tried again."""


def run_times(weights: Iterable[Weight]) -> tuple[float, ...]:
    """The time of a run on 1, 2, … tokens, by the format of most of the weights' bytes."""
    found: Counter[str] = Counter()
    for weight in weights:
        if weight.scheme is None or weight.nbytes >= math.prod(weight.dims):
            kind = "bytes"
        else:
            kind = "small blocks" if weight.scheme.block_size() <= _SMALL else "large blocks"
        found[kind] += weight.nbytes
    return _RUNS[found.most_common(1)[0][0]]


@dataclass
class DraftLength:
    """Chooses the length of each draft. `cost` is the time per drafted token, relative to one decode step; `runs` the times of longer runs.

    >>> length = DraftLength(cost=0.1)
    >>> length.note(7, 7)
    >>> length.choose()
    7
    >>> for _ in range(20): length.note(7, 0)
    >>> length.choose()
    0
    """

    cost: float
    runs: tuple[float, ...] = _RUNS["large blocks"]
    most: int = MOST
    _judged: float = field(default=_FIRST_WEIGHT, repr=False)
    _accepted: float = field(default=_FIRST_WEIGHT * _FIRST_SHARE, repr=False)
    _rest: int = field(default=0, repr=False)  # rounds without a draft so far

    @property
    def share(self) -> float:
        """The acceptance rate of recently verified tokens; tokens after a rejected one were not verified."""
        return self._accepted / self._judged

    def choose(self) -> int:
        """The length of the next draft, 0 if drafting does not pay off; now and then one token is tried anyway."""
        best = max(range(self.most + 1), key=self._speed)
        self._rest = 0 if best else self._rest + 1
        if self._rest > _PAUSE:
            self._rest = 0
            return min(1, self.most)
        return best

    def note(self, drafted: int, accepted: int) -> None:
        """Record the outcome of a draft."""
        judged = min(accepted + 1, drafted)
        for place in range(judged):
            self._judged = self._judged * _MEMORY + 1.0
            self._accepted = self._accepted * _MEMORY + float(place < accepted)

    def _speed(self, count: int) -> float:
        """Tokens per round divided by its time."""
        tokens = sum(self.share**place for place in range(count + 1))
        return tokens / (count * self.cost + self.runs[count])
