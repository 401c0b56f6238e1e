"""Finding attention in primitives: a softmax between two products, with scales, softcaps, biases and masks on the scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, proves_at_most, same
from rlx.core.enums import MaskKind
from rlx.core.report import Report
from rlx.core.shape import Shape, is_one
from rlx.ir.emit import emit, size_scalar
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Rules, Site, Uses, compose, identity, op, rewrites
from rlx.ir.value import Value, one
from rlx.passes.canonicalize import canonicalize, dce
from rlx.passes.entry import Context, PassResult

# -- masks as attention knows them: which conditions on positions, constants or additive tensors are causal, windowed, or something


HIDDEN = -1e9  # a score this low has weight 0 beside a visible one


@dataclass(frozen=True)
class Line:
    """row·i + column·j + offset: an integer that depends on the query's row i and the key's column j."""

    row: int = 0
    column: int = 0
    offset: Size = 0

    def plus(self, other: Line, sign: int = 1) -> Line:
        """The sum, or the difference."""
        shift = other.offset if sign > 0 else other.offset * -1
        return Line(self.row + sign * other.row, self.column + sign * other.column, self.offset + shift)


@dataclass
class Band:
    """The visible keys of a query: j <= i + offset, j > i + offset - window, and the conditions of `rest`."""

    offset: Size | None = None
    lower: list[Size] = field(default_factory=list)  # j >= i - c for each c
    rest: list[tuple[Ref, bool]] = field(default_factory=list)  # conditions, and whether they hide keys instead of showing them

    def window(self) -> int | None:
        """The number of visible keys, if the band has a lower bound and it is static."""
        if self.offset is None or len(self.lower) != 1:
            return None
        window = self.offset + 1 + self.lower[0]
        return window if isinstance(window, int) and window >= 1 else None

    def join(self, other: Band) -> Band | None:
        """The intersection of two bands; None if their diagonals differ, which no mask kind can represent."""
        if self.offset is not None and other.offset is not None and not same(self.offset, other.offset):
            return None
        offset = self.offset if self.offset is not None else other.offset
        return Band(offset, [*self.lower, *other.lower], [*self.rest, *other.rest])

    def with_condition(self, condition: Ref, *, hides: bool) -> Band:
        """The band with one more condition, which needs a bias."""
        return Band(self.offset, list(self.lower), [*self.rest, (condition, hides)])


def line_of(graph: Graph, ref: Ref) -> Line | None:
    """The integer line that a value is over its last two axes, None if it is not one.

    iota(shape=(S,)).reshape(S, 1) + 3  ->  i + 3
    """
    node = graph.node(ref)
    read = LINES.get(node.op.name)
    return None if read is None else read(graph, node)


def _combine(graph: Graph, node: Node, sign: int) -> Line | None:
    """a + b  ->  the sum of both lines        or their difference"""
    left, right = (line_of(graph, operand) for operand in node.refs)
    return None if left is None or right is None else left.plus(right, sign)


def _shift(graph: Graph, node: Node) -> Line | None:
    """narrow(a, axis=-1, start=s)  ->  the line of a from column s on"""
    inner = line_of(graph, node.refs[0])
    if inner is None:
        return None
    factor = {-1: inner.column, -2: inner.row}.get(node.op["axis"] - node.shape.rank, 0)
    return Line(inner.row, inner.column, inner.offset + node.op["start"] * factor)


def _move_axes(graph: Graph, node: Node) -> Line | None:
    """transpose(a)  ->  the line of a, its axes exchanged        reshape: where axes of 1 come and go"""
    inner = line_of(graph, node.refs[0])
    where = _axis_moves(graph.shape(node.refs[0]).dims, node.shape.dims, node.op.attrs.get("perm"))
    if inner is None or where is None:
        return None
    steps = {axis: step for axis, step in ((-2, inner.row), (-1, inner.column)) if step}
    moved = {where[axis]: step for axis, step in steps.items() if axis in where}
    if any(axis not in (-1, -2) for axis in moved) or len(moved) < len(steps):
        return None
    return Line(moved.get(-2, 0), moved.get(-1, 0), inner.offset)


def _axis_moves(source: tuple[Size, ...], dims: tuple[Size, ...], perm: tuple[int, ...] | None) -> dict[int, int] | None:
    """Maps old axes to new ones, both counted from the end, for axes longer than 1."""
    if perm is not None:
        return {old - len(dims): new - len(dims) for new, old in enumerate(perm)}
    old = [axis for axis in range(-len(source), 0) if not is_one(source[axis])]
    new = [axis for axis in range(-len(dims), 0) if not is_one(dims[axis])]
    if [source[axis] for axis in old] != [dims[axis] for axis in new]:
        return None
    return dict(zip(old, new, strict=True))


def _through(graph: Graph, node: Node) -> Line | None:
    """constant([[0, 1], [2, 3]])  ->  2i + j        where the numbers lie on a line"""
    array = node.op["value"].array
    if array.dtype.kind not in "iuf" or not array.size or any(size != 1 for size in array.shape[:-2]):
        return None
    numbers = np.atleast_2d(array.astype(np.float64).reshape(array.shape[-2:]))
    steps = [int(line[1] - line[0]) if len(line) > 1 else 0 for line in (numbers[:, 0], numbers[0])]
    rows, columns = np.arange(numbers.shape[0])[:, None], np.arange(numbers.shape[1])
    if not np.array_equal(numbers, numbers[0, 0] + steps[0] * rows + steps[1] * columns) or numbers[0, 0] != int(numbers[0, 0]):
        return None
    return Line(steps[0], steps[1], int(numbers[0, 0]))


LINES: Mapping[str, Callable[[Graph, Node], Line | None]] = {
    "constant": _through,
    "size_value": lambda graph, node: Line(offset=node.op["size"]),
    "iota": lambda graph, node: {-1: Line(column=1), -2: Line(row=1)}.get(node.op["axis"] - node.shape.rank),
    "add": lambda graph, node: _combine(graph, node, 1),
    "sub": lambda graph, node: _combine(graph, node, -1),
    "narrow": _shift,
    **dict.fromkeys(("cast", "expand"), lambda graph, node: line_of(graph, node.refs[0])),
    **dict.fromkeys(("reshape", "transpose"), _move_axes),
}
"""By op name, the rule for the result's line from the operands' lines."""
SHOWS, HIDES = op("and"), op("or")
"""The condition whose operands all hold where it shows a key, and the one whose operands all do where it hides one."""
NOT, CORNERED, COMPARISON = op("not"), op(("reshape", "expand")), op(("lt", "le", "gt", "ge"))


def read_condition(graph: Graph, ref: Ref, hides: bool, band: Band) -> None:
    """Adds to `band` the keys that a bool value makes visible: bounds for a comparison of positions, else `rest`."""
    node = graph.node(ref)
    if NOT.made_by(node):
        read_condition(graph, node.refs[0], not hides, band)
    elif (HIDES if hides else SHOWS).made_by(node):
        for operand in node.refs:
            read_condition(graph, operand, hides, band)
    elif CORNERED.made_by(node) and _same_corner(graph, node.refs[0], ref):
        read_condition(graph, node.refs[0], hides, band)
    elif node.op.is_constant:
        shown = np.logical_not(node.op["value"].array) if hides else node.op["value"].array
        if not read_array(shown, band):
            band.rest.append((ref, hides))
    else:
        line = _inequality(graph, node, hides)
        if line is None or not _add_bound(line, band):
            band.rest.append((ref, hides))


def _same_corner(graph: Graph, inner: Ref, outer: Ref) -> bool:
    """Whether a reshape or expand only adds axes in front."""
    source, dims = graph.shape(inner).dims, graph.shape(outer).dims
    tail = dims[len(dims) - len(source) :] if source else ()
    return len(dims) >= len(source) >= 2 and source[-2:] == tail[-2:] and all(is_one(size) for size in source[:-2])


def _inequality(graph: Graph, node: Node, hides: bool) -> Line | None:
    """Rewrites a comparison as `line >= 0`."""
    line = _combine(graph, node, -1) if COMPARISON.made_by(node) else None
    if line is None:
        return None
    name = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}[node.op.name] if hides else node.op.name
    if name in ("lt", "le"):
        line = Line().plus(line, -1)
    return Line(line.row, line.column, line.offset - 1) if name in ("lt", "gt") else line


def _add_bound(line: Line, band: Band) -> bool:
    """Adds a bound of j to the band: i - j + c >= 0 is an upper one, j - i + c >= 0 a lower one."""
    if (line.row, line.column) == (1, -1):
        if band.offset is not None and not same(band.offset, line.offset):
            return False
        band.offset = line.offset
        return True
    if (line.row, line.column) == (-1, 1):
        band.lower.append(line.offset)
        return True
    return False


def read_array(shown: npt.NDArray[np.bool_], band: Band) -> bool:
    """Adds to the band a constant table of visible keys: a lower triangle, or a band below a diagonal."""
    if shown.ndim < 2 or any(size != 1 for size in shown.shape[:-2]) or band.offset is not None:
        return False
    table = shown.reshape(shown.shape[-2:])
    queries, keys = shown.shape[-2], shown.shape[-1]
    seen = np.nonzero(table[0])[0]
    if not seen.size or queries < 2:
        return False
    offset = int(seen[-1])
    lowest = np.nonzero(table[-1])[0]
    if np.array_equal(table, np.tri(queries, keys, offset, dtype=bool)):
        band.offset = offset
        return True
    if lowest.size:
        below = int(queries - 1 - lowest[0])
        if np.array_equal(table, np.tri(queries, keys, offset, dtype=bool) & ~np.tri(queries, keys, -below - 1, dtype=bool)):
            band.offset = offset
            band.lower.append(below)
            return True
    return False


SPREAD, CAST, CHOICE = op(("reshape", "expand", "cast")), op("cast"), op("where")


def scalar(graph: Graph, ref: Ref) -> float | None:
    """The value of a constant with one element, else None."""
    node = graph.node(ref)
    while SPREAD.made_by(node):
        node = graph.node(node.refs[0])
    array = node.op["value"].array if node.op.is_constant else None
    return None if array is None or array.size != 1 or array.dtype.kind == "c" else float(array.ravel()[0])


def additive_band(graph: Graph, ref: Ref) -> Band | None:
    """The band of an additive mask: where(visible, 0, -inf), or a constant of zeros and -1e9."""
    node = graph.node(ref)
    if CAST.made_by(node) or (CORNERED.made_by(node) and _same_corner(graph, node.refs[0], ref)):
        return additive_band(graph, node.refs[0])
    band = Band()
    if node.op.is_constant:
        array = node.op["value"].array.astype(np.float64)
        fits = bool(((array == 0) | (array <= HIDDEN)).all()) and read_array(array == 0, band)
        return band if fits else None
    if not CHOICE.made_by(node):
        return None
    shown, other = scalar(graph, node.refs[1]), scalar(graph, node.refs[2])
    if shown is None or other is None or sorted((shown == 0, other == 0)) != [False, True] or min(shown, other) > HIDDEN:
        return None
    read_condition(graph, node.refs[0], shown != 0, band)
    return None if band.rest or band.offset is None else band


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
    """The reason why a softmax between two matmuls is not attention."""

    reason: str
    what: str


@dataclass(frozen=True)
class Scores:
    """The scores of an attention match: scale, mask, bias and softcap between the product q·kᵀ and its softmax."""

    product: Node
    inside: tuple[Node, ...]  # every node on the path, which must not have other readers
    scale: float = 1.0
    factors: tuple[Ref, ...] = ()  # scalars that are not constants
    softcap: float | None = None
    biases: tuple[Ref, ...] = ()
    band: Band = field(default_factory=Band)
    hidden: float = -math.inf  # the score that `band.rest` gives hidden keys

    @property
    def is_masked(self) -> bool:
        """Whether a position or a condition hides some scores."""
        return bool(self.band.rest) or self.band.offset is not None


@dataclass(frozen=True)
class AttentionMatch:
    """A matched attention: its last node, the scores, and the values."""

    last: Node
    scores: Scores
    values: Ref
    heads_inside: bool  # all readers transpose [B, H, S, D] to [B, S, H, D]: stored so directly


class Finder:
    """Matches attention at each matmul whose left operand is a softmax."""

    def __init__(self, graph: Graph, context: Context) -> None:
        self.graph = graph
        self.uses = context.uses(graph)
        self.prepared = context.prepared(graph)

    def match(self, node: Node) -> AttentionMatch | Miss | None:
        """Matches attention that ends in this node; a Miss if it cannot be one, or None if nothing resembles attention."""
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
        """The operand and the nodes of a softmax, with or without casts around it."""
        if FLOAT_CAST.made_by(node):
            inner = self._softmax(self.graph.node(node.refs[0]))
            return None if inner is None else (inner[0], [node, *inner[1]])
        for pattern in SOFTMAXES:
            match = pattern.match(self.uses, node)
            if match is not None:
                parts = [match.node(name) for name in ("total", "powers", "shifted", "top") if name in match.found]
                return match["x"], [node, *parts]
        return None

    def _scores(self, ref: Ref) -> Scores | Miss:
        """Peels masks, factors and a softcap off the scores until it reaches the matmul."""
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
                return self._with(self._cap(inner, number), node)
            if number is None:
                return self._scale(node, path, None, factors=(other,))
            return self._scale(node, path, number, scale=number)
        return Miss("BroadcastOperand", "mul of the scores by more than a scalar")

    def over(self, node: Node) -> Scores | Miss:
        """s/c  ->  s, its scale over c"""
        path, other = node.refs
        if self.graph.shape(other).num_elements != 1:
            return Miss("BroadcastOperand", "div of the scores by more than a scalar")
        number = scalar(self.graph, other)
        scores = self._scale(node, path, number, scale=1 / number if number else math.inf)
        if number is None and not isinstance(scores, Miss):
            return Miss("UnsupportedEpilogue", "a division by a value that is not constant")
        return scores

    def _scale(
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

    def _cap(self, tanh: Node, cap: float) -> Scores | Miss:
        """Matches tanh(s/c) before c·tanh(s/c): the scale absorbs the division."""
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
            joined = None if band is None else scores.band.join(band)
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

    def choose(self, node: Node) -> Scores | Miss:
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
            joined = scores.band.join(band)
            if joined is None or not (self._sees_a_key(joined) or (joined.offset is None and not joined.lower)):
                joined = scores.band.with_condition(condition, hides=side == 1)
            if joined.rest and hidden > _ABSORBS:
                what = f"hidden scores become {hidden}: a row with no visible key would not be the same"
                return Miss("FiniteMask", what)
            least = max(hidden, scores.hidden) if scores.band.rest else hidden
            return self._with(scores, node, band=joined, hidden=least)
        return Miss("UnsupportedEpilogue", "a choice between the scores and another tensor")

    def _sees_a_key(self, band: Band) -> bool:
        """Whether every query sees a key, and a mask kind (causal, or a window) can express the band."""
        if band.offset is None or (band.lower and band.window() is None):
            return False
        return proves_at_most(0, band.offset, self.graph.assumptions) is True

    def _has_product(self, ref: Ref) -> bool:
        """Whether a matmul of two activations is a few elementwise steps before a value, as in scores."""
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
        """Whether every reader of the result swaps its heads and rows."""
        readers = self.uses.of(last.ref)
        if not readers or last.shape.rank != 4 or last.ref in self.uses.escapes:
            return False
        return all(HEADS_SWAPPED.made_by(reader) for reader in readers)

    def _fits(self, last: Node, scores: Scores) -> Miss | None:
        """The reason why the attention op does not take these operands; None if it does."""
        q, k, v = (self.graph.shape(ref) for ref in (*scores.product.refs, last.refs[1]))
        miss = _refuse_sizes(q, k, v) or _refuse_heads(q, k, v)
        if miss is not None:
            return miss
        for bias in (*scores.biases, *(ref for ref, _ in scores.band.rest)):
            if not _bias_fits(self.graph.shape(bias).dims, q.dims[:-1], v.dims[-2]):
                return Miss("BroadcastOperand", f"a bias of {self.graph.shape(bias)}")
        return None


def _refuse_sizes(q: Shape, k: Shape, v: Shape) -> Miss | None:
    """The reason why attention does not take these ranks, dtypes and head sizes (`k` is transposed)."""
    if not 3 <= q.rank == k.rank == v.rank <= 5:
        return Miss("BroadcastOperand", f"ranks of {q}, {k} and {v}")
    if not all(shape.dtype.is_float for shape in (q, k, v)):
        return Miss("Dtype", f"attention of {q.dtype}, {k.dtype} and {v.dtype}")
    head_dim = q.dims[-1]
    if not isinstance(head_dim, int) or not same(v.dims[-1], head_dim):
        return Miss("HeadDim", f"queries of size {head_dim} and values of size {v.dims[-1]}")
    if 0 in (head_dim, *q.dims[1:-2], *k.dims[1:-2]):
        return Miss("HeadDim", f"{q} has no elements in a head, or no heads")
    return None


def _refuse_heads(q: Shape, k: Shape, v: Shape) -> Miss | None:
    """The reason why attention does not take these batch axes and head counts."""
    if not same(q.dims[0], k.dims[0]) or not same(q.dims[0], v.dims[0]) or k.dims[1:-2] != v.dims[1:-2]:
        return Miss("BroadcastOperand", f"batch axes of {q}, {k} and {v}")
    if not all(isinstance(size, int) for size in (*q.dims[1:-2], *k.dims[1:-2])):
        return Miss("SymbolicHeads", f"{q} has heads of a symbolic number")
    if q.rank == 4 and k.dims[1] not in (1, q.dims[1]):
        return Miss("BroadcastOperand", f"{q.dims[1]} query heads on {k.dims[1]}")
    if q.rank == 5 and (k.dims[1] != q.dims[1] or k.dims[2] != 1):
        return Miss("BroadcastOperand", f"grouped heads of {q} and {k}")
    return None


def _bias_fits(dims: tuple[Size, ...], rows: tuple[Size, ...], keys: Size) -> bool:
    """Whether a bias for scores of these dims broadcasts to `[B, H, S, T]`."""
    full = (*rows, keys)
    if len(dims) > len(full):
        return False
    padded = (*(1,) * (len(full) - len(dims)), *dims)
    ones = [isinstance(size, int) and size == 1 for size in padded]
    if any(not one and not same(size, expected) for one, size, expected in zip(ones, padded, full, strict=True)):
        return False
    return len(full) < 5 or ones[1] == ones[2] or full[1] == 1 or full[2] == 1


PEELS: dict[str, Callable[[Finder, Node], Scores | Miss]] = {
    "mul": Finder.times,
    "div": Finder.over,
    "tanh": Finder.bare_tanh,
    "add": Finder.plus,
    "sub": Finder.minus,
    "where": Finder.choose,
}
"""By op name, the rule for an op between the scores' matmul and the softmax."""


# -- building attention that was found: the node, the views its operands need, and its mask as a kind, a bias and positions


TURNED = op("transpose")
REPEATED = op("reshape", op("expand", "source", capture="wide"))


def attend(rewriter: Rewriter, match: AttentionMatch) -> Value:
    """Emits the attention node and the views around it."""
    scores, result = match.scores, match.last.shape
    q, k = (rewriter.value(ref) for ref in scores.product.refs)
    v = rewriter.value(match.values)
    for factor in scores.factors:
        q = q * rewriter.value(factor).reshape(())
    rank, head_dim, batch = q.rank, q.shape[-1], q.shape[0]
    assert isinstance(head_dim, int)
    k = OPS["transpose"](k, perm=(*range(rank - 2), rank - 1, rank - 2))
    k, v = _ungroup(k, v)
    heads, kv_heads = (_count_of(x.shape[1:-2]) for x in (q, k))
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


def _count_of(sizes: tuple[Size, ...]) -> int:
    return math.prod(size for size in sizes if isinstance(size, int))


def _ungroup(k: Value, v: Value) -> tuple[Value, Value]:
    """repeat_kv(k), repeat_kv(v)  ->  k, v        where both were repeated alike: attention reads grouped heads in place"""
    if k.rank != 4:
        return k, v
    keys, values = _unrepeat(k), _unrepeat(v)
    return (k, v) if keys is None or values is None or keys.shape[1] != values.shape[1] else (keys, values)


def _unrepeat(x: Value) -> Value | None:
    """reshape(expand(k[B, Hkv, 1, T, D], [B, Hkv, G, T, D]), [B, Hkv·G, T, D])  ->  k[B, Hkv, T, D]        also behind transposes"""
    perm: tuple[int, ...] = (0, 1, 2, 3)
    while True:  # two transposes in a row may not yet be one
        inner = _unrepeat_at(x, perm[1])
        if inner is not None:
            return inner if perm == (0, 1, 2, 3) else inner.transpose(perm)
        node = x.graph.node(x.ref)
        if not TURNED.made_by(node):
            return None
        perm = tuple(node.op["perm"][axis] for axis in perm)
        x = Value(x.graph, node.refs[0])


def _unrepeat_at(x: Value, axis: int) -> Value | None:
    """Removes repeated kv heads at any axis."""
    match = REPEATED.match(Uses(x.graph), x.graph.node(x.ref))
    if match is None:
        return None
    wide, source = match.node("wide").shape.dims, x.graph.shape(match["source"]).dims
    if len(wide) != 5 or len(source) != 5 or not (isinstance(source[axis + 1], int) and source[axis + 1] == 1):
        return None
    same_elsewhere = all(wide[i] == source[i] for i in range(5) if i != axis + 1)
    merged = (*wide[:axis], wide[axis] * wide[axis + 1], *wide[axis + 2 :])
    if not same_elsewhere or merged != x.shape:
        return None
    return Value(x.graph, match["source"]).reshape(*wide[: axis + 1], *wide[axis + 2 :])


# -- the mask ---------------------------------------------------------------------------------------------------
def _mask(rewriter: Rewriter, scores: Scores, q: Value, k: Value) -> tuple[MaskKind, Value | None, Value | None]:
    """The mask kind, the bias, and the first query's position if it is not that kind's default."""
    offset, window = scores.band.offset, scores.band.window()
    rows, keys = q.shape[-2], k.shape[-2]
    kind = (
        MaskKind.SlidingWindow(window) if window is not None else MaskKind.Causal if offset is not None else MaskKind.parse("none")
    )
    bias = _bias(rewriter, scores)
    if bias is not None:
        kind = MaskKind.Bias
        if offset is not None and window is not None:  # with a bias, the window is added to the bias
            bias = bias + _window_bias(q, rows, keys, offset, window)
    if offset is None or same(offset, keys - rows, q.graph.assumptions):
        return kind, bias, None
    return kind, bias, OPS["expand"](size_scalar(q, offset).reshape(1), shape=(q.shape[0],))


def _bias(rewriter: Rewriter, scores: Scores) -> Value | None:
    """Emits all biases and conditions as one additive tensor for `[B, H, S, T]`."""
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
    """Reshapes a bias of scores `[N, S, T]` or `[B, Hkv, G, S, T]` to `[B, H, S, T]`."""
    if bias.rank < 3 or rank == 4:
        return bias
    if rank == 3:
        return bias.reshape(bias.shape[0], 1, *bias.shape[1:])
    padded = (*(1,) * (5 - bias.rank), *bias.shape)
    heads = _count_of(padded[1:3])
    return bias.reshape(padded[0], heads, *padded[3:])


def _window_bias(like: Value, rows: Size, keys: Size, offset: Size, window: int) -> Value:
    """Emits a bias of 0 within the window, -inf before it."""
    row = emit(OPS["iota"], (), {"shape": (rows, 1), "axis": 0}, graph=like.graph)
    key = emit(OPS["iota"], (), {"shape": (1, keys), "axis": 1}, graph=like.graph)
    seen = key > row + size_scalar(like, offset) - window
    return one("where", seen, 0.0, -math.inf)


# -- fuse attention: softmax(q·kᵀ·scale + mask)·v written in primitives becomes one `attention` node, with memory O(S) instead of O(


STAGE = "fuse attention"
SHARES = op(("softmax", "exp"))


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """matmul(softmax(matmul(q, kᵀ)·scale + mask), v)  ->  attention(q, k, v, mask)

    A score or weight that is an output or has another reader keeps its value: nothing is fused then, and the report says so.
    """
    if not context.options.fuse or not any(SHARES.made_by(node) for node in graph.nodes):
        return graph, identity(graph)
    plain, first = (
        PLAIN.apply(graph, STAGE) if any(PLAIN.of(node.op.definition) for node in graph.nodes) else (graph, identity(graph))
    )
    matches = _find_attention(plain, context)
    if not matches:
        return graph, identity(graph)
    rewriter = Rewriter(plain, STAGE)
    for node in plain.nodes:
        if node.id not in matches:
            rewriter.copy(node)
            continue
        rewriter.replace(node, rewriter.build(node, attend, rewriter, matches[node.id]))
        context.report_fusion(STAGE, f"attention of {_description(plain, matches[node.id])}", node)
    made, step = rewriter.finish()
    total = compose(first, step)
    for tidy in (canonicalize, dce):  # views of views, and the scores
        made, step = tidy(made, replace(context, report=Report()))
        total = compose(total, step)
    return made, total


def _find_attention(graph: Graph, context: Context) -> dict[int, AttentionMatch]:
    """Each attention that is fused, by its last node; the report lists why others are not."""
    finder = Finder(graph, context)
    matches: dict[int, AttentionMatch] = {}
    for node in graph.nodes:
        match = finder.match(node)
        if isinstance(match, AttentionMatch) and not context.options.excess_precision and node.shape.dtype.is_low_float:
            message = f"excess_precision=False rounds the ops that this attention in {node.shape.dtype} is written in"
            context.report_miss(STAGE, "RoundedOps", message, node)
        elif isinstance(match, AttentionMatch):
            matches[node.id] = match
        elif isinstance(match, Miss):
            context.report_miss(STAGE, match.reason, match.what, node)
    return matches


@rewrites(op("dot_general", "x", "y"))
def dot_as_matmul(at: Site, x: Value, y: Value) -> Value | None:
    """dot_general("bkgsd,bktd->bkgst")  ->  matmul(x[b, k, g, s, d], y[b, k, 1, d, t])        products over batch axes"""
    dot = at.node.op
    inner, outer = (dot["lhs_contract"], dot["rhs_contract"]), (dot["lhs_batch"], dot["rhs_batch"])
    rows, columns = ([axis for axis in range(v.rank) if axis not in (*inner[i], *outer[i])] for i, v in enumerate((x, y)))
    if len(inner[0]) != 1 or not outer[0] or len(columns) != 1 or len(rows) not in (1, 2):
        return None
    left, right = _transpose(x, (*outer[0], *rows, *inner[0])), _transpose(y, (*outer[1], *inner[1], *columns))
    if len(rows) == 2:
        count = len(outer[1])
        right = right.reshape(*right.shape[:count], 1, *right.shape[count:])
    return one("matmul", left, right)


PLAIN = Rules(dot_as_matmul)


def _transpose(x: Value, perm: tuple[int, ...]) -> Value:
    return x if perm == tuple(range(x.rank)) else x.transpose(perm)


def _description(graph: Graph, match: AttentionMatch) -> str:
    scores = match.scores
    masks = ["causal"] * (scores.band.offset is not None) + ["bias"] * (bool(scores.biases) or bool(scores.band.rest))
    return f"{graph.shape(scores.product.refs[0])} on {graph.shape(match.values)}" + (f", {' and '.join(masks)}" if masks else "")
