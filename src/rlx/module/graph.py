"""The public Graph: `ir.Graph` with one typed builder for each op."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rlx.core.errors import check_is
from rlx.ir.graph import Graph as BaseGraph
from rlx.module.builders.fusion import FusionMethods
from rlx.module.builders.loops import Loops

if TYPE_CHECKING:
    from rlx.compat.hir import HirModule
    from rlx.module.modules import GraphModule


class Builders(FusionMethods, Loops):
    """Every builder: a method for each op, and those of `builders/` that emit several ops or convert arguments."""


class Graph(Builders, BaseGraph):
    """A graph of tensor ops with a typed builder for each.

    >>> g = Graph("mlp")
    >>> x, w = g.input("x", ("batch", 4)), g.param("w", (4, 2))
    >>> g.set_outputs({"y": g.gelu(x @ w)})
    >>> print(g)                                                            # doctest: +ELLIPSIS
    mir @mlp {
      sym batch in 1..
      %0 = input("x") : f32[batch, 4]...
    """

    def _graph(self) -> BaseGraph:
        return self

    @staticmethod
    def adopt(graph: BaseGraph, level: str | None = None) -> Graph:
        """Takes over the nodes of a graph as a Graph with builders; do not build on the original any more."""
        check_is(graph, BaseGraph, "RLX105", "the graph", "a Graph or a GraphModule")
        if isinstance(graph, Graph) and level in (None, graph.level):
            return graph
        adopted = Graph(graph.name, level or graph.level)
        state = dict(vars(graph))
        state["level"] = level or graph.level
        vars(adopted).update(state)
        return adopted

    @staticmethod
    def define(name: str, build: Callable[[HirModule], Any]) -> GraphModule:
        """Builds a HIR module by a function: `GraphModule.define`."""
        from rlx.module.modules import GraphModule

        return GraphModule.define(name, build)

    @staticmethod
    def hir(name: str) -> GraphModule:
        """Returns an empty HIR module: `GraphModule.hir`."""
        from rlx.module.modules import GraphModule

        return GraphModule.hir(name)
