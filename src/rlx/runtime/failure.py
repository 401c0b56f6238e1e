"""What a failed run says beyond the kernel's code: the user's line, and which operands were bad before it began."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rlx.backends.base import Array
from rlx.core.dtype import DType
from rlx.core.errors import Location, RlxError
from rlx.ir.graph import Graph

__all__ = ["explain"]


def explain(error: RlxError, graph: Graph, leaves: Mapping[str, Array]) -> None:
    """Complete an error that native code reported: it knows file and line by name only."""
    if error.location is None:
        places = _locations(graph)
        words = error.message.replace("(", " ").replace(")", " ").split()
        error.location = next((places[word] for word in words if word in places), None)
    if error.code == "RLX510":
        bad = [name for name, array in leaves.items() if not _finite(array)]
        before = f"{', '.join(bad)} held NaN or infinity before the run"
        error.fix = before if bad else "look at the operands of this op: all inputs are finite"


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
