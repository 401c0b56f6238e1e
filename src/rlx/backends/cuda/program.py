"""CudaProgram: a plan as a list of steps on buffers, as plain data. Every run of it is these steps in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from rlx.backends.cuda.kernel import HostStep, KernelSource, Launch
from rlx.core.atoms import Symbol
from rlx.core.dim import Size
from rlx.core.shape import Shape
from rlx.ir.lir import Buffer, Lir, Place
from rlx.ir.op import Op

__all__ = ["BufferOperand", "CudaProgram", "DeviceProgramStep", "HostProgramStep", "TrapStep", "build_program"]

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class BufferOperand:
    """A tensor in a buffer: where it begins, what it may reach, and whether the step writes it."""

    buffer: int
    place: Place
    written: bool

    @property
    def offset(self) -> int:
        """Bytes that are part of its address; a symbolic offset the kernel adds itself."""
        offset = self.place.layout.offset
        return offset * self.place.dtype.size if isinstance(offset, int) else 0


@dataclass(frozen=True)
class DeviceProgramStep:
    """One launch. `window` is where its numbers begin in the block of sizes."""

    name: str
    kernel: KernelSource
    grid: tuple[Size, ...]
    operands: tuple[BufferOperand, ...]
    window: int
    origin: str
    only: tuple[Size, int, int] | None = None


@dataclass(frozen=True)
class HostProgramStep:
    """One op on the host, by its reference."""

    name: str
    op: Op
    inputs: tuple[BufferOperand | None, ...]
    outputs: tuple[BufferOperand, ...]
    results: tuple[Shape, ...]
    origin: str
    location: Any = None


@dataclass(frozen=True)
class TrapStep:
    """Fails where a value is not finite."""

    name: str
    value: BufferOperand
    origin: str


ProgramStep = DeviceProgramStep | HostProgramStep | TrapStep


@dataclass(frozen=True)
class CudaProgram:
    """Buffers, the numbers of all launches, and the steps."""

    name: str
    buffers: tuple[Buffer, ...]
    slots: tuple[Size, ...]  # offsets in the arena
    slot_sizes: tuple[Size, ...]
    arena: Size
    numbers: tuple[Size, ...]
    steps: tuple[ProgramStep, ...]
    constants: Mapping[str, Array]
    symbols: Mapping[str, Symbol]

    @property
    def kernels(self) -> tuple[KernelSource, ...]:
        """Each once."""
        found = {step.kernel.key: step.kernel for step in self.steps if isinstance(step, DeviceProgramStep)}
        return tuple(found.values())

    @property
    def host_steps(self) -> tuple[str, ...]:
        """The ops that run on the host."""
        return tuple(sorted({step.name for step in self.steps if isinstance(step, HostProgramStep)}))


def build_program(lir: Lir) -> CudaProgram:
    """The steps of a plan."""
    changed = _changed(lir)
    numbers: list[Size] = []
    windows: dict[tuple[Size, ...], int] = {}
    steps: list[ProgramStep] = []
    for command in lir.commands:
        stage, node = command.stage, lir.graph.nodes[command.node]
        if isinstance(stage, Launch):
            if _nothing_to_do(stage, command.operands):
                continue
            if stage.numbers not in windows:
                windows[stage.numbers] = len(numbers)
                numbers += stage.numbers
            operands = tuple(
                BufferOperand(place.buffer, place, written)
                for place, written in zip(command.operands, stage.written, strict=True)
                if place is not None
            )
            window = windows[stage.numbers]
            kernel = _chosen(stage, command.operands, changed)
            origin = str(node.origin)
            steps.append(DeviceProgramStep(stage.name, kernel, stage.grid, operands, window, origin, stage.only))
            continue
        assert isinstance(stage, HostStep)
        own = [None if place is None else BufferOperand(place.buffer, place, False) for place in command.operands]
        if stage.op is None:
            assert own[0] is not None
            steps.append(TrapStep(stage.name, own[0], str(node.origin)))
            continue
        outputs = tuple(
            BufferOperand(operand.buffer, operand.place, True) for operand in own[stage.inputs :] if operand is not None
        )
        steps.append(
            HostProgramStep(
                stage.name,
                stage.op,
                tuple(own[: stage.inputs]),
                outputs,
                node.results,
                str(node.origin),
                node.origin.location,
            )
        )
    constants = {digest: value.array for digest, value in lir.graph.constants().items()}
    return CudaProgram(
        lir.name,
        lir.buffers,
        lir.offsets(),
        lir.slots,
        lir.arena,
        tuple(numbers),
        tuple(steps),
        constants,
        lir.graph.symbols,
    )


def _nothing_to_do(stage: Launch, places: tuple[Place | None, ...]) -> bool:
    """A copy whose source and target are the same memory, or a grid without blocks."""
    if any(isinstance(size, int) and size == 0 for size in stage.grid):
        return True
    if stage.replaces is None:
        return False
    source, target = (places[place] for place in stage.replaces)
    return (
        source is not None and target is not None and (source.buffer, source.layout) == (target.buffer, target.layout)
    )


def _changed(lir: Lir) -> set[int]:
    """The buffers that a run writes: all of the arena, and what updates and outputs are written to."""
    found = {place for place, buffer in enumerate(lir.buffers) if buffer.kind in ("arena", "output", "input")}
    for command in lir.commands:
        if isinstance(command.stage, Launch):
            written = zip(command.operands, command.stage.written, strict=True)
            found |= {place.buffer for place, is_written in written if place is not None and is_written}
        elif isinstance(command.stage, HostStep):
            found |= {place.buffer for place in command.operands[command.stage.inputs :] if place is not None}
    return found


def _chosen(stage: Launch, places: tuple[Place | None, ...], changed: set[int]) -> KernelSource:
    """The kernel that loads its weights before it waits, where nothing in the graph writes them."""
    if stage.early is None:
        return stage.kernel
    own = [places[stage.operands.index(operand)] for operand in stage.early_operands]
    return stage.kernel if any(place is None or place.buffer in changed for place in own) else stage.early
