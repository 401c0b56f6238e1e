"""Which trace a call belongs to: the one it is made in, else that of the Values it is given or closes over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from rlx.ir.emit import find_graph, inside_body, traced_graph
from rlx.ir.graph import Graph
from rlx.ir.value import Value
from rlx.trace.tree import children_of, leaves_of


def values_closed_over(function: Callable[..., Any]) -> Iterator[Value]:
    """Values in a function's closure, in containers there, and in the closures of functions there."""
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Value):
            yield item
        elif isinstance(item, FunctionType) and id(item) not in seen:
            seen.add(id(item))
            waiting += [cell.cell_contents for cell in item.__closure__ or () if not _is_empty(cell)]
        elif (children := children_of(item)) and id(item) not in seen:
            seen.add(id(item))
            waiting += children


def _is_empty(cell: Any) -> bool:
    """A cell whose variable has no value yet."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def is_traced(function: Callable[..., Any], arguments: Any) -> bool:
    """Whether a call belongs to a trace: it is made inside one, or an argument is a Value, or the function closes over one.

    Inside a trace a function may read its values in ways that nobody sees from outside, such as attributes and globals.
    """
    return (
        traced_graph() is not None
        or any(isinstance(leaf, Value) for leaf in leaves_of(arguments))
        or any(True for _ in values_closed_over(function))
    )


def graph_of(functions: Sequence[Callable[..., Any]], tree: Any) -> Graph:
    """The body a call belongs to: the innermost open one of the graph of its Values, else of the trace it is made in, else of the
    graph that the functions close over."""
    values = [leaf for leaf in leaves_of(tree) if isinstance(leaf, Value)]
    around = None if values else traced_graph()
    if around is not None:
        return around
    return inside_body(find_graph(values or [value for each in functions for value in values_closed_over(each)]))
