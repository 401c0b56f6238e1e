"""Gradients of one op at a time: of loops, norms and activations. Whole graphs are differentiated by `rlx.autodiff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlx.core.dim import Size
from rlx.core.enums import Activation
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.module.emitter import Body, Tensor, Tensors, many
from rlx.ops.control import control
from rlx.transforms.rules.derivative import Derivative, differentiable
from rlx.transforms.rules.tape import pull, push

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders

Gradients = tuple[tuple[Value | None, ...], tuple[Value | None, ...], tuple[Value | None, ...]]


def scan_gradients(
    self: Builders,
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
    """(d_init, d_bcasts, d_xs) of `scan_general`, in one reverse sweep; None for integers.

    `saved` are the carries before each step, stacked `[length, *carry]`; they are computed from `init` when not given.
    With `num_checkpoints` so many carries are kept, and those of one segment at a time computed again.
    """
    how: dict[str, Any] = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints}
    return swept(self, body, init, d_carry, d_ys, bcasts, xs, many(saved), **how)


def swept(
    builders: Builders,
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
    """The rule of scan on a scan of these operands, which itself is read by nobody; values the body closes over may count as fixed."""
    carries, fixed, rows = many(init), many(bcasts), many(xs)
    found = control.scan_values(body, carries, rows, bcasts=fixed, graph=builders._target((*carries, *fixed, *rows)), **how)
    graph = found[0].graph
    node, record = graph.node(found[0].ref), OPS["scan"]
    operands = [Value(graph, ref) for ref in node.refs]
    between = range(len(carries) + len(fixed), len(operands) - len(rows))
    wanted = [differentiable(value.dtype) and (through_captured or i not in between) for i, value in enumerate(operands)]
    call = Derivative(node.op, [value.type for value in operands], graph.assumptions, wanted, pull, push)
    seeds = [builders._as_value(seed) for seed in (*many(d_carry), *many(d_ys))]
    cotangents = [*seeds, *[None] * (len(found) - len(seeds))]
    assert callable(record.vjp) and record.saving is not None
    kept = [builders._as_value(value) for value in saved] if saved else record.saving(call, operands)[1]
    gradients = record.vjp(call, operands, (*found, *kept), cotangents)
    first, last = len(carries), len(gradients) - len(rows)
    return tuple(gradients[:first]), tuple(gradients[first : first + len(fixed)]), tuple(gradients[last:])


def layer_norm_backward_input(
    self: Builders, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5
) -> Value:
    """dx of `layer_norm_backward`."""
    return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[0]


def layer_norm_backward_gamma(
    self: Builders, x: Tensor, gamma: Tensor, dy: Tensor, *, axes: Any = (-1,), eps: float = 1e-5
) -> Value:
    """dgamma of `layer_norm_backward`."""
    return self.layer_norm_backward(x, gamma, dy, axes=axes, eps=eps)[1]


def rms_norm_backward_input(self: Builders, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6) -> Value:
    """dx of `rms_norm_backward`."""
    return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[0]


def rms_norm_backward_gamma(self: Builders, x: Tensor, gamma: Tensor, dy: Tensor, *, axis: int = -1, eps: float = 1e-6) -> Value:
    """dgamma of `rms_norm_backward`."""
    return self.rms_norm_backward(x, gamma, dy, axis=axis, eps=eps)[1]


def activation_backward(self: Builders, kind: Activation | str, x: Tensor, dy: Tensor) -> Value:
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


def relu_backward(self: Builders, x: Tensor, dy: Tensor) -> Value:
    """dy where x is positive, else 0."""
    return self.activation_backward("relu", x, dy)
