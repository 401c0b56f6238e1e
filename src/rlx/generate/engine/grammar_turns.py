"""Grammars between two steps: each accepts the chosen token and computes which tokens may follow, in its own threads.

A step waits for them only briefly. A text whose grammar takes longer pauses meanwhile; the others continue.
"""

from __future__ import annotations

import atexit
import heapq
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from rlx.core.errors import RlxError
from rlx.core.this_process import lower_thread_priority
from rlx.generate.grammar_state import MOST_FORCED, GrammarState, fill_masks

_QUICK = 0.002
"""Seconds: grammars whose last turn took less have their masks computed together."""
_TOGETHER = 0.02
"""Seconds that all of these may take before each is measured by itself."""
_MOST_AT_ONCE = 0.12
"""Seconds of one token: while a grammar takes it in, no other Python code runs. One such token is allowed: the clock of a virtual machine
counts what its host takes away."""
_MOST_EVER = 0.5
"""Seconds of one token that end a text at once."""
_MOST_BEFORE, _MOST_EACH = 1.0, 0.02
"""Seconds that a grammar may compute for a text: before it, and for each of its tokens."""


@dataclass(eq=False)
class GrammarTurn:
    """One text's grammar work after a token, run in another thread. `room`: how many forced tokens the text has room for."""

    state: GrammarState
    token: int | None = None  # None: already accepted
    room: int = MOST_FORCED
    forced: list[int] = field(default_factory=list)  # accepted tokens that must follow
    finished: bool = False  # nothing but an end may follow
    error: BaseException | None = None
    done: bool = False
    spent: float = 0.0

    def take(self) -> None:
        """Advances the grammar by the token and the tokens forced after it."""
        state = self.state
        with _TurnClock(self) as at_once:
            if self.token is not None:
                state.accept(self.token)
            at_once()
            for token in [] if state.is_finished else state.forced(self.room):
                state.accept(token)
                self.forced.append(token)
            at_once()
            self.finished = state.is_finished

    def look(self) -> None:
        """Computes the mask of the next token, unless it is known."""
        if self.error is None:
            with _TurnClock(self):
                if not self.finished and not self.state.forced(1):
                    self.state.bits()


class _TurnClock:
    """Measures a part of a grammar turn; a failure or a timeout in it becomes the turn's error."""

    def __init__(self, turn: GrammarTurn) -> None:
        self.turn, self.state = turn, turn.state

    def __enter__(self) -> Callable[[], None]:
        self.began = self.last = time.thread_time()
        return self._at_once

    def _at_once(self) -> None:
        now = time.thread_time()
        self.state.slow_tokens += now - self.last > _MOST_AT_ONCE
        if self.state.slow_tokens > 1 or now - self.last > _MOST_EVER:
            raise _too_slow(f"one token took it {now - self.last:.2f} s")
        self.last = now

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> bool:
        state, spent = self.state, time.thread_time() - self.began
        state.seconds += spent
        self.turn.spent += spent
        if error is None and state.seconds > _MOST_BEFORE + _MOST_EACH * state.taken:
            error = _too_slow(f"{state.taken} tokens took it {state.seconds:.1f} s")
        if isinstance(error, (RlxError, KeyboardInterrupt, SystemExit)) or error is None:
            self.turn.error = error
        else:  # the package's panics are not Exceptions
            self.turn.error = RlxError("RLX905", f"the grammar failed: {str(error)[:200]}", at=None)
            self.turn.error.__cause__ = error
        return error is not None


def _too_slow(said: str) -> RlxError:
    return RlxError("RLX905", f"the grammar takes too long: {said}", fix="a less ambiguous grammar", at=None)


class _Lane:
    """A thread with a queue of grammar turns, the cheapest first."""

    def __init__(self, name: str, *, background: bool = False) -> None:
        self._background = background
        self._work: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._there = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, cost: float, work: Callable[[], None]) -> None:
        with self._there:
            heapq.heappush(self._work, (cost, next(self._order), work))
            self._there.notify()

    def stop(self) -> None:
        """Ends the thread after the turn in progress."""
        with self._there:
            self._stopped = True
            self._there.notify()
        self._thread.join()

    def _run(self) -> None:
        if self._background:
            lower_thread_priority()
        while True:
            with self._there:
                self._there.wait_for(lambda: self._work or self._stopped)
                if self._stopped:
                    return
                work = heapq.heappop(self._work)[2]
            work()
            del work


class _Lanes:
    """A lane for quick grammars, which run together, and one for slow grammars."""

    def __init__(self) -> None:
        self.quick, self.slow = _Lane("rlx-grammars"), _Lane("rlx-slow-grammars", background=True)
        self.news = threading.Condition()
        atexit.register(self._stop)

    def _stop(self) -> None:
        self.quick.stop()
        self.slow.stop()

    def take(self, turns: list[GrammarTurn]) -> None:
        together = [turn for turn in turns if turn.state.is_quick]
        if together:
            self.quick.put(0.0, lambda: self._all(together))
        for turn in turns:
            if turn not in together:
                self.slow.put(turn.state.last_seconds, lambda turn=turn: self._alone(turn))  # type: ignore[misc]

    def _all(self, turns: list[GrammarTurn]) -> None:
        for turn in turns:
            turn.take()
        began = time.perf_counter()
        going = [turn.state for turn in turns if turn.error is None and not turn.finished]
        try:
            fill_masks(going)
        except BaseException:  # whose it is shows when each looks for itself
            going = []
        slow = time.perf_counter() - began > _TOGETHER
        for turn in turns:
            turn.look()
        self._note(turns, slow)

    def _alone(self, turn: GrammarTurn) -> None:
        turn.take()
        turn.look()
        self._note([turn])
        if turn.spent > _QUICK:
            time.sleep(min(turn.spent, _MOST_AT_ONCE))  # others want to run

    def _note(self, turns: Iterable[GrammarTurn], slow: bool = False) -> None:
        with self.news:
            for turn in turns:
                turn.state.last_seconds = turn.spent
                turn.state.is_quick = not slow and turn.spent < _QUICK
                turn.done = True
            self.news.notify_all()


@lru_cache(maxsize=1)
def _lanes_of(process: int) -> _Lanes:
    return _Lanes()


def take_turns(turns: list[GrammarTurn]) -> None:
    """Starts grammar turns; `done` is set when each has ended."""
    _lanes_of(os.getpid()).take(turns)


def wait_for_turns(turns: list[GrammarTurn], seconds: float, *, for_all: bool = True) -> None:
    """Waits until all grammar turns, or one of them, have ended, but no longer than `seconds`."""
    enough = all if for_all else any
    news = _lanes_of(os.getpid()).news
    with news:
        news.wait_for(lambda: enough(turn.done for turn in turns), seconds)
