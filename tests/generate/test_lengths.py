"""How many tokens are drafted: the number that pays most by a simulation of rounds, from counts alone."""

from __future__ import annotations

import numpy as np
import pytest

from rlx.core.quant_scheme import QuantScheme
from rlx.generate.drafters import _PAUSE, _RUNS, MOST, DraftLength, run_times
from rlx.models import Weight


def settled(share: float, cost: float, kind: str = "large blocks") -> DraftLength:
    """After many drafts of one token, of which a share was accepted, evenly spread."""
    length = DraftLength(cost, _RUNS[kind])
    for number in range(1, 2001):
        length.note(1, int(number * share) - int((number - 1) * share))
    return length


def simulated_speed(share: float, cost: float, kind: str, count: int) -> float:
    """Tokens by time, in runs of the model on one token, of rounds in which each guess is right with this probability."""
    right = np.random.default_rng(0).random((20_000, count)) < share
    tokens = 1 + np.cumprod(right, axis=1).sum(axis=1)
    return float(tokens.mean()) / (count * cost + _RUNS[kind][count])


@pytest.mark.parametrize("cost", [0.0, 0.15, 0.5])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.75, 0.9, 1.0])
@pytest.mark.parametrize("kind", _RUNS)
def test_the_chosen_length_is_the_fastest(share, cost, kind):
    length = settled(share, cost, kind)
    assert length.share == pytest.approx(share, abs=0.1)
    speeds = [simulated_speed(length.share, cost, kind, count) for count in range(MOST + 1)]
    assert speeds[length.choose()] == pytest.approx(max(speeds), rel=0.02)


def test_a_drafter_as_slow_as_the_model_is_left_alone():
    assert settled(0.9, cost=1.0).choose() == 0


def test_only_judged_tokens_count():
    """Behind a refused token nothing is known: one of two judged was accepted, not one of seven drafted."""
    length = DraftLength(0.0)
    for _ in range(200):
        length.note(7, 1)
    assert length.share == pytest.approx(0.5, abs=0.05)
    for _ in range(200):
        length.note(0, 0)
    assert length.share == pytest.approx(0.5, abs=0.05)


def test_drafts_are_tried_again_after_a_pause():
    length = settled(0.0, cost=0.5)
    chosen = [length.choose() for _ in range(3 * (_PAUSE + 1))]
    assert chosen == ([0] * _PAUSE + [1]) * 3
    for _ in range(30):
        length.note(1, 1)
    assert length.choose() > 0


def test_a_bound_is_kept():
    length = DraftLength(0.0, most=3)
    for _ in range(20):
        length.note(3, 3)
    assert length.choose() == 3
    assert [DraftLength(0.0, most=0).choose() for _ in range(40)] == [0] * 40


def test_run_times_are_those_of_most_weights():
    def weight(kind: str | None, rows: int, nbytes: int) -> Weight:
        return Weight((rows, 256), QuantScheme.gguf(kind) if kind else None, lambda: np.zeros(0), nbytes)

    assert all(len(times) == MOST + 1 and list(times) == sorted(times) and times[0] == 1 for times in _RUNS.values())
    norm, head = weight(None, 1, 1024), weight("Q8_0", 100, 100 * 8 * 34)
    assert run_times([norm, head, weight("Q4_0", 1000, 1000 * 8 * 18)]) == _RUNS["small blocks"]
    assert run_times([norm, head, weight("Q4_K", 1000, 1000 * 144)]) == _RUNS["large blocks"]
    assert run_times([norm, head]) == run_times([norm]) == _RUNS["bytes"]
