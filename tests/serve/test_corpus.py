"""Every request that twelve clients made, as recorded from their packages, is answered (`record_clients.py` records them)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rlx.generate.grammar_state import grammar_state
from tests.serve.clients.table import CLIENTS
from tests.serve.recording import expanded, shortened
from tests.serve.scripted import called, scripted
from tests.serve.serving import running

FILES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).with_name("corpus").glob("*.json"))}
TOOL_CLIENTS = (
    *("claude_code", "cline", "codex", "continue", "langchain", "litellm", "llama_index", "ollama_python"),
    *("open_webui", "sillytavern"),
)
ALL_KINDS = frozenset({"first", "stream", "tools", "result", "history"})
KINDS = {
    **dict.fromkeys(TOOL_CLIENTS, ALL_KINDS),
    "aider": frozenset({"stream", "history"}),  # it edits by texts; its first turn begins with examples of answers
    "lm_eval": frozenset({"first", "history"}),  # it has no tools, and does not stream
}
SETTINGS_OF_OTHERS = {  # SillyTavern sends the settings of all servers that it knows
    *("api_server", "api_type", "include_reasoning", "max_new_tokens", "max_tokens_second", "min_length", "num_ctx"),
    *("rep_pen", "rep_pen_range", "rep_pen_slope", "repetition_penalty_range", "stopping_strings", "truncation_length"),
}
NAMED = {  # what the header says is ignored
    "codex": {"tools[] (namespace)", "tools[] (web_search)"},
    "litellm": {"messages[].provider_specific_fields"},
    "ollama_python": {"keep_alive"},  # 0 with nothing to answer: unload
    "open_webui": {"keep_alive", "num_batch", "num_ctx", "num_keep", "use_mmap"},  # Ollama's settings for all
    "sillytavern": SETTINGS_OF_OTHERS,
}


def _last_tool(prompt: str) -> str:
    return str(re.findall(r'"name": ?"([\w-]+)"', prompt.partition("<end>")[0])[-1])


def _call(prompt: str) -> str:
    """A call of the tool that is described last."""
    return f"I ask.\n{called(_last_tool(prompt), city='Oslo')}"


@pytest.fixture(scope="module")
def served() -> Iterator[Any]:
    model = scripted("scripted", [_call, "Rain."])
    with running(model) as server, httpx.Client(base_url=server.url, timeout=60) as client:
        yield client, model


def items(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages, items and blocks of a conversation."""
    given = body.get("messages", body.get("input"))
    found = []
    for item in given if isinstance(given, list) else []:
        found.append(item)
        content = item.get("content")
        found += [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return found


def kinds(path: str, body: dict[str, Any]) -> set[str]:
    """What a request is."""
    said = [item for item in items(body) if item.get("role") == "assistant"]
    found = {"history"} if said or "{{text" in str(body.get("prompt")) else {"first"}
    found |= {"result"} if list(results(body)) else set()
    found |= {"stream"} if body.get("stream", path.startswith("/api/")) else set()
    return found | ({"tools"} if body.get("tools") else set())


def results(body: dict[str, Any]) -> Iterator[str]:
    """The texts of results of tools."""
    for item in items(body):
        if item.get("role") == "tool" or item.get("type") in ("tool_result", "function_call_output"):
            content = item.get("content", item.get("output"))
            parts = content if isinstance(content, list) else [content]
            yield from (part if isinstance(part, str) else part["text"] for part in parts if part)


def check_end(path: str, text: str) -> None:
    """A stream comes to its end."""
    if path.startswith("/api/"):
        assert json.loads(text.splitlines()[-1])["done"] is True
        return
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    assert not any("error" in one and one["error"] for one in events), text[-500:]
    if "/messages" in path:
        assert events[-1]["type"] == "message_stop"
    elif path == "/completion":
        assert events[-1]["stop"] is True
    elif "/responses" in path:
        assert events[-1]["type"] == "response.completed" and not events[-1]["response"]["error"]
    else:
        assert text.rstrip().endswith("data: [DONE]")


REQUESTS = [
    pytest.param(name, number, id=f"{name}-{number}-{one['path'].partition('?')[0].strip('/').replace('/', '-')}")
    for name, file in FILES.items()
    for number, one in enumerate(file["requests"])
]


@pytest.mark.parametrize("name, number", REQUESTS)
def test_a_request_is_answered(served, name, number):
    client, model = served
    request = FILES[name]["requests"][number]
    path, body = request["path"], expanded(request["body"])
    before = len(model.engine.asked)
    answer = client.request(request["method"], path, json=body, headers=request["headers"])
    assert answer.status_code == 200, answer.text
    ignored = set(filter(None, answer.headers.get("x-rlx-ignored", "").split(", ")))
    named = NAMED.get(name, set())
    assert ignored <= named, ignored
    assert path.startswith("/api/") or {one for one in named if body.get(one) is not None} <= ignored
    if "stream" in kinds(path, body) and len(answer.text.splitlines()) > 1:
        check_end(path, answer.text)
    if len(model.engine.asked) == before:
        return
    prompt, sampling = model.engine.asked[-1]
    for text in results(body):
        assert text in prompt
    if body.get("tools") and not list(results(body)) and body.get("tool_choice") != "none":
        assert re.search(rf'"name": ?"{_last_tool(prompt)}"', answer.text)
    if sampling.grammar is not None:
        grammar_state(sampling, model.model.tokenizer, frozenset())


@pytest.mark.parametrize("name", KINDS)
def test_the_corpus_has_all_kinds_of_requests(name):
    found: set[str] = set()
    for one in FILES[name]["requests"]:
        found |= kinds(one["path"], one["body"])
    assert found >= KINDS[name], KINDS[name] - found


def test_few_are_refused_and_every_name_that_is_ignored_was_sent():
    assert set(FILES) == set(KINDS) == set(CLIENTS)
    for name, ignored in NAMED.items():
        text = json.dumps(FILES[name]["requests"])
        for one in ignored:
            assert re.findall(r"\w+", one)[-1] in text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(one)


@pytest.mark.parametrize("name", FILES)
def test_the_corpus_has_no_texts_of_others(name):
    own = CLIENTS[name].own
    for one in FILES[name]["requests"]:
        assert shortened(one["body"], own) == one["body"]
        assert max(map(len, _texts(one))) <= 1000


def test_texts_of_others_are_marks_of_the_same_length():
    text = "You are a most helpful assistant. " * 9
    body = {"messages": [{"content": text}, {"content": "own words are not touched at all"}], "tools": ["x"]}
    short = shortened(body, own=("own words are not touched at all",))
    assert short["messages"][0] == {"content": "{{text 306}}"} and short["messages"][1:] == body["messages"][1:]
    assert len(expanded(short)["messages"][0]["content"]) == len(text)
