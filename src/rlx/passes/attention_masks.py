"""Masks as attention knows them: which conditions on positions, constants or additive tensors are causal, windowed, or something else."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, same
from rlx.core.shape import is_one
from rlx.ir.graph import Graph, Ref

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
    dims = node.shape.dims
    name = node.op.name
    if name == "constant":
        return _line_of_array(node.op["value"].array)
    if name == "size_value":
        return Line(offset=node.op["size"])
    if name == "iota":
        return _along(node.op["axis"] - len(dims))
    if name in ("add", "sub"):
        left, right = (line_of(graph, operand) for operand in node.refs)
        return None if left is None or right is None else left.plus(right, 1 if name == "add" else -1)
    if name not in ("cast", "expand", "reshape", "narrow", "transpose"):
        return None
    inner, source = line_of(graph, node.refs[0]), graph.shape(node.refs[0]).dims
    if inner is None:
        return None
    if name == "narrow":
        axis = node.op["axis"] - len(dims)
        factor = {-1: inner.column, -2: inner.row}.get(axis, 0)
        return Line(inner.row, inner.column, inner.offset + node.op["start"] * factor)
    if name in ("reshape", "transpose"):
        where = _moved(source, dims, node.op["perm"] if name == "transpose" else None)
        coefficients = {-2: inner.row, -1: inner.column}
        moved = (
            {}
            if where is None
            else {where[axis]: value for axis, value in coefficients.items() if value and axis in where}
        )
        if (
            where is None
            or any(axis not in (-1, -2) for axis in moved)
            or len(moved) < sum(value != 0 for value in coefficients.values())
        ):
            return None
        return Line(moved.get(-2, 0), moved.get(-1, 0), inner.offset)
    return inner


def _along(axis: int) -> Line | None:
    return {-1: Line(column=1), -2: Line(row=1)}.get(axis)


def _moved(source: tuple[Size, ...], dims: tuple[Size, ...], perm: tuple[int, ...] | None) -> dict[int, int] | None:
    """Old axis -> new axis, both counted from the end, for axes longer than 1."""
    if perm is not None:
        return {old - len(dims): new - len(dims) for new, old in enumerate(perm)}
    old = [axis for axis in range(-len(source), 0) if not is_one(source[axis])]
    new = [axis for axis in range(-len(dims), 0) if not is_one(dims[axis])]
    if [source[axis] for axis in old] != [dims[axis] for axis in new]:
        return None
    return dict(zip(old, new, strict=True))


def _line_of_array(array: npt.NDArray[np.generic]) -> Line | None:
    """The line through a constant array of numbers."""
    if array.dtype.kind not in "iuf" or not array.size or any(size != 1 for size in array.shape[:-2]):
        return None
    numbers = np.atleast_2d(array.astype(np.float64).reshape(array.shape[-2:]))
    steps = [int(line[1] - line[0]) if len(line) > 1 else 0 for line in (numbers[:, 0], numbers[0])]
    rows, columns = np.arange(numbers.shape[0])[:, None], np.arange(numbers.shape[1])
    if not np.array_equal(numbers, numbers[0, 0] + steps[0] * rows + steps[1] * columns) or numbers[0, 0] != int(
        numbers[0, 0]
    ):
        return None
    return Line(steps[0], steps[1], int(numbers[0, 0]))


def read_condition(graph: Graph, ref: Ref, hides: bool, band: Band) -> None:
    """Add what a bool value says about which keys are visible to `band`: bounds where it is a comparison of positions, else `rest`."""
    node = graph.node(ref)
    name = node.op.name
    if name == "not":
        read_condition(graph, node.refs[0], not hides, band)
    elif (name == "and" and not hides) or (name == "or" and hides):
        for operand in node.refs:
            read_condition(graph, operand, hides, band)
    elif name in ("reshape", "expand") and _same_corner(graph, node.refs[0], ref):
        read_condition(graph, node.refs[0], hides, band)
    elif name == "constant":
        shown = np.logical_not(node.op["value"].array) if hides else node.op["value"].array
        if not read_array(shown, band):
            band.rest.append((ref, hides))
    else:
        line = _inequality(graph, ref, hides)
        if line is None or not _bound(line, band):
            band.rest.append((ref, hides))


def _same_corner(graph: Graph, inner: Ref, outer: Ref) -> bool:
    """Whether a reshape or expand only adds axes in front."""
    source, dims = graph.shape(inner).dims, graph.shape(outer).dims
    tail = dims[len(dims) - len(source) :] if source else ()
    return len(dims) >= len(source) >= 2 and source[-2:] == tail[-2:] and all(is_one(size) for size in source[:-2])


def _inequality(graph: Graph, ref: Ref, hides: bool) -> Line | None:
    """A comparison as `line >= 0`."""
    node = graph.node(ref)
    if node.op.name not in ("lt", "le", "gt", "ge"):
        return None
    left, right = (line_of(graph, operand) for operand in node.refs)
    if left is None or right is None:
        return None
    name = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}[node.op.name] if hides else node.op.name
    line = left.plus(right, -1) if name in ("ge", "gt") else right.plus(left, -1)
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
        if np.array_equal(
            table, np.tri(queries, keys, offset, dtype=bool) & ~np.tri(queries, keys, -below - 1, dtype=bool)
        ):
            band.offset = offset
            band.lower.append(below)
            return True
    return False


def scalar(graph: Graph, ref: Ref) -> float | None:
    """The number, when a value is a constant of one element."""
    node = graph.node(ref)
    while node.op.name in ("reshape", "expand", "cast"):
        node = graph.node(node.refs[0])
    if node.op.name != "constant" or node.op["value"].array.size != 1 or node.op["value"].array.dtype.kind == "c":
        return None
    return float(node.op["value"].array.ravel()[0])


def additive_band(graph: Graph, ref: Ref) -> Band | None:
    """The band of a tensor that adds 0 to visible scores and hides the others: where(visible, 0, -inf), a constant of zeros and -1e9."""
    node = graph.node(ref)
    if node.op.name in ("reshape", "expand", "cast") and (
        node.op.name == "cast" or _same_corner(graph, node.refs[0], ref)
    ):
        return additive_band(graph, node.refs[0])
    band = Band()
    if node.op.name == "constant":
        array = node.op["value"].array.astype(np.float64)
        fits = bool(((array == 0) | (array <= HIDDEN)).all()) and read_array(array == 0, band)
        return band if fits else None
    if node.op.name != "where":
        return None
    shown, other = scalar(graph, node.refs[1]), scalar(graph, node.refs[2])
    if (
        shown is None
        or other is None
        or sorted((shown == 0, other == 0)) != [False, True]
        or min(shown, other) > HIDDEN
    ):
        return None
    read_condition(graph, node.refs[0], shown != 0, band)
    return None if band.rest or band.offset is None else band
