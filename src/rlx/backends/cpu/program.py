"""Program: a compiled LIR as plain data. What the disk cache holds and `exe.save` writes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.builder import Module
from rlx.backends.cpu.canaries import PADDING
from rlx.backends.cpu.codegen import compile_object
from rlx.backends.cpu.compilation import Compilation
from rlx.backends.cpu.kernels.host import HostStage
from rlx.backends.cpu.runloop import CommandTable
from rlx.backends.cpu.table import TableBuilder
from rlx.backends.cpu.target import Target
from rlx.core import config
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.lir import Lir
from rlx.ir.serialize import pack_file, unpack_file

DIMS_FUNCTION = "rlx_dims"


@dataclass(frozen=True)
class Program:
    """Object code and tables; no addresses, no Python objects of the compiler."""

    objects: tuple[bytes, ...]
    table: CommandTable
    buffers: tuple[tuple[str, str], ...]  # (kind, name) by index
    symbols: tuple[str, ...]
    arena: int  # index into the sizes
    scratch: int
    constants: Mapping[str, npt.NDArray[Any]]
    operations: tuple[tuple[str, str], ...]  # (kernel, origin) by op id, for errors and profiles
    costs: tuple[tuple[int, int], ...]  # by op id, where in the sizes its operations and bytes stand
    canaries: tuple[int, ...] = ()  # under RLX_CANARIES, where in the sizes the ends of the slots stand
    hosts: Mapping[str, HostStage] = field(default_factory=dict, compare=False)  # Python kernels by name: never stored


def build_programs(lirs: Sequence[Lir], target: Target, report: Report) -> tuple[Program, ...]:
    """The programs of some LIRs. Kernels are compiled side by side, while the next ones are written; equal ones once."""
    start = time.perf_counter()
    with Compilation(lambda text: compile_object(text, target)) as compilation:
        drafts = [_draft(lir, target, compilation, report) for lir in lirs]
        report.time("emit kernels", time.perf_counter() - start)
        start = time.perf_counter()
        programs = tuple(replace(program, objects=compilation.objects(texts)) for program, texts in drafts)
    report.time("compile kernels", time.perf_counter() - start)
    return programs


def _draft(lir: Lir, target: Target, compilation: Compilation, report: Report) -> tuple[Program, tuple[str, ...]]:
    """A program whose objects are still being compiled, and their texts."""
    texts: dict[str, None] = {}  # in order, each once

    def submit(text: str) -> None:
        texts[text] = None
        compilation.submit(text)

    table = TableBuilder(target, [(buffer.kind, buffer.name) for buffer in lir.buffers], submit)
    table.add(lir)
    sizes, patches = table.sizes, table.patches()
    arena, scratch = sizes.index(lir.arena), sizes.index(lir.scratch)
    ends = zip(lir.offsets(), lir.slots, strict=True) if config.CANARIES.on() else ()
    canaries = tuple(sizes.index(offset + size - PADDING) for offset, size in ends)
    order = {name: index for index, name in enumerate(sorted(lir.graph.symbols))}
    module = Module(target)
    dynamic = sizes.define(module, DIMS_FUNCTION, order)
    if dynamic:
        submit(module.text())
    report.show(f"llvm {lir.name}", tuple(texts))
    report.facts[f"kernels of {lir.name}"] = f"{len(table.kernels)} compiled for {len(table.commands)} commands"
    for stage in table.hosts.values():
        report.add("compile", "host call", f"{stage.name} runs in Python, on the calling thread")
    commands = CommandTable.build(
        table.commands, sizes.initial(), len(table.buffers), len(order), DIMS_FUNCTION if dynamic else "", patches
    )
    constants = {digest: value.array for digest, value in lir.graph.constants().items()}
    program = Program(
        (), commands, tuple(table.buffers), tuple(order), arena, scratch, constants, tuple(table.operations), tuple(table.costs), canaries,
        table.hosts,
    )  # fmt: skip
    return program, tuple(texts)


def pack_program(program: Program) -> bytes:
    """A program as the bytes of one file."""
    if program.hosts:
        names = ", ".join(sorted({stage.name for stage in program.hosts.values()}))
        raise RlxError(
            "RLX403", f"a program with Python kernels ({names}) cannot be stored", fix="give these ops a native kernel", at=None
        )
    header = {
        "buffers": program.buffers, "symbols": program.symbols, "arena": program.arena, "scratch": program.scratch,
        "operations": program.operations, "costs": program.costs, "canaries": program.canaries,
    }  # fmt: skip
    arrays: dict[str, npt.NDArray[Any]] = {f"object.{n}": np.frombuffer(code, np.uint8) for n, code in enumerate(program.objects)}
    arrays |= {f"table.{name}": array for name, array in program.table.to_arrays().items()}
    arrays |= {f"constant.{digest}": array for digest, array in program.constants.items()}
    return pack_file(header, arrays)


def unpack_program(blob: bytes) -> Program:
    """The inverse of pack_program."""
    header, arrays = unpack_file(blob, "the program")
    table = CommandTable.from_arrays({name.removeprefix("table."): array for name, array in arrays.items() if name.startswith("table.")})
    constants = {name.removeprefix("constant."): array for name, array in arrays.items() if name.startswith("constant.")}
    objects = tuple(array.tobytes() for name, array in arrays.items() if name.startswith("object."))
    pairs = tuple((str(a), str(b)) for a, b in header["buffers"])
    operations = tuple((str(a), str(b)) for a, b in header["operations"])
    costs = tuple((int(a), int(b)) for a, b in header["costs"])
    return Program(
        objects, table, pairs, tuple(header["symbols"]), header["arena"], header["scratch"], constants, operations, costs,
        tuple(header["canaries"]),
    )  # fmt: skip
