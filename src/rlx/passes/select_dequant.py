"""select dequant: packed params become the operands their scheme stores, and what reads them the dequantizing op.

    matmul(x, w)              ->  dequant_matmul(x, w, w.scale, …)
    grouped_matmul(x, w, e)   ->  dequant_grouped_matmul(x, w, e, w.scale, …)
    gather(w, i, axis=0)      ->  dequant_gather(w, i, w.scale, …)               rows of an embedding table
    gather(w, i, axis=1)      ->  dequant_gather(w, i), its last axis in front    GGUF: the table is the transposed lm_head
    matmul(x, transpose(w))   ->  dequant_matmul(x, w)                           GGUF: the lm_head is the transposed table

A packed param keeps its name for the packed numbers; what else its scheme stores are params `<name>.scale`, `<name>.zp` and
`<name>.global_scale`, which no other leaf may be called. It runs before canonicalize, which would cast packed params.
"""

from __future__ import annotations

from collections.abc import Mapping

from rlx.core.errors import RlxError
from rlx.core.packed import part_name
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter
from rlx.ir.value import Value
from rlx.ops.quantized.stored_weights import PARTS, storage
from rlx.passes.context import Context, PassResult

STAGE = "select dequant"
Users = Mapping[Ref, list[Node]]
"""Who reads a value."""
_PRODUCTS = {"matmul": 1, "dequant_matmul": 1, "grouped_matmul": 1, "dequant_grouped_matmul": 1}
_DEQUANT = {"matmul": "dequant_matmul", "grouped_matmul": "dequant_grouped_matmul"}


def select_dequant(graph: Graph, context: Context) -> PassResult:
    """matmul(x, packed w)  ->  dequant_matmul(x, w, w.scale, …)        and the like for gather and grouped_matmul"""
    packed = {node.ref: node for node in graph.nodes if _is_packed(node)}
    if not packed:
        return graph, {ref: ref for node in graph.nodes for ref in node.outputs}
    users = graph.users()
    turned = {
        node.ref: packed[node.refs[0]] for node in graph.nodes if node.op.name == "transpose" and node.refs[0] in packed
    }
    _refuse_results(graph, packed | turned)
    rewriter = Rewriter(graph, STAGE)
    parts: dict[Ref, dict[str, Value]] = {}
    for node in graph.nodes:
        if node.ref in packed:
            parts[node.ref] = _storage_params(rewriter, node, users)
            context.packed.add(node.op["name"])
            continue
        if node.ref in turned:  # its readers read the param
            parts[node.ref] = parts[node.refs[0]]
            packed[node.ref] = turned[node.ref]
            continue
        read = [ref for ref in node.refs if ref in packed]
        if not read:
            rewriter.copy(node)
            continue
        made = rewriter.build(node, _dequantizing, rewriter, node, packed[read[0]], parts[read[0]])
        rewriter.replace(node, made)
        context.report.add(STAGE, "packed", f"{node.op.name} reads {packed[read[0]].op['scheme']}", node.origin)
    return rewriter.finish()


def _refuse_results(graph: Graph, packed: Mapping[Ref, Node]) -> None:
    for what, values in (("an output", graph.outputs), ("an update", graph.updates)):
        for ref in values.values():
            if ref in packed:
                raise RlxError(
                    "RLX112", f"{what} of the packed param {packed[ref].op['name']!r}", at=packed[ref].origin.location
                )


def _is_packed(node: Node) -> bool:
    return node.op.name == "param" and node.op["scheme"] is not None


def packed_storage(node: Node, users: Users) -> dict[str, Shape]:
    """What a packed param is stored as, by part; readers tell a table, which GGUF stores by its rows, from a weight."""
    scheme: QuantScheme = node.op["scheme"]
    shape, name = node.shape, node.op["name"]
    reads = set()
    for user in users.get(node.ref, []):
        reading = _reading(user, node, users)
        if reading is None:
            raise RlxError("RLX112", f"{user.op.name} of the packed param {name!r}", at=node.origin.location)
        reads.add(reading)
    if shape.rank not in (2, 3):
        raise RlxError(
            "RLX112", f"the packed param {name!r} is {shape}", fix="[k, n], or [experts, k, n]", at=node.origin.location
        )
    *lead, k, n = shape.dims
    if scheme.is_gguf() and reads & {"rows", "turned"}:
        if reads & {"product", "columns"}:
            fix = (
                "multiply by the transposed table, or declare it [k, n] as the product reads it and gather with axis=1"
            )
            message = f"the packed param {name!r} is gathered by rows and multiplied: {scheme} stores one order"
            raise RlxError("RLX112", message, fix=fix, at=node.origin.location)
        k, n = n, k
    return storage(scheme, k, n, tuple(lead))


def _reading(user: Node, node: Node, users: Users) -> str | None:
    """How a node reads a packed param: "product", "rows" or "columns" of a table, "turned" for a product, None: not at all."""
    name, ref = user.op.name, node.ref
    if name == "transpose" and node.op["scheme"].is_gguf() and user.op["perm"] == (1, 0):
        readers = users.get(user.ref, [])
        return (
            "turned" if all(reader.op.name == "matmul" and reader.inputs[1] == user.ref for reader in readers) else None
        )
    if name in _PRODUCTS and user.inputs[_PRODUCTS[name]] == ref and user.refs.count(ref) == 1:
        return "product"
    if name == "dequant_moe_weights" and user.inputs[0] == ref:
        return "product"
    if name in ("gather", "dequant_gather") and user.inputs[0] == ref and node.shape.rank == 2:
        axis = user.op.attrs.get("axis", 0)
        if axis == 0:
            return "rows"
        return "columns" if node.op["scheme"].is_gguf() else None
    return None


def _storage_params(rewriter: Rewriter, node: Node, users: Users) -> dict[str, Value]:
    found = {}
    for part, shape in packed_storage(node, users).items():
        name = part_name(node.op["name"], part)
        if part != "w" and any(
            name in leaves for leaves in (rewriter.source.params, rewriter.source.states, rewriter.source.inputs)
        ):
            message = f"{name!r} is a part of the packed param {node.op['name']!r} and a leaf of its own"
            raise RlxError("RLX109", message, at=node.origin.location)
        op = OPS["param"].op(name=name, shape=shape, scheme=None)
        found[part] = Value(rewriter.graph, rewriter.emit(op, (), node, node.name if part == "w" else None).ref)
    return found


def _dequantizing(rewriter: Rewriter, node: Node, param: Node, parts: dict[str, Value]) -> Value:
    """The dequantizing op in place of the node, in the node's dtype."""
    scheme, name, dtype = param.op["scheme"], node.op.name, node.shape.dtype
    rest = [parts.get(part) for part in PARTS[1:]]
    if node.op.attrs.get("scheme", scheme) != scheme:
        message = f"{name} reads {param.op['name']!r} as {node.op.attrs['scheme']}, the param is packed as {scheme}"
        raise RlxError("RLX112", message, fix="the same scheme at both places", at=node.origin.location)
    attrs = {key: node.op.attrs[key] for key in ("mode", "check_bounds") if key in node.op.attrs}
    if name in ("gather", "dequant_gather"):
        found: Value = OPS["dequant_gather"](
            parts["w"], rewriter.value(node.refs[1]), *rest, scheme=scheme, dtype=dtype, **attrs
        )
        if node.op.attrs.get("axis", 0) == 1:
            found = OPS["transpose"](found, perm=(found.rank - 1, *range(found.rank - 1)))
        return found
    if name == "dequant_moe_weights":
        result: Value = OPS[name](parts["w"], *rest, scheme=scheme, k=param.shape.dims[-2], dtype=dtype)
        return result
    x = rewriter.value(node.refs[0])
    x = x if x.dtype.is_float else OPS["cast"](x, to=dtype)
    experts = [rewriter.value(node.refs[2])] if "grouped" in name else []
    product: Value = OPS[_DEQUANT.get(name, name)](x, parts["w"], *experts, *rest, scheme=scheme, **attrs)
    return product if product.dtype is dtype else OPS["cast"](product, to=dtype)
