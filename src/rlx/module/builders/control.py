"""Branches, loops, and functions and ops of the user. Bodies are Python functions of Values, or Graphs.

A function may use any value of the graph around it: what it uses becomes an explicit operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.module.emitter import Body, Tensor, Tensors, like, many
from rlx.ops.control import control
from rlx.ops.control.custom import USER_KERNELS
from rlx.ops.control.custom_values import MultiOutputHandle, custom_fn_values

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def cond(self: Builders, pred: Tensor, then: Body, else_: Body, operands: Tensors = (), *, name: str | None = None) -> Value | Any:
    """`then(*operands)` where the bool scalar holds, else `else_(*operands)`; only that branch runs.

    One result comes as a Value, several as a tuple.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> x = g.input("x", (4,))
    >>> g.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, [x])
    <Value %4 : f32[4]>
    """
    given = many(operands)
    found = control.cond_values(pred, then, else_, given, graph=self._target((pred, *given)), name=name)
    return found[0] if len(found) == 1 else found


def while_loop(
    self: Builders, carries: Tensors, *, cond: Body, body: Body, max_iterations: int | None = None, name: str | None = None
) -> Value | Any:
    """The carries after `body(*carries)` ran as long as `cond(*carries)` held, at most max_iterations times.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> i, x = g.constant(0), g.input("x", (4,))
    >>> g.while_loop((i, x), cond=lambda i, x: i < 5, body=lambda i, x: (i + 1, x * 2))
    (<Value %2 : i32[]>, <Value %2.1 : f32[4]>)
    """
    given = many(carries)
    found = control.while_values(given, cond, body, max_iterations=max_iterations, graph=self._target(given), name=name)
    return like(carries, found)


def custom_fn(
    self: Builders,
    operands: Tensors,
    fwd_body: Body,
    vjp_body: Body | None = None,
    jvp_body: Body | None = None,
    *,
    name: str | None = None,
) -> Value:
    """The one result of a function with derivatives of its own: `help(rlx.ops.control.custom)` tells the names they use.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> x = g.input("x", (4,))
    >>> g.custom_fn([x], lambda x: g.round(x), vjp_body=lambda x, d_output: d_output)
    <Value %1 : f32[4]>
    """
    found = self.custom_fn_multi(operands, fwd_body, vjp_body, jvp_body, name=name)
    if len(found) != 1:
        raise RlxError("RLX101", f"the fwd_body returns {len(found)} values", fix="custom_fn_multi takes any number")
    return found[0]


def custom_fn_multi(
    self: Builders,
    operands: Tensors,
    fwd_body: Body,
    vjp_body: Body | None = None,
    jvp_body: Body | None = None,
    *,
    name: str | None = None,
) -> MultiOutputHandle:
    """All results of a function with derivatives of its own: a tuple of Values, and a `MultiOutputHandle`."""
    given = many(operands)
    return custom_fn_values(given, fwd_body, vjp_body, jvp_body, graph=self._target(given), name=name)


def custom(self: Builders, op: str, *operands: Tensor | None, name: str | None = None, **attrs: Any) -> Value | Any:
    """An op made known by `rlx.register_op`, by its name; several results come as a tuple."""
    if op not in USER_KERNELS:
        known = ", ".join(USER_KERNELS) or "none"
        raise RlxError("RLX113", f"{op!r} is not a registered op", fix=f"rlx.register_op; registered: {known}")
    found = self._many(op, operands, attrs, name)
    return found if len(found) > 1 else found[0]
