"""Shared by both attention kernels: the workspace of a unit and the running (online) softmax.

Scores are processed as `tile` query rows times `block` keys. The running maximum of a row starts at the lowest finite number, so a
row that sees nothing has sum 0 and becomes zeros.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import Type, Value, Variable
from rlx.backends.cpu.kernels.attention.heads import LOWEST, AttentionProblem, HeadCode, apply_softcap, weight_of
from rlx.backends.cpu.target import Target


class SoftmaxScratch:
    """The layout of a unit's scratch for online softmax, in elements of the compute type: queries and results of `width`
    elements in tiles of `tile` rows, and `columns` scores of each row of a tile."""

    def __init__(self, compute: Type, lanes: int, tile: int, rows: int, width: int, columns: int) -> None:
        self.tile, self.lanes, self.width, self.columns = tile, lanes, width, columns
        self._element, self.bytes = compute.size, 0
        self.stat = -(-tile // lanes) * lanes  # the rows of a tile in full vectors
        self.tiles = -(-rows // tile)
        self.queries = self.reserve(self.tiles * tile * width)
        self.results = self.reserve(self.tiles * tile * width)
        self.maxima = self.reserve(self.tiles * self.stat)
        self.sums = self.reserve(self.tiles * self.stat)
        self.shrink = self.reserve(self.stat)
        self.scores = self.reserve(tile * columns)

    def reserve(self, elements: int) -> int:
        """Reserve `elements` elements of scratch; returns the offset."""
        offset = self.bytes
        self.bytes = (offset + elements * self._element + 63) // 64 * 64
        return offset // self._element


def merge_lanes(k: Function, vectors: list[Value], combine: Callable[[Value, Value], Value]) -> list[Value]:
    """Reduce the lanes of each vector: lane r of the result is vector r reduced to one number."""
    lanes, distance = vectors[0].type.lanes, 1
    while distance < lanes:
        low = [(lane & ~distance) + (lanes if lane & distance else 0) for lane in range(lanes)]
        pairs = zip(vectors[::2], [*vectors[1::2], vectors[-1]], strict=False)
        vectors = [combine(k.shuffle(a, b, low), k.shuffle(a, b, [n + distance for n in low])) for a, b in pairs]
        distance *= 2
    return vectors


class SoftmaxTile:
    """Online softmax of a tile of rows, block by block of keys: maxima, sums and the factors of earlier results in scratch."""

    k: Function
    compute: Type
    vector: Type
    lanes: int
    tile: int
    space: SoftmaxScratch
    panel: int
    """Scores of a row that are worked on together: full vectors."""
    rows_together: int
    """Rows whose exponentials are computed together, since each is a long dependency chain."""

    # -- addresses
    def scratch(self, element: int | Value) -> Value:
        """The address of a part of the workspace."""
        return self.k.pointer(self.k.scratch, element, self.compute)

    def tile_part(self, element: int, tile: Value, size: int) -> Value:
        """The address of a tile's part of the workspace."""
        return self.scratch(tile * size + element)

    def score_offset(self, column: Value, row: Value, i: int, vector: int) -> Value:
        """The offset among the scores of a vector of row `row` + i, counted from a column."""
        return column + row * self.space.columns + (i * self.space.columns + vector * self.lanes)

    # -- the softmax
    def reset(self, tiles: Value, maxima: int, sums: int) -> None:
        """Reset maxima and sums: no key has been read."""
        k = self.k
        for stat in k.range(0, tiles * self.space.stat, self.lanes):
            k.store(k.constant(LOWEST[self.compute], self.vector), self.scratch(maxima), stat)
            k.store(k.constant(0, self.vector), self.scratch(sums), stat)

    def update_softmax(self, tile: Value, begin: Value, stop: Value, tops: list[Value]) -> None:
        """Replace the scores [begin, stop) of a tile by weights; updates running maxima (from each row's vector in `tops`) and sums."""
        k, space, lanes = self.k, self.space, self.lanes
        maxima, sums = (self.tile_part(part, tile, space.stat) for part in (space.maxima, space.sums))
        for index, top in enumerate(merge_lanes(k, tops, k.maximum_fast)):
            old = k.load(maxima, index * lanes, self.vector)
            new = k.maximum_fast(top, old)
            # frozen, so that LLVM does not make a masked store of it: those are slow and stall later loads
            k.store(k.instruction(new.type, f"freeze {new.type.text} {new.text}"), maxima, index * lanes)
            k.store(weight_of(k, old - new), self.scratch(space.shrink), index * lanes)
        totals = self.weigh_tile(maxima, begin, stop)
        for index, total in enumerate(merge_lanes(k, totals, operator.add)):
            old = k.load(sums, index * lanes, self.vector)
            k.store(k.fma(old, k.load(self.scratch(space.shrink), index * lanes, self.vector), total), sums, index * lanes)

    def weigh_tile(self, maxima: Value, begin: Value, stop: Value) -> list[Value]:
        """Replace the scores of a tile by weights; returns each row's sum, lane by lane."""
        groups = [(at, min(self.rows_together, self.tile - at)) for at in range(0, self.tile, self.rows_together)]
        return [total for at, count in groups for total in self.weigh_rows(maxima, begin, stop, self.k.index(at), count)]

    def weigh_rows(self, maxima: Value, begin: Value, stop: Value, row: Value, count: int) -> list[Value]:
        """Replace the scores of `count` rows from `row` on by weights; returns each row's sum, lane by lane."""
        k, vectors = self.k, self.panel // self.lanes
        tops = [k.splat(k.load(maxima, row + i, self.compute), self.lanes) for i in range(count)]
        chains = [[k.var(0, self.vector) for _ in range(vectors)] for _ in range(count)]
        for column in k.range(begin, stop, self.panel):
            for i, (top, parts) in enumerate(zip(tops, chains, strict=True)):
                for index, chain in enumerate(parts):
                    at = self.score_offset(column, row, i, index)
                    weight = weight_of(k, k.load(self.scratch(self.space.scores), at, self.vector) - top)
                    self.store_weight(weight, at)
                    chain.set(chain.get() + weight)
        return [reduce(operator.add, (chain.get() for chain in parts)) for parts in chains]

    def store_weight(self, weight: Value, at: Value) -> None:
        """Store a vector of weights where the products with values load it: here in place of the scores."""
        self.k.store(weight, self.scratch(self.space.scores), at)


class Workspace(SoftmaxScratch):
    """The scratch of an attention unit of one sequence: `panel` keys per score step, `block` keys per visit."""

    def __init__(self, problem: AttentionProblem, target: Target, rows: int, tile: int, panel: int, block: int) -> None:
        self.panel, self.block = panel, block
        lanes = target.lanes(problem.compute)
        width = -(-problem.head_dim // (2 * lanes)) * 2 * lanes  # D in full pairs of vectors
        super().__init__(problem.compute, lanes, tile, rows, width, block)
        self.visible = self.reserve(block)
        self.totals = self.reserve(tile * lanes)


class Flash(HeadCode, SoftmaxTile):
    """Emits one unit of attention with online softmax; subclasses define how a block of keys is prepared, scored and summed."""

    space: Workspace
    rows_together = 2

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: Workspace) -> None:
        super().__init__(code, problem)
        self.space, self.tile, self.panel = space, space.tile, space.panel

    def visible(self) -> Value:
        """The address of the validity of one block's keys in the workspace."""
        return self.scratch(self.space.visible)

    # -- implemented by a subclass
    def prepare(self, key: Value, count: Value) -> None:
        """Prepare the keys and values [key, key + count)."""
        raise NotImplementedError

    def multiply(self, tile: Value, begin: Value, stop: Value) -> None:
        """Compute ahead what `products` needs of a tile's rows and the block's keys [begin, stop)."""

    def products(self, tile: Value, column: Value) -> Sequence[Sequence[Value]]:
        """q·k of the tile's rows with `panel` keys of the block from `column` on: [row][vector]."""
        raise NotImplementedError

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Rescale the tile's result rows, then add the weighted values of the block's keys [begin, stop)."""
        raise NotImplementedError

    # -- the unit
    def attend(self, first_row: Value, row_count: Value, low: Value, high: Value) -> None:
        """Attend to the keys [low, high); stores maxima, sums and results in the workspace."""
        k, space = self.k, self.space
        self.first_row, self.last_row = first_row, first_row + row_count - 1
        tiles = (row_count + (self.tile - 1)) // self.tile
        self._load_queries(tiles)
        begin = k.maximum(self.start_of(first_row), low)
        stop = k.minimum(self.stop_of(self.last_row), high)
        for key in k.range(begin, stop, space.block):
            count = k.minimum(stop - key, space.block)
            if self.problem.mask == "custom":
                with k.when(self.read_visible(key, count)):
                    self._visit(tiles, key, count)
            else:
                self._visit(tiles, key, count)

    def _load_queries(self, tiles: Value) -> None:
        """Load scaled queries into the workspace; rows past the last one repeat it. Results and sums become zero."""
        k, space = self.k, self.space
        for row in k.range(tiles * self.tile):
            source = self.query_at("q", k.minimum(self.first_row + row, self.last_row))
            target = self.query(row)
            result = k.pointer(self.scratch(space.results), row * space.width, self.compute)
            for at in range(0, space.width, self.lanes):
                self.load_query(source, target, at)
                k.store(k.constant(0, self.vector), result, at)
        self.reset(tiles, space.maxima, space.sums)

    def query(self, row: Value) -> Value:
        """The address of a query in the workspace."""
        return self.k.pointer(self.scratch(self.space.queries), row * self.space.width, self.compute)

    def load_query(self, source: Value, target: Value, at: int) -> None:
        """Store a vector of a query as the products read it: here scaled, in the compute type."""
        k, problem = self.k, self.problem
        factor = problem.scale / (problem.softcap or 1)
        count = min(self.lanes, problem.head_dim - at)
        wide = self.load_wide("q", source, at, count) * factor if count > 0 else k.constant(0, self.vector)
        k.store(wide, target, at)

    def _visit(self, tiles: Value, key: Value, count: Value) -> None:
        """Attend all tiles of rows to one block of keys."""
        k, panel = self.k, self.space.panel
        self.prepare(key, count)
        for tile in k.range(tiles):
            first = self.first_row + tile * self.tile
            last = k.minimum(first + (self.tile - 1), self.last_row)
            begin = k.maximum(self.start_of(first) - key, 0) // panel * panel
            stop = k.minimum(self.stop_of(last) - key, count)
            with k.when(begin < stop):
                all_seen = (self.stop_of(first) - key >= stop) & (self.start_of(last) - key <= begin)
                self._update(tile, key, begin, stop, all_seen & (stop % panel == 0))
                self.accumulate(tile, begin, stop)

    def _update(self, tile: Value, key: Value, begin: Value, stop: Value, all_seen: Value) -> None:
        """Compute the weights of the block's keys [begin, stop) for one tile, and update the running maxima and sums."""
        k = self.k
        rows = [k.minimum(self.first_row + tile * self.tile + i, self.last_row) for i in range(self.tile)]
        tops = [k.var(-math.inf, self.vector) for _ in rows]
        self.multiply(tile, begin, stop)
        for column in k.range(begin, stop, self.space.panel):
            products = self.products(tile, column)
            if self.problem.mask != "custom":
                with k.when(all_seen):
                    self._score(products, key, column, rows, tops, masked=False)
                with k.otherwise():
                    self._score(products, key, column, rows, tops, masked=True)
            else:
                self._score(products, key, column, rows, tops, masked=True)
        self.update_softmax(tile, begin, stop, [top.get() for top in tops])

    def _score(
        self,
        products: Sequence[Sequence[Value]],
        key: Value,
        column: Value,
        rows: list[Value],
        tops: list[Variable],
        *,
        masked: bool,
    ) -> None:
        """Store the scores of a tile's rows and a panel of keys in the workspace, and the greatest of each lane in `tops`."""
        k, problem, space = self.k, self.problem, self.space
        integer = problem.compute.integer
        limits = [self.k.convert(self.stop_of(row) - key, integer) for row in rows] if masked else []
        starts = [self.k.convert(self.start_of(row) - key, integer) for row in rows] if problem.window else []
        biases = [self.bias_row(row, key) for row in rows] if problem.mask == "bias" else []
        for index in range(space.panel // self.lanes):
            at = column + index * self.lanes
            lane = k.iota(integer.vector(self.lanes)) + k.convert(at, integer)
            visible = None
            if problem.mask == "custom":
                visible = k.load(self.visible(), at, integer.vector(self.lanes)) != 0
            for i in range(self.tile):
                seen = None
                if masked:
                    seen = lane < limits[i]
                    seen = seen & (lane >= starts[i]) if problem.window else seen
                    seen = seen & visible if visible is not None else seen
                score = apply_softcap(k, products[i][index], problem.softcap)
                if problem.mask == "bias":
                    score = score + self.bias(biases[i], at, seen)
                if seen is not None:
                    score = k.select(seen, score, -math.inf)
                k.store(score, self.scratch(space.scores), at + i * space.block)
                tops[i].set(k.maximum_fast(score, tops[i].get()))

    def weigh_tile(self, maxima: Value, begin: Value, stop: Value) -> list[Value]:
        """Replace the scores of a tile by weights, in a loop where it has many rows."""
        k, together = self.k, self.rows_together
        if self.tile % together or self.tile <= 2 * together:
            return super().weigh_tile(maxima, begin, stop)
        totals = self.scratch(self.space.totals)
        for row in k.range(0, self.tile, together):
            for i, total in enumerate(self.weigh_rows(maxima, begin, stop, row, together)):
                k.store(total, totals, (row + i) * self.lanes)
        return [k.load(totals, i * self.lanes, self.vector) for i in range(self.tile)]

    def rescale(self, results: Value) -> None:
        """Multiply a tile's results by the factors of its rows."""
        k, space = self.k, self.space
        for i in range(self.tile):
            factor = k.splat(k.load(self.scratch(space.shrink), i, self.compute), self.lanes)
            for at, _ in self.heads:
                offset = i * space.width + at
                k.store(k.load(results, offset, self.vector) * factor, results, offset)

    def write(self, first_row: Value, row_count: Value) -> None:
        """Store the results divided by the sums into the output."""
        k, space = self.k, self.space
        for row in k.range(row_count):
            total = k.load(self.scratch(space.sums), row // self.tile * space.stat + row % self.tile, self.compute)
            inverse = k.splat(k.select(total == 0.0, 0.0, 1.0 / total), self.lanes)
            target = self.query_at("out", first_row + row)
            for at, count in self.heads:
                value = k.load(self.scratch(space.results), row * space.width + at, self.vector)
                self.store_row("out", value * inverse, target, at, count)
