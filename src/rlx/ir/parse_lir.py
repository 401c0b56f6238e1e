"""Reading the text of a LIR: the graph, the plan, the schedule, and the prepare part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlx.core.dim import Size, bind, evaluate, maximum, product, proves_at_most, round_up
from rlx.core.dtype import DType
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Layout
from rlx.ir.parse import Parser, Symbols
from rlx.ir.text import render

# -- LIR: the optimized graph with its schedule and memory plan. Frozen; the input of a backend ----------------------


ALIGNMENT = 64
BUFFER_KINDS = ("input", "output", "param", "state", "constant", "arena")


@dataclass(frozen=True)
class Buffer:
    """The memory of a value: owned by the caller or the session (kind and name), or part of the arena (kind "arena", a slot).

    `first` and `last` are the commands between which an arena buffer is alive.
    """

    kind: str  # one of BUFFER_KINDS
    name: str
    size: Size  # bytes
    slot: int = -1
    first: int = 0
    last: int = 0


@dataclass(frozen=True)
class Place:
    """Where a tensor is stored: a buffer and a layout in elements."""

    buffer: int
    dtype: DType
    layout: Layout

    def __str__(self) -> str:
        sizes = ", ".join(str(size) for size in self.layout.dims)
        strides = ", ".join(str(stride) for stride in self.layout.strides)
        return f"b{self.buffer} {self.dtype}[{sizes}] at {self.layout.offset} by ({strides})"


@dataclass(frozen=True)
class Command:
    """One step of the schedule: a kernel on buffers. It writes the last `writes` operands, and reads the others."""

    kernel: str
    node: int
    operands: tuple[Place | None, ...]
    writes: int
    units: Size
    scratch: Size
    barrier: bool
    stage: Any = field(default=None, compare=False)  # the backend's own data; planning recreates it


@dataclass(frozen=True)
class Lir:
    """An optimized graph, its memory plan and its schedule; `prepare` computes what depends only on params."""

    graph: Graph
    device: str
    buffers: tuple[Buffer, ...]
    slots: tuple[Size, ...]  # bytes
    commands: tuple[Command, ...]
    in_place: tuple[tuple[int, int], ...] = ()  # (node, operand): the node's result reuses the operand's memory
    views: int = 0  # values that alias another
    prepare: Lir | None = None
    # (input, output): the output may use the input's memory
    donations: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.name

    def __repr__(self) -> str:
        return f"<Lir @{self.name} for {self.device}: {len(self.commands)} commands, {len(self.buffers)} buffers>"

    def offsets(self) -> tuple[Size, ...]:
        """The offset of each slot in the arena, in bytes."""
        sizes: list[Size] = []
        total: Size = 0
        for size in self.slots:
            sizes.append(total)
            total = total + round_up(size, ALIGNMENT)
        return tuple(sizes)

    @property
    def arena(self) -> Size:
        """Bytes of the arena."""
        total: Size = 0
        for size in self.slots:
            total = total + round_up(size, ALIGNMENT)
        return total

    @property
    def unshared(self) -> Size:
        """Bytes the arena would take if no two buffers shared memory."""
        total: Size = 0
        for buffer in self.buffers:
            if buffer.kind == "arena":
                total = total + round_up(buffer.size, ALIGNMENT)
        return total

    @property
    def scratch(self) -> Size:
        """Scratch bytes per thread."""
        most: Size = 0
        for command in self.commands:
            most = maximum(most, command.scratch)
        return most

    def memory(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Bytes by kind for given symbol values."""
        sizes_in_bytes = {"arena": evaluate(self.arena, sizes), "scratch per thread": evaluate(self.scratch, sizes)}
        for buffer in self.buffers:
            if buffer.kind != "arena":
                sizes_in_bytes[buffer.kind] = sizes_in_bytes.get(buffer.kind, 0) + evaluate(bind(buffer.size, sizes), sizes)
        return sizes_in_bytes

    def __str__(self) -> str:
        return render_lir(self)


def render_lir(lir: Lir) -> str:
    """Renders an LIR as text: graph, plan, schedule, and the prepare part."""
    lines = [render(lir.graph), f"plan {json.dumps(lir.device)} {{"]
    lines += [f"  slot {index} : {size}" for index, size in enumerate(lir.slots)]
    for index, buffer in enumerate(lir.buffers):
        where = f" slot {buffer.slot} live {buffer.first}..{buffer.last}" if buffer.kind == "arena" else ""
        lines.append(f"  buffer {index} {buffer.kind} {json.dumps(buffer.name)}{where} : {buffer.size}")
    lines += [f"  in_place %{node} takes {operand}" for node, operand in lir.in_place]
    lines.append(f"  views {lir.views}")
    for index, command in enumerate(lir.commands):
        operands = ", ".join("_" if place is None else str(place) for place in command.operands)
        barrier = " barrier" if command.barrier else ""
        work = f"writes {command.writes} units {command.units} scratch {command.scratch}{barrier}"
        lines.append(f"  command {index} {json.dumps(command.kernel)} %{command.node} ({operands}) {work}")
    lines.append("}")
    if lir.prepare is not None:
        lines += ["prepare", render_lir(lir.prepare)]
    return "\n".join(lines)


def place_bytes(place: Place) -> Size:
    """Bytes of the dense tensor at a place."""
    return product(place.layout.dims) * place.dtype.size


def parse_text(text: str, constants: dict[str, ArrayValue] | None = None) -> Graph | Lir:
    """Parses the text of a graph or an LIR."""
    reader = _PlanReader(text, constants)
    graph = reader.graph()
    module = reader.plan(graph) if reader.peek() == "plan" else graph
    if reader.kind() != "end":
        raise reader.error("expected the end")
    return module


class _PlanReader(Parser):
    """Parses memory plans and schedules."""

    def plan(self, graph: Graph) -> Lir:
        """Parses a memory plan, from the word `plan` on."""
        self.expect("plan")
        device = self.identifier()
        self.expect("{")
        symbols = graph.symbols
        slots: list[Size] = []
        buffers: list[Buffer] = []
        commands: list[Command] = []
        in_place: list[tuple[int, int]] = []
        views: list[int] = []
        while not self.take("}"):
            start, word = self.here, self.identifier()
            match word:
                case "slot":
                    self._number(len(slots), "slot")
                    self.expect(":")
                    slots.append(self._bytes(symbols))
                case "buffer":
                    buffers.append(self._buffer(symbols, len(buffers), len(slots)))
                case "in_place":
                    in_place.append(self._in_place(graph))
                case "views" if not views:
                    views.append(self._least(0, "views"))
                case "command":
                    commands.append(self._command(graph, len(commands), buffers))
                case _:
                    raise self.error_at(start, f"{word!r} is not a line of a plan, or is duplicate")
        prepare = self.plan(self.graph()) if self.take("prepare") else None
        return Lir(graph, device, tuple(buffers), tuple(slots), tuple(commands), tuple(in_place), views[0] if views else 0, prepare)

    # -- numbers ------------------------------------------------------------------------------------------------
    def _number(self, wanted: int, what: str) -> None:
        """Parses the number of a plan line, which must be `wanted`."""
        token = self.here
        if self.integer() != wanted:
            raise self.error_at(token, f"expected {what} {wanted}, found {token.text}")

    def _least(self, least: int, what: str) -> int:
        token, number = self.here, self.integer()
        if number < least:
            raise self.error_at(token, f"{what} {number} is less than {least}")
        return number

    def _below(self, limit: int, what: str) -> int:
        token, number = self.here, self.integer()
        if not 0 <= number < limit:
            raise self.error_at(token, f"there is no {what} {number}, only {limit}")
        return number

    def _bytes(self, symbols: Symbols) -> Size:
        """Parses a size in bytes: not negative for every binding."""
        token = self.here
        size: Size = self.size(symbols)
        if proves_at_most(0, size) is False:
            raise self.error_at(token, f"the size {size} is negative")
        return size

    # -- lines --------------------------------------------------------------------------------------------------
    def _buffer(self, symbols: Symbols, number: int, slots: int) -> Buffer:
        self._number(number, "buffer")
        token, kind, name = self.here, self.identifier(), self.string()
        if kind not in BUFFER_KINDS:
            raise self.error_at(token, f"{kind!r} is not a kind of buffer", fix=f"one of: {', '.join(BUFFER_KINDS)}")
        slot, first, last = -1, 0, 0
        if kind == "arena":
            self.expect("slot")
            slot = self._below(slots, "slot")
            self.expect("live")
            first = self._least(0, "the first command")
            self.expect("..")
            last = self._least(first, "the last command")
        self.expect(":")
        return Buffer(kind, name, self._bytes(symbols), slot, first, last)

    def _in_place(self, graph: Graph) -> tuple[int, int]:
        node = self._result(graph).node
        self.expect("takes")
        return node, self._below(len(graph.nodes[node].inputs), "operand")

    def _command(self, graph: Graph, number: int, buffers: list[Buffer]) -> Command:
        symbols = graph.symbols
        self._number(number, "command")
        kernel, token, node = self.string(), self.here, self.ref().node
        if node >= len(graph.nodes):
            raise self.error_at(token, f"{token.text} is not a node of the graph")
        operands = self.items(lambda: None if self.take("_") else self._place(symbols, buffers))
        self.expect("writes")
        writes = self._below(len(operands) + 1, "operand")
        self.expect("units")
        units = self._bytes(symbols)
        self.expect("scratch")
        return Command(kernel, node, operands, writes, units, self._bytes(symbols), self.take("barrier"))

    def _place(self, symbols: Symbols, buffers: list[Buffer]) -> Place:
        token, word = self.here, self.identifier()
        number = int(word[1:]) if word[:1] == "b" and word[1:].isdecimal() and len(word) < 10 else -1
        if not 0 <= number < len(buffers):
            raise self.error_at(token, f"{word!r} is not one of the {len(buffers)} buffers")
        shape = self.shape(symbols)
        self.expect("at")
        offset = self.size(symbols)
        self.expect("by")
        strides = self.items(lambda: self.size(symbols))
        if len(strides) != shape.rank:
            raise self.error_at(token, f"{len(strides)} strides for {shape}")
        place = Place(number, shape.dtype, Layout(shape.dims, strides, offset))
        if proves_at_most(0, offset) is False or proves_at_most(_reach(place), buffers[number].size) is False:
            raise self.error_at(token, f"{place} lies outside the buffer's {buffers[number].size} bytes")
        return place


def _reach(place: Place) -> Size:
    """Bytes from the start of the buffer to the end of the last element, 0 if the place may be empty or has negative strides."""
    last: Size = place.layout.offset
    for size, stride in zip(place.layout.dims, place.layout.strides, strict=True):
        if not proves_at_most(1, size) or not proves_at_most(0, stride):
            return 0
        last = last + (size - 1) * stride
    return (last + 1) * place.dtype.size
