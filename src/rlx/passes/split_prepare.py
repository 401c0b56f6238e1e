"""split_prepare: what depends on params alone is cut off into a graph of its own, run when a param changes."""

from __future__ import annotations

from rlx.core import config
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, op
from rlx.ir.verify import verify
from rlx.passes.context import Context
from rlx.passes.entry import PassResult
from rlx.passes.prepared_analysis import has_param

STAGE = "split_prepare"
FREE_VIEWS = op(("reshape", "narrow", "expand"))


def split_prepare(graph: Graph, context: Context) -> PassResult:
    """main(pack(concat(w1, w2)), x)  ->  prepare: pack(concat(w1, w2));  main(prepared, x)

    Values that are free views of a leaf stay in main. A param read only by prepare does not appear in main.
    """
    from_params = has_param(graph, context.prepared(graph))
    moved = {i for i in from_params if not graph.nodes[i].op.definition.leaf and not is_free_view(graph, Ref(i))}
    uses = context.uses(graph)
    results = uses.escapes
    read_by_main = {ref for node in graph.nodes if node.id not in moved and not _only_for(node, moved, uses) for ref in node.refs}
    boundary = [ref for node in graph.nodes if node.id in moved for ref in node.outputs if ref in read_by_main or ref in results]

    prepare = Rewriter(graph, STAGE, name=f"{graph.name}.prepare")
    prepare.forget_symbols()
    needed = _ancestors(graph, {ref.node for ref in boundary})
    for node in graph.nodes:
        if node.id in needed:
            prepare.copy(node)
    prepare.forget_assumptions()
    prepare.graph.output_refs = {f"prepared.{index}": prepare.ref(ref) for index, ref in enumerate(boundary)}

    main = Rewriter(graph, STAGE)
    effects = {node.id for node in graph.nodes if node.op.has_effect}
    alive = _ancestors(graph, {ref.node for ref in results} | effects, stop={ref.node for ref in boundary})
    names = {ref: f"prepared.{index}" for index, ref in enumerate(boundary)}
    for node in graph.nodes:
        if node.id in moved:
            for ref in node.outputs:
                if ref in names:
                    leaf = OPS["param"].op(name=names[ref], shape=graph.shape(ref))
                    main.map[ref] = main.graph.add_node(leaf, origin=node.origin).ref
        elif node.id in alive or node.op.is_input or node.op.is_state:
            main.copy(node)
    result, mapping = main.finish()
    if boundary:
        context.report.add(STAGE, "prepared", f"{len(boundary)} values computed from params once")
    context.prepare = prepare.graph
    if config.VERIFY.on():
        verify(prepare.graph)
    return result, mapping


def is_free_view(graph: Graph, ref: Ref) -> bool:
    """A leaf, or a view of one that costs nothing to read."""
    node = graph.node(ref)
    while FREE_VIEWS.made_by(node):
        node = graph.node(node.refs[0])
    return node.op.definition.leaf


def _ancestors(graph: Graph, start: set[int], stop: set[int] | None = None) -> set[int]:
    """Everything the start nodes depend on, themselves included, not looking behind `stop`."""
    found: set[int] = set()
    todo = list(start)
    while todo:
        current = todo.pop()
        if current in found:
            continue
        found.add(current)
        if stop is None or current not in stop:
            todo += [ref.node for ref in graph.nodes[current].refs]
    return found


def _only_for(node: Node, moved: set[int], uses: Uses) -> bool:
    """A node outside `moved` that only prepare reads: a view or constant on its way into prepare."""
    if node.op.definition.leaf:
        return True
    readers = [reader for ref in node.outputs for reader in uses.of(ref)]
    return bool(readers) and all(reader.id in moved for reader in readers) and uses.escapes.isdisjoint(node.outputs)
