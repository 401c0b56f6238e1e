"""Endpoints around the models: /v1/embeddings, /v1/models, /props, /tokenize, /tokenizer_info, /apply-template, /health, /slots."""

from __future__ import annotations

import base64
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from rlx.serve.conversation import ChatInput, ToolUse, continues, read_messages, read_template, read_tools
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField
from rlx.serve.models import ServedModel
from rlx.serve.openai_chat import FINGERPRINT
from rlx.serve.state import ServerState, as_json

MOST_TEXTS = 2048


class EmbeddingRequest(Struct, kw_only=True):
    """Fields of /v1/embeddings."""

    input: str | list[str | int | list[int]]
    model: str | None = None
    encoding_format: str | None = None
    dimensions: int | None = None


EMBEDDINGS = FieldTable(
    EmbeddingRequest,
    harmless={"user": "names the end user for abuse reports, which this server does not make"},
    refused={"truncate_prompt_tokens": RefusedField("a text that does not fit is an error", (0,))},
)


def _texts(given: str | list[Any]) -> list[Any]:
    if isinstance(given, str):
        return [given]
    if not given:
        raise ApiError(400, "input is empty", param="input")
    if all(isinstance(part, int) for part in given):
        return [given]
    if any(isinstance(part, int) for part in given):
        raise ApiError(400, "input mixes strings and token ids", param="input")
    if len(given) > MOST_TEXTS:
        raise ApiError(400, f"input has {len(given)} texts; the limit is {MOST_TEXTS}", param="input")
    return given


async def embeddings(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /v1/embeddings."""
    asked = EMBEDDINGS.read(body)
    served = state.models.find(asked.model)
    form = asked.encoding_format or "float"
    if form not in ("float", "base64"):
        raise ApiError(400, f"encoding_format is {form[:40]!r}; it must be float or base64", param="encoding_format")
    width = served.model.config.width
    if asked.dimensions not in (None, width):
        raise ApiError(400, f"dimensions is {asked.dimensions}; vectors of this model have {width}", param="dimensions")
    state.check_open()
    vectors, tokens = await state.embed(request, served, _texts(asked.input))
    data = [
        {"object": "embedding", "index": index, "embedding": _encode_vector(vector, form)} for index, vector in enumerate(vectors)
    ]
    count = {"prompt_tokens": tokens, "total_tokens": tokens}
    return as_json({"object": "list", "data": data, "model": asked.model or served.name, "usage": count})


def _encode_vector(vector: Any, form: str) -> Any:
    if form == "float":
        return vector.tolist()
    return base64.b64encode(vector.astype(np.dtype("<f4")).tobytes()).decode()


class TokenizeRequest(Struct, kw_only=True):
    """Fields of /tokenize: a text (`content` in llama.cpp's server, `prompt` in vLLM's) or a conversation."""

    model: str | None = None
    content: str | None = None
    prompt: str | None = None
    messages: list[Any] | None = None
    tools: list[dict[str, Any]] | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    continue_final_message: bool | None = None
    add_generation_prompt: bool | None = None
    add_special: bool | None = None
    add_special_tokens: bool | None = None
    parse_special: bool | None = None
    with_pieces: bool | None = None


class DetokenizeRequest(Struct, kw_only=True):
    """Fields of /detokenize."""

    tokens: list[int]
    model: str | None = None


class TemplateRequest(Struct, kw_only=True):
    """Fields of /apply-template."""

    messages: list[Any]
    model: str | None = None
    tools: list[dict[str, Any]] | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    continue_final_message: bool | None = None
    add_generation_prompt: bool | None = None


TOKENIZE = FieldTable(TokenizeRequest)
DETOKENIZE = FieldTable(DetokenizeRequest)
APPLY_TEMPLATE = FieldTable(TemplateRequest)


def _chat(asked: TokenizeRequest | TemplateRequest) -> ChatInput:
    messages, use = read_messages(asked.messages or []), ToolUse(read_tools(asked.tools))
    template = read_template(asked.chat_template_kwargs)
    goes_on = continues(messages, asked.continue_final_message, asked.add_generation_prompt)
    if asked.add_generation_prompt is False:
        template["add_generation_prompt"] = False
    return ChatInput(messages, use, template, goes_on)


async def tokenize(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /tokenize: the ids of a text or of a conversation."""
    asked = TOKENIZE.read(body)
    served = state.models.find(asked.model)
    return await state.read(request, lambda: as_json(_tokens(served, asked)))


def _tokens(served: ServedModel, asked: TokenizeRequest) -> dict[str, Any]:
    ids = _ids(served, asked)
    answer: dict[str, Any] = {"count": len(ids), "max_model_len": served.context, "tokens": ids}
    if asked.with_pieces:
        answer["tokens"] = [{"id": number, "piece": _piece(served, number)} for number in ids]
    return answer


def _ids(served: ServedModel, asked: TokenizeRequest) -> list[int]:
    given = [value for value in (asked.content, asked.prompt, asked.messages) if value is not None]
    if len(given) != 1:
        raise ApiError(400, "exactly one of content, prompt and messages is required")
    if asked.messages is not None:
        return _chat(asked).prompt(served, served.count_limit)
    text = asked.content if asked.content is not None else asked.prompt or ""
    special = asked.add_special if asked.add_special is not None else asked.add_special_tokens
    add = special if special is not None else asked.prompt is not None  # each like its own server
    parse = asked.parse_special if asked.parse_special is not None else asked.prompt is not None
    return served.model.tokenizer.encode(text, add_special=add, special=parse, most=served.count_limit)


def _piece(served: ServedModel, number: int) -> str | list[int]:
    piece = served.model.tokenizer.piece(number)
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return list(piece)


async def detokenize(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /detokenize: the text of ids."""
    asked = DETOKENIZE.read(body)
    served = state.models.find(asked.model)
    vocabulary = served.model.config.vocab_size

    def work() -> str:
        for number in asked.tokens:
            if not 0 <= number < vocabulary:
                raise ApiError(400, f"tokens has {number}; ids are 0 to {vocabulary - 1}", param="tokens")
        return served.model.tokenizer.decode(asked.tokens, special=True)

    text = await state.read(request, work)
    return as_json({"prompt": text, "content": text})


async def apply_template(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /apply-template: a conversation as its model reads it."""
    asked = APPLY_TEMPLATE.read(body)
    served = state.models.find(asked.model)

    def work() -> dict[str, str]:
        ids = _chat(asked).prompt(served, served.count_limit)
        return {"prompt": served.model.tokenizer.decode(ids, special=True)}

    return as_json(await state.read(request, work))


def describe_model(name: str, served: ServedModel) -> dict[str, Any]:
    """Formats a model for /v1/models."""
    return {
        "id": name,
        "aliases": list(served.aliases),
        "object": "model",
        "created": served.created,
        "owned_by": "rlx",
        "root": served.name,
        "max_model_len": served.context,
        "meta": {
            "architecture": served.model.config.architecture,
            "context": served.context,
            "embeds": served.embeds,
            "thinks": served.tags is not None,
        },
    }


async def list_models(state: ServerState, request: Request) -> ASGIApp:
    """Answers /v1/models: every model once, with its aliases; in Anthropic's format for its client."""
    listed = [describe_model(served.name, served) for served in state.models.models]
    if "anthropic-version" in request.headers:
        data = [_anthropic(one) for one in listed]
        ends = {"first_id": data[0]["id"], "last_id": data[-1]["id"]}
        return as_json({"data": data, "has_more": False, **ends})
    return as_json({"object": "list", "data": listed})


async def one_model(state: ServerState, request: Request) -> ASGIApp:
    """Answers /v1/models/NAME."""
    name = request.path_params["name"]
    description = describe_model(name, state.models.find(name))
    return as_json(_anthropic(description) if "anthropic-version" in request.headers else description)


def _anthropic(description: dict[str, Any]) -> dict[str, Any]:
    created = datetime.fromtimestamp(description["created"], UTC).isoformat().replace("+00:00", "Z")
    return {"type": "model", "id": description["id"], "display_name": description["id"], "created_at": created}


async def health(state: ServerState, request: Request) -> ASGIApp:
    """Answers /health: whether the server accepts requests."""
    return as_json({"status": "draining" if state.draining else "ok"}, 503 if state.draining else 200)


async def slots(state: ServerState, request: Request) -> ASGIApp:
    """Answers /slots: the current state of each engine."""
    rows = [{"model": served.name, "context": served.context, **asdict(served.engine.stats())} for served in state.models.models]
    return as_json(rows)


async def props(state: ServerState, request: Request) -> ASGIApp:
    """Answers /props: the first model, or that of `?model=`, in the format of llama.cpp's server."""
    served = state.models.find(request.query_params.get("model"))
    engine, tokenizer = served.generator(), served.model.tokenizer
    sampling = engine.chat_sampling
    settings = {name: getattr(sampling, name) for name in ("temperature", "top_k", "top_p", "min_p")}
    settings |= {"presence_penalty": sampling.presence_penalty, "frequency_penalty": sampling.frequency_penalty}
    settings |= {"repeat_penalty": sampling.repetition_penalty, "n_predict": -1}
    return as_json(
        {
            "default_generation_settings": {"n_ctx": served.context, "params": settings},
            "total_slots": engine.batch,
            "model_alias": served.name,
            "model_path": served.name,
            "modalities": {"vision": False, "audio": False},
            "chat_template": tokenizer.chat_template or "",
            "bos_token": _special(served, tokenizer.bos),
            "eos_token": _special(served, min(tokenizer.eos, default=None)),
            "build_info": FINGERPRINT,
            "is_sleeping": False,
        }
    )


async def tokenizer_info(state: ServerState, request: Request) -> ASGIApp:
    """Answers /tokenizer_info in the format of vLLM's server; lm-eval uses it to tokenize continuations."""
    served = state.models.find(request.query_params.get("model"))
    tokenizer = served.model.tokenizer
    ends = {"bos_token": tokenizer.bos, "eos_token": min(tokenizer.eos, default=None)}
    names = {name: _special(served, number) or None for name, number in ends.items()}
    more = {"tokenizer_class": "rlx", "chat_template": tokenizer.chat_template, "model_max_length": served.context}
    return as_json({**names, "pad_token": names["eos_token"], **more})


def _special(served: ServedModel, number: int | None) -> str:
    return "" if number is None else served.model.tokenizer.decode([number], special=True)


async def metrics(state: ServerState, request: Request) -> ASGIApp:
    """Answers /metrics, for Prometheus."""
    return Response(state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
