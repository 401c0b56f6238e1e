"""Answers as they come: pieces of an engine become text, thoughts and calls, for each of the `n` texts of a request."""

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
from rlx.serve.errors import ApiError
from rlx.serve.tools import AnswerPart, CallArguments, CallBegin, CallParser, TextPart, ThoughtPart
from rlx.serve.tools.parts import ThoughtSplitter
from rlx.serve.wanted import Wanted


@dataclass(frozen=True)
class TokenLogprobs:
    """The tokens that came since the last time, where log-probabilities are asked for."""

    tokens: tuple[ChosenToken, ...]


@dataclass
class RowCall:
    """A call of a tool, as far as it came."""

    name: str
    id: str = field(default_factory=lambda: f"call_{secrets.token_hex(12)}")
    arguments: str = ""


@dataclass
class RowAnswer:
    """One of the texts of a request, as far as it came."""

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
        """The tokens with the end token, as vLLM counts them."""
        return [*self.ids, *([] if self.end is None else [self.end.id])]

    @property
    def reason(self) -> str:
        """Why it ended, in OpenAI's words."""
        if self.finish == "stop":
            return "tool_calls" if self.calls else "stop"
        return "length"


class RowReader:
    """Tells the parts of one text."""

    def __init__(self, wanted: Wanted) -> None:
        tags = wanted.served.tags if wanted.is_chat and wanted.splits else None
        self.answer = RowAnswer()
        self.splitter = ThoughtSplitter(tags, wanted.inside, wanted.continues) if tags is not None else None
        dialect = wanted.served.dialect[0]
        parses = bool(wanted.use.tools) or (wanted.is_chat and dialect.framed is not None)
        self._parser: CallParser | None = dialect.parser(wanted.use.tools) if parses else None
        self._strip = wanted.is_chat and not wanted.continues and wanted.served.model.tokenizer.strips_space
        self._several = wanted.use.several
        self._hides_thoughts, self._splits = wanted.hides_thoughts, wanted.splits

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""
        if self._strip and text:
            text, self._strip = text.removeprefix(" "), False
        return self._note(self._called(self.splitter.feed(text) if self.splitter is not None else [TextPart(text)]))

    def finish(self) -> list[AnswerPart]:
        """What was held back, at the end."""
        parts = self._called(self.splitter.finish() if self.splitter is not None else [])
        return self._note([*parts, *(self._parser.finish() if self._parser is not None else [])])

    def _called(self, parts: list[AnswerPart]) -> list[AnswerPart]:
        if self._parser is None:
            return parts
        return [found for part in parts for found in (self._parser.feed(part.text) if isinstance(part, TextPart) else [part])]

    def _note(self, parts: list[AnswerPart]) -> list[AnswerPart]:
        """Keep what is given out; calls after the first are dropped where only one is allowed."""
        answer, kept = self.answer, []
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
            kept.append(part)
        return kept


class Answering:
    """The answer to a request. Iterate over `(row, part)`; then `rows` has the texts and `prompt_tokens`, `cached_tokens` the counts.

    `cancel` may be called at any time: what came so far stays, and the engine forgets the request.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.readers = [RowReader(wanted) for _ in range(wanted.n)]
        self.prompt_tokens, self.cached_tokens = len(wanted.prompt), 0
        self.first: float | None = None  # when the first piece came
        self.began = self.last = time.monotonic()
        self.gaps: list[float] = []  # seconds between pieces
        self.cancelled: ApiError | None = None
        self._stream: Stream | None = None
        if wanted.budget is None or wanted.served.tags is None:
            self._stream = self._submit(wanted.prompt, wanted.sampling, wanted.n)  # a prompt that does not fit fails here

    @property
    def rows(self) -> list[RowAnswer]:
        """The texts."""
        return [reader.answer for reader in self.readers]

    def cancel(self, reason: ApiError | None = None) -> None:
        """Nobody waits any more, or `reason` says why it ends."""
        self.cancelled = self.cancelled or reason
        if self._stream is not None:
            self._stream.cancel()

    def _submit(self, prompt: list[int], sampling: Sampling, n: int) -> Stream:
        engine = self.wanted.served.generator()
        wanted = self.wanted
        how: dict[str, Any] = {"n": n, "overflow": "stop", "priority": wanted.priority, "caller": wanted.caller}
        how["cache_salt"] = wanted.group, wanted.cache_salt
        return engine.submit_async(prompt, sampling, **how)

    async def parts(self) -> AsyncIterator[tuple[int, AnswerPart | TokenLogprobs]]:
        """The parts of all rows, as they come."""
        try:
            if self._stream is not None:
                async for item in self._read(self._stream, list(range(self.wanted.n))):
                    yield item
                for number, found in enumerate(self._stream.results):
                    self._ended(number, found)
            else:
                for number in range(self.wanted.n):
                    async for item in self._with_budget(number):
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
        """One submission, whose rows are these rows of ours."""
        wants_tokens = self.wanted.sampling.logprobs or self.wanted.sampling.top_logprobs > 0
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
            for place, row in enumerate(rows):
                for item in self._new_tokens(stream, place, row, seen):
                    yield item

    def _new_tokens(self, stream: Stream, place: int, row: int, seen: list[int]) -> list[tuple[int, TokenLogprobs]]:
        found = stream.results[place]
        tokens = found.logprobs[seen[place] :]
        seen[place] += len(tokens)
        self.readers[row].answer.logprobs += tokens
        self.readers[row].answer.prompt_logprobs = found.prompt_logprobs
        return [(row, TokenLogprobs(tokens))] if tokens else []

    def _note_time(self) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = now
        else:
            self.gaps.append(now - self.last)
        self.last = now

    def _ended(self, number: int, found: Generation) -> None:
        answer = self.readers[number].answer
        answer.ids += found.ids
        answer.finish, answer.stop, answer.end = found.finish, found.stop, found.end
        answer.prompt_logprobs = found.prompt_logprobs
        self.cached_tokens = max(self.cached_tokens, found.reused_tokens)

    async def _with_budget(self, row: int) -> AsyncIterator[tuple[int, AnswerPart | TokenLogprobs]]:
        """Two submissions: thoughts, which end with their tag or with the budget; then the tag if need be, and the rest."""
        wanted, reader, tags = self.wanted, self.readers[row], self.wanted.served.tags
        assert tags is not None and wanted.budget is not None and reader.splitter is not None
        tokenizer = wanted.served.model.tokenizer
        sampling = wanted.sampling if wanted.sampling.seed is None else replace(wanted.sampling, seed=wanted.sampling.seed + row)
        most = sampling.max_tokens
        closing = tokenizer.encode(f"\n{tags.end}\n\n", add_special=False, special=True)
        prompt = list(wanted.prompt)
        if wanted.budget > 0 or not wanted.inside:
            thinking = max(wanted.budget, 1) if most is None else min(max(wanted.budget, 1), most)
            thoughts = replace(sampling, max_tokens=thinking, stop=(*sampling.stop, tags.end), grammar=None)
            self._stream = await asyncio.to_thread(self._submit, prompt, thoughts, 1)
            async for item in self._read(self._stream, [row]):
                yield item
            found = self._stream.results[0]
            self._ended(row, found)
            prompt += found.ids
            spent = most is not None and len(found.ids) >= most
            if found.finish not in ("stop", "length") or spent or (found.finish == "stop" and found.stop != tags.end):
                return
            if found.finish == "stop":
                closing = []
        if reader.splitter.inside:
            prompt += closing
            for part in reader.feed(tags.end):
                yield row, part
        left = None if most is None else most - len(reader.answer.ids)
        rest = sampling if wanted.last is None else replace(wanted.last, seed=sampling.seed)
        self._stream = await asyncio.to_thread(self._submit, prompt, replace(rest, max_tokens=left), 1)
        async for item in self._read(self._stream, [row]):
            yield item
        self._ended(row, self._stream.results[0])
        self._stream = None if row + 1 < wanted.n else self._stream


# -- blocks, as Anthropic's messages and OpenAI's responses stream them ----------------------------------------------
@dataclass
class AnswerBlock:
    """One block: `kind` is "thought", "text" or "call"; its text so far (of a call: the arguments)."""

    index: int
    kind: str
    call: RowCall | None = None
    text: str = ""


@dataclass(frozen=True)
class BlockStep:
    """What happened to a block: "begin", "delta" with more text, or "end"."""

    what: str
    block: AnswerBlock
    text: str = ""


async def in_blocks(answering: Answering) -> AsyncIterator[BlockStep]:
    """The one text of a request, block by block."""
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
