"""Limits and safety, through sockets: keys, sizes, queues, time-outs, origins, disconnects, shutting down."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time

import httpx
import pytest

from rlx.serve.limits import HostNames, ServeLimits
from tests.serve.serving import TEMPLATES, echo, running, until

WAIT = {"model": "echo", "messages": [{"role": "user", "content": "wait"}], "stream": True}
HELLO = {"model": "echo", "messages": [{"role": "user", "content": "Hello"}]}
CHAT = "/v1/chat/completions"


def one_echo(**limits):
    return running(echo("echo", TEMPLATES["echo"]), limits=ServeLimits(**limits))


# -- keys ---------------------------------------------------------------------------------------------------------------
def test_a_key_is_needed_but_for_the_page_and_health():
    with one_echo(keys=("right", "other")) as server, httpx.Client(base_url=server.url) as client:
        assert client.get("/health").json() == {"status": "ok"}
        assert client.get("/").status_code == 200
        for path in ("/v1/models", "/metrics", "/slots", "/openapi.json", "/api/tags", "/nowhere"):
            answer = client.get(path)
            assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
        for headers in ({"authorization": "Bearer right"}, {"x-api-key": "other"}, {"authorization": "bearer  right"}):
            assert client.post(CHAT, json=HELLO, headers=headers).status_code == 200
        for headers in ({"authorization": "Bearer wrong"}, {"x-api-key": ""}, {"authorization": "Basic right"}, {"x-api-key": "ü"}):
            encoded = {name: value.encode("latin-1") for name, value in headers.items()}
            answer = client.post(CHAT, json=HELLO, headers=encoded)
            assert answer.status_code == 401 and answer.json()["error"]["code"] == "invalid_api_key"
        assert client.post("/v1/messages", json={}).json()["error"]["type"] == "authentication_error"


# -- sizes and numbers ------------------------------------------------------------------------------------------------
def test_a_body_that_is_too_large_said_or_not():
    with one_echo(body=1000) as server, httpx.Client(base_url=server.url) as client:
        large = json.dumps({**HELLO, "user": "x" * 2000}).encode()
        assert client.post(CHAT, content=large).status_code == 413
        answer = client.post(CHAT, content=iter([large[:900], large[900:]]))  # in pieces, without a length
        assert answer.status_code == 413 and "1000 bytes" in answer.json()["error"]["message"]
        assert client.post(CHAT, json=HELLO).status_code == 200


def test_a_body_that_does_not_come():
    with one_echo(body_timeout=0.2) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as slow:
            slow.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{")
            assert b"408" in slow.recv(4096).partition(b"\r\n")[0]


def test_a_full_queue_says_when_to_come_back():
    with one_echo(queue=2) as server, httpx.Client(base_url=server.url) as client:
        with client.stream("POST", CHAT, json=WAIT) as first, client.stream("POST", CHAT, json=WAIT) as second:
            pieces = first.iter_bytes(), second.iter_bytes()  # a stream whose iterator is collected is closed
            assert all(next(one) for one in pieces)
            answer = client.post(CHAT, json=HELLO)
            assert answer.status_code == 429 and answer.headers["retry-after"] == "1"
            assert answer.json()["error"]["type"] == "rate_limit_error"
            assert client.get("/health").status_code == 200
        until(lambda: not server.engine("echo").running)
        assert client.post(CHAT, json=HELLO).status_code == 200


def test_requests_of_one_key_at_once():
    with one_echo(keys=("a", "b"), per_key=1) as server, httpx.Client(base_url=server.url) as client:
        mine, yours = {"x-api-key": "a"}, {"x-api-key": "b"}
        with client.stream("POST", CHAT, json=WAIT, headers=mine) as first:
            pieces = first.iter_bytes()
            assert next(pieces)
            assert client.post(CHAT, json=HELLO, headers=mine).status_code == 429
            assert client.post(CHAT, json=HELLO, headers=yours).status_code == 200
        until(lambda: not server.engine("echo").running)
        assert client.post(CHAT, json=HELLO, headers=mine).status_code == 200


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_takes_too_long(stream):
    with one_echo(timeout=0.2) as server, httpx.Client(base_url=server.url) as client:
        answer = client.post(CHAT, json={**WAIT, "stream": stream})
        if stream:
            last = answer.text.strip().split("\n\n")[-1]
            assert (
                answer.status_code == 200
                and "longer than 0.2 seconds" in json.loads(last.removeprefix("data: "))["error"]["message"]
            )
        else:
            assert answer.status_code == 504
        until(lambda: not server.engine("echo").running)


# -- from where -------------------------------------------------------------------------------------------------------
def test_pages_from_elsewhere_are_kept_out_unless_named():
    with one_echo(origins=("https://friend.example",)) as server, httpx.Client(base_url=server.url) as client:
        stranger, friend = {"origin": "https://stranger.example"}, {"origin": "https://friend.example"}
        assert client.post(CHAT, json=HELLO, headers=stranger).status_code == 403
        assert client.options(CHAT, headers=stranger).status_code == 403
        answer = client.post(CHAT, json=HELLO, headers=friend)
        assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == "https://friend.example"
        assert client.options(CHAT, headers=friend).status_code == 204
        assert client.post(CHAT, json=HELLO, headers={"origin": server.url}).status_code == 200, "its own page"


def asked_as(server, host, path="/v1/models", **headers):
    return httpx.get(server.url + path, headers={"host": host, **headers}).status_code


def test_a_page_of_another_name_that_resolves_here_gets_nothing():
    """DNS rebinding: Host and Origin agree, and neither is this server's."""
    with one_echo(hosts=("box.lan",)) as server:
        for host in ("evil.example", f"evil.example:{server.port}", "10.0.0.1", "localhost.evil.example", "127.0.0.1.x"):
            assert asked_as(server, host) == asked_as(server, host, origin=f"http://{host}") == 403
            answer = httpx.post(server.url + CHAT, json=HELLO, headers={"host": host})
            assert answer.status_code == 403 and answer.json()["error"]["code"] == "host_not_allowed"
            assert httpx.options(server.url + CHAT, headers={"host": host, "origin": "http://a"}).status_code == 403
        for host in ("localhost", "LOCALHOST:1", f"127.0.0.1:{server.port}", "127.1.2.3", "[::1]:80", "box.lan:9", "a.localhost"):
            assert asked_as(server, host) == 200, host
        assert asked_as(server, "evil.example", path="/health") == 200, "what checks replicas knows them by other names"
    with one_echo(hosts=("*",)) as server:
        assert asked_as(server, "evil.example") == 200
        assert asked_as(server, "evil.example", origin="http://other.example") == 403


def test_names_where_others_can_reach_the_server():
    open_to_all, keyed = HostNames("0.0.0.0"), HostNames("0.0.0.0", has_keys=True)
    assert open_to_all.allow("192.168.1.5:8080") and open_to_all.allow("[fe80::1]") and open_to_all.allow("127.0.0.1")
    assert not open_to_all.allow("evil.example") and HostNames("0.0.0.0", ["api.lan"]).allow("api.lan")
    assert keyed.allow("anything.example")
    assert not HostNames("127.0.0.1", has_keys=True).allow("evil.example"), "a page has no key, but may be told one"
    assert HostNames("box.lan").allow("box.lan:8080") and HostNames().allow(None)


def test_unknown_paths_and_methods(http):
    assert http.get("/v2/nothing").json()["error"]["message"] == "/v2/nothing does not exist"
    assert http.get(CHAT).status_code == 405
    assert http.get("/v1/models/nobody").status_code == 404


# -- leaving ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_leaves_frees_its_place(server, stream):
    body = json.dumps({**WAIT, "stream": stream}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("POST", CHAT, body)
    until(lambda: server.engine("echo").running)
    connection.close()
    until(lambda: not server.engine("echo").running)
    until(lambda: not server.state.active)


def test_clients_of_completions_with_several_prompts_leave(server):
    body = json.dumps({"model": "echo", "prompt": ["wait", "wait 2"], "max_tokens": 9}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("POST", "/v1/completions", body)
    until(lambda: len(server.state.active) == 2)
    connection.close()
    until(lambda: not server.state.active)


def test_shutting_down_ends_streams_properly():
    with running(echo("echo", TEMPLATES["echo"]), grace=0.3) as server:
        client, said = httpx.Client(base_url=server.url), []

        def read():
            with client.stream("POST", CHAT, json=WAIT) as answer:
                said.extend(answer.iter_lines())

        reader = threading.Thread(target=read)
        reader.start()
        until(lambda: server.engine("echo").running)
        began = time.monotonic()
        server.stop()
        reader.join(5)
        assert time.monotonic() - began < 4
        assert "the server is shutting down" in said[-2] if said[-1] == "" else said[-1]


def test_while_it_drains_health_says_so_and_new_requests_are_refused():
    with running(echo("echo", TEMPLATES["echo"]), grace=20) as server:
        with httpx.stream("POST", server.url + CHAT, json=WAIT) as streaming, httpx.Client(base_url=server.url) as kept:
            lines = streaming.iter_lines()
            assert next(lines) and kept.get("/health").status_code == 200
            server.server.should_exit = True
            until(lambda: server.state.draining)
            for client in (kept, httpx):
                base = "" if client is kept else server.url
                answer = client.get(f"{base}/health")
                assert answer.status_code == 503 and answer.json() == {"status": "draining"}
                answer = client.post(f"{base}{CHAT}", json=HELLO)
                assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
            (stream,) = server.engine("echo").running
            stream.text = "the end"  # of what it waited for
            assert [line for line in lines if line][-1] == "data: [DONE]"
        server.thread.join(5)
        assert not server.thread.is_alive(), "it ends with its last answer"
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/health")


# -- logs, and streams that say nothing --------------------------------------------------------------------------------
def test_logs_have_no_text_of_requests(caplog):
    with one_echo() as server, httpx.Client(base_url=server.url) as client:
        with caplog.at_level("DEBUG", "rlx.serve"):
            client.post(CHAT, json={"model": "echo", "messages": [{"role": "user", "content": "a secret"}]})
            client.post(CHAT, json={"model": "echo", "messages": [{"role": "user", "content": "fail secret"}]})
        assert "POST /v1/chat/completions 200" in caplog.text and "secret" not in caplog.text
        server.state.log_text = True
        with caplog.at_level("INFO", "rlx.serve"):
            client.post(CHAT, json=HELLO)
        assert "prompt: <turn>user:Hello" in caplog.text


def test_a_silent_stream_shows_that_it_lives(monkeypatch):
    from rlx.serve import sse

    monkeypatch.setattr(sse, "PAUSE", 0.05)
    with one_echo() as server, httpx.Client(base_url=server.url) as client:
        body = {**WAIT, "messages": [{"role": "user", "content": "silent"}]}
        with client.stream("POST", CHAT, json=body) as answer:
            assert any(line == ": still here" for line in answer.iter_lines())
