"""Recurrences over a sequence: the selective scan of state-space models, and the gated delta net of linear attention.

Each is one record with two results, what is read out at every step and the state after the last one; the builders
`selective_scan` and `gated_delta_net` give the first, the `…_carry` forms both. `length` freezes rows of a ragged batch:
steps at or past it leave the state alone, and read out the frozen state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import DType, promote
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, Sample, case, sample
from rlx.ir.emit import constant, emit
from rlx.ir.op import OPS, Call, define
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import Value, as_dtype
from rlx.ops.control.control import scan_values
from rlx.ops.inference import require

Array = npt.NDArray[Any]
_FLOATS = ("f32", "f64", "f16", "bf16")


# -- shapes -----------------------------------------------------------------------------------------------------
def _check_dims(call: Call, wanted: Sequence[tuple[int, tuple[Size, ...], str]]) -> None:
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


def _check_common(call: Call, length: int) -> None:
    """Floats, an integer length, and a state of at least one element."""
    require(call, lambda dtype: dtype.is_float, "floats (f32, f64, f16, bf16)")
    if call.state_size < 1:
        raise call.error("RLX105", f"state_size is {call.state_size}", fix="at least 1")
    given = call.shape(length)
    if given is not None and not given.dtype.is_integer:
        raise call.error("RLX103", f"length is {given.dtype}", fix="an integer for each row: i32[b]")


def _state_dtype(call: Call, index: int, result: DType) -> DType:
    """The state keeps the dtype it comes in; one that begins with zeros has the result's."""
    state = call.shape(index)
    return result if state is None else state.dtype


def _scan_shapes(call: Call) -> tuple[Shape, Shape]:
    _check_common(call, 7)
    x = call.given[0]
    if x.rank != 3:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="x and delta [b, s, h]; A [h, n]; B and C [b, s, n]")
    (batch, steps, channels), size = x.dims, call.state_size
    a = call.given[2]
    if a.rank == 2:
        call.check_same(a.dims[1], size, "last size of A and state_size:")
    per_step = (batch, steps, size)
    _check_dims(
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
    return Shape.make(x.dims, result), Shape.make((batch, channels, size), _state_dtype(call, 6, result))


def delta_shapes(call: Call) -> tuple[Shape, Shape]:
    """o and the state of a gated delta net; the HIR block has the same rule, without a length."""
    _check_common(call, 6)
    q = call.given[0]
    if q.rank != 4:
        raise call.error("RLX102", f"q has rank {q.rank}", fix="q, k, v [b, s, H, n]; g, beta [b, s, H]")
    batch, steps, heads, _ = q.dims
    size = call.state_size
    call.check_same(q.dims[3], size, "last size of q and state_size:")
    per_head = (batch, steps, heads)
    _check_dims(
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
    return Shape.make(q.dims, result), Shape.make((batch, heads, size, size), _state_dtype(call, 5, result))


# -- meaning ----------------------------------------------------------------------------------------------------
def _steps_of(length: Array | None, batch: int, steps: int) -> Array:
    return np.full(batch, steps) if length is None else np.clip(length.astype(np.int64), 0, steps)


def _in_one_type(state: Array | None, *operands: Array) -> tuple[Any, list[Array]]:
    """The widest type of all, and the operands in it: a step is computed in one type."""
    kind = np.result_type(*operands, *(() if state is None else (state,)))
    return kind, [operand.astype(kind) for operand in operands]


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
    batch, steps, channels = x.shape
    kind, (x, delta, a, b, c) = _in_one_type(state, x, delta, a, b, c)
    st = np.zeros((batch, channels, state_size), kind) if state is None else state.astype(kind)
    active = _steps_of(length, batch, steps)
    y = np.zeros(x.shape, kind)
    for t in range(steps):
        decay = np.exp(delta[:, t, :, None] * a)
        after = decay * st + (delta[:, t] * x[:, t])[:, :, None] * b[:, t, None, :]
        st = np.where((t < active)[:, None, None], after, st)
        y[:, t] = (st * c[:, t, None, :]).sum(-1)
    return (y if d is None else y + d * x), st


def _gated_delta_net(
    q: Array,
    k: Array,
    v: Array,
    g: Array,
    beta: Array,
    state: Array | None = None,
    length: Array | None = None,
    *,
    state_size: int,
) -> tuple[Array, Array]:
    batch, steps, heads, size = q.shape
    kind, (q, k, v, g, beta) = _in_one_type(state, q, k, v, g, beta)
    s = np.zeros((batch, heads, size, size), kind) if state is None else state.astype(kind)
    active = _steps_of(length, batch, steps)
    o = np.zeros(q.shape, kind)
    for t in range(steps):
        decayed = s * np.exp(g[:, t, :, None, None])
        change = (v[:, t] - np.einsum("bhij,bhi->bhj", decayed, k[:, t])) * beta[:, t, :, None]
        after = decayed + k[:, t, :, :, None] * change[:, :, None, :]
        s = np.where((t < active)[:, None, None, None], after, s)
        o[:, t] = np.einsum("bhij,bhi->bhj", s, q[:, t])
    return o / math.sqrt(size), s


# -- in terms of a scan -----------------------------------------------------------------------------------------
def _time_first(x: Value, kind: DType) -> Value:
    return as_dtype(x, kind).transpose(1, 0, *range(2, x.rank))


def _compute(*values: Value | None) -> DType:
    return promote(*(value.dtype.compute for value in values if value is not None))


def _start(state: Value | None, dims: tuple[Size, ...], kind: DType, like: Value) -> Value:
    """The given state in the compute dtype, or zeros."""
    if state is not None:
        return as_dtype(state, kind)
    zeros: Value = OPS["expand"](constant(like.graph, 0.0, kind), shape=dims)
    return zeros


def _step_numbers(x: Value, length: Value | None) -> tuple[Value, ...]:
    """0 … s-1 as an operand of the scan, where a length asks for them; x tells the graph."""
    if length is None:
        return ()
    return (emit(OPS["iota"], (), {"shape": (x.shape[1],)}, graph=x.graph),)


def _held(after: Value, before: Value, length: Value | None, t: tuple[Value, ...]) -> Value:
    """The state after a step, in rows whose length it is below; elsewhere the state before."""
    if length is None:
        return after
    active = (as_dtype(length, t[0].dtype) > t[0]).reshape(length.shape[0], *(1,) * (after.rank - 1))
    result: Value = OPS["where"](active, after, before)
    return result


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
    batch, steps, channels = x.shape
    result = promote(*(value.dtype for value in (x, delta, a, b, c, d) if value is not None))
    kind = _compute(x, delta, a, b, c, d, state)
    start = _start(state, (batch, channels, state_size), kind, x)
    rates = as_dtype(a, kind)

    def step(st: Value, xt: Value, dt: Value, bt: Value, ct: Value, *t: Value) -> tuple[Value, Value]:
        decay = OPS["exp"](dt.reshape(batch, channels, 1) * rates)
        after = decay * st + (dt * xt).reshape(batch, channels, 1) * bt.reshape(batch, 1, state_size)
        after = _held(after, st, length, t)
        return after, (after * ct.reshape(batch, 1, state_size)).sum(axes=2)

    rows = [_time_first(value, kind) for value in (x, delta, b, c)]
    last, ys = scan_values(
        step, (start,), (*rows, *_step_numbers(x, length)), length=steps, num_checkpoints=checkpoints
    )
    y = ys.transpose(1, 0, 2)
    if d is not None:
        y = y + as_dtype(d, kind) * as_dtype(x, kind)
    return as_dtype(y, result), as_dtype(last, result if state is None else state.dtype)


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
    batch, steps, heads, size = q.shape
    result = promote(*(value.dtype for value in (q, k, v, g, beta)))
    kind = _compute(q, k, v, g, beta, state)
    start = _start(state, (batch, heads, size, size), kind, q)

    def step(s: Value, qt: Value, kt: Value, vt: Value, gt: Value, bt: Value, *t: Value) -> tuple[Value, Value]:
        decayed = s * OPS["exp"](gt.reshape(batch, heads, 1, 1))
        known = (decayed * kt.reshape(batch, heads, size, 1)).sum(axes=2)
        change = (vt - known) * bt.reshape(batch, heads, 1)
        after = decayed + kt.reshape(batch, heads, size, 1) * change.reshape(batch, heads, 1, size)
        after = _held(after, s, length, t)
        return after, (after * qt.reshape(batch, heads, size, 1)).sum(axes=2)

    rows = [_time_first(value, kind) for value in (q, k, v, g, beta)]
    last, outs = scan_values(
        step, (start,), (*rows, *_step_numbers(q, length)), length=steps, num_checkpoints=checkpoints
    )
    o = outs.transpose(1, 0, 2, 3) * (1 / math.sqrt(state_size))
    return as_dtype(o, result), as_dtype(last, result if state is None else state.dtype)


# -- the records ------------------------------------------------------------------------------------------------
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
        _scan_row("plain", 2, 9, 16, 4, dtypes=_FLOATS),
        _scan_row("D and a state", 1, 7, 24, 16, d=True, state="f32", dtypes=_FLOATS),
        _scan_row("odd: sizes that fill no vector", 2, 5, 37, 3, d=True, state="f32"),
        _scan_row("odd: ragged lengths, none, past the end, negative", 4, 6, 10, 2, state="f32", length=(3, 0, 9, -1)),
        _scan_row("odd: a state of higher precision than a step", 1, 4, 8, 5, state="f64"),
        _scan_row("one step", 3, 1, 33, 16, d=True, state="f32"),
        _scan_row("odd: a state of one element", 1, 11, 5, 1),
        _scan_row("size 0: no step keeps the state", 2, 0, 4, 3, state="f32"),
        _scan_row("size 0: no row", 0, 3, 4, 3),
    ]


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
        _delta_row("plain", 1, 9, 2, 16, dtypes=_FLOATS),
        _delta_row("a state", 2, 5, 3, 32, state="f32", dtypes=_FLOATS),
        _delta_row("odd: a size that fills no vector", 2, 6, 2, 37, state="f32"),
        _delta_row("odd: ragged lengths, none, past the end, negative", 4, 6, 2, 8, state="f32", length=(3, 0, 9, -1)),
        _delta_row("odd: a state of higher precision than a step", 1, 4, 1, 8, state="f64"),
        _delta_row("one step", 2, 1, 2, 40, state="f32"),
        _delta_row("one step without a state", 1, 1, 2, 8),
        _delta_row("odd: a state of one element", 1, 7, 2, 1),
        _delta_row("size 0: no step keeps the state", 2, 0, 2, 4, state="f32"),
        _delta_row("size 0: no head", 1, 3, 0, 4),
    ]


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Seven operations for each element of state and step, in both (an exponential counts as one)."""
    size: int = call.state_size
    return call.given[0].num_elements * size * 7


_LENGTH = "Steps at or past `length` (integers [b], default s) do not advance the state and read it as it is."

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
    dtype). {_LENGTH}""",
    tolerance=Tolerance(ulps=32.0, scale="max"),
    cost=_cost,
    cases=_scan_cases,
)

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
    dtype). {_LENGTH}""",
    tolerance=Tolerance(ulps=64.0, scale="max"),
    cost=_cost,
    cases=_delta_cases,
)

__all__ = ["delta_shapes", "gated_delta_net", "selective_scan"]
