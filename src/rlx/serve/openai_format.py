"""What OpenAI's endpoints share: usage, log-probabilities, formats of answers, and options of streams."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from rlx import __version__
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampler import ChosenToken
from rlx.serve.answer import Answering
from rlx.serve.fields import ignore

FINGERPRINT = f"rlx-{__version__}"


class StreamOptions(msgspec.Struct, forbid_unknown_fields=True):
    """Options of a streamed answer. `include_obfuscation` pads events against listeners who see their lengths; it is not done here."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None
    continuous_usage_stats: bool | None = None

    def __post_init__(self) -> None:
        if self.continuous_usage_stats:
            ignore("stream_options.continuous_usage_stats", "usage comes once, at the end")


def now() -> int:
    """Seconds, as `created` has them."""
    return int(time.time())


def usage(answering: Answering) -> dict[str, Any]:
    """The tokens of a request."""
    tokenizer = answering.wanted.served.model.tokenizer
    made = sum(len(row.ids) for row in answering.rows)
    thought = sum(len(tokenizer.encode(row.thoughts, add_special=False)) for row in answering.rows if row.thoughts)
    return {
        "prompt_tokens": answering.prompt_tokens,
        "completion_tokens": made,
        "total_tokens": answering.prompt_tokens + made,
        "prompt_tokens_details": {"cached_tokens": answering.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": min(thought, made)},
    }


def token_logprobs(tokenizer: Tokenizer, tokens: tuple[ChosenToken, ...] | list[ChosenToken]) -> list[dict[str, Any]]:
    """Chosen tokens as `logprobs.content` has them."""
    return [
        {**_token(tokenizer, one.id, one.logprob), "top_logprobs": [_token(tokenizer, *top) for top in one.top]} for one in tokens
    ]


def _token(tokenizer: Tokenizer, number: int, logprob: float | None) -> dict[str, Any]:
    piece = tokenizer.piece(number)
    return {"token": piece.decode("utf-8", "replace"), "bytes": list(piece), "logprob": max(logprob or 0.0, -9999.0)}
