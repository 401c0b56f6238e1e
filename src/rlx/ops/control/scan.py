"""scan: a body once for each row, as `lax.scan`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call, define
from rlx.ir.perturbation import OfBody
from rlx.ops.control.carries import as_axes, carried, check_carries, check_inputs, present, settled
from rlx.ops.control.cases import scan_cases
from rlx.ops.control.fused import body_cost
from rlx.ops.control.scan_derivative import scan_jvp, scan_saving, scan_vjp
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    batch_size,
    moved,
)

Array = npt.NDArray[Any]


def _scan_shapes(call: Call) -> tuple[Shape, ...]:
    counts = (call.num_carry, call.num_bcast, call.num_xs)
    if min(counts) < 0 or sum(counts) != len(call.given):
        raise call.error("RLX101", f"num_carry, num_bcast, num_xs are {counts} for {len(call.given)} operands")
    length: Size = call.length
    if not isinstance(length, Dim) and length < 0:
        raise call.error("RLX105", f"length is {length}", fix="at least 0")
    marks = call.num_checkpoints
    if marks is not None and (marks < 1 or not (isinstance(length, Dim) or marks <= length)):
        raise RlxError("RLX105", f"scan over {length} steps: num_checkpoints is {marks}", fix=f"from 1 to {length}")
    carries, bcasts = call.given[: counts[0]], call.given[counts[0] : counts[0] + counts[1]]
    rows = []
    for index, shape in enumerate(call.given[counts[0] + counts[1] :]):
        if shape.rank == 0:
            raise call.error("RLX102", f"xs {index} is the scalar {shape}", fix="[length, …]: a step takes one row")
        call.check_same(shape.dims[0], length, f"rows of xs {index} and length:")
        rows.append(Shape.make(shape.dims[1:], shape.dtype))
    check_inputs(call, "body", call.body, (*carries, *bcasts, *rows))
    ys = check_carries(call, call.body, carries)
    return (*carries, *(Shape.make((length, *shape.dims), shape.dtype) for shape in ys))


def _scan(
    *operands: Array,
    body: Graph,
    length: int,
    num_carry: int,
    num_bcast: int,
    num_xs: int,
    reverse: bool,
    num_checkpoints: int | None,
    wide: bool = False,
) -> tuple[Array, ...]:
    carries, fixed = tuple(operands[:num_carry]), operands[num_carry : num_carry + num_bcast]
    rows = operands[num_carry + num_bcast :]
    kept: list[tuple[Array, ...]] = []
    for t in reversed(range(length)) if reverse else range(length):
        found = evaluate_body(body, (*carries, *fixed, *(row[t] for row in rows)), wide=wide)
        carries = found[:num_carry]
        kept.append(found[num_carry:])
    if reverse:
        kept.reverse()
    shapes = [body.shape(ref) for ref in list(body.outputs.values())[num_carry:]]
    stacked = []
    for index, shape in enumerate(shapes):
        kind = np.float64 if wide and shape.dtype.is_float else shape.dtype.numpy
        stacked.append(np.stack([ys[index] for ys in kept]) if kept else np.zeros((0, *shape.dims), kind))
    return (*carries, *stacked)


def _batch_scan(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """One scan whose steps do all examples: rows are `[length, n, …]`, so are the ys."""
    values, size = present(operands), batch_size(operands, axes)
    first, last = call.num_carry, call.num_carry + call.num_bcast
    body, whole, places = settled(call.body, axes[:first], axes[first:], size)
    rows = [
        value if axis is None else moved(value, 0, 1) for value, axis in zip(values[last:], axes[last:], strict=True)
    ]
    given = [*carried(values[:first], axes[:first], whole, size), *values[first:last], *rows]
    found = emit(OPS["scan"], given, {**call.op.attrs, "body": body})
    return found, [*as_axes(whole), *(None if place is None else 1 for place in places[first:])]


ACCUMULATED = OfBody(ulps=64.0, scale="max")

scan = define(
    "scan",
    "operands*",
    infer=_scan_shapes,
    reference=_scan,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={
        "body": Attr("graph", help="one step: carries, bcasts, x_t -> carries, ys"),
        "length": Attr("size", help="the number of steps"),
        "num_carry": Attr("int", help="operands that a step hands to the next"),
        "num_bcast": Attr("int", 0, "operands every step reads whole"),
        "num_xs": Attr("int", 0, "operands of which step t reads row t"),
        "reverse": Attr("bool", False, "from the last row to the first"),
        "num_checkpoints": Attr("int", None, "carries kept for the gradient; it never changes values"),
    },
    doc="""As `lax.scan`: the body once for each row; the results are the last carries, then the ys of all steps stacked.

    The tuple has one Value for each output of the body.""",
    tolerance=ACCUMULATED,
    cost=lambda call, results: body_cost(call.body) * call.length,
    vjp=scan_vjp,
    jvp=scan_jvp,
    saving=scan_saving,
    batch=_batch_scan,
    cases=scan_cases,
)
