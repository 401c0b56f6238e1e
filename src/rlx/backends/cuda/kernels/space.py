"""Iteration spaces: strides along common axes, and axes that are walked as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlx.core.dim import Size


@dataclass(frozen=True)
class Axes:
    """Sizes of loop axes, and for each operand its strides along them."""

    dims: tuple[Size, ...]
    strides: Mapping[int, tuple[Size, ...]]


def aligned_strides(dims: Sequence[Size], strides: Sequence[Size], whole: Sequence[Size]) -> tuple[Size, ...]:
    """The strides of a tensor along the axes it is broadcast to: aligned at the last, 0 where it repeats.

    >>> aligned_strides((1, 3), (3, 1), (2, 5, 3))
    (0, 0, 1)
    """
    missing = len(whole) - len(dims)
    assert missing >= 0, (dims, whole)
    own = [0 if isinstance(size, int) and size == 1 else stride for size, stride in zip(dims, strides, strict=True)]
    return (*(0,) * missing, *own)


def merged_axes(chosen: Sequence[int], dims: Sequence[Size], strides: Mapping[int, Sequence[Size]]) -> Axes:
    """Some of the axes, neighbours that every operand steps through evenly taken as one.

    >>> merged_axes((0, 1), (2, 3), {0: (3, 1), 1: (0, 0)})
    Axes(dims=(6,), strides={0: (1,), 1: (0,)})
    """
    sizes: list[Size] = []
    steps: dict[int, list[Size]] = {operand: [] for operand in strides}
    for axis in chosen:
        size = dims[axis]
        if isinstance(size, int) and size == 1:
            continue
        own = {operand: row[axis] for operand, row in strides.items()}
        if sizes and all(_follows(steps[operand][-1], size, own[operand]) for operand in strides):
            sizes[-1] = sizes[-1] * size
            for operand, stride in own.items():
                steps[operand][-1] = stride
            continue
        sizes.append(size)
        for operand, stride in own.items():
            steps[operand].append(stride)
    return Axes(tuple(sizes), {operand: tuple(row) for operand, row in steps.items()})


def _follows(outer: Size, size: Size, inner: Size) -> bool:
    """Whether a step of the outer axis is a whole walk of the inner one."""
    return bool(outer == inner * size)


def is_zero(size: Size) -> bool:
    """Whether a size or stride is 0 for every binding."""
    return isinstance(size, int) and size == 0
