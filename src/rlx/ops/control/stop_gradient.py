"""`stop_gradient`: where derivatives end."""

from __future__ import annotations

from rlx.ops.inference import no_arithmetic
from rlx.ops.record import OpKind, case, define, exact, sample

stop_gradient = define(
    "stop_gradient",
    "x",
    infer=lambda call: call.given[0],
    reference=lambda x: x,
    kind=OpKind.DataMovement,
    doc="x, taken as a constant by every derivative.",
    decompose=lambda x: x,
    tolerance=exact(),
    cost=no_arithmetic,
    view=lambda call, layout: layout,
    batch=lambda call, operands, axes: ([call.op.definition(operands[0])], axes),
    vjp=lambda call, operands, results, seeds: [None],
    jvp=lambda call, operands, results, tangents: [None],
    cases=lambda: [
        case(sample(4, 7), note="plain"),
        case(sample(3, dtype="i32"), note="odd: ints"),
        case(sample(0, 3), note="size 0"),
    ],
)
