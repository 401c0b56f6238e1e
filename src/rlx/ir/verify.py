"""The verifier: every rule of the IR, checked on a finished graph."""

from __future__ import annotations

from rlx.core.errors import RlxError, check_is
from rlx.ir.graph import LEVELS, Graph, Node, Ref
from rlx.ir.text import node_text


def verify(graph: Graph, level: str | None = None) -> None:
    """Raise RLX302 unless the graph is valid at its level: order, arity, shapes re-inferred, outputs, updates, symbols, bodies.

    >>> from rlx import Graph
    >>> g = Graph("g")
    >>> g.set_outputs({"y": g.input("x", (2,)) + 1})
    >>> verify(g)
    """
    verify_structure(graph, level)
    verify_shapes(graph)


def verify_structure(graph: Graph, level: str | None = None) -> None:
    """Checks the rules that need no shape inference. A graph that passes is valid if one of the same fingerprint was."""
    check_is(graph, Graph, "RLX105", "the graph", "a Graph; module.into_graph() returns a module's")
    level = level or graph.level
    if level not in LEVELS:
        raise _broken(graph, f"level {level!r} is not one of {', '.join(LEVELS)}")
    leaves: set[str] = set()
    for position, node in enumerate(graph.nodes):
        if node.id != position:
            raise _broken(graph, f"node %{node.id} is at position {position}", node)
        if "name" in node.op.attrs and node.op.definition.leaf:
            if node.op.attrs["name"] in leaves:
                raise _broken(graph, f"two leaves named {node.op.attrs['name']!r}", node)
            leaves.add(node.op.attrs["name"])
        _verify_node_structure(graph, node, level)
    verify_results(graph)


def verify_shapes(graph: Graph) -> None:
    """Checks the shapes of every node against re-inferred ones."""
    for node in graph.nodes:
        _check_results(graph, node)
        for _, body in node.op.graphs():
            verify_shapes(body)


def verify_node(graph: Graph, node: Node, level: str | None = None) -> None:
    """Checks one node: operands before it, arity, level, shapes re-inferred, bodies."""
    _verify_node_structure(graph, node, level or graph.level)
    _check_results(graph, node)
    for _, body in node.op.graphs():
        verify_shapes(body)


def _verify_node_structure(graph: Graph, node: Node, level: str) -> None:
    verify_operands(graph, node)
    if node.op.definition.level == "hir" and level != "hir":
        raise _broken(graph, f"the HIR block {node.op.name} in a {level} graph", node)
    for shape in node.results:
        for symbol in shape.symbols():
            if graph.symbols.get(symbol.name) != symbol:
                raise _broken(graph, f"symbol {symbol.name} is not declared with these bounds", node)
    for _, body in node.op.graphs():
        if body.params or body.states or body.updates:
            raise _broken(graph, "a body has its own param, state or update", node)
        verify_structure(body, body.level)


def verify_results(graph: Graph) -> None:
    """Checks outputs and updates."""
    for name, ref in graph.results():
        if not _exists(graph, ref, len(graph.nodes)):
            raise _broken(graph, f"output or update {name!r} refers to {ref}, which does not exist")
    for name, ref in graph.updates.items():
        _check_update(graph, name, ref)


def _exists(graph: Graph, ref: Ref, before: int) -> bool:
    return 0 <= ref.node < before and 0 <= ref.index < len(graph.nodes[ref.node].results)


def verify_operands(graph: Graph, node: Node) -> None:
    """Checks that each operand is a value of an earlier node, and that their number is right."""
    for ref in node.refs:
        if not _exists(graph, ref, node.id):
            raise _broken(graph, f"operand {ref} is not a value of an earlier node", node)
    least, most = node.op.definition.arity
    if len(node.inputs) < least or (most is not None and len(node.inputs) > most):
        raise _broken(graph, f"{len(node.inputs)} operands, {node.op.name} takes {least}..{most if most is not None else ''}", node)
    for index, operand in enumerate(node.inputs):
        if operand is None and not node.op.definition.operand(index).optional:
            raise _broken(graph, f"operand {node.op.definition.operand(index).name} is missing", node)


def _check_results(graph: Graph, node: Node) -> None:
    try:
        inferred = node.op.infer([None if ref is None else graph.shape(ref) for ref in node.inputs], graph.assumptions)
    except RlxError as error:
        raise _broken(graph, f"shape inference fails: {error.message}", node) from error
    if inferred != node.results:
        raise _broken(graph, f"results are {node.results}, inference gives {inferred}", node)


def _check_update(graph: Graph, name: str, ref: Ref) -> None:
    target = graph.leaf("state", name) or graph.leaf("param", name)
    if target is None:
        raise _broken(graph, f"update of {name!r}, which is neither a state nor a param")
    if graph.shape(target) != graph.shape(ref):
        raise _broken(graph, f"update of {name!r} has shape {graph.shape(ref)}, the leaf has {graph.shape(target)}")


def _broken(graph: Graph, what: str, node: Node | None = None) -> RlxError:
    where = f" in {node_text(node)}" if node is not None else ""
    return RlxError("RLX302", f"graph @{graph.name}: {what}{where}", at=node.origin.location if node is not None else None)
