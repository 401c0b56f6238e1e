"""How many tokens to draft in a round: the number that gives most tokens in a given time, by what was accepted lately.

With a share a of the drafted tokens accepted, k of them give 1 + a + … + aᵏ tokens a round, which takes k runs of the drafter and one of
the model on k + 1 tokens. The choice follows from counts, not from a clock: the same seed gives the same text again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["MOST", "DraftLength"]

MOST = 7
"""With the token before them a run of 8: up to there a token gets the bits that it gets alone, so a greedy text is the same."""
_RUN = (1.0, 1.15, 2.0, 2.1, 3.1, 3.1, 3.2, 3.2)
"""Time of a run of the model on 1, 2, … tokens, in runs on one (docs/performance.md)."""
_MEMORY = 0.9
"""What a token counts when the next one has been judged."""
_FIRST_SHARE, _FIRST_WEIGHT = 0.8, 4.0
"""What is believed before anything was judged, and of how many tokens that is worth."""
_PAUSE = 16
"""Rounds without a draft before one is tried again."""


@dataclass
class DraftLength:
    """Chooses the length of each draft. `cost` is the time of one guess, in runs of the model on one token.

    >>> length = DraftLength(cost=0.1)
    >>> length.note(7, 7)
    >>> length.choose()
    7
    >>> for _ in range(5): length.note(7, 0)
    >>> length.choose()
    0
    """

    cost: float
    most: int = MOST
    _judged: float = field(default=_FIRST_WEIGHT, repr=False)
    _accepted: float = field(default=_FIRST_WEIGHT * _FIRST_SHARE, repr=False)
    _rest: int = field(default=0, repr=False)  # rounds without a draft so far

    @property
    def share(self) -> float:
        """Of the tokens that were judged lately, how many were accepted; those behind a refused one were not judged."""
        return self._accepted / self._judged

    def choose(self) -> int:
        """The length of the next draft, 0 where none pays; from time to time one token is tried all the same."""
        best = max(range(self.most + 1), key=self._speed)
        self._rest = 0 if best else self._rest + 1
        if self._rest > _PAUSE:
            self._rest = 0
            return min(1, self.most)
        return best

    def note(self, drafted: int, accepted: int) -> None:
        """What became of a draft."""
        judged = min(accepted + 1, drafted)
        for place in range(judged):
            self._judged = self._judged * _MEMORY + 1.0
            self._accepted = self._accepted * _MEMORY + float(place < accepted)

    def _speed(self, count: int) -> float:
        """Tokens a round over the time it takes."""
        tokens = sum(self.share**place for place in range(count + 1))
        return tokens / (count * self.cost + _RUN[min(count, len(_RUN) - 1)])
