"""Loops and branches taken apart: what of their results does not depend on the unknown operands is computed by itself.

Forward mode runs one loop for values and tangents. Split in two, the first loop gives the values and keeps the carries before each
step; the second carries the tangents alone, and computes each step again from the carry it had, as reverse mode does. Where no
carry may be kept (a while loop, a scan with checkpoints) the second runs the whole again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.ir.emit import inside_body
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.value import Value
from rlx.ops.control.control import cond_values, scan_values, while_values
from rlx.ops.control.scan import scan
from rlx.ops.control.while_loop import if_, while_
from rlx.transforms.rules.derivative import reaching
from rlx.transforms.rules.tape import NodeEmitter, effects_of, without_effects

Results = Sequence[Value]


# -- dependence -------------------------------------------------------------------------------------------------
def dependent(graph: Graph, unknown: Collection[Ref]) -> set[Ref]:
    """Collects the values computed from unknown ones, which are included; of loops and branches only the results that are."""
    nodes = set(unknown)
    for node in graph.nodes:
        flags = [ref in nodes for ref in node.inputs]
        if any(flags):
            nodes.update(node.outputs[index] for index in _dependent_results(node.op, flags, len(node.outputs)))
    return nodes


def _dependent_outputs(body: Graph, flags: Sequence[bool]) -> set[int]:
    """The positions of a body's outputs that depend on the inputs with a flag."""
    nodes = dependent(body, _flagged_inputs(body, flags))
    return {index for index, ref in enumerate(body.output_refs.values()) if ref in nodes}


def _flagged_inputs(body: Graph, flags: Sequence[bool]) -> set[Ref]:
    return {node.ref for node, flag in zip(body.inputs.values(), flags, strict=True) if flag}


def _dependent_results(op: Op, flags: Sequence[bool], count: int) -> Iterable[int]:
    """The positions of an op's results that depend on the operands with a flag."""
    if op.definition is if_ and not flags[0]:
        return _dependent_outputs(op["then"], flags[1:]) | _dependent_outputs(op["else"], flags[1:])
    if op.definition is scan:
        return _dependent_outputs(op["body"], _settle_flags(op["body"], op["num_carry"], flags))
    if op.definition is while_:
        settled = _settle_flags(op["body"], count, flags)
        if not _dependent_outputs(op["cond"], settled):
            return _dependent_outputs(op["body"], settled)
    return range(count)


def _settle_flags(body: Graph, carries: int, flags: Sequence[bool]) -> list[bool]:
    """Iterates the flags of a loop's operands to a fixed point: a carry depends on what the step computes it from."""
    settled = list(flags)
    while new := [index for index in _dependent_outputs(body, settled) if index < carries and not settled[index]]:
        for index in new:
            settled[index] = True
    return settled


# -- taking apart -----------------------------------------------------------------------------------------------
def apart(graph: Graph, unknown: Collection[Ref]) -> Graph:
    """Splits every loop and branch with both known and unknown results into two: one for each."""
    unknown_refs = dependent(graph, unknown)
    target = Graph(graph.name, graph.level)
    emitter = NodeEmitter(graph, target, {}, "linearize", keep_names=True)
    for node in graph.nodes:
        known = [index for index, ref in enumerate(node.outputs) if ref not in unknown_refs]
        divide = next((split for record, split in _APART if record is node.op.definition), None)
        if divide is None or not known or len(known) == len(node.outputs):
            emitter.copy(node)
            continue
        flags = [ref in unknown_refs for ref in node.inputs]
        emitter.declare(node, emitter.build(node, divide, node.op, emitter.operands(node), flags, known))
    target.set_output_refs({name: emitter.values[ref].ref for name, ref in graph.output_refs.items()})
    target.updates = {name: emitter.values[ref].ref for name, ref in graph.updates.items()}
    return target


def part(
    body: Graph, leaves: Mapping[Ref, Value], outputs: Sequence[Ref], beside: Value, effects: Sequence[Node] = ()
) -> list[Value]:
    """Emits some values and effects of a body on the leaves they read, in the graph of `beside` or the body being traced there."""
    needed = reaching(body, [*outputs, *(ref for node in effects for ref in node.refs)])
    needed |= {node.id for node in effects}
    emitter = NodeEmitter(body, inside_body(beside.graph), leaves, "linearize")
    for node in body.nodes:
        if node.id in needed and node.ref not in leaves:
            emitter.copy(node)
    return [emitter.values[ref] for ref in outputs]


def _part(
    body: Graph, inputs: Mapping[int, Value], outputs: Sequence[int], beside: Value, effects: Sequence[Node] = ()
) -> list[Value]:
    """Emits some outputs of a body on some of its inputs, by position."""
    nodes, refs = list(body.inputs.values()), list(body.output_refs.values())
    leaves = {nodes[index].ref: value for index, value in inputs.items()}
    return part(body, leaves, [refs[index] for index in outputs], beside, effects)


@dataclass(frozen=True)
class _Halved:
    """A body in two halves, its own loops and branches split: all of it with the known effects, and the rest without them."""

    whole: Graph
    effects: Sequence[Node]
    rest: Graph  # without those effects

    @property
    def rest_effects(self) -> list[Node]:
        """The effects that read unknown values."""
        return [node for node in self.rest.nodes if node.op.has_effect]


def _body(body: Graph, flags: Sequence[bool]) -> _Halved:
    whole = apart(body, _flagged_inputs(body, flags)).freeze()
    moving = dependent(whole, _flagged_inputs(whole, flags))
    later = {node.id for node in effects_of(whole, moving, known=False)}
    return _Halved(whole, effects_of(whole, moving, known=True), without_effects(whole, keep=later))


def _scan_apart(op: Op, operands: Sequence[Value], flags: Sequence[bool], known: Sequence[int]) -> Results:
    """Splits a scan: one for the known results, which saves its carries, and one for the others, which reads them."""
    count, fixed = op["num_carry"], op["num_carry"] + op["num_bcast"]
    flags = _settle_flags(op["body"], count, flags)
    halved = _body(op["body"], flags)
    inputs = range(len(operands))
    still = [i for i in inputs if not flags[i]]
    kept = [i for i in still if i < count] if op["num_checkpoints"] is None else []

    def loop(used: Sequence[int], rows: Sequence[int], extra: Sequence[Value], outputs: Sequence[int], save: Any) -> Any:
        """Emits a scan of some outputs; operands `used` unchanged, those at `rows` from the rows in `extra`."""
        places = [*used, *rows]
        second = used is not still
        body, effects = (halved.rest, halved.rest_effects) if second else (halved.whole, halved.effects)

        def step(*values: Value) -> list[Value]:
            inner = dict(zip(places, values, strict=True))
            return [*_part(body, inner, outputs, operands[0], effects), *(inner[index] for index in save)]

        groups = [[operands[i] for i in used if low <= i < high] for low, high in _ranges(count, fixed, len(operands))]
        reverse, length = op["reverse"], op["length"]
        return scan_values(step, groups[0], [*groups[2], *extra], bcasts=groups[1], length=length, reverse=reverse)

    first = list(loop(still, (), (), known, kept))
    results = dict(zip(known, first, strict=False))
    used = [i for i in inputs if i not in kept]
    total = len(op["body"].output_refs)
    outputs = [i for i in range(total) if i not in known or (i < count and i in used)]
    results = {**dict(zip(outputs, loop(used, kept, first[len(known) :], outputs, ()), strict=True)), **results}
    return [results[index] for index in range(total)]


def _ranges(*ends: int) -> list[tuple[int, int]]:
    return list(zip((0, *ends[:-1]), ends, strict=True))


def _while_apart(op: Op, operands: Sequence[Value], flags: Sequence[bool], known: Sequence[int]) -> Results:
    """Splits a while loop: one for the known carries, and the full loop for the others."""
    count = len(operands) - op["num_bcast"]
    flags = _settle_flags(op["body"], count, flags)
    body, cond = _body(op["body"], flags), _body(op["cond"], flags)
    rest = {"body": body.rest, "cond": cond.rest} if op.has_effect else {}
    bcasts = {index: operands[index] for index in range(count, len(operands)) if not flags[index]}

    def on(half: _Halved, outputs: Sequence[int]) -> Callable[..., list[Value]]:
        return lambda *values: _part(
            half.whole, {**dict(zip(known, values, strict=True)), **bcasts}, outputs, operands[0], half.effects
        )

    alone = while_values(
        [operands[index] for index in known],
        lambda *values: on(cond, (0,))(*values)[0],
        on(body, known),
        max_iterations=op["max_iterations"],
    )
    results = dict(zip(known, alone, strict=True))
    return [results.get(index, value) for index, value in enumerate(op.definition(*operands, **{**op.attrs, **rest}))]


def _if_apart(op: Op, operands: Sequence[Value], flags: Sequence[bool], known: Sequence[int]) -> Results:
    """Splits an if: one for the known results, and one for the others."""
    bodies = [_body(op[role], flags[1:]) for role in ("then", "else")]

    def choose_results(xs: Sequence[int], outputs: Sequence[int], second: bool) -> dict[int, Value]:
        def branch(half: _Halved) -> Callable[..., list[Value]]:
            body, effects = (half.rest, half.rest_effects) if second else (half.whole, half.effects)
            return lambda *values: _part(body, dict(zip(xs, values, strict=True)), outputs, operands[0], effects)

        results = cond_values(operands[0], branch(bodies[0]), branch(bodies[1]), [operands[index + 1] for index in xs])
        return dict(zip(outputs, results, strict=True))

    count = len(op["then"].output_refs)
    by_number = choose_results([index for index, flag in enumerate(flags[1:]) if not flag], known, False)
    by_number |= choose_results(range(len(operands) - 1), [index for index in range(count) if index not in known], True)
    return [by_number[index] for index in range(count)]


_APART = ((scan, _scan_apart), (while_, _while_apart), (if_, _if_apart))
