"""Recurrences over a sequence: selective scans and gated delta nets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlx.ir.value import Value
from rlx.module.emitter import ShapeLike, Tensor, with_shape

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def selective_scan(
    self: Builders,
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
    """y of st = exp(delta·A)·st + delta·B·x; y = Σ_j C_j·st_j (+ D·x), step by step.

    x, delta `[b, s, h]`; A `[h, n]`; B, C `[b, s, n]`; D `[h]`; state `[b, h, n]`; length, integers `[b]`
    """
    found = self.selective_scan_carry(x, delta, A, B, C, D, state, length, state_size=state_size, name=name)[0]
    return with_shape("selective_scan", found, shape)


def selective_scan_carry(
    self: Builders,
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
    """(y, the state after the last step) of a selective scan."""
    operands = (x, delta, A, B, C, D, state, length)
    y, after = self._many("selective_scan", operands, {"state_size": state_size}, name)
    return y, after


def gated_delta_net(
    self: Builders,
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
    """o of S *= exp(g); d = (v - Sᵀk)·beta; S += k⊗d; o = Sᵀq/√n, step by step.

    q, k, v `[b, s, H, n]`; g, beta `[b, s, H]`; state `[b, H, n, n]`; length, integers `[b]`. The block at HIR, without a length.
    """
    operands, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
    return self._block_or_op("gated_delta_net", operands, attrs, name, out_shape)[0]


def gated_delta_net_carry(
    self: Builders,
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
    """(o, the state after the last step) of a gated delta net."""
    operands, attrs = (q, k, v, g, beta, state, length), {"state_size": state_size}
    o, after = self._block_or_op("gated_delta_net", operands, attrs, name, out_shape, block="gated_delta_net_carry")
    return o, after
