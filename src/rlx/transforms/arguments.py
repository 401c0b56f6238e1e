"""The arguments of a function called on Values: as its graph knows them, some of their leaves operands of a traced body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.dtype import c128, f64
from rlx.ir.graph import Graph
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, WeakValue, taken_as
from rlx.trace.closures import graph_of
from rlx.trace.tree import leaves_of, map_leaves, with_leaves


@dataclass(frozen=True)
class Arguments:
    """`(args, kwargs)` of one call, handles of `rlx.put` made Values; the leaves at `places` are the operands."""

    tree: Any
    places: Sequence[int]
    graph: Graph  # where the body's node goes
    operands: list[Value]

    @classmethod
    def of(cls, function: Callable[..., Any], tree: Any, places: Sequence[int], beside: Any = ()) -> Arguments:
        """Take the leaves at `places` as operands, in the graph that the call belongs to; `beside` are further Values of the call."""
        graph = graph_of([function], (tree, beside))
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
    wide = any(isinstance(other, Value) and not isinstance(other, WeakValue) and other.dtype in (f64, c128) for other in beside)
    return taken_as(leaf, f64) if wide else leaf


def in_graph(tree: Any, graph: Graph) -> Any:
    """The same containers with handles of `rlx.put` as Values of the graph."""
    return map_leaves(lambda leaf: leaf.__rlx_value__(graph) if hasattr(leaf, "__rlx_value__") else leaf, tree)
