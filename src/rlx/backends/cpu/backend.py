"""The `cpu` device: native code through LLVM."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from rlx.backends.cpu.canaries import padded
from rlx.backends.cpu.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels import find_kernel, lower_copy
from rlx.backends.cpu.kernels.control import CONTROL_OPS, lower_control
from rlx.backends.cpu.kernels.matmul import panel_width
from rlx.backends.cpu.kernels.trap import lower_trap
from rlx.backends.cpu.program import Program, build_programs
from rlx.backends.cpu.runner import CpuRunner
from rlx.backends.cpu.target import Target
from rlx.core import config
from rlx.core.dtype import DType
from rlx.core.kinds import OpKind
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Ref
from rlx.ir.lir import Lir, Place
from rlx.ir.op import Op
from rlx.ir.rewrite import ValueMap, compose
from rlx.ir.verify import verify
from rlx.passes.context import Context, Options
from rlx.passes.pipeline import run_pipeline
from rlx.passes.split_prepare import split_prepare
from rlx.plan.schedule import plan


class CpuBackend:
    """Claims what its kernel table has, plans on strided places, compiles one object per program."""

    name = "cpu"

    def __init__(self, target: Target) -> None:
        self.target = target

    @staticmethod
    def shared() -> CpuBackend:
        """The backend for this machine, or for the CPU that RLX_CPU names."""
        return _for_target(config.CPU.read())

    # -- what passes ask
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None when there is a kernel for the op on dense operands, or the op is a view."""
        if op.definition.view is not None:
            return None
        if op.name in CONTROL_OPS:
            return None  # its bodies are claimed node by node, by the pipeline they go through
        family = find_kernel(op.name)
        if family is None:
            return "it has no kernel"
        inputs = tuple(None if shape is None else Tensor.dense(shape) for shape in operands)
        found = family(op, inputs, tuple(Tensor.dense(shape) for shape in results), self.target)
        return found if isinstance(found, str) else None

    def pack_width(self, dtype: DType) -> int:
        """Columns of a panel: two vectors of what the dtype is accumulated in."""
        return panel_width(self.target, dtype.name)

    # -- lowering and compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """All passes, the cut into prepare and main, and both plans."""
        context = Context(self, options, report)
        report.show("built", graph)
        optimized, mapping = run_pipeline(graph, context, report.watch)
        start = time.perf_counter()
        main, prepare, cut = split_prepare(optimized, context)
        if config.VERIFY.on():
            verify(main)
            verify(prepare)
        commands = _Commands(self.target, options.trap_nan)
        lir = plan(main.freeze(), commands, report, trapped=_trapped(graph, compose(mapping, cut)) if options.trap_nan else None)
        if prepare.outputs:
            made = [node for node in prepare.nodes if node.op.definition.kind is not OpKind.DataMovement]
            trapped = {ref: node.op.name for node in made for ref in node.outputs} if options.trap_nan else None
            lir = replace(lir, prepare=plan(prepare.freeze(), commands, report, trapped=trapped))
        if config.CANARIES.on():
            lir = replace(padded(lir), prepare=None if lir.prepare is None else padded(lir.prepare))
        report.time("plan", time.perf_counter() - start)
        report.show("plan", lir)
        return lir

    def plan(self, graph: Graph, report: Report) -> Lir:
        """The plan of a graph that has been through the passes."""
        lir = plan(graph.freeze(), _Commands(self.target), report)
        return padded(lir) if config.CANARIES.on() else lir

    def build(self, lir: Lir, report: Report) -> Program:
        """The native program of a LIR, without its prepare part."""
        return self.build_all((lir,), report)[0]

    def build_all(self, lirs: Sequence[Lir], report: Report) -> tuple[Program, ...]:
        """The native programs of some LIRs, compiled together."""
        return build_programs(lirs, self.target, report)

    def compile(self, lir: Lir, report: Report) -> CpuRunner:
        """Something that runs."""
        return CpuRunner(self.build(lir, report))


@lru_cache(maxsize=4)
def _for_target(name: str) -> CpuBackend:
    target = Target.host() if not name else Target.baseline() if name == "baseline" else Target.named(name)
    return CpuBackend(target)


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
        return lower_copy(_tensor(source), _tensor(target), self.target)

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
