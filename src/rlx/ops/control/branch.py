"""if: one of two bodies on the same operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.value import one
from rlx.ops.control.carries import as_axes, check_inputs, present, same_type, split
from rlx.ops.control.cases import if_cases
from rlx.ops.control.control import as_recorded, cond_values
from rlx.ops.control.fused import body_cost
from rlx.ops.control.scan import ACCUMULATED
from rlx.ops.record import OPS, Array, Attr, Call, OpKind, Shape, Value, define
from rlx.transforms.rules.batch_formulas import aligned, batched, one_by_one
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_body, batch_size, inline_batched, moved
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, depending_outputs
from rlx.transforms.rules.formulas import given

Values = list[Value]


def _if_shapes(call: Call) -> tuple[Shape, ...]:
    pred, operands = call.given[0], call.given[1:]
    if pred.rank != 0 or not pred.dtype.is_bool:
        raise call.error("RLX102", f"pred is {pred}", fix="a bool scalar, such as (x.sum() > 0)")
    results = []
    for role in ("then", "else"):
        branch: Graph = call.op.attrs[role]
        check_inputs(call, f"{role} branch", branch, operands)
        results.append([branch.shape(ref) for ref in branch.output_refs.values()])
    if len(results[0]) != len(results[1]):
        message = f"then returns {len(results[0])} values, else returns {len(results[1])}"
        raise call.error("RLX101", message, fix="both branches return the same number of values")
    for index, (first, other) in enumerate(zip(*results, strict=True)):
        same_type(call, f"result {index} of else", other, first, "both branches return the same shapes and dtypes")
    return tuple(results[0])


def _if(pred: Array, *operands: Array, then: Graph, wide: bool = False, **branches: Graph) -> tuple[Array, ...]:
    return evaluate_body(then if bool(pred) else branches["else"], operands, wide=wide)


def _if_vjp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]) -> list[Maybe]:
    """An if of both branches' gradients; the branch that is taken is computed again."""
    pred, xs = operands[0], list(operands[1:])
    wanted = list(call.wanted[1:])
    seeded = [index for index, dy in enumerate(cotangents) if dy is not None]
    places = [index for index, flag in enumerate(wanted) if flag]

    def back(body: Graph) -> Callable[..., Values]:
        def branch(*values: Value) -> Values:
            inner, seeds = split(values, len(xs))
            ds: list[Maybe] = [None] * len(results)
            for index, seed in zip(seeded, seeds, strict=True):
                ds[index] = seed
            found = call.pull(body, inner, ds, wanted)
            return [given(found[index], inner[index]) for index in places]

        return branch

    made = cond_values(pred, back(call.then), back(call.op["else"]), [*xs, *(cotangents[i] for i in seeded)])
    answer: list[Maybe] = [None] * len(operands)
    for index, gradient in zip(places, made, strict=True):
        answer[index + 1] = gradient
    return answer


def _if_jvp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]) -> Both:
    pred, xs = operands[0], list(operands[1:])
    moving = [index for index, t in enumerate(tangents[1:]) if t is not None]
    branches: tuple[Graph, Graph] = (call.then, call.op["else"])
    reached = sorted(set().union(*(depending_outputs(body, moving) for body in branches)))

    def forward(body: Graph) -> Callable[..., Values]:
        def branch(*values: Value) -> Values:
            inner, ts = split(values, len(xs))
            given_tangents = dict(zip(moving, ts, strict=True))
            made, moved = call.push(body, inner, [given_tangents.get(i) for i in range(len(xs))])
            return [*made, *(given(moved[i], made[i]) for i in reached)]

        return branch

    found = list(cond_values(pred, forward(branches[0]), forward(branches[1]), [*xs, *(tangents[i + 1] for i in moving)]))
    made, moved = split(found, len(results))
    answer: list[Maybe] = [None] * len(results)
    for index, tangent in zip(reached, moved, strict=True):
        answer[index] = tangent
    return Both(made, answer)


def _if_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Values]:
    """The if itself, its branches as derivatives run them; it keeps nothing."""
    branches = {role: as_recorded(call.op[role], call.wanted[1:]) for role in ("then", "else")}
    return emit(if_, operands, branches), []


def _batch_if(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared pred chooses between batched branches; one that differs by example: both run, and each takes its own.

    Branches with effects run one example after the other.
    """
    pred, *values = present(operands)
    size = batch_size(operands, axes)
    branches = [call.op.attrs[role] for role in ("then", "else")]
    if axes[0] is None:
        forced = [False] * len(branches[0].output_refs)
        for branch in branches:
            forced = [place is not None for place in batch_body(branch, axes[1:], size, forced)[1]]
        made = [batch_body(branch, axes[1:], size, forced)[0] for branch in branches]
        return emit(OPS["if"], (pred, *values), {"then": made[0], "else": made[1]}), as_axes(forced)
    if call.op.has_effect:
        return one_by_one(call, operands, axes)
    sides = [inline_batched(pred.graph, branch, values, axes[1:]) for branch in branches]
    chosen = []
    for then, then_axis, other, other_axis in zip(*sides[0], *sides[1], strict=True):
        chosen.append(select(pred, front(then, then_axis), then_axis, front(other, other_axis), other_axis))
    return batched(chosen)


def front(value: Value, axis: Axis) -> Value:
    """A batch axis, if there is one, brought to the front."""
    return value if axis is None else moved(value, axis, 0)


def select(mask: Value, yes: Value, yes_axis: Axis, no: Value, no_axis: Axis) -> Value:
    """For each example one of two values, which may be batched in front or shared."""
    rank = max(yes.rank - (yes_axis is not None), no.rank - (no_axis is not None))
    return one("where", aligned(mask, 0, rank), yes, no)


if_ = define(
    "if",
    "pred:mask, xs*",
    infer=_if_shapes,
    reference=_if,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={"then": Attr("graph", help="what a true pred runs"), "else": Attr("graph", help="what a false one runs")},
    doc="The outputs of one of two bodies on the same operands; only the one the bool scalar `pred` chooses runs.",
    tolerance=ACCUMULATED,
    cost=lambda call, results: body_cost(call.then),
    vjp=_if_vjp,
    jvp=_if_jvp,
    saving=_if_saving,
    batch=_batch_if,
    cases=if_cases,
)
