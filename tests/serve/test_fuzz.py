"""Requests that nobody would write: whatever comes, nothing is a 500, and nobody's answer suffers from another's request."""

from __future__ import annotations

import json
import random
import socket
import threading
import time

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlx.generate import Engine
from rlx.generate.results import EngineStats
from rlx.serve.app import schema
from rlx.serve.models import ServedModel
from tests.generate.tiny import attention_model, byte_tokenizer
from tests.serve.serving import TEMPLATES, TestServer, echo, until

POSTS = [path for path, methods in schema()["paths"].items() if "post" in methods]
GOOD = {
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "hi"}]},
    "/v1/completions": {"prompt": "hi"},
    "/completion": {"prompt": "hi"},
    "/v1/responses": {"input": "hi"},
    "/v1/messages": {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 5},
    "/v1/messages/count_tokens": {"messages": [{"role": "user", "content": "hi"}]},
    "/v1/embeddings": {"input": "hi"},
    "/api/chat": {"messages": [{"role": "user", "content": "hi"}]},
    "/api/generate": {"prompt": "hi"},
    "/api/embed": {"input": "hi"},
    "/api/embeddings": {"prompt": "hi"},
    "/api/show": {},
    "/api/pull": {},
    "/tokenize": {"content": "hi"},
    "/detokenize": {"tokens": [1]},
    "/apply-template": {"messages": [{"role": "user", "content": "hi"}]},
}
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**19)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["auto", "user", "text", "json"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "role", "content", "text", "name", "function", "schema", "tools"]) | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("path", POSTS)
def test_any_value_of_any_field_is_an_answer_or_an_error_in_words(http, path):
    fields = sorted(schema()["components"]["schemas"][_request_of(path)]["properties"])

    @settings(suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.sampled_from(fields), VALUES, max_size=3))
    def check(more):
        body = {"model": "echo", **GOOD[path], **more}
        answer = http.post(path, content=json.dumps(body).replace("Infinity", "1e999"))
        assert answer.status_code in (200, 400, 404), (body, answer.text)
        if answer.status_code != 200:
            assert answer.json()["error"]

    check()


def _request_of(path: str) -> str:
    content = schema()["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    return content["schema"]["$ref"].rpartition("/")[2]


OPERATIONS = [f"{method.upper()} {path}" for path, methods in schema()["paths"].items() for method in methods]


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "GET /openapi.json"])
def test_schemathesis_finds_no_500(server, name):
    """All of them take 5 minutes at most."""
    schemathesis = pytest.importorskip("schemathesis")
    described = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations = {f"{one.method.upper()} {one.path}": one for one in (found.ok() for found in described.get_all_operations())}
    assert set(OPERATIONS) - set(operations) == {"GET /openapi.json"}, "the package leaves out where it reads from"
    _check_operation(operations[name], 300 / len(operations))


def _check_operation(operation, seconds: float) -> None:
    """Cases of one endpoint, for some seconds."""
    end = time.monotonic() + seconds

    @settings(max_examples=200, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(), model=st.sampled_from(["tiny", "echo", "echo-hermes", "echo-think", None]))
    def check(case, model):
        if time.monotonic() > end:
            return
        if model is not None and isinstance(case.body, dict):
            case.body["model"] = model
        answer = case.call(timeout=30)
        assert answer.status_code < 500, (case.method, case.path, case.body, answer.text)

    check()


# -- faults ----------------------------------------------------------------------------------------------------------------
def flood(server: TestServer, count: int, clients: int, seed: int = 0) -> dict[str, int]:
    """Requests of many clients at once: whole and streamed ones, ones that leave, and malformed ones. Every answer must be its own."""
    kinds: dict[str, int] = {}
    wrong: list[str] = []
    lock, left = threading.Lock(), iter(range(count))

    def client(number: int) -> None:
        draw = random.Random(seed * 1000 + number)
        with httpx.Client(base_url=server.url, timeout=60) as http:
            while True:
                with lock:
                    place = next(left, None)
                if place is None:
                    return
                try:
                    kind = one(http, draw, f"answer {place} " + "x" * draw.randint(0, 60))
                except Exception as error:
                    wrong.append(repr(error))
                    kind = "failed"
                with lock:
                    kinds[kind] = kinds.get(kind, 0) + 1

    def one(http: httpx.Client, draw: random.Random, text: str) -> str:
        body = {"model": "echo", "messages": [{"role": "user", "content": text}]}
        chance = draw.random()
        if chance < 0.05:
            answer = http.post("/v1/chat/completions", content=json.dumps(body)[: draw.randint(0, 40)])
            assert answer.status_code == 400, answer.text
            return "malformed"
        if chance < 0.35:
            data = json.dumps({**body, "stream": draw.random() < 0.5}).encode()
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(data)}\r\n\r\n".encode()
                sent = (head + data)[: draw.choice([len(head), len(head) + 10, 10**6])]
                connection.sendall(sent)
                if draw.random() < 0.5:
                    connection.settimeout(5)
                    if len(sent) > len(head) + 10:
                        connection.recv(200)
            return "left"
        if chance < 0.7:
            answer = http.post("/v1/chat/completions", json=body).json()
            assert answer["choices"][0]["message"]["content"] == text, answer
            return "whole"
        lines = http.post("/v1/chat/completions", json={**body, "stream": True}).text.split("\n\n")
        assert lines[-2] == "data: [DONE]", lines[-3:]
        events = [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]
        assert "".join(event["choices"][0]["delta"].get("content", "") for event in events) == text
        return "streamed"

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    return kinds


def check_flood(count: int, clients: int) -> None:
    server = TestServer([echo("echo", TEMPLATES["echo"])]).start()
    try:
        kinds = flood(server, count, clients)
        assert sum(kinds.values()) == count and set(kinds) == {"malformed", "left", "whole", "streamed"}
        until(lambda: not server.state.active and not server.engine("echo").running)
        assert httpx.get(f"{server.url}/health").json() == {"status": "ok"}
    finally:
        server.stop()


def test_clients_that_leave_or_send_nonsense_hurt_nobody():
    check_flood(300, 8)


@pytest.mark.long
def test_many_clients_that_leave_or_send_nonsense_hurt_nobody():
    check_flood(4000, 32)


# -- faults of clients, on a real engine ----------------------------------------------------------------------------------
def check_engine(count: int, clients: int, pages: int) -> EngineStats:
    """Requests to a model of random weights in few pages: each answer is the one of its solo run; those who leave free their pages."""
    model = attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATES["echo"]))
    whole = Engine(model)
    whole.prepare()
    engine = Engine(model, memory=pages * whole.stats().page_bytes)
    prompts = [f"{number} " + "word " * (number % 9) for number in range(40)]
    settings = [{"max_tokens": 5 + number % 40, "temperature": 0.8 * (number % 3), "seed": number} for number in range(40)]
    alone = [whole.generate(prompt, **each).text for prompt, each in zip(prompts, settings, strict=True)]
    whole.close()
    server = TestServer([ServedModel("tiny", model, engine)]).start()
    wrong: list[str] = []
    lock, left = threading.Lock(), iter(range(count))

    def client(name: int) -> None:
        draw = random.Random(name)
        with httpx.Client(base_url=server.url, timeout=120) as http:
            while True:
                with lock:
                    place = next(left, None)
                if place is None:
                    return
                which = place % 40
                body = {"model": "tiny", "prompt": prompts[which], **settings[which]}
                try:
                    if draw.random() < 0.3:
                        with http.stream("POST", "/v1/completions", json={**body, "stream": True}) as answer:
                            pieces = answer.iter_bytes()
                            for _ in range(draw.randint(0, 3)):
                                next(pieces, None)
                        continue
                    answer = http.post("/v1/completions", json=body)
                    text = answer.json()["choices"][0]["text"]
                    if text != alone[which]:
                        wrong.append(f"{which}: {text!r} instead of {alone[which]!r}")
                except Exception as error:
                    wrong.append(repr(error))

    threads = [threading.Thread(target=client, args=(name,)) for name in range(clients)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong, wrong[:3]
        until(lambda: not server.state.active)
        until(lambda: engine.stats().pages_used == 0 and engine.stats().running == 0)
        return engine.stats()
    finally:
        server.stop()


def test_in_few_pages_answers_are_those_of_solo_runs_and_who_leaves_frees_them():
    check_engine(120, 8, pages=12)


@pytest.mark.long
def test_many_answers_in_few_pages_are_those_of_solo_runs():
    assert check_engine(2000, 24, pages=16).preemptions > 0
