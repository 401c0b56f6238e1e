"""Partial evaluation: a graph cut in two, so that one half runs once and the other each time its unknown inputs come.

    known     arguments             -> value, residuals
    linear    residuals, unknown    -> gradients for cotangents, or tangents for tangents

Residuals are the values of the known half that the linear half reads, and nothing else. Arguments and params that it reads are no
results of the known half: they are there already. What costs nothing (constants, views that are no larger than what they show) is
no residual either, and stands in both halves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rlx.backends.registry import find_backend
from rlx.core.dim import Dim, from_symbol, proves_at_most
from rlx.core.dtype import boolean
from rlx.core.shape import Shape
from rlx.ir.emit import add_input, constant
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Node, Ref
from rlx.module.graph import Graph
from rlx.passes.canonicalize import cse
from rlx.passes.entry import Context
from rlx.transforms.rules.derivative import reaching
from rlx.transforms.rules.formulas import zeros
from rlx.transforms.rules.tape import NodeEmitter, effects_of
from rlx.transforms.split_control_flow import apart, dependent


@dataclass(frozen=True)
class Halves:
    """The two graphs, and where each input of the linear half comes from."""

    known: Graph
    linear: Graph
    leaves: Mapping[str, str]  # residuals that are arguments or params of the known half: their names there
    sizes: Sequence[str]  # symbols that no other input of the linear half tells: inputs of that name, of shape `[n, 0]`


def split(graph: BaseGraph, unknown: Collection[str], linear: Collection[str], variable: Collection[str]) -> Halves:
    """Splits a graph: the outputs in `linear` go to the linear half, with the inputs in `unknown`; other outputs to the known half.

    Params in `variable` may change between two runs: the linear half takes them as inputs, as they were; others are its params too.
    """
    joint = _merge_equal_values(apart(graph, _inputs(graph, unknown)))
    cut = _Cut(joint, dependent(joint, _inputs(joint, unknown)), variable)
    for name in linear:
        cut.reach(joint.output_refs[name])
    cut.add_effects()
    names = {ref: f"residual.{index}" for index, ref in enumerate(sorted(cut.residuals))}
    leaves = {name: str(joint.node(ref).name) for ref, name in names.items() if _is_named_leaf(joint.node(ref))}
    outputs = {name: ref for name, ref in joint.output_refs.items() if name not in linear}
    outputs |= {name: ref for ref, name in names.items() if name not in leaves}
    known = _known_half(joint, outputs, unknown, effects_of(joint, cut.moving, known=True))
    made, sizes = _linear_half(joint, cut.nodes, names, unknown, {name: joint.output_refs[name] for name in linear})
    return Halves(known, made, leaves, sizes)


def _merge_equal_values(graph: BaseGraph) -> BaseGraph:
    """Merges equal values: what a derivative recomputes of the function is the function's own value."""
    return cse(graph, Context(find_backend("reference")))[0]


def _inputs(graph: BaseGraph, names: Collection[str]) -> set[Ref]:
    return {node.ref for name, node in graph.inputs.items() if name in names}


def _is_named_leaf(node: Node) -> bool:
    return node.op.definition.leaf and "name" in node.op.attrs


class _Cut:
    """Walks back from the outputs of the linear half: the nodes it is made of, and the values it reads of the known half."""

    def __init__(self, graph: BaseGraph, moving: Collection[Ref], variable: Collection[str]) -> None:
        self.graph, self.moving, self.variable = graph, moving, variable
        self.nodes: set[int] = set()
        self.residuals: set[Ref] = set()

    def reach(self, output: Ref) -> None:
        """Adds all nodes that an output depends on."""
        todo = [output]
        while todo:
            ref = todo.pop()
            node = self.graph.node(ref)
            if ref not in self.moving and not self._is_free(ref, node):
                self.residuals.add(ref)
            elif node.id not in self.nodes:
                self.nodes.add(node.id)
                todo += node.refs

    def add_effects(self) -> None:
        """Adds the nodes with side effects that read an unknown value."""
        for node in effects_of(self.graph, self.moving, known=False):
            self.nodes.add(node.id)
            for ref in node.refs:
                self.reach(ref)

    def _is_free(self, ref: Ref, node: Node) -> bool:
        """Whether both halves compute a known value: constants, params that never change, views no smaller than what they show."""
        if _is_named_leaf(node):
            return node.op.is_param and node.name not in self.variable
        if not node.refs or node.op.definition.view is None:
            return not node.refs
        shown = self.graph.shape(node.refs[0]).num_elements
        return proves_at_most(shown, self.graph.shape(ref).num_elements, self.graph.assumptions) is True


# -- the two graphs ---------------------------------------------------------------------------------------------
def _known_half(joint: BaseGraph, outputs: Mapping[str, Ref], unknown: Collection[str], effects: Sequence[Node]) -> Graph:
    """Builds the known half: value, residuals and effects.

    A rule may make a value depend on tangents by its text alone: there it is the value at tangents of zero.
    """
    emitter = _emitter(joint, "known")
    needed = reaching(joint, [*outputs.values(), *(ref for node in effects for ref in node.refs)])
    needed |= {node.id for node in effects}
    for node in joint.nodes:
        if node.op.is_input and node.name in unknown:
            if node.id in needed:
                emitter.declare(node, [zeros(constant(emitter.target, 0, node.shape.dtype), node.shape.dims)])
        elif node.id in needed or _is_named_leaf(node):
            emitter.copy(node)
    return _with_outputs(emitter, outputs)


def _linear_half(
    joint: BaseGraph, nodes: Collection[int], names: Mapping[Ref, str], unknown: Collection[str], outputs: Mapping[str, Ref]
) -> tuple[Graph, list[str]]:
    """Builds the linear half, from the unknown inputs and the residuals; returns also the symbols that need an input of their own."""
    emitter = _emitter(joint, "linear")
    for node in joint.nodes:
        if node.id in nodes or (node.op.is_input and node.name in unknown):
            emitter.copy(node)
            continue
        for ref in node.outputs:
            if ref in names:
                emitter.values[ref] = add_input(emitter.target, names[ref], joint.shape(ref))
    told = {
        size.symbol.name
        for node in emitter.target.inputs.values()
        for size in node.shape.dims
        if isinstance(size, Dim) and size.symbol is not None
    }
    untold = [symbol for name, symbol in joint.symbols.items() if name not in told]
    for symbol in untold:
        add_input(emitter.target, symbol.name, Shape((from_symbol(symbol), 0), boolean))
    return _with_outputs(emitter, outputs), [symbol.name for symbol in untold]


def _emitter(joint: BaseGraph, half: str) -> NodeEmitter:
    """Begins a half: its nodes keep their names and origins."""
    target = Graph(f"{joint.name}.{half}", "mir")
    target.symbols = dict(joint.symbols)
    return NodeEmitter(joint, target, {}, half, keep_names=True)


def _with_outputs(emitter: NodeEmitter, outputs: Mapping[str, Ref]) -> Graph:
    emitter.target.set_output_refs({name: emitter.values[ref].ref for name, ref in outputs.items()})
    return Graph.adopt(emitter.target)
