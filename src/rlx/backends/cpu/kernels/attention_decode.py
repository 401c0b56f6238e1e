"""Attention of few query rows, as in decoding: keys and values are read once, from where they lie.

The keys are split into chunks of a fixed size, so that a single sequence also keeps several threads busy. A unit is
(batch row, kv head, chunk) with all query rows of the kv head; it leaves its rows' maxima, sums and results in
temporaries, and a second command combines the chunks. With one chunk the output is written at once.
"""

from __future__ import annotations

from functools import partial

from rlx.backends.cpu.builder import Value
from rlx.backends.cpu.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.attention_flash import Flash, Problem, Workspace
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum, proves_at_most
from rlx.core.dtype import DType

__all__ = ["FEW_ROWS", "decode_stages"]

FEW_ROWS = 16
"""Up to this many query rows of a kv head, its keys are streamed instead of packed."""

_CHUNK = 512
_BLOCK = 64


class Streamed(Flash):
    """Few rows: the vectors run along D, products are summed over their lanes."""

    def prepare(self, key: Value, count: Value) -> None:
        """Nothing but to remember which keys these are."""
        self.key, self.last_key = key, key + count - 1

    def products(self, tile: Value, column: Value) -> list[list[Value]]:
        """One vector of keys for each row."""
        queries = self.tile_part(self.space.queries, tile, self.tile * self.space.width)
        return [[row] for row in self._sums(queries, column, 0, self.lanes)]

    def _sums(self, queries: Value, column: Value, first: int, count: int) -> list[Value]:
        """For each row a vector of which `count` neighbouring lanes hold the products with keys from `first` on."""
        step = min(self.lanes, {1: 8, 2: 4, 3: 4}.get(self.tile, 2))
        if count == step:
            dots = self._dots(queries, [column + (first + index) for index in range(step)])
            return [self._merge(row, 1) for row in dots]
        half = count // 2
        low, high = (self._sums(queries, column, first + part, half) for part in (0, half))
        return [self._merge([a, b], half) for a, b in zip(low, high, strict=True)]

    def _merge(self, vectors: list[Value], distance: int) -> Value:
        k, lanes = self.k, self.lanes
        while len(vectors) > 1:
            low = [(lane & ~distance) + (lanes if lane & distance else 0) for lane in range(lanes)]
            high = [lane + distance for lane in low]
            pairs = zip(vectors[::2], vectors[1::2], strict=True)
            vectors = [k.shuffle(a, b, low) + k.shuffle(a, b, high) for a, b in pairs]
            distance *= 2
        return vectors[0]

    def _dots(self, queries: Value, columns: list[Value]) -> list[list[Value]]:
        """Lanewise products of the tile's rows with some keys, summed along D: [row][key]."""
        k, lanes, head_dim = self.k, self.lanes, self.problem.head_dim
        rows = [self.at("k", k.minimum(self.key + column, self.last_key), self.kv_head) for column in columns]
        sums = [[k.var(0, self.vector) for _ in rows] for _ in range(self.tile)]
        line = 64 // self.problem.dtypes["k"].size
        values = [self.at("v", k.minimum(self.key + column, self.last_key), self.kv_head) for column in columns]

        def step(at: Value, count: int) -> None:
            keys = [self.load_wide("k", row, at, count) for row in rows]
            for i, totals in enumerate(sums):
                query = k.load(queries, at + i * self.space.width, self.vector)
                for total, key in zip(totals, keys, strict=True):
                    total.set(k.fma(query, key, total.get()))

        whole = head_dim // line * line
        for at in k.range(0, whole, line):
            for value in values:
                k.prefetch(k.pointer(value, at, self.problem.dtypes["v"]), 0, locality=2)
            for part in range(0, line, lanes):
                step(at + part, lanes)
        for rest in range(whole, head_dim, lanes):
            step(k.index(rest), min(lanes, head_dim - rest))
        return [[total.get() for total in totals] for totals in sums]

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Weights by broadcasts, D by vectors."""
        k, space, compute = self.k, self.space, self.problem.compute
        results = self.tile_part(space.result, tile, self.tile * space.width)
        values = self.at("v", self.key, self.kv_head)
        stride = self.code.size(self.problem.strides["v"].position)
        weights, shrink = self.scratch(space.scores), self.scratch(space.shrink)
        line = 64 // self.problem.dtypes["k"].size
        together = min(8, 12 // self.tile)
        for part in range(0, len(self.heads), together):
            vectors = self.heads[part : part + together]
            sums = []
            for i in range(self.tile):
                factor = k.splat(k.load(shrink, i, compute), self.lanes)
                sums.append([k.var(k.load(results, i * space.width + at, self.vector) * factor) for at, _ in vectors])
            for index in k.range(begin, stop):
                row = k.pointer(values, index * stride, self.problem.dtypes["v"])
                following = self.at("k", k.minimum(self.key + index + space.block, self.stop - 1), self.kv_head)
                for at, _ in vectors:
                    if at % line == 0:
                        k.prefetch(k.pointer(following, at, self.problem.dtypes["k"]), 0, locality=2)
                loaded = [self.hide(self.load_wide("v", row, at, count), index) for at, count in vectors]
                for i, totals in enumerate(sums):
                    weight = k.splat(k.load(weights, index + i * space.block, compute), self.lanes)
                    for total, value in zip(totals, loaded, strict=True):
                        total.set(k.fma(weight, value, total.get()))
            for i, totals in enumerate(sums):
                for total, (at, _) in zip(totals, vectors, strict=True):
                    k.store(total.get(), results, i * space.width + at)

    def write_chunk(self, chunk: Value, row_count: Value) -> None:
        """Results, maxima and sums of the rows into the temporaries."""
        k, space, compute = self.k, self.space, self.problem.compute
        first = len(self.problem.operands)
        results, stats = self.code.pointer(first), self.code.pointer(first + 1)
        for row in k.range(row_count):
            target = chunk * row_count + row
            for at in range(0, space.width, self.lanes):
                value = k.load(self.scratch(space.result), row * space.width + at, self.vector)
                k.store(value, results, target * space.width + at)
            place = row // self.tile * space.stat + row % self.tile
            for index, part in enumerate((space.maxima, space.sums)):
                k.store(k.load(self.scratch(part), place, compute), stats, target * 2 + index)


def _emit_chunks(code: KernelCode, problem: Problem, space: Workspace, whole: bool) -> None:
    flash = Streamed(code, problem, space)
    k = code.code
    with k.when(flash.rows > FEW_ROWS):
        k.ret()
    chunks = 1 if whole else (k.index(code.size(problem.keys)) + (_CHUNK - 1)) // _CHUNK
    for unit in k.range(k.begin, k.end):
        pair, chunk = unit // chunks, unit % chunks
        flash.start(pair // problem.kv_heads, pair % problem.kv_heads)
        first = k.index(0)
        low = chunk * _CHUNK
        flash.attend(first, flash.rows, low, k.index(code.size(problem.keys)) if whole else low + _CHUNK)
        if whole:
            flash.write(first, flash.rows)
        else:
            flash.write_chunk(unit, flash.rows)


def _emit_combine(code: KernelCode, problem: Problem, space: Workspace) -> None:
    """A unit is a query row: its chunks' results and sums, weighted by exp(their maximum - the greatest)."""
    flash = Streamed(code, problem, space)
    k, compute, vector = code.code, problem.compute, flash.vector
    with k.when(flash.rows > FEW_ROWS):
        k.ret()
    first = len(problem.operands)
    results, stats = code.pointer(first), code.pointer(first + 1)
    chunks = (k.index(code.size(problem.keys)) + (_CHUNK - 1)) // _CHUNK
    for unit in k.range(k.begin, k.end):
        pair, row = unit // flash.rows, unit % flash.rows
        flash.batch, flash.kv_head = pair // problem.kv_heads, pair % problem.kv_heads
        start = pair * chunks * flash.rows + row
        top = k.var(k.load(stats, start * 2, compute))
        for chunk in k.range(chunks):
            top.set(k.maximum_fast(k.load(stats, (start + chunk * flash.rows) * 2, compute), top.get()))
        target = flash.query_at("out", row)
        for part in range(0, len(flash.heads), 8):
            vectors = flash.heads[part : part + 8]
            sums = [k.var(0, vector) for _ in vectors]
            total = k.var(0, vector)
            for chunk in k.range(chunks):
                place = start + chunk * flash.rows
                weight = flash.weight(k.splat(k.load(stats, place * 2, compute) - top.get(), flash.lanes))
                total.set(k.fma(weight, k.splat(k.load(stats, place * 2 + 1, compute), flash.lanes), total.get()))
                for result, (at, _) in zip(sums, vectors, strict=True):
                    result.set(k.fma(weight, k.load(results, place * space.width + at, vector), result.get()))
            inverse = k.select(total.get() == 0.0, 0.0, 1.0 / total.get())
            for result, (at, count) in zip(sums, vectors, strict=True):
                flash.store_output(result.get() * inverse, target, at, count)


def _tile_rows(group: int) -> int:
    """Rows worked on at a time: as few padded rows as possible for one query position, but 4 at most."""
    return min(range(1, 5), key=lambda tile: (-(-group // tile)) * (tile + 1))


def decode_stages(problem: Problem, target: Target, operands: tuple[int, ...], temporary: int) -> Lowering:
    """The commands for few rows; `temporary` is the position the first temporary will have among the op's tensors."""
    space = Workspace(problem, target, FEW_ROWS, _tile_rows(problem.group), target.lanes(problem.compute), _BLOCK)
    whole = bool(proves_at_most(problem.keys, _CHUNK))
    pairs = problem.batch * problem.kv_heads
    if whole:
        emit = partial(_emit_chunks, problem=problem, space=space, whole=True)
        key = ("attention_decode", problem.key)
        return Lowering((Stage("attention_decode", key, operands, pairs, emit, space.bytes),))
    rows: Size = minimum(problem.rows, FEW_ROWS)
    chunks = ceildiv(problem.keys, _CHUNK)
    dtype = DType.of(problem.compute.name)
    results = _dense(dtype, pairs * chunks, rows, space.width)
    stats = _dense(dtype, pairs * chunks, rows, 2)
    operands = (*operands, temporary, temporary + 1)
    return Lowering(
        (
            Stage("attention_chunks", ("attention_chunks", problem.key), operands, pairs * chunks,
                  partial(_emit_chunks, problem=problem, space=space, whole=False), space.bytes),
            Stage("attention_combine", ("attention_combine", problem.key), operands, pairs * rows,
                  partial(_emit_combine, problem=problem, space=space)),
        ),
        (results, stats),
    )  # fmt: skip


def _dense(dtype: DType, *dims: Size) -> Tensor:
    from rlx.core.shape import Shape

    return Tensor.dense(Shape.make(dims, dtype))
