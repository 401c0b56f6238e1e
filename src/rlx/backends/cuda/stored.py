"""Programs as bytes: steps, buffers and sizes as JSON, constants and cubins as they are. What comes from disk needs no compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, replace
from typing import Any

import numpy as np

from rlx.backends.cuda.kernel_data import KernelSource, LibraryProduct
from rlx.backends.cuda.program import BufferOperand, CudaProgram, DeviceProgramStep, ProgramStep, TrapStep
from rlx.backends.cuda.triton_compile import Cubin
from rlx.core.dim import Size, Symbol
from rlx.core.dtype import DType
from rlx.ir.graph import Layout, SizeReader
from rlx.ir.parse_lir import Buffer, Place
from rlx.ir.text import pack_file, unpack_file


def pack_program(program: CudaProgram, code: Callable[[KernelSource], Cubin | None]) -> bytes:
    """A program without steps on the host, and the machine code of its kernels where there is any."""
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
    """The inverse of `pack_program`: the program, and its machine code by the keys of kernels."""
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
    """Operands and steps."""

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
