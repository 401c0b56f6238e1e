"""The plan of a region: sweeps over its folded axes, places in scratch, and how many units there are."""

from __future__ import annotations

from dataclasses import dataclass, field

from rlx.backends.cpu.kernels.region.space import Space
from rlx.core.dim import Size, ceildiv, maximum

TILE_ROWS = 64


@dataclass(frozen=True)
class ScratchSlot:
    """A place in scratch: bytes from its start, and elements per row of columns."""

    offset: Size
    axes: tuple[int, ...]  # folded axes it spans, before the block of columns


@dataclass(frozen=True)
class Sweep:
    """One pass over the folded axes: what it folds, stores and keeps."""

    level: int
    reductions: tuple[int, ...]
    stores: tuple[int, ...]
    keeps: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """Everything the code generators need."""

    space: Space
    vector: int
    outer: tuple[int, ...]
    loops: tuple[int, ...]
    by_rows: bool
    lanes: int
    live: frozenset[int]
    sweeps: tuple[Sweep, ...]
    kept: dict[int, ScratchSlot]
    columnar: dict[int, ScratchSlot]
    accumulators: dict[int, ScratchSlot]
    totals: dict[int, ScratchSlot]
    block: int
    rows_per_unit: Size
    chunk: int | None
    staged: dict[int, ScratchSlot] = field(default_factory=dict)
    """Operands transposed into scratch; a unit is then a tile of columns and of positions on the last outer axis."""
    scratch: Size = 0
    delayed: bool = False
    """The last sweep of a row is interleaved with the preceding sweep of the next row: a large result is written during computation."""

    @property
    def rows(self) -> Size:
        """Points of the outer kept axes."""
        return self.space.size(self.outer)

    @property
    def blocks(self) -> Size:
        """Blocks of columns."""
        return 1 if self.by_rows else ceildiv(self.space.axes[self.vector].size, self.block)

    @property
    def chunked(self) -> int:
        """The folded axis that chunks split: the outermost."""
        return self.space.reduced[0]

    @property
    def chunks(self) -> Size:
        """How many parts a row's reductions are split into."""
        return 1 if self.chunk is None else maximum(1, ceildiv(self.space.axes[self.chunked].size, self.chunk))

    @property
    def row_blocks(self) -> Size:
        """Units along the rows."""
        if self.staged:
            *others, deep = self.outer
            return self.space.size(others) * ceildiv(self.space.axes[deep].size, TILE_ROWS)
        return ceildiv(self.rows, self.rows_per_unit)

    @property
    def units(self) -> Size:
        """All units: a function of shapes only."""
        return maximum(1, self.row_blocks * self.blocks * self.chunks)

    @property
    def levels(self) -> int:
        """The number of dependent levels of reductions."""
        return max((self.space.terms[t].level for t in self.live), default=0)

    def inner(self, term: int) -> bool:
        """Varies along a folded axis."""
        return any(self.space.axes[axis].reduced for axis in self.space.terms[term].axes)

    def on_columns(self, term: int) -> bool:
        """In column code: one value per column and row, not a scalar of the row."""
        found = self.space.terms[term]
        return not self.by_rows and not self.inner(term) and (self.vector in found.axes or found.level > 0)
