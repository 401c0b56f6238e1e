"""What depends on params alone, as a program of its own: weights joined or cast, computed when a param changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax

from rlx.backends.plain import PlainRunner
from rlx.backends.xla.site import Checks
from rlx.backends.xla.tracing import trace_graph
from rlx.ir.graph import Graph


def independent_parts(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """The outputs of a graph, those together that share a param or a computation."""
    parts: list[tuple[list[str], set[int]]] = []
    for name, ref in graph.output_refs.items():
        names, nodes = [name], needed_by(graph, {ref.node})
        apart = []
        for other in parts:
            if nodes.isdisjoint(other[1]):
                apart.append(other)
            else:
                names, nodes = [*other[0], *names], nodes | other[1]
        parts = [*apart, (names, nodes)]
    return tuple(tuple(names) for names, _ in parts)


def needed_by(graph: Graph, nodes: set[int]) -> set[int]:
    """Nodes and everything they are computed of, but for constants."""
    found: set[int] = set()
    todo = list(nodes)
    while todo:
        node = graph.nodes[todo.pop()]
        if node.id not in found and not node.op.is_constant:
            found.add(node.id)
            todo += [ref.node for ref in node.refs]
    return found


class XlaPreparation(PlainRunner):
    """Computes prepared values part by part, each part in a program of its own."""

    memory: dict[str, Any]

    def __init__(self, artifact: Any) -> None:
        super().__init__(artifact)
        self.graph = artifact.lir.prepare.graph
        self.compiler_options = artifact.compiler_options
        self.parts = independent_parts(self.graph)

    def make(self, outputs: Mapping[str, Any]) -> None:
        """The values of some parts, into their places."""
        wanted = {name: self.graph.output_refs[name] for name in outputs}
        nodes = needed_by(self.graph, {ref.node for ref in wanted.values()})
        leaves = {name: self.memory[name].handle for name, node in self.graph.params.items() if node.id in nodes}

        def compute(given: dict[str, Any]) -> dict[str, Any]:
            found, _ = trace_graph(self.graph, given, {}, Checks(), only=nodes)
            return {name: found[name] for name in outputs}

        with jax.enable_x64(True):
            found = jax.jit(compute, compiler_options=self.compiler_options)(leaves)
        for name, place in outputs.items():
            place.handle = found[name]
