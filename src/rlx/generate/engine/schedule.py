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
"""Limit of remembered callers without sequences, besides as many as have some."""


class CallerShares:
    """Fair shares: the tokens served to each caller.

    >>> shares = CallerShares()
    >>> shares.serve("ann", 50)
    >>> shares.arrive("bob", {"ann"})
    >>> shares.of("bob")
    50
    """

    def __init__(self) -> None:
        self._served: dict[Hashable, int] = {}

    def arrive(self, caller: Hashable, active: set[Hashable]) -> None:
        """Adds a caller to the active ones. A caller that returns has no credit for its absence."""
        if caller in active:
            return
        fewest = min((self.of(other) for other in active), default=0)
        self._served[caller] = max(self.of(caller), fewest)
        if len(self._served) > 2 * len(active) + _CALLERS:  # who was served less is as good as unknown
            remaining = {*active, caller}
            self._served = {who: tokens for who, tokens in self._served.items() if tokens > fewest or who in remaining}

    def serve(self, caller: Hashable, tokens: int) -> None:
        """Adds tokens served to a caller."""
        self._served[caller] = self.of(caller) + tokens

    def of(self, caller: Hashable) -> int:
        """Returns the tokens served to a caller."""
        return self._served.get(caller, 0)

    def clear(self) -> None:
        """Resets all callers' counts."""
        self._served.clear()


BLOCK = 128
"""Tokens of a prompt that a recurrent model computes at a time; its states are cached at multiples of it."""
MOST_SCORED = 128
"""Limit of prompt tokens in a step whose log-probabilities are requested: each has logits of the full vocabulary."""
ROWS_TOGETHER = 128
"""The row multiple of matrix products: a step of 128 tokens costs less per token than one of 144."""


@dataclass(frozen=True)
class StepLimits:
    """The token limits of a step. `block` is for recurrent models: chunks of prompts end at its multiples and are no longer, and
    prompts run alone. The states are then the same however the prompt is split."""

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
    """Schedules the waiting and running sequences. `plan` returns the next step."""

    def __init__(self, memory: KvMemory, limits: StepLimits) -> None:
        self.memory, self.limits = memory, limits
        self.waiting: list[Sequence] = []
        self.running: list[Sequence] = []
        self.put_back_count = 0
        self._arrivals = itertools.count(1)
        self.shares = CallerShares()
        self._prompts_turn = True  # where prompts run alone: whether it is their turn

    # -- coming and going
    def add(self, sequence: Sequence) -> None:
        """Enqueues a sequence."""
        sequence.order = next(self._arrivals)
        self.shares.arrive(sequence.request.caller, {other.request.caller for other in self.sequences})
        self.waiting.append(sequence)

    def begin_fork(self, source: Sequence, fork: Sequence) -> bool:
        """Starts a fork of a sequence whose prompt is computed; False if it has to wait until others have ended."""
        if len(self.running) >= self.limits.sequences:
            self.add(fork)
            return False
        fork.order = next(self._arrivals)
        self.memory.fork(source, fork)
        self.running.append(fork)
        return True

    def remove(self, sequence: Sequence) -> None:
        """Removes a sequence and frees its pages."""
        for queue in (self.waiting, self.running):
            if sequence in queue:
                queue.remove(sequence)
        self.memory.release(sequence)
        if not self.waiting and not self.running:
            self.shares.clear()

    def clear(self) -> None:
        """Removes all sequences and clears the KV memory after a failed step."""
        self.waiting, self.running = [], []
        self.shares.clear()
        self.memory.clear()

    @property
    def sequences(self) -> Iterable[Sequence]:
        """All waiting and running sequences."""
        return itertools.chain(self.running, self.waiting)

    # -- a step
    def plan(self) -> list[StepPart]:
        """Plans the next step: its parts; empty if there is nothing to do."""
        while True:
            works = self._plan_in_turns() if self.limits.block is not None else self._plan_together()
            if works or not self.running or all(one.rests for one in self.sequences):
                return works
            self._put_back(self._choose_victim())  # the sequences that hold the pages are paused, or none can continue

    def _plan_together(self) -> list[StepPart]:
        works = self._decoding()
        self._prompts(works, self._beside(works) if works else self.limits.tokens)
        return works

    def _beside(self, decoding: list[StepPart]) -> int:
        """Returns the token budget for prompts beside decoding sequences. The step becomes a multiple of `ROWS_TOGETHER`, unless
        that leaves less than half of what is allowed."""
        most = self.limits.beside
        fitting = most - (sum(len(work.tokens) for work in decoding) + most) % ROWS_TOGETHER
        return fitting if fitting >= most / 2 else most

    def _plan_in_turns(self) -> list[StepPart]:
        """Plans prompts and decoding sequences in alternating steps, for models whose prompts run alone."""
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
                continue  # it was preempted for an older one
            guesses = sequence.draft.tokens if sequence.draft is not None else []
            tokens = [*sequence.tokens[sequence.computed :], *guesses]
            if self._make_room(sequence, sequence.computed + len(tokens), works):
                works[sequence.order] = StepPart(sequence, sequence.computed, tokens, len(guesses) + 1)
                self.shares.serve(sequence.request.caller, len(tokens))
        return list(works.values())

    def _make_room(self, sequence: Sequence, length: int, works: dict[int, StepPart]) -> bool:
        """Reserves pages for a sequence, preempting the youngest ones if needed; False if it is the youngest."""
        while not self.memory.reach(sequence, length):
            victim = self._choose_victim()
            self._put_back(victim)
            works.pop(victim.order, None)
            if victim is sequence:
                return False
        return True

    def _prompts(self, works: list[StepPart], budget: int) -> None:
        """Adds chunks of prompts to the step, started ones first."""
        begun = [one for one in self.running if not one.decodes and not one.rests]
        for sequence in (*sorted(begun, key=self._rank), *self._admissible()):
            part = None if budget <= 0 or (works and self.limits.block is not None) else self._chunk(sequence, budget)
            if part is None:
                return
            works.append(part)
            self.shares.serve(sequence.request.caller, len(part.tokens))
            budget -= len(part.tokens)

    def _chunk(self, sequence: Sequence, budget: int) -> StepPart | None:
        """Plans the next tokens of a prompt; None if there is no slot or there are no pages for them."""
        runs, block = sequence in self.running, self.limits.block
        if not runs:
            if not self._has_place():
                return None
            self.memory.begin(sequence)
        start = sequence.computed
        count = min(sequence.pending, budget if block is None else block - start % block)
        count = min(count, MOST_SCORED) if sequence.scores else count
        if not self.memory.reach(sequence, start + count):
            if not runs:
                self.memory.release(sequence)
            return None
        if not runs:
            self.waiting.remove(sequence)
            self.running.append(sequence)
            self.memory.count(sequence)
        ends = start + count == len(sequence.tokens)
        return StepPart(sequence, start, sequence.tokens[start : start + count], count if sequence.scores else int(ends))

    def _admissible(self) -> list[Sequence]:
        if len(self.running) >= self.limits.sequences and not self._choose_victim().request.mailbox.paused:
            return []
        return sorted((one for one in self.waiting if not one.rests), key=self._rank)

    def _rank(self, sequence: Sequence) -> tuple[int, bool, int, int]:
        request = sequence.request
        return -request.priority, not sequence.ids, self.shares.of(request.caller), sequence.order

    def _choose_victim(self) -> Sequence:
        """Returns the sequence to preempt first: a paused one, then by priority, then the youngest."""
        return max(self.running, key=lambda one: (one.request.mailbox.paused, -one.request.priority, one.order))

    def _has_place(self) -> bool:
        """Returns whether one more sequence may run; a paused one is preempted for it."""
        if len(self.running) >= self.limits.sequences:
            last = self._choose_victim()
            if not last.request.mailbox.paused:
                return False
            self._put_back(last)
        return True

    def _put_back(self, sequence: Sequence) -> None:
        """Preempts a sequence and frees its pages. It waits with its tokens, and recomputes the same keys and values."""
        self.memory.remember(sequence)
        self.memory.release(sequence)
        self.running.remove(sequence)
        self.waiting.append(sequence)
        self.put_back_count += 1
