"""Which tokens of which sequences run next: arithmetic on lengths and pages, no tensor.

Decoding sequences come first, each with its last token and what was drafted after it. Then prompts, in chunks: all of the step's
budget if nobody decodes, else a small part of it, so that no stream stalls. Prompts are taken by priority, and in a priority from the
caller who was served the fewest tokens (Sheng et al., 2024, "Fairness in Serving Large Language Models"); sequences that were preempted
go first.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from rlx.generate.engine.kv_memory import KvMemory
from rlx.generate.engine.sequence import Sequence

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


BLOCK = 128
"""Tokens of a prompt that a recurrent model takes in at a time; its states are kept at multiples of it, for the prefix cache."""
MOST_SCORED = 128
"""Tokens of a prompt in a step whose log-probabilities are wanted: each has logits of the whole vocabulary."""
ROWS_TOGETHER = 128
"""Tokens that products take together: a step of 128 costs less per token than one of 144."""


@dataclass(frozen=True)
class StepLimits:
    """How much a step takes on. `block`: chunks of prompts end at its multiples and are no longer, and prompts run alone: a recurrent
    model's states are then the same however the prompt comes in."""

    sequences: int = 64
    tokens: int = 512  # of a step, if nobody decodes
    beside: int = 128  # tokens of prompts in a step at most, if somebody does
    block: int | None = None


@dataclass(slots=True)
class StepPart:
    """A part of a step: tokens of a sequence, the first of which is at `start`; logits of the last `wanted` of them are needed."""

    sequence: Sequence
    start: int
    tokens: list[int]
    wanted: int


class Scheduler:
    """Sequences that wait and that run. `plan` gives the next step."""

    def __init__(self, memory: KvMemory, limits: StepLimits) -> None:
        self.memory, self.limits = memory, limits
        self.waiting: list[Sequence] = []
        self.running: list[Sequence] = []
        self.put_back_count = 0
        self._arrivals = itertools.count(1)
        self.shares = CallerShares()
        self._prompts_turn = True  # where prompts run alone, whose turn it is

    # -- coming and going
    def add(self, sequence: Sequence) -> None:
        """One more that waits."""
        sequence.order = next(self._arrivals)
        self.shares.arrive(sequence.request.caller, {other.request.caller for other in self.sequences})
        self.waiting.append(sequence)

    def begin_fork(self, source: Sequence, fork: Sequence) -> bool:
        """A copy of a sequence whose prompt is computed runs from here on its own; False if it has to wait until others have ended."""
        if len(self.running) >= self.limits.sequences:
            self.add(fork)
            return False
        fork.order = next(self._arrivals)
        self.memory.fork(source, fork)
        self.running.append(fork)
        return True

    def remove(self, sequence: Sequence) -> None:
        """It ended or was cancelled: it costs nothing any more."""
        for place in (self.waiting, self.running):
            if sequence in place:
                place.remove(sequence)
        self.memory.release(sequence)
        if not self.waiting and not self.running:
            self.shares.clear()

    def clear(self) -> None:
        """Everybody leaves at once, and nothing that was computed is trusted: a step failed."""
        self.waiting, self.running = [], []
        self.shares.clear()
        self.memory.clear()

    @property
    def sequences(self) -> Iterable[Sequence]:
        """All of them."""
        return itertools.chain(self.running, self.waiting)

    # -- a step
    def plan(self) -> list[StepPart]:
        """The next step; empty if there is nothing to do."""
        while True:
            works = self._alone() if self.limits.block is not None else self._mixed()
            if works or not self.running or all(one.rests for one in self.sequences):
                return works
            self._put_back(self._least_wanted())  # those who hold the pages rest, or none of them can go on

    def _mixed(self) -> list[StepPart]:
        works = self._decoding()
        self._prompts(works, self._beside(works) if works else self.limits.tokens)
        return works

    def _beside(self, decoding: list[StepPart]) -> int:
        """Tokens of prompts beside those that decode: as many as make the step a multiple of `ROWS_TOGETHER`, unless that is less than
        half of what is allowed."""
        most = self.limits.beside
        fitting = most - (sum(len(work.tokens) for work in decoding) + most) % ROWS_TOGETHER
        return fitting if fitting >= most / 2 else most

    def _alone(self) -> list[StepPart]:
        """Prompts and decoding sequences take turns."""
        for _ in range(2):
            self._prompts_turn = not self._prompts_turn
            works: list[StepPart] = []
            if self._prompts_turn:
                self._prompts(works, self.limits.tokens)
            else:
                works = self._decoding()
            if works:
                return works
        return []

    def _decoding(self) -> list[StepPart]:
        works: dict[int, StepPart] = {}
        ready = [one for one in self.running if one.decodes]
        for sequence in sorted(ready, key=lambda one: (-one.request.priority, one.order)):
            if not sequence.table:
                continue  # it was put back for an older one
            guesses = sequence.draft.tokens if sequence.draft is not None else []
            tokens = [*sequence.tokens[sequence.computed :], *guesses]
            if self._make_room(sequence, sequence.computed + len(tokens), works):
                works[sequence.order] = StepPart(sequence, sequence.computed, tokens, len(guesses) + 1)
                self.shares.serve(sequence.request.caller, len(tokens))
        return list(works.values())

    def _make_room(self, sequence: Sequence, length: int, works: dict[int, StepPart]) -> bool:
        """Pages for a sequence, if need be by putting the youngest ones back; False if that is itself."""
        while not self.memory.reach(sequence, length):
            victim = self._least_wanted()
            self._put_back(victim)
            works.pop(victim.order, None)
            if victim is sequence:
                return False
        return True

    def _prompts(self, works: list[StepPart], budget: int) -> None:
        """Chunks of prompts, those first that have begun."""
        begun = [one for one in self.running if not one.decodes and not one.rests]
        for sequence in (*sorted(begun, key=self._rank), *self._admissible()):
            block = self.limits.block
            if budget <= 0 or (works and block is not None):
                return
            if sequence not in self.running:
                if not self._has_place():
                    return
                self.memory.begin(sequence)
            start = sequence.computed
            count = min(sequence.pending, budget if block is None else block - start % block)
            count = min(count, MOST_SCORED) if sequence.scores else count
            if not self.memory.reach(sequence, start + count):
                if sequence not in self.running:
                    self.memory.release(sequence)
                return
            if sequence not in self.running:
                self.waiting.remove(sequence)
                self.running.append(sequence)
                self.memory.count(sequence)
            ends = start + count == len(sequence.tokens)
            wanted = count if sequence.scores else int(ends)
            works.append(StepPart(sequence, start, sequence.tokens[start : start + count], wanted))
            self.shares.serve(sequence.request.caller, count)
            budget -= count

    def _admissible(self) -> list[Sequence]:
        if len(self.running) >= self.limits.sequences and not self._least_wanted().request.mailbox.paused:
            return []
        return sorted((one for one in self.waiting if not one.rests), key=self._rank)

    def _rank(self, sequence: Sequence) -> tuple[int, bool, int, int]:
        request = sequence.request
        return -request.priority, not sequence.ids, self.shares.of(request.caller), sequence.order

    def _least_wanted(self) -> Sequence:
        """Who is put back first: one that pauses; then by priority; then the youngest."""
        return max(self.running, key=lambda one: (one.request.mailbox.paused, -one.request.priority, one.order))

    def _has_place(self) -> bool:
        """Whether one more may run; one that pauses goes for it."""
        if len(self.running) >= self.limits.sequences:
            last = self._least_wanted()
            if not last.request.mailbox.paused:
                return False
            self._put_back(last)
        return True

    def _put_back(self, sequence: Sequence) -> None:
        """Its pages are free; it comes again with its tokens, and gets the same keys and values."""
        self.memory.remember(sequence)
        self.memory.release(sequence)
        self.running.remove(sequence)
        self.waiting.append(sequence)
        self.put_back_count += 1
