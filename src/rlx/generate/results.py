"""The result of a generation: text, tokens, why it ended, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass, field

from rlx.generate.sampler import ChosenToken


@dataclass(frozen=True)
class Piece:
    """A piece of text of a row, as it is generated.

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
    """One sequence. `str()` is its text.

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
    notes: tuple[str, ...] = ()  # choices made for the caller, as text
    prompt_logprobs: tuple[
        ChosenToken, ...
    ] = ()  # one for each token of the prompt, if requested; the first has no log-probability
    end: ChosenToken | None = None  # the end token, which is not among `ids`

    def __str__(self) -> str:
        return self.text
