"""The application: every route, its description, the page, and what all routes share: JSON in, errors in the shape of their API."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rlx import __version__
from rlx.serve import ollama
from rlx.serve import plain_endpoints as plain
from rlx.serve.anthropic_messages import COUNT_TOKENS, MESSAGES, count_tokens, messages
from rlx.serve.errors import ApiError, as_api_error, error_body
from rlx.serve.fields import HEADER, REQUEST, FieldTable, Ignored
from rlx.serve.limits import Guard, HostNames
from rlx.serve.ollama import EMBED, OLD_EMBED, OLLAMA_CHAT, OLLAMA_GENERATE, PULL, SHOW, ollama_chat, ollama_generate
from rlx.serve.openai_chat import CHAT, chat_completions
from rlx.serve.openai_completions import COMPLETIONS, LLAMA_COMPLETION, completions, llama_completion
from rlx.serve.plain_endpoints import APPLY_TEMPLATE, DETOKENIZE, EMBEDDINGS, TOKENIZE, embeddings
from rlx.serve.request_reading import read_body
from rlx.serve.responses import RESPONSES, responses
from rlx.serve.sse import ClientLeft
from rlx.serve.state import ServerState, as_json

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def _page() -> tuple[str, str]:
    """Loads the chat page's HTML, and a content security policy that allows only its own script."""
    text = files("rlx.serve").joinpath("page.html").read_text("utf-8")
    script = text.partition("<script>")[2].rpartition("</script>")[0]
    return text, _POLICY.format(script=b64encode(sha256(script.encode()).digest()).decode())


async def page(state: ServerState, request: Request) -> ASGIApp:
    """Answers / with the chat page."""
    text, policy = _page()
    return HTMLResponse(text, headers={"content-security-policy": policy, "x-content-type-options": "nosniff"})


# -- /openapi.json ---------------------------------------------------------------------------------------------------
_POSTS: dict[str, tuple[FieldTable[Any], str]] = {
    "/v1/chat/completions": (CHAT, "Answers a conversation, in OpenAI's format."),
    "/v1/completions": (COMPLETIONS, "Completes prompts, in OpenAI's format."),
    "/completion": (LLAMA_COMPLETION, "Completes a prompt, in llama.cpp's format."),
    "/v1/responses": (RESPONSES, "Answers a conversation, in OpenAI's newer format."),
    "/v1/messages": (MESSAGES, "Answers a conversation, in Anthropic's format."),
    "/v1/messages/count_tokens": (COUNT_TOKENS, "Counts the tokens of a conversation."),
    "/v1/embeddings": (EMBEDDINGS, "Embeds texts."),
    "/api/chat": (OLLAMA_CHAT, "Answers a conversation, in Ollama's format."),
    "/api/generate": (OLLAMA_GENERATE, "Answers a question, in Ollama's format."),
    "/api/embed": (EMBED, "Embeds texts, in Ollama's format."),
    "/api/embeddings": (OLD_EMBED, "Embeds a text, in Ollama's older format."),
    "/api/show": (SHOW, "Describes a model, in Ollama's format."),
    "/api/pull": (PULL, "Succeeds if the model is served; downloads nothing."),
    "/tokenize": (TOKENIZE, "The token ids of a text or a conversation."),
    "/detokenize": (DETOKENIZE, "The text of token ids."),
    "/apply-template": (APPLY_TEMPLATE, "A conversation as its model reads it."),
}
_GETS = {
    "/health": "Whether the server accepts requests; needs no key.",
    "/v1/models": "The models.",
    "/v1/models/{name}": "One model.",
    "/metrics": "Metrics for Prometheus.",
    "/slots": "The current state of each engine.",
    "/api/tags": "The models, in Ollama's format.",
    "/api/ps": "The loaded models, which are all, in Ollama's format.",
    "/props": "The first model, in llama.cpp's format; ?model= selects another.",
    "/tokenizer_info": "The first model's tokenizer, in vLLM's format; ?model= selects another.",
    "/api/version": "The version.",
    "/openapi.json": "This description.",
    "/": "The chat page; needs no key.",
}
_STATUSES = {
    "400": "a field is invalid, unknown or not supported; or the prompt does not fit",
    "401": "the API key is missing or not valid",
    "404": "the model does not exist",
    "408": "the body did not arrive in time",
    "413": "the body is too large",
    "429": "too many requests at once; Retry-After has the seconds to wait",
    "503": "the server is shutting down",
    "504": "the answer took too long",
}
_KINDS = ("application/json", "text/event-stream", "application/x-ndjson", "text/plain", "text/html")


def schema() -> dict[str, Any]:
    """Builds the OpenAPI description of all endpoints."""
    tables = [table for table, _ in _POSTS.values()]
    _, components = msgspec.json.schema_components([table.kind for table in tables], ref_template="#/components/schemas/{name}")
    for table in tables:
        described = components[table.kind.__name__]
        described["additionalProperties"] = False
        for name, reason in table.harmless.items():
            described["properties"][name] = {"description": f"Ignored: {reason}."}
        for name, ignored in table.named.items():
            described["properties"][name] = {"description": f"Ignored, and listed in the answer's header: {ignored.reason}."}
        for name, refused in table.refused.items():
            described["properties"][name] = {"description": f"Not supported: {refused.reason}.", "enum": [*refused.neutral, None]}
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
            "description": "docs/serving.md describes all endpoints. Paths with /v1 work without it too.",
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
    """Answers /openapi.json."""
    return as_json(schema())


# -- routes ----------------------------------------------------------------------------------------------------------
Reading = Callable[[ServerState, Request], Awaitable[ASGIApp]]
Posting = Callable[[ServerState, Any, Request], Awaitable[ASGIApp]]

GETS: dict[str, Reading] = {
    "/": page,
    "/openapi.json": openapi,
    "/health": plain.health,
    "/v1/models": plain.list_models,
    "/v1/models/{name:path}": plain.one_model,
    "/metrics": plain.metrics,
    "/slots": plain.slots,
    "/props": plain.props,
    "/tokenizer_info": plain.tokenizer_info,
    "/api/tags": ollama.ollama_tags,
    "/api/ps": ollama.ollama_ps,
    "/api/version": ollama.ollama_version,
}
POSTS: dict[str, Posting] = {
    "/v1/chat/completions": chat_completions,
    "/v1/completions": completions,
    "/completion": llama_completion,
    "/v1/responses": responses,
    "/v1/messages": messages,
    "/v1/messages/count_tokens": count_tokens,
    "/v1/embeddings": embeddings,
    "/api/chat": ollama_chat,
    "/api/generate": ollama_generate,
    "/api/embed": ollama.ollama_embed,
    "/api/embeddings": ollama.ollama_embeddings,
    "/api/show": ollama.ollama_show,
    "/api/pull": ollama.ollama_pull,
    "/tokenize": plain.tokenize,
    "/detokenize": plain.detokenize,
    "/apply-template": plain.apply_template,
}


def _wrap_get(state: ServerState, handler: Reading) -> Callable[[Request], Awaitable[Any]]:
    async def endpoint(request: Request) -> ASGIApp:
        return await _answer_or_error(request, handler(state, request))

    return endpoint


def _wrap_post(state: ServerState, handler: Posting) -> Callable[[Request], Awaitable[Any]]:
    async def endpoint(request: Request) -> ASGIApp:
        async def read() -> ASGIApp:
            return await handler(state, await read_body(request, state.limits), request)

        ignored = Ignored(state.strict)
        REQUEST.set(ignored)
        return _Named(await _answer_or_error(request, read()), ignored)

    return endpoint


class _Named:
    """ASGI app that adds a header with the ignored fields of its request to a response."""

    def __init__(self, app: ASGIApp, ignored: Ignored) -> None:
        self.app, self.ignored = app, ignored

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start" and self.ignored.names:
                message["headers"] = [*message["headers"], (HEADER.encode(), self.ignored.header.encode())]
            await send(message)

        await self.app(scope, receive, send_with_header)


async def _answer_or_error(request: Request, work: Awaitable[ASGIApp]) -> ASGIApp:
    """Calls an endpoint; returns its response, or an error in the format of the path's API."""
    try:
        return await work
    except ClientLeft:
        return Response(status_code=499)
    except Exception as error:
        return error_response(as_api_error(error), request.url.path)


def error_response(error: ApiError, path: str) -> Response:
    """Builds the response to a failed request."""
    return as_json(error_body(error, path), error.status, error.headers)


async def _no_such_path(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    path = request.url.path[:100]
    said = {404: f"{path} does not exist", 405: f"{path} does not accept {request.method}"}
    response = error_response(ApiError(status, said.get(status, "the request failed")), request.url.path)
    for name, value in (error.headers or {}).items() if isinstance(error, HTTPException) else ():
        response.headers[name] = value
    return response


def _spellings(path: str) -> tuple[str, ...]:
    """Returns a path, and the same without /v1: base URLs of llama.cpp's clients often have none.

    >>> _spellings("/v1/models"), _spellings("/health")
    (('/v1/models', '/models'), ('/health',))
    """
    return (path, path.removeprefix("/v1")) if path.startswith("/v1/") else (path,)


def make_app(state: ServerState, names: HostNames | None = None) -> Guard:
    """Builds the server as an ASGI application; `names` are the host names it serves."""
    gets = [(path, _wrap_get(state, handler), ["GET"]) for path, handler in GETS.items()]
    posts = [(path, _wrap_post(state, handler), ["POST"]) for path, handler in POSTS.items()]
    routes = [Route(one, handler, methods=how) for path, handler, how in (*gets, *posts) for one in _spellings(path)]
    handlers: Any = {404: _no_such_path, 405: _no_such_path}
    state.metrics.watch(state.models)
    return Guard(Starlette(routes=routes, exception_handlers=handlers), state.limits, names)
