"""Bodies: Python functions traced into frozen graphs, with the values they close over as extra inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import constant, find_graph, inside_body, into
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS
from rlx.ir.questions import questions_of
from rlx.ir.value import Value

Array = npt.NDArray[Any]
Body: TypeAlias = Graph | Callable[..., Any]


class _BodyGraph(Graph):
    """A body during tracing: it captures large arrays from the enclosing graph, if that one lifts them."""

    if not TYPE_CHECKING:  # the methods of a user's graph are declared where that is

        def __getattr__(self, name: str) -> Any:
            """A method of the enclosing graph's class on this body: inside a scan `carry.graph.sin(carry)` builds here."""
            outermost: Graph = self
            while outermost.parent is not None:
                outermost = outermost.parent
            method = None if name.startswith("__") else getattr(type(outermost), name, None)
            if not isinstance(method, FunctionType):
                raise AttributeError(f"the body of a loop or branch has no {name!r}; rlx.numpy has functions on Values")
            return MethodType(method, self)

    def lift(self, array: Array) -> Ref | None:
        """The captured input of an array that the outermost graph holds as a param; None: it stays a constant."""
        find = getattr(self.parent, "lift", None)
        ref = None if find is None else find(array)
        return None if ref is None or self.parent is None else into(self, Value(self.parent, ref)).ref


@contextmanager
def _open(body: Graph, branch: bool) -> Iterator[None]:
    """Opens a body for tracing: ops on outer values go into a branch, but stay outside a loop's body, computed once."""
    root = body
    while root.parent is not None:
        root = root.parent
    before = root.open_body, root.open_branch
    root.open_body, root.open_branch = body, body if branch else root.open_branch
    try:
        yield
    finally:
        root.open_body, root.open_branch = before


def trace(
    body: Body,
    shapes: Sequence[Shape],
    outer: Graph,
    name: str,
    *,
    branch: bool = False,
    stands_for: Sequence[Value | None] | None = None,
) -> tuple[Graph, list[Ref]]:
    """Traces `body` on inputs of these shapes: returns an unfrozen graph and the outer values it closes over.

    The inputs are the arguments, then one for each captured value. What the arguments stand for, if they stand for values, answers
    what Python asks about them.
    """
    if isinstance(body, Graph):
        return body, []
    inner = _BodyGraph(name, outer.level)
    inner.parent, inner.assumptions = outer, list(outer.assumptions)
    inputs = OPS["input"]
    arguments = [Value(inner, inner.add_node(inputs.op(name=f"x{i}", shape=shape)).ref) for i, shape in enumerate(shapes)]
    questions = questions_of(outer)
    if questions is not None and stands_for is not None:
        questions.bind(inner, [argument.ref for argument in arguments], stands_for)
    with _open(inner, branch):
        made = body(*arguments)
    results = list(made.values()) if isinstance(made, Mapping) else list(made) if isinstance(made, (tuple, list)) else [made]
    refs = {}
    for index, value in enumerate(results):
        if value is None or isinstance(value, (tuple, list, dict, str)):
            raise RlxError("RLX114", f"result {index} of the {name} is {value!r}", fix="return Values, flat")
        refs[f"y{index}"] = (into(inner, value) if isinstance(value, Value) else constant(inner, value)).ref
    inner.set_output_refs(refs)
    captured = [ref for ref, _ in inner.captures]
    inner.parent = None
    return inner, captured


def with_inputs(body: Graph, order: Sequence[int | Shape]) -> Graph:
    """Freezes a body with its inputs in another order; a Shape adds an input that the body does not read."""
    old = list(body.inputs.values())
    names = [f"unread_{index}" if isinstance(item, Shape) else old[item].op["name"] for index, item in enumerate(order)]
    if names == [node.op["name"] for node in old]:
        return body.freeze()
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    refs: dict[Ref, Ref] = {}
    for name, item in zip(names, order, strict=True):
        shape = item if isinstance(item, Shape) else old[item].shape
        ref = made.add_node(OPS["input"].op(name=name, shape=shape)).ref
        if not isinstance(item, Shape):
            refs[old[item].ref] = ref
    for node in body.nodes:
        if not node.op.is_input:
            inputs = [None if ref is None else refs[ref] for ref in node.inputs]
            copy = made.add_node(node.op, inputs, results=node.results, name=node.name, origin=node.origin)
            refs.update(zip(node.outputs, copy.outputs, strict=True))
    made.set_output_refs({name: refs[ref] for name, ref in body.output_refs.items()})
    return made.freeze()


def returning_twice(body: Body) -> Body:
    """Builds a body that returns every result of this one twice: carries that are also ys."""
    if isinstance(body, Graph):
        made = Graph(body.name, body.level)
        made.nodes, made.symbols, made.assumptions = list(body.nodes), dict(body.symbols), list(body.assumptions)
        made._leaves = dict(body._leaves)
        made.set_output_refs({**body.output_refs, **{f"{name}_each": ref for name, ref in body.output_refs.items()}})
        return made
    plain = body

    def twice(*values: Value) -> tuple[Any, ...]:
        made = plain(*values)
        listed = tuple(made) if isinstance(made, (tuple, list)) else (made,)
        return (*listed, *listed)

    return twice


def outer_values(values: Sequence[Any], graph: Graph | None) -> tuple[Graph, list[Value]]:
    """Returns the graph that a node is added to, and the operands as its Values."""
    outer = inside_body(graph if graph is not None else find_graph(values))
    return outer, [into(outer, value) if isinstance(value, Value) else constant(outer, value) for value in values]


def add_captures(traced: Sequence[tuple[Graph, Sequence[Ref]]], outer: Graph) -> tuple[list[Graph], list[Ref]]:
    """Adds what any of several traced bodies closes over to the inputs of all; returns the bodies and the captures."""
    union = list(dict.fromkeys(ref for _, captured in traced for ref in captured))
    bodies = []
    for body, captured in traced:
        own = len(body.inputs) - len(captured)
        order: list[int | Shape] = list(range(own))
        order += [own + captured.index(ref) if ref in captured else outer.shape(ref) for ref in union]
        bodies.append(with_inputs(body, order))
    return bodies, union
