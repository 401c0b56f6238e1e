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
from rlx.core.quant_scheme import QuantScheme, part_name
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, identity, op
from rlx.ir.value import Value
from rlx.ops.quantized.stored_weights import PARTS, storage
from rlx.passes.entry import Context, PassResult

STAGE = "select dequant"
VIEW = op("transpose")
TURNED, OWN_PRODUCT = op("transpose", perm=(1, 0)), op("matmul")
TABLE, EXPERTS = op(("gather", "dequant_gather")), op("dequant_moe_weights")
PRODUCT = op(("matmul", "dequant_matmul", "grouped_matmul", "dequant_grouped_matmul", "dequant_moe_weights"))
_DEQUANT = {"matmul": "dequant_matmul", "grouped_matmul": "dequant_grouped_matmul"}


def select_dequant(graph: Graph, context: Context) -> PassResult:
    """matmul(x, packed w)  ->  dequant_matmul(x, w, w.scale, …)        and the like for gather and grouped_matmul"""
    packed = {node.ref: node for node in graph.nodes if node.op.is_param and node.op["scheme"] is not None}
    if not packed:
        return graph, identity(graph)
    uses = context.uses(graph)
    turned = {user.ref: packed[ref] for ref in packed for user in uses.of(ref) if VIEW.made_by(user)}
    _refuse_results(graph, packed | turned)
    rewriter = Rewriter(graph, STAGE)
    parts: dict[Ref, dict[str, Value]] = {}
    for node in graph.nodes:
        if node.ref in packed:
            parts[node.ref] = _storage_params(rewriter, node, uses)
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
    for what, values in (("an output", graph.output_refs), ("an update", graph.updates)):
        for ref in values.values():
            if ref in packed:
                raise RlxError("RLX112", f"{what} of the packed param {packed[ref].op['name']!r}", at=packed[ref].origin.location)


def packed_storage(node: Node, uses: Uses) -> dict[str, Shape]:
    """The shapes of a packed param's stored arrays by part; GGUF stores a table by its rows, unlike a weight."""
    scheme: QuantScheme = node.op["scheme"]
    shape, name = node.shape, node.op["name"]
    reads = set()
    for user in uses.of(node.ref):
        reading = _reading(user, node, uses)
        if reading is None:
            raise RlxError("RLX112", f"{user.op.name} of the packed param {name!r}", at=node.origin.location)
        reads.add(reading)
    if shape.rank not in (2, 3):
        raise RlxError("RLX112", f"the packed param {name!r} is {shape}", fix="[k, n], or [experts, k, n]", at=node.origin.location)
    *lead, k, n = shape.dims
    if scheme.is_gguf() and reads & {"rows", "turned"}:
        if reads & {"product", "columns"}:
            fix = "multiply by the transposed table, or declare it [k, n] as the product reads it and gather with axis=1"
            message = f"the packed param {name!r} is gathered by rows and multiplied: {scheme} stores one order"
            raise RlxError("RLX112", message, fix=fix, at=node.origin.location)
        k, n = n, k
    return storage(scheme, k, n, tuple(lead))


def _reading(user: Node, node: Node, uses: Uses) -> str | None:
    """How a node reads a packed param: "product", "rows" or "columns" of a table, "turned" for a transposed product, None."""
    index, gguf = user.op.definition.packed_operand, node.op["scheme"].is_gguf()
    if index is None or user.inputs[index] != node.ref:
        return None
    if TURNED.made_by(user) and gguf:
        fits = all(OWN_PRODUCT.made_by(reader) and reader.inputs[1] == user.ref for reader in uses.of(user.ref))
        return "turned" if fits else None
    if PRODUCT.made_by(user) and user.refs.count(node.ref) == 1:
        return "product"
    if TABLE.made_by(user) and node.shape.rank == 2:
        return "rows" if user.op.attrs.get("axis", 0) == 0 else "columns" if gguf else None
    return None


def _storage_params(rewriter: Rewriter, node: Node, uses: Uses) -> dict[str, Value]:
    parts = {}
    for part, shape in packed_storage(node, uses).items():
        name = part_name(node.op["name"], part)
        if part != "w" and any(
            name in leaves for leaves in (rewriter.source.params, rewriter.source.states, rewriter.source.inputs)
        ):
            message = f"{name!r} is a part of the packed param {node.op['name']!r} and a leaf of its own"
            raise RlxError("RLX109", message, at=node.origin.location)
        op = OPS["param"].op(name=name, shape=shape, scheme=None)
        parts[part] = Value(rewriter.graph, rewriter.emit(op, (), node, node.name if part == "w" else None).ref)
    return parts


def _dequantizing(rewriter: Rewriter, node: Node, param: Node, parts: dict[str, Value]) -> Value:
    """Emits the dequantizing op that replaces the node, in the node's dtype."""
    scheme, name, dtype = param.op["scheme"], node.op.name, node.shape.dtype
    rest = [parts.get(part) for part in PARTS[1:]]
    if node.op.attrs.get("scheme", scheme) != scheme:
        message = f"{name} reads {param.op['name']!r} as {node.op.attrs['scheme']}, the param is packed as {scheme}"
        raise RlxError("RLX112", message, fix="the same scheme at both places", at=node.origin.location)
    attrs = {key: node.op.attrs[key] for key in ("mode", "check_bounds") if key in node.op.attrs}
    if TABLE.made_by(node):
        rows: Value = OPS["dequant_gather"](parts["w"], rewriter.value(node.refs[1]), *rest, scheme=scheme, dtype=dtype, **attrs)
        if node.op.attrs.get("axis", 0) == 1:
            rows = OPS["transpose"](rows, perm=(rows.rank - 1, *range(rows.rank - 1)))
        return rows
    if EXPERTS.made_by(node):
        return OPS[name](parts["w"], *rest, scheme=scheme, k=param.shape.dims[-2], dtype=dtype)
    x = rewriter.value(node.refs[0])
    x = x if x.dtype.is_float else OPS["cast"](x, to=dtype)
    experts = [rewriter.value(node.refs[2])] if "grouped" in name else []
    product: Value = OPS[_DEQUANT.get(name, name)](x, parts["w"], *experts, *rest, scheme=scheme, **attrs)
    return product if product.dtype is dtype else OPS["cast"](product, to=dtype)
