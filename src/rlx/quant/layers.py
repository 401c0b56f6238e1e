"""What can be quantized: the layers of a graph, their names, and why some stay in floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.registry import find_backend
from rlx.core.aligned import Array
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter, ValueMap, op
from rlx.module.modules import as_mir_graph
from rlx.passes.entry import Context
from rlx.passes.legalize import unfuse
from rlx.passes.prepared_analysis import prepared_nodes
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session

PLAIN = op("matmul")


@dataclass(frozen=True)
class Layer:
    """A matmul or convolution that may be quantized. `reason` says why it has no integer form; None if it has one."""

    name: str
    node: int
    op: str
    x: Ref
    w: Ref | None = None
    reason: str | None = None

    @property
    def channel_axis(self) -> int:
        """The weight's axis of output channels."""
        return 0 if self.op == "conv" else 1


def new_context() -> Context:
    """A pass context for passes that only restructure a graph."""
    return Context(find_backend("reference"))


def plain_graph(module: Any) -> tuple[Graph, ValueMap]:
    """The MIR of a graph, module or executable with every fused node inlined, and the value map."""
    graph = module.graph if isinstance(module, Executable) else as_mir_graph(module)
    return unfuse(graph, new_context())


def find_layers(graph: Graph) -> list[Layer]:
    """Finds every matmul and convolution, in order, named after its weight."""
    static = prepared_nodes(graph)
    layers: list[Layer] = []
    taken: dict[str, int] = {}
    for node in graph.nodes:
        form = node.op.definition.integer_form
        inner = [n.op.name for _, body in node.op.graphs() for n in body.nodes if n.op.definition.integer_form]
        if form is None and not inner:
            continue
        name = _name_of(graph, node)
        taken[name] = taken.get(name, 0) + 1
        unique = name if taken[name] == 1 else f"{name}#{taken[name]}"
        reason = f"a {inner[0]} inside a body of {node.op.name}" if inner else _reason(graph, node, static)
        weight = node.refs[1] if form else None
        layers.append(Layer(unique, node.id, node.op.name, node.refs[0] if node.refs else node.ref, weight, reason))
    return layers


def _name_of(graph: Graph, node: Node) -> str:
    """A layer's name: the params that its second operand depends on, else the node's name, else op and number."""
    params = params_of(graph, node.refs[1]) if len(node.refs) > 1 else []
    return "+".join(params) if params else own_name(node)


def own_name(node: Node) -> str:
    """The name of a node, or its op and number."""
    return node.name or f"{node.op.name}_{node.id}"


def params_of(graph: Graph, ref: Ref) -> list[str]:
    """The params that a static value depends on, without scales; none for a value that reads an input or a state."""
    names: dict[str, None] = {}
    todo, seen = [ref.node], set()
    while todo:
        node = graph.nodes[todo.pop()]
        if node.id in seen:
            continue
        seen.add(node.id)
        if node.op.is_input or node.op.is_state:
            return []
        if node.op.is_param:
            names[node.op["name"]] = None
        read = node.refs if node.op.definition.grid is None else node.refs[:1]  # except the scales
        todo.extend(inner.node for inner in reversed(read))
    return list(names)


def _reason(graph: Graph, node: Node, static: set[int]) -> str | None:
    if not node.op.definition.integer_form:
        return f"{node.op.name} has no integer form"
    x, w = graph.shape(node.refs[0]), graph.shape(node.refs[1])
    if node.refs[1].node not in static:
        packed = graph.node(node.refs[1]).op.attrs.get("scheme") is not None
        return "its weight is already packed" if packed else "its second operand is not a weight: it changes from run to run"
    if node.refs[0].node in static:
        return "both operands are weights"
    for shape in (x, w):
        if not shape.dtype.is_float or shape.dtype.name == "f64":
            return f"an operand is {shape.dtype}"
    rank = 2 if PLAIN.made_by(node) else 4
    if w.rank == rank:
        return None
    return f"its weight has rank {w.rank}" if rank == 2 else f"a convolution over {w.rank - 2} axes"


class StaticValues:
    """Computes values that depend on params and constants alone, by the references, on demand."""

    def __init__(self, graph: Graph, session: Session) -> None:
        self.graph, self.session = graph, session
        self.nodes = prepared_nodes(graph)
        self._known: dict[Ref, Array] = {}

    def __contains__(self, ref: Ref) -> bool:
        return ref.node in self.nodes

    def __getitem__(self, ref: Ref) -> Array:
        """The array of a static value."""
        if ref not in self._known:
            node = self.graph.node(ref)
            if node.op.is_constant:
                return np.asarray(node.op["value"].array)
            if node.op.is_param:
                return np.asarray(self.session.param(node.op["name"]))
            arrays = evaluate_op(node.op, [None if inner is None else self[inner] for inner in node.inputs], node.results)
            self._known.update(zip(node.outputs, arrays, strict=True))
        return self._known[ref]


def with_outputs(graph: Graph, outputs: Sequence[Ref], name: str) -> Graph:
    """Copies a graph with other outputs, `v0`, `v1`, …, and without updates."""
    rewriter = Rewriter(graph, "", name=name)
    for node in graph.nodes:
        rewriter.copy(node)
    rewriter.graph.output_refs = {f"v{index}": rewriter.ref(ref) for index, ref in enumerate(outputs)}
    return rewriter.graph


def without_unread_params(graph: Graph) -> tuple[Graph, ValueMap]:
    """Removes unused params; inputs and states stay, because they are the graph's interface."""
    read = {ref.node for node in graph.nodes for ref in node.refs} | {ref.node for _, ref in graph.results()}
    rewriter = Rewriter(graph, "")
    for node in graph.nodes:
        if not node.op.is_param or node.id in read:
            rewriter.copy(node)
    return rewriter.finish()
