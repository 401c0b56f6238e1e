"""Masks as attention knows them: which conditions on positions, constants or additive tensors are causal, windowed, or something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, same
from rlx.core.shape import is_one
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import op

HIDDEN = -1e9  # a score this low has no weight beside one that is visible


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
    """j <= i + offset, and j > i + offset - window, and whatever `rest` says."""

    offset: Size | None = None
    lower: list[Size] = field(default_factory=list)  # j >= i - c for each c
    rest: list[tuple[Ref, bool]] = field(default_factory=list)  # conditions, and whether they hide instead of show

    def window(self) -> int | None:
        """The number of keys seen, when there is a lower bound and it is static."""
        if self.offset is None or len(self.lower) != 1:
            return None
        found = self.offset + 1 + self.lower[0]
        return found if isinstance(found, int) and found >= 1 else None

    def joined(self, other: Band) -> Band | None:
        """What both show; None where their diagonals differ, which no kind of mask can say."""
        if self.offset is not None and other.offset is not None and not same(self.offset, other.offset):
            return None
        offset = self.offset if self.offset is not None else other.offset
        return Band(offset, [*self.lower, *other.lower], [*self.rest, *other.rest])

    def with_condition(self, condition: Ref, *, hides: bool) -> Band:
        """The same with one condition more, which only a bias can say."""
        return Band(self.offset, list(self.lower), [*self.rest, (condition, hides)])


def line_of(graph: Graph, ref: Ref) -> Line | None:
    """The integer line that a value is over its last two axes, None when it is none.

    iota(shape=(S,)).reshape(S, 1) + 3  ->  i + 3
    """
    node = graph.node(ref)
    read = LINES.get(node.op.name)
    return None if read is None else read(graph, node)


def _joined(graph: Graph, node: Node, sign: int) -> Line | None:
    """a + b  ->  the sum of both lines        or their difference"""
    left, right = (line_of(graph, operand) for operand in node.refs)
    return None if left is None or right is None else left.plus(right, sign)


def _shifted(graph: Graph, node: Node) -> Line | None:
    """narrow(a, axis=-1, start=s)  ->  the line of a from column s on"""
    inner = line_of(graph, node.refs[0])
    if inner is None:
        return None
    factor = {-1: inner.column, -2: inner.row}.get(node.op["axis"] - node.shape.rank, 0)
    return Line(inner.row, inner.column, inner.offset + node.op["start"] * factor)


def _with_axes_moved(graph: Graph, node: Node) -> Line | None:
    """transpose(a)  ->  the line of a, its axes exchanged        reshape: where axes of 1 come and go"""
    inner = line_of(graph, node.refs[0])
    where = _moved(graph.shape(node.refs[0]).dims, node.shape.dims, node.op.attrs.get("perm"))
    if inner is None or where is None:
        return None
    steps = {axis: step for axis, step in ((-2, inner.row), (-1, inner.column)) if step}
    moved = {where[axis]: step for axis, step in steps.items() if axis in where}
    if any(axis not in (-1, -2) for axis in moved) or len(moved) < len(steps):
        return None
    return Line(moved.get(-2, 0), moved.get(-1, 0), inner.offset)


def _moved(source: tuple[Size, ...], dims: tuple[Size, ...], perm: tuple[int, ...] | None) -> dict[int, int] | None:
    """Old axis -> new axis, both counted from the end, for axes longer than 1."""
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
    "add": lambda graph, node: _joined(graph, node, 1),
    "sub": lambda graph, node: _joined(graph, node, -1),
    "narrow": _shifted,
    **dict.fromkeys(("cast", "expand"), lambda graph, node: line_of(graph, node.refs[0])),
    **dict.fromkeys(("reshape", "transpose"), _with_axes_moved),
}
"""By op: the line its result is, from the lines its operands are."""
SHOWS, HIDES = op("and"), op("or")
"""The condition whose operands all hold where it shows a key, and the one whose operands all do where it hides one."""
NOT, CORNERED, COMPARISON = op("not"), op(("reshape", "expand")), op(("lt", "le", "gt", "ge"))


def read_condition(graph: Graph, ref: Ref, hides: bool, band: Band) -> None:
    """Add what a bool value says about which keys are visible to `band`: bounds where it is a comparison of positions, else `rest`."""
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
        if line is None or not _bound(line, band):
            band.rest.append((ref, hides))


def _same_corner(graph: Graph, inner: Ref, outer: Ref) -> bool:
    """Whether a reshape or expand only adds axes in front."""
    source, dims = graph.shape(inner).dims, graph.shape(outer).dims
    tail = dims[len(dims) - len(source) :] if source else ()
    return len(dims) >= len(source) >= 2 and source[-2:] == tail[-2:] and all(is_one(size) for size in source[:-2])


def _inequality(graph: Graph, node: Node, hides: bool) -> Line | None:
    """A comparison as `line >= 0`."""
    line = _joined(graph, node, -1) if COMPARISON.made_by(node) else None
    if line is None:
        return None
    name = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}[node.op.name] if hides else node.op.name
    if name in ("lt", "le"):
        line = Line().plus(line, -1)
    return Line(line.row, line.column, line.offset - 1) if name in ("lt", "gt") else line


def _bound(line: Line, band: Band) -> bool:
    """i - j + c >= 0 is an upper bound of j, j - i + c >= 0 a lower one."""
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
    """A constant table of visible keys that is a lower triangle, or a band below a diagonal."""
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
    """The number, when a value is a constant of one element."""
    node = graph.node(ref)
    while SPREAD.made_by(node):
        node = graph.node(node.refs[0])
    array = node.op["value"].array if node.op.is_constant else None
    return None if array is None or array.size != 1 or array.dtype.kind == "c" else float(array.ravel()[0])


def additive_band(graph: Graph, ref: Ref) -> Band | None:
    """The band of a tensor that adds 0 to visible scores and hides the others: where(visible, 0, -inf), a constant of zeros and -1e9."""
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
