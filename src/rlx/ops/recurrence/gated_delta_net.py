"""The gated delta net of linear attention.

One record with two results, what is read out at every step and the state after the last one; the builder gives the first, its
`…_carry` form both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.tolerance import Tolerance
from rlx.ops.control.control import scan_values
from rlx.ops.record import OPS, Array, Attr, Call, Case, OpKind, Sample, Shape, Value, as_dtype, case, define, sample
from rlx.ops.recurrence import steps
from rlx.ops.reduction.reduce import FLOATS
from rlx.transforms.rules.batch_formulas import in_rows


def delta_shapes(call: Call) -> tuple[Shape, Shape]:
    """o and the state of a gated delta net; the HIR block has the same rule, without a length."""
    steps.check_common(call, 6)
    q = call.given[0]
    if q.rank != 4:
        raise call.error("RLX102", f"q has rank {q.rank}", fix="q, k, v [b, s, H, n]; g, beta [b, s, H]")
    batch, count, heads, _ = q.dims
    size = call.state_size
    call.check_same(q.dims[3], size, "last size of q and state_size:")
    per_head = (batch, count, heads)
    steps.check_dims(
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
    return Shape.make(q.dims, result), Shape.make((batch, heads, size, size), steps.state_dtype(call, 5, result))


def _gated_delta_net(
    q: Array, k: Array, v: Array, g: Array, beta: Array, state: Array | None = None, length: Array | None = None, *, state_size: int
) -> tuple[Array, Array]:
    batch, count, heads, size = q.shape
    kind, (q, k, v, g, beta) = steps.in_one_type(state, q, k, v, g, beta)
    s = np.zeros((batch, heads, size, size), kind) if state is None else state.astype(kind)
    active = steps.active(length, batch, count)
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
    kind = steps.compute_dtype(q, k, v, g, beta, state)
    start = steps.start_state(state, (batch, heads, size, size), kind, q)

    def step(s: Value, qt: Value, kt: Value, vt: Value, gt: Value, bt: Value, *t: Value) -> tuple[Value, Value]:
        decayed = s * OPS["exp"](gt.reshape(batch, heads, 1, 1))
        known = (decayed * kt.reshape(batch, heads, size, 1)).sum(axes=2)
        change = (vt - known) * bt.reshape(batch, heads, 1)
        after = decayed + kt.reshape(batch, heads, size, 1) * change.reshape(batch, heads, 1, size)
        after = steps.held(after, s, length, t)
        return after, (after * qt.reshape(batch, heads, size, 1)).sum(axes=2)

    rows = [steps.time_first(value, kind) for value in (q, k, v, g, beta)]
    last, outs = scan_values(step, (start,), (*rows, *steps.step_numbers(q, length)), length=count, num_checkpoints=checkpoints)
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
    dtype). {steps.LENGTH}""",
    tolerance=Tolerance(ulps=64.0, scale="max"),
    cost=steps.cost,
    cases=_delta_cases,
    vjp=steps.through_backward,
    batch=in_rows(),
)
