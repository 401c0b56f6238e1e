"""A conversation whose rendering takes too long or too much memory fails alone; others are answered meanwhile and afterwards."""

from __future__ import annotations

import threading

import httpx
import pytest

from rlx.generate import template as templates
from tests.serve.serving import PLAIN, echo, running

LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
TEMPLATE = (
    "{% if messages[0].content == 'time' %}" + LOOPS + "{% elif messages[0].content == 'memory' %}{{ 'x' * 10000000000 }}"
    "{% elif messages[0].content == 'stack' %}{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"
    "{% elif messages[0].content == 'output' %}{% for i in range(20) %}{{ 'x' * 1000000 }}{% endfor %}{% endif %}" + PLAIN
)
CAUSES = {"time": "ran longer than", "memory": "takes too much memory", "stack": "RecursionError", "output": "writes 20000"}


@pytest.fixture
def client():
    with running(echo("model", TEMPLATE)) as server, httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


def asked(client, text, path="/v1/chat/completions"):
    return client.post(path, json={"model": "model", "messages": [{"role": "user", "content": text}]})


@pytest.mark.parametrize("text", CAUSES)
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/tokenize"])
def test_the_request_alone_fails_and_names_the_template(client, text, path):
    answer = asked(client, text, path)
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "template_failed"
    assert f"the chat template {CAUSES[text]}" in answer.json()["error"]["message"].replace("fails: ", "")
    assert asked(client, "hello").json()["choices"][0]["message"]["content"] == "hello"


def test_a_slow_rendering_delays_no_other_request(client):
    for count in (1, 2):
        templates.start_worker(count=count)
    assert asked(client, "hello").status_code == 200
    ends = []
    slow = threading.Thread(target=lambda: ends.append(asked(client, "time").status_code))
    slow.start()
    while len(templates._workers._idle) > 1 and not ends:
        pass
    assert asked(client, "hello").status_code == 200
    ends.append(200)
    slow.join()
    assert ends == [200, 400]
