"""Connections: how many, and how long and how large a request's head may be. Uvicorn has limits of its own only for another parser."""

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
"""From the connection, or the first byte of a later request, to the end of the headers."""
IDLE_SECONDS = 30.0
"""Between two requests."""
READ_SECONDS = 60.0
"""That a client may leave what was sent to it unread."""
_RESERVE = 32
"""Connections beyond the limit, for /health alone."""
_OTHER_FILES = 128
"""Descriptors that are not for connections: models, logs, the loop."""


class _HeadRefused(Exception):
    """The parser stops here."""


class LimitedConnection(HttpToolsProtocol):
    """One connection. It is closed where it is silent, or where a request's head is too long or does not come."""

    most = 1024  # of them at once

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._begun = False  # some of a request's head has come, and not all
        self.answers = False  # a request's headers have come, and its answer has not ended
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._refusal = 400, "Invalid HTTP request received."
        self._pending = self._head = self._count = 0  # bytes since the parser last said something; of this head

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open; in place of the connection that is idle for longest, where there are too many."""
        if len(self.connections) >= self.most:
            idle = next((one for one in _in_order(self.connections) if not one.answers), None)
            if idle is not None:
                idle.leave()
            elif len(self.connections) >= self.most + _RESERVE:
                transport.abort()
        super().connection_made(transport)
        _opened.setdefault(self, None)
        self._within(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Closed, by either side."""
        _opened.pop(self, None)
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def leave(self) -> None:
        """Close it now."""
        self.connections.discard(self)
        _opened.pop(self, None)
        self.transport.abort()

    def _within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._begun and not self.transport.is_closing():
            self._refuse(408, f"The request's headers did not come within {HEAD_SECONDS:g} seconds.")
        else:
            self.transport.abort()

    # -- what the parser says
    def data_received(self, data: bytes) -> None:
        """Parse; give up where much came that says nothing."""
        if self.transport.is_closing():
            return
        self._pending += len(data)
        super().data_received(data)
        if self._pending > MOST_HEAD and not self.transport.is_closing():
            self._refuse(431, f"The request's headers have more than {MOST_HEAD} bytes.")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._head = self._count = self._pending = 0
        self._begun = True
        if not self.answers:
            self._within(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of its path."""
        super().on_url(url)
        self._note(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer."""
        self._count += 1
        self._note(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The request begins."""
        self._pending, self._begun = 0, False
        if self._is_beyond() and self.url.partition(b"?")[0] != b"/health":
            self._refusal = 503, "The server has too many connections."
            raise _HeadRefused
        self.answers = True
        self._within(None)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of its body."""
        self._pending = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        """The answer has been sent."""
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

    # -- saying no
    def send_400_response(self, msg: str) -> None:
        """The parser stopped: of itself, or since something is too long."""
        self._refuse(*self._refusal)

    def _refuse(self, status: int, said: str) -> None:
        self._within(None)
        if not self.answers:
            body = said.encode()
            head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head % len(body) + body)
        self.transport.close()

    # -- what the client reads
    def pause_writing(self) -> None:
        """It reads nothing."""
        super().pause_writing()
        self._unread = self.loop.call_later(READ_SECONDS, self.leave)

    def resume_writing(self) -> None:
        """It reads on."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()


_opened: dict[LimitedConnection, None] = {}
"""All of them, the one that is idle for longest first."""


def _in_order(connections: set[Any]) -> list[LimitedConnection]:
    return [one for one in _opened if one in connections]


def connection_class(limits: ServeLimits) -> type[LimitedConnection]:
    """The class of a server's connections."""
    return type("Connection", (LimitedConnection,), {"most": raise_file_limit(limits.connections)})


def raise_file_limit(connections: int) -> int:
    """Room for so many connections among the process's descriptors; gives how many there is room for."""
    try:
        import resource
    except ImportError:  # not on Windows
        return connections
    wanted = connections + _RESERVE + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        return max(min(connections, soft - _RESERVE - _OTHER_FILES), 8)
    return connections
