"""The sampler: from the logits of one token to the next token, in NumPy. `Sampling` documents the steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.distribution import Distribution, largest, truncated
from rlx.generate.grammar_state import GrammarState
from rlx.generate.sampling_settings import Sampling
from rlx.generate.token_counts import TokenCounts

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ChosenToken:
    """A token and, if requested, its log-probability and those of the likeliest tokens."""

    id: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()


def log_softmax(logits: Array) -> Array:
    """log p of all ids, in f32; the sum is computed in f64."""
    shifted = logits - logits.max()
    result: Array = shifted - _log_sum(shifted)
    return result


def _log_sum(shifted: Array) -> np.float32:
    return np.float32(np.log(np.exp(shifted).sum(dtype=np.float64)))


def described(token: int, logits: Array, top: int = 0) -> ChosenToken:
    """A token with its log-probability by `logits`, and those of the `top` likeliest.

    >>> described(1, np.zeros(4, np.float32), 2).top[1][0]
    1
    """
    shifted = logits - logits.max()
    log_sum, count = _log_sum(shifted), min(top, len(logits))
    best: list[int] = []
    if count:
        places = largest(shifted, count)
        best = places[np.argsort(-shifted[places], kind="stable")].tolist()
    tops = tuple((number, float(shifted[number] - log_sum)) for number in best)
    return ChosenToken(token, float(shifted[token] - log_sum), tops)


@dataclass
class Sampler:
    """Chooses the tokens of one sequence: settings, generator, the tokens that penalties count, and those that end it (for `min_tokens`).

    >>> sampler = Sampler(Sampling(logit_bias={1: 5.0}))
    >>> sampler.choose(np.array([3.0, 0.0, 1.0], np.float32)).id
    1
    """

    sampling: Sampling
    history: list[int] = field(default_factory=list)
    grammar: GrammarState | None = None
    copy: int = 0  # which of several texts of one prompt: each has random numbers of its own
    ends: frozenset[int] = frozenset()  # not drawn before `min_tokens`
    accepted: int = field(init=False, default=0)  # tokens of the text so far
    _counts: TokenCounts = field(init=False, repr=False)
    _ahead: np.random.Generator | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        if self.sampling.grammar is not None and self.grammar is None:
            raise RlxError("RLX902", "a sampler does not know the tokens of a grammar", fix="Sampler(…, grammar=grammar_state(…))")
        window = self.sampling.penalty_window
        recent = self.history if window is None else self.history[max(len(self.history) - window, 0) :]
        self._counts = TokenCounts(recent)

    @cached_property
    def random(self) -> np.random.Generator:
        """The random generator, created on first use: greedy decoding needs none."""
        seed = self.sampling.seed
        return np.random.default_rng([seed, self.copy] if self.copy and seed is not None else seed)

    def random_ahead(self) -> np.random.Generator:
        """The numbers that it will draw with next, for a drafter: the sampler's own stay as they are."""
        if self.sampling.is_greedy:
            return self.random  # nothing is drawn
        if self._ahead is None:
            self._ahead = np.random.default_rng(0)
        self._ahead.bit_generator.state = self.random.bit_generator.state
        return self._ahead

    def accept(self, token: int) -> None:
        """Add a token to the text."""
        if self.grammar is not None:
            self.grammar.accept(token)
        self.note(token)

    def note(self, token: int) -> None:
        """Add a token that the grammar takes elsewhere."""
        self.accepted += 1
        self.history.append(token)
        if not self.sampling.penalizes:
            return  # nobody asks how often
        window = self.sampling.penalty_window
        self._counts.add(token)
        if window is not None and len(self.history) > window:
            self._counts.remove(self.history[-window - 1])

    def distribution(self, logits: Array) -> Distribution:
        """The distribution of the next token: steps 0 to 6."""
        if self.grammar is None:
            return truncated(self._changed(logits), self.sampling)
        forced = self.grammar.forced(1)
        if forced:
            return Distribution.certain(forced[0])
        ids, allowed = self.grammar.candidates(self._changed(logits))
        if self.sampling.logit_bias and allowed.max() == -np.inf:
            raise RlxError(
                "RLX905", "every token that the grammar allows here is forbidden by logit_bias", fix="allow one", at=None
            )
        return truncated(allowed, self.sampling, ids)

    def choose(self, logits: Array) -> ChosenToken:
        """The next token; `accept` adds it to the text."""
        found = self.distribution(logits)
        token = found.only
        return self.described(found.draw(self.random) if token is None else token, logits)

    def described(self, token: int, logits: Array) -> ChosenToken:
        """A token with the requested log-probabilities."""
        if not self.sampling.logprobs and not self.sampling.top_logprobs:
            return ChosenToken(token)
        return described(token, logits, self.sampling.top_logprobs)

    def _changed(self, logits: Array) -> Array:
        """Steps 1 and 2, on a copy if they change anything."""
        sampling = self.sampling
        penalized = sampling.penalizes and len(self._counts) > 0
        too_short = self.accepted < sampling.min_tokens and bool(self.ends) and self.grammar is None
        if not sampling.logit_bias and not penalized and not too_short:
            return logits
        changed = logits.copy()
        if too_short:
            changed[[token for token in self.ends if token < len(logits)]] = -np.inf
        for token, bias in sampling.logit_bias.items():
            if not 0 <= token < len(logits):
                raise RlxError("RLX902", f"logit_bias of id {token}, but the model has ids up to {len(logits) - 1}")
            changed[token] += np.float32(bias)
        if penalized:
            seen, counts = self._counts.ids, self._counts.counts
            values, factor = changed[seen], np.float32(sampling.repetition_penalty)
            values = np.where(values > 0, values / factor, values * factor)
            changed[seen] = values - np.float32(sampling.presence_penalty) - np.float32(sampling.frequency_penalty) * counts
        return changed
