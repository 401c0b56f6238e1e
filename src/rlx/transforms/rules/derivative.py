"""Derivatives of one node: what a `vjp` or `jvp` facet is given besides its values, and which values have derivatives at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeAlias

from rlx.core.dim import Relation
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.emit import add_input
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import Call, Op
from rlx.ir.value import Value

Maybe: TypeAlias = "Value | None"  # None is zero
Values: TypeAlias = Sequence[Any]  # of a node: a Value for each operand or result, None for what is missing or zero
Pull: TypeAlias = Callable[[Graph, Sequence[Maybe], Sequence[Maybe], Sequence[bool]], list[Maybe]]
Rule: TypeAlias = "Callable[[Derivative, Values, Values, Values], Sequence[Maybe]]"
Push: TypeAlias = Callable[[Graph, Sequence[Maybe], Sequence[Maybe]], tuple[list[Value], list[Maybe]]]


def differentiable(dtype: DType) -> bool:
    """Whether a dtype has derivatives: floats and complex numbers do, ints, bools and f8 do not."""
    return dtype.is_float or dtype.is_complex


class Derivative(Call):
    """A node that is being differentiated: its attributes and shapes, which operands want a gradient, and bodies' derivatives.

    `pull(body, operands, cotangents, wanted)` gives the gradients of a body's inputs, `push(body, operands, tangents)` its results and
    their tangents; both emit into the innermost graph of their values.
    """

    def __init__(
        self,
        op: Op,
        shapes: Sequence[Shape | None],
        assumptions: Sequence[Relation],
        wanted: Sequence[bool],
        pull: Pull,
        push: Push,
    ) -> None:
        super().__init__(op, shapes, assumptions)
        self.wanted, self.pull, self.push = tuple(wanted), pull, push

    def of(self, op: Op) -> Derivative:
        """Copies the `Derivative` for another op on the same operands."""
        return Derivative(op, self.shapes, self.assumptions, self.wanted, self.pull, self.push)


@dataclass(frozen=True)
class Both:
    """What a jvp rule returns that recomputes the results beside their tangents: these results replace the node's own."""

    results: Sequence[Value]
    tangents: Sequence[Maybe]


def no_slope(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of a piecewise constant op: no gradient for any operand."""
    return [None] * len(operands)


def depending(graph: Graph, sources: Collection[Ref]) -> set[Ref]:
    """Collects the values with a derivative by one of the sources: differentiable all the way, not stopped; sources included.

    What only an op without a slope leads to does not depend on them, so ops without a rule may follow it.
    """
    nodes = set(sources)
    for node in graph.nodes:
        stops = node.op.name == "stop_gradient" or node.op.definition.vjp is no_slope
        if not stops and any(ref in nodes for ref in node.refs):
            nodes.update(ref for ref in node.outputs if differentiable(graph.shape(ref).dtype))
    return nodes


def reaching(graph: Graph, seeded: Collection[Ref]) -> set[int]:
    """Collects the nodes that the seeded values are computed from."""
    nodes = {ref.node for ref in seeded}
    for node in reversed(graph.nodes):
        if node.id in nodes:
            nodes.update(ref.node for ref in node.refs)
    return nodes


def depending_outputs(body: Graph, inputs: Collection[int]) -> set[int]:
    """The positions of a body's outputs that depend on inputs by position."""
    refs = [node.ref for node in body.inputs.values()]
    nodes = depending(body, {refs[index] for index in inputs})
    return {index for index, ref in enumerate(body.output_refs.values()) if ref in nodes}


def total(values: Sequence[Maybe]) -> Maybe:
    """Adds the terms that are not None, in their order."""
    there = [value for value in values if value is not None]
    return reduce(add, there) if there else None


# -- compositions -----------------------------------------------------------------------------------------------
def trace_body(make: Callable[..., Any], operands: Sequence[Any], attrs: Any, call: Call) -> Graph:
    """Traces a body of `make(*operands, **attrs)` whose inputs are the operands that are present."""
    body = Graph(call.op.name, "mir")
    body.assumptions = list(call.assumptions)
    values = [None if x is None else add_input(body, f"x{index}", x.type) for index, x in enumerate(operands)]
    made = make(*values, **attrs)
    results = [made] if isinstance(made, Value) else list(made)
    body.set_output_refs({f"y{index}": value.ref for index, value in enumerate(results)})
    return body.freeze()


def present(values: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
    """The values of operands that are there."""
    return [value for value, x in zip(values, operands, strict=True) if x is not None]


def _composition(call: Derivative, make: Callable[..., Any] | None, operands: Sequence[Any]) -> Graph:
    chosen = make or call.op.definition.decompose
    assert chosen is not None, f"{call.op.name} has no decomposition"
    return trace_body(chosen, operands, call.op.attrs, call)


def vjp_by_parts(make: Callable[..., Any] | None = None) -> Rule:
    """The vjp of a composition: differentiates `make(*operands, **attrs)`, or the record's decomposition."""

    def rule(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
        body = _composition(call, make, operands)
        gradients = call.pull(body, present(operands, operands), cotangents, present(call.wanted, operands))
        left = iter(gradients)
        return [None if x is None else next(left) for x in operands]

    return rule


def jvp_by_parts(make: Callable[..., Any] | None = None) -> Rule:
    """The jvp of a composition, from the same body as `vjp_by_parts`."""

    def rule(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
        body = _composition(call, make, operands)
        return call.push(body, present(operands, operands), present(tangents, operands))[1]

    return rule
