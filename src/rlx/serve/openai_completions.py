"""/v1/completions and llama.cpp's /completion: completions of 1 to 64 prompts, which are texts or token ids."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from itertools import accumulate
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampler import ChosenToken
from rlx.serve.answer import Answering, RowAnswer, TokenLogprobs
from rlx.serve.engine_request import EngineRequest
from rlx.serve.errors import ApiError
from rlx.serve.fields import RefusedField
from rlx.serve.generation_fields import SamplingFields, grammar_of, sampling_of, sampling_table
from rlx.serve.models import ServedModel
from rlx.serve.openai_chat import FINGERPRINT, StreamOptions, check_logprobs, now, token_logprobs, usage
from rlx.serve.sse import event
from rlx.serve.state import ServerState, as_json
from rlx.serve.tools import TextPart

MOST_PROMPTS = 64
DEFAULT_TOKENS = 16


class CompletionRequest(SamplingFields, kw_only=True):
    """Fields of /v1/completions."""

    prompt: str | list[str | int | list[int]]
    model: str | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    logprobs: int | None = None
    echo: bool | None = None
    prompt_logprobs: int | None = None
    return_token_ids: bool | None = None
    response_format: dict[str, Any] | None = None
    priority: int | None = None


COMPLETIONS = sampling_table(
    CompletionRequest,
    harmless={"user": "names the end user for abuse reports, which this server does not make"},
    named={"n_probs": RefusedField("request log-probabilities with logprobs", (0,))},
    refused={
        "suffix": RefusedField("text is generated after the prompt, not inside it", ("",)),
        "add_special_tokens": RefusedField("the model's file decides whether a text begins with a token", (True,)),
        "prompt_embeds": RefusedField("prompts are strings or token ids", ([],)),
    },
)


def prompts_of(served: ServedModel, given: str | list[str | int | list[int]]) -> list[list[int]]:
    """Reads the ids of each prompt, which is a string or token ids."""
    engine = served.generator()
    if isinstance(given, str):
        return [engine.encode(given, most=engine.capacity)]
    if not given:
        raise ApiError(400, "prompt is empty", param="prompt")
    if all(isinstance(part, int) for part in given):
        return [_ids(served, given)]
    if any(isinstance(part, int) for part in given):
        raise ApiError(400, "prompt mixes strings and token ids", param="prompt")
    if len(given) > MOST_PROMPTS:
        raise ApiError(400, f"prompt has {len(given)} prompts; the limit is {MOST_PROMPTS}", param="prompt")
    most = engine.capacity
    return [engine.encode(part, most=most) if isinstance(part, str) else _ids(served, part) for part in given]  # type: ignore[arg-type]


def _ids(served: ServedModel, ids: list[Any]) -> list[int]:
    vocabulary = served.model.config.vocab_size
    if not ids:
        raise ApiError(400, "prompt has no tokens", param="prompt")
    for number in ids:
        if not 0 <= number < vocabulary:
            raise ApiError(400, f"prompt has the id {number}; ids are 0 to {vocabulary - 1}", param="prompt")
    return list(ids)


def build_completion_requests(state: ServerState, asked: CompletionRequest) -> list[EngineRequest]:
    """Builds the engine requests of all prompts of a completion."""
    served = state.models.find(asked.model)
    engine = served.generator()
    check_logprobs("logprobs", asked.logprobs)
    check_logprobs("prompt_logprobs", asked.prompt_logprobs)
    if asked.prompt_logprobs is not None and asked.stream:
        raise ApiError(400, "prompt_logprobs cannot be combined with stream; echo with logprobs can", param="prompt_logprobs")
    if asked.return_token_ids and asked.stream:
        raise ApiError(400, "return_token_ids cannot be combined with stream", param="return_token_ids")
    counts = [asked.prompt_logprobs, asked.logprobs if asked.echo else None]
    sampling = sampling_of(
        served,
        asked,
        engine.sampling,
        grammar=grammar_of(asked.response_format),
        max_tokens=DEFAULT_TOKENS if asked.max_tokens is None else None,
        logprobs=None if asked.logprobs is None else True,
        top_logprobs=asked.logprobs,
        prompt_logprobs=max((count for count in counts if count is not None), default=None),
    )
    n = 1 if asked.n is None else asked.n
    return [
        EngineRequest(served, ids, sampling, n, priority=asked.priority or 0, cache_salt=asked.cache_salt)
        for ids in prompts_of(served, asked.prompt)
    ]


async def completions(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /v1/completions: all prompts run together."""
    asked = COMPLETIONS.read(body)
    requests = await state.read(request, lambda: build_completion_requests(state, asked))
    runs: list[Answering] = []
    try:
        for engine_request in requests:
            runs.append(await state.submit(engine_request))
    except BaseException:
        for run in runs:
            state.finish(run)
        raise
    name, number = asked.model or requests[0].served.name, f"cmpl-{secrets.token_hex(12)}"
    head = {"id": number, "object": "text_completion", "created": now(), "model": name}
    head["system_fingerprint"] = FINGERPRINT
    if asked.stream:
        options = asked.stream_options or StreamOptions()
        chunks = _chunks(runs, asked, head, bool(options.include_usage))
        return state.stream(request, chunks, *runs)
    await state.read_all(request, *runs)
    rows = [(run, row) for run in runs for row in run.rows]
    choices = [_choice(index, run, row, asked) for index, (run, row) in enumerate(rows)]
    return as_json({**head, "choices": choices, "usage": total_usage(runs)})


def _choice(index: int, run: Answering, row: RowAnswer, asked: CompletionRequest) -> dict[str, Any]:
    tokens = [*row.logprobs, *_end_of(row, asked)]
    choice: dict[str, Any] = {"index": index, "text": _echo_prompt(run, asked) + row.text}
    choice["logprobs"] = _logprobs(run, [*(row.prompt_logprobs if asked.echo else ()), *tokens], asked)
    if asked.prompt_logprobs is not None:
        choice["prompt_logprobs"] = [_by_id(run, one, asked.prompt_logprobs) for one in row.prompt_logprobs]
    if asked.return_token_ids:
        choice |= {"prompt_token_ids": run.request.prompt, "token_ids": row.all_ids}
    return {**choice, "finish_reason": row.reason}


def _end_of(row: RowAnswer, asked: CompletionRequest) -> list[ChosenToken]:
    """Returns the end token, for answers with `echo`: programs that score a text expect one token after it."""
    return [row.end] if asked.echo and row.end is not None else []


def _by_id(run: Answering, one: ChosenToken, most: int) -> dict[str, Any] | None:
    """Formats a token of the prompt and the likeliest alternatives like vLLM."""
    if one.logprob is None:
        return None
    tokenizer = run.request.served.model.tokenizer
    listed: dict[int, tuple[float, int | None]] = {
        number: (logprob, rank) for rank, (number, logprob) in enumerate(one.top[:most], 1)
    }
    listed.setdefault(one.id, (one.logprob, None))
    return {
        str(number): {"logprob": logprob, "rank": rank, "decoded_token": _token_text(tokenizer, number)}
        for number, (logprob, rank) in listed.items()
    }


def _echo_prompt(run: Answering, asked: CompletionRequest) -> str:
    return run.request.served.model.tokenizer.decode(run.request.prompt) if asked.echo else ""


def total_usage(runs: list[Answering]) -> dict[str, Any]:
    """Sums the token counts of all prompts."""
    each = [usage(run) for run in runs]
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    cached = sum(one["prompt_tokens_details"]["cached_tokens"] for one in each)
    return {name: sum(one[name] for one in each) for name in names} | {"prompt_tokens_details": {"cached_tokens": cached}}


async def _merge_parts(runs: list[Answering]) -> AsyncIterator[tuple[int, Any]]:
    """Yields the parts of all prompts' answers while they are generated; rows are numbered across prompts."""
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

    tasks = [asyncio.ensure_future(read(index * run.request.n, run)) for index, run in enumerate(runs)]
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


async def _chunks(runs: list[Answering], asked: CompletionRequest, head: dict[str, Any], with_usage: bool) -> AsyncIterator[bytes]:
    rows: list[tuple[Answering, RowAnswer]] = [(run, row) for run in runs for row in run.rows]
    more = {"usage": None} if with_usage else {}
    waiting: dict[int, list[ChosenToken]] = {}
    begun = set() if asked.echo else set(range(len(rows)))  # rows whose prompt was sent

    told = [0] * len(rows)  # characters of the tokens so far

    def chunk(index: int, text: str, reason: str | None = None) -> bytes:
        logprobs = _logprobs(rows[index][0], waiting.pop(index, []), asked, told[index])
        told[index] += sum(map(len, logprobs["tokens"])) if logprobs is not None else 0
        choice = {"index": index, "text": text, "logprobs": logprobs, "finish_reason": reason}
        return event({**head, "choices": [choice], **more})

    def prompt_of(index: int) -> bytes:
        """Builds the chunk with the prompt of a text; with log-probabilities it waits for these."""
        begun.add(index)
        later = waiting.pop(index, [])
        waiting[index] = list(rows[index][1].prompt_logprobs)
        event_of_prompt = chunk(index, _echo_prompt(rows[index][0], asked))
        waiting[index] = later
        return event_of_prompt

    if asked.logprobs is None:
        for index in sorted({*range(len(rows))} - begun):
            yield prompt_of(index)
    async for index, part in _merge_parts(runs):
        if index not in begun:
            yield prompt_of(index)
        if isinstance(part, TokenLogprobs):
            waiting.setdefault(index, []).extend(part.tokens)
        elif isinstance(part, TextPart):
            yield chunk(index, part.text)
    for index, (_, row) in enumerate(rows):
        if index not in begun:
            yield prompt_of(index)
        waiting.setdefault(index, []).extend(_end_of(row, asked))
        yield chunk(index, "", row.reason)
    if with_usage:
        yield event({**head, "choices": [], "usage": total_usage(runs)})
    yield event("[DONE]")


def _logprobs(run: Answering, tokens: list[ChosenToken], asked: CompletionRequest, before: int = 0) -> dict[str, Any] | None:
    """Formats log-probabilities in the older format: four lists. `before`: characters of the tokens that were sent already."""
    if asked.logprobs is None or not tokens:
        return None
    tokenizer = run.request.served.model.tokenizer
    texts = [_token_text(tokenizer, one.id) for one in tokens]
    offsets = list(accumulate(map(len, texts), initial=before))[:-1]
    tops = [None if one.logprob is None else _tops(tokenizer, one) for one in tokens]
    return {
        "tokens": texts,
        "token_logprobs": [one.logprob for one in tokens],
        "top_logprobs": tops if asked.logprobs else None,
        "text_offset": offsets,
    }


def _tops(tokenizer: Tokenizer, one: ChosenToken) -> dict[str, float]:
    """Maps the text of the likeliest tokens to log-probabilities; of several with the same text, the likeliest."""
    return {_token_text(tokenizer, number): logprob for number, logprob in reversed(one.top)}


def _token_text(tokenizer: Tokenizer, number: int) -> str:
    return tokenizer.piece(number).decode("utf-8", "replace")


# -- /completion: a text after a prompt, in the words of llama.cpp's server ------------------------------------------
class LlamaCompletionRequest(SamplingFields, kw_only=True):
    """Fields of /completion, llama.cpp's endpoint."""

    prompt: str | list[str | int | list[int]]
    model: str | None = None
    stream: bool | None = None
    n_probs: int | None = None


LLAMA_COMPLETION = sampling_table(LlamaCompletionRequest, refused={"n": RefusedField("one text is generated per prompt", (1,))})


def build_llama_request(state: ServerState, asked: LlamaCompletionRequest) -> EngineRequest:
    """Builds the engine request of llama.cpp's /completion."""
    served = state.models.find(asked.model)
    probabilities = asked.n_probs or 0
    check_logprobs("n_probs", probabilities)
    prompts = prompts_of(served, asked.prompt)
    if len(prompts) > 1:
        raise ApiError(400, "prompt has several prompts; use /v1/completions", param="prompt")
    more = {"logprobs": True, "top_logprobs": probabilities} if probabilities else {}
    sampling = sampling_of(served, asked, served.generator().sampling, **more)
    return EngineRequest(served, prompts[0], sampling, cache_salt=asked.cache_salt)


async def llama_completion(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /completion, llama.cpp's endpoint."""
    asked = LLAMA_COMPLETION.read(body)
    answering = await state.begin(request, lambda: build_llama_request(state, asked))
    if asked.stream:
        return state.stream(request, _llama_chunks(answering), answering)
    await state.read_all(request, answering)
    row = answering.rows[0]
    return as_json({"content": row.text, **_llama_tokens(answering, row.logprobs), **_llama_ending(answering)})


async def _llama_chunks(answering: Answering) -> AsyncIterator[bytes]:
    waiting: list[Any] = []
    async for _, part in answering.parts():
        if isinstance(part, TokenLogprobs):
            waiting.extend(part.tokens)
        elif isinstance(part, TextPart):
            yield event({"index": 0, "content": part.text, "stop": False, **_llama_tokens(answering, waiting)})
            waiting.clear()
    yield event({"content": "", **_llama_tokens(answering, waiting), **_llama_ending(answering)})


def _llama_tokens(answering: Answering, chosen: list[Any]) -> dict[str, Any]:
    """Formats the log-probabilities of tokens like llama.cpp, where they are requested."""
    if not chosen:
        return {}
    said = token_logprobs(answering.request.served.model.tokenizer, chosen)
    return {"completion_probabilities": [{"id": one.id, **text} for one, text in zip(chosen, said, strict=True)]}


def _llama_ending(answering: Answering) -> dict[str, Any]:
    """Builds the fields of the last chunk of /completion."""
    row, served = answering.rows[0], answering.request.served
    first = answering.first or answering.last
    kind = "limit" if row.reason == "length" else "word" if row.stop is not None else "eos"
    before, after = (first - answering.began) * 1000, (answering.last - first) * 1000
    return {
        "index": 0,
        "stop": True,
        "stop_type": kind,
        "stopping_word": row.stop or "",
        "model": served.name,
        "prompt": served.model.tokenizer.decode(answering.request.prompt),
        "tokens_predicted": len(row.ids),
        "tokens_evaluated": answering.prompt_tokens,
        "tokens_cached": answering.cached_tokens,
        "truncated": False,
        "timings": {"prompt_n": answering.prompt_tokens, "prompt_ms": before, "predicted_n": len(row.ids), "predicted_ms": after},
    }
