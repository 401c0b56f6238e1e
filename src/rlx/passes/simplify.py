"""fold, cse and dce: constants computed now, equal nodes once, dead nodes never."""

from __future__ import annotations

from rlx.core.counted import counted
from rlx.core.dim import Dim
from rlx.ir.attributes import ArrayValue
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, identity
from rlx.passes.context import Context
from rlx.passes.entry import PassResult


def fold(graph: Graph, context: Context) -> PassResult:
    """op(constants)  ->  constant        through the reference, up to a bounded number of elements"""
    rewriter = Rewriter(graph, "fold")
    known: dict[Ref, ArrayValue] = {}
    for node in graph.nodes:
        foldable = (
            node.refs
            and all(rewriter.ref(ref) in known for ref in node.refs)
            and not any(True for _ in node.op.graphs())
            and all(shape.is_static for shape in node.results)
            and sum(int(shape.num_elements) for shape in node.results if not isinstance(shape.num_elements, Dim))
            <= context.options.fold_elements
            and not node.op.symbols()
            and not node.op.definition.calls_user
        )
        if not foldable:
            made = rewriter.copy(node)
            if node.op.is_constant:
                known[made.ref] = node.op["value"]
            continue
        arrays = evaluate_op(
            node.op, [None if ref is None else known[rewriter.ref(ref)].array for ref in node.inputs], node.results
        )
        refs = []
        for array in arrays:
            value = ArrayValue(array)
            refs.append(rewriter.emit(OPS["constant"].op(value=value), (), node).ref)
            known[refs[-1]] = value
        rewriter.replace(node, refs)
        context.report.add("fold", "folded", f"{node.op.name} of constants", node.origin)
    return rewriter.finish()


def cse(graph: Graph, context: Context) -> PassResult:
    """Two nodes with one op and the same operands  ->  one node"""
    rewriter = Rewriter(graph, "cse")
    seen: dict[object, Ref] = {}
    shared = 0
    for node in graph.nodes:
        key = (node.op, tuple(None if ref is None else rewriter.ref(ref) for ref in node.inputs))
        if key in seen and len(node.results) == 1 and not node.op.has_effect:
            rewriter.replace(node, seen[key])
            shared += 1
            continue
        made = rewriter.copy(node)
        seen.setdefault(key, made.ref)
    if shared:
        context.report.add("cse", "shared", f"{shared} nodes computed twice")
    return rewriter.finish()


def dce(graph: Graph, context: Context) -> PassResult:
    """Nodes nobody reads  ->  nothing        inputs, params and states stay: they are the graph's interface; so do effects"""
    alive = {ref.node for _, ref in graph.results()}
    for node in reversed(graph.nodes):
        if node.id in alive or node.op.has_effect or (node.op.definition.leaf and not node.op.is_constant):
            alive.add(node.id)
            alive.update(ref.node for ref in node.refs)
    if len(alive) == len(graph.nodes):
        return graph, identity(graph)
    rewriter = Rewriter(graph, "dce")
    for node in graph.nodes:
        if node.id in alive:
            rewriter.copy(node)
    context.report.add("dce", "removed", f"{counted(len(graph.nodes) - len(alive), 'node')} nobody reads")
    return rewriter.finish()
