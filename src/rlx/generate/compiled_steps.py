"""The graphs a runner calls, compiled when first needed: one token, or a chunk with the last logits or all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.shape import Shape
from rlx.models import Model, Shapes

__all__ = ["MOST_TOKENS", "CompiledSteps"]

Array = npt.NDArray[Any]
MOST_TOKENS = 1 << 20  # a cache can have at all: a bound of the symbol, the same for all graphs


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
