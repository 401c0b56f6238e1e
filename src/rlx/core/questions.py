"""What code outside the package asks about symbolic sizes: `x.shape[0] == 3` has one answer for a symbol, and another for size 3."""

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
    """Tell who listens of an equality that the code of a frame took as untrue, though some sizes make it hold."""
    listener = _LISTENER.get()
    if listener is not None and not frame.f_globals.get("__name__", "").startswith("rlx."):
        listener.append(relation)


@contextmanager
def equalities_taken_as_untrue() -> Iterator[list[Relation]]:
    """The equalities of symbolic sizes that code outside the package asks about meanwhile: sizes that make one hold lead another way."""
    found: list[Relation] = []
    token = _LISTENER.set(found)
    try:
        yield found
    finally:
        _LISTENER.reset(token)
