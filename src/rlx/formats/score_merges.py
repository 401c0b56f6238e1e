"""BPE merges: which two pieces make a third, and in which order they are merged, by SentencePiece's scores or by a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

Merge = tuple[str, str]
_SHORT = 64  # characters; almost no piece of a real vocabulary has more


def score_merges(ids: Mapping[str, int], made: Iterable[str], score: Callable[[str], float], most: int) -> list[Merge]:
    """Every pair of pieces whose concatenation is in `made`, the best score first; ties by id.

    The work is linear in the total length of the pieces: prefixes and suffixes that are pieces are found by sorting.
    More than `most` characters in total is a ValueError, raised before they are allocated.

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
                raise ValueError(f"the possible merges of its pieces have more than {most} characters")
            ranked.append((-score(text), ids[left], ids[right], left, right))
    return [(left, right) for *_, left, right in sorted(ranked)]


def listed_merges(ids: Mapping[str, int], ranks: Mapping[str, int]) -> list[Merge]:
    """The merges of a list (`left right` by rank) of which all three pieces are there, in order.

    >>> listed_merges({"a": 0, "b": 1, "ab": 2, "bb": 3}, {"ab b": 0, "b b": 1, "a b": 2})
    [('b', 'b'), ('a', 'b')]
    """
    if len(ids) * _SHORT < len(ranks):  # of few pieces: by what each may be made of
        split = _Splits(ids)
        pairs = (pair for text in ids for pair in (split.short(text) if len(text) <= _SHORT else split.long(text)))
        known = [(ranks[f"{left} {right}"], left, right) for left, right in pairs if f"{left} {right}" in ranks]
        return [(left, right) for _, left, right in sorted(known) if " " not in left]
    listed = ((left, right) for left, _, right in (text.partition(" ") for text in sorted(ranks, key=ranks.__getitem__)))
    return [(left, right) for left, right in listed if left in ids and right in ids and left + right in ids]


class _Splits:
    """The ways to split a text into two pieces."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self.ids = ids

    def short(self, text: str) -> list[Merge]:
        """Tries every position, which is fastest for short texts."""
        ids = self.ids
        return [(text[:at], text[at:]) for at in range(1, len(text)) if text[:at] in ids and text[at:] in ids]

    def long(self, text: str) -> list[Merge]:
        """From the pieces that are its prefixes, and those that are its suffixes."""
        rests = {len(piece): piece[::-1] for piece in self.ends[text[::-1]]}
        return [(left, rests[len(text) - len(left)]) for left in self.begins[text] if len(text) - len(left) in rests]

    @cached_property
    def begins(self) -> dict[str, tuple[str, ...]]:
        """The prefixes of each long piece that are pieces."""
        return {text: found for text, found in _begun_by(self.ids) if len(text) > _SHORT}

    @cached_property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """The suffixes of each long piece that are pieces (reversed)."""
        return {text: found for text, found in _begun_by(text[::-1] for text in self.ids) if len(text) > _SHORT}


def _begun_by(texts: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each text with the other texts that are its prefixes: in sorted order they come before it, each a prefix of the next."""
    open_: list[str] = []
    for text in sorted(texts):
        while open_ and not text.startswith(open_[-1]):
            open_.pop()
        yield text, tuple(piece for piece in open_ if piece)
        open_.append(text)
