"""The selective scan of state-space models.

One record with two results, what is read out at every step and the state after the last one; the builder gives the first, its
`…_carry` form both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.tolerance import Tolerance
from rlx.ops.control.control import scan_values
from rlx.ops.record import OPS, Array, Attr, Call, Case, OpKind, Shape, Value, as_dtype, case, define, sample
from rlx.ops.recurrence import steps
from rlx.ops.reduction.reduce import FLOATS
from rlx.transforms.rules.batch_formulas import in_rows


def _scan_shapes(call: Call) -> tuple[Shape, Shape]:
    steps.check_common(call, 7)
    x = call.given[0]
    if x.rank != 3:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="x and delta [b, s, h]; A [h, n]; B and C [b, s, n]")
    (batch, count, channels), size = x.dims, call.state_size
    a = call.given[2]
    if a.rank == 2:
        call.check_same(a.dims[1], size, "last size of A and state_size:")
    per_step = (batch, count, size)
    steps.check_dims(
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
    return Shape.make(x.dims, result), Shape.make((batch, channels, size), steps.state_dtype(call, 6, result))


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
    kind, (x, delta, a, b, c) = steps.in_one_type(state, x, delta, a, b, c)
    st = np.zeros((batch, channels, state_size), kind) if state is None else state.astype(kind)
    active = steps.active(length, batch, count)
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
    kind = steps.compute_dtype(x, delta, a, b, c, d, state)
    start = steps.start_state(state, (batch, channels, state_size), kind, x)
    rates = as_dtype(a, kind)

    def step(st: Value, xt: Value, dt: Value, bt: Value, ct: Value, *t: Value) -> tuple[Value, Value]:
        decay = OPS["exp"](dt.reshape(batch, channels, 1) * rates)
        after = decay * st + (dt * xt).reshape(batch, channels, 1) * bt.reshape(batch, 1, state_size)
        after = steps.held(after, st, length, t)
        return after, (after * ct.reshape(batch, 1, state_size)).sum(axes=2)

    rows = [steps.time_first(value, kind) for value in (x, delta, b, c)]
    last, ys = scan_values(step, (start,), (*rows, *steps.step_numbers(x, length)), length=count, num_checkpoints=checkpoints)
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
    dtype). {steps.LENGTH}""",
    tolerance=Tolerance(ulps=32.0, scale="max"),
    cost=steps.cost,
    cases=_scan_cases,
    vjp=steps.through_backward,
    batch=in_rows(2, 5),
)
