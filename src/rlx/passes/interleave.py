"""interleave: packed weights that products read are read in the order those products run through.

    dequant_matmul(x, w)             ->  interleaved_matmul(x, w.interleaved)                 w a packed param of a type that has an order
    dequant_grouped_matmul(x, w, e)  ->  interleaved_grouped_matmul(x, w.interleaved, e)
    dequant_gather(w, i)             ->  interleaved_gather(w.interleaved, i)                 where w is multiplied as well

`w.interleaved` is a param that the session makes of the param `w` (by the op `interleave`, once for all executables) and keeps in
its place: packed weights are in memory once. Whether x is rounded to integers is the option `quant_mode`; the report says
it for each product.
"""

from __future__ import annotations

from rlx.core.errors import RlxError
from rlx.core.packed import ORDERED, ordered_shape, part_name
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.rewrite import Rewriter
from rlx.ops.quantized.block_order import ORDERS
from rlx.passes.context import Context, PassResult

__all__ = ["interleave"]

STAGE = "interleave"
_PRODUCTS = {"dequant_matmul": "interleaved_matmul", "dequant_grouped_matmul": "interleaved_grouped_matmul"}


def interleave(graph: Graph, context: Context) -> PassResult:
    """dequant_matmul(x, w)  ->  interleaved_matmul(x, w.interleaved)        for packed params"""
    users = graph.users()
    forms: dict[int, Op] = {}
    ordered: set[Ref] = set()
    for node in graph.nodes:
        found = _forms(graph, node, users.get(node.ref, []), context)
        if found:
            ordered.add(node.ref)
            forms |= found
    if not ordered:
        return graph, {ref: ref for node in graph.nodes for ref in node.outputs}
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.ref in ordered:
            op = OPS["param"].op(name=part_name(node.op["name"], ORDERED), shape=ordered_shape(node.shape), scheme=None)
            rewriter.replace(node, rewriter.emit(op, (), node, node.name).ref)
        elif node.id in forms:
            rewriter.replace(
                node, rewriter.emit(forms[node.id], [rewriter.ref(ref) for ref in node.refs], node, node.name).ref
            )
            _note(graph, node, forms[node.id], context)
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _forms(graph: Graph, weight: Node, users: list[Node], context: Context) -> dict[int, Op]:
    """What stands for the readers of a packed param that products read; nothing when one of them has no such form."""
    if weight.op.name != "param" or weight.op["name"] not in context.packed or not weight.shape.is_static:
        return {}
    if not any(user.op.name in _PRODUCTS for user in users):
        return {}
    name = part_name(weight.op["name"], ORDERED)
    if any(name in leaves for leaves in (graph.params, graph.states, graph.inputs)):
        message = f"{name!r} is the packed param {weight.op['name']!r} in another order and a leaf of its own"
        raise RlxError("RLX109", message, at=weight.origin.location)
    found: dict[int, Op] = {}
    for user in users:
        form = _form(graph, user, weight, context)
        if form is None:
            return {}
        found[user.id] = form
    return found


def _form(graph: Graph, user: Node, weight: Node, context: Context) -> Op | None:
    """The op in place of one that reads the weight, if the backend has it."""
    attrs = user.op.attrs
    if user.op.name in _PRODUCTS and user.refs[1] == weight.ref and attrs["scheme"].detail in ORDERS:
        exact = context.options.quant_mode == "exact"
        kept = {name: attrs[name] for name in ("mode", "check_bounds") if name in attrs}
        op = OPS[_PRODUCTS[user.op.name]].op(scheme=attrs["scheme"], n=user.shape.dims[-1], exact=exact, **kept)
    elif user.op.name == "dequant_gather" and user.refs[0] == weight.ref and attrs["scheme"].detail in ORDERS:
        op = OPS["interleaved_gather"].op(n=weight.shape.dims[0], **attrs)
    else:
        return None
    shapes = tuple(ordered_shape(weight.shape) if ref == weight.ref else graph.shape(ref) for ref in user.refs)
    return op if context.backend.claims(op, shapes, user.results) is None else None


def _note(graph: Graph, node: Node, form: Op, context: Context) -> None:
    """Which way a product takes, in the report."""
    if node.op.name not in _PRODUCTS:
        return
    scheme = form["scheme"]
    weight = f"{scheme} [{graph.shape(node.refs[0]).dims[-1]}, {node.shape.dims[-1]}]"
    how = "numbers as they are" if form["exact"] else "activations rounded to integers of 8 bits or more"
    context.report.add(STAGE, "exact" if form["exact"] else "fast", f"{weight}: {how}", node.origin)
