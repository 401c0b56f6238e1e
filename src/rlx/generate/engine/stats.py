"""What an engine is doing, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class SlotStats:
    """One sequence that runs.

    >>> SlotStats(prompt_tokens=20, computed_tokens=20, answer_tokens=3, pages=1, priority=0).answer_tokens
    3
    """

    prompt_tokens: int
    computed_tokens: int
    answer_tokens: int
    pages: int
    priority: int


@dataclass(frozen=True)
class EngineStats:
    """The state of an engine: `engine.stats()`. Token counts are since it was made.

    >>> EngineStats(pages_used=3, pages_total=12).pages_share
    0.25
    """

    running: int = 0
    waiting: int = 0
    pages_used: int = 0  # by sequences
    pages_cached: int = 0  # only by the prefix cache: given up when pages are wanted
    pages_total: int = 0
    page_bytes: int = 0
    prefix_queries: int = 0  # prompt tokens looked up in the prefix cache
    prefix_hits: int = 0  # and found there
    preemptions: int = 0  # sequences that were put back for want of pages
    steps: int = 0
    tokens_in: int = 0  # prompt tokens computed
    tokens_out: int = 0  # tokens generated
    slots: list[SlotStats] = field(default_factory=list)

    @property
    def pages_share(self) -> float:
        """How much of the memory for keys and values is in use, 0 to 1."""
        return self.pages_used / self.pages_total if self.pages_total else 0.0
