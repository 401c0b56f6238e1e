"""`over_axis`: sum, maximum, minimum or all of a value over the examples of a `vmap` whose axis has a name.

The op exists while the function of one example is traced. `vmap` batches it away: over its own axis the result is a reduction, the same for
every example. `index`, the number of the example, is batched in exactly that `vmap`, so the op is too, whatever `x` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from rlx.ops.inference import no_arithmetic
from rlx.ops.record import OPS, Array, Attr, Call, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batching import Batched, Operands, in_front

BATCHED: ContextVar[str] = ContextVar("the named axis that vmap batches now", default="")
_REDUCED = {"sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min"}


def _shape(call: Call) -> Shape:
    given, kind = call.given[0], call.op["kind"]
    if kind != "all" and kind not in _REDUCED:
        raise call.error("RLX105", f"kind is {kind!r}", fix="sum, max, min or all")
    return Shape((call.op["size"], *given.dims), given.dtype) if call.op["kind"] == "all" else given


def _reference(x: Array, index: Array, axis_name: str, kind: str, size: int) -> Array:
    return np.broadcast_to(x, (size, *x.shape)) if kind == "all" else x


def _decompose(x: Value, index: Value, *, axis_name: str, kind: str, size: Size) -> Any:
    return OPS["expand"](x, shape=(size, *x.shape)) if kind == "all" else x


def _batch(call: Call, operands: Operands, axes: Sequence[int | None]) -> Batched:
    """Over its own axis a reduction; of another one, the same op on all examples."""
    (x, index), kind, attrs = operands, call.op["kind"], call.op.attrs
    assert x is not None and index is not None
    if attrs["axis_name"] != BATCHED.get():
        axis = None if axes[0] is None else axes[0] + int(kind == "all")
        alone = axes[1] is not None  # an index that is batched elsewhere is not that of the named axis
        return [_decompose(x, index, **attrs) if alone else OPS["over_axis"](x, index, **attrs)], [axis]
    rows = in_front(x, axes[0], attrs["size"])
    if kind == "all":
        return [rows], [None]
    return [OPS[_REDUCED[kind]](rows, axes=(0,), keep_dim=False)], [None]


def _summed(call: Call, x: Value, index: Value) -> Value:
    found: Value = OPS["over_axis"](x, index, **{**call.op.attrs, "kind": "sum"})
    return found


def _share(call: Call, x: Value, index: Value, result: Value) -> Value:
    """How much of the derivative an example has whose value is an extremum: equal parts for equal ones."""
    mine = as_dtype(OPS["eq"](x, result), x.dtype)
    return mine / _summed(call, mine, index)


def _vjp(call: Call, operands: Operands, results: Sequence[Value], seeds: Sequence[Value | None]) -> list[Value | None]:
    (x, index), (result,), (dy,) = operands, results, seeds
    assert x is not None and index is not None and dy is not None
    total = _summed(call, dy, index)
    if call.op["kind"] == "all":
        return [OPS["gather"](total, index, axis=0), None]
    return [total if call.op["kind"] == "sum" else total * _share(call, x, index, result), None]


def _jvp(call: Call, operands: Operands, results: Sequence[Value], tangents: Sequence[Value | None]) -> list[Value | None]:
    (x, index), (result,), dx = operands, results, tangents[0]
    assert x is not None and index is not None
    if dx is None:
        return [None]
    if call.op["kind"] == "all":
        return [OPS["over_axis"](dx, index, **call.op.attrs)]
    return [_summed(call, dx if call.op["kind"] == "sum" else dx * _share(call, x, index, result), index)]


over_axis = define(
    "over_axis",
    "x, index:index",
    infer=_shape,
    reference=_reference,
    kind=OpKind.DataMovement,
    attrs={
        "axis_name": Attr("str", help="the name of the axis, and of which vmap it is"),
        "kind": Attr("str", "sum", help="sum, max, min, or all: every example's value, stacked"),
        "size": Attr("size", 1, help="the number of examples"),
    },
    doc="A value over the examples of a named vmap; outside of one, over one example.",
    decompose=_decompose,
    tolerance=exact(),
    cost=no_arithmetic,
    batch=_batch,
    vjp=_vjp,
    jvp=_jvp,
    cases=lambda: [
        case(sample(4, 7), sample(dtype="i32", low=0, high=1), note="plain", axis_name="i"),
        case(sample(3), sample(dtype="i32", low=0, high=1), note="odd: all of one", axis_name="i", kind="all"),
        case(sample(0, 3), sample(dtype="i32", low=0, high=1), note="size 0", axis_name="i", kind="max"),
    ],
)
