"""Callers who leave, read slowly or fail: what is theirs ends at the next step, all pages come back, the others notice nothing."""

from __future__ import annotations

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.generate import regex
from rlx.generate.drafters import Drafter
from rlx.generate.engine import Engine, Stream
from rlx.generate.engine.mailbox import AHEAD
from rlx.generate.engine.schedule import BLOCK
from rlx.generate.engine.step_runner import PagedRunner
from tests.generate.engine.test_engine_api import EACH, HOW, KINDS, ids_of, is_idle, with_pages
from tests.generate.tiny import VOCABULARY, attention_logits, attention_model, greedy, recurrent_logits, recurrent_model

LONG = 85


def long_model(context: int = 1024) -> Any:
    """A recurrent model: its formula has no end of positions."""
    model = recurrent_model()
    model.config = replace(model.config, context_length=context)
    return model


def wait_until(true: Any, patience: float = 10.0) -> bool:
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def is_paused(stream: Stream) -> bool:
    return len(stream._box.pieces) >= AHEAD


# -- leaving -------------------------------------------------------------------------------------------------------
def leave_by_cancel(stream: Stream) -> None:
    stream.cancel()


def leave_by_close(stream: Stream) -> None:
    reader = stream.pieces()
    next(reader)
    reader.close()


def leave_by_error(stream: Stream) -> None:
    with pytest.raises(ValueError, match="enough"):
        for _ in stream:
            raise ValueError("enough")


WAYS = {"cancel": leave_by_cancel, "close": leave_by_close, "error": leave_by_error}


@EACH
@pytest.mark.parametrize("way", WAYS)
def test_who_leaves_costs_nothing_from_the_next_step_on(kind: str, way: str) -> None:
    make, formula = KINDS[kind]
    engine = Engine(make())
    leaver, stayer = engine.submit("Hello", max_tokens=LONG, n=2, **HOW), engine.submit("Other", max_tokens=20, **HOW)
    reader = stayer.pieces()
    next(reader)
    assert engine.stats().running == 3
    WAYS[way](leaver)
    before = engine.stats()
    next(reader)
    after = engine.stats()
    assert after.running == 1
    assert after.tokens_out - before.tokens_out == after.steps - before.steps > 0, "all steps are the other's"
    for _ in reader:
        pass
    assert list(stayer.result.ids) == greedy(formula, ids_of("Other"), 20)
    assert leaver.result.finish == "interrupted"
    wanted = greedy(formula, ids_of("Hello"), LONG)
    assert list(leaver.result.ids) == wanted[: len(leaver.result.ids)]
    assert is_idle(engine)


@pytest.mark.parametrize("thread", [False, True])
def test_a_stream_that_is_dropped_unread(thread: bool) -> None:
    engine = Engine(attention_model())
    if thread:
        engine.start()
    engine.submit("Hello", max_tokens=LONG, **HOW)
    stream = engine.submit("Hello", max_tokens=LONG, n=3, **HOW)
    reader = iter(stream)
    next(reader)
    del stream, reader
    gc.collect()
    if thread:
        assert wait_until(lambda: not engine.stats().running), "the thread itself lets it go"
    assert is_idle(engine)
    engine.close()


def test_a_paused_stream_that_is_dropped_is_let_go_by_the_thread() -> None:
    """The thread sleeps then, as there is nothing to do."""
    engine = Engine(long_model())
    engine.start()
    stream = engine.submit("Hello", max_tokens=900, **HOW)
    assert wait_until(partial(is_paused, stream))
    time.sleep(0.02)
    assert engine.stats().running == 1
    del stream
    assert wait_until(lambda: not engine.stats().running)
    engine.close()


def test_cancel_before_after_and_twice() -> None:
    engine = Engine(attention_model())
    stream = engine.submit("Hello", max_tokens=5, **HOW)
    stream.cancel()
    stream.cancel()
    assert (stream.result.finish, stream.result.ids) == ("interrupted", ())
    assert list(stream) == []
    done = engine.submit("Hello", max_tokens=5, **HOW)
    wanted = done.result
    done.cancel()
    assert done.result.ids == wanted.ids and done.result.finish == "length"
    assert "".join(done) == wanted.text
    assert is_idle(engine)


def test_cancel_by_another_thread_ends_a_waiting_reader() -> None:
    engine = Engine(attention_model())
    stream = engine.submit("Hello", max_tokens=LONG, **HOW)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.extend(stream), daemon=True)
    for piece in iter(engine.submit("Other", max_tokens=30, **HOW)):
        if not reader.ident:
            reader.start()
        del piece
        stream.cancel()
    reader.join(10)
    assert not reader.is_alive() and is_idle(engine)


def test_an_answer_of_which_two_threads_want_the_result() -> None:
    engine = Engine(attention_model())
    for _ in range(5):
        stream = engine.submit("Hello", max_tokens=30, **HOW)
        with ThreadPoolExecutor(4) as pool:
            jobs = [pool.submit(getattr, stream, "result") for _ in range(4)]
            found = [list(job.result(10).ids) for job in jobs]
        assert found == [greedy(attention_logits, ids_of("Hello"), 30)] * 4


# -- readers that are slow -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("thread", [False, True])
def test_a_stream_that_nobody_reads_pauses_and_goes_on(thread: bool) -> None:
    engine = Engine(long_model(2048))
    if thread:
        engine.start()
    slow = engine.submit("Hello", max_tokens=700, **HOW)
    quick = engine.submit("Other", max_tokens=600, **HOW)
    assert list(quick.result.ids) == greedy(recurrent_logits, ids_of("Other"), 600)
    assert len(slow._box.pieces) == AHEAD
    texts = "".join(slow)
    assert list(slow.result.ids) == greedy(recurrent_logits, ids_of("Hello"), 700) and texts == slow.result.text
    assert is_idle(engine)
    engine.close()


@pytest.mark.parametrize("thread", [False, True])
@pytest.mark.parametrize("batch", [1, 2])
def test_paused_streams_keep_nobody_waiting_for_a_place(batch: int, thread: bool) -> None:
    engine = Engine(long_model(), batch=batch)
    if thread:
        engine.start()
    slow = [engine.submit(f"Hello {n}", max_tokens=400, **HOW) for n in range(batch)]
    readers = [stream.pieces() for stream in slow]
    texts = [next(reader).text for reader in readers]
    for _ in range(2):
        assert wait_until(
            lambda: (
                all(len(stream._box.pieces) == AHEAD for stream in slow) or bool(engine.submit("step", max_tokens=50, **HOW).result)
            )
        )
    found = engine.submit("Other", max_tokens=30, **HOW).result
    assert list(found.ids) == greedy(recurrent_logits, ids_of("Other"), 30)
    for n, reader in enumerate(readers):
        texts[n] += "".join(piece.text for piece in reader)
        assert list(slow[n].result.ids) == greedy(recurrent_logits, ids_of(f"Hello {n}"), 400)
        assert texts[n] == slow[n].result.text
    assert is_idle(engine)
    engine.close()


def test_paused_streams_keep_nobody_waiting_for_pages(monkeypatch: Any) -> None:
    from rlx.generate.engine import mailbox

    monkeypatch.setattr(mailbox, "AHEAD", 10)
    engine = with_pages(attention_model(), 3)
    slow = engine.submit("x" * 62, max_tokens=20, overflow="stop", **HOW)
    next(slow.pieces())  # closed at once: it leaves
    held = engine.submit("x" * 62, max_tokens=30, **HOW)
    later = engine.submit("y" * 62, max_tokens=30, **HOW)
    assert list(later.result.ids) == greedy(attention_logits, ids_of("y" * 62), 30)
    assert list(held.result.ids) == greedy(attention_logits, ids_of("x" * 62), 30)
    assert is_idle(engine)


def test_two_slow_readers_in_threads() -> None:
    engine = Engine(long_model(2048))
    engine.start()
    texts = ["", ""]
    streams = [engine.submit(text, max_tokens=600, **HOW) for text in ("Hello", "Other")]

    def read(number: int) -> None:
        for count, text in enumerate(streams[number]):
            texts[number] += text
            if count % (40 + 30 * number) == 0:
                time.sleep(0.002)

    threads = [threading.Thread(target=read, args=(number,), daemon=True) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert [list(stream.result.ids) for stream in streams] == [
        greedy(recurrent_logits, ids_of(text), 600) for text in ("Hello", "Other")
    ]
    assert texts == [stream.result.text for stream in streams]
    engine.close()


# -- what fails ----------------------------------------------------------------------------------------------------
def poison(monkeypatch: Any, token: int, *, row: int | None = None) -> None:
    """Logits after a token are no numbers."""
    original = PagedRunner.run

    def run(self: Any, works: Any) -> Any:
        found, at = original(self, works), 0
        for work in works:
            if work.tokens[-1] == token and work.wanted and row in (None, work.sequence.row):
                found["logits"] = np.array(found["logits"])
                found["logits"][at : at + work.wanted] = np.nan
            at += work.wanted
        return found

    monkeypatch.setattr(PagedRunner, "run", run)


@EACH
@pytest.mark.parametrize("n", [1, 3])
def test_logits_that_are_no_numbers_end_their_own_stream_only(kind: str, n: int, monkeypatch: Any) -> None:
    make, formula = KINDS[kind]
    engine = Engine(make())
    wanted = greedy(formula, ids_of("Hello"), 30)
    other = greedy(formula, ids_of("Other"), 30)
    bad = next(token for token in wanted if token not in other)
    poison(monkeypatch, bad)
    streams = [engine.submit("Other", max_tokens=30, **HOW), engine.submit("Hello", max_tokens=30, n=n, **HOW)]
    with pytest.raises(RlxError):
        streams[1].result
    assert list(streams[0].result.ids) == other
    assert is_idle(engine)


@pytest.mark.parametrize("row", [0, 1, 2])
def test_one_of_several_answers_that_fails_ends_them_all_once(row: int, monkeypatch: Any) -> None:
    engine = Engine(attention_model())
    wanted = greedy(attention_logits, ids_of("Hello"), 30)
    poison(monkeypatch, wanted[3], row=row)
    other = engine.submit("Other", max_tokens=5, temperature=0.0, **HOW)
    stream = engine.submit("Hello", max_tokens=5, n=3, **HOW)  # the others would end in the same step
    with pytest.raises(RlxError):
        list(stream)
    assert stream._box.remaining == 0
    assert len(other.result.ids) == 5
    assert is_idle(engine)


def test_a_grammar_that_is_none_is_refused_and_harms_nobody() -> None:
    pytest.importorskip("llguidance")
    engine = Engine(attention_model())
    other = engine.submit("Other", max_tokens=8, **HOW)
    with pytest.raises(RlxError, match="RLX905"):
        engine.submit("Hello", max_tokens=8, grammar=regex("(")).result
    assert list(other.result.ids) == greedy(attention_logits, ids_of("Other"), 8)
    assert is_idle(engine)


@EACH
@pytest.mark.parametrize("thread", [False, True])
def test_a_run_that_fails_ends_all_streams_and_the_engine_works_afterwards(kind: str, thread: bool, monkeypatch: Any) -> None:
    make, formula = KINDS[kind]
    engine = Engine(make(), batch=3)
    if thread:
        engine.start()
    original, calls = PagedRunner.run, []

    def run(self: Any, works: Any) -> Any:
        calls.append(1)
        if len(calls) == 5:
            raise MemoryError("no more")
        return original(self, works)

    with monkeypatch.context() as patch:
        patch.setattr(PagedRunner, "run", run)
        streams = [engine.submit(f"Hello {n}", max_tokens=30, n=2, **HOW) for n in range(4)]
        for stream in streams:
            with pytest.raises(MemoryError, match="no more"):
                stream.result
    stats = engine.stats()
    assert stats.running == stats.waiting == stats.pages_used == stats.pages_cached == 0
    again = [engine.submit(f"Hello {n}", max_tokens=30, n=2, **HOW) for n in range(4)]
    for n, stream in enumerate(again):
        assert [list(one.ids) for one in stream.results] == [greedy(formula, ids_of(f"Hello {n}"), 30)] * 2
    assert is_idle(engine)
    engine.close()


def test_a_run_that_fails_before_its_pages_are_copied_leaves_no_wrong_beginning(monkeypatch: Any) -> None:
    engine = Engine(attention_model())
    engine.generate("the same beginning", max_tokens=3, **HOW)
    with monkeypatch.context() as patch:
        patch.setattr(PagedRunner, "copy_pages", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            engine.generate("the same beginning, and then", max_tokens=3, **HOW)
    for text in ("another text, longer than the other", "the same beginning, and then"):
        assert list(engine.generate(text, max_tokens=9, **HOW).ids) == greedy(attention_logits, ids_of(text), 9)


class Failing(Drafter):
    def propose(self, *_: Any) -> Any:
        raise ArithmeticError("no idea")


def test_a_drafter_that_fails_is_heard() -> None:
    engine = Engine(attention_model(), draft=Failing(), draft_tokens=2)
    for _ in range(2):
        with pytest.raises(ArithmeticError, match="no idea"):
            engine.generate("Hello", max_tokens=5, **HOW)


def test_states_of_streams_that_came_and_went() -> None:
    """More sequences over time than there are slots, some put back."""
    engine = Engine(long_model(), batch=3)
    texts = [[(7 * n + k) % VOCABULARY for k in range(BLOCK + n)] for n in range(5)]
    for _ in range(2):
        streams = [engine.submit(text, max_tokens=6, n=2, priority=n % 2, **HOW) for n, text in enumerate(texts)]
        for text, stream in zip(texts, streams, strict=True):
            assert [list(one.ids) for one in stream.results] == [greedy(recurrent_logits, text, 6)] * 2
    assert is_idle(engine)
