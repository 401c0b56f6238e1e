"""fuse regions: maximal groups of elementwise work and reductions over one iteration space become one kernel."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from rlx.core.dim import Dim, Size, product
from rlx.ir.graph import Graph, Node
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, extract, identity, op
from rlx.passes.entry import Context, PassResult
from rlx.passes.fuse_contraction import with_scalars

STAGE = "fuse regions"
REDUCTION = op([f"reduce_{kind}" for kind in ("sum", "mean", "max", "min", "prod", "any", "all")], keep_dim=True)
CAST = op("cast")
ROUNDS = op("round_to_dtype")


MOST_MEMBERS = 256
"""The most nodes of one region. Every value that is read again needs a register or a stack slot: beyond some hundred nodes, one
kernel saves no more traffic than two, while the time of register allocation grows faster than the code."""

MOST_VISITED = 4096
"""The most regions and nodes visited to prove that a merge makes no cycle. For a region that reaches far back, the proof could
visit the full graph for every node; a merge with a longer proof is refused."""


@dataclass(eq=False)
class Region:
    """A region under construction: its iteration space, reduction axes and members.

    `first` and `last` are the least and the greatest id of the members; `reads` are the outside nodes that they read, except
    leaves.
    """

    dims: tuple[Size, ...]
    axes: tuple[int, ...] | None
    prepared: bool
    members: list[Node]
    first: int
    last: int
    reads: set[int]

    def reduced_dims(self) -> tuple[Size, ...]:
        """The dims of the results of its reductions."""
        assert self.axes is not None
        return tuple(1 if axis in self.axes else size for axis, size in enumerate(self.dims))


def fuse_regions(graph: Graph, context: Context) -> PassResult:
    """add, mul, reduce_max, exp, …  ->  fused[region]{ … }        several results where members are read outside"""
    if not context.options.fuse:
        return graph, identity(graph)
    grouping = _Grouping(graph, context.prepared(graph))
    groups = grouping.run()
    if grouping.full:
        reason = f"a region has at most {MOST_MEMBERS} nodes"
        context.report.add(STAGE, "not fused", f"{reason}: {grouping.full} times a value goes through memory instead")
    if grouping.far:
        reason = f"not proved within {MOST_VISITED} nodes that nothing in between depends on a region"
        context.report.add(STAGE, "not fused", f"{reason}: {grouping.far} merges left out")
    rewriter = Rewriter(graph, STAGE)
    for item in _order(graph, groups):
        if isinstance(item, Region) and len(item.members) > 1:
            _fuse(sorted(item.members, key=lambda node: node.id), rewriter, context)
            continue
        node = item.members[0] if isinstance(item, Region) else item
        if ROUNDS.made_by(node) and isinstance(item, Region):  # operands from memory are rounded already
            rewriter.replace(node, rewriter.ref(node.refs[0]))
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _fuse(members: list[Node], rewriter: Rewriter, context: Context) -> None:
    """add, mul, …  ->  fused[region]{ add; mul; … }        its results are the members that others read, or that leave the graph"""
    graph, uses = rewriter.source, context.uses(rewriter.source)
    ids = {node.id for node in members}
    outputs = [n.ref for n in members if n.ref in uses.escapes or any(u.id not in ids for u in uses.of(n.ref))]
    if not outputs:
        return  # unread: an unused result of a decomposition
    body, reads = extract(graph, with_scalars(graph, members), outputs, "region")
    last = members[-1]
    fused = rewriter.emit(OPS["fused"].op(kind="region", body=body), [rewriter.ref(ref) for ref in reads], last)
    by_ref = dict(zip(outputs, fused.outputs, strict=True))
    for node in members:
        if node.ref in by_ref:
            rewriter.replace(node, by_ref[node.ref])
    saved = _describe_traffic(_inner_bytes(graph, members))
    context.report.add(STAGE, "fused", f"{' '.join(node.op.name for node in members)}; {saved}", last.origin)


class _Grouping:
    """Groups nodes greedily in node order; a merge is refused if it would make a cycle, or too large a region."""

    def __init__(self, graph: Graph, prepared: set[int]) -> None:
        self.graph, self.prepared = graph, prepared
        self.of: dict[int, Region] = {}
        self.begins = list(range(len(graph.nodes)))
        """By node: where the regions begin that have members on both sides of it, or a node from which the same search goes on."""
        self.full = 0
        self.far = 0

    def run(self) -> dict[int, Region]:
        for node in self.graph.nodes:
            space = self._space(node)
            if space is None:
                continue
            dims, axes = space
            reads = {ref.node for ref in node.refs if not self.graph.node(ref).op.definition.leaf}
            self.of[node.id] = Region(dims, axes, node.id in self.prepared, [node], node.id, node.id, reads)
            for ref in node.refs:
                other = self.of.get(ref.node)
                if other is not None and other is not self.of[node.id]:
                    self._try_merge(other, self.of[node.id])
        return self.of

    def _space(self, node: Node) -> tuple[tuple[Size, ...], tuple[int, ...] | None] | None:
        """The iteration space of a node that may join a region."""
        if CAST.made_by(node) and node.id in self.prepared:
            return None  # layout looks through a weight's casts
        shapes = [self.graph.shape(ref) for ref in node.refs] + list(node.results)
        if any(shape.dtype.is_complex or shape.dtype.category == "f8" for shape in shapes):
            return None
        if node.op.definition.is_pointwise:
            return node.shape.dims, None
        if REDUCTION.made_by(node):
            return self.graph.shape(node.refs[0]).dims, node.op["axes"]
        return None

    def _try_merge(self, one: Region, other: Region) -> None:
        """Merges two regions if they share an iteration space and no path leaves and returns."""
        joined = _join(one, other) if one.prepared == other.prepared else None
        if joined is None:
            return
        if len(one.members) + len(other.members) > MOST_MEMBERS:
            self.full += 1
            return
        if self._cycle(one, other):
            return
        large, small = (one, other) if len(one.members) >= len(other.members) else (other, one)
        for node in small.members:
            self.of[node.id] = large
        large.reads.difference_update(node.id for node in small.members)
        large.reads.update(read for read in small.reads if self.of.get(read) is not large)
        large.members += small.members
        large.dims, large.axes = joined
        covered = min(one, other, key=lambda region: region.first).last
        large.first, large.last = min(one.first, other.first), max(one.last, other.last)
        for node_id in range(covered + 1, large.last + 1):
            self.begins[node_id] = min(self.begins[node_id], large.first)

    def _cycle(self, one: Region, other: Region) -> bool:
        """Whether a node outside both depends on one of them and feeds the other, or the search would take too long."""
        oldest = self._oldest(min(one.first, other.first))
        todo = [read for read in one.reads | other.reads if self.of.get(read) not in (one, other)]
        heapify(todo)  # the oldest first: a path back is short
        seen: set[int] = set()
        while todo:
            current = heappop(todo)
            region = self.of.get(current)
            start = current if region is None else region.first
            if current < oldest or start in seen:
                continue
            seen.add(start)
            if len(seen) > MOST_VISITED:
                self.far += 1
                return True
            reads = region.reads if region is not None else {ref.node for ref in self.graph.node(current).refs}
            for read in reads:
                if self.of.get(read) in (one, other):
                    return True
                heappush(todo, read)
        return False

    def _oldest(self, node: int) -> int:
        """The least id such that every older node, with its full region, reads nothing newer."""
        passed = []
        while self.begins[node] < node:
            passed.append(node)
            node = self.begins[node]
        for other in passed:
            self.begins[other] = node  # shortens the next search
        return node


def _join(first: Region, second: Region) -> tuple[tuple[Size, ...], tuple[int, ...] | None] | None:
    """The common iteration space of two regions, or None."""
    if first.dims == second.dims:
        if first.axes is None or second.axes is None or first.axes == second.axes:
            return first.dims, first.axes or second.axes
        return None
    for large, small in ((first, second), (second, first)):
        if large.axes is not None and small.axes is None and small.dims == large.reduced_dims():
            return large.dims, large.axes
    return None


def _order(graph: Graph, groups: dict[int, Region]) -> list[Node | Region]:
    """Orders nodes and regions so that every operand comes first."""
    done: set[int] = set()
    result: list[Node | Region] = []

    def visit(start: Node) -> None:
        stack: list[tuple[Node, bool]] = [(start, False)]
        while stack:
            node, ready = stack.pop()
            if node.id in done:
                continue
            region = groups.get(node.id)
            members = region.members if region is not None else [node]
            if ready:
                done.update(member.id for member in members)
                result.append(region if region is not None else node)
                continue
            stack.append((node, True))
            inside = {member.id for member in members}
            needed = {ref.node for member in members for ref in member.refs if ref.node not in inside and ref.node not in done}
            stack += [(graph.node(i), False) for i in sorted(needed, reverse=True)]

    for node in graph.nodes:
        if node.op.definition.leaf:
            done.add(node.id)
            result.append(node)
    for node in graph.nodes:
        visit(node)
    return result


def _inner_bytes(graph: Graph, members: list[Node]) -> Size:
    """Bytes of memory traffic saved: values inside the region, each counted as one write and one read."""
    inner = [node.shape.size_bytes for node in members[:-1]]
    return product((2, sum(inner[1:], inner[0]))) if inner else 0


def _describe_traffic(size: Size) -> str:
    if isinstance(size, Dim) or size < 10_000:
        return f"{size} bytes of traffic saved"
    return f"{size / 1e6:.2f} MB of traffic saved" if size >= 1e6 else f"{size / 1e3:.0f} kB of traffic saved"
