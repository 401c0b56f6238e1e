"""The order of commands, and the barriers between those that depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.ir.parse_lir import Command, Place
from rlx.plan.lowerer import StageLike


@dataclass
class Pending:
    """A command before slots are known."""

    stage: StageLike
    node: int
    operands: tuple[Place | None, ...]
    reads: tuple[int, ...]  # buffers touched
    writes: tuple[int, ...]
    written: int  # how many of the operands are written
    waits: bool = False  # for everything before it, whatever it touches
    prepares: bool = False  # it only writes temporaries, of what its op reads


def prepared_early(pending: Sequence[Pending], roots: Sequence[int]) -> list[Pending]:
    """Commands that prepare something go up to what they depend on: behind one barrier then stand all that read it."""
    ordered: list[Pending] = []
    for item in pending:
        place = len(ordered)
        if item.prepares:
            reads, writes = ({roots[buffer] for buffer in buffers} for buffers in (item.reads, item.writes))
            while place and not ordered[place - 1].waits:
                before = ordered[place - 1]
                changed = {roots[buffer] for buffer in before.writes}
                if changed & reads or writes & {roots[buffer] for buffer in before.reads}:
                    break
                place -= 1
        ordered.insert(place, item)
    return ordered


def group_ends(barriers: Sequence[bool]) -> list[int]:
    """For each command the last one before the next barrier: they may run side by side."""
    ends = list(range(len(barriers)))
    for position in range(len(barriers) - 2, -1, -1):
        if not barriers[position + 1]:
            ends[position] = ends[position + 1]
    return ends


def find_barriers(pending: Sequence[Pending], where: Mapping[int, Any]) -> list[bool]:
    """A barrier before a command that reads what was written, or writes what was touched, since the last barrier."""
    read: set[Any] = set()
    written: set[Any] = set()
    found = []
    for item in pending:
        writes = {where[buffer] for buffer in item.writes}
        reads = {where[buffer] for buffer in item.reads}
        found.append(item.waits or bool(reads & written or writes & (written | read)))
        if found[-1]:
            read, written = set(), set()
        read |= reads
        written |= writes
    return found


def with_barriers(
    pending: Sequence[Pending], roots: Sequence[int], number: dict[int, int], where: Mapping[int, Any]
) -> list[Command]:
    """The commands as they are run: on buffers that are kept, with barriers where these share memory."""
    commands: list[Command] = []
    for item, barrier in zip(pending, find_barriers(pending, where), strict=True):
        places = tuple(None if p is None else Place(number[roots[p.buffer]], p.dtype, p.layout) for p in item.operands)
        commands.append(
            Command(item.stage.name, item.node, places, item.written, item.stage.units, item.stage.scratch, barrier, item.stage)
        )
    return commands
