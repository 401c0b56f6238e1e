"""Answers while they are generated: pieces of an engine become text, thoughts and calls, for each of the `n` texts of a request."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

from rlx.generate.engine import Stream
from rlx.generate.results import Generation
from rlx.generate.sampler import ChosenToken
from rlx.generate.sampling_settings import Sampling
from rlx.serve.engine_request import EngineRequest
from rlx.serve.errors import ApiError
from rlx.serve.tools import AnswerPart, CallArguments, CallBegin, CallParser, TextPart, ThoughtPart
from rlx.serve.tools.parts import ThoughtSplitter


@dataclass(frozen=True)
class TokenLogprobs:
    """The tokens of an answer's part, with log-probabilities, where these are requested."""

    tokens: tuple[ChosenToken, ...]


@dataclass
class RowCall:
    """A tool call of an answer, as far as it has been generated."""

    name: str
    id: str = field(default_factory=lambda: f"call_{secrets.token_hex(12)}")
    arguments: str = ""


@dataclass
class RowAnswer:
    """One of the texts that answer a request, as far as it has been generated."""

    text: str = ""
    thoughts: str = ""
    calls: list[RowCall] = field(default_factory=list)
    logprobs: list[ChosenToken] = field(default_factory=list)
    prompt_logprobs: tuple[ChosenToken, ...] = ()
    ids: list[int] = field(default_factory=list)
    end: ChosenToken | None = None  # the end token, which is not among the ids
    finish: str = "cancelled"
    stop: str | None = None

    @property
    def all_ids(self) -> list[int]:
        """The tokens of the answer including the end token, as vLLM counts them."""
        return [*self.ids, *([] if self.end is None else [self.end.id])]

    @property
    def reason(self) -> str:
        """OpenAI's `finish_reason` of the answer."""
        if self.finish == "stop":
            return "tool_calls" if self.calls else "stop"
        return "length"


class RowReader:
    """Splits one generated text into its parts: thoughts, text and calls."""

    def __init__(self, request: EngineRequest) -> None:
        tags = request.served.tags if request.is_chat and request.splits else None
        self.answer = RowAnswer()
        self.splitter = ThoughtSplitter(tags, request.inside, request.continues) if tags is not None else None
        dialect = request.served.dialect[0]
        parses = bool(request.use.tools) or (request.is_chat and dialect.framed is not None)
        self._parser: CallParser | None = dialect.parser(request.use.tools) if parses else None
        self._strip = request.is_chat and not request.continues and request.served.model.tokenizer.strips_space
        self._several = request.use.several
        self._hides_thoughts, self._splits = request.hides_thoughts, request.splits

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more generated text; returns its parts."""
        if self._strip and text:
            text, self._strip = text.removeprefix(" "), False
        return self._note(self._parse_calls(self.splitter.feed(text) if self.splitter is not None else [TextPart(text)]))

    def finish(self) -> list[AnswerPart]:
        """Returns the parts that were held back, at the end of the text."""
        parts = self._parse_calls(self.splitter.finish() if self.splitter is not None else [])
        return self._note([*parts, *(self._parser.finish() if self._parser is not None else [])])

    def _parse_calls(self, parts: list[AnswerPart]) -> list[AnswerPart]:
        if self._parser is None:
            return parts
        return [parsed for part in parts for parsed in (self._parser.feed(part.text) if isinstance(part, TextPart) else [part])]

    def _note(self, parts: list[AnswerPart]) -> list[AnswerPart]:
        """Adds parts to the answer and returns those to send; calls after the first are dropped where only one is allowed."""
        answer, shown = self.answer, []
        for given in parts:
            part = TextPart(given.text) if isinstance(given, ThoughtPart) and not self._splits else given
            match part:
                case TextPart(text):
                    answer.text += text
                    if not text:
                        continue
                case ThoughtPart(text):
                    if self._hides_thoughts:
                        continue
                    answer.thoughts += text
                case CallBegin(index, name):
                    if index and not self._several:
                        continue
                    answer.calls.append(RowCall(name))
                case CallArguments(index, text):
                    if index and not self._several:
                        continue
                    answer.calls[index].arguments += text
            shown.append(part)
        return shown


class Answering:
    """The answer to a request. Iterate over `(row, part)`; then `rows` has the texts and `prompt_tokens`, `cached_tokens` the counts.

    `cancel` may be called at any time: what came so far stays, and the engine forgets the request.
    """

    def __init__(self, request: EngineRequest) -> None:
        self.request = request
        self.readers = [RowReader(request) for _ in range(request.n)]
        self.prompt_tokens, self.cached_tokens = len(request.prompt), 0
        self.first: float | None = None  # time of the first piece
        self.began = self.last = time.monotonic()
        self.gaps: list[float] = []  # seconds between pieces
        self.cancelled: ApiError | None = None
        self._stream: Stream | None = None
        if request.budget is None or request.served.tags is None:
            self._stream = self._submit(request.prompt, request.sampling, request.n)  # a prompt that does not fit fails here

    @property
    def rows(self) -> list[RowAnswer]:
        """The answer's texts, one for each row."""
        return [reader.answer for reader in self.readers]

    def cancel(self, reason: ApiError | None = None) -> None:
        """Ends the answer: the client left, or `reason` is the error to report."""
        self.cancelled = self.cancelled or reason
        if self._stream is not None:
            self._stream.cancel()

    def _submit(self, prompt: list[int], sampling: Sampling, n: int) -> Stream:
        engine = self.request.served.generator()
        request = self.request
        how: dict[str, Any] = {"n": n, "overflow": "stop", "priority": request.priority, "caller": request.caller}
        how["cache_salt"] = request.group, request.cache_salt
        return engine.submit_async(prompt, sampling, **how)

    async def parts(self) -> AsyncIterator[tuple[int, AnswerPart | TokenLogprobs]]:
        """Yields the parts of all rows while they are generated."""
        try:
            if self._stream is not None:
                async for item in self._read(self._stream, list(range(self.request.n))):
                    yield item
                for number, generation in enumerate(self._stream.results):
                    self._record_end(number, generation)
            else:
                for number in range(self.request.n):
                    async for item in self._read_with_budget(number):
                        yield item
            for number, reader in enumerate(self.readers):
                for part in reader.finish():
                    yield number, part
        finally:
            if self._stream is not None:
                self._stream.cancel()
        if self.cancelled is not None:
            raise self.cancelled

    async def _read(self, stream: Stream, rows: list[int]) -> AsyncIterator[tuple[int, AnswerPart | TokenLogprobs]]:
        """Yields the parts of one submission; `rows` are the rows of this answer that it generates."""
        wants_tokens = self.request.sampling.logprobs or self.request.sampling.top_logprobs > 0
        seen = [0] * len(rows)
        async for piece in stream:
            self._note_time()
            row = rows[piece.row]
            if wants_tokens:
                for item in self._new_tokens(stream, piece.row, row, seen):
                    yield item
            for part in self.readers[row].feed(piece.text):
                yield row, part
        if wants_tokens:
            for number, row in enumerate(rows):
                for item in self._new_tokens(stream, number, row, seen):
                    yield item

    def _new_tokens(self, stream: Stream, number: int, row: int, seen: list[int]) -> list[tuple[int, TokenLogprobs]]:
        generation = stream.results[number]
        tokens = generation.logprobs[seen[number] :]
        seen[number] += len(tokens)
        self.readers[row].answer.logprobs += tokens
        self.readers[row].answer.prompt_logprobs = generation.prompt_logprobs
        return [(row, TokenLogprobs(tokens))] if tokens else []

    def _note_time(self) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = now
        else:
            self.gaps.append(now - self.last)
        self.last = now

    def _record_end(self, number: int, generation: Generation) -> None:
        answer = self.readers[number].answer
        answer.ids += generation.ids
        answer.finish, answer.stop, answer.end = generation.finish, generation.stop, generation.end
        answer.prompt_logprobs = generation.prompt_logprobs
        self.cached_tokens = max(self.cached_tokens, generation.reused_tokens)

    async def _read_with_budget(self, row: int) -> AsyncIterator[tuple[int, AnswerPart | TokenLogprobs]]:
        """Yields the parts of two submissions: thoughts, up to their tag or budget; then the tag if missing, and the answer."""
        request, reader, tags = self.request, self.readers[row], self.request.served.tags
        assert tags is not None and request.budget is not None and reader.splitter is not None
        sampling = _seed_row(request.sampling, row)
        limit = sampling.max_tokens
        closing = request.served.model.tokenizer.encode(f"\n{tags.end}\n\n", add_special=False, special=True)
        prompt = list(request.prompt)
        if request.budget > 0 or not request.inside:
            self._stream = await asyncio.to_thread(self._submit, prompt, _limit_thoughts(sampling, request.budget, tags.end), 1)
            async for item in self._read(self._stream, [row]):
                yield item
            thoughts = self._stream.results[0]
            self._record_end(row, thoughts)
            if not _leads_to_answer(thoughts, tags.end, limit):
                return
            prompt += thoughts.ids
            closing = [] if thoughts.finish == "stop" else closing
        if reader.splitter.inside:
            prompt += closing
            for part in reader.feed(tags.end):
                yield row, part
        settings = sampling if request.last is None else replace(request.last, seed=sampling.seed)
        if limit is not None:
            settings = replace(settings, max_tokens=limit - len(reader.answer.ids))
        self._stream = await asyncio.to_thread(self._submit, prompt, settings, 1)
        async for item in self._read(self._stream, [row]):
            yield item
        self._record_end(row, self._stream.results[0])
        self._stream = None if row + 1 < request.n else self._stream


def _seed_row(sampling: Sampling, row: int) -> Sampling:
    """Derives the settings of one of several texts: each has its own random numbers."""
    return sampling if sampling.seed is None else replace(sampling, seed=sampling.seed + row)


def _limit_thoughts(sampling: Sampling, budget: int, end_tag: str) -> Sampling:
    """Derives the settings of thoughts: they end with their tag or after `budget` tokens, and no grammar constrains them."""
    budget = max(budget, 1)
    limit = budget if sampling.max_tokens is None else min(budget, sampling.max_tokens)
    return replace(sampling, max_tokens=limit, stop=(*sampling.stop, end_tag), grammar=None)


def _leads_to_answer(thoughts: Generation, end_tag: str, limit: int | None) -> bool:
    """Returns whether an answer follows thoughts: they ended with their tag, or with their budget and below the token limit."""
    if limit is not None and len(thoughts.ids) >= limit:
        return False
    return thoughts.finish == "length" or (thoughts.finish == "stop" and thoughts.stop == end_tag)


# -- blocks, as Anthropic's messages and OpenAI's responses stream them ----------------------------------------------
@dataclass
class AnswerBlock:
    """A block of a streamed answer: `kind` is "thought", "text" or "call"; its text so far (of a call: the arguments)."""

    index: int
    kind: str
    call: RowCall | None = None
    text: str = ""


@dataclass(frozen=True)
class BlockStep:
    """An event of an answer's block: "begin", "delta" with more text, or "end"."""

    what: str
    block: AnswerBlock
    text: str = ""


async def in_blocks(answering: Answering) -> AsyncIterator[BlockStep]:
    """Groups the parts of a request's single text into blocks; yields a BlockStep for each change."""
    count, current = 0, None
    async for _, part in answering.parts():
        if isinstance(part, TokenLogprobs):
            continue
        kind = {TextPart: "text", ThoughtPart: "thought"}.get(type(part), "call")
        text = "" if isinstance(part, CallBegin) else part.text
        if isinstance(part, CallArguments) and current is not None:
            kind = current.kind
        if current is None or current.kind != kind or isinstance(part, CallBegin):
            if current is not None:
                yield BlockStep("end", current)
            call = answering.rows[0].calls[part.index] if isinstance(part, CallBegin) else None
            current = AnswerBlock(count, kind, call)
            count += 1
            yield BlockStep("begin", current)
        if text:
            current.text += text
            yield BlockStep("delta", current, text)
    if current is not None:
        yield BlockStep("end", current)
