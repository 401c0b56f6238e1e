"""assumptions: symbols that the user stated to be equal become one, so that every later comparison is plain."""

from __future__ import annotations

from rlx.core.dim import Dim, Relation, Size, bind
from rlx.ir.graph import Graph
from rlx.ir.pattern import identity
from rlx.passes.context import Context
from rlx.passes.entry import PassResult


def assumptions(graph: Graph, context: Context) -> PassResult:
    """assume a == 2*b: f32[a, 4]  ->  f32[2*b, 4]        where one side is a symbol alone; the rest stays as it is"""
    for fact in graph.assumptions:
        solved = _solve(fact.left, fact.right) if fact.kind == "==" else None
        if solved is not None:
            name, size = solved
            context.report.add("assumptions", "symbol", f"{name} is {size}, as assumed")
            known = {name: size}
            others = [Relation(other.kind, bind(other.left, known), bind(other.right, known)) for other in graph.assumptions]
            graph = graph.bind(known)
            graph.assumptions = [other for other in others if not (other.kind == "==" and _equal(other.left, other.right))]
            rest, _ = assumptions(graph, context)
            return rest, identity(graph)
    return graph, identity(graph)


def _equal(left: Size, right: Size) -> bool:
    return bool(left == right)


def _solve(left: Size, right: Size) -> tuple[str, Size] | None:
    """A symbol that stands alone on one side and not on the other, and what it equals."""
    for one, other in ((left, right), (right, left)):
        symbol = one.symbol if isinstance(one, Dim) else None
        if symbol is not None and not (isinstance(other, Dim) and symbol in other.symbols()):
            return symbol.name, other
    return None
