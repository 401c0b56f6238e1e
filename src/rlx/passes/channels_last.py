"""Depthwise convolutions of rows with the channels last: what they multiply lies side by side already.

No copy turns the operands or the result, and the products fuse with the elementwise work around them. For few taps alone.
"""

from __future__ import annotations

from typing import Any

from rlx.ir.graph import Node
from rlx.ir.op import OPS
from rlx.ir.pattern import Pattern, Rules, Site, op, rewrites
from rlx.ir.value import Value
from rlx.ops.conv.rows import shifted_products

_MOST_TAPS = 16
_TURN = (0, 2, 1)
_PLAIN: dict[str, Any] = {
    "stride": (1,),
    "padding": (0,),
    "kernel_size": lambda window: len(window) == 1 and window[0] <= _MOST_TAPS,
}


def _turned(what: Pattern | str) -> Pattern:
    return op("transpose", what, perm=_TURN)


def _mixes_no_channels(window: Node, w: Value) -> bool:
    return bool(w.shape[1] == 1 and window.op["groups"] == w.shape[0])


@rewrites(_turned(op("conv", _turned("x"), "w", alone=True, capture="window", **_PLAIN)))
def depthwise_as_shifted_products(at: Site, x: Value, w: Value, window: Node) -> Value | None:
    """transpose(conv(transpose(x), w, groups=C))  ->  x[:, 0:n] · w[0] + x[:, 1:n+1] · w[1] + …"""
    if not _mixes_no_channels(window, w) or len(window.refs) > 2 or x.dtype is not w.dtype:
        return None
    taps = w.reshape(w.shape[0], w.shape[2])
    return shifted_products(x, taps, window.op["dilation"][0], at.node.shape.dims[1])


@rewrites(_turned(op("conv2d_backward_input", _turned("dy"), "w", alone=True, capture="window", **_PLAIN)))
def depthwise_backward_input_as_shifted_products(at: Site, dy: Value, w: Value, window: Node) -> Value | None:
    """transpose(conv2d_backward_input(transpose(dy), w, groups=C))  ->  dy[:, 0:n] · w[k-1] + …        dy with zeros around it"""
    if not _mixes_no_channels(window, w) or dy.dtype is not w.dtype:
        return None
    distance = window.op["dilation"][0]
    around = (0, (w.shape[2] - 1) * distance, 0)
    padded = OPS["pad"](dy, low=around, high=around)
    taps = OPS["flip"](w.reshape(w.shape[0], w.shape[2]), axes=(1,))
    return shifted_products(padded, taps, distance, at.node.shape.dims[1])


@rewrites(op("conv2d_backward_weight", _turned("x"), _turned("dy"), **_PLAIN))
def depthwise_backward_weight_as_sums(at: Site, x: Value, dy: Value) -> Value | None:
    """conv2d_backward_weight(transpose(x), transpose(dy), groups=C)  ->  [Σ x[:, 0:n] · dy, Σ x[:, 1:n+1] · dy, …]"""
    channels, each, taps = at.node.shape.dims
    if each != 1 or at.node.op["groups"] != channels or x.dtype is not dy.dtype or x.dtype.is_low_float:
        return None
    (distance,) = at.node.op["dilation"]
    sums = [
        OPS["reduce_sum"](
            OPS["narrow"](x, axis=1, start=tap * distance, length=dy.shape[1]) * dy, axes=(0, 1), keep_dim=False
        ).reshape(channels, 1)
        for tap in range(int(taps))
    ]
    found: Value = OPS["concat"](*sums, axis=1)
    return found.reshape(channels, 1, taps)


CHANNELS_LAST = Rules(
    depthwise_as_shifted_products, depthwise_backward_input_as_shifted_products, depthwise_backward_weight_as_sums
)
