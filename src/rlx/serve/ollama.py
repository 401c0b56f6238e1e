"""Ollama's endpoints: /api/chat and /api/generate as lines of JSON or one object, embeddings, and the list of models."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from math import prod
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.types import ASGIApp

from rlx import __version__
from rlx.generate.sampling_settings import Sampling
from rlx.generate.template import check_messages_fit
from rlx.serve.answer import Answering, RowAnswer, in_blocks
from rlx.serve.conversation import ChatInput, ToolUse, arguments_of, continues, read_messages, read_tools
from rlx.serve.engine_request import EngineRequest, of_chat
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField, ignore
from rlx.serve.generation_fields import NO_IDS, SamplingFields, sampling_of, sampling_table, think
from rlx.serve.models import ServedModel
from rlx.serve.sse import EventStream, line
from rlx.serve.state import ServerState, as_json

_FOR_EVER = "9999-12-31T23:59:59Z"


class ShowRequest(Struct, kw_only=True):
    """Fields of /api/show."""

    model: str


class PullRequest(Struct, kw_only=True):
    """Fields of /api/pull."""

    model: str
    stream: bool | None = None


class EmbedRequest(Struct, kw_only=True):
    """Fields of /api/embed."""

    input: str | list[str]
    model: str | None = None
    truncate: bool | None = None
    dimensions: int | None = None


class OldEmbedRequest(Struct, kw_only=True):
    """Fields of /api/embeddings."""

    prompt: str
    model: str | None = None


_STAYS = {"keep_alive": "models stay loaded", "options": "embeddings have no settings"}
SHOW = FieldTable(ShowRequest, {"verbose": "the full description is always returned"}, renamed={"name": "model"})
PULL = FieldTable(
    PullRequest,
    {"insecure": "this server does not download models"},
    {
        "username": RefusedField("this server does not download models", ("",)),
        "password": RefusedField("this server does not download models", ("",)),
    },
    renamed={"name": "model"},
)
EMBED = FieldTable(EmbedRequest, _STAYS)
OLD_EMBED = FieldTable(OldEmbedRequest, _STAYS)


def own_name(name: str | None) -> str | None:
    """Removes the tag that Ollama's clients add to a model's name."""
    return None if name is None else name.removesuffix(":latest")


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _details(served: ServedModel) -> dict[str, Any]:
    source, family = served.model.source, served.model.config.architecture
    weights = source.weights.values()
    kinds = Counter[str]()
    for weight in weights:
        kinds[weight.scheme.detail if weight.scheme is not None else "F32"] += prod(weight.dims)
    count = sum(kinds.values())
    return {
        "parent_model": "",
        "format": "gguf" if str(source.path).endswith(".gguf") else "safetensors",
        "family": family,
        "families": [family],
        "parameter_size": f"{count / 1e9:.1f}B" if count >= 1e9 else f"{count / 1e6:.2f}M",
        "quantization_level": max(kinds, key=kinds.__getitem__, default=""),
    }


def _model_rows(state: ServerState) -> list[dict[str, Any]]:
    """Builds Ollama's description of each model."""
    return [
        {
            "name": served.name,
            "model": served.name,
            "modified_at": _time(served.created),
            "size": sum(weight.nbytes for weight in served.model.source.weights.values()),
            "digest": "",
            "details": _details(served),
            "aliases": list(served.aliases),
        }
        for served in state.models.models
    ]


async def ollama_tags(state: ServerState, request: Request) -> ASGIApp:
    """Answers /api/tags: the models."""
    return as_json({"models": _model_rows(state)})


async def ollama_ps(state: ServerState, request: Request) -> ASGIApp:
    """Answers /api/ps: the same models, all of them loaded."""
    more = {served.name: served.context for served in state.models.models}
    rows = [{**row, "expires_at": _FOR_EVER, "size_vram": 0, "context_length": more[row["name"]]} for row in _model_rows(state)]
    return as_json({"models": rows})


async def ollama_version(state: ServerState, request: Request) -> ASGIApp:
    """Answers /api/version; programs use it to see that a server is running."""
    return as_json({"version": __version__})


async def ollama_show(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/show: the properties and capabilities of a model."""
    served = state.models.find(own_name(SHOW.read(body).model))
    config, tokenizer = served.model.config, served.model.tokenizer
    can = ["embedding"] if served.embeds else ["completion", "tools", *(["thinking"] if served.tags else [])]
    kind = config.architecture
    info = {
        "general.architecture": kind,
        "general.parameter_count": sum(prod(one.dims) for one in served.model.source.weights.values()),
        f"{kind}.context_length": served.context,
        f"{kind}.embedding_length": config.width,
        f"{kind}.block_count": config.layers,
        f"{kind}.vocab_size": config.vocab_size,
        "tokenizer.ggml.bos_token_id": tokenizer.bos,
        "tokenizer.ggml.eos_token_id": min(tokenizer.eos, default=None),
    }
    return as_json(
        {
            "modelfile": f"FROM {served.name}\n",
            "parameters": f"num_ctx {served.context}",
            "template": tokenizer.chat_template or "",
            "details": _details(served),
            "model_info": info,
            "capabilities": can,
            "modified_at": _time(served.created),
        }
    )


async def ollama_pull(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/pull: success for a model that is served; others are not downloaded."""
    asked = PULL.read(body)
    try:
        state.models.find(own_name(asked.model))
    except ApiError as error:
        said = f"{error.message}; this server fetches none: `rlx pull {asked.model[:100]}`, then serve it"
        raise ApiError(404, said, param="model", code=error.code) from None
    if asked.stream is False:
        return as_json({"status": "success"})

    async def lines() -> Any:
        yield line({"status": "success"})

    return EventStream(lines(), request.url.path, kind="application/x-ndjson", failed=line)


async def ollama_embed(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/embed; a text that is too long is truncated, as in Ollama, unless `truncate` is false."""
    asked, began = EMBED.read(body), time.monotonic()
    served = state.models.find(own_name(asked.model))
    width = served.model.config.width
    if asked.dimensions not in (None, width):
        raise ApiError(400, f"dimensions is {asked.dimensions}; vectors of this model have {width}", param="dimensions")
    texts = [asked.input] if isinstance(asked.input, str) else asked.input
    vectors, count = await state.embed(request, served, texts, truncate=asked.truncate is not False)
    spent = int((time.monotonic() - began) * 1e9)
    name = asked.model or served.name
    answer = {"model": name, "embeddings": vectors.tolist(), "total_duration": spent, "load_duration": 0}
    return as_json({**answer, "prompt_eval_count": count})


async def ollama_embeddings(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/embeddings, the older form: the vector of one text."""
    asked = OLD_EMBED.read(body)
    served = state.models.find(own_name(asked.model))
    vectors, _ = await state.embed(request, served, [asked.prompt], truncate=True)
    return as_json({"embedding": vectors[0].tolist()})


class OllamaBoth(Struct, kw_only=True):
    """Fields that /api/chat and /api/generate share."""

    model: str | None = None
    format: str | dict[str, Any] | None = None
    options: dict[str, Any] | None = None
    stream: bool | None = None
    think: bool | str | None = None
    keep_alive: str | float | None = None  # 0 with nothing to answer: unload


class OllamaChatRequest(OllamaBoth, kw_only=True):
    """Fields of /api/chat."""

    messages: list[Any] = []
    tools: list[dict[str, Any]] | None = None


class OllamaGenerateRequest(OllamaBoth, kw_only=True):
    """Fields of /api/generate."""

    prompt: str = ""
    system: str | None = None
    raw: bool | None = None


_HARMLESS = {"truncate": "prompts are never truncated", "shift": "a full context ends the text"}
OLLAMA_CHAT = FieldTable(OllamaChatRequest, _HARMLESS)
OLLAMA_GENERATE = FieldTable(
    OllamaGenerateRequest,
    _HARMLESS,
    {
        "suffix": RefusedField("text is generated after the prompt, not inside it", ("",)),
        "images": RefusedField("this server reads only text", ([],)),
        "template": RefusedField("the model's own template is used; raw: true uses none", ("",)),
        "context": RefusedField("send the conversation to /api/chat", ([],)),
    },
)


class OllamaOptions(SamplingFields, kw_only=True):
    """Ollama's sampling settings; Open WebUI adds the effort of thinking."""

    reasoning_effort: str | None = None


OPTIONS = sampling_table(
    OllamaOptions,
    harmless=dict.fromkeys(
        (
            *("num_ctx", "num_keep", "num_batch", "num_gpu", "main_gpu", "num_thread", "use_mmap", "use_mlock"),
            *("numa", "low_vram", "num_gqa", "vocab_only", "f16_kv", "logits_all", "embedding_only", "draft_num_predict"),
        ),
        "set when the server starts",
    ),
    refused=NO_IDS,
    closed="options.",
)


def _sampling(served: ServedModel, asked: OllamaBoth, options: OllamaOptions, base: Sampling) -> Sampling:
    grammar: Any = None
    if isinstance(asked.format, dict):
        grammar = {"json_schema": asked.format}
    elif asked.format not in (None, ""):
        if asked.format != "json":
            raise ApiError(400, f"format is {asked.format[:40]!r}; it must be json or a schema")
        grammar = "json"
    return sampling_of(served, options, base, grammar=grammar)


def _thinking(asked: OllamaBoth, options: OllamaOptions) -> dict[str, Any]:
    return think(options.reasoning_effort if asked.think is None else asked.think)


def _message(message: Any, number: int) -> dict[str, Any]:
    """Converts Ollama's message to OpenAI's format."""
    if not isinstance(message, dict):
        raise ApiError(400, f"messages[{number}] is {type(message).__name__}, not an object", param=f"messages[{number}]")
    fields: dict[str, Any] = message
    if fields.get("images"):
        raise ApiError(400, f"messages[{number}].images: this server reads only text")
    renamed = {"thinking": "reasoning_content", "tool_name": "name"}
    converted = {renamed.get(name, name): value for name, value in fields.items() if name != "images"}
    calls = converted.get("tool_calls")
    if isinstance(calls, list):
        converted["tool_calls"] = [_read_call(call) for call in calls]
    converted.setdefault("content", "")
    return converted


def _read_call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return call
    return {**call, "function": {**function, "arguments": arguments_of(function.get("arguments"), "tool_calls")}}


async def ollama_chat(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/chat."""
    asked = OLLAMA_CHAT.read(body)
    if not asked.messages:
        return _answer_load(state, asked, _as_message)

    def prepare() -> EngineRequest:
        served, options = state.models.find(own_name(asked.model)), OPTIONS.read(asked.options or {})
        sampling = _sampling(served, asked, options, served.generator().chat_sampling)
        check_messages_fit(served.model.tokenizer, asked.messages, served.context)
        messages = read_messages([_message(message, n) for n, message in enumerate(asked.messages)])
        use = ToolUse(read_tools(asked.tools))
        return of_chat(
            served,
            ChatInput(messages, use, _thinking(asked, options), continues(messages)),
            sampling,
            cache_salt=options.cache_salt,
        )

    return await _answer(state, request, asked, await state.begin(request, prepare), _as_message)


async def ollama_generate(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /api/generate: a question through the model's template, or with `raw` the prompt itself."""
    asked = OLLAMA_GENERATE.read(body)
    if not asked.prompt:
        return _answer_load(state, asked, _as_response)

    def prepare() -> EngineRequest:
        served, options = state.models.find(own_name(asked.model)), OPTIONS.read(asked.options or {})
        engine = served.generator()
        if asked.raw or served.model.chat_template is None:
            return EngineRequest(
                served,
                engine.encode(asked.prompt, most=engine.capacity),
                _sampling(served, asked, options, engine.sampling),
                cache_salt=options.cache_salt,
            )
        system = [] if asked.system is None else [{"role": "system", "content": asked.system}]
        chat = ChatInput([*system, {"role": "user", "content": asked.prompt}], ToolUse(), _thinking(asked, options))
        sampling = _sampling(served, asked, options, engine.chat_sampling)
        return of_chat(served, chat, sampling, cache_salt=options.cache_salt)

    return await _answer(state, request, asked, await state.begin(request, prepare), _as_response)


def _answer_load(state: ServerState, asked: OllamaBoth, shaped: Any) -> ASGIApp:
    """Answers a request without a prompt, which loads a model, or with `keep_alive: 0` unloads it. Models here stay loaded."""
    served = state.models.find(own_name(asked.model))
    unloads = str(asked.keep_alive).rstrip("smh.0") == "" and asked.keep_alive is not None
    if unloads:
        ignore("keep_alive", "models stay loaded")
    reason = {"done": True, "done_reason": "unload" if unloads else "load"}
    return as_json(_head(asked.model or served.name) | shaped("", "", []) | reason)


def _as_message(text: str, thoughts: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    return {"message": message | ({"thinking": thoughts} if thoughts else {}) | ({"tool_calls": calls} if calls else {})}


def _as_response(text: str, thoughts: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    return {"response": text} | ({"thinking": thoughts} if thoughts else {})


async def _answer(state: ServerState, request: Request, asked: OllamaBoth, answering: Answering, shaped: Any) -> ASGIApp:
    name = asked.model or answering.request.served.name
    if asked.stream is not False:
        lines = _lines(answering, name, shaped)
        return state.stream(request, lines, answering, kind="application/x-ndjson", failed=line)
    await state.read_all(request, answering)
    row = answering.rows[0]
    return as_json(_head(name) | shaped(row.text, row.thoughts, _calls(row)) | _ending(answering))


async def _lines(answering: Answering, name: str, shaped: Any) -> AsyncIterator[bytes]:
    async for step in in_blocks(answering):
        if step.what == "delta" and step.block.kind == "thought":
            yield line(_head(name) | shaped("", step.text, []) | {"done": False})
        elif step.what == "delta" and step.block.kind == "text":
            yield line(_head(name) | shaped(step.text, "", []) | {"done": False})
        elif step.what == "end" and step.block.call is not None:
            yield line(_head(name) | shaped("", "", _calls(RowAnswer(calls=[step.block.call]))) | {"done": False})
    yield line(_head(name) | shaped("", "", []) | _ending(answering))


def _head(name: str) -> dict[str, Any]:
    return {"model": name, "created_at": datetime.now(UTC).isoformat().replace("+00:00", "Z")}


def _calls(row: RowAnswer) -> list[dict[str, Any]]:
    return [{"function": {"name": call.name, "arguments": _arguments(call.arguments)}} for call in row.calls]


def _arguments(text: str) -> dict[str, Any]:
    try:
        return arguments_of(text, "")
    except ApiError:  # cut off
        return {}


def _ending(answering: Answering) -> dict[str, Any]:
    first = answering.first or answering.last
    nano = 1_000_000_000
    return {
        "done": True,
        "done_reason": "length" if answering.rows[0].reason == "length" else "stop",
        "total_duration": int((time.monotonic() - answering.began) * nano),
        "load_duration": 0,
        "prompt_eval_count": answering.prompt_tokens,
        "prompt_eval_duration": int((first - answering.began) * nano),
        "eval_count": len(answering.rows[0].ids),
        "eval_duration": int((answering.last - first) * nano),
    }
