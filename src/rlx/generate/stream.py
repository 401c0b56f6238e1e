"""A generation on its way: the loop from prompts to pieces of text, which may be left at any point."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.defaults import end_ids
from rlx.generate.drafters import Drafter
from rlx.generate.lengths import DraftLength, run_times
from rlx.generate.prefix import Prefixes
from rlx.generate.results import Generation, Piece, Speculation, Timings
from rlx.generate.runner import Runner
from rlx.generate.sampler import ChosenToken, Sampler
from rlx.generate.sampling import Sampling
from rlx.generate.speculative import speculate
from rlx.generate.text import TextStream

if TYPE_CHECKING:
    from rlx.generate.engine import Engine

__all__ = ["Stream", "StreamRow", "check_overflow"]

Array = npt.NDArray[Any]
_OVERFLOWS = ("error", "shift", "stop")


def check_overflow(overflow: str) -> None:
    """An error where it is no policy."""
    if overflow not in _OVERFLOWS:
        raise RlxError("RLX902", f"overflow is {overflow!r}", fix=" or ".join(map(repr, _OVERFLOWS)))


class StreamRow:
    """One sequence on its way."""

    def __init__(
        self, engine: Engine, prompt: list[int], sampling: Sampling, ends: frozenset[int], strip: bool
    ) -> None:
        self.prompt, self.sampling, self.ends = prompt, sampling, ends
        self.sampler = Sampler(sampling, list(prompt) if sampling.penalizes else [])
        self.text = TextStream(engine.model.tokenizer, sampling.stop, strip=strip)
        self.ids: list[int] = []
        self.choices: list[ChosenToken] = []
        self.finish: str | None = "length" if sampling.max_tokens == 0 else None
        self.reused = 0

    def accept(self, choice: ChosenToken) -> str:
        """A token came; gives the text that can be given out."""
        if choice.id in self.ends:
            self.finish = "stop"
            return self.text.finish()
        self.ids.append(choice.id)
        if choice.logprob is not None:
            self.choices.append(choice)
        text = self.text.feed(choice.id)
        if self.text.stopped is not None:
            self.finish = "stop"
        elif len(self.ids) == self.sampling.max_tokens:
            self.finish = "length"
        return text + (self.text.finish() if self.finish is not None else "")


class Stream:
    """A generation on its way: iterate over it for text, once. `result` is what there is so far, and all of it at the end.

    Streams of one engine may take turns: each has caches of its own from its first token until it ends, is closed or is collected.

    >>> from rlx.generate import Engine
    >>> from rlx.models import open_model
    >>> stream = Engine(open_model("smollm2")).stream("The capital of France is", max_tokens=4)
    >>> for text in stream:  # doctest: +SKIP
    ...     print(text, end="", flush=True)
    """

    def __init__(
        self,
        engine: Engine,
        prompts: Sequence[list[int]],
        sampling: Sampling,
        overflow: str = "error",
        *,
        strip: bool = False,
        first_row: int = 0,
        notes: Sequence[str] = (),
    ) -> None:
        check_overflow(overflow)
        ends = frozenset(sampling.stop_ids) | (frozenset() if sampling.ignore_eos else end_ids(engine.model))
        self.engine, self.sampling, self.overflow, self.first_row, self.notes = (
            engine,
            sampling,
            overflow,
            first_row,
            tuple(notes),
        )
        self.rows = [StreamRow(engine, prompt, sampling, ends, strip) for prompt in prompts]
        self.timings = Timings()
        self.speculation = Speculation() if engine.draft is not None and len(prompts) == 1 else None
        self._taken: Prefixes | None = None  # caches, from the first token on
        self._length: DraftLength | None = None  # of the drafts, where it is not fixed
        self._fit()

    def __iter__(self) -> Iterator[str]:
        return (piece.text for piece in self.pieces())

    @property
    def result(self) -> Generation:
        """The one sequence."""
        return self.results[0]

    @property
    def results(self) -> list[Generation]:
        """All sequences; those that did not end are "interrupted"."""
        return [
            Generation(
                row.text.text,
                tuple(row.ids),
                row.finish or "interrupted",
                len(row.prompt),
                row.reused,
                tuple(row.choices),
                row.text.stopped,
                self.timings,
                self.speculation,
                self.notes,
            )
            for row in self.rows
        ]

    # -- the loop ---------------------------------------------------------------------------------------------------
    def pieces(self) -> Iterator[Piece]:
        """Setup, prompt, then token by token. It may be left at any point, by Ctrl-C too: caches and `result` stay whole."""
        if self._taken is not None:
            raise RlxError(
                "RLX903", "a stream is read once", fix="keep its text, or `result`; or begin another stream", at=None
            )
        self._taken = self.engine.take(len(self.rows))
        try:
            with self.engine.lock:
                choices = self._first()
            while True:
                for number, row in enumerate(self.rows):
                    for choice in choices[number]:
                        if row.finish is None:
                            text = row.accept(choice)
                            if text:
                                yield Piece(text, self.first_row + number)
                with self.engine.lock:
                    self._make_room()
                    if all(row.finish is not None for row in self.rows):
                        return
                    choices = self._step()
        finally:
            self.engine.give_back(self._taken)

    @property
    def runner(self) -> Runner:
        """The stream's own, from its first token on."""
        assert self._taken is not None
        return self._taken.runner

    def _first(self) -> list[list[ChosenToken]]:
        """Compile, load and take in the prompts; the first token of each row."""
        begun = time.perf_counter()
        self.runner.prepare()
        if self.speculation is not None and self.engine.draft is not None:
            self.runner.prepare_scores()
            self.engine.draft.prepare()
        self.timings.setup = time.perf_counter() - begun
        choices = self._begin()
        self.timings.first_token = time.perf_counter() - begun
        return choices

    def _begin(self) -> list[list[ChosenToken]]:
        """Take the prompts in, but for what the caches have; the first token of each row."""
        begun = time.perf_counter()
        assert self._taken is not None
        logits = self._taken.take([row.prompt for row in self.rows])
        for row, reused in zip(self.rows, logits.reused, strict=True):
            row.reused = reused
            self.timings.prefilled_tokens += len(row.prompt) - reused
        self.timings.prefill = time.perf_counter() - begun
        return [self._choose(row, logits.logits[number]) for number, row in enumerate(self.rows)]

    def _step(self) -> list[list[ChosenToken]]:
        """The next token of every row that goes on; several where they were drafted."""
        begun = time.perf_counter()
        if self.speculation is not None and self.engine.draft is not None:
            choices = [self._round(self.engine.draft, self.rows[0], self.speculation)]
        else:
            active = [row.finish is None for row in self.rows]
            logits = self.runner.decode([row.ids[-1] if row.ids else 0 for row in self.rows], active)
            choices = [
                self._choose(row, logits[number]) if active[number] else [] for number, row in enumerate(self.rows)
            ]
        self.timings.decode += time.perf_counter() - begun
        self.timings.decoded_tokens += sum(map(len, choices))
        return choices

    def _round(self, drafter: Drafter, row: StreamRow, record: Speculation) -> list[ChosenToken]:
        """Guesses and their judgement: at least one token."""
        count = self.engine.draft_tokens
        if count is None:
            if self._length is None:
                self._length = DraftLength(
                    drafter.cost(self.runner), run_times(self.engine.model.source.weights.values())
                )
            count = self._length.choose()
        if self.sampling.max_tokens is not None:
            count = min(count, self.sampling.max_tokens - len(row.ids) - 1)
        drafted, accepted = record.drafted, record.accepted
        choices = speculate(self.runner, drafter, row.ids[-1], row.sampler, count, record)
        if self._length is not None:
            self._length.note(record.drafted - drafted, record.accepted - accepted)
        return choices

    def _choose(self, row: StreamRow, logits: Array) -> list[ChosenToken]:
        choice = row.sampler.choose(logits)
        row.sampler.accept(choice.id)
        return [choice]

    # -- the context ------------------------------------------------------------------------------------------------
    def _fit(self) -> None:
        """Before anything runs: prompts that do not fit are refused, or shortened under "shift"."""
        room = self.engine.capacity
        for row in self.rows:
            if len(row.prompt) > room and self.overflow == "shift":
                row.prompt = self._shifted(row.prompt)
            if len(row.prompt) > room:
                message = f"the prompt has {len(row.prompt)} tokens, the context has room for {room}"
                raise RlxError(
                    "RLX901", message, fix="shorten the prompt, raise the context, or overflow='shift'", at=None
                )
            wanted = self.sampling.max_tokens
            if wanted is not None and self.overflow == "error" and len(row.prompt) + wanted - 1 > room:
                message = (
                    f"the prompt has {len(row.prompt)} tokens, max_tokens is {wanted}; the context has room for {room}"
                )
                raise RlxError("RLX901", message, fix="fewer max_tokens, or overflow='stop' or 'shift'", at=None)

    def _shifted(self, tokens: list[int]) -> list[int]:
        """The newer half of what the context has room for, behind the token every text begins with."""
        bos = self.engine.model.tokenizer.bos
        first = tokens[:1] if bos is not None and tokens[:1] == [bos] else []
        return first + tokens[-max(self.engine.capacity // 2 - len(first), 1) :]

    def _make_room(self) -> None:
        """Rows whose context is full end there, or forget their older half; what is kept is evaluated anew, as if it were the prompt."""
        full = [
            n
            for n, row in enumerate(self.rows)
            if row.finish is None and self.runner.lengths[n] >= self.runner.capacity
        ]
        if self.overflow != "shift":
            for number in full:
                self.rows[number].finish = "context"
        elif full:
            kept: list[list[int]] = [[] for _ in self.rows]
            for number in full:
                kept[number] = self._shifted([*self.runner.tokens[number], self.rows[number].ids[-1]])[:-1]
                self.runner.truncate(number, 0)
            self.runner.prefill(kept)
