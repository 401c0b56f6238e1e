"""Bodies and their carries: their types, which of them depend on an operand, and which are batched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.ir.graph import Graph
from rlx.ops.record import Call, Shape, Size, Value
from rlx.transforms.rules.batching import Axis, Operands, batch_body, in_front
from rlx.transforms.rules.derivative import depending_outputs


# -- types ------------------------------------------------------------------------------------------------------
def same_type(call: Call, what: str, inside: Shape, outside: Shape, fix: str | None = None) -> None:
    """A body's value and what it stands for have one dtype and equal sizes."""
    if inside.dtype is not outside.dtype or inside.rank != outside.rank:
        raise call.error("RLX102", f"{what} is {inside}, expected {outside}", fix=fix)
    for mine, other in zip(inside.dims, outside.dims, strict=True):
        call.check_same(mine, other, f"{what} is {inside}, expected {outside}: sizes", fix=fix)


def check_inputs(call: Call, role: str, body: Graph, operands: Sequence[Shape]) -> None:
    """A body takes these operands."""
    names = list(body.inputs)
    if len(names) != len(operands):
        listed = ", ".join(names) or "none"
        raise call.error(
            "RLX101",
            f"the {role} has {len(names)} inputs ({listed}), {len(operands)} values are given",
            fix=f"a {role} of {len(operands)} arguments",
        )
    for (name, node), given in zip(body.inputs.items(), operands, strict=True):
        same_type(call, f"input {name} of the {role}", node.shape, given, "cast or reshape the operand")


def check_carries(call: Call, body: Graph, carries: Sequence[Shape]) -> tuple[Shape, ...]:
    """The first results of a body are the carries again; gives the types of the others."""
    found = tuple(body.shape(ref) for ref in body.output_refs.values())
    if len(found) < len(carries):
        raise call.error(
            "RLX101",
            f"the body returns {len(found)} values for {len(carries)} carries",
            fix="return every carry, in the order of the arguments",
        )
    for index, (new, old) in enumerate(zip(found, carries, strict=False)):
        same_type(call, f"carry {index} after a step", new, old, "a carry keeps its shape and dtype: reshape, or .astype(…)")
    return found[len(carries) :]


# -- derivatives ------------------------------------------------------------------------------------------------
def split(values: Sequence[Any], *counts: int) -> list[list[Any]]:
    """Consecutive parts of these lengths, and the rest."""
    parts, first = [], 0
    for count in counts:
        parts.append(list(values[first : first + count]))
        first += count
    return [*parts, list(values[first:])]


def active_carries(body: Graph, count: int, wanted: Sequence[bool]) -> list[int]:
    """The carries that depend on an operand whose gradient is wanted, however many steps it takes."""
    inputs = {index for index, flag in enumerate(wanted) if flag}
    while True:
        reached = {index for index in depending_outputs(body, inputs) if index < count}
        if reached <= inputs:
            return sorted(index for index in inputs if index < count)
        inputs |= reached


# -- batches ----------------------------------------------------------------------------------------------------
def present(operands: Operands) -> list[Value]:
    """The operands that are there."""
    return [value for value in operands if value is not None]


def as_axes(flags: Sequence[bool]) -> list[Axis]:
    """Flags as batch axes: 0 where one is set."""
    return [0 if flag else None for flag in flags]


def settled(body: Graph, carries: Sequence[Axis], rest: Sequence[Axis], size: Size) -> tuple[Graph, list[bool], list[Axis]]:
    """The batched body, which carries are batched in it, and the axes of its outputs.

    A carry that a step makes batched is batched from the start, and the body is made again until nothing changes; a counter
    that no batched value reaches stays one number for all examples.
    """
    whole = [axis is not None for axis in carries]
    while True:
        made, places = batch_body(body, [*as_axes(whole), *rest], size, forced=whole)
        after = [place is not None for place in places[: len(whole)]]
        if after == whole:
            return made, whole, places
        whole = after


def carried(values: Sequence[Value], axes: Sequence[Axis], whole: Sequence[bool], size: Size) -> list[Value]:
    """Carries as the settled body takes them: those that are batched in it with the batch in front."""
    return [in_front(value, axis, size) if flag else value for value, axis, flag in zip(values, axes, whole, strict=True)]
