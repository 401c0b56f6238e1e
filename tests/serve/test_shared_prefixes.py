"""Who shares what is computed of a prompt's beginning: nobody is told what prompts another key has sent."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from rlx.core.errors import RlxError
from rlx.serve.limits import ServeLimits, read_groups
from tests.serve.serving import TestServer, running, tiny

SECRET = "The code is 8841 and the meeting is on Tuesday"
KEYS = ("AAAA", "BBBB", "CCCC")


def sent(server: TestServer, key: str | None, path: str = "/v1/completions", **more: Any) -> tuple[str, int]:
    """The text, and how many tokens of the prompt were known."""
    asked = {"model": "tiny", "prompt": SECRET} if path == "/v1/completions" else {"model": "tiny"}
    body = {**asked, "max_tokens": 4, "temperature": 0, **more}
    answer = httpx.post(server.url + path, json=body, headers={} if key is None else {"x-api-key": key}, timeout=30)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    choice = found["choices"][0]
    return choice.get("text") or choice["message"]["content"], found["usage"]["prompt_tokens_details"]["cached_tokens"]


def test_a_key_is_not_told_what_another_key_sent() -> None:
    with running(tiny(), limits=ServeLimits(keys=KEYS)) as server:
        first, again, other = sent(server, "AAAA"), sent(server, "AAAA"), sent(server, "BBBB")
        assert first[1] == 0 and again[1] > 32 and other[1] == 0
        assert sent(server, "BBBB")[1] > 32, "within one key all is as before"
        assert first[0] == again[0] == other[0]


def test_keys_of_a_group_share() -> None:
    with running(tiny(), limits=ServeLimits(keys=KEYS, groups=read_groups(["1,3"], 3))) as server:
        assert sent(server, "AAAA")[1] == 0 and sent(server, "CCCC")[1] > 32 and sent(server, "BBBB")[1] == 0
    with running(tiny(), limits=ServeLimits(keys=KEYS, groups=read_groups(["all"], 3))) as server:
        assert sent(server, "AAAA")[1] == 0 and sent(server, "BBBB")[1] > 32


def test_without_keys_all_share() -> None:
    with running(tiny()) as server:
        assert sent(server, None)[1] == 0 and sent(server, None)[1] > 32


def test_a_salt_of_the_request_keeps_it_apart() -> None:
    """By vLLM's name; also within one key and within a group."""
    with running(tiny(), limits=ServeLimits(keys=KEYS, groups=read_groups(["all"], 3))) as server:
        plain = sent(server, "AAAA")
        salted = [sent(server, key, cache_salt=salt) for key, salt in (("AAAA", "x"), ("AAAA", "x"), ("BBBB", "x"), ("AAAA", "y"))]
        assert [cached > 32 for _, cached in salted] == [False, True, True, False]
        assert {text for text, _ in salted} == {plain[0]}
        chat = {"path": "/v1/chat/completions", "messages": [{"role": "user", "content": SECRET}]}
        assert [sent(server, "AAAA", cache_salt=salt, **chat)[1] > 32 for salt in "pqp"] == [False, False, True]
        for wrong in ("", "x" * 1025, 5):
            answer = httpx.post(
                f"{server.url}/v1/completions",
                json={"model": "tiny", "prompt": "a", "cache_salt": wrong},
                headers={"x-api-key": "AAAA"},
            )
            assert answer.status_code == 400 and "cache_salt" in answer.text


@pytest.mark.parametrize(
    "texts, message",
    [
        (["1,4"], "'4' is not the number of a key; there are 3 keys"),
        (["0"], "'0' is not the number"),
        (["AAAA"], "'AAAA' is not the number"),
        (["1,2", "2,3"], "key 2 is in two groups"),
        (["all", "1"], "key 1 is in two groups"),
    ],
)
def test_groups_that_mean_nothing_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(RlxError, match=message):
        read_groups(texts, 3)
