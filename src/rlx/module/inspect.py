"""What is in a module: op histogram, nodes with names, shapes, origins, output marks; for LIR the plan in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlx.core.dim import Size
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node
from rlx.ir.parse_lir import Lir

if TYPE_CHECKING:
    from rlx.module.modules import GraphModule


@dataclass(frozen=True)
class NodeView:
    """One node of an inspected module."""

    id: int
    op: str
    name: str | None
    shapes: tuple[Shape, ...]
    label: str
    location: str
    outputs: tuple[str, ...]  # the outputs and `update <name>`s that are its values

    def __str__(self) -> str:
        shapes = ", ".join(str(shape) for shape in self.shapes)
        parts = [f"%{self.id} {self.op} : {shapes}", f'"{self.name}"' if self.name else "", self.label, self.location]
        marks = " ".join(f"→ {mark}" for mark in self.outputs)
        return "  ".join(part for part in (*parts, marks) if part)


@dataclass(frozen=True)
class KernelView:
    """One kernel of a schedule and the ops that it computes."""

    kernel: str
    ops: tuple[str, ...]

    def __str__(self) -> str:
        return self.kernel + (f": {' + '.join(self.ops)}" if self.ops else "")


@dataclass(frozen=True)
class PlanView:
    """The memory plan and schedule of an inspected LIR."""

    arena: Size
    saved: Size  # bytes saved by sharing, compared with a buffer per value
    views: int
    in_place: tuple[tuple[int, int], ...]
    kernels: tuple[KernelView, ...]

    def __str__(self) -> str:
        lines = [f"arena: {self.arena} bytes, {self.saved} saved by sharing"]
        lines.append(f"views: {self.views}, in place: {len(self.in_place)}")
        return "\n".join([*lines, *(f"  {kernel}" for kernel in self.kernels)])


@dataclass(frozen=True)
class Inspection:
    """The result of `inspect`; `print` it.

    >>> from rlx.module.modules import GraphModule
    >>> module = GraphModule.mir("g")
    >>> module.set_outputs({"y": module.input("x", (2,)) + 1})
    >>> module.inspect().histogram
    {'add': 1, 'constant': 1, 'input': 1}
    """

    stage: str
    name: str
    histogram: dict[str, int]
    nodes: tuple[NodeView, ...]
    plan: PlanView | None = field(default=None)

    def __str__(self) -> str:
        counts = ", ".join(f"{op} {count}" for op, count in self.histogram.items())
        lines = [f"{self.stage} @{self.name}: {len(self.nodes)} nodes", f"ops: {counts}"]
        lines += [f"  {node}" for node in self.nodes]
        return "\n".join([*lines, *([str(self.plan)] if self.plan is not None else [])])


def inspect(module: GraphModule) -> Inspection:
    """Inspects a module at any stage: histogram, nodes, kernels and plan."""
    lir = module.as_lir()
    nodes = module.nodes()
    graph = lir.graph if lir is not None else (module.as_hir() or module.into_mir()).graph
    histogram = Counter(node.op.name for node in nodes)
    views = tuple(_view(graph, node) for node in nodes)
    ordered = dict(sorted(histogram.items(), key=lambda item: (-item[1], item[0])))
    return Inspection(module.stage.value, module.name, ordered, views, None if lir is None else _plan(lir.lir))


def _view(graph: Graph, node: Node) -> NodeView:
    marks = [name for name, ref in graph.output_refs.items() if ref.node == node.id]
    marks += [f"update {name}" for name, ref in graph.updates.items() if ref.node == node.id]
    where = str(node.origin.location) if node.origin.location else ""
    return NodeView(node.id, node.op.name, node.name, node.results, node.origin.label, where, tuple(marks))


def _plan(lir: Lir) -> PlanView:
    kernels = tuple(KernelView(command.kernel, _ops(lir.graph.node(command.node))) for command in lir.commands)
    return PlanView(lir.arena, lir.unshared - lir.arena, lir.views, lir.in_place, kernels)


def _ops(node: Node) -> tuple[str, ...]:
    """The ops of a node: those of its body, or its own."""
    if not node.op.is_fused:
        return (node.op.name,)
    return tuple(inner.op.name for inner in node.op["body"].nodes if not inner.op.definition.leaf)
