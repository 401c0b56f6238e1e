"""Builders of fused nodes, whose bodies are traced from functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from rlx.core.dtype import DTypeLike
from rlx.core.enums import Activation
from rlx.core.errors import RlxError
from rlx.core.precision import CastConfig
from rlx.core.shape import Shape
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.value import Value
from rlx.module.builders.by_record import OpMethods
from rlx.module.emitter import Body, Tensor, flat
from rlx.ops.control import fused as fusing


class FusionMethods(OpMethods):
    """Methods that emit one fused node of several ops."""

    def fused(self, *xs: Tensor, kind: str, body: Body, name: str | None = None) -> tuple[Value, ...]:
        """Emits a body as one node and returns its outputs; the body is a Graph or a function of the operands."""
        values = [self._as_value(x) for x in flat(xs)]
        graph, captured = self.trace_body(body, [value.type for value in values], kind)
        return self._many("fused", (*values, *captured), {"kind": kind, "body": graph}, name)

    @overload
    def fused_matmul_bias_act(
        self, x: Tensor, w: Tensor, b: Tensor, activation: Activation | str | None = None, cast_to: DTypeLike | None = None
    ) -> Value: ...

    @overload
    def fused_matmul_bias_act(
        self, x: Tensor, w: Tensor, b: Tensor, activation: Activation | str | None = None, *, cast_to: CastConfig
    ) -> Any: ...

    def fused_matmul_bias_act(
        self,
        x: Tensor,
        w: Tensor,
        b: Tensor,
        activation: Activation | str | None = None,
        cast_to: CastConfig | DTypeLike | None = None,
    ) -> Any:
        """Emits activation(x @ w + b) as one node; cast by a CastConfig with scales, returns (elements, scales).

        >>> import rlx
        >>> g = rlx.Graph("g")
        >>> x, w, b = g.input("x", ("batch", 64)), g.param("w", (64, 96)), g.param("b", (96,))
        >>> elements, scales = g.fused_matmul_bias_act(x, w, b, "gelu", cast_to=rlx.compat.CastConfig("f8e4m3", (1, 32)))
        >>> elements.type, scales.type
        (f8e4m3[batch, 96], f32[batch, 3])
        """
        x, w, b = self._values(x, w, b)
        return fusing.fused_matmul_bias_act(x, w, b, activation, cast_to)

    @overload
    def fused_swiglu(self, x: Tensor, gate_first: bool = False, cast_to: DTypeLike | None = None) -> Value: ...

    @overload
    def fused_swiglu(self, x: Tensor, gate_first: bool = False, *, cast_to: CastConfig) -> Any: ...

    def fused_swiglu(self, x: Tensor, gate_first: bool = False, cast_to: CastConfig | DTypeLike | None = None) -> Any:
        """Emits up·silu(gate) of `[…, 2N]` as one node, up the low half unless gate_first; cast with scales: (elements, scales)."""
        return fusing.fused_swiglu(self._as_value(x), gate_first, cast_to)

    def fused_residual_rms_norm(
        self, x: Tensor, residual: Tensor, gamma: Tensor, beta: Tensor | None = None, *, eps: float = 1e-6
    ) -> Value:
        """Emits rms_norm(x + residual) along the last axis as one node."""
        x, residual, gamma = self._values(x, residual, gamma)
        return fusing.fused_residual_rms_norm(x, residual, gamma, None if beta is None else self._as_value(beta), eps)

    def fused_residual_layer_norm(
        self, x: Tensor, residual: Tensor, gamma: Tensor, beta: Tensor | None = None, *, eps: float = 1e-5
    ) -> Value:
        """Emits layer_norm(x + residual) along the last axis as one node."""
        x, residual, gamma = self._values(x, residual, gamma)
        return fusing.fused_residual_layer_norm(x, residual, gamma, None if beta is None else self._as_value(beta), eps)

    def elementwise_region(self, *xs: Tensor, body: Callable[..., Any]) -> tuple[Value, ...]:
        """Emits a function of elementwise ops on the operands as one node."""
        values = self._values(*flat(xs))
        graph, captured = self.trace_body(body, [value.type for value in values], "elementwise_region")
        fusing.require_elementwise(graph)
        return self._many("fused", (*values, *captured), {"kind": "elementwise_region", "body": graph})

    def fused_attention_block(
        self,
        hidden: Tensor,
        qkv_w: Tensor,
        out_w: Tensor,
        mask: Tensor | None = None,
        *biases_and_tables: Tensor | None,
        num_heads: int,
        head_dim: int,
    ) -> Value:
        """Emits attention(rope(hidden @ qkv_w + qkv_b)) @ out_w + out_b; after the mask: [qkv_b, out_b], [cos, sin]."""
        hidden, qkv_w, out_w = self._values(hidden, qkv_w, out_w)
        rest = [None if x is None else self._as_value(x) for x in (mask, *biases_and_tables)]
        return fusing.fused_attention_block(hidden, qkv_w, out_w, *rest, num_heads=num_heads, head_dim=head_dim)

    def fused_transformer_layer(self, *inputs: Tensor | None, num_heads: int, head_dim: int, **options: Any) -> Value:
        """Emits a post-norm encoder layer as one node; options are eps and activation.

        inputs: hidden, qkv_w, qkv_b, out_w, out_b, ln1_g, ln1_b, fc1_w, fc1_b, fc2_w, fc2_b, ln2_g, ln2_b, [mask]
        """
        if len(inputs) not in (13, 14):
            raise RlxError("RLX101", f"fused_transformer_layer takes 13 inputs and an optional mask, got {len(inputs)}")
        values: list[Any] = [None if x is None else self._as_value(x) for x in inputs]
        return fusing.fused_transformer_layer(*values, num_heads=num_heads, head_dim=head_dim, **options)

    def _values(self, *operands: Tensor) -> list[Value]:
        return [self._as_value(operand) for operand in operands]

    def trace_body(
        self, body: Body, shapes: Sequence[Shape], name: str = "body", names: Sequence[str] | None = None
    ) -> tuple[BaseGraph, tuple[Value, ...]]:
        """Traces a function of Values of these shapes to a frozen graph; also returns the captured outer Values.

        The body's inputs are the function's arguments, then one for each captured value, in the order of the tuple.
        """
        from rlx.module.graph import Graph

        outer = self._graph()
        if isinstance(body, BaseGraph):
            return body.freeze(), ()
        inner = Graph(name, outer.level)
        inner.parent = outer
        inner.assumptions = list(outer.assumptions)
        keys = names or [f"x{index}" for index in range(len(shapes))]
        made = body(*(inner.input(key, shape) for key, shape in zip(keys, shapes, strict=True)))
        results = made if isinstance(made, Mapping) else {f"y{i}": v for i, v in enumerate(flat((made,)))}
        refs = {}
        for key, value in results.items():
            if isinstance(value, (tuple, list)) or value is None:
                raise RlxError("RLX114", f"result {key} of the body {name!r} is {value!r}", fix="return Values, flat")
            refs[key] = inner._as_value(value).ref
        inner.set_output_refs(refs)
        captured = tuple(Value(outer, ref) for ref, _ in inner.captures)
        inner.parent = None
        return inner.freeze(), captured
