"""Streamed responses: server-sent events and lines of JSON, which end when the client disconnects."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec
from starlette.types import Receive, Scope, Send

from rlx.serve.errors import as_api_error, error_body

T = TypeVar("T")
_ENCODER = msgspec.json.Encoder()
PAUSE = 15.0  # seconds without an event after which a comment shows that the connection lives


class ClientLeft(Exception):
    """Raised when the client closed the connection."""


def event(data: Any, name: str | None = None) -> bytes:
    """Formats one server-sent event."""
    body = data.encode() if isinstance(data, str) else _ENCODER.encode(data)
    return (b"" if name is None else b"event: " + name.encode() + b"\n") + b"data: " + body + b"\n\n"


def line(data: Any) -> bytes:
    """Formats one line of JSON."""
    return _ENCODER.encode(data) + b"\n"


async def while_connected(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Awaits some work and returns its result; cancels it if the client disconnects before."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise ClientLeft
        return task.result()
    finally:
        leaving.cancel()
        task.cancel()
        await asyncio.gather(leaving, task, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class EventStream:
    """A streamed ASGI response of server-sent events or JSON lines."""

    def __init__(
        self,
        chunks: AsyncIterator[bytes],
        path: str,
        *,
        kind: str = "text/event-stream",
        failed: Callable[[dict[str, Any]], bytes] | None = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        self.chunks, self.path, self.kind, self.done = chunks, path, kind, done
        self.failed = failed or event
        self._sent = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends all chunks of the stream until the client disconnects."""
        headers = [(b"content-type", self.kind.encode()), (b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await while_connected(receive, self._send_all(send))
        except ClientLeft:
            return
        finally:
            await self.chunks.aclose()  # type: ignore[attr-defined]
            if self.done is not None:
                self.done()

    async def _send_all(self, send: Send) -> None:
        async def put(body: bytes, more: bool = True) -> None:
            self._sent = time.monotonic()
            await send({"type": "http.response.body", "body": body, "more_body": more})

        living = asyncio.ensure_future(self._keep_alive(put)) if self.kind == "text/event-stream" else None
        try:
            async for chunk in self.chunks:
                await put(chunk)
        except Exception as error:
            await put(self.failed(error_body(as_api_error(error), self.path)))
        finally:
            if living is not None:
                living.cancel()
        await put(b"", more=False)

    async def _keep_alive(self, put: Callable[[bytes], Awaitable[None]]) -> None:
        """Sends a comment whenever nothing was sent for a while."""
        while True:
            silent = time.monotonic() - self._sent
            if silent >= PAUSE:
                await put(b": still here\n\n")
            await asyncio.sleep(PAUSE - silent if silent < PAUSE else PAUSE)
