"""Builders of the HIR blocks. A name that is both a block and an op is the block at HIR and the op at MIR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlx.blocks import KvCache, Qwen35MtpWeights, emit_block
from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike
from rlx.core.errors import LowerError, RlxError
from rlx.core.kinds import Activation, MaskKind
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.value import Value
from rlx.module.base import Tensor
from rlx.module.compat import Compat
from rlx.module.composite import one_spelling
from rlx.module.leaves import ShapeLike, as_shape
from rlx.ops.attention.attention import AttentionLayout


class BlockBuilders(Compat):
    """HIR blocks: weights are `[in, out]`, any of them may be a packed param, any β may be None.

    `out_shape` is inferred; one that is passed is checked. A wrong number of inputs is a LowerError.
    """

    def _require_hir(self, what: str) -> None:
        """Raise unless blocks can be built here."""
        raise NotImplementedError

    def _is_hir(self) -> bool:
        raise NotImplementedError

    def _blocks(self, op: str, inputs: Sequence[Any], attrs: Mapping[str, Any], name: str | None) -> tuple[Value, ...]:
        self._require_hir(op)
        found = emit_block(self._target(inputs), op, inputs, attrs, name)
        return found if isinstance(found, tuple) else (found,)

    def _block(
        self,
        op: str,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any],
        name: str | None,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        value = self._blocks(op, inputs, attrs, name)[0]
        if out_shape is not None:
            wanted = as_shape(out_shape, None if isinstance(out_shape, Shape) else value.dtype)
            if value.type != wanted:
                raise RlxError("RLX102", f"{op} gives {value.type}, out_shape is {wanted}", fix="leave out_shape out")
        return value

    # -- products -----------------------------------------------------------------------------------------------
    def linear(
        self,
        x: Tensor,
        w: Tensor | None = None,
        b: Tensor | None = None,
        *,
        activation: Activation | str | None = None,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """activation(x @ w + b)."""
        return self._block("linear", (x, w, b), {"activation": activation}, name, out_shape)

    def linear_fused(
        self,
        x: Tensor,
        w: Tensor | None = None,
        b: Tensor | None = None,
        *,
        activation: Activation | str | None = None,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """activation(x @ w + b) as one fused op; the bias is required."""
        return self._block("linear_fused", (x, w, b), {"activation": activation}, name, out_shape)

    def shared_linear_pair(
        self,
        x: Tensor,
        w_first: Tensor | None = None,
        w_second: Tensor | None = None,
        *,
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """x @ w_first and x @ w_second, emitted once for equal operands."""
        first, second = self._blocks("shared_linear_pair", (x, w_first, w_second), {}, name)
        return first, second

    def swiglu_ffn(
        self,
        x: Tensor,
        up_w: Tensor | None = None,
        gate_w: Tensor | None = None,
        down_w: Tensor | None = None,
        *,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """(silu(x @ gate_w)·(x @ up_w)) @ down_w."""
        return self._block("swiglu_ffn", (x, up_w, gate_w, down_w), {}, name, out_shape)

    def dequant_matmul(
        self,
        x: Tensor,
        w: Tensor,
        scale: Tensor | None = None,
        zp: Tensor | None = None,
        global_scale: Tensor | None = None,
        *,
        scheme: QuantScheme | str,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """x @ dequantized(w)."""
        return self._block("dequant_matmul", (x, w, scale, zp, global_scale), {"scheme": scheme}, name, out_shape)

    # -- around attention ---------------------------------------------------------------------------------------
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
        positions: Tensor | None = None,
        lengths: Tensor | None = None,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        """Attention; positions and lengths are other names of q_position and kv_length."""
        first = q_position if positions is None else positions
        count = kv_length if lengths is None else lengths
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
        operands = (q, k, v, mask, first, count)
        if not self._is_hir():
            return self._one("attention", operands, attrs, name)
        return self._block("attention", operands, attrs, name, out_shape)

    def rope(
        self,
        x: Tensor,
        cos: Tensor,
        sin: Tensor,
        positions: Tensor | None = None,
        *,
        head_dim: int,
        n_rot: int | None = None,
        interleaved: bool = False,
        name: str | None = None,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        """Rotary position embedding of the first n_rot dims of each head."""
        attrs = {"head_dim": head_dim, "n_rot": n_rot, "interleaved": interleaved}
        if not self._is_hir():
            return self._one("rope", (x, cos, sin, positions), attrs, name)
        return self._block("rope", (x, cos, sin, positions), attrs, name, out_shape)

    def rms_norm(
        self,
        x: Tensor,
        gamma: Tensor,
        beta: Tensor | None = None,
        *,
        axis: int = -1,
        eps: float = 1e-6,
        name: str | None = None,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        """rms_norm; the block normalizes the last axis."""
        if not self._is_hir():
            return super().rms_norm(x, gamma, beta, axis=axis, eps=eps, name=name)
        if axis != -1 and not (isinstance(x, Value) and axis == x.rank - 1):
            message = f"the block rms_norm along axis {axis}"
            raise RlxError("RLX105", message, fix="hir_mir('rms_norm', (x, gamma), axis=…) builds the op on any axis")
        return self._block("rms_norm", (x, gamma, beta), {"eps": eps}, name, out_shape)

    def residual_rms_norm(
        self,
        x: Tensor,
        residual: Tensor | None = None,
        gamma: Tensor | None = None,
        beta: Tensor | None = None,
        *,
        eps: float = 1e-6,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """rms_norm(x + residual)."""
        return self._block("residual_rms_norm", (x, residual, gamma, beta), {"eps": eps}, name, out_shape)

    def depthwise_conv1d_causal(
        self,
        input: Tensor,
        weight: Tensor | None = None,
        left_pad: Tensor | None = None,
        *,
        kernel_size: int,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Each channel of `[B, S, C]` with its own taps `[C, 1, 1, K]` over left_pad `[B, K-1, C]` and the input."""
        operands, attrs = (input, weight, left_pad), {"kernel_size": kernel_size}
        return self._block("depthwise_conv1d_causal", operands, attrs, name, out_shape)

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
        name: str | None = None,
    ) -> Value:
        """q, k, v, g, beta, [state] → o; past HIR also a length."""
        inputs, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
        if not self._is_hir():
            return self._many("gated_delta_net", inputs, attrs, name)[0]
        return self._block("gated_delta_net", inputs, attrs, name)

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
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """q, k, v, g, beta, [state] → (o, state); past HIR also a length."""
        inputs, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
        if not self._is_hir():
            o, after = self._many("gated_delta_net", inputs, attrs, name)
            return o, after
        output, last = self._blocks("gated_delta_net_carry", inputs, attrs, name)
        return output, last

    # -- whole layers -------------------------------------------------------------------------------------------
    def kv_cache(
        self,
        name: str,
        length: Value,
        *,
        kv_heads: int,
        capacity: Size,
        head_dim: int,
        dtype: DTypeLike = "f32",
    ) -> KvCache:
        """The states `<name>.k` and `<name>.v` `[B, kv_heads, capacity, head_dim]` beside a length i32[B]."""
        shape = Shape((length.shape[0], kv_heads, capacity, head_dim), dtype)
        return KvCache(self.state(f"{name}.k", shape), self.state(f"{name}.v", shape), length)

    def llama_decoder_block(
        self,
        *inputs: Tensor | None,
        num_heads: int,
        head_dim: int,
        num_kv_heads: int | None = None,
        eps: float = 1e-5,
        mask_kind: MaskKind | str | None = "causal",
        interleaved: bool = False,
        causal: bool = False,
        mask: Tensor | None = None,
        positions: Tensor | None = None,
        cache: KvCache | None = None,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """One decoder layer; with a cache its states get their updates.

        inputs: x, ln1_g, ln1_b, q_w, k_w, v_w, o_w, ln2_g, ln2_b, gate_w, up_w, down_w, cos, sin, and mask for the mask
        kinds custom and bias.
        """
        kind = MaskKind.parse(mask_kind)
        expected = 15 if kind.has_operand else 14
        given = [*inputs, *([mask] if mask is not None else [])]
        if len(given) != expected:
            raise LowerError("llama_decoder_block", expected, len(given))
        given += [None] * (15 - len(given))
        handles = (None, None, None) if cache is None else (cache.k, cache.v, cache.length)
        attrs = {
            "num_heads": num_heads,
            "head_dim": head_dim,
            "num_kv_heads": num_kv_heads,
            "eps": eps,
            "mask_kind": kind,
            "interleaved": interleaved,
            "causal": causal,
        }
        operands = (*given, positions, *handles)
        if cache is None:
            return self._block("llama_decoder_block", operands, attrs, name, out_shape)
        for part in (cache.k, cache.v):
            if part.graph.node(part.ref).op.name != "state":
                message = f"the cache {part!r} of llama_decoder_block is not a state"
                raise RlxError(
                    "RLX105", message, fix="kv_cache(…) makes states; block(…) returns (x, k, v) for other values"
                )
        result, k, v = self._blocks("llama_decoder_block", operands, attrs, name)
        self.update(cache.k, k)
        self.update(cache.v, v)
        return result

    def transformer_block(self, *inputs: Tensor | None, **options: Any) -> Value:
        """Another name of `llama_decoder_block`."""
        return self.llama_decoder_block(*inputs, **options)

    def qwen35_mtp_head(
        self,
        *inputs: Tensor | None,
        weights: Qwen35MtpWeights | None = None,
        num_heads: int,
        head_dim: int,
        n_rot: int,
        n_embd: int,
        n_ff: int,
        mtp_vocab: int,
        num_kv_heads: int | None = None,
        eps: float = 1e-6,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """The multi-token-prediction head: 29 inputs, or 5 (h_pre_norm, ids, cos, sin, last_token_idx) and weights."""
        operands = (*inputs, *(weights.inputs() if weights is not None else ()))
        if len(operands) != 29:
            raise LowerError("qwen35_mtp_head", 29, len(operands))
        attrs = {
            "num_heads": num_heads,
            "num_kv_heads": num_kv_heads,
            "head_dim": head_dim,
            "n_rot": n_rot,
            "n_embd": n_embd,
            "n_ff": n_ff,
            "mtp_vocab": mtp_vocab,
            "eps": eps,
        }
        return self._block("qwen35_mtp_head", operands, attrs, name, out_shape)
