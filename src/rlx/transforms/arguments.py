"""The arguments of a function called on Values: as its graph knows them, some of their leaves operands of a traced body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.dtype import c128, f64
from rlx.ir.emit import find_graph
from rlx.ir.graph import Graph
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, WeakValue
from rlx.ir.weak import taken_as
from rlx.trace.closures import values_closed_over
from rlx.trace.tree import leaves_of, map_leaves, with_leaves


@dataclass(frozen=True)
class Arguments:
    """`(args, kwargs)` of one call, handles of `rlx.put` made Values; the leaves at `places` are the operands."""

    tree: Any
    places: Sequence[int]
    graph: Graph  # where the body's node goes
    operands: list[Value]

    @classmethod
    def of(cls, function: Callable[..., Any], tree: Any, places: Sequence[int]) -> Arguments:
        """Take the leaves at `places` as operands, in the graph that a leaf or the function's closure belongs to."""
        graph = graph_of(function, tree)
        held = in_graph(tree, graph)
        leaves = [_number(leaf, leaves_of(held)) for leaf in leaves_of(held)]
        outer, operands = outer_values([leaves[place] for place in places], graph)
        return cls(held, places, outer, operands)

    def apply(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Call the function with other operands in the place of these."""
        args, kwargs = with_leaves(self.tree, self.places, operands)
        return function(*args, **kwargs)


def _number(leaf: Any, beside: Sequence[Any]) -> Any:
    """A Python number that is differentiated or batched by: f64 beside arrays of that width, else as it is by itself."""
    if not isinstance(leaf, WeakValue) or leaf.dtype is not f64:
        return leaf
    wide = any(
        isinstance(other, Value) and not isinstance(other, WeakValue) and other.dtype in (f64, c128) for other in beside
    )
    return taken_as(leaf, f64) if wide else leaf


def graph_of(function: Callable[..., Any], tree: Any) -> Graph:
    """The graph a call on these arguments belongs to: the innermost of the Values in it and in the function's closure."""
    return find_graph([*leaves_of(tree), *values_closed_over(function)])


def in_graph(tree: Any, graph: Graph) -> Any:
    """The same containers with handles of `rlx.put` as Values of the graph."""
    return map_leaves(lambda leaf: leaf.__rlx_value__(graph) if hasattr(leaf, "__rlx_value__") else leaf, tree)
