"""Batching rules that many records share. The signature and its terms are in `rlx.transforms.rules.batching`.

pointwise     operands that broadcast                          add, where, cast, fft_conv1d
leading       any number of axes in front                      fft, pack, batched_dense_solve
along_axes    axes named by attributes, which move by one      softmax, sort, narrow, reductions
axes_of_x     the same, with gains shared by all examples      layer_norm, rms_norm
in_rows       independent rows of axis 0: n·B of them          pooling, losses, recurrences
rows_of_x     any rows of x with shared weights                lora_matmul, q_matmul
one_by_one    one example after the other, in a loop           ids sampled with several keys
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rlx.core.dim import Size
from rlx.core.dtype import i32, i64
from rlx.ir.emit import emit, size_scalar
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call
from rlx.ir.traced_bodies import with_inputs
from rlx.ir.value import Value, as_dtype, one
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, by_parts, in_front

Rule: TypeAlias = Callable[[Call, Operands, Sequence[Axis]], Batched]


# -- pieces of rules --------------------------------------------------------------------------------------------
def again(call: Call, operands: Operands, **changes: Any) -> tuple[Value, ...]:
    """The same op, some attributes changed, on other operands; all its results."""
    found = emit(call.op.definition, operands, {**call.op.attrs, **changes})
    return found if isinstance(found, tuple) else (found,)


def batched(results: Sequence[Value], axis: Axis = 0) -> Batched:
    """Results that all have their batch axis at one place."""
    return results, [axis] * len(results)


def aligned(value: Value | None, axis: Axis, rank: int) -> Value | None:
    """A batched value with axes of size 1 behind the batch, so that its example broadcasts as one of that rank."""
    if value is None or axis is None or value.rank == rank + 1:
        return value
    return value.reshape(value.shape[0], *(1,) * (rank + 1 - value.rank), *value.shape[1:])


def all_in_front(operands: Operands, axes: Sequence[Axis]) -> list[Value | None]:
    """Every operand batched: those that are the same for all examples repeated."""
    size = batch_size(operands, axes)
    return [None if value is None else in_front(value, axis, size) for value, axis in zip(operands, axes, strict=True)]


def merged(value: Value, axis: Axis, size: Size) -> Value:
    """`[n, B, …]` as `[n·B, …]`."""
    whole = in_front(value, axis, size)
    return whole.reshape(whole.shape[0] * whole.shape[1], *whole.shape[2:])


def separated(call: Call, results: Sequence[Value], size: Size) -> Batched:
    """Results `[n·B, …]` as `[n, B, …]`."""
    examples = call.op.infer(call.shapes, call.assumptions)
    return batched([value.reshape(size, *example.dims) for value, example in zip(results, examples, strict=True)])


def any_batched(axes: Sequence[Axis], indices: Sequence[int]) -> bool:
    """Whether one of these operands is batched; missing ones are not."""
    return any(index < len(axes) and axes[index] is not None for index in indices)


# -- rules ------------------------------------------------------------------------------------------------------
def pointwise(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Operands that broadcast: the examples of batched ones get the rank of the result."""
    rank = max(shape.rank for shape in call.given)
    return batched(again(call, [aligned(value, axis, rank) for value, axis in zip(operands, axes, strict=True)]))


def leading(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """An op on the last axes, with any number of axes in front: one more."""
    return batched(again(call, all_in_front(operands, axes)))


def along_axes(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """An op along axes named by attributes: they are counted behind the batch."""
    return batched(again(call, all_in_front(operands, axes), **_axes_behind(call)))


def axes_of_x(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The same with operands that belong to the axes, a gain and a shift: by its parts where one of these is batched."""
    if any_batched(axes, range(1, len(axes))):
        return by_parts(call, operands, axes)
    return batched(again(call, operands, **_axes_behind(call)))


def _axes_behind(call: Call) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for name, attr in call.op.definition.attrs.items():
        value = call.op.attrs[name]
        if attr.kind == "axis" and value is not None:
            changes[name] = value + 1
        elif attr.kind == "axes" and value is not None:
            changes[name] = tuple(axis + 1 for axis in value)
    return changes


def in_rows(*shared: int) -> Rule:
    """An op on independent rows of axis 0: the rows of all examples. Weights at `shared` that are batched: by its parts."""

    def rule(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
        if any_batched(axes, shared):
            return by_parts(call, operands, axes)
        size = batch_size(operands, axes)
        given = [
            value if value is None or index in shared else merged(value, axis, size)
            for index, (value, axis) in enumerate(zip(operands, axes, strict=True))
        ]
        return separated(call, again(call, given), size)

    return rule


def rows_of_x(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A product of any rows `[…, K]` with weights: as it is where only the rows are batched, else by its parts."""
    if any_batched(axes, range(1, len(axes))):
        return by_parts(call, operands, axes)
    return batched(again(call, operands))


def one_by_one(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """One example after the other: a scan whose step is the op itself, so every bit is what a loop would give."""
    graph = next(value.graph for value in operands if value is not None)
    body = Graph(call.op.name, graph.level)
    body.assumptions = list(graph.assumptions)
    inside = [
        None if shape is None else body.add_node(OPS["input"].op(name=f"x{index}", shape=shape)).ref
        for index, shape in enumerate(call.shapes)
    ]
    step = body.add_node(call.op, inside)
    body.set_output_refs({f"y{index}": ref for index, ref in enumerate(step.outputs)})
    given = [index for index, value in enumerate(operands) if value is not None]
    order = sorted(given, key=lambda index: axes[index] is not None)
    rows = sum(axes[index] is not None for index in given)
    attrs = {
        "body": with_inputs(body, [given.index(index) for index in order]),
        "length": batch_size(operands, axes),
        "num_carry": 0,
        "num_bcast": len(given) - rows,
        "num_xs": rows,
    }
    return batched(emit(OPS["scan"], [operands[index] for index in order], attrs))


# -- positions --------------------------------------------------------------------------------------------------
def positions_of_all(indices: Value, size: Size, *, keep_outside: bool) -> Value:
    """Indices `[n, …]` into an axis of `size`, as indices into the n axes side by side.

    A negative index counts from the end of its own axis. One outside is clamped to its own axis; with `keep_outside` it
    lies past the end of all of them, so that it reads, writes or raises as it did.
    """
    count = indices.shape[0]
    total = count * size
    fits = isinstance(total, int) and total < 2**31 and indices.dtype.name in ("i8", "i16", "i32", "u8", "u16")
    kind = i32 if fits else i64
    if indices.dtype.name == "u64":
        indices = one("min", indices, 2**63 - 1)
    place = as_dtype(indices, kind)
    length = size_scalar(indices, size, kind)
    place = one("where", place < 0, place + length, place)
    example: Value = emit(
        OPS["iota"], (), {"shape": (count, *(1,) * (indices.rank - 1)), "axis": 0, "dtype": kind}, graph=indices.graph
    )
    within = one("clamp", place, 0, length - 1) + example * length
    if keep_outside:
        within = one("where", (place < 0) | (place >= length), size_scalar(indices, total, kind), within)
    return within
