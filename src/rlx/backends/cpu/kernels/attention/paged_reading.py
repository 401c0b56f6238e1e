"""What paged attention works on: the problem, a unit's scratch memory, runs of rows, and their keys and values read out of pages."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import F16, Type, Value
from rlx.backends.cpu.kernels.attention.pages import SCALED, PageTables
from rlx.backends.cpu.kernels.attention.running_softmax import SoftmaxScratch
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, maximum

SPLIT = 512
"""Keys of a part. Fixed, so that the result does not depend on threads or on other rows."""
_BLOCK_BYTES = 1 << 15
_UNROLLED = 4
_FETCHED_BYTES = 1 << 13
"""The prefetch distance."""


@dataclass(frozen=True)
class PagedProblem:
    """One paged attention op: everything its code depends on. Tensors of the stage: q, k, v, start, sequence, tables, then those
    numbered here."""

    rows: Size
    row_stride: Size
    kv_heads: int
    group: int
    head_dim: int
    scale: float
    softcap: float | None
    window: int
    tables: PageTables
    query: Type
    keys: Type
    values: Type
    compute: Type
    scales: tuple[int | None, int | None]  # tensors of the stage
    result: int

    @property
    def page(self) -> int:
        """Positions of a page."""
        return self.tables.page

    @property
    def block(self) -> int:
        """Keys between two updates of the running maximum, a multiple of the page."""
        keys = min(128, _BLOCK_BYTES // (self.head_dim * self.compute.size))
        return max(1, keys // self.page) * self.page

    @property
    def split(self) -> int:
        """Keys of a part, a multiple of the block."""
        return max(1, SPLIT // self.block) * self.block

    @property
    def parts(self) -> Size:
        """The number of parts that the keys of the longest table are divided into; at least one."""
        return maximum(ceildiv(self.tables.blocks * self.page, self.split), 1)


class PagedSpace(SoftmaxScratch):
    """The scratch of a unit of paged attention: a run of at most `queries` queries in tiles of `tile`."""

    def __init__(self, problem: PagedProblem, target: Target, tile: int, queries: int) -> None:
        lanes = target.lanes(problem.compute)
        self.page = -(-problem.page // lanes) * lanes  # scores of a page in full vectors
        width, columns = -(-problem.head_dim // lanes) * lanes, problem.block // problem.page * self.page
        super().__init__(problem.compute, lanes, tile, queries, width, columns)
        self.total_results = self.reserve(self.tiles * tile * width)
        self.total_maxima = self.reserve(self.tiles * self.stat)
        self.total_sums = self.reserve(self.tiles * self.stat)


@dataclass(frozen=True)
class RowRun:
    """Consecutive rows of one sequence in paged attention, for one kv head."""

    first: Value  # row
    count: Value  # rows
    position: Value  # of the first row
    sequence: Value
    kv_head: Value
    room: Value  # positions the sequence has pages for


class PageReader:
    """Emits loads and prefetches of a run's paged keys and values. A page's handle is its number times kv heads plus the head."""

    run: RowRun
    after: tuple[Value, Value]  # sequence and kv head of the run that is likely to follow
    span: tuple[Value, Value]  # the blocks of the table that the run reads: the first, and one past the last

    def __init__(self, code: KernelCode, problem: PagedProblem, space: PagedSpace, *, streams: bool) -> None:
        """`streams`: there are so few queries that memory bandwidth is the limit; pages are prefetched."""
        self.streams = streams
        self.code, self.k, self.problem, self.space = code, code.code, problem, space
        self.tile, self.lanes, self.compute = space.tile, space.lanes, problem.compute
        self.vector = self.compute.vector(self.lanes)
        self.heads = [(at, min(self.lanes, problem.head_dim - at)) for at in range(0, problem.head_dim, self.lanes)]
        self.registers = 24 if code.target.vector_registers == 32 else 12

    def vectors(self) -> Generator[tuple[Value, int]]:
        """The vectors of a head (offset, lanes in use); a loop where there are many."""
        full = self.problem.head_dim // self.lanes
        if full > _UNROLLED:
            for at in self.k.range(0, full * self.lanes, self.lanes):
                yield at, self.lanes
        for start, count in self.heads[full if full > _UNROLLED else 0 :]:
            yield self.k.index(start), count

    def following(self, first: Value, number: Value) -> Value:
        """The page to prefetch during the block's page `number`: a later one of this run, or a first one of the next run."""
        k, tables = self.k, self.problem.tables
        last, sequences = (k.index(self.code.size(size)) - 1 for size in (tables.blocks, tables.sequences))
        begin, end = self.span
        block = first // self.problem.page + number + self.pages_ahead
        over = block >= end
        sequence = k.minimum(k.maximum(k.select(over, self.after[0], self.run.sequence), 0), sequences)
        kv_head = k.select(over, self.after[1], self.run.kv_head)
        block = k.minimum(k.select(over, begin + (block - end), block), last)
        return self._page_of(sequence, block) * self.problem.kv_heads + kv_head

    @property
    def pages_ahead(self) -> int:
        """How many pages before its use a page is prefetched."""
        return max(1, _FETCHED_BYTES // (self.problem.page * self.problem.head_dim * self.problem.keys.size))

    def fetch_first(self) -> None:
        """Prefetch the first pages of the run, unless the run before it has done so."""
        k, size = self.k, self.problem.page * self.problem.head_dim
        first = self.span[0] * self.problem.page
        for number in k.range(self.pages_ahead):
            page = self.following(first, number - self.pages_ahead)
            for tensor, kind in ((1, self.problem.keys), (2, self.problem.values)):
                step = 64 // kind.size
                for at in k.range(0, size, step):
                    self.fetch(tensor, page * size + at, step, kind)
            self.fetch_scales(page, 0)
            self.fetch_scales(page, 1)

    def page_number(self, block: Value) -> Value:
        """The handle of the page that has the run's positions from block · PAGE on; always a page that exists."""
        return self._page_of(self.run.sequence, block) * self.problem.kv_heads + self.run.kv_head

    def _page_of(self, sequence: Value, block: Value) -> Value:
        """The page that a sequence's table has for a block, clamped to the pages that exist."""
        tables = self.problem.tables
        last = self.k.index(self.code.size(tables.pages)) - 1
        return self.k.minimum(self.k.maximum(tables.page_at(self.code, sequence, block), 0), last)

    def fetch(self, tensor: int, start: Value, count: int, kind: Type) -> None:
        """Prefetch some elements into L2: L1 has too few outstanding misses for full memory bandwidth."""
        for at in range(0, count, 64 // kind.size):
            self.k.prefetch(self.k.pointer(self.code.pointer(tensor), start + at, kind), 0, 2)

    def key_page(self, first: Value, number: Value) -> Value:
        """The handle of the keys of the block's page `number`: the page's number, times kv heads plus the head."""
        return self.page_number(first // self.problem.page + number)

    def value_page(self, first: Value, number: Value) -> Value:
        """The handle of the values of the block's page `number`."""
        return self.page_number(first // self.problem.page + number)

    def key_groups(self) -> Generator[tuple[Value, int]]:
        """The groups of the head dim that share a scale of the keys: (group, its number of elements), in order."""
        size = self.problem.head_dim
        length = size if self.problem.scales[0] is None else SCALED
        for group in self.k.range(size // length):
            yield group, length

    def fetch_scales(self, ahead: Value, which: int) -> None:
        """Prefetch the scales of the keys (0) or values (1) of a page."""
        tensor, size = self.problem.scales[which], self.problem.head_dim // SCALED * self.problem.page
        if tensor is not None:
            self.fetch(tensor, ahead * size, size, F16)

    def key_scales(self, page: Value, group: Value, panel: list[tuple[int, int]]) -> list[Value]:
        """The scales of a panel's keys for a group of the head dim; None where keys are floats."""
        tensor, size = self.problem.scales[0], self.problem.page
        if tensor is None:
            return []
        start = (page * (self.problem.head_dim // SCALED) + group) * size
        return [self._wide(self.code.pointer(tensor), start + at, count, F16) for at, count in panel]

    def load_key(self, page: Value, d: Value, at: int, count: int) -> Value:
        """Load element `d` of the head dim for a vector of keys."""
        index = (page * self.problem.head_dim + d) * self.problem.page + at
        return self._wide(self.code.pointer(1), index, count, self.problem.keys)

    def load_value(self, page: Value, index: Value, at: Value, count: int) -> Value:
        """Load a vector along the head dim of a value."""
        k, size = self.k, self.problem.head_dim
        key = page * self.problem.page + index
        value = self._wide(self.code.pointer(2), key * size + at, count, self.problem.values)
        tensor = self.problem.scales[1]
        if tensor is None:
            return value
        scales = k.load(self.code.pointer(tensor), key * (size // SCALED) + at // SCALED, F16)
        return value * k.splat(k.convert(scales, self.compute), self.lanes)

    def _wide(self, base: Value, index: Value, count: int, kind: Type) -> Value:
        """Load a vector of a page in the compute type; lanes from a static `count` on are zero."""
        stored = kind.vector(self.lanes)
        full = count == self.lanes
        loaded = self.k.load(base, index, stored) if full else self.k.load_masked(base, index, count, stored)
        return self.k.convert(loaded, self.compute)
