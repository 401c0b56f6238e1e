"""Builders of single gradients: of loops, norms and activations. Whole graphs are differentiated by `rlx.autodiff`."""

from __future__ import annotations

from typing import Any

from rlx.core.dim import Size
from rlx.core.kinds import Activation
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.module.base import Body, Tensor
from rlx.module.composite import OpBuilders
from rlx.module.control import Tensors, many
from rlx.ops.control import control
from rlx.transforms.rules.derivative import Derivative, differentiable
from rlx.transforms.rules.tape import pull, push

Gradients = tuple[tuple[Value | None, ...], tuple[Value | None, ...], tuple[Value | None, ...]]


class GradientBuilders(OpBuilders):
    """Gradients of one op at a time."""

    # -- scans --------------------------------------------------------------------------------------------------
    def scan_backward(
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
    ) -> Gradients:
        """(d_init, d_bcasts, d_xs) of `scan_general`, in one reverse sweep; None for integers.

        `saved` are the carries before each step, stacked `[length, *carry]`; they are computed from `init` when not given.
        """
        return self._swept(body, init, d_carry, d_ys, bcasts, xs, many(saved), length, reverse, None)

    def scan_backward_with_checkpoints(
        self,
        body: Body,
        init: Tensors,
        d_carry: Tensors,
        d_ys: Tensors = (),
        *,
        num_checkpoints: int,
        bcasts: Tensors = (),
        xs: Tensors = (),
        length: Size | None = None,
        reverse: bool = False,
    ) -> Gradients:
        """`scan_backward` that keeps `num_checkpoints` carries and computes those of one segment at a time again."""
        return self._swept(body, init, d_carry, d_ys, bcasts, xs, (), length, reverse, num_checkpoints)

    def scan_backward_xs(self, *operands: Any, **attrs: Any) -> tuple[Value | None, ...]:
        """The gradients of xs alone: `scan_backward` with its arguments."""
        return self.scan_backward(*operands, **attrs)[2]

    def scan_backward_xs_with_checkpoints(self, *operands: Any, **attrs: Any) -> tuple[Value | None, ...]:
        """The gradients of xs alone: `scan_backward_with_checkpoints` with its arguments."""
        return self.scan_backward_with_checkpoints(*operands, **attrs)[2]

    def _swept(
        self,
        body: Body,
        init: Tensors,
        d_carry: Tensors,
        d_ys: Tensors,
        bcasts: Tensors,
        xs: Tensors,
        saved: tuple[Any, ...],
        length: Size | None,
        reverse: bool,
        checkpoints: int | None,
    ) -> Gradients:
        """The rule of scan on a scan of these operands, which itself is read by nobody."""
        carries, fixed, rows = many(init), many(bcasts), many(xs)
        found = control.scan_values(
            body,
            carries,
            rows,
            bcasts=fixed,
            length=length,
            reverse=reverse,
            num_checkpoints=checkpoints,
            graph=self._target((*carries, *fixed, *rows)),
        )
        graph = found[0].graph
        node, record = graph.node(found[0].ref), OPS["scan"]
        operands = [Value(graph, ref) for ref in node.refs]
        wanted = [differentiable(value.dtype) for value in operands]
        call = Derivative(node.op, [value.type for value in operands], graph.assumptions, wanted, pull, push)
        seeds = [self._as_value(seed) for seed in (*many(d_carry), *many(d_ys))]
        cotangents = [*seeds, *[None] * (len(found) - len(seeds))]
        assert callable(record.vjp) and record.saving is not None
        kept = [self._as_value(value) for value in saved] if saved else record.saving(call, operands)[1]
        gradients = record.vjp(call, operands, (*found, *kept), cotangents)
        first, last = len(carries), len(gradients) - len(rows)
        return tuple(gradients[:first]), tuple(gradients[first : first + len(fixed)]), tuple(gradients[last:])

    # -- norms and activations ----------------------------------------------------------------------------------
    def layer_norm_backward_input(
        self, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5
    ) -> Value:
        """dx of `layer_norm_backward`."""
        return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[0]

    def layer_norm_backward_gamma(
        self, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5
    ) -> Value:
        """dgamma of `layer_norm_backward`."""
        return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[1]

    def rms_norm_backward_input(
        self, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6
    ) -> Value:
        """dx of `rms_norm_backward`."""
        return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[0]

    def rms_norm_backward_gamma(
        self, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6
    ) -> Value:
        """dgamma of `rms_norm_backward`."""
        return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[1]

    def activation_backward(self, kind: Activation | str, x: Tensor, dy: Tensor) -> Value:
        """dy times the slope of an activation at x.

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
        found: Value = rule(call, [value], [y], [seed])[0]
        return found

    def relu_backward(self, x: Tensor, dy: Tensor) -> Value:
        """dy where x is positive, else 0."""
        return self.activation_backward("relu", x, dy)
