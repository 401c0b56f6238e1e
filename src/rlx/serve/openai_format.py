"""What OpenAI's endpoints share: usage, log-probabilities, formats of answers, and options of streams."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from rlx import __version__
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampler import ChosenToken
from rlx.serve.answer import Answering
from rlx.serve.errors import ApiError

__all__ = ["FINGERPRINT", "StreamOptions", "grammar_of", "now", "token_logprobs", "usage"]

FINGERPRINT = f"rlx-{__version__}"


class StreamOptions(msgspec.Struct, forbid_unknown_fields=True):
    """Options of a streamed answer. `include_obfuscation` pads events against listeners who see their lengths; it is not done here."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None


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
        {**_token(tokenizer, one.id, one.logprob), "top_logprobs": [_token(tokenizer, *top) for top in one.top]}
        for one in tokens
    ]


def _token(tokenizer: Tokenizer, number: int, logprob: float | None) -> dict[str, Any]:
    piece = tokenizer.piece(number)
    return {"token": piece.decode("utf-8", "replace"), "bytes": list(piece), "logprob": max(logprob or 0.0, -9999.0)}


def grammar_of(response_format: dict[str, Any] | None, where: str = "response_format") -> Any:
    """A `response_format` as a grammar; None for plain text."""
    if response_format is None:
        return None
    match response_format.get("type"):
        case "text":
            return None
        case "json_object":
            return "json"
        case "json_schema":
            inside = response_format.get("json_schema", response_format)
            schema = inside.get("schema") if isinstance(inside, dict) else None
            if not isinstance(schema, dict):
                raise ApiError(400, f"{where}.json_schema has no schema", param=f"{where}.json_schema.schema")
            return {"json_schema": schema}
        case kind:
            problem = f"{where}.type is {kind!r:.40}; it is text, json_object or json_schema"
            raise ApiError(400, problem, param=f"{where}.type")
