"""Grammars in the engine: single texts, batches, streams, drafts."""

from __future__ import annotations

import json
import re

import pytest

from rlx.core.errors import RlxError
from rlx.generate import Engine, LookupDrafter, json_schema, regex
from rlx.generate.engine.step_runner import PagedRunner
from rlx.generate.grammar_state import MOST_FORCED
from tests.generate.tiny import attention_model, byte_tokenizer, recurrent_model

pytest.importorskip("llguidance")
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "n": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["ok", "n"],
    "additionalProperties": False,
}
MODELS = pytest.mark.parametrize("make", [attention_model, recurrent_model])


@MODELS
def test_texts_follow_their_grammar_greedy_and_drawn(make):
    engine = Engine(make())
    grammar = json_schema(SCHEMA, compact=True)
    for settings in ({}, {"temperature": 1.0, "seed": 3}, {"temperature": 1.0, "seed": 4, "top_p": 0.8}):
        found = engine.generate("ab", grammar=grammar, max_tokens=60, **settings)
        assert found.finish == "stop" and list(json.loads(found.text)) == ["ok", "n"]
    assert "".join(engine.stream("ab", grammar=grammar, max_tokens=60)) == engine.generate("ab", grammar=grammar).text


@MODELS
def test_batches_write_what_each_writes_alone(make):
    engine = Engine(make())
    prompts = ["a", "bcd", "xy"]
    alone = [engine.generate(prompt, grammar=regex("[a-f]{2,5}!"), max_tokens=20).text for prompt in prompts]
    assert [found.text for found in engine.generate(prompts, grammar=regex("[a-f]{2,5}!"), max_tokens=20)] == alone
    assert all(re.fullmatch("[a-f]{2,5}!", text) for text in alone)


@MODELS
def test_drafts_write_the_same_text(make):
    model = make()
    plain = Engine(model).generate("abab", grammar=regex("(ab|cd){4,9}"), max_tokens=40)
    drafted = Engine(model, draft=LookupDrafter()).generate("abab", grammar=regex("(ab|cd){4,9}"), max_tokens=40)
    assert plain.ids == drafted.ids and re.fullmatch("(ab|cd){4,9}", plain.text)


def test_stops_and_limits_still_end_a_text():
    engine = Engine(attention_model())
    assert engine.generate("a", grammar=regex("[x-z]{50}"), max_tokens=7).finish == "length"
    found = engine.generate("a", grammar=regex("abc[d-f]{9}"), stop="bc", max_tokens=30)
    assert (found.text, found.finish) == ("a", "stop")


def test_ignore_eos_ends_when_the_grammar_does():
    found = Engine(attention_model()).generate("a", grammar=regex("[a-c]{0,6}"), ignore_eos=True, max_tokens=30)
    assert found.finish == "stop" and len(found.text) == 6


def test_an_answer_keeps_the_space_its_grammar_wants():
    engine = Engine(attention_model(tokenizer=byte_tokenizer(strips_space=True)))
    assert engine.chat("hi", grammar=regex(" [ab]c"), max_tokens=9).text[0] == " "


def test_a_bad_grammar_is_refused_before_anything_runs():
    with pytest.raises(RlxError, match=r"RLX905[\s\S]*unclosed group"):
        Engine(attention_model()).stream("a", grammar=regex("a("))


@MODELS
def test_nobody_waits_long_for_a_grammar_that_leaves_no_choice(make, monkeypatch):
    """A text of 80 forced tokens comes in several steps, and another's text goes on in each of them."""
    engine, sizes, original = Engine(make()), [], PagedRunner.run

    def run(self, parts):
        sizes.append(max(len(part.tokens) for part in parts))
        return original(self, parts)

    other = engine.generate("Hello", max_tokens=10, ignore_eos=True)
    monkeypatch.setattr(PagedRunner, "run", run)
    streams = [engine.submit("Hello", max_tokens=10, ignore_eos=True), engine.submit("x", grammar=regex("a{80}"), max_tokens=90)]
    assert streams[1].result.text == "a" * 80 and streams[0].result.ids == other.ids
    assert MOST_FORCED < max(sizes) <= MOST_FORCED + 1
