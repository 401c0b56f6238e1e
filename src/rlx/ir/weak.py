"""Python numbers as values: kept in full width until they meet a tensor, whose dtype they take, as literals do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import DType, c64, c128, f32, f64, i32, i64
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value, WeakValue

WIDE = (i64, f64, c128)  # from the narrowest kind to the widest
_PLAIN = {i64: i32, f64: f32, c128: c64}


def literal_like(value: WeakValue) -> int | float | complex:
    """A literal of the same kind."""
    return {i64: 0, f64: 0.0, c128: 0j}[value.dtype]


def wide_dtype(operands: Sequence[Any]) -> DType:
    """The full width in which numbers are computed together."""
    return max((number.dtype if isinstance(number, WeakValue) else _wide(number) for number in operands), key=WIDE.index)


def _wide(literal: Any) -> DType:
    return c128 if isinstance(literal, complex) else f64 if isinstance(literal, float) else i64


def taken_as(value: WeakValue, dtype: DType) -> Value:
    """The number in a tensor's dtype, in the number's own graph; whole numbers it comes from must fit that, which a call checks."""
    if value.dtype is i64 and dtype.is_integer and dtype is not i64:
        limits = getattr(_root(value.graph), "limits", None)
        if limits is not None:
            for source in value.sources:
                limits.setdefault(source, set()).add(dtype)
    plain = Value(value.graph, value.ref)
    if plain.dtype is dtype:
        return plain
    found: Value = OPS["cast"](plain, to=dtype)
    return found


def plain_value(value: WeakValue) -> Value:
    """The number by itself, as a literal without a tensor beside it: i32, f32 or c64."""
    return taken_as(value, _PLAIN[value.dtype])


def check_role(value: WeakValue, dtype: DType, what: str) -> None:
    """A number that is not whole is no index."""
    if dtype.is_integer and value.dtype is not i64:
        raise RlxError("RLX110", f"{what}: a number of {value.dtype} is not an integer", fix="pass an integer")


def _root(graph: Graph) -> Graph:
    while graph.parent is not None:
        graph = graph.parent
    return graph
