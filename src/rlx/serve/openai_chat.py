"""/v1/chat/completions: OpenAI's conversations; and what OpenAI's endpoints share: usage, log-probabilities, options of streams."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp

from rlx import __version__
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampler import ChosenToken
from rlx.generate.template import check_messages_fit
from rlx.serve.answer import Answering, RowAnswer, TokenLogprobs
from rlx.serve.conversation import ChatInput, continues, read_messages, read_template, read_tool_choice, read_tools
from rlx.serve.engine_request import EngineRequest, of_chat
from rlx.serve.errors import ApiError
from rlx.serve.fields import RefusedField, ignore
from rlx.serve.generation_fields import ThinkingFields, grammar_of, limit_of, read_thinking, sampling_of, sampling_table
from rlx.serve.sse import event
from rlx.serve.state import ServerState, as_json
from rlx.serve.tools import AnswerPart, CallArguments, CallBegin, TextPart, ThoughtPart

FINGERPRINT = f"rlx-{__version__}"
MOST_LOGPROBS = 20


class StreamOptions(msgspec.Struct, forbid_unknown_fields=True):
    """OpenAI's `stream_options`. `include_obfuscation`, which pads events to hide their length, has no effect."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None
    continuous_usage_stats: bool | None = None

    def __post_init__(self) -> None:
        if self.continuous_usage_stats:
            ignore("stream_options.continuous_usage_stats", "usage comes once, at the end")


def now() -> int:
    """Returns the time for OpenAI's `created`, in seconds."""
    return int(time.time())


def usage(answering: Answering) -> dict[str, Any]:
    """Builds OpenAI's token counts of a request."""
    tokenizer = answering.request.served.model.tokenizer
    made = sum(len(row.ids) for row in answering.rows)
    thought = sum(len(tokenizer.encode(row.thoughts, add_special=False)) for row in answering.rows if row.thoughts)
    return {
        "prompt_tokens": answering.prompt_tokens,
        "completion_tokens": made,
        "total_tokens": answering.prompt_tokens + made,
        "prompt_tokens_details": {"cached_tokens": answering.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": min(thought, made)},
    }


def check_logprobs(name: str, count: int | None) -> None:
    """Refuses `top_logprobs` above what an answer lists."""
    if count is not None and not 0 <= count <= MOST_LOGPROBS:
        raise ApiError(400, f"{name} is {count}; it must be from 0 to {MOST_LOGPROBS}", param=name)


def token_logprobs(tokenizer: Tokenizer, tokens: tuple[ChosenToken, ...] | list[ChosenToken]) -> list[dict[str, Any]]:
    """Formats chosen tokens for OpenAI's `logprobs.content`."""
    return [
        {**_token(tokenizer, one.id, one.logprob), "top_logprobs": [_token(tokenizer, *top) for top in one.top]} for one in tokens
    ]


def _token(tokenizer: Tokenizer, number: int, logprob: float | None) -> dict[str, Any]:
    piece = tokenizer.piece(number)
    return {"token": piece.decode("utf-8", "replace"), "bytes": list(piece), "logprob": max(logprob or 0.0, -9999.0)}


# -- /v1/chat/completions --------------------------------------------------------------------------------------------
class ChatRequest(ThinkingFields, kw_only=True):
    """Fields of /v1/chat/completions."""

    messages: list[Any]
    model: str | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    max_completion_tokens: int | None = None
    response_format: dict[str, Any] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    continue_final_message: bool | None = None
    add_generation_prompt: bool | None = None
    usage: dict[str, Any] | None = None  # OpenRouter's include_usage
    return_token_ids: bool | None = None
    reasoning_format: str | None = None
    priority: int | None = None


CHAT = sampling_table(
    ChatRequest,
    renamed={"thinking_budget": "thinking_token_budget"},
    harmless={
        "metadata": "metadata for the caller's own records; it does not change the answer",
        "user": "names the end user for abuse reports, which this server does not make",
        "safety_identifier": "names the end user for abuse reports, which this server does not make",
        "prompt_cache_key": "the prefix cache matches by content",
        "prompt_cache_options": "the prefix cache matches by content and keeps entries while memory allows",
        "prompt_cache_retention": "the prefix cache keeps entries while memory allows",
        "prediction": "a hint for speed; the answer is the same without it",
        "service_tier": "all requests have the same service level",
        "provider": "selects a server; there is only one",
        "models": "lists fallback models; the requested model answers",
        "route": "selects a server; there is only one",
        "session_id": "names the conversation for the caller's own records",
        "chat_template_content_format": "every template receives content as text",
        "parse_tool_calls": "tool calls are always parsed",
    },
    named={
        "store": RefusedField("answers are not stored", (False,)),
        "verbosity": RefusedField("the models have no such setting; put it in a message", ("medium",)),
        "n_probs": RefusedField("request log-probabilities with logprobs and top_logprobs", (0,)),
        "transforms": RefusedField("conversations are never truncated", ([],)),
    },
    refused={
        "audio": RefusedField("this server writes only text"),
        "modalities": RefusedField("this server writes only text", (["text"],)),
        "function_call": RefusedField("use tool_choice instead", ("none", "auto")),
        "functions": RefusedField("use tools instead", ([],)),
        "moderation": RefusedField("this server does not moderate answers"),
        "web_search_options": RefusedField("this server does not search the web"),
        "plugins": RefusedField("this server does not run code", ([],)),
        "chat_template": RefusedField("the model's own template is used", ("",)),
        "documents": RefusedField("send them in messages", ([],)),
        "mm_processor_kwargs": RefusedField("this server reads only text", ({},)),
        "add_special_tokens": RefusedField("the chat template adds the special tokens", (False,)),
        "echo": RefusedField("an answer never includes the prompt", (False,)),
        "prompt_logprobs": RefusedField("/v1/completions has log-probabilities of prompts", (0,)),
        "thinking_forced_open": RefusedField("the chat template decides whether a thought is open", (False,)),
    },
)


def build_chat_request(state: ServerState, asked: ChatRequest) -> EngineRequest:
    """Builds the engine request of a chat completion."""
    served = state.models.find(asked.model)
    engine = served.generator()
    check_logprobs("top_logprobs", asked.top_logprobs)
    if asked.return_token_ids and asked.stream:
        raise ApiError(400, "return_token_ids cannot be combined with stream", param="return_token_ids")
    if asked.reasoning_format not in (None, "none", "auto", "deepseek"):
        problem = f"reasoning_format is {asked.reasoning_format[:40]!r}; it must be none, auto or deepseek"
        raise ApiError(400, problem, param="reasoning_format")
    if asked.top_logprobs and not asked.logprobs:
        raise ApiError(400, "top_logprobs requires logprobs: true", param="top_logprobs")
    sampling = sampling_of(
        served,
        asked,
        engine.chat_sampling,
        max_tokens=limit_of(asked.max_completion_tokens),
        logprobs=asked.logprobs,
        top_logprobs=asked.top_logprobs,
        grammar=grammar_of(asked.response_format),
    )
    use = read_tool_choice(read_tools(asked.tools), asked.tool_choice, asked.parallel_tool_calls)
    check_messages_fit(served.model.tokenizer, asked.messages, served.context)
    messages = read_messages(asked.messages)
    thinking = read_thinking(asked)
    template = {**thinking.template, **read_template(asked.chat_template_kwargs)}
    goes_on = continues(messages, asked.continue_final_message, asked.add_generation_prompt)
    if asked.add_generation_prompt is False:
        template["add_generation_prompt"] = False
    return of_chat(
        served,
        ChatInput(messages, use, template, goes_on),
        sampling,
        n=1 if asked.n is None else asked.n,
        budget=thinking.budget,
        hides_thoughts=thinking.hidden,
        priority=asked.priority or 0,
        shows_ids=bool(asked.return_token_ids),
        splits=asked.reasoning_format != "none" or thinking.hidden,
        cache_salt=asked.cache_salt,
    )


async def chat_completions(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /v1/chat/completions."""
    asked = CHAT.read(body)
    answering = await state.begin(request, lambda: build_chat_request(state, asked))
    name = asked.model or answering.request.served.name
    number = f"chatcmpl-{secrets.token_hex(12)}"
    if asked.stream:
        options = asked.stream_options or StreamOptions()
        with_usage = bool(options.include_usage or (asked.usage or {}).get("include"))
        chunks = _chunks(answering, number, name, with_usage)
        return state.stream(request, chunks, answering)
    await state.read_all(request, answering)
    choices = [_choice(index, row, answering, bool(asked.logprobs)) for index, row in enumerate(answering.rows)]
    head = {"id": number, "object": "chat.completion", "created": now(), "model": name, "choices": choices}
    if asked.return_token_ids:
        head["prompt_token_ids"] = answering.request.prompt
    return as_json({**head, "usage": usage(answering), "system_fingerprint": FINGERPRINT})


def _choice(index: int, row: RowAnswer, answering: Answering, logprobs: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": row.text or (None if row.calls else ""), "refusal": None}
    if row.thoughts:
        message["reasoning_content"] = row.thoughts
    if row.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in row.calls
        ]
    content = token_logprobs(answering.request.served.model.tokenizer, row.logprobs) if logprobs else None
    ids = {"token_ids": row.all_ids} if answering.request.shows_ids else {}
    return {
        **ids,
        "index": index,
        "message": message,
        "logprobs": {"content": content, "refusal": None} if logprobs else None,
        "finish_reason": row.reason,
    }


async def _chunks(answering: Answering, number: str, name: str, with_usage: bool) -> AsyncIterator[bytes]:
    tokenizer = answering.request.served.model.tokenizer
    head = {"id": number, "object": "chat.completion.chunk", "created": now(), "model": name}
    head["system_fingerprint"] = FINGERPRINT
    more = {"usage": None} if with_usage else {}
    waiting: dict[int, list[dict[str, Any]]] = {}  # log-probabilities that go with the next piece

    def chunk(index: int, delta: dict[str, Any], reason: str | None = None) -> bytes:
        tokens = waiting.pop(index, None)
        logprobs = None if tokens is None else {"content": tokens, "refusal": None}
        choice = {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": reason}
        return event({**head, "choices": [choice], **more})

    for index in range(answering.request.n):
        yield chunk(index, {"role": "assistant", "content": ""})
    async for index, part in answering.parts():
        if isinstance(part, TokenLogprobs):
            waiting.setdefault(index, []).extend(token_logprobs(tokenizer, part.tokens))
        else:
            yield chunk(index, _delta(part, answering.rows[index]))
    for index, row in enumerate(answering.rows):
        yield chunk(index, {}, row.reason)
    if with_usage:
        yield event({**head, "choices": [], "usage": usage(answering)})
    yield event("[DONE]")


def _delta(part: AnswerPart, row: RowAnswer) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"content": text}
        case ThoughtPart(text):
            return {"reasoning_content": text}
        case CallBegin(index, name):
            function = {"name": name, "arguments": ""}
            return {"tool_calls": [{"index": index, "id": row.calls[index].id, "type": "function", "function": function}]}
        case CallArguments(index, text):
            return {"tool_calls": [{"index": index, "function": {"arguments": text}}]}
    raise AssertionError(part)
