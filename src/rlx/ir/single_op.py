"""A single op as a graph: what kernels of fused bodies are made from, where there is one op."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op


def single_op_graph(op: Op, inputs: Sequence[Shape | None], outputs: Sequence[Shape]) -> Graph:
    """A graph of one node, whose operands are all given."""
    body = Graph(op.name)
    refs = []
    for position, shape in enumerate(inputs):
        assert shape is not None, f"{op.name} has no optional operands"
        refs.append(body.add_node(OPS["input"].op(name=f"x{position}", shape=shape)).ref)
    node = body.add_node(op, refs, results=list(outputs))
    body.set_output_refs({f"y{index}": ref for index, ref in enumerate(node.outputs)})
    return body.freeze()
