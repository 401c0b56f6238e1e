"""bodies: the bodies of scans, branches and loops go through the whole pipeline themselves."""

from __future__ import annotations

from dataclasses import replace

from rlx.ir.graph import Graph
from rlx.ir.op import Op
from rlx.ir.pattern import Rewriter, identity
from rlx.ir.traced_bodies import with_inputs
from rlx.passes.context import Context
from rlx.passes.entry import PassResult


def bodies(graph: Graph, context: Context) -> PassResult:
    """scan(…){ body }  ->  scan(…){ body after every pass }        inputs and outputs keep their order and types"""
    if not any(_holds_bodies(node.op) for node in graph.nodes):
        return graph, identity(graph)
    rewriter = Rewriter(graph, "bodies")
    for node in graph.nodes:
        if not _holds_bodies(node.op):
            rewriter.copy(node)
            continue
        changes = {role: _optimized(body, context) for role, body in node.op.graphs()}
        rewriter.copy(node, node.op.with_attrs(**changes))
    return rewriter.finish()


def _holds_bodies(op: Op) -> bool:
    return not op.is_fused and any(True for _ in op.graphs())


def _optimized(body: Graph, context: Context) -> Graph:
    from rlx.passes.pipeline import run_passes  # it runs this pass

    found, _ = run_passes(body, replace(context), body=True)
    names = list(found.inputs)
    return with_inputs(found, [names.index(name) for name in body.inputs])
