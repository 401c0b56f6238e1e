"""Keys: how a child is reached from its container, and paths of them as text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

KeyPath = tuple[Any, ...]


@dataclass(frozen=True)
class DictKey:
    """A key of a dict.

    >>> str(DictKey("w"))
    "['w']"
    """

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class SequenceKey:
    """An index of a list or tuple.

    >>> str(SequenceKey(1))
    '[1]'
    """

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a NamedTuple, a dataclass or an attrs class.

    >>> str(GetAttrKey("w"))
    '.w'
    """

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True)
class FlattenedIndexKey:
    """A child of a registered class that says nothing about its keys.

    >>> str(FlattenedIndexKey(0))
    '[<flat index 0>]'
    """

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key!r}>]"


def plain(key: Any) -> str:
    """A key without brackets and quotes."""
    for name in ("key", "idx", "name"):
        if hasattr(key, name):
            return str(getattr(key, name))
    return str(key)


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """A path as text; `simple` leaves out brackets and quotes, `separator` stands between the keys.

    >>> path = (DictKey("layers"), SequenceKey(0), GetAttrKey("w"))
    >>> keystr(path), keystr(path, simple=True, separator=".")
    ("['layers'][0].w", 'layers.0.w')
    """
    return separator.join(plain(key) if simple else str(key) for key in keys)
