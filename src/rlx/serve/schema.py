"""/openapi.json: every endpoint with the type of its request, from the same types that requests are read with."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp

from rlx import __version__
from rlx.serve.anthropic_messages import COUNT_TOKENS, MESSAGES
from rlx.serve.embeddings import EMBEDDINGS
from rlx.serve.fields import FieldTable
from rlx.serve.llama_completion import LLAMA_COMPLETION
from rlx.serve.ollama import OLLAMA_CHAT, OLLAMA_GENERATE
from rlx.serve.ollama_models import EMBED, OLD_EMBED, PULL, SHOW
from rlx.serve.openai_chat import CHAT
from rlx.serve.openai_completions import COMPLETIONS
from rlx.serve.plain_endpoints import APPLY_TEMPLATE, DETOKENIZE, TOKENIZE
from rlx.serve.responses import RESPONSES
from rlx.serve.state import ServerState, as_json

_POSTS: dict[str, tuple[FieldTable[Any], str]] = {
    "/v1/chat/completions": (CHAT, "The answer to a conversation, in OpenAI's words."),
    "/v1/completions": (COMPLETIONS, "Texts after prompts."),
    "/completion": (LLAMA_COMPLETION, "A text after a prompt, in llama.cpp's words."),
    "/v1/responses": (RESPONSES, "The answer to a conversation, in OpenAI's newer words."),
    "/v1/messages": (MESSAGES, "The answer to a conversation, in Anthropic's words."),
    "/v1/messages/count_tokens": (COUNT_TOKENS, "The tokens of a conversation, counted."),
    "/v1/embeddings": (EMBEDDINGS, "Vectors of texts."),
    "/api/chat": (OLLAMA_CHAT, "The answer to a conversation, in Ollama's words."),
    "/api/generate": (OLLAMA_GENERATE, "The answer to a question, in Ollama's words."),
    "/api/embed": (EMBED, "Vectors of texts, in Ollama's words."),
    "/api/embeddings": (OLD_EMBED, "The vector of a text, in Ollama's older words."),
    "/api/show": (SHOW, "What a model is and can do, in Ollama's words."),
    "/api/pull": (PULL, "Success, if the model is served."),
    "/tokenize": (TOKENIZE, "The token ids of a text or a conversation."),
    "/detokenize": (DETOKENIZE, "The text of token ids."),
    "/apply-template": (APPLY_TEMPLATE, "A conversation as its model reads it."),
}
_GETS = {
    "/health": "Whether requests are taken; needs no key.",
    "/v1/models": "The models.",
    "/v1/models/{name}": "One model.",
    "/metrics": "Metrics for Prometheus.",
    "/slots": "What each engine does right now.",
    "/api/tags": "The models, in Ollama's words.",
    "/api/ps": "The models, which are all loaded.",
    "/props": "The first model, in llama.cpp's words; ?model= names another.",
    "/tokenizer_info": "The first model's tokenizer, in vLLM's words; ?model= names another.",
    "/api/version": "The version.",
    "/openapi.json": "This description.",
    "/": "The page; needs no key.",
}
_STATUSES = {
    "400": "a field is wrong, unknown or cannot be obeyed; or the prompt does not fit",
    "401": "the key is missing or wrong",
    "404": "there is no such model",
    "408": "the body did not come in time",
    "413": "the body is too large",
    "429": "too many requests at once; Retry-After says when to come back",
    "503": "the server is shutting down",
    "504": "the answer took too long",
}
_KINDS = ("application/json", "text/event-stream", "application/x-ndjson", "text/plain", "text/html")


def schema() -> dict[str, Any]:
    """The description of the whole API."""
    tables = [table for table, _ in _POSTS.values()]
    _, components = msgspec.json.schema_components([table.kind for table in tables], ref_template="#/components/schemas/{name}")
    for table in tables:
        described = components[table.kind.__name__]
        described["additionalProperties"] = False
        for name, reason in table.harmless.items():
            described["properties"][name] = {"description": f"Ignored: {reason}."}
        for name, ignored in table.named.items():
            described["properties"][name] = {"description": f"Ignored, and named in the answer's header: {ignored.reason}."}
        for name, refused in table.refused.items():
            described["properties"][name] = {"description": f"Not obeyed: {refused.reason}.", "enum": [*refused.neutral, None]}
    paths: dict[str, Any] = {path: {"post": _post(*of)} for path, of in _POSTS.items()}
    for path, summary in _GETS.items():
        paths[path] = {"get": _operation(summary)}
    paths["/v1/models/{name}"]["get"]["parameters"] = [
        {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    ]
    security = {"bearer": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "x-api-key"}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "rlx serve",
            "version": __version__,
            "description": "docs/serving.md describes it in words. Paths with /v1 are there without it as well.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": security},
        "security": [{"bearer": []}, {"key": []}, {}],
    }


def _operation(summary: str) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": {"description": "the answer", "content": {kind: {} for kind in _KINDS}}}
    answers |= {status: {"description": said, "content": {"application/json": {}}} for status, said in _STATUSES.items()}
    return {"summary": summary, "responses": answers}


def _post(table: FieldTable[Any], summary: str) -> dict[str, Any]:
    body = {"$ref": f"#/components/schemas/{table.kind.__name__}"}
    return {**_operation(summary), "requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}


async def openapi(state: ServerState, request: Request) -> ASGIApp:
    """The endpoint."""
    return as_json(schema())
