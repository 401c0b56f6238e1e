"""Ops by their kind, two ops under one name, and attributes with two spellings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlx.core.dim import Size
from rlx.core.enums import Activation, BinaryOp, CompareOp, MaskKind, ReduceOp
from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.module.emitter import ShapeLike, Tensor
from rlx.ops.attention.attention import AttentionLayout

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def activation(self: Builders, kind: Activation | str, x: Tensor, *, name: str | None = None) -> Value:
    """A function of one operand by its kind: `g.activation("gelu", x)`."""
    return self._one(Activation.parse(kind), (x,), {}, name)


def binary(self: Builders, op: BinaryOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
    """A function of two operands by its kind."""
    return self._one(BinaryOp.parse(op), (x, y), {}, name)


def compare(self: Builders, op: CompareOp | str, x: Tensor, y: Tensor, *, name: str | None = None) -> Value:
    """A comparison by its kind."""
    return self._one(CompareOp.parse(op), (x, y), {}, name)


def reduce(
    self: Builders,
    op: ReduceOp | str,
    x: Tensor,
    axes: Sequence[int] | int | None = None,
    keep_dim: bool = False,
    *,
    name: str | None = None,
) -> Value:
    """A reduction by its kind, over all axes unless stated."""
    return self._one(f"reduce_{ReduceOp.parse(op)}", (x,), {"axes": axes, "keep_dim": keep_dim}, name)


def _extreme(
    self: Builders, op: str, x: Tensor, y: Tensor | None, axes: Sequence[int] | int | None, keep_dim: bool, name: str | None
) -> Value:
    if y is None:
        return self._one(f"reduce_{op}", (x,), {"axes": axes, "keep_dim": keep_dim}, name)
    if axes is not None or keep_dim:
        raise RlxError("RLX105", f"{op} of two values with axes", fix=f"{op}(x, y), or {op}(x, axes=…)")
    return self._one(op, (x, y), {}, name)


def max(
    self: Builders,
    x: Tensor,
    y: Tensor | None = None,
    *,
    axes: Sequence[int] | int | None = None,
    keep_dim: bool = False,
    name: str | None = None,
) -> Value:
    """The larger of x and y, elementwise; of one operand the maximum over axes (as `reduce_max`)."""
    return _extreme(self, "max", x, y, axes, keep_dim, name)


def min(
    self: Builders,
    x: Tensor,
    y: Tensor | None = None,
    *,
    axes: Sequence[int] | int | None = None,
    keep_dim: bool = False,
    name: str | None = None,
) -> Value:
    """The smaller of x and y, elementwise; of one operand the minimum over axes (as `reduce_min`)."""
    return _extreme(self, "min", x, y, axes, keep_dim, name)


def narrow(
    self: Builders,
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
    return self._one("narrow", (x,), {"axis": axis, "start": start, "length": len if length is None else length}, name)


def attention(
    self: Builders,
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
    """softmax(q·kᵀ·scale + masks)·v for each head: `help(rlx.ops.attention.attention)` tells the whole contract.

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
