"""Faults under load: `python -m tests.generate.engine_faults --requests 2000 --cancelled 0.3 --pages 12`.

Many callers ask one engine for texts of all kinds: greedy and sampled with seeds, short and long, several answers to one prompt, prompts
with common beginnings. Some leave at a random moment, in every way there is. The pages do not suffice for all, so sequences are put back
and resumed. Then:

- no request is lost, and none fails;
- every finished answer is the one that the request gets alone, in an engine that runs one sequence at a time; of one that was left it is a
  beginning; the pieces a caller was given are that text;
- all pages can be held again: so many requests as fill the pool run together without one being put back;
- the resident memory does not grow after the first part of the load.

`--minutes` repeats the load for that long. The exit status is 1 when something is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rlx.generate.sampling_settings import Sampling
from tests.generate.tiny import CONTEXT, attention_model, recurrent_model

MODELS: dict[str, Callable[[], Any]] = {"attention": attention_model, "recurrent": recurrent_model}
PAGE = 32
IDS = (1, 250)  # of prompts
WAYS = ("cancel", "close", "drop", "timer")  # how a caller leaves
GROWTH = 16e6  # bytes of resident memory
PART = 250  # requests after which answers and memory are looked at
PATIENCE = 600.0  # seconds for a part


@dataclass(frozen=True)
class Case:
    """A request; `leaves` after so many pieces (0: before it reads any), None: it stays."""

    prompt: tuple[int, ...]
    answer: int
    temperature: float = 0.0
    seed: int = 0
    n: int = 1
    leaves: int | None = None
    way: str = "cancel"

    @property
    def sampling(self) -> Sampling:
        """All answers have their full length, so that they are comparable."""
        return Sampling(temperature=self.temperature, seed=self.seed, max_tokens=self.answer, ignore_eos=True)

    @property
    def question(self) -> tuple[Any, ...]:
        """What decides its answers."""
        return self.prompt, self.answer, self.temperature, self.seed, self.n


@dataclass
class Told:
    """What a caller was given: ids, ends and text of each row."""

    ids: list[tuple[int, ...]] = field(default_factory=list)
    finishes: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    pieces: dict[int, str] = field(default_factory=dict)  # by row
    error: str = ""


def cases(count: int, cancelled: float, seed: int = 0, context: int = CONTEXT) -> list[Case]:
    """Requests of all kinds; some are asked several times."""
    chance = random.Random(seed)
    beginnings = [_ids(chance, length) for length in (0, 0, 7, PAGE, context // 2, context // 2)]
    found: list[Case] = []
    for _ in range(count):
        leaves = chance.randrange(8) if chance.random() < cancelled else None
        way = chance.choice(WAYS)
        if found and chance.random() < 0.1:
            again = chance.choice(found)
            found.append(Case(*again.question, leaves=leaves, way=way))
            continue
        prompt = chance.choice(beginnings) + _ids(chance, chance.randint(1, context // 4))
        answer = chance.randint(1, min(context // 3, context - len(prompt)))
        sampled = chance.random() < 0.5
        found.append(
            Case(
                tuple(prompt),
                answer,
                chance.choice((0.7, 1.0, 1.5)) if sampled else 0.0,
                chance.randrange(1000) if sampled else 0,
                chance.choice((1, 1, 1, 2, 3)),
                leaves,
                way,
            )
        )
    return found


def _ids(chance: random.Random, length: int) -> list[int]:
    return [chance.randrange(*IDS) for _ in range(length)]


# -- callers -------------------------------------------------------------------------------------------------------
def ask(engine: Any, case: Case, wait: float = 0.0) -> Told:
    """One caller: reads its pieces until the end, or leaves; `wait` seconds are those of a timer that cancels."""
    told = Told()
    try:
        stream = engine.submit(list(case.prompt), case.sampling, n=case.n)
        timer = threading.Timer(wait, stream.cancel) if case.leaves is not None and case.way == "timer" else None
        if timer is not None:
            timer.start()
        _read(stream, case, told)
        if timer is not None:
            timer.join()
        if case.leaves is not None and case.way == "drop":
            return told  # collected here, with what it held
        _note(stream, told)
    except Exception as failure:
        told.error = f"{type(failure).__name__}: {failure}".split("\n")[0]
    return told


def _read(stream: Any, case: Case, told: Told) -> None:
    if case.leaves == 0 and case.way in ("cancel", "drop"):
        return stream.cancel() if case.way == "cancel" else None
    pieces = stream.pieces()
    for count, piece in enumerate(pieces, 1):
        told.pieces[piece.row] = told.pieces.get(piece.row, "") + piece.text
        if case.leaves is not None and case.way != "timer" and count >= case.leaves:
            if case.way == "cancel":
                stream.cancel()
            else:
                return pieces.close()


def _note(stream: Any, told: Told) -> None:
    results = stream.results
    told.ids = [tuple(each.ids) for each in results]
    told.finishes = [each.finish for each in results]
    told.texts = [each.text for each in results]


def load(engine: Any, asked: Sequence[Case], callers: int, seed: int = 0) -> list[Told | None]:
    """All cases by so many threads; one that was lost leaves None."""
    chance = random.Random(seed)
    waits = [chance.expovariate(20.0) for _ in asked]
    found: list[Told | None] = [None] * len(asked)
    numbers, lock = iter(range(len(asked))), threading.Lock()

    def caller() -> None:
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            found[number] = ask(engine, asked[number], waits[number])

    threads = [threading.Thread(target=caller, daemon=True) for _ in range(callers)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + PATIENCE
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return found


def alone(engine: Any, asked: Iterable[Case]) -> dict[tuple[Any, ...], Told]:
    """The answers to each question, one after another."""
    found: dict[tuple[Any, ...], Told] = {}
    for case in asked:
        if case.question not in found:
            told = ask(engine, Case(*case.question))
            if told.error:
                raise SystemExit(f"alone, {case} fails: {told.error}")
            found[case.question] = told
    return found


# -- checks --------------------------------------------------------------------------------------------------------
def wrong_answers(asked: Sequence[Case], found: Sequence[Told | None], solo: dict[tuple[Any, ...], Told]) -> Iterator[str]:
    """One line for each request that did not get what it gets alone."""
    for number, (case, told) in enumerate(zip(asked, found, strict=True)):
        problem = "lost" if told is None else _problem(case, told, solo[case.question])
        if problem:
            yield f"request {number}: {problem}; {case}"


def _problem(case: Case, told: Told, wanted: Told) -> str:
    if told.error:
        return told.error
    for row, text in told.pieces.items():
        if not wanted.texts[row].startswith(text):
            return f"row {row} was given {text!r}, which is no beginning of {wanted.texts[row]!r}"
    if case.leaves is not None:
        beginnings = zip(told.ids, wanted.ids, strict=False)
        return "" if all(ids == whole[: len(ids)] for ids, whole in beginnings) else f"{told.ids} for {wanted.ids}"
    if told.finishes != ["length"] * case.n:
        return f"it ended by {told.finishes}"
    if told.ids != wanted.ids or told.texts != wanted.texts:
        return f"{told.ids} instead of {wanted.ids}"
    given = [told.pieces.get(row, "") for row in range(case.n)]
    return "" if given == told.texts else f"pieces {given} of {told.texts}"


def pages_still_held(engine: Any, context: int = CONTEXT, patience: float = 10.0) -> str:
    """What is wrong with the pages when nobody asks any more: some held, or not all to be had."""
    deadline = time.monotonic() + patience
    while (stats := engine.stats()).running or stats.waiting or stats.pages_used:
        if time.monotonic() > deadline:
            return f"{stats.running} sequences run, {stats.waiting} wait, {stats.pages_used} pages are used"
        engine.submit([1], max_tokens=1, ignore_eos=True).results  # a step, where callers step the engine
    pages = -(-context // PAGE)
    prompt, count, chance = (pages - 1) * PAGE + 1, stats.pages_total // pages, random.Random(1)
    before, most = stats.preemptions, 0
    streams = [
        engine.submit(_ids(chance, prompt), max_tokens=context - prompt, temperature=0.0, ignore_eos=True) for _ in range(count)
    ]
    for _ in streams[0].pieces():
        most = max(most, engine.stats().pages_used)
    for stream in streams[1:]:
        stream.results  # waits for its end
    if engine.stats().preemptions > before:
        return f"{count} requests of {pages} pages do not fit into {stats.pages_total} any more"
    return "" if most <= stats.pages_total else f"{most} pages of {stats.pages_total} are used"


def resident() -> int:
    """Bytes of this process in memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


# -- the program ---------------------------------------------------------------------------------------------------
@dataclass
class Settings:
    """How much of everything."""

    requests: int = 2000
    cancelled: float = 0.3
    pages: int = 12
    batch: int = 16
    callers: int = 24
    seed: int = 0
    minutes: float = 0.0
    thread: bool = False  # the engine steps in a thread of its own
    prefix_cache: bool = True


def check(make: Callable[..., Any], settings: Settings, say: Callable[[str], None] = print) -> list[str]:
    """Run the load on an engine that `make` gives, and give all that was wrong."""
    asked = cases(settings.requests, settings.cancelled, settings.seed)
    one = make(context=CONTEXT, batch=1, prefix_cache=False)
    solo = alone(one, asked)
    page_bytes = one.stats().page_bytes
    one.close()
    say(f"{len(asked)} requests, {len(solo)} different ones answered alone")
    memory = settings.pages * page_bytes or None
    engine = make(context=CONTEXT, batch=settings.batch, memory=memory, prefix_cache=settings.prefix_cache)
    if settings.thread:
        engine.start()
    wrong = _parts(engine, asked, solo, settings, say)
    stats = engine.stats()
    if memory is not None and not stats.preemptions:
        wrong.append(f"no sequence was put back: {stats.pages_total} pages are too many for this load")
    if held := pages_still_held(engine):
        wrong.append(held)
    engine.close()
    return wrong


def _parts(
    engine: Any, asked: Sequence[Case], solo: dict[tuple[Any, ...], Told], settings: Settings, say: Callable[[str], None]
) -> list[str]:
    """The load, once or for some minutes."""
    wrong: list[str] = []
    sizes: list[int] = []
    end, begun, number, asked_so_far = time.monotonic() + 60 * settings.minutes, time.monotonic(), 0, 0
    while number * PART < len(asked) or (time.monotonic() < end and not wrong):
        first = number * PART % len(asked)
        part = asked[first : first + PART]
        wrong += wrong_answers(part, load(engine, part, settings.callers, settings.seed + number), solo)
        sizes.append(resident())
        stats, number, asked_so_far = engine.stats(), number + 1, asked_so_far + len(part)
        say(
            f"{asked_so_far} requests, {time.monotonic() - begun:.0f} s: {stats.tokens_out} tokens, "
            f"{stats.preemptions} sequences put back, {stats.prefix_hits} of {stats.prefix_queries} prompt tokens known, "
            f"{sizes[-1] / 1e6:.0f} MB resident, {len(wrong)} wrong"
        )
    if sizes[-1] - sizes[0] > GROWTH:
        wrong.append(f"the resident memory grew from {sizes[0] / 1e6:.0f} to {sizes[-1] / 1e6:.0f} MB")
    return wrong


def main() -> int:
    """The command line."""
    usual = Settings()
    parser = argparse.ArgumentParser(prog="python -m tests.generate.engine_faults", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", choices=MODELS, default="attention")
    parser.add_argument("--requests", type=int, default=usual.requests)
    parser.add_argument("--cancelled", type=float, default=usual.cancelled, help="share of callers that leave")
    parser.add_argument("--pages", type=int, default=usual.pages, help="in the pool")
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--callers", type=int, default=usual.callers, help="threads")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--minutes", type=float, default=usual.minutes, help="repeat the load for so long")
    parser.add_argument("--thread", action="store_true", help="the engine steps in a thread of its own")
    parser.add_argument("--no-prefix-cache", dest="prefix_cache", action="store_false")
    options = vars(parser.parse_args())
    from rlx.generate import Engine

    wrong = check(partial(Engine, MODELS[options.pop("model")]()), Settings(**options))
    print("\n".join(wrong[:20] + [f"{len(wrong)} things are wrong"] * bool(wrong)) or "nothing is wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
