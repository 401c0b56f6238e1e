"""The sampler: from the logits of one token to the next token, in NumPy. `Sampling` documents the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.sampling import Sampling

__all__ = ["ChosenToken", "Distribution", "Sampler", "log_softmax", "truncated"]

Array = npt.NDArray[Any]
_COLDEST, _HOTTEST = (
    float(np.finfo(np.float32).tiny),
    float(np.finfo(np.float32).max),
)  # the range of f32: beyond it a temperature is 0 or infinite
_BLOCK = 512  # block size of the probabilities that are summed before drawing inside a block
_LEAST_WEIGHTS = (1e-2, 1e-4)  # relative to the largest: the nucleus usually has no smaller weights,
_FEW = 2048  # and not more than this many


@dataclass(frozen=True)
class ChosenToken:
    """A token and, if requested, its log-probability and those of the likeliest tokens."""

    id: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Distribution:
    """Probabilities of some ids in ascending order, 0 for all others; `ids` None: all ids."""

    probabilities: Array
    ids: Array | None = None

    @staticmethod
    def certain(token: int) -> Distribution:
        """Probability 1 for one token."""
        return Distribution(np.ones(1), np.array([token]))

    def at(self, ids: Array | int) -> Array:
        """The probabilities of given ids."""
        wanted = np.atleast_1d(ids)
        if self.ids is None:
            found: Array = self.probabilities[wanted]
            return found
        places = np.searchsorted(self.ids, wanted)
        places[places == len(self.ids)] = 0
        return np.where(self.ids[places] == wanted, self.probabilities[places], 0.0)

    def support(self) -> Array:
        """The ids with nonzero probability."""
        return np.arange(len(self.probabilities)) if self.ids is None else self.ids

    def draw(self, random: np.random.Generator) -> int:
        """Draw an id: first a block by the sums of blocks, then inside it."""
        weights = self.probabilities
        sums = np.add.reduceat(weights, np.arange(0, len(weights), _BLOCK), dtype=np.float64)
        block, rest = _place(np.cumsum(sums), random.random() * float(sums.sum()))
        inside = np.cumsum(weights[block * _BLOCK : (block + 1) * _BLOCK], dtype=np.float64)
        place = block * _BLOCK + _place(inside, rest)[0]
        return place if self.ids is None else int(self.ids[place])

    def without(self, other: Distribution) -> Distribution:
        """max(0, this − other), normalized: drawn from after a draft from `other` was rejected."""
        ids = self.support()
        rest = np.maximum(self.probabilities - other.at(ids), 0.0)
        total = rest.sum(dtype=np.float64)
        return self if total <= 0 else Distribution(rest / total, self.ids)


def _place(ends: Array, number: float) -> tuple[int, float]:
    """The interval, given the upper ends, that a number falls into, and its offset there; never an empty interval."""
    number = min(max(number, 0.0), float(np.nextafter(ends[-1], 0.0)))
    place = int(np.searchsorted(ends, number, side="right"))
    return place, number - (float(ends[place - 1]) if place else 0.0)


def log_softmax(logits: Array) -> Array:
    """log p of all ids, in f32; the sum is computed in f64."""
    shifted = logits - logits.max()
    result: Array = shifted - np.float32(np.log(np.exp(shifted).sum(dtype=np.float64)))
    return result


def truncated(logits: Array, sampling: Sampling) -> Distribution:
    """Steps 3 to 6: temperature, top-k, top-p, min-p."""
    best = int(np.argmax(logits))  # NaN counts as the largest
    if not np.isfinite(logits[best]):
        raise RlxError(
            "RLX510",
            f"the logit of id {best} is {logits[best]}",
            fix="load_model(…, trap_nan=True) names the op that produced it",
        )
    if sampling.is_greedy:
        return Distribution.certain(best)
    ids: Array | None = None
    if 0 < sampling.top_k < len(logits):
        ids = _largest(logits, sampling.top_k)
        logits = logits[ids]
    with np.errstate(over="ignore"):  # an overflow has weight 0
        weights = np.exp((logits - logits.max()) / np.float32(min(max(sampling.temperature, _COLDEST), _HOTTEST)))
    if sampling.top_p < 1.0:
        kept = _nucleus(weights, sampling.top_p)
        ids, weights = kept if ids is None else ids[kept], weights[kept]
    if sampling.min_p > 0.0:
        kept = np.flatnonzero(weights >= np.float32(sampling.min_p) * weights.max())
        ids, weights = kept if ids is None else ids[kept], weights[kept]
    return Distribution(weights / weights.sum(dtype=np.float64).astype(weights.dtype), ids)


def _largest(values: Array, count: int) -> Array:
    """The indices of the largest values, ascending; ties at the cutoff go to the first."""
    border = np.partition(values, len(values) - count)[len(values) - count]
    above = np.flatnonzero(values > border)
    equal = np.flatnonzero(values == border)[: count - len(above)]
    return np.sort(np.concatenate([above, equal]))


def _nucleus(weights: Array, share: float) -> Array:
    """The indices of the smallest set of largest weights whose sum reaches a fraction of the total, ascending."""
    wanted = share * weights.sum(dtype=np.float64)
    for least in _LEAST_WEIGHTS:
        few = np.flatnonzero(weights >= np.float32(least))  # the largest weight is 1
        if len(few) <= _FEW and weights[few].sum(dtype=np.float64) >= wanted:
            order = few[np.argsort(-weights[few], kind="stable")]
            return np.sort(order[: _reach(weights[order], wanted)])
    return _largest(weights, _reach(np.sort(weights)[::-1], wanted))


def _reach(descending: Array, wanted: float) -> int:
    """How many leading values are needed to reach a sum; at least 1."""
    return min(int(np.searchsorted(np.cumsum(descending, dtype=np.float64), wanted, side="left")) + 1, len(descending))


@dataclass
class Sampler:
    """Chooses the tokens of one sequence: settings, generator, and the tokens that penalties count.

    >>> sampler = Sampler(Sampling(logit_bias={1: 5.0}))
    >>> sampler.choose(np.array([3.0, 0.0, 1.0], np.float32)).id
    1
    """

    sampling: Sampling
    history: list[int] = field(default_factory=list)
    _counts: dict[int, int] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        window = self.sampling.penalty_window
        recent = self.history if window is None else self.history[max(len(self.history) - window, 0) :]
        for token in recent:
            self._counts[token] = self._counts.get(token, 0) + 1

    @cached_property
    def random(self) -> np.random.Generator:
        """The random generator, created on first use: greedy decoding needs none."""
        return np.random.default_rng(self.sampling.seed)

    def accept(self, token: int) -> None:
        """Add a token to the text."""
        self.history.append(token)
        window = self.sampling.penalty_window
        self._counts[token] = self._counts.get(token, 0) + 1
        if window is not None and len(self.history) > window:
            left = self.history[-window - 1]
            self._counts[left] -= 1
            if not self._counts[left]:
                del self._counts[left]

    def distribution(self, logits: Array) -> Distribution:
        """The distribution of the next token: steps 1 to 6."""
        return truncated(self._changed(logits), self.sampling)

    def choose(self, logits: Array, distribution: Distribution | None = None) -> ChosenToken:
        """The next token; `accept` adds it to the text."""
        found = distribution or self.distribution(logits)
        token = found.draw(self.random) if found.ids is None or len(found.ids) > 1 else int(found.ids[0])
        return self.described(token, logits)

    def described(self, token: int, logits: Array) -> ChosenToken:
        """A token with the requested log-probabilities."""
        if not self.sampling.logprobs and not self.sampling.top_logprobs:
            return ChosenToken(token)
        logprobs = log_softmax(logits)
        count = min(self.sampling.top_logprobs, len(logits))
        best: Sequence[int] = []
        if count:
            places = _largest(logprobs, count)
            best = places[np.argsort(-logprobs[places], kind="stable")].tolist()
        return ChosenToken(token, float(logprobs[token]), tuple((number, float(logprobs[number])) for number in best))

    def _changed(self, logits: Array) -> Array:
        """Steps 1 and 2, on a copy if they change anything."""
        sampling = self.sampling
        if not sampling.logit_bias and not (sampling.penalizes and self._counts):
            return logits
        changed = logits.copy()
        for token, bias in sampling.logit_bias.items():
            if not 0 <= token < len(logits):
                raise RlxError("RLX902", f"logit_bias of id {token}, but the model has ids up to {len(logits) - 1}")
            changed[token] += np.float32(bias)
        if sampling.penalizes and self._counts:
            seen = np.fromiter(self._counts.keys(), np.int64, len(self._counts))
            counts = np.fromiter(self._counts.values(), np.float32, len(self._counts))
            values, factor = changed[seen], np.float32(sampling.repetition_penalty)
            values = np.where(values > 0, values / factor, values * factor)
            changed[seen] = (
                values - np.float32(sampling.presence_penalty) - np.float32(sampling.frequency_penalty) * counts
            )
        return changed
