"""fuse contraction: matmuls that share an operand become one; a matmul takes the elementwise work that follows it."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.shape import Shape, is_one
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.pattern import Rewriter, Rules, Site, Uses, compose, extract, identity, op, rewrites
from rlx.ir.value import Value, one
from rlx.passes.entry import Context, PassResult
from rlx.passes.prepared_analysis import hoist

STAGE = "fuse contraction"
PRODUCT = op("matmul")
CONVOLUTION = op("conv")
BIASED = op("add", "product", "bias", swaps=True)
GATED = op(
    "mul",
    op(None, op("matmul", "x", alone=True, capture="gate"), family="activation", alone=True, capture="act"),
    op("matmul", "x", alone=True, capture="up"),
    swaps=True,
)
CAST = op("cast")
BLOCKED_CAST = op("blocked_cast")


def fuse_contraction(graph: Graph, context: Context) -> PassResult:
    """add(matmul(x, w), b[n])  ->  fused[contraction](x, w, b)        products of one operand become one before"""
    total = identity(graph)
    if not context.options.fuse:
        return graph, total
    for step in (separate_columns, share_operand, gather_epilogues):
        graph, mapping = step(graph, context)
        total = compose(total, mapping)
    return graph, total


# -- joined weights ---------------------------------------------------------------------------------------------
@rewrites(op("narrow", op("matmul", "x", op("concat", axis=1, capture="joined"), capture="product")))
def product_of_its_columns(at: Site, x: Value, joined: Node, product: Node) -> Value | None:
    """narrow(matmul(x, concat(w1, w2, axis=1)), columns of w2)  ->  matmul(x, w2)

    However the author joined weights by hand, the passes below see single products and join them as suits the kernels. Only where every
    reader of the product narrows to the columns of one weight.
    """
    assert at.uses is not None
    if joined.shape.rank != 2 or product.shape.rank < 2 or product.ref in at.uses.escapes:
        return None
    columns: dict[tuple[Size, Size], Ref] = {}
    start: Size = 0
    for ref in joined.refs:
        length = at.graph.shape(ref).dims[1]
        columns.setdefault((start, length), ref)
        start = start + length
    for reader in at.uses.of(product.ref):
        same = reader.op.definition is at.node.op.definition and reader.op["axis"] == product.shape.rank - 1
        if not same or (reader.op["start"], reader.op["length"]) not in columns:
            return None
    return one("matmul", x, at.value(columns[at.node.op["start"], at.node.op["length"]]))


SEPARATE = Rules(product_of_its_columns)


def separate_columns(graph: Graph, context: Context) -> PassResult:
    """The rule above, where it applies."""
    return SEPARATE.apply(graph, STAGE, context.uses(graph))


# -- shared operand ---------------------------------------------------------------------------------------------
def share_operand(graph: Graph, context: Context) -> PassResult:
    """matmul(x, w1) [+ b1], matmul(x, w2) [+ b2]  ->  y = matmul(x, [w1 | w2]) [+ [b1 | b2]]; narrow(y), narrow(y)

    The weights come from params, so their concatenation is prepared once. Gate and up of a gated unit are left to the pair form.
    """
    prepared, uses = context.prepared(graph), context.uses(graph)
    pairs = {member.id for node in graph.nodes for member in _gated_pair(node, uses, prepared)[:2]}
    groups: dict[tuple[object, ...], list[Node]] = {}
    for node in graph.nodes:
        if PRODUCT.made_by(node) and node.id not in prepared and node.id not in pairs:
            weight = _weight(graph, node, prepared)
            if weight is not None:
                biased = _bias_of(node, uses, prepared) is not None
                key = (node.refs[0], weight.dims[0], weight.dtype, node.shape.dtype, biased)
                groups.setdefault(key, []).append(node)
    merged = {node.id: members for members in groups.values() if len(members) > 1 for node in members}
    rewriter = Rewriter(graph, STAGE)
    for node in hoist(graph, prepared):
        if any(ref in rewriter.map for ref in node.outputs):
            continue
        if node.id in merged:
            _merge(rewriter, merged[node.id], uses, prepared)
            context.report_fusion(STAGE, f"{len(merged[node.id])} matmuls of one operand into one", node)
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _weight(graph: Graph, node: Node, prepared: set[int]) -> Shape | None:
    """The shape of a rank-2 weight computed from params, if the right operand is one."""
    if len(node.refs) != 2 or node.refs[1].node not in prepared or graph.shape(node.refs[0]).rank < 2:
        return None
    shape = graph.shape(node.refs[1])
    return shape if shape.rank == 2 and shape.dtype.is_float else None


def _bias_of(node: Node, uses: Uses, prepared: set[int]) -> tuple[Node, Ref] | None:
    """The add of a prepared [n] vector, if it is the matmul's only reader."""
    add = uses.only_reader(node.ref)
    match = None if add is None else BIASED.match(uses, add, product=node.ref)
    if add is None or match is None or match["bias"].node not in prepared or add.shape != node.shape:
        return None
    shape = uses.graph.shape(match["bias"])
    fits = shape.rank == 1 and shape.dims == node.shape.dims[-1:] and shape.dtype is node.shape.dtype
    return (add, match["bias"]) if fits else None


def _merge(rewriter: Rewriter, members: Sequence[Node], uses: Uses, prepared: set[int]) -> None:
    first = members[0]
    biases = [_bias_of(node, uses, prepared) for node in members]

    def build() -> Value:
        weights = OPS["concat"](*(rewriter.value(node.refs[1]) for node in members), axis=1)
        product: Value = OPS["matmul"](rewriter.value(first.refs[0]), weights)
        if biases[0] is not None:
            product = product + OPS["concat"](*(rewriter.value(bias[1]) for bias in biases if bias is not None), axis=0)
        return product

    whole = rewriter.build(first, build)
    start: Size = 0
    for node, bias in zip(members, biases, strict=True):
        length = node.shape.dims[-1]
        part = rewriter.build(node, OPS["narrow"], whole, axis=-1, start=start, length=length)
        rewriter.replace(node, part)
        if bias is not None:
            rewriter.replace(bias[0], part)
        start = start + length


# -- gated pairs and epilogues ----------------------------------------------------------------------------------
def _gated_pair(node: Node, uses: Uses, prepared: set[int]) -> list[Node]:
    """Matches mul(act(matmul(x, g)), matmul(x, u)) with prepared weights and no other readers: both matmuls, act and the mul."""
    match = GATED.match(uses, node)
    if match is None:
        return []
    gate, up = match.node("gate"), match.node("up")
    left, right = (_weight(uses.graph, product, prepared) for product in (gate, up))
    return [] if left is None or left != right else [gate, up, match.node("act"), node]


def gather_epilogues(graph: Graph, context: Context) -> PassResult:
    """add(matmul(x, w), b[n]) …  ->  fused[contraction]{ matmul; add; … }(x, w, b)

    A value that is an output, has another user, or meets an operand that broadcasts in another way than by scalar, row or whole keeps
    its value. mul(act(matmul(x, g)), matmul(x, u)) becomes one contraction with two products.
    """
    prepared, uses = context.prepared(graph), context.uses(graph)
    chains: dict[int, list[Node]] = {}  # id of the last node -> members
    taken: set[int] = set()

    def take(members: list[Node]) -> None:
        chains[members[-1].id] = members
        taken.update(member.id for member in members)

    for node in graph.nodes:
        pair = _gated_pair(node, uses, prepared)
        if pair:
            members = [*sorted(pair[:2], key=lambda product: product.id), *pair[2:]]
            _extend(members, uses, context, -1)
            take(members)
    for node in graph.nodes:
        axis = _epilogue_axis(graph, node)
        if axis is None or node.id in taken or node.id in prepared:
            continue
        members = [node]
        _extend(members, uses, context, axis)
        if len(members) == 1 or not taken.isdisjoint(member.id for member in members):
            continue
        if PRODUCT.made_by(node) or _is_claimed(graph, members, context):
            take(members)
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.id in chains:
            _fuse(chains[node.id], rewriter, context)
        elif node.id not in taken:
            rewriter.copy(node)
    return rewriter.finish()


def _fuse(members: Sequence[Node], rewriter: Rewriter, context: Context) -> None:
    """matmul, add, …  ->  fused[contraction]{ matmul; add; … }"""
    last = members[-1]
    op, reads = _contraction(rewriter.source, members)
    rewriter.replace(last, rewriter.emit(op, [rewriter.ref(ref) for ref in reads], last, last.name).ref)
    names = [member.op.name for member in sorted(members, key=lambda member: member.id)]
    context.report_fusion(STAGE, " + ".join(names), last)


def _epilogue_axis(graph: Graph, node: Node) -> int | None:
    """The axis along which a bias may vary: columns of a matmul, channels of a convolution; None for other ops."""
    if CONVOLUTION.made_by(node) and node.shape.dtype.is_float:
        return 1
    if PRODUCT.made_by(node) and node.shape.dtype.is_float and all(graph.shape(ref).rank >= 2 for ref in node.refs):
        return -1
    return None  # also for a matmul with a vector: its result has no columns, or no rows


def _contraction(graph: Graph, members: Sequence[Node]) -> tuple[Op, list[Ref]]:
    """Builds the fused op that computes the last of some nodes, and the values that it reads."""
    body, reads = extract(graph, with_scalars(graph, members), [members[-1].ref], "contraction")
    return OPS["fused"].op(kind="contraction", body=body), reads


def _is_claimed(graph: Graph, members: Sequence[Node], context: Context) -> bool:
    """Whether the backend has a kernel for a contraction of these nodes."""
    op, reads = _contraction(graph, members)
    reason = context.backend.claims(op, tuple(map(graph.shape, reads)), members[-1].results)
    if reason is not None:
        context.report_miss(STAGE, "UnsupportedEpilogue", reason, members[-1])
    return reason is None


def _extend(members: list[Node], uses: Uses, context: Context, axis: int) -> None:
    """Appends the elementwise nodes of the epilogue while the running value has one reader that fits, or x * f(x) reads it."""
    while following := _followers(members, uses, context, axis):
        members += following


def _followers(members: Sequence[Node], uses: Uses, context: Context, axis: int) -> list[Node]:
    """The next nodes of the epilogue; empty, with a line in the report, at its end."""
    last = members[-1]
    readers = list({node.id: node for node in uses.of(last.ref)}.values())
    alike = [node for node in readers if node.op.definition.is_pointwise and node.shape.dims == last.shape.dims]

    def end(code: str, reason: str, blocked: Sequence[Node], at: Node = last) -> list[Node]:
        if blocked and len(members) == 1:  # a matmul with a shorter epilogue has fused; regions take the rest
            context.report_miss(STAGE, code, reason, at)
        return []

    if last.ref in uses.escapes:
        return end("IsOutput", f"{last.op.name} is an output", alike)
    gated = _gated_by_itself(last, alike, uses, axis) if len(alike) == 2 else []
    if gated and len(readers) == 2:
        return gated
    if len(readers) != 1:
        reason = f"the result of {last.op.name} is used {len(readers)} times, so it is kept in memory"
        return end("MultiConsumer", reason, alike)
    (reader,) = readers
    if BLOCKED_CAST.made_by(reader):
        message = "blocked_cast needs the largest element of complete blocks, so it is a separate command after the product"
        context.report_miss(STAGE, "UnsupportedEpilogue", message, reader)
    if not reader.op.definition.is_pointwise or _widens(reader, uses):
        return []
    if not alike or not _fits(uses.graph, reader, last, (), axis):
        return end("BroadcastOperand", f"{reader.op.name} broadcasts in a way an epilogue cannot", readers, reader)
    return [reader]


def _gated_by_itself(last: Node, readers: Sequence[Node], uses: Uses, axis: int) -> list[Node]:
    """The nodes f and mul of mul(x, f(x)), if they are the two readers of x."""
    inner, outer = sorted(readers, key=lambda node: node.id)
    fits = _fits(uses.graph, inner, last, (), axis) and _fits(uses.graph, outer, last, (inner.ref,), axis)
    return [inner, outer] if fits and uses.only_reader(inner.ref) is outer else []


def _widens(node: Node, uses: Uses) -> bool:
    """cast(bf16 x, f32) that begins a region, such as a norm: the region reads bf16 as well, at half the bytes."""
    readers = {reader.id: reader.op.definition for reader in uses.of(node.ref)}.values()
    narrow = CAST.made_by(node) and uses.graph.shape(node.refs[0]).dtype.is_low_float
    begins = len(readers) > 1 and all(record.is_pointwise or record.family == "reduce" for record in readers)
    return narrow and begins and not node.shape.dtype.is_low_float


def _fits(graph: Graph, node: Node, last: Node, inside: tuple[Ref, ...], axis: int) -> bool:
    """Whether every other operand is real, and is a scalar, varies along one axis alone (a row of a matmul, the channels of an
    image), or has the full shape."""
    dims = last.shape.dims
    for ref in node.refs:
        if ref == last.ref or ref in inside:
            continue
        shape = graph.shape(ref)
        varies = [dim - shape.rank for dim, size in enumerate(shape.dims) if not is_one(size)]
        own = axis % len(dims) - len(dims)
        alone = varies in ([], [own]) and (not varies or shape.dims[own] == dims[own])
        if shape.dtype.is_complex or not (alone or shape.dims == dims):
            return False
    return not node.shape.dtype.is_complex


def with_scalars(graph: Graph, members: Sequence[Node]) -> list[Node]:
    """The members, plus the one-element constants that they read, which become immediate values in the body."""
    ids = {member.id for member in members}
    extra = {ref.node for member in members for ref in member.refs if ref.node not in ids}
    extra -= {ref.node for member in members if not member.op.definition.is_pointwise for ref in member.refs}
    scalars = [node for i in extra if (node := graph.node(i)).op.is_constant and node.shape.num_elements == 1]
    return sorted([*members, *scalars], key=lambda node: node.id)
