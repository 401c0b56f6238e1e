"""Packed params in the order of products: made natively, on all threads, once per value; and back again to be read."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.compile.utility import utility_runner
from rlx.core.dim import Dim
from rlx.core.mapped import drop_pages
from rlx.core.packed import ROWS
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS

__all__ = ["into_order", "out_of_order"]

Array = npt.NDArray[Any]
_lock = threading.Lock()
_PIECE = 8 << 20  # bytes


def into_order(scheme: QuantScheme, rows: Array, into: Array) -> None:
    """Bytes of rows `[…, n, bytes]` brought side by side, into memory that the caller has for them.

    It is done piece by piece, and pages of a mapped file are given back after each: the file is never in memory beside its copy.
    """
    *lead, n, length = rows.shape
    experts = int(np.prod(lead, dtype=np.int64))
    source, target = rows.reshape(experts, n, length), into.reshape(experts, -(-n // ROWS), length * ROWS)
    several = max(_PIECE // max(n * length, 1), 1)
    step = n if n * length <= _PIECE else max(_PIECE // (length * ROWS), 1) * ROWS
    for expert in range(0, experts, several):
        for row in range(0, n, step):
            piece = source[expert : expert + several, row : row + step]
            sizes = {"experts": len(piece), "n": piece.shape[1], "blocks": length // scheme.block_bytes()}
            with _lock:
                _runner(scheme).run(
                    sizes, [piece], [target[expert : expert + several, row // ROWS : -(-(row + step) // ROWS)]]
                )
            drop_pages(piece)


def out_of_order(scheme: QuantScheme, ordered: Array, n: int) -> Array:
    """The bytes of the rows as they were given."""
    from rlx.ops.quantized.block_order import deinterleaved

    return deinterleaved(scheme.detail, ordered, n)


@lru_cache(maxsize=32)
def _runner(scheme: QuantScheme) -> Any:
    """One program for every size."""
    return utility_runner(f"interleave {scheme}", lambda: _graph(scheme), ("rows",), ("ordered",))


def _graph(scheme: QuantScheme) -> Graph:
    graph = Graph("interleave", "mir")
    experts, n, blocks = Dim("experts"), Dim("n"), Dim("blocks")
    shape = Shape((experts, n, blocks * scheme.block_bytes()), "u8")
    given = graph.add_node(OPS["input"].op(name="rows", shape=shape))
    made = graph.add_node(OPS["interleave"].op(scheme=scheme), [given.ref])
    graph.set_output_refs({"ordered": made.ref})
    return graph
