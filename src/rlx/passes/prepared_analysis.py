"""Which values depend on params and constants alone, and so are computed once per param version; and what they are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rlx.core.aligned import Array
from rlx.core.enums import OpKind
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import Rewriter
from rlx.layouts.table import parse_layout
from rlx.layouts.weight_layout import WeightLayout


def prepared_nodes(graph: Graph) -> set[int]:
    """Ids of nodes computed from unpacked params (not updated here) and constants alone, leaves included."""
    prepared: set[int] = set()
    for node in graph.nodes:
        if node.op.is_param:
            if node.op["name"] not in graph.updates and node.op["scheme"] is None:
                prepared.add(node.id)
        elif any(shape.symbols() for shape in node.results) or node.op.symbols() or node.op.has_effect:
            continue  # its size is known only at run time, or it has an effect in each run
        elif node.op.is_constant or (node.refs and not node.op.definition.leaf and all(ref.node in prepared for ref in node.refs)):
            prepared.add(node.id)
    return prepared


def has_param(graph: Graph, prepared: set[int]) -> set[int]:
    """The prepared nodes that read at least one param."""
    with_param: set[int] = set()
    for node in graph.nodes:
        if node.id in prepared and (node.op.is_param or any(ref.node in with_param for ref in node.refs)):
            with_param.add(node.id)
    return with_param


def hoist(graph: Graph, prepared: set[int]) -> list[Node]:
    """Reorders nodes with leaves and prepared ones first, still in topological order."""
    first = [node for node in graph.nodes if node.id in prepared or node.op.definition.leaf]
    rest = [node for node in graph.nodes if node.id not in prepared and not node.op.definition.leaf]
    return first + rest


Step = tuple[str | int, ...]
"""An inverse of a data movement: ("unpack", layout, n, which), ("narrow", axis, start, length), ("transpose", *perm), ("reshape",
*dims)."""


@dataclass(frozen=True)
class Derivation:
    """The params a prepared value is computed from, and a key that is equal only for equal computations.

    `inverse` has the steps that recover a full param from the value, bit for bit, for params that were only moved.
    """

    key: str
    params: tuple[str, ...]
    inverse: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)


def derivations(prepare: Graph, made_for: str, looked_at: bool) -> dict[str, Derivation]:
    """The derivation of each output of a prepare graph.

    `made_for` names whatever else the bits may depend on; `looked_at`: arithmetic that makes NaN ends the run. Outputs of
    registered ops are left out, because keys do not contain their code.
    """
    from rlx.ops.control.custom_values import holds_user_op

    derived = {}
    for name, ref in prepare.output_refs.items():
        alone = _alone(prepare, ref)
        if not holds_user_op(alone):
            kinds = {node.op.definition.kind for node in alone.nodes if not node.op.definition.leaf}
            traps = "looked at" if looked_at and kinds != {OpKind.DataMovement} else ""
            key = hashlib.sha256("\n".join((alone.fingerprint(), made_for, traps)).encode()).hexdigest()
            derived[name] = Derivation(key, tuple(alone.params), _inverse(alone, alone.output_refs["value"], ()))
    return derived


def _unpack_steps(op: Op, shapes: Sequence[Shape]) -> list[Step]:
    layout: WeightLayout = op["layout"]
    return [("unpack", layout.name, int(layout.columns(shape)), which) for which, shape in enumerate(shapes)]


def _narrow_steps(op: Op, shapes: Sequence[Shape]) -> list[Step]:
    axis = op["axis"] % shapes[0].rank
    sizes = [int(shape.dims[axis]) for shape in shapes]
    return [("narrow", axis, sum(sizes[:index]), size) for index, size in enumerate(sizes)]


INVERSES: dict[str, Callable[[Op, Sequence[Shape]], list[Step]]] = {
    "pack": _unpack_steps,
    "concat": _narrow_steps,
    "transpose": lambda op, shapes: [("transpose", *(op["perm"].index(axis) for axis in range(len(op["perm"]))))],
    "reshape": lambda op, shapes: [("reshape", *map(int, shapes[0].dims))],
}
"""By data movement op, the steps that recover each operand from the result."""


def _inverse(graph: Graph, ref: Ref, steps: tuple[Step, ...]) -> dict[str, tuple[Step, ...]]:
    """The params that a value contains in full, and the steps that recover each from it."""
    node = graph.node(ref)
    if node.op.is_param:
        return {node.op["name"]: steps}
    shapes = [graph.shape(source) for source in node.refs]
    if node.op.name not in INVERSES or any(shape.dtype is not node.shape.dtype for shape in shapes):
        return {}  # not a pure data movement
    moves = INVERSES[node.op.name](node.op, shapes)
    inverse: dict[str, tuple[Step, ...]] = {}
    for source, move in zip(node.refs, moves, strict=True):
        inverse |= _inverse(graph, source, (*steps, move))
    return inverse


def undone(value: Array, steps: Sequence[Step]) -> Array:
    """Recovers a param from a prepared value by applying the inverse steps."""
    for move, *rest in steps:
        numbers = [number for number in rest if isinstance(number, int)]
        if move == "unpack":
            n, which = numbers
            value = parse_layout(str(rest[0])).unpack(value, n)[which]
        elif move == "narrow":
            axis, start, length = numbers
            value = value[(slice(None),) * axis + (slice(start, start + length),)]
        elif move == "transpose":
            value = value.transpose(numbers)
        else:
            value = value.reshape(numbers)
    return value


def _alone(graph: Graph, ref: Ref) -> Graph:
    """The subgraph that computes one value, with names that do not depend on the rest."""
    needed, todo = {ref.node}, [ref.node]
    while todo:
        new = {read.node for read in graph.nodes[todo.pop()].refs} - needed
        needed |= new
        todo += new
    part = Rewriter(graph, "", name="prepared")
    part.forget_symbols()
    part.forget_assumptions()
    for number in sorted(needed):
        part.copy(graph.nodes[number])
    part.graph.output_refs = {"value": part.ref(ref)}
    return part.graph
