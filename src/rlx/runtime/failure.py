"""What a failed run says beyond the kernel's code: the user's line, and which operands were bad before it began."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rlx.backends.base import Array
from rlx.core.dim import LARGEST_SIZE, Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import Location, RlxError
from rlx.ir.graph import Graph

__all__ = ["explain", "too_large"]


def explain(error: RlxError, graph: Graph, leaves: Callable[[], Mapping[str, Array]]) -> None:
    """Complete an error that native code reported: it knows file and line by name only."""
    if error.location is None:
        places = _locations(graph)
        words = error.message.replace("(", " ").replace(")", " ").split()
        error.location = next((places[word] for word in words if word in places), None)
    if error.code == "RLX510":
        bad = [name for name, array in leaves().items() if not _finite(array)]
        before = f"{', '.join(bad)} held NaN or infinity before the run"
        error.fix = before if bad else "look at the operands of this op: all inputs are finite"


def too_large(graph: Graph, memory: Mapping[str, Size], sizes: Mapping[str, int]) -> RlxError:
    """The error for sizes that a run cannot count: the first value, else the part of the memory, that passes 2**63, in numbers."""
    given = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    for node in graph.nodes:
        for shape in node.results:
            count = evaluate(shape.size_bytes, sizes)
            if count > LARGEST_SIZE:
                bound = shape.bind(sizes)
                message = (
                    f"with {given}, {node.op.name} {shape} is {bound}: {bound.num_elements} elements, {count} bytes"
                )
                return RlxError("RLX208", message, at=node.origin.location)
    for part, size in memory.items():
        count = evaluate(size, sizes)
        if count > LARGEST_SIZE:
            return RlxError("RLX208", f"with {given}, {part} memory takes {size} = {count} bytes")
    return RlxError("RLX208", f"with {given}, a size the program computes passes 2**63")


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
