"""The distribution of the next token: what temperature, top-k, top-p and min-p leave of the logits, and the draw.

Rows of a batch are drawn one by one, so a row of 49 k logits has some tens of microseconds: everything that sorts or selects looks at few
candidates, found by a threshold that is known to keep all that matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.sampling_settings import Sampling

Array = npt.NDArray[Any]
_COLDEST, _HOTTEST = (
    float(np.finfo(np.float32).tiny),
    float(np.finfo(np.float32).max),
)  # the range of f32: beyond it a temperature is 0 or infinite
_CERTAIN = np.ones(1)
_CERTAIN.flags.writeable = False
_BLOCK = 512  # block size of the probabilities that are summed before drawing inside a block
_LEAST_WEIGHTS = tuple(map(np.float32, (1e-2, 1e-4, 1e-6)))  # relative to the largest: the nucleus usually has no smaller weights
_GROUPS = 64  # rows of a table of values whose columns' maxima bound the k-th largest value
_ROUNDING = 1e-5  # bound of the relative error of sums of `_GROUPS` f32


@dataclass(frozen=True)
class Distribution:
    """Probabilities of some ids in ascending order, 0 for all others; `ids` None: all ids."""

    probabilities: Array
    ids: Array | None = None

    @staticmethod
    def certain(token: int) -> Distribution:
        """Probability 1 for one token."""
        return Distribution(_CERTAIN, np.array([token]))

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

    @property
    def only(self) -> int | None:
        """The only id with nonzero probability, if it is a single one."""
        return None if self.ids is None or len(self.ids) > 1 else int(self.ids[0])

    def draw(self, random: np.random.Generator) -> int:
        """Draw an id: first a block by the sums of blocks, then inside it. A single id takes no random number."""
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
            rest = _inside(rest, float(sums[0]))
        place = block * _BLOCK + _place(weights.cumsum(dtype=np.float64), rest)[0]
        return place if self.ids is None else int(self.ids[place])


def _place(ends: Array, number: float) -> tuple[int, float]:
    """The interval, given the upper ends, that a number falls into, and its offset there; never an empty interval."""
    number = _inside(number, float(ends[-1]))
    place = int(ends.searchsorted(number, side="right"))
    return place, number - (float(ends[place - 1]) if place else 0.0)


def _inside(number: float, end: float) -> float:
    """The nearest number of [0, end)."""
    return min(max(number, 0.0), math.nextafter(end, 0.0))


def truncated(logits: Array, sampling: Sampling, ids: Array | None = None) -> Distribution:
    """Steps 3 to 6: temperature, top-k, top-p, min-p. `ids`: the ids that the logits are of, ascending; None: all."""
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
        places = largest(logits, sampling.top_k)
        ids, logits = places if ids is None else ids[places], logits[places]
    weights = _weights(logits - top, 1.0 if sampling.temperature_last else sampling.temperature)
    if sampling.top_p < 1.0 or sampling.min_p > 0.0:
        kept = _kept(weights, sampling.top_p, np.float32(sampling.min_p))
        ids, logits, weights = kept if ids is None else ids[kept], logits[kept], weights[kept]
    if sampling.temperature_last:
        weights = _weights(logits - top, sampling.temperature)
    weights /= weights.sum(dtype=np.float64).astype(weights.dtype)
    return Distribution(weights, ids)


def _weights(below: Array, temperature: float) -> Array:
    """exp(logit / temperature), 1 for the largest logit; `below`: by how much the logits are smaller than it."""
    with np.errstate(over="ignore"):  # an overflow has weight 0
        np.divide(below, np.float32(min(max(temperature, _COLDEST), _HOTTEST)), out=below)
        np.exp(below, out=below)
    return below


def largest(values: Array, count: int) -> Array:
    """The indices of the largest values, ascending; ties at the cutoff go to the first.

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
    found: Array = candidates[_select(values[candidates], count)]
    return found


def _select(values: Array, count: int) -> Array:
    """`largest`, by looking at all values."""
    border = np.partition(values, len(values) - count)[len(values) - count]
    return _above(values, border, count)


def _above(values: Array, border: Any, count: int) -> Array:
    """The indices of the `count` largest values, the smallest of which is `border`, ascending."""
    kept: Array = values >= border
    surplus = np.count_nonzero(kept) - count
    if surplus:
        kept[(values == border).nonzero()[0][-surplus:]] = False
    places: Array = kept.nonzero()[0]
    return places


def _kept(weights: Array, share: float, least: np.float32) -> Array:
    """Top-p, then min-p: the indices, ascending, of the smallest set of largest weights whose sum reaches a fraction of the total, less
    those below `least`. The largest weight is 1."""
    candidates: Array
    if share == 1.0:
        candidates = (weights >= least).nonzero()[0]
        return candidates
    total = _Total(weights)
    for bound in (*(bound for bound in _LEAST_WEIGHTS if bound > least), least):
        candidates = (weights >= bound).nonzero()[0]
        values = weights[candidates]
        reached = float(values.sum(dtype=np.float64))
        if reached >= share * total.high:
            break
    if least > 0 and reached < share * total.low:
        return candidates
    return candidates[_nucleus(values, share, total)]


def _nucleus(values: Array, share: float, total: _Total) -> Array:
    """The indices of the largest values whose sum reaches a fraction of the total; all, where it does not."""
    descending = np.sort(values)[::-1]
    sums = descending.cumsum(dtype=np.float64)
    count = _reach(sums, share * total.low)
    if count != _reach(sums, share * total.high):
        count = _reach(sums, share * total.exact)
    return _above(values, descending[count - 1], count)


def _reach(sums: Array, wanted: float) -> int:
    """How many leading values are needed to reach a sum; at least 1, at most all."""
    return min(int(sums.searchsorted(wanted, side="left")) + 1, len(sums))


class _Total:
    """The sum of all weights: bounds of it, which are cheap and nearly always enough, and the sum in f64."""

    def __init__(self, weights: Array) -> None:
        self._weights = weights
        columns = len(weights) // _GROUPS
        body = weights[: columns * _GROUPS].reshape(_GROUPS, columns).sum(axis=0)
        about = float(body.sum(dtype=np.float64) + weights[columns * _GROUPS :].sum(dtype=np.float64))
        self.low, self.high = about * (1 - _ROUNDING), about * (1 + _ROUNDING)

    @property
    def exact(self) -> float:
        return float(self._weights.sum(dtype=np.float64))
