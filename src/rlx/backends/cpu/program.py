"""Program: a compiled LIR as plain data. What the disk cache holds and `exe.save` writes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.builder import Module
from rlx.backends.cpu.codegen import compile_object
from rlx.backends.cpu.kernel import KernelCode, Stage, Tensor
from rlx.backends.cpu.runloop import BARRIER, Argument, Command, CommandTable
from rlx.backends.cpu.sizes import SizeTable
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size
from rlx.core.report import Report
from rlx.ir.graph import Graph, Node
from rlx.ir.lir import Lir, Place, place_bytes
from rlx.ir.op import Call
from rlx.ir.serialize import pack_file, unpack_file

DIMS_FUNCTION = "rlx_dims"


@dataclass(frozen=True)
class Program:
    """Object code and tables; no addresses, no Python objects of the compiler."""

    code: bytes
    table: CommandTable
    buffers: tuple[tuple[str, str], ...]  # (kind, name) by index
    symbols: tuple[str, ...]
    arena: int  # index into the sizes
    scratch: int
    constants: Mapping[str, npt.NDArray[Any]]
    operations: tuple[tuple[str, str], ...]  # (kernel, origin) by op id, for errors and profiles
    costs: tuple[tuple[int, int], ...]  # by op id, where in the sizes its operations and bytes stand
    text: str = field(default="", compare=False)  # LLVM text, kept for dumps only


@dataclass
class _Kernel:
    name: str
    code: KernelCode


def build_program(lir: Lir, target: Target, report: Report) -> Program:
    """Emit every distinct kernel once, compile them together, and describe the commands."""
    start = time.perf_counter()
    module = Module(target)
    sizes = SizeTable()
    offsets = lir.offsets()
    kernels: dict[object, _Kernel] = {}
    commands: list[Command] = []
    operations: list[tuple[str, str]] = []
    costs: list[tuple[int, int]] = []
    counted = -1  # an op of several stages is counted once, with the first
    for command in lir.commands:
        stage: Stage = command.stage
        tensors = tuple(
            None if place is None else Tensor(place.dtype, place.layout.dims, place.layout.strides) for place in command.operands
        )
        key = (stage.name, stage.key, tensors)
        if key not in kernels:
            name = f"k{len(kernels)}_{_safe(stage.name)}"
            code = KernelCode(module, name, tensors)
            stage.emit(code)
            kernels[key] = _Kernel(name, code)
        kernel = kernels[key]
        arguments = [_pointer(place, lir, offsets, sizes) for place in command.operands if place is not None]
        arguments += [Argument.status(), Argument.immediate(len(operations))]
        arguments += [Argument.size(sizes.index(size)) for size in kernel.code.sizes]
        flags = BARRIER if command.barrier else 0
        commands.append(Command(kernel.name, sizes.index(command.units), arguments, flags, len(operations)))
        operations.append((stage.name, str(lir.graph.node(command.node).origin)))
        work = 0 if command.node == counted else node_cost(lir.graph, lir.graph.node(command.node))
        counted = command.node
        moved = sum((place_bytes(place) for place in command.operands if place is not None), start=0)
        costs.append((sizes.index(work), sizes.index(moved)))
    arena, scratch = sizes.index(lir.arena), sizes.index(lir.scratch)
    order = {name: index for index, name in enumerate(sorted(lir.graph.symbols))}
    dynamic = sizes.define(module, DIMS_FUNCTION, order)
    text = module.text()
    report.time("emit kernels", time.perf_counter() - start)
    start = time.perf_counter()
    code_bytes = compile_object(text, target)
    report.time("compile kernels", time.perf_counter() - start)
    report.facts["kernels"] = f"{len(kernels)} compiled for {len(commands)} commands"
    table = CommandTable.build(commands, sizes.initial(), len(lir.buffers), len(order), DIMS_FUNCTION if dynamic else "")
    constants = {digest: value.array for digest, value in lir.graph.constants().items()}
    kinds = tuple((buffer.kind, buffer.name) for buffer in lir.buffers)
    return Program(code_bytes, table, kinds, tuple(order), arena, scratch, constants, tuple(operations), tuple(costs), text)


def _pointer(place: Place, lir: Lir, offsets: tuple[Any, ...], sizes: SizeTable) -> Argument:
    buffer = lir.buffers[place.buffer]
    offset = place.layout.offset * place.dtype.size
    if buffer.kind == "arena":
        offset = offset + offsets[buffer.slot]
    return Argument.buffer(place.buffer, -1 if isinstance(offset, int) and offset == 0 else sizes.index(offset))


def node_cost(graph: Graph, node: Node) -> Size:
    """Arithmetic operations of a node; a fused one does what its body does."""
    if node.op.name == "fused":
        body: Graph = node.op["body"]
        return sum((node_cost(body, inner) for inner in body.nodes if not inner.op.definition.leaf), start=0)
    cost = node.op.definition.cost
    if cost is None:
        return 0
    return cost(Call(node.op, [None if ref is None else graph.shape(ref) for ref in node.inputs], graph.assumptions), node.results)


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def pack_program(program: Program) -> bytes:
    """A program as the bytes of one file."""
    header = {
        "buffers": program.buffers, "symbols": program.symbols, "arena": program.arena, "scratch": program.scratch,
        "operations": program.operations, "costs": program.costs,
    }  # fmt: skip
    arrays: dict[str, npt.NDArray[Any]] = {"code": np.frombuffer(program.code, np.uint8)}
    arrays |= {f"table.{name}": array for name, array in program.table.to_arrays().items()}
    arrays |= {f"constant.{digest}": array for digest, array in program.constants.items()}
    return pack_file(header, arrays)


def unpack_program(blob: bytes) -> Program:
    """The inverse of pack_program."""
    header, arrays = unpack_file(blob, "the program")
    table = CommandTable.from_arrays({name.removeprefix("table."): array for name, array in arrays.items() if name.startswith("table.")})
    constants = {name.removeprefix("constant."): array for name, array in arrays.items() if name.startswith("constant.")}
    pairs = tuple((str(a), str(b)) for a, b in header["buffers"])
    operations = tuple((str(a), str(b)) for a, b in header["operations"])
    costs = tuple((int(a), int(b)) for a, b in header["costs"])
    return Program(
        arrays["code"].tobytes(), table, pairs, tuple(header["symbols"]), header["arena"], header["scratch"], constants, operations, costs
    )
