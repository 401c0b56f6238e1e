"""Steps on devices without pages: each sequence has a Runner with caches of its own, and they run one after another.

It does what PagedRunner does, and no batch: for devices whose memory is not the host's, or that compile a program for every set of sizes.
A sequence that comes anew, goes back or was forked is brought to where it is by taking in its tokens again.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Rows
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.generate.engine.schedule import StepPart
from rlx.generate.engine.sequence import Sequence
from rlx.generate.runner import Runner, common_length
from rlx.models import Model

Array = npt.NDArray[Any]


class OneByOneRunner:
    """A model's graphs for one sequence, and caches for as many as run at once."""

    page_bytes = state_bytes = 0  # caches grow with their sequence: no budget is kept

    def __init__(self, model: Model, *, capacity: int | None, chunk: int, hidden: bool = False) -> None:
        self.model, self.keeps_hidden = model, hidden
        self.recurrent = False  # states go back by taking in the tokens again
        self._capacity, self._chunk = capacity, chunk
        self._first = self._new()
        self._idle: list[Runner] = [self._first]
        self._busy: dict[Sequence, Runner] = {}

    def _new(self) -> Runner:
        return Runner(self.model, capacity=self._capacity, chunk=self._chunk, hidden=self.keeps_hidden)

    @property
    def weight_bytes(self) -> int:
        """What a run on one token reads of the weights."""
        return self._first.weight_bytes

    def prepare(self, pages: int) -> None:
        """Compile, load and pack."""
        self._first.prepare()

    def run(self, parts: Rows[StepPart]) -> dict[str, Array]:
        """The logits asked for, in order; and `hidden` of all tokens."""
        logits, hidden = [], []
        for part in parts:
            runner = self._at(part)
            if part.wanted > 1:
                logits.append(runner.score([part.tokens])[0][-part.wanted :])
            else:
                found = runner.prefill([part.tokens])
                logits += [found] if part.wanted else []
            hidden.append(runner.hidden[0][-len(part.tokens) :, None])
        empty = np.zeros((0, self.model.config.vocab_size), np.float32)
        outputs = {"logits": np.concatenate([empty, *logits])}
        return outputs | ({"hidden": np.concatenate(hidden)} if self.keeps_hidden else {})

    def _at(self, part: StepPart) -> Runner:
        """The runner of a sequence, with the tokens before this part in its caches."""
        sequence = part.sequence
        if sequence not in self._busy:
            self._busy[sequence] = self._idle.pop() if self._idle else self._new()
        runner, before = self._busy[sequence], sequence.tokens[: part.start]
        kept = common_length(runner.tokens[0], before)
        runner.truncate(0, 0 if runner.recurrent and kept < runner.lengths[0] else kept)
        if runner.lengths[0] < len(before):
            runner.prefill([before[runner.lengths[0] :]])
        return runner

    # -- what pages and slots need, and these do not
    def copy_pages(self, copies: Iterable[tuple[int, int]]) -> None:
        """Nothing is shared."""

    def states_of(self, sequence: Sequence) -> dict[str, Any]:
        """Nothing is kept apart."""
        return {}

    def put_states(self, sequence: Sequence, states: dict[str, Any] | None) -> None:
        """Going back is taking in again."""

    def leave(self, sequence: Sequence) -> None:
        """Its caches are the next one's."""
        runner = self._busy.pop(sequence, None)
        if runner is not None:
            self._idle.append(runner)

    def free_slots(self) -> None:
        """All caches are somebody else's."""
        self._idle += self._busy.values()
        self._busy.clear()

    def give_back(self, pages: int) -> None:
        """Memory is kept."""

    def free_memory(self) -> None:
        """Caches are given back when their runners are collected."""
        self._busy.clear()
        self._idle.clear()
