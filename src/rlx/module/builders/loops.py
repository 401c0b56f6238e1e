"""Branches, loops, functions and ops of the user, scans, and gradients of one op at a time. Bodies are functions of Values, or Graphs.

A function may use any value of the graph around it: what it uses becomes an explicit operand. Whole graphs are differentiated by
`rlx.autodiff`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.enums import Activation
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.op import OPS
from rlx.ir.traced_bodies import returning_twice
from rlx.ir.value import Value
from rlx.module.builders.kinds import Kinds
from rlx.module.builders.leaves import Leaves
from rlx.module.emitter import Body, BuilderBase, ShapeLike, Tensor, Tensors, flat, like, many, with_shape
from rlx.ops.control import control
from rlx.ops.control.custom_values import USER_KERNELS, MultiOutputHandle, custom_fn_values
from rlx.ops.control.fused import inline
from rlx.transforms.rules.derivative import Derivative, differentiable
from rlx.transforms.rules.tape import pull, push

Gradients = tuple[tuple[Value | None, ...], tuple[Value | None, ...], tuple[Value | None, ...]]


class Loops(Leaves, Kinds):
    """Builder methods that take functions, and gradients of scans, norms and activations.

    `scan_backward` and its three variants are the forms of `scan_gradients` in the Rust RLX. Their `body_vjp` takes the body's
    inputs (the carry, then a row of each xs) and `d_output`, and returns (d_carry, d_xs…). `trajectory` is the `[length, *carry]`
    that `scan_trajectory` returns; `upstream` is the gradient of the last carry, or with `save_trajectory` of every row. With a
    `forward_body` the carries are recomputed from `init`, with `num_checkpoints` of them saved; `trajectory` may then be None.
    """

    def cond(self, pred: Tensor, then: Body, else_: Body, operands: Tensors = (), *, name: str | None = None) -> Value | Any:
        """Emits `then(*operands)` if the bool scalar holds, else `else_(*operands)`; only that branch runs.

        One result comes as a Value, several as a tuple.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (4,))
        >>> g.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, [x])
        <Value %4 : f32[4]>
        """
        given = many(operands)
        results = control.cond_values(pred, then, else_, given, graph=self._target((pred, *given)), name=name)
        return results[0] if len(results) == 1 else results

    def while_loop(
        self, carries: Tensors, *, cond: Body, body: Body, max_iterations: int | None = None, name: str | None = None
    ) -> Value | Any:
        """Emits a loop of `body(*carries)` while `cond(*carries)` holds, at most max_iterations steps; returns the carries.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> i, x = g.constant(0), g.input("x", (4,))
        >>> g.while_loop((i, x), cond=lambda i, x: i < 5, body=lambda i, x: (i + 1, x * 2))
        (<Value %2 : i32[]>, <Value %2.1 : f32[4]>)
        """
        given = many(carries)
        results = control.while_values(given, cond, body, max_iterations=max_iterations, graph=self._target(given), name=name)
        return like(carries, results)

    def custom_fn(
        self,
        operands: Tensors,
        fwd_body: Body,
        vjp_body: Body | None = None,
        jvp_body: Body | None = None,
        *,
        name: str | None = None,
    ) -> Value:
        """Emits a function with its own derivatives and one result; names: `help(rlx.ops.control.custom_values)`.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (4,))
        >>> g.custom_fn([x], lambda x: g.round(x), vjp_body=lambda x, d_output: d_output)
        <Value %1 : f32[4]>
        """
        results = self.custom_fn_multi(operands, fwd_body, vjp_body, jvp_body, name=name)
        if len(results) != 1:
            raise RlxError("RLX101", f"the fwd_body returns {len(results)} values", fix="custom_fn_multi takes any number")
        return results[0]

    def custom_fn_multi(
        self,
        operands: Tensors,
        fwd_body: Body,
        vjp_body: Body | None = None,
        jvp_body: Body | None = None,
        *,
        name: str | None = None,
    ) -> MultiOutputHandle:
        """Emits a function with its own derivatives; returns a tuple of all results and a `MultiOutputHandle`."""
        given = many(operands)
        return custom_fn_values(given, fwd_body, vjp_body, jvp_body, graph=self._target(given), name=name)

    def custom(self, op: str, *operands: Tensor | None, name: str | None = None, **attrs: Any) -> Value | Any:
        """Emits an op that `rlx.register_op` registered, by name; several results come as a tuple."""
        if op not in USER_KERNELS:
            known = ", ".join(USER_KERNELS) or "none"
            raise RlxError("RLX113", f"{op!r} is not a registered op", fix=f"rlx.register_op; registered: {known}")
        results = self._many(op, operands, attrs, name)
        return results if len(results) > 1 else results[0]

    def scan(self, init: Tensors, body: Body, length: Size, *, name: str | None = None) -> Value | Any:
        """Emits `length` steps of `body(carry) -> carry`; returns the last carry, several carries as a tuple.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x, w = g.input("x", (4,)), g.input("w", (4, 4))
        >>> g.scan(x, lambda h: g.tanh(h @ w), 10)
        <Value %2 : f32[4]>
        """
        return self._scan_carries(body, init, length=length, name=name)

    def scan_with_xs(
        self, init: Tensors, xs: Tensors, body: Body, length: Size | None = None, *, reverse: bool = False, name: str | None = None
    ) -> Value | Any:
        """Emits a scan of `body(carry, x_t) -> carry` over the rows of xs, whose number must equal a given length."""
        return self._scan_carries(body, init, xs, length=length, reverse=reverse, name=name)

    def scan_with_bcasts_and_xs(
        self,
        init: Tensors,
        bcasts: Tensors,
        xs: Tensors,
        body: Body,
        length: Size | None = None,
        *,
        reverse: bool = False,
        name: str | None = None,
    ) -> Value | Any:
        """Emits a scan of `body(carry, bcasts…, x_t) -> carry` over rows of xs; each step reads the full bcasts."""
        return self._scan_carries(body, init, xs, bcasts, length=length, reverse=reverse, name=name)

    def scan_checkpointed(
        self,
        init: Tensors,
        body: Body,
        length: Size | None = None,
        num_checkpoints: int | None = None,
        *,
        xs: Tensors = (),
        bcasts: Tensors = (),
        reverse: bool = False,
        name: str | None = None,
    ) -> Value | Any:
        """Emits a scan whose gradient saves `num_checkpoints` carries and recomputes the others."""
        if num_checkpoints is None:
            raise RlxError("RLX105", "scan_checkpointed without num_checkpoints", fix="num_checkpoints=…, from 1 to length")
        settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
        return self._scan_carries(body, init, xs, bcasts, **settings)

    def scan_trajectory(
        self,
        init: Tensors,
        body: Body,
        length: Size | None = None,
        *,
        xs: Tensors = (),
        bcasts: Tensors = (),
        reverse: bool = False,
        num_checkpoints: int | None = None,
        name: str | None = None,
    ) -> Value | Any:
        """Emits a scan that returns every carry: `[length, *carry]`, row t the carry after step t + 1."""
        settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
        return like(init, self._scan(returning_twice(body), init, xs, bcasts, **settings)[1])

    def scan_general(
        self,
        body: Body,
        init: Tensors,
        xs: Tensors = (),
        *,
        length: Size | None = None,
        reverse: bool = False,
        bcasts: Tensors = (),
        num_checkpoints: int | None = None,
        name: str | None = None,
    ) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """Emits `lax.scan` on flat values: `body(*carries, *bcasts, *rows)` returns carries, then ys; returns (carries, stacked ys)."""
        settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
        return self._scan(body, init, xs, bcasts, **settings)

    def _scan(
        self, body: Body, init: Tensors, xs: Tensors, bcasts: Tensors, **settings: Any
    ) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """Emits a scan; returns the last carries and the stacked ys. Settings: length, reverse, num_checkpoints or name."""
        carries, fixed, rows = many(init), many(bcasts), many(xs)
        graph = self._target((*carries, *fixed, *rows))
        results = control.scan_values(body, carries, rows, bcasts=fixed, graph=graph, **settings)
        return results[: len(carries)], results[len(carries) :]

    def _scan_carries(self, body: Body, init: Tensors, xs: Tensors = (), bcasts: Tensors = (), **settings: Any) -> Value | Any:
        """Emits a scan whose body returns carries alone; returns the last carry."""
        carries, ys = self._scan(body, init, xs, bcasts, **settings)
        if ys:
            message = f"the body returns {len(carries) + len(ys)} values for {len(carries)} carries"
            raise RlxError("RLX101", message, fix="scan_general takes bodies that also return ys")
        return like(init, carries)

    def scan_gradients(
        self,
        body: Body,
        init: Tensors,
        d_carry: Tensors,
        d_ys: Tensors = (),
        *,
        bcasts: Tensors = (),
        xs: Tensors = (),
        saved: Tensors = (),
        length: Size | None = None,
        reverse: bool = False,
        num_checkpoints: int | None = None,
    ) -> Gradients:
        """Emits (d_init, d_bcasts, d_xs) of `scan_general`, in one reverse sweep; None for integers.

        `saved` are the carries before each step, stacked `[length, *carry]`; without them, the carries are computed from `init`.
        With `num_checkpoints`, that many carries are saved, and the carries of one segment at a time are recomputed.
        """
        how: dict[str, Any] = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints}
        return sweep_back(self, body, init, d_carry, d_ys, bcasts, xs, many(saved), **how)

    def layer_norm_backward_input(self, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5) -> Value:
        """Emits dx of `layer_norm_backward`."""
        return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[0]

    def layer_norm_backward_gamma(self, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5) -> Value:
        """Emits dgamma of `layer_norm_backward`."""
        return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[1]

    def rms_norm_backward_input(self, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6) -> Value:
        """Emits dx of `rms_norm_backward`."""
        return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[0]

    def rms_norm_backward_gamma(self, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6) -> Value:
        """Emits dgamma of `rms_norm_backward`."""
        return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[1]

    def activation_backward(self, kind: Activation | str, x: Tensor, dy: Tensor) -> Value:
        """Emits dy times the derivative of an activation at x.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> g.activation_backward("gelu", g.input("x", (4,)), g.input("dy", (4,)))
        <Value %18 : f32[4]>
        """
        value, seed = self._as_value(x), self._as_value(dy)
        y = OPS[Activation.parse(kind)](value)
        node = y.graph.node(y.ref)
        call = Derivative(node.op, [value.type], y.graph.assumptions, [True], pull, push)
        rule = node.op.definition.vjp
        assert callable(rule)
        gradient: Value = rule(call, [value], [y], [seed])[0]
        return gradient

    def relu_backward(self, x: Tensor, dy: Tensor) -> Value:
        """Emits dy where x is positive, else 0."""
        return self.activation_backward("relu", x, dy)

    def scan_backward(
        self,
        init: Tensor,
        trajectory: Tensor,
        upstream: Tensor,
        xs: Sequence[Tensor],
        body_vjp: Body,
        length: Size,
        save_trajectory: bool = False,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        """Emits the gradient of a scan's `init`.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x, up = g.input("x", (4,)), g.input("up", (4,))
        >>> rows = g.scan_trajectory(x, lambda h: g.tanh(h), 10)
        >>> g.scan_backward(x, rows, up, [], lambda h, d_output: d_output * (1 - g.tanh(h) ** 2), 10)  # doctest: +ELLIPSIS
        <Value ... : f32[4]>
        """
        gradient = self._sweep_rows(init, trajectory, upstream, xs, body_vjp, length, save_trajectory)[0]
        return with_shape("scan_backward", gradient, out_shape)

    def scan_backward_with_checkpoints(
        self,
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
        """Emits the gradient of a scan's `init`, with `num_checkpoints` saved carries."""
        rest = (xs, body_vjp, length, save_trajectory, num_checkpoints, forward_body)
        gradient = self._sweep_again(init, trajectory, upstream, *rest)[0]
        return with_shape("scan_backward_with_checkpoints", gradient, out_shape)

    def scan_backward_xs(
        self,
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
        """Emits the gradient of a scan's `xs[xs_idx]`, its rows stacked."""
        _check_index(xs_idx, xs)
        gradient = self._sweep_rows(init, trajectory, upstream, xs, body_vjp, length, save_trajectory)[1 + xs_idx]
        return with_shape("scan_backward_xs", gradient, out_shape)

    def scan_backward_xs_with_checkpoints(
        self,
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
        """Emits the gradient of a scan's `xs[xs_idx]`, its rows stacked, with `num_checkpoints` saved carries."""
        _check_index(xs_idx, xs)
        rest = (xs, body_vjp, length, save_trajectory, num_checkpoints, forward_body)
        gradient = self._sweep_again(init, trajectory, upstream, *rest)[1 + xs_idx]
        return with_shape("scan_backward_xs_with_checkpoints", gradient, out_shape)

    def _sweep_rows(
        self,
        init: Tensor,
        trajectory: Tensor | None,
        upstream: Tensor,
        xs: Sequence[Tensor],
        body_vjp: Body,
        length: Size,
        save_trajectory: bool,
    ) -> tuple[Value, ...]:
        """Emits a reverse scan over rows and the carries before each step; returns (d_init, d_xs…)."""
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

    def _sweep_again(
        self,
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
        """Emits (d_init, d_xs…) by scan's rule on the forward body, whose derivative is body_vjp."""
        if forward_body is None:
            return self._sweep_rows(init, trajectory, upstream, xs, body_vjp, length, save_trajectory)
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
        (d_init,), _, d_xs = sweep_back(self, body, init, d_carry, d_ys, (), tuple(xs), **how)
        assert d_init is not None
        return (d_init, *(each for each in d_xs if each is not None))


def sweep_back(
    builders: BuilderBase,
    body: Body,
    init: Tensors,
    d_carry: Tensors,
    d_ys: Tensors,
    bcasts: Tensors,
    xs: Tensors,
    saved: tuple[Any, ...] = (),
    through_captured: bool = True,
    **how: Any,
) -> Gradients:
    """Applies scan's derivative rule to an unread scan of these operands; values the body closes over may be constants."""
    carries, fixed, rows = many(init), many(bcasts), many(xs)
    results = control.scan_values(body, carries, rows, bcasts=fixed, graph=builders._target((*carries, *fixed, *rows)), **how)
    graph = results[0].graph
    node, record = graph.node(results[0].ref), OPS["scan"]
    operands = [Value(graph, ref) for ref in node.refs]
    between = range(len(carries) + len(fixed), len(operands) - len(rows))
    active = [differentiable(value.dtype) and (through_captured or i not in between) for i, value in enumerate(operands)]
    call = Derivative(node.op, [value.type for value in operands], graph.assumptions, active, pull, push)
    seeds = [builders._as_value(seed) for seed in (*many(d_carry), *many(d_ys))]
    cotangents = [*seeds, *[None] * (len(results) - len(seeds))]
    assert callable(record.vjp) and record.saving is not None
    saving = [builders._as_value(value) for value in saved] if saved else record.saving(call, operands)[1]
    gradients = record.vjp(call, operands, (*results, *saving), cotangents)
    first, last = len(carries), len(gradients) - len(rows)
    return tuple(gradients[:first]), tuple(gradients[first : first + len(fixed)]), tuple(gradients[last:])


def _check_index(index: int, xs: Sequence[Tensor]) -> None:
    if not 0 <= index < len(xs):
        raise RlxError("RLX115", f"xs_idx {index} of {len(xs)} xs", fix=f"0 to {len(xs) - 1}")


def _pullback(body_vjp: Body) -> Callable[[Sequence[Value], Value], tuple[Value, ...]]:
    """Wraps body_vjp as a function of the body's inputs and d_output, which is its last argument if no argument has that name."""

    def call(inputs: Sequence[Value], d_output: Value) -> tuple[Value, ...]:
        if isinstance(body_vjp, BaseGraph):
            rest = iter(inputs)
            return inline(*(d_output if name == "d_output" else next(rest) for name in body_vjp.inputs), body=body_vjp)
        if "d_output" in inspect.signature(body_vjp).parameters:
            return flat((body_vjp(*inputs, d_output=d_output),))
        return flat((body_vjp(*inputs, d_output),))

    return call


def _with_names(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """Renames a function's parameters."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    return function
