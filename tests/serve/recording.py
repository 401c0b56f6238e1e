"""What clients ask of `rlx serve`: a server that plays a list of answers and records every request, and records without others' texts."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from contextlib import contextmanager
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rlx.serve.models import ServedModel
from tests.serve.serving import TestServer

__all__ = ["expanded", "recording", "shortened"]

HEADERS = ("accept", "anthropic-beta", "anthropic-version", "content-type", "user-agent")
PLAIN_WORDS = 5  # a text of more words is a sentence
PLAIN_LENGTH = 200
FILLER = "These words stand where a client has a text of its own. "
_MARK = re.compile(r"\{\{text (\d+)\}\}")
_SCHEMA_TEXTS = ("description", "title", "$comment")  # of a JSON schema: they do not decide what fits it


class Recorder:
    """An ASGI application before another one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.requests: list[dict[str, Any]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        query = scope["query_string"].decode()
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        entry: dict[str, Any] = {
            "method": scope["method"],
            "path": scope["path"] + (f"?{query}" if query else ""),
            "headers": {name: headers[name] for name in HEADERS if name in headers},
        }
        self.requests.append(entry)
        body = bytearray()

        async def hearing() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
                entry["body"] = json.loads(body) if body and not message.get("more_body") else None
            return message

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        await self.app(scope, hearing, telling)


@contextmanager
def recording(*models: ServedModel) -> Any:
    """A server, and the list that its requests come into."""
    server = TestServer(list(models))
    recorder = Recorder(server.server.config.app)
    server.server.config.app = recorder
    server.start()
    try:
        yield server, recorder.requests
    finally:
        server.stop()


def shortened(value: Any, own: Collection[str] = (), name: str = "") -> Any:
    """A body without sentences that others wrote: a mark says how long each was. `own` are texts of ours, which
    stay, and so do arguments of calls, which our model wrote.

    >>> shortened({"role": "system", "content": "You are a most helpful assistant."})
    {'role': 'system', 'content': '{{text 33}}'}
    """
    if isinstance(value, dict):
        return {key: shortened(one, own, key) for key, one in value.items()}
    if isinstance(value, list):
        return [shortened(one, own, name) for one in value]
    if not isinstance(value, str) or value in own or _MARK.fullmatch(value) or (name == "arguments" and value.startswith("{")):
        return value
    if len(value) > PLAIN_LENGTH or len(value.split()) > PLAIN_WORDS or (name in _SCHEMA_TEXTS and " " in value):
        return f"{{{{text {len(value)}}}}}"
    return value


def expanded(value: Any) -> Any:
    """A body as a client sends it, with filler of the same length where a text was.

    >>> expanded({"role": "system", "content": "{{text 33}}"})
    {'role': 'system', 'content': 'These words stand where a client '}
    """
    if isinstance(value, dict):
        return {key: expanded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [expanded(one) for one in value]
    if isinstance(value, str) and (found := _MARK.fullmatch(value)):
        length = int(found[1])
        return (FILLER * (length // len(FILLER) + 1))[:length]
    return value
