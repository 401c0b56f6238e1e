"""Bodies without their effects: what a derivative computes again of a function runs no callback a second time."""

from __future__ import annotations

from collections.abc import Collection

from rlx.core.errors import RlxError
from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import DERIVATIVES, OPS, Op
from rlx.transforms.rules.derivative import reaching


def without_effects(body: Graph, *, unread: bool = False, keep: Collection[int] = ()) -> Graph:
    """The body with the nodes its outputs are made of alone; itself, where it has no effects.

    An output that is made of what an effect returned is an error: it would have to run again. In a body whose outputs nobody reads
    (`unread`) zeros stand for it. Nodes in `keep` stay as they are.
    """
    if not body.has_effect:
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    found: dict[Ref, Ref] = {}
    needed = reaching(body, [*body.output_refs.values(), *(ref for place in keep for ref in body.node(place).refs)])
    for node in body.nodes:
        if node.op.definition.effect and node.id not in keep:
            if node.id in needed:
                found.update(zip(node.outputs, _zeros(made, node, unread), strict=True))
        elif node.id in needed or node.id in keep or node.op.is_input:
            inputs = [None if ref is None else found[ref] for ref in node.inputs]
            op = node.op if node.id in keep else silent(node.op, unread=unread)
            copy = made.add_node(op, inputs, results=node.results, name=node.name, origin=node.origin)
            found.update(zip(node.outputs, copy.outputs, strict=True))
    made.set_output_refs({name: found[ref] for name, ref in body.output_refs.items()})
    return made.freeze()


def silent(op: Op, *, unread: bool = False) -> Op:
    """An op whose bodies have no effects; those of derivatives, which run where one is taken, stay."""
    if not op.has_effect:
        return op
    bodies = {role: without_effects(body, unread=unread) for role, body in op.graphs() if role not in DERIVATIVES}
    return op.with_attrs(**bodies)


def _zeros(graph: Graph, node: Node, unread: bool) -> list[Ref]:
    """What stands for the results of an effect that does not run."""
    if not unread:
        message = f"a derivative computes again what {node.op.name} is part of, and needs its results: it would run twice"
        fix = "call it outside of the loop, branch or checkpoint; or use pure_callback, which may run again"
        raise RlxError("RLX601", message, fix=fix, at=node.origin.location)
    found = []
    for shape in node.results:
        nothing = constant(graph, 0, shape.dtype)
        found.append((OPS["expand"](nothing, shape=shape.dims) if shape.rank else nothing).ref)
    return found


def effects_of(graph: Graph, moving: Collection[Ref], *, known: bool) -> list[Node]:
    """The nodes with effects that read none of some values (`known`), or at least one of them."""
    return [node for node in graph.nodes if node.op.has_effect and known != any(ref in moving for ref in node.refs)]
