"""What derivative rules are made of: formulas by operand, linear ops, compositions, and transposition.

The record of an elementwise op says `**by_slopes(lambda y, x: y)`: the slope by each operand, from the result and the operands. A slope
is a Value, a bool Value (the gradient passes where it holds), a number, or None for zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypedDict

from rlx.core.dim import Relation, Size, proves_at_most
from rlx.core.shape import is_one
from rlx.ir.emit import constant
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value, as_dtype
from rlx.transforms.rules.derivative import (
    Both,
    Derivative,
    Maybe,
    Rule,
    Values,
    differentiable,
    jvp_by_parts,
    no_slope,
    present,
    total,
    trace_body,
    vjp_by_parts,
)

Slope: TypeAlias = "Callable[..., Value | float | None] | None"


class Derivatives(TypedDict):
    """The vjp and jvp of an op record."""

    vjp: Rule
    jvp: Rule


# -- values -----------------------------------------------------------------------------------------------------
def zeros(like: Value, dims: Sequence[Size]) -> Value:
    """Emits zeros of these dims in the dtype and graph of a value."""
    nothing = constant(like.graph, 0, like.dtype)
    return OPS["expand"](nothing, shape=tuple(dims)) if len(tuple(dims)) else nothing


def zeros_like(like: Value) -> Value:
    """Emits zeros of a value's type, in its graph."""
    return zeros(like, like.shape)


def or_zeros(value: Maybe, like: Value) -> Value:
    """Returns the value, or zeros in place of None."""
    return zeros_like(like) if value is None else value


def real_if(value: Value, like: Value) -> Value:
    """Takes the real part where `like` is real, as a real operand does to a complex cotangent."""
    return OPS["real"](value) if value.dtype.is_complex and not like.dtype.is_complex else value


def conj(value: Any) -> Any:
    """Conjugates a complex Value; returns everything else unchanged."""
    return OPS["conjugate"](value) if isinstance(value, Value) and value.dtype.is_complex else value


def match_type(gradient: Value, like: Value) -> Value:
    """Converts a gradient to the type of its operand: sums what broadcasting repeated, takes the real part for a real operand, casts."""
    more = gradient.rank - like.rank
    gradient = real_if(gradient, like)
    repeated = [axis for axis in range(like.rank) if is_one(like.shape[axis]) and not is_one(gradient.shape[axis + more])]
    axes = (*range(more), *(axis + more for axis in repeated))
    if axes:
        gradient = gradient.sum(axes=axes)
        if repeated:
            gradient = gradient.reshape(like.shape)
    return as_dtype(gradient, like.dtype)


def match_shape(tangent: Value, like: Value) -> Value:
    """Converts a tangent to the type of its result: broadcasts and casts."""
    tangent = as_dtype(tangent, like.dtype)
    return tangent if tangent.shape == like.shape else OPS["expand"](tangent, shape=like.shape)


def swap_last_axes(x: Value) -> Value:
    """Transposes the last two axes."""
    return OPS["transpose"](x, perm=(*range(x.rank - 2), x.rank - 1, x.rank - 2))


def at_least_zero(graph: Graph, size: Size) -> Size:
    """Assumes that a size is at least 0, where a symbol hides it; the way it was counted guarantees it."""
    if proves_at_most(0, size, graph.assumptions) is None:
        graph.assume(Relation("<=", 0, size))
    return size


# -- formulas ---------------------------------------------------------------------------------------------------
def _times(seed: Value, slope: Any) -> Value:
    if isinstance(slope, Value):
        if slope.dtype.is_bool:
            return OPS["where"](slope, seed, 0.0)
        return seed * slope
    return seed if slope == 1 else -seed if slope == -1 else seed * slope


def by_slopes(*slopes: Slope) -> Derivatives:
    """The vjp and jvp of an elementwise op from its slope by each operand, a function of (result, *operands).

    A slope of None is zero: an op that is constant but for jumps has `by_slopes(None)`.
    """

    def vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
        (dy,), (y,) = cotangents, results
        assert dy is not None
        gradients: list[Maybe] = []
        for x, slope, wanted in zip(operands, slopes, call.wanted, strict=True):
            factor = slope(y, *operands) if wanted and slope is not None else None
            gradients.append(None if factor is None else match_type(_times(dy, conj(factor)), x))
        return gradients

    def jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
        (y,) = results
        terms: list[Maybe] = []
        for tangent, slope in zip(tangents, slopes, strict=True):
            factor = slope(y, *operands) if tangent is not None and slope is not None else None
            if factor is not None and tangent is not None:
                terms.append(_times(tangent, factor))
        whole = total(terms)
        return [None if whole is None else match_shape(whole, y)]

    return {"vjp": vjp if any(slope is not None for slope in slopes) else no_slope, "jvp": jvp}


def unary(rule: Callable[..., Any]) -> Rule:
    """A vjp or jvp of an op with one operand and one result: `rule(call, t, y, x)` gives the gradient for the cotangent t of y, or the
    tangent of y for the tangent t of x."""
    return lambda call, operands, results, seeds: [rule(call, seeds[0], results[0], operands[0])]


def one_result(rule: Callable[..., Any]) -> Rule:
    """A vjp of an op with one result: `rule(call, dy, *operands)` gives one gradient or None for each operand."""
    return lambda call, operands, results, cotangents: rule(call, cotangents[0], *operands)


# -- linear ops -------------------------------------------------------------------------------------------------
def linear(*positions: int, **changes: Any) -> Rule:
    """The jvp of an op that is linear in these operands together: the op on tangents, zeros for those that have none."""

    def jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Sequence[Maybe]:
        chosen = positions or tuple(i for i, x in enumerate(operands) if x is not None and differentiable(x.dtype))
        moved = list(operands)
        for index in chosen:
            if operands[index] is not None:
                moved[index] = or_zeros(tangents[index], operands[index])
        tangent = call.op.definition(*moved, **{**call.op.attrs, **changes})
        several = tangent if isinstance(tangent, tuple) else (tangent,)
        return [
            match_shape(value, result) if differentiable(result.dtype) else None
            for value, result in zip(several, results, strict=True)
        ]

    return jvp


def multilinear(*positions: int) -> Rule:
    """The jvp of an op of one result that is linear in each of these operands: the sum of the op on each tangent."""

    def jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Sequence[Maybe]:
        terms: list[Maybe] = []
        for index in positions:
            if index < len(tangents) and tangents[index] is not None:
                moved = [*operands[:index], tangents[index], *operands[index + 1 :]]
                terms.append(call.op.definition(*moved, **call.op.attrs))
        whole = total(terms)
        return [None if whole is None else match_shape(whole, results[0])]

    return jvp


# -- compositions -----------------------------------------------------------------------------------------------
def as_composition(make: Callable[..., Any]) -> Derivatives:
    """The vjp and jvp of `make(*operands, **attrs)`, which computes the same as the op."""
    return {"vjp": vjp_by_parts(make), "jvp": jvp_by_parts(make)}


def by_transposition(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """Derives the jvp from the vjp alone: u -> vjp(u) is linear, and its own vjp at the tangents is the jvp.

    u is zeros: the gradient of a linear function does not read it.
    """
    rule = call.op.definition.vjp
    assert callable(rule)
    reached = [index for index, result in enumerate(results) if differentiable(result.dtype)]
    moving = [index for index, tangent in enumerate(tangents) if tangent is not None]
    count = len(operands)

    def gradients(*values: Any) -> list[Value]:
        seeds: list[Maybe] = [None] * len(results)
        for index, seed in zip(reached, values[count:], strict=True):
            seeds[index] = seed
        wanted = [index in moving for index in range(count)]
        inner = Derivative(call.op, call.shapes, call.assumptions, wanted, call.pull, call.push)
        primal = call.op.definition(*values[:count], **call.op.attrs)
        gradients = rule(inner, values[:count], primal if isinstance(primal, tuple) else (primal,), seeds)
        return [or_zeros(gradients[index], values[index]) for index in moving]

    seeds = [zeros_like(results[index]) for index in reached]
    body = trace_body(gradients, [*operands, *seeds], {}, call)
    inputs = [*present(operands, operands), *seeds]
    wanted = [False] * (len(inputs) - len(seeds)) + [True] * len(seeds)
    tangents_out = call.pull(body, inputs, [tangents[index] for index in moving], wanted)[-len(seeds) :]
    answer: list[Maybe] = [None] * len(results)
    for index, tangent in zip(reached, tangents_out, strict=True):
        answer[index] = tangent
    return answer


def by_transposed_jvp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """Derives the vjp from the jvp alone: t -> jvp(t) is linear, and is pulled back at tangents of zero.

    The jvp is given the results, and behind them what the op saved.
    """
    rule = call.op.definition.jvp
    assert callable(rule)
    moving = [index for index, wanted in enumerate(call.wanted) if wanted]
    count, several = len(operands), len(results)

    def tangents_of(*values: Any) -> list[Value]:
        tangents: list[Maybe] = [None] * count
        for index, tangent in zip(moving, values[count + several :], strict=True):
            tangents[index] = tangent
        moved = rule(call, values[:count], values[count : count + several], tangents)
        return [tangent for tangent in (moved.tangents if isinstance(moved, Both) else moved) if tangent is not None]

    zero = [zeros_like(operands[index]) for index in moving]
    body = trace_body(tangents_of, [*operands, *results, *zero], {}, call)
    inputs = [*present(operands, operands), *results, *zero]
    wanted = [False] * (len(inputs) - len(zero)) + [True] * len(zero)
    gradients = call.pull(body, inputs, list(cotangents), wanted)[-len(zero) :]
    answer: list[Maybe] = [None] * count
    for index, gradient in zip(moving, gradients, strict=True):
        answer[index] = gradient
    return answer
