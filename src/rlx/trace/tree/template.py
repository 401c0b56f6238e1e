"""Template: a tree that is filled with other leaves again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from rlx.trace.tree.registry import LEAF_TYPES, container_of

_Part = Any  # None for a leaf, or what makes a container of its children, and their parts (or their number, if all are leaves)


class Template:
    """The containers of a tree, ready to be put around other leaves; dicts keep the insertion order they have in it."""

    __slots__ = ("_part",)

    def __init__(self, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> None:
        self._part = _part(tree, is_leaf)

    def filled(self, leaves: Iterable[Any]) -> Any:
        """The containers around the leaves; of an iterator it takes as many as it needs."""
        return _filled(self._part, iter(leaves))


def _part(tree: Any, is_leaf: Callable[[Any], bool] | None) -> _Part:
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        return None
    description, children = container.apart(tree)
    make = container.maker(tree, description)
    if is_leaf is None and LEAF_TYPES.issuperset(map(type, children)):
        return make, len(children)
    return make, [_part(child, is_leaf) for child in children]


def _filled(part: _Part, leaves: Iterator[Any]) -> Any:
    if part is None:
        return next(leaves)
    make, inside = part
    if type(inside) is int:
        return make(list(islice(leaves, inside)))
    return make([_filled(one, leaves) for one in inside])
