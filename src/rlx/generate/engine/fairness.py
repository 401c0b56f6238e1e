"""Fairness among callers, by tokens: whoever was served the fewest goes first (Sheng et al., 2024, "Fairness in Serving Large Language
Models")."""

from __future__ import annotations

from collections.abc import Hashable

_CALLERS = 64
"""Callers that are remembered while they are away, beside as many again as are there."""


class CallerShares:
    """Tokens that each caller was served.

    >>> shares = CallerShares()
    >>> shares.serve("ann", 50)
    >>> shares.arrive("bob", {"ann"})
    >>> shares.of("bob")
    50
    """

    def __init__(self) -> None:
        self._served: dict[Hashable, int] = {}

    def arrive(self, caller: Hashable, active: set[Hashable]) -> None:
        """A caller has something to do, beside those that are active. Who comes back has no credit from the time it was away."""
        if caller in active:
            return
        least = min((self.of(other) for other in active), default=0)
        self._served[caller] = max(self.of(caller), least)
        if len(self._served) > 2 * len(active) + _CALLERS:  # who was served less is as good as unknown
            kept = {*active, caller}
            self._served = {who: tokens for who, tokens in self._served.items() if tokens > least or who in kept}

    def serve(self, caller: Hashable, tokens: int) -> None:
        """It was served so many more."""
        self._served[caller] = self.of(caller) + tokens

    def of(self, caller: Hashable) -> int:
        """What it was served."""
        return self._served.get(caller, 0)

    def clear(self) -> None:
        """Nobody is there any more: all are equal."""
        self._served.clear()
