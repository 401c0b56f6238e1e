"""What runs the steps of an engine, as the rest of it sees it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Rows
from typing import Any, Protocol

import numpy.typing as npt

from rlx.generate.engine.schedule import StepPart
from rlx.generate.engine.sequence import Sequence
from rlx.models import Model


class StepRunner(Protocol):
    """A model's graphs with memory for many sequences: `PagedRunner`, or `OneByOneRunner` where a device has no pages."""

    model: Model
    recurrent: bool  # states are asked for and put back

    @property
    def page_bytes(self) -> int:
        """What a page takes; 0 where there is no budget to keep."""

    @property
    def state_bytes(self) -> int:
        """What the recurrent states of a sequence take."""

    @property
    def weight_bytes(self) -> int:
        """What a run on one token reads of the weights."""

    def prepare(self, pages: int) -> None:
        """Compile, load and pack, with memory for so many pages."""

    def run(self, parts: Rows[StepPart]) -> dict[str, npt.NDArray[Any]]:
        """A step: `logits` f32[wanted, vocab], and `hidden` if it is kept."""

    def copy_pages(self, copies: Iterable[tuple[int, int]]) -> None:
        """Copy whole pages, of all layers."""

    def states_of(self, sequence: Sequence) -> dict[str, Any]:
        """A copy of its recurrent states."""

    def put_states(self, sequence: Sequence, states: dict[str, Any] | None) -> None:
        """Bring its recurrent states back; None: to the beginning."""

    def leave(self, sequence: Sequence) -> None:
        """What it had is free."""

    def free_slots(self) -> None:
        """What all had is free."""

    def give_back(self, pages: int) -> None:
        """Give the memory of all pages but the first back to the system; nothing runs, and they stay allocated."""

    def free_memory(self) -> None:
        """Give all memory back."""
