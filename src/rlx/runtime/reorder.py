"""Packed params in the order of products: made natively, on all threads, once per value; and back again to be read."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ops.block_order import ROWS, deinterleaved
from rlx.runtime.utility import utility_runner

__all__ = ["into_order", "out_of_order"]

Array = npt.NDArray[Any]
_lock = threading.Lock()


def into_order(scheme: QuantScheme, rows: Array, into: Array) -> None:
    """Bytes of rows `[…, n, bytes]` brought side by side, into memory that the caller has for them."""
    *lead, n, length = rows.shape
    experts = int(np.prod(lead, dtype=np.int64))
    sizes = {"experts": experts, "n": n, "blocks": length // scheme.block_bytes()}
    flat = into.reshape(experts, -(-n // ROWS), length * ROWS)
    with _lock:
        _runner(scheme).run(sizes, [rows.reshape(experts, n, length)], [flat])


def out_of_order(scheme: QuantScheme, ordered: Array, n: int) -> Array:
    """The bytes of the rows as they were given."""
    return deinterleaved(scheme.detail, ordered, n)


@lru_cache(maxsize=32)
def _runner(scheme: QuantScheme) -> Any:
    """One program for every size."""
    graph = Graph("interleave", "mir")
    experts, n, blocks = Dim("experts"), Dim("n"), Dim("blocks")
    shape = Shape((experts, n, blocks * scheme.block_bytes()), "u8")
    given = graph.add_node(OPS["input"].op(name="rows", shape=shape))
    made = graph.add_node(OPS["interleave"].op(scheme=scheme), [given.ref])
    graph.set_output_refs({"ordered": made.ref})
    return utility_runner(graph)
