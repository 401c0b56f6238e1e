"""The innermost loops of matrix products: a tile of C in registers, B by vectors, A by broadcasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import F32, I1, I16, I32, I64, PTR, Operand, Type, Value, Variable

Places: TypeAlias = list[tuple[Value, Value]]
"""Where sums are: (address or panel, index of a vector)."""

DEPTH_STEP = 4
"""The maximum unrolling along k of an inner loop: depths that are multiples need no remainder loop."""

_CHAINS = 8
"""Independent accumulators needed to keep the multipliers busy: latency 4 times 2 per cycle."""


def multiply_add(k: Function, a: Value, b: Value, c: Value) -> Value:
    """`a * b + c` in the type of the operands."""
    return k.fma(a, b, c) if c.type.is_float else a * b + c


@dataclass(frozen=True)
class Prefetch:
    """Which bytes a tile prefetches while it computes: at each step of k, `step` bytes further."""

    base: Value
    step: Operand
    lines: int = 1
    """How many adjacent cache lines at each step."""
    number: int = 0
    count: int = 1
    """Of every `count` steps only step `number` prefetches: tiles share the work."""
    locality: int = 3
    """Into which cache, as LLVM numbers them: 3 is the first, 2 the second."""


@dataclass(frozen=True)
class Tile:
    """The operands of one tile of `rows` x `vectors`: element (i, p) of A, and the vectors of row p of B."""

    rows: int
    vectors: int
    kind: Type
    a: Value
    a_row: Operand
    a_inner: Operand
    b: Value
    b_row: Operand
    b_type: Type
    last_row: Operand | None = None
    """The last row to read if there are fewer than `rows`; the ones past it repeat it."""
    count: Operand | None = None
    """How many columns exist if not all: B is then read with masks."""
    panel: Operand | None = None
    """If B is panels of two vectors: the distance between them."""
    pairs: bool = False
    """B of bf16 has two steps of k of each column side by side."""
    copy: Value | None = None
    """Where to save what was read from B, as rows of `vectors` vectors in the tile's type."""

    def row(self, k: Function, number: int) -> Value:
        """The row of A that a row of the tile reads: itself, or the last existing one."""
        index = k.index(number)
        return index if self.last_row is None else k.minimum(index, self.last_row)


def product_tile(
    k: Function, tile: Tile, depth: Value, *, even: bool, prefetch: Prefetch | None = None, before: list[list[Value]] | None = None
) -> list[list[Value]]:
    """Emit the loop over k of a tile and return the accumulators, [row][vector]. `even`: depth is known to be a multiple of
    DEPTH_STEP. Few rows use several accumulators each, but only one if they continue from sums `before`."""
    vector = tile.kind.vector(k.target.lanes(tile.kind))
    count = tile.rows * max(2, tile.vectors)  # the columns of half a panel are summed in the order of a full one's
    unroll = DEPTH_STEP if count <= 4 else DEPTH_STEP // 2
    chains = min(unroll, max(1, _CHAINS // count)) if before is None else 1
    sums = _chains_of_sums(k, tile, vector, chains, before)
    rows = _row_pointers(k, tile)
    unrolled = depth if even else depth & -unroll
    for p in k.range(0, unrolled, unroll):
        for step in range(unroll):
            if prefetch is not None:
                _prefetch_step(k, prefetch, p, step)
            _step(k, tile, vector, rows, p, step, [[v[step % chains] for v in row] for row in sums])
    if not even:
        for p in k.range(unrolled, depth):
            _step(k, tile, vector, rows, p, 0, [[v[0] for v in row] for row in sums])
    return [[_add_chains(chain) for chain in row] for row in sums]


def _chains_of_sums(
    k: Function, tile: Tile, vector: Type, chains: int, before: list[list[Value]] | None
) -> list[list[list[Variable]]]:
    """The accumulators [row][vector][chain]: zeros, or the sums to continue."""
    if before is not None:
        return [[[k.var(total)] for total in row] for row in before]
    return [[[k.var(0, vector) for _ in range(chains)] for _ in range(tile.vectors)] for _ in range(tile.rows)]


def _prefetch_step(k: Function, prefetch: Prefetch, p: Value, step: int) -> None:
    """The cache lines that a tile prefetches at one step of k, if this step prefetches."""
    if step % prefetch.count == prefetch.number:
        for line in range(prefetch.lines):
            k.prefetch(prefetch.base, (p + step) * prefetch.step + line * 64, prefetch.locality)


def accumulate_tile(
    k: Function,
    tile: Tile,
    depth: Value,
    first: Value,
    sums: Callable[[], Places],
    targets: Callable[[], Places],
    *,
    even: bool,
    in_order: bool,
    prefetch: Prefetch | None = None,
) -> None:
    """Add a tile's product over one chunk of k to the sums of earlier chunks unless it is the `first`, and store at the targets
    of its vectors, row by row. `in_order`: the chunk continues those sums; else it adds its own to them."""
    before = _earlier(k, tile, first, sums) if in_order else None
    totals = product_tile(k, tile, depth, even=even, prefetch=prefetch, before=before)
    flat = [total for line in totals for total in line]
    store_sums(k, flat if in_order else with_earlier(k, first, flat, sums), targets())


def _earlier(k: Function, tile: Tile, first: Value, places: Callable[[], Places]) -> list[list[Value]]:
    """The sums of earlier chunks that a tile continues, zeros in the first chunk."""
    vector = tile.kind.vector(k.target.lanes(tile.kind))
    before = [k.var(0, vector) for _ in range(tile.rows * tile.vectors)]
    if not first.constant:
        with k.when(~first):
            for total, (base, index) in zip(before, places(), strict=True):
                total.set(k.load(base, index, vector))
    values = [total.get() for total in before]
    return [values[row * tile.vectors : (row + 1) * tile.vectors] for row in range(tile.rows)]


def with_earlier(k: Function, first: Value, totals: list[Value], places: Callable[[], Places]) -> list[Value]:
    """Add the sums of earlier chunks, all loaded before any is stored: rows may repeat."""
    if first.constant:
        return totals
    kept = [k.var(total) for total in totals]
    with k.when(~first):
        for total, (base, index) in zip(kept, places(), strict=True):
            total.set(total.get() + k.load(base, index, totals[0].type))
    return [total.get() for total in kept]


def store_sums(k: Function, sums: list[Value], targets: Places) -> None:
    """Store sums at their addresses."""
    for total, (base, index) in zip(sums, targets, strict=True):
        k.store(total, base, index)


def _row_pointers(k: Function, tile: Tile) -> list[Value]:
    pointers = []
    for i in range(tile.rows):
        row: Operand = i if tile.last_row is None else tile.row(k, i)
        pointers.append(k.pointer(tile.a, k.index(tile.a_row) * row, tile.kind))
    return pointers


def _step(k: Function, tile: Tile, vector: Type, rows: list[Value], p: Value, step: int, sums: list[list[Variable]]) -> None:
    lanes = vector.lanes
    row = p * tile.b_row + k.index(tile.b_row) * step  # written so that `step` becomes a constant offset
    columns = []
    for j in range(tile.vectors):
        if tile.pairs:
            columns.append(_one_of_pairs(k, tile, p, step, j, lanes))
            continue
        stored = tile.b_type.vector(lanes)
        if tile.panel is not None:
            loaded = k.load(k.pointer(tile.b, k.index(tile.panel) * (j // 2), tile.b_type), row + j % 2 * lanes, stored)
        elif tile.count is None:
            loaded = k.load(tile.b, row + j * lanes, stored)
        else:
            loaded = k.load_masked(tile.b, row + j * lanes, k.index(tile.count) - j * lanes, stored)
        columns.append(k.convert(loaded, tile.kind))
        if tile.copy is not None:
            k.store(columns[-1], tile.copy, ((p + step) * tile.vectors + j) * lanes)
    for i in range(tile.rows):
        broadcast = k.splat(k.load(rows[i], p * tile.a_inner + k.index(tile.a_inner) * step, tile.kind), lanes)
        for j in range(tile.vectors):
            sums[i][j].set(multiply_add(k, broadcast, columns[j], sums[i][j].get()))


def _one_of_pairs(k: Function, tile: Tile, p: Value, step: int, vector: int, lanes: int) -> Value:
    """Load one step of interleaved pairs, the upper or the lower halves of 32 bits; both steps of a pair load the same vector."""
    base = tile.b
    if tile.panel is not None:
        base, vector = k.pointer(tile.b, k.index(tile.panel) * (vector // 2), tile.b_type), vector % 2
    place = p * tile.b_row + k.index(tile.b_row) * (step // 2 * 2) + vector * 2 * lanes
    bits = k.bitcast(k.load(k.pointer(base, place, tile.b_type), 0, I16.vector(2 * lanes)), I32.vector(lanes))
    return k.bitcast(bits << 16 if step % 2 == 0 else bits & -0x10000, F32.vector(lanes))


def _add_chains(chains: list[Variable]) -> Value:
    values = [chain.get() for chain in chains]
    while len(values) > 1:
        values = [values[i] + values[i + 1] for i in range(0, len(values), 2)]
    return values[0]


def dot_tile(k: Function, tile: Tile, columns: int, depth: Value) -> list[list[Value]]:
    """Multiply rows of A by rows of B (that is, B stored as [N, K]): vectors run along k. Returns scalar sums [row][column].
    Here `b_row` is the distance between columns of the product."""
    lanes = k.target.lanes(tile.kind)
    vector = tile.kind.vector(lanes)
    chains = 2 if tile.rows * columns <= 4 else 1
    sums = [[[k.var(0, vector) for _ in range(chains)] for _ in range(columns)] for _ in range(tile.rows)]
    rows = _row_pointers(k, tile)
    others = [k.pointer(tile.b, k.index(tile.b_row) * j, tile.b_type) for j in range(columns)]

    def step(p: Value, chain: int, count: Value | None) -> None:
        def read(base: Value, kind: Type) -> Value:
            stored = kind.vector(lanes)
            loaded = k.load(base, p, stored) if count is None else k.load_masked(base, p, count, stored)
            return k.convert(loaded, tile.kind)

        right = [read(other, tile.b_type) for other in others]
        for i in range(tile.rows):
            left = read(rows[i], tile.kind)
            for j in range(columns):
                total = sums[i][j][chain]
                total.set(multiply_add(k, left, right[j], total.get()))

    whole = depth // (lanes * chains) * (lanes * chains)
    for p in k.range(0, whole, lanes * chains):
        for chain in range(chains):
            step(p + chain * lanes, chain, None)
    for p in k.range(whole, depth, lanes):
        step(p, 0, depth - p)
    return [[k.reduce_add(_add_chains(chain)) for chain in row] for row in sums]


# -- tiles as subroutines: emitted and compiled once for all products of a program
#
# What the loops depend on (rows, vectors, types) is in the key; sizes and distances are parameters. A call takes some cycles, a tile's
# loop thousands.
_PARAMETERS = {
    "a": PTR,
    "a_row": I64,
    "b": PTR,
    "depth": I64,
    "sums": PTR,
    "first": I1,
    "target": PTR,
    "stride": I64,
    "last_row": I64,
    "panel": I64,
    "ahead": PTR,
    "step": I64,
}


def tile_places(k: Function, tile: Tile, base: Value, stride: Operand, panel: int = 0) -> Places:
    """The addresses of a tile's sums, row by row: rows `stride` apart, pairs of vectors `panel` apart."""
    lanes = k.target.lanes(tile.kind)
    return [
        (base, tile.row(k, i) * stride + (j // 2 * panel + j % 2 * lanes)) for i in range(tile.rows) for j in range(tile.vectors)
    ]


@dataclass(frozen=True)
class TileSubroutine:
    """The parameters of a tile's shared subroutine: everything its code depends on."""

    rows: int
    vectors: int
    kind: Type
    a_inner: int
    b_row: int
    b_type: Type
    pairs: bool
    width: int
    """The distance between rows of the sums that are taken up."""
    panel_sums: int
    """The distance between the sums of neighbouring panels, if the tile has several."""
    clamped: bool
    """Whether rows past the last one repeat it."""
    prefetches: bool
    even: bool
    in_order: bool

    @staticmethod
    def of(tile: Tile, prefetch: Prefetch | None, width: int, *, panel_sums: int = 0, even: bool, in_order: bool) -> TileSubroutine:
        """The subroutine that computes a tile."""
        assert isinstance(tile.a_inner, int) and isinstance(tile.b_row, int)
        return TileSubroutine(
            tile.rows,
            tile.vectors,
            tile.kind,
            tile.a_inner,
            tile.b_row,
            tile.b_type,
            tile.pairs,
            width,
            panel_sums,
            tile.last_row is not None,
            prefetch is not None,
            even,
            in_order,
        )

    def call(
        self,
        k: Function,
        tile: Tile,
        prefetch: Prefetch | None,
        depth: Value,
        first: Value,
        sums: Value,
        target: Value,
        stride: Operand,
    ) -> None:
        """Call the subroutine: the product of one chunk of k, plus `sums` unless it is the first, stored at `target`."""
        zero, nowhere = k.index(0), k.scratch
        name = k.module.subroutine(self, list(_PARAMETERS.items()), self._emit)
        k.call_subroutine(
            name,
            tile.a,
            tile.a_row,
            tile.b,
            depth,
            sums,
            first,
            target,
            stride,
            zero if tile.last_row is None else tile.last_row,
            zero if tile.panel is None else tile.panel,
            nowhere if prefetch is None else prefetch.base,
            zero if prefetch is None else prefetch.step,
        )

    def _emit(self, k: Function) -> None:
        given = dict(zip(_PARAMETERS, k.parameters, strict=True))
        tile = Tile(
            self.rows,
            self.vectors,
            self.kind,
            given["a"],
            given["a_row"],
            self.a_inner,
            given["b"],
            self.b_row,
            self.b_type,
            given["last_row"] if self.clamped else None,
            panel=given["panel"] if self.vectors > 2 else None,
            pairs=self.pairs,
        )
        taken = partial(tile_places, k, tile, given["sums"], self.width, self.panel_sums)
        left = partial(tile_places, k, tile, given["target"], given["stride"], self.panel_sums)
        prefetch = Prefetch(given["ahead"], given["step"]) if self.prefetches else None
        accumulate_tile(
            k, tile, given["depth"], given["first"], taken, left, even=self.even, in_order=self.in_order, prefetch=prefetch
        )
