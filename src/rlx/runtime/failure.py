"""Details of a failed run beyond the kernel's error code: the user's line, and which inputs were already bad."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rlx.backends.base import Array
from rlx.core.dim import LARGEST_SIZE, Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import Location, RlxError
from rlx.ir.graph import Graph


def explain(error: RlxError, graph: Graph, leaves: Callable[[], Mapping[str, Array]]) -> None:
    """Complete an error reported by native code, which knows the origin only as text."""
    if error.location is None:
        places = _locations(graph)
        words = error.message.replace("(", " ").replace(")", " ").split()
        error.location = next((places[word] for word in words if word in places), None)
    if error.code == "RLX510":
        bad = [name for name, array in leaves().items() if not _finite(array)]
        before = f"{', '.join(bad)} had NaN or infinity before the run"
        error.fix = before if bad else "check the operands of this op: all inputs are finite"


def too_large(graph: Graph, memory: Mapping[str, Size], sizes: Mapping[str, int]) -> RlxError:
    """The error for sizes that overflow: names the first value, else the part of memory, that exceeds 2**63."""
    given = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    for node in graph.nodes:
        for shape in node.results:
            count = evaluate(shape.size_bytes, sizes)
            if count > LARGEST_SIZE:
                bound = shape.bind(sizes)
                message = f"with {given}, {node.op.name} {shape} is {bound}: {bound.num_elements} elements, {count} bytes"
                return RlxError("RLX208", message, at=node.origin.location)
    for part, size in memory.items():
        count = evaluate(size, sizes)
        if count > LARGEST_SIZE:
            return RlxError("RLX208", f"with {given}, {part} memory takes {size} = {count} bytes")
    return RlxError("RLX208", f"with {given}, a computed size exceeds 2**63")


def _locations(graph: Graph) -> dict[str, Location]:
    """The user's lines by name, bodies included."""
    found: dict[str, Location] = {}
    for node in graph.nodes:
        for _, body in node.op.graphs():
            found |= _locations(body)
        if node.origin.location is not None:
            found[str(node.origin.location)] = node.origin.location
    return found


def _finite(array: Array) -> bool:
    dtype = DType.of(array.dtype)
    if dtype.is_complex:
        return bool(np.isfinite(array).all())
    return not dtype.is_float or bool(np.isfinite(array.astype(np.float64)).all())
