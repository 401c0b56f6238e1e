"""Speculative decoding: how many tokens to draft, the drafters, and how the model verifies a draft in one run.

With acceptance rate a, a draft of k tokens gives 1 + a + … + aᵏ tokens per round, which takes k runs of the drafter and one run of
the model on k + 1 tokens. The chosen length has the most tokens per second. It depends on counts, not on a clock: the same request has
the same rounds.

Verification: at each position the sampler draws its token as plain decoding would, with the same random number. A drafted token is
accepted if it is that token, and the first other token is the one that follows. The text is the one without drafts, at every
temperature, with any drafter and draft length: it does not depend on the other sequences of the batch. A drafter that draws with the
sampler's next random numbers (`random_ahead`) agrees more often than one with numbers of its own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.runner import Runner, Snapshot, common_length
from rlx.generate.sampler import ChosenToken, Sampler, truncate_logits
from rlx.generate.sampling_settings import Sampling
from rlx.models import Model, Weight

MOST = 7
"""The limit of a draft. With the token before it, a run has 8 tokens: up to 8, a token has the same bits as alone."""
_RUNS = {
    "bytes": (1.0, 1.15, 1.5, 1.5, 2.4, 2.4, 3.2, 3.25),  # 8 bits and more: Q8_0, F16
    "small blocks": (1.0, 1.2, 1.75, 1.85, 2.7, 2.75, 3.7, 3.75),  # blocks of up to 32 values: Q4_0, Q4_1
    "large blocks": (1.0, 1.15, 2.2, 2.25, 3.3, 3.35, 3.4, 3.5),  # Q4_K and similar
}
"""Time of a run of the model on 1, 2, … tokens, relative to a run on one, by weight format (docs/performance.md)."""
_SMALL = 32
_MEMORY = 0.9
"""The decay of a token's weight with each later one."""
_FIRST_SHARE, _FIRST_WEIGHT = 0.8, 4.0
"""The prior acceptance rate, and how many tokens it counts as."""
_PAUSE = 16
"""Rounds without a draft before one is tried again."""


def run_times(weights: Iterable[Weight]) -> tuple[float, ...]:
    """Returns the relative times of a run on 1, 2, … tokens, by the weight format with the most bytes."""
    sizes: Counter[str] = Counter()
    for weight in weights:
        if weight.scheme is None or weight.nbytes >= math.prod(weight.dims):
            kind = "bytes"
        else:
            kind = "small blocks" if weight.scheme.block_size() <= _SMALL else "large blocks"
        sizes[kind] += weight.nbytes
    return _RUNS[sizes.most_common(1)[0][0]]


@dataclass
class DraftLength:
    """Chooses the length of each draft. `cost` is the time per drafted token, relative to one decode step; `runs` the times of longer runs.

    >>> length = DraftLength(cost=0.1)
    >>> length.note(7, 7)
    >>> length.choose()
    7
    >>> for _ in range(20): length.note(7, 0)
    >>> length.choose()
    0
    """

    cost: float
    runs: tuple[float, ...] = _RUNS["large blocks"]
    most: int = MOST
    _judged: float = field(default=_FIRST_WEIGHT, repr=False)
    _accepted: float = field(default=_FIRST_WEIGHT * _FIRST_SHARE, repr=False)
    _rest: int = field(default=0, repr=False)  # rounds without a draft so far

    @property
    def share(self) -> float:
        """The acceptance rate of recently verified tokens; tokens after a rejected one were not verified."""
        return self._accepted / self._judged

    def choose(self) -> int:
        """Returns the length of the next draft, 0 if drafting does not pay off; now and then one token is tried anyway."""
        best = max(range(self.most + 1), key=self._speed)
        self._rest = 0 if best else self._rest + 1
        if self._rest > _PAUSE:
            self._rest = 0
            return min(1, self.most)
        return best

    def note(self, drafted: int, accepted: int) -> None:
        """Records how many tokens of a draft were accepted."""
        verified = min(accepted + 1, drafted)
        for position in range(verified):
            self._judged = self._judged * _MEMORY + 1.0
            self._accepted = self._accepted * _MEMORY + float(position < accepted)

    def _speed(self, count: int) -> float:
        """Estimates tokens per unit of time for a round that drafts so many tokens."""
        tokens = sum(self.share**position for position in range(count + 1))
        return tokens / (count * self.cost + self.runs[count])


# -- drafters --------------------------------------------------------------------------------------------------------
Array = npt.NDArray[Any]


@dataclass
class Draft:
    """Tokens that a drafter proposes, to be verified by the model.

    >>> draft = Draft()
    >>> draft.add(7)
    >>> draft.tokens
    [7]
    """

    tokens: list[int] = field(default_factory=list)

    def add(self, token: int) -> None:
        """Appends a drafted token."""
        self.tokens.append(token)


class ReadsWeights(Protocol):
    """Protocol of what runs a model: a Runner, or an engine's step runner. Drafters compare costs by its `weight_bytes`."""

    @property
    def weight_bytes(self) -> int:
        """Bytes of weights that a run on one token reads."""


class Drafter(ABC):
    """Proposes the tokens that follow. Your own drafter implements `propose`; the other methods have defaults.

    >>> class Same(Drafter):
    ...     def propose(self, ids, hidden, count, sampling, random):
    ...         draft = Draft()
    ...         draft.add(ids[-1])
    ...         return draft
    >>> Same().propose([3, 5], None, 4, Sampling(), np.random.default_rng(0)).tokens
    [5]
    """

    wants_hidden = False

    @abstractmethod
    def propose(
        self, ids: Sequence[int], hidden: Array | None, count: int, sampling: Sampling, random: np.random.Generator
    ) -> Draft:
        """Drafts up to `count` tokens after `ids`.

        `random` gives the numbers that the model's own tokens will be drawn with: a drafter that draws with them, one per token, from
        probabilities like the model's agrees with it more often.
        `hidden` f32[len(ids) - 1, width] is the input of the model's last norm at all tokens but the last, which the model has not seen
        yet; None if `wants_hidden` is False.
        """

    def prepare(self) -> None:  # noqa: B027
        """Compiles, loads and packs what the first draft needs."""

    def cost(self, target: ReadsWeights) -> float:
        """Returns the time per drafted token, relative to one decode step of the model; used to choose the draft length."""
        return 0.0

    def fork(self) -> Drafter:
        """Returns a drafter for another sequence of the same batch. The default returns itself, for drafters without state."""
        return self


@dataclass
class LookupDrafter(Drafter):
    """Proposes the continuation of the last earlier occurrence of the last few tokens. Costs nothing; helps if text repeats.

    >>> LookupDrafter().propose([1, 2, 3, 4, 9, 1, 2], None, 3, Sampling(), np.random.default_rng(0)).tokens
    [3, 4, 9]
    """

    longest: int = 4  # lengths of the n-grams to match, longest first
    shortest: int = 2
    _ids: list[int] = field(default_factory=list, repr=False)
    # offset after the latest occurrence of an n-gram
    _places: dict[tuple[int, ...], int] = field(default_factory=dict, repr=False)

    def propose(
        self, ids: Sequence[int], hidden: Array | None, count: int, sampling: Sampling, random: np.random.Generator
    ) -> Draft:
        """Drafts the tokens after the latest earlier occurrence of the last n-gram."""
        self._learn(ids)
        draft = Draft()
        for length in range(min(self.longest, len(ids) - 1), self.shortest - 1, -1):
            start = self._places.get(tuple(ids[-length:]))
            if start is not None:
                for token in ids[start : start + count]:
                    draft.add(token)
                break
        return draft

    def fork(self) -> Drafter:
        """Returns a new drafter: each sequence has its own n-gram index."""
        return LookupDrafter(self.longest, self.shortest)

    def _learn(self, ids: Sequence[int]) -> None:
        """Index all n-grams that end before the last token: their continuation is known."""
        if common_length(self._ids, ids) < len(self._ids):
            self._ids, self._places = [], {}
        for end in range(max(len(self._ids), 1), len(ids)):
            for length in range(self.shortest, min(self.longest, end) + 1):
                self._places[tuple(ids[end - length : end])] = end
        self._ids = list(ids)


class _RunningDrafter(Drafter):
    """Base of drafters that run a model, or a part of one."""

    runner: Runner

    def prepare(self) -> None:
        """Compiles and loads the drafter's model."""
        self.runner.prepare()

    def cost(self, target: ReadsWeights) -> float:
        """Divides the bytes of weights that the drafter reads by those that the model reads."""
        return self.runner.weight_bytes / target.weight_bytes


class ModelDrafter(_RunningDrafter):
    """Drafts with a smaller model of the same vocabulary. It samples with the same temperature and truncation, without penalties.

    >>> from rlx.generate import Engine
    >>> Engine(model, draft=ModelDrafter(smaller, model)).generate("Once upon a time", max_tokens=32)  # doctest: +SKIP
    """

    def __init__(self, model: Model, target: Model, *, capacity: int | None = None) -> None:
        mine, theirs = model.tokenizer.pieces, target.tokenizer.pieces
        common = common_length(mine, theirs)
        if common < len(theirs):
            message = f"the draft model's tokens differ from the model's from id {common} of {len(theirs)}"
            raise RlxError("RLX902", message, fix="use a draft model with the same tokenizer", at=None)
        limit = model.config.context_length
        self._target = target
        self.runner = Runner(model, capacity=min(capacity or limit, limit))
        self._vocabulary = min(model.config.vocab_size, target.config.vocab_size)
        self._before: Snapshot | None = None

    def propose(
        self, ids: Sequence[int], hidden: Array | None, count: int, sampling: Sampling, random: np.random.Generator
    ) -> Draft:
        """Drafts token by token, each drawn from the small model."""
        draft = Draft()
        count = min(count, self.runner.capacity - len(ids))
        if count <= 0:
            return draft
        self._go_back(ids)
        logits = self.runner.prefill([ids[self.runner.lengths[0] :]])[0]
        self._before = self.runner.snapshot() if self.runner.recurrent else None
        while True:
            draft.add(truncate_logits(logits[: self._vocabulary], sampling).draw(random))
            if len(draft.tokens) == count:
                return draft
            logits = self.runner.decode([draft.tokens[-1]])[0]

    def fork(self) -> Drafter:
        """Returns a drafter with the same small model and its own caches."""
        return ModelDrafter(self.runner.model, self._target, capacity=self.runner.capacity)

    def _go_back(self, ids: Sequence[int]) -> None:
        """Rewinds the small model's cache to its common prefix with the text, leaving at least the last token to evaluate."""
        if self._before is not None:
            self.runner.restore(self._before)
        common = min(common_length(self.runner.tokens[0], ids), len(ids) - 1)
        self.runner.truncate(0, 0 if self.runner.recurrent and common < self.runner.lengths[0] else common)


class HeadDrafter(_RunningDrafter):
    """Drafts with the model's own multi-token prediction head, which has its own cache.

    It takes the model's hidden state at a token and the token after it, and gives the logits of the one after that. After the first
    draft token it uses its own hidden state instead of the model's.

    >>> from rlx.generate import Engine
    >>> Engine(model, draft=HeadDrafter(model)).generate("Once upon a time", max_tokens=32)  # doctest: +SKIP
    """

    wants_hidden = True

    def __init__(self, model: Model, *, capacity: int | None = None) -> None:
        self.runner = Runner(model, capacity=capacity, hidden=True, draft=True)
        self._first: int | None = None  # the token before those in the cache

    def propose(
        self, ids: Sequence[int], hidden: Array | None, count: int, sampling: Sampling, random: np.random.Generator
    ) -> Draft:
        """Runs the head on the tokens since the last draft, then on its own drafts."""
        draft, seen = Draft(), len(ids) - 1
        count = min(count, self.runner.capacity - seen)
        if hidden is None or seen < 1 or count < 1:
            return draft
        known = min(common_length(self.runner.tokens[0], ids[1:]), seen - 1) if self._first == ids[0] else 0
        self.runner.truncate(0, known)
        self._first = ids[0]
        logits = self.runner.prefill([ids[1 + known :]], [hidden[known:seen]])[0]
        while True:
            draft.add(truncate_logits(logits, sampling).draw(random))
            if len(draft.tokens) == count:
                break
            logits = self.runner.decode([draft.tokens[-1]], hidden=[self.runner.hidden[0][-1:]])[0]
        self.runner.truncate(0, seen)
        return draft

    def fork(self) -> Drafter:
        """Returns a drafter with the same head and its own cache."""
        return HeadDrafter(self.runner.model, capacity=self.runner.capacity)


# -- verification ----------------------------------------------------------------------------------------------------
def verify_draft(draft: Draft, logits: Array, sampler: Sampler) -> list[ChosenToken]:
    """Verifies a draft: returns the accepted tokens and the one after them."""
    choices: list[ChosenToken] = []
    for position in range(len(draft.tokens) + 1):
        choices.append(sampler.choose(logits[position]))
        sampler.accept(choices[-1].id)
        if choices[-1].id not in draft.tokens[position : position + 1]:
            break
    return choices
