"""The gradients of attention in one op.

    s = cap(q·kᵀ·scale) + bias        p = softmax(s), zeros where nothing is visible        dp = dy·vᵀ
    ds = p·(dp - Σ p·dp)              dv = pᵀ·dy      dbias = ds      dq = (ds·cap')·k·scale      dk = (ds·cap')ᵀ·q·scale

Queries are taken in chunks: scores of one chunk exist at a time, so memory is O(S), not O(S·T).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size, proves_at_most
from rlx.core.dtype import i32, promote
from rlx.core.enums import OpKind
from rlx.core.shape import Shape, is_one, is_zero
from rlx.ir.attributes import Attr
from rlx.ir.emit import size_scalar
from rlx.ir.op import Call, define
from rlx.ir.tolerance import Case, case, sample
from rlx.ir.value import Value, as_dtype, one
from rlx.ops.attention import attention as forward
from rlx.ops.attention.decomposition import counting, split_heads, visible_value
from rlx.ops.attention.reference import Setting, Summands, pull_back
from rlx.ops.control.control import scan_values
from rlx.ops.conv.windows import within_axis
from rlx.ops.elementwise.select import where
from rlx.ops.elementwise.unary import exp, tanh
from rlx.ops.movement.parts import concat, narrow
from rlx.transforms.rules.batch_formulas import again, merged, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size
from rlx.transforms.rules.formulas import as_composition, at_least_zero, matched, swapped, zeros, zeros_like

CHUNK = 128  # queries whose scores exist at one time


# -- shapes -----------------------------------------------------------------------------------------
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
    if Setting(**call.op.attrs).has_bias_gradient and mask is not None:
        found.append(Shape.make(mask.dims, dtype))
    return tuple(found)


# -- on Values --------------------------------------------------------------------------------------------------
class _Heads:
    """The operands as `[B, Hkv, G, S or T, D]` in f32 at least, and how a chunk of queries is pulled back."""

    def __init__(
        self,
        q: Value,
        k: Value,
        v: Value,
        dy: Value,
        mask: Value | None = None,
        q_position: Value | None = None,
        kv_length: Value | None = None,
        **attrs: Any,
    ) -> None:
        self.setting = at = Setting(**attrs)
        self.dtype, self.like = promote(q.dtype, k.dtype, v.dtype, dy.dtype), (q, k, v)
        self.q, self.dy = (self._split(x, at.group) for x in (q, dy))
        self.k, self.v = (self._split(x, 1) for x in (k, v))
        self.mask, self.kv_length = mask, kv_length
        self.position = self._first_position(q_position) if at.causal or at.mask_kind.is_causal else None
        if kv_length is not None:  # what lies past the end of a cache has no effect, not even NaN
            inside = counting(k.graph, self.k.shape[3]) < as_dtype(kv_length, i32).reshape(kv_length.shape[0], 1)
            column = inside.reshape(inside.shape[0], 1, 1, inside.shape[1], 1)
            self.k, self.v = (where(column, x, 0.0) for x in (self.k, self.v))

    def _split(self, x: Value, group: int) -> Value:
        heads = split_heads(x, (self.setting.kv_heads, group), self.setting.head_dim, self.setting.layout)
        return as_dtype(heads, self.dtype.compute)

    def merge(self, x: Value, like: Value) -> Value:
        """Back to the layout of an operand."""
        x = x if self.setting.layout == "bhsd" else x.transpose(0, 3, 1, 2, 4)
        return as_dtype(x.reshape(*like.shape), self.dtype)

    def _first_position(self, q_position: Value | None) -> Value:
        """The position of query 0 in each row, i32[B]."""
        if q_position is not None:
            return as_dtype(q_position, i32)
        length = size_scalar(self.q, self.q.shape[3])
        if self.kv_length is not None:
            return as_dtype(self.kv_length, i32) - length
        return one("expand", (size_scalar(self.q, self.k.shape[3]) - length).reshape(1), shape=(self.q.shape[0],))

    def bias(self) -> Value | None:
        """The bias as `[…, Hkv or 1, G or 1, S or 1, T or 1]`."""
        if self.setting.mask_kind.kind != "bias" or self.mask is None:
            return None
        full = self.mask.reshape(*(1,) * (4 - self.mask.rank), *self.mask.shape)
        heads = (1, 1) if is_one(full.shape[1]) else (self.setting.kv_heads, self.setting.group)
        return as_dtype(full, self.dtype.compute).reshape(full.shape[0], *heads, *full.shape[2:])

    def pull(self, q: Value, dy: Value, k: Value, v: Value, bias: Value | None, first: Value | None) -> tuple[Value, ...]:
        """dq, dk, dv and ds of a chunk of queries whose first has position `first`."""
        at = self.setting
        scores = q @ swapped(k) * at.scale
        slope: Any = None
        if at.softcap is not None:
            turned = tanh(scores / at.softcap)
            scores, slope = turned * at.softcap, 1.0 - turned * turned
        if bias is not None:
            scores = scores + bias
        mask = self.mask if at.mask_kind.kind == "custom" else None
        seen = visible_value(scores, mask, first, self.kv_length, at)
        if seen is not None:
            scores = where(seen, scores, -math.inf)
        top = scores.max(axes=(4,), keep_dim=True)
        weights = exp(scores - where(top == -math.inf, 0.0, top))
        sums = weights.sum(axes=(4,), keep_dim=True)
        share = weights / where(sums == 0.0, 1.0, sums)
        dp = dy @ swapped(v)
        ds = share * (dp - (share * dp).sum(axes=(4,), keep_dim=True))
        raw = (ds if slope is None else ds * slope) * at.scale
        dk, dv = ((swapped(left) @ right).sum(axes=(2,), keep_dim=True) for left, right in ((raw, q), (share, dy)))
        return raw @ k, dk, dv, ds

    def finished(self, dq: Value, dk: Value, dv: Value, dbias: Value | None) -> tuple[Value, ...]:
        """The gradients in the layouts and dims of the operands."""
        found = tuple(self.merge(x, operand) for x, operand in zip((dq, dk, dv), self.like, strict=True))
        if dbias is None or self.mask is None:
            return found
        return *found, as_dtype(dbias.reshape(self.mask.shape), self.dtype)


def _whole(q: Value, k: Value, v: Value, dy: Value, *rest: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """All queries at once: memory O(S·T). What higher derivatives read."""
    if any(is_zero(size) for size in k.shape):  # no key at all
        like = as_dtype(dy, promote(q.dtype, k.dtype, v.dtype, dy.dtype))
        biases = rest[:1] if Setting(**attrs).has_bias_gradient else ()
        return tuple(zeros(like, x.shape) for x in (q, k, v, *biases) if x is not None)
    heads = _Heads(q, k, v, dy, *rest, **attrs)
    dq, dk, dv, ds = heads.pull(heads.q, heads.dy, heads.k, heads.v, heads.bias(), heads.position)
    bias = heads.bias() if attrs["bias_gradient"] else None
    return heads.finished(dq, dk, dv, None if bias is None else matched(ds, bias))


def _chunked(q: Value, k: Value, v: Value, dy: Value, *rest: Value | None, **attrs: Any) -> tuple[Value, ...]:
    """A loop over chunks of queries that adds up dk and dv, then the rest that fills no chunk."""
    length = q.shape[2] if attrs["layout"] == "bhsd" else q.shape[1]
    if proves_at_most(length, CHUNK, q.graph.assumptions) or any(is_zero(size) for size in k.shape):
        return _whole(q, k, v, dy, *rest, **attrs)
    heads = _Heads(q, k, v, dy, *rest, **attrs)
    bias = heads.bias()
    by_row = bias is not None and not is_one(bias.shape[3])
    count = length // CHUNK
    rows = [heads.q, heads.dy, *([bias] if by_row and bias is not None else [])]
    mains = [_chunks(x, count) for x in rows]
    keep_bias = bias is not None and attrs["bias_gradient"]
    shared = [bias] if bias is not None and not by_row else []
    sums = [zeros_like(x) for x in (heads.k, heads.v, *(shared if keep_bias else []))]
    starts = counting(q.graph, count) * CHUNK
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
        totals, given = values[: len(sums)], values[len(sums) :]
        after, ys = pulled(given[: len(fixed)], given[len(fixed) : -1], totals, given[-1])
        return [*after, *ys]

    found = scan_values(step, sums, [*mains, starts], bcasts=fixed, length=count)
    totals, lines = list(found[: len(sums)]), [_joined(x) for x in found[len(sums) :]]
    left = at_least_zero(q.graph, length - count * CHUNK)
    if not is_zero(left):
        tails = [narrow(x, axis=3, start=count * CHUNK, length=left) for x in rows]
        totals, ends = pulled(fixed, tails, totals, size_scalar(q, count * CHUNK))
        lines = [concat(line, end, axis=3) for line, end in zip(lines, ends, strict=True)]
    dbias = None if not keep_bias else lines[1] if by_row else totals[2]
    return heads.finished(lines[0], totals[0], totals[1], dbias)


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


def _batch_backward(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """As attention; the gradient of a bias that all rows of an example share is summed over these rows alone."""
    size, rows = batch_size(operands, axes), call.given[0].dims[0]
    given: list[Value | None] = []
    for index, (value, axis) in enumerate(zip(operands, axes, strict=True)):
        if value is not None and index == 4 and call.mask_kind.kind == "bias":
            given.append(forward.bias_of_all(value, axis, size, rows))
        else:
            given.append(None if value is None else merged(value, axis, size))
    found = list(again(call, given))
    examples = call.op.infer(call.shapes, call.assumptions)
    if len(found) == 4 and (examples[3].rank < 4 or is_one(examples[3].dims[0])):
        found[3] = found[3].reshape(size, rows, *found[3].shape[1:]).sum(axes=1)
    return separated(call, found, size)


attention_backward = define(
    "attention_backward",
    "q, k, v, dy, mask:mask?, q_position:index?, kv_length:index?",
    infer=_shapes,
    normalize=forward.attention.normalize,
    reference=pull_back,
    decompose=_chunked,
    kind=OpKind.Compute,
    results=("gradients*",),
    attrs={**forward.attention.attrs, "bias_gradient": Attr("bool", True, "whether the gradient of a bias is wanted")},
    doc="The gradients of `attention` by q, k, v, and by a bias, in one pass with memory O(S); always a tuple.",
    tolerance=Summands(ulps=8.0, factor=1.0, length=forward.score_bound),
    cost=lambda call, results: forward.attention_cost(call, results) * 3,
    cases=_cases,
    batch=_batch_backward,
    **as_composition(_whole),
)
