"""What the recurrences share: checks, the states of ragged rows, and the way back through one backward op.

`length` freezes rows of a ragged batch: steps at or past it leave the state alone, and read out the frozen state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.emit import constant, emit
from rlx.ir.value import one
from rlx.ops.inference import require
from rlx.ops.record import OPS, Array, Call, DType, Shape, Size, Value, as_dtype
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import given

LENGTH = "Steps at or past `length` (integers [b], default s) do not advance the state and read it as it is."


# -- shapes -----------------------------------------------------------------------------------------------------
def check_dims(call: Call, wanted: Sequence[tuple[int, tuple[Size, ...], str]]) -> None:
    """Operands by position have these dims, which are called so; missing ones are fine."""
    for index, dims, layout in wanted:
        shape = call.shape(index)
        if shape is None:
            continue
        name = call.op.definition.operands[index].name
        if shape.rank != len(dims):
            raise call.error("RLX102", f"{name} has rank {shape.rank}", fix=f"{name} {layout}")
        for mine, other in zip(shape.dims, dims, strict=True):
            call.check_same(mine, other, f"sizes of {name} and {layout}:")


def check_common(call: Call, length: int) -> None:
    """Floats, an integer length, and a state of at least one element."""
    require(call, lambda dtype: dtype.is_float, "floats (f32, f64, f16, bf16)")
    if call.state_size < 1:
        raise call.error("RLX105", f"state_size is {call.state_size}", fix="at least 1")
    given = call.shape(length)
    if given is not None and not given.dtype.is_integer:
        raise call.error("RLX103", f"length is {given.dtype}", fix="an integer for each row: i32[b]")


def state_dtype(call: Call, index: int, result: DType) -> DType:
    """The state keeps the dtype it comes in; one that begins with zeros has the result's."""
    state = call.shape(index)
    return result if state is None else state.dtype


def cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Seven operations for each element of state and step, in both (an exponential counts as one)."""
    size: int = call.state_size
    return call.given[0].num_elements * size * 7


# -- meaning ----------------------------------------------------------------------------------------------------
def active(length: Array | None, batch: int, steps: int) -> Array:
    """How many steps of each row advance its state."""
    return np.full(batch, steps) if length is None else np.clip(length.astype(np.int64), 0, steps)


def in_one_type(state: Array | None, *operands: Array) -> tuple[Any, list[Array]]:
    """The widest type of all, and the operands in it: a step is computed in one type."""
    kind = np.result_type(*operands, *(() if state is None else (state,)))
    return kind, [operand.astype(kind) for operand in operands]


# -- in terms of a scan -----------------------------------------------------------------------------------------
def time_first(x: Value, kind: DType) -> Value:
    """`[b, s, …]` as `[s, b, …]`, the rows of a scan."""
    return as_dtype(x, kind).transpose(1, 0, *range(2, x.rank))


def compute_dtype(*values: Value | None) -> DType:
    """What a step is computed in."""
    return promote(*(value.dtype.compute for value in values if value is not None))


def start_state(state: Value | None, dims: tuple[Size, ...], kind: DType, like: Value) -> Value:
    """The given state in the compute dtype, or zeros."""
    if state is not None:
        return as_dtype(state, kind)
    return one("expand", constant(like.graph, 0.0, kind), shape=dims)


def step_numbers(x: Value, length: Value | None) -> tuple[Value, ...]:
    """0 … s-1 as an operand of the scan, where a length asks for them; x tells the graph."""
    if length is None:
        return ()
    return (emit(OPS["iota"], (), {"shape": (x.shape[1],)}, graph=x.graph),)


def held(after: Value, before: Value, length: Value | None, t: tuple[Value, ...]) -> Value:
    """The state after a step, in rows whose length it is below; elsewhere the state before."""
    if length is None:
        return after
    active = (as_dtype(length, t[0].dtype) > t[0]).reshape(length.shape[0], *(1,) * (after.rank - 1))
    return one("where", active, after, before)


# -- backward ---------------------------------------------------------------------------------------------------
def through_backward(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of a recurrence: one backward op; the gradient of the last state is None where nobody reads it."""
    primals, rest = operands[:5], list(operands[5:])
    rest += [None] * (len(call.op.definition.operands) - 5 - len(rest))
    *more, length = rest
    seed = given(cotangents[0], results[0])
    found = iter(OPS[f"{call.op.name}_backward"](*primals, seed, *more, cotangents[1], length, **call.op.attrs))
    there = [next(found) if value is not None else None for value in (*primals, *more)]
    return [*there, None][: len(operands)]
