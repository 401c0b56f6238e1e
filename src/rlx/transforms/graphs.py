"""Derivatives of graphs: `grad`, `grad_with_loss`, `vjp`, `jvp`, `hvp`. Each gives a new module whose `resolve` follows old Values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from rlx.core.dtype import c128, f64
from rlx.core.enums import FusionPolicy
from rlx.core.errors import RlxError
from rlx.ir.emit import constant
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import ValueMap
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, WeakValue, taken_as
from rlx.module.graph import Graph
from rlx.module.levels import MirModule, Module
from rlx.module.modules import GraphModule
from rlx.trace.tracer import graph_of
from rlx.trace.tree import leaves_of, map_leaves, with_leaves
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.formulas import zeros_like
from rlx.transforms.rules.tape import NodeEmitter, Tape, push_node

Wrt = Value | str | Sequence[Value | str]


# -- what is differentiated -------------------------------------------------------------------------------------
@dataclass
class Source:
    """A MIR graph to transform, the locations of its Values, and what it is differentiated by: names and Refs."""

    graph: BaseGraph
    values: ValueMap
    wrt: dict[str, Ref]

    def emitter(self, made_by: str) -> NodeEmitter:
        """Begins a new graph with the symbols of this one; its nodes keep their names and origins."""
        target = Graph(self.graph.name, "mir")
        target.symbols, target.assumptions = dict(self.graph.symbols), list(self.graph.assumptions)
        return NodeEmitter(self.graph, target, {}, made_by, keep_names=True)

    def finish(self, emitter: NodeEmitter, outputs: dict[str, Ref]) -> GraphModule:
        """Finishes the new module: updates stay updates."""
        target = emitter.target
        target.set_output_refs(outputs)
        target.updates = {name: emitter.values[ref].ref for name, ref in self.graph.updates.items()}
        refs = {old: emitter.values[ref].ref for old, ref in self.values.items() if ref in emitter.values}
        return GraphModule.from_mir(MirModule(Graph.adopt(target), refs))


def lower_for_derivative(module: Any, what: str) -> tuple[BaseGraph, ValueMap]:
    """Lowers a graph for differentiation: HIR to primitives, MIR stays as it is; LIR raises."""
    if isinstance(module, BaseGraph):
        module = GraphModule.from_graph(module)
    if isinstance(module, Module):
        module = GraphModule(module)
    if not isinstance(module, GraphModule):
        raise RlxError(
            "RLX105",
            f"{what} of a {type(module).__name__}",
            fix="a Graph or a GraphModule; rlx.grad, rlx.vjp and rlx.jvp take functions",
        )
    if module.as_lir() is not None:
        raise RlxError("RLX402", f"{what} of a LIR module", fix=f"transforms work on MIR: call {what} before rlx.graphs.lower")
    made = module.lower_to_mir(FusionPolicy.for_autodiff()).as_mir()
    assert made is not None
    return made.graph, made.value_map or {ref: ref for node in made.graph.nodes for ref in node.outputs}


def source_of(module: Any, wrt: Wrt, what: str) -> Source:
    """Builds the `Source` of a graph or module, with what it is differentiated by."""
    graph, values = lower_for_derivative(module, what)
    refs: dict[str, Ref] = {}
    for item in [wrt] if isinstance(wrt, (Value, str)) else list(wrt):
        ref = _find_named_value(graph, item) if isinstance(item, str) else _follow(graph, values, item)
        name = item if isinstance(item, str) else item.name or graph.node(ref).name or f"v{item.ref.node}"
        if not differentiable(graph.shape(ref).dtype):
            raise RlxError(
                "RLX602", f"{what} by {name!r}, which is {graph.shape(ref)}", fix="floats and complex numbers have derivatives"
            )
        if graph.node(ref).op.attrs.get("scheme") is not None:
            raise RlxError("RLX602", f"{what} by the packed param {name!r}", fix="train dense weights with fake_quantize, or LoRA")
        if name in refs:
            raise RlxError("RLX602", f"{what} by two values named {name!r}", fix="give them names: g.add(x, y, name=…)")
        refs[name] = ref
    if not refs:
        raise RlxError("RLX602", f"{what} by nothing", fix="wrt takes at least one Value or name")
    return Source(graph, values, refs)


def _find_named_value(graph: BaseGraph, name: str) -> Ref:
    """Finds an input, param or state, an output, or a named node."""
    for kind in ("input", "param", "state"):
        leaf = graph.leaf(kind, name)
        if leaf is not None:
            return leaf
    if name in graph.output_refs:
        return graph.output_refs[name]
    for node in graph.nodes:
        if node.name == name:
            return node.ref
    known = ", ".join([*graph.inputs, *graph.params, *graph.states]) or "none"
    raise RlxError("RLX602", f"there is nothing named {name!r} in graph {graph.name!r}", fix=f"its leaves: {known}")


def _follow(graph: BaseGraph, values: ValueMap, value: Value) -> Ref:
    """Maps a Value of this graph, or of the one it was made from, to its Ref here."""
    if value.graph is graph:
        return value.ref
    if value.ref not in values:
        raise RlxError("RLX602", f"{value!r} of graph {value.graph.name!r} is gone", fix="pass a Value of this module, or a name")
    return values[value.ref]


# -- reverse ----------------------------------------------------------------------------------------------------
def _reverse(source: Source, seeded: Sequence[str], cotangent_of: Any) -> tuple[NodeEmitter, dict[str, Ref]]:
    """Copies the graph, and emits the gradients of `wrt` for cotangents of some outputs."""
    graph = source.graph
    emitter = source.emitter("vjp")
    tape = Tape(emitter, set(source.wrt.values()), [graph.output_refs[name] for name in seeded])
    for node in graph.nodes:
        tape.record(node)
    cotangents: dict[Ref, list[Value]] = {}
    for name in seeded:
        cotangents.setdefault(graph.output_refs[name], []).append(cotangent_of(emitter, name))
    pulled = tape.pull({ref: values for ref, values in cotangents.items() if ref in tape.active})
    gradients = {}
    for name, ref in source.wrt.items():
        gradient = pulled.get(ref)
        gradients[f"grad_{name}"] = (zeros_like(emitter.values[ref]) if gradient is None else gradient).ref
    return emitter, gradients


def _loss_name(source: Source, output: str | None, what: str) -> str:
    outputs = source.graph.output_refs
    if output is None and len(outputs) != 1:
        raise RlxError("RLX603", f"{what} of a graph with {len(outputs)} outputs", fix=f"output=…, one of {', '.join(outputs)}")
    name = next(iter(outputs)) if output is None else output
    if name not in outputs:
        raise RlxError("RLX109", f"{what}: there is no output {name!r}", fix=f"the outputs are {', '.join(outputs)}")
    shape = source.graph.shape(outputs[name])
    if shape.rank != 0 or not shape.dtype.is_float:
        raise RlxError(
            "RLX603", f"{what} of the output {name!r} : {shape}", fix="a float scalar, such as its .mean(); vjp takes any shape"
        )
    return name


def _one(emitter: NodeEmitter, name: str) -> Value:
    return constant(emitter.target, 1.0, emitter.source.shape(emitter.source.output_refs[name]).dtype)


def grad(module: Any, wrt: Wrt, *, output: str | None = None) -> GraphModule:
    """A graph of the gradients of its one scalar output: outputs `grad_<name>`, one for each `wrt`.

    `wrt` is a Value or a name, or a list of them: inputs, params, states, or values in between. HIR is lowered first. States count
    as inputs; updates stay updates, and are not differentiated. Of several outputs `output` names the one. A gradient by a complex
    value is dL/dRe + i·dL/dIm as in torch, the conjugate of `rlx.grad`'s.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square")
    >>> x = g.input("x", (3,))
    >>> g.set_outputs({"loss": (x * x).sum()})
    >>> rlx.compile(rlx.autodiff.grad(g, x), "reference")(x=np.float32([1, 2, 3]))
    array([2., 4., 6.], dtype=float32)
    """
    source = source_of(module, wrt, "grad")
    emitter, gradients = _reverse(source, [_loss_name(source, output, "grad")], _one)
    return source.finish(emitter, gradients)


def grad_with_loss(module: Any, wrt: Wrt, *, output: str | None = None) -> GraphModule:
    """As `grad`, with the outputs of the graph in front of the gradients.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"loss": (x * x).sum()})
    >>> rlx.compile(rlx.autodiff.grad_with_loss(g, "x"), "reference").run({"x": np.float32([1, 2])})
    {'loss': array(5., dtype=float32), 'grad_x': array([2., 4.], dtype=float32)}
    """
    source = source_of(module, wrt, "grad_with_loss")
    emitter, gradients = _reverse(source, [_loss_name(source, output, "grad_with_loss")], _one)
    return source.finish(emitter, {**_outputs(emitter), **gradients})


def vjp(module: Any, wrt: Wrt) -> GraphModule:
    """Outputs and the gradients `grad_<name>` for cotangents given as inputs `d_<output>`, one for each float or complex output.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("double")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"y": x * 2})
    >>> rlx.compile(rlx.autodiff.vjp(g, x), "reference").run({"x": np.float32([1, 2]), "d_y": np.float32([1, 10])})["grad_x"]
    array([ 2., 20.], dtype=float32)
    """
    source = source_of(module, wrt, "vjp")
    outputs = source.graph.output_refs
    seeded = [name for name, ref in outputs.items() if differentiable(source.graph.shape(ref).dtype)]
    if not seeded:
        raise RlxError("RLX603", "vjp of a graph without a float or complex output")

    def cotangent(emitter: NodeEmitter, name: str) -> Value:
        shape = source.graph.shape(outputs[name])
        return Value(emitter.target, emitter.target.add_node(OPS["input"].op(name=f"d_{name}", shape=shape)).ref)

    emitter, gradients = _reverse(source, seeded, cotangent)
    return source.finish(emitter, {**_outputs(emitter), **gradients})


def _outputs(emitter: NodeEmitter) -> dict[str, Ref]:
    return {name: emitter.values[ref].ref for name, ref in emitter.source.output_refs.items()}


# -- forward ----------------------------------------------------------------------------------------------------
def jvp(module: Any, wrt: Wrt) -> GraphModule:
    """Outputs and their tangents `tangent_<output>` for tangents given as inputs `tangent_<name>`.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"y": x * x})
    >>> rlx.compile(rlx.autodiff.jvp(g, "x"), "reference").run({"x": np.float32([1, 2]), "tangent_x": np.float32([1, 1])})["tangent_y"]
    array([2., 4.], dtype=float32)
    """
    return _forward(source_of(module, wrt, "jvp"))


def _forward(source: Source) -> GraphModule:
    """Copies the graph with tangents beside its values."""
    graph, emitter = source.graph, source.emitter("jvp")
    given = {ref: name for name, ref in source.wrt.items()}
    tangents: dict[Ref, Value] = {}
    for node in graph.nodes:
        if node.op.definition.leaf:
            emitter.copy(node)
        else:
            push_node(emitter, node, tangents)
        for ref in node.outputs:
            if ref in given:
                op = OPS["input"].op(name=f"tangent_{given[ref]}", shape=graph.shape(ref))
                tangents[ref] = Value(emitter.target, emitter.target.add_node(op).ref)
    outputs = _outputs(emitter)
    for name, ref in graph.output_refs.items():
        if differentiable(graph.shape(ref).dtype):
            tangent = tangents.get(ref)
            outputs[f"tangent_{name}"] = (zeros_like(emitter.values[ref]) if tangent is None else tangent).ref
    return source.finish(emitter, outputs)


def hvp(module: Any, wrt: Wrt, *, output: str | None = None) -> GraphModule:
    """The Hessian of a scalar output times a direction, forward over reverse: inputs `tangent_<name>`, outputs `hvp_<name>`.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("cube")
    >>> x = g.input("x", (2,))
    >>> g.set_outputs({"loss": (x * x * x).sum()})
    >>> rlx.compile(rlx.autodiff.hvp(g, "x"), "reference")(x=np.float32([1, 2]), tangent_x=np.float32([1, 1]))
    array([ 6., 12.], dtype=float32)
    """
    source = source_of(module, wrt, "hvp")
    emitter, gradients = _reverse(source, [_loss_name(source, output, "hvp")], _one)
    gradient = source.finish(emitter, gradients).as_mir()
    assert gradient is not None
    wrt_there = {name: emitter.values[ref].ref for name, ref in source.wrt.items()}
    moved = _forward(Source(gradient.graph, gradient.value_map, wrt_there))
    graph = moved.into_graph()
    names = {f"tangent_grad_{name}": f"hvp_{name}" for name in source.wrt}
    graph.set_output_refs({names[name]: ref for name, ref in graph.output_refs.items() if name in names})
    return moved


# -- how many derivatives are being taken around the function that is traced now, and inside which rules of custom functions it is
#
# A rule may call the function it belongs to: that call's own rule is traced again, once for each derivative that can reach it. A call
# inside n rules is reached by the derivative after the n-th, so with m derivatives taken around it, n < m is all that is needed.


ORDER_OF_GRAPHS = 2  # derivatives that transforms of a graph may take later, of a function whose rule calls itself


@dataclass(frozen=True)
class Nesting:
    """The derivatives being taken, and the custom functions whose rules are being traced, outermost first."""

    order: int = 0
    rules: tuple[object, ...] = ()
    keeps_residuals: bool = False  # whether `linearize` will keep values of the function for its tangents

    def ends_at(self, function: object) -> bool:
        """Whether no derivative reaches a call of a custom function here: inside its own rule, deep enough."""
        return any(known is function for known in self.rules) and len(self.rules) >= (self.order or ORDER_OF_GRAPHS)


_OUTSIDE = Nesting()
_NESTING: ContextVar[Nesting] = ContextVar("nesting", default=_OUTSIDE)


def nesting() -> Nesting:
    """The `Nesting` of the function that is being traced."""
    return _NESTING.get()


@contextmanager
def _set(value: Nesting) -> Iterator[None]:
    token = _NESTING.set(value)
    try:
        yield
    finally:
        _NESTING.reset(token)


@contextmanager
def differentiating() -> Iterator[None]:
    """Raises the derivative order while a differentiated function is traced."""
    here = nesting()
    with _set(replace(here, order=here.order + 1)):
        yield


@contextmanager
def keeping_residuals() -> Iterator[None]:
    """Marks that `linearize` saves residuals of the function that is traced inside."""
    with _set(replace(nesting(), keeps_residuals=True)):
        yield


@contextmanager
def inside_rule(function: object) -> Iterator[None]:
    """Marks that a rule of this custom function is traced inside."""
    here = nesting()
    with _set(replace(here, rules=(*here.rules, function))):
        yield


# -- the arguments of a function called on Values


@dataclass(frozen=True)
class Arguments:
    """`(args, kwargs)` of one call, handles of `rlx.put` made Values; the leaves at `places` are the operands."""

    tree: Any
    places: Sequence[int]
    graph: BaseGraph  # where the body's node goes
    operands: list[Value]

    @classmethod
    def of(cls, function: Callable[..., Any], tree: Any, places: Sequence[int], beside: Any = ()) -> Arguments:
        """Takes the leaves at `places` as operands, in the graph that the call belongs to; `beside` are further Values of the call."""
        graph = graph_of([function], (tree, beside))
        held = in_graph(tree, graph)
        leaves = [_number_beside(leaf, leaves_of(held)) for leaf in leaves_of(held)]
        outer, operands = outer_values([leaves[index] for index in places], graph)
        return cls(held, places, outer, operands)

    def apply(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Calls the function with other operands in place of these."""
        args, kwargs = with_leaves(self.tree, self.places, operands)
        return function(*args, **kwargs)


def _number_beside(leaf: Any, beside: Sequence[Any]) -> Any:
    """Converts a Python number that is differentiated or batched by to f64 beside arrays of that width, else leaves it unchanged."""
    if not isinstance(leaf, WeakValue) or leaf.dtype is not f64:
        return leaf
    wide = any(isinstance(other, Value) and not isinstance(other, WeakValue) and other.dtype in (f64, c128) for other in beside)
    return taken_as(leaf, f64) if wide else leaf


def in_graph(tree: Any, graph: BaseGraph) -> Any:
    """Converts handles of `rlx.put` in containers to Values of the graph."""
    return map_leaves(lambda leaf: leaf.__rlx_value__(graph) if hasattr(leaf, "__rlx_value__") else leaf, tree)
