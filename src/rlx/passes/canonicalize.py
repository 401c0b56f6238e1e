"""canonicalize: one spelling for equal things, by rewrites that are exact in floating point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, u64
from rlx.core.errors import count_of
from rlx.ir.attributes import ArrayValue
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, OpDef
from rlx.ir.pattern import Rewriter, Rules, Site, identity, op, rewrites
from rlx.ir.value import Value, one
from rlx.passes.entry import Context, PassResult

CAST = op("cast")
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}  # y op x for x op y


def canonicalize(graph: Graph, context: Context) -> PassResult:
    """reshape(reshape(x))  ->  reshape(x), add(i32 x, f32 y)  ->  add(cast(x, f32), y), …        one spelling for equal things"""
    return RULES.apply(graph, "canonicalize")


def promotions(graph: Graph, context: Context) -> PassResult:
    """The graph as it is; the report says where promotion casts, and what becomes f64 unsaid, each with the user's line."""
    for node in graph.nodes:
        record = node.op.definition
        if record.leaf or CAST.made_by(node):
            continue
        f64_given = any(graph.shape(ref).dtype.name == "f64" for ref in node.refs)
        if node.results and node.shape.dtype.name == "f64" and not f64_given:
            context.report.add("canonicalize", "implicit f64", f"{_describe_call(node, graph)} computes in f64", node.origin)
        operands = [(i, graph.shape(ref).dtype) for i, ref in enumerate(node.inputs) if ref is not None]
        common = _promotes_to(record, [dtype for i, dtype in operands if record.operand(i).role == "value"])
        if common is not None:
            context.report.add("canonicalize", "cast", f"{_describe_call(node, graph)} computes in {common}", node.origin)
    return graph, identity(graph)


def _promotes_to(record: OpDef, dtypes: Sequence[DType]) -> DType | None:
    """The dtype an op computes in, if a value operand has another; else None."""
    common = record.compute_dtype(*dtypes) if dtypes and record.compute_dtype is not None else None
    return None if all(dtype is common for dtype in dtypes) else common


def _describe_call(node: Node, graph: Graph) -> str:
    return f"{node.op.name} of {', '.join(str(graph.shape(ref)) for ref in node.refs)}"


def _is(neutral: int) -> Callable[[ArrayValue], bool]:
    """Whether a constant has this one value, and not its negative zero."""

    def accepts(value: ArrayValue) -> bool:
        array = value.array.ravel()
        return bool(array.size == 1 and array.dtype.kind in "iuf" and array[0] == neutral and not np.signbit(array[0]))

    return accepts


@rewrites(
    op(("reshape", "expand", "narrow", "cast"), "x"),
    op("transpose", "x", perm=lambda perm: perm == tuple(range(len(perm)))),
    op("slice", "x", step=lambda steps: all(step == 1 for step in steps)),
    op(("mul", "div"), "x", op("constant", value=_is(1))),
    op("sub", "x", op("constant", value=_is(0))),
)
def nothing_changes(at: Site, x: Value) -> Value | None:
    """reshape/transpose/expand/slice/narrow/cast(x), mul(x, 1), div(x, 1), sub(x, 0)  ->  x        when the dtype and shape stay"""
    return x if x.type == at.node.shape else None


@rewrites(op("reshape", op("reshape", "x")))
def reshape_of_reshape(at: Site, x: Value) -> Value:
    """reshape(reshape(x, a), b)  ->  reshape(x, b)"""
    return one("reshape", x, shape=at.node.shape.dims)


@rewrites(op("transpose", op("transpose", "x", capture="inner")))
def transpose_of_transpose(at: Site, inner: Node, x: Value) -> Value:
    """transpose(transpose(x, p), q)  ->  transpose(x, p∘q)"""
    perm = tuple(inner.op["perm"][axis] for axis in at.node.op["perm"])
    return x if perm == tuple(range(len(perm))) else x.transpose(perm)


@rewrites(op("real", op("complex", "part")), op("imag", op("complex", "", "part")))
def part_of_complex(at: Site, part: Value) -> Value | None:
    """real(complex(a, b))  ->  a        imag gives b"""
    return part if part.type == at.node.shape else None


@rewrites(op("conjugate", op("conjugate", "x")))
def conjugate_of_conjugate(at: Site, x: Value) -> Value:
    """conjugate(conjugate(x))  ->  x        what derivatives inside derivatives leave"""
    return x


@rewrites(op("split", "x"))
def split_is_narrows(at: Site, x: Value) -> list[Value]:
    """split(x, sizes)  ->  narrow(x, first part), narrow(x, second part), …        one spelling for a part; all are views"""
    start: Size = 0
    parts: list[Value] = []
    for length in at.node.op["sizes"]:
        parts.append(OPS["narrow"](x, axis=at.node.op["axis"], start=start, length=length))
        start = start + length
    return parts


@rewrites(op(None, "x", family="reduce", keep_dim=False))
def reduce_keeps_dims(at: Site, x: Value) -> Value:
    """reduce(x, keep_dim=False)  ->  reshape(reduce(x, keep_dim=True))        so that bodies only broadcast; the reshape is a view"""
    record = at.node.op.definition
    computing = None if record.compute_dtype is None else record.compute_dtype(x.dtype)
    if computing is not None and computing is not x.dtype:
        x = OPS["cast"](x, to=computing)
    reduced = record(x, **{**at.node.op.attrs, "keep_dim": True})
    return one("reshape", reduced, shape=at.node.shape.dims)


@rewrites(op(_MIRRORED, "left", "right"))
def compare_signed_with_u64(at: Site, left: Value, right: Value) -> Value | None:
    """lt(i64 x, u64 y)  ->  or(lt(x, 0), lt(cast(x, u64), y))        no integers hold both, and f64 rounds them"""
    name = at.node.op.name
    signed, unsigned, name = (left, right, name) if right.dtype is u64 else (right, left, _MIRRORED[name])
    if unsigned.dtype is not u64 or signed.dtype.category != "int":
        return None
    negative: Value = OPS["lt"](signed, 0)
    same_sign: Value = OPS[name](OPS["cast"](signed, to=u64), unsigned)
    return OPS["or"](negative, same_sign) if name in ("ne", "lt", "le") else OPS["and"](OPS["not"](negative), same_sign)


@rewrites(op(where=lambda node: node.op.definition.compute_dtype is not None and not node.op.definition.leaf))
def explicit_casts(at: Site) -> Value | None:
    """add(i32 x, f32 y)  ->  add(cast(x, f32), y)        every value operand has the op's compute dtype"""
    values = cast_operands(at.node.op.definition, at.rewriter.values(at.node))
    if values is None:
        return None
    return at.node.op.definition(*values, **at.node.op.attrs)


def cast_operands(record: OpDef, values: Sequence[Value | None]) -> list[Value | None] | None:
    """Casts operands to the op's compute dtype; None if they have it already."""
    computing = [i for i, value in enumerate(values) if value is not None and record.operand(i).role == "value"]
    dtypes = [value.dtype for i in computing if (value := values[i]) is not None]
    common = _promotes_to(record, dtypes)
    if common is None:
        return None
    operands = list(values)
    for i, dtype in zip(computing, dtypes, strict=True):
        if dtype is not common:
            operands[i] = OPS["cast"](operands[i], to=common)
    return operands


RULES = Rules(
    nothing_changes,
    reshape_of_reshape,
    transpose_of_transpose,
    part_of_complex,
    conjugate_of_conjugate,
    split_is_narrows,
    reduce_keeps_dims,
    compare_signed_with_u64,
    explicit_casts,
)


# -- fold, cse and dce: constants computed now, equal nodes once, dead nodes never -----------------------------------


def fold(graph: Graph, context: Context) -> PassResult:
    """op(constants)  ->  constant        through the reference, up to a bounded number of elements"""
    rewriter = Rewriter(graph, "fold")
    known: dict[Ref, ArrayValue] = {}
    for node in graph.nodes:
        constants = [known.get(rewriter.ref(ref)) for ref in node.refs]
        if not constants or any(value is None for value in constants) or not _may_fold(node, context.options.fold_elements):
            made = rewriter.copy(node)
            if node.op.is_constant:
                known[made.ref] = node.op["value"]
            continue
        operands = [None if ref is None else known[rewriter.ref(ref)].array for ref in node.inputs]
        arrays = evaluate_op(node.op, operands, node.results)
        refs = []
        for array in arrays:
            value = ArrayValue(array)
            refs.append(rewriter.emit(OPS["constant"].op(value=value), (), node).ref)
            known[refs[-1]] = value
        rewriter.replace(node, refs)
        context.report.add("fold", "folded", f"{node.op.name} of constants", node.origin)
    return rewriter.finish()


def _may_fold(node: Node, limit: int) -> bool:
    """Whether to compute an op of constants now: its result has at most `limit` elements."""
    if node.op.definition.calls_user or node.op.symbols() or any(True for _ in node.op.graphs()):
        return False
    return all(shape.is_static for shape in node.results) and sum(int(shape.num_elements) for shape in node.results) <= limit


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
    context.report.add("dce", "removed", f"{count_of(len(graph.nodes) - len(alive), 'node')} nobody reads")
    return rewriter.finish()
