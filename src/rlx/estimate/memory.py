"""Which values of a graph are in memory at the same time, on one device: what XLA's buffers will be, from our own graph.

Ops element by element are computed inside whatever reads them; products, sums, tables and composite ops write their results. A value
lives from the node that writes it to the last that reads it, in the order of the graph; params and states are updated in place.
Attention and its gradient compute in f32 and have scores, copies and sums of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rlx.estimate.placement import Placement
from rlx.estimate.sharding_rules import is_fusible
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import op
from rlx.ops.attention.attention import CHUNK

_PRODUCT = op("matmul")
ATTENTION = op("attention")
ATTENTION_BACKWARD = op("attention_backward")
_TAKES_ELEMENTS = op("take_along_axis")
"""An op that computes only the elements it reads of an elementwise operand."""
_TESTS_A_SIGN = op(("sigmoid", "silu"))
"""Ops lowered with a comparison of the argument, whose result is a byte."""


@dataclass(frozen=True)
class LiveBuffer:
    """A buffer of the memory estimate: bytes on one device, the first and last node that use it, and its contents."""

    bytes: int
    first: int
    last: int
    kind: str
    """One of gradients, activations, gathered, workspace."""
    what: str


@dataclass
class Fusion:
    """Which values XLA is expected to write to memory, and which written values every other value is computed from."""

    size: Callable[[Ref], int]
    """Bytes of a value on one device."""
    roots: dict[Ref, frozenset[Ref]] = field(default_factory=dict)
    written: set[Ref] = field(default_factory=set)
    widened: dict[Ref, int] = field(default_factory=dict)
    """Bytes of 16-bit values that are written in f32, their compute dtype: XLA skips the rounding to 16 bits if nothing needs it."""
    joined: list[tuple[Ref, ...]] = field(default_factory=list)
    """Results that are parts of one array, which stays in memory until the last of them is read."""

    def bytes(self, ref: Ref) -> int:
        """The bytes of a value as it is written to memory."""
        return self.widened.get(ref) or self.size(ref)


def fuse(placement: Placement, merged_bytes: int) -> Fusion:
    """Predicts which values XLA writes to memory.
    An elementwise value is written if an op of another kind reads it, or if several ops read it and it is smaller than its operands
    together. Matmuls that read the same rows are merged up to `merged_bytes`."""
    graph, size = placement.graph, placement.bytes
    fusion, users = _merge(placement, merged_bytes), graph.users()
    results = set(graph.output_refs.values())
    stops = _read_whole(graph)
    for node in graph.nodes:
        if node.op.definition.leaf:
            fusion.roots[node.ref] = frozenset() if node.op.is_constant else frozenset((node.ref,))
        elif node.op.definition.view is not None:
            for ref in node.outputs:
                fusion.roots[ref] = fusion.roots[node.refs[0]]
        elif is_fusible(node):
            roots = frozenset[Ref]().union(*(fusion.roots[ref] for ref in node.refs))
            read = sum(fusion.bytes(ref) for ref in roots if not graph.node(ref).op.definition.leaf)
            dtype = node.shape.dtype
            wide = size(node.ref) // dtype.size * dtype.compute.size
            if node.ref in stops or node.ref in results:
                fusion.written.add(node.ref)
                roots = frozenset((node.ref,))
            elif len(users.get(node.ref, ())) > 1 and read > wide:
                fusion.written.add(node.ref)
                fusion.widened[node.ref] = wide
                roots = frozenset((node.ref,))
            fusion.roots[node.ref] = roots
        else:
            for ref in node.outputs:
                fusion.written.add(ref)
                fusion.roots[ref] = frozenset((ref,))
    return fusion


def _merge(placement: Placement, most: int) -> Fusion:
    """Merges matmuls of one left operand if the operands and the result of one have at most `most` bytes.
    XLA computes them as one matmul with an f32 result."""
    fusion, by_left = Fusion(placement.bytes), defaultdict[Ref, list[Node]](list)
    for node in placement.graph.nodes:
        if _PRODUCT.made_by(node):
            by_left[node.refs[0]].append(node)
    for left, nodes in by_left.items():
        wide = {node.ref: in_f32(placement, (node.ref,)) for node in nodes}
        if len(nodes) > 1 and any(placement.bytes(left) + placement.bytes(node.refs[1]) + wide[node.ref] <= most for node in nodes):
            fusion.widened |= wide
            fusion.joined.append(tuple(wide))
    return fusion


def _read_whole(graph: Graph) -> set[Ref]:
    """The values that an op must read from memory, also through views; a reduction can fuse the computation of its operand."""
    refs: set[Ref] = set()
    for node in reversed(graph.nodes):
        if node.op.definition.view is not None:
            if any(ref in refs for ref in node.outputs):
                refs.add(node.refs[0])
        elif not is_fusible(node) and "axes" not in node.op.definition.attrs:
            refs.update(node.refs[1:] if _TAKES_ELEMENTS.made_by(node) else node.refs)
    return refs


# -- workspace ---------------------------------------------------------------------------------------------------
def in_f32(placement: Placement, refs: Sequence[Ref]) -> int:
    """Bytes of f32 copies of these values on one device."""
    return sum(placement.bytes(ref) // placement.graph.shape(ref).dtype.size * 4 for ref in refs)


def _attention_workspace(placement: Placement, node: Node) -> int:
    """Bytes of scores and softmax weights, and of the values, all in f32."""
    return scores_of(placement, node) * 8 + in_f32(placement, node.refs[2:3])


def _attention_backward_workspace(placement: Placement, node: Node) -> int:
    """Bytes of one chunk's scores, softmax weights and their gradients, and of all operands, in f32."""
    return scores_of(placement, node, CHUNK) * 12 + in_f32(placement, node.refs[:4])


def scores_of(placement: Placement, node: Node, most: int | None = None) -> int:
    """The number of attention scores on one device: for all queries, or for a chunk of at most `most`."""
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
"""Bytes of temporaries of composite ops, by op name."""


# -- over time ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Timeline:
    """All buffers of a step, and the bytes in use at each node."""

    buffers: tuple[LiveBuffer, ...]
    in_use: tuple[int, ...]
    parts: tuple[tuple[int, int], ...]
    """The node ranges that can hold the memory peak."""

    @property
    def peak(self) -> int:
        """The peak of the bytes in use."""
        return max(self.in_use, default=0)

    def highest(self, start: int, stop: int) -> tuple[LiveBuffer, ...]:
        """The live buffers at the node of highest memory use between two nodes, largest first."""
        when = max(range(start, stop), key=lambda node: self.in_use[node])
        alive = (buffer for buffer in self.buffers if buffer.first <= when <= buffer.last)
        return tuple(sorted(alive, key=lambda buffer: -buffer.bytes))

    @property
    def places(self) -> tuple[tuple[LiveBuffer, ...], ...]:
        """The live buffers at the four candidates for the peak of memory.
        These are the last forward attention, the loss, the first attention gradient, and the end of the backward pass. Each grows linearly
        with the number of layers, at a different rate."""
        return tuple(self.highest(start, stop) for start, stop in self.parts)


def memory_timelines(placement: Placement, fusion: Fusion) -> tuple[Timeline, Timeline]:
    """Computes the lifetime of each buffer, in the two orders that XLA chooses from.

    XLA exchanges all gradients together, after the last one is computed. Until then either the unreduced products stay in memory
    (accelerators), or they are computed late and their operands stay in memory (CPU, which merges no products).
    """
    return _timeline(placement, fusion, late=False), _timeline(placement, fuse(placement, 0), late=True)


def _timeline(placement: Placement, fusion: Fusion, late: bool) -> Timeline:
    """The timeline with the matmuls of exchanged gradients in graph order, or (`late`) after the last gradient."""
    graph = placement.graph
    gradients = _gradients(graph)
    backward_end = max((ref.node for ref in gradients), default=0)
    exchanged = {one.node: one for one in placement.exchanges if one.source in gradients and one.kind != "all-gather"}
    last = _last_reads(graph, fusion, dict.fromkeys(exchanged, backward_end) if late else {})
    for together in fusion.joined:
        last |= dict.fromkeys(together, max(last.get(ref, ref.node) for ref in together))
    outputs, updates = set(graph.output_refs.values()), set(graph.updates.values())
    buffers = _find_gathers(placement)
    for ref in sorted(fusion.written - updates):
        stop = len(graph.nodes) if ref in outputs else last.get(ref, ref.node)
        kind = "gradients" if ref in gradients else "activations"
        buffers.append(LiveBuffer(fusion.bytes(ref), ref.node, stop, kind, _name(graph, ref)))
    if not late:
        for one in exchanged.values():
            if one.kind == "all-reduce" and len(one.axes) == len(placement.rulings[one.node].partial[one.source.index]):
                continue  # summed in place
            buffers.append(LiveBuffer(one.bytes, one.node, backward_end, "gradients", f"{_name(graph, one.source)} unreduced"))
    buffers += [*_workspace(placement), *_signs(placement)]
    return Timeline(tuple(buffers), _sums(buffers, len(graph.nodes)), _cut_parts(graph))


def _workspace(placement: Placement) -> list[LiveBuffer]:
    """The temporary buffers of composite ops; attention gradients accumulate in f32, and XLA clears the sums of all layers together."""
    spans, cleared = [], None
    for node in placement.graph.nodes:
        extra = WORKSPACE.get(node.op.definition.name)
        if extra is None:
            continue
        where = node.origin.label.split("/")[0]
        spans.append(LiveBuffer(extra(placement, node), node.id, node.id, "workspace", f"scores of {node.op.name} {where}"))
        if ATTENTION_BACKWARD.made_by(node):
            cleared = node.id if cleared is None else cleared
            size = in_f32(placement, node.outputs)
            spans.append(LiveBuffer(size, cleared, node.id, "activations", f"sums of {node.op.name} {where}"))
    return spans


def _signs(placement: Placement) -> list[LiveBuffer]:
    """Buffers for the signs of values that both passes take a sigmoid of: one byte each, smaller than the value."""
    readers: dict[Ref, list[Node]] = defaultdict(list)
    for node in placement.graph.nodes:
        if _TESTS_A_SIGN.made_by(node):
            readers[node.refs[0]].append(node)
    spans = []
    for ref, nodes in readers.items():
        if len(nodes) > 1:
            size = placement.bytes(ref) // placement.graph.shape(ref).dtype.size
            what = f"signs of {_name(placement.graph, ref)}"
            spans.append(LiveBuffer(size, nodes[0].id, nodes[-1].id, "activations", what))
    return spans


def _cut_parts(graph: Graph) -> tuple[tuple[int, int], ...]:
    """The node ranges that can hold the memory peak.
    They end at the last attention, its gradient, after that gradient, and at the end of the graph. The last one starts at the gradient
    of the first attention: before it memory grows or shrinks with each layer."""
    forward = max((node.id for node in graph.nodes if ATTENTION.made_by(node)), default=0)
    backward = [node.id for node in graph.nodes if ATTENTION_BACKWARD.made_by(node)] or [forward + 2]
    count = len(graph.nodes)
    marks = ((0, forward + 1), (forward + 1, backward[0]), (backward[0], backward[0] + 1), (backward[-1], count))
    return tuple((min(start, count - 1), max(start + 1, stop)) for start, stop in marks)


def _last_reads(graph: Graph, fusion: Fusion, moved: Mapping[int, int]) -> dict[Ref, int]:
    """The last node that reads each written value, directly or through fused values; `moved` nodes read later."""
    last: dict[Ref, int] = {}
    updates = set(graph.updates.values())
    for node in graph.nodes:
        if any(ref in fusion.written or ref in updates for ref in node.outputs):
            for ref in node.refs:
                for root in fusion.roots[ref]:
                    last[root] = max(last.get(root, 0), moved.get(node.id, node.id))
    return last


def _find_gathers(placement: Placement) -> list[LiveBuffer]:
    """Buffers of all-gathered copies, and of full sums before a reduce-scatter: each lives until its last reader."""
    graph, spans = placement.graph, []
    for (ref, cut), readers in placement.gathered.items():
        spans.append(LiveBuffer(placement.bytes(ref, cut), min(readers), max(readers), "gathered", _name(graph, ref)))
    for exchange in placement.exchanges:
        if exchange.kind == "reduce-scatter":
            spans.append(LiveBuffer(exchange.bytes, exchange.node, exchange.node, "gathered", _name(graph, exchange.source)))
    return spans


def _sums(buffers: list[LiveBuffer], count: int) -> tuple[int, ...]:
    changes: dict[int, int] = defaultdict(int)
    for buffer in buffers:
        changes[buffer.first] += buffer.bytes
        changes[buffer.last + 1] -= buffer.bytes
    peaks, now = [], 0
    for index in range(count):
        now += changes[index]
        peaks.append(now)
    return tuple(peaks)


def _gradients(graph: Graph) -> set[Ref]:
    """The gradients: values from which param updates are computed elementwise."""
    refs: set[Ref] = set()
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
            refs.add(ref)
    return refs


def _name(graph: Graph, ref: Ref) -> str:
    node = graph.node(ref)
    label = node.origin.label.split("/")[0] if node.origin.label else ""
    return " ".join(part for part in (node.op.name, label, str(graph.shape(ref))) if part)
