"""fuse attention: softmax(q·kᵀ·scale + mask)·v written in primitives becomes one `attention` node, with memory O(S) instead of O(S·T)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from rlx.core.bounds import proves_at_most
from rlx.core.dim import Size, same
from rlx.core.dtype import i32
from rlx.core.kinds import MaskKind
from rlx.core.report import Report
from rlx.ir.emit import constant, emit
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter, compose
from rlx.ir.value import Value
from rlx.passes.attention_masks import HIDDEN, Band, additive_band, read_condition, scalar
from rlx.passes.canonicalize import canonicalize
from rlx.passes.context import Context, PassResult
from rlx.passes.prepared import prepared_nodes
from rlx.passes.simplify import dce

STAGE = "fuse attention"
_ABSORBS = -1e20  # adding a score to it gives itself, so where(c, s, x) and s + where(c, 0, x) are one
_STEPS = 8


@dataclass(frozen=True)
class Miss:
    """Why a softmax between two products is not attention."""

    reason: str
    what: str


@dataclass(frozen=True)
class Scores:
    """What lies between a product q·kᵀ and its softmax."""

    product: Node
    inside: tuple[Node, ...]  # every node on the way, which must have no other reader
    scale: float = 1.0
    factors: tuple[Ref, ...] = ()  # scalars that are not constants
    softcap: float | None = None
    biases: tuple[Ref, ...] = ()
    band: Band = field(default_factory=Band)
    hidden: float = -math.inf  # what `band.rest` puts in place of a score


@dataclass(frozen=True)
class Match:
    """Attention found: its last node, the scores, and the values."""

    last: Node
    scores: Scores
    values: Ref


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """matmul(softmax(matmul(q, kᵀ)·scale + mask), v)  ->  attention(q, k, v, mask)

    A score or weight that is an output or has another reader keeps its value: nothing is fused then, and the report says so.
    """
    identity = {ref: ref for node in graph.nodes for ref in node.outputs}
    if not context.options.fuse or not any(node.op.name in ("softmax", "exp") for node in graph.nodes):
        return graph, identity
    plain, first = dot_as_matmul(graph)
    finder = _Finder(plain)
    found: dict[int, Match] = {}
    for node in plain.nodes:
        match = finder.match(node)
        if isinstance(match, Match):
            found[node.id] = match
        elif isinstance(match, Miss):
            context.not_fused(STAGE, match.reason, match.what, node)
    if not found:
        return graph, identity
    rewriter = Rewriter(plain, STAGE)
    for node in plain.nodes:
        if node.id not in found:
            rewriter.copy(node)
            continue
        rewriter.replace(node, rewriter.build(node, _attend, rewriter, found[node.id], finder))
        context.fused(STAGE, f"attention of {_description(plain, found[node.id])}", node)
    made, step = rewriter.finish()
    total = compose(first, step)
    for tidy in (canonicalize, dce):  # views of views, and the scores
        made, step = tidy(made, replace(context, report=Report()))
        total = compose(total, step)
    return made, total


def dot_as_matmul(graph: Graph) -> PassResult:
    """dot_general("bkgsd,bktd->bkgst")  ->  matmul(x[b, k, g, s, d], y[b, k, 1, d, t])        products over batch axes"""
    if not any(node.op.name == "dot_general" for node in graph.nodes):
        return graph, {ref: ref for node in graph.nodes for ref in node.outputs}
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        made = rewriter.build(node, _as_matmul, node, rewriter) if node.op.name == "dot_general" else None
        if made is None:
            rewriter.copy(node)
        else:
            rewriter.replace(node, made)
    return rewriter.finish()


def _as_matmul(node: Node, rewriter: Rewriter) -> Value | None:
    x, y = (rewriter.value(ref) for ref in node.refs)
    inner, outer = (node.op["lhs_contract"], node.op["rhs_contract"]), (node.op["lhs_batch"], node.op["rhs_batch"])
    rows, columns = ([axis for axis in range(v.rank) if axis not in (*inner[i], *outer[i])] for i, v in enumerate((x, y)))
    if len(inner[0]) != 1 or not outer[0] or len(columns) != 1 or len(rows) not in (1, 2):
        return None
    left, right = _turned(x, (*outer[0], *rows, *inner[0])), _turned(y, (*outer[1], *inner[1], *columns))
    if len(rows) == 2:
        count = len(outer[1])
        right = right.reshape(*right.shape[:count], 1, *right.shape[count:])
    found: Value = OPS["matmul"](left, right)
    return found


def _turned(x: Value, perm: tuple[int, ...]) -> Value:
    return x if perm == tuple(range(x.rank)) else x.transpose(perm)


def _description(graph: Graph, match: Match) -> str:
    scores = match.scores
    masks = ["causal"] * (scores.band.offset is not None) + ["bias"] * (bool(scores.biases) or bool(scores.band.rest))
    return f"{graph.shape(scores.product.refs[0])} on {graph.shape(match.values)}" + (f", {' and '.join(masks)}" if masks else "")


# -- finding ----------------------------------------------------------------------------------------------------
class _Finder:
    """Looks at each product whose left operand is a softmax."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.users = graph.users()
        self.escapes = {ref for _, ref in graph.results()}
        self.prepared = prepared_nodes(graph)

    def match(self, node: Node) -> Match | Miss | None:
        """Attention that ends in this node, the reason it is not, or None where nothing resembles it."""
        if node.op.name != "matmul" or node.shape.rank < 3:
            return None
        weights = self._softmax(node.refs[0])
        if weights is None:
            return None
        source, inside = weights
        scores = self._scores(source)
        if isinstance(scores, Miss):
            return scores if self._has_product(source) else None
        scores = replace(scores, inside=(*inside, *scores.inside))
        if {scores.product.refs[1].node, node.refs[1].node} & self.prepared:
            return None  # weights: two layers with a softmax between them
        return self._fits(node, scores) or self._single_use(node, scores) or Match(node, scores, node.refs[1])

    def _softmax(self, ref: Ref) -> tuple[Ref, list[Node]] | None:
        """softmax(x), or exp(x - max(x)) / sum(…), over the last axis; a cast around it. Gives x and the nodes."""
        node = self.graph.node(ref)
        if node.op.name == "cast" and node.shape.dtype.is_float:
            found = self._softmax(node.refs[0])
            return None if found is None else (found[0], [node, *found[1]])
        last = node.shape.rank - 1
        if node.op.name == "softmax":
            return (node.refs[0], [node]) if node.op["axis"] == last else None
        if node.op.name != "div":
            return None
        powers, total = (self.graph.node(operand) for operand in node.refs)
        if powers.op.name != "exp" or total.op.name != "reduce_sum" or total.refs[0] != powers.ref or not _along_last(total, last):
            return None
        shifted = self.graph.node(powers.refs[0])
        if shifted.op.name != "sub":
            return None
        top = self.graph.node(shifted.refs[1])
        if top.op.name != "reduce_max" or top.refs[0] != shifted.refs[0] or not _along_last(top, last):
            return None
        return shifted.refs[0], [node, total, powers, shifted, top]

    def _scores(self, ref: Ref) -> Scores | Miss:
        """Peel masks, factors and a softcap off the scores until the product is reached."""
        node = self.graph.node(ref)
        name = node.op.name
        if name == "matmul":
            return Scores(node, (node,))
        if name == "cast" and node.shape.dtype.is_float:
            return self._with(self._scores(node.refs[0]), node)
        if name in ("mul", "div"):
            return self._scaled(node)
        if name == "tanh":
            return Miss("UnsupportedEpilogue", "a tanh of the scores that is no softcap c·tanh(s/c)")
        if name in ("add", "sub"):
            return self._biased(node)
        if name == "where":
            return self._selected(node)
        return Miss("UnsupportedEpilogue", f"{name} between the scores and their softmax")

    def _with(self, scores: Scores | Miss, node: Node, **changes: Any) -> Scores | Miss:
        return scores if isinstance(scores, Miss) else replace(scores, inside=(*scores.inside, node), **changes)

    def _scaled(self, node: Node) -> Scores | Miss:
        """s·c, s/c, c·tanh(s/c); a factor that is not constant goes to the queries."""
        for side in (0, 1) if node.op.name == "mul" else (0,):
            path, other = node.refs[side], node.refs[1 - side]
            if self.graph.shape(other).num_elements != 1:
                continue
            number = scalar(self.graph, other)
            inner = self.graph.node(path)
            if inner.op.name == "tanh" and number is not None and node.op.name == "mul" and number > 0:
                capped = self._scores(inner.refs[0])
                if isinstance(capped, Miss):
                    return capped
                if capped.biases or capped.band.rest or capped.band.offset is not None or capped.softcap is not None:
                    return Miss("UnsupportedEpilogue", "a softcap behind a mask")
                found = replace(capped, scale=capped.scale * number, softcap=number)
                return self._with(self._with(found, inner), node)
            scores = self._scores(path)
            if isinstance(scores, Miss):
                return scores
            masked = scores.band.rest or scores.band.offset is not None
            if scores.biases or scores.softcap is not None or (masked and not (number or 0) > 0):
                return Miss("UnsupportedEpilogue", "a factor behind a bias or a softcap")
            if number is None:
                if node.op.name == "div":
                    return Miss("UnsupportedEpilogue", "a division by a value that is not constant")
                return self._with(scores, node, factors=(*scores.factors, other))
            factor = number if node.op.name == "mul" else 1 / number if number else math.inf
            return self._with(scores, node, scale=scores.scale * factor)
        return Miss("BroadcastOperand", f"{node.op.name} of the scores by more than a scalar")

    def _biased(self, node: Node) -> Scores | Miss:
        """s + mask: a band where it hides by position, else a bias."""
        miss: Scores | Miss = Miss("UnsupportedEpilogue", "a sum in which no operand is the scores")
        for side in (0, 1) if node.op.name == "add" else (0,):
            path, other = node.refs[side], node.refs[1 - side]
            scores = self._scores(path) if self.graph.shape(path).dims == node.shape.dims else miss
            if isinstance(scores, Miss):
                miss = scores
                continue
            band = additive_band(self.graph, other) if node.op.name == "add" else None
            joined = None if band is None else _joined(scores.band, band)
            if joined is not None and self._sees_a_key(joined):
                return self._with(scores, node, band=joined)
            if node.op.name == "sub":
                return Miss("UnsupportedEpilogue", "a bias that is subtracted")
            return self._with(scores, node, biases=(*scores.biases, other))
        return miss

    def _selected(self, node: Node) -> Scores | Miss:
        """where(visible, s, -inf)"""
        condition, *sides = node.refs
        for side in (0, 1):
            path, hidden = sides[side], scalar(self.graph, sides[1 - side])
            if hidden is None or self.graph.shape(path).dims != node.shape.dims:
                continue
            least = -1e4 if node.shape.dtype.name == "f16" else HIDDEN
            if hidden > least:
                return Miss("FiniteMask", f"hidden scores become {hidden}, which still has weight")
            scores = self._scores(path)
            if isinstance(scores, Miss):
                return scores
            band = Band()
            read_condition(self.graph, condition, side == 1, band)
            joined = _joined(scores.band, band)
            if joined is None or not (self._sees_a_key(joined) or (joined.offset is None and not joined.lower)):
                joined = replace_rest(scores.band, [(condition, side == 1)])
            if joined.rest and hidden > _ABSORBS:
                return Miss("FiniteMask", f"hidden scores become {hidden}: a row with no visible key would not be the same")
            return self._with(scores, node, band=joined, hidden=max(hidden, scores.hidden) if scores.band.rest else hidden)
        return Miss("UnsupportedEpilogue", "a choice between the scores and another tensor")

    def _sees_a_key(self, band: Band) -> bool:
        """Whether every query sees a key, and the kinds of attention can say which: causal, or a window."""
        if band.offset is None or (band.lower and band.window() is None):
            return False
        return proves_at_most(0, band.offset, self.graph.assumptions) is True

    def _has_product(self, ref: Ref) -> bool:
        """Whether a product of two activations lies a few elementwise steps before: something like scores."""
        todo = [(ref, 0)]
        while todo:
            current, steps = todo.pop()
            node = self.graph.node(current)
            if node.op.name == "matmul" and node.refs[1].node not in self.prepared:
                return True
            if steps < _STEPS and (node.op.definition.is_pointwise or node.op.name in ("reshape", "transpose")):
                todo += [(operand, steps + 1) for operand in node.refs]
        return False

    def _single_use(self, last: Node, scores: Scores) -> Miss | None:
        inside = {node.id for node in scores.inside} | {last.id}
        for node in scores.inside:
            if node.ref in self.escapes:
                return Miss("IsOutput", f"{node.op.name} inside attention is an output")
            if any(reader.id not in inside for reader in self.users.get(node.ref, [])):
                return Miss("MultiConsumer", f"{node.op.name} inside attention has another reader")
        return None

    def _fits(self, last: Node, scores: Scores) -> Miss | None:
        """Ranks, batch axes and head sizes that the op has."""
        q, k, v = (self.graph.shape(ref) for ref in (*scores.product.refs, last.refs[1]))
        if not 3 <= q.rank == k.rank == v.rank <= 5:
            return Miss("BroadcastOperand", f"ranks of {q}, {k} and {v}")
        if any(shape.dtype.is_complex or not shape.dtype.is_float for shape in (q, k, v)):
            return Miss("Dtype", f"attention of {q.dtype}, {k.dtype} and {v.dtype}")
        head_dim = q.dims[-1]
        if not isinstance(head_dim, int) or not same(v.dims[-1], head_dim):
            return Miss("HeadDim", f"queries of size {head_dim} and values of size {v.dims[-1]}")
        if not same(q.dims[0], k.dims[0]) or not same(q.dims[0], v.dims[0]) or k.dims[1:-2] != v.dims[1:-2]:
            return Miss("BroadcastOperand", f"batch axes of {q}, {k} and {v}")
        if any(not isinstance(size, int) for size in (*q.dims[1:-2], *k.dims[1:-2])):
            return Miss("SymbolicHeads", f"{q} has heads of a symbolic number")
        if q.rank == 4 and k.dims[1] not in (1, q.dims[1]):
            return Miss("BroadcastOperand", f"{q.dims[1]} query heads on {k.dims[1]}")
        if q.rank == 5 and (k.dims[1] != q.dims[1] or k.dims[2] != 1):
            return Miss("BroadcastOperand", f"grouped heads of {q} and {k}")
        whole = (q.dims[:-1], v.dims[-2])
        for bias in (*scores.biases, *(ref for ref, _ in scores.band.rest)):
            if not _bias_fits(self.graph.shape(bias).dims, whole[0], whole[1]):
                return Miss("BroadcastOperand", f"a bias of {self.graph.shape(bias)}")
        return None


def _along_last(node: Node, last: int) -> bool:
    return bool(node.op["axes"] == (last,) and node.op["keep_dim"])


def _joined(first: Band, second: Band) -> Band | None:
    if first.offset is not None and second.offset is not None and not same(first.offset, second.offset):
        return None
    offset = first.offset if first.offset is not None else second.offset
    return Band(offset, [*first.lower, *second.lower], [*first.rest, *second.rest])


def replace_rest(band: Band, conditions: list[tuple[Ref, bool]]) -> Band:
    """The band with conditions added that only a bias can say."""
    return Band(band.offset, list(band.lower), [*band.rest, *conditions])


def _bias_fits(dims: tuple[Size, ...], rows: tuple[Size, ...], keys: Size) -> bool:
    """Whether a bias for scores of these dims can be one for `[B, H, S, T]`."""
    full = (*rows, keys)
    if len(dims) > len(full):
        return False
    padded = (*(1,) * (len(full) - len(dims)), *dims)
    ones = [isinstance(size, int) and size == 1 for size in padded]
    if any(not one and not same(size, whole) for one, size, whole in zip(ones, padded, full, strict=True)):
        return False
    return len(full) < 5 or ones[1] == ones[2] or full[1] == 1 or full[2] == 1


# -- building ---------------------------------------------------------------------------------------------------
def _attend(rewriter: Rewriter, match: Match, finder: _Finder) -> Value:
    """The attention node and the views around it."""
    graph, scores = finder.graph, match.scores
    q, k = (rewriter.value(ref) for ref in scores.product.refs)
    v = rewriter.value(match.values)
    for factor in scores.factors:
        q = q * rewriter.value(factor).reshape(())
    rank, head_dim, dims = q.rank, q.shape[-1], match.last.shape.dims
    assert isinstance(head_dim, int)
    k = OPS["transpose"](k, perm=(*range(rank - 2), rank - 1, rank - 2))
    rows, keys = q.shape[-2], k.shape[-2]
    k, v = _ungrouped(k, v)
    heads, kv_heads = (_product(x.shape[1:-2]) for x in (q, k))
    batch = q.shape[0]
    q, k, v = (x.reshape(batch, count, x.shape[-2], head_dim) for x, count in ((q, heads), (k, kv_heads), (v, kv_heads)))
    causal, window = scores.band.offset is not None, scores.band.window()
    bias = _bias(rewriter, scores, graph, rank, (batch, heads, rows, keys))
    kind = MaskKind.SlidingWindow(window) if window is not None else MaskKind.Causal if causal else MaskKind.parse("none")
    if bias is not None and window is not None:  # a window and a bias: the window goes into the bias
        bias, kind = bias + _band_bias(q.graph, rows, keys, scores.band.offset, window), MaskKind.Bias
    elif bias is not None:
        kind = MaskKind.Bias
    position = None
    if causal and not same(scores.band.offset, keys - rows, graph.assumptions):  # type: ignore[arg-type]
        position = _positions(q.graph, scores.band.offset, batch)
    readers = finder.users.get(match.last.ref, [])
    turned = bool(readers) and rank == 4 and match.last.ref not in finder.escapes
    turned = turned and all(reader.op.name == "transpose" and reader.op["perm"] == (0, 2, 1, 3) for reader in readers)
    if turned:  # the readers want [B, S, H, D]: written so at once
        q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    mixed: Value = OPS["attention"](
        q, k, v, bias, position, num_heads=heads, head_dim=head_dim, num_kv_heads=kv_heads, mask_kind=kind,
        score_scale=scores.scale, softcap=scores.softcap, layout="bshd" if turned else "bhsd", causal=causal and kind.has_operand,
    )  # fmt: skip
    mixed = mixed.transpose(0, 2, 1, 3) if turned else mixed.reshape(*dims)
    return mixed if mixed.dtype is match.last.shape.dtype else mixed.astype(match.last.shape.dtype)


def _product(sizes: tuple[Size, ...]) -> int:
    return math.prod(size for size in sizes if isinstance(size, int))


def _ungrouped(k: Value, v: Value) -> tuple[Value, Value]:
    """repeat_kv(k), repeat_kv(v)  ->  k, v        where both were repeated alike: attention reads grouped heads in place"""
    found = [_unrepeated(x) for x in (k, v)]
    if k.rank != 4 or any(each is None for each in found) or found[0].shape[1] != found[1].shape[1]:  # type: ignore[union-attr]
        return k, v
    return found[0], found[1]  # type: ignore[return-value]


def _unrepeated(x: Value) -> Value | None:
    """reshape(expand(k[B, Hkv, 1, T, D], [B, Hkv, G, T, D]), [B, Hkv·G, T, D])  ->  k[B, Hkv, T, D]        also behind transposes"""
    node = x.graph.node(x.ref)
    if node.op.name == "transpose":
        inner = _unrepeated_at(Value(x.graph, node.refs[0]), node.op["perm"][1])
        if inner is None and x.graph.node(node.refs[0]).op.name == "transpose":  # two in a row, not yet made one
            first = x.graph.node(node.refs[0])
            perm = tuple(first.op["perm"][axis] for axis in node.op["perm"])
            inner = _unrepeated_at(Value(x.graph, first.refs[0]), perm[1])
            return None if inner is None else inner.transpose(perm)
        return None if inner is None else inner.transpose(node.op["perm"])
    return _unrepeated_at(x, 1)


def _unrepeated_at(x: Value, axis: int) -> Value | None:
    """The same with the heads at any axis."""
    graph = x.graph
    joined = graph.node(x.ref)
    if joined.op.name != "reshape" or graph.node(joined.refs[0]).op.name != "expand":
        return None
    repeated = graph.node(joined.refs[0])
    wide, source = repeated.shape.dims, graph.shape(repeated.refs[0]).dims
    if len(wide) != 5 or len(source) != 5 or not (isinstance(source[axis + 1], int) and source[axis + 1] == 1):
        return None
    same_elsewhere = all(wide[i] == source[i] for i in range(5) if i != axis + 1)
    merged = (*wide[:axis], wide[axis] * wide[axis + 1], *wide[axis + 2 :])
    if not same_elsewhere or merged != joined.shape.dims:
        return None
    return Value(graph, repeated.refs[0]).reshape(*wide[: axis + 1], *wide[axis + 2 :])


def _bias(rewriter: Rewriter, scores: Scores, graph: Graph, rank: int, full: tuple[Size, ...]) -> Value | None:
    """All biases and conditions as one additive tensor for `[B, H, S, T]`."""
    parts = [rewriter.value(ref) for ref in scores.biases]
    for ref, hides in scores.band.rest:
        condition = rewriter.value(ref)
        parts.append(OPS["where"](condition, *((scores.hidden, 0.0) if hides else (0.0, scores.hidden))))
    total: Value | None = None
    for part in parts:
        total = _in_four_axes(part, rank, full) if total is None else total + _in_four_axes(part, rank, full)
    return total


def _in_four_axes(bias: Value, rank: int, full: tuple[Size, ...]) -> Value:
    """A bias of scores `[N, S, T]` or `[B, Hkv, G, S, T]` for `[B, H, S, T]`."""
    if bias.rank < 3 or rank == 4:
        return bias
    if rank == 3:
        return bias.reshape(bias.shape[0], 1, *bias.shape[1:])
    padded = (*(1,) * (5 - bias.rank), *bias.shape)
    heads = _product(padded[1:3])
    return bias.reshape(padded[0], heads, *padded[3:])


def _positions(graph: Graph, offset: Any, batch: Size) -> Value:
    """The position of the first query, for every batch row."""
    one: Value = constant(graph, offset, i32) if isinstance(offset, int) else emit(OPS["size_value"], (), {"size": offset}, graph=graph)
    found: Value = OPS["expand"](one.reshape(1), shape=(batch,))
    return found


def _band_bias(graph: Graph, rows: Size, keys: Size, offset: Any, window: int) -> Value:
    """0 within the window, -inf before it."""
    row = emit(OPS["iota"], (), {"shape": (rows, 1), "axis": 0}, graph=graph)
    key = emit(OPS["iota"], (), {"shape": (1, keys), "axis": 1}, graph=graph)
    shift = constant(graph, offset, i32) if isinstance(offset, int) else emit(OPS["size_value"], (), {"size": offset}, graph=graph)
    seen = key > row + shift - window
    found: Value = OPS["where"](seen, 0.0, -math.inf)
    return found
