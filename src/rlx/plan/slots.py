"""Slots: which buffers share memory, decided once and valid for every value of the symbolic sizes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any

from rlx.core.dim import Size, Symbol, evaluate, maximum
from rlx.core.dtype import DType
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Buffer, Command, Place
from rlx.plan.lowerer import StageLike

TYPICAL = 1024  # the value of an unbounded symbol when sizes are compared
_WASTE = 1.1  # the most memory with birth order, relative to the peak


@dataclass
class Lifetime:
    """A buffer with the first and last command that use it."""

    buffer: int
    size: Size
    first: int
    last: int


def assign_slots(lives: Sequence[Lifetime], symbols: Mapping[str, Symbol]) -> tuple[dict[int, int], list[Size]]:
    """Assigns buffers to slots so that no two live at once share one; returns each buffer's slot and each slot's size.

    Buffers are assigned in order of their first command, for locality. If that needs much more than the peak of live memory, as in
    a training step, they are assigned by size instead, the largest first. Sizes are compared at the symbols' maxima.
    """
    typical = {
        name: symbol.maximum if symbol.maximum is not None else max(TYPICAL, symbol.minimum) for name, symbol in symbols.items()
    }
    weights = {life.buffer: evaluate(life.size, typical) for life in lives}
    slots = _by_birth(lives, weights)
    if sum(slot.weight for slot in slots) > _WASTE * _peak(lives, weights):
        other = _by_size(lives, weights)
        if sum(slot.weight for slot in other) * _WASTE < sum(slot.weight for slot in slots):
            slots = other
    sizes: list[Size] = []
    for slot in slots:
        size: Size = 0
        for life in slot.members:
            size = maximum(size, life.size)
        sizes.append(size)
    return {life.buffer: number for number, slot in enumerate(slots) for life in slot.members}, sizes


@dataclass
class _Slot:
    """A slot of the arena: buffers that share memory."""

    members: list[Lifetime]
    weight: int  # of the largest member


def _by_birth(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> list[_Slot]:
    """Assigns slots by linear scan: takes the best-fitting free slot, else grows the largest free one."""
    slots: list[_Slot] = []
    free: list[tuple[int, int]] = []  # (weight, number), in order
    busy: list[tuple[int, int]] = []  # (the last command of its last member, number), a heap
    for life in sorted(lives, key=lambda item: (item.first, item.buffer)):
        weight = weights[life.buffer]
        while busy and busy[0][0] < life.first:
            number = heappop(busy)[1]
            insort(free, (slots[number].weight, number))
        if free:
            fitting = bisect_left(free, (weight, 0))
            _, number = free.pop(fitting if fitting < len(free) else bisect_left(free, (free[-1][0], 0)))
            slots[number].members.append(life)
            slots[number].weight = max(slots[number].weight, weight)
        else:
            number = len(slots)
            slots.append(_Slot([life], weight))
        heappush(busy, (life.last, number))
    return slots


def _by_size(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> list[_Slot]:
    """Assigns slots largest buffer first, each to the smallest slot that is free during its lifetime."""
    slots: list[_Slot] = []
    taken: list[list[tuple[int, int]]] = []  # by slot, the disjoint lifetimes of its members, in order
    for life in sorted(lives, key=lambda item: (-weights[item.buffer], item.first, item.buffer)):
        for slot, spans in zip(reversed(slots), reversed(taken), strict=True):
            index = bisect_left(spans, (life.first, life.first))
            later = index < len(spans) and spans[index][0] <= life.last
            if not later and (index == 0 or spans[index - 1][1] < life.first):
                slot.members.append(life)
                spans.insert(index, (life.first, life.last))
                break
        else:
            slots.append(_Slot([life], weights[life.buffer]))
            taken.append([(life.first, life.last)])
    return slots


def _peak(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> int:
    """The peak of live memory in bytes."""
    changes: dict[int, int] = {}
    for life in lives:
        changes[life.first] = changes.get(life.first, 0) + weights[life.buffer]
        changes[life.last + 1] = changes.get(life.last + 1, 0) - weights[life.buffer]
    most = now = 0
    for _, change in sorted(changes.items()):
        now += change
        most = max(most, now)
    return most


# -- the order of commands, and the barriers between those that depend on each other ---------------------------------


@dataclass
class Pending:
    """A command before its operands have slots."""

    stage: StageLike
    node: int
    operands: tuple[Place | None, ...]
    reads: tuple[int, ...]  # buffers read
    writes: tuple[int, ...]
    written: int  # the number of written operands
    waits: bool = False  # for all earlier commands, whatever buffers they access
    prepares: bool = False  # writes only temporaries, from its op's operands


def prepared_early(pending: Sequence[Pending], roots: Sequence[int]) -> list[Pending]:
    """Hoists commands that only prepare temporaries up to their dependencies, so that their readers share one barrier."""
    ordered: list[Pending] = []
    for item in pending:
        index = len(ordered)
        if item.prepares:
            reads, writes = ({roots[buffer] for buffer in buffers} for buffers in (item.reads, item.writes))
            while index and not ordered[index - 1].waits:
                before = ordered[index - 1]
                changed = {roots[buffer] for buffer in before.writes}
                if changed & reads or writes & {roots[buffer] for buffer in before.reads}:
                    break
                index -= 1
        ordered.insert(index, item)
    return ordered


def group_ends(barriers: Sequence[bool]) -> list[int]:
    """For each command, the last one before the next barrier: commands in between may run concurrently."""
    ends = list(range(len(barriers)))
    for position in range(len(barriers) - 2, -1, -1):
        if not barriers[position + 1]:
            ends[position] = ends[position + 1]
    return ends


def find_barriers(pending: Sequence[Pending], where: Mapping[int, Any]) -> list[bool]:
    """Whether each command needs a barrier: it reads a buffer written, or writes one used, since the last barrier."""
    read: set[Any] = set()
    written: set[Any] = set()
    barriers = []
    for item in pending:
        writes = {where[buffer] for buffer in item.writes}
        reads = {where[buffer] for buffer in item.reads}
        barriers.append(item.waits or bool(reads & written or writes & (written | read)))
        if barriers[-1]:
            read, written = set(), set()
        read |= reads
        written |= writes
    return barriers


def with_barriers(
    pending: Sequence[Pending], roots: Sequence[int], number: dict[int, int], where: Mapping[int, Any]
) -> list[Command]:
    """Builds the final commands on the remaining buffers, with barriers where they share memory."""
    commands: list[Command] = []
    for item, barrier in zip(pending, find_barriers(pending, where), strict=True):
        operands = tuple(None if p is None else Place(number[roots[p.buffer]], p.dtype, p.layout) for p in item.operands)
        commands.append(
            Command(item.stage.name, item.node, operands, item.written, item.stage.units, item.stage.scratch, barrier, item.stage)
        )
    return commands


# -- donation: which outputs may reuse the memory of which inputs, derived from the order of commands ------------------------------


MOST_OUTPUTS = 64
"""Outputs considered for an input's memory: those written soonest after its last read. All pairs of a large step would be millions."""


def donations(
    graph: Graph, buffers: Sequence[Buffer], commands: Sequence[Command], takes: Collection[tuple[int, int, int]]
) -> tuple[tuple[str, str], ...]:
    """Pairs (input, output) of the same dtype and size, where the input's last read precedes the output's first access.

    That is, there is a barrier in between, or one command does both and its kernel can work in place. `takes` lists the latter, as
    (node, buffer of the input, buffer of the output).
    """
    touching: dict[int, list[int]] = {}
    for number, command in enumerate(commands):
        for buffer in {place.buffer for place in command.operands if place is not None}:
            touching.setdefault(buffer, []).append(number)
    barriers = list(accumulate(command.barrier for command in commands))  # up to and including each command
    outputs = _outputs(graph, buffers, {buffer: barriers[numbers[0]] for buffer, numbers in touching.items()})
    in_place = _find_in_place(commands, takes, touching, barriers)
    pairs: list[tuple[str, str]] = []
    leaves = graph.inputs
    for x, source in enumerate(buffers):
        if source.kind == "input":
            written = outputs.get((leaves[source.name].shape.dtype, source.size), [])
            last = barriers[touching[x][-1]] if x in touching else -1
            start = bisect_right(written, (last, len(buffers)))
            targets = {y for _, y in written[start : start + MOST_OUTPUTS]}
            targets.update(y for y in in_place.get(x, ()) if _holds(written, (last, y)))
            pairs += [(source.name, buffers[y].name) for y in sorted(targets)]
    return tuple(pairs)


def _outputs(
    graph: Graph, buffers: Sequence[Buffer], written: Mapping[int, int]
) -> dict[tuple[DType, Size], list[tuple[int, int]]]:
    """The outputs by dtype and size, each with the count of barriers up to its first access, in that order."""
    outputs: dict[tuple[DType, Size], list[tuple[int, int]]] = {}
    for number, buffer in enumerate(buffers):
        if buffer.kind == "output" and number in written:
            kind = (graph.shape(graph.output_refs[buffer.name]).dtype, buffer.size)
            outputs.setdefault(kind, []).append((written[number], number))
    return {kind: sorted(numbers) for kind, numbers in outputs.items()}


def _find_in_place(
    commands: Sequence[Command], takes: Collection[tuple[int, int, int]], touching: Mapping[int, list[int]], barriers: Sequence[int]
) -> dict[int, list[int]]:
    """By input, the outputs that its last reader accesses first and can write in place, after all other reads."""
    taken: dict[int, list[int]] = {}
    for node, x, y in takes:
        if x in touching and y in touching:
            *earlier, last = touching[x][-2:]
            over = not earlier or barriers[earlier[0]] < barriers[last]
            if over and touching[y][0] == last and commands[last].node == node:
                taken.setdefault(x, []).append(y)
    return taken


def _holds(ordered: Sequence[tuple[int, int]], pair: tuple[int, int]) -> bool:
    index = bisect_left(ordered, pair)
    return index < len(ordered) and ordered[index] == pair
