"""Donation: which outputs can use the memory of which inputs, proved on the commands."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import accumulate

from rlx.ir.graph import Graph
from rlx.ir.lir import Buffer, Command

__all__ = ["donations"]


def donations(
    graph: Graph, buffers: Sequence[Buffer], commands: Sequence[Command], takes: Container[tuple[int, int, int]]
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

    def safe(x: int, y: int) -> bool:
        first = touching[y][0]
        return all(
            (read < first and barriers[read] < barriers[first])
            or (read == first and (commands[first].node, x, y) in takes)
            for read in touching.get(x, ())
        )

    inputs = [
        (number, buffer, graph.inputs[buffer.name].shape.dtype)
        for number, buffer in enumerate(buffers)
        if buffer.kind == "input"
    ]
    outputs = [
        (number, buffer) for number, buffer in enumerate(buffers) if buffer.kind == "output" and number in touching
    ]
    return tuple(
        (source.name, target.name)
        for x, source, dtype in inputs
        for y, target in outputs
        if graph.shape(graph.outputs[target.name]).dtype is dtype and source.size == target.size and safe(x, y)
    )
