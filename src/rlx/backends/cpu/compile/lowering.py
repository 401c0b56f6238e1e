"""What the passes and the plan ask of the `cpu` device: which kernels there are, and their commands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels import find_kernel
from rlx.backends.cpu.kernels.control import CONTROL_OPS, lower_control, lower_trap
from rlx.backends.cpu.kernels.matmul.blocking import side_by_side
from rlx.backends.cpu.kernels.movement.copies import copy
from rlx.backends.cpu.run.runner import pad_slots
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place
from rlx.ir.pattern import identity
from rlx.passes.entry import Context, Options, PassResult
from rlx.passes.legalize import NO_KERNEL

if TYPE_CHECKING:
    from rlx.backends.cpu.backend import CpuBackend


def steps_side_by_side(target: Target, weight: Shape) -> int:
    """Steps of k side by side in the panels of a weight; 1 for experts and convolutions, whose weights have more axes."""
    return side_by_side(weight.dtype.name, weight.dims[-2], target) if weight.rank == 2 else 1


def with_canaries(graph: Graph, context: Context) -> PassResult:
    """slots of n bytes  ->  slots of n bytes and a canary        under RLX_CANARIES"""
    lir = context.lir
    assert lir is not None
    context.lir = replace(pad_slots(lir), prepare=None if lir.prepare is None else pad_slots(lir.prepare))
    return graph, identity(graph)


class Kernels:
    """The kernel table in one compile, as passes and planning see it: equal ops on equal tensors are lowered once.

    What passes claim has dense operands, and so has most of what is planned: the plan finds the lowerings that the claims made.
    """

    name = "cpu"

    def __init__(self, backend: CpuBackend, options: Options) -> None:
        self.layout_for, self.passes = backend.layout_for, backend.passes
        self.target, self.traps = replace(backend.target, batch_invariant=options.batch_invariant), options.trap_nan
        self.known: dict[tuple[Op, tuple[Tensor | None, ...], tuple[Tensor, ...]], Lowering | str] = {}

    # -- for passes
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None if there is a CPU kernel for the op on dense operands, or the op is a view; else why not."""
        if op.definition.view is not None or op.name in CONTROL_OPS:
            return None  # the bodies of loops and branches are claimed node by node, in their own pipeline
        inputs = tuple(None if shape is None else Tensor.dense(shape) for shape in operands)
        lowering = self._lower(op, inputs, tuple(map(Tensor.dense, results)))
        return lowering if isinstance(lowering, str) else None

    def commands(self, options: Options) -> Kernels:
        """The kernel table itself: it was created for these options."""
        return self

    # -- for the plan
    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> Lowering | str:
        tensors = tuple(None if place is None else Tensor.of(place) for place in inputs)
        results = tuple(map(Tensor.of, outputs))
        if op.name in CONTROL_OPS:
            return lower_control(op, tuple(tensor for tensor in tensors if tensor is not None), results, self, self.copy)
        return self._lower(op, tensors, results)

    def copy(self, source: Place, target: Place) -> Lowering:
        return copy(Tensor.of(source), Tensor.of(target))

    def trap(self, name: str, place: Place) -> Lowering | None:
        return lower_trap(name, Tensor.of(place))

    def _lower(self, op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...]) -> Lowering | str:
        key = (op, inputs, outputs)
        if key not in self.known:
            family = find_kernel(op.name)
            self.known[key] = NO_KERNEL if family is None else family(op, inputs, outputs, self.target)
        return self.known[key]
