"""/completion: a text after a prompt, in the words of llama.cpp's server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.serve.answer import Answering, TokenLogprobs
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField
from rlx.serve.openai_completions import MOST_LOGPROBS, prompts_of
from rlx.serve.openai_format import token_logprobs
from rlx.serve.sampling_fields import SAMPLING_HARMLESS, SAMPLING_REFUSED, SAMPLING_RENAMED, SamplingFields, sampling_of
from rlx.serve.sse import EventStream, event
from rlx.serve.state import ServerState, as_json
from rlx.serve.tools import TextPart
from rlx.serve.wanted import Wanted


class LlamaCompletionRequest(SamplingFields, kw_only=True):
    """The fields that are obeyed."""

    prompt: str | list[str | int | list[int]]
    model: str | None = None
    stream: bool | None = None
    n_probs: int | None = None


LLAMA_COMPLETION = FieldTable(
    LlamaCompletionRequest,
    renamed=SAMPLING_RENAMED,
    harmless=SAMPLING_HARMLESS,
    refused={**SAMPLING_REFUSED, "n": RefusedField("there is one text for a prompt", (1,))},
)


def prepared(state: ServerState, asked: LlamaCompletionRequest) -> Wanted:
    """What a request asks of an engine."""
    served = state.models.find(asked.model)
    probabilities = asked.n_probs or 0
    if not 0 <= probabilities <= MOST_LOGPROBS:
        raise ApiError(400, f"n_probs is {probabilities}; it is from 0 to {MOST_LOGPROBS}", param="n_probs")
    prompts = prompts_of(served, asked.prompt)
    if len(prompts) > 1:
        raise ApiError(400, "prompt has several prompts; /v1/completions takes them together", param="prompt")
    more = {"logprobs": True, "top_logprobs": probabilities} if probabilities else {}
    sampling = sampling_of(served, asked, served.generator().sampling, **more)
    return Wanted(served, prompts[0], sampling, cache_salt=asked.cache_salt)


async def llama_completion(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """The endpoint."""
    asked = LLAMA_COMPLETION.read(body)
    answering = await state.begin(request, lambda: prepared(state, asked))
    if asked.stream:
        return EventStream(_chunks(answering), request.url.path, done=lambda: state.ended(answering))
    await state.whole(request, answering)
    row = answering.rows[0]
    return as_json({"content": row.text, **_tokens(answering, row.logprobs), **_ending(answering)})


async def _chunks(answering: Answering) -> AsyncIterator[bytes]:
    waiting: list[Any] = []
    async for _, part in answering.parts():
        if isinstance(part, TokenLogprobs):
            waiting.extend(part.tokens)
        elif isinstance(part, TextPart):
            yield event({"index": 0, "content": part.text, "stop": False, **_tokens(answering, waiting)})
            waiting.clear()
    yield event({"content": "", **_tokens(answering, waiting), **_ending(answering)})


def _tokens(answering: Answering, chosen: list[Any]) -> dict[str, Any]:
    """The log-probabilities of tokens, where they are asked for."""
    if not chosen:
        return {}
    said = token_logprobs(answering.wanted.served.model.tokenizer, chosen)
    return {"completion_probabilities": [{"id": one.id, **text} for one, text in zip(chosen, said, strict=True)]}


def _ending(answering: Answering) -> dict[str, Any]:
    """What is known at the end."""
    row, served = answering.rows[0], answering.wanted.served
    first = answering.first or answering.last
    kind = "limit" if row.reason == "length" else "word" if row.stop is not None else "eos"
    before, after = (first - answering.began) * 1000, (answering.last - first) * 1000
    return {
        "index": 0,
        "stop": True,
        "stop_type": kind,
        "stopping_word": row.stop or "",
        "model": served.name,
        "prompt": served.model.tokenizer.decode(answering.wanted.prompt),
        "tokens_predicted": len(row.ids),
        "tokens_evaluated": answering.prompt_tokens,
        "tokens_cached": answering.cached_tokens,
        "truncated": False,
        "timings": {"prompt_n": answering.prompt_tokens, "prompt_ms": before, "predicted_n": len(row.ids), "predicted_ms": after},
    }
