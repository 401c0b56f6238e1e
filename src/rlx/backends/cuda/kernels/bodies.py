"""Bodies: a single op as the graph that kernels of fused nodes are made from."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cuda.kernel import CudaTensor
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op

__all__ = ["body_of", "label_of"]


def body_of(op: Op, inputs: Sequence[CudaTensor | None], outputs: Sequence[CudaTensor]) -> Graph:
    """A graph of one node."""
    body = Graph(op.name)
    refs = []
    for position, tensor in enumerate(inputs):
        assert tensor is not None, f"{op.name} has no optional operands"
        refs.append(body.add_node(OPS["input"].op(name=f"x{position}", shape=tensor.shape)).ref)
    node = body.add_node(op, refs, results=[tensor.shape for tensor in outputs])
    body.set_output_refs({f"y{index}": ref for index, ref in enumerate(node.outputs)})
    return body.freeze()


def label_of(body: Graph, several: str) -> str:
    """What a kernel of a body is called in reports: its op where it is one, else what it is made of."""
    names = [node.op.name for node in body.nodes if not node.op.definition.leaf]
    return names[0] if len(names) == 1 else several
