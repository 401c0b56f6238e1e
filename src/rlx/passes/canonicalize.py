"""canonicalize: one spelling for equal things, by rewrites that are exact in floating point."""

from __future__ import annotations

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import u64
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter, Rule, rewrite
from rlx.ir.value import Value
from rlx.passes.context import Context, PassResult

_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}  # y op x for x op y


def canonicalize(graph: Graph, context: Context) -> PassResult:
    """Apply the rules below once, in node order; operands are canonical already when a node is reached."""
    note_promotions(graph, context)
    return canonicalize_again(graph, context)


def canonicalize_again(graph: Graph, context: Context) -> PassResult:
    """The same rules after expand; casts inside decompositions are part of these, and no news."""
    return rewrite(graph, {record.name: _rules(record.name) for record in OPS}, "canonicalize")


def note_promotions(graph: Graph, context: Context) -> None:
    """Put casts that promotion needs, and what becomes f64 without saying so, into the report, each with the user's line."""
    for node in graph.nodes:
        record = node.op.definition
        if record.leaf or node.op.name == "cast":
            continue
        f64_given = any(graph.shape(ref).dtype.name == "f64" for ref in node.refs)
        if node.results and node.shape.dtype.name == "f64" and not f64_given:
            context.report.add("canonicalize", "implicit f64", f"{_call(node, graph)} computes in f64", node.origin)
        dtypes = [
            graph.shape(ref).dtype
            for i, ref in enumerate(node.inputs)
            if ref is not None and record.operand(i).role == "value"
        ]
        common = record.compute_dtype(*dtypes) if dtypes and record.compute_dtype is not None else None
        if common is not None and any(dtype is not common for dtype in dtypes):
            context.report.add("canonicalize", "cast", f"{_call(node, graph)} computes in {common}", node.origin)


def _call(node: Node, graph: Graph) -> str:
    return f"{node.op.name} of {', '.join(str(graph.shape(ref)) for ref in node.refs)}"


def _rules(name: str) -> list[Rule]:
    return [*_RULES.get(name, ()), explicit_casts]


def explicit_casts(node: Node, rewriter: Rewriter) -> Value | None:
    """add(i32 x, f32 y)  ->  add(cast(x, f32), y)        every value operand has the op's compute dtype"""
    record = node.op.definition
    if record.compute_dtype is None or record.leaf:
        return None
    values = rewriter.values(node)
    dtypes = [v.dtype for i, v in enumerate(values) if v is not None and record.operand(i).role == "value"]
    if not dtypes:
        return None
    common = record.compute_dtype(*dtypes)
    if common is None or all(dtype is common for dtype in dtypes):
        return None
    operands = [
        OPS["cast"](v, to=common)
        if v is not None and record.operand(i).role == "value" and v.dtype is not common
        else v
        for i, v in enumerate(values)
    ]
    made = record(*operands, **node.op.attrs)
    result: Value = made
    return result


def compare_signed_with_u64(node: Node, rewriter: Rewriter) -> Value | None:
    """lt(i64 x, u64 y)  ->  or(lt(x, 0), lt(cast(x, u64), y))        no integers hold both, and f64 rounds them"""
    left, right = (rewriter.value(ref) for ref in node.refs)
    signed, unsigned, name = (
        (left, right, node.op.name) if right.dtype is u64 else (right, left, _MIRRORED[node.op.name])
    )
    if unsigned.dtype is not u64 or signed.dtype.category != "int":
        return None
    negative: Value = OPS["lt"](signed, 0)
    same_sign: Value = OPS[name](OPS["cast"](signed, to=u64), unsigned)
    result: Value = (
        OPS["or"](negative, same_sign) if name in ("ne", "lt", "le") else OPS["and"](OPS["not"](negative), same_sign)
    )
    return result


def identity_movement(node: Node, rewriter: Rewriter) -> Ref | None:
    """reshape/transpose/expand/slice/narrow/cast that changes nothing  ->  its operand"""
    source = rewriter.value(node.refs[0])
    if source.type != node.shape:
        return None
    if node.op.name == "transpose" and node.op["perm"] != tuple(range(source.rank)):
        return None
    if node.op.name == "slice" and any(step != 1 for step in node.op["step"]):
        return None
    return source.ref


def _producer(rewriter: Rewriter, ref: Ref) -> Node:
    return rewriter.graph.node(rewriter.ref(ref))


def reshape_of_reshape(node: Node, rewriter: Rewriter) -> Value | None:
    """reshape(reshape(x, a), b)  ->  reshape(x, b)"""
    before = _producer(rewriter, node.refs[0])
    if before.op.name != "reshape":
        return None
    result: Value = OPS["reshape"](Value(rewriter.graph, before.refs[0]), shape=node.shape.dims)
    return result


def transpose_of_transpose(node: Node, rewriter: Rewriter) -> Value | None:
    """transpose(transpose(x, p), q)  ->  transpose(x, p∘q)"""
    before = _producer(rewriter, node.refs[0])
    if before.op.name != "transpose":
        return None
    perm = tuple(before.op["perm"][axis] for axis in node.op["perm"])
    source = Value(rewriter.graph, before.refs[0])
    if perm == tuple(range(len(perm))):
        return source
    result: Value = OPS["transpose"](source, perm=perm)
    return result


def reduce_keeps_dims(node: Node, rewriter: Rewriter) -> Value | None:
    """reduce(x, keep_dim=False)  ->  reshape(reduce(x, keep_dim=True))        so that bodies only broadcast; the reshape is a view"""
    if node.op["keep_dim"]:
        return None
    source = rewriter.value(node.refs[0])
    attrs = {**node.op.attrs, "keep_dim": True}
    kept = explicit_keep(node.op.name, source, attrs)
    result: Value = OPS["reshape"](kept, shape=node.shape.dims)
    return result


def explicit_keep(name: str, source: Value, attrs: dict[str, object]) -> Value:
    """The reduction with its dims kept, its operand cast to the compute dtype first."""
    record = OPS[name]
    if record.compute_dtype is not None:
        wanted = record.compute_dtype(source.dtype)
        if wanted is not None and wanted is not source.dtype:
            source = OPS["cast"](source, to=wanted)
    result: Value = record(source, **attrs)
    return result


def multiply_by_one(node: Node, rewriter: Rewriter) -> Ref | None:
    """mul(x, 1), div(x, 1), sub(x, 0)  ->  x        when the dtype and shape stay"""
    neutral = 0 if node.op.name == "sub" else 1
    right = _producer(rewriter, node.refs[1])
    source = rewriter.value(node.refs[0])
    if right.op.name == "constant" and source.type == node.shape:
        array = right.op["value"].array
        if (
            array.size == 1
            and array.dtype.kind in "iuf"
            and array.ravel()[0] == neutral
            and not np.signbit(array.ravel()[0])
        ):
            return source.ref
    return None


def part_of_complex(node: Node, rewriter: Rewriter) -> Ref | None:
    """real(complex(a, b))  ->  a        imag gives b"""
    producer = _producer(rewriter, node.refs[0])
    if producer.op.name != "complex":
        return None
    part = producer.refs[0 if node.op.name == "real" else 1]
    return part if rewriter.graph.shape(part) == node.shape else None


def split_is_narrows(node: Node, rewriter: Rewriter) -> list[Value]:
    """split(x, sizes)  ->  narrow(x, first part), narrow(x, second part), …        one spelling for a part; all are views"""
    source = rewriter.value(node.refs[0])
    start: Size = 0
    parts: list[Value] = []
    for length in node.op["sizes"]:
        parts.append(OPS["narrow"](source, axis=node.op["axis"], start=start, length=length))
        start = start + length
    return parts


_RULES: dict[str, list[Rule]] = {
    "split": [split_is_narrows],
    **{name: [part_of_complex] for name in ("real", "imag")},
    **{name: [identity_movement] for name in ("expand", "slice", "narrow", "cast")},
    "reshape": [identity_movement, reshape_of_reshape],
    "transpose": [identity_movement, transpose_of_transpose],
    **{name: [multiply_by_one] for name in ("mul", "div", "sub")},
    **{name: [compare_signed_with_u64] for name in _MIRRORED},
    **{
        f"reduce_{kind}": [reduce_keeps_dims]
        for kind in ("sum", "max", "min", "prod", "any", "all", "mean", "log_sum_exp")
    },
}
