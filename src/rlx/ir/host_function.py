"""Functions of the user as attributes of ops: known in the text by a name that this process alone can read back."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

_NUMBERS = itertools.count()
_ALIVE: weakref.WeakValueDictionary[str, HostFunction] = weakref.WeakValueDictionary()


class HostFunction:
    """A Python function that a graph calls; equal to itself alone."""

    __slots__ = ("__weakref__", "function", "name")

    def __init__(self, function: Callable[..., Any], title: str = "") -> None:
        self.function = function
        self.name = f"{title or getattr(function, '__name__', type(function).__name__)}#{next(_NUMBERS)}"
        _ALIVE[self.name] = self

    @property
    def title(self) -> str:
        """The function's own name."""
        return self.name.rpartition("#")[0]

    @staticmethod
    def alive(name: str) -> HostFunction | None:
        """Returns the host function of this name that some graph of the process still holds; None if there is none."""
        return _ALIVE.get(name)

    def __repr__(self) -> str:
        return f"<{self.name}>"
