"""Connections, through sockets: how fast a kept-alive one answers, and how much one that misbehaves may take."""

from __future__ import annotations

import http.client
import json
import statistics
import time
from typing import Any

import pytest

from tests.serve.serving import TestServer

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
