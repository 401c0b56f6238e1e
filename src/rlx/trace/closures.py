"""What a function closes over: how a transform called on plain arrays inside a trace finds its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

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
    """Whether a call belongs to a trace: one of its arguments is a Value, or the function closes over one."""
    return any(isinstance(leaf, Value) for leaf in leaves_of(arguments)) or any(
        True for _ in values_closed_over(function)
    )
