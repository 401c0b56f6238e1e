"""The gradients of attention in one op, and the derivatives of both.

    s = cap(q·kᵀ·scale) + bias        p = softmax(s), zeros where nothing is visible        dp = dy·vᵀ
    ds = p·(dp - Σ p·dp)              dv = pᵀ·dy      dbias = ds      dq = (ds·cap')·k·scale      dk = (ds·cap')ᵀ·q·scale

Queries are taken in chunks: scores of one chunk exist at a time, so memory is O(S), not O(S·T).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.bounds import proves_at_most
from rlx.core.dim import Size
from rlx.core.dtype import DType, f32, i32, promote
from rlx.core.kinds import MaskKind, OpKind
from rlx.core.shape import Shape, is_one, is_zero
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, case, sample
from rlx.ir.emit import size_scalar
from rlx.ir.op import Call, Op, complete, define
from rlx.ir.tolerance import Tolerance, epsilon
from rlx.ir.value import Value, as_dtype
from rlx.ops.attention import attention as forward
from rlx.ops.attention.batching import batch_attention_backward
from rlx.ops.control.control import scan_values
from rlx.ops.conv.conv import within_axis
from rlx.ops.elementwise import elementwise as e
from rlx.ops.movement.shape import concat, expand, narrow
from rlx.transforms.rules.derivative import Derivative, Maybe, jvp_by_parts, vjp_by_parts
from rlx.transforms.rules.formulas import at_least_zero, matched, swapped, zeros, zeros_like

Array = npt.NDArray[Any]
CHUNK = 128  # queries whose scores exist at one time


# -- shapes and meaning -----------------------------------------------------------------------------------------
def _shapes(call: Call) -> tuple[Shape, ...]:
    """As q, k, v and the bias; dy is what attention gave."""
    q, k, v, dy = call.given[:4]
    attrs = {name: value for name, value in call.op.attrs.items() if name != "bias_gradient"}
    inner = Call(forward.attention.op(**attrs), [*call.shapes[:3], *call.shapes[4:]], call.assumptions)
    result = forward.attention.infer(inner)
    assert isinstance(result, Shape)
    if dy.rank != result.rank or not dy.dtype.is_float:
        raise call.error("RLX102", f"dy is {dy}", fix=f"the gradient of {result}")
    for axis, (mine, other) in enumerate(zip(dy.dims, result.dims, strict=True)):
        call.check_same(mine, other, f"sizes of dy and of the result at axis {axis}")
    dtype = promote(q.dtype, k.dtype, v.dtype, dy.dtype)
    found = [Shape.make(shape.dims, dtype) for shape in (q, k, v)]
    mask = call.shape(4)
    if _has_bias_gradient(call.mask_kind, call.bias_gradient) and mask is not None:
        found.append(Shape.make(mask.dims, dtype))
    return tuple(found)


def _has_bias_gradient(mask_kind: MaskKind, wanted: bool) -> bool:
    return bool(wanted and mask_kind.kind == "bias")


def _summed_to(x: Array, dims: Sequence[int]) -> Array:
    """Summed over what broadcasting repeated."""
    x = x.sum(tuple(range(x.ndim - len(dims))))
    return np.asarray(
        x.sum(tuple(axis for axis, size in enumerate(dims) if size == 1 and x.shape[axis] != 1), keepdims=True)
    )


class _Pieces:
    """The heads of one problem as NumPy arrays, its shares and slopes: what the gradients and their error bounds are made of."""

    def __init__(
        self,
        q: Array,
        k: Array,
        v: Array,
        dy: Array,
        mask: Array | None = None,
        q_position: Array | None = None,
        kv_length: Array | None = None,
        *,
        num_heads: int,
        head_dim: int,
        mask_kind: MaskKind,
        num_kv_heads: int | None,
        score_scale: float | None,
        softcap: float | None,
        layout: str,
        causal: bool,
        bias_gradient: bool,
    ) -> None:
        self.heads, self.kv_heads, self.layout, self.operands = num_heads, num_kv_heads or num_heads, layout, (q, k, v)
        group = num_heads // self.kv_heads
        self.queries, self.seeds = (forward.heads_first(x, num_heads, head_dim, layout) for x in (q, dy))
        keys, values = (forward.heads_first(x, self.kv_heads, head_dim, layout).repeat(group, 1) for x in (k, v))
        batch, _, length, _ = self.queries.shape
        visible = forward.visible_keys(batch, length, keys.shape[2], q_position, kv_length, mask_kind, causal)
        if mask_kind.kind == "custom":
            assert mask is not None
            visible = visible & mask[:, None, None, :]
        seen: Array = np.any(visible, axis=(1, 2))  # what no query sees has no effect, not even NaN
        self.keys, self.values = (np.where(seen[:, None, :, None], x, np.zeros((), x.dtype)) for x in (keys, values))
        self.scale = 1 / math.sqrt(head_dim) if score_scale is None else score_scale
        bias = mask if mask_kind.kind == "bias" else None
        weights, capped = forward.score_weights(self.queries, self.keys, visible, self.scale, softcap, bias)
        self.slope: Any = 1.0 if softcap is None else 1 - np.square(capped / softcap)
        self.share = weights / np.maximum(weights.sum(3, keepdims=True), np.finfo(weights.dtype).tiny)
        self.bias = bias if _has_bias_gradient(mask_kind, bias_gradient) else None

    def gradients(self, change: Array, raw: Array, queries: Array, keys: Array, seeds: Array) -> tuple[Array, ...]:
        """dq, dk, dv and a bias's, from what the scores change by, before and after the cap."""
        dk, dv = (left.swapaxes(2, 3) @ right for left, right in ((raw, queries), (self.share, seeds)))
        counts = (self.heads, self.kv_heads, self.kv_heads)
        found = tuple(
            self._back(x, n, like) for x, n, like in zip((raw @ keys, dk, dv), counts, self.operands, strict=True)
        )
        return found if self.bias is None else (*found, _summed_to(change, self.bias.shape))

    def _back(self, x: Array, heads: int, like: Array) -> Array:
        x = x.reshape(x.shape[0], heads, self.heads // heads, *x.shape[2:]).sum(2)
        return x if self.layout == "bhsd" else x.transpose(0, 2, 1, 3).reshape(like.shape)


def _reference(*operands: Any, **attrs: Any) -> tuple[Array, ...]:
    at = _Pieces(*operands, **attrs)
    dp = at.seeds @ at.values.swapaxes(2, 3)
    change = at.share * (dp - (at.share * dp).sum(3, keepdims=True))
    return at.gradients(change, change * at.slope * at.scale, at.queries, at.keys, at.seeds)


class _Summands(Tolerance):
    """The scale is the sum of the magnitudes that an element is added up from: dp - Σ p·dp cancels where values are alike, and what is
    left of it is no measure of its roundings."""

    def bound(self, op: Op, operands: Sequence[Array | None], expected: Array, dtype: DType) -> Array:
        """The largest absolute error allowed, element by element."""
        assert self.length is not None
        relative = (self.ulps + self.factor * math.sqrt(self.length(op, operands))) * epsilon(dtype.compute)
        stored = 0.51 * epsilon(dtype) if dtype.is_low_float else 0.0
        wide = [x.astype(np.float64) if x is not None and DType.of(x.dtype).is_float else x for x in operands]
        with np.errstate(all="ignore"):
            pairs = zip(_magnitudes(*wide, **op.attrs), _reference(*wide, **op.attrs), strict=True)
            size = reduce(np.maximum, [np.nan_to_num(x, posinf=0.0) for x, like in pairs if _is_result(like, expected)])
        own = np.where(np.isfinite(expected), np.abs(expected), 0.0)
        tiny = (
            2.0**-24
            if dtype.name == "f16"
            else float(np.finfo(np.float32 if dtype.compute is f32 else np.float64).tiny)
        )
        return np.asarray(relative * np.maximum(size, own) + stored * own + tiny)


def _is_result(like: Array, expected: Array) -> bool:
    """Whether these may be the same gradient: equal shapes alone do not tell dk from dv."""
    return like.shape == expected.shape and bool(
        np.allclose(like, expected, rtol=1e-2, atol=1e-2 * _largest(like), equal_nan=True)
    )


def _largest(x: Array) -> float:
    return float(np.abs(np.nan_to_num(x, posinf=0.0, neginf=0.0)).max(initial=0.0))


def _magnitudes(*operands: Any, **attrs: Any) -> tuple[Array, ...]:
    """The reference with every term by its magnitude."""
    at = _Pieces(*operands, **attrs)
    dp = np.abs(at.seeds) @ np.abs(at.values).swapaxes(2, 3)
    change = at.share * (dp + (at.share * dp).sum(3, keepdims=True))
    return at.gradients(change, change * abs(at.scale), np.abs(at.queries), np.abs(at.keys), np.abs(at.seeds))


# -- on Values --------------------------------------------------------------------------------------------------
class _Heads:
    """The operands as `[B, Hkv, G, S or T, D]` in f32 at least, and how a chunk of queries is pulled back."""

    def __init__(
        self,
        q: Value,
        k: Value,
        v: Value,
        dy: Value,
        mask: Value | None,
        q_position: Value | None,
        kv_length: Value | None,
        attrs: Any,
    ) -> None:
        self.attrs, self.kv_heads = attrs, attrs["num_kv_heads"] or attrs["num_heads"]
        self.group = attrs["num_heads"] // self.kv_heads
        self.kind: MaskKind = attrs["mask_kind"]
        self.dtype = promote(q.dtype, k.dtype, v.dtype, dy.dtype)
        self.q, self.dy = (self._split(x, self.group) for x in (q, dy))
        self.k, self.v = (self._split(x, 1) for x in (k, v))
        self.mask, self.kv_length = mask, kv_length
        self.causal = attrs["causal"] or self.kind.is_causal
        self.position = self._first_position(q_position) if self.causal else None
        if kv_length is not None:  # what lies past the end of a cache has no effect, not even NaN
            inside = forward.counting(k.graph, self.k.shape[3]) < as_dtype(kv_length, i32).reshape(
                kv_length.shape[0], 1
            )
            column = inside.reshape(inside.shape[0], 1, 1, inside.shape[1], 1)
            self.k, self.v = (e.where(column, x, 0.0) for x in (self.k, self.v))

    def _split(self, x: Value, group: int) -> Value:
        compute = self.dtype.compute
        return as_dtype(
            forward.split_heads(x, (self.kv_heads, group), self.attrs["head_dim"], self.attrs["layout"]), compute
        )

    def merge(self, x: Value, like: Value) -> Value:
        """Back to the layout of an operand."""
        x = x if self.attrs["layout"] == "bhsd" else x.transpose(0, 3, 1, 2, 4)
        return as_dtype(x.reshape(*like.shape), self.dtype)

    def _first_position(self, q_position: Value | None) -> Value:
        """The position of query 0 in each row, i32[B]."""
        if q_position is not None:
            return as_dtype(q_position, i32)
        length = size_scalar(self.q, self.q.shape[3])
        if self.kv_length is not None:
            return as_dtype(self.kv_length, i32) - length
        found: Value = expand((size_scalar(self.q, self.k.shape[3]) - length).reshape(1), shape=(self.q.shape[0],))
        return found

    def bias(self) -> Value | None:
        """The bias as `[…, Hkv or 1, G or 1, S or 1, T or 1]`."""
        if self.kind.kind != "bias" or self.mask is None:
            return None
        full = self.mask.reshape(*(1,) * (4 - self.mask.rank), *self.mask.shape)
        heads = (1, 1) if is_one(full.shape[1]) else (self.kv_heads, self.group)
        return as_dtype(full, self.dtype.compute).reshape(full.shape[0], *heads, *full.shape[2:])

    def pull(
        self, q: Value, dy: Value, k: Value, v: Value, bias: Value | None, first: Value | None
    ) -> tuple[Value, ...]:
        """dq, dk, dv and ds of a chunk of queries whose first has position `first`."""
        attrs = self.attrs
        scale = 1 / math.sqrt(attrs["head_dim"]) if attrs["score_scale"] is None else attrs["score_scale"]
        scores = q @ swapped(k) * scale
        slope: Any = None
        if attrs["softcap"] is not None:
            turned = e.tanh(scores / attrs["softcap"])
            scores, slope = turned * attrs["softcap"], 1.0 - turned * turned
        if bias is not None:
            scores = scores + bias
        mask = self.mask if self.kind.kind == "custom" else None
        seen = forward.visible_value(scores, mask, first, self.kv_length, self.kind, attrs["causal"])
        if seen is not None:
            scores = e.where(seen, scores, -math.inf)
        top = scores.max(axes=(4,), keep_dim=True)
        weights = e.exp(scores - e.where(top == -math.inf, 0.0, top))
        sums = weights.sum(axes=(4,), keep_dim=True)
        share = weights / e.where(sums == 0.0, 1.0, sums)
        dp = dy @ swapped(v)
        ds = share * (dp - (share * dp).sum(axes=(4,), keep_dim=True))
        raw = (ds if slope is None else ds * slope) * scale
        dk, dv = ((swapped(left) @ right).sum(axes=(2,), keep_dim=True) for left, right in ((raw, q), (share, dy)))
        return raw @ k, dk, dv, ds


def _whole(
    q: Value,
    k: Value,
    v: Value,
    dy: Value,
    mask: Value | None = None,
    q_position: Value | None = None,
    kv_length: Value | None = None,
    **attrs: Any,
) -> tuple[Value, ...]:
    """All queries at once: memory O(S·T). What higher derivatives read."""
    if any(is_zero(size) for size in k.shape):
        return _nothing(q, k, v, dy, mask, attrs)
    heads = _Heads(q, k, v, dy, mask, q_position, kv_length, attrs)
    dq, dk, dv, ds = heads.pull(heads.q, heads.dy, heads.k, heads.v, heads.bias(), heads.position)
    return _finish(heads, dq, dk, dv, _bias_sum(heads, ds), (q, k, v, mask))


def _bias_sum(heads: _Heads, ds: Value) -> Value | None:
    bias = heads.bias() if heads.attrs["bias_gradient"] else None
    return None if bias is None else matched(ds, bias)


def _finish(
    heads: _Heads, dq: Value, dk: Value, dv: Value, dbias: Value | None, like: Sequence[Any]
) -> tuple[Value, ...]:
    found = [heads.merge(x, operand) for x, operand in zip((dq, dk, dv), like, strict=False)]
    return (*found, as_dtype(dbias.reshape(like[3].shape), heads.dtype)) if dbias is not None else tuple(found)


def _nothing(q: Value, k: Value, v: Value, dy: Value, mask: Value | None, attrs: Any) -> tuple[Value, ...]:
    """No key at all: zeros."""
    like = as_dtype(dy, promote(q.dtype, k.dtype, v.dtype, dy.dtype))
    operands = [
        q,
        k,
        v,
        *([mask] if mask is not None and _has_bias_gradient(attrs["mask_kind"], attrs["bias_gradient"]) else []),
    ]
    return tuple(zeros(like, x.shape) for x in operands)


def _chunked(
    q: Value,
    k: Value,
    v: Value,
    dy: Value,
    mask: Value | None = None,
    q_position: Value | None = None,
    kv_length: Value | None = None,
    **attrs: Any,
) -> tuple[Value, ...]:
    """A loop over chunks of queries that adds up dk and dv, then the rest that fills no chunk."""
    length = q.shape[2] if attrs["layout"] == "bhsd" else q.shape[1]
    if proves_at_most(length, CHUNK, q.graph.assumptions) or any(is_zero(size) for size in k.shape):
        return _whole(q, k, v, dy, mask, q_position, kv_length, **attrs)
    heads = _Heads(q, k, v, dy, mask, q_position, kv_length, attrs)
    bias = heads.bias()
    by_row = bias is not None and not is_one(bias.shape[3])
    count = length // CHUNK
    rows = [heads.q, heads.dy, *([bias] if by_row and bias is not None else [])]
    mains = [_chunks(x, count) for x in rows]
    keep_bias = bias is not None and attrs["bias_gradient"]
    shared = [bias] if bias is not None and not by_row else []
    sums = [zeros_like(x) for x in (heads.k, heads.v, *(shared if keep_bias else []))]
    starts = forward.counting(q.graph, count) * CHUNK
    fixed = [heads.k, heads.v, *([heads.position] if heads.position is not None else []), *shared]

    def pulled(
        values: Sequence[Value], lines: Sequence[Value], totals: Sequence[Value], start: Value
    ) -> tuple[list[Value], list[Value]]:
        first = values[2] + start if heads.position is not None else None
        local = lines[2] if by_row else values[-1] if bias is not None else None
        dq, dk, dv, ds = heads.pull(lines[0], lines[1], values[0], values[1], local, first)
        added = [totals[0] + dk, totals[1] + dv]
        more = [matched(ds, local)] if keep_bias and local is not None else []
        return ([*added, totals[2] + more[0]] if more and not by_row else added), [dq, *(more if by_row else [])]

    def step(*values: Value) -> list[Value]:
        totals, rest = values[: len(sums)], values[len(sums) :]
        after, ys = pulled(rest[: len(fixed)], rest[len(fixed) : -1], totals, rest[-1])
        return [*after, *ys]

    found = scan_values(step, sums, [*mains, starts], bcasts=fixed, length=count)
    totals, lines = list(found[: len(sums)]), [_joined(x) for x in found[len(sums) :]]
    left = at_least_zero(q.graph, length - count * CHUNK)
    if not is_zero(left):
        tails = [narrow(x, axis=3, start=count * CHUNK, length=left) for x in rows]
        totals, ends = pulled(fixed, tails, totals, size_scalar(q, count * CHUNK))
        lines = [concat(line, end, axis=3) for line, end in zip(lines, ends, strict=True)]
    dbias = None if not keep_bias else lines[1] if by_row else totals[2]
    return _finish(heads, lines[0], totals[0], totals[1], dbias, (q, k, v, mask))


def _chunks(x: Value, count: Size) -> Value:
    """`[B, Hkv, G, S, …]` as `[count, B, Hkv, G, CHUNK, …]`, the rest left out."""
    within_axis(x, 3, count * CHUNK)
    cut: Value = narrow(x, axis=3, start=0, length=count * CHUNK).reshape(*x.shape[:3], count, CHUNK, x.shape[4])
    return cut.transpose(3, 0, 1, 2, 4, 5)


def _joined(x: Value) -> Value:
    count, *outer, chunk, last = x.shape
    return x.transpose(1, 2, 3, 0, 4, 5).reshape(*outer, count * chunk, last)


# -- the record -------------------------------------------------------------------------------------------------
def _cases() -> list[Case]:
    found = []
    for row in forward.attention.cases():  # type: ignore[operator]
        q, k, v, *rest = row.operands
        assert q is not None
        found.append(case(q, k, v, sample(*q.dims), *rest, note=row.note, dtypes=("f32",), **row.attrs))
    wide: dict[str, Any] = {"num_heads": 2, "head_dim": 4, "mask_kind": "causal"}
    long = sample(1, 2 * CHUNK + 3, 8)
    found.append(case(long, long, long, long, note="odd: two chunks and a rest", **wide))
    return found


attention_backward = define(
    "attention_backward",
    "q, k, v, dy, mask:mask?, q_position:index?, kv_length:index?",
    infer=_shapes,
    normalize=forward.attention.normalize,
    reference=_reference,
    decompose=_chunked,
    kind=OpKind.Compute,
    results=("gradients*",),
    attrs={**forward.attention.attrs, "bias_gradient": Attr("bool", True, "whether the gradient of a bias is wanted")},
    doc="The gradients of `attention` by q, k, v, and by a bias, in one pass with memory O(S); always a tuple.",
    tolerance=_Summands(ulps=8.0, factor=1.0, length=forward.score_bound),
    cost=lambda call, results: forward.attention_cost(call, results) * 3,
    cases=_cases,
    batch=batch_attention_backward,
)


def _vjp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]) -> list[Maybe]:
    q, k, v, *rest = operands
    mask = rest[0] if rest else None
    wanted = mask is not None and len(call.wanted) > 3 and call.wanted[3]
    found = attention_backward(q, k, v, cotangents[0], *rest, bias_gradient=wanted, **call.op.attrs)
    gradients = [as_dtype(gradient, x.dtype) for gradient, x in zip(found, (q, k, v, mask), strict=False)]
    return [*gradients[:3], *(gradients[3] if index == 0 and wanted else None for index in range(len(rest)))]


complete(forward.attention, vjp=_vjp, jvp=jvp_by_parts())
complete(attention_backward, vjp=vjp_by_parts(_whole), jvp=jvp_by_parts(_whole))
