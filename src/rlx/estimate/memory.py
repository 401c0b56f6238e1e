"""Which values of a graph are in memory at the same time, on one device: what XLA's buffers will be, from our own graph.

Ops element by element are computed inside whatever reads them; products, sums, tables and composite ops write their results. A value
lives from the node that writes it to the last that reads it, in the order of the graph; params and states are updated in place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rlx.estimate.placement import Placement
from rlx.estimate.rules import is_fusible
from rlx.ir.graph import Graph, Node, Ref
from rlx.ops.attention.backward import CHUNK

__all__ = ["Fusion", "LiveBuffer", "Timeline", "fuse", "memory_timelines"]


@dataclass(frozen=True)
class LiveBuffer:
    """A range of memory: bytes on one device, the nodes between which it is used, and what it holds."""

    bytes: int
    first: int
    last: int
    kind: str
    """gradients, activations, gathered, workspace."""
    what: str


@dataclass
class Fusion:
    """Which values are written to memory, and of which of these each other value is computed."""

    roots: dict[Ref, frozenset[Ref]] = field(default_factory=dict)
    written: set[Ref] = field(default_factory=set)


def fuse(graph: Graph, size: Callable[[Ref], int]) -> Fusion:
    """A value element by element is written where something else than such an op reads it, or where several read it and it is smaller
    than all it is computed of."""
    found, users = Fusion(), graph.users()
    results = set(graph.outputs.values())
    stops = _read_whole(graph)
    for node in graph.nodes:
        if node.op.definition.leaf:
            found.roots[node.ref] = frozenset() if node.op.is_constant else frozenset((node.ref,))
        elif node.op.definition.view is not None:
            for ref in node.outputs:
                found.roots[ref] = found.roots[node.refs[0]]
        elif is_fusible(node):
            roots = frozenset[Ref]().union(*(found.roots[ref] for ref in node.refs))
            read = sum(size(ref) for ref in roots if not graph.node(ref).op.definition.leaf)
            shared = len(users.get(node.ref, ())) > 1 and read > size(node.ref)
            if node.ref in stops or node.ref in results or shared:
                found.written.add(node.ref)
                roots = frozenset((node.ref,))
            found.roots[node.ref] = roots
        else:
            for ref in node.outputs:
                found.written.add(ref)
                found.roots[ref] = frozenset((ref,))
    return found


def _read_whole(graph: Graph) -> set[Ref]:
    """Values that an op reads from memory, seen through views; sums take theirs as it is computed."""
    found: set[Ref] = set()
    for node in reversed(graph.nodes):
        if node.op.definition.view is not None:
            if any(ref in found for ref in node.outputs):
                found.add(node.refs[0])
        elif not is_fusible(node) and "axes" not in node.op.definition.attrs:
            found.update(node.refs)
    return found


# -- workspace ---------------------------------------------------------------------------------------------------
def _attention_workspace(placement: Placement, node: Node) -> int:
    """Scores in f32, and the shares that values are mixed by."""
    scores = _scores(placement, node, None)
    return scores * (4 + node.shape.dtype.size)


def _attention_backward_workspace(placement: Placement, node: Node) -> int:
    """A chunk of queries' scores three times in f32, and all operands and results in f32."""
    wide = sum(placement.bytes(ref) // placement.graph.shape(ref).dtype.size * 4 for ref in (*node.refs, *node.outputs))
    return _scores(placement, node, CHUNK) * 12 + wide


def _scores(placement: Placement, node: Node, most: int | None) -> int:
    """The number of scores on one device: for all queries, or for a chunk of them."""
    graph = placement.graph
    q, k = (graph.shape(ref).dims for ref in node.refs[:2])
    rows, length, keys = int(q[0]), int(q[1]), int(k[1])
    queries = length if most is None else min(length, most)
    heads: int = node.op["num_heads"]
    return rows * heads * queries * keys // placement.share(node)


WORKSPACE: dict[str, Callable[[Placement, Node], int]] = {
    "attention": _attention_workspace,
    "attention_backward": _attention_backward_workspace,
}
"""What composite ops keep beside operands and results, by name."""


# -- over time ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Timeline:
    """All buffers of a step, and the bytes in use at each node."""

    buffers: tuple[LiveBuffer, ...]
    in_use: tuple[int, ...]
    middle: int
    """The node halfway from the first gradient to the last."""

    @property
    def peak(self) -> int:
        """The most bytes in use."""
        return max(self.in_use, default=0)

    def highest(self, start: int, stop: int) -> tuple[LiveBuffer, ...]:
        """What is in memory where most is, between two nodes; largest first."""
        when = max(range(start, stop), key=lambda node: self.in_use[node])
        alive = (buffer for buffer in self.buffers if buffer.first <= when <= buffer.last)
        return tuple(sorted(alive, key=lambda buffer: -buffer.bytes))

    @property
    def halves(self) -> tuple[tuple[LiveBuffer, ...], tuple[LiveBuffer, ...]]:
        """The two places where most can be in memory: at the end of the forward pass, and at the end of the backward pass."""
        return self.highest(0, self.middle), self.highest(self.middle, len(self.in_use))


def memory_timelines(placement: Placement, fusion: Fusion) -> tuple[Timeline, Timeline]:
    """When each buffer is written and read for the last time, in the two orders that XLA chooses from.

    It exchanges gradients together, after the last of them. Until then either the unreduced products stay (accelerators), or these are
    computed late and what they are computed of stays (CPU).
    """
    return _timeline(placement, fusion, late=False), _timeline(placement, fusion, late=True)


def _timeline(placement: Placement, fusion: Fusion, late: bool) -> Timeline:
    """With the products of exchanged gradients in their place, or behind the last gradient."""
    graph = placement.graph
    gradients = _gradients(graph)
    backward_end = max((ref.node for ref in gradients), default=0)
    exchanged = {one.node: one for one in placement.exchanges if one.source in gradients and one.kind != "all-gather"}
    last = _last_reads(graph, fusion, dict.fromkeys(exchanged, backward_end) if late else {})
    outputs, updates = set(graph.outputs.values()), set(graph.updates.values())
    buffers = _gathered(placement)
    for ref in sorted(fusion.written - updates):
        stop = len(graph.nodes) if ref in outputs else last.get(ref, ref.node)
        kind = "gradients" if ref in gradients else "activations"
        buffers.append(LiveBuffer(placement.bytes(ref), ref.node, stop, kind, _name(graph, ref)))
    if not late:
        for one in exchanged.values():
            if one.kind == "all-reduce" and len(one.axes) == len(placement.rulings[one.node].partial[one.source.index]):
                continue  # summed where it lies
            buffers.append(
                LiveBuffer(one.bytes, one.node, backward_end, "gradients", f"{_name(graph, one.source)} unreduced")
            )
    for node in graph.nodes:
        extra = WORKSPACE.get(node.op.definition.name)
        if extra is not None:
            what = f"scores of {node.op.name} {node.origin.label.split('/')[0]}"
            buffers.append(LiveBuffer(extra(placement, node), node.id, node.id, "workspace", what))
    first = min((ref.node for ref in gradients), default=1)
    middle = min(max(1, (first + backward_end) // 2), len(graph.nodes) - 1)
    return Timeline(tuple(buffers), _sums(buffers, len(graph.nodes)), middle)


def _last_reads(graph: Graph, fusion: Fusion, moved: Mapping[int, int]) -> dict[Ref, int]:
    """The last node that reads each written value, itself or through values that are not written; `moved` nodes read later."""
    found: dict[Ref, int] = {}
    updates = set(graph.updates.values())
    for node in graph.nodes:
        if any(ref in fusion.written or ref in updates for ref in node.outputs):
            for ref in node.refs:
                for root in fusion.roots[ref]:
                    found[root] = max(found.get(root, 0), moved.get(node.id, node.id))
    return found


def _gathered(placement: Placement) -> list[LiveBuffer]:
    """Whole copies that gathers make, and whole sums before they are scattered: each as long as what reads it."""
    graph, found = placement.graph, []
    for (ref, cut), readers in placement.gathered.items():
        found.append(LiveBuffer(placement.bytes(ref, cut), min(readers), max(readers), "gathered", _name(graph, ref)))
    for exchange in placement.exchanges:
        if exchange.kind == "reduce-scatter":
            found.append(
                LiveBuffer(exchange.bytes, exchange.node, exchange.node, "gathered", _name(graph, exchange.source))
            )
    return found


def _sums(buffers: list[LiveBuffer], count: int) -> tuple[int, ...]:
    changes: dict[int, int] = defaultdict(int)
    for buffer in buffers:
        changes[buffer.first] += buffer.bytes
        changes[buffer.last + 1] -= buffer.bytes
    found, now = [], 0
    for index in range(count):
        now += changes[index]
        found.append(now)
    return tuple(found)


def _gradients(graph: Graph) -> set[Ref]:
    """Values that updates of params are computed of, element by element."""
    found: set[Ref] = set()
    todo = list(graph.updates.values())
    seen: set[Ref] = set()
    while todo:
        ref = todo.pop()
        node = graph.node(ref)
        if ref in seen or node.op.definition.leaf:
            continue
        seen.add(ref)
        if is_fusible(node):
            dims = graph.shape(ref).dims
            todo += [operand for operand in node.refs if graph.shape(operand).dims == dims]
        else:
            found.add(ref)
    return found


def _name(graph: Graph, ref: Ref) -> str:
    node = graph.node(ref)
    label = node.origin.label.split("/")[0] if node.origin.label else ""
    return " ".join(part for part in (node.op.name, label, str(graph.shape(ref))) if part)
