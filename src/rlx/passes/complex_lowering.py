"""Complex arithmetic in terms of real arithmetic, for backends whose vectors hold real numbers.

Each rule takes the operands of an op and gives its result, built of `real`, `imag` and `complex` and of the op's real counterparts, so a
chain of complex ops becomes one region of real ones (canonicalize removes `real(complex(a, b))`). The formulas are in `complex_formulas`
and `complex_inverse`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.emit import constant
from rlx.ir.op import OPS
from rlx.ir.value import Value, one
from rlx.ops.control.control import scan_values
from rlx.ops.elementwise.complex import part_type
from rlx.passes import complex_formulas as inverse
from rlx.passes import complex_formulas as pairs
from rlx.passes.complex_formulas import Pair

Rule = Callable[..., Value]


def _parts(x: Value) -> Pair:
    node = x.graph.node(x.ref.node)
    if node.op.is_constant:
        array = node.op["value"].array
        return constant(x.graph, np.real(array)), constant(x.graph, np.imag(array))
    return OPS["real"](x), OPS["imag"](x)


def _whole(parts: Pair) -> Value:
    return one("complex", *parts)


def _on_parts(formula: Callable[..., Pair]) -> Rule:
    """A rule from a formula on pairs of real numbers."""
    return lambda *operands, **attrs: _whole(formula(*(_parts(x) for x in operands), **attrs))


def _each_part(name: str) -> Rule:
    """An op that treats real and imaginary parts alike, apart from each other."""
    return _on_parts(
        lambda *pairs, **attrs: (OPS[name](*(p[0] for p in pairs), **attrs), OPS[name](*(p[1] for p in pairs), **attrs))
    )


# -- what is not elementwise on pairs
def _cast(x: Value, *, to: Any) -> Value:
    kind = DType.of(to)
    if not kind.is_complex:
        re, im = _parts(x)
        number: Value = (re != 0.0) | (im != 0.0) if kind.is_bool else OPS["cast"](re, to=kind)
        return number
    part = part_type(kind)
    if x.dtype.is_complex:
        re, im = _parts(x)
        return _whole((OPS["cast"](re, to=part), OPS["cast"](im, to=part)))
    re = OPS["cast"](x, to=part)
    return _whole((re, OPS["expand"](pairs.zero(re), shape=re.shape)))


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
    return pairs.modulus(_parts(z))


def _equal(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return (x[0] == y[0]) & (x[1] == y[1])


def _unequal(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return (x[0] != y[0]) | (x[1] != y[1])


def _is_nan(z: Value) -> Value:
    re, im = _parts(z)
    return one("is_nan", re) | one("is_nan", im)


def _is_finite_number(z: Value) -> Value:
    re, im = _parts(z)
    return one("is_finite", re) & one("is_finite", im)


def _matmul(a: Value, b: Value) -> Value:
    x, y = _parts(a), _parts(b)
    return _whole((x[0] @ y[0] - x[1] @ y[1], x[0] @ y[1] + x[1] @ y[0]))


def _running_product(x: Value, axis: int, exclusive: bool, reverse: bool) -> tuple[Value, Value]:
    """The product along an axis, and the products so far: a scan over rows, for they do not part into real sums."""
    order = (axis, *(a for a in range(x.rank) if a != axis))
    rows = [part.transpose(*order) for part in _parts(x)]
    one = OPS["expand"](pairs.zero(rows[0]) + 1.0, shape=rows[0].shape[1:])

    def step(re: Value, im: Value, xr: Value, xi: Value) -> tuple[Value, ...]:
        after = pairs.mul((re, im), (xr, xi))
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
    "mul": pairs.mul,
    "div": pairs.div,
    "sqrt": pairs.sqrt,
    "rsqrt": pairs.rsqrt,
    "exp": pairs.exp,
    "exp2": pairs.exp2,
    "expm1": pairs.expm1,
    "log": pairs.log,
    "log2": pairs.log2,
    "log10": pairs.log10,
    "log1p": pairs.log1p,
    "pow": pairs.pow_,
    "sin": pairs.sin,
    "cos": pairs.cos,
    "tan": pairs.tan,
    "sinh": pairs.sinh,
    "cosh": pairs.cosh,
    "tanh": pairs.tanh,
    "asin": inverse.asin,
    "acos": inverse.acos,
    "atan": inverse.atan,
    "asinh": inverse.asinh,
    "acosh": inverse.acosh,
    "atanh": inverse.atanh,
    "sign": pairs.sign,
}

COMPLEX_RULES: dict[str, Rule] = {
    **{name: _each_part(name) for name in ("neg", "add", "sub", "round", "reduce_sum", "reduce_mean", "cumsum")},
    **{name: _on_parts(formula) for name, formula in _FORMULAS.items()},
    "abs": _abs,
    "cast": _cast,
    "where": _where,
    "eq": _equal,
    "ne": _unequal,
    "is_nan": _is_nan,
    "is_inf": lambda z: pairs.is_infinite(_parts(z)),
    "is_finite": _is_finite_number,
    "matmul": _matmul,
    "cumprod": _cumprod,
    "reduce_prod": _reduce_prod,
    "gather": _chosen("gather"),
    "take_along_axis": _chosen("take_along_axis"),
}
"""By op name: (*operands, **attributes) → the result."""
