"""Which values depend on params and constants alone, and so are computed once per param version; and what they are made of."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.rewrite import Rewriter


def prepared_nodes(graph: Graph) -> set[int]:
    """Ids of nodes computed from params (not updated here, not packed) and constants alone; the leaves included."""
    found: set[int] = set()
    for node in graph.nodes:
        if node.op.is_param:
            if node.op["name"] not in graph.updates and node.op["scheme"] is None:
                found.add(node.id)
        elif any(shape.symbols() for shape in node.results) or node.op.symbols():
            continue  # its size is known at run time only
        elif node.op.is_constant or (
            node.refs and not node.op.definition.leaf and all(ref.node in found for ref in node.refs)
        ):
            found.add(node.id)
    return found


def has_param(graph: Graph, prepared: set[int]) -> set[int]:
    """Of the prepared nodes, those that read at least one param."""
    found: set[int] = set()
    for node in graph.nodes:
        if node.id in prepared and (node.op.is_param or any(ref.node in found for ref in node.refs)):
            found.add(node.id)
    return found


def hoisted(graph: Graph, prepared: set[int]) -> list[Node]:
    """The nodes with leaves and prepared ones first: still topological."""
    first = [node for node in graph.nodes if node.id in prepared or node.op.definition.leaf]
    rest = [node for node in graph.nodes if node.id not in prepared and not node.op.definition.leaf]
    return first + rest


@dataclass(frozen=True)
class Derivation:
    """What a prepared value is made of: which params, and a key that only the same computation of them has."""

    key: str
    params: tuple[str, ...]


def derivations(prepare: Graph, *made_for: str) -> dict[str, Derivation]:
    """Each output of a prepare graph with what it is made of; `made_for` names whatever else its bits may depend on.

    Outputs made by registered ops are left out: their code is in no key.
    """
    from rlx.ops.control.custom import holds_user_op

    found = {}
    for name, ref in prepare.outputs.items():
        alone = _alone(prepare, ref)
        if not holds_user_op(alone):
            key = hashlib.sha256("\n".join((alone.fingerprint(), *made_for)).encode()).hexdigest()
            found[name] = Derivation(key, tuple(alone.params))
    return found


def _alone(graph: Graph, ref: Ref) -> Graph:
    """The part of a graph that computes one value, under names that do not depend on the rest."""
    needed, todo = {ref.node}, [ref.node]
    while todo:
        new = {read.node for read in graph.nodes[todo.pop()].refs} - needed
        needed |= new
        todo += new
    part = Rewriter(graph, "", name="prepared")
    part.forget_symbols()
    part.forget_assumptions()
    for node in graph.nodes:
        if node.id in needed:
            part.copy(node)
    part.graph.outputs = {"value": part.ref(ref)}
    return part.graph
