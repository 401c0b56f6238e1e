"""Bodies as derivatives run them: a rule of a custom function computes the function's results anew, and these count from there on."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.ir.graph import Graph
from rlx.ir.value import Value
from rlx.transforms.rules.tape import open_tape


def _has_results_of_rules(body: Graph) -> bool:
    """Whether a derivative runs a body with other results than the body's own: those that rules of custom functions compute."""
    return any(
        (node.op.name == "custom_fn" and (node.op["vjp_fwd"] is not None or node.op["jvp_results"]))
        or any(_has_results_of_rules(inner) for _, inner in node.op.graphs())
        for node in body.nodes
    )


def as_recorded(body: Graph, wanted: Sequence[bool]) -> Graph:
    """The body as a derivative by some of its inputs runs it."""
    if not _has_results_of_rules(body):
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    inputs = [Value(made, made.add_node(node.op).ref) for node in body.inputs.values()]
    tape = open_tape(body, inputs, wanted, range(len(body.output_refs)), made)
    made.set_output_refs({name: tape.emitter.values[ref].ref for name, ref in body.output_refs.items()})
    return made.freeze()
