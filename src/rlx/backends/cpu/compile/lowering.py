"""What the passes and the plan ask of the `cpu` device: which kernels there are, and their commands."""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels import find_kernel
from rlx.backends.cpu.kernels.control import CONTROL_OPS, lower_control
from rlx.backends.cpu.kernels.matmul.blocking import side_by_side
from rlx.backends.cpu.kernels.movement.copies import copy
from rlx.backends.cpu.kernels.trap_nan import lower_trap
from rlx.backends.cpu.run.runner import padded
from rlx.backends.cpu.target import Target
from rlx.core import config
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import Op
from rlx.ir.parse_lir import Lir, Place
from rlx.ir.pattern import identity
from rlx.passes.entry import Context, PassResult
from rlx.passes.legalize import NO_KERNEL
from rlx.plan.schedule import plan


def steps_side_by_side(target: Target, weight: Shape) -> int:
    """Of the panels of a weight that products read: experts and convolutions, whose weights have more axes, read one after the other."""
    return side_by_side(weight.dtype.name, weight.dims[-2], target) if weight.rank == 2 else 1


def reason_against(target: Target, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
    """None if there is a kernel for the op on dense operands, or the op is a view."""
    if op.definition.view is not None:
        return None
    if op.name in CONTROL_OPS:
        return None  # its bodies are claimed node by node, in their own pipeline
    family = find_kernel(op.name)
    if family is None:
        return NO_KERNEL
    inputs = tuple(None if shape is None else Tensor.dense(shape) for shape in operands)
    found = family(op, inputs, tuple(Tensor.dense(shape) for shape in results), target)
    return found if isinstance(found, str) else None


def with_canaries(graph: Graph, context: Context) -> PassResult:
    """slots of n bytes  ->  slots of n bytes and a canary        under RLX_CANARIES"""
    lir = context.lir
    assert lir is not None
    context.lir = replace(padded(lir), prepare=None if lir.prepare is None else padded(lir.prepare))
    return graph, identity(graph)


def plan_graph(target: Target, graph: Graph, report: Report) -> Lir:
    """The plan of a graph after all passes."""
    lir = plan(graph.freeze(), Commands(target), report)
    return padded(lir) if config.CANARIES.on() else lir


class Commands:
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


def _tensor(place: Place) -> Tensor:
    return Tensor(place.dtype, place.layout.dims, place.layout.strides)
