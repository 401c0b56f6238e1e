"""Copying a graph with changes: the only way passes and transforms make graphs. It also builds the value map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rlx.core.dim import symbols
from rlx.ir.graph import Graph, Node, Origin, Ref
from rlx.ir.op import Op
from rlx.ir.value import Value

ValueMap = dict[Ref, Ref]


def identity(graph: Graph) -> ValueMap:
    """Every value stays what it is."""
    return {ref: ref for node in graph.nodes for ref in node.outputs}


class Rewriter:
    """Builds a new graph from an old one, node by node.

    `copy` re-emits a node on the new operands, `replace` declares the replacement of an old node, `finish` carries outputs and updates
    over and returns the graph with the value map.
    """

    def __init__(self, source: Graph, made_by: str, *, name: str | None = None, level: str | None = None) -> None:
        self.source = source
        self.made_by = made_by
        self.graph = Graph(name or source.name, level or source.level)
        self.graph.symbols = dict(source.symbols)
        self.graph.assumptions = list(source.assumptions)
        self.map: ValueMap = {}
        self._shares_symbols = True

    def forget_symbols(self) -> None:
        """Declare only the symbols that copied nodes use: for a part of the source."""
        self.graph.symbols = {}
        self._shares_symbols = False

    def ref(self, old: Ref) -> Ref:
        """The new Ref of an old value."""
        return self.map[old]

    def value(self, old: Ref) -> Value:
        """The new value, with operators."""
        return Value(self.graph, self.map[old])

    def values(self, node: Node) -> list[Value | None]:
        """The new operands of an old node."""
        return [None if ref is None else self.value(ref) for ref in node.inputs]

    def copy(self, node: Node, op: Op | None = None) -> Node:
        """The same node (or with another op) on the new operands; shapes are inferred again if something changed."""
        inputs: list[Ref | None] = []
        changed = op is not None
        before, after = self.source.nodes, self.graph.nodes
        for old in node.inputs:
            new = None if old is None else self.map[old]
            inputs.append(new)
            if old is not None and new is not None and not changed:
                made_by, now_by = before[old.node], after[new.node]
                if made_by is not now_by:
                    given, shape = made_by.results[old.index], now_by.results[new.index]
                    changed = shape is not given and shape != given
        if changed or not self._shares_symbols:
            made = self.graph.add_node(
                op or node.op, inputs, results=None if changed else node.results, name=node.name, origin=node.origin
            )
        else:
            made = self.graph.copy_node(node, tuple(inputs))
        self._declare(node, made.outputs)
        return made

    def replace(self, node: Node, new: Value | Ref | Sequence[Value | Ref]) -> None:
        """Declare the replacement of each result of an old node."""
        items = [new] if isinstance(new, (Value, Ref)) else list(new)
        refs = [item.ref if isinstance(item, Value) else item for item in items]
        self._declare(node, refs)

    def _declare(self, node: Node, refs: Sequence[Ref]) -> None:
        for old, ref in zip(node.outputs, refs, strict=True):
            self.map[old] = ref

    def emit(self, op: Op, inputs: Sequence[Ref | None], like: Node, name: str | None = None) -> Node:
        """A new node that comes from an old one: it keeps the user's line and label, and records the pass."""
        return self.graph.add_node(op, inputs, origin=self._origin(like), name=name)

    def build(self, node: Node, make: Callable[..., Any], *arguments: Any, **attrs: Any) -> Any:
        """Run a function that emits on Values; its nodes get the origin of `node`."""
        nodes, outer = self.graph.nodes, self.graph.origin
        first, origin = len(nodes), self._origin(node)
        self.graph.origin = origin
        try:
            result = make(*arguments, **attrs)
        finally:
            self.graph.origin = outer
        for position in range(first, len(nodes)):
            if nodes[position].origin is not origin:
                nodes[position] = replace(nodes[position], origin=origin)
        return result

    def _origin(self, like: Node) -> Origin:
        """The user's line and label of an old node, and the pass."""
        return Origin(like.origin.location, like.origin.label, self.made_by)

    def inline(self, body: Graph, operands: Sequence[Ref | None], like: Node) -> list[Ref]:
        """Copy a body's nodes here, its inputs replaced by values; returns its outputs."""
        inner: ValueMap = {}
        for leaf, ref in zip(body.inputs.values(), operands, strict=True):
            if ref is not None:
                inner[leaf.ref] = ref
        origin = self._origin(like)
        for node in body.nodes:
            if node.op.is_input:
                continue
            inputs = [None if ref is None else inner[ref] for ref in node.inputs]
            made = self.graph.add_node(node.op, inputs, results=node.results, name=node.name, origin=origin)
            inner.update(zip(node.outputs, made.outputs, strict=True))
        return [inner[ref] for ref in body.output_refs.values()]

    def finish(self) -> tuple[Graph, ValueMap]:
        """The new graph with its outputs and updates, and the map from old values to new."""
        self.graph.output_refs = {name: self.map[ref] for name, ref in self.source.output_refs.items()}
        self.graph.updates = {name: self.map[ref] for name, ref in self.source.updates.items()}
        return self.graph, self.map

    def forget_assumptions(self) -> None:
        """Keep only the facts about symbols that copied nodes use: for a part of the source."""
        known, facts = self.graph.symbols, self.graph.assumptions
        self.graph.assumptions = [fact for fact in facts if all(s.name in known for s in symbols(fact.left) | symbols(fact.right))]


def compose(first: ValueMap, second: ValueMap) -> ValueMap:
    """The value map of two consecutive passes; values dropped by the second are left out."""
    return {old: second[middle] for old, middle in first.items() if middle in second}


def extract(graph: Graph, nodes: Sequence[Node], outputs: Sequence[Ref], name: str) -> tuple[Graph, list[Ref]]:
    """A frozen body of these nodes (in order), and the outer values it reads, in input order."""
    from rlx.ir.op import OPS

    body = Graph(name, "mir")
    body.assumptions = list(graph.assumptions)
    inside: ValueMap = {}
    reads: list[Ref] = []
    members = {node.id for node in nodes}
    for node in nodes:
        for ref in node.refs:
            if ref.node not in members and ref not in inside:
                inside[ref] = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=graph.shape(ref)), origin=Origin()).ref
                reads.append(ref)
    for node in nodes:
        made = body.add_node(
            node.op, [None if ref is None else inside[ref] for ref in node.inputs], results=node.results, origin=Origin()
        )
        inside.update(zip(node.outputs, made.outputs, strict=True))
    body.output_refs = {f"y{index}": inside[ref] for index, ref in enumerate(outputs)}
    return body.freeze(), reads
