"""The iteration space of a region: its loops, its values and what each varies along. Axes that all operands walk alike are merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlx.backends.cpu.kernels.region.elementwise import emit_cost
from rlx.core.dim import Size, product, same
from rlx.core.dtype import DType
from rlx.ir.op import Op

COMBINES = {
    "reduce_sum": "sum",
    "reduce_mean": "sum",
    "reduce_prod": "prod",
    "reduce_max": "max",
    "reduce_min": "min",
    "reduce_any": "any",
    "reduce_all": "all",
}


class Refused(Exception):
    """The region cannot be one kernel; the message is the reason."""


@dataclass(frozen=True)
class Axis:
    """One loop: its size, and whether the region's reductions fold it."""

    size: Size
    reduced: bool = False
    counted: bool = False
    """An iota runs along it, so it keeps its own index."""


@dataclass(frozen=True)
class Term:
    """One value of the body: what it is, and the axes it varies along (sorted).

    Kinds: "load" (of stage tensor `tensor`), "table" (a constant array), "number", "iota" (along axis `over[0]`),
    "size", "op" and "reduce" (`over` names the folded axes). `strides` has one entry per axis of the space.
    """

    kind: str
    dtype: DType
    axes: tuple[int, ...] = ()
    inputs: tuple[int, ...] = ()
    op: Op | None = None
    tensor: int = -1
    strides: tuple[Size, ...] = ()
    over: tuple[int, ...] = ()
    value: Any = None
    level: int = 0
    """The length of the chain of reductions it depends on."""

    @property
    def in_memory(self) -> bool:
        """Read from memory."""
        return self.kind in ("load", "table")

    @property
    def combine(self) -> str:
        """How a reduction folds: sum, prod, max, min, any or all."""
        if self.op is None:
            assert isinstance(self.value, str)
            return self.value
        return COMBINES[self.op.name]

    @property
    def cost(self) -> int:
        """Instructions per vector, roughly."""
        return emit_cost(self.op.name) if self.kind == "op" and self.op is not None else 1


@dataclass(frozen=True)
class RegionOutput:
    """A result: the term it holds, the axes it spans, and its strides along every axis of the space."""

    term: int
    tensor: int
    axes: tuple[int, ...]
    strides: tuple[Size, ...]
    dtype: DType


@dataclass(frozen=True)
class Space:
    """Axes in the order of the result's dims, outermost first; terms in the order of evaluation."""

    axes: tuple[Axis, ...]
    terms: tuple[Term, ...]
    outputs: tuple[RegionOutput, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """Axes the results have."""
        return tuple(index for index, axis in enumerate(self.axes) if not axis.reduced)

    @property
    def reduced(self) -> tuple[int, ...]:
        """Axes the reductions fold."""
        return tuple(index for index, axis in enumerate(self.axes) if axis.reduced)

    def size(self, axes: Sequence[int]) -> Size:
        """The number of points along some axes."""
        return product(self.axes[axis].size for axis in axes)


def is_below_maximum(terms: Sequence[Term], index: int) -> bool:
    """Whether a value is x − max(x), hence at most 0 (or NaN)."""
    found = terms[index]
    if found.op is None or found.op.name != "sub":
        return False
    top = terms[found.inputs[1]]
    return top.kind == "reduce" and top.combine == "max" and top.inputs == found.inputs[:1] and top.dtype is found.dtype


# -- merging ----------------------------------------------------------------------------------------------------
def merged(space: Space) -> Space:
    """Adjacent axes that every tensor walks as one become one."""
    inner = len(space.axes) - 1
    while inner > 0:
        if _alike(space, inner - 1, inner):
            space = _join_axes(space, inner - 1)
        inner -= 1
    return space


def _alike(space: Space, a: int, b: int) -> bool:
    first, second = space.axes[a], space.axes[b]
    if first.reduced != second.reduced or first.counted or second.counted:
        return False
    rows = [term.strides for term in space.terms if term.in_memory] + [output.strides for output in space.outputs]
    return all(same(row[a], row[b] * second.size) for row in rows)


def _join_axes(space: Space, a: int) -> Space:
    """Axes a and a + 1 as one, with the strides of the inner."""

    def names(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({axis if axis <= a else axis - 1 for axis in axes}))

    def row(strides: tuple[Size, ...]) -> tuple[Size, ...]:
        return strides[:a] + strides[a + 1 :]

    axis = replace(space.axes[a], size=space.axes[a].size * space.axes[a + 1].size)
    terms = tuple(replace(t, axes=names(t.axes), over=names(t.over), strides=row(t.strides)) for t in space.terms)
    outputs = tuple(replace(o, axes=names(o.axes), strides=row(o.strides)) for o in space.outputs)
    return Space((*space.axes[:a], axis, *space.axes[a + 2 :]), terms, outputs)
