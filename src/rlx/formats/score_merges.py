"""SentencePiece's pieces as merges: which two pieces make a third, and in which order they are merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

__all__ = ["score_merges"]

Merge = tuple[str, str]
_SHORT = 64  # characters; hardly any piece of a real vocabulary has more


def score_merges(ids: Mapping[str, int], made: Iterable[str], score: Callable[[str], float], most: int) -> list[Merge]:
    """Every pair of pieces whose union is one of `made`, the best score first; equal ones by their numbers.

    The work grows with the length of all pieces, not with the square of one: the pieces that begin or end another are found by sorting.
    More than `most` characters in all is a ValueError, before they are made.

    >>> score_merges({"a": 0, "b": 1, "ab": 2, "aab": 3, "aa": 4}, ["ab", "aab", "aa"], {"ab": -1.0, "aab": -3.0, "aa": -2.0}.get, 100)
    [('a', 'b'), ('a', 'a'), ('a', 'ab'), ('aa', 'b')]
    """
    split = _Splits(ids)
    ranked: list[tuple[float, int, int, str, str]] = []
    characters = 0
    for text in made:
        for left, right in split.short(text) if len(text) <= _SHORT else split.long(text):
            characters += len(text)
            if characters > most:
                raise ValueError(f"its pieces are made of others in ways of more than {most} characters")
            ranked.append((-score(text), ids[left], ids[right], left, right))
    return [(left, right) for *_, left, right in sorted(ranked)]


class _Splits:
    """The ways in which a text is two pieces."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self.ids = ids

    def short(self, text: str) -> list[Merge]:
        """Every place is tried, which is quickest where there are few."""
        ids = self.ids
        return [(text[:at], text[at:]) for at in range(1, len(text)) if text[:at] in ids and text[at:] in ids]

    def long(self, text: str) -> list[Merge]:
        """By the pieces that begin it, and those that end it."""
        rests = {len(piece): piece[::-1] for piece in self.ends[text[::-1]]}
        return [(left, rests[len(text) - len(left)]) for left in self.begins[text] if len(text) - len(left) in rests]

    @cached_property
    def begins(self) -> dict[str, tuple[str, ...]]:
        """What each long piece begins with."""
        return {text: found for text, found in _begun_by(self.ids) if len(text) > _SHORT}

    @cached_property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """What each long piece, read backwards, begins with."""
        return {text: found for text, found in _begun_by(text[::-1] for text in self.ids) if len(text) > _SHORT}


def _begun_by(texts: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each text with the others that it begins with: in sorted order, these stand before it, one beginning the next."""
    open_: list[str] = []
    for text in sorted(texts):
        while open_ and not text.startswith(open_[-1]):
            open_.pop()
        yield text, tuple(piece for piece in open_ if piece)
        open_.append(text)
