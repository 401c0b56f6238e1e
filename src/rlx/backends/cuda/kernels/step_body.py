"""A step of decode as it is found in a graph: rope of the new query and key, both written to caches, attention to those."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import op

_ROPE, _WRITE = op("rope"), op("dynamic_update_slice")
_RESHAPE, _TRANSPOSE, _ADD = op("reshape"), op("transpose"), op("add")


@dataclass(frozen=True)
class NewHeads:
    """Heads of the new token: the value they are read from, how its axes lie, and the rope that turns them."""

    ref: Ref
    layout: str
    rope: Node | None = None
    nodes: tuple[int, ...] = ()
    """What lies between `ref` and the reader: the rope, and views of its result."""


@dataclass(frozen=True)
class AttentionStep:
    """attention(turned q, write(keys, turned k), write(values, v))"""

    attention: Node
    keys: Node
    values: Node
    q: NewHeads
    k: NewHeads
    v: NewHeads
    beyond: int | None = None
    """How many keys there are after the position, where the length is computed so."""
    length: tuple[int, ...] = ()
    """The nodes that compute it; other steps may read them too."""

    @property
    def nodes(self) -> frozenset[int]:
        """All that it is made of."""
        own = (self.attention.id, self.keys.id, self.values.id)
        return frozenset((*own, *self.q.nodes, *self.k.nodes))


def find_step(graph: Graph, attention: Node, alone: Callable[[Ref], bool]) -> AttentionStep | None:
    """The step that an attention is the end of, if it is one token's; `alone`: nobody else reads a value."""
    layout = attention.op["layout"]
    q, keys, values, mask, position = (*attention.inputs, None, None)[:5]
    if q is None or keys is None or values is None or mask is not None or position is None:
        return None
    axis = 2 if layout == "bhsd" else 1
    writes = [graph.node(ref) for ref in (keys, values)]
    if graph.shape(q).dims[axis] != 1 or not all(_WRITE.made_by(node) for node in writes):
        return None
    for node in writes:
        whole, new = graph.shape(node.refs[0]), graph.shape(node.refs[1])
        others = [place for place in range(whole.rank) if place != axis]
        if [each % whole.rank for each in node.op["axes"]] != [axis] or new.dims[axis] != 1:
            return None
        if any(not bool(whole.dims[place] == new.dims[place]) for place in others):
            return None
    k, v = (node.refs[1] for node in writes)
    turned = [_turned(graph, ref, layout, attention.op["head_dim"], alone) for ref in (q, k)]
    found = AttentionStep(attention, writes[0], writes[1], turned[0], turned[1], NewHeads(v, layout))
    length = attention.inputs[5] if len(attention.inputs) > 5 else None
    return found if length is None else _with_length(graph, found, position, length)


def _with_length(graph: Graph, step: AttentionStep, position: Ref, length: Ref) -> AttentionStep:
    """position + n as the length is a number that the kernel adds."""
    node = graph.node(length)
    if not _ADD.made_by(node) or position not in node.refs:
        return step
    (other,) = [ref for ref in node.refs if ref != position] or [position]
    constant = graph.node(other)
    if not constant.op.is_constant or constant.shape.num_elements != 1:
        return step
    beyond = int(constant.op["value"].array.reshape(-1)[0])
    return replace(step, beyond=beyond, length=(constant.id, node.id))


def _turned(graph: Graph, ref: Ref, layout: str, head_dim: int, alone: Callable[[Ref], bool]) -> NewHeads:
    """The heads behind a rope, looked for through the views that put heads first; else the value itself."""
    nodes, now, at = list[int](), ref, layout
    while alone(now):
        node = graph.node(now)
        if at == "bhsd" and _TRANSPOSE.made_by(node) and tuple(node.op["perm"]) == (0, 2, 1, 3):
            at = "bshd"
        elif at == "bshd" and _RESHAPE.made_by(node) and graph.shape(node.refs[0]).rank == 3:
            before, after = graph.shape(node.refs[0]).dims, node.shape.dims
            if not all(bool(a == b) for a, b in zip(before[:2], after[:2], strict=True)) or after[3] != head_dim:
                break
            at = "packed"
        elif _ROPE.made_by(node) and node.op["head_dim"] == head_dim:
            rank = graph.shape(node.refs[0]).rank
            if (at == "packed" and rank == 3) or (at == "bshd" and rank == 4):
                return NewHeads(node.refs[0], at, node, (*nodes, node.id))
            break
        else:
            break
        nodes.append(node.id)
        now = node.refs[0]
    return NewHeads(ref, layout)
