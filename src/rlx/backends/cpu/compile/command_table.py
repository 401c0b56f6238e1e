"""From a LIR to the rows of the command table: kernels emitted once each, argument descriptors, bodies inlined."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode, Stage, Tensor
from rlx.backends.cpu.emit.values import I1, I64, PTR, Value
from rlx.backends.cpu.kernels.control import ControlStage, HostStage, Part
from rlx.backends.cpu.run.commands import (
    BARRIER,
    BRANCH,
    HOST,
    JUMP,
    LONG_RUNS,
    LOOP,
    LOOPED,
    NEXT_ROUND,
    Argument,
    NativeCommand,
    Patch,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import LARGEST_SIZE, Dim, OpaqueAtom, Size, Symbol
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph, Node, all_shapes
from rlx.ir.op import Call
from rlx.ir.parse_lir import Command, Lir, Place, place_bytes

# -- every size, offset and unit count of a program in one table, evaluated by one native function when symbols change
#
# Native code uses 64-bit integers, so the function also checks whether a size exceeds 2**63: an allocation of a wrapped size would be too
# small. Values that are only reported (operations and bytes of a profile) may wrap.


class SizeTable:
    """Sizes of a program by index: equal expressions share an entry. `checked` are those that a run relies on."""

    def __init__(self) -> None:
        self.sizes: list[Size] = []
        self.checked: dict[Size, None] = {}  # in order, each once
        self._index: dict[object, int] = {}

    def index(self, size: Size) -> int:
        """The index of a size that a run relies on, added if it is new."""
        self.check(size)
        return self.reported_index(size)

    def reported_index(self, size: Size) -> int:
        """The index of a size that is only reported."""
        key = size.terms if isinstance(size, Dim) else size
        if key not in self._index:
            self._index[key] = len(self.sizes)
            self.sizes.append(size)
        return self._index[key]

    def check(self, size: Size) -> None:
        """Adds a size to those that must stay below 2**63, in the table or not."""
        if not isinstance(size, Dim) and size > LARGEST_SIZE:
            raise RlxError("RLX208", f"the program needs a size of {size}; native sizes go up to 2**63 - 1")
        self.checked[size] = None

    def initial(self) -> list[int]:
        """Initial values of the table: static sizes, and 0 where the native function will write."""
        return [0 if isinstance(size, Dim) else min(int(size), LARGEST_SIZE) for size in self.sizes]

    def define(self, module: Module, name: str, symbols: Mapping[str, int]) -> bool:
        """Emits `i64 name(ptr symbols, ptr out)`, which returns 1 if a checked size exceeds 2**63; False if all are static."""
        dynamic = [(index, size) for index, size in enumerate(self.sizes) if isinstance(size, Dim)]
        if not dynamic:
            return False
        k = module.function(name, [("symbols", PTR), ("out", PTR)], I64, seldom=True)
        writer = _Writer(k, symbols)
        for index, size in dynamic:
            k.store(writer.value(size).number, k.parameters[1], index)
        wrong = k.constant(0, I1)
        for each in self.checked:
            wrong = wrong | writer.value(each).wrong
        k.ret(k.select(wrong, 1, 0))
        return True


class _Checked(NamedTuple):
    """A 64-bit number in native code, and whether it or any of its operands overflowed."""

    number: Value
    wrong: Value


class _Writer:
    """Writes polynomials of symbols in native code, each atom once."""

    def __init__(self, k: Function, symbols: Mapping[str, int]) -> None:
        self.k, self.symbols = k, symbols
        self.known: dict[object, _Checked] = {}

    def value(self, size: Size) -> _Checked:
        if not isinstance(size, Dim):
            return self._constant(size)
        if size not in self.known:
            total = self._constant(0)
            for monomial, coefficient in size.terms:
                product = self._constant(coefficient)
                for atom, power in monomial:
                    for _ in range(power):
                        product = self._combine("mul", product, self._atom(atom))
                total = self._combine("add", total, product)
            self.known[size] = total
        return self.known[size]

    def _atom(self, atom: Symbol | OpaqueAtom) -> _Checked:
        k = self.k
        if atom not in self.known:
            if isinstance(atom, Symbol):
                self.known[atom] = _Checked(k.load(k.parameters[0], self.symbols[atom.name], I64), k.constant(0, I1))
            else:
                self.known[atom] = self._call(atom.function, self.value(atom.left), self.value(atom.right))
        return self.known[atom]

    def _call(self, function: str, left: _Checked, right: _Checked) -> _Checked:
        k, wrong = self.k, left.wrong | right.wrong
        if function == "min":
            return _Checked(k.minimum(left.number, right.number), wrong)
        if function == "max":
            return _Checked(k.maximum(left.number, right.number), wrong)
        zero = right.number == 0  # of a symbol that may be 0, or wrapped
        return _Checked(left.number // k.select(zero, 1, right.number), wrong | zero)

    def _combine(self, name: str, left: _Checked, right: _Checked) -> _Checked:
        """Emits a sum or product with its overflow."""
        number, wrapped = self.k.with_overflow(name, left.number, right.number)
        return _Checked(number, left.wrong | right.wrong | wrapped)

    def _constant(self, number: int) -> _Checked:
        return _Checked(self.k.index(number), self.k.constant(abs(number) > LARGEST_SIZE, I1))


@dataclass(frozen=True)
class Address:
    """Where a tensor begins: bytes into a buffer of the program, and how loops advance it: (loop, bytes, backwards)."""

    buffer: int
    offset: Size = 0
    moves: tuple[tuple[int, Size, bool], ...] = ()

    def plus(self, distance: Size) -> Address:
        """The address plus `distance` bytes."""
        return replace(self, offset=self.offset + distance)

    def moving(self, loop: int, stride: Size, backwards: bool) -> Address:
        """The address, advanced by this many bytes in every round of a loop."""
        return replace(self, moves=(*self.moves, (loop, stride, backwards)))


_UNNAMED = "rlx_kernel"

Where = Callable[[int], Address]
"""The address of a LIR's buffer."""


@dataclass
class TableBuilder:
    """Builds the command table of a program: collects kernels, commands and what is known about each command."""

    target: Target
    buffers: list[tuple[str, str]]  # (kind, name): the LIR's, then constants of bodies
    compile: Callable[[str], None]  # receives the text of each kernel
    sizes: SizeTable = field(default_factory=SizeTable)
    kernels: dict[object, tuple[str, KernelCode]] = field(default_factory=dict)
    subroutines: dict[Hashable, str] = field(default_factory=dict)  # their names
    commands: list[NativeCommand] = field(default_factory=list)
    operations: list[tuple[str, str]] = field(default_factory=list)  # (kernel, origin) by op id
    costs: list[tuple[int, int]] = field(default_factory=list)  # operations and bytes by op id
    hosts: dict[str, HostStage] = field(default_factory=dict)
    moved: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)  # by loop: (argument, stride, backwards)
    loops: int = 0
    arguments: int = 0
    runs: int = 0  # of a thread's share of a command's units, where its kernel gives none

    def add(self, lir: Lir, where: Where | None = None, *, looped: bool = False, inside: bool = False) -> None:
        """Adds every command of a LIR; those inside a body begin with a barrier, since what came before is unknown here."""
        offsets = lir.offsets()
        for shape in all_shapes(lir.graph):
            self.sizes.check(shape.size_bytes)

        def own(index: int) -> Address:
            buffer = lir.buffers[index]
            return Address(index, offsets[buffer.slot] if buffer.kind == "arena" else 0)

        last = {
            command.node: number for number, command in enumerate(lir.commands)
        }  # an op with several stages is counted once, there
        for number, command in enumerate(lir.commands):
            flags = (BARRIER if command.barrier or (inside and number == 0) else 0) | (LOOPED if looped else 0)
            node = lir.graph.node(command.node)
            counts = last[command.node] == number or command.stage.part is not None
            work = node_cost(lir.graph, node) if counts else 0
            places = [None if place is None else (place, _at(place, where or own)) for place in command.operands]
            if isinstance(command.stage, ControlStage):
                self._control(command.stage, places, flags, str(node.origin), looped)
            else:
                self._kernel(command, places, flags, str(node.origin), work)

    # -- kernels
    def _kernel(
        self, command: Command, places: Sequence[tuple[Place, Address] | None], flags: int, origin: str, work: Size
    ) -> None:
        moved: Size = sum((place_bytes(place) for place in command.operands if place is not None), start=0)
        if command.stage.part is not None:
            work, moved = work * command.stage.part, moved * command.stage.part
        self._stage(command.stage, places, flags, origin, work, moved)

    def _stage(
        self, stage: Stage, places: Sequence[tuple[Place, Address] | None], flags: int, origin: str, work: Size = 0, moved: Size = 0
    ) -> None:
        tensors = tuple(None if item is None else Tensor.of(item[0]) for item in places)
        if isinstance(stage, HostStage):
            name, symbolic, flags = f"host{len(self.hosts)}_{_safe(stage.name)}", _symbolic(tensors), flags | HOST
            self.hosts[name] = stage.on(tensors, symbolic)
            wanted: Sequence[Size] = symbolic
            runs = 0
        else:
            runs = stage.runs or (0 if stage.ordered else self.runs)
            flags |= LONG_RUNS if runs else 0
            key = (stage.name, stage.key, tensors)
            if key not in self.kernels:
                self.kernels[key] = self._emit(stage, tensors)
            name, code = self.kernels[key]
            wanted = code.sizes
        arguments: list[Argument] = []
        for item in places:
            if item is not None:
                self._follow(item[1], self.arguments + len(arguments))
                arguments.append(self._pointer(item[1]))
        arguments += [Argument.status(), Argument.immediate(len(self.operations))]
        arguments += [Argument.size(self.sizes.index(size)) for size in wanted]
        units = self.sizes.index(0 if _is_idle(stage, places) else stage.units)
        self._append(NativeCommand(name, units, arguments, flags, len(self.operations), runs), stage.name, origin, work, moved)
        self.arguments += len(arguments)

    def _emit(self, stage: Stage, tensors: tuple[Tensor | None, ...]) -> tuple[str, KernelCode]:
        """Emits a kernel, in its own module, and submits it for compilation."""
        code = KernelCode(Module(self.target, self._subroutine), _UNNAMED, tensors)
        stage.emit(code)
        return self._submit(stage.name, code.module), code

    def _subroutine(self, key: Hashable, define: Callable[[Module, str], None]) -> str:
        """Emits code that several kernels call: in its own module too, compiled once for all of them."""
        if key not in self.subroutines:
            module = Module(self.target, self._subroutine)
            define(module, _UNNAMED)
            self.subroutines[key] = self._submit("subroutine", module)
        return self.subroutines[key]

    def _submit(self, name: str, module: Module) -> str:
        """Submits a module for compilation; its function is named by its content: equal code, equal name."""
        text = module.text()
        unique = f"{_safe(name)}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        self.compile(text.replace(f"@{_UNNAMED}(", f"@{unique}(", 1))
        return unique

    def _append(self, command: NativeCommand, name: str, origin: str, work: Size = 0, moved: Size = 0) -> int:
        """Appends a row to the command table; returns its position."""
        self.commands.append(command)
        self.operations.append((name, origin))
        self.costs.append((self.sizes.reported_index(work), self.sizes.reported_index(moved)))
        return len(self.commands) - 1

    def _pointer(self, address: Address) -> Argument:
        zero = isinstance(address.offset, int) and address.offset == 0
        return Argument.buffer(address.buffer, -1 if zero else self.sizes.index(address.offset))

    def _follow(self, address: Address, argument: int) -> None:
        for loop, stride, backwards in address.moves:
            self.moved.setdefault(loop, []).append((argument, self.sizes.index(stride), int(backwards)))

    def patches(self) -> list[Patch]:
        """All arguments that loops advance; sets each LOOP command's range of patches."""
        patches: list[Patch] = []
        first = {}
        for loop in range(self.loops):
            first[loop] = len(patches)
            patches += [Patch(argument, stride, backwards, loop) for argument, stride, backwards in self.moved.get(loop, [])]
        for index, command in enumerate(self.commands):
            if command.flags & LOOP:
                count = len(self.moved.get(command.op, []))
                self.commands[index] = command._replace(first=first[command.op], chunk=count)
        return patches

    # -- bodies
    def _control(
        self, stage: ControlStage, places: Sequence[tuple[Place, Address] | None], flags: int, origin: str, looped: bool
    ) -> None:
        operands = [item for item in places if item is not None]
        for copied in stage.copies:
            source, target = operands[copied.source], operands[copied.target]
            if source[1] == target[1]:
                continue  # the carry reuses the operand's memory
            for part in copied.lowering.stages:
                self._stage(part, (source, target), flags, origin)
        if stage.name == "if":
            self._branches(stage, operands, origin, looped)
        else:
            self._rounds(stage, operands, origin, looped)

    def _branches(self, stage: ControlStage, operands: Sequence[tuple[Place, Address]], origin: str, looped: bool) -> None:
        branch = self._branch(operands[stage.pred][1], origin)
        self._body(stage.parts["then"], operands, None, looped)
        jump = self._append(NativeCommand("", self.sizes.index(0), (), JUMP), "jump", origin)
        self._aim(branch, len(self.commands))
        self._body(stage.parts["else"], operands, None, looped)
        self._aim(jump, len(self.commands))

    def _rounds(self, stage: ControlStage, operands: Sequence[tuple[Place, Address]], origin: str, looped: bool) -> None:
        loop, self.loops = self.loops, self.loops + 1
        begin = self._append(NativeCommand("", self.sizes.index(stage.rounds), (), LOOP, loop), "loop", origin)
        leave = None
        if "cond" in stage.parts:
            self._body(stage.parts["cond"], operands, None, True)
            leave = self._branch(operands[stage.pred][1], origin)
        rows = (loop, stage.reverse) if stage.name == "scan" else None
        self._body(stage.parts["body"], operands, rows, True)
        self._append(NativeCommand("", self.sizes.index(0), (), NEXT_ROUND, loop, target=begin), "next round", origin)
        for place in (begin, leave):
            if place is not None:
                self._aim(place, len(self.commands))

    def _branch(self, pred: Address, origin: str) -> int:
        """Appends a BRANCH on a byte. The byte's address is the last argument of a no-op command, which holds it in the table."""
        self._follow(pred, self.arguments)
        place = self._append(
            NativeCommand("", self.sizes.index(0), (self._pointer(pred),), BRANCH, first=self.arguments), "branch", origin
        )
        self.arguments += 1
        return place

    def _aim(self, place: int, target: int) -> None:
        self.commands[place] = self.commands[place]._replace(target=target)

    def _body(self, part: Part, operands: Sequence[tuple[Place, Address]], rows: tuple[int, bool] | None, looped: bool) -> None:
        """Adds the commands of a body; `rows`: the loop that advances operands row by row, and whether backwards."""
        lir, offsets, arena = part.lir, part.lir.offsets(), operands[part.arena][1]
        addresses: list[Address] = []
        for buffer in lir.buffers:
            if buffer.kind == "arena":
                addresses.append(arena.plus(offsets[buffer.slot]))
            elif buffer.kind == "constant":
                addresses.append(Address(self._constant(buffer.name)))
            else:
                bound = part.bound[buffer.kind, buffer.name]
                place, address = operands[bound.operand]
                if bound.moved:
                    assert rows is not None
                    address = address.moving(rows[0], place.layout.strides[0] * place.dtype.size, rows[1])
                addresses.append(address)
        self.add(lir, lambda index: addresses[index], looped=looped, inside=True)

    def _constant(self, digest: str) -> int:
        entry = ("constant", digest)
        if entry not in self.buffers:
            self.buffers.append(entry)
        return self.buffers.index(entry)


def _is_idle(stage: Stage | HostStage, places: Sequence[tuple[Place, Address] | None]) -> bool:
    """Whether a command copies memory to itself."""
    if isinstance(stage, HostStage) or not stage.idle_in_place:
        return False
    source, target = places
    return source is not None and target is not None and source[1] == target[1]


def _at(place: Place, where: Where) -> Address:
    return where(place.buffer).plus(place.layout.offset * place.dtype.size)


def _symbolic(tensors: Sequence[Tensor | None]) -> list[Dim]:
    """Every distinct symbolic size of some tensors."""
    sizes = (size for tensor in tensors if tensor is not None for size in (*tensor.dims, *tensor.strides))
    return list(dict.fromkeys(size for size in sizes if isinstance(size, Dim)))


def node_cost(graph: Graph, node: Node) -> Size:
    """The number of arithmetic operations of a node; a fused one counts those of its body."""
    if node.op.is_fused:
        body: Graph = node.op["body"]
        return sum((node_cost(body, inner) for inner in body.nodes if not inner.op.definition.leaf), start=0)
    cost = node.op.definition.cost
    if cost is None:
        return 0
    return cost(Call(node.op, [None if ref is None else graph.shape(ref) for ref in node.inputs], graph.assumptions), node.results)


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)
