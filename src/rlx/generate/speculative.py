"""Speculative decoding: a cheap drafter proposes some tokens, the model verifies all of them in one run.

The rule: at each place the sampler draws its token as plain decoding would, with the same random number; a guess is accepted if it is
that token, and the first other token is the one that follows. The text is the one without drafts, at every temperature, whatever the
drafter and however many it was asked for: it does not depend on who else is in the batch. A drafter that draws with the sampler's next
random numbers (`random_ahead`) agrees more often than one with numbers of its own.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from rlx.generate.drafters import Draft
from rlx.generate.sampler import ChosenToken, Sampler

Array = npt.NDArray[Any]


def judged(draft: Draft, logits: Array, sampler: Sampler) -> list[ChosenToken]:
    """The accepted tokens and one more."""
    choices: list[ChosenToken] = []
    for place in range(len(draft.tokens) + 1):
        choices.append(sampler.choose(logits[place]))
        sampler.accept(choices[-1].id)
        if choices[-1].id not in draft.tokens[place : place + 1]:
            break
    return choices
