"""The builders that are more than one op: by kind, with two spellings, random sources, fused forms, traced bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.core.kinds import Activation, BinaryOp, CompareOp, MaskKind, ReduceOp
from rlx.core.shape import Shape
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.value import Value
from rlx.module.base import Body, Tensor, flat
from rlx.module.control import ControlBuilders
from rlx.ops.attention.attention import AttentionLayout
from rlx.ops.control import fused as fusing
from rlx.ops.quantized.fake_quantize import ScaleMode, Ste
from rlx.ops.random_source import Rng, as_setting, key_of


class OpBuilders(ControlBuilders):
    """Builders that are more than one op."""

    # -- by kind ------------------------------------------------------------------------------------------------
    def activation(self, kind: Activation | str, x: Tensor, *, name: str | None = None) -> Value:
        """A function of one operand by its kind: `g.activation("gelu", x)`."""
        return self._one(Activation.parse(kind), (x,), {}, name)

    def binary(self, op: BinaryOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
        """A function of two operands by its kind."""
        return self._one(BinaryOp.parse(op), (x, y), {}, name)

    def compare(self, op: CompareOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
        """A comparison by its kind."""
        return self._one(CompareOp.parse(op), (x, y), {}, name)

    def reduce(
        self,
        op: ReduceOp | str,
        x: Tensor,
        axes: Sequence[int] | int | None = None,
        keep_dim: bool = False,
        *,
        name: str | None = None,
    ) -> Value:
        """A reduction by its kind, over all axes unless stated."""
        return self._one(f"reduce_{ReduceOp.parse(op)}", (x,), {"axes": axes, "keep_dim": keep_dim}, name)

    # -- two ops under one name ---------------------------------------------------------------------------------
    def _extreme(
        self, op: str, x: Tensor, y: Tensor | None, axes: Sequence[int] | int | None, keep_dim: bool, name: str | None
    ) -> Value:
        if y is None:
            return self._one(f"reduce_{op}", (x,), {"axes": axes, "keep_dim": keep_dim}, name)
        if axes is not None or keep_dim:
            raise RlxError("RLX105", f"{op} of two values with axes", fix=f"{op}(x, y), or {op}(x, axes=…)")
        return self._one(op, (x, y), {}, name)

    def max(
        self,
        x: Tensor,
        y: Tensor | None = None,
        *,
        axes: Sequence[int] | int | None = None,
        keep_dim: bool = False,
        name: str | None = None,
    ) -> Value:
        """The larger of x and y, elementwise; of one operand the maximum over axes (as `reduce_max`)."""
        return self._extreme("max", x, y, axes, keep_dim, name)

    def min(
        self,
        x: Tensor,
        y: Tensor | None = None,
        *,
        axes: Sequence[int] | int | None = None,
        keep_dim: bool = False,
        name: str | None = None,
    ) -> Value:
        """The smaller of x and y, elementwise; of one operand the minimum over axes (as `reduce_min`)."""
        return self._extreme("min", x, y, axes, keep_dim, name)

    # -- attributes with two spellings --------------------------------------------------------------------------
    def narrow(
        self,
        x: Tensor,
        axis: int,
        start: Size,
        length: Size | None = None,
        *,
        len: Size | None = None,
        name: str | None = None,
    ) -> Value:
        """`length` (or `len`) positions of one axis from `start` on."""
        if (length is None) == (len is None):
            raise RlxError("RLX105", "narrow needs the number of positions once", fix="length=… (or len=…)")
        return self._one(
            "narrow", (x,), {"axis": axis, "start": start, "length": len if length is None else length}, name
        )

    def attention(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None = None,
        q_position: Tensor | None = None,
        kv_length: Tensor | None = None,
        *,
        num_heads: int,
        head_dim: int,
        mask_kind: MaskKind | str | None = None,
        num_kv_heads: int | None = None,
        score_scale: float | None = None,
        softcap: float | None = None,
        attn_logit_softcap: float | None = None,
        layout: AttentionLayout | str = "packed",
        causal: bool = False,
        name: str | None = None,
    ) -> Value:
        """softmax(q·kᵀ·scale + masks)·v for each head: `help(rlx.ops.attention.attention)` tells the whole contract.

        softcap is also accepted under its long name attn_logit_softcap.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> q, k = g.input("q", (2, 5, 32)), g.input("k", (2, 7, 16))
        >>> g.attention(q, k, k, num_heads=4, head_dim=8, num_kv_heads=2, mask_kind="causal")
        <Value %2 : f32[2, 5, 32]>
        """
        attrs = {
            "num_heads": num_heads,
            "head_dim": head_dim,
            "mask_kind": MaskKind.parse(mask_kind),
            "num_kv_heads": num_kv_heads,
            "score_scale": score_scale,
            "softcap": one_spelling(softcap, attn_logit_softcap),
            "layout": layout,
            "causal": causal,
        }
        return self._one("attention", (q, k, v, mask, q_position, kv_length), attrs, name)

    # -- random -------------------------------------------------------------------------------------------------
    def rng(self, name: str, seed: int = 0) -> Rng:
        """A source of random numbers: a u64 state that counts runs, its update, and a key made of seed and name.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (2, 3))
        >>> g.set_outputs([g.rng("dropout", seed=1).dropout(x, rate=0.1)])
        >>> list(g.updates)
        ['dropout']
        """
        if isinstance(seed, bool) or not 0 <= seed < 2**64:
            raise RlxError("RLX105", f"seed {seed!r}", fix="an int from 0 to 2**64 - 1")
        counter = self.state(name, Shape((), "u64"))
        self.update(name, counter + 1)
        return Rng(self.constant(key_of(seed, name)), counter)

    def fake_quantize(
        self,
        x: Tensor,
        scale: Tensor | None = None,
        *,
        bits: int = 8,
        axis: int | None = None,
        ste: Ste | str = "identity",
        scale_mode: ScaleMode | str = "per_batch",
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """x on the grid of a quantized number, clamp(round(x/s), ±q_max)·s, and the scale that was used.

        With scale_mode ema(decay) and no scale, the average is kept in the state `<name>_scale`: the first run takes its own.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> y, scale = g.fake_quantize(g.input("x", (4, 8)), scale_mode="ema(0.9)", name="act")
        >>> list(g.updates)
        ['act_scale']
        """
        mode = ScaleMode.parse(scale_mode)
        if mode.kind != "ema" or scale is not None:
            return super().fake_quantize(x, scale, bits=bits, axis=axis, ste=ste, scale_mode=mode, name=name)
        if name is None:
            message = f"fake_quantize with scale_mode {mode} keeps a state, which needs a name"
            raise RlxError("RLX105", message, fix="name=…, or give the scale")
        _, own = super().fake_quantize(x, bits=bits, axis=axis)
        kept = self.state(f"{name}_scale", own.type)
        found, new = super().fake_quantize(
            x, self.where(kept == 0.0, own, kept), bits=bits, axis=axis, ste=ste, scale_mode=mode, name=name
        )
        self.update(f"{name}_scale", new)
        return found, new

    def sample(
        self,
        logits: Tensor,
        key: Tensor,
        counter: Tensor,
        temperature: Tensor | None = None,
        top_k: Tensor | None = None,
        top_p: Tensor | None = None,
        min_p: Tensor | None = None,
        *,
        stream: int = 0,
        name: str | None = None,
    ) -> Value:
        """One id for each row of logits `[B, V]`; the settings are scalars or `[B]`, and numbers of them are f32."""
        settings = (as_setting(temperature), top_k, as_setting(top_p), as_setting(min_p))
        return self._one("sample", (logits, key, counter, *settings), {"stream": stream}, name)

    # -- fused forms --------------------------------------------------------------------------------------------
    def fused(self, *xs: Tensor, kind: str, body: Body, name: str | None = None) -> tuple[Value, ...]:
        """The outputs of a body as one node; the body is a Graph or a function of the operands."""
        values = [self._as_value(x) for x in flat(xs)]
        graph, captured = self.trace_body(body, [value.type for value in values], kind)
        return self._many("fused", (*values, *captured), {"kind": kind, "body": graph}, name)

    def fused_matmul_bias_act(
        self, x: Tensor, w: Tensor, b: Tensor, activation: Activation | str | None = None
    ) -> Value:
        """activation(x @ w + b) as one node."""
        x, w, b = self._values(x, w, b)
        return fusing.fused_matmul_bias_act(x, w, b, activation)

    def fused_swiglu(self, x: Tensor, gate_first: bool = False, cast_to: DTypeLike | None = None) -> Value:
        """up·silu(gate) of `[…, 2N]` as one node; up is the low half unless gate_first."""
        return fusing.fused_swiglu(self._as_value(x), gate_first, cast_to)

    def fused_residual_rms_norm(
        self, x: Tensor, residual: Tensor, gamma: Tensor, beta: Tensor | None = None, *, eps: float = 1e-6
    ) -> Value:
        """rms_norm(x + residual) along the last axis as one node."""
        x, residual, gamma = self._values(x, residual, gamma)
        return fusing.fused_residual_rms_norm(x, residual, gamma, None if beta is None else self._as_value(beta), eps)

    def fused_residual_layer_norm(
        self, x: Tensor, residual: Tensor, gamma: Tensor, beta: Tensor | None = None, *, eps: float = 1e-5
    ) -> Value:
        """layer_norm(x + residual) along the last axis as one node."""
        x, residual, gamma = self._values(x, residual, gamma)
        return fusing.fused_residual_layer_norm(x, residual, gamma, None if beta is None else self._as_value(beta), eps)

    def elementwise_region(self, *xs: Tensor, body: Callable[..., Any]) -> tuple[Value, ...]:
        """A function of elementwise ops on the operands as one node."""
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
        """attention(rope(hidden @ qkv_w + qkv_b)) @ out_w + out_b; after the mask: [qkv_b, out_b], [cos, sin]."""
        hidden, qkv_w, out_w = self._values(hidden, qkv_w, out_w)
        rest = [None if x is None else self._as_value(x) for x in (mask, *biases_and_tables)]
        return fusing.fused_attention_block(hidden, qkv_w, out_w, *rest, num_heads=num_heads, head_dim=head_dim)

    def fused_transformer_layer(self, *inputs: Tensor | None, num_heads: int, head_dim: int, **options: Any) -> Value:
        """A post-norm encoder layer as one node; options are eps and activation.

        inputs: hidden, qkv_w, qkv_b, out_w, out_b, ln1_g, ln1_b, fc1_w, fc1_b, fc2_w, fc2_b, ln2_g, ln2_b, [mask]
        """
        if len(inputs) not in (13, 14):
            raise RlxError("RLX101", f"fused_transformer_layer takes 13 inputs and a mask, got {len(inputs)}")
        values: list[Any] = [None if x is None else self._as_value(x) for x in inputs]
        return fusing.fused_transformer_layer(*values, num_heads=num_heads, head_dim=head_dim, **options)

    def _values(self, *operands: Tensor) -> list[Value]:
        return [self._as_value(operand) for operand in operands]

    # -- bodies -------------------------------------------------------------------------------------------------
    def trace_body(
        self, body: Body, shapes: Sequence[Shape], name: str = "body", names: Sequence[str] | None = None
    ) -> tuple[BaseGraph, tuple[Value, ...]]:
        """A frozen graph of a function of Values of these shapes, and the outer Values it closes over.

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


def one_spelling(short: float | None, long: float | None) -> float | None:
    """An attribute with two names, given at most once."""
    if short is not None and long is not None:
        raise RlxError("RLX105", "softcap and attn_logit_softcap are one attribute", fix="give one of them")
    return long if short is None else short
