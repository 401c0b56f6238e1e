"""Jacobians: jvp or vjp vmapped over a basis, so that all columns or rows are computed at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.dim import product
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import emit, find_graph, inside_body, into
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, ValueMap
from rlx.ir.traced_bodies import outer_values, trace
from rlx.ir.value import Value
from rlx.module.graph import Graph
from rlx.module.levels import MirModule
from rlx.module.modules import GraphModule
from rlx.ops.control.fused import inline
from rlx.trace.tracer import graph_of
from rlx.trace.tree import leaves_of, rebuild
from rlx.transforms.graphs import Wrt, in_graph, source_of
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.tape import silent, without_effects
from rlx.transforms.traced_derivatives import check_holomorphic, checked_argnums, jvp_values, vjp_values
from rlx.transforms.vmap import vmap_values


def basis(graph: BaseGraph, shape: Shape) -> Value:
    """Emits the standard basis `[N, *dims]`: for each of the N elements of a tensor the tensor with a 1 there, zeros elsewhere."""
    count = product(shape.dims)
    places = [emit(OPS["iota"], (), {"shape": (count, count), "axis": axis}, graph=graph) for axis in (0, 1)]
    return (places[0] == places[1]).astype(shape.dtype).reshape(count, *shape.dims)


@dataclass(frozen=True)
class _Jacobian:
    """One kind of Jacobian: its name, whether the function is holomorphic, and which side must be real if it is not."""

    name: str
    holomorphic: bool
    real_arguments: bool = False
    real_results: bool = False

    def check(self, values: Sequence[Value], side: str, real: bool) -> None:
        """Raises for dtypes that this Jacobian does not exist for."""
        if self.holomorphic:
            check_holomorphic(values, self.name, side)
        for number, value in enumerate(values):
            if not (value.dtype.is_float or (value.dtype.is_complex and not real) or self.holomorphic):
                raise RlxError(
                    "RLX602",
                    f"{self.name} of a function whose {side} (leaf {number}) is {value.type}",
                    fix="floats; complex numbers as arguments of jacrev, as results of jacfwd, as both with holomorphic=True",
                )


# -- functions --------------------------------------------------------------------------------------------------
def jacfwd_values(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Callable[..., Any]:
    """`rlx.jacfwd` for calls on Values."""

    def columns(chosen: Callable[..., Any], leaves: list[Any], outputs: list[Value]) -> list[list[Value]]:
        columns: list[list[Value]] = []
        for index, leaf in enumerate(leaves):
            alone = _with_one(chosen, leaves, index)
            pushed = vmap_values(_push(alone, leaf), out_axes=-1)(basis(leaf.graph, leaf.type))
            columns.append([one.reshape(*out.shape, *leaf.shape) for one, out in zip(pushed, outputs, strict=True)])
        return [list(row) for row in zip(*columns, strict=True)]

    return _jacobian(function, argnums, _Jacobian("jacfwd", holomorphic, real_arguments=True), columns)


def _with_one(chosen: Callable[..., Any], leaves: Sequence[Any], index: int) -> Callable[[Value], Any]:
    """Restricts a function to one leaf; the other leaves are fixed."""
    return lambda leaf: chosen(*leaves[:index], leaf, *leaves[index + 1 :])


def _push(function: Callable[[Value], Any], leaf: Value) -> Callable[[Value], Any]:
    return lambda tangent: jvp_values(function, (leaf,), (tangent,))[1]


def jacrev_values(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Callable[..., Any]:
    """`rlx.jacrev` for calls on Values."""

    def rows(chosen: Callable[..., Any], leaves: list[Any], outputs: list[Value]) -> list[list[Value]]:
        blocks = []
        for index, out in enumerate(outputs):
            pulled = vmap_values(_pull(chosen, leaves, index))(basis(out.graph, out.type))
            blocks.append([one.reshape(*out.shape, *leaf.shape) for one, leaf in zip(pulled, leaves, strict=True)])
        return blocks

    return _jacobian(function, argnums, _Jacobian("jacrev", holomorphic, real_results=True), rows)


def _pull(chosen: Callable[..., Any], leaves: Sequence[Any], index: int) -> Callable[[Value], Any]:
    return lambda cotangent: vjp_values(lambda *xs: chosen(*xs)[index], *leaves)[1](cotangent)


def _jacobian(
    function: Callable[..., Any], argnums: int | Sequence[int], kind: _Jacobian, blocks: Callable[..., Any]
) -> Callable[..., Any]:
    """Jacobians of each leaf of the result, in the containers of the arguments; `blocks` computes them on flat leaves."""

    @functools.wraps(function)
    def call_on_blocks(*args: Any, **kwargs: Any) -> Any:
        numbers = checked_argnums(argnums, len(args), kind.name)
        wanted = [args[number] for number in numbers]
        graph = graph_of([function], (args, kwargs))
        outer, leaves = outer_values(leaves_of(in_graph(wanted, graph)), graph)
        containers: list[Any] = []

        def call_chosen(*given: Any) -> list[Any]:
            inside = dict(zip(numbers, rebuild(wanted, list(given)), strict=True))
            made = function(*(inside.get(number, arg) for number, arg in enumerate(args)), **kwargs)
            containers.append(made)
            return leaves_of(made)

        kind.check(leaves, "argument", kind.real_arguments)
        first = len(outer.nodes)
        _, outputs = outer_values(in_graph(call_chosen(*leaves), outer), outer)
        again = _without_effects(call_chosen, leaves, outer) if any(n.op.has_effect for n in outer.nodes[first:]) else call_chosen
        kind.check(outputs, "result", kind.real_results)
        rows = [rebuild(wanted, row) for row in blocks(again, leaves, outputs)]
        return rebuild(containers[0], [row[0] if isinstance(argnums, int) else tuple(row) for row in rows])

    return call_on_blocks


def _without_effects(function: Callable[..., Any], leaves: Sequence[Value], outer: BaseGraph) -> Callable[..., list[Value]]:
    """Removes the effects of a function whose effects have run already: Jacobians compute it again."""
    body, captured = trace(function, [leaf.type for leaf in leaves], outer, "function", stands_for=leaves)
    quiet = without_effects(body.freeze())

    def again(*given: Value) -> list[Value]:
        target = inside_body(find_graph(given))
        return list(inline(*(into(target, v) for v in (*given, *(Value(outer, ref) for ref in captured))), body=quiet))

    return again


# -- graphs -----------------------------------------------------------------------------------------------------
def jacfwd(module: Any, wrt: Wrt) -> GraphModule:
    """A graph of Jacobians, all columns at once: an output `jacobian_<output>_<name>` for each float output and each `wrt`.

    Its axes are those of the output, then those of the value it is taken by. Forward mode: for few inputs.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"y": x * x})
    >>> rlx.compile(rlx.autodiff.jacfwd(g, x), "reference")(x=np.float32([1, 2]))
    array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    return _of_graph(module, wrt, jacfwd_values, "jacfwd")


def jacrev(module: Any, wrt: Wrt) -> GraphModule:
    """As `jacfwd`, all rows at once. Reverse mode: for few outputs.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"y": x * x})
    >>> rlx.compile(rlx.autodiff.jacrev(g, "x"), "reference")(x=np.float32([1, 3]))
    array([[2., 0.],
           [0., 6.]], dtype=float32)
    """
    return _of_graph(module, wrt, jacrev_values, "jacrev")


def _of_graph(module: Any, wrt: Wrt, transform: Callable[..., Any], what: str) -> GraphModule:
    """Copies the graph, and emits the Jacobians of its outputs by each `wrt`."""
    source = source_of(module, wrt, what)
    rewriter = Rewriter(source.graph, what)
    for node in source.graph.nodes:
        rewriter.copy(node)
    target, values = rewriter.finish()
    names = [name for name, ref in source.graph.output_refs.items() if differentiable(source.graph.shape(ref).dtype)]
    for name, ref in [*source.wrt.items(), *((name, source.graph.output_refs[name]) for name in names)]:
        if source.graph.shape(ref).dtype.is_complex:
            message = f"{what} of a graph whose {name!r} is {source.graph.shape(ref)}"
            raise RlxError(
                "RLX602", message, fix=f"floats; autodiff.vjp and jvp, or rlx.{what} of a function, take complex numbers"
            )
    outputs = {}
    for name, ref in source.wrt.items():
        function = _from_value(source.graph, ref, [source.graph.output_refs[output] for output in names], target, values)
        for output, jacobian in zip(names, transform(function)(Value(target, values[ref])), strict=True):
            outputs[f"jacobian_{output}_{name}"] = jacobian.ref
    target.set_output_refs(outputs)
    refs = {old: values[ref] for old, ref in source.values.items() if ref in values}
    return GraphModule.from_mir(MirModule(Graph.adopt(target), refs))


def _from_value(
    source: BaseGraph, start: Ref, ends: Sequence[Ref], target: BaseGraph, values: ValueMap
) -> Callable[[Value], list[Value]]:
    """The outputs as a function of one value: it re-emits what depends on the value, and reads the rest in place."""

    def outputs(x: Value) -> list[Value]:
        inside = {start: x}
        for node in source.nodes:
            printed = node.op.definition.effect and not node.outputs  # by the copy of the graph
            if node.ref != start and any(ref in inside for ref in node.refs) and not printed:
                operands = [None if ref is None else inside.get(ref, Value(target, values[ref])) for ref in node.inputs]
                inputs = [None if value is None else into(x.graph, value).ref for value in operands]
                made = x.graph.add_node(silent(node.op), inputs, results=node.results, origin=node.origin)
                inside.update({old: Value(x.graph, new) for old, new in zip(node.outputs, made.outputs, strict=True)})
        return [inside.get(ref, Value(target, values[ref])) for ref in ends]

    return outputs
