"""/completion in the words of llama.cpp's server: its fields, its stream, why a text ended."""

from __future__ import annotations

import json

import pytest

PROMPT = "The end of a tale"


def ask(http, **more):
    answer = http.post("/completion", json={"model": "echo", "prompt": PROMPT, **more})
    assert answer.status_code == 200, answer.text
    return answer


def test_a_text_and_its_numbers(http, server):
    found = ask(http, n_predict=100, repeat_penalty=1.2, cache_prompt=True, id_slot=-1).json()
    assert found["content"] == PROMPT == found["prompt"] and found["stop"] is True
    assert found["tokens_evaluated"] == len(PROMPT) == found["timings"]["prompt_n"]
    sampling = server.engine("echo").asked[-1][1]
    assert (sampling.max_tokens, sampling.repetition_penalty) == (100, 1.2)


@pytest.mark.parametrize(
    "more, kind, word, text",
    [({}, "eos", "", PROMPT), ({"n_predict": 3}, "limit", "", "The"), ({"stop": ["of"]}, "word", "of", "The end ")],
)
def test_why_a_text_ended_and_the_same_in_a_stream(http, more, kind, word, text):
    whole = ask(http, **more).json()
    assert (whole["content"], whole["stop_type"], whole["stopping_word"]) == (text, kind, word)
    streamed = ask(http, stream=True, **more).text
    events = [json.loads(one.removeprefix("data: ")) for one in streamed.split("\n\n") if one]
    assert "".join(one["content"] for one in events) == text and "[DONE]" not in streamed
    assert [one["stop"] for one in events] == [False] * (len(events) - 1) + [True]
    assert (events[-1]["stop_type"], events[-1]["stopping_word"]) == (kind, word)


@pytest.mark.parametrize("stream", [False, True])
def test_probabilities_of_tokens(http, stream):
    answer = ask(http, model="tiny", prompt=list(b"abc"), n_predict=4, n_probs=2, ignore_eos=True, stream=stream)
    parts = [json.loads(one[6:]) for one in answer.text.split("\n\n") if one] if stream else [answer.json()]
    tokens = [token for part in parts for token in part.get("completion_probabilities", ())]
    assert len(tokens) == 4 and all(len(token["top_logprobs"]) == 2 for token in tokens)
    assert "".join(token["token"] for token in tokens) == "".join(part["content"] for part in parts)


def test_a_prompt_of_ids_is_the_same_as_its_text(http):
    made = [ask(http, model="tiny", prompt=one, n_predict=5).json()["content"] for one in ("abc", list(b"abc"), ["abc"])]
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize(
    "more, said",
    [
        ({"n": 2}, "n is not supported"),
        ({"n_probs": 21}, "n_probs"),
        ({"prompt": ["a", "b"]}, "several"),
        ({"mirostat": 1}, "mirostat"),
    ],
)
def test_what_cannot_be_obeyed_is_refused(http, more, said):
    answer = http.post("/completion", json={"model": "tiny", "prompt": "abc", **more})
    assert answer.status_code == 400 and said in answer.json()["error"]["message"]
