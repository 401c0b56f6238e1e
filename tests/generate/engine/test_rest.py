"""An engine that nobody asks anything gives its memory back, and knows some beginnings still; what it says stays the same."""

from __future__ import annotations

import time

import numpy as np
import pytest

from rlx.core.aligned import filled_over_time, give_back
from rlx.core.errors import RlxError
from rlx.generate.engine import Engine, core, stepping
from rlx.generate.engine.kv_memory import PagePool, PrefixTree
from tests.generate.tiny import attention_model, recurrent_model

PROMPTS = [[number, *range(1, 70)] for number in range(1, 7)]


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("make", [attention_model, recurrent_model])
def test_after_a_pause_few_pages_are_known_and_texts_are_the_same(make, monkeypatch):
    monkeypatch.setattr(stepping, "IDLE_SECONDS", 0.05)
    engine = Engine(make())
    engine.start()
    before = [one.ids for one in engine.generate(PROMPTS, max_tokens=6, ignore_eos=True)]
    page = engine.stats().page_bytes or engine._core.runner.state_bytes
    rested = []
    monkeypatch.setattr(core, "_KNOWN_AT_REST", 5 * page)
    monkeypatch.setattr(stepping, "trim_heap", lambda: rested.append(1))
    engine.generate([9], max_tokens=1)  # something to rest after
    until(lambda: rested)
    known = engine._core._ready[0].memory
    assert len(known._with_states) <= 5
    assert make is recurrent_model or engine.stats().pages_cached == 5
    for _ in range(2):  # from what is known, and from what is computed anew
        again = [engine.generate(prompt, max_tokens=6, ignore_eos=True) for prompt in reversed(PROMPTS)]
        assert [one.ids for one in reversed(again)] == before
    assert make is recurrent_model or any(one.reused_tokens for one in again)
    engine.close()


def test_the_pages_that_stay_become_the_first_ones():
    pool = PagePool(8)
    tree = PrefixTree(pool, size=2)
    pages = pool.take(6)
    assert pages is not None
    tree.insert((), [1, 2, 3, 4], pages[4:])
    tree.insert("other", [1, 2], pages[1:2])
    pool.release(pages)
    copies = dict(tree.move_together())
    assert [node.page for node in tree.match((), [1, 2, 3, 4])] == [copies[4], copies[5]]
    assert sorted([*copies.values(), 1]) == [0, 1, 2] and pool.free_count == 5
    assert pool.take(5) == [3, 4, 5, 6, 7] and pool.take(1) is None
    assert tree.give_up(3) == 3 and pool.free_count == 3
    assert not tree._roots, "nothing is left of a salt whose prompts were given up"


def test_memory_that_is_given_back_is_zeros():
    array = filled_over_time((4, 1 << 20), np.dtype(np.float32))
    array[...] = 7
    give_back(array, array.nbytes // 2 + 1)
    assert array[:2].all() and array[2, 1 << 12 :].max() == 0 and array[3].max() == 0
    small = filled_over_time((4,), np.dtype(np.float32))
    small[...] = 7
    give_back(small)
    assert small.all(), "what is not in pages of its own stays"


@pytest.mark.parametrize("memory", [True, 0, -1, 1.0, 1.5, float("nan"), "1GB"])
def test_what_is_no_size_of_memory_is_refused(memory):
    with pytest.raises(RlxError, match="memory is"):
        Engine(attention_model(), memory=memory)


def test_a_share_of_what_is_free(monkeypatch):
    """Up to eight texts of full length; the room for a text says how many tokens fit."""
    engine = Engine(attention_model(), memory=0.5)
    engine.prepare()
    page, whole = engine.stats().page_bytes, engine.stats().pages_total // 8
    assert whole * 32 == engine.capacity and engine._core.room == engine.capacity
    monkeypatch.setattr(core, "free_memory", lambda: 4 * page)
    engine = Engine(attention_model(), memory=0.5)
    assert engine._core.room == 2 * 32
    with pytest.raises(RlxError, match="the memory for keys and values has room for 64"):
        engine.generate([1] * 65)


def test_salts_share_nothing():
    engine = Engine(attention_model())
    prompt, found = list(range(1, 80)), {}
    for salt in ("a", "b", None):
        results = [engine.submit(prompt, max_tokens=4, cache_salt=salt).result for _ in range(2)]
        assert [one.reused_tokens > 32 for one in results] == [False, True]
        found[salt] = [one.ids for one in results]
    assert len({tuple(map(tuple, ids)) for ids in found.values()}) == 1, "the same text, whatever was computed before"
