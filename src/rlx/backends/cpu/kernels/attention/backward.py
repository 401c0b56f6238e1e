"""The gradients of attention without the score matrix: memory O(S), five products, one pass.

A unit is (batch row, kv head). It packs the keys and values its queries see, then processes the query rows in blocks; scratch holds the
scores of one block with all keys:

    s, dp      q·kᵀ and dy·vᵀ, by tiles of rows × 2 vectors of keys
    softmax    p = softmax(s), g = p·(dp - Σ p·dp)·cap', in place
    dq         g·k, by tiles of rows × 2 vectors of D: all keys at once, so it is written
    dk, dv     gᵀ·q and pᵀ·dy, by tiles of keys × 2 vectors of D: accumulated in scratch over the blocks

No unit adds to another's results: the bits do not depend on the number of threads.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from functools import partial, reduce

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math import tanh
from rlx.backends.cpu.emit.values import Value, Variable
from rlx.backends.cpu.kernels.attention.heads import LOWEST, AttentionProblem, HeadCode, read_problem, weight_of
from rlx.backends.cpu.kernels.attention.running_softmax import merge_lanes
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, same
from rlx.ir.op import Op

_NAMES = ("q", "k", "v", "dy", "mask", "q_position", "kv_length")
_RESULTS = ("dq", "dk", "dv", "dbias")
_ROWS_TOGETHER = 2  # rows per softmax step: an exponential is a long dependency chain


_ROWS = 48  # query rows of a block


class BackwardLayout:
    """The layout of a unit's scratch in the attention gradient, in compute elements; the number of keys may be a symbol."""

    def __init__(self, problem: AttentionProblem, target: Target) -> None:
        lanes = target.lanes(problem.compute)
        self.tile = 6 if target.vector_registers == 16 else 12
        self.panel = 2 * lanes
        self.rows = _ROWS
        self.width = -(-problem.head_dim // self.panel) * self.panel
        self.keys = ceildiv(problem.keys, self.panel) * self.panel
        # row stride of scores: room for a tile of keys past the last, and not a power of two, so that rows do not share cache sets
        self.line = self.keys + -(-self.tile // self.panel) * self.panel
        self.stat = -(-self.tile // lanes) * lanes
        self.elements: Size = 0
        self.queries, self.seeds = (self._reserve(self.rows * self.width) for _ in range(2))
        self.maxima, self.inverses, self.means = (self._reserve(self.stat) for _ in range(3))
        self.result = self._reserve(self.tile * self.width)
        self.scores, self.changes = (self._reserve(self.line * self.rows) for _ in range(2))
        self.slopes = self._reserve(self.line * self.tile if problem.softcap else 0)
        self.visible = self._reserve(self.line if problem.mask == "custom" else 0)
        self.key_columns, self.value_columns = (self._reserve(self.keys * problem.head_dim) for _ in range(2))
        self.key_rows = self._reserve(self.keys * self.width)
        self.key_sums, self.value_sums = (self._reserve((self.keys + self.tile) * self.width) for _ in range(2))

    def _reserve(self, elements: Size) -> Size:
        """Reserve `elements` elements, in full cache lines; returns the offset."""
        start = self.elements
        self.elements = start + ceildiv(elements, 16) * 16
        return start


class BackwardScratch(HeadCode):
    """The scratch of a unit of the attention gradient: packed keys and values, s and dp of a block of rows, sums of dk and dv."""

    low: Value
    count: Value

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: BackwardLayout) -> None:
        super().__init__(code, problem)
        self.space, self.tile, self.panel = space, space.tile, space.panel
        self.line = self.k.index(code.size(space.line))
        self.all_keys = self.k.index(code.size(problem.keys))

    def part(self, start: Size, offset: Value | int = 0) -> Value:
        """The address of a part of scratch, plus an offset in elements."""
        return self.k.pointer(self.k.scratch, self.k.index(self.code.size(start)) + offset, self.problem.compute)

    def visible(self) -> Value:
        """The address in scratch of the validity of the unit's keys."""
        return self.part(self.space.visible)

    def round_up(self, value: Value) -> Value:
        """Round a length up to full panels."""
        return (value + (self.panel - 1)) // self.panel * self.panel

    def pack_columns(self, name: str, where: Size) -> None:
        """Pack K or V `[keys, D]` as `[keys / panel, D, panel]`; keys past the last one repeat it, masked keys are zeros."""
        k, lanes, panel, head_dim = self.k, self.lanes, self.panel, self.problem.head_dim
        last = self.count - 1
        for column in k.range(0, self.round_up(self.count), lanes):
            keys = [k.minimum(column + lane, last) for lane in range(lanes)]
            rows = [self.at(name, self.low + key, self.kv_head) for key in keys]
            target = self.part(where, column // panel * (panel * head_dim) + column % panel)
            for at, count in ((at, lanes) for at in k.range(0, head_dim // lanes * lanes, lanes)):
                self._transpose(name, rows, keys, at, count, target)
            if head_dim % lanes:
                self._transpose(name, rows, keys, k.index(head_dim // lanes * lanes), head_dim % lanes, target)

    def _transpose(self, name: str, rows: list[Value], keys: list[Value], at: Value, count: int, target: Value) -> None:
        loaded = [self.hide(self.load_wide(name, row, at, count), key) for row, key in zip(rows, keys, strict=True)]
        for i, column in enumerate(self.k.transpose(loaded)[:count]):
            self.k.store(column, target, (at + i) * self.panel)

    def pack_rows(self) -> None:
        """Pack K as `[D / panel, keys, panel]`, zeros past D and for masked keys."""
        k, panel, keys = self.k, self.panel, self.code.size(self.space.keys)
        for key in k.range(self.count):
            source, target = self.at("k", self.low + key, self.kv_head), self.part(self.space.key_rows, key * panel)
            for at in range(0, self.space.width, self.lanes):
                there = min(self.lanes, self.problem.head_dim - at)
                value = self.hide(self.load_wide("k", source, at, there), key) if there > 0 else k.constant(0, self.vector)
                k.store(value, target, k.index(keys) * (at // panel * panel) + at % panel)

    def write_keys(self, name: str, sums: Size, factor: float) -> None:
        """Store the sums of the unit's keys into dk or dv, zeros for all other keys."""
        k, zero = self.k, self.k.constant(0, self.vector)
        stop = self.low + self.count
        for key in k.range(self.all_keys):
            target = self.at(name, key, self.kv_head)
            with k.when((key >= self.low) & (key < stop)):
                source = self.part(sums, (key - self.low) * self.space.width)
                for at, count in self.heads:
                    self.store_row(name, k.load(source, at, self.vector) * factor, target, at, count)
            with k.otherwise():
                for at, count in self.heads:
                    self.store_row(name, zero, target, at, count)


class Backward(BackwardScratch):
    """Emits the attention gradient of one unit: a batch row and kv head."""

    # -- the unit
    def run(self, batch: Value, kv_head: Value) -> None:
        """Compute all gradients of one batch row and kv head."""
        k = self.k
        self.start(batch, kv_head)
        self.low = self.start_of(k.index(0))
        self.count = k.maximum(self.stop_of(self.rows - 1) - self.low, 0)
        if self.problem.mask == "custom":
            self.read_visible(self.low, self.count)
        self.pack_columns("k", self.space.key_columns)
        self.pack_columns("v", self.space.value_columns)
        self.pack_rows()
        zero = k.constant(0, self.vector)
        for sums in (self.space.key_sums, self.space.value_sums):
            for at in k.range(0, (self.count + self.tile) * self.space.width, self.lanes):
                k.store(zero, self.part(sums), at)
        for first in k.range(0, self.rows, self.space.rows):
            self._block(first, k.minimum(self.rows - first, self.space.rows))
        self.write_keys("dk", self.space.key_sums, self.problem.softcap or 1.0)
        self.write_keys("dv", self.space.value_sums, 1.0)

    # -- a block of rows
    def _block(self, first: Value, count: Value) -> None:
        """Compute the scores of a block of query rows, their dq, and their contribution to dk and dv."""
        k, space, tile = self.k, self.space, self.tile
        self.first_row, self.last_row = first, first + count - 1
        tiles = (count + (tile - 1)) // tile
        self._load_rows("q", space.queries, self.problem.scale / (self.problem.softcap or 1.0), tiles)
        self._load_rows("dy", space.seeds, 1.0, tiles)
        begin = k.maximum(self.start_of(first) - self.low, 0) // self.panel * self.panel
        stop = k.minimum(self.stop_of(self.last_row) - self.low, self.count)
        for number in k.range(tiles):
            self._tile(number, begin, stop)
        for key in k.range(begin, stop, tile):
            rows = self._rows_that_see(key, count)
            self._add(space.key_sums, space.changes, space.queries, key, rows)
            self._add(space.value_sums, space.scores, space.seeds, key, rows)

    def _load_rows(self, name: str, where: Size, factor: float, tiles: Value) -> None:
        """Load query rows into scratch, zeros past D; rows past the last one repeat it."""
        k, zero = self.k, self.k.constant(0, self.vector)
        for row in k.range(tiles * self.tile):
            source = self.query_at(name, k.minimum(self.first_row + row, self.last_row))
            target = self.part(where, row * self.space.width)
            for at in range(0, self.space.width, self.lanes):
                count = min(self.lanes, self.problem.head_dim - at)
                value = self.load_wide(name, source, at, count) if count > 0 else zero
                k.store(value * factor if factor != 1.0 else value, target, at)

    def _rows_that_see(self, key: Value, count: Value) -> tuple[Value, Value]:
        """The range of the block's rows that attend to any of a tile of keys."""
        k, begin, stop = self.k, self.k.index(0), count
        distance = self.low + key - self.first_position
        if self.problem.causal:
            begin = k.minimum(k.maximum(distance * self.problem.group - self.first_row, 0), count)
        if self.problem.window:
            last = (distance + (self.tile - 1 + self.problem.window)) * self.problem.group
            stop = k.minimum(k.maximum(last - self.first_row, 0), count)
        return begin, stop

    def _add(self, sums: Size, weights: Size, vectors: Size, key: Value, rows: tuple[Value, Value]) -> None:
        """sums[key + i] += Σ weights[row, key + i]·vectors[row] for a tile of keys."""
        k, width = self.k, self.space.width
        begin, stop = rows
        for at in k.range(0, width, self.panel):
            target = self.part(sums, key * width + at)
            vectors_of = range(0, self.panel, self.lanes)
            totals = [[k.var(k.load(target, i * width + v, self.vector)) for v in vectors_of] for i in range(self.tile)]
            left = [self.part(weights, key + i) for i in range(self.tile)]
            self._product(totals, left, self.line, self.part(vectors, at), width, begin, stop)
            self._keep(totals, target, width)

    def _product(
        self,
        totals: list[list[Variable]],
        left: list[Value],
        left_step: Value | int,
        right: Value,
        right_step: int,
        begin: Value,
        stop: Value,
    ) -> None:
        """Add to totals[i] the products Σ left[i][n·left_step]·right[n·right_step]: left broadcast, right as two vectors."""
        k = self.k
        for n in k.range(begin, stop):
            vectors = [k.load(right, n * right_step + at, self.vector) for at in range(0, self.panel, self.lanes)]
            for base, row in zip(left, totals, strict=True):
                number = k.splat(k.load(base, n * left_step, self.problem.compute), self.lanes)
                for total, vector in zip(row, vectors, strict=True):
                    total.set(k.fma(number, vector, total.get()))

    def _keep(self, totals: list[list[Variable]], target: Value, step: int) -> None:
        for i, row in enumerate(totals):
            for index, total in enumerate(row):
                self.k.store(total.get(), target, i * step + index * self.lanes)

    # -- a tile of rows
    def _tile(self, number: Value, begin: Value, stop: Value) -> None:
        """Compute p and g of a tile of rows, zeros for keys that the rows do not attend to, and their dq."""
        k = self.k
        first = self.first_row + number * self.tile
        last = k.minimum(first + (self.tile - 1), self.last_row)
        rows = [k.minimum(first + i, self.last_row) for i in range(self.tile)]
        mine = k.maximum(self.start_of(first) - self.low, 0) // self.panel * self.panel
        end = k.maximum(k.minimum(self.stop_of(last) - self.low, self.count), mine)
        scores, changes = (self.part(where, self.line * (number * self.tile)) for where in (self.space.scores, self.space.changes))
        self._score(number, rows, mine, end, scores, changes)
        self._normalize(rows, mine, end, scores, changes)
        zero = k.constant(0, self.vector)
        for low, high in ((begin, mine), (self.round_up(end), self.round_up(stop + (self.tile - 1)))):
            for column in k.range(low, high, self.lanes):
                for i in range(self.tile):
                    for where in (scores, changes):
                        k.store(zero, where, self.line * i + column)
        self._write_queries(rows, mine, end, changes)

    def _score(self, number: Value, rows: list[Value], begin: Value, stop: Value, scores: Value, changes: Value) -> None:
        """Store s and dp of a tile into scratch, and the greatest score of each row."""
        k, space, problem = self.k, self.space, self.problem
        integer = problem.compute.integer
        limits = [k.convert(self.stop_of(row) - self.low, integer) for row in rows]
        starts = [k.convert(self.start_of(row) - self.low, integer) for row in rows] if problem.window else [None] * self.tile
        biases = [self.bias_row(row, self.low) for row in rows] if problem.mask == "bias" else [None] * self.tile
        tops = [k.var(-math.inf, self.vector) for _ in rows]
        for column in k.range(begin, stop, self.panel):
            for i, index, total in self._products(number, column, space.queries, space.key_columns):
                at = column + index * self.lanes
                score = self._finish_score(total.get(), i, at, biases[i], self.seen_at(at, limits[i], starts[i]))
                tops[i].set(k.maximum_fast(score, tops[i].get()))
                k.store(score, scores, self.line * i + at)
            for i, index, total in self._products(number, column, space.seeds, space.value_columns):
                at = column + index * self.lanes
                k.store(total.get(), changes, self.line * i + at)
        for index, top in enumerate(merge_lanes(k, [top.get() for top in tops], k.maximum_fast)):
            k.store(k.maximum_fast(top, LOWEST[problem.compute]), self.part(space.maxima), index * self.lanes)

    def _products(self, number: Value, column: Value, rows: Size, columns: Size) -> Iterator[tuple[int, int, Variable]]:
        """Multiply a tile of rows by a panel of keys from a column on; yields (row, vector, sum)."""
        k, head_dim = self.k, self.problem.head_dim
        totals = [[k.var(0, self.vector) for _ in range(0, self.panel, self.lanes)] for _ in range(self.tile)]
        left = [self.part(rows, (number * self.tile + i) * self.space.width) for i in range(self.tile)]
        self._product(totals, left, 1, self.part(columns, column * head_dim), self.panel, k.index(0), k.index(head_dim))
        for i, row in enumerate(totals):
            for index, total in enumerate(row):
                yield i, index, total

    def _finish_score(self, product: Value, i: int, at: Value, bias: Value | None, seen: Value) -> Value:
        """Finish a vector of scores: soft-capped (the slope of the cap is saved), biased, -inf where a key is masked."""
        k, score = self.k, product
        if self.problem.softcap:
            tanh_of = tanh(k, product)
            k.store(1.0 - tanh_of * tanh_of, self.part(self.space.slopes), self.line * i + at)
            score = tanh_of * self.problem.softcap
        if bias is not None:
            score = score + self.bias(bias, at, seen)
        return k.select(seen, score, -math.inf)

    def _normalize(self, rows: list[Value], begin: Value, stop: Value, scores: Value, changes: Value) -> None:
        """Normalize scores to probabilities p, and dp to g = p·(dp - Σ p·dp), times the slope of the soft cap."""
        k, space = self.k, self.space
        groups = [range(first, min(first + _ROWS_TOGETHER, self.tile)) for first in range(0, self.tile, _ROWS_TOGETHER)]
        sums, products = [], []
        for group in groups:
            for total, product in self._weigh(group, begin, stop, scores, changes):
                sums.append(total)
                products.append(product)
        add = operator.add
        for index, (total, product) in enumerate(zip(merge_lanes(k, sums, add), merge_lanes(k, products, add), strict=True)):
            inverse = k.select(total == 0.0, 0.0, 1.0 / total)
            k.store(inverse, self.part(space.inverses), index * self.lanes)
            k.store(product * inverse, self.part(space.means), index * self.lanes)
        for group in groups:
            self._change(group, rows, begin, stop, scores, changes)
        if "dbias" in self.problem.operands:
            for row in rows:
                self._hidden_bias(row, begin, stop)

    def _weigh(self, group: range, begin: Value, stop: Value, scores: Value, changes: Value) -> list[tuple[Value, Value]]:
        """Replace the scores of a few rows by exp(s - maximum) in place; returns Σ and Σ·dp of each row, lane by lane."""
        k, halves = self.k, self.panel // self.lanes
        tops = [k.splat(k.load(self.part(self.space.maxima), i, self.problem.compute), self.lanes) for i in group]
        chains = [[(k.var(0, self.vector), k.var(0, self.vector)) for _ in range(halves)] for _ in group]
        for column in k.range(begin, stop, self.panel):
            for i, top, row in zip(group, tops, chains, strict=True):
                for index, (total, product) in enumerate(row):
                    at = self.line * i + column + index * self.lanes
                    weight = weight_of(k, k.load(scores, at, self.vector) - top)
                    k.store(weight, scores, at)
                    total.set(total.get() + weight)
                    product.set(k.fma(weight, k.load(changes, at, self.vector), product.get()))
        return [
            (reduce(operator.add, (t.get() for t, _ in row)), reduce(operator.add, (p.get() for _, p in row))) for row in chains
        ]

    def _change(self, group: range, rows: list[Value], begin: Value, stop: Value, scores: Value, changes: Value) -> None:
        """Replace exponentials by probabilities and dp by g; store the gradient of a bias."""
        k, space, compute = self.k, self.space, self.problem.compute
        inverses, means = (
            [k.splat(k.load(self.part(p), i, compute), self.lanes) for i in group] for p in (space.inverses, space.means)
        )
        targets = [self._bias_gradient(rows[i], self.low) for i in group] if "dbias" in self.problem.operands else []
        for column in k.range(begin, self.round_up(stop), self.lanes):
            for n, i in enumerate(group):
                at = self.line * i + column
                share = k.load(scores, at, self.vector) * inverses[n]
                change = share * (k.load(changes, at, self.vector) - means[n])
                if targets:
                    k.store_masked(k.convert(change, self.problem.dtypes["dbias"]), targets[n], column, stop - column)
                if self.problem.softcap:
                    change = change * k.load(self.part(space.slopes), at, self.vector)
                k.store(share, scores, at)
                k.store(change, changes, at)

    def _bias_gradient(self, row: Value, key: Value) -> Value:
        """The address in dbias `[B, H, S, T]` of a query row and key."""
        group, kv_heads = self.problem.group, self.problem.kv_heads
        head = self.kv_head * group + row % group
        index = (self.batch * (kv_heads * group) + head) * self.code.size(self.problem.queries) + row // group
        return self.k.pointer(
            self.code.pointer(self.problem.operands["dbias"]), index * self.all_keys + key, self.problem.dtypes["dbias"]
        )

    def _hidden_bias(self, row: Value, begin: Value, stop: Value) -> None:
        """Store zeros in a row of dbias for the keys outside of [begin, stop)."""
        k, target = self.k, self._bias_gradient(row, self.k.index(0))
        zero = k.convert(k.constant(0, self.vector), self.problem.dtypes["dbias"])
        for low, high in ((k.index(0), self.low + begin), (self.low + stop, self.all_keys)):
            for at in k.range(low, high, self.lanes):
                k.store_masked(zero, target, at, high - at)

    def _write_queries(self, rows: list[Value], begin: Value, stop: Value, changes: Value) -> None:
        """Store dq = g·k·scale of a tile of rows."""
        k, space, keys = self.k, self.space, self.k.index(self.code.size(self.space.keys))
        left = [k.pointer(changes, self.line * i, self.problem.compute) for i in range(self.tile)]
        for column in k.range(0, space.width, self.panel):
            totals = [[k.var(0, self.vector) for _ in range(0, self.panel, self.lanes)] for _ in rows]
            self._product(totals, left, 1, self.part(space.key_rows, keys * column), self.panel, begin, stop)
            self._keep(totals, self.part(space.result, column), space.width)
        for i, row in enumerate(rows):
            target = self.query_at("dq", row)
            for at, count in self.heads:
                value = k.load(self.part(space.result), i * space.width + at, self.vector) * self.problem.scale
                self.store_row("dq", value, target, at, count)


def _emit_gradients(code: KernelCode, problem: AttentionProblem, space: BackwardLayout) -> None:
    backward = Backward(code, problem, space)
    k = code.code
    for unit in k.range(k.begin, k.end):
        backward.run(unit // problem.kv_heads, unit % problem.kv_heads)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `attention_backward`: all mask kinds on f32, f64, f16 and bf16; the gradient of a bias if it is not broadcast."""
    named = {name: tensor for name, tensor in zip(_NAMES, inputs, strict=False) if tensor is not None}
    problem = read_problem(op, named, dict(zip(_RESULTS, outputs, strict=False)))
    if isinstance(problem, str):
        return problem
    if len(outputs) == len(_RESULTS):
        full = (problem.batch, problem.kv_heads * problem.group, problem.queries, problem.keys)
        mask = named["mask"].dims
        if len(mask) != len(full) or not all(same(mine, other) for mine, other in zip(mask, full, strict=True)):
            return "the gradient of a bias that is broadcast is a sum over units"
    present = tuple(index for index, tensor in enumerate(inputs) if tensor is not None)
    operands = (*present, *range(len(inputs), len(inputs) + len(outputs)))
    space = BackwardLayout(problem, target)
    emit = partial(_emit_gradients, problem=problem, space=space)
    units, scratch = problem.batch * problem.kv_heads, space.elements * problem.compute.size
    return Lowering((Stage("attention_backward", ("attention_backward", problem.key, space.rows), operands, units, emit, scratch),))
