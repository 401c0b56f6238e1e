"""Text and tokens: prompts as callers pass them, and the text of generated tokens: complete characters, no part of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer

_TAKES = "a text, a list of token ids, or a list of such prompts"


def as_prompts(prompt: Any) -> Sequence[Any]:
    """Converts prompts to a list: the same object if it already is one.

    >>> as_prompts("a text"), as_prompts([1, 2]), as_prompts(["one", [2]])
    (['a text'], [[1, 2]], ['one', [2]])
    """
    if isinstance(prompt, str):
        return [prompt]
    if isinstance(prompt, (bytes, dict, set)) or not hasattr(prompt, "__len__") or not hasattr(prompt, "__getitem__"):
        raise RlxError("RLX903", f"the prompt is {prompt!r:.60}, {type(prompt).__name__}", fix=_TAKES)
    if isinstance(prompt, np.ndarray) and prompt.ndim != 1:
        raise RlxError("RLX903", f"the prompt is an array of shape {list(prompt.shape)}", fix=_TAKES)
    if not len(prompt):
        raise RlxError("RLX903", "the prompt is empty", fix=_TAKES)
    parts = [isinstance(part, str) or hasattr(part, "__len__") for part in prompt]
    if any(parts) and not all(parts):
        raise RlxError("RLX903", "the prompt mixes texts and numbers", fix=_TAKES)
    return prompt if all(parts) else [prompt]


def token_ids(prompt: Any) -> list[int]:
    """Converts ids to ints; fractions, bools and negative numbers are rejected."""
    if set(map(type, prompt)) == {int} and min(prompt) >= 0:  # fast path: nearly always ints, and a prompt may be long
        return list(prompt)
    for token in prompt:
        if isinstance(token, (bool, np.bool_)) or not isinstance(token, (int, np.integer)) or token < 0:
            raise RlxError("RLX903", f"the prompt has {token!r}, which is not a token id", fix=_TAKES)
    return [int(token) for token in prompt]


class TextStream:
    """Decodes tokens to text as characters are complete; holds back text that may begin a stop string.

    `strip` drops the space that SentencePiece puts before the first word: for answers, not for continuations of a prompt.
    Special tokens are not decoded, except those in `shown`. Stop strings are detected after `min_tokens` tokens.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        stops: Sequence[str] = (),
        *,
        strip: bool = False,
        shown: Collection[int] = (),
        min_tokens: int = 0,
    ) -> None:
        self.text = ""  # everything emitted so far
        self.stopped: str | None = None  # the stop string that was found
        self._tokenizer, self._stops, self._shown, self._min_tokens = tokenizer, tuple(stops), frozenset(shown), min_tokens
        self._strip = strip and tokenizer.strips_space
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, token: int) -> str:
        """Returns the text to emit after a token; empty if a character is incomplete or a stop string may have begun."""
        self._min_tokens -= 1
        if token in self._tokenizer.special and token not in self._shown:
            return ""
        piece = self._tokenizer.piece(token)
        if self._strip:
            piece, self._strip = piece.removeprefix(b" "), False
        return self._release(self._decoder.decode(piece))

    def finish(self) -> str:
        """Returns the rest of the text, at the end: what was held back, and U+FFFD for invalid bytes."""
        if self.stopped is not None:
            return ""
        text = self._release(self._decoder.decode(b"", final=True))
        rest, self._held = self._held, ""
        self.text += rest
        return text + rest

    def _release(self, new: str) -> str:
        if self._min_tokens > 0 or not self._stops:
            self.text += new
            return new
        held = self._held + new
        matches = [(start, stop) for stop in self._stops if (start := held.find(stop)) >= 0]
        if matches:
            start, self.stopped = min(matches)
            held, self._held = held[:start], ""
        else:
            pending = max((overlap(held, stop) for stop in self._stops), default=0)
            held, self._held = held[: len(held) - pending], held[len(held) - pending :]
        self.text += held
        return held


def overlap(text: str, stop: str) -> int:
    """Counts the last characters of a text that begin a stop string without completing it.

    >>> overlap("abc<", "<end>"), overlap("abc", "<end>")
    (1, 0)
    """
    return next((count for count in range(min(len(text), len(stop) - 1), 0, -1) if stop.startswith(text[-count:])), 0)
