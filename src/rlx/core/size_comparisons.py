"""Comparisons of symbolic sizes in user code: `x.shape[0] == 3` is false for a symbol, but true for size 3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlx.core.dim import Relation

_LISTENER: ContextVar[list[Relation] | None] = ContextVar("equalities taken as untrue", default=None)


def note_untrue(relation: Relation, frame: FrameType) -> None:
    """Record an equality that user code took as false although some sizes make it true."""
    listener = _LISTENER.get()
    if listener is not None and not frame.f_globals.get("__name__", "").startswith("rlx."):
        listener.append(relation)


@contextmanager
def equalities_taken_as_untrue() -> Iterator[list[Relation]]:
    """Collects the equalities of symbolic sizes that user code took as false: sizes that make one true would take another branch."""
    found: list[Relation] = []
    token = _LISTENER.set(found)
    try:
        yield found
    finally:
        _LISTENER.reset(token)
