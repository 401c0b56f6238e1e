"""What requests hold that is not obeyed: ignored by name, in the log once and in a header; a strict server refuses it (decision 0024)."""

from __future__ import annotations

import httpx
import pytest

from rlx.serve import fields
from tests.serve.serving import TEMPLATES, echo, running

CHAT, HEADER = "/v1/chat/completions", "x-rlx-ignored"
USER = {"role": "user", "content": "Hello"}


def posted(http, path, **more):
    answer = http.post(path, json={"model": "echo", **more})
    assert answer.status_code == 200, answer.text
    return answer


def test_unknown_fields_are_named_in_a_header(http):
    body = {"messages": [{**USER, "mood": "good"}, {**USER, "mood": "bad"}], "nonsense": 1, "nothing": None}
    for stream in (False, True):
        answer = posted(http, CHAT, **body, stream=stream)
        assert answer.headers[HEADER] == "nonsense, messages[].mood"
    assert HEADER not in posted(http, CHAT, messages=[USER], user="me").headers


def test_a_name_is_logged_once(http, caplog, monkeypatch):
    monkeypatch.setattr(fields, "_logged", set())
    with caplog.at_level("WARNING", "rlx.serve"):
        for _ in range(3):
            posted(http, CHAT, messages=[{**USER, "mood": "good"}] * 2)
    assert caplog.text.count("messages[].mood") == 1


def test_names_cannot_break_the_header(http):
    name = "bad\r\nset-cookie: a=b, \u2603" + "x" * 300
    header = posted(http, CHAT, messages=[USER], **{name: 1}).headers[HEADER]
    assert header.startswith("bad??set-cookie: a=b? ?xx") and len(header) == 100
    header = posted(http, CHAT, messages=[USER], **{f"n{number}": 1 for number in range(50)}).headers[HEADER]
    assert header.endswith("n39, and 10 more")


NAMED = {
    "/v1/chat/completions": (
        {"messages": [USER], "store": True, "verbosity": "low", "tools": [{"type": "custom", "custom": {"name": "x"}}]},
        "store, verbosity, tools[] (custom)",
    ),
    "/v1/responses": (
        {
            "input": [{"type": "item_reference", "id": "x"}, {"role": "user", "content": "Hello", "extra": 1}],
            "truncation": "auto",
            "text": {"verbosity": "high"},
            "tools": [{"type": "web_search", "external_web_access": True}, {"type": "namespace", "name": "n"}],
        },
        "truncation, text.verbosity, tools[] (web_search), tools[] (namespace), input[] (item_reference), input[].extra",
    ),
    "/v1/messages": (
        {
            "max_tokens": 20,
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello", "extra": 1}]}],
            "tools": [{"type": "bash_20250124", "name": "bash"}],
        },
        "tools[] (bash_20250124), messages[].content[].extra",
    ),
    "/api/chat": ({"messages": [USER], "stream": False, "nonsense": 1}, "nonsense"),
    "/tokenize": ({"content": "x", "nonsense": 1}, "nonsense"),
}


@pytest.mark.parametrize("path", NAMED)
def test_what_is_ignored_is_named_and_a_strict_server_refuses_it(http, path):
    body, names = NAMED[path]
    assert posted(http, path, **body).headers[HEADER] == names
    with running(echo("echo", TEMPLATES["echo"]), strict=True) as server, httpx.Client(base_url=server.url) as client:
        answer = client.post(path, json={"model": "echo", **body})
        assert answer.status_code == 400 and HEADER not in answer.headers
        assert names.partition("[")[0].partition(".")[0].partition(",")[0] in answer.text


def test_a_strict_server_takes_what_it_knows():
    with running(echo("echo", TEMPLATES["echo"]), strict=True) as server, httpx.Client(base_url=server.url) as client:
        assert client.post(CHAT, json={"messages": [USER], "user": "me", "store": False}).status_code == 200
        answer = client.post(CHAT, json={"messages": [USER], "temperatur": 1})
        assert answer.status_code == 400 and "temperature" in answer.json()["error"]["message"]


# -- histories as libraries keep them ----------------------------------------------------------------------------------
HISTORIES = {
    "openai": {
        "content": "x", "role": "assistant", "refusal": None, "annotations": [], "audio": None, "function_call": None,
        "tool_calls": None,
    },
    "litellm": {
        "content": "x", "role": "assistant", "tool_calls": None, "function_call": None, "images": [], "annotations": [],
        "provider_specific_fields": {"refusal": None}, "thinking_blocks": [{"type": "thinking", "thinking": "Hm"}],
    },
    "openrouter": {"role": "assistant", "content": "x", "reasoning": "Hm", "reasoning_details": [{"type": "reasoning.text"}]},
    "a web page": {"role": "assistant", "content": "x", "id": "m1", "timestamp": 1, "is_error": False, "done": True},
    "langchain": {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "Hm", "signature": ""}, {"type": "text", "text": "x", "index": 0}],
    },
    "parts that are texts": {"role": "assistant", "content": ["x"]},
    "nothing said": {"role": "assistant", "content": None, "tool_calls": []},
}  # fmt: skip


@pytest.mark.parametrize("name", HISTORIES)
def test_histories_that_libraries_dump_come_back_in(http, server, name):
    posted(http, CHAT, messages=[USER, HISTORIES[name], USER])
    said = "" if name == "nothing said" else "x"
    assert f"<turn>assistant:{said}<end>" in server.engine("echo").asked[-1][0]


CALLS = {
    "no JSON": ({"function": {"name": "f", "arguments": '{"a": 1'}}, r'{"arguments": "{\"a\": 1"}'),
    "no object": ({"function": {"name": "f", "arguments": "[1]"}}, '{"arguments": "[1]"}'),
    "an object": ({"function": {"name": "f", "arguments": {"a": 1}}, "index": 0, "type": "function"}, '{"a": 1}'),
    "nothing": ({"function": {"name": "f", "arguments": ""}, "provider_specific_fields": {}}, "{}"),
    "custom": ({"type": "custom", "custom": {"name": "f", "input": "ls"}}, '{"input": "ls"}'),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_went_wrong_come_back_in(http, server, name):
    call, shown = CALLS[name]
    history = [USER, {"role": "assistant", "content": None, "tool_calls": [{"id": "c", **call}]}]
    posted(http, CHAT, messages=[*history, {"role": "tool", "tool_call_id": "c", "content": "bad"}])
    assert f'{{"name": "f", "arguments": {shown}}}' in server.engine("echo").asked[-1][0]


def test_the_older_form_of_calls_comes_back_in(http, server):
    called = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    posted(http, CHAT, messages=[USER, called, {"role": "function", "name": "f", "content": "two"}])
    text = server.engine("echo").asked[-1][0]
    assert '{"name": "f", "arguments": {}}' in text and "<tool_response>\ntwo\n" in text


def test_custom_calls_of_responses_come_back_in(http, server):
    items = [
        {"role": "user", "content": "Hello"},
        {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "done"},
        {"type": "web_search_call", "id": "w", "status": "completed"},
    ]
    assert posted(http, "/v1/responses", input=items).headers[HEADER] == "input[] (web_search_call)"
    assert '{"name": "patch", "arguments": {"input": "*** Begin"}}' in server.engine("echo").asked[-1][0]
