"""The engine: prompts in, text out. It puts together runner, sampler, text and drafts, and keeps caches from one prompt to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.defaults import default_sampling, end_ids
from rlx.generate.drafters import Drafter
from rlx.generate.lengths import DraftLength, run_times
from rlx.generate.prefix import Prefixes
from rlx.generate.prompts import as_prompts, token_ids
from rlx.generate.results import Generation, Piece, Speculation, Timings
from rlx.generate.runner import Runner, checked_capacity
from rlx.generate.sampler import Choice, Sampler
from rlx.generate.sampling import Sampling
from rlx.generate.speculative import speculate
from rlx.generate.template import chat_ids
from rlx.generate.text import TextStream
from rlx.models import Model
from rlx.runtime.locks import RunLock

__all__ = ["Engine", "Stream", "check_overflow"]

Array = npt.NDArray[Any]
Prompt = str | Sequence[int] | npt.NDArray[np.integer[Any]]
_OVERFLOWS = ("error", "shift", "stop")


class Engine:
    """Generates with one model.

    `context`: tokens a sequence can have; None: what the model was trained on. `draft` makes guesses that the model judges, for one
    sequence at a time: up to `draft_tokens` in a round, None: as many as pay (`DraftLength`). Up to `batch` prompts of a list run together.
    Threads wait for each other and get their own texts; a model may have several engines.

    >>> from rlx.models import open_model
    >>> engine = Engine(open_model("smollm2"), context=2048)  # doctest: +SKIP
    >>> str(engine.generate("The capital of France is", max_tokens=2))  # doctest: +SKIP
    ' Paris.'
    """

    def __init__(
        self,
        model: Model,
        *,
        context: int | None = None,
        chunk: int = 512,
        batch: int = 8,
        draft: Drafter | None = None,
        draft_tokens: int | None = None,
    ) -> None:
        if model.family.embeds:
            message = f"{model.source.path}: {model.config.architecture} gives embeddings, not text"
            raise RlxError("RLX702", message, fix="model.embed(texts), or a model that generates", at=None)
        self.model, self.draft, self.draft_tokens, self.batch = model, draft, draft_tokens, batch
        self.context, self.chunk = context, chunk
        self.sampling = default_sampling(model)
        self.lock = (
            RunLock()
        )  # held while the model computes: for a whole text, or token by token where the caller sees each
        self._idle: dict[int, Prefixes] = {}  # by batch size: caches that no text is being written with

    # -- what people call -------------------------------------------------------------------------------------------
    @overload
    def generate(
        self,
        prompt: Prompt,
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Generation: ...
    @overload
    def generate(
        self,
        prompt: Sequence[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> list[Generation]: ...
    def generate(
        self,
        prompt: Prompt | Sequence[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Generation | list[Generation]:
        """The text after a prompt, which is a text or ids: a Generation; of a list of them, a list. Settings are those of `Sampling`.

        `stream` is called with each Piece. `overflow`: what happens when the context is full: "error" (a prompt and max_tokens that do
        not fit are refused), "stop" (the text ends there), "shift" (the older half is forgotten, the rest evaluated anew).
        `special`: texts like `<|im_end|>` in a prompt are the tokens of that name.
        """
        prompts = as_prompts(prompt)
        encoded = [self.encode(one, special=special) for one in prompts]
        chosen = (sampling or self.sampling).with_settings(**settings)
        step = 1 if self.draft is not None else self.batch
        found: list[Generation] = []
        for start in range(0, len(encoded), step):
            job = Stream(self, encoded[start : start + step], chosen, overflow, first_row=start)
            self._finish(job, stream)
            found += job.results
        return found if prompts is prompt else found[0]

    def stream(
        self,
        prompt: Prompt,
        sampling: Sampling | None = None,
        *,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Stream:
        """Iterate over pieces of text as they come; then `.result` is the Generation."""
        chosen = (sampling or self.sampling).with_settings(**settings)
        return Stream(self, [self.encode(prompt, special=special)], chosen, overflow)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]] | str,
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        template: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Generation:
        """The answer to a conversation: messages of `role` and `content`, or one text of the user. The template reads `template` too."""
        answer = self.stream_chat(messages, sampling, overflow=overflow, template=template, **settings)
        self._finish(answer, stream)
        return answer.result

    def stream_chat(
        self,
        messages: Sequence[Mapping[str, Any]] | str,
        sampling: Sampling | None = None,
        *,
        overflow: str = "error",
        template: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Stream:
        """The same, piece by piece."""
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        chosen = (sampling or self.sampling).with_settings(**settings)
        found, notes = self.model.chat_template, []
        if found is None:
            notes.append("the model has no chat template: ChatML was used")
            chosen = chosen.with_settings(stop=(*chosen.stop, "<|im_end|>"))
        ids = chat_ids(self.model.tokenizer, found, conversation, **(template or {}))
        return Stream(self, [ids], chosen, overflow, strip=True, notes=notes)

    def encode(self, prompt: Prompt, *, special: bool = False) -> list[int]:
        """The ids of a prompt; a text begins with the token its model expects there."""
        if not isinstance(prompt, str):
            ids = token_ids(prompt)
        else:
            tokenizer = self.model.tokenizer
            ids = tokenizer.encode(prompt, add_special=False, special=special)
            if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
                ids = [tokenizer.bos, *ids]
            if not prompt:
                raise RlxError("RLX903", "the prompt is empty", fix="at least one character")
        if not ids:
            raise RlxError("RLX903", "the prompt has no tokens", fix="at least one token")
        return ids

    def _finish(self, job: Stream, told: Callable[[Piece], None] | None) -> None:
        """Read a stream to its end. Others wait for a whole text; where somebody is told of each piece, for a token at a time."""
        if told is None:
            with self.lock:
                for _ in job.pieces():
                    pass
        else:
            for piece in job.pieces():
                told(piece)

    # -- what streams use -------------------------------------------------------------------------------------------
    @property
    def capacity(self) -> int:
        """Tokens a sequence can have."""
        return checked_capacity(self.model, self.context)

    def runner(self, batch: int = 1) -> Runner:
        """The runner that the next text of a batch size is written with, made when first needed."""
        prefixes = self.take(batch)
        self.give_back(prefixes)
        return prefixes.runner

    def take(self, batch: int) -> Prefixes:
        """A runner that no other text is being written with, with what it still has of earlier prompts."""
        idle = self._idle.pop(batch, None)
        if idle is not None:
            return idle
        hidden = self.draft is not None and self.draft.wants_hidden
        return Prefixes(Runner(self.model, batch=batch, capacity=self.context, chunk=self.chunk, hidden=hidden))

    def give_back(self, prefixes: Prefixes) -> None:
        """The text has ended: the next one goes on with these caches. One is kept of single sequences, and one of batches.

        Takes no lock: a stream that is left half read gives back when it is collected, wherever that happens.
        """
        batch = prefixes.runner.batch
        for size in [size for size in tuple(self._idle) if batch > 1 and size > 1]:
            self._idle.pop(size, None)
        self._idle[batch] = prefixes


def check_overflow(overflow: str) -> None:
    """An error where it is no policy."""
    if overflow not in _OVERFLOWS:
        raise RlxError("RLX902", f"overflow is {overflow!r}", fix=" or ".join(map(repr, _OVERFLOWS)))


class Row:
    """One sequence on its way."""

    def __init__(
        self, engine: Engine, prompt: list[int], sampling: Sampling, ends: frozenset[int], strip: bool
    ) -> None:
        self.prompt, self.sampling, self.ends = prompt, sampling, ends
        self.sampler = Sampler(sampling, list(prompt) if sampling.penalizes else [])
        self.text = TextStream(engine.model.tokenizer, sampling.stop, strip=strip)
        self.ids: list[int] = []
        self.choices: list[Choice] = []
        self.finish: str | None = "length" if sampling.max_tokens == 0 else None
        self.reused = 0

    def accept(self, choice: Choice) -> str:
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

    >>> stream = engine.stream("The capital of France is", max_tokens=4)  # doctest: +SKIP
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
        self.rows = [Row(engine, prompt, sampling, ends, strip) for prompt in prompts]
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

    def _first(self) -> list[list[Choice]]:
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

    def _begin(self) -> list[list[Choice]]:
        """Take the prompts in, but for what the caches have; the first token of each row."""
        begun = time.perf_counter()
        assert self._taken is not None
        logits = self._taken.take([row.prompt for row in self.rows])
        for row, reused in zip(self.rows, logits.reused, strict=True):
            row.reused = reused
            self.timings.prefilled_tokens += len(row.prompt) - reused
        self.timings.prefill = time.perf_counter() - begun
        return [self._choose(row, logits.logits[number]) for number, row in enumerate(self.rows)]

    def _step(self) -> list[list[Choice]]:
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

    def _round(self, drafter: Drafter, row: Row, record: Speculation) -> list[Choice]:
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

    def _choose(self, row: Row, logits: Array) -> list[Choice]:
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
