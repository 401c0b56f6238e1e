"""Bodies: a single op as the graph that kernels of fused nodes are made from."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cuda.kernel_data import CudaTensor
from rlx.ir.graph import Graph, single_op_graph
from rlx.ir.op import Op


def body_of(op: Op, inputs: Sequence[CudaTensor | None], outputs: Sequence[CudaTensor]) -> Graph:
    """A graph of one node."""
    shapes = [None if tensor is None else tensor.shape for tensor in inputs]
    return single_op_graph(op, shapes, [tensor.shape for tensor in outputs])


def label_of(body: Graph, several: str) -> str:
    """What a kernel of a body is called in reports: its op where it is one, else what it is made of."""
    names = [node.op.name for node in body.nodes if not node.op.definition.leaf]
    return names[0] if len(names) == 1 else several
