"""Builders of recurrences and control flow. Bodies are Python functions of Values, or Graphs.

A function may use any value of the graph around it: what it uses becomes an explicit operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.ir.bodies import returning_twice
from rlx.ir.value import Value
from rlx.module.base import Body, Tensor
from rlx.module.leaves import LeafBuilders
from rlx.ops.control import control
from rlx.ops.control.custom import USER_KERNELS
from rlx.ops.control.custom_values import CustomResults, custom_fn_values

Tensors = Tensor | Sequence[Tensor]
OneOrTuple = Value | Any  # a Value for one value, a tuple of them for several


def many(values: Any) -> tuple[Any, ...]:
    """One value or several, as a tuple."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def like(given: Any, found: Sequence[Value]) -> Any:
    """A Value where one value was given, else a tuple."""
    return tuple(found) if isinstance(given, (tuple, list)) else found[0]


class ControlBuilders(LeafBuilders):
    """Builders of ops that go step by step, and of ops with bodies."""

    # -- recurrences --------------------------------------------------------------------------------------------
    def selective_scan(
        self,
        x: Tensor,
        delta: Tensor,
        A: Tensor,
        B: Tensor,
        C: Tensor,
        D: Tensor | None = None,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        name: str | None = None,
    ) -> Value:
        """y of st = exp(delta·A)·st + delta·B·x; y = Σ_j C_j·st_j (+ D·x), step by step.

        x, delta `[b, s, h]`; A `[h, n]`; B, C `[b, s, n]`; D `[h]`; state `[b, h, n]`; length, integers `[b]`
        """
        return self.selective_scan_carry(x, delta, A, B, C, D, state, length, state_size=state_size, name=name)[0]

    def selective_scan_carry(
        self,
        x: Tensor,
        delta: Tensor,
        A: Tensor,
        B: Tensor,
        C: Tensor,
        D: Tensor | None = None,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """(y, the state after the last step) of a selective scan."""
        operands = (x, delta, A, B, C, D, state, length)
        y, after = self._many("selective_scan", operands, {"state_size": state_size}, name)
        return y, after

    def gated_delta_net(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        g: Tensor,
        beta: Tensor,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        name: str | None = None,
    ) -> Value:
        """o of S *= exp(g); d = (v - Sᵀk)·beta; S += k⊗d; o = Sᵀq/√n, step by step.

        q, k, v `[b, s, H, n]`; g, beta `[b, s, H]`; state `[b, H, n, n]`; length, integers `[b]`
        """
        operands = (q, k, v, g, beta, state, length)
        return self._many("gated_delta_net", operands, {"state_size": state_size}, name)[0]

    def gated_delta_net_carry(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        g: Tensor,
        beta: Tensor,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """(o, the state after the last step) of a gated delta net."""
        operands = (q, k, v, g, beta, state, length)
        o, after = self._many("gated_delta_net", operands, {"state_size": state_size}, name)
        return o, after

    # -- scans --------------------------------------------------------------------------------------------------
    def scan(self, init: Tensors, body: Body, length: Size, *, name: str | None = None) -> OneOrTuple:
        """The carry after `length` steps of `body(carry) -> carry`; several carries as a tuple.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x, w = g.input("x", (4,)), g.input("w", (4, 4))
        >>> g.scan(x, lambda h: g.tanh(h @ w), 10)
        <Value %2 : f32[4]>
        """
        return self._final(init, body, length=length, name=name)

    def scan_with_xs(
        self, init: Tensors, xs: Tensors, body: Body, *, reverse: bool = False, name: str | None = None
    ) -> OneOrTuple:
        """The carry after `body(carry, x_t) -> carry` for each row of xs."""
        return self._final(init, body, xs=xs, reverse=reverse, name=name)

    def scan_with_bcasts_and_xs(
        self, init: Tensors, bcasts: Tensors, xs: Tensors, body: Body, *, reverse: bool = False, name: str | None = None
    ) -> OneOrTuple:
        """The carry after `body(carry, bcasts…, x_t) -> carry` for each row of xs; bcasts are read whole by each step."""
        return self._final(init, body, xs=xs, bcasts=bcasts, reverse=reverse, name=name)

    def scan_checkpointed(
        self,
        init: Tensors,
        body: Body,
        length: Size | None = None,
        *,
        num_checkpoints: int,
        xs: Tensors = (),
        bcasts: Tensors = (),
        reverse: bool = False,
        name: str | None = None,
    ) -> OneOrTuple:
        """The same value as the scan without it; its gradient keeps `num_checkpoints` carries and computes the rest again."""
        return self._final(
            init, body, xs=xs, bcasts=bcasts, length=length, reverse=reverse, num_checkpoints=num_checkpoints, name=name
        )

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
    ) -> OneOrTuple:
        """Every carry: `[length, *carry]`, row t the carry after step t + 1."""
        carries = many(init)
        found = control.scan_values(
            returning_twice(body),
            carries,
            many(xs),
            bcasts=many(bcasts),
            length=length,
            reverse=reverse,
            num_checkpoints=num_checkpoints,
            graph=self._target((*carries, *many(bcasts), *many(xs))),
            name=name,
        )
        return like(init, found[len(carries) :])

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
        """`lax.scan`, flat: `body(*carries, *bcasts, *rows)` returns the carries, then ys; gives (carries, stacked ys)."""
        carries = many(init)
        found = control.scan_values(
            body,
            carries,
            many(xs),
            bcasts=many(bcasts),
            length=length,
            reverse=reverse,
            num_checkpoints=num_checkpoints,
            graph=self._target((*carries, *many(bcasts), *many(xs))),
            name=name,
        )
        return found[: len(carries)], found[len(carries) :]

    def _final(
        self,
        init: Tensors,
        body: Body,
        *,
        xs: Tensors = (),
        bcasts: Tensors = (),
        length: Size | None = None,
        reverse: bool = False,
        num_checkpoints: int | None = None,
        name: str | None = None,
    ) -> OneOrTuple:
        """The last carry of a scan whose body returns carries alone."""
        carries = many(init)
        found = control.scan_values(
            body,
            carries,
            many(xs),
            bcasts=many(bcasts),
            length=length,
            reverse=reverse,
            num_checkpoints=num_checkpoints,
            graph=self._target((*carries, *many(bcasts), *many(xs))),
            name=name,
        )
        if len(found) != len(carries):
            raise RlxError(
                "RLX101",
                f"the body returns {len(found)} values for {len(carries)} carries",
                fix="scan_general takes bodies that also return ys",
            )
        return like(init, found)

    # -- branches and loops -------------------------------------------------------------------------------------
    def cond(
        self, pred: Tensor, then: Body, else_: Body, operands: Tensors = (), *, name: str | None = None
    ) -> OneOrTuple:
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
        self, carries: Tensors, *, cond: Body, body: Body, max_iterations: int | None = None, name: str | None = None
    ) -> OneOrTuple:
        """The carries after `body(*carries)` ran as long as `cond(*carries)` held, at most max_iterations times.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> i, x = g.constant(0), g.input("x", (4,))
        >>> g.while_loop((i, x), cond=lambda i, x: i < 5, body=lambda i, x: (i + 1, x * 2))
        (<Value %2 : i32[]>, <Value %2.1 : f32[4]>)
        """
        given = many(carries)
        found = control.while_values(
            given, cond, body, max_iterations=max_iterations, graph=self._target(given), name=name
        )
        return like(carries, found)

    # -- functions and ops of the user --------------------------------------------------------------------------
    def custom_fn(
        self,
        operands: Tensors,
        fwd_body: Body,
        vjp_body: Body | None = None,
        jvp_body: Body | None = None,
        *,
        name: str | None = None,
    ) -> Value:
        """The one result of a function with derivatives of its own: `help(rlx.ops.control.custom_fn)` tells the names they use.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (4,))
        >>> g.custom_fn([x], lambda x: g.round(x), vjp_body=lambda x, d_output: d_output)
        <Value %1 : f32[4]>
        """
        found = self.custom_fn_multi(operands, fwd_body, vjp_body, jvp_body, name=name)
        if len(found) != 1:
            raise RlxError(
                "RLX101", f"the fwd_body returns {len(found)} values", fix="custom_fn_multi takes any number"
            )
        return found[0]

    def custom_fn_multi(
        self,
        operands: Tensors,
        fwd_body: Body,
        vjp_body: Body | None = None,
        jvp_body: Body | None = None,
        *,
        name: str | None = None,
    ) -> CustomResults:
        """All results of a function with derivatives of its own: a tuple with `.n_outputs()` and `.output(g, i)`."""
        given = many(operands)
        return custom_fn_values(given, fwd_body, vjp_body, jvp_body, graph=self._target(given), name=name)

    def custom(self, op: str, *operands: Tensor | None, name: str | None = None, **attrs: Any) -> OneOrTuple:
        """An op made known by `rlx.register_op`, by its name; several results come as a tuple."""
        if op not in USER_KERNELS:
            known = ", ".join(USER_KERNELS) or "none"
            raise RlxError("RLX113", f"{op!r} is not a registered op", fix=f"rlx.register_op; registered: {known}")
        found = self._many(op, operands, attrs, name)
        return found if len(found) > 1 else found[0]
