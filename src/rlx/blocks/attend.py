"""Blocks around attention: attention itself, rotary embedding, norms, causal convolution, the gated delta net."""

from __future__ import annotations

from rlx.blocks.block import BlockLowering, block, op_lowering
from rlx.core.enums import MaskKind
from rlx.core.errors import RlxError
from rlx.ir.attributes import Attr
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.attention.attention import attention as attention_op
from rlx.ops.attention.rope import rope as rope_op
from rlx.ops.control.fused import fused_residual_rms_norm
from rlx.ops.conv.conv import shifted_products
from rlx.ops.recurrence import delta_shapes

MASK_KIND = Attr("tag", "none", "which keys a query sees", parse=MaskKind.parse, annotation="MaskKind | str")
EPS = Attr("float", 1e-6, "epsilon of the norm")


attention = block(
    "attention",
    "q, k, v, mask:mask?, positions:index?, lengths:index?",
    op_lowering(attention_op),
    attrs=attention_op.attrs,
    doc="The op `attention`: positions are its q_position i32[B], lengths its kv_length i32[B].",
)


rope = block("rope", "x, cos, sin, positions:index?", op_lowering(rope_op), attrs=rope_op.attrs, doc="The op `rope`.")


def norm(x: Value, gamma: Value, beta: Value | None, eps: float) -> Value:
    """Emits rms_norm along the last axis."""
    return OPS["rms_norm"](x, gamma, beta, axis=-1, eps=eps)


def _rms_norm(lowering: BlockLowering, x: Value, gamma: Value, beta: Value | None = None, *, eps: float) -> Value:
    return norm(x, gamma, beta, eps)


rms_norm = block("rms_norm", "x, gamma, beta?", _rms_norm, attrs={"eps": EPS}, doc="rms_norm along the last axis.")


def _residual_rms_norm(
    lowering: BlockLowering, x: Value, residual: Value, gamma: Value, beta: Value | None = None, *, eps: float
) -> Value:
    if lowering.direct:
        return fused_residual_rms_norm(x, residual, gamma, beta, eps)
    return norm(x + residual, gamma, beta, eps)


residual_rms_norm = block(
    "residual_rms_norm",
    "x, residual, gamma, beta?",
    _residual_rms_norm,
    attrs={"eps": EPS},
    doc="rms_norm(x + residual) along the last axis. Direct: one fused op.",
)


# -- causal convolution -----------------------------------------------------------------------------------------
def _depthwise_conv1d_causal(lowering: BlockLowering, x: Value, weight: Value, left_pad: Value, *, kernel_size: int) -> Value:
    """Emits a causal depthwise convolution: prepends earlier inputs, moves channels to axis 1 and back."""
    if x.rank != 3 or weight.rank != 4 or left_pad.rank != 3:
        message = f"depthwise_conv1d_causal of {x.type}, {weight.type} and {left_pad.type}"
        raise RlxError("RLX102", message, fix="input [B, S, C], weight [C, 1, 1, K], left_pad [B, K-1, C]")
    if kernel_size < 1:
        raise RlxError("RLX105", f"depthwise_conv1d_causal: kernel_size is {kernel_size}", fix="at least 1")
    if not (isinstance(left_pad.shape[1], int) and left_pad.shape[1] == kernel_size - 1):
        message = f"depthwise_conv1d_causal: left_pad is {left_pad.type}, kernel_size {kernel_size}"
        raise RlxError("RLX102", message, fix=f"left_pad [B, {kernel_size - 1}, C]: the inputs before this one")
    channels, padded = x.shape[2], OPS["concat"](left_pad, x, axis=1)
    if not isinstance(channels, int):  # groups are a number
        return shifted_products(padded, weight.reshape(channels, kernel_size), 1, x.shape[1])
    mixed: Value = OPS["conv"](padded.transpose(0, 2, 1), weight.reshape(channels, 1, kernel_size), groups=channels)
    return mixed.transpose(0, 2, 1)


depthwise_conv1d_causal = block(
    "depthwise_conv1d_causal",
    "input, weight, left_pad",
    _depthwise_conv1d_causal,
    attrs={"kernel_size": Attr("int", help="taps: the K of weight [C, 1, 1, K]")},
    doc="Each channel of `[B, S, C]` convolved with its own K taps: y[s] = Σ_j w[j]·x[s + j - K + 1].",
)


# -- the gated delta net ----------------------------------------------------------------------------------------
def _delta_net(lowering: BlockLowering, *operands: Value | None, state_size: int) -> tuple[Value, Value]:
    return OPS["gated_delta_net"](*operands, state_size=state_size)


_STATE = {"state_size": Attr("int", help="N: the size of a head's key and value")}

gated_delta_net = block(
    "gated_delta_net",
    "q, k, v, g, beta, state?",
    lambda *operands, **attrs: _delta_net(*operands, **attrs)[0],
    infer=lambda call: delta_shapes(call)[0],
    attrs=_STATE,
    doc="The op `gated_delta_net`: S *= exp(g); d = (v - Sᵀk)·beta; S += k⊗d; o = Sᵀq/√N for each step.",
)
gated_delta_net_carry = block(
    "gated_delta_net_carry",
    "q, k, v, g, beta, state?",
    _delta_net,
    infer=delta_shapes,
    attrs=_STATE,
    results=("o", "state"),
    doc="The op `gated_delta_net_carry`: also the state after the last step.",
)
