"""Building attention that was found: the node, the views its operands need, and its mask as a kind, a bias and positions."""

from __future__ import annotations

import math

from rlx.core.dim import Size, same
from rlx.core.enums import MaskKind
from rlx.ir.emit import emit, size_scalar
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, op
from rlx.ir.value import Value, one
from rlx.passes.attention_match import AttentionMatch, Scores

TURNED = op("transpose")
REPEATED = op("reshape", op("expand", "source", capture="wide"))


def attend(rewriter: Rewriter, match: AttentionMatch) -> Value:
    """The attention node and the views around it."""
    scores, result = match.scores, match.last.shape
    q, k = (rewriter.value(ref) for ref in scores.product.refs)
    v = rewriter.value(match.values)
    for factor in scores.factors:
        q = q * rewriter.value(factor).reshape(())
    rank, head_dim, batch = q.rank, q.shape[-1], q.shape[0]
    assert isinstance(head_dim, int)
    k = OPS["transpose"](k, perm=(*range(rank - 2), rank - 1, rank - 2))
    k, v = _ungrouped(k, v)
    heads, kv_heads = (_product(x.shape[1:-2]) for x in (q, k))
    q, k, v = (x.reshape(batch, count, x.shape[-2], head_dim) for x, count in ((q, heads), (k, kv_heads), (v, kv_heads)))
    kind, bias, position = _mask(rewriter, scores, q, k)
    if match.heads_inside:
        q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    mixed: Value = OPS["attention"](
        q,
        k,
        v,
        bias,
        position,
        num_heads=heads,
        head_dim=head_dim,
        num_kv_heads=kv_heads,
        mask_kind=kind,
        score_scale=scores.scale,
        softcap=scores.softcap,
        layout="bshd" if match.heads_inside else "bhsd",
        causal=scores.band.offset is not None and kind.has_operand,
    )
    mixed = mixed.transpose(0, 2, 1, 3) if match.heads_inside else mixed.reshape(*result.dims)
    return mixed if mixed.dtype is result.dtype else mixed.astype(result.dtype)


def _product(sizes: tuple[Size, ...]) -> int:
    return math.prod(size for size in sizes if isinstance(size, int))


def _ungrouped(k: Value, v: Value) -> tuple[Value, Value]:
    """repeat_kv(k), repeat_kv(v)  ->  k, v        where both were repeated alike: attention reads grouped heads in place"""
    if k.rank != 4:
        return k, v
    keys, values = _unrepeated(k), _unrepeated(v)
    return (k, v) if keys is None or values is None or keys.shape[1] != values.shape[1] else (keys, values)


def _unrepeated(x: Value) -> Value | None:
    """reshape(expand(k[B, Hkv, 1, T, D], [B, Hkv, G, T, D]), [B, Hkv·G, T, D])  ->  k[B, Hkv, T, D]        also behind transposes"""
    perm: tuple[int, ...] = (0, 1, 2, 3)
    while True:  # two transposes in a row may not yet be one
        inner = _unrepeated_at(x, perm[1])
        if inner is not None:
            return inner if perm == (0, 1, 2, 3) else inner.transpose(perm)
        node = x.graph.node(x.ref)
        if not TURNED.made_by(node):
            return None
        perm = tuple(node.op["perm"][axis] for axis in perm)
        x = Value(x.graph, node.refs[0])


def _unrepeated_at(x: Value, axis: int) -> Value | None:
    """The same with the heads at any axis."""
    found = REPEATED.match(Uses(x.graph), x.graph.node(x.ref))
    if found is None:
        return None
    wide, source = found.node("wide").shape.dims, x.graph.shape(found["source"]).dims
    if len(wide) != 5 or len(source) != 5 or not (isinstance(source[axis + 1], int) and source[axis + 1] == 1):
        return None
    same_elsewhere = all(wide[i] == source[i] for i in range(5) if i != axis + 1)
    merged = (*wide[:axis], wide[axis] * wide[axis + 1], *wide[axis + 2 :])
    if not same_elsewhere or merged != x.shape:
        return None
    return Value(x.graph, found["source"]).reshape(*wide[: axis + 1], *wide[axis + 2 :])


# -- the mask ---------------------------------------------------------------------------------------------------
def _mask(rewriter: Rewriter, scores: Scores, q: Value, k: Value) -> tuple[MaskKind, Value | None, Value | None]:
    """The kind of mask, its bias, and the position of the first query where that is not the one the kind takes for granted."""
    offset, window = scores.band.offset, scores.band.window()
    rows, keys = q.shape[-2], k.shape[-2]
    kind = (
        MaskKind.SlidingWindow(window) if window is not None else MaskKind.Causal if offset is not None else MaskKind.parse("none")
    )
    bias = _bias(rewriter, scores)
    if bias is not None:
        kind = MaskKind.Bias
        if offset is not None and window is not None:  # a window and a bias: the window goes into the bias
            bias = bias + _window_bias(q, rows, keys, offset, window)
    if offset is None or same(offset, keys - rows, q.graph.assumptions):
        return kind, bias, None
    return kind, bias, OPS["expand"](size_scalar(q, offset).reshape(1), shape=(q.shape[0],))


def _bias(rewriter: Rewriter, scores: Scores) -> Value | None:
    """All biases and conditions as one additive tensor for `[B, H, S, T]`."""
    parts = [rewriter.value(ref) for ref in scores.biases]
    for ref, hides in scores.band.rest:
        condition = rewriter.value(ref)
        parts.append(OPS["where"](condition, *((scores.hidden, 0.0) if hides else (0.0, scores.hidden))))
    total: Value | None = None
    for part in parts:
        four = _in_four_axes(part, scores.product.shape.rank)
        total = four if total is None else total + four
    return total


def _in_four_axes(bias: Value, rank: int) -> Value:
    """A bias of scores `[N, S, T]` or `[B, Hkv, G, S, T]` for `[B, H, S, T]`."""
    if bias.rank < 3 or rank == 4:
        return bias
    if rank == 3:
        return bias.reshape(bias.shape[0], 1, *bias.shape[1:])
    padded = (*(1,) * (5 - bias.rank), *bias.shape)
    heads = _product(padded[1:3])
    return bias.reshape(padded[0], heads, *padded[3:])


def _window_bias(like: Value, rows: Size, keys: Size, offset: Size, window: int) -> Value:
    """0 within the window, -inf before it."""
    row = emit(OPS["iota"], (), {"shape": (rows, 1), "axis": 0}, graph=like.graph)
    key = emit(OPS["iota"], (), {"shape": (1, keys), "axis": 1}, graph=like.graph)
    seen = key > row + size_scalar(like, offset) - window
    return one("where", seen, 0.0, -math.inf)
