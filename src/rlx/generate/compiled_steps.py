"""The graphs a runner calls, compiled when first needed: one token, or a chunk with the last logits or all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.registry import find_backend
from rlx.core.dim import Dim
from rlx.core.errors import RlxError, check_count
from rlx.core.shape import Shape
from rlx.models import Model, Shapes

Array = npt.NDArray[Any]
MOST_TOKENS = 1 << 20  # a cache can have at all: a bound of the symbol, the same for all graphs


def checked_capacity(model: Model, capacity: int | None) -> int:
    """How many tokens a sequence can have: what was asked for, or what the model was trained on; more than that is refused."""
    limit = min(model.config.context_length, MOST_TOKENS)
    if capacity is not None:
        check_count(capacity, "RLX901", "the context", f"1 to {limit} tokens")
    if capacity is not None and capacity > limit:
        message = f"a context of {capacity} tokens, {model.config.architecture} was trained on {model.config.context_length}"
        raise RlxError("RLX901", message, fix=f"1 to {limit}")
    return capacity or limit


class CompiledSteps:
    """A model's executables for sequences in batches, by whether they take one token and which logits they give."""

    def __init__(self, model: Model, batch: int, chunk: int, *, hidden: bool, draft: bool) -> None:
        self._model, self._batch, self._chunk, self._hidden, self._draft = model, batch, chunk, hidden, draft
        self._executables: dict[tuple[bool, str], Any] = {}

    def has(self, single: bool, logits: str) -> bool:
        """Whether it is compiled."""
        return (single, logits) in self._executables

    def executable(self, single: bool, logits: str) -> Any:
        """The one of a token or of a chunk; `logits` is "last" or "all"."""
        key = (single, "last" if single else logits)
        if key not in self._executables:
            self._executables[key] = self._model.executable(self._shapes(single, key[1]))
        return _AllOfOne(self._executables[key]) if single and logits == "all" else self._executables[key]

    def padded(self, longest: int, room: int) -> int:
        """How many tokens a run on so many takes: the next power of two where every length is a program of its own."""
        if longest == 1 or not getattr(find_backend(self._model.session.device), "specializes", False):
            return longest
        return max(longest, min(1 << (longest - 1).bit_length(), self._chunk, room))

    @cached_property
    def states(self) -> dict[str, Shape]:
        """The shapes of the caches; known once something is compiled."""
        executable = next(iter(self._executables.values()), None) or self.executable(True, "last")
        return {name: entry.shape for name, entry in executable.interface.states.items()}

    def _shapes(self, single: bool, logits: str) -> Shapes:
        batched = self._batch > 1
        return Shapes(
            batch=Dim("batch") if batched else 1,
            seq=1 if single else Dim("seq", max=self._chunk),
            capacity=Dim("capacity", max=MOST_TOKENS),
            logits=logits,
            hidden=self._hidden,
            draft=self._draft,
            prefix="batched." if batched else "",
        )


@dataclass(frozen=True)
class _AllOfOne:
    """The graph of one token gives the last logits; these are all of them."""

    executable: Any

    def run(self, inputs: dict[str, Array]) -> dict[str, Array]:
        found: dict[str, Array] = self.executable.run(inputs)
        return {**found, "logits": np.asarray(found["logits"])[:, None]}
