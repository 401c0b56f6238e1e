"""How the axes of an array are cut over a mesh, as plain tuples; and what happens to that when the array is reshaped or combined."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from rlx.core.shape import Shape
from rlx.core.sharding import BATCH_AXES, P

Axes = tuple[str, ...]
"""Axes of a mesh that cut one axis of an array."""
Cut = tuple[Axes, ...]
"""One entry for each axis of an array."""


def whole(rank: int) -> Cut:
    """Not cut."""
    return ((),) * rank


def cut_of(spec: P, rank: int) -> Cut:
    """A spec, with an entry for each axis."""
    found = [() if names is None else (names,) if isinstance(names, str) else tuple(names) for names in spec]
    return tuple(found) + ((),) * (rank - len(found))


def axes_of(cut: Cut) -> frozenset[str]:
    """All axes of the mesh that cut it."""
    return frozenset(name for axes in cut for name in axes)


def parts(names: Iterator[str] | Sequence[str] | frozenset[str], sizes: Mapping[str, int]) -> int:
    """Into how many parts these axes cut."""
    return math.prod(sizes[name] for name in names)


def local_bytes(shape: Shape, cut: Cut, sizes: Mapping[str, int]) -> int:
    """Bytes of one device's part."""
    count = shape.dtype.size
    for size, axes in zip(shape.dims, cut, strict=True):
        count *= -(-int(size) // parts(axes, sizes))
    return int(count)


def without(cut: Cut, names: frozenset[str]) -> Cut:
    """The cut after these axes were gathered."""
    return tuple(tuple(name for name in axes if name not in names) for axes in cut)


def permuted(cut: Cut, order: Sequence[int]) -> Cut:
    """The cut of a transposed array."""
    return tuple(cut[axis] for axis in order)


def reshaped(cut: Cut, before: Sequence[int], after: Sequence[int], sizes: Mapping[str, int]) -> Cut:
    """The cut of the same elements with other axes: merged axes take all names, split ones give them to the outer parts.

    >>> reshaped((("data",), (), ("model",)), (4, 8, 6), (32, 2, 3), {"data": 2, "model": 2})
    (('data',), ('model',), ())
    """
    found: list[Axes] = [()] * len(after)
    for old, new in _groups(before, after):
        names = [name for axis in old for name in cut[axis]]
        for name in names:
            inner = name not in BATCH_AXES and len(old) == 1 and names[0] != name
            candidates = [axis for axis in new if after[axis] > 1]
            for axis in candidates[1:] + candidates[:1] if inner else candidates:
                if after[axis] % (parts(found[axis], sizes) * sizes[name]) == 0:
                    found[axis] = (*found[axis], name)
                    break
    return tuple(found)


def _groups(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Runs of axes on both sides with the same number of elements."""
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
