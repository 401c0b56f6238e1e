"""How long a grammar may take for a token, and for a text."""

from __future__ import annotations

import pytest

from rlx.generate.engine import grammar_turns
from rlx.generate.engine.grammar_turns import GrammarTurn


class Clock:
    """A thread's clock, which only the grammar moves."""

    now = 0.0

    def thread_time(self) -> float:
        return self.now


class Grammar:
    """A grammar whose tokens take the seconds that a list says."""

    def __init__(self, clock: Clock, costs: list[float]) -> None:
        self.clock, self.costs = clock, iter(costs)
        self.is_finished, self.seconds, self.slow_tokens, self.taken = False, 0.0, 0, 0

    def accept(self, token: int) -> None:
        self.clock.now += next(self.costs)
        self.taken += 1

    def forced(self, most: int) -> list[int]:
        return []


def errors(monkeypatch: pytest.MonkeyPatch, costs: list[float]) -> list[str]:
    """What each token's turn ends with."""
    clock = Clock()
    monkeypatch.setattr(grammar_turns, "time", clock)
    grammar = Grammar(clock, costs)
    turns = [GrammarTurn(grammar, token=7) for _ in costs]  # type: ignore[arg-type]
    for turn in turns:
        turn.take()
    return [str(turn.error or "") for turn in turns]


@pytest.mark.parametrize("slow", [0.16, 0.49])
def test_one_token_that_a_busy_host_made_slow_does_not_end_a_text(monkeypatch, slow):
    assert errors(monkeypatch, [0.001, slow, 0.001, 0.001]) == [""] * 4


def test_a_second_slow_token_ends_the_text(monkeypatch):
    first, second = errors(monkeypatch, [0.16, 0.16])
    assert first == "" and "RLX905" in second and "one token took it 0.16 s" in second


def test_a_very_slow_token_ends_the_text_at_once(monkeypatch):
    (error,) = errors(monkeypatch, [0.6])
    assert "RLX905" in error and "one token took it 0.60 s" in error


def test_many_slow_tokens_end_the_text_by_their_sum(monkeypatch):
    texts = errors(monkeypatch, [0.11] * 20)
    assert texts[5] == "" and "tokens took it" in next(text for text in texts if text)
