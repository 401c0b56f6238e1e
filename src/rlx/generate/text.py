"""Streaming text from tokens: complete characters only, and no part of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Sequence

from rlx.formats.tokenizer import Tokenizer


class TextStream:
    """Bytes of tokens become text once their characters are complete; a possible beginning of a stop string is held back until decided.

    `strip` drops the space that SentencePiece puts before the first word: for answers, not for continuations of a prompt.
    Special tokens are no text, but for those in `shown`. Stop strings are looked for after `least` tokens.
    """

    def __init__(
        self, tokenizer: Tokenizer, stops: Sequence[str] = (), *, strip: bool = False, shown: Collection[int] = (), least: int = 0
    ) -> None:
        self.text = ""  # everything emitted so far
        self.stopped: str | None = None  # the stop string that was found
        self._tokenizer, self._stops, self._shown, self._least = tokenizer, tuple(stops), frozenset(shown), least
        self._strip = strip and tokenizer.strips_space
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, token: int) -> str:
        """The text that can be emitted after a token; empty if a character is incomplete or a stop string may have begun."""
        self._least -= 1
        if token in self._tokenizer.special and token not in self._shown:
            return ""
        piece = self._tokenizer.piece(token)
        if self._strip:
            piece, self._strip = piece.removeprefix(b" "), False
        return self._release(self._decoder.decode(piece))

    def finish(self) -> str:
        """The rest, at the end: the text held back, and U+FFFD for invalid bytes."""
        if self.stopped is not None:
            return ""
        text = self._release(self._decoder.decode(b"", final=True))
        rest, self._held = self._held, ""
        self.text += rest
        return text + rest

    def _release(self, new: str) -> str:
        if self._least > 0 or not self._stops:
            self.text += new
            return new
        held = self._held + new
        found = [(place, stop) for stop in self._stops if (place := held.find(stop)) >= 0]
        if found:
            place, self.stopped = min(found)
            held, self._held = held[:place], ""
        else:
            keep = max((overlap(held, stop) for stop in self._stops), default=0)
            held, self._held = held[: len(held) - keep], held[len(held) - keep :]
        self.text += held
        return held


def overlap(text: str, stop: str) -> int:
    """How many of the last characters of a text begin a stop string without completing it.

    >>> overlap("abc<", "<end>"), overlap("abc", "<end>")
    (1, 0)
    """
    return next((count for count in range(min(len(text), len(stop) - 1), 0, -1) if stop.startswith(text[-count:])), 0)
