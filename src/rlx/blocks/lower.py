"""HIR to MIR: MIR nodes are copied, blocks are replaced by what they lower to, with labels and source lines."""

from __future__ import annotations

from dataclasses import replace

from rlx.blocks.block import BLOCKS, BlockLowering
from rlx.core.enums import FusionPolicy
from rlx.ir.graph import Graph, Node, with_label
from rlx.ir.op import Op
from rlx.ir.pattern import Rewriter, ValueMap

STAGE = "lower"


def lower_to_mir(graph: Graph, policy: FusionPolicy | str = FusionPolicy.Direct) -> tuple[Graph, ValueMap]:
    """Lowers a HIR graph to MIR under a fusion policy; also returns the map from HIR values.

    hir.linear(x, w, b)  ->  fused[fused_matmul_bias_act](x, w, b)  or, Fusable,  add(matmul(x, w), b)
    """
    chosen = FusionPolicy(FusionPolicy.parse(policy))
    rewriter = Rewriter(graph, STAGE, level="mir")
    lowering = BlockLowering(chosen, rewriter.graph)
    for node in graph.nodes:
        if node.op.definition.level == "hir":
            _expand(rewriter, lowering, node)
        else:
            rewriter.copy(node, _lower_bodies(node.op, chosen))
    return rewriter.finish()


def _expand(rewriter: Rewriter, lowering: BlockLowering, node: Node) -> None:
    first = len(rewriter.graph.nodes)
    lower = BLOCKS[node.op.name]
    made = rewriter.build(node, lambda: lower(lowering, *rewriter.values(node), **node.op.attrs))
    results = made if isinstance(made, tuple) else (made,)
    label = node.op.definition.label
    path = node.origin.label or (label(node.op) if label is not None else node.op.name)
    nodes = rewriter.graph.nodes
    for position in range(first, len(nodes)):
        origin = with_label(nodes[position].origin, path + lowering.parts.get(position, ""))
        nodes[position] = replace(nodes[position], origin=origin)
    last = results[0].ref.node
    if node.name is not None and last >= first and nodes[last].name is None:
        nodes[last] = replace(nodes[last], name=node.name)
    rewriter.replace(node, results)


def _lower_bodies(op: Op, policy: FusionPolicy) -> Op | None:
    """The op with its HIR bodies lowered; None if it has none."""
    changes = {}
    for name, body in op.graphs():
        if body.level == "hir":
            changes[name] = lower_to_mir(body, policy)[0].freeze()
    return op.with_attrs(**changes) if changes else None
