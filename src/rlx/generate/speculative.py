"""Speculative decoding: a cheap drafter proposes some tokens, the model verifies all of them in one run.

The rule (Leviathan, Kalman and Matias, 2023): a token x drawn from the draft's q is accepted with probability min(1, p(x)/q(x)); the
first rejected one is replaced by a draw from max(0, p − q), normalized; if all were accepted, one more is drawn from p. Each
token then has exactly the distribution p of plain decoding, with penalties and truncation, whatever the drafter.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from rlx.generate.drafters import Draft, Drafter
from rlx.generate.results import Speculation
from rlx.generate.runner import Runner, Snapshot
from rlx.generate.sampler import ChosenToken, Sampler

__all__ = ["speculate"]

Array = npt.NDArray[Any]


def speculate(
    runner: Runner, drafter: Drafter, token: int, sampler: Sampler, count: int, record: Speculation
) -> list[ChosenToken]:
    """One round after `token`, which is part of the text but not yet in the caches; returns at least one more token."""
    ids = [*runner.tokens[0], token]
    hidden = runner.hidden[0] if drafter.wants_hidden else None
    draft = drafter.propose(
        ids, hidden, max(min(count, runner.capacity - len(ids)), 0), sampler.sampling, sampler.random
    )
    before = runner.snapshot() if runner.recurrent and draft.tokens else None
    logits = runner.score([[token, *draft.tokens]])[0]
    choices = _judged(draft, logits, sampler)
    accepted = len(choices) - 1
    if accepted < len(draft.tokens):
        _go_back(runner, before, [token, *draft.tokens[:accepted]], len(ids) + accepted)
    record.rounds += 1
    record.drafted += len(draft.tokens)
    record.accepted += accepted
    return choices


def _judged(draft: Draft, logits: Array, sampler: Sampler) -> list[ChosenToken]:
    """The accepted tokens and one more."""
    choices: list[ChosenToken] = []
    for place, (guess, guessed) in enumerate(zip(draft.tokens, draft.distributions, strict=True)):
        wanted = sampler.distribution(logits[place])
        if sampler.random.random() * float(guessed.at(guess)[0]) < float(wanted.at(guess)[0]):
            choices.append(sampler.described(guess, logits[place]))
            sampler.accept(guess)
            continue
        choices.append(sampler.choose(logits[place], wanted.without(guessed)))
        sampler.accept(choices[-1].id)
        return choices
    choices.append(sampler.choose(logits[len(draft.tokens)]))
    sampler.accept(choices[-1].id)
    return choices


def _go_back(runner: Runner, before: Snapshot | None, kept: list[int], length: int) -> None:
    """Remove the rejected tokens: a cache is truncated; recurrent states are restored and fed the accepted tokens again."""
    if before is None:
        runner.truncate(0, length)
    else:
        runner.restore(before)
        runner.prefill([kept])
