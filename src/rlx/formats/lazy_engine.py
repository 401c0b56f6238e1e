"""An engine of `tokenizers` that is made of what a text needs: a hundred thousand tokens take seconds, those of a prompt milliseconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

_LOOKUPS = 1 << 22
"""Substrings looked up before the engine of all tokens is made: they have then taken about as long as that takes."""


class LazyEngine:
    """Encodes as the engine of all tokens does.

    A merge joins neighbours, so every token of a text, and all that is merged on the way to it, is a substring of what the text is written
    as. An engine of the substrings that are tokens, with their ids and the merges between them in their order, finds the same ids. When
    enough text has come that making such engines costs more than the whole one, the whole one is made and stays.
    """

    encode_special_tokens = False

    def __init__(
        self,
        make: Callable[[Mapping[str, int]], Any],
        ids: Mapping[str, int],
        always: Iterable[str],
        written: Callable[[str], Iterable[str]],
    ) -> None:
        """`make` makes an engine of some tokens; `always` are tokens that are no substrings; `written`: what a text may be written as."""
        self._make, self._ids, self._written = make, ids, written
        self._always = {text: ids[text] for text in always if text in ids}
        self._lock = threading.Lock()  # of the two below
        self._lengths = sorted({*map(len, ids)} - {0})
        self._left = _LOOKUPS
        self._whole: Any = None

    def __deepcopy__(self, memo: Any) -> LazyEngine:
        """Another with a setting of its own."""
        return LazyEngine(self._make, self._ids, self._always, self._written)

    def encode(self, text: str, add_special_tokens: bool = False) -> Any:
        """The encoding of a text, as the package returns it."""
        return self._engine(text).encode(text, add_special_tokens=add_special_tokens)

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool = False) -> Any:
        """The encodings of several, while other threads run."""
        return [self._engine(text).encode_batch_fast([text], add_special_tokens=add_special_tokens)[0] for text in texts]

    def prepare(self) -> None:
        """Make the engine of all tokens now."""
        with self._lock:
            self._whole = self._whole or self._set(self._make(self._ids))

    def _engine(self, text: str) -> Any:
        """One that knows all tokens of a text."""
        if self._whole is None:
            if len(text) * len(self._lengths) <= self._left:
                ways = [way for written in self._written(text) for way in {written, self._without_unknown(written)}]
                with self._lock:
                    self._left -= sum(map(len, ways)) * len(self._lengths) + _PER_TOKEN * len(self._always)
                if self._left >= 0:
                    return self._set(self._make(self._always | self._within(ways)))
            self.prepare()
        return self._whole

    def _set(self, engine: Any) -> Any:
        engine.encode_special_tokens = self.encode_special_tokens
        return engine

    def _without_unknown(self, way: str) -> str:
        """Without the characters that are no tokens: an engine may leave them out, and then merges their neighbours."""
        ids = self._ids
        return "".join(letter for letter in way if letter in ids)

    def _within(self, ways: Iterable[str]) -> dict[str, int]:
        """The tokens that are substrings."""
        ids, found = self._ids, dict[str, int]()
        for way in ways:
            for length in self._lengths:
                if length > len(way):
                    break
                for start in range(len(way) - length + 1):
                    part = way[start : start + length]
                    if part in ids:
                        found[part] = ids[part]
        return found


_PER_TOKEN = 32
"""Lookups that take as long as one token of each engine."""
