"""What every builder stands on: which graph nodes go to, and how one is emitted from operands and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError, unknown_attribute
from rlx.core.shape import Shape
from rlx.ir.emit import constant, emit, into
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref, not_a_value
from rlx.ir.op import OPS
from rlx.ir.value import Value

Tensor: TypeAlias = Value | npt.NDArray[Any] | np.generic | complex | Sequence[Any]  # literals become constants
ShapeLike: TypeAlias = Shape | Sequence[Any] | int | str
Tensors: TypeAlias = Tensor | Sequence[Tensor]
Body: TypeAlias = BaseGraph | Callable[..., Any]


def _is_inside(graph: BaseGraph, outer: BaseGraph) -> bool:
    parent = graph.parent
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent
    return False


class BuilderBase:
    """Emits nodes into the graph that a subclass chooses."""

    if not TYPE_CHECKING:  # for unknown names, which a type checker reports itself

        def __getattr__(self, name: str) -> NoReturn:
            raise unknown_attribute(self, name)

    def _graph(self) -> BaseGraph:
        """The graph that receives nodes."""
        raise NotImplementedError

    def _target(self, operands: Sequence[Any]) -> BaseGraph:
        """The graph, or the traced body inside it that an operand belongs to, so that bodies may use outer builders."""
        graph = self._graph()
        for operand in operands:
            if isinstance(operand, Value) and operand.graph is not graph and _is_inside(operand.graph, graph):
                graph = operand.graph
        return graph

    def _many(self, op: str, operands: Sequence[Any], attrs: Mapping[str, Any], name: str | None = None) -> tuple[Value, ...]:
        """Emits a node and returns all its results."""
        results = emit(OPS[op], operands, dict(attrs), graph=self._target(operands), name=name)
        return results if isinstance(results, tuple) else (results,)

    def _one(self, op: str, operands: Sequence[Any], attrs: Mapping[str, Any], name: str | None = None) -> Value:
        """Emits a node of one result."""
        (value,) = self._many(op, operands, attrs, name)
        return value

    def _block_or_op(
        self,
        op: str,
        operands: Sequence[Any],
        attrs: Mapping[str, Any],
        name: str | None,
        out_shape: ShapeLike | None,
        block: str | None = None,
    ) -> tuple[Value, ...]:
        """Emits the op of a name that a block has too, and returns all results."""
        found = self._many(op, operands, attrs, name)
        with_shape(op, found[0], out_shape)
        return found

    def _as_value(self, value: Tensor) -> Value:
        """Converts to a value of the graph: the value itself, a capture from an outer graph, or a constant of a literal."""
        return into(self._graph(), value) if isinstance(value, Value) else constant(self._graph(), value)


def as_shape(shape: ShapeLike, dtype: DTypeLike | None) -> Shape:
    """Converts to a Shape: from a Shape, or from dims (ints, Dims, names of symbols) and a dtype, f32 by default."""
    if isinstance(shape, Shape):
        return shape if dtype is None else shape.with_dtype(dtype)
    dims = (shape,) if isinstance(shape, (int, str)) or not isinstance(shape, Sequence) else shape
    return Shape(dims, "f32" if dtype is None else dtype)


def with_shape(op: str, value: Value, out_shape: ShapeLike | None) -> Value:
    """The value, which has the out_shape where one is given."""
    if out_shape is not None:
        wanted = as_shape(out_shape, None if isinstance(out_shape, Shape) else value.dtype)
        if value.type != wanted:
            raise RlxError("RLX102", f"{op} gives {value.type}, out_shape is {wanted}", fix="leave out_shape out")
    return value


def flat(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Flattens operands passed one by one or as one list."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return many(operands[0])
    return tuple(operands)


def many(values: Any) -> tuple[Any, ...]:
    """Converts one value or several to a tuple."""
    if isinstance(values, Ref):  # a Ref is a tuple too
        raise not_a_value(values)
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def like(given: Any, found: Sequence[Value]) -> Any:
    """A Value if one value was passed, else a tuple."""
    return tuple(found) if isinstance(given, (tuple, list)) else found[0]
