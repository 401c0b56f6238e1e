"""Finding attention in primitives: a softmax between two products, with scales, softcaps, biases and masks on the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from rlx.core.dim import Size, proves_at_most, same
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import op
from rlx.passes.attention_masks import HIDDEN, Band, additive_band, read_condition, scalar
from rlx.passes.context import Context

_ABSORBS = -1e20  # adding a score to it gives itself, so where(c, s, x) and s + where(c, 0, x) are one
_STEPS = 8


def _along_last(node: Node) -> bool:
    return bool(node.op["axes"] == (node.shape.rank - 1,) and node.op["keep_dim"])


SOFTMAXES = (
    op("softmax", "x", where=lambda node: node.op["axis"] == node.shape.rank - 1),
    op(
        "div",
        op("exp", op("sub", "x", op("reduce_max", "x", where=_along_last, capture="top"), capture="shifted"), capture="powers"),
        op("reduce_sum", "powers", where=_along_last, capture="total"),
    ),
)
"""softmax(x), or exp(x - max(x)) / sum(…), over the last axis."""
FLOAT_CAST = op("cast", where=lambda node: node.shape.dtype.is_float)
PRODUCT = op("matmul")
SOFTCAP = op("tanh")
HEADS_SWAPPED = op("transpose", perm=(0, 2, 1, 3))
VIEWS = op(("reshape", "transpose"))


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

    @property
    def is_masked(self) -> bool:
        """Whether some scores are hidden, by position or by a condition."""
        return bool(self.band.rest) or self.band.offset is not None


@dataclass(frozen=True)
class AttentionMatch:
    """Attention found: its last node, the scores, and the values."""

    last: Node
    scores: Scores
    values: Ref
    heads_inside: bool  # all readers want [B, S, H, D] of this [B, H, S, D]: written so at once


class Finder:
    """Looks at each product whose left operand is a softmax."""

    def __init__(self, graph: Graph, context: Context) -> None:
        self.graph = graph
        self.uses = context.uses(graph)
        self.prepared = context.prepared(graph)

    def match(self, node: Node) -> AttentionMatch | Miss | None:
        """Attention that ends in this node, the reason it is not, or None where nothing resembles it."""
        if not PRODUCT.made_by(node) or node.shape.rank < 3:
            return None
        weights = self._softmax(self.graph.node(node.refs[0]))
        if weights is None:
            return None
        source, inside = weights
        scores = self._scores(source)
        if isinstance(scores, Miss):
            return scores if self._has_product(source) else None
        scores = replace(scores, inside=(*inside, *scores.inside))
        if {scores.product.refs[1].node, node.refs[1].node} & self.prepared:
            return None  # weights: two layers with a softmax between them
        return (
            self._fits(node, scores)
            or self._single_use(node, scores)
            or AttentionMatch(node, scores, node.refs[1], self._heads_inside(node))
        )

    def _softmax(self, node: Node) -> tuple[Ref, list[Node]] | None:
        """What a softmax is of, and its nodes; casts may stand around it."""
        if FLOAT_CAST.made_by(node):
            inner = self._softmax(self.graph.node(node.refs[0]))
            return None if inner is None else (inner[0], [node, *inner[1]])
        for pattern in SOFTMAXES:
            found = pattern.match(self.uses, node)
            if found is not None:
                parts = [found.node(name) for name in ("total", "powers", "shifted", "top") if name in found.found]
                return found["x"], [node, *parts]
        return None

    def _scores(self, ref: Ref) -> Scores | Miss:
        """Peel masks, factors and a softcap off the scores until the product is reached."""
        node = self.graph.node(ref)
        if PRODUCT.made_by(node):
            return Scores(node, (node,))
        if FLOAT_CAST.made_by(node):
            return self._with(self._scores(node.refs[0]), node)
        peel = PEELS.get(node.op.name)
        if peel is not None:
            return peel(self, node)
        return Miss("UnsupportedEpilogue", f"{node.op.name} between the scores and their softmax")

    def _with(self, scores: Scores | Miss, node: Node, **changes: Any) -> Scores | Miss:
        return scores if isinstance(scores, Miss) else replace(scores, inside=(*scores.inside, node), **changes)

    def times(self, node: Node) -> Scores | Miss:
        """s·c, c·s  ->  s, its scale times c;  c·tanh(s/c)  ->  s, capped;  a factor that is not constant goes to the queries"""
        for path, other in (node.refs, node.refs[::-1]):
            if self.graph.shape(other).num_elements != 1:
                continue
            number, inner = scalar(self.graph, other), self.graph.node(path)
            if SOFTCAP.made_by(inner) and number is not None and number > 0:
                return self._with(self._capped(inner, number), node)
            if number is None:
                return self._scaled(node, path, None, factors=(other,))
            return self._scaled(node, path, number, scale=number)
        return Miss("BroadcastOperand", "mul of the scores by more than a scalar")

    def over(self, node: Node) -> Scores | Miss:
        """s/c  ->  s, its scale over c"""
        path, other = node.refs
        if self.graph.shape(other).num_elements != 1:
            return Miss("BroadcastOperand", "div of the scores by more than a scalar")
        number = scalar(self.graph, other)
        found = self._scaled(node, path, number, scale=1 / number if number else math.inf)
        if number is None and not isinstance(found, Miss):
            return Miss("UnsupportedEpilogue", "a division by a value that is not constant")
        return found

    def _scaled(
        self, node: Node, path: Ref, number: float | None, scale: float = 1.0, factors: tuple[Ref, ...] = ()
    ) -> Scores | Miss:
        scores = self._scores(path)
        if isinstance(scores, Miss):
            return scores
        if scores.biases or scores.softcap is not None or (scores.is_masked and not (number or 0) > 0):
            return Miss("UnsupportedEpilogue", "a factor behind a bias or a softcap")
        return self._with(scores, node, scale=scores.scale * scale, factors=(*scores.factors, *factors))

    def bare_tanh(self, node: Node) -> Scores | Miss:
        """tanh(s)  ->  nothing that attention has, where no factor undoes its division"""
        return Miss("UnsupportedEpilogue", "a tanh of the scores that is no softcap c·tanh(s/c)")

    def _capped(self, tanh: Node, cap: float) -> Scores | Miss:
        """tanh(s/c) before c·tanh(s/c): the scale takes the division back."""
        scores = self._scores(tanh.refs[0])
        if isinstance(scores, Miss):
            return scores
        if scores.biases or scores.is_masked or scores.softcap is not None:
            return Miss("UnsupportedEpilogue", "a softcap behind a mask")
        return self._with(scores, tanh, scale=scores.scale * cap, softcap=cap)

    def plus(self, node: Node) -> Scores | Miss:
        """s + mask, mask + s  ->  s in a band where the mask hides by position, else with a bias"""
        miss: Scores | Miss = Miss("UnsupportedEpilogue", "a sum in which no operand is the scores")
        for path, other in (node.refs, node.refs[::-1]):
            scores = self._scores(path) if self.graph.shape(path).dims == node.shape.dims else miss
            if isinstance(scores, Miss):
                miss = scores
                continue
            band = additive_band(self.graph, other)
            joined = None if band is None else scores.band.joined(band)
            if joined is not None and self._sees_a_key(joined):
                return self._with(scores, node, band=joined)
            return self._with(scores, node, biases=(*scores.biases, other))
        return miss

    def minus(self, node: Node) -> Scores | Miss:
        """s - bias  ->  nothing that attention has"""
        path = node.refs[0]
        scores = self._scores(path) if self.graph.shape(path).dims == node.shape.dims else None
        if isinstance(scores, Miss):
            return scores
        what = "a sum in which no operand is the scores" if scores is None else "a bias that is subtracted"
        return Miss("UnsupportedEpilogue", what)

    def selected(self, node: Node) -> Scores | Miss:
        """where(visible, s, -inf), where(hidden, -inf, s)  ->  s in a band, or with a condition"""
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
            joined = scores.band.joined(band)
            if joined is None or not (self._sees_a_key(joined) or (joined.offset is None and not joined.lower)):
                joined = scores.band.with_condition(condition, hides=side == 1)
            if joined.rest and hidden > _ABSORBS:
                what = f"hidden scores become {hidden}: a row with no visible key would not be the same"
                return Miss("FiniteMask", what)
            least = max(hidden, scores.hidden) if scores.band.rest else hidden
            return self._with(scores, node, band=joined, hidden=least)
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
            if PRODUCT.made_by(node) and node.refs[1].node not in self.prepared:
                return True
            if steps < _STEPS and (node.op.definition.is_pointwise or VIEWS.made_by(node)):
                todo += [(operand, steps + 1) for operand in node.refs]
        return False

    def _single_use(self, last: Node, scores: Scores) -> Miss | None:
        inside = {node.id for node in scores.inside} | {last.id}
        for node in scores.inside:
            if node.ref in self.uses.escapes:
                return Miss("IsOutput", f"{node.op.name} inside attention is an output")
            if any(reader.id not in inside for reader in self.uses.of(node.ref)):
                return Miss(
                    "MultiConsumer", f"the result of {node.op.name} inside attention is used elsewhere too, so it is kept in memory"
                )
        return None

    def _heads_inside(self, last: Node) -> bool:
        """Whether everything that reads the result swaps its heads and rows."""
        readers = self.uses.of(last.ref)
        if not readers or last.shape.rank != 4 or last.ref in self.uses.escapes:
            return False
        return all(HEADS_SWAPPED.made_by(reader) for reader in readers)

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
        if 0 in (head_dim, *q.dims[1:-2], *k.dims[1:-2]):
            return Miss("HeadDim", f"{q} has no elements in a head, or no heads")
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


PEELS: dict[str, Callable[[Finder, Node], Scores | Miss]] = {
    "mul": Finder.times,
    "div": Finder.over,
    "tanh": Finder.bare_tanh,
    "add": Finder.plus,
    "sub": Finder.minus,
    "where": Finder.selected,
}
"""What may stand between the scores and their softmax, and what becomes of it."""
