"""Donation: which outputs can use the memory of which inputs, proved on the commands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Buffer, Command

MOST_OUTPUTS = 64
"""Of those written after an input's last read: the soonest. All pairs of a step that updates thousands of params would be millions."""


def donations(
    graph: Graph, buffers: Sequence[Buffer], commands: Sequence[Command], takes: Collection[tuple[int, int, int]]
) -> tuple[tuple[str, str], ...]:
    """Pairs (input, output) of the same dtype and size, where the last read of the input comes before the first access of the output.

    That is, there is a barrier in between, or one command does both and its kernel can work in place. `takes` lists the latter, as
    (node, buffer of the input, buffer of the output).
    """
    touching: dict[int, list[int]] = {}
    for number, command in enumerate(commands):
        for buffer in {place.buffer for place in command.operands if place is not None}:
            touching.setdefault(buffer, []).append(number)
    barriers = list(accumulate(command.barrier for command in commands))  # up to and including each command
    outputs = _outputs(graph, buffers, {buffer: barriers[numbers[0]] for buffer, numbers in touching.items()})
    in_place = _taken(commands, takes, touching, barriers)
    found: list[tuple[str, str]] = []
    leaves = graph.inputs
    for x, source in enumerate(buffers):
        if source.kind == "input":
            written = outputs.get((leaves[source.name].shape.dtype, source.size), [])
            last = barriers[touching[x][-1]] if x in touching else -1
            start = bisect_right(written, (last, len(buffers)))
            targets = {y for _, y in written[start : start + MOST_OUTPUTS]}
            targets.update(y for y in in_place.get(x, ()) if _holds(written, (last, y)))
            found += [(source.name, buffers[y].name) for y in sorted(targets)]
    return tuple(found)


def _outputs(
    graph: Graph, buffers: Sequence[Buffer], written: Mapping[int, int]
) -> dict[tuple[DType, Size], list[tuple[int, int]]]:
    """By dtype and size the outputs that commands write, each with the barriers before it is first accessed, in that order."""
    found: dict[tuple[DType, Size], list[tuple[int, int]]] = {}
    for number, buffer in enumerate(buffers):
        if buffer.kind == "output" and number in written:
            kind = (graph.shape(graph.output_refs[buffer.name]).dtype, buffer.size)
            found.setdefault(kind, []).append((written[number], number))
    return {kind: sorted(numbers) for kind, numbers in found.items()}


def _taken(
    commands: Sequence[Command], takes: Collection[tuple[int, int, int]], touching: Mapping[int, list[int]], barriers: Sequence[int]
) -> dict[int, list[int]]:
    """By input the outputs that its last reader is the first to access, in place, all other reads being over."""
    found: dict[int, list[int]] = {}
    for node, x, y in takes:
        if x in touching and y in touching:
            *earlier, last = touching[x][-2:]
            over = not earlier or barriers[earlier[0]] < barriers[last]
            if over and touching[y][0] == last and commands[last].node == node:
                found.setdefault(x, []).append(y)
    return found


def _holds(ordered: Sequence[tuple[int, int]], pair: tuple[int, int]) -> bool:
    place = bisect_left(ordered, pair)
    return place < len(ordered) and ordered[place] == pair
