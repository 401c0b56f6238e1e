"""What the bodies of functions are made of: arguments as Values of one dtype, sizes, axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, f32, i32, promote
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import as_value
from rlx.ir.emit import constant, find_graph, into, literal_dtype, size_scalar
from rlx.ir.emit import emit as emit_node
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, is_weak
from rlx.ir.value import Value, WeakValue, as_dtype, literal_like, plain_value, taken_as


def emit(op: str, *operands: Any, graph: Graph | None = None, **attrs: Any) -> Any:
    """One op by name: a Value, or a tuple of them. An op without operands needs the graph."""
    return emit_node(OPS[op], operands, attrs, graph=graph)


def floating(x: Any) -> Value:
    """An argument as a Value of floats or complex numbers: integers and bools become f32."""
    value = as_value(x)
    return value if value.dtype.is_float or value.dtype.is_complex else value.astype(f32)


def promoted(*xs: Any, least: DType | None = None) -> list[Value]:
    """Arguments as Values of their common dtype; numbers take the dtype of the arrays they are combined with."""
    strong = [x.dtype for x in xs if isinstance(x, Value) and not isinstance(x, WeakValue)]
    numbers = [literal_like(x) if isinstance(x, WeakValue) else x for x in xs if isinstance(x, WeakValue) or is_weak(x)]
    common = promote(*strong) if strong else None
    for number in numbers:
        common = literal_dtype(number, [] if common is None else [common], "value")
    assert common is not None, "a function of at least one array"
    if least is not None and not (common.is_float or common.is_complex):
        common = least
    return same_dtype(xs, common)


def same_dtype(xs: Sequence[Any], dtype: DType) -> list[Value]:
    """Arguments as Values of a dtype, in one graph."""
    graph = find_graph([x for x in xs if isinstance(x, Value)])
    found = []
    for x in xs:
        if isinstance(x, WeakValue):
            x = taken_as(x, dtype) if dtype.is_integer or not dtype.is_bool else plain_value(x)
        found.append(as_dtype(into(graph, x), dtype) if isinstance(x, Value) else constant(graph, x, dtype))
    return found


def full_value(like: Value, shape: Sequence[Size], number: Any, dtype: DType) -> Value:
    """A number in every place of a shape."""
    scalar = constant(like.graph, number, dtype)
    return scalar if not shape else emit("expand", scalar, shape=tuple(shape))


def axis_of(axis: Any, rank: int, what: str) -> int:
    """An axis counted from the front."""
    try:
        index = int(axis.__index__())
    except AttributeError:
        raise RlxError("RLX104", f"{what}: axis {axis!r}", fix="an int") from None
    if not -rank <= index < rank:
        fix = f"axes run from {-rank} to {rank - 1}" if rank else "an array without axes has none"
        raise RlxError("RLX104", f"{what}: axis {index} is out of range for {rank} axes", fix=fix)
    return index % rank


def axes_of(axis: Any, rank: int, what: str) -> tuple[int, ...]:
    """Axes counted from the front: all for None, one, or several that differ."""
    if axis is None:
        return tuple(range(rank))
    found = tuple(axis_of(each, rank, what) for each in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(found)) != len(found):
        raise RlxError("RLX104", f"{what}: axis {axis} names an axis twice", fix="name each axis once")
    return found


def size_of(shape: Sequence[Size]) -> Size:
    """The number of elements."""
    return math.prod(shape)


def sizes_of(shape: Any) -> tuple[Size, ...]:
    """A shape as a tuple: a size alone is one axis."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape)
    return tuple(shape.tolist()) if hasattr(shape, "tolist") and np.ndim(shape) else (shape,)


def counted(x: Value, axes: Sequence[int], dtype: DType = i32) -> Value:
    """How many elements there are along axes, as a scalar."""
    return size_scalar(x, size_of([x.shape[axis] for axis in axes]), dtype)
