"""Faults under load: small loads on the engine, and that the program which checks them (`engine_faults`) sees what goes wrong."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from rlx.generate import Engine
from rlx.generate.results import Generation, Piece
from rlx.generate.sampling_settings import Sampling
from tests.generate import engine_faults
from tests.generate.engine_faults import Case, Settings, check, pages_still_held, wrong_answers
from tests.generate.tiny import CONTEXT

SMALL = Settings(requests=60, callers=6, batch=4)


# -- the checks, on an engine that makes up its answers --------------------------------------------------------------
@dataclass
class MadeUpStats:
    running: int = 0
    waiting: int = 0
    pages_used: int = 0
    pages_total: int = 12
    page_bytes: int = 100
    preemptions: int = 1
    prefix_hits: int = 0
    prefix_queries: int = 0
    tokens_out: int = 0


class MadeUpStream:
    """Texts that prompt, settings and row decide."""

    def __init__(self, ids: list[int], sampling: Any, n: int, fault: str) -> None:
        if fault == "mixed up":
            ids = [*ids, 1]
        self.answers = [
            random.Random(f"{ids} {sampling.seed} {sampling.temperature} {row}").choices(range(97, 120), k=sampling.max_tokens)
            for row in range(n)
        ]
        if fault == "short":
            self.answers[-1] = self.answers[-1][:-1]
        self.fault, self.cancelled, self.given = fault, False, 0

    def pieces(self) -> Iterator[Piece]:
        if self.fault == "raises":
            raise ValueError("not this time")
        for place in range(max(map(len, self.answers))):
            for row, ids in enumerate(self.answers):
                if place < len(ids) and not self.cancelled:
                    yield Piece(chr(ids[place]) if self.fault != "wrong piece" else "?", row)
            self.given = place + 1

    def cancel(self) -> None:
        self.cancelled = True

    @property
    def results(self) -> list[Generation]:
        given = [ids[: self.given] for ids in self.answers]
        return [Generation("".join(map(chr, ids)), tuple(ids), "length", 1, 0) for ids in given]


class MadeUpEngine:
    """Right but for one fault, in every tenth of its answers unless it is alone."""

    def __init__(self, fault: str = "", batch: int = 1, **settings: Any) -> None:
        self.fault, self.alone, self.count, self.lock = fault, batch == 1, 0, threading.Lock()
        self.numbers = MadeUpStats(pages_used=int(fault == "page held"), preemptions=int(fault != "never full"))

    def submit(self, ids: list[int], sampling: Any = None, n: int = 1, **settings: Any) -> MadeUpStream:
        with self.lock:
            self.count += 1
        chosen = (sampling or Sampling()).with_settings(**settings)
        return MadeUpStream(ids, chosen, n, self.fault if self.count % 10 == 0 and not self.alone else "")

    def stats(self) -> MadeUpStats:
        return replace(self.numbers)

    def close(self) -> None: ...


def quiet(text: str) -> None: ...


def test_a_right_engine_has_no_faults() -> None:
    assert check(MadeUpEngine, SMALL, quiet) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("mixed up", "no beginning of"),
        ("short", "instead of"),
        ("raises", "ValueError: not this time"),
        ("wrong piece", "was given '?"),
        ("never full", "no sequence was put back"),
    ],
)
def test_faults_are_seen(fault: str, said: str) -> None:
    wrong = check(partial(MadeUpEngine, fault), SMALL, quiet)
    assert wrong and any(said in line for line in wrong), wrong


def test_a_held_page_is_seen() -> None:
    assert pages_still_held(MadeUpEngine("page held"), patience=0.05) == "0 sequences run, 0 wait, 1 pages are used"


def test_a_lost_request_is_seen() -> None:
    case = Case((1, 2), 3)
    assert list(wrong_answers([case], [None], {case.question: engine_faults.Told()})) == [f"request 0: lost; {case}"]


def test_requests_are_of_all_kinds_and_fit() -> None:
    asked = engine_faults.cases(400, cancelled=0.3)
    assert asked == engine_faults.cases(400, cancelled=0.3)
    assert all(len(case.prompt) + case.answer <= CONTEXT for case in asked)
    left = [case for case in asked if case.leaves is not None]
    assert 0.2 < len(left) / len(asked) < 0.4 and {case.way for case in left} == set(engine_faults.WAYS)
    assert {case.n for case in asked} == {1, 2, 3} and {case.temperature == 0.0 for case in asked} == {True, False}
    assert len({case.prompt[:32] for case in asked if len(case.prompt) > 48}) < 5, "beginnings are shared"


# -- the engine ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thread", [False, True])
@pytest.mark.parametrize("model", engine_faults.MODELS)
def test_few_requests_survive_a_small_pool(model: str, thread: bool) -> None:
    settings = replace(SMALL, pages=6, thread=thread)
    assert check(partial(Engine, engine_faults.MODELS[model]()), settings, quiet) == []


@pytest.mark.long
@pytest.mark.parametrize("prefix_cache", [False, True])
@pytest.mark.parametrize("model", engine_faults.MODELS)
def test_2000_requests_survive_a_small_pool(model: str, prefix_cache: bool) -> None:
    settings = Settings(prefix_cache=prefix_cache)
    assert check(partial(Engine, engine_faults.MODELS[model]()), settings) == []


MINUTES = float(os.environ.get("RLX_FAULT_MINUTES", "30"))


@pytest.mark.long
@pytest.mark.timeout(60 * MINUTES + 900)
def test_memory_stays_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Callers come and leave for RLX_FAULT_MINUTES; the memory is printed every minute."""
    begun, printed = time.monotonic(), 0

    def say(line: str) -> None:
        nonlocal printed
        if time.monotonic() - begun >= 60 * printed:
            printed += 1
            with capsys.disabled():
                print(f"\n{line}", flush=True)

    settings = Settings(requests=500, minutes=MINUTES)
    assert check(partial(Engine, engine_faults.MODELS["attention"]()), settings, say) == []
