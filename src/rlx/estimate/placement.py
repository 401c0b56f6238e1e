"""Where the values of a graph lie on a mesh, and what the devices exchange for that: the partitioner's work, from our own graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from rlx.core.shape import Shape
from rlx.core.sharding import ShardingTable
from rlx.estimate.sharding_rules import Cut, Question, Ruling, axes_of, cut_of, is_fusible, local_bytes, ruling, without
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import op

SCATTERED = op("gather_backward")
"""Ops whose result may be cut by rows in any way: each device adds up its own rows."""


@dataclass(frozen=True)
class Exchange:
    """One collective over the mesh axes `axes`; `bytes` is the size of the full value on every device after or before it."""

    kind: str
    axes: frozenset[str]
    bytes: int
    node: int
    """The node that needs the exchange."""
    source: Ref
    of_params: bool
    """Whether weights or their gradients are exchanged, which overlaps with compute."""


@dataclass
class Placement:
    """The sharding of every value, the sharding that each node needs, and the collectives between them."""

    graph: Graph
    table: ShardingTable
    cuts: dict[Ref, Cut] = field(default_factory=dict)
    rulings: dict[int, Ruling] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    gathered: dict[tuple[Ref, Cut], list[int]] = field(default_factory=lambda: defaultdict(list))
    """The readers of each all-gathered copy, by its value and the cut after the gather."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """The size of each mesh axis."""
        return self.table.mesh.axes

    def bytes(self, ref: Ref, cut: Cut | None = None) -> int:
        """Bytes of a value on one device."""
        return local_bytes(self.graph.shape(ref), self.cuts[ref] if cut is None else cut, self.sizes)

    def share(self, node: Node) -> int:
        """The number of devices that share the work of a node."""
        ruling = self.rulings[node.id]
        names = frozenset[str]().union(*(axes_of(cut) for cut in ruling.results), *ruling.partial)
        size = 1
        for name in names:
            size *= self.sizes[name]
        return size


def leaf_cut(table: ShardingTable, node: Node, params: Mapping[str, Shape]) -> Cut:
    """How an input, param or state is sharded; a state named after a param of the same shape is sharded like that param."""
    name, dims = node.op["name"], [int(size) for size in node.shape.dims]
    if node.op.is_input:
        return _of_several(table, cut_of(table.input_spec(name, dims), len(dims)))
    spec = table.spec(name, dims)
    if not spec and node.op.is_state:
        owners = [one for one, shape in params.items() if name.endswith(f".{one}") and shape.dims == node.shape.dims]
        spec = table.spec(max(owners, key=len), dims) if owners else spec
    return _of_several(table, cut_of(spec, len(dims)))


def _of_several(table: ShardingTable, cut: Cut) -> Cut:
    """Removes mesh axes of size 1 from a cut."""
    return without(cut, frozenset(name for name, size in table.mesh.axes.items() if size == 1))


def place(graph: Graph, table: ShardingTable) -> Placement:
    """Propagates shardings from leaves to results, then from updated params back to their gradients."""
    params = {name: node.shape for name, node in graph.params.items()}
    leaves = {
        node.ref: leaf_cut(table, node, params) for node in graph.nodes if node.op.definition.leaf and not node.op.is_constant
    }
    first = _forward(Placement(graph, table), leaves, {})
    placement = _forward(Placement(graph, table), leaves, _cuts_of_updates(first, leaves))
    _exchange(placement)
    return placement


def _forward(placement: Placement, leaves: Mapping[Ref, Cut], pinned: Mapping[Ref, Cut]) -> Placement:
    graph = placement.graph
    for node in graph.nodes:
        shapes = tuple(graph.shape(ref) for ref in node.refs)
        cuts = tuple(placement.cuts[ref] for ref in node.refs)
        answer = ruling(Question(node, shapes, cuts, placement.sizes))
        placement.rulings[node.id] = answer
        for ref, cut in zip(node.outputs, answer.results, strict=True):
            placement.cuts[ref] = pinned.get(ref, leaves.get(ref, cut))
    return placement


def _cuts_of_updates(placement: Placement, leaves: Mapping[Ref, Cut]) -> dict[Ref, Cut]:
    """Shards an update, and the same-shaped values it is computed from elementwise, like the param or state it updates."""
    graph, cuts = placement.graph, dict[Ref, Cut]()
    owners = {**graph.params, **graph.states}
    todo = [(ref, leaves[owners[name].ref]) for name, ref in graph.updates.items()]
    while todo:
        ref, cut = todo.pop()
        node = graph.node(ref)
        if ref in cuts or node.op.definition.leaf or len(cut) != graph.shape(ref).rank:
            continue
        if is_fusible(node):
            cuts[ref] = cut
            dims = graph.shape(ref).dims
            todo += [(operand, cut) for operand in node.refs if graph.shape(operand).dims == dims]
        elif axes_of(cut) & placement.rulings[node.id].partial[ref.index] or SCATTERED.made_by(node):
            cuts[ref] = cut
    return cuts


def _exchange(placement: Placement) -> None:
    """Adds an all-gather where a value is sharded more finely than its reader needs, and sums for partial results."""
    graph = placement.graph
    own = _from_params(graph)
    to_params = _to_updates(graph)
    for node in graph.nodes:
        ruling = placement.rulings[node.id]
        for ref, needed in zip(node.refs, ruling.needed, strict=True):
            have = placement.cuts[ref]
            extra = axes_of(have) - axes_of(needed)
            if extra and graph.shape(ref).rank:
                target = without(have, extra)
                readers = placement.gathered[ref, target]
                if not readers:
                    size = placement.bytes(ref, target)
                    placement.exchanges.append(Exchange("all-gather", extra, size, node.id, ref, ref.node in own))
                readers.append(node.id)
        for ref, partial, cut in zip(node.outputs, ruling.partial, ruling.results, strict=True):
            if partial:
                pinned = SCATTERED.made_by(node)  # each device adds up only its own rows
                start = without(placement.cuts[ref], partial) if pinned else cut
                _sum(placement, node, ref, partial, start, ref.node in to_params)


def _sum(placement: Placement, node: Node, ref: Ref, partial: frozenset[str], cut: Cut, of_params: bool) -> None:
    """Adds a reduce-scatter over the summed mesh axes that also cut the result, and an all-reduce over the others."""
    shape = placement.graph.shape(ref)
    wide = shape.with_dtype(shape.dtype.compute)
    scattered = partial & axes_of(placement.cuts[ref])
    size = local_bytes(wide, cut, placement.sizes)
    if scattered:
        placement.exchanges.append(Exchange("reduce-scatter", scattered, size, node.id, ref, of_params))
        for name in scattered:
            size //= placement.sizes[name]
    if partial - scattered:
        placement.exchanges.append(Exchange("all-reduce", partial - scattered, size, node.id, ref, of_params))


def _from_params(graph: Graph) -> set[int]:
    """Nodes computed from params alone."""
    ids: set[int] = set()
    for node in graph.nodes:
        if node.op.is_param or (node.refs and all(ref.node in ids for ref in node.refs)):
            ids.add(node.id)
    return ids


def _to_updates(graph: Graph) -> set[int]:
    """Nodes that produce gradients: a result becomes, through elementwise ops, an update of a param of its shape."""
    ids = {ref.node for name, ref in graph.updates.items()}
    for node in reversed(graph.nodes):
        if node.id in ids and is_fusible(node):
            ids |= {ref.node for ref in node.refs if graph.shape(ref).dims == node.shape.dims}
    return ids
