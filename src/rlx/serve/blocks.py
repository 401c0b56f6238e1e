"""Answers in blocks, as Anthropic's messages and OpenAI's responses stream them: thoughts, text and calls, each begun and ended."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from rlx.serve.answer import Answering, RowCall, TokenLogprobs
from rlx.serve.tools import CallArguments, CallBegin, TextPart, ThoughtPart


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
