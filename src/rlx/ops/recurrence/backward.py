"""The gradients of the recurrences, each in one op: states are kept at the borders of chunks alone and computed again inside.

    selective scan    a = exp(δ·A)      ds += dy·C       dC = Σ_h dy·s       dB = Σ_h ds·δ·x      dx = δ·Σ_n ds·B (+ D·dy)
                      dA = Σ_bt ds·s′·a·δ                dδ = Σ_n ds·(s′·a·A + x·B)               ds ← ds·a
    delta net         T = e^g·S′        dS += q⊗do/√n    dq = S·do/√n        e = dSᵀk             dv = β·e     dβ = e·(v - Tᵀk)
                      dk = dS·d - T·dv  dS ← e^g·(dS - k⊗dv)                 dg = Σ (dS - k⊗dv)·T

with s′ and S′ the state before the step, from the last step to the first. Steps at or past `length` leave the state alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.ir.tolerance import Tolerance
from rlx.ops.record import Array, Attr, Call, Case, Op, OpDef, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.recurrence.gated_delta_net import gated_delta_net
from rlx.ops.recurrence.selective_scan import selective_scan
from rlx.ops.recurrence.steps import active
from rlx.transforms.rules.derivative import Maybe, present, traced
from rlx.transforms.rules.formulas import as_composition, given
from rlx.transforms.rules.tape import pull

CHUNK = 64  # steps from one state that is kept to the next


def _optional(record: OpDef, count: int, rest: Sequence[Any]) -> tuple[list[Any], Any, Any]:
    """What follows dy: the optional operands of the recurrence, d_state and the length; None for what is not there."""
    filled = [*rest, *[None] * (len(record.operands) - count + 1 - len(rest))]
    return filled[:-2], filled[-2], filled[-1]


# -- shapes -----------------------------------------------------------------------------------------------------
def _shapes(record: OpDef, count: int, call: Call) -> tuple[Shape, ...]:
    """As the operands; dy and d_state have the sizes of the results of the recurrence."""
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
    advances = active(length, batch, steps)
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
    found = [dx if d is None else dx + d * dy, ddelta, da, db, dc, *([(dy * x).sum((0, 1))] if d is not None else [])]
    found += [back] if state is not None else []
    return tuple(array.astype(dtype) for array, dtype in zip(found, types, strict=True))


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
    advances = active(length, batch, steps)
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
    found = [*gradients, *([back] if state is not None else [])]
    return tuple(array.astype(dtype) for array, dtype in zip(found, types, strict=True))


# -- in terms of loops ------------------------------------------------------------------------------------------
def _checkpoints(steps: Size) -> int | None:
    """How many states are kept; None keeps all."""
    if not isinstance(steps, int):
        return 16
    return None if steps <= CHUNK else -(-steps // CHUNK)


def _pulled(record: OpDef, count: int, chunked: bool, *operands: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """The way back through the steps of the recurrence, with states kept at the borders of chunks, or all of them."""
    *primals, seed = operands[: count + 1]
    assert seed is not None
    more, d_state, length = _optional(record, count, operands[count + 1 :])
    values = [*primals, *more, length]
    place = Call(record.op(**attrs), [None if value is None else value.type for value in values], seed.graph.assumptions)
    first = primals[0]
    assert first is not None and record.decompose is not None
    checkpoints = _checkpoints(first.shape[1]) if chunked else None
    body = traced(partial(record.decompose, checkpoints=checkpoints), values, attrs, place)
    results = list(body.output_refs.values())
    cotangents: list[Maybe] = [as_dtype(seed, body.shape(results[0]).dtype)]
    cotangents.append(None if d_state is None else as_dtype(d_state, body.shape(results[1]).dtype))
    wanted = [value is not None and value is not length for value in values]
    found = pull(body, present(values, values), cotangents, present(wanted, values))
    there = present(values, values)
    return tuple(given(gradient, value) for gradient, value in zip(found, there, strict=True) if value is not length)


# -- the records ------------------------------------------------------------------------------------------------
def _cases(record: OpDef, count: int) -> list[Case]:
    """Those of the recurrence, with gradients for both results or for the first; and one of several chunks."""
    found = []
    for number, row in enumerate(record.cases()):  # type: ignore[operator]
        operands, rest = row.operands[:count], row.operands[count:]
        *more, length = rest
        dy, state = sample(*operands[0].dims), more[-1]
        d_state = None if state is None or number % 2 == 0 else sample(*state.dims)
        if state is not None and state.dtype == "f64":
            continue
        found.append(case(*operands, dy, *more, d_state, length, note=row.note, dtypes=("f32",), **row.attrs))
    return found


def _length(op: Op, operands: Sequence[Array | None]) -> int:
    """Terms of the longest sum: steps times rows, or steps times channels."""
    x = operands[0]
    assert x is not None
    return int(x.shape[1] * max(x.shape[0], math.prod(x.shape[2:])))


_KEPT = f"States are kept every {CHUNK} steps and computed again between them; always a tuple, as the operands."


def _define(record: OpDef, count: int, operands: str, reference: Callable[..., tuple[Array, ...]], doc: str) -> OpDef:
    return define(
        f"{record.name}_backward",
        operands,
        infer=partial(_shapes, record, count),
        reference=reference,
        decompose=partial(_pulled, record, count, True),
        kind=OpKind.Reduction,
        results=("gradients*",),
        attrs={"state_size": Attr("int", help="n, as of the recurrence")},
        doc=f"{doc} {_KEPT}",
        tolerance=Tolerance(ulps=64.0, factor=4.0, scale="max", length=_length),
        cost=lambda call, results: call.given[0].num_elements * int(call.state_size) * 20,
        cases=partial(_cases, record, count),
        **as_composition(partial(_pulled, record, count, False)),  # of higher derivatives
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
