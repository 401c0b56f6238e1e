"""A sequence: its tokens, how many are computed, its pages, what makes tokens and text of its logits; and the caller's stream of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator
from collections.abc import Sequence as Rows
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.drafters import Draft, Drafter, DraftLength
from rlx.generate.engine.grammar_turns import GrammarTurn
from rlx.generate.engine.mailbox import AHEAD, Mailbox
from rlx.generate.grammar_state import MOST_FORCED, grammar_state
from rlx.generate.results import Generation, Piece, Speculation, Timings
from rlx.generate.sampler import ChosenToken, Sampler, describe_token
from rlx.generate.sampling_settings import Sampling
from rlx.generate.text import TextStream

if TYPE_CHECKING:
    from rlx.generate.engine.core import EngineCore

Array = npt.NDArray[Any]


class Request:
    """Settings and counts shared by all sequences of a call."""

    def __init__(
        self,
        sampling: Sampling,
        ends: frozenset[int],
        *,
        own_ends: frozenset[int] = frozenset(),
        overflow: str = "error",
        priority: int = 0,
        caller: Hashable = None,
        strip: bool = False,
        kind_of: Callable[[int], Hashable] = lambda length: (),
    ) -> None:
        self.own_ends = own_ends  # the model's, which a grammar knows
        self.kind_of = kind_of  # what keys and values depend on beside the tokens, by the prompt's length
        self.sampling, self.ends, self.overflow, self.strip = sampling, ends, overflow, strip
        self.priority, self.caller = priority, caller
        self.timings = Timings()
        self.mailbox = Mailbox()
        self._submitted = time.perf_counter()
        self.chosen = 0  # tokens since the last step

    def note_tokens(self, count: int) -> None:
        """Counts tokens chosen for the request's sequences."""
        self.chosen += count

    def note_step(self, prompt_tokens: int, setup: float, seconds: float) -> None:
        """Records the time of a step with so many tokens of the request's prompts."""
        timings, chosen = self.timings, self.chosen
        self.chosen = 0
        timings.setup += setup
        if prompt_tokens:
            timings.prefill += seconds
            timings.prefilled_tokens += prompt_tokens
        else:
            timings.decode += seconds
            timings.decoded_tokens += chosen
        if chosen and not timings.first_token:
            timings.first_token = time.perf_counter() - self._submitted


class Sequence:
    """A text in progress. `tokens` are prompt and answer, of which `computed` are in the KV pages; the others run next."""

    def __init__(self, request: Request, tokenizer: Tokenizer, prompt: list[int], row: int, copy: int = 0) -> None:
        self.request, self.row, self.prompt = request, row, prompt
        self.tokens = list(prompt)
        self.together = len(prompt)  # tokens that were given at once, which a rope that changes with the length sees
        sampling = request.sampling
        grammar = grammar_state(sampling, tokenizer, request.own_ends)
        self.sampler = Sampler(sampling, list(prompt) if sampling.penalizes else [], grammar, copy, request.ends)
        strip = request.strip and grammar is None
        self.text = TextStream(tokenizer, sampling.stop, strip=strip, shown=sampling.shown_ids, min_tokens=sampling.min_tokens)
        self.ids: list[int] = []
        self.choices: list[ChosenToken] = []
        self.end: ChosenToken | None = None  # the end token that was chosen
        self.scored = [] if sampling.prompt_logprobs is None else [ChosenToken(prompt[0])]  # tokens of the prompt
        self.finish: str | None = None if sampling.runs else "length"
        self.order = 0  # order of arrival
        # -- what is computed
        self.computed = 0
        self.again = 0  # tokens that a recurrent model recomputes after a rejected draft
        self.reused = 0  # tokens of the prompt that were found in the prefix cache
        self.kind = request.kind_of(len(prompt))
        self.table: list[int] = []
        self.pages: Array = np.zeros(8, np.int32)  # the same, to be read by a run
        self.states: dict[str, Any] | None = None  # recurrent states to continue from
        self.slot: int | None = None  # the slot of its recurrent states
        self.hidden: list[Array] = []  # inputs of the last norm, for a draft head
        self.forks: list[Sequence] = []  # copies that wait for this one's prompt
        self.turn: GrammarTurn | None = None  # its grammar is not ready for the next token
        # -- drafts
        self.drafter: Drafter | None = None
        self.draft: Draft | None = None  # being verified
        self.before_draft: dict[str, Any] | None = None  # recurrent states to restore
        self.draft_length: DraftLength | None = None
        self.speculation: Speculation | None = None

    @property
    def pending(self) -> int:
        """The tokens that are not computed yet."""
        return len(self.tokens) - self.computed

    @property
    def decodes(self) -> bool:
        """Whether the sequence's next token can be chosen after this step."""
        return self.pending == 1 + self.again and bool(self.table) and not self.rests

    @property
    def rests(self) -> bool:
        """Whether steps skip the sequence: its reader or its grammar is behind."""
        return self.turn is not None or self.request.mailbox.paused

    def deciding_length(self, position: int) -> int:
        """Returns the length that a length-dependent RoPE reads at a position: the tokens given at once from there on."""
        return max(self.together - position, 1)

    def deciding_lengths(self, position: int, count: int) -> list[int]:
        """`deciding_length` of several positions."""
        given = max(min(self.together - position, count), 0)
        return [*range(self.together - position, self.together - position - given, -1), *[1] * (count - given)]

    # -- pages
    def hold(self, pages: Iterable[int]) -> None:
        """Appends KV pages to the sequence."""
        for page in pages:
            if len(self.table) == len(self.pages):
                self.pages = np.concatenate([self.pages, np.zeros_like(self.pages)])
            self.pages[len(self.table)] = page
            self.table.append(page)

    def replace(self, index: int, page: int) -> None:
        """Replaces the page at an index of the sequence's page table."""
        self.table[index] = self.pages[index] = page

    def forget(self) -> None:
        """Drops the sequence's pages and computed count."""
        self.table, self.computed, self.again = [], 0, 0
        self.states, self.hidden, self.draft = None, [], None

    # -- tokens
    @property
    def scores(self) -> bool:
        """Whether log-probabilities of tokens of the prompt are still to be computed."""
        return 0 < len(self.scored) < len(self.prompt)

    def score(self, start: int, logits: Array) -> None:
        """Records prompt log-probabilities from the logits at the positions from `start` on: each predicts the next token."""
        top = self.request.sampling.prompt_logprobs or 0
        for position, row in enumerate(logits, start + 1):
            if position == len(self.scored) < len(self.prompt):
                self.scored.append(describe_token(self.prompt[position], row, top))

    def grammar_turn(self, token: int | None, room: int) -> GrammarTurn | None:
        """Returns the grammar's work after a token: it accepts the token and up to `room` forced ones. Forced tokens need no
        logits, unless their probabilities are requested."""
        grammar, sampling = self.sampler.grammar, self.request.sampling
        if grammar is None or self.finish is not None:
            return None
        if sampling.logprobs or sampling.top_logprobs:
            room = 0
        return GrammarTurn(grammar, token, min(room, MOST_FORCED))

    def end_of_grammar(self) -> str:
        """Ends a text that its grammar cannot continue; returns the rest of the text."""
        if self.finish is not None:
            return ""
        self.finish = "stop"
        return self.text.finish()

    def accept(self, choice: ChosenToken) -> str:
        """Appends a chosen token; returns the text that can be sent."""
        if choice.id in self.request.ends:
            self.finish = "stop"
            self.end = choice
            return self.text.finish()
        self.tokens.append(choice.id)
        self.ids.append(choice.id)
        if choice.logprob is not None:
            self.choices.append(choice)
        text = self.text.feed(choice.id)
        if self.text.stopped is not None:
            self.finish = "stop"
        elif len(self.ids) == self.request.sampling.max_tokens:
            self.finish = "length"
        return text + (self.text.finish() if self.finish is not None else "")


# -- what the caller sees --------------------------------------------------------------------------------------------
class Stream:
    """A running generation: iterate over it for text, once. `result` is the full one: it waits, unless the stream was read already.

    A stream that is closed, cancelled or collected stops at the next token. `async for` yields pieces without blocking.

    >>> from rlx.generate import Engine
    >>> from rlx.models import open_model
    >>> stream = Engine(open_model("smollm2")).stream("The capital of France is", max_tokens=4)
    >>> for text in stream:  # doctest: +SKIP
    ...     print(text, end="", flush=True)
    """

    def __init__(self, engine: EngineCore, request: Request, sequences: Rows[Sequence], notes: Rows[str] = ()) -> None:
        self._engine, self.notes = engine, tuple(notes)
        self._request, self._sequences = request, list(sequences)
        self._box = request.mailbox
        self._read = False

    def __iter__(self) -> Iterator[str]:
        return (piece.text for piece in self.pieces())

    def __del__(self) -> None:
        self.cancel()  # takes no lock: it may be collected anywhere

    # -- reading ----------------------------------------------------------------------------------------------------
    def pieces(self) -> Iterator[Piece]:
        """Yields pieces of text with their row. The loop may be left at any point, also by Ctrl-C."""
        box = self._begin_reading()
        try:
            while True:
                finished = box.finished  # before the last pieces are taken, not after
                while box.pieces:
                    yield self._take()
                if finished:
                    self._raise()
                    return
                self._engine.wait_for(box)
        finally:
            if not box.finished:
                self.cancel()

    async def __aiter__(self) -> AsyncIterator[Piece]:
        """Yields pieces of text without blocking the event loop; the engine steps in a thread of its own."""
        box = self._begin_reading()
        with box.told_to_the_loop() as there:
            self._engine.start()
            try:
                while True:
                    there.clear()
                    finished = box.finished
                    while box.pieces:
                        yield self._take()
                    if finished:
                        self._raise()
                        return
                    await there.wait()
            finally:
                if not box.finished:
                    self.cancel()

    def cancel(self) -> None:
        """Ends the stream at the next token. The text so far stays in `result`."""
        if not self._box.finished:
            self._box.cancelled = True
            self._engine.go_on()

    def _take(self) -> Piece:
        """Returns the next piece of the call; a paused stream continues."""
        piece = self._box.pieces.popleft()
        if len(self._box.pieces) == AHEAD - 1:
            self._engine.go_on()
        return piece

    def _begin_reading(self) -> Mailbox:
        if self._read:
            raise RlxError(
                "RLX903", "a stream can be read only once", fix="save its text, use `result`, or start another stream", at=None
            )
        self._read = True
        return self._box

    def _raise(self) -> None:
        if self._box.error is not None:
            raise self._box.error

    # -- results ----------------------------------------------------------------------------------------------------
    @property
    def result(self) -> Generation:
        """The Generation of the first sequence."""
        return self.results[0]

    @property
    def results(self) -> list[Generation]:
        """The Generations of all sequences: waits for their end. Once a reader has begun to iterate, or after `cancel`, they are
        what there is so far, and sequences that did not end are "interrupted"."""
        if not self._read and not self._box.cancelled:
            self._box.whole = True
            self._engine.wait_for(self._box)
            self._raise()
        return [self._generation(sequence) for sequence in self._sequences]

    @property
    def timings(self) -> Timings:
        """Seconds of each phase of the call so far."""
        return self._request.timings

    @property
    def speculation(self) -> Speculation | None:
        """Statistics of speculative decoding for the first sequence."""
        return self._sequences[0].speculation

    def _generation(self, sequence: Sequence) -> Generation:
        return Generation(
            sequence.text.text,
            tuple(sequence.ids),
            sequence.finish or "interrupted",
            len(sequence.prompt),
            sequence.reused,
            tuple(sequence.choices),
            sequence.text.stopped,
            self._request.timings,
            sequence.speculation,
            self.notes,
            tuple(sequence.scored),
            sequence.end,
        )
