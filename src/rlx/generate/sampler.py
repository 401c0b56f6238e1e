"""From the logits of one token to the next token, in NumPy: the counts that penalties read, the distribution, the draw.

`Sampling` documents the steps. The rows of a batch are drawn one by one, so a row of 49 k logits has some tens of microseconds:
everything that sorts or selects looks at few candidates, found by a threshold that is known to keep all that matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.grammar_state import GrammarState
from rlx.generate.sampling_settings import Sampling


class TokenCounts:
    """Token ids and how often each was seen, unordered; for penalties.

    >>> counts = TokenCounts([3, 5, 3])
    >>> counts.remove(5)
    >>> counts.ids, counts.counts
    (array([3]), array([2.], dtype=float32))
    """

    def __init__(self, tokens: Iterable[int] = ()) -> None:
        self._places: dict[int, int] = {}
        self._ids: npt.NDArray[Any] = np.empty(16, np.int64)
        self._counts: npt.NDArray[Any] = np.empty(16, np.float32)
        for token in tokens:
            self.add(token)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> npt.NDArray[Any]:
        """The ids that were seen."""
        return self._ids[: len(self)]

    @property
    def counts(self) -> npt.NDArray[Any]:
        """How often each of `ids` was seen."""
        return self._counts[: len(self)]

    def add(self, token: int) -> None:
        """Increments the count of a token."""
        index = self._places.get(token)
        if index is None:
            index = self._places[token] = len(self._places)
            if index == len(self._ids):
                self._ids, self._counts = np.resize(self._ids, 2 * index), np.resize(self._counts, 2 * index)
            self._ids[index], self._counts[index] = token, 0
        self._counts[index] += 1

    def remove(self, token: int) -> None:
        """Decrements the count of a token; the last entry replaces one whose count is 0."""
        index = self._places[token]
        self._counts[index] -= 1
        if self._counts[index] == 0:
            last = len(self._places) - 1
            moved = int(self._ids[last])
            self._ids[index], self._counts[index] = moved, self._counts[last]
            self._places[moved] = index
            del self._places[token]

    def clear(self) -> None:
        """Removes all tokens from the counts."""
        self._places.clear()


# -- the distribution of the next token ------------------------------------------------------------------------------
Array = npt.NDArray[Any]
_MIN_TEMPERATURE, _MAX_TEMPERATURE = (
    float(np.finfo(np.float32).tiny),
    float(np.finfo(np.float32).max),
)  # the range of f32: beyond it a temperature is 0 or infinite
_CERTAIN = np.ones(1)
_CERTAIN.flags.writeable = False
_BLOCK = 512  # block size of the probabilities that are summed before drawing inside a block
_WEIGHT_BOUNDS = tuple(map(np.float32, (1e-2, 1e-4, 1e-6)))  # relative to the largest: the nucleus usually has no smaller weights
_GROUPS = 64  # rows of a table of values whose columns' maxima bound the k-th largest value
_ROUNDING = 1e-5  # bound of the relative error of sums of `_GROUPS` f32


@dataclass(frozen=True)
class Distribution:
    """Probabilities of token ids in ascending order, 0 for all others; `ids` None: all ids."""

    probabilities: Array
    ids: Array | None = None

    @staticmethod
    def certain(token: int) -> Distribution:
        """Builds a distribution with probability 1 for one token."""
        return Distribution(_CERTAIN, np.array([token]))

    def at(self, ids: Array | int) -> Array:
        """Returns the probabilities of given ids."""
        indices = np.atleast_1d(ids)
        if self.ids is None:
            result: Array = self.probabilities[indices]
            return result
        positions = np.searchsorted(self.ids, indices)
        positions[positions == len(self.ids)] = 0
        return np.where(self.ids[positions] == indices, self.probabilities[positions], 0.0)

    def support(self) -> Array:
        """Returns the ids with nonzero probability."""
        return np.arange(len(self.probabilities)) if self.ids is None else self.ids

    @property
    def only(self) -> int | None:
        """The single id with nonzero probability; None if there are several."""
        return None if self.ids is None or len(self.ids) > 1 else int(self.ids[0])

    def draw(self, random: np.random.Generator) -> int:
        """Draws an id: first a block by the sums of blocks, then inside it. A single id takes no random number."""
        only = self.only
        if only is not None:
            return only
        weights = self.probabilities
        sums = np.add.reduceat(weights, np.arange(0, len(weights), _BLOCK), dtype=np.float64)
        block, rest = 0, random.random() * float(sums.sum())
        if len(sums) > 1:
            block, rest = _place(sums.cumsum(), rest)
            weights = weights[block * _BLOCK : (block + 1) * _BLOCK]
        else:
            rest = _clamp(rest, float(sums[0]))
        index = block * _BLOCK + _place(weights.cumsum(dtype=np.float64), rest)[0]
        return index if self.ids is None else int(self.ids[index])


def _place(ends: Array, number: float) -> tuple[int, float]:
    """Finds the interval, given the upper ends, that a number falls into, and its offset there; never an empty interval."""
    number = _clamp(number, float(ends[-1]))
    index = int(ends.searchsorted(number, side="right"))
    return index, number - (float(ends[index - 1]) if index else 0.0)


def _clamp(number: float, end: float) -> float:
    """Clamps a number to [0, end)."""
    return min(max(number, 0.0), math.nextafter(end, 0.0))


def truncate_logits(logits: Array, sampling: Sampling, ids: Array | None = None) -> Distribution:
    """Applies steps 3 to 6 of `Sampling`: temperature, top-k, top-p, min-p. `ids`: the ids of the logits, ascending; None: all."""
    best = int(logits.argmax())  # NaN counts as the largest
    top = logits[best]
    if not math.isfinite(top):
        raise RlxError(
            "RLX510",
            f"the logit of id {best if ids is None else int(ids[best])} is {top}",
            fix="load_model(…, trap_nan=True) names the op that produced it",
        )
    if sampling.is_greedy:
        return Distribution.certain(best if ids is None else int(ids[best]))
    if 0 < sampling.top_k < len(logits):
        indices = largest(logits, sampling.top_k)
        ids, logits = indices if ids is None else ids[indices], logits[indices]
    weights = _weights(logits - top, 1.0 if sampling.temperature_last else sampling.temperature)
    if sampling.top_p < 1.0 or sampling.min_p > 0.0:
        nucleus = _select_nucleus(weights, sampling.top_p, np.float32(sampling.min_p))
        ids, logits, weights = nucleus if ids is None else ids[nucleus], logits[nucleus], weights[nucleus]
    if sampling.temperature_last:
        weights = _weights(logits - top, sampling.temperature)
    weights /= weights.sum(dtype=np.float64).astype(weights.dtype)
    return Distribution(weights, ids)


def _weights(below: Array, temperature: float) -> Array:
    """Computes exp(logit / temperature), 1 for the largest logit; `below`: by how much the logits are smaller than it."""
    with np.errstate(over="ignore"):  # an overflow has weight 0
        np.divide(below, np.float32(min(max(temperature, _MIN_TEMPERATURE), _MAX_TEMPERATURE)), out=below)
        np.exp(below, out=below)
    return below


def largest(values: Array, count: int) -> Array:
    """Returns the indices of the largest values, ascending; ties at the cutoff go to the first.

    >>> largest(np.array([3, 1, 2, 2]), 2)
    array([0, 2])
    """
    rows = min(_GROUPS, len(values) // (4 * count))
    if rows < 2:
        return _select(values, count)
    columns = len(values) // rows
    tops = values[: rows * columns].reshape(rows, columns).max(axis=0)
    bound = np.partition(tops, columns - count)[columns - count]  # `count` columns have a value this large or larger
    candidates = (values >= bound).nonzero()[0]
    result: Array = candidates[_select(values[candidates], count)]
    return result


def _select(values: Array, count: int) -> Array:
    """Computes `largest` by comparing all values."""
    border = np.partition(values, len(values) - count)[len(values) - count]
    return _above(values, border, count)


def _above(values: Array, border: Any, count: int) -> Array:
    """Returns the indices of the `count` largest values, the smallest of which is `border`, ascending."""
    mask: Array = values >= border
    surplus = np.count_nonzero(mask) - count
    if surplus:
        mask[(values == border).nonzero()[0][-surplus:]] = False
    indices: Array = mask.nonzero()[0]
    return indices


def _select_nucleus(weights: Array, top_p: float, min_p: np.float32) -> Array:
    """Top-p, then min-p: the indices, ascending, of the smallest set of largest weights whose sum reaches a fraction of the total, less
    those below `min_p`. The largest weight is 1."""
    candidates: Array
    if top_p == 1.0:
        candidates = (weights >= min_p).nonzero()[0]
        return candidates
    total = _Total(weights)
    for bound in (*(bound for bound in _WEIGHT_BOUNDS if bound > min_p), min_p):
        candidates = (weights >= bound).nonzero()[0]
        values = weights[candidates]
        reached = float(values.sum(dtype=np.float64))
        if reached >= top_p * total.high:
            break
    if min_p > 0 and reached < top_p * total.low:
        return candidates
    return candidates[_nucleus(values, top_p, total)]


def _nucleus(values: Array, top_p: float, total: _Total) -> Array:
    """Returns the indices of the largest values whose sum reaches a fraction of the total; all, if it does not."""
    descending = np.sort(values)[::-1]
    sums = descending.cumsum(dtype=np.float64)
    count = _reach(sums, top_p * total.low)
    if count != _reach(sums, top_p * total.high):
        count = _reach(sums, top_p * total.exact)
    return _above(values, descending[count - 1], count)


def _reach(sums: Array, limit: float) -> int:
    """Counts the leading values whose sum reaches a bound; at least 1, at most all."""
    return min(int(sums.searchsorted(limit, side="left")) + 1, len(sums))


class _Total:
    """The sum of all weights for top-p: cheap bounds, which nearly always suffice, and the exact sum in f64."""

    def __init__(self, weights: Array) -> None:
        self._weights = weights
        columns = len(weights) // _GROUPS
        body = weights[: columns * _GROUPS].reshape(_GROUPS, columns).sum(axis=0)
        about = float(body.sum(dtype=np.float64) + weights[columns * _GROUPS :].sum(dtype=np.float64))
        self.low, self.high = about * (1 - _ROUNDING), about * (1 + _ROUNDING)

    @property
    def exact(self) -> float:
        return float(self._weights.sum(dtype=np.float64))


# -- the sampler -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ChosenToken:
    """A token and, if requested, its log-probability and those of the likeliest tokens."""

    id: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()


def log_softmax(logits: Array) -> Array:
    """Returns log p of all ids, in f32; the sum is computed in f64."""
    shifted = logits - logits.max()
    result: Array = shifted - _log_sum(shifted)
    return result


def _log_sum(shifted: Array) -> np.float32:
    return np.float32(np.log(np.exp(shifted).sum(dtype=np.float64)))


def describe_token(token: int, logits: Array, top: int = 0) -> ChosenToken:
    """Builds a ChosenToken: its log-probability by `logits`, and those of the `top` likeliest tokens.

    >>> describe_token(1, np.zeros(4, np.float32), 2).top[1][0]
    1
    """
    shifted = logits - logits.max()
    log_sum, count = _log_sum(shifted), min(top, len(logits))
    best: list[int] = []
    if count:
        indices = largest(shifted, count)
        best = indices[np.argsort(-shifted[indices], kind="stable")].tolist()
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
            raise RlxError("RLX902", "the sampler has a grammar and no grammar state", fix="Sampler(…, grammar=grammar_state(…))")
        window = self.sampling.penalty_window
        recent = self.history if window is None else self.history[max(len(self.history) - window, 0) :]
        self._counts = TokenCounts(recent)

    @cached_property
    def random(self) -> np.random.Generator:
        """The sampler's random generator, created on first use: greedy decoding needs none."""
        seed = self.sampling.seed
        return np.random.default_rng([seed, self.copy] if self.copy and seed is not None else seed)

    def random_ahead(self) -> np.random.Generator:
        """Copies the generator, so that a drafter draws the numbers that the sampler will draw next."""
        if self.sampling.is_greedy:
            return self.random  # nothing is drawn
        if self._ahead is None:
            self._ahead = np.random.default_rng(0)
        self._ahead.bit_generator.state = self.random.bit_generator.state
        return self._ahead

    def accept(self, token: int) -> None:
        """Adds a token to the sampler's text and grammar."""
        if self.grammar is not None:
            self.grammar.accept(token)
        self.note(token)

    def note(self, token: int) -> None:
        """Adds a token to the text only: the grammar accepts it elsewhere."""
        self.accepted += 1
        self.history.append(token)
        if not self.sampling.penalizes:
            return  # counts are not needed
        window = self.sampling.penalty_window
        self._counts.add(token)
        if window is not None and len(self.history) > window:
            self._counts.remove(self.history[-window - 1])

    def distribution(self, logits: Array) -> Distribution:
        """Computes the distribution of the next token: steps 0 to 6 of `Sampling`."""
        if self.grammar is None:
            return truncate_logits(self._adjust_logits(logits), self.sampling)
        forced = self.grammar.forced(1)
        if forced:
            return Distribution.certain(forced[0])
        ids, allowed = self.grammar.candidates(self._adjust_logits(logits))
        if self.sampling.logit_bias and allowed.max() == -np.inf:
            raise RlxError(
                "RLX905", "every token that the grammar allows here is forbidden by logit_bias", fix="allow one", at=None
            )
        return truncate_logits(allowed, self.sampling, ids)

    def choose(self, logits: Array) -> ChosenToken:
        """Chooses the next token from logits; `accept` adds it to the text."""
        distribution = self.distribution(logits)
        token = distribution.only
        return self.describe(distribution.draw(self.random) if token is None else token, logits)

    def describe(self, token: int, logits: Array) -> ChosenToken:
        """Describes a chosen token with the requested log-probabilities."""
        if not self.sampling.logprobs and not self.sampling.top_logprobs:
            return ChosenToken(token)
        return describe_token(token, logits, self.sampling.top_logprobs)

    def _adjust_logits(self, logits: Array) -> Array:
        """Applies bias and penalties (steps 1 and 2): returns a changed copy, or the logits themselves."""
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
