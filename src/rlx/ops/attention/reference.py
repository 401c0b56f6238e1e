"""What attention and its gradients mean, in NumPy, and how far a gradient may be from that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from rlx.core.dtype import f32
from rlx.core.enums import MaskKind
from rlx.ir.evaluate import evaluate_op, shape_of
from rlx.ir.tolerance import Tolerance, epsilon
from rlx.ops.record import Array, DType, Op


@dataclass(frozen=True)
class Setting:
    """The attributes of attention as its NumPy formulas read them."""

    num_heads: int
    head_dim: int
    mask_kind: MaskKind
    num_kv_heads: int | None
    score_scale: float | None
    softcap: float | None
    layout: str
    causal: bool
    bias_gradient: bool = False

    @property
    def kv_heads(self) -> int:
        """The number of key and value heads; that of query heads by default."""
        return self.num_heads if self.num_kv_heads is None else self.num_kv_heads

    @property
    def group(self) -> int:
        """The number of query heads that share a key and value head."""
        return self.num_heads // self.kv_heads

    @property
    def scale(self) -> float:
        """The factor of the attention scores."""
        return 1 / math.sqrt(self.head_dim) if self.score_scale is None else self.score_scale

    @property
    def has_bias_gradient(self) -> bool:
        """Whether the attention backward returns the gradient of a bias."""
        return self.bias_gradient and self.mask_kind.kind == "bias"


# -- forward ----------------------------------------------------------------------------------------------------
def heads_first(x: Array, heads: int, head_dim: int, layout: str) -> Array:
    """Reshapes an operand of attention to `[B, heads, S, D]`."""
    if layout == "packed":
        x = x.reshape(x.shape[0], x.shape[1], heads, head_dim)
    return x if layout == "bhsd" else x.transpose(0, 2, 1, 3)


def visible_keys(batch: int, length: int, keys: int, q_position: Array | None, kv_length: Array | None, at: Setting) -> Array:
    """The mask `[B, 1, S, T]` of keys that each query sees, by lengths and positions."""
    limit = np.full(batch, keys, np.int64) if kv_length is None else kv_length.astype(np.int64)
    first = limit - length if q_position is None else q_position.astype(np.int64)
    key = np.arange(keys)[None, None, :]
    query = first[:, None, None] + np.arange(length)[None, :, None]
    seen: Array = np.broadcast_to(key < limit[:, None, None], (batch, length, keys))
    if at.causal or at.mask_kind.is_causal:
        seen = seen & (key <= query)
    if at.mask_kind.kind == "sliding_window":
        seen = seen & (key > query - at.mask_kind.window)
    return seen[:, None]


def attend(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None = None,
    q_position: Array | None = None,
    kv_length: Array | None = None,
    **attrs: Any,
) -> Array:
    """The NumPy reference of `attention`."""
    at = Setting(**attrs)
    queries = heads_first(q, at.num_heads, at.head_dim, at.layout)
    keys, values = (heads_first(x, at.kv_heads, at.head_dim, at.layout) for x in (k, v))
    batch, _, length, _ = queries.shape
    visible = visible_keys(batch, length, keys.shape[2], q_position, kv_length, at)
    if at.mask_kind.kind == "custom":
        assert mask is not None
        visible = visible & mask[:, None, None, :]
    seen_by_any: Array = np.any(visible, axis=(1, 2))  # keys past the end of a cache have no effect, not even NaN
    values = np.where(seen_by_any[:, None, :, None], values, np.zeros((), values.dtype))
    bias = mask if at.mask_kind.kind == "bias" else None
    weights, _ = score_weights(queries, keys.repeat(at.group, 1), visible, at.scale, at.softcap, bias)
    total = weights.sum(3, keepdims=True)
    mixed = weights @ values.repeat(at.group, 1) / np.where(total == 0, 1, total)
    return mixed if at.layout == "bhsd" else mixed.transpose(0, 2, 1, 3).reshape(q.shape)


def score_weights(
    queries: Array, keys: Array, visible: Array, scale: float, softcap: float | None, bias: Array | None
) -> tuple[Array, Array]:
    """Returns exp(score - the row's maximum), 0 for masked keys, of heads `[B, H, S, D]`, and the scores before bias and mask."""
    scores = capped = queries @ keys.swapaxes(2, 3) * scale
    if softcap is not None:
        scores = capped = softcap * np.tanh(scores / softcap)
    if bias is not None:
        scores = scores + bias
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(3, initial=-np.inf, keepdims=True)
    return np.exp(scores - np.where(np.isneginf(top), 0, top)), capped


# -- backward ---------------------------------------------------------------------------------------------------
def _summed_to(x: Array, dims: Sequence[int]) -> Array:
    """Sums a gradient over the axes that broadcasting repeated."""
    x = x.sum(tuple(range(x.ndim - len(dims))))
    return np.asarray(x.sum(tuple(axis for axis, size in enumerate(dims) if size == 1 and x.shape[axis] != 1), keepdims=True))


class _Pieces:
    """The heads, softmax weights and slopes of one attention in NumPy, from which gradients and error bounds are computed."""

    def __init__(
        self,
        q: Array,
        k: Array,
        v: Array,
        dy: Array,
        mask: Array | None = None,
        q_position: Array | None = None,
        kv_length: Array | None = None,
        **attrs: Any,
    ) -> None:
        at = Setting(**attrs)
        self.setting, self.operands, self.scale = at, (q, k, v), at.scale
        self.queries, self.seeds = (heads_first(x, at.num_heads, at.head_dim, at.layout) for x in (q, dy))
        keys, values = (heads_first(x, at.kv_heads, at.head_dim, at.layout).repeat(at.group, 1) for x in (k, v))
        batch, _, length, _ = self.queries.shape
        visible = visible_keys(batch, length, keys.shape[2], q_position, kv_length, at)
        if at.mask_kind.kind == "custom":
            assert mask is not None
            visible = visible & mask[:, None, None, :]
        seen: Array = np.any(visible, axis=(1, 2))  # keys that no query sees have no effect, not even NaN
        self.keys, self.values = (np.where(seen[:, None, :, None], x, np.zeros((), x.dtype)) for x in (keys, values))
        bias = mask if at.mask_kind.kind == "bias" else None
        weights, capped = score_weights(self.queries, self.keys, visible, at.scale, at.softcap, bias)
        self.slope: Any = 1.0 if at.softcap is None else 1 - np.square(capped / at.softcap)
        self.share = weights / np.maximum(weights.sum(3, keepdims=True), np.finfo(weights.dtype).tiny)
        self.bias = bias if at.has_bias_gradient else None

    def gradients(self, change: Array, raw: Array, queries: Array, keys: Array, seeds: Array) -> tuple[Array, ...]:
        """Computes dq, dk, dv and the bias gradient from the gradients of the scores before and after the softcap."""
        dk, dv = (left.swapaxes(2, 3) @ right for left, right in ((raw, queries), (self.share, seeds)))
        counts = (self.setting.num_heads, self.setting.kv_heads, self.setting.kv_heads)
        gradients = tuple(self._back(x, n, like) for x, n, like in zip((raw @ keys, dk, dv), counts, self.operands, strict=True))
        return gradients if self.bias is None else (*gradients, _summed_to(change, self.bias.shape))

    def _back(self, x: Array, heads: int, like: Array) -> Array:
        x = x.reshape(x.shape[0], heads, self.setting.num_heads // heads, *x.shape[2:]).sum(2)
        return x if self.setting.layout == "bhsd" else x.transpose(0, 2, 1, 3).reshape(like.shape)


def pull_back(*operands: Any, **attrs: Any) -> tuple[Array, ...]:
    """The NumPy reference of `attention_backward`."""
    at = _Pieces(*operands, **attrs)
    dp = at.seeds @ at.values.swapaxes(2, 3)
    change = at.share * (dp - (at.share * dp).sum(3, keepdims=True))
    return at.gradients(change, change * at.slope * at.scale, at.queries, at.keys, at.seeds)


class OfValues(Tolerance):
    """Tolerance of attention relative to the average of |v|: averages of v may cancel, their rounding errors do not."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The result of attention on |v|, or the element itself where a value that is not finite makes it larger."""
        q, k, v, *rest = operands
        assert v is not None
        (size,) = evaluate_op(op, (q, k, np.abs(v), *rest), [shape_of(expected)], wide=True)
        return np.asarray(np.fmax(np.abs(size), np.abs(expected)))


class Summands(Tolerance):
    """Tolerance of attention gradients relative to the sum of the terms' magnitudes: dp - Σ p·dp cancels where values are alike,
    and does not measure the rounding errors."""

    def bound(self, op: Op, operands: Sequence[Array | None], expected: Array, dtype: DType) -> Array:
        """The largest absolute error allowed for each element of an attention gradient."""
        assert self.length is not None
        relative = (self.ulps + self.factor * math.sqrt(self.length(op, operands))) * epsilon(dtype.compute)
        stored = 0.51 * epsilon(dtype) if dtype.is_low_float else 0.0
        wide = [x.astype(np.float64) if x is not None and DType.of(x.dtype).is_float else x for x in operands]
        with np.errstate(all="ignore"):
            pairs = zip(_magnitudes(*wide, **op.attrs), pull_back(*wide, **op.attrs), strict=True)
            size = reduce(np.maximum, [np.nan_to_num(x, posinf=0.0) for x, like in pairs if _is_result(like, expected)])
        own = np.where(np.isfinite(expected), np.abs(expected), 0.0)
        tiny = 2.0**-24 if dtype.name == "f16" else float(np.finfo(np.float32 if dtype.compute is f32 else np.float64).tiny)
        return np.asarray(relative * np.maximum(size, own) + stored * own + tiny)


def _is_result(like: Array, expected: Array) -> bool:
    """Whether two arrays may be the same attention gradient: equal shapes alone do not tell dk from dv."""
    return like.shape == expected.shape and bool(np.allclose(like, expected, rtol=1e-2, atol=1e-2 * _largest(like), equal_nan=True))


def _largest(x: Array) -> float:
    return float(np.abs(np.nan_to_num(x, posinf=0.0, neginf=0.0)).max(initial=0.0))


def _magnitudes(*operands: Any, **attrs: Any) -> tuple[Array, ...]:
    """The reference of `attention_backward` with the magnitude of every term."""
    at = _Pieces(*operands, **attrs)
    dp = np.abs(at.seeds) @ np.abs(at.values).swapaxes(2, 3)
    change = at.share * (dp + (at.share * dp).sum(3, keepdims=True))
    return at.gradients(change, change * abs(at.scale), np.abs(at.queries), np.abs(at.keys), np.abs(at.seeds))
