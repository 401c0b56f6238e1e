"""What paged attention works on: the problem, a unit's scratch memory, and runs of rows."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.types import Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.pages import Places
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, maximum

SPLIT = 512
"""Keys of a part. Fixed, so that the result does not depend on threads or on other rows."""
_BLOCK_BYTES = 1 << 15


@dataclass(frozen=True)
class PagedProblem:
    """One paged attention: everything its code depends on. Tensors of the stage: q, k, v, start, sequence, tables, then those
    numbered here."""

    rows: Size
    row_stride: Size
    kv_heads: int
    group: int
    head_dim: int
    scale: float
    softcap: float | None
    window: int
    places: Places
    query: Type
    keys: Type
    values: Type
    compute: Type
    scales: tuple[int | None, int | None]  # tensors of the stage
    result: int

    @property
    def page(self) -> int:
        """Positions of a page."""
        return self.places.page

    @property
    def block(self) -> int:
        """Keys between two updates of the running maximum: whole pages."""
        wanted = min(128, _BLOCK_BYTES // (self.head_dim * self.compute.size))
        return max(1, wanted // self.page) * self.page

    @property
    def split(self) -> int:
        """Keys of a part: whole blocks."""
        return max(1, SPLIT // self.block) * self.block

    @property
    def parts(self) -> Size:
        """Into how many parts the keys of the longest table are divided; at least one."""
        return maximum(ceildiv(self.places.blocks * self.page, self.split), 1)


class PagedSpace:
    """Scratch memory of a unit, in elements of the compute type, for tiles of `tile` queries and a run of at most `queries`."""

    def __init__(self, problem: PagedProblem, target: Target, tile: int, queries: int) -> None:
        self.tile, self.lanes = tile, target.lanes(problem.compute)
        self._element, self.bytes = problem.compute.size, 0
        self.width = -(-problem.head_dim // self.lanes) * self.lanes
        self.page = -(-problem.page // self.lanes) * self.lanes  # scores of a page in whole vectors
        self.columns = problem.block // problem.page * self.page
        self.stat = -(-tile // self.lanes) * self.lanes
        tiles = -(-queries // tile)
        self.queries = self.reserve(tiles * tile * self.width)
        self.results = self.reserve(tiles * tile * self.width)
        self.maxima = self.reserve(tiles * self.stat)
        self.sums = self.reserve(tiles * self.stat)
        self.shrink = self.reserve(self.stat)
        self.scores = self.reserve(tile * self.columns)
        self.total_results = self.reserve(tiles * tile * self.width)
        self.total_maxima = self.reserve(tiles * self.stat)
        self.total_sums = self.reserve(tiles * self.stat)

    def reserve(self, elements: int) -> int:
        """Reserve `elements` elements; returns the offset."""
        offset = self.bytes
        self.bytes = (offset + elements * self._element + 63) // 64 * 64
        return offset // self._element


@dataclass(frozen=True)
class RowRun:
    """Consecutive rows of one sequence, for one kv head."""

    first: Value  # row
    count: Value  # rows
    position: Value  # of the first row
    sequence: Value
    kv_head: Value
    room: Value  # positions the sequence has pages for
