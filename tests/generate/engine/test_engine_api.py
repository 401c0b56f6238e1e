"""What callers ask of an engine: texts, ids, conversations, several answers, priorities, budgets of memory, numbers."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.models.flow import PAGE
from tests.generate.tiny import BOS, attention_logits, attention_model, byte_tokenizer, greedy, recurrent_logits, recurrent_model

KINDS: dict[str, Any] = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}
EACH = pytest.mark.parametrize("kind", KINDS)
HOW: dict[str, Any] = {"ignore_eos": True}
TEMPLATE = "{% for m in messages %}<turn>{{ m.role[0] }}:{{ m.content }}<end>{% endfor %}<turn>a:"


def ids_of(text: str) -> list[int]:
    return list(text.encode())


def with_pages(model: Any, pages: int, **settings: Any) -> Engine:
    """An engine with memory for so many."""
    asked = Engine(model)
    asked.prepare()
    return Engine(model, memory=asked.stats().page_bytes * pages, **settings)


def is_idle(engine: Engine) -> bool:
    """All pages are back once somebody steps."""
    engine.generate([1], max_tokens=1, **HOW)
    stats = engine.stats()
    return stats.running == stats.waiting == stats.pages_used == 0


# -- what is given -------------------------------------------------------------------------------------------------
def test_a_text_ids_and_a_conversation() -> None:
    model = attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATE))
    engine = Engine(model)
    wanted = greedy(attention_logits, ids_of("hi"), 6)
    chat = [258, *ids_of("u:hi"), 259, 258, *ids_of("a:")]
    messages = [{"role": "user", "content": "hi"}]
    for prompt, ids in (
        ("hi", wanted),
        (ids_of("hi"), wanted),
        (tuple(ids_of("hi")), wanted),
        (messages, greedy(attention_logits, chat, 6)),
        (tuple(messages), greedy(attention_logits, chat, 6)),
    ):
        assert list(engine.submit(prompt, max_tokens=6, temperature=0.0, **HOW).result.ids) == ids


def test_a_text_begins_as_its_model_expects() -> None:
    engine = Engine(attention_model(tokenizer=byte_tokenizer(add_bos=True)))
    found = engine.submit("hi", max_tokens=3, **HOW).result
    assert found.prompt_tokens == 3
    assert list(found.ids) == greedy(attention_logits, [BOS, *ids_of("hi")], 3)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 1.5}, "n is 1.5"),
        ({"n": True}, "n is True"),
        ({"priority": "high"}, "priority is 'high'"),
        ({"caller": ["me"]}, r"caller is \['me'\]"),
        ({"overflow": "wrap"}, "overflow is 'wrap'"),
    ],
)
def test_a_wrong_setting_is_refused_and_harms_nobody(settings: dict[str, Any], said: str) -> None:
    engine = Engine(attention_model())
    other = engine.submit("Hello", max_tokens=5, **HOW)
    with pytest.raises(RlxError, match=said) as raised:
        engine.submit("Hello", max_tokens=5, **settings)
    assert raised.value.code == "RLX902"
    assert list(other.result.ids) == greedy(attention_logits, ids_of("Hello"), 5)


@pytest.mark.parametrize("memory", [1.5e9, "1 GB", True, -1, 0])
def test_a_memory_that_is_none_is_refused(memory: Any) -> None:
    with pytest.raises(RlxError, match="memory is") as raised:
        Engine(attention_model(), memory=memory)
    assert raised.value.code == "RLX902"


# -- several answers -----------------------------------------------------------------------------------------------
@EACH
def test_several_answers_are_the_same_when_greedy_and_differ_when_drawn(kind: str) -> None:
    make, formula = KINDS[kind]
    engine = Engine(make())
    found = engine.submit("Hello", n=4, max_tokens=9, **HOW).results
    assert [list(one.ids) for one in found] == [greedy(formula, ids_of("Hello"), 9)] * 4
    how = {"max_tokens": 9, "temperature": 1.0, "seed": 5, **HOW}
    alone = engine.submit("Hello", **how).result
    several = engine.submit("Hello", n=4, **how).results
    assert several[0].ids == alone.ids
    assert len({one.ids for one in several}) == 4
    assert [one.ids for one in engine.submit("Hello", n=4, **how).results] == [one.ids for one in several]


@EACH
def test_more_answers_than_run_at_once(kind: str) -> None:
    make = KINDS[kind][0]
    how = {"max_tokens": 7, "temperature": 1.0, "seed": 2, **HOW}
    wanted = [one.ids for one in Engine(make()).submit("Hello", n=7, **how).results]
    engine = Engine(make(), batch=2)
    stream = engine.submit("Hello", n=7, **how)
    texts = [""] * 7
    for piece in stream.pieces():
        texts[piece.row] += piece.text
    assert [one.ids for one in stream.results] == wanted
    assert texts == [one.text for one in stream.results]
    assert is_idle(engine)


def test_answers_share_the_pages_of_their_prompt() -> None:
    engine = Engine(attention_model(), prefix_cache=False)
    prompt = [n % 200 for n in range(2 * PAGE)]
    stream = engine.submit(prompt, n=5, max_tokens=10, **HOW)
    reader = stream.pieces()
    next(reader)
    next(reader)
    assert engine.stats().running == 5
    assert engine.stats().pages_used <= 2 + 5, "two of the prompt, and one each for its own answer"
    reader.close()
    assert is_idle(engine)


# -- who goes first ------------------------------------------------------------------------------------------------
def test_a_higher_priority_is_answered_first() -> None:
    engine = Engine(attention_model(), batch=1)
    low = [engine.submit("low", max_tokens=4, **HOW) for _ in range(3)]
    high = engine.submit("high", max_tokens=4, priority=1, **HOW)
    assert list(high.result.ids) == greedy(attention_logits, ids_of("high"), 4)
    assert [one._box.finished for one in low] == [False] * 3
    for one in low:
        assert one.result.finish == "length"


def test_a_caller_with_few_requests_is_not_kept_waiting_by_one_with_many() -> None:
    engine = Engine(attention_model(), batch=1)
    many = [engine.submit(f"many {n}", max_tokens=8, caller="many", **HOW) for n in range(6)]
    few = engine.submit("few", max_tokens=8, caller="few", **HOW)
    assert few.result.finish == "length"
    assert sum(one._box.finished for one in many) <= 1
    assert [one.result.finish for one in many] == ["length"] * 6


# -- memory --------------------------------------------------------------------------------------------------------
def test_a_memory_too_small_for_a_page_says_what_it_takes() -> None:
    engine = Engine(attention_model(), memory=10)
    with pytest.raises(RlxError, match="memory is 10 bytes, a page of 32 tokens takes") as raised:
        engine.submit("Hello", max_tokens=3)
    assert raised.value.code == "RLX902"


@pytest.mark.parametrize("prefix_cache", [False, True])
def test_a_request_beyond_the_memory_is_refused_with_both_counts(prefix_cache: bool) -> None:
    engine = with_pages(attention_model(), 2, prefix_cache=prefix_cache)
    other = engine.submit("Hello", max_tokens=20, **HOW)
    with pytest.raises(RlxError, match="the prompt has 65 tokens, the memory for keys and values has room for 64") as raised:
        engine.submit("x" * 65, max_tokens=1)
    assert raised.value.code == "RLX901"
    with pytest.raises(RlxError, match="the prompt has 60 tokens, max_tokens is 6; the memory for keys and values has"):
        engine.submit("x" * 60, max_tokens=6)
    assert list(engine.submit("x" * 60, max_tokens=5, **HOW).result.ids) == greedy(attention_logits, ids_of("x" * 60), 5)
    assert list(other.result.ids) == greedy(attention_logits, ids_of("Hello"), 20)


def test_a_caller_and_the_engines_thread_prepare_at_once() -> None:
    """They waited for each other: one had the session's lock, the other the lock of the runner's cached property."""
    model = attention_model()
    engine = with_pages(model, 2)
    held, rooms = threading.Event(), list[int]()

    def call() -> None:
        with model.session.lock:
            held.set()
            time.sleep(0.3)  # the other thread begins to prepare, and waits for the session
            rooms.append(engine._core.room)

    threads = [threading.Thread(target=work, daemon=True) for work in (call, engine.prepare)]
    threads[0].start()
    assert held.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join(60)
    assert rooms == [2 * PAGE] and not any(thread.is_alive() for thread in threads)
    engine.close()


@pytest.mark.parametrize("thread", [False, True])
def test_an_answer_that_fills_the_memory_ends_there(thread: bool) -> None:
    engine = with_pages(attention_model(), 2)
    if thread:
        engine.start()
    streams = [engine.submit(text * 60, max_tokens=None, **HOW) for text in "xy"]
    for stream, text in zip(streams, "xy", strict=True):
        assert stream.result.finish == "context"
        assert list(stream.result.ids) == greedy(attention_logits, ids_of(text * 60), 5)
    stream = engine.submit("x" * 60, max_tokens=30, overflow="stop", **HOW)
    assert (stream.result.finish, len(stream.result.ids)) == ("context", 5)
    engine.close()


def test_a_text_is_shifted_within_the_memory() -> None:
    engine = with_pages(attention_model(), 2)
    alone = Engine(attention_model(), context=2 * PAGE)
    for prompt in ("abc" * 10, "abc" * 25):
        how: dict[str, Any] = {"max_tokens": 80, "overflow": "shift", **HOW}
        both = [engine.submit(text, **how) for text in (prompt, "z" * 10)]
        assert both[0].result.ids == alone.generate(prompt, **how).ids
        assert both[1].result.ids == alone.generate("z" * 10, **how).ids
    assert engine.stats().preemptions > 0 and is_idle(engine)


def test_several_answers_in_little_memory() -> None:
    how = {"max_tokens": 30, "temperature": 1.0, "seed": 3, **HOW}
    wanted = [one.ids for one in Engine(attention_model()).submit("y" * 30, n=4, **how).results]
    engine = with_pages(attention_model(), 3)
    assert [one.ids for one in engine.submit("y" * 30, n=4, **how).results] == wanted
    assert is_idle(engine)


# -- numbers -------------------------------------------------------------------------------------------------------
def test_stats_count_what_was_done() -> None:
    engine = Engine(attention_model())
    assert engine.stats().steps == 0
    engine.submit("waits", max_tokens=2, **HOW)
    assert engine.stats().waiting == 1 or engine.stats().running == 0
    engine = Engine(attention_model())
    engine.generate("Hello", max_tokens=10, **HOW)
    stats = engine.stats()
    assert (stats.tokens_in, stats.tokens_out, stats.steps) == (5, 10, 10)
    assert (stats.running, stats.waiting, stats.pages_used, stats.preemptions) == (0, 0, 0, 0)
    assert (stats.prefix_queries, stats.prefix_hits) == (5, 0)
    engine.generate("Hello", max_tokens=10, **HOW)
    stats = engine.stats()
    assert (stats.tokens_in, stats.tokens_out, stats.prefix_queries, stats.prefix_hits) == (6, 20, 10, 4)
    assert stats.pages_cached >= 1 and stats.pages_total >= 3 and 0 <= stats.pages_share <= 1
    stream = iter(engine.submit("Hello", max_tokens=20, priority=3, **HOW))
    next(stream)
    (slot,) = engine.stats().slots
    assert (slot.prompt_tokens, slot.computed_tokens, slot.answer_tokens, slot.priority) == (5, 5, 1, 3)


def test_the_numbers_of_a_budget() -> None:
    engine = with_pages(attention_model(), 5)
    engine.generate("Hello", max_tokens=2)
    assert engine.stats().pages_total == 5
    assert engine.stats().page_bytes == 2 * 16 * 4 * PAGE, "keys and values of one layer, width 16, f32"
