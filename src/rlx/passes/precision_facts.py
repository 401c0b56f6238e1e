"""What the precision pass leaves in f32 whatever the policy says, and why."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.core.dtype import f32
from rlx.core.enums import OpKind
from rlx.ir.graph import Graph, Node
from rlx.ir.pattern import op

_MOVES = (OpKind.Elementwise, OpKind.DataMovement)
ORDERS = op(("sort", "top_k"))
CAST = op("cast")


@dataclass(frozen=True)
class Facts:
    """Node ids by where their values come from and go to."""

    data: frozenset[int]  # depend on a float of the user; the others are positions, angles, masks, random numbers
    states: frozenset[int]  # states and movement of them
    masters: frozenset[int]  # on an elementwise way from a state or an updated param to an update

    @staticmethod
    def of(graph: Graph) -> Facts:
        """Read off one graph."""
        data: set[int] = set()
        states: set[int] = set()
        owned: set[int] = set()
        for node in graph.nodes:
            kind, reads = node.op.definition.kind, {ref.node for ref in node.refs}
            if node.op.definition.leaf:
                if not node.op.is_constant and node.shape.dtype.is_float:
                    data.add(node.id)
                if node.op.is_state:
                    states.add(node.id)
                if node.op.is_state or (node.op.is_param and node.op["name"] in graph.updates):
                    owned.add(node.id)
                continue
            if reads & data:
                data.add(node.id)
            if kind is OpKind.DataMovement and reads & states:
                states.add(node.id)
            if kind in _MOVES and reads & owned:
                owned.add(node.id)
        reach = {ref.node for ref in graph.updates.values()}
        for node in reversed(graph.nodes):
            if node.id in reach and node.op.definition.kind in _MOVES:
                reach.update(ref.node for ref in node.refs)
        return Facts(frozenset(data), frozenset(states), frozenset(owned & reach))


def kept_for(node: Node, graph: Graph, facts: Facts) -> str | None:
    """Why a node stays in the dtypes it has; None when the policy decides, "" when there is nothing to decide."""
    record = node.op.definition
    values = [ref for i, ref in enumerate(node.inputs) if ref is not None and record.operand(i).role == "value"]
    dtypes = {graph.shape(ref).dtype for ref in values}
    floats = {dtype for dtype in dtypes if dtype.is_float or dtype.is_complex or dtype.category == "f8"}
    if CAST.made_by(node) or floats != {f32}:
        return ""
    if record.keeps_f32:
        return record.keeps_f32
    if record.family == "custom":
        return "a registered op"
    if node.id not in facts.data:
        return "computed from constants and integers alone"
    tensors = [ref.node for i, ref in enumerate(node.inputs) if ref in values and record.operand(i).name != "state"]
    if node.id in facts.masters or (record.kind is not OpKind.Elementwise and any(i in facts.states for i in tensors)):
        return "it reads a state, which keeps its dtype"
    return None


def reads_as_is(node: Node) -> bool:
    """Comparisons and orderings: they round nothing, and rounding before them would make ties."""
    return ORDERS.made_by(node) or not any(shape.dtype is f32 for shape in node.results)
