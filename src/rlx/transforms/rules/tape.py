"""The engine of reverse and forward mode: a graph emitted again, node by node, with the derivative rule of each.

`pull` and `push` differentiate a body on values of another graph; graph transforms, function transforms and the rules of
control flow all stand on these two. What they know about ops is only the facets `vjp`, `jvp` and `saving`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlx.core.dim import same
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import constant, find_graph, into
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import DERIVATIVES, OPS, Op
from rlx.ir.value import Value
from rlx.transforms.rules.derivative import (
    Both,
    Derivative,
    Maybe,
    depending,
    differentiable,
    jvp_by_parts,
    reaching,
    total,
    vjp_by_parts,
)

# -- bodies without their effects: what a derivative recomputes runs no callback a second time


def without_effects(body: Graph, *, unread: bool = False, keep: Collection[int] = ()) -> Graph:
    """Copies only the nodes that a body's outputs depend on, without effects; returns a body without effects unchanged.

    An output that is made of what an effect returned is an error: it would have to run again. In a body whose outputs nobody reads
    (`unread`) zeros stand for it. Nodes in `keep` stay as they are.
    """
    if not body.has_effect:
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    refs: dict[Ref, Ref] = {}
    needed = reaching(body, [*body.output_refs.values(), *(ref for index in keep for ref in body.node(index).refs)])
    for node in body.nodes:
        if node.op.definition.effect and node.id not in keep:
            if node.id in needed:
                refs.update(zip(node.outputs, _zeros(made, node, unread), strict=True))
        elif node.id in needed or node.id in keep or node.op.is_input:
            inputs = [None if ref is None else refs[ref] for ref in node.inputs]
            op = node.op if node.id in keep else silent(node.op, unread=unread)
            copy = made.add_node(op, inputs, results=node.results, name=node.name, origin=node.origin)
            refs.update(zip(node.outputs, copy.outputs, strict=True))
    made.set_output_refs({name: refs[ref] for name, ref in body.output_refs.items()})
    return made.freeze()


def silent(op: Op, *, unread: bool = False) -> Op:
    """Removes the effects from an op's bodies; those of derivatives, which run where one is taken, stay."""
    if not op.has_effect:
        return op
    bodies = {role: without_effects(body, unread=unread) for role, body in op.graphs() if role not in DERIVATIVES}
    return op.with_attrs(**bodies)


def _zeros(graph: Graph, node: Node, unread: bool) -> list[Ref]:
    """Emits zeros for the results of an effect that does not run."""
    if not unread:
        message = f"a derivative computes again what {node.op.name} is part of, and needs its results: it would run twice"
        fix = "call it outside of the loop, branch or checkpoint; or use pure_callback, which may run again"
        raise RlxError("RLX601", message, fix=fix, at=node.origin.location)
    zeros = []
    for shape in node.results:
        nothing = constant(graph, 0, shape.dtype)
        zeros.append((OPS["expand"](nothing, shape=shape.dims) if shape.rank else nothing).ref)
    return zeros


def effects_of(graph: Graph, moving: Collection[Ref], *, known: bool) -> list[Node]:
    """The nodes with side effects that read none of some values (`known`), or at least one of them."""
    return [node for node in graph.nodes if node.op.has_effect and known != any(ref in moving for ref in node.refs)]


@dataclass(frozen=True)
class Entry:
    """One recorded node: its operands and results as emitted, and the residuals it saved behind them."""

    node: Node
    operands: tuple[Maybe, ...]
    results: tuple[Value, ...]


class NodeEmitter:
    """Copies nodes of a source graph into a target, on the operands that values there map to."""

    def __init__(self, source: Graph, target: Graph, leaves: Mapping[Ref, Value], made_by: str, keep_names: bool = False) -> None:
        self.source, self.target, self.made_by, self.keep_names = source, target, made_by, keep_names
        self.values: dict[Ref, Value] = dict(leaves)
        for fact in source.assumptions:
            target.assume(fact)

    def operands(self, node: Node) -> tuple[Maybe, ...]:
        """The target's values for a node's operands."""
        return tuple(None if ref is None else self.values[ref] for ref in node.inputs)

    def copy(self, node: Node) -> tuple[Value, ...]:
        """Copies a node on the new operands."""
        inputs = [None if value is None else into(self.target, value).ref for value in self.operands(node)]
        origin = node.origin if self.keep_names else replace(node.origin, made_by=self.made_by)
        name = node.name if self.keep_names else None
        made = self.target.add_node(node.op, inputs, results=node.results, name=name, origin=origin)
        return self.declare(node, [Value(self.target, ref) for ref in made.outputs])

    def silence(self, position: int) -> None:
        """Removes the effects of a copy that nobody reads any more, because another replaces it."""
        node = self.target.nodes[position]
        if node.op.has_effect:
            self.target.nodes[position] = replace(node, op=silent(node.op, unread=True))

    def declare(self, node: Node, results: Sequence[Value]) -> tuple[Value, ...]:
        """Declares the target's values for a node's results."""
        self.values.update(zip(node.outputs, results, strict=True))
        return tuple(results)

    def build(self, node: Node, make: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a derivative rule; the nodes it emits here get the origin of `node`."""
        first = len(self.target.nodes)
        value = make(*arguments)
        origin = replace(node.origin, made_by=self.made_by)
        for position in range(first, len(self.target.nodes)):
            self.target.nodes[position] = replace(self.target.nodes[position], origin=origin)
        return value

    def call(self, node: Node, wanted: Sequence[bool]) -> Derivative:
        """The `Derivative` of a node, which rules get."""
        shapes = [None if ref is None else self.source.shape(ref) for ref in node.inputs]
        return Derivative(node.op, shapes, self.target.assumptions, wanted, pull, push)


def rule_of(op: Op, facet: str, node: Node) -> Callable[..., Any]:
    """The derivative rule of an op, by its parts where nothing else is given; a reason raises."""
    rule = getattr(op.definition, facet)
    if rule is None and op.definition.decompose is not None:
        rule = vjp_by_parts() if facet == "vjp" else jvp_by_parts()
    if callable(rule):
        return rule
    reason = f"it was registered without {facet}=… and decompose=…" if rule is None else str(rule)
    raise RlxError("RLX601", f"{op.name} has no {facet}: {reason}", at=node.origin.location)


def check_type(what: str, actual: Value, expected_shape: Shape, node: Node) -> None:
    """Checks that a gradient has the type of its operand, and a tangent that of its result."""
    fits = actual.dtype is expected_shape.dtype and actual.rank == expected_shape.rank
    facts = actual.graph.assumptions
    if not fits or not all(same(mine, other, facts) for mine, other in zip(actual.shape, expected_shape.dims, strict=True)):
        raise RlxError("RLX605", f"{what} of {node.op.name} is {actual.type}, expected {expected_shape}", at=node.origin.location)


# -- reverse ----------------------------------------------------------------------------------------------------
class Tape:
    """Records the forward pass of a graph as it is emitted, and runs the backward pass."""

    def __init__(
        self,
        emitter: NodeEmitter,
        expected_shape: Collection[Ref],
        seeded: Collection[Ref],
        saved: Mapping[Ref, Value] | None = None,
    ) -> None:
        self.emitter, self.sources, self.saved = emitter, set(expected_shape), saved or {}
        self.active = depending(emitter.source, expected_shape)
        self.useful = reaching(emitter.source, seeded)
        self.entries: list[Entry] = []

    def record(self, node: Node) -> None:
        """Emits a node; if gradients flow through it, records it and saves the residuals that its rule needs."""
        emitter = self.emitter
        flags = tuple(ref is not None and ref in self.active for ref in node.inputs)
        passes = node.id in self.useful and any(flags) and any(ref in self.active for ref in node.outputs)
        saving = node.op.definition.saving
        known = {ref: self.saved[ref] for ref in node.outputs if ref in self.saved}
        if passes and saving is not None:
            results, saved = emitter.build(node, saving, emitter.call(node, flags), emitter.operands(node))
            made = (*emitter.declare(node, results), *saved)
        elif known and len(known) == len(node.outputs):
            made = emitter.declare(node, list(known.values()))
        else:
            made = emitter.copy(node)
        if passes:
            self.entries.append(Entry(node, emitter.operands(node), made))
        emitter.values.update(known)

    def pull(self, seeds: Mapping[Ref, Sequence[Value]]) -> dict[Ref, Value]:
        """Runs the backward pass: the gradient of every value that has one, from cotangents of some."""
        terms: dict[Ref, list[Maybe]] = {ref: list(values) for ref, values in seeds.items()}
        sums: dict[Ref, Value] = {}

        def settle(ref: Ref, node: Node | None) -> Maybe:
            if ref not in sums and terms.get(ref):
                whole = total(terms[ref]) if node is None else self.emitter.build(node, total, terms[ref])
                assert whole is not None
                sums[ref] = whole
            return sums.get(ref)

        for entry in reversed(self.entries):
            node = entry.node
            cotangents = [settle(ref, node) for ref in node.outputs]
            if all(value is None for value in cotangents):
                continue
            flags = [ref is not None and ref in self.active for ref in node.inputs]
            rule = rule_of(node.op, "vjp", node)
            call = self.emitter.call(node, flags)
            gradients = self.emitter.build(node, rule, call, entry.operands, entry.results, cotangents)
            for ref, flag, gradient in zip(node.inputs, flags, gradients, strict=True):
                if ref is not None and flag and gradient is not None:
                    check_type(f"the gradient {ref}", gradient, self.emitter.source.shape(ref), node)
                    terms.setdefault(ref, []).append(gradient)
        for ref in list(terms):
            settle(ref, None)
        return sums


def open_tape(
    body: Graph,
    operands: Sequence[Maybe],
    wanted: Sequence[bool],
    seeded: Collection[int],
    target: Graph,
    only_useful: bool = False,
    saved: Mapping[Ref, Value] | None = None,
) -> Tape:
    """Emits a body on operands and records its tape: for inputs that are wanted, from outputs that get cotangents.

    Values of the body that are `saved` are read where they are, not computed again.
    """
    inputs = [node.ref for node in body.inputs.values()]
    leaves = {ref: into(target, value) for ref, value in zip(inputs, operands, strict=True) if value is not None}
    sources = {ref for ref, flag in zip(inputs, wanted, strict=True) if flag and differentiable(body.shape(ref).dtype)}
    outputs = list(body.output_refs.values())
    known = {ref: into(target, value) for ref, value in (saved or {}).items()}
    tape = Tape(NodeEmitter(body, target, leaves, "vjp"), sources, [outputs[index] for index in seeded], known)
    for node in body.nodes:
        if not node.op.is_input and (node.id in tape.useful or not only_useful):
            tape.record(node)
    return tape


def pull_tape(tape: Tape, cotangents: Sequence[Maybe]) -> list[Maybe]:
    """Pulls cotangents of a taped body's outputs back to gradients of its inputs."""
    body = tape.emitter.source
    seeds: dict[Ref, list[Value]] = {}
    for ref, cotangent in zip(body.output_refs.values(), cotangents, strict=True):
        if cotangent is not None and ref in tape.active:
            seeds.setdefault(ref, []).append(cotangent)
    gradients = tape.pull(seeds)
    return [gradients.get(node.ref) if node.ref in tape.sources else None for node in body.inputs.values()]


def pull(
    body: Graph,
    operands: Sequence[Maybe],
    cotangents: Sequence[Maybe],
    wanted: Sequence[bool],
    saved: Mapping[Ref, Value] | None = None,
) -> list[Maybe]:
    """Pulls cotangents of a body's outputs back to its inputs; what of the body the gradients read is emitted first.

    The body has run elsewhere: what is emitted again has no effects (and then nothing of it is `saved`, which names its own values).
    """
    quiet = without_effects(body)
    saved, body = saved if quiet is body else None, quiet
    target = find_graph([*operands, *cotangents])
    seeded = [index for index, cotangent in enumerate(cotangents) if cotangent is not None]
    tape = open_tape(body, operands, wanted, seeded, target, only_useful=True, saved=saved)
    return pull_tape(tape, [None if value is None else into(target, value) for value in cotangents])


# -- forward ----------------------------------------------------------------------------------------------------
def push_node(emitter: NodeEmitter, node: Node, tangents: dict[Ref, Value]) -> None:
    """Emits a node and, where an operand has a tangent, the tangents of its results."""
    made = len(emitter.target.nodes)
    results = emitter.copy(node)
    moving = [None if ref is None else tangents.get(ref) for ref in node.inputs]
    if all(tangent is None for tangent in moving) or not any(differentiable(shape.dtype) for shape in node.results):
        return
    call = emitter.call(node, [tangent is not None for tangent in moving])
    pushed = emitter.build(node, rule_of(node.op, "jvp", node), call, emitter.operands(node), results, moving)
    if isinstance(pushed, Both):
        emitter.declare(node, pushed.results)
        emitter.silence(made)
        pushed = pushed.tangents
    for ref, shape, tangent in zip(node.outputs, node.results, pushed, strict=True):
        if tangent is not None and differentiable(shape.dtype):
            check_type("a tangent", tangent, shape, node)
            tangents[ref] = tangent


def push(body: Graph, operands: Sequence[Maybe], tangents: Sequence[Maybe]) -> tuple[list[Value], list[Maybe]]:
    """Emits a body with tangents of its inputs; returns its results and their tangents."""
    target = find_graph([*operands, *tangents])
    inputs = [node.ref for node in body.inputs.values()]
    leaves = {ref: into(target, value) for ref, value in zip(inputs, operands, strict=True) if value is not None}
    emitter = NodeEmitter(body, target, leaves, "jvp")
    moving = {ref: into(target, value) for ref, value in zip(inputs, tangents, strict=True) if value is not None}
    for node in body.nodes:
        if not node.op.is_input:
            push_node(emitter, node, moving)
    outputs = list(body.output_refs.values())
    return [emitter.values[ref] for ref in outputs], [moving.get(ref) for ref in outputs]
