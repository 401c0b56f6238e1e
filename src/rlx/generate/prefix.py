"""Prefix reuse: the prefix that a new prompt shares with the previous one is not evaluated again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from rlx.generate.runner import Runner, Snapshot, common_length

__all__ = ["Prefixes", "Taken"]

Array = npt.NDArray[Any]
_SNAPSHOTS = 4  # kept for a recurrent model


@dataclass(frozen=True)
class Taken:
    """The logits after each prompt, and how many of its tokens were already in the caches."""

    logits: Array
    reused: list[int]


@dataclass
class Prefixes:
    """Feeds prompts into a runner.

    A cache is truncated to its common prefix with the prompt. Recurrent states continue if the prompt extends everything they have seen, or
    from a snapshot, taken after each prompt: repeating a prompt costs nothing.
    """

    runner: Runner
    _saved: list[tuple[Snapshot, Array]] = field(default_factory=list)

    def take(self, prompts: Sequence[Sequence[int]]) -> Taken:
        """Bring every row of the runner to the end of its prompt."""
        runner = self.runner
        if runner.recurrent and runner.batch == 1:
            return self._take_recurrent(list(prompts[0]))
        reused = []
        for row, prompt in enumerate(prompts):
            # the last token's logits are needed
            common = min(common_length(runner.tokens[row], prompt), len(prompt) - 1)
            kept = 0 if runner.recurrent and common < runner.lengths[row] else common
            runner.truncate(row, kept)
            reused.append(kept)
        return Taken(runner.prefill([prompt[kept:] for prompt, kept in zip(prompts, reused, strict=True)]), reused)

    def _take_recurrent(self, prompt: list[int]) -> Taken:
        runner, have = self.runner, self.runner.tokens[0]
        best: tuple[int, Snapshot | None, Array | None] = (0, None, None)
        if common_length(have, prompt) == len(have) < len(prompt):
            best = (len(have), None, None)
        for snapshot, logits in self._saved:
            tokens = snapshot.tokens[0]
            still_there = not runner.cached or common_length(tokens, have) == len(tokens)
            if still_there and common_length(tokens, prompt) == len(tokens) > best[0]:
                best = (len(tokens), snapshot, logits)
        reused, snapshot_found, known = best
        if snapshot_found is not None:
            runner.restore(snapshot_found)
        elif not reused:
            runner.truncate(0, 0)
        if known is not None and reused == len(prompt):
            return Taken(known.copy(), [reused])
        found = runner.prefill([prompt[reused:]])
        self._saved = [*self._saved, (runner.snapshot(), found.copy())][-_SNAPSHOTS:]
        return Taken(found, [reused])
