"""The application: every route, and what all of them share: JSON in, errors in the shape of their API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rlx.serve import ollama_models as ollama
from rlx.serve import plain_endpoints as plain
from rlx.serve.anthropic_messages import count_tokens, messages
from rlx.serve.embeddings import embeddings
from rlx.serve.errors import ApiError, as_api_error, error_body
from rlx.serve.fields import HEADER, REQUEST, Ignored
from rlx.serve.hosts import HostNames
from rlx.serve.limits import Guard, read_body
from rlx.serve.llama_completion import llama_completion
from rlx.serve.ollama import ollama_chat, ollama_generate
from rlx.serve.openai_chat import chat_completions
from rlx.serve.openai_completions import completions
from rlx.serve.page import page
from rlx.serve.responses import responses
from rlx.serve.schema import openapi
from rlx.serve.sse import ClientLeft
from rlx.serve.state import ServerState, as_json

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


def _getting(state: ServerState, handler: Reading) -> Callable[[Request], Awaitable[Any]]:
    async def endpoint(request: Request) -> ASGIApp:
        return await _answered(request, handler(state, request))

    return endpoint


def _posting(state: ServerState, handler: Posting) -> Callable[[Request], Awaitable[Any]]:
    async def endpoint(request: Request) -> ASGIApp:
        async def read() -> ASGIApp:
            return await handler(state, await read_body(request, state.limits), request)

        ignored = Ignored(state.strict)
        REQUEST.set(ignored)
        return _Named(await _answered(request, read()), ignored)

    return endpoint


class _Named:
    """A response with a header that names what was ignored of its request."""

    def __init__(self, app: ASGIApp, ignored: Ignored) -> None:
        self.app, self.ignored = app, ignored

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start" and self.ignored.names:
                message["headers"] = [*message["headers"], (HEADER.encode(), self.ignored.header.encode())]
            await send(message)

        await self.app(scope, receive, send_named)


async def _answered(request: Request, work: Awaitable[ASGIApp]) -> ASGIApp:
    """The response, or an error in the shape of the path's API."""
    try:
        return await work
    except ClientLeft:
        return Response(status_code=499)
    except Exception as error:
        return error_response(as_api_error(error), request.url.path)


def error_response(error: ApiError, path: str) -> Response:
    """An error as a response."""
    return as_json(error_body(error, path), error.status, error.headers)


async def _no_such_path(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = {404: f"there is no {request.url.path[:100]}", 405: f"{request.method} is not for {request.url.path[:100]}"}
    found = error_response(ApiError(status, said.get(status, "the request failed")), request.url.path)
    for name, value in (error.headers or {}).items() if isinstance(error, HTTPException) else ():
        found.headers[name] = value
    return found


def _spellings(path: str) -> tuple[str, ...]:
    """A path, and the same without /v1: base URLs of llama.cpp's clients often have none.

    >>> _spellings("/v1/models"), _spellings("/health")
    (('/v1/models', '/models'), ('/health',))
    """
    return (path, path.removeprefix("/v1")) if path.startswith("/v1/") else (path,)


def make_app(state: ServerState, names: HostNames | None = None) -> Guard:
    """The server as an ASGI application that answers to some names."""
    gets = [(path, _getting(state, handler), ["GET"]) for path, handler in GETS.items()]
    posts = [(path, _posting(state, handler), ["POST"]) for path, handler in POSTS.items()]
    routes = [Route(one, handler, methods=how) for path, handler, how in (*gets, *posts) for one in _spellings(path)]
    handlers: Any = {404: _no_such_path, 405: _no_such_path}
    state.metrics.watch(state.models)
    return Guard(Starlette(routes=routes, exception_handlers=handlers), state.limits, names)
