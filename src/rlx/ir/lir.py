"""LIR: the optimized graph with its schedule and memory plan. Frozen; the input of a backend."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlx.core.dim import Size, bind, evaluate, maximum, product, round_up
from rlx.core.dtype import DType
from rlx.ir.graph import Graph
from rlx.ir.layout import Layout
from rlx.ir.text import render

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
    """One step of the schedule: a kernel on places. `writes` of the operands (the last ones) are written, the others read."""

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
        found: list[Size] = []
        total: Size = 0
        for size in self.slots:
            found.append(total)
            total = total + round_up(size, ALIGNMENT)
        return tuple(found)

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
        found = {"arena": evaluate(self.arena, sizes), "scratch per thread": evaluate(self.scratch, sizes)}
        for buffer in self.buffers:
            if buffer.kind != "arena":
                found[buffer.kind] = found.get(buffer.kind, 0) + evaluate(bind(buffer.size, sizes), sizes)
        return found

    def __str__(self) -> str:
        return render_lir(self)


def render_lir(lir: Lir) -> str:
    """The text of a LIR: graph, plan, schedule, and the prepare part."""
    lines = [render(lir.graph), f"plan {json.dumps(lir.device)} {{"]
    lines += [f"  slot {index} : {size}" for index, size in enumerate(lir.slots)]
    for index, buffer in enumerate(lir.buffers):
        where = f" slot {buffer.slot} live {buffer.first}..{buffer.last}" if buffer.kind == "arena" else ""
        lines.append(f"  buffer {index} {buffer.kind} {json.dumps(buffer.name)}{where} : {buffer.size}")
    lines += [f"  in_place %{node} takes {operand}" for node, operand in lir.in_place]
    lines.append(f"  views {lir.views}")
    for index, command in enumerate(lir.commands):
        places = ", ".join("_" if place is None else str(place) for place in command.operands)
        barrier = " barrier" if command.barrier else ""
        work = f"writes {command.writes} units {command.units} scratch {command.scratch}{barrier}"
        lines.append(f"  command {index} {json.dumps(command.kernel)} %{command.node} ({places}) {work}")
    lines.append("}")
    if lir.prepare is not None:
        lines += ["prepare", render_lir(lir.prepare)]
    return "\n".join(lines)


def place_bytes(place: Place) -> Size:
    """Bytes of the dense tensor at a place."""
    return product(place.layout.dims) * place.dtype.size
