"""Blocks of products: linear layers, gated feed-forward, dequantizing products."""

from __future__ import annotations

from rlx.blocks.block import BlockLowering, block, op_lowering
from rlx.core.dim import Size
from rlx.core.enums import Activation
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.emit import is_packed
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.ops.control.fused import activate, fused_matmul_bias_act, fused_swiglu
from rlx.ops.quantized.dequant import dequant_matmul as dequant_matmul_op

_ACTIVATION = {"activation": Attr("tag", None, "applied last", parse=Activation.parse, annotation="Activation | str")}


def linear_layer(lowering: BlockLowering, x: Value, w: Value, b: Value | None = None, *, activation: str | None = None) -> Value:
    """Emits activation(x @ w + b), fused if the policy says so; a packed weight is left to its own pass."""
    if b is not None and lowering.direct and not is_packed(w):
        return fused_matmul_bias_act(x, w, b, activation)
    product = x @ w
    return activate(product if b is None else product + b, activation)


linear = block(
    "linear",
    "x, w, b?",
    linear_layer,
    attrs=_ACTIVATION,
    doc="activation(x @ w + b). Direct with a bias: one fused op; else matmul, add, activation.",
)


def _linear_fused(lowering: BlockLowering, x: Value, w: Value, b: Value, *, activation: str | None) -> Value:
    if is_packed(w):
        return activate(x @ w + b, activation)
    return fused_matmul_bias_act(x, w, b, activation)


linear_fused = block(
    "linear_fused",
    "x, w, b",
    _linear_fused,
    attrs=_ACTIVATION,
    doc="activation(x @ w + b) as one fused op under every policy; the bias is required.",
)


def _shared_linear_pair(lowering: BlockLowering, x: Value, w_first: Value, w_second: Value) -> tuple[Value, ...]:
    key = ("shared_linear_pair", x.ref, w_first.ref, w_second.ref)
    if key not in lowering.shared:
        products = []
        for index, weight in enumerate((w_first, w_second)):
            with lowering.part(f"[{index}]"):
                products.append(x @ weight)
        lowering.shared[key] = tuple(value.ref for value in products)
    return tuple(Value(x.graph, ref) for ref in lowering.shared[key])


shared_linear_pair = block(
    "shared_linear_pair",
    "x, w_first, w_second",
    _shared_linear_pair,
    results=("first", "second"),
    doc="x @ w_first and x @ w_second; emitted once for equal operands, however often the block is built.",
)


def feed_forward(lowering: BlockLowering, x: Value, up_w: Value, gate_w: Value, down_w: Value) -> Value:
    """Emits (silu(x @ gate_w)·(x @ up_w)) @ down_w."""
    if lowering.direct and not (is_packed(up_w) or is_packed(gate_w)):
        both: Value = fused_swiglu(x @ OPS["concat"](up_w, gate_w, axis=1))
        return both @ down_w
    gated: Value = OPS["silu"](x @ gate_w) * (x @ up_w)
    return gated @ down_w


swiglu_ffn = block(
    "swiglu_ffn",
    "x, up_w, gate_w, down_w",
    feed_forward,
    doc="(silu(x @ gate_w)·(x @ up_w)) @ down_w. Direct: one product with [up | gate], FusedSwiGLU, one product.",
)


# -- dequantizing products --------------------------------------------------------------------------------------
def _dequant_shape(call: Call) -> Shape:
    x, w = call.given[:2]
    scheme: QuantScheme = call.scheme
    if not x.dtype.is_float or x.rank < 1:
        raise call.error("RLX103", f"x is {x}", fix="floats […, K]")
    inner = x.dims[-1]
    if w.dtype.is_float or (w.rank == 2 and w.dtype.name in ("i8", "f8e4m3", "f8e5m2")):
        if w.rank != 2:
            raise call.error("RLX102", f"w has rank {w.rank}", fix="the logical [K, N]")
        call.check_same(inner, w.dims[0], "last size of x and first of w:")
        return x.with_dims((*x.dims[:-1], w.dims[1]))
    if w.dtype.name != "u8":
        raise call.error("RLX103", f"w is {w}", fix=f"the weight as {scheme} stores it, or a param with scheme={scheme}")
    if scheme.is_gguf():
        return x.with_dims((*x.dims[:-1], _gguf_rows(call, w, inner)))
    scale = call.shape(2)
    if scale is None or scale.rank < 1:
        raise call.error("RLX101", f"{scheme} needs the operand scale", fix="scale […, N]")
    return x.with_dims((*x.dims[:-1], scale.dims[-1]))


def _gguf_rows(call: Call, w: Shape, inner: Size) -> Size:
    """N, the number of outputs, of a GGUF tensor's bytes `[N, bytes of K elements]`."""
    scheme: QuantScheme = call.scheme
    if w.rank != 2:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="the tensor's bytes, a row for each output: [N, bytes]")
    call.check_same(w.dims[1] * scheme.block_size(), inner * scheme.block_bytes(), "elements and bytes of a row:")
    return w.dims[0]


dequant_matmul = block(
    "dequant_matmul",
    "x, w, scale?, zp?, global_scale?",
    op_lowering(dequant_matmul_op),
    infer=_dequant_shape,
    attrs={"scheme": Attr("tag", help="how w is stored", parse=QuantScheme.parse, annotation="QuantScheme | str")},
    label=lambda op: f"dequant_matmul({op['scheme']})",
    doc="x @ dequantized(w): w is a packed param, or the operands that the scheme stores.",
)
