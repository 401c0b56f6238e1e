"""while: a body as long as a condition holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.ir.emit import emit, into
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.value import one
from rlx.ops.control.control import cond_values, record_body, while_values
from rlx.ops.control.fused import body_cost
from rlx.ops.control.scan import (
    ACCUMULATED,
    active_carries,
    apply_body,
    as_axes,
    carry_values,
    check_carries,
    check_inputs,
    if_cases,
    present,
    same_type,
    scan,
    scan_saving,
    scan_vjp,
    settle,
    split,
    while_cases,
)
from rlx.ops.record import OPS, Array, Attr, Call, OpKind, Shape, Size, Value, define
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    align_example_axes,
    batch_body,
    batch_size,
    in_front,
    inline_batch,
    move_axis,
    one_by_one,
    with_batch_axis,
)
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, depending_outputs, trace_body
from rlx.transforms.rules.formulas import or_zeros

# -- if: one of two bodies on the same operands


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
    """The vjp of `if`: an `if` over the gradients of both branches; the branch that is taken is recomputed."""
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
            gradients = call.pull(body, inner, ds, wanted)
            return [or_zeros(gradients[index], inner[index]) for index in places]

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
            return [*made, *(or_zeros(moved[i], made[i]) for i in reached)]

        return branch

    both = list(cond_values(pred, forward(branches[0]), forward(branches[1]), [*xs, *(tangents[i + 1] for i in moving)]))
    made, moved = split(both, len(results))
    answer: list[Maybe] = [None] * len(results)
    for index, tangent in zip(reached, moved, strict=True):
        answer[index] = tangent
    return Both(made, answer)


def _if_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Values]:
    """Emits an `if` with its branches as derivatives run them; saves no residuals."""
    branches = {role: record_body(call.op[role], call.wanted[1:]) for role in ("then", "else")}
    return emit(if_, operands, branches), []


def _batch_if(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `if`: a shared pred chooses between batched branches; else both branches run and each example selects its own.

    Branches with effects run one example after the other.
    """
    pred, *values = present(operands)
    size = batch_size(operands, axes)
    branches = [call.op.attrs[role] for role in ("then", "else")]
    if axes[0] is None:
        forced = [False] * len(branches[0].output_refs)
        for branch in branches:
            forced = [axis is not None for axis in batch_body(branch, axes[1:], size, forced)[1]]
        made = [batch_body(branch, axes[1:], size, forced)[0] for branch in branches]
        return emit(OPS["if"], (pred, *values), {"then": made[0], "else": made[1]}), as_axes(forced)
    if call.op.has_effect:
        return one_by_one(call, operands, axes)
    sides = [inline_batch(pred.graph, branch, values, axes[1:]) for branch in branches]
    chosen = []
    for then, then_axis, other, other_axis in zip(*sides[0], *sides[1], strict=True):
        chosen.append(select(pred, front(then, then_axis), then_axis, front(other, other_axis), other_axis))
    return with_batch_axis(chosen)


def front(value: Value, axis: Axis) -> Value:
    """Moves a batch axis, if there is one, to the front."""
    return value if axis is None else move_axis(value, axis, 0)


def select(mask: Value, yes: Value, yes_axis: Axis, no: Value, no_axis: Axis) -> Value:
    """Selects one of two values for each example; each value is shared or batched in front."""
    rank = max(yes.rank - (yes_axis is not None), no.rank - (no_axis is not None))
    return one("where", align_example_axes(mask, 0, rank), yes, no)


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


Values = list[Value]


# -- shapes and meaning -----------------------------------------------------------------------------------------
def _while_shapes(call: Call) -> tuple[Shape, ...]:
    if not 0 <= call.num_bcast <= len(call.given):
        raise call.error("RLX101", f"num_bcast is {call.num_bcast} for {len(call.given)} operands")
    if call.max_iterations is not None and call.max_iterations < 0:
        raise call.error("RLX105", f"max_iterations is {call.max_iterations}", fix="at least 0")
    carries = call.given[: len(call.given) - call.num_bcast]
    condition: Graph = call.cond
    check_inputs(call, "cond", condition, call.given)
    answers = [condition.shape(ref) for ref in condition.output_refs.values()]
    if len(answers) != 1 or answers[0].rank != 0 or not answers[0].dtype.is_bool:
        listed = ", ".join(map(str, answers)) or "nothing"
        raise call.error("RLX102", f"cond returns {listed}", fix="one bool scalar, such as (i < 10)")
    check_inputs(call, "body", call.body, call.given)
    extra = check_carries(call, call.body, carries)
    if extra:
        raise call.error("RLX101", f"the body returns {len(carries) + len(extra)} values for {len(carries)} carries")
    return tuple(carries)


def _while(
    *operands: Array, cond: Graph, body: Graph, max_iterations: int | None, num_bcast: int, wide: bool = False
) -> tuple[Array, ...]:
    carries, fixed = tuple(operands[: len(operands) - num_bcast]), operands[len(operands) - num_bcast :]
    done = 0
    while (max_iterations is None or done < max_iterations) and bool(evaluate_body(cond, (*carries, *fixed), wide=wide)[0]):
        carries = evaluate_body(body, (*carries, *fixed), wide=wide)
        done += 1
    return carries


# -- derivatives ------------------------------------------------------------------------------------------------
def _while_jvp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]) -> Both:
    """The jvp of `while`: the same loop with tangents beside the carries; cond reads the values only."""
    count = len(operands) - call.num_bcast
    active = active_carries(call.body, count, [t is not None for t in tangents])
    carries, bcasts, _ = split(operands, count, call.num_bcast)

    def cond(*values: Value) -> Value:
        return apply_body(call.cond, [*values[:count], *_into_graph(values[0], bcasts)])[0]

    def body(*values: Value) -> Values:
        now, moving, _ = split(values, count, len(active))
        inner: list[Maybe] = [None] * count
        for index, tangent in zip(active, moving, strict=True):
            inner[index] = tangent
        made, moved = call.push(call.body, [*now, *bcasts], [*inner, *tangents[count:]])
        return [*made, *(or_zeros(moved[i], made[i]) for i in active)]

    start = [*carries, *(or_zeros(tangents[i], carries[i]) for i in active)]
    looped = list(while_values(start, cond, body, max_iterations=call.max_iterations))
    answer: list[Maybe] = [None] * len(results)
    for index, tangent in zip(active, looped[count:], strict=True):
        answer[index] = tangent
    return Both(looped[:count], answer)


def _into_graph(place: Value, values: Values) -> Values:
    return [into(place.graph, value) for value in values]


def _as_scan(call: Derivative, operands: Sequence[Any]) -> Derivative:
    """A `while` as a scan of max_iterations steps, each an if of cond; about √n carries are saved."""
    if call.max_iterations is None:
        raise RlxError("RLX604", f"{call.describe()}: the gradient of a while loop needs max_iterations")
    count = len(operands) - call.num_bcast

    def step(*values: Value) -> Values:
        alive = apply_body(call.cond, values)[0]
        return list(cond_values(alive, lambda *vs: apply_body(call.body, vs), lambda *vs: list(vs[:count]), values))

    body = trace_body(step, operands, {}, call)
    steps = int(call.max_iterations)
    attrs = {
        "body": body,
        "length": steps,
        "num_carry": count,
        "num_bcast": call.num_bcast,
        "num_xs": 0,
        "num_checkpoints": max(1, math.isqrt(steps)) if steps else None,
    }
    return call.of(scan.op(**attrs))


# -- batches ----------------------------------------------------------------------------------------------------
def _batch_while(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `while`: a shared cond gives one loop of batched steps. Else the loop runs until all examples are done; done ones
    keep their carries. With effects, examples run one after the other."""
    values, size = present(operands), batch_size(operands, axes)
    count = len(values) - call.num_bcast
    body, whole, _ = settle(call.body, axes[:count], axes[count:], size)
    condition, places = batch_body(call.cond, [*as_axes(whole), *axes[count:]], size)
    if places[0] is None:
        given = [*carry_values(values[:count], axes[:count], whole, size), *values[count:]]
        return emit(OPS["while"], given, {**call.op.attrs, "cond": condition, "body": body}), as_axes(whole)
    if call.op.has_effect:
        return one_by_one(call, operands, axes)
    carries = carry_values(values[:count], axes[:count], [True] * count, size)
    rest = values[count:]
    mask = _ask_condition(call.cond, [*carries, *rest], [*as_axes([True] * count), *axes[count:]], size)
    shapes = [value.type for value in (mask, *carries, *rest)]
    attrs = {
        **call.op.attrs,
        "cond": _one_left(call.cond, shapes),
        "body": _masked_step(call.cond, call.body, shapes, [*as_axes([True] * count), *axes[count:]], size),
    }
    return with_batch_axis(emit(OPS["while"], (mask, *carries, *rest), attrs)[1:])


def _ask_condition(condition: Graph, values: Sequence[Value], axes: Sequence[Axis], size: Size) -> Value:
    """Evaluates a loop's cond for each example, as `bool[n]`."""
    (answer,), (axis,) = inline_batch(values[0].graph, condition, values, axes)
    return in_front(answer, axis, size)


def _loop_part(like: Graph, shapes: Sequence[Shape]) -> tuple[Graph, list[Value]]:
    made = Graph(like.name, like.level)
    made.assumptions, made.symbols = list(like.assumptions), dict(like.symbols)
    inputs = [made.add_node(OPS["input"].op(name=f"x{index}", shape=shape)).ref for index, shape in enumerate(shapes)]
    return made, [Value(made, ref) for ref in inputs]


def _one_left(condition: Graph, shapes: Sequence[Shape]) -> Graph:
    """The cond of a batched `while`: whether any example is still running."""
    made, (mask, *_) = _loop_part(condition, shapes)
    made.set_output_refs({"y0": mask.any().ref})
    return made


def _masked_step(condition: Graph, body: Graph, shapes: Sequence[Shape], axes: Sequence[Axis], size: Size) -> Graph:
    """The body of a batched `while`: a step that updates running examples only, then the new mask of running examples."""
    made, (mask, *values) = _loop_part(body, shapes)
    count = len(body.output_refs)
    after, places = inline_batch(made, body, values, axes)
    kept = [select(mask, front(new, axis), axis, old, 0) for new, axis, old in zip(after, places, values[:count], strict=True)]
    left = mask & _ask_condition(condition, [*kept, *values[count:]], axes, size)
    made.set_output_refs({f"y{index}": value.ref for index, value in enumerate((left, *kept))})
    return made


while_ = define(
    "while",
    "operands*",
    infer=_while_shapes,
    reference=_while,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={
        "cond": Attr("graph", help="whether another step is due: carries, bcasts -> bool[]"),
        "body": Attr("graph", help="one step: carries, bcasts -> carries"),
        "max_iterations": Attr("int", None, "stop after so many steps, whatever cond says"),
        "num_bcast": Attr("int", 0, "operands, the last ones, that every step reads and none changes"),
    },
    doc="The carries after the body ran as long as cond held (and at most max_iterations times); all are results.",
    tolerance=ACCUMULATED,
    cost=lambda call, results: body_cost(call.body) * (call.max_iterations or 1),
    vjp=lambda call, operands, results, seeds: scan_vjp(_as_scan(call, operands), operands, results, seeds),
    jvp=_while_jvp,
    saving=lambda call, operands: scan_saving(_as_scan(call, operands), operands),
    batch=_batch_while,
    cases=while_cases,
)
