"""From logits to tokens and text: samplers, verified drafts, ends; and the progress of each sequence."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Rows
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.generate.drafters import verify_draft
from rlx.generate.engine.grammar_turns import GrammarTurn, take_turns, wait_for_turns
from rlx.generate.engine.mailbox import Mailbox
from rlx.generate.engine.schedule import BLOCK, Scheduler, StepPart
from rlx.generate.engine.sequence import Sequence
from rlx.generate.engine.step_runner import StepRunner
from rlx.generate.results import Piece
from rlx.generate.sampler import ChosenToken

Array = npt.NDArray[Any]
_WAIT = 0.01
"""Seconds that a step waits for grammars, whose texts pause if they take longer,"""
_IDLE_WAIT = 0.02
"""and where there is nothing else to do."""


class Postprocessor:
    """Applies the outputs of a step to its sequences. `shift` shortens a sequence whose context is full."""

    def __init__(self, scheduler: Scheduler, runner: StepRunner, capacity: int, shift: Callable[[list[int]], list[int]]) -> None:
        self.scheduler, self.runner, self.capacity, self.shift = scheduler, runner, capacity, shift
        self.resting: dict[Sequence, None] = {}  # their grammars are not ready for the next token
        self._begun: list[GrammarTurn] = []

    def take(self, works: Rows[StepPart], outputs: dict[str, Array]) -> list[Mailbox]:
        """Records what a step computed, chooses tokens and sends text. A sequence whose own sampler fails ends with its error; the
        others continue. Returns the mailboxes of paused sequences that resume."""
        logits, hidden = np.asarray(outputs["logits"]), outputs.get("hidden")
        at = row = 0
        for number, work in enumerate(works):
            sequence, mine = work.sequence, logits[at : at + work.wanted]
            if sequence.request.mailbox.error is None:  # else another sequence of its call failed in this step
                self._record_progress(work)
                if hidden is not None:
                    self._keep_hidden(sequence, work, hidden, number, row)
                try:
                    if sequence.scores:
                        sequence.score(work.start, mine)
                    if work.wanted and sequence.pending <= 0:
                        self._go_on(work, mine)
                except Exception as error:
                    self.fail(sequence, error)
            at, row = at + work.wanted, row + len(work.tokens)
        if self._begun:
            begun, self._begun = self._begun, []
            take_turns(begun)
            wait_for_turns(begun, _WAIT)
        return self.settle()

    def settle(self) -> list[Mailbox]:
        """Resumes the sequences whose grammars are ready; returns their mailboxes."""
        touched = []
        for sequence in list(self.resting):
            turn = sequence.turn
            if turn is None or not turn.done or sequence not in self.resting:  # another sequence of its call failed
                continue
            del self.resting[sequence]
            sequence.turn = None
            touched.append(sequence.request.mailbox)
            try:
                if turn.error is not None:
                    raise turn.error
                for token in turn.forced:
                    if sequence.finish is None:
                        sequence.sampler.note(token)
                        self._accept(sequence, [ChosenToken(token)])
                        sequence.again += 1
                if turn.finished:
                    self._give(sequence, sequence.end_of_grammar())
                self._end_or_make_room(sequence)
            except Exception as error:
                self.fail(sequence, error)
        return touched

    def wait(self) -> None:
        """Waits for the sequences' grammars, if there is nothing else to do."""
        wait_for_turns([one.turn for one in self.resting if one.turn is not None], _IDLE_WAIT, for_all=False)

    def _record_progress(self, work: StepPart) -> None:
        sequence, memory = work.sequence, self.scheduler.memory
        sequence.computed, sequence.again = work.start + len(work.tokens), 0
        if memory.most_states and sequence.computed % BLOCK == 0 and sequence.draft is None:
            sequence.states = self.runner.states_of(sequence)
            memory.remember_states(sequence)
            sequence.states = None
        if work.start < sequence.together <= sequence.computed:
            memory.remember(sequence)  # others may begin alike while this one goes on

    def _keep_hidden(self, sequence: Sequence, work: StepPart, hidden: Array, number: int, row: int) -> None:
        """Saves the inputs of the last norm at a sequence's tokens, for its drafter."""
        size = len(work.tokens)
        del sequence.hidden[work.start :]
        rows = hidden[number, :size] if self.runner.recurrent else hidden[row : row + size, 0]
        sequence.hidden.extend(np.array(one) for one in rows)

    def _go_on(self, work: StepPart, logits: Array) -> None:
        sequence = work.sequence
        forks, sequence.forks = sequence.forks, []
        for fork in forks:
            if not self.scheduler.begin_fork(sequence, fork):
                continue  # it waits, and recomputes its prompt
            if self.runner.recurrent:
                fork.states = self.runner.states_of(sequence)
            fork.scored = list(sequence.scored)
            self._choose(fork, logits[-1])
        if sequence.draft is None:
            self._choose(sequence, logits[-1])
        else:
            self._accept(sequence, self._verify(work, logits))
            self._go_ahead(sequence, None)

    def _choose(self, sequence: Sequence, logits: Array) -> None:
        if sequence.request.sampling.max_tokens == 0:  # only prompt log-probabilities were requested
            sequence.finish = "length"
            self.leave(sequence)
            return
        choice = sequence.sampler.choose(logits)
        sequence.sampler.note(choice.id)
        self._accept(sequence, [choice])
        self._go_ahead(sequence, choice.id)

    def _go_ahead(self, sequence: Sequence, token: int | None) -> None:
        """Starts the grammar's turn after a token; without a grammar, the sequence is ready for the next step."""
        turn = sequence.grammar_turn(token, self.capacity + 1 - len(sequence.tokens))
        if turn is None:
            self._end_or_make_room(sequence)
        else:
            sequence.turn, self.resting[sequence] = turn, None
            self._begun.append(turn)

    def _verify(self, work: StepPart, logits: Array) -> list[ChosenToken]:
        """Returns the accepted tokens of a draft and the one after them; drops the computed state of the rejected ones."""
        sequence = work.sequence
        draft, sequence.draft = sequence.draft, None
        assert draft is not None
        choices = verify_draft(draft, logits, sequence.sampler)
        accepted = len(choices) - 1
        if accepted < len(draft.tokens):
            right = len(work.tokens) - len(draft.tokens) + accepted
            sequence.computed = work.start + right
            if self.runner.recurrent:  # rewind, and recompute the accepted tokens
                self.runner.put_states(sequence, sequence.before_draft)
                sequence.computed, sequence.again = work.start, right
            del sequence.hidden[work.start + right :]
        record = sequence.speculation
        if record is not None:
            record.rounds += 1
            record.drafted += len(draft.tokens)
            record.accepted += accepted
        if sequence.draft_length is not None:
            sequence.draft_length.note(len(draft.tokens), accepted)
        return choices

    def _accept(self, sequence: Sequence, choices: Rows[ChosenToken]) -> None:
        sequence.request.note_tokens(len(choices))
        for choice in choices:
            if sequence.finish is None:
                self._give(sequence, sequence.accept(choice))

    def _give(self, sequence: Sequence, text: str) -> None:
        if text:
            sequence.request.mailbox.pieces.append(Piece(text, sequence.row))

    def _end_or_make_room(self, sequence: Sequence) -> None:
        """Removes a sequence that ended; one whose context is full ends, or drops its older half."""
        if sequence.finish is None and len(sequence.tokens) > self.capacity:
            if sequence.request.overflow != "shift":
                sequence.finish = "context"
            else:
                self.scheduler.memory.release(sequence)
                sequence.tokens = self.shift(sequence.tokens)
                sequence.together = len(sequence.tokens) - 1
                sequence.kind = sequence.request.kind_of(sequence.together)
        if sequence.finish is not None:
            self.leave(sequence)

    def leave(self, sequence: Sequence) -> None:
        """Removes a sequence that ended: its pages are freed, and cached as a prefix."""
        self.scheduler.memory.remember(sequence, leaves=True)
        self.scheduler.remove(sequence)
        self.resting.pop(sequence, None)
        self.runner.leave(sequence)
        box = sequence.request.mailbox
        box.remaining -= 1

    def fail(self, sequence: Sequence, error: BaseException) -> None:
        """Ends all sequences of a call with an error."""
        box = sequence.request.mailbox
        if box.error is None:
            box.error = error
        for one in [one for one in self.scheduler.sequences if one.request is sequence.request]:
            self.leave(one)
        box.remaining = 0
