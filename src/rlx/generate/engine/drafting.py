"""Drafts inside a batch: which sequences get one, and how long.

A step on several rows costs more than on one, and guesses are rows too. So a draft is made only while the step stays small: up to
`MOST` + 1 rows in all, shared by the sequences that decode. Each sequence has a drafter of its own, which knows its text; there are no
more than that many at once, and one that a text leaves behind is given up with its caches, all but the first.
"""

from __future__ import annotations

from collections.abc import Sequence as Rows

import numpy as np

from rlx.generate.drafters import Drafter
from rlx.generate.engine.sequence import Sequence
from rlx.generate.engine.step_runner import StepRunner
from rlx.generate.lengths import MOST, DraftLength, run_times
from rlx.generate.results import Speculation


class Drafting:
    """Gives decoding sequences their drafts before a step. `tokens`: always so many; None: as many as pay."""

    def __init__(self, drafter: Drafter, tokens: int | None, runner: StepRunner) -> None:
        self.first, self.tokens, self.runner = drafter, tokens, runner
        self._busy: dict[Sequence, Drafter] = {}

    def prepare(self) -> None:
        """Compile and load what drafts."""
        self.first.prepare()

    def draft(self, running: Rows[Sequence], capacity: int) -> None:
        """Guesses for the sequences that decode."""
        decoding = [one for one in running if one.decodes and one.ids]
        for gone in [one for one in self._busy if one not in running]:
            del self._busy[gone]
        if not decoding:
            return
        most = (MOST + 1) // len(decoding) - 1
        for sequence in decoding:
            sequence.draft = None
            if sequence.speculation is None:
                sequence.speculation = Speculation()
            count = self._count(sequence, most, capacity)
            if count >= 0 and (most > 0 or self.tokens is not None):
                self._propose(sequence, count)

    def _count(self, sequence: Sequence, most: int, capacity: int) -> int:
        """How many tokens to draft."""
        count = self.tokens
        if count is None:
            if sequence.draft_length is None:
                weights = self.runner.model.source.weights.values()
                sequence.draft_length = DraftLength(self.first.cost(self.runner), run_times(weights))
            count = min(sequence.draft_length.choose(), most)
        if sequence.request.sampling.max_tokens is not None:
            count = min(count, sequence.request.sampling.max_tokens - len(sequence.ids) - 1)
        return max(min(count, capacity - len(sequence.tokens)), 0)

    def _propose(self, sequence: Sequence, count: int) -> None:
        drafter = self._drafter_of(sequence)
        if drafter is None:
            return
        hidden = np.array(sequence.hidden) if drafter.wants_hidden and sequence.hidden else None
        sampler = sequence.sampler
        draft = drafter.propose(sequence.tokens, hidden, count, sampler.sampling, sampler.random_ahead())
        sequence.draft = draft
        if draft.tokens and self.runner.recurrent:
            sequence.before_draft = sequence.states or self.runner.states_of(sequence)

    def _drafter_of(self, sequence: Sequence) -> Drafter | None:
        """The one that knows its text; None where as many as there may be know others."""
        drafter = self._busy.get(sequence)
        if drafter is None and len(self._busy) <= MOST:
            taken = any(other is self.first for other in self._busy.values())
            drafter = self._busy[sequence] = self.first.fork() if taken else self.first
        return drafter
