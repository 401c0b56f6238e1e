"""Connections, through sockets: how fast a kept-alive one answers, and how much one that misbehaves may take."""

from __future__ import annotations

import http.client
import json
import socket
import statistics
import time
from typing import Any

import pytest

from rlx.serve import connections
from rlx.serve.limits import ServeLimits
from tests.serve.serving import TEMPLATES, TestServer, echo, running, until

CHAT = "/v1/chat/completions"


def asking(content: str, **more: Any) -> bytes:
    return json.dumps({"model": "echo", "messages": [{"role": "user", "content": content}], **more}).encode()


# -- kept alive -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path, body", [("/health", None), ("/tokenize", b'{"content": "one two"}')])
def test_a_kept_alive_connection_answers_at_once(server: TestServer, path: str, body: bytes | None) -> None:
    """With Nagle's algorithm the body of each answer waits 40 ms for the client's delayed acknowledgment."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    seconds = []
    for _ in range(20):
        began = time.perf_counter()
        connection.request("GET" if body is None else "POST", path, body)
        assert connection.getresponse().read()
        seconds.append(time.perf_counter() - began)
    connection.close()
    assert statistics.median(seconds) < 0.005, seconds


def test_the_first_tokens_of_a_stream_do_not_wait_for_an_acknowledgment(server: TestServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    seconds = []
    for _ in range(10):  # the first request of a connection is never delayed
        began = time.perf_counter()
        connection.request("POST", CHAT, asking("abc", stream=True))
        answer = connection.getresponse()
        while b'"content":"abc"' not in answer.readline():
            pass
        seconds.append(time.perf_counter() - began)
        answer.read()
    connection.close()
    assert statistics.median(seconds[1:]) < 0.02, seconds


# -- connections that misbehave ---------------------------------------------------------------------------------------
def opened(server: TestServer, sent: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    found.sendall(sent)
    return found


def healthy(server: TestServer) -> bool:
    with opened(server, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") as connection:
        return connection.recv(4096).startswith(b"HTTP/1.1 200")


HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("what", ["one header", "many headers", "large headers", "a path", "a header without end", "a trailer"])
def test_a_head_has_a_limit(server: TestServer, what: str) -> None:
    sent = {
        "one header": [HEAD, b"X: " + b"a" * 100_000 + b"\r\n\r\n"],
        "many headers": [HEAD, *(b"X-%d: a\r\n" % number for number in range(200)), b"\r\n"],
        "large headers": [HEAD, *(b"X-%d: %b\r\n" % (number, b"a" * 10_000) for number in range(10)), b"\r\n"],
        "a path": [b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"],
        "a header without end": [HEAD, b"X: ", *[b"a" * 10_000] * 400],
        "a trailer": [
            b"POST /tokenize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX: ",
            *[b"a" * 10_000] * 400,
        ],
    }[what]
    connection, answer = opened(server), b""
    try:
        for part in sent:
            connection.sendall(part)
        answer = connection.recv(4096)
    except OSError:  # closed while it was sent
        pass
    assert not answer or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 4")), answer
    assert healthy(server)


def test_an_ordinary_head_is_far_from_its_limits(server: TestServer) -> None:
    more = b"".join(b"X-%d: %b\r\n" % (number, b"a" * 500) for number in range(100))
    with opened(server, HEAD + more + b"\r\n") as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEAD, HEAD + b"\r\n", HEAD + b"\r\n" + b"GET /he"])
def test_a_silent_connection_is_closed(server: TestServer, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.3)
    with opened(server, sent) as connection:
        began, answer = time.monotonic(), b""
        while part := connection.recv(4096):
            answer += part
    assert time.monotonic() - began < 5
    assert (b"408" in answer) == (sent not in (b"", HEAD + b"\r\n")), answer


def test_a_head_byte_by_byte_does_not_last(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    began = time.monotonic()
    with pytest.raises(OSError), opened(server, HEAD) as connection:
        for _ in range(100):
            connection.sendall(b"X")
            time.sleep(0.05)
    assert time.monotonic() - began < 4


def test_a_client_that_reads_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_SECONDS", 0.3)
    with running(echo("echo", TEMPLATES["echo"])) as server:
        body = asking("wait", stream=True)
        head = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (CHAT.encode(), len(body))
        with opened(server, head + body):
            until(lambda: server.engine("echo").running)
            (connection,) = server.server.server_state.connections
            connection.loop.call_soon_threadsafe(connection.pause_writing)  # as once the system's buffers are full
            until(lambda: not server.engine("echo").running)


def test_too_many_connections_leave_room() -> None:
    with running(echo("echo", TEMPLATES["echo"]), limits=ServeLimits(connections=20)) as server:
        silent = [opened(server, HEAD) for _ in range(60)]
        assert healthy(server)
        busy = [opened(server) for _ in range(20)]
        body = asking("wait", stream=True)
        head = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (CHAT.encode(), len(body))
        for connection in busy:
            connection.sendall(head + body)
            assert connection.recv(100)
        until(lambda: len(server.engine("echo").running) == 20)
        assert healthy(server), "beyond the limit"
        with opened(server, b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n") as connection:
            assert connection.recv(100).startswith(b"HTTP/1.1 503")
        assert len(server.engine("echo").running) == 20, "nobody who is being answered went for it"
        for connection in (*silent, *busy):
            connection.close()
        until(lambda: not server.engine("echo").running)


def test_there_are_descriptors_for_the_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits = [(256, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, wanted: limits.append(wanted))
    assert connections.raise_file_limit(1024) == 1024 and 1024 < limits[-1][0] <= 4096
    limits.append((256, 256))
    assert 8 <= connections.raise_file_limit(1024) < 256
