"""What the `cpu` device makes of a graph: which kernels there are, all passes, the cut into prepare and main, both plans."""

from __future__ import annotations

import time
from dataclasses import replace

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels import find_kernel
from rlx.backends.cpu.kernels.control import CONTROL_OPS, lower_control
from rlx.backends.cpu.kernels.matmul.kernel import panel_width
from rlx.backends.cpu.kernels.movement.copies import copy
from rlx.backends.cpu.kernels.trap_nan import lower_trap
from rlx.backends.cpu.run.canaries import padded
from rlx.backends.cpu.target import Target
from rlx.core import config
from rlx.core.kinds import OpKind
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Ref
from rlx.ir.lir import Lir, Place
from rlx.ir.op import Op
from rlx.ir.rewrite import ValueMap, compose
from rlx.ir.verify import verify
from rlx.passes.context import Context
from rlx.passes.legalize import NO_KERNEL
from rlx.passes.pipeline import run_pipeline
from rlx.passes.split_prepare import split_prepare
from rlx.plan.schedule import plan

__all__ = ["lower_graph", "panel_width", "plan_graph", "reason_against"]


def reason_against(
    target: Target, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]
) -> str | None:
    """None when there is a kernel for the op on dense operands, or the op is a view."""
    if op.definition.view is not None:
        return None
    if op.name in CONTROL_OPS:
        return None  # its bodies are claimed node by node, by the pipeline they go through
    family = find_kernel(op.name)
    if family is None:
        return NO_KERNEL
    inputs = tuple(None if shape is None else Tensor.dense(shape) for shape in operands)
    found = family(op, inputs, tuple(Tensor.dense(shape) for shape in results), target)
    return found if isinstance(found, str) else None


def lower_graph(target: Target, graph: Graph, context: Context) -> Lir:
    """All passes, the cut into prepare and main, and both plans."""
    options, report = context.options, context.report
    optimized, mapping = run_pipeline(graph, context, report.watch)
    start = time.perf_counter()
    main, prepare, cut = split_prepare(optimized, context)
    if config.VERIFY.on():
        verify(main)
        verify(prepare)
    commands = _Commands(target, options.trap_nan)
    lir = plan(
        main.freeze(), commands, report, trapped=_trapped(graph, compose(mapping, cut)) if options.trap_nan else None
    )
    if prepare.outputs:
        made = [node for node in prepare.nodes if node.op.definition.kind is not OpKind.DataMovement]
        trapped = {ref: node.op.name for node in made for ref in node.outputs} if options.trap_nan else None
        lir = replace(lir, prepare=plan(prepare.freeze(), commands, report, trapped=trapped))
    if config.CANARIES.on():
        lir = replace(padded(lir), prepare=None if lir.prepare is None else padded(lir.prepare))
    report.time("plan", time.perf_counter() - start)
    return lir


def plan_graph(target: Target, graph: Graph, report: Report) -> Lir:
    """The plan of a graph that has been through the passes."""
    lir = plan(graph.freeze(), _Commands(target), report)
    return padded(lir) if config.CANARIES.on() else lir


class _Commands:
    """The kernel table as planning sees it."""

    name = "cpu"

    def __init__(self, target: Target, traps: bool = False) -> None:
        self.target, self.traps = target, traps
        self.known: dict[tuple[Op, tuple[Tensor | None, ...], tuple[Tensor, ...]], Lowering | str] = {}

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> Lowering | str:
        tensors = tuple(None if place is None else _tensor(place) for place in inputs)
        if op.name in CONTROL_OPS:
            present = tuple(tensor for tensor in tensors if tensor is not None)
            return lower_control(op, present, tuple(_tensor(place) for place in outputs), self, self.copy)
        key = (op, tensors, tuple(_tensor(place) for place in outputs))
        if key not in self.known:  # equal layers are lowered once
            family = find_kernel(op.name)
            self.known[key] = "it has no kernel" if family is None else family(*key, self.target)
        return self.known[key]

    def copy(self, source: Place, target: Place) -> Lowering:
        return copy(_tensor(source), _tensor(target))

    def trap(self, name: str, place: Place) -> Lowering | None:
        return lower_trap(name, _tensor(place))


def _trapped(graph: Graph, mapping: ValueMap) -> dict[Ref, str]:
    """What trap_nan looks at: values the user's ops made, wherever the passes put them; not what passes made in between."""
    found: dict[Ref, str] = {}
    for node in graph.nodes:
        for ref in node.outputs:
            if ref in mapping and not node.op.definition.leaf:
                found.setdefault(mapping[ref], node.op.name)
    return found


def _tensor(place: Place) -> Tensor:
    return Tensor(place.dtype, place.layout.dims, place.layout.strides)
