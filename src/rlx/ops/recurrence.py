"""The recurrences: the selective scan of state-space models, the gated delta net of linear attention, and their gradients.

Each is one record with two results, the output of every step and the state after the last one; the builder returns the first, its
`…_carry` form both. `length` freezes rows of a ragged batch: steps at or past it leave the state unchanged and read the frozen state.

A gradient is one op. It saves the states at the borders of chunks only, and recomputes those inside:

    selective scan    a = exp(δ·A)      ds += dy·C       dC = Σ_h dy·s       dB = Σ_h ds·δ·x      dx = δ·Σ_n ds·B (+ D·dy)
                      dA = Σ_bt ds·s′·a·δ                dδ = Σ_n ds·(s′·a·A + x·B)               ds ← ds·a
    delta net         T = e^g·S′        dS += q⊗do/√n    dq = S·do/√n        e = dSᵀk             dv = β·e     dβ = e·(v - Tᵀk)
                      dk = dS·d - T·dv  dS ← e^g·(dS - k⊗dv)                 dg = Σ (dS - k⊗dv)·T

where s′ and S′ are the state before the step. Steps run from the last to the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.emit import constant, emit
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import one
from rlx.ops.control.control import scan_values
from rlx.ops.inference import require
from rlx.ops.record import (
    OPS,
    Array,
    Attr,
    Call,
    Case,
    DType,
    Op,
    OpDef,
    OpKind,
    Sample,
    Shape,
    Size,
    Value,
    as_dtype,
    case,
    define,
    sample,
)
from rlx.ops.reduction import FLOATS
from rlx.transforms.rules.batching import in_rows
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, present, trace_body
from rlx.transforms.rules.formulas import as_composition, or_zeros
from rlx.transforms.rules.tape import pull

LENGTH = "Steps at or past `length` (integers [b], default s) do not advance the state and read it as it is."


# -- shapes -----------------------------------------------------------------------------------------------------
def check_dims(call: Call, wanted: Sequence[tuple[int, tuple[Size, ...], str]]) -> None:
    """Checks the dims of a recurrence's operands by index; missing operands are allowed."""
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
    """Checks that a recurrence has float operands, an integer length, and a state of at least one element."""
    require(call, lambda dtype: dtype.is_float, "floats (f32, f64, f16, bf16)")
    if call.state_size < 1:
        raise call.error("RLX105", f"state_size is {call.state_size}", fix="at least 1")
    given = call.shape(length)
    if given is not None and not given.dtype.is_integer:
        raise call.error("RLX103", f"length is {given.dtype}", fix="an integer for each row: i32[b]")


def state_dtype(call: Call, index: int, result: DType) -> DType:
    """The dtype of a recurrence's last state: that of the given state; the result's without one."""
    state = call.shape(index)
    return result if state is None else state.dtype


def cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Operations of a recurrence: seven for each element of the state at each step (an exponential counts as one)."""
    size: int = call.state_size
    return call.given[0].num_elements * size * 7


# -- meaning ----------------------------------------------------------------------------------------------------
def count_active_steps(length: Array | None, batch: int, steps: int) -> Array:
    """The number of steps that update the state of each row."""
    return np.full(batch, steps) if length is None else np.clip(length.astype(np.int64), 0, steps)


def in_one_type(state: Array | None, *operands: Array) -> tuple[Any, list[Array]]:
    """Casts operands and state of a recurrence to their widest dtype; returns it and the operands."""
    kind = np.result_type(*operands, *(() if state is None else (state,)))
    return kind, [operand.astype(kind) for operand in operands]


# -- in terms of a scan -----------------------------------------------------------------------------------------
def time_first(x: Value, kind: DType) -> Value:
    """Transposes `[b, s, …]` to `[s, b, …]`, the rows of a scan."""
    return as_dtype(x, kind).transpose(1, 0, *range(2, x.rank))


def compute_dtype(*values: Value | None) -> DType:
    """The dtype a step of a recurrence computes in."""
    return promote(*(value.dtype.compute for value in values if value is not None))


def start_state(state: Value | None, dims: tuple[Size, ...], kind: DType, like: Value) -> Value:
    """The initial state of a recurrence in the compute dtype, or zeros."""
    if state is not None:
        return as_dtype(state, kind)
    return one("expand", constant(like.graph, 0.0, kind), shape=dims)


def step_numbers(x: Value, length: Value | None) -> tuple[Value, ...]:
    """The step indices 0 … s-1 as a scan operand where a length is given; x provides the graph."""
    if length is None:
        return ()
    return (emit(OPS["iota"], (), {"shape": (x.shape[1],)}, graph=x.graph),)


def select_state(after: Value, before: Value, length: Value | None, t: tuple[Value, ...]) -> Value:
    """Selects the state after a step in rows whose length it is below, else the state before."""
    if length is None:
        return after
    active = (as_dtype(length, t[0].dtype) > t[0]).reshape(length.shape[0], *(1,) * (after.rank - 1))
    return one("where", active, after, before)


# -- backward ---------------------------------------------------------------------------------------------------
def through_backward(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of a recurrence: one backward op; the gradient of the last state is None where it is not read."""
    primals, rest = operands[:5], list(operands[5:])
    rest += [None] * (len(call.op.definition.operands) - 5 - len(rest))
    *more, length = rest
    seed = or_zeros(cotangents[0], results[0])
    gradients = iter(OPS[f"{call.op.name}_backward"](*primals, seed, *more, cotangents[1], length, **call.op.attrs))
    there = [next(gradients) if value is not None else None for value in (*primals, *more)]
    return [*there, None][: len(operands)]


# -- the selective scan


def _scan_shapes(call: Call) -> tuple[Shape, Shape]:
    check_common(call, 7)
    x = call.given[0]
    if x.rank != 3:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="x and delta [b, s, h]; A [h, n]; B and C [b, s, n]")
    (batch, count, channels), size = x.dims, call.state_size
    a = call.given[2]
    if a.rank == 2:
        call.check_same(a.dims[1], size, "last size of A and state_size:")
    per_step = (batch, count, size)
    check_dims(
        call,
        (
            (1, x.dims, "[b, s, h] as x"),
            (2, (channels, size), "[h, n]"),
            (3, per_step, "[b, s, n]"),
            (4, per_step, "[b, s, n]"),
            (5, (channels,), "[h]"),
            (6, (batch, channels, size), "[b, h, n]"),
            (7, (batch,), "[b]"),
        ),
    )
    result = promote(*(shape.dtype for shape in call.shapes[:6] if shape is not None))
    return Shape.make(x.dims, result), Shape.make((batch, channels, size), state_dtype(call, 6, result))


def _selective_scan(
    x: Array,
    delta: Array,
    a: Array,
    b: Array,
    c: Array,
    d: Array | None = None,
    state: Array | None = None,
    length: Array | None = None,
    *,
    state_size: int,
) -> tuple[Array, Array]:
    batch, count, channels = x.shape
    kind, (x, delta, a, b, c) = in_one_type(state, x, delta, a, b, c)
    st = np.zeros((batch, channels, state_size), kind) if state is None else state.astype(kind)
    active = count_active_steps(length, batch, count)
    y = np.zeros(x.shape, kind)
    for t in range(count):
        decay = np.exp(delta[:, t, :, None] * a)
        after = decay * st + (delta[:, t] * x[:, t])[:, :, None] * b[:, t, None, :]
        st = np.where((t < active)[:, None, None], after, st)
        y[:, t] = (st * c[:, t, None, :]).sum(-1)
    return (y if d is None else y + d * x), st


def _decompose_scan(
    x: Value,
    delta: Value,
    a: Value,
    b: Value,
    c: Value,
    d: Value | None = None,
    state: Value | None = None,
    length: Value | None = None,
    *,
    state_size: int,
    checkpoints: int | None = None,
) -> tuple[Value, Value]:
    batch, count, channels = x.shape
    result = promote(*(value.dtype for value in (x, delta, a, b, c, d) if value is not None))
    kind = compute_dtype(x, delta, a, b, c, d, state)
    start = start_state(state, (batch, channels, state_size), kind, x)
    rates = as_dtype(a, kind)

    def step(st: Value, xt: Value, dt: Value, bt: Value, ct: Value, *t: Value) -> tuple[Value, Value]:
        decay = OPS["exp"](dt.reshape(batch, channels, 1) * rates)
        after = decay * st + (dt * xt).reshape(batch, channels, 1) * bt.reshape(batch, 1, state_size)
        after = select_state(after, st, length, t)
        return after, (after * ct.reshape(batch, 1, state_size)).sum(axes=2)

    rows = [time_first(value, kind) for value in (x, delta, b, c)]
    last, ys = scan_values(step, (start,), (*rows, *step_numbers(x, length)), length=count, num_checkpoints=checkpoints)
    y = ys.transpose(1, 0, 2)
    if d is not None:
        y = y + as_dtype(d, kind) * as_dtype(x, kind)
    return as_dtype(y, result), as_dtype(last, result if state is None else state.dtype)


def _scan_row(
    note: str,
    b: int,
    s: int,
    h: int,
    n: int,
    *,
    d: bool = False,
    state: str = "",
    length: Sequence[int] | None = None,
    dtypes: tuple[str, ...] = ("f32",),
) -> Case:
    per_step = sample(b, s, n, low=-1, high=1)
    return case(
        sample(b, s, h, low=-1, high=1),
        sample(b, s, h, low=0, high=0.5),
        sample(h, n, low=-4, high=0),
        per_step,
        per_step,
        sample(h) if d else None,
        sample(b, h, n, low=-1, high=1, dtype=state) if state else None,
        None if length is None else sample(b, dtype="i32", fixed=length),
        note=note,
        dtypes=dtypes,
        state_size=n,
    )


def _scan_cases() -> list[Case]:
    return [
        _scan_row("plain", 2, 9, 16, 4, dtypes=FLOATS),
        _scan_row("D and a state", 1, 7, 24, 16, d=True, state="f32", dtypes=FLOATS),
        _scan_row("odd: sizes that fill no vector", 2, 5, 37, 3, d=True, state="f32"),
        _scan_row("odd: ragged lengths, none, past the end, negative", 4, 6, 10, 2, state="f32", length=(3, 0, 9, -1)),
        _scan_row("odd: a state of higher precision than a step", 1, 4, 8, 5, state="f64"),
        _scan_row("one step", 3, 1, 33, 16, d=True, state="f32"),
        _scan_row("odd: a state of one element", 1, 11, 5, 1),
        _scan_row("size 0: no step keeps the state", 2, 0, 4, 3, state="f32"),
        _scan_row("size 0: no row", 0, 3, 4, 3),
    ]


selective_scan = define(
    "selective_scan",
    "x, delta, A, B, C, D?, state?, length:index?",
    infer=_scan_shapes,
    reference=_selective_scan,
    decompose=_decompose_scan,
    kind=OpKind.Reduction,
    results=("y", "state"),
    attrs={"state_size": Attr("int", help="n: elements of state for each channel")},
    doc=f"""y and the last state of st = exp(delta·A)·st + delta·B·x; y = Σ_j C_j·st_j (+ D·x), step by step.

    x and delta are `[b, s, h]`, A `[h, n]`, B and C `[b, s, n]`, D `[h]`, state `[b, h, n]` (default zeros, it keeps its
    dtype). {LENGTH}""",
    tolerance=Tolerance(ulps=32.0, scale="max"),
    cost=cost,
    cases=_scan_cases,
    vjp=through_backward,
    batch=in_rows(2, 5),
)


# -- the gated delta net


def delta_shapes(call: Call) -> tuple[Shape, Shape]:
    """The shapes of o and the state of a gated delta net; the HIR block has the same rule, without a length."""
    check_common(call, 6)
    q = call.given[0]
    if q.rank != 4:
        raise call.error("RLX102", f"q has rank {q.rank}", fix="q, k, v [b, s, H, n]; g, beta [b, s, H]")
    batch, count, heads, _ = q.dims
    size = call.state_size
    call.check_same(q.dims[3], size, "last size of q and state_size:")
    per_head = (batch, count, heads)
    check_dims(
        call,
        (
            (1, q.dims, "[b, s, H, n] as q"),
            (2, q.dims, "[b, s, H, n] as q"),
            (3, per_head, "[b, s, H]"),
            (4, per_head, "[b, s, H]"),
            (5, (batch, heads, size, size), "[b, H, n, n]"),
            (6, (batch,), "[b]"),
        ),
    )
    result = promote(*(shape.dtype for shape in call.shapes[:5] if shape is not None))
    return Shape.make(q.dims, result), Shape.make((batch, heads, size, size), state_dtype(call, 5, result))


def _gated_delta_net(
    q: Array, k: Array, v: Array, g: Array, beta: Array, state: Array | None = None, length: Array | None = None, *, state_size: int
) -> tuple[Array, Array]:
    batch, count, heads, size = q.shape
    kind, (q, k, v, g, beta) = in_one_type(state, q, k, v, g, beta)
    s = np.zeros((batch, heads, size, size), kind) if state is None else state.astype(kind)
    active = count_active_steps(length, batch, count)
    o = np.zeros(q.shape, kind)
    for t in range(count):
        decayed = s * np.exp(g[:, t, :, None, None])
        change = (v[:, t] - np.einsum("bhij,bhi->bhj", decayed, k[:, t])) * beta[:, t, :, None]
        after = decayed + k[:, t, :, :, None] * change[:, :, None, :]
        s = np.where((t < active)[:, None, None, None], after, s)
        o[:, t] = np.einsum("bhij,bhi->bhj", s, q[:, t])
    return o / math.sqrt(size), s


def _decompose_delta_net(
    q: Value,
    k: Value,
    v: Value,
    g: Value,
    beta: Value,
    state: Value | None = None,
    length: Value | None = None,
    *,
    state_size: int,
    checkpoints: int | None = None,
) -> tuple[Value, Value]:
    batch, count, heads, size = q.shape
    result = promote(*(value.dtype for value in (q, k, v, g, beta)))
    kind = compute_dtype(q, k, v, g, beta, state)
    start = start_state(state, (batch, heads, size, size), kind, q)

    def step(s: Value, qt: Value, kt: Value, vt: Value, gt: Value, bt: Value, *t: Value) -> tuple[Value, Value]:
        decayed = s * OPS["exp"](gt.reshape(batch, heads, 1, 1))
        known = (decayed * kt.reshape(batch, heads, size, 1)).sum(axes=2)
        change = (vt - known) * bt.reshape(batch, heads, 1)
        after = decayed + kt.reshape(batch, heads, size, 1) * change.reshape(batch, heads, 1, size)
        after = select_state(after, s, length, t)
        return after, (after * qt.reshape(batch, heads, size, 1)).sum(axes=2)

    rows = [time_first(value, kind) for value in (q, k, v, g, beta)]
    last, outs = scan_values(step, (start,), (*rows, *step_numbers(q, length)), length=count, num_checkpoints=checkpoints)
    o = outs.transpose(1, 0, 2, 3) * (1 / math.sqrt(state_size))
    return as_dtype(o, result), as_dtype(last, result if state is None else state.dtype)


def _delta_row(
    note: str,
    b: int,
    s: int,
    h: int,
    n: int,
    *,
    state: str = "",
    length: Sequence[int] | None = None,
    dtypes: tuple[str, ...] = ("f32",),
) -> Case:
    wide = 1.5 / math.sqrt(n)  # keys of about norm 1, so that a step does not amplify
    head: Sample = sample(b, s, h, n, low=-wide, high=wide)
    return case(
        head,
        head,
        sample(b, s, h, n, low=-1, high=1),
        sample(b, s, h, low=-0.5, high=0),
        sample(b, s, h, low=0, high=1),
        sample(b, h, n, n, low=-1, high=1, dtype=state) if state else None,
        None if length is None else sample(b, dtype="i32", fixed=length),
        note=note,
        dtypes=dtypes,
        state_size=n,
    )


def _delta_cases() -> list[Case]:
    return [
        _delta_row("plain", 1, 9, 2, 16, dtypes=FLOATS),
        _delta_row("a state", 2, 5, 3, 32, state="f32", dtypes=FLOATS),
        _delta_row("odd: a size that fills no vector", 2, 6, 2, 37, state="f32"),
        _delta_row("odd: ragged lengths, none, past the end, negative", 4, 6, 2, 8, state="f32", length=(3, 0, 9, -1)),
        _delta_row("odd: a state of higher precision than a step", 1, 4, 1, 8, state="f64"),
        _delta_row("one step", 2, 1, 2, 40, state="f32"),
        _delta_row("one step without a state", 1, 1, 2, 8),
        _delta_row("odd: a state of one element", 1, 7, 2, 1),
        _delta_row("size 0: no step keeps the state", 2, 0, 2, 4, state="f32"),
        _delta_row("size 0: no head", 1, 3, 0, 4),
    ]


gated_delta_net = define(
    "gated_delta_net",
    "q, k, v, g, beta, state?, length:index?",
    infer=delta_shapes,
    reference=_gated_delta_net,
    decompose=_decompose_delta_net,
    kind=OpKind.Reduction,
    results=("o", "state"),
    attrs={"state_size": Attr("int", help="n: the size of a head's key and value")},
    doc=f"""o and the last state of S *= exp(g); d = (v - Sᵀk)·beta; S += k⊗d; o = Sᵀq/√n, step by step.

    q, k and v are `[b, s, H, n]`, g and beta `[b, s, H]`, state `[b, H, n, n]` (key, value; default zeros, it keeps its
    dtype). {LENGTH}""",
    tolerance=Tolerance(ulps=64.0, scale="max"),
    cost=cost,
    cases=_delta_cases,
    vjp=through_backward,
    batch=in_rows(),
)


# -- gradients, each in one op


CHUNK = 64  # steps from one saved state to the next


def _optional(record: OpDef, count: int, rest: Sequence[Any]) -> tuple[list[Any], Any, Any]:
    """Splits the operands after dy into the recurrence's optional operands, d_state and length; None for missing ones."""
    filled = [*rest, *[None] * (len(record.operands) - count + 1 - len(rest))]
    return filled[:-2], filled[-2], filled[-1]


# -- shapes -----------------------------------------------------------------------------------------------------
def _gradient_shapes(record: OpDef, count: int, call: Call) -> tuple[Shape, ...]:
    """Shapes of a recurrence's gradients: those of its operands. Checks that dy and d_state match its results."""
    operands, seed = call.shapes[:count], call.shapes[count]
    more, d_state, length = _optional(record, count, call.shapes[count + 1 :])
    inner = Call(record.op(**call.op.attrs), [*operands, *more, length], call.assumptions)
    results = record.infer(inner)
    assert isinstance(results, tuple)
    for name, shape, result in (("dy", seed, results[0]), ("d_state", d_state, results[1])):
        if shape is None:
            continue
        if shape.rank != result.rank or not shape.dtype.is_float:
            raise call.error("RLX102", f"{name} is {shape}", fix=f"the gradient of {result}")
        for axis, (mine, other) in enumerate(zip(shape.dims, result.dims, strict=True)):
            call.check_same(mine, other, f"sizes of {name} and of the result at axis {axis}")
    return tuple(shape for shape in (*operands, *more) if shape is not None)


# -- meaning ----------------------------------------------------------------------------------------------------
def _scan_reference(
    x: Array,
    delta: Array,
    a: Array,
    b: Array,
    c: Array,
    dy: Array,
    d: Array | None = None,
    state: Array | None = None,
    d_state: Array | None = None,
    length: Array | None = None,
    *,
    state_size: int,
) -> tuple[Array, ...]:
    types = [operand.dtype for operand in (x, delta, a, b, c, d, state) if operand is not None]
    kind = np.result_type(*types, dy)
    x, delta, a, b, c, dy = (operand.astype(kind) for operand in (x, delta, a, b, c, dy))
    batch, steps, channels = x.shape
    advances = count_active_steps(length, batch, steps)
    states = [np.zeros((batch, channels, state_size), kind) if state is None else state.astype(kind)]
    for t in range(steps):
        after = np.exp(delta[:, t, :, None] * a) * states[-1] + (delta[:, t] * x[:, t])[:, :, None] * b[:, t, None, :]
        states.append(np.where((t < advances)[:, None, None], after, states[-1]))
    dx, ddelta, da, db, dc = (np.zeros(operand.shape, kind) for operand in (x, delta, a, b, c))
    back = np.zeros_like(states[0]) if d_state is None else d_state.astype(kind)
    for t in reversed(range(steps)):
        back = back + dy[:, t, :, None] * c[:, t, None, :]
        dc[:, t] = (dy[:, t, :, None] * states[t + 1]).sum(1)
        live = np.where((t < advances)[:, None, None], back, 0)
        decay = np.exp(delta[:, t, :, None] * a)
        pulled = live * states[t] * decay
        along_b = (live * b[:, t, None, :]).sum(2)
        dx[:, t] = delta[:, t] * along_b
        ddelta[:, t] = (pulled * a).sum(2) + x[:, t] * along_b
        da += (pulled * delta[:, t, :, None]).sum(0)
        db[:, t] = (live * (delta[:, t] * x[:, t])[:, :, None]).sum(1)
        back = np.where((t < advances)[:, None, None], back * decay, back)
    gradients = [dx if d is None else dx + d * dy, ddelta, da, db, dc, *([(dy * x).sum((0, 1))] if d is not None else [])]
    gradients += [back] if state is not None else []
    return tuple(array.astype(dtype) for array, dtype in zip(gradients, types, strict=True))


def _delta_reference(
    q: Array,
    k: Array,
    v: Array,
    g: Array,
    beta: Array,
    do: Array,
    state: Array | None = None,
    d_state: Array | None = None,
    length: Array | None = None,
    *,
    state_size: int,
) -> tuple[Array, ...]:
    types = [operand.dtype for operand in (q, k, v, g, beta, state) if operand is not None]
    kind = np.result_type(*types, do)
    q, k, v, g, beta, do = (operand.astype(kind) for operand in (q, k, v, g, beta, do))
    batch, steps, heads, size = q.shape
    advances = count_active_steps(length, batch, steps)
    seeds = do / math.sqrt(size)
    states = [np.zeros((batch, heads, size, size), kind) if state is None else state.astype(kind)]
    decayed, lost = [], []
    for t in range(steps):
        decayed.append(states[-1] * np.exp(g[:, t, :, None, None]))
        lost.append(v[:, t] - np.einsum("bhij,bhi->bhj", decayed[-1], k[:, t]))
        after = decayed[-1] + k[:, t, :, :, None] * (lost[-1] * beta[:, t, :, None])[:, :, None, :]
        states.append(np.where((t < advances)[:, None, None, None], after, states[-1]))
    gradients = [np.zeros(operand.shape, kind) for operand in (q, k, v, g, beta)]
    dq, dk, dv, dg, dbeta = gradients
    back = np.zeros_like(states[0]) if d_state is None else d_state.astype(kind)
    for t in reversed(range(steps)):
        back = back + q[:, t, :, :, None] * seeds[:, t, :, None, :]
        dq[:, t] = np.einsum("bhij,bhj->bhi", states[t + 1], seeds[:, t])
        live = np.where((t < advances)[:, None, None, None], back, 0)
        along = np.einsum("bhij,bhi->bhj", live, k[:, t])
        dv[:, t], dbeta[:, t] = along * beta[:, t, :, None], (along * lost[t]).sum(-1)
        inner = live - k[:, t, :, :, None] * dv[:, t, :, None, :]
        changes = lost[t] * beta[:, t, :, None]
        dk[:, t] = np.einsum("bhij,bhj->bhi", live, changes) - np.einsum("bhij,bhj->bhi", decayed[t], dv[:, t])
        dg[:, t] = (inner * decayed[t]).sum((2, 3))
        back = np.where((t < advances)[:, None, None, None], inner * np.exp(g[:, t, :, None, None]), back)
    all_gradients = [*gradients, *([back] if state is not None else [])]
    return tuple(array.astype(dtype) for array, dtype in zip(all_gradients, types, strict=True))


# -- in terms of loops ------------------------------------------------------------------------------------------
def _checkpoints(steps: Size) -> int | None:
    """The number of saved states of a recurrence; None saves all."""
    if not isinstance(steps, int):
        return 16
    return None if steps <= CHUNK else -(-steps // CHUNK)


def _pull_steps(record: OpDef, count: int, chunked: bool, *operands: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """The vjp through the steps of a recurrence, with states saved at chunk boundaries, or all of them."""
    *primals, seed = operands[: count + 1]
    assert seed is not None
    more, d_state, length = _optional(record, count, operands[count + 1 :])
    values = [*primals, *more, length]
    inner = Call(record.op(**attrs), [None if value is None else value.type for value in values], seed.graph.assumptions)
    first = primals[0]
    assert first is not None and record.decompose is not None
    checkpoints = _checkpoints(first.shape[1]) if chunked else None
    body = trace_body(partial(record.decompose, checkpoints=checkpoints), values, attrs, inner)
    results = list(body.output_refs.values())
    cotangents: list[Maybe] = [as_dtype(seed, body.shape(results[0]).dtype)]
    cotangents.append(None if d_state is None else as_dtype(d_state, body.shape(results[1]).dtype))
    wanted = [value is not None and value is not length for value in values]
    gradients = pull(body, present(values, values), cotangents, present(wanted, values))
    there = present(values, values)
    return tuple(or_zeros(gradient, value) for gradient, value in zip(gradients, there, strict=True) if value is not length)


# -- the records ------------------------------------------------------------------------------------------------
def _backward_cases(record: OpDef, count: int) -> list[Case]:
    """Test cases of a recurrence's backward: the forward's, with gradients for both results or the first; one of several chunks."""
    rows = []
    for number, row in enumerate(record.cases()):  # type: ignore[operator]
        operands, rest = row.operands[:count], row.operands[count:]
        *more, length = rest
        dy, state = sample(*operands[0].dims), more[-1]
        d_state = None if state is None or number % 2 == 0 else sample(*state.dims)
        if state is not None and state.dtype == "f64":
            continue
        rows.append(case(*operands, dy, *more, d_state, length, note=row.note, dtypes=("f32",), **row.attrs))
    return rows


def _length(op: Op, operands: Sequence[Array | None]) -> int:
    """The number of terms in the longest sum of a recurrence's backward: steps times rows, or steps times channels."""
    x = operands[0]
    assert x is not None
    return int(x.shape[1] * max(x.shape[0], math.prod(x.shape[2:])))


_KEPT = f"States are kept every {CHUNK} steps and computed again between them; always a tuple, as the operands."


def _define(record: OpDef, count: int, operands: str, reference: Callable[..., tuple[Array, ...]], doc: str) -> OpDef:
    return define(
        f"{record.name}_backward",
        operands,
        infer=partial(_gradient_shapes, record, count),
        reference=reference,
        decompose=partial(_pull_steps, record, count, True),
        kind=OpKind.Reduction,
        results=("gradients*",),
        attrs={"state_size": Attr("int", help="n, as of the recurrence")},
        doc=f"{doc} {_KEPT}",
        tolerance=Tolerance(ulps=64.0, factor=4.0, scale="max", length=_length),
        cost=lambda call, results: call.given[0].num_elements * int(call.state_size) * 20,
        cases=partial(_backward_cases, record, count),
        **as_composition(partial(_pull_steps, record, count, False)),  # differentiated for higher derivatives
    )


selective_scan_backward = _define(
    selective_scan,
    5,
    "x, delta, A, B, C, dy, D?, state?, d_state?, length:index?",
    _scan_reference,
    "The gradients of `selective_scan` by x, delta, A, B, C, and by D and state where given.",
)
gated_delta_net_backward = _define(
    gated_delta_net,
    5,
    "q, k, v, g, beta, do, state?, d_state?, length:index?",
    _delta_reference,
    "The gradients of `gated_delta_net` by q, k, v, g, beta, and by state where given.",
)
