"""How many derivatives are being taken around the function that is traced now, and inside which rules of custom functions it is.

A rule may call the function it belongs to: that call's own rule is traced again, once for each derivative that can reach it. A call
inside n rules is reached by the derivative after the n-th, so with m derivatives taken around it, n < m is all that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

ORDER_OF_GRAPHS = 2  # derivatives that transforms of a graph may take later, of a function whose rule calls itself


@dataclass(frozen=True)
class Nesting:
    """The derivatives being taken, and the custom functions whose rules are being traced, outermost first."""

    order: int = 0
    rules: tuple[object, ...] = ()
    keeps_residuals: bool = False  # whether `linearize` will keep values of the function for its tangents

    def ends_at(self, function: object) -> bool:
        """Whether a call of a custom function here is one that no derivative reaches: inside its own rule, deep enough."""
        return any(known is function for known in self.rules) and len(self.rules) >= (self.order or ORDER_OF_GRAPHS)


_OUTSIDE = Nesting()
_NESTING: ContextVar[Nesting] = ContextVar("nesting", default=_OUTSIDE)


def nesting() -> Nesting:
    """Where the function that is traced now stands."""
    return _NESTING.get()


@contextmanager
def _set(value: Nesting) -> Iterator[None]:
    token = _NESTING.set(value)
    try:
        yield
    finally:
        _NESTING.reset(token)


@contextmanager
def differentiating() -> Iterator[None]:
    """While a function is traced that one more derivative is taken of."""
    here = nesting()
    with _set(replace(here, order=here.order + 1)):
        yield


@contextmanager
def keeping_residuals() -> Iterator[None]:
    """While a function is traced whose values `linearize` keeps."""
    with _set(replace(nesting(), keeps_residuals=True)):
        yield


@contextmanager
def inside_rule(function: object) -> Iterator[None]:
    """While a rule of a custom function is traced."""
    here = nesting()
    with _set(replace(here, rules=(*here.rules, function))):
        yield
