"""Complex arithmetic in terms of real arithmetic, for backends whose vectors hold real numbers.

Each rule takes the operands of an op and gives its result, built of `real`, `imag` and `complex` and of the op's real counterparts, so a
chain of complex ops becomes one region of real ones (canonicalize removes `real(complex(a, b))`). The formulas keep the accuracy of the
reference: moduli without overflow, logarithms near 1 and quotients (Smith 1962) without cancellation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.emit import constant
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.complex import part_type
from rlx.ops.control import scan_values

__all__ = ["COMPLEX_RULES"]

Pair = tuple[Value, Value]
Rule = Callable[..., Value]

_LARGE = 20.0
"""tanh of a real part beyond it is ±1 to the last bit of f64."""


def _parts(x: Value) -> Pair:
    node = x.graph.node(x.ref.node)
    if node.op.name == "constant":
        array = node.op["value"].array
        return constant(x.graph, np.real(array)), constant(x.graph, np.imag(array))
    return OPS["real"](x), OPS["imag"](x)


def _whole(parts: Pair) -> Value:
    made: Value = OPS["complex"](*parts)
    return made


def _on_parts(formula: Callable[..., Pair]) -> Rule:
    """A rule from a formula on pairs of real numbers."""
    return lambda *operands, **attrs: _whole(formula(*(_parts(x) for x in operands), **attrs))


def _each_part(name: str) -> Rule:
    """An op that treats real and imaginary parts alike, apart from each other."""
    return _on_parts(lambda *pairs, **attrs: (OPS[name](*(p[0] for p in pairs), **attrs), OPS[name](*(p[1] for p in pairs), **attrs)))


# -- the four operations and the root
def _mul(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _div(a: Pair, b: Pair) -> Pair:
    flat = OPS["abs"](b[0]) >= OPS["abs"](b[1])
    large, small = OPS["where"](flat, b[0], b[1]), OPS["where"](flat, b[1], b[0])
    ratio = small / large
    below = large + small * ratio
    first, second = OPS["where"](flat, a[0], a[1]), OPS["where"](flat, a[1], a[0])
    imaginary = (second - first * ratio) / below
    return (first + second * ratio) / below, OPS["where"](flat, imaginary, -imaginary)


def _sizes(z: Pair) -> tuple[Value, Value]:
    """The larger and the smaller of |re| and |im|."""
    re, im = OPS["abs"](z[0]), OPS["abs"](z[1])
    return OPS["max"](re, im), OPS["min"](re, im)


def _modulus(z: Pair) -> Value:
    large, small = _sizes(z)
    ratio = OPS["where"](large > 0.0, small / large, 0.0)
    found: Value = OPS["where"](large == float("inf"), large, large * OPS["sqrt"](1.0 + ratio * ratio))
    return found


def _sqrt(z: Pair) -> Pair:
    re, im = z
    half = OPS["sqrt"]((OPS["abs"](re) + _modulus(z)) * 0.5)
    other = OPS["where"](half > 0.0, OPS["abs"](im) / (half + half), 0.0)
    right = re >= 0.0
    signed = OPS["where"](right, other, half)
    return OPS["where"](right, half, other), OPS["where"](im < 0.0, -signed, signed)


# -- exponentials and logarithms
def _exp(z: Pair) -> Pair:
    size = OPS["exp"](z[0])
    return size * OPS["cos"](z[1]), size * OPS["sin"](z[1])


def _expm1(z: Pair) -> Pair:
    half = OPS["sin"](z[1] * 0.5)
    return OPS["expm1"](z[0]) * OPS["cos"](z[1]) - 2.0 * half * half, OPS["exp"](z[0]) * OPS["sin"](z[1])


def _log(z: Pair) -> Pair:
    large, small = _sizes(z)
    near = OPS["log1p"]((large - 1.0) * (large + 1.0) + small * small) * 0.5
    size = OPS["where"]((large > 0.5) & (large < 2.0), near, OPS["log"](_modulus(z)))
    return size, OPS["atan2"](z[1], z[0])


def _log1p(z: Pair) -> Pair:
    re, im = z
    near = OPS["log1p"](re * (2.0 + re) + im * im) * 0.5
    small = (OPS["abs"](re) < 0.5) & (OPS["abs"](im) < 0.5)
    far = _log((1.0 + re, im))
    return OPS["where"](small, near, far[0]), far[1]


def _pow(a: Pair, b: Pair) -> Pair:
    size, angle = _exp(_mul(b, _log(a)))
    nothing, one = (a[0] == 0.0) & (a[1] == 0.0), (b[0] == 0.0) & (b[1] == 0.0)
    re, im = OPS["where"](nothing, 0.0, size), OPS["where"](nothing, 0.0, angle)
    return OPS["where"](one, 1.0, re), OPS["where"](one, 0.0, im)


# -- circular and hyperbolic functions
def _hyperbolic(x: Value) -> Pair:
    """(cosh, sinh) of a real number."""
    less = OPS["expm1"](OPS["abs"](x))
    inverse = less / (less + 1.0)
    sinh = (less + inverse) * 0.5
    return sinh + (1.0 - inverse), OPS["where"](x < 0.0, -sinh, sinh)  # cosh = sinh + exp(−|x|)


def _sin(z: Pair) -> Pair:
    cosh, sinh = _hyperbolic(z[1])
    return OPS["sin"](z[0]) * cosh, OPS["cos"](z[0]) * sinh


def _cos(z: Pair) -> Pair:
    cosh, sinh = _hyperbolic(z[1])
    return OPS["cos"](z[0]) * cosh, -(OPS["sin"](z[0]) * sinh)


def _tanh(z: Pair) -> Pair:
    """Kahan's form: with t = tan(im), s = sinh(re), the divisor 1 + (1 + t²)·s² never cancels."""
    re, im = z
    near = OPS["clamp"](re, -_LARGE, _LARGE)
    cosh, sinh = _hyperbolic(near)
    tangent = OPS["tan"](im)
    beta = 1.0 + tangent * tangent
    below = 1.0 + beta * sinh * sinh
    decay = OPS["exp"](OPS["abs"](re) * -2.0)
    far = OPS["abs"](re) >= _LARGE
    return (
        OPS["where"](far, OPS["sign"](re), beta * cosh * sinh / below),
        OPS["where"](far, 4.0 * OPS["sin"](im) * OPS["cos"](im) * decay, tangent / below),
    )


def _tan(z: Pair) -> Pair:
    """tan z = −i·tanh(i·z)."""
    re, im = _tanh((-z[1], z[0]))
    return im, -re


def _rsqrt(z: Pair) -> Pair:
    one = z[0] * 0.0 + 1.0
    return _div((one, z[1] * 0.0), _sqrt(z))


# -- what is not elementwise on pairs
def _cast(x: Value, *, to: Any) -> Value:
    kind = DType.of(to)
    if not kind.is_complex:
        re, im = _parts(x)
        found: Value = (re != 0.0) | (im != 0.0) if kind.is_bool else OPS["cast"](re, to=kind)
        return found
    part = part_type(kind)
    if x.dtype.is_complex:
        re, im = _parts(x)
        return _whole((OPS["cast"](re, to=part), OPS["cast"](im, to=part)))
    re = OPS["cast"](x, to=part)
    return _whole((re, OPS["expand"](_zero(re), shape=re.shape)))


def _zero(like: Value) -> Value:
    return constant(like.graph, 0.0, like.dtype)


def _where(condition: Value, a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return _whole((OPS["where"](condition, x[0], y[0]), OPS["where"](condition, x[1], y[1])))


def _chosen(name: str) -> Rule:
    """An op that reads x at indices: the same positions of both parts."""

    def rule(x: Value, indices: Value, **attrs: Any) -> Value:
        re, im = _parts(x)
        return _whole((OPS[name](re, indices, **attrs), OPS[name](im, indices, **attrs)))

    return rule


def _abs(z: Value) -> Value:
    return _modulus(_parts(z))


def _equal(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return (x[0] == y[0]) & (x[1] == y[1])


def _unequal(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return (x[0] != y[0]) | (x[1] != y[1])


def _is_nan(z: Value) -> Value:
    re, im = _parts(z)
    found: Value = OPS["is_nan"](re) | OPS["is_nan"](im)
    return found


def _matmul(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return _whole((x[0] @ y[0] - x[1] @ y[1], x[0] @ y[1] + x[1] @ y[0]))


def _running_product(x: Value, axis: int, exclusive: bool, reverse: bool) -> tuple[Value, Value]:
    """The product along an axis, and the products so far: a scan over rows, for they do not part into real sums."""
    order = (axis, *(a for a in range(x.rank) if a != axis))
    rows = [part.transpose(*order) for part in _parts(x)]
    one = OPS["expand"](_zero(rows[0]) + 1.0, shape=rows[0].shape[1:])

    def step(re: Value, im: Value, xr: Value, xi: Value) -> tuple[Value, ...]:
        after = _mul((re, im), (xr, xi))
        return (*after, *((re, im) if exclusive else after))

    re, im, all_re, all_im = scan_values(step, (one, one * 0.0), rows, length=x.shape[axis], reverse=reverse)
    back = tuple(order.index(a) for a in range(x.rank))
    return _whole((re, im)), _whole((all_re, all_im)).transpose(*back)


def _cumprod(x: Value, *, axis: int, exclusive: bool, reverse: bool) -> Value:
    return _running_product(x, axis, exclusive, reverse)[1]


def _reduce_prod(x: Value, *, axes: Sequence[int], keep_dim: bool) -> Value:
    total, shape = x, list(x.shape)
    for axis in sorted(axes, reverse=True):
        total = _running_product(total, axis, False, False)[0]
        shape[axis] = 1
    return total.reshape(*shape) if keep_dim else total


_FORMULAS: dict[str, Callable[..., Pair]] = {
    "mul": _mul, "div": _div, "sqrt": _sqrt, "rsqrt": _rsqrt, "exp": _exp, "expm1": _expm1, "log": _log, "log1p": _log1p, "pow": _pow,
    "sin": _sin, "cos": _cos, "tan": _tan, "tanh": _tanh,
}  # fmt: skip

COMPLEX_RULES: dict[str, Rule] = {
    **{name: _each_part(name) for name in ("neg", "add", "sub", "reduce_sum", "reduce_mean", "cumsum")},
    **{name: _on_parts(formula) for name, formula in _FORMULAS.items()},
    "abs": _abs, "cast": _cast, "where": _where, "eq": _equal, "ne": _unequal, "is_nan": _is_nan, "matmul": _matmul,
    "cumprod": _cumprod, "reduce_prod": _reduce_prod, "gather": _chosen("gather"), "take_along_axis": _chosen("take_along_axis"),
}  # fmt: skip
"""By op name: (*operands, **attributes) → the result."""
