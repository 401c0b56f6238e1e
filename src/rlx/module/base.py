"""What every builder stands on: where nodes go, and how one is emitted from operands and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from rlx.core.errors import unknown_attribute
from rlx.ir.emit import emit
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.op import OPS
from rlx.ir.value import Value

Tensor: TypeAlias = Value | npt.NDArray[Any] | np.generic | complex | Sequence[Any]  # literals become constants
Body: TypeAlias = BaseGraph | Callable[..., Any]


def _is_inside(graph: BaseGraph, outer: BaseGraph) -> bool:
    parent = graph.parent
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent
    return False


class BuilderBase:
    """Emits nodes; a subclass says into which graph."""

    if not TYPE_CHECKING:  # for what is not there, which a type checker finds by itself

        def __getattr__(self, name: str) -> NoReturn:
            raise unknown_attribute(self, name)

    def _graph(self) -> BaseGraph:
        """The graph nodes go to."""
        raise NotImplementedError

    def _target(self, operands: Sequence[Any]) -> BaseGraph:
        """The graph, or the body inside it that an operand belongs to: a traced function may use the outer builders."""
        graph = self._graph()
        for operand in operands:
            if isinstance(operand, Value) and operand.graph is not graph and _is_inside(operand.graph, graph):
                graph = operand.graph
        return graph

    def _many(
        self, op: str, operands: Sequence[Any], attrs: Mapping[str, Any], name: str | None = None
    ) -> tuple[Value, ...]:
        """Emit a node; all its results."""
        found = emit(OPS[op], operands, dict(attrs), graph=self._target(operands), name=name)
        return found if isinstance(found, tuple) else (found,)

    def _one(self, op: str, operands: Sequence[Any], attrs: Mapping[str, Any], name: str | None = None) -> Value:
        """Emit a node of one result."""
        (value,) = self._many(op, operands, attrs, name)
        return value


def flat(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Operands given one by one or as one list."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return tuple(operands[0])
    return tuple(operands)
