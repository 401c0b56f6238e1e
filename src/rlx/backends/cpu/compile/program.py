"""Program: a compiled LIR as plain data, for the disk cache and `exe.save`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.run.commands import CommandTable
from rlx.core.errors import RlxError
from rlx.ir.text import pack_file, unpack_file

if TYPE_CHECKING:
    from rlx.backends.cpu.kernels.control import HostStage


DIMS_FUNCTION = "rlx_checked_dims"
"""The native function that evaluates a program's sizes and checks that they fit; an earlier version without the check had another name."""


Part = tuple[tuple[str, ...], tuple[int, ...]]
"""Outputs that share something on their way, and the commands that make them: they can run without the rest."""


@dataclass(frozen=True)
class Program:
    """A native program as object code and tables; no addresses, no Python objects of the compiler."""

    objects: tuple[bytes, ...]
    table: CommandTable
    buffers: tuple[tuple[str, str], ...]  # (kind, name) by index
    symbols: tuple[str, ...]
    arena: int  # index into the sizes
    scratch: int
    constants: Mapping[str, npt.NDArray[Any]]
    operations: tuple[tuple[str, str], ...]  # (kernel, origin) by op id, for errors and profiles
    costs: tuple[tuple[int, int], ...]  # by op id, the indices of its operations and bytes in the sizes
    canaries: tuple[int, ...] = ()  # with RLX_CANARIES, the indices of the ends of the slots in the sizes
    parts: tuple[Part, ...] = ()  # of a program without inputs
    hosts: Mapping[str, HostStage] = field(default_factory=dict, compare=False)  # Python kernels by name: never stored


def pack_program(program: Program) -> bytes:
    """A program as the bytes of one file."""
    if program.hosts:
        names = ", ".join(sorted({stage.name for stage in program.hosts.values()}))
        raise RlxError(
            "RLX403", f"a program with Python kernels ({names}) cannot be stored", fix="give these ops a native kernel", at=None
        )
    header = {
        "buffers": program.buffers,
        "symbols": program.symbols,
        "arena": program.arena,
        "scratch": program.scratch,
        "operations": program.operations,
        "costs": program.costs,
        "canaries": program.canaries,
        "parts": program.parts,
    }
    arrays: dict[str, npt.NDArray[Any]] = {f"object.{n}": np.frombuffer(code, np.uint8) for n, code in enumerate(program.objects)}
    arrays |= {f"table.{name}": array for name, array in program.table.to_arrays().items()}
    arrays |= {f"constant.{digest}": array for digest, array in program.constants.items()}
    return pack_file(header, arrays)


def unpack_program(blob: bytes) -> Program:
    """Reads a program from the bytes of `pack_program`."""
    header, arrays = unpack_file(blob, "the program")
    table = CommandTable.from_arrays(
        {name.removeprefix("table."): array for name, array in arrays.items() if name.startswith("table.")}
    )
    if table.dims_function not in ("", DIMS_FUNCTION):
        raise RlxError(
            "RLX303", "the program was compiled by another version of RLX", fix="compile it again with this one", at=None
        )
    constants = {name.removeprefix("constant."): array for name, array in arrays.items() if name.startswith("constant.")}
    objects = tuple(array.tobytes() for name, array in arrays.items() if name.startswith("object."))
    pairs = tuple((str(a), str(b)) for a, b in header["buffers"])
    operations = tuple((str(a), str(b)) for a, b in header["operations"])
    costs = tuple((int(a), int(b)) for a, b in header["costs"])
    return Program(
        objects,
        table,
        pairs,
        tuple(header["symbols"]),
        header["arena"],
        header["scratch"],
        constants,
        operations,
        costs,
        tuple(header["canaries"]),
        tuple((tuple(names), tuple(commands)) for names, commands in header["parts"]),
    )
