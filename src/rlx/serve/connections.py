"""Limits of connections: their number, and the time and size of a request's headers. Uvicorn has such limits only for another parser."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from rlx.serve.limits import ServeLimits

MOST_HEAD = 64 << 10
"""Bytes of a request's line and headers together."""
MOST_HEADERS = 128
HEAD_SECONDS = 10.0
"""From the connection, or from the first byte of a later request, to the end of the headers."""
IDLE_SECONDS = 30.0
"""Between two requests."""
READ_SECONDS = 60.0
"""How long a client may leave a response unread."""
_RESERVE = 32
"""Connections beyond the limit, for /health only."""
_OTHER_FILES = 128
"""File descriptors that are not connections: models, logs, the event loop."""


class _HeadRefused(Exception):
    """Raised inside the HTTP parser's callbacks to stop it at an invalid head."""


class LimitedConnection(HttpToolsProtocol):
    """An HTTP connection, closed when it is idle too long, or when a request's headers are too large or do not arrive."""

    most = 1024  # of them at once

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._begun = False  # some of a request's head has come, and not all
        self.answers = False  # a request's headers have come, and its answer has not ended
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._refusal = 400, "Invalid HTTP request received."
        self._pending = self._head = self._count = 0  # bytes since the parser's last callback; bytes of this head

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts the connection. At the limit, the connection that has been idle longest is closed."""
        if len(self.connections) >= self.most:
            idle = next((one for one in _opened if one in self.connections and not one.answers), None)
            if idle is not None:
                idle.leave()
            elif len(self.connections) >= self.most + _RESERVE:
                transport.abort()
        super().connection_made(transport)
        _opened.setdefault(self, None)
        self._within(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection and cancels its timers."""
        _opened.pop(self, None)
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def leave(self) -> None:
        """Closes the idle connection now."""
        self.connections.discard(self)
        _opened.pop(self, None)
        self.transport.abort()

    def _within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._begun and not self.transport.is_closing():
            self._refuse(408, f"The request's headers did not arrive within {HEAD_SECONDS:g} seconds.")
        else:
            self.transport.abort()

    # -- the parser's callbacks
    def data_received(self, data: bytes) -> None:
        """Parses received bytes; refuses a request that sends much without a complete header."""
        if self.transport.is_closing():
            return
        self._pending += len(data)
        super().data_received(data)
        if self._pending > MOST_HEAD and not self.transport.is_closing():
            self._refuse(431, f"The request's headers have more than {MOST_HEAD} bytes.")

    def on_message_begin(self) -> None:
        """Starts the time limit of a request's headers."""
        super().on_message_begin()
        self._head = self._count = self._pending = 0
        self._begun = True
        if not self.answers:
            self._within(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Counts the bytes of the request's path."""
        super().on_url(url)
        self._note(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts the bytes of a header or a trailer."""
        self._count += 1
        self._note(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Starts the request, unless there are too many connections."""
        self._pending, self._begun = 0, False
        if self._is_beyond() and self.url.partition(b"?")[0] != b"/health":
            self._refusal = 503, "The server has too many connections."
            raise _HeadRefused
        self.answers = True
        self._within(None)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Passes on a part of the request's body."""
        self._pending = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Starts the idle time limit after a response."""
        self.answers = bool(self.pipeline)  # the next one begins
        super().on_response_complete()
        if not self.answers:
            _opened.pop(self, None)  # the youngest of those that are idle
            _opened[self] = None
            self._within(IDLE_SECONDS)

    def _is_beyond(self) -> bool:
        return len(self.connections) > self.most

    def _note(self, size: int) -> None:
        self._head, self._pending = self._head + size, 0
        if self._head > MOST_HEAD:
            self._refusal = 431, f"The request's headers have more than {MOST_HEAD} bytes."
            raise _HeadRefused
        if self._count > MOST_HEADERS:
            self._refusal = 431, f"The request has more than {MOST_HEADERS} headers."
            raise _HeadRefused

    # -- refusals
    def send_400_response(self, msg: str) -> None:
        """Answers 400 with the reason why the parser stopped."""
        self._refuse(*self._refusal)

    def _refuse(self, status: int, said: str) -> None:
        self._within(None)
        if not self.answers:
            body = said.encode()
            head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head % len(body) + body)
        self.transport.close()

    # -- flow control
    def pause_writing(self) -> None:
        """Starts the time limit of a client that does not read: the connection is closed after `READ_SECONDS`."""
        super().pause_writing()
        self._unread = self.loop.call_later(READ_SECONDS, self.leave)

    def resume_writing(self) -> None:
        """Cancels the time limit of a client that reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()


_opened: dict[LimitedConnection, None] = {}
"""All open connections, the one that has been idle longest first."""


def connection_class(limits: ServeLimits) -> type[LimitedConnection]:
    """Returns the class of a server's connections, with its limits."""
    return type("Connection", (LimitedConnection,), {"most": raise_file_limit(limits.connections)})


def raise_file_limit(connections: int) -> int:
    """Raises the limit of file descriptors for so many connections; returns how many it allows."""
    try:
        import resource
    except ImportError:  # not on Windows
        return connections
    needed = connections + _RESERVE + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        return max(min(connections, soft - _RESERVE - _OTHER_FILES), 8)
    return connections
