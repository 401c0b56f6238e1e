"""Builders of the HIR blocks. A name that is both a block and an op is the block at HIR and the op at MIR.

Weights are `[in, out]`, any of them may be a packed param, any β may be None. `out_shape` is inferred; one that is
passed is checked. A wrong number of inputs is a LowerError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rlx.blocks import KvCache, Qwen35MtpWeights, emit_block
from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike
from rlx.core.enums import Activation, MaskKind
from rlx.core.errors import LowerError, RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.value import Value
from rlx.module.emitter import ShapeLike, Tensor, with_shape
from rlx.module.label_scopes import relabel

if TYPE_CHECKING:
    from rlx.module.modules import GraphModule


def emit_blocks(
    self: GraphModule,
    op: str,
    inputs: Sequence[Any],
    attrs: Mapping[str, Any],
    name: str | None,
    out_shape: ShapeLike | None = None,
) -> tuple[Value, ...]:
    """A block by name, where the module's level has blocks; all its results, the first of them of the out_shape."""
    self._require_blocks(f"the block {op}")
    found = emit_block(self._target(inputs), op, inputs, attrs, name)
    results: tuple[Value, ...] = found if isinstance(found, tuple) else (found,)
    with_shape(op, results[0], out_shape)
    return results


def linear(
    self: GraphModule,
    x: Tensor,
    w: Tensor | None = None,
    b: Tensor | None = None,
    *,
    activation: Activation | str | None = None,
    out_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Value:
    """activation(x @ w + b)."""
    return emit_blocks(self, "linear", (x, w, b), {"activation": activation}, name, out_shape)[0]


def linear_fused(
    self: GraphModule,
    x: Tensor,
    w: Tensor | None = None,
    b: Tensor | None = None,
    *,
    activation: Activation | str | None = None,
    out_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Value:
    """activation(x @ w + b) as one fused op; the bias is required."""
    return emit_blocks(self, "linear_fused", (x, w, b), {"activation": activation}, name, out_shape)[0]


def shared_linear_pair(
    self: GraphModule,
    x: Tensor,
    w_first: Tensor | None = None,
    w_second: Tensor | None = None,
    out_shape: ShapeLike | None = None,
    *,
    name: str | None = None,
) -> tuple[Value, Value]:
    """x @ w_first and x @ w_second, emitted once for equal operands."""
    first, second = emit_blocks(self, "shared_linear_pair", (x, w_first, w_second), {}, name, out_shape)
    return first, second


def swiglu_ffn(
    self: GraphModule,
    x: Tensor,
    up_w: Tensor | None = None,
    gate_w: Tensor | None = None,
    down_w: Tensor | None = None,
    *,
    out_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Value:
    """(silu(x @ gate_w)·(x @ up_w)) @ down_w."""
    return emit_blocks(self, "swiglu_ffn", (x, up_w, gate_w, down_w), {}, name, out_shape)[0]


def dequant_matmul(
    self: GraphModule,
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
    return emit_blocks(self, "dequant_matmul", (x, w, scale, zp, global_scale), {"scheme": scheme}, name, out_shape)[0]


def rope(
    self: GraphModule,
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
    return self._block_or_op("rope", (x, cos, sin, positions), attrs, name, out_shape)[0]


def rms_norm(
    self: GraphModule,
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
    if not self.rules.blocks:
        return self._one("rms_norm", (x, gamma, beta), {"axis": axis, "eps": eps}, name)
    if axis != -1 and not (isinstance(x, Value) and axis == x.rank - 1):
        message = f"the block rms_norm along axis {axis}"
        raise RlxError("RLX105", message, fix="hir_mir('rms_norm', (x, gamma), axis=…) builds the op on any axis")
    return emit_blocks(self, "rms_norm", (x, gamma, beta), {"eps": eps}, name, out_shape)[0]


def residual_rms_norm(
    self: GraphModule,
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
    return emit_blocks(self, "residual_rms_norm", (x, residual, gamma, beta), {"eps": eps}, name, out_shape)[0]


def depthwise_conv1d_causal(
    self: GraphModule,
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
    return emit_blocks(self, "depthwise_conv1d_causal", operands, attrs, name, out_shape)[0]


def kv_cache(
    self: GraphModule, name: str, length: Value, *, kv_heads: int, capacity: Size, head_dim: int, dtype: DTypeLike = "f32"
) -> KvCache:
    """The states `<name>.k` and `<name>.v` `[B, kv_heads, capacity, head_dim]` beside a length i32[B]."""
    shape = Shape((length.shape[0], kv_heads, capacity, head_dim), dtype)
    return KvCache(self.state(f"{name}.k", shape), self.state(f"{name}.v", shape), length)


def llama_decoder_block(
    self: GraphModule,
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
        return emit_blocks(self, "llama_decoder_block", operands, attrs, name, out_shape)[0]
    for part in (cache.k, cache.v):
        if not part.graph.node(part.ref).op.is_state:
            message = f"the cache {part!r} of llama_decoder_block is not a state"
            raise RlxError("RLX105", message, fix="kv_cache(…) makes states; block(…) returns (x, k, v) for other values")
    result, k, v = emit_blocks(self, "llama_decoder_block", operands, attrs, name)
    self.update(cache.k, k)
    self.update(cache.v, v)
    return result


def transformer_block(self: GraphModule, *inputs: Tensor | None, **options: Any) -> Value:
    """`llama_decoder_block` under another label."""
    found = self.llama_decoder_block(*inputs, **options)
    graph = found.graph
    relabel(graph, found, "/".join((*graph.scope, "transformer_block")))
    return found


def qwen35_mtp_head(
    self: GraphModule,
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
    return emit_blocks(self, "qwen35_mtp_head", operands, attrs, name, out_shape)[0]
