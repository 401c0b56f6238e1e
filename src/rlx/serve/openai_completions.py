"""/v1/completions: texts after prompts, which are texts or token ids."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampler import ChosenToken
from rlx.serve.answer import Answering, RowAnswer, TokenLogprobs
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField
from rlx.serve.grammar_fields import grammar_of
from rlx.serve.models import ServedModel
from rlx.serve.openai_format import FINGERPRINT, StreamOptions, now, usage
from rlx.serve.sampling_fields import (
    SAMPLING_HARMLESS,
    SAMPLING_REFUSED,
    SAMPLING_RENAMED,
    SamplingFields,
    sampling_of,
)
from rlx.serve.sse import EventStream, event
from rlx.serve.state import ServerState, as_json
from rlx.serve.tools import TextPart
from rlx.serve.wanted import Wanted

__all__ = ["COMPLETIONS", "CompletionRequest", "completions"]

MOST_LOGPROBS = 20
MOST_PROMPTS = 64
DEFAULT_TOKENS = 16


class CompletionRequest(SamplingFields, kw_only=True):
    """The fields that are obeyed."""

    prompt: str | list[str | int | list[int]]
    model: str | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    logprobs: int | None = None
    echo: bool | None = None
    response_format: dict[str, Any] | None = None
    priority: int | None = None


COMPLETIONS = FieldTable(
    CompletionRequest,
    renamed=SAMPLING_RENAMED,
    harmless={
        **SAMPLING_HARMLESS,
        "user": "names the end user for abuse reports, which are not made here",
        "n_probs": "log-probabilities are asked for by logprobs",
    },
    refused={
        **SAMPLING_REFUSED,
        "suffix": RefusedField("text is written after a prompt, not inside it", ("",)),
        "add_special_tokens": RefusedField("the model's file says whether a text begins with a token", (True,)),
        "prompt_embeds": RefusedField("prompts are texts or token ids", ([],)),
    },
)


def _prompts(served: ServedModel, given: str | list[str | int | list[int]]) -> list[list[int]]:
    """The ids of each prompt."""
    engine = served.generator()
    if isinstance(given, str):
        return [engine.encode(given)]
    if not given:
        raise ApiError(400, "prompt is empty", param="prompt")
    if all(isinstance(part, int) for part in given):
        return [_ids(served, given)]
    if any(isinstance(part, int) for part in given):
        raise ApiError(400, "prompt mixes texts and token ids", param="prompt")
    if len(given) > MOST_PROMPTS:
        raise ApiError(400, f"prompt has {len(given)} prompts; the server takes {MOST_PROMPTS} at once", param="prompt")
    return [engine.encode(part) if isinstance(part, str) else _ids(served, part) for part in given]  # type: ignore[arg-type]


def _ids(served: ServedModel, ids: list[Any]) -> list[int]:
    vocabulary = served.model.config.vocab_size
    if not ids:
        raise ApiError(400, "prompt has no tokens", param="prompt")
    for number in ids:
        if not 0 <= number < vocabulary:
            raise ApiError(400, f"prompt has the id {number}; ids are 0 to {vocabulary - 1}", param="prompt")
    return list(ids)


def prepared(state: ServerState, asked: CompletionRequest) -> list[Wanted]:
    """What a request asks of an engine, for each prompt."""
    served = state.models.find(asked.model)
    engine = served.generator()
    if asked.logprobs is not None and not 0 <= asked.logprobs <= MOST_LOGPROBS:
        raise ApiError(400, f"logprobs is {asked.logprobs}; it is from 0 to {MOST_LOGPROBS}", param="logprobs")
    if asked.echo and asked.logprobs is not None:
        raise ApiError(400, "echo with logprobs: those of a prompt are not computed", param="echo")
    sampling = sampling_of(
        served,
        asked,
        engine.sampling,
        grammar=grammar_of(asked.response_format),
        max_tokens=DEFAULT_TOKENS if asked.max_tokens is None else None,
        logprobs=None if asked.logprobs is None else True,
        top_logprobs=asked.logprobs,
    )
    n = 1 if asked.n is None else asked.n
    return [Wanted(served, ids, sampling, n, priority=asked.priority or 0) for ids in _prompts(served, asked.prompt)]


async def completions(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """The endpoint: all prompts run together."""
    asked = COMPLETIONS.read(body)
    all_wanted = await asyncio.to_thread(prepared, state, asked)
    runs: list[Answering] = []
    try:
        for wanted in all_wanted:
            runs.append(await state.submit(wanted))
    except BaseException:
        for run in runs:
            state.ended(run)
        raise
    name, number = asked.model or all_wanted[0].served.name, f"cmpl-{secrets.token_hex(12)}"
    head = {"id": number, "object": "text_completion", "created": now(), "model": name}
    head["system_fingerprint"] = FINGERPRINT
    if asked.stream:
        options = asked.stream_options or StreamOptions()
        chunks = _chunks(runs, asked, head, bool(options.include_usage))

        def done() -> None:
            for run in runs:
                state.ended(run)

        return EventStream(chunks, request.url.path, done=done)
    await state.whole(request, *runs)
    rows = [(run, row) for run in runs for row in run.rows]
    choices = [
        {
            "index": place,
            "text": _echoed(run, asked) + row.text,
            "logprobs": _logprobs(run, row.logprobs, asked),
            "finish_reason": row.reason,
        }
        for place, (run, row) in enumerate(rows)
    ]
    return as_json({**head, "choices": choices, "usage": total_usage(runs)})


def _echoed(run: Answering, asked: CompletionRequest) -> str:
    return run.wanted.served.model.tokenizer.decode(run.wanted.prompt) if asked.echo else ""


def total_usage(runs: list[Answering]) -> dict[str, Any]:
    """The tokens of all prompts together."""
    each = [usage(run) for run in runs]
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    cached = sum(one["prompt_tokens_details"]["cached_tokens"] for one in each)
    return {name: sum(one[name] for one in each) for name in names} | {
        "prompt_tokens_details": {"cached_tokens": cached}
    }


async def _merged(runs: list[Answering]) -> AsyncIterator[tuple[int, Any]]:
    """The parts of all runs, as they come; rows are counted through."""
    if len(runs) == 1:
        async for item in runs[0].parts():
            yield item
        return
    queue: asyncio.Queue[Any] = asyncio.Queue()

    async def read(first: int, run: Answering) -> None:
        try:
            async for row, part in run.parts():
                queue.put_nowait((first + row, part))
            queue.put_nowait(None)
        except Exception as error:
            queue.put_nowait(error)

    tasks = [asyncio.ensure_future(read(place * run.wanted.n, run)) for place, run in enumerate(runs)]
    try:
        left = len(runs)
        while left:
            item = await queue.get()
            if isinstance(item, Exception):
                raise item
            if item is None:
                left -= 1
            else:
                yield item
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _chunks(
    runs: list[Answering], asked: CompletionRequest, head: dict[str, Any], with_usage: bool
) -> AsyncIterator[bytes]:
    rows: list[tuple[Answering, RowAnswer]] = [(run, row) for run in runs for row in run.rows]
    more = {"usage": None} if with_usage else {}
    waiting: dict[int, list[ChosenToken]] = {}

    def chunk(place: int, text: str, reason: str | None = None) -> bytes:
        logprobs = _logprobs(rows[place][0], waiting.pop(place, []), asked)
        choice = {"index": place, "text": text, "logprobs": logprobs, "finish_reason": reason}
        return event({**head, "choices": [choice], **more})

    if asked.echo:
        for place, (run, _) in enumerate(rows):
            yield chunk(place, _echoed(run, asked))
    async for place, part in _merged(runs):
        if isinstance(part, TokenLogprobs):
            waiting.setdefault(place, []).extend(part.tokens)
        elif isinstance(part, TextPart):
            yield chunk(place, part.text)
    for place, (_, row) in enumerate(rows):
        yield chunk(place, "", row.reason)
    if with_usage:
        yield event({**head, "choices": [], "usage": total_usage(runs)})
    yield event("[DONE]")


def _logprobs(run: Answering, tokens: list[ChosenToken], asked: CompletionRequest) -> dict[str, Any] | None:
    """The older form: four lists."""
    if asked.logprobs is None or not tokens:
        return None
    tokenizer = run.wanted.served.model.tokenizer
    texts = [_text(tokenizer, one.id) for one in tokens]
    offsets = [sum(map(len, texts[:place])) for place in range(len(texts))]
    tops = [{_text(tokenizer, number): logprob for number, logprob in one.top} for one in tokens]
    return {
        "tokens": texts,
        "token_logprobs": [one.logprob for one in tokens],
        "top_logprobs": tops if asked.logprobs else None,
        "text_offset": offsets,
    }


def _text(tokenizer: Tokenizer, number: int) -> str:
    return tokenizer.piece(number).decode("utf-8", "replace")
