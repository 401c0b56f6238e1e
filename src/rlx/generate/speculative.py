"""Speculative decoding: a cheap drafter proposes some tokens, the model verifies all of them in one run.

The rule (Leviathan, Kalman and Matias, 2023): a token x drawn from the draft's q is accepted with probability min(1, p(x)/q(x)); the
first rejected one is replaced by a draw from max(0, p − q), normalized; if all were accepted, one more is drawn from p. Each
token then has exactly the distribution p of plain decoding, with penalties and truncation, whatever the drafter.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from rlx.generate.drafters import Draft
from rlx.generate.sampler import ChosenToken, Sampler

__all__ = ["judged"]

Array = npt.NDArray[Any]


def judged(draft: Draft, logits: Array, sampler: Sampler) -> list[ChosenToken]:
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
