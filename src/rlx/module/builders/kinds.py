"""Ops by their kind, two ops under one name, attributes with two spellings, and names of the Rust RLX whose arguments differ."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.enums import Activation, BinaryOp, CompareOp, MaskKind, ReduceOp
from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.module.builders.by_record import OpMethods
from rlx.module.emitter import ShapeLike, Tensor, with_shape
from rlx.ops.attention.attention import AttentionLayout


class Kinds(OpMethods):
    """Builder methods that choose the op by its kind, or take attributes in several forms."""

    def activation(self, kind: Activation | str, x: Tensor, *, name: str | None = None) -> Value:
        """Emits a function of one operand by its kind: `g.activation("gelu", x)`."""
        return self._one(Activation.parse(kind), (x,), {}, name)

    def binary(self, op: BinaryOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
        """Emits a function of two operands by its kind."""
        return self._one(BinaryOp.parse(op), (x, y), {}, name)

    def compare(self, op: CompareOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
        """Emits a comparison by its kind."""
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
        """Emits a reduction by its kind, over all axes by default."""
        return self._one(f"reduce_{ReduceOp.parse(op)}", (x,), {"axes": axes, "keep_dim": keep_dim}, name)

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
        """Emits the elementwise maximum of x and y, or with one operand the maximum over axes (as `reduce_max`)."""
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
        """Emits the elementwise minimum of x and y, or with one operand the minimum over axes (as `reduce_min`)."""
        return self._extreme("min", x, y, axes, keep_dim, name)

    def narrow(
        self, x: Tensor, axis: int, start: Size, length: Size | None = None, *, len: Size | None = None, name: str | None = None
    ) -> Value:
        """Emits a slice of one axis: `length` (or `len`) indices from `start` on."""
        if (length is None) == (len is None):
            raise RlxError("RLX105", "narrow needs the number of positions once", fix="length=… (or len=…)")
        return self._one("narrow", (x,), {"axis": axis, "start": start, "length": len if length is None else length}, name)

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
        positions: Tensor | None = None,
        lengths: Tensor | None = None,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Emits softmax(q·kᵀ·scale + masks)·v for each head; the full contract is in `help(rlx.ops.attention.attention)`.

        attn_logit_softcap, positions and lengths are other names of softcap, q_position and kv_length. The block at HIR.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> q, k = g.input("q", (2, 5, 32)), g.input("k", (2, 7, 16))
        >>> g.attention(q, k, k, num_heads=4, head_dim=8, num_kv_heads=2, mask_kind="causal")
        <Value %2 : f32[2, 5, 32]>
        """
        if softcap is not None and attn_logit_softcap is not None:
            raise RlxError("RLX105", "softcap and attn_logit_softcap are one attribute", fix="give one of them")
        attrs = {
            "num_heads": num_heads,
            "head_dim": head_dim,
            "mask_kind": MaskKind.parse(mask_kind),
            "num_kv_heads": num_kv_heads,
            "score_scale": score_scale,
            "softcap": attn_logit_softcap if softcap is None else softcap,
            "layout": layout,
            "causal": causal,
        }
        first = q_position if positions is None else positions
        count = kv_length if lengths is None else lengths
        return self._block_or_op("attention", (q, k, v, mask, first, count), attrs, name, out_shape)[0]

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
        shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Emits y of st = exp(delta·A)·st + delta·B·x; y = Σ_j C_j·st_j (+ D·x), step by step.

        x, delta `[b, s, h]`; A `[h, n]`; B, C `[b, s, n]`; D `[h]`; state `[b, h, n]`; length, integers `[b]`
        """
        y = self.selective_scan_carry(x, delta, A, B, C, D, state, length, state_size=state_size, name=name)[0]
        return with_shape("selective_scan", y, shape)

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
        """Emits a selective scan; returns (y, the state after the last step)."""
        operands = (x, delta, A, B, C, D, state, length)
        y, after = self._many("selective_scan", operands, {"state_size": state_size}, name)
        return y, after

    def gated_delta_net(
        self,
        q: Tensor,
        k: Tensor | None = None,
        v: Tensor | None = None,
        g: Tensor | None = None,
        beta: Tensor | None = None,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Emits o of S *= exp(g); d = (v - Sᵀk)·beta; S += k⊗d; o = Sᵀq/√n, step by step.

        q, k, v `[b, s, H, n]`; g, beta `[b, s, H]`; state `[b, H, n, n]`; length, integers `[b]`. The block at HIR, without a length.
        """
        operands, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
        return self._block_or_op("gated_delta_net", operands, attrs, name, out_shape)[0]

    def gated_delta_net_carry(
        self,
        q: Tensor,
        k: Tensor | None = None,
        v: Tensor | None = None,
        g: Tensor | None = None,
        beta: Tensor | None = None,
        state: Tensor | None = None,
        length: Tensor | None = None,
        *,
        state_size: int,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """Emits a gated delta net; returns (o, the state after the last step)."""
        operands, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
        o, after = self._block_or_op("gated_delta_net", operands, attrs, name, out_shape, block="gated_delta_net_carry")
        return o, after

    narrow_ = narrow

    def concat_(self, xs: Sequence[Value], axis: int) -> Value:
        """Emits `concat`."""
        return self.concat(*xs, axis=axis)

    def rope_n(self, x: Tensor, cos: Tensor, sin: Tensor, head_dim: int, n_rot: int) -> Value:
        """Emits `rope` of the first n_rot dims of each head."""
        return self.rope(x, cos, sin, head_dim=head_dim, n_rot=n_rot)

    def attention_kind(self, q: Tensor, k: Tensor, v: Tensor, num_heads: int, head_dim: int, mask_kind: MaskKind | str) -> Value:
        """Emits `attention` with a mask kind that needs no tensor."""
        return self.attention(q, k, v, num_heads=num_heads, head_dim=head_dim, mask_kind=mask_kind)

    def attention_bias(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor, num_heads: int, head_dim: int) -> Value:
        """Emits `attention` with a tensor added to the scores."""
        return self.attention(q, k, v, bias, num_heads=num_heads, head_dim=head_dim, mask_kind=MaskKind.Bias)
