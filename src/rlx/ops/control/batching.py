"""Batching of control flow: bodies of one example become bodies of all.

Which carries of a loop are batched is found by trying: a carry that a step makes batched is batched from the start, and
the body is made again until nothing changes. A counter that no batched value reaches stays one number for all examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value, one
from rlx.transforms.rules.batch_formulas import aligned, batched
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    batch_body,
    batch_size,
    in_front,
    inline_batched,
    moved,
)


def _present(operands: Operands) -> list[Value]:
    return [value for value in operands if value is not None]


def _as_axes(flags: Sequence[bool]) -> list[Axis]:
    return [0 if flag else None for flag in flags]


def _settled(
    body: Graph, carries: Sequence[Axis], rest: Sequence[Axis], size: Size
) -> tuple[Graph, list[bool], list[Axis]]:
    """The batched body, which carries are batched in it, and the axes of its outputs."""
    whole = [axis is not None for axis in carries]
    while True:
        made, places = batch_body(body, [*_as_axes(whole), *rest], size, forced=whole)
        after = [place is not None for place in places[: len(whole)]]
        if after == whole:
            return made, whole, places
        whole = after


def _carried(values: Sequence[Value], axes: Sequence[Axis], whole: Sequence[bool], size: Size) -> list[Value]:
    return [
        in_front(value, axis, size) if flag else value for value, axis, flag in zip(values, axes, whole, strict=True)
    ]


# -- scan -------------------------------------------------------------------------------------------------------
def batch_scan(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """One scan whose steps do all examples: rows are `[length, n, …]`, so are the ys."""
    values, size = _present(operands), batch_size(operands, axes)
    first, last = call.num_carry, call.num_carry + call.num_bcast
    body, whole, places = _settled(call.body, axes[:first], axes[first:], size)
    rows = [
        value if axis is None else moved(value, 0, 1) for value, axis in zip(values[last:], axes[last:], strict=True)
    ]
    given = [*_carried(values[:first], axes[:first], whole, size), *values[first:last], *rows]
    found = emit(OPS["scan"], given, {**call.op.attrs, "body": body})
    return found, [*_as_axes(whole), *(None if place is None else 1 for place in places[first:])]


# -- if ---------------------------------------------------------------------------------------------------------
def batch_if(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared pred chooses between batched branches; one that differs by example: both run, and each takes its own."""
    pred, *values = _present(operands)
    size = batch_size(operands, axes)
    branches = [call.op.attrs[role] for role in ("then", "else")]
    if axes[0] is None:
        forced = [False] * len(branches[0].outputs)
        for branch in branches:
            forced = [place is not None for place in batch_body(branch, axes[1:], size, forced)[1]]
        made = [batch_body(branch, axes[1:], size, forced)[0] for branch in branches]
        return emit(OPS["if"], (pred, *values), {"then": made[0], "else": made[1]}), _as_axes(forced)
    sides = [inline_batched(pred.graph, branch, values, axes[1:]) for branch in branches]
    chosen = []
    for then, then_axis, other, other_axis in zip(*sides[0], *sides[1], strict=True):
        chosen.append(_select(pred, _front(then, then_axis), then_axis, _front(other, other_axis), other_axis))
    return batched(chosen)


def _front(value: Value, axis: Axis) -> Value:
    return value if axis is None else moved(value, axis, 0)


def _select(mask: Value, yes: Value, yes_axis: Axis, no: Value, no_axis: Axis) -> Value:
    """For each example one of two values, which may be batched in front or shared."""
    rank = max(yes.rank - (yes_axis is not None), no.rank - (no_axis is not None))
    return one("where", aligned(mask, 0, rank), yes, no)


# -- while ------------------------------------------------------------------------------------------------------
def batch_while(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared cond: one loop of batched steps. Else the loop runs while an example is not done, and those that are keep
    their carries."""
    values, size = _present(operands), batch_size(operands, axes)
    count = len(values) - call.num_bcast
    body, whole, _ = _settled(call.body, axes[:count], axes[count:], size)
    condition, places = batch_body(call.cond, [*_as_axes(whole), *axes[count:]], size)
    if places[0] is None:
        given = [*_carried(values[:count], axes[:count], whole, size), *values[count:]]
        return emit(OPS["while"], given, {**call.op.attrs, "cond": condition, "body": body}), _as_axes(whole)
    carries = _carried(values[:count], axes[:count], [True] * count, size)
    rest = values[count:]
    mask = _asked(call.cond, [*carries, *rest], [*_as_axes([True] * count), *axes[count:]], size)
    shapes = [value.type for value in (mask, *carries, *rest)]
    attrs = {
        **call.op.attrs,
        "cond": _one_left(call.cond, shapes),
        "body": _masked_step(call.cond, call.body, shapes, [*_as_axes([True] * count), *axes[count:]], size),
    }
    return batched(emit(OPS["while"], (mask, *carries, *rest), attrs)[1:])


def _asked(condition: Graph, values: Sequence[Value], axes: Sequence[Axis], size: Size) -> Value:
    """The answer of cond for each example: `bool[n]`."""
    (answer,), (axis,) = inline_batched(values[0].graph, condition, values, axes)
    return in_front(answer, axis, size)


def _loop_part(like: Graph, shapes: Sequence[Shape]) -> tuple[Graph, list[Value]]:
    made = Graph(like.name, like.level)
    made.assumptions, made.symbols = list(like.assumptions), dict(like.symbols)
    inputs = [made.add_node(OPS["input"].op(name=f"x{index}", shape=shape)).ref for index, shape in enumerate(shapes)]
    return made, [Value(made, ref) for ref in inputs]


def _one_left(condition: Graph, shapes: Sequence[Shape]) -> Graph:
    """Whether an example is not done."""
    made, (mask, *_) = _loop_part(condition, shapes)
    made.set_output_refs({"y0": mask.any().ref})
    return made


def _masked_step(condition: Graph, body: Graph, shapes: Sequence[Shape], axes: Sequence[Axis], size: Size) -> Graph:
    """A step of every example, kept where it was not done; then who is not done still."""
    made, (mask, *values) = _loop_part(body, shapes)
    count = len(body.outputs)
    after, places = inline_batched(made, body, values, axes)
    kept = [
        _select(mask, _front(new, place), place, old, 0)
        for new, place, old in zip(after, places, values[:count], strict=True)
    ]
    left = mask & _asked(condition, [*kept, *values[count:]], axes, size)
    made.set_output_refs({f"y{index}": value.ref for index, value in enumerate((left, *kept))})
    return made


# -- custom_fn --------------------------------------------------------------------------------------------------
def batch_custom_fn(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Value and derivatives batched together, so that a gradient of its own stays one; all results are batched.

    The gradient of a primal that all examples share is the sum of theirs.
    """
    values, size = _present(operands), batch_size(operands, axes)
    results = len(call.fwd_body.outputs)
    attrs: dict[str, Any] = {**call.op.attrs}
    attrs["fwd_body"], _ = batch_body(call.fwd_body, axes, size, [True] * results)
    if call.vjp_fwd is not None:
        attrs["vjp_fwd"], _ = batch_body(call.vjp_fwd, axes, size, [True] * len(call.vjp_fwd.outputs))
    if call.vjp_body is not None:
        attrs["vjp_body"] = _shared_summed(_derivative(call, call.vjp_body, axes, size), _differentiable(call, axes))
    if call.jvp_body is not None:
        attrs["jvp_body"] = _derivative(call, call.jvp_body, axes, size)
    return batched(emit(OPS["custom_fn"], values, attrs))


def _differentiable(call: Call, axes: Sequence[Axis]) -> list[Axis]:
    """The axes of the primals that have a gradient."""
    count = len(call.given) - call.num_captured
    primals = zip(call.given[:count], axes[:count], strict=True)
    return [axis for shape, axis in primals if shape.dtype.is_float or shape.dtype.is_complex]


def _derivative(call: Call, body: Graph, axes: Sequence[Axis], size: Size) -> Graph:
    """A derivative body for all examples: what it gets by a special name is batched as what it belongs to."""
    primals = iter(axes)
    inside: list[Axis] = []
    for name in body.inputs:
        head, _, number = name.rpartition("_")
        if head == "tangent" and number.isdigit():
            inside.append(axes[int(number)])
        elif name.startswith(("primal_output", "d_output")) or (
            call.vjp_fwd is not None and name.startswith("residual_")
        ):
            inside.append(0)
        else:
            inside.append(next(primals))
    return batch_body(body, inside, size, [True] * len(body.outputs))[0]


def _shared_summed(body: Graph, axes: Sequence[Axis]) -> Graph:
    """Gradients of shared primals summed over the examples."""
    outputs = dict(body.outputs)
    for (name, ref), axis in zip(body.outputs.items(), axes, strict=True):
        if axis is None:
            outputs[name] = Value(body, ref).sum(axes=0).ref
    body.set_output_refs(outputs)
    return body
