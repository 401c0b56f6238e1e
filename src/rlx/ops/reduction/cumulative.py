"""Running sums and products along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.ir.tolerance import Tolerance, summed
from rlx.ir.value import one
from rlx.ops.inference import per_operand_element, require
from rlx.ops.movement.shape import transpose
from rlx.ops.record import Array, Attr, Call, OpDef, OpKind, Shape, Value, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, axis_terms, is_number, sum_dtype, wide
from rlx.transforms.rules.batch_formulas import along_axes
from rlx.transforms.rules.derivative import Derivative
from rlx.transforms.rules.formulas import by_transposition, conj, linear, unary, zeros


def _running_shape(call: Call) -> Shape:
    require(call, is_number, "numbers")
    (x,) = call.given
    return x.with_dtype(sum_dtype(x.dtype))


def _running(accumulate: Callable[..., Array], identity: int) -> Callable[..., Array]:
    def reference(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        x = np.flip(wide(x), axis) if reverse else wide(x)
        if exclusive:
            first = np.full_like(np.take(x, [0] if x.shape[axis] else [], axis=axis), identity)
            x = np.concatenate([first, np.take(x, np.arange(x.shape[axis] - 1), axis=axis)], axis=axis)
        result = accumulate(x, axis=axis, dtype=x.dtype)
        return np.flip(result, axis) if reverse else result

    return reference


def _running_op(
    name: str, reference: Callable[..., Array], tolerance: Tolerance, domain: tuple[float, float], doc: str, **derivatives: Any
) -> OpDef:
    low, high = domain
    return define(
        name,
        "x",
        infer=_running_shape,
        reference=reference,
        kind=OpKind.Reduction,
        doc=doc,
        attrs={
            "axis": Attr("axis"),
            "exclusive": Attr("bool", False, help="without the element at the position"),
            "reverse": Attr("bool", False, help="from the end"),
        },
        compute_dtype=sum_dtype,
        tolerance=tolerance,
        cost=per_operand_element(1),
        cases=lambda: [
            case(sample(4, 9, low=low, high=high), note="plain", dtypes=(*FLOATS, "i32", "bool"), axis=-1),
            case(sample(3, 7, 2, low=low, high=high), note="odd axis, exclusive", axis=1, exclusive=True),
            case(sample(3, 7, 2, low=low, high=high), note="odd axis, from the end", axis=0, reverse=True),
            case(sample(3, 7, low=low, high=high), note="both, odd", axis=1, exclusive=True, reverse=True),
            case(sample(2, 0), note="size 0", axis=1, exclusive=True),
        ],
        batch=along_axes,
        **derivatives,
    )


def _cumsum_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    return one("cumsum", dy, axis=call.axis, exclusive=call.exclusive, reverse=not call.reverse)


def _cumprod_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    """P_i·S_i, P_i the product before i and S_i = Σ_{k ≥ i} dy_k·x_{i+1}…x_k, by a loop from the end. Right at zeros.

    Exclusive: S_i = Σ_{k > i} dy_k·x_{i+1}…x_{k-1}.
    """
    from rlx.ops.control.control import scan_values

    axis, exclusive = call.axis, call.exclusive
    x = conj(x)
    if call.reverse:
        x, dy = one("flip", x, axes=(axis,)), one("flip", dy, axes=(axis,))
    perm = (axis, *(a for a in range(x.rank) if a != axis))
    rows, seeds = transpose(x, perm=perm), transpose(dy, perm=perm)

    def step(later: Value, row: Value, seed: Value) -> tuple[Value, Value]:
        sum_here = later if exclusive else seed + later
        return (seed + row * later if exclusive else row * sum_here), sum_here

    _, sums = scan_values(step, (zeros(dy, rows.shape[1:]),), (rows, seeds), length=rows.shape[0], reverse=True)
    found = transpose(sums, perm=tuple(perm.index(a) for a in range(x.rank))) * one("cumprod", x, axis=axis, exclusive=True)
    return one("flip", found, axes=(axis,)) if call.reverse else found


cumsum = _running_op(
    "cumsum",
    _running(np.cumsum, 0),
    summed(1.0, axis_terms),
    (-3.0, 3.0),
    "Running sums along one axis, in the dtypes of reduce_sum.",
    vjp=unary(_cumsum_vjp),
    jvp=linear(0),
)
cumprod = _running_op(
    "cumprod",
    _running(np.cumprod, 1),
    Tolerance(2.0, 1.0, length=axis_terms, biased=True),
    (0.5, 1.5),
    "Running products along one axis, in the dtypes of reduce_sum.",
    vjp=unary(_cumprod_vjp),
    jvp=by_transposition,
)
