"""Scopes: what is built inside one has its name in front of its label."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from rlx.ir.graph import Graph, with_label
from rlx.ir.value import Value

T = TypeVar("T")


@contextmanager
def scope(graph: Graph, name: str) -> Iterator[None]:
    """Opens a scope that prefixes labels with `name/`; scopes nest."""
    graph.scope.append(name)
    try:
        yield
    finally:
        graph.scope.pop()


def named(graph: Graph, name: str, build: Callable[[], T]) -> T:
    """Runs `build` in a scope; the block it returns takes the scope's path as its label."""
    first = len(graph.nodes)
    with scope(graph, name):
        result = build()
        path = "/".join(graph.scope)
    for value in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(value, Value) and value.graph is graph and value.ref.node >= first:
            node = graph.node(value.ref)
            label = node.op.definition.label
            if label is not None and node.origin.label == f"{path}/{label(node.op)}":
                relabel(graph, value, path)
    return result


def relabel(graph: Graph, value: Value, label: str) -> None:
    """Gives the node of a value another label."""
    node = graph.node(value.ref)
    graph.nodes[node.id] = replace(node, origin=with_label(node.origin, label))
