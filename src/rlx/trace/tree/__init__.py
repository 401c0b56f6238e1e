"""Nested containers: taken apart into leaves, and put together again. `docs/trees.md` describes what users see of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import length_hint
from typing import Any

from rlx.core.cache import Recent
from rlx.core.errors import RlxError
from rlx.trace.tree.containers import keystr
from rlx.trace.tree.registry import Template, container_of_type
from rlx.trace.tree.treedef import TreeDef, difference, flatten_to_treedef, leaves_with_path

__all__ = [
    "Template", "TreeDef", "children_of", "difference", "flatten", "flatten_with_structure", "leaves_of", "map_leaves", "rebuild",
    "structure", "with_fixed", "with_leaves",
]  # fmt: skip

_PATHS: Recent[TreeDef, list[str]] = Recent(1024)  # of the leaves of structures seen lately


def flatten(tree: Any) -> list[tuple[str, Any]]:
    """Leaves with their paths (`0.params.w`), each path once; in order, dicts by sorted key. None is an empty container."""
    return flatten_with_structure(tree)[0]


def flatten_with_structure(tree: Any) -> tuple[list[tuple[str, Any]], TreeDef]:
    """Leaves with their paths, and the containers without leaves."""
    leaves, nodes = flatten_to_treedef(tree)
    try:
        paths = _PATHS.get(nodes)
    except RlxError:  # static data without a hash
        paths = _paths(tree)
    if paths is None:
        paths = _PATHS[nodes] = _paths(tree)
    return list(zip(paths, leaves, strict=True)), nodes


def _paths(tree: Any) -> list[str]:
    """The path of each leaf, made unique: keys can hold dots, and differ by their type alone."""
    paths = [keystr(path, simple=True, separator=".") for path, _ in leaves_with_path(tree, None, False)]
    taken = set(paths)
    if len(taken) == len(paths):
        return paths
    names: dict[str, None] = {}
    for path in paths:
        number, unique = 1, path
        while unique in names or (number > 1 and unique in taken):
            number += 1
            unique = f"{path}~{number}"
        names[unique] = None
    return list(names)


def leaves_of(tree: Any) -> list[Any]:
    """The leaves of containers alone, in order."""
    return flatten_to_treedef(tree)[0]


def children_of(node: Any) -> Sequence[Any] | None:
    """The children that a container directly holds; None for a leaf, and for an object some of whose fields are not set yet."""
    container = container_of_type(type(node))
    try:
        return None if container is None else container.apart(node)[1]
    except AttributeError:
        return None


def rebuild(tree: Any, leaves: list[Any]) -> Any:
    """Rebuilds the same containers around other leaves, taken from the front of the list."""
    left = iter(leaves)
    made = Template(tree).filled(left)
    del leaves[: len(leaves) - length_hint(left)]
    return made


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """Applies a function to each leaf, in the same containers."""
    return rebuild(tree, [function(leaf) for leaf in leaves_of(tree)])


def with_leaves(tree: Any, places: Sequence[int], leaves: Sequence[Any]) -> Any:
    """Replaces some leaves of containers, by their index in order."""
    inside = leaves_of(tree)
    for index, leaf in zip(places, leaves, strict=True):
        inside[index] = leaf
    return rebuild(tree, inside)


def with_fixed(leaves: Sequence[Any], fixed: Mapping[int, Any]) -> list[Any]:
    """Merges the variable leaves, in order, with the fixed ones at their indices: all leaves of containers."""
    if not fixed:
        return list(leaves)
    left = iter(leaves)
    return [fixed[i] if i in fixed else next(left) for i in range(len(leaves) + len(fixed))]


def structure(tree: Any) -> TreeDef:
    """The containers without leaves: hashable and comparable."""
    return flatten_to_treedef(tree)[1]
