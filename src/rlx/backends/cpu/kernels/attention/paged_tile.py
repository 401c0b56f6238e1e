"""The code of paged attention for one run of rows: scores of a block of keys, a running softmax, weighted values.

A query is (row, query head of the group); a tile of queries reads the keys block by block. A page's keys are transposed, so a
vector holds one coordinate of several keys: a score is one chain of multiply-adds along the head dim, whatever the tile. Values are added
key by key. Blocks and parts begin at fixed positions, so a query's bits depend on its own keys only. What a query does not see is
selected away, never multiplied: it may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import Type, Value, Variable
from rlx.backends.cpu.kernels.attention.heads import apply_softcap, weight_of
from rlx.backends.cpu.kernels.attention.paged_reading import PagedProblem, PagedSpace, PageReader, RowRun
from rlx.backends.cpu.kernels.attention.running_softmax import SoftmaxTile
from rlx.core.dim import Size

_VECTORS_OF_A_ROW = 8
"""Vectors of a query's result that stay in registers at the edges."""


class PagedTile(PageReader, SoftmaxTile):
    """Emits paged attention of one run, with tiles of `space.tile` queries."""

    space: PagedSpace
    rows_together = 4

    def __init__(self, code: KernelCode, problem: PagedProblem, space: PagedSpace, *, streams: bool) -> None:
        super().__init__(code, problem, space, streams=streams)
        self.panel = self.lanes

    # -- addresses
    def score_offset(self, column: Value, row: Value, i: int, vector: int) -> Value:
        return column + (row + i) * self.space.columns

    def row_at(self, tensor: int, stride: Size, kind: Type, query: Value) -> Value:
        """The address of a query in q or the result, by its index in the run."""
        group = self.problem.group
        head = self.run.kv_head * group + query % group
        offset = (self.run.first + query // group) * self.code.size(stride) + head * self.problem.head_dim
        return self.k.pointer(self.code.pointer(tensor), offset, kind)

    # -- which keys a query sees
    def stop_of(self, query: Value) -> Value:
        """One past the last key that a query attends to."""
        return self.k.minimum(self.run.position + query // self.problem.group + 1, self.run.room)

    def start_of(self, query: Value) -> Value:
        """The first key that a query attends to."""
        if not self.problem.window:
            return self.k.index(0)
        return self.k.maximum(self.run.position + query // self.problem.group + (1 - self.problem.window), 0)

    def last_part(self, query: Value) -> Value:
        """The part with the last key that a query attends to; 0 if there is none."""
        return self.k.maximum(self.stop_of(query) - 1, 0) // self.problem.split

    def first_part(self, query: Value) -> Value:
        """The part with the first key that a query attends to."""
        return self.k.minimum(self.start_of(query) // self.problem.split, self.last_part(query))

    # -- a run
    def begin(self, run: RowRun) -> None:
        """Start a run: reset its totals, before any key is read."""
        k, space = self.k, self.space
        self.run = run
        self.queries = run.count * self.problem.group
        self.tiles = (self.queries + (self.tile - 1)) // self.tile
        for at in k.range(0, self.queries * space.width, self.lanes):
            k.store(k.constant(0, self.vector), self.scratch(space.total_results), at)
        self.reset(self.tiles, space.total_maxima, space.total_sums)

    def load_queries(self) -> None:
        """Load scaled queries into the workspace; those past the last one repeat it."""
        k, space, problem = self.k, self.space, self.problem
        factor = problem.scale / (problem.softcap or 1)
        for query in k.range(self.tiles * self.tile):
            source = self.row_at(0, problem.row_stride, problem.query, k.minimum(query, self.queries - 1))
            for at, count in self.vectors():
                kind = problem.query.vector(self.lanes)
                loaded = k.load(source, at, kind) if count == self.lanes else k.load_masked(source, at, count, kind)
                value = k.convert(loaded, problem.compute) * factor
                k.store(value, self.scratch(space.queries), query * space.width + at)

    def attend(self, low: Value, high: Value) -> None:
        """Attend to one part: the keys [low, high), from a multiple of the split on; stores its maxima, sums and results."""
        k, space, block = self.k, self.space, self.problem.block
        zero = k.constant(0, self.vector)
        for at in k.range(0, self.tiles * (self.tile * space.width), self.lanes):
            k.store(zero, self.scratch(space.results), at)
        self.reset(self.tiles, space.maxima, space.sums)
        last = self.queries - 1
        begin = k.maximum(self.start_of(k.index(0)), low) // block * block
        stop = k.minimum(self.stop_of(last), high)
        for first in k.range(begin, stop, block):
            end = k.minimum(first + block, stop)
            for tile in k.range(self.tiles):
                self._visit(tile, first, end)

    def _visit(self, tile: Value, first: Value, end: Value) -> None:
        """Attend a tile of queries to the keys [first, end) of a block."""
        k = self.k
        top = tile * self.tile
        bottom = k.minimum(top + (self.tile - 1), self.queries - 1)
        begin = k.maximum(self.start_of(top), first)
        stop = k.minimum(self.stop_of(bottom), end)
        with k.when(begin < stop):
            self._update(tile, first, begin, stop)
            self._accumulate(tile, first, begin, stop, top, bottom)

    # -- scores
    def _update(self, tile: Value, first: Value, begin: Value, stop: Value) -> None:
        """Compute the weights of the block's keys for one tile, and update the running maxima and sums."""
        k, page = self.k, self.problem.page
        queries = [k.minimum(tile * self.tile + i, self.queries - 1) for i in range(self.tile)]
        limits = [self.stop_of(query) for query in queries]
        starts = [self.start_of(query) for query in queries]
        tops = [k.var(-math.inf, self.vector) for _ in queries]
        low, high = (begin - first) // page, (stop - first + (page - 1)) // page
        for number in k.range(low, high):
            source, ahead = self.key_page(first, number), self.following(first, number) if self.streams else None
            if ahead is not None:
                self.fetch_scales(ahead, 0)
            key = first + number * page
            for panel in self._panels():
                products = self._products(tile, source, ahead, panel)
                for (at, count), column in zip(panel, zip(*products, strict=True), strict=True):
                    lane = k.iota(self.compute.integer.vector(self.lanes)) + at
                    inside = None if count == self.lanes else lane < self.problem.page
                    for i, product in enumerate(column):
                        seen = lane < self._lane(limits[i] - key)
                        seen = seen & (lane >= self._lane(starts[i] - key)) if self.problem.window else seen
                        seen = seen if inside is None else seen & inside
                        score = k.select(seen, apply_softcap(k, product, self.problem.softcap), -math.inf)
                        offset = number * self.space.page + (i * self.space.columns + at)
                        k.store(score, self.scratch(self.space.scores), offset)
                        tops[i].set(k.maximum_fast(score, tops[i].get()))
        self.update_softmax(tile, low * self.space.page, high * self.space.page, [top.get() for top in tops])

    def _lane(self, number: Value) -> Value:
        return self.k.convert(number, self.compute.integer)

    def _panels(self) -> list[list[tuple[int, int]]]:
        """The vectors of a page's keys, as many together as registers hold sums for."""
        page = self.problem.page
        vectors = [(at, min(self.lanes, page - at)) for at in range(0, page, self.lanes)]
        together = max(1, self.registers // self.tile)
        return [vectors[start : start + together] for start in range(0, len(vectors), together)]

    def _products(self, tile: Value, source: Value, ahead: Value | None, panel: list[tuple[int, int]]) -> list[list[Value]]:
        """Multiply the tile's queries by a panel of a page's keys: [query][vector], one chain of sums each along the head dim.
        The same keys of the page `ahead` are prefetched meanwhile."""
        k, space = self.k, self.space
        queries = self.tile_part(space.queries, tile, self.tile * space.width)
        sums = [[k.var(0, self.vector) for _ in panel] for _ in range(self.tile)]
        for group, length in self.key_groups():
            scales = self.key_scales(source, group, panel)
            for step in k.range(length):
                d = group * length + step
                if ahead is not None:
                    start = (ahead * self.problem.head_dim + d) * self.problem.page + panel[0][0]
                    self.fetch(1, start, len(panel) * self.lanes, self.problem.keys)
                key = partial(self._scaled_key, source, d, panel, scales)
                self._multiply(sums, self.k.pointer(queries, d, self.compute), space.width, key)
        return [[total.get() for total in row] for row in sums]

    def _scaled_key(self, source: Value, d: Value, panel: list[tuple[int, int]], scales: list[Value], number: int) -> Value:
        loaded = self.load_key(source, d, *panel[number])
        return loaded * scales[number] if scales else loaded

    def _value(self, source: Value, index: Value, vectors: list[tuple[Value, int]], number: int) -> Value:
        return self.load_value(source, index, *vectors[number])

    def _multiply(self, sums: list[list[Variable]], factors: Value, stride: int, vector: Callable[[int], Value]) -> None:
        """Add factors[i · stride] · vector(n) to sums[i][n]; the smaller operand stays in registers."""
        k = self.k
        if len(sums) < len(sums[0]):
            splats = [self._factor(factors, i * stride) for i in range(len(sums))]
            for number in range(len(sums[0])):
                loaded = vector(number)
                for each, row in zip(splats, sums, strict=True):
                    row[number].set(k.fma(each, loaded, row[number].get()))
            return
        vectors = [vector(number) for number in range(len(sums[0]))]
        for i, row in enumerate(sums):
            each = self._factor(factors, i * stride)
            for total, loaded in zip(row, vectors, strict=True):
                total.set(k.fma(each, loaded, total.get()))

    def _factor(self, factors: Value, index: int) -> Value:
        return self.k.splat(self.k.load(factors, index, self.compute), self.lanes)

    # -- values
    def _accumulate(self, tile: Value, first: Value, begin: Value, stop: Value, top: Value, bottom: Value) -> None:
        """Rescale the tile's results, then add weighted values: with sums in registers for the keys that all queries attend to."""
        k = self.k
        results = self.tile_part(self.space.results, tile, self.tile * self.space.width)
        self._rescale(results)
        if self.tile == 1:
            self._add(results, first, begin, stop)
            return
        low = k.minimum(k.maximum(self.start_of(bottom), begin), stop)
        high = k.maximum(k.minimum(self.stop_of(top), stop), low)
        if self.problem.window:
            self._add_seen(results, first, begin, low, top)
        self._add(results, first, low, high)
        self._add_seen(results, first, high, stop, top)

    def _rescale(self, results: Value) -> None:
        k, space = self.k, self.space
        for i in range(self.tile):
            factor = k.load(self.scratch(space.shrink), i, self.compute)
            with k.when(factor != 1.0):
                for at, _ in self.vectors():
                    offset = i * space.width + at
                    k.store(k.load(results, offset, self.vector) * k.splat(factor, self.lanes), results, offset)

    def _add(self, results: Value, first: Value, begin: Value, stop: Value) -> None:
        """Add the weighted values of the keys [begin, stop), which every query of the tile attends to."""
        k, page, space = self.k, self.problem.page, self.space
        together = max(1, min(self.registers // self.tile, self.problem.head_dim // self.lanes))
        for number in k.range((begin - first) // page, (stop - first + (page - 1)) // page):
            source, key = self.value_page(first, number), first + number * page
            ahead = self.following(first, number) if self.streams else None
            if ahead is not None:
                self.fetch_scales(ahead, 1)
            low, high = k.maximum(begin - key, 0), k.minimum(stop - key, page)
            weights = self.scratch(number * space.page + space.scores)
            panels = self.problem.head_dim // self.lanes // together
            for start in k.range(0, panels * together * self.lanes, together * self.lanes):
                panel = [(start + index * self.lanes, self.lanes) for index in range(together)]
                self._add_panel(results, weights, source, ahead, panel, low, high)
            last = [(k.index(at), count) for at, count in self.heads[panels * together :]]
            if last:
                self._add_panel(results, weights, source, ahead, last, low, high)

    def _add_panel(
        self,
        results: Value,
        weights: Value,
        source: Value,
        ahead: Value | None,
        vectors: list[tuple[Value, int]],
        low: Value,
        high: Value,
    ) -> None:
        """Add a few vectors of the values [low, high) of a page, with sums in registers."""
        k, space = self.k, self.space
        sums = [[k.var(k.load(results, at + i * space.width, self.vector)) for at, _ in vectors] for i in range(self.tile)]
        for index in k.range(low, high):
            if ahead is not None:
                start = (ahead * self.problem.page + index) * self.problem.head_dim + vectors[0][0]
                self.fetch(2, start, len(vectors) * self.lanes, self.problem.values)
            factors = k.pointer(weights, index, self.compute)
            self._multiply(sums, factors, space.columns, partial(self._value, source, index, vectors))
        for i, row in enumerate(sums):
            for (at, _), total in zip(vectors, row, strict=True):
                k.store(total.get(), results, at + i * space.width)

    def _add_seen(self, results: Value, first: Value, begin: Value, stop: Value, top: Value) -> None:
        """Add the few keys at the edges that only some queries of the tile attend to, query by query."""
        k, page, space = self.k, self.problem.page, self.space
        with k.when(begin < stop):
            for number in k.range((begin - first) // page, (stop - first + (page - 1)) // page):
                source, key = self.value_page(first, number), first + number * page
                for i in k.range(self.tile):
                    query = k.minimum(top + i, self.queries - 1)
                    low = k.maximum(k.maximum(begin, self.start_of(query)) - key, 0)
                    high = k.minimum(k.minimum(stop, self.stop_of(query)) - key, page)
                    weights = self.scratch(number * space.page + i * space.columns + space.scores)
                    self._add_row(k.pointer(results, i * space.width, self.compute), weights, source, low, high)

    def _add_row(self, result: Value, weights: Value, source: Value, low: Value, high: Value) -> None:
        """Add the weighted values [low, high) of a page for one query."""
        k = self.k
        with k.when(low < high):
            for start in range(0, len(self.heads), _VECTORS_OF_A_ROW):
                vectors = self.heads[start : start + _VECTORS_OF_A_ROW]
                sums = [k.var(k.load(result, at, self.vector)) for at, _ in vectors]
                for index in k.range(low, high):
                    weight = self._factor(k.pointer(weights, index, self.compute), 0)
                    for (at, count), total in zip(vectors, sums, strict=True):
                        value = self.load_value(source, index, k.index(at), count)
                        total.set(k.fma(weight, value, total.get()))
                for (at, _), total in zip(vectors, sums, strict=True):
                    k.store(total.get(), result, at)

    # -- results
    def part_of(self, query: Value) -> tuple[Value, Value, Value]:
        """The maximum, the sum and the result's address of a query's current part."""
        k, space = self.k, self.space
        stat = query // self.tile * space.stat + query % self.tile
        maximum, total = (k.load(self.scratch(at), stat, self.compute) for at in (space.maxima, space.sums))
        return maximum, total, self.scratch(query * space.width + space.results)

    def join(self, query: Value, maximum: Value, total: Value, result: Value) -> None:
        """Join one query's part, given by its maximum, sum and the address of its result, into its totals."""
        k, space, compute = self.k, self.space, self.compute
        stat = query // self.tile * space.stat + query % self.tile
        before = k.load(self.scratch(space.total_maxima), stat, compute)
        after = k.maximum_fast(maximum, before)
        old, new = (weight_of(k, k.splat(each - after, self.lanes)) for each in (before, maximum))
        sums = k.splat(k.load(self.scratch(space.total_sums), stat, compute), self.lanes)
        sums = k.fma(k.splat(total, self.lanes), new, sums * old)
        k.store(after, self.scratch(space.total_maxima), stat)
        k.store(k.extract(sums, 0), self.scratch(space.total_sums), stat)
        results = self.scratch(query * space.width + space.total_results)
        for at, _ in self.vectors():
            joined = k.fma(k.load(result, at, self.vector), new, k.load(results, at, self.vector) * old)
            k.store(joined, results, at)

    def write(self, query: Value) -> None:
        """Store a query's total result, divided by its sum."""
        k, space, problem = self.k, self.space, self.problem
        total = k.load(self.scratch(space.total_sums), query // self.tile * space.stat + query % self.tile, problem.compute)
        inverse = k.splat(k.select(total == 0.0, 0.0, 1.0 / total), self.lanes)
        width = problem.kv_heads * problem.group * problem.head_dim
        target = self.row_at(problem.result, width, problem.query, query)
        for at, count in self.vectors():
            value = k.load(self.scratch(query * space.width + space.total_results), at, self.vector) * inverse
            stored = k.convert(value, problem.query)
            if count == self.lanes:
                k.store(stored, target, at)
            else:
                k.store_masked(stored, target, at, count)
