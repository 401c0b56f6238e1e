"""The values of rows of a GGUF type, natively and on all threads: a gather of all rows, one program per type for every size."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.compile.build import utility_runner
from rlx.core.dim import Dim
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS

Array = npt.NDArray[Any]
_lock = threading.Lock()


def unpack_rows(scheme: QuantScheme, rows: Array) -> npt.NDArray[np.float32]:
    """Dequantizes rows of bytes `[n, bytes]` to f32 `[n, values]`, bit-equal to `rlx.layouts.gguf_blocks.dequantize_rows`."""
    blocks = rows.shape[1] // scheme.block_bytes()
    numbers = np.empty((len(rows), blocks * scheme.block_size()), np.float32)
    if numbers.size:
        with _lock:
            _runner(scheme).run({"n": len(rows), "blocks": blocks}, [rows, np.arange(len(rows), dtype=np.int32)], [numbers])
    return numbers


@lru_cache(maxsize=32)
def _runner(scheme: QuantScheme) -> Any:
    return utility_runner(f"unpack {scheme}", lambda: _graph(scheme), ("rows", "which"), ("numbers",))


def _graph(scheme: QuantScheme) -> Graph:
    graph = Graph("unpack", "mir")
    n, blocks = Dim("n"), Dim("blocks")
    rows = graph.add_node(OPS["input"].op(name="rows", shape=Shape((n, blocks * scheme.block_bytes()), "u8")))
    which = graph.add_node(OPS["input"].op(name="which", shape=Shape((n,), "i32")))
    made = graph.add_node(OPS["dequant_gather"].op(scheme=scheme), [rows.ref, which.ref])
    graph.set_output_refs({"numbers": made.ref})
    return graph
