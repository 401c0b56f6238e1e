"""The gradients of a scan in the original's four forms, each one reverse scan. `scan_gradients` gives all of them at once.

`body_vjp` takes the body's inputs (the carry, then a row of each xs) and `d_output`, and gives (d_carry, d_xs…). `trajectory` is
`[length, *carry]`, as `scan_trajectory` gives it; `upstream` is the gradient of the last carry, or with `save_trajectory` of every
row. With a `forward_body` the carries are computed again from `init`, `num_checkpoints` of them kept; `trajectory` may be None.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.value import Value
from rlx.module.builders.gradients import swept
from rlx.module.emitter import Body, ShapeLike, Tensor, flat, with_shape
from rlx.ops.control.fused import inline

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def scan_backward(
    self: Builders,
    init: Tensor,
    trajectory: Tensor,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool = False,
    out_shape: ShapeLike | None = None,
) -> Value:
    """The gradient of `init`.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> x, up = g.input("x", (4,)), g.input("up", (4,))
    >>> rows = g.scan_trajectory(x, lambda h: g.tanh(h), 10)
    >>> g.scan_backward(x, rows, up, [], lambda h, d_output: d_output * (1 - g.tanh(h) ** 2), 10)  # doctest: +ELLIPSIS
    <Value ... : f32[4]>
    """
    found = _swept(self, init, trajectory, upstream, xs, body_vjp, length, save_trajectory)[0]
    return with_shape("scan_backward", found, out_shape)


def scan_backward_with_checkpoints(
    self: Builders,
    init: Tensor,
    trajectory: Tensor | None,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool,
    num_checkpoints: int,
    forward_body: Body | None = None,
    out_shape: ShapeLike | None = None,
) -> Value:
    """The gradient of `init`, with `num_checkpoints` carries kept."""
    rest = (xs, body_vjp, length, save_trajectory, num_checkpoints, forward_body)
    found = _recomputed(self, init, trajectory, upstream, *rest)[0]
    return with_shape("scan_backward_with_checkpoints", found, out_shape)


def scan_backward_xs(
    self: Builders,
    init: Tensor,
    trajectory: Tensor,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool = False,
    xs_idx: int = 0,
    out_shape: ShapeLike | None = None,
) -> Value:
    """The gradient of `xs[xs_idx]`, its rows stacked."""
    _check_index(xs_idx, xs)
    found = _swept(self, init, trajectory, upstream, xs, body_vjp, length, save_trajectory)[1 + xs_idx]
    return with_shape("scan_backward_xs", found, out_shape)


def scan_backward_xs_with_checkpoints(
    self: Builders,
    init: Tensor,
    trajectory: Tensor | None,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool,
    xs_idx: int,
    num_checkpoints: int,
    forward_body: Body | None = None,
    out_shape: ShapeLike | None = None,
) -> Value:
    """The gradient of `xs[xs_idx]`, its rows stacked, with `num_checkpoints` carries kept."""
    _check_index(xs_idx, xs)
    rest = (xs, body_vjp, length, save_trajectory, num_checkpoints, forward_body)
    found = _recomputed(self, init, trajectory, upstream, *rest)[1 + xs_idx]
    return with_shape("scan_backward_xs_with_checkpoints", found, out_shape)


def _check_index(index: int, xs: Sequence[Tensor]) -> None:
    if not 0 <= index < len(xs):
        raise RlxError("RLX115", f"xs_idx {index} of {len(xs)} xs", fix=f"0 to {len(xs) - 1}")


def _swept(
    self: Builders,
    init: Tensor,
    trajectory: Tensor | None,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool,
) -> tuple[Value, ...]:
    """(d_init, d_xs…): rows from the last to the first, each with the carry before its step."""
    if trajectory is None:
        raise RlxError("RLX101", "a scan's gradient without its trajectory", fix="pass it, or a forward_body")
    start, rows, seed = self._as_value(init), self._as_value(trajectory), self._as_value(upstream)
    if rows.rank != start.rank + 1 or rows.shape[0] != length:
        message = f"the trajectory is {rows.type}, length {length} of a carry {start.type}"
        raise RlxError("RLX102", message, fix="[length, *carry], as scan_trajectory gives it")
    before = self.concat(start.reshape(1, *start.shape), self.narrow(rows, 0, 0, length - 1), axis=0)
    first = self.expand(self.constant(0, start.dtype), start.shape) if save_trajectory else seed
    pullback = _pullback(body_vjp)

    def step(d: Value, carry: Value, *rest: Value) -> tuple[Value, ...]:
        row, d_here = (rest[:-1], d + rest[-1]) if save_trajectory else (rest, d)
        return pullback((carry, *row), d_here)

    stacked = (before, *xs, *((seed,) if save_trajectory else ()))
    (d_init,), d_xs = self.scan_general(step, first, stacked, length=length, reverse=True)
    return (d_init, *d_xs)


def _recomputed(
    self: Builders,
    init: Tensor,
    trajectory: Tensor | None,
    upstream: Tensor,
    xs: Sequence[Tensor],
    body_vjp: Body,
    length: Size,
    save_trajectory: bool,
    num_checkpoints: int,
    forward_body: Body | None,
) -> tuple[Value, ...]:
    """(d_init, d_xs…) by the rule of scan on the forward body, whose derivative is body_vjp."""
    if forward_body is None:
        return _swept(self, init, trajectory, upstream, xs, body_vjp, length, save_trajectory)
    pullback = _pullback(body_vjp)

    def body(*operands: Value) -> tuple[Value, ...]:
        names = [f"x{index}" for index in range(len(operands))]
        made: Any = _with_names(lambda *given: pullback(given[:-1], given[-1]), [*names, "d_output"])
        new = self.custom_fn(operands, forward_body, made)
        return (new, new) if save_trajectory else (new,)

    seed = self._as_value(upstream)
    d_carry = self.expand(self.constant(0, seed.dtype), seed.shape[1:]) if save_trajectory else seed
    d_ys = (seed,) if save_trajectory else ()
    how: dict[str, Any] = {"length": length, "num_checkpoints": num_checkpoints, "through_captured": False}
    (d_init,), _, d_xs = swept(self, body, init, d_carry, d_ys, (), tuple(xs), **how)
    assert d_init is not None
    return (d_init, *(each for each in d_xs if each is not None))


def _pullback(body_vjp: Body) -> Callable[[Sequence[Value], Value], tuple[Value, ...]]:
    """A body_vjp as a function of the body's inputs and d_output, which a Graph knows by name, a function by name or as the last."""

    def call(inputs: Sequence[Value], d_output: Value) -> tuple[Value, ...]:
        if isinstance(body_vjp, BaseGraph):
            rest = iter(inputs)
            return inline(*(d_output if name == "d_output" else next(rest) for name in body_vjp.inputs), body=body_vjp)
        if "d_output" in inspect.signature(body_vjp).parameters:
            return flat((body_vjp(*inputs, d_output=d_output),))
        return flat((body_vjp(*inputs, d_output),))

    return call


def _with_names(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """The function, its parameters known by these names."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    return function
