"""fuse contraction: matmuls that share an operand become one; a matmul takes the elementwise work that follows it."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter, compose, extract
from rlx.ir.value import Value
from rlx.passes.context import Context, PassResult
from rlx.passes.prepared import hoisted, prepared_nodes

STAGE = "fuse contraction"


def fuse_contraction(graph: Graph, context: Context) -> PassResult:
    """separate_columns, share_operand, then gather_epilogues."""
    total = {ref: ref for node in graph.nodes for ref in node.outputs}
    if not context.options.fuse:
        return graph, total
    for step in (separate_columns, share_operand, gather_epilogues):
        graph, mapping = step(graph, context)
        total = compose(total, mapping)
    return graph, total


# -- joined weights ---------------------------------------------------------------------------------------------
def separate_columns(graph: Graph, context: Context) -> PassResult:
    """narrow(matmul(x, concat(w1, w2, axis=1)), columns of w2)  ->  matmul(x, w2)

    However the author joined weights by hand, the passes below see single products and join them as suits the kernels. Only where every
    reader of the product narrows to the columns of one weight.
    """
    users = graph.users()
    escapes = set(graph.outputs.values()) | set(graph.updates.values())
    parts: dict[int, tuple[Node, int]] = {}  # narrow node -> (matmul, which weight)
    for node in graph.nodes:
        columns = _joined_columns(graph, node)
        if columns is None or node.ref in escapes:
            continue
        readers = users.get(node.ref, [])
        found = {reader.id: _which_column(reader, columns, node.shape.rank) for reader in readers}
        if readers and all(which is not None for which in found.values()):
            parts.update({reader: (node, which) for reader, which in found.items() if which is not None})
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.id in parts:
            matmul, which = parts[node.id]
            weight = graph.node(matmul.refs[1]).refs[which]
            made = rewriter.build(node, OPS["matmul"], rewriter.value(matmul.refs[0]), rewriter.value(weight))
            rewriter.replace(node, made)
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _joined_columns(graph: Graph, node: Node) -> list[tuple[Size, Size]] | None:
    """For matmul(x, concat(w…, axis=1)): start and length of each weight's columns."""
    if node.op.name != "matmul" or graph.node(node.refs[1]).op.name != "concat" or node.shape.rank < 2:
        return None
    joined = graph.node(node.refs[1])
    if joined.op["axis"] != 1 or joined.shape.rank != 2:
        return None
    columns: list[tuple[Size, Size]] = []
    start: Size = 0
    for ref in joined.refs:
        length = graph.shape(ref).dims[1]
        columns.append((start, length))
        start = start + length
    return columns


def _which_column(reader: Node, columns: Sequence[tuple[Size, Size]], rank: int) -> int | None:
    """Which weight's columns a narrow takes, exactly."""
    if reader.op.name != "narrow" or reader.op["axis"] != rank - 1:
        return None
    wanted = (reader.op["start"], reader.op["length"])
    return next((index for index, column in enumerate(columns) if column == wanted), None)


# -- shared operand ---------------------------------------------------------------------------------------------
def share_operand(graph: Graph, context: Context) -> PassResult:
    """matmul(x, w1) [+ b1], matmul(x, w2) [+ b2]  ->  y = matmul(x, [w1 | w2]) [+ [b1 | b2]]; narrow(y), narrow(y)

    The weights come from params, so their concatenation is prepared once. Gate and up of a gated unit are left to the pair form.
    """
    prepared = prepared_nodes(graph)
    users = graph.users()
    pairs = {ref.node for node in graph.nodes for ref in _gated_pair(graph, node, users, prepared) or ()}
    groups: dict[tuple[object, ...], list[Node]] = {}
    for node in graph.nodes:
        if (
            node.op.name == "matmul"
            and node.id not in prepared
            and node.id not in pairs
            and _weight(graph, node, prepared) is not None
        ):
            biased = _bias_of(graph, node, users, prepared) is not None
            key = (
                node.refs[0],
                graph.shape(node.refs[1]).dims[0],
                graph.shape(node.refs[1]).dtype,
                node.shape.dtype,
                biased,
            )
            groups.setdefault(key, []).append(node)
    merged = {node.id: members for members in groups.values() if len(members) > 1 for node in members}
    rewriter = Rewriter(graph, STAGE)
    for node in hoisted(graph, prepared):
        if any(ref in rewriter.map for ref in node.outputs):
            continue
        if node.id in merged:
            _merge(rewriter, graph, merged[node.id], users, prepared)
            context.fused(STAGE, f"{len(merged[node.id])} matmuls of one operand into one", node)
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _weight(graph: Graph, node: Node, prepared: set[int]) -> Shape | None:
    """The shape of a rank-2 weight computed from params, if the right operand is one."""
    if len(node.refs) != 2:
        return None
    shape = graph.shape(node.refs[1])
    return (
        shape
        if shape.rank == 2
        and node.refs[1].node in prepared
        and graph.shape(node.refs[0]).rank >= 2
        and shape.dtype.is_float
        else None
    )


def _bias_of(graph: Graph, node: Node, users: dict[Ref, list[Node]], prepared: set[int]) -> tuple[Node, Ref] | None:
    """The add of a prepared [n] vector that alone reads the matmul."""
    readers = users.get(node.ref, [])
    if (
        len(readers) != 1
        or readers[0].op.name != "add"
        or node.ref in graph.outputs.values()
        or node.ref in graph.updates.values()
    ):
        return None
    (add,) = readers
    other = add.refs[1] if add.refs[0] == node.ref else add.refs[0]
    shape = graph.shape(other)
    if (
        other.node in prepared
        and shape.rank == 1
        and shape.dims == node.shape.dims[-1:]
        and shape.dtype is node.shape.dtype
        and add.shape == node.shape
    ):
        return add, other
    return None


def _merge(
    rewriter: Rewriter, graph: Graph, members: Sequence[Node], users: dict[Ref, list[Node]], prepared: set[int]
) -> None:
    first = members[0]
    biases = [_bias_of(graph, node, users, prepared) for node in members]

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
def _gated_pair(graph: Graph, node: Node, users: dict[Ref, list[Node]], prepared: set[int]) -> tuple[Ref, Ref] | None:
    """For mul(act(matmul(x, g)), matmul(x, u)): the two matmul values, when nothing else reads them and both weights are prepared."""
    if node.op.name != "mul":
        return None
    for gate_side, up_side in ((0, 1), (1, 0)):
        act, up = graph.node(node.refs[gate_side]), graph.node(node.refs[up_side])
        if act.op.definition.family != "activation" or up.op.name != "matmul":
            continue
        gate = graph.node(act.refs[0])
        if gate.op.name != "matmul" or gate.refs[0] != up.refs[0] or gate.id == up.id:
            continue
        left, right = _weight(graph, gate, prepared), _weight(graph, up, prepared)
        if left is None or left != right:
            continue
        escapes = set(graph.outputs.values()) | set(graph.updates.values())
        if all(len(users.get(n.ref, [])) == 1 and n.ref not in escapes for n in (gate, up, act)):
            return gate.ref, up.ref
    return None


def gather_epilogues(graph: Graph, context: Context) -> PassResult:
    """add(matmul(x, w), b[n]) …  ->  fused[contraction]{ matmul; add; … }(x, w, b)

    A value that is an output, has another user, or meets an operand that broadcasts in another way than by scalar, row or whole keeps
    its value. mul(act(matmul(x, g)), matmul(x, u)) becomes one contraction with two products.
    """
    prepared = prepared_nodes(graph)
    users = graph.users()
    chains: dict[int, list[Node]] = {}  # id of the last node -> members
    taken: set[int] = set()
    for node in graph.nodes:
        pair = _gated_pair(graph, node, users, prepared)
        if pair is not None:
            gate, up = (graph.node(ref) for ref in pair)
            (act,) = users[gate.ref]
            members = [*sorted((gate, up), key=lambda n: n.id), act, node]
            _extend(graph, members, users, context)
            chains[members[-1].id] = members
            taken.update(member.id for member in members)
    for node in graph.nodes:
        if (
            node.op.name == "matmul"
            and node.id not in taken
            and node.id not in prepared
            and node.shape.dtype.is_float
            and all(
                graph.shape(ref).rank >= 2 for ref in node.refs
            )  # the result of a vector has no columns, or no rows
        ):
            members = [node]
            _extend(graph, members, users, context)
            if len(members) > 1 and not any(member.id in taken for member in members):
                chains[members[-1].id] = members
                taken.update(member.id for member in members)
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.id in chains:
            members = sorted(chains[node.id], key=lambda n: n.id)
            body, reads = _body(graph, members, node.ref)
            made = rewriter.emit(
                OPS["fused"].op(kind="contraction", body=body), [rewriter.ref(ref) for ref in reads], node, node.name
            )
            rewriter.replace(node, made.ref)
            context.fused(STAGE, " + ".join(member.op.name for member in members), node)
        elif node.id not in taken:
            rewriter.copy(node)
    return rewriter.finish()


def _extend(graph: Graph, members: list[Node], users: dict[Ref, list[Node]], context: Context) -> None:
    """Take following elementwise nodes as long as the running value has one reader that fits."""
    escapes = set(graph.outputs.values()) | set(graph.updates.values())
    while True:
        last = members[-1]
        readers = {node.id: node for node in users.get(last.ref, [])}
        followers = [
            node for node in readers.values() if node.op.definition.is_pointwise and node.shape.dims == last.shape.dims
        ]
        bare = len(members) == 1  # a product that takes part of what follows has fused; the rest is for regions
        if last.ref in escapes:
            if followers and bare:
                context.not_fused(STAGE, "IsOutput", f"{last.op.name} is an output", last)
            return
        if len(readers) == 2 and len(followers) == 2:  # x * f(x)
            inner, outer = sorted(followers, key=lambda node: node.id)
            if (
                list(users.get(inner.ref, [])) == [outer]
                and inner.ref not in escapes
                and _fits(graph, inner, last, ())
                and _fits(graph, outer, last, (inner.ref,))
            ):
                members += [inner, outer]
                continue
        if len(readers) != 1:
            if followers and bare:
                context.not_fused(STAGE, "MultiConsumer", f"{last.op.name} has {len(readers)} readers", last)
            return
        (reader,) = readers.values()
        if not reader.op.definition.is_pointwise or _widens(graph, reader, users):
            return
        if reader.shape.dims != last.shape.dims or not _fits(graph, reader, last, ()):
            if bare:
                context.not_fused(
                    STAGE, "BroadcastOperand", f"{reader.op.name} broadcasts in a way an epilogue cannot", reader
                )
            return
        members.append(reader)


def _widens(graph: Graph, node: Node, users: dict[Ref, list[Node]]) -> bool:
    """cast(bf16 x, f32) that begins a region, such as a norm: the region reads bf16 as well, at half the bytes."""
    readers = {reader.id: reader.op.definition for reader in users.get(node.ref, [])}.values()
    narrow = (
        node.op.name == "cast" and graph.shape(node.refs[0]).dtype.is_low_float and not node.shape.dtype.is_low_float
    )
    return narrow and len(readers) > 1 and all(record.is_pointwise or record.family == "reduce" for record in readers)


def _fits(graph: Graph, node: Node, last: Node, inside: tuple[Ref, ...]) -> bool:
    """Every other operand is a scalar, a row of the last axis, or the whole; complex never."""
    dims = last.shape.dims
    for ref in node.refs:
        if ref == last.ref or ref in inside:
            continue
        shape = graph.shape(ref)
        row = shape.dims[-1:] == dims[-1:] and all(isinstance(size, int) and size == 1 for size in shape.dims[:-1])
        scalar = all(isinstance(size, int) and size == 1 for size in shape.dims)
        if shape.dtype.is_complex or not (row or scalar or shape.dims == dims):
            return False
    return not node.shape.dtype.is_complex


def _body(graph: Graph, members: Sequence[Node], output: Ref) -> tuple[Graph, list[Ref]]:
    return extract(graph, with_scalars(graph, members), [output], "contraction")


def with_scalars(graph: Graph, members: Sequence[Node]) -> list[Node]:
    """The members and the one-element constants they read, which belong in the body as immediate values."""
    ids = {member.id for member in members}
    extra = {ref.node for member in members for ref in member.refs if ref.node not in ids}
    extra -= {ref.node for member in members if not member.op.definition.is_pointwise for ref in member.refs}
    scalars = [
        graph.node(i) for i in extra if graph.node(i).op.name == "constant" and graph.node(i).shape.num_elements == 1
    ]
    return sorted([*members, *scalars], key=lambda node: node.id)
