"""Ollama's endpoints about models: what there is, what a model can do, vectors of texts. Nothing is pulled, made or unloaded here."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from math import prod
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.types import ASGIApp

from rlx import __version__
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField
from rlx.serve.models import ServedModel
from rlx.serve.sse import EventStream, line, while_connected
from rlx.serve.state import ServerState, as_json
from rlx.serve.wanted import CALLER

_FOR_EVER = "9999-12-31T23:59:59Z"


class ShowRequest(Struct, kw_only=True):
    """Which model."""

    model: str


class PullRequest(Struct, kw_only=True):
    """Which model, and whether progress is a stream."""

    model: str
    stream: bool | None = None


class EmbedRequest(Struct, kw_only=True):
    """Texts, a vector for each."""

    input: str | list[str]
    model: str | None = None
    truncate: bool | None = None
    dimensions: int | None = None


class OldEmbedRequest(Struct, kw_only=True):
    """A text."""

    prompt: str
    model: str | None = None


_STAYS = {"keep_alive": "models stay loaded", "options": "vectors have no settings"}
SHOW = FieldTable(ShowRequest, {"verbose": "all there is to say is always said"}, renamed={"name": "model"})
PULL = FieldTable(
    PullRequest,
    {"insecure": "nothing is fetched"},
    {"username": RefusedField("nothing is fetched", ("",)), "password": RefusedField("nothing is fetched", ("",))},
    renamed={"name": "model"},
)
EMBED = FieldTable(EmbedRequest, _STAYS)
OLD_EMBED = FieldTable(OldEmbedRequest, _STAYS)


def own_name(name: str | None) -> str | None:
    """A model's name without the tag that Ollama's clients add."""
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


def _rows(state: ServerState) -> list[dict[str, Any]]:
    """A row for each model."""
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
    """The models, as Ollama lists those it has."""
    return as_json({"models": _rows(state)})


async def ollama_ps(state: ServerState, request: Request) -> ASGIApp:
    """The same models: all of them are loaded."""
    more = {served.name: served.context for served in state.models.models}
    rows = [{**row, "expires_at": _FOR_EVER, "size_vram": 0, "context_length": more[row["name"]]} for row in _rows(state)]
    return as_json({"models": rows})


async def ollama_version(state: ServerState, request: Request) -> ASGIApp:
    """A version; programs ask for it to see that somebody is there."""
    return as_json({"version": __version__})


async def ollama_show(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """What a model is and can do."""
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
    """A model that is served is there already; another one is not fetched."""
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
    """Vectors of texts; one that is too long is cut, as Ollama does it, unless `truncate` is false."""
    asked, began = EMBED.read(body), time.monotonic()
    served = state.models.find(own_name(asked.model))
    width = served.model.config.width
    if asked.dimensions not in (None, width):
        raise ApiError(400, f"dimensions is {asked.dimensions}; vectors here have {width}", param="dimensions")
    texts = [asked.input] if isinstance(asked.input, str) else asked.input
    vectors, count = await _vectors(state, request, served, texts, asked.truncate is not False)
    spent = int((time.monotonic() - began) * 1e9)
    name = asked.model or served.name
    found = {"model": name, "embeddings": vectors, "total_duration": spent, "load_duration": 0}
    return as_json({**found, "prompt_eval_count": count})


async def ollama_embeddings(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """The older form: the vector of one text."""
    asked = OLD_EMBED.read(body)
    served = state.models.find(own_name(asked.model))
    vectors, _ = await _vectors(state, request, served, [asked.prompt], True)
    return as_json({"embedding": vectors[0]})


async def _vectors(
    state: ServerState, request: Request, served: ServedModel, texts: list[str], truncate: bool
) -> tuple[list[Any], int]:
    state.check_open()
    engine = served.engine
    call = await state.read(request, lambda: engine.submit_embed(texts, truncate=truncate, caller=CALLER.get()))
    vectors = await state.within_time(while_connected(request.receive, call.gathered()))
    return [vector.tolist() for vector in vectors], call.tokens
