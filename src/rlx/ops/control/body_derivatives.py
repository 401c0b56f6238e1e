"""Derivatives of ops that hold a body or stand for a composition: fused, custom_fn, quantization; and `stop_gradient`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.kinds import OpKind
from rlx.ir.case import case, sample
from rlx.ir.graph import Graph
from rlx.ir.op import complete, define
from rlx.ir.tolerance import exact
from rlx.ir.value import as_dtype
from rlx.ops.control.custom import custom_fn
from rlx.ops.control.fused import fused, inline
from rlx.ops.inference import no_arithmetic
from rlx.ops.quantized import fake_quantize as fq
from rlx.ops.quantized import quantize
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, depending_outputs, differentiable, traced
from rlx.transforms.rules.formulas import by_parts, by_transposition, given, one

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


# -- bodies -----------------------------------------------------------------------------------------------------
complete(
    fused,
    vjp=lambda call, operands, results, seeds: call.pull(call.body, operands, seeds, call.wanted),
    jvp=lambda call, operands, results, tangents: call.push(call.body, operands, tangents)[1],
)


def _named(body: Graph, operands: Sequence[Any], special: dict[str, Any]) -> list[Any]:
    """The inputs of a derivative body: special ones by name, the others are the primals in order."""
    primals = iter(operands)
    return [special[name] if name in special else next(primals) for name in body.inputs]


def _numbered(name: str, values: Sequence[Any]) -> dict[str, Any]:
    return {name: values[0]} if len(values) == 1 else {f"{name}_{index}": value for index, value in enumerate(values)}


def _check_captured(call: Derivative, active: Sequence[bool]) -> None:
    """A rule covers the arguments; a value that the function closes over must not be differentiated through it: it would count as zero."""
    first = len(active) - call.num_captured
    for index in range(first, len(active)):
        if active[index] and depending_outputs(call.fwd_body, (index,)):
            message = f"it closes over a value ({call.shapes[index]}) that a derivative is wanted by; its rule is for arguments alone"
            raise call.error(
                "RLX601", message, fix="make the value an argument of the function, or take stop_gradient of it"
            )


def _check_derivative(call: Derivative, active: Sequence[bool]) -> None:
    if call.no_derivative:
        raise call.error("RLX601", call.no_derivative, fix="nest the transforms of functions: rlx.grad(rlx.grad(f))")
    if call.vjp_body is not None or call.jvp_body is not None:
        _check_captured(call, active)


def _custom_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """The results as the rule computes them, with its residuals: what a derivative of the derivative goes through."""
    _check_derivative(call, call.wanted)
    count = len(call.fwd_body.outputs)
    if call.vjp_fwd is not None:
        found = inline(*operands, body=call.vjp_fwd)
        return found[:count], found[count:]
    if call.vjp_body is None and call.jvp_results:
        made = call.op.definition(*operands, **call.op.attrs)
        moving = _tangents(call, operands, made, [None] * len(operands))
        return inline(*moving, body=call.jvp_body)[:count], ()
    return call.op.definition(*operands, **call.op.attrs), ()


def _custom_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    """The vjp body; else the jvp body transposed; else the forward body's own."""
    _check_derivative(call, call.wanted)
    if call.vjp_body is None:
        if call.jvp_body is not None:
            return _transposed_jvp(call, operands, results, cotangents)
        return call.pull(call.fwd_body, operands, cotangents, call.wanted)
    count = len(call.fwd_body.outputs)
    kept = results[count:]
    if call.vjp_fwd is not None and not kept:
        kept = inline(*operands, body=call.vjp_fwd)[count:]
    seeds = [given(dy, y) for dy, y in zip(cotangents, results, strict=False)]
    special = {**_numbered("primal_output", results[:count]), **_numbered("d_output", seeds)}
    special |= {f"residual_{index}": value for index, value in enumerate(kept)}
    found = iter(inline(*_named(call.vjp_body, operands, special), body=call.vjp_body))
    primals = len(operands) - call.num_captured
    return [next(found) if i < primals and differentiable(x.dtype) else None for i, x in enumerate(operands)]


def _tangents(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Any]:
    """The operands of the jvp body; zeros for tangents that are None."""
    primals = operands[: len(operands) - call.num_captured]
    moving = {f"tangent_{i}": given(tangents[i], x) for i, x in enumerate(primals) if differentiable(x.dtype)}
    return _named(call.jvp_body, operands, {**_numbered("primal_output", results), **moving})


def _transposed_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    """A jvp body is linear in its tangents: pulled back by them, at zeros."""
    values = _tangents(call, operands, results, [None] * len(operands))
    names = list(call.jvp_body.inputs)
    wanted = [name.startswith("tangent_") and call.wanted[int(name.removeprefix("tangent_"))] for name in names]
    seeds = [dy for dy, y in zip(cotangents, results, strict=True) if differentiable(y.dtype)]
    in_front = [None] * len(results) if call.jvp_results else []
    found = dict(zip(names, call.pull(call.jvp_body, values, [*in_front, *seeds], wanted), strict=True))
    return [found.get(f"tangent_{index}") for index in range(len(operands))]


def _custom_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe] | Both:
    """The jvp body, whose results stand for the node's own where it returns them; else the vjp body transposed; else the forward body's."""
    _check_derivative(call, [t is not None for t in tangents])
    if call.jvp_body is None:
        if call.vjp_body is not None:
            return by_transposition(call, operands, results, tangents)
        return call.push(call.fwd_body, operands, tangents)[1]
    found = inline(*_tangents(call, operands, results, tangents), body=call.jvp_body)
    count = len(results) if call.jvp_results else 0
    left = iter(found[count:])
    moved = [next(left) if differentiable(y.dtype) else None for y in results]
    return Both(found[:count], moved) if call.jvp_results else moved


complete(custom_fn, vjp=_custom_vjp, jvp=_custom_jvp, saving=_custom_saving)
by_parts(quantize.dequantize)


# -- quantization in training -----------------------------------------------------------------------------------
def _passed(call: Derivative, x: Any, scale: Any, t: Any) -> Any:
    """t as far as the straight-through estimator lets it pass, with the scale the forward used."""
    made = fq.fake_quantize_backward(x, scale, t, bits=call.bits, axis=call.axis, ste=call.ste)
    return as_dtype(made, x.dtype)


def _fake_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    dy = cotangents[0]
    return [None if dy is None else _passed(call, operands[0], results[1], dy), *(None for _ in operands[1:])]


def _fake_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    t = tangents[0]
    return [None if t is None else _passed(call, operands[0], results[1], t), None]


def _lsq_vjp(call: Derivative, dy: Any, x: Any, scale: Any) -> list[Maybe]:
    attrs = {"bits": call.bits, "axis": call.axis}
    back = [
        fq.fake_quantize_lsq_backward_x(x, scale, dy, **attrs),
        fq.fake_quantize_lsq_backward_scale(x, scale, dy, **attrs),
    ]
    return [as_dtype(gradient, operand.dtype) for gradient, operand in zip(back, (x, scale), strict=True)]


def _linear_in_seed(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    """The straight-through factor counts as a constant: only dy has a gradient."""
    if not call.wanted[2]:
        return [None, None, None]
    assert call.op.definition.decompose is not None
    body = traced(call.op.definition.decompose, operands, call.op.attrs, call)
    return call.pull(body, operands, cotangents, [False, False, True])


def _of_seed(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    return [None if tangents[2] is None else call.op.definition(*operands[:2], tangents[2], **call.op.attrs)]


complete(fq.fake_quantize, vjp=_fake_vjp, jvp=_fake_jvp)
complete(fq.fake_quantize_lsq, vjp=one(_lsq_vjp), jvp=by_transposition)
for record in (fq.fake_quantize_backward, fq.fake_quantize_lsq_backward_x, fq.fake_quantize_lsq_backward_scale):
    complete(record, vjp=_linear_in_seed, jvp=_of_seed)
