"""Who steps: callers in turn, a thread of the engine's own, Ctrl-C in the middle, an engine that is closed. Nobody waits for ever."""

from __future__ import annotations

import faulthandler
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.generate.engine.mailbox import Mailbox
from rlx.generate.engine.step_runner import PagedRunner
from rlx.generate.engine.stepping import Turns
from rlx.generate.results import Piece
from tests.generate.tiny import attention_logits, attention_model, greedy

PATIENCE = 6.0
HOW: dict[str, Any] = {"ignore_eos": True}


def ids_of(text: str) -> list[int]:
    return list(text.encode())


def formula(text: str, count: int) -> list[int]:
    return greedy(attention_logits, ids_of(text), count)


@pytest.fixture(autouse=True)
def _told_where_it_hangs() -> Iterator[None]:
    faulthandler.dump_traceback_later(45, exit=False, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


class Crowd:
    """Threads, each with its result or error."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []
        self.found: dict[int, Any] = {}

    def go(self, work: Callable[[], Any]) -> None:
        number = len(self.threads)

        def run() -> None:
            try:
                self.found[number] = work()
            except BaseException as error:
                self.found[number] = error

        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()

    def all(self) -> list[Any]:
        end = time.monotonic() + PATIENCE
        for thread in self.threads:
            thread.join(max(end - time.monotonic(), 0))
        assert not any(thread.is_alive() for thread in self.threads), f"only {sorted(self.found)} came back"
        return [self.found[number] for number in range(len(self.threads))]


# -- turns, without a model ----------------------------------------------------------------------------------------
class Steps:
    """Gives each mailbox a piece after so many steps."""

    def __init__(self, after: int = 3, pause: float = 0.0) -> None:
        self.boxes: list[Mailbox] = []
        self.count, self.after, self.pause, self.inside = 0, after, pause, 0
        self.raises: BaseException | None = None

    def box(self) -> Mailbox:
        box = Mailbox()
        box.remaining = 1
        self.boxes.append(box)
        return box

    def step(self) -> bool:
        self.inside += 1
        assert self.inside == 1, "two threads step at once"
        time.sleep(self.pause)
        self.count += 1
        self.inside -= 1
        if self.raises is not None:
            error, self.raises = self.raises, None
            raise error
        ready = [box for box in self.boxes if not box.finished]
        if self.count % self.after == 0 and ready:
            ready[0].remaining = 0
            ready[0].wake()
        return bool(ready)


def test_followers_are_led_by_one_of_them_when_the_leader_has_what_it_wants() -> None:
    steps = Steps(pause=0.001)
    turns, crowd = Turns(steps.step), Crowd()
    for _ in range(8):
        crowd.go(partial(turns.wait_for, steps.box()))
    crowd.all()
    assert all(box.finished for box in steps.boxes)


def test_a_leader_that_is_interrupted_hands_over() -> None:
    """As Ctrl-C does after a step."""
    steps = Steps(after=1000, pause=0.01)
    turns, crowd = Turns(steps.step), Crowd()
    mine, theirs = steps.box(), [steps.box() for _ in range(3)]
    crowd.go(lambda: turns.wait_for(mine))
    time.sleep(0.05)
    for box in theirs:
        crowd.go(partial(turns.wait_for, box))
    time.sleep(0.05)
    steps.after, steps.raises = 2, KeyboardInterrupt()
    found = crowd.all()
    assert isinstance(found[0], KeyboardInterrupt) and found[1:] == [None] * 3


def test_two_threads_may_wait_for_one_mailbox() -> None:
    for _ in range(20):
        steps = Steps(after=5, pause=0.0005)
        turns, crowd, box = Turns(steps.step), Crowd(), steps.box()
        for _ in range(4):
            crowd.go(partial(turns.wait_for, box))
        crowd.go(partial(turns.wait_for, steps.box()))
        crowd.all()


def test_a_leader_hands_over_to_the_thread_at_the_next_step() -> None:
    steps = Steps(after=10**9, pause=0.002)
    turns, crowd, box = Turns(steps.step), Crowd(), steps.box()
    names: list[str] = []
    inner = turns._step
    turns._step = lambda: (names.append(threading.current_thread().name), inner())[1]  # type: ignore[func-returns-value]
    crowd.go(lambda: turns.wait_for(box))
    time.sleep(0.03)
    turns.start()
    time.sleep(0.05)
    assert names[-1] == "rlx-engine"
    first = names.index("rlx-engine")
    assert set(names[first:]) == {"rlx-engine"}
    steps.after = 1
    crowd.all()
    turns.stop()


def test_stopping_waits_for_the_step_in_progress_and_nobody_steps_afterwards() -> None:
    steps = Steps(after=10**9, pause=0.05)
    turns, crowd = Turns(steps.step), Crowd()
    for _ in range(3):
        crowd.go(partial(turns.wait_for, steps.box()))
    time.sleep(0.02)
    turns.stop()
    assert steps.inside == 0
    count = steps.count
    time.sleep(0.12)
    assert steps.count == count
    for box in steps.boxes:
        box.remaining = 0
        box.wake()
    crowd.all()


def test_news_never_pile_up() -> None:
    turns = Turns(lambda: False)
    for _ in range(1000):
        turns.news()
    assert turns._news.qsize() <= 1


# -- engines -------------------------------------------------------------------------------------------------------
def test_ctrl_c_in_the_middle_of_a_step_leaves_other_threads_their_streams(monkeypatch: Any) -> None:
    engine, crowd = Engine(attention_model()), Crowd()
    engine.prepare()
    calls: list[int] = []
    original = PagedRunner.run

    def run(self: Any, *arguments: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            calls.append(1)
            if len(calls) == 4:
                for text in ("Hello", "Other", "Third"):
                    crowd.go(lambda text=text: engine.generate(text, max_tokens=20, **HOW).ids)
                time.sleep(0.1)  # they wait
                signal.raise_signal(signal.SIGINT)
        return original(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(PagedRunner, "run", run)
        with pytest.raises(KeyboardInterrupt):
            engine.generate("Mine", max_tokens=60, **HOW)
        found = crowd.all()
    assert [list(ids) for ids in found] == [formula(text, 20) for text in ("Hello", "Other", "Third")]
    engine.generate("x", max_tokens=1, **HOW)
    assert engine.stats().running == 0 and engine.stats().pages_used == 0


def test_ctrl_c_while_another_thread_steps(monkeypatch: Any) -> None:
    """The main thread sleeps then; the others lead on."""
    engine, crowd = Engine(attention_model()), Crowd()
    engine.prepare()
    original, begun = PagedRunner.run, threading.Event()

    def slow(self: Any, *arguments: Any) -> Any:
        begun.set()
        time.sleep(0.005)
        return original(self, *arguments)

    monkeypatch.setattr(PagedRunner, "run", slow)
    crowd.go(lambda: engine.generate("Hello", max_tokens=40, **HOW).ids)
    begun.wait(PATIENCE)
    crowd.go(lambda: engine.generate("Other", max_tokens=70, **HOW).ids)
    threading.Timer(0.08, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.generate("Mine", max_tokens=80, **HOW)
    assert [list(ids) for ids in crowd.all()] == [formula("Hello", 40), formula("Other", 70)]


def test_start_and_close_may_come_twice_and_leave_no_thread() -> None:
    before = set(threading.enumerate())  # engines of other tests may have threads

    def drivers() -> list[str]:
        return [thread.name for thread in set(threading.enumerate()) - before if thread.name == "rlx-engine"]

    engine = Engine(attention_model())
    engine.start()
    engine.start()
    assert list(engine.generate("Hello", max_tokens=5, **HOW).ids) == formula("Hello", 5)
    assert len(drivers()) == 1
    engine.close()
    engine.close()
    assert drivers() == []
    with pytest.raises(RlxError, match="RLX906"):
        engine.submit("Hello")
    with pytest.raises(RlxError, match="RLX906"):
        engine.submit_async("Hello")
    assert drivers() == []


def test_an_engine_that_never_ran_is_closed() -> None:
    engine = Engine(attention_model())
    stream = engine.submit("Hello", max_tokens=5)
    engine.close()
    assert stream.result.finish == "interrupted" and stream.result.ids == ()


@pytest.mark.parametrize("thread", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_streams_that_wait_when_the_engine_is_closed_end_as_interrupted(thread: bool, seed: int, monkeypatch: Any) -> None:
    engine, crowd, chance = Engine(attention_model(), batch=2), Crowd(), random.Random(seed)
    engine.prepare()
    original = PagedRunner.run

    def slow(self: Any, *arguments: Any) -> Any:
        time.sleep(0.002)
        return original(self, *arguments)

    monkeypatch.setattr(PagedRunner, "run", slow)
    if thread:
        engine.start()
    streams = [engine.submit("Hello", max_tokens=85, n=1 + number % 2, **HOW) for number in range(6)]
    for number, stream in enumerate(streams):
        crowd.go(lambda stream=stream, number=number: list(stream) if number % 2 else stream.results)
    time.sleep(0.02 * chance.random() + 0.01)
    engine.close()
    assert not any(isinstance(found, BaseException) for found in crowd.all())
    wanted = formula("Hello", 85)
    finishes = set()
    for stream in streams:
        for result in stream.results:
            assert list(result.ids) == wanted[: len(result.ids)]
            finishes.add(result.finish)
    assert "interrupted" in finishes and finishes <= {"interrupted", "length"}


def test_those_who_submit_while_it_is_closed_are_told_or_end() -> None:
    for _ in range(10):
        engine, crowd, gate = Engine(attention_model()), Crowd(), threading.Barrier(5)

        def ask(engine: Engine = engine, gate: threading.Barrier = gate) -> Any:
            gate.wait(PATIENCE)
            return engine.generate("Hello", max_tokens=3, **HOW)

        for _ in range(4):
            crowd.go(ask)
        gate.wait(PATIENCE)
        engine.close()
        for found in crowd.all():
            assert getattr(found, "code", None) == "RLX906" or found.finish in ("interrupted", "length")


def test_64_threads_of_few_calls() -> None:
    engine, crowd = Engine(attention_model(), batch=8), Crowd()
    wanted = [formula(f"text {number}", 6) for number in range(8)]

    def work(number: int) -> bool:
        return all(
            list(engine.generate(f"text {(number + call) % 8}", max_tokens=6, **HOW).ids) == wanted[(number + call) % 8]
            for call in range(3)
        )

    for number in range(64):
        crowd.go(lambda number=number: work(number))
    assert crowd.all() == [True] * 64
    stats = engine.stats()
    assert stats.running == stats.waiting == stats.pages_used == 0


# -- schedules of all kinds ----------------------------------------------------------------------------------------
def live(engine: Engine, seed: int, calls: int) -> list[str]:
    """A reader who starts, stops, sleeps, cancels and leaves as chance will have it; what was wrong."""
    chance, wrong = random.Random(seed), []
    for _ in range(calls):
        text, count = f"text {chance.randrange(6)}", chance.randrange(1, 30)
        stream = engine.submit(text, max_tokens=count, n=chance.choice((1, 1, 2)), priority=chance.randrange(2), **HOW)
        way = chance.choice(("read", "result", "cancel", "drop", "close", "late", "never"))
        try:
            if way in ("read", "result"):
                pieces: list[Piece] = list(stream.pieces()) if way == "read" else []
                for each in stream.results:
                    if list(each.ids) != formula_of(text)[:count]:
                        wrong.append(f"{way}: {text} {count} {each.ids}")
                assert way == "result" or "".join(p.text for p in pieces if p.row == 0) == stream.result.text
            elif way == "cancel":
                if chance.random() < 0.5:
                    next(iter(stream), None)
                stream.cancel()
            elif way in ("close", "late"):
                reader = stream.pieces()
                for _ in range(chance.randrange(4)):
                    next(reader, None)
                    time.sleep(chance.random() * 0.002 if way == "late" else 0)
                reader.close()
        except Exception as error:
            wrong.append(f"{way}: {type(error).__name__}: {error}")
    return wrong


_TEXTS: dict[str, list[int]] = {}


def formula_of(text: str) -> list[int]:
    if text not in _TEXTS:
        _TEXTS[text] = formula(text, 30)
    return _TEXTS[text]


def check_random_readers(seed: int, readers: int, calls: int) -> None:
    chance = random.Random(seed)
    model = attention_model()
    page = Engine(model)
    page.prepare()
    memory = page.stats().page_bytes * chance.choice((3, 5, 100))
    engine, crowd = Engine(model, batch=chance.choice((1, 3, 16)), memory=memory), Crowd()
    if chance.random() < 0.5:
        engine.start()
    for number in range(readers):
        crowd.go(lambda number=number: live(engine, 100 * seed + number, calls))
    if chance.random() < 0.5:
        time.sleep(0.02)
        engine.start()
    assert crowd.all() == [[]] * readers
    engine.generate("x", max_tokens=1, **HOW)
    stats = engine.stats()
    assert stats.running == stats.waiting == stats.pages_used == 0
    engine.close()


@pytest.mark.parametrize("seed", range(4))
def test_random_readers(seed: int) -> None:
    check_random_readers(seed, readers=6, calls=6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_random_readers(seed: int) -> None:
    check_random_readers(seed, readers=16, calls=15)
