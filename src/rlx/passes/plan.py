"""plan: the last entry of THE list. The graph becomes commands on places, for the device's kernels."""

from __future__ import annotations

from dataclasses import replace

from rlx.core.enums import OpKind
from rlx.ir.graph import Graph, Ref
from rlx.ir.pattern import identity
from rlx.passes.entry import Context, PassResult
from rlx.plan.schedule import plan as schedule


def plan(graph: Graph, context: Context) -> PassResult:
    """y = add(x, w)  ->  command 0: add [x, w] -> slot 0        places share slots, barriers stand between dependent commands only"""
    commands = context.backend.commands(context.options)
    traps = context.options.trap_nan and commands.traps
    whole = graph if graph is context.source else graph.freeze()  # the user's own stays open
    lir = schedule(whole, commands, context.report, trapped=_trapped(context) if traps else None)
    if context.prepare is not None and context.prepare.output_refs:
        made = [node for node in context.prepare.nodes if node.op.definition.kind is not OpKind.DataMovement]
        trapped = {ref: node.op.name for node in made for ref in node.outputs} if traps else None
        lir = replace(lir, prepare=schedule(context.prepare.freeze(), commands, context.report, trapped=trapped))
    context.lir = lir
    return graph, identity(graph)


def _trapped(context: Context) -> dict[Ref, str]:
    """What trap_nan looks at: values the user's ops made, wherever the passes put them; not what passes made in between."""
    found: dict[Ref, str] = {}
    for node in context.source.nodes if context.source is not None else ():
        for ref in node.outputs:
            if ref in context.map and not node.op.definition.leaf:
                found.setdefault(context.map[ref], node.op.name)
    return found
