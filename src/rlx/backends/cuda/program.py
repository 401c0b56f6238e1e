"""CudaProgram: a plan as a list of steps on buffers, as plain data. Every run of it is these steps in this order.

On disk its steps, buffers and sizes are JSON, constants and cubins are stored as they are. What comes from disk needs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cuda.kernel_data import HostStep, KernelSource, Launch, LibraryProduct
from rlx.backends.cuda.triton_compile import Cubin
from rlx.core.dim import Size, Symbol
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.graph import Layout, SizeReader
from rlx.ir.op import Op
from rlx.ir.parse_lir import Buffer, Lir, Place
from rlx.ir.text import pack_file, unpack_file

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class BufferOperand:
    """A tensor in a buffer: where it begins, its extent, and whether the step writes it."""

    buffer: int
    place: Place
    written: bool

    @property
    def offset(self) -> int:
        """The static byte offset of its address; a symbolic offset is added by the kernel."""
        offset = self.place.layout.offset
        return offset * self.place.dtype.size if isinstance(offset, int) else 0


@dataclass(frozen=True)
class DeviceProgramStep:
    """One launch of a CUDA program. `window` is the index of its first number in the block of sizes."""

    name: str
    kernel: KernelSource
    grid: tuple[Size, ...]
    operands: tuple[BufferOperand, ...]
    window: int
    origin: str
    only: tuple[Size, int, int] | None = None
    library: LibraryProduct | None = None


@dataclass(frozen=True)
class HostProgramStep:
    """One op that the host computes by its reference."""

    name: str
    op: Op
    inputs: tuple[BufferOperand | None, ...]
    outputs: tuple[BufferOperand, ...]
    results: tuple[Shape, ...]
    origin: str
    location: Any = None


@dataclass(frozen=True)
class TrapStep:
    """A step that fails where a value is not finite."""

    name: str
    value: BufferOperand
    origin: str


ProgramStep = DeviceProgramStep | HostProgramStep | TrapStep


@dataclass(frozen=True)
class CudaProgram:
    """A CUDA program: buffers, the sizes that launches read, and the steps."""

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
        """The kernels of the program, each once."""
        kernels = {step.kernel.key: step.kernel for step in self.steps if isinstance(step, DeviceProgramStep)}
        return tuple(kernels.values())

    @property
    def host_steps(self) -> tuple[str, ...]:
        """The ops of the program that run on the host."""
        return tuple(sorted({step.name for step in self.steps if isinstance(step, HostProgramStep)}))


def build_program(lir: Lir) -> CudaProgram:
    """Builds the CUDA program of a plan."""
    writers = _writers(lir)
    numbers: list[Size] = []
    windows: dict[tuple[Size, ...], int] = {}
    steps: list[ProgramStep] = []
    for number, command in enumerate(lir.commands):
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
            kernel = _chosen(stage, command.operands, writers, number)
            origin = str(node.origin)
            made = DeviceProgramStep(stage.name, kernel, stage.grid, operands, window, origin, stage.only)
            steps.append(replace(made, library=stage.library))
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
                stage.name, stage.op, tuple(own[: stage.inputs]), outputs, node.results, str(node.origin), node.origin.location
            )
        )
    constants = {digest: value.array for digest, value in lir.graph.constants().items()}
    return CudaProgram(
        lir.name, lir.buffers, lir.offsets(), lir.slots, lir.arena, tuple(numbers), tuple(steps), constants, lir.graph.symbols
    )


def _nothing_to_do(stage: Launch, places: tuple[Place | None, ...]) -> bool:
    """Whether a step is a copy within the same memory, or a grid without blocks."""
    if any(isinstance(size, int) and size == 0 for size in stage.grid):
        return True
    if stage.replaces is None:
        return False
    source, target = (places[place] for place in stage.replaces)
    return source is not None and target is not None and (source.buffer, source.layout) == (target.buffer, target.layout)


def _writers(lir: Lir) -> dict[int, set[int]]:
    """The commands that write each buffer; -1 stands for other users of its memory: the arena's buffers share it."""
    donated = {name for name, _ in lir.donations}
    found: dict[int, set[int]] = {place: set() for place in range(len(lir.buffers))}
    for place, buffer in enumerate(lir.buffers):
        if buffer.kind in ("arena", "output") or (buffer.kind == "input" and buffer.name in donated):
            found[place].add(-1)
    for number, command in enumerate(lir.commands):
        if isinstance(command.stage, Launch):
            if _nothing_to_do(command.stage, command.operands):
                continue
            written = zip(command.operands, command.stage.written, strict=True)
            own = [each.buffer for each, is_written in written if each is not None and is_written]
        else:
            own = [each.buffer for each in command.operands[command.stage.inputs :] if each is not None]
        for place in own:
            found[place].add(number)
    return found


def _chosen(stage: Launch, places: tuple[Place | None, ...], writers: dict[int, set[int]], number: int) -> KernelSource:
    """The first kernel variant whose early reads no kernel of the graph writes; else the one without early reads."""

    def is_given(operand: int, allowed: set[int]) -> bool:
        place = places[stage.operands.index(operand)]
        return place is not None and not writers[place.buffer] - allowed

    for early in stage.early:
        if all(is_given(one, set()) for one in early.operands) and all(is_given(one, {number}) for one in early.beside):
            return early.kernel
    return stage.kernel


def pack_program(program: CudaProgram, code: Callable[[KernelSource], Cubin | None]) -> bytes:
    """Packs a CUDA program without steps on the host, and the machine code of its kernels where there is any."""
    kernels = program.kernels
    number = {kernel.key: place for place, kernel in enumerate(kernels)}
    header = {
        "name": program.name,
        "buffers": [[b.kind, b.name, _plain(b.size), b.slot, b.first, b.last] for b in program.buffers],
        "slots": [*map(_plain, program.slots)],
        "slot_sizes": [*map(_plain, program.slot_sizes)],
        "arena": _plain(program.arena),
        "numbers": [*map(_plain, program.numbers)],
        "kernels": [astuple(kernel) for kernel in kernels],
        "steps": [_plain_step(step, number) for step in program.steps],
    }
    arrays = {f"constant.{digest}": array for digest, array in program.constants.items()}
    for place, kernel in enumerate(kernels):
        if (cubin := code(kernel)) is not None:
            arrays[f"cubin.{place}"] = np.frombuffer(cubin.pack(), np.uint8)
    return pack_file(header, arrays)


def _plain(size: Size) -> int | str:
    return size if isinstance(size, int) else str(size)


def _plain_operand(operand: BufferOperand) -> list[Any]:
    layout = operand.place.layout
    dims, strides = [*map(_plain, layout.dims)], [*map(_plain, layout.strides)]
    return [operand.buffer, str(operand.place.dtype), dims, strides, _plain(layout.offset), operand.written]


def _plain_step(step: ProgramStep, number: Mapping[str, int]) -> list[Any]:
    if isinstance(step, TrapStep):
        return ["trap", step.name, _plain_operand(step.value), step.origin]
    assert isinstance(step, DeviceProgramStep)
    only = None if step.only is None else [_plain(step.only[0]), *step.only[1:]]
    operands = [*map(_plain_operand, step.operands)]
    grid = [*map(_plain, step.grid)]
    library = None if step.library is None else astuple(step.library)
    return ["launch", step.name, number[step.kernel.key], grid, operands, step.window, step.origin, only, library]


def unpack_program(blob: bytes, symbols: Mapping[str, Symbol]) -> tuple[CudaProgram, dict[str, Cubin]]:
    """Reads a CUDA program from the bytes of `pack_program`, and its machine code by the keys of kernels."""
    header, arrays = unpack_file(blob, "the program")
    read = _ProgramReader(symbols)
    kernels = [
        KernelSource(name, text, tuple(pointers), tuple(aligned), *rest)
        for name, text, pointers, aligned, *rest in header["kernels"]
    ]
    program = CudaProgram(
        header["name"],
        tuple(Buffer(kind, name, read.size(size), *rest) for kind, name, size, *rest in header["buffers"]),
        read.sizes(header["slots"]),
        read.sizes(header["slot_sizes"]),
        read.size(header["arena"]),
        read.sizes(header["numbers"]),
        tuple(read.step(step, kernels) for step in header["steps"]),
        {name.removeprefix("constant."): array for name, array in arrays.items() if name.startswith("constant.")},
        symbols,
    )
    cubins = {
        kernels[int(name.removeprefix("cubin."))].key: Cubin.unpack(array.tobytes())
        for name, array in arrays.items()
        if name.startswith("cubin.")
    }
    return program, cubins


class _ProgramReader(SizeReader):
    """Reads the operands and steps of a packed program."""

    def sizes(self, plain: list[int | str]) -> tuple[Size, ...]:
        return tuple(map(self.size, plain))

    def operand(self, plain: list[Any]) -> BufferOperand:
        buffer, dtype, dims, strides, offset, written = plain
        layout = Layout(self.sizes(dims), self.sizes(strides), self.size(offset))
        return BufferOperand(buffer, Place(buffer, DType.of(dtype), layout), written)

    def step(self, plain: list[Any], kernels: list[KernelSource]) -> ProgramStep:
        kind, name, *rest = plain
        if kind == "trap":
            return TrapStep(name, self.operand(rest[0]), rest[1])
        number, grid, operands, window, origin, only, product = rest
        chosen = None if only is None else (self.size(only[0]), int(only[1]), int(only[2]))
        own = tuple(map(self.operand, operands))
        step = DeviceProgramStep(name, kernels[number], self.sizes(grid), own, window, origin, chosen)
        return step if product is None else replace(step, library=_library(product))


def _library(plain: list[Any]) -> LibraryProduct:
    rows, columns, depth, dtype, turned, adds, operands = plain
    return LibraryProduct(rows, columns, depth, dtype, turned, adds, tuple(operands))
