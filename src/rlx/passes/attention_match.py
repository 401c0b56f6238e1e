"""Finding attention in primitives: a softmax between two products, with scales, softcaps, biases and masks on the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from rlx.core.bounds import proves_at_most
from rlx.core.dim import Size, same
from rlx.ir.graph import Graph, Node, Ref
from rlx.passes.attention_masks import HIDDEN, Band, additive_band, read_condition, scalar
from rlx.passes.prepared import prepared_nodes

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

    @property
    def is_masked(self) -> bool:
        """Whether some scores are hidden, by position or by a condition."""
        return bool(self.band.rest) or self.band.offset is not None


@dataclass(frozen=True)
class Match:
    """Attention found: its last node, the scores, and the values."""

    last: Node
    scores: Scores
    values: Ref
    heads_inside: bool  # all readers want [B, S, H, D] of this [B, H, S, D]: written so at once


class Finder:
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
        return (
            self._fits(node, scores)
            or self._single_use(node, scores)
            or Match(node, scores, node.refs[1], self._heads_inside(node))
        )

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
        if (
            powers.op.name != "exp"
            or total.op.name != "reduce_sum"
            or total.refs[0] != powers.ref
            or not _along_last(total, last)
        ):
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
                return self._with(self._capped(inner, number), node)
            scores = self._scores(path)
            if isinstance(scores, Miss):
                return scores
            if scores.biases or scores.softcap is not None or (scores.is_masked and not (number or 0) > 0):
                return Miss("UnsupportedEpilogue", "a factor behind a bias or a softcap")
            if number is None:
                if node.op.name == "div":
                    return Miss("UnsupportedEpilogue", "a division by a value that is not constant")
                return self._with(scores, node, factors=(*scores.factors, other))
            factor = number if node.op.name == "mul" else 1 / number if number else math.inf
            return self._with(scores, node, scale=scores.scale * factor)
        return Miss("BroadcastOperand", f"{node.op.name} of the scores by more than a scalar")

    def _capped(self, tanh: Node, cap: float) -> Scores | Miss:
        """tanh(s/c) before c·tanh(s/c): the scale takes the division back."""
        scores = self._scores(tanh.refs[0])
        if isinstance(scores, Miss):
            return scores
        if scores.biases or scores.is_masked or scores.softcap is not None:
            return Miss("UnsupportedEpilogue", "a softcap behind a mask")
        return self._with(scores, tanh, scale=scores.scale * cap, softcap=cap)

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
            joined = None if band is None else scores.band.joined(band)
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
            joined = scores.band.joined(band)
            if joined is None or not (self._sees_a_key(joined) or (joined.offset is None and not joined.lower)):
                joined = scores.band.with_condition(condition, hides=side == 1)
            if joined.rest and hidden > _ABSORBS:
                return Miss(
                    "FiniteMask", f"hidden scores become {hidden}: a row with no visible key would not be the same"
                )
            return self._with(
                scores, node, band=joined, hidden=max(hidden, scores.hidden) if scores.band.rest else hidden
            )
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

    def _heads_inside(self, last: Node) -> bool:
        """Whether everything that reads the result swaps its heads and rows."""
        readers = self.users.get(last.ref, [])
        if not readers or last.shape.rank != 4 or last.ref in self.escapes:
            return False
        return all(reader.op.name == "transpose" and reader.op["perm"] == (0, 2, 1, 3) for reader in readers)

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


def _along_last(node: Node, last: int) -> bool:
    return bool(node.op["axes"] == (last,) and node.op["keep_dim"])


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
