"""What each op does to cuts: which cut it needs of its operands, which its results have, and over which axes these are partial sums.

A rule says what XLA's partitioner does with the presets' cuts: where two operands want one axis of the mesh for different axes of the
result, the larger keeps it and the other is gathered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlx.core.enums import OpKind
from rlx.core.shape import Shape
from rlx.core.sharding import BATCH_AXES, P
from rlx.ir.graph import Node

# -- how the axes of an array are cut over a mesh, as plain tuples; and what happens to that when the array is reshaped or combined


Axes = tuple[str, ...]
"""The mesh axes that cut one axis of an array."""
Cut = tuple[Axes, ...]
"""The sharding of an array: an entry for each of its axes."""


def whole(rank: int) -> Cut:
    """The cut of a replicated value."""
    return ((),) * rank


def cut_of(spec: P, rank: int) -> Cut:
    """Converts a spec to a cut with an entry for each axis."""
    cut = [() if names is None else (names,) if isinstance(names, str) else tuple(names) for names in spec]
    return tuple(cut) + ((),) * (rank - len(cut))


def axes_of(cut: Cut) -> frozenset[str]:
    """All mesh axes that a cut uses."""
    return frozenset(name for axes in cut for name in axes)


def parts(names: Iterator[str] | Sequence[str] | frozenset[str], sizes: Mapping[str, int]) -> int:
    """The product of the sizes of these mesh axes."""
    return math.prod(sizes[name] for name in names)


def local_bytes(shape: Shape, cut: Cut, sizes: Mapping[str, int]) -> int:
    """Bytes of one device's part of a value."""
    count = shape.dtype.size
    for size, axes in zip(shape.dims, cut, strict=True):
        count *= -(-int(size) // parts(axes, sizes))
    return int(count)


def without(cut: Cut, names: frozenset[str]) -> Cut:
    """The cut after an all-gather over these mesh axes."""
    return tuple(tuple(name for name in axes if name not in names) for axes in cut)


def permute_cut(cut: Cut, order: Sequence[int]) -> Cut:
    """The cut of a transposed array."""
    return tuple(cut[axis] for axis in order)


def reshape_cut(cut: Cut, before: Sequence[int], after: Sequence[int], sizes: Mapping[str, int]) -> Cut:
    """The cut of a reshaped array: a merged axis takes all mesh axes, a split one gives them to its outer parts.

    >>> reshape_cut((("data",), (), ("model",)), (4, 8, 6), (32, 2, 3), {"data": 2, "model": 2})
    (('data',), ('model',), ())
    """
    axes: list[Axes] = [()] * len(after)
    for old, new in _groups(before, after):
        names = [name for axis in old for name in cut[axis]]
        for name in names:
            inner = name not in BATCH_AXES and len(old) == 1 and names[0] != name
            candidates = [axis for axis in new if after[axis] > 1]
            for axis in candidates[1:] + candidates[:1] if inner else candidates:
                if after[axis] % (parts(axes[axis], sizes) * sizes[name]) == 0:
                    axes[axis] = (*axes[axis], name)
                    break
    return tuple(axes)


def _groups(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Matches the axes of two shapes in runs with the same number of elements."""
    i = j = 0
    while i < len(before) or j < len(after):
        old, new = [], []
        left = right = 1
        if i < len(before):
            old, left, i = [i], before[i], i + 1
        if j < len(after):
            new, right, j = [j], after[j], j + 1
        while left != right:
            if left < right and i < len(before):
                old.append(i)
                left, i = left * before[i], i + 1
            elif j < len(after):
                new.append(j)
                right, j = right * after[j], j + 1
            else:
                break
        yield old, new


@dataclass(frozen=True)
class Question:
    """The input of a sharding rule: a node, and how its operands are sharded."""

    node: Node
    shapes: tuple[Shape, ...]
    cuts: tuple[Cut, ...]
    sizes: Mapping[str, int]

    def dims(self, index: int) -> tuple[int, ...]:
        """The sizes of operand `index`."""
        return tuple(int(size) for size in self.shapes[index].dims)

    def elements(self, index: int) -> int:
        """The number of elements of operand `index`."""
        return int(self.shapes[index].num_elements)


@dataclass(frozen=True)
class Ruling:
    """The result of a sharding rule: the cuts that an op needs of its operands, and those of its results."""

    needed: tuple[Cut, ...]
    results: tuple[Cut, ...]
    partial: tuple[frozenset[str], ...]
    """For each result, the mesh axes over which devices hold partial sums."""


def _plain(needed: Sequence[Cut], *results: Cut) -> Ruling:
    return Ruling(tuple(needed), results, (frozenset(),) * len(results))


# -- element by element ------------------------------------------------------------------------------------------
def _pointwise(q: Question) -> Ruling:
    """Shards an elementwise op: axes are aligned at the end, and the cut of the largest operand takes precedence."""
    dims = [int(size) for size in q.node.shape.dims]
    cut: list[Axes] = [()] * len(dims)
    used: set[str] = set()
    for index in sorted(range(len(q.cuts)), key=lambda i: -q.elements(i)):
        first = len(dims) - len(q.cuts[index])
        for axis, axes in enumerate(q.cuts[index]):
            if axes and not cut[first + axis] and q.dims(index)[axis] == dims[first + axis]:
                fresh = tuple(name for name in axes if name not in used)
                cut[first + axis] = fresh
                used |= set(fresh)
    result = tuple(cut)
    return _plain([align_cut(result, dims, q.dims(index)) for index in range(len(q.cuts))], result)


def align_cut(cut: Cut, dims: Sequence[int], operand: Sequence[int]) -> Cut:
    """The cut of an operand that is broadcast to `dims`."""
    first = len(dims) - len(operand)
    return tuple(cut[first + axis] if size == dims[first + axis] else () for axis, size in enumerate(operand))


# -- movement ----------------------------------------------------------------------------------------------------
def _reshape(q: Question) -> Ruling:
    after = [int(size) for size in q.node.shape.dims]
    return _plain(q.cuts, reshape_cut(q.cuts[0], q.dims(0), after, q.sizes))


def _transpose(q: Question) -> Ruling:
    return _plain(q.cuts, permute_cut(q.cuts[0], q.node.op["perm"]))


def _expand(q: Question) -> Ruling:
    dims = [int(size) for size in q.node.shape.dims]
    first = len(dims) - len(q.cuts[0])
    cut = (q.cuts[0][i] if q.dims(0)[i] == dims[first + i] else () for i in range(len(q.cuts[0])))
    return _plain(q.cuts, whole(first) + tuple(cut))


def _reduction(q: Question) -> Ruling:
    """Shards a reduction: mesh axes that cut a reduced axis give partial sums."""
    gone = {axis % len(q.cuts[0]) for axis in q.node.op.attrs.get("axes", ())}
    partial = frozenset(name for axis in gone for name in q.cuts[0][axis])
    cut = [() if axis in gone else axes for axis, axes in enumerate(q.cuts[0])]
    if len(cut) != q.node.shape.rank:
        cut = [axes for axis, axes in enumerate(cut) if axis not in gone]
    return Ruling(q.cuts, (tuple(cut),), (partial,))


# -- products ----------------------------------------------------------------------------------------------------
def _matmul(q: Question) -> Ruling:
    """Shards rows like the left operand and columns like the right one; a reduction axis that both cut alike gives partial sums."""
    (left, right), larger_left = q.cuts, q.elements(0) >= q.elements(1)
    rows, inner, below, columns = left[:-1], left[-1], right[-2], right[-1]
    in_rows = axes_of(rows)
    if larger_left:
        right = without(right, in_rows)
        below, columns = right[-2], right[-1]
        left = without(left, frozenset(name for name in inner if name in columns))
    else:
        taken = frozenset(below) | frozenset(columns)
        left = (*without(rows, taken), inner)
        left = without(left, frozenset(name for name in left[-1] if name in columns))
    rows, inner = left[:-1], left[-1]
    partial = frozenset(inner) | frozenset(below)
    summed = tuple(dict.fromkeys((*inner, *below)))
    needed_right = (*right[:-2], summed, columns)
    return Ruling(((*rows, summed), needed_right), ((*rows, columns),), (partial,))


# -- tables ------------------------------------------------------------------------------------------------------
def _gather(q: Question) -> Ruling:
    """Shards a table lookup.
    The table is gathered along mesh axes that cut both its rows and the ids. Where mesh axes cut its columns, the ids are gathered
    instead, because they are smaller."""
    table, ids = q.cuts
    table = (tuple(name for name in table[0] if name not in axes_of(ids)), *table[1:])
    ids = without(ids, axes_of(table[1:]))
    return Ruling((table, ids), ((*ids, *table[1:]),), (frozenset(table[0]),))


def _gather_backward(q: Question) -> Ruling:
    """Shards the gradient of a table: each device adds up the rows of its own part of dy."""
    dy, ids = q.cuts
    count = len(ids)
    return Ruling((dy, ids), (((), *dy[count:]),), (axes_of(dy[:count]),))


def _take_along(q: Question) -> Ruling:
    """Shards `take_along_axis`: each device looks up its part of the axis, and the parts are summed."""
    axis = q.node.op["axis"] % len(q.cuts[0])
    rows = tuple(() if i == axis else axes for i, axes in enumerate(q.cuts[0]))
    return Ruling((q.cuts[0], rows), (rows,), (frozenset(q.cuts[0][axis]),))


# -- norms, attention, loss --------------------------------------------------------------------------------------
def _norm(q: Question) -> Ruling:
    """Shards the rows of a norm; the normalized axis and the gain are replicated."""
    axis = q.node.op["axis"] % len(q.cuts[0])
    rows = tuple(() if i == axis else axes for i, axes in enumerate(q.cuts[0]))
    return _plain([rows, *(whole(len(cut)) for cut in q.cuts[1:])], rows)


def _norm_backward(q: Question) -> Ruling:
    """Shards the gradient of a norm; the gradients of gain and bias are partial sums over the rows."""
    axis = q.node.op["axis"] % len(q.cuts[0])
    rows = tuple(() if i == axis else axes for i, axes in enumerate(q.cuts[0]))
    sums = [whole(shape.rank) for shape in q.node.results[1:]]
    needed = [rows if len(cut) == len(rows) else whole(len(cut)) for cut in q.cuts]
    return Ruling(tuple(needed), (rows, *sums), (frozenset(), *(axes_of(rows) for _ in sums)))


def _first_operand(q: Question) -> Ruling:
    """Shards the result like the first operand, as for RoPE; other operands are replicated."""
    return _plain([q.cuts[0], *(whole(len(cut)) for cut in q.cuts[1:])], q.cuts[0])


def _keys(q: Question, index: int) -> Cut:
    """The cut of keys and values: batch and heads as in the queries, positions replicated."""
    batch, _, features = q.cuts[0]
    heads = q.node.op["num_kv_heads"] or q.node.op["num_heads"]
    fits = all(heads % q.sizes[name] == 0 for name in features)
    return (batch, (), features if fits else ())


def _attention(q: Question) -> Ruling:
    rest = [whole(len(cut)) for cut in q.cuts[3:]]
    return _plain([q.cuts[0], _keys(q, 1), _keys(q, 2), *rest], q.cuts[0])


def _attention_backward(q: Question) -> Ruling:
    """Shards the attention gradient; where query positions are cut, gradients of keys and values are partial sums."""
    rest = [whole(len(cut)) for cut in q.cuts[4:]]
    keys = _keys(q, 1)
    needed = (q.cuts[0], keys, keys, q.cuts[0], *rest)
    over = frozenset(q.cuts[0][1])
    return Ruling(needed, (q.cuts[0], keys, keys), (frozenset(), over, over))


def _cross_entropy(q: Question) -> Ruling:
    logits, _ = q.cuts[:2]
    rows = logits[:1]
    return Ruling((logits, rows), (rows,), (frozenset(logits[1]),))


def _cross_entropy_backward(q: Question) -> Ruling:
    logits = q.cuts[0]
    return _plain([logits, logits[:1], logits[:1]], logits)


def _by_rows(q: Question) -> Ruling:
    """Shards an op without its own rule by rows if all results have as many, else replicates everything."""
    count = q.shapes[0].dims[0] if q.shapes and q.shapes[0].rank else None
    alike = count is not None and all(shape.rank and shape.dims[0] == count for shape in q.node.results)
    first = q.cuts[0][0] if alike else ()

    def cut(shape: Shape) -> Cut:
        rows = first if shape.rank and shape.dims[0] == count else ()
        return (rows, *whole(shape.rank - 1)) if shape.rank else ()

    return _plain([cut(shape) for shape in q.shapes], *(cut(shape) for shape in q.node.results))


RULES: dict[str, Callable[[Question], Ruling]] = {
    "reshape": _reshape,
    "transpose": _transpose,
    "expand": _expand,
    "matmul": _matmul,
    "gather": _gather,
    "gather_backward": _gather_backward,
    "take_along_axis": _take_along,
    "rms_norm": _norm,
    "layer_norm": _norm,
    "rms_norm_backward": _norm_backward,
    "layer_norm_backward": _norm_backward,
    "rope": _first_operand,
    "rope_backward": _first_operand,
    "attention": _attention,
    "attention_backward": _attention_backward,
    "softmax_cross_entropy_with_logits": _cross_entropy,
    "softmax_cross_entropy_backward": _cross_entropy_backward,
}
"""Sharding rules by op name; `ruling` has those of op families and kinds."""


KEPT_WHOLE = frozenset(name for name in RULES if name.startswith(("attention", "gather", "matmul", "rope", "take")))
"""Composite ops with a rule of their own, which are not decomposed: they contain loops or matmuls."""


def is_fusible(node: Node) -> bool:
    """Whether XLA computes the node inside its readers: an elementwise op, a cast, or the broadcast of a scalar."""
    record = node.op.definition
    return record.is_pointwise or "to" in record.attrs


def ruling(question: Question) -> Ruling:
    """Applies the sharding rule of a node's op."""
    record = question.node.op.definition
    rule = RULES.get(record.name)
    if rule is not None:
        return rule(question)
    if not question.cuts:
        return _plain((), *(whole(shape.rank) for shape in question.node.results))
    if is_fusible(question.node):
        return _pointwise(question)
    if record.kind is OpKind.Reduction and "axes" in record.attrs:
        return _reduction(question)
    return _by_rows(question)
