"""Settings where the caller gives none: texts are greedy, conversations are not, and a model's own settings come before both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.generate.sampler import Sampler
from rlx.generate.sampling_settings import Sampling, chat_sampling, default_sampling
from rlx.generate.text import TextStream
from tests.generate.tiny import END, EOS, TURN, attention_logits, attention_model, byte_tokenizer, greedy

OWN: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({}, {}, {"temperature": 0.7, "top_p": 0.9, "min_p": 0.05}),
    ({"eos_token_id": 3}, {}, {"temperature": 0.7, "top_p": 0.9, "min_p": 0.05}),
    ({"do_sample": False, "temperature": 0.6}, {}, {}),
    ({"do_sample": True, "temperature": 0.6, "top_k": 20}, {"temperature": 0.6, "top_k": 20}, {"temperature": 0.6, "top_k": 20}),
    ({"do_sample": True}, {"temperature": 1.0}, {"temperature": 1.0}),
]


@pytest.mark.parametrize(("generation", "texts", "chats"), OWN, ids=lambda part: str(part))
def test_a_models_own_settings_come_first(generation, texts, chats):
    model = attention_model(generation=generation)
    assert default_sampling(model) == Sampling(**texts)
    assert chat_sampling(model) == Sampling(**chats)


def test_an_engine_chats_with_the_one_and_continues_with_the_other():
    engine = Engine(attention_model())
    assert engine.stream("hi")._request.sampling.is_greedy
    assert engine.stream_chat("hi")._request.sampling.temperature == 0.7
    assert engine.submit([{"role": "user", "content": "hi"}])._request.sampling.temperature == 0.7
    assert engine.stream_chat("hi", temperature=0)._request.sampling.is_greedy, "an explicit value wins"
    assert engine.stream_chat("hi", Sampling(top_k=3))._request.sampling.is_greedy, "so do explicit settings"


def test_before_min_tokens_no_end_token_is_drawn():
    sampler = Sampler(Sampling(min_tokens=2), ends=frozenset({1}))
    logits = np.array([1.0, 9.0, 0.0], np.float32)
    drawn = []
    for _ in range(3):
        drawn.append(sampler.choose(logits).id)
        sampler.accept(drawn[-1])
    assert drawn == [0, 0, 1]
    with pytest.raises(RlxError, match="min_tokens is -1"):
        Sampling(min_tokens=-1)


def test_the_engine_passes_its_end_tokens_on_to_min_tokens():
    wanted = greedy(attention_logits, list(b"abc"), 12)
    engine = Engine(attention_model())
    first = wanted[0]
    assert engine.generate("abc", max_tokens=12, stop_ids=(first,)).ids == ()
    found = engine.generate("abc", max_tokens=12, stop_ids=(first,), min_tokens=4)
    assert len(found.ids) >= 4 and first not in found.ids


def test_before_min_tokens_no_stop_text_is_looked_for():
    stream = TextStream(byte_tokenizer(), ("b",), min_tokens=3)
    assert [stream.feed(token) for token in b"abab"] == ["a", "b", "a", ""]
    assert stream.stopped == "b" and stream.text == "aba"


def test_special_tokens_are_text_only_where_asked_for():
    stream = TextStream(byte_tokenizer(), shown=(TURN,))
    assert "".join(stream.feed(token) for token in (ord("a"), TURN, END, EOS, ord("b"))) + stream.finish() == "a<turn>b"
