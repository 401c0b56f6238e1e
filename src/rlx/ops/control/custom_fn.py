"""`custom_fn`: a function of the user, a body with derivatives of its own.

Its value is its forward body, inlined. In the derivative bodies some inputs are known by name; all others
are the primals, in the order of the operands:

    vjp body   primal_output, d_output         (K results: primal_output_0 …, d_output_0 …)
               outputs: one gradient for each float or complex primal, in order
    jvp body   tangent_i for primal i          (integer primals have none; primal_output… where wanted)
               outputs: one tangent for each float or complex result
               (with `jvp_results`: all results in front of them)

`vjp_fwd`, where it is given, computes the results on the way to a gradient: its outputs are the results, then residuals that the vjp body
knows as residual_0 …. A derivative of that derivative goes through these results, as one goes through the results of a jvp body.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.tolerance import OfBody
from rlx.ops.control.fused import body_cost, inline, make_body
from rlx.ops.control.scan import body_of, same_type
from rlx.ops.record import OPS, Attr, Call, Case, OpKind, Shape, Size, Value, case, define, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_body, batch_size, with_batch_axis
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, depending_outputs, differentiable
from rlx.transforms.rules.formulas import by_transposition, or_zeros
from rlx.transforms.rules.tape import silent, without_effects

_VJP_NAMES = re.compile(r"(primal_output|d_output)(_\d+)?")
_JVP_NAMES = re.compile(r"tangent_\d+|primal_output(_\d+)?")


# -- shapes and meaning -----------------------------------------------------------------------------------------
def number_names(name: str, count: int) -> list[str]:
    """Names of a custom_fn's results: `name` for one, `name_0`, `name_1`, … for several."""
    return [name] if count == 1 else [f"{name}_{index}" for index in range(count)]


def _check_names(
    call: Call, role: str, inputs: Collection[str], special: Collection[str], required: Sequence[str], names: re.Pattern[str]
) -> None:
    """Checks that a derivative body has the required inputs and that no special name is unknown."""
    if missing := [name for name in required if name not in inputs]:
        fix = f'declare input("{missing[0]}", …) in it'
        message = f"the {role} has no input {missing[0]!r}; its inputs are {', '.join(inputs) or 'none'}"
        raise call.error("RLX109", message, fix=fix)
    if unknown := [name for name in inputs if names.fullmatch(name) and name not in special]:
        fix = f"the names it may have: {', '.join(special) or 'none'}"
        raise call.error("RLX109", f"the {role} has an input {unknown[0]!r} that stands for nothing", fix=fix)


def _check_inputs(
    call: Call, role: str, body: Graph, special: Mapping[str, Shape], required: Sequence[str], names: re.Pattern[str]
) -> None:
    """Checks the inputs of a derivative body: special names have their types, the other inputs are the primals."""
    inputs = {name: node.shape for name, node in body.inputs.items()}
    _check_names(call, role, inputs, special, required, names)
    primals = [name for name in inputs if name not in special]
    if len(primals) != len(call.given):
        listed = ", ".join(primals) or "none"
        message = f"the {role} has {len(primals)} inputs for primals ({listed}), there are {len(call.given)} primals"
        raise call.error("RLX101", message)
    for name, expected in (*special.items(), *zip(primals, call.given, strict=True)):
        if name in inputs:
            same_type(call, f"input {name} of the {role}", inputs[name], expected)


def _check_outputs(call: Call, role: str, body: Graph, wanted: Sequence[tuple[str, Shape]], what: str) -> None:
    shapes = [body.shape(ref) for ref in body.output_refs.values()]
    if len(shapes) != len(wanted):
        listed = ", ".join(name for name, _ in wanted) or "none"
        raise call.error("RLX101", f"the {role} returns {len(shapes)} values, {what}: {len(wanted)} ({listed})")
    for shape, (name, expected) in zip(shapes, wanted, strict=True):
        same_type(call, f"the output for {name} of the {role}", shape, expected)


def _custom_shapes(call: Call) -> tuple[Shape, ...]:
    forward: Graph = call.fwd_body
    if len(forward.inputs) != len(call.given):
        raise call.error("RLX101", f"the fwd_body has {len(forward.inputs)} inputs, {len(call.given)} operands are given")
    for (name, node), operand in zip(forward.inputs.items(), call.given, strict=True):
        same_type(call, f"input {name} of the fwd_body", node.shape, operand)
    if not 0 <= call.num_captured <= len(call.given):
        raise call.error("RLX105", f"num_captured is {call.num_captured} for {len(call.given)} operands")
    results = [forward.shape(ref) for ref in forward.output_refs.values()]
    primals = list(zip(list(forward.inputs), call.given, strict=True))[: len(call.given) - call.num_captured]
    outputs = dict(zip(number_names("primal_output", len(results)), results, strict=True))
    named = list(zip(forward.output_refs, results, strict=True))
    if call.vjp_body is not None:
        seeds = dict(zip(number_names("d_output", len(results)), results, strict=True))
        special = {**outputs, **seeds, **_residuals(call, named)}
        _check_inputs(call, "vjp_body", call.vjp_body, special, tuple(special), _VJP_NAMES)
        wanted = [(name, shape) for name, shape in primals if differentiable(shape.dtype)]
        _check_outputs(call, "vjp_body", call.vjp_body, wanted, "one gradient for each float or complex primal")
    if call.jvp_body is not None:
        tangents = {f"tangent_{i}": shape for i, (_, shape) in enumerate(primals) if differentiable(shape.dtype)}
        _check_inputs(call, "jvp_body", call.jvp_body, {**outputs, **tangents}, tuple(tangents), _JVP_NAMES)
        answers = [(name, shape) for name, shape in named if differentiable(shape.dtype)]
        what = "one tangent for each float or complex result"
        if call.jvp_results:
            answers, what = ([*named, *((f"the tangent of {name}", shape) for name, shape in answers)], f"the results, then {what}")
        _check_outputs(call, "jvp_body", call.jvp_body, answers, what)
    return tuple(results)


def _residuals(call: Call, results: Sequence[tuple[str, Shape]]) -> dict[str, Shape]:
    """Shapes of the residuals that `vjp_fwd` saves for the vjp body, by name, after checking its inputs and first outputs."""
    if call.vjp_fwd is None:
        return {}
    shapes = [call.vjp_fwd.shape(ref) for ref in call.vjp_fwd.output_refs.values()]
    if len(call.vjp_fwd.inputs) != len(call.given):
        raise call.error("RLX101", f"the vjp_fwd has {len(call.vjp_fwd.inputs)} inputs, {len(call.given)} operands are given")
    for (name, node), operand in zip(call.vjp_fwd.inputs.items(), call.given, strict=True):
        same_type(call, f"input {name} of the vjp_fwd", node.shape, operand)
    if len(shapes) < len(results):
        raise call.error("RLX101", f"the vjp_fwd returns {len(shapes)} values, the function {len(results)}")
    for shape, (name, expected) in zip(shapes, results, strict=False):
        same_type(call, f"the output for {name} of the vjp_fwd", shape, expected)
    return {f"residual_{index}": shape for index, shape in enumerate(shapes[len(results) :])}


# -- derivatives ------------------------------------------------------------------------------------------------
def _inputs_of(body: Graph, operands: Sequence[Any], special: dict[str, Any]) -> list[Any]:
    """The input values of a derivative body: special ones by name, the others are the primals in order."""
    primals = iter(operands)
    return [special[name] if name in special else next(primals) for name in body.inputs]


def _by_number(name: str, values: Sequence[Any]) -> dict[str, Any]:
    return {name: values[0]} if len(values) == 1 else {f"{name}_{index}": value for index, value in enumerate(values)}


def _check_captured_values(call: Derivative, active: Sequence[bool]) -> None:
    """Refuses to differentiate a custom_fn by a captured value: its rule covers the arguments only, the gradient would be zero."""
    first = len(active) - call.num_captured
    for index in range(first, len(active)):
        if active[index] and depending_outputs(call.fwd_body, (index,)):
            message = (
                f"it closes over a value ({call.shapes[index]}) that a derivative is wanted by; its rule is for arguments alone"
            )
            raise call.error("RLX601", message, fix="make the value an argument of the function, or take stop_gradient of it")


def _check_derivative(call: Derivative, active: Sequence[bool]) -> None:
    if call.no_derivative:
        raise call.error("RLX601", call.no_derivative, fix="nest the transforms of functions: rlx.grad(rlx.grad(f))")
    if call.vjp_body is not None or call.jvp_body is not None:
        _check_captured_values(call, active)


def _custom_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """Runs a custom_fn for a derivative: the results as its rule computes them, and the residuals."""
    _check_derivative(call, call.wanted)
    count = len(call.fwd_body.output_refs)
    if call.vjp_fwd is not None:
        values = inline(*operands, body=call.vjp_fwd)
        return values[:count], values[count:]
    if call.vjp_body is None and call.jvp_results:
        made = emit(call.op.definition, operands, dict(silent(call.op).attrs))
        moving = _tangents(call, operands, made, [None] * len(operands))
        return inline(*moving, body=call.jvp_body)[:count], ()
    return call.op.definition(*operands, **call.op.attrs), ()


def _custom_vjp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]) -> list[Maybe]:
    """The vjp of a custom_fn: its vjp body; else its jvp body transposed; else the vjp of its forward body."""
    _check_derivative(call, call.wanted)
    if call.vjp_body is None:
        if call.jvp_body is not None:
            return _transposed_jvp(call, operands, results, cotangents)
        return call.pull(call.fwd_body, operands, cotangents, call.wanted)
    count = len(call.fwd_body.output_refs)
    kept = results[count:]
    if call.vjp_fwd is not None and not kept and len(call.vjp_fwd.output_refs) > count:
        kept = inline(*operands, body=without_effects(call.vjp_fwd))[count:]
    seeds = [or_zeros(dy, y) for dy, y in zip(cotangents, results, strict=False)]
    special = {**_by_number("primal_output", results[:count]), **_by_number("d_output", seeds)}
    special |= {f"residual_{index}": value for index, value in enumerate(kept)}
    gradients = iter(inline(*_inputs_of(call.vjp_body, operands, special), body=call.vjp_body))
    primals = len(operands) - call.num_captured
    return [next(gradients) if i < primals and differentiable(x.dtype) else None for i, x in enumerate(operands)]


def _tangents(call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]) -> list[Any]:
    """The operands of a custom_fn's jvp body; zeros for tangents that are None."""
    primals = operands[: len(operands) - call.num_captured]
    moving = {f"tangent_{i}": or_zeros(tangents[i], x) for i, x in enumerate(primals) if differentiable(x.dtype)}
    return _inputs_of(call.jvp_body, operands, {**_by_number("primal_output", results), **moving})


def _transposed_jvp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]) -> list[Maybe]:
    """Transposes a jvp body, which is linear in its tangents: computes its vjp by the tangents at zero."""
    values = _tangents(call, operands, results, [None] * len(operands))
    names = list(call.jvp_body.inputs)
    wanted = [name.startswith("tangent_") and call.wanted[int(name.removeprefix("tangent_"))] for name in names]
    seeds = [dy for dy, y in zip(cotangents, results, strict=True) if differentiable(y.dtype)]
    in_front = [None] * len(results) if call.jvp_results else []
    gradients = dict(zip(names, call.pull(call.jvp_body, values, [*in_front, *seeds], wanted), strict=True))
    return [gradients.get(f"tangent_{index}") for index in range(len(operands))]


def _custom_jvp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]) -> list[Maybe] | Both:
    """The jvp of a custom_fn: its jvp body (with new results if it has them), its vjp body transposed, or its forward's jvp."""
    _check_derivative(call, [t is not None for t in tangents])
    if call.jvp_body is None:
        if call.vjp_body is not None:
            return by_transposition(call, operands, results, tangents)
        moved = call.push(call.fwd_body, operands, tangents)
        return Both(*moved) if call.op.has_effect else moved[1]
    values = inline(*_tangents(call, operands, results, tangents), body=call.jvp_body)
    count = len(results) if call.jvp_results else 0
    left = iter(values[count:])
    reached = [next(left) if differentiable(y.dtype) else None for y in results]
    return Both(values[:count], reached) if call.jvp_results else reached


# -- batches ----------------------------------------------------------------------------------------------------
def _batch_custom_fn(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches the bodies of a custom_fn together, so that it keeps its own gradient; all results are batched.

    The gradient of a primal that all examples share is summed over the examples.
    """
    values, size = [value for value in operands if value is not None], batch_size(operands, axes)
    results = len(call.fwd_body.output_refs)
    attrs: dict[str, Any] = {**call.op.attrs}
    attrs["fwd_body"], _ = batch_body(call.fwd_body, axes, size, [True] * results)
    if call.vjp_fwd is not None:
        attrs["vjp_fwd"], _ = batch_body(call.vjp_fwd, axes, size, [True] * len(call.vjp_fwd.output_refs))
    if call.vjp_body is not None:
        attrs["vjp_body"] = _sum_shared_gradients(_derivative(call, call.vjp_body, axes, size), _gradient_axes(call, axes))
    if call.jvp_body is not None:
        attrs["jvp_body"] = _derivative(call, call.jvp_body, axes, size)
    return with_batch_axis(emit(OPS["custom_fn"], values, attrs))


def _gradient_axes(call: Call, axes: Sequence[Axis]) -> list[Axis]:
    """Batch axes of the primals that have a gradient."""
    count = len(call.given) - call.num_captured
    primals = zip(call.given[:count], axes[:count], strict=True)
    return [axis for shape, axis in primals if differentiable(shape.dtype)]


def _derivative(call: Call, body: Graph, axes: Sequence[Axis], size: Size) -> Graph:
    """Batches a derivative body; an input with a special name has the batch axis of the value it refers to."""
    primals = iter(axes)
    inside: list[Axis] = []
    for name in body.inputs:
        head, _, number = name.rpartition("_")
        if head == "tangent" and number.isdigit():
            inside.append(axes[int(number)])
        elif name.startswith(("primal_output", "d_output")) or (call.vjp_fwd is not None and name.startswith("residual_")):
            inside.append(0)
        else:
            inside.append(next(primals))
    return batch_body(body, inside, size, [True] * len(body.output_refs))[0]


def _sum_shared_gradients(body: Graph, axes: Sequence[Axis]) -> Graph:
    """Sums the gradients of shared primals over the examples."""
    outputs = dict(body.output_refs)
    for (name, ref), axis in zip(body.output_refs.items(), axes, strict=True):
        if axis is None:
            outputs[name] = Value(body, ref).sum(axes=0).ref
    body.set_output_refs(outputs)
    return body


# -- the record -------------------------------------------------------------------------------------------------
def _custom_cases() -> list[Case]:
    square = body_of(lambda x: x * x, (4,))
    pair = body_of(lambda x, y: (x + y, OPS["exp"](x) * y), (2, 3), (3,))
    slope = make_body("body", dict.fromkeys(("x", "primal_output", "d_output"), Shape((4,), "f32")), lambda x, y, dy: dy * x)
    return [
        case(sample(4), note="one result", fwd_body=square),
        case(sample(2, 3), sample(3), note="odd: two results, one operand broadcast", fwd_body=pair),
        case(sample(4), note="a gradient of its own: the value stays", fwd_body=square, vjp_body=slope),
    ]


custom_fn = define(
    "custom_fn",
    "xs*",
    infer=_custom_shapes,
    reference=lambda *xs, fwd_body, wide=False, **derivatives: evaluate_body(fwd_body, xs, wide=wide),
    decompose=lambda *xs, fwd_body, **derivatives: inline(*xs, kind="custom_fn", body=fwd_body),
    kind=OpKind.Compute,
    results=("results*",),
    attrs={
        "fwd_body": Attr("graph", help="the value: operands in the order of its inputs"),
        "vjp_body": Attr("graph", None, "its gradient: primals, primal_output…, d_output… by name"),
        "jvp_body": Attr("graph", None, "its tangent: primals and tangent_i by name"),
        "num_captured": Attr("int", 0, "operands, the last ones, that a function closed over: they have no gradient"),
        "vjp_fwd": Attr("graph", None, "the results on the way to a gradient, then what vjp_body gets as residual_0 …"),
        "jvp_results": Attr("bool", False, "jvp_body returns the results, then the tangents"),
        "no_derivative": Attr("str", "", "why it has none; empty: it has"),
    },
    doc="A function with derivatives of its own: the value of fwd_body; transforms use vjp_body and jvp_body where given.",
    tolerance=OfBody(ulps=16.0, factor=4.0, scale="max"),
    cost=lambda call, results: body_cost(call.fwd_body),
    vjp=_custom_vjp,
    jvp=_custom_jvp,
    saving=_custom_saving,
    batch=_batch_custom_fn,
    cases=_custom_cases,
)
