"""Nested containers: flattening lists, tuples and dicts into leaves, and rebuilding them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def flatten(tree: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Leaves with their paths, in order; dicts by insertion order. None is an empty container."""
    if tree is None:
        return []
    if isinstance(tree, dict):
        return [
            leaf for key, value in tree.items() for leaf in flatten(value, f"{prefix}.{key}" if prefix else str(key))
        ]
    if isinstance(tree, (list, tuple)):
        return [
            leaf
            for index, value in enumerate(tree)
            for leaf in flatten(value, f"{prefix}.{index}" if prefix else str(index))
        ]
    return [(prefix, tree)]


def leaves_of(tree: Any) -> list[Any]:
    """The leaves alone, in order."""
    return [leaf for _, leaf in flatten(tree)]


def rebuild(tree: Any, leaves: list[Any]) -> Any:
    """The same containers around other leaves, taken from the front of the list."""
    if tree is None:
        return None
    if isinstance(tree, dict):
        return {key: rebuild(value, leaves) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(rebuild(value, leaves) for value in tree))
    if isinstance(tree, (list, tuple)):
        return type(tree)(rebuild(value, leaves) for value in tree)
    return leaves.pop(0)


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with a function applied to each leaf."""
    return rebuild(tree, [function(leaf) for leaf in leaves_of(tree)])


def with_leaves(tree: Any, places: Sequence[int], leaves: Sequence[Any]) -> Any:
    """The same containers with some leaves replaced, by their index in order."""
    inside = leaves_of(tree)
    for place, leaf in zip(places, leaves, strict=True):
        inside[place] = leaf
    return rebuild(tree, inside)


def with_fixed(leaves: Sequence[Any], fixed: Mapping[int, Any]) -> list[Any]:
    """All leaves of containers: those that are given, in order, around those that are fixed at their places."""
    left = iter(leaves)
    return [fixed[i] if i in fixed else next(left) for i in range(len(leaves) + len(fixed))]


def structure(tree: Any) -> Any:
    """A hashable description of the containers, without leaves."""
    if tree is None:
        return None
    if isinstance(tree, dict):
        return ("dict", tuple((key, structure(value)) for key, value in tree.items()))
    if isinstance(tree, (list, tuple)):
        return (type(tree).__name__, tuple(structure(value) for value in tree))
    return "*"
