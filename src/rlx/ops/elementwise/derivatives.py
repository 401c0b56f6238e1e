"""Derivatives of elementwise ops and complex parts: one slope for each operand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.ir.op import complete
from rlx.ir.value import Value, as_dtype
from rlx.ops.elementwise import complex as parts
from rlx.ops.elementwise import elementwise as e
from rlx.ops.random import dropout
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import by_parts, conj, flat, linear, matched, one, pointwise


def _gelu_slope(y: Value, x: Value) -> Value:
    """Φ(x) + x·φ(x)"""
    below, density = 0.5 * (1.0 + e.erf(x * (1 / math.sqrt(2)))), e.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    found: Value = below + x * density
    return found


def _gelu_approx_slope(y: Value, x: Value) -> Value:
    """s + x·s·(1 - s)·2u' where the op is x·s and s = sigmoid(2u), u = √(2/π)·(x + 0.044715·x³)"""
    c = 2 * math.sqrt(2 / math.pi)
    s: Value = e.sigmoid((x + x * x * x * 0.044715) * c)
    return s + x * s * (1.0 - s) * ((x * x * (3 * 0.044715) + 1.0) * c)


def _silu_slope(y: Value, x: Value) -> Value:
    s: Value = e.sigmoid(x)
    return s * (1.0 + x * (1.0 - s))


def _share(wins: Value, tie: Value, like: Value) -> Value:
    """1 where an operand is chosen, ½ where both are equal, else 0."""
    found: Value = e.where(wins, 1.0, e.where(tie, 0.5, 0.0))
    return as_dtype(found, like.dtype)


def _fixed(x: Value) -> float | None:
    """The number of a constant that holds one."""
    node = x.graph.node(x.ref)
    if node.op.name != "constant" or node.op["value"].array.size != 1 or x.dtype.is_complex:
        return None
    return float(node.op["value"].array.reshape(()))


def _pow_base(z: Value, x: Value, y: Value) -> Any:
    """y·x^(y - 1), 0 for an exponent of 0, whatever x is."""
    number = _fixed(y)
    if number is not None:
        if number in (0.0, 1.0, 2.0):
            return {0.0: None, 1.0: 1.0, 2.0: x * 2.0}[number]
        return e.pow_(x, number - 1.0) * number
    nothing = y == 0
    return e.where(nothing, 0.0, e.pow_(x, e.where(nothing, 1.0, y - 1.0)) * y)


def _pow_exponent(z: Value, x: Value, y: Value) -> Value:
    """x^y·log(x), 0 for a base of 0."""
    nothing = x == 0
    found: Value = e.where(nothing, 0.0, z * e.log(e.where(nothing, 1.0, x)))
    return found


def _hard_swish_slope(y: Value, x: Value) -> Value:
    found: Value = e.where(x < -3.0, 0.0, e.where(x > 3.0, 1.0, x * (1 / 3) + 0.5))
    return as_dtype(found, x.dtype)


pointwise(e.gelu, _gelu_slope)
pointwise(e.gelu_approx, _gelu_approx_slope)
pointwise(e.silu, _silu_slope)
pointwise(e.relu, lambda y, x: x > 0.0)
pointwise(e.sigmoid, lambda y, x: y * (1.0 - y))
pointwise(e.tanh, lambda y, x: 1.0 - y * y)
pointwise(e.exp, lambda y, x: y)
pointwise(e.log, lambda y, x: 1.0 / x)
pointwise(e.sqrt, lambda y, x: 0.5 / y)
pointwise(e.rsqrt, lambda y, x: y * y * y * -0.5)
pointwise(e.neg, lambda y, x: -1)
pointwise(e.sin, lambda y, x: e.cos(x))
pointwise(e.cos, lambda y, x: -e.sin(x))
pointwise(e.tan, lambda y, x: 1.0 + y * y)
pointwise(e.atan, lambda y, x: 1.0 / (1.0 + x * x))
pointwise(e.round_, lambda y, x: 1)  # straight through
pointwise(e.erf, lambda y, x: e.exp(-(x * x)) * (2 / math.sqrt(math.pi)))
pointwise(e.log1p, lambda y, x: 1.0 / (1.0 + x))
pointwise(e.expm1, lambda y, x: y + 1.0)
pointwise(e.softplus, lambda y, x: e.sigmoid(x))
pointwise(e.elu, lambda y, x: as_dtype(e.where(x > 0.0, 1.0, y + 1.0), x.dtype))
pointwise(e.relu2, lambda y, x: e.relu(x) * 2.0)
pointwise(e.hard_swish, _hard_swish_slope)
for record in (e.floor, e.ceil, e.sign, e.floor_div):
    flat(record)

pointwise(e.add, lambda z, x, y: 1, lambda z, x, y: 1)
pointwise(e.sub, lambda z, x, y: 1, lambda z, x, y: -1)
pointwise(e.mul, lambda z, x, y: y, lambda z, x, y: x)
pointwise(e.div, lambda z, x, y: 1.0 / y, lambda z, x, y: -z / y)
pointwise(e.max_, lambda z, x, y: _share(x > y, x == y, z), lambda z, x, y: _share(y > x, x == y, z))
pointwise(e.min_, lambda z, x, y: _share(x < y, x == y, z), lambda z, x, y: _share(y < x, x == y, z))
pointwise(e.pow_, _pow_base, _pow_exponent)
pointwise(e.mod, lambda z, x, y: 1, lambda z, x, y: -e.floor_div(x, y))
pointwise(e.atan2, lambda z, x, y: y / (x * x + y * y), lambda z, x, y: -x / (x * x + y * y))
pointwise(e.where, None, lambda z, c, x, y: c, lambda z, c, x, y: e.not_(c))
by_parts(e.clamp, make=lambda x, low, high: e.min_(e.max_(x, low), high))

# a cast brings its gradient back to the operand's dtype; dropout draws the same numbers again
complete(e.cast, vjp=one(lambda call, dy, x: [matched(dy, x)]), jvp=linear(0))
complete(
    dropout,
    vjp=one(lambda call, dy, x, key, counter: [dropout(dy, key, counter, **call.op.attrs), None, None]),
    jvp=linear(0),
)


# -- complex numbers --------------------------------------------------------------------------------------------
def _over_modulus(x: Value, y: Value) -> Value:
    """1/|x|, 0 where x is 0."""
    found: Value = e.where(y == 0.0, 0.0, 1.0 / e.where(y == 0.0, 1.0, y))
    return found


def _abs_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    (x,), (y,), (dy,) = operands, results, cotangents
    return [x * (dy * _over_modulus(x, y)) if x.dtype.is_complex else dy * e.sign(x)]


def _abs_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (x,), (y,), (t,) = operands, results, tangents
    return [parts.real(conj(x) * t) * _over_modulus(x, y) if x.dtype.is_complex else t * e.sign(x)]


def _scaled_parts(x: Value, dy: Value, *, conjugated: bool) -> Any:
    """2·dy·x, or 2·dy·conj(x), by parts."""
    return parts.complex_(parts.real(x) * dy * 2.0, parts.imag(x) * dy * (-2.0 if conjugated else 2.0))


complete(e.abs_, vjp=_abs_vjp, jvp=_abs_jvp)
complete(parts.conjugate, vjp=one(lambda call, dy, x: [parts.conjugate(dy)]), jvp=linear(0))
complete(parts.real, vjp=one(lambda call, dy, x: [parts.complex_(dy, 0.0)]), jvp=linear(0))
complete(parts.imag, vjp=one(lambda call, dy, x: [parts.complex_(0.0, dy)]), jvp=linear(0))
complete(
    parts.complex_,
    jvp=linear(),
    vjp=one(lambda call, dy, re, im: [matched(parts.real(dy), re), matched(parts.imag(dy), im)]),
)
complete(
    parts.complex_norm_sq,
    vjp=one(lambda call, dy, x: [parts.complex_norm_sq_backward(x, dy)]),
    jvp=lambda call, operands, results, tangents: [parts.real(conj(operands[0]) * tangents[0]) * 2.0],
)
by_parts(parts.complex_norm_sq_backward, make=_scaled_parts)
