"""Ollama's endpoints: lines of JSON, options, tools, thoughts."""

from __future__ import annotations

import json

import pytest

from tests.serve.test_tools import TEXTS, TOOLS

HELLO = [{"role": "user", "content": "Hello"}]


def lines(http, path, **body):
    answer = http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return [json.loads(one) for one in answer.text.splitlines()]


def test_a_streamed_chat(http):
    found = lines(http, "/api/chat", model="echo:latest", messages=HELLO)
    assert "".join(one["message"]["content"] for one in found) == "Hello"
    assert [one["done"] for one in found[:-1]] == [False] * (len(found) - 1)
    last = found[-1]
    assert last["done"] and last["done_reason"] == "stop" and last["eval_count"] == 5 and last["prompt_eval_count"] > 5


def test_a_whole_chat(http):
    found = http.post("/api/chat", json={"model": "echo", "messages": HELLO, "stream": False}).json()
    assert found["message"] == {"role": "assistant", "content": "Hello"} and found["done"]


def test_tools_and_thoughts(http):
    text, shown, calls = TEXTS["hermes"][0]
    body = {"model": "echo-hermes", "messages": [{"role": "user", "content": text}], "tools": TOOLS}
    whole = http.post("/api/chat", json={**body, "stream": False}).json()["message"]
    assert [(one["function"]["name"], one["function"]["arguments"]) for one in whole["tool_calls"]] == calls
    streamed = [call for one in lines(http, "/api/chat", **body) for call in one["message"].get("tool_calls", ())]
    assert streamed == whole["tool_calls"] and whole["content"] == shown
    thinking = lines(
        http, "/api/chat", model="echo-think", messages=[{"role": "user", "content": "a</think>b"}], think=True
    )
    assert "".join(one["message"].get("thinking", "") for one in thinking) == "a"


def test_generate(http, server):
    options = {
        "temperature": 0.1,
        "num_predict": 40,
        "repeat_penalty": 1.2,
        "repeat_last_n": 8,
        "stop": ["zz"],
        "num_ctx": 64,
    }
    found = lines(http, "/api/generate", model="echo", prompt="Hello", system="Be kind.", options=options)
    assert "".join(one["response"] for one in found) == "Hello"
    sampling = server.engine("echo").asked[-1][1]
    assert (sampling.temperature, sampling.max_tokens, sampling.repetition_penalty) == (0.1, 40, 1.2)
    assert sampling.penalty_window == 8 and sampling.stop == ("zz",)
    raw = http.post("/api/generate", json={"model": "echo", "prompt": "raw text", "raw": True, "stream": False}).json()
    assert raw["response"] == "raw text"


def test_tags_and_version(http):
    assert "tiny" in [one["name"] for one in http.get("/api/tags").json()["models"]]
    assert http.get("/api/version").json()["version"]


@pytest.mark.parametrize(
    "more",
    [
        {"options": {"mirostat": 2}},
        {"options": {"repeat_penalty": 1e300}},
        {"options": {"temprature": 1}},
        {"format": "xml"},
        {"messages": [{"role": "user", "content": "", "images": ["x"]}]},
        {"options": {"tfs_z": 0.5}},
    ],
)
def test_what_cannot_be_obeyed_is_refused(http, more):
    answer = http.post("/api/chat", json={"model": "echo", "messages": HELLO, **more})
    assert answer.status_code == 400 and isinstance(answer.json()["error"], str)
