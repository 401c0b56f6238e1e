"""The result of a generation: text, tokens, why it ended, and how long it took; and the state of an engine in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from rlx.generate.sampler import ChosenToken


@dataclass(frozen=True)
class Piece:
    """A piece of generated text, and its row.

    >>> Piece("Hello").row
    0
    """

    text: str
    row: int = 0


@dataclass
class Speculation:
    """Statistics of speculative decoding: each round drafts some tokens, accepts some of them, and adds one from the model itself.

    >>> Speculation(rounds=2, drafted=8, accepted=6).share
    0.75
    """

    rounds: int = 0
    drafted: int = 0
    accepted: int = 0

    @property
    def share(self) -> float:
        """The acceptance rate of drafted tokens."""
        return self.accepted / self.drafted if self.drafted else 0.0


@dataclass
class Timings:
    """Seconds. Rates are for all rows of a batch together.

    >>> Timings(decode=2.0, decoded_tokens=90).decode_rate
    45.0
    """

    setup: float = 0.0  # loading, packing, compiling; 0 if already done
    first_token: float = 0.0  # since the call, including setup
    prefill: float = 0.0
    decode: float = 0.0
    prefilled_tokens: int = 0
    decoded_tokens: int = 0

    @property
    def prefill_rate(self) -> float:
        """Prompt tokens per second."""
        return self.prefilled_tokens / self.prefill if self.prefill else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens per second after the first."""
        return self.decoded_tokens / self.decode if self.decode else 0.0


@dataclass(frozen=True)
class Generation:
    """A generated sequence. `str()` is its text.

    `finish`: "stop" (the model's own end, a stop string or id), "length" (max_tokens), "context" (the context is full), "interrupted".

    >>> found = Generation("Hello", ids=(15496,), finish="length", prompt_tokens=3, reused_tokens=0)
    >>> str(found), found.finish
    ('Hello', 'length')
    """

    text: str
    ids: tuple[int, ...]
    finish: str
    prompt_tokens: int
    reused_tokens: int  # prompt tokens found in the caches
    logprobs: tuple[ChosenToken, ...] = ()  # one for each id, if requested
    stop: str | None = None  # the stop string that was found
    timings: Timings = field(default_factory=Timings)
    speculation: Speculation | None = None
    notes: tuple[str, ...] = ()  # notes on choices made for the caller
    prompt_logprobs: tuple[
        ChosenToken, ...
    ] = ()  # one for each token of the prompt, if requested; the first has no log-probability
    end: ChosenToken | None = None  # the end token, which is not among `ids`

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SlotStats:
    """A running sequence, as `engine.stats()` lists it.

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
    pages_used: int = 0  # pages held by sequences
    pages_cached: int = 0  # held only by the prefix cache: evicted when pages are needed
    pages_total: int = 0
    page_bytes: int = 0
    prefix_queries: int = 0  # prompt tokens looked up in the prefix cache
    prefix_hits: int = 0  # prompt tokens found there
    preemptions: int = 0  # sequences that were preempted for lack of pages
    steps: int = 0
    tokens_in: int = 0  # prompt tokens computed
    tokens_out: int = 0  # tokens generated
    slots: list[SlotStats] = field(default_factory=list)

    @property
    def pages_share(self) -> float:
        """The used fraction of the memory for keys and values, 0 to 1."""
        return self.pages_used / self.pages_total if self.pages_total else 0.0
