"""Attention of few query rows, as in decoding: keys and values are streamed once, without packing.

The keys are split into chunks of a fixed size, so that even a single sequence keeps several threads busy. A unit is
(batch row, kv head, chunk) with all query rows of the kv head; it writes its rows' maxima, sums and results to
temporaries, and a second command combines the chunks. With one chunk the output is written directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.heads import AttentionProblem, weight_of
from rlx.backends.cpu.kernels.attention.running_softmax import Flash, Workspace
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum, proves_at_most
from rlx.core.dtype import DType
from rlx.core.shape import Shape

_CHUNK = 512
"""Keys of a unit. Fixed, so that the result does not depend on the number of threads."""
_BLOCK = 64
_SUMS = 8
"""Independent accumulators: latency 4 times 2 per cycle."""
_FETCH_BYTES = 2048
"""The prefetch distance."""
_RUNS = 4
"""The number of runs in which a thread combines its share of the rows."""
COMBINED_ROWS = 32
"""Query rows of a unit that combines chunks. The heads of one token are one unit: one thread completes it before
others would have arrived, so what follows starts a barrier earlier."""
_SAME_BITS, _MOST_ROWS = 8, 64
"""Up to this many positions get the same bits as each of them alone, unless many heads share a kv head."""


class StreamedKeys(Flash):
    """Attention of few query rows: vectors run along D, products are summed over their lanes, keys are not packed."""

    def prepare(self, key: Value, count: Value) -> None:
        """Record the range of keys; streamed keys are not packed."""
        self.key, self.last_key = key, key + count - 1

    def products(self, tile: Value, column: Value) -> list[list[Value]]:
        """The products q·k of each row with one vector of keys."""
        queries = self.tile_part(self.space.queries, tile, self.tile * self.space.width)
        return [[row] for row in self._sums(queries, column, 0, self.lanes)]

    def _sums(self, queries: Value, column: Value, first: int, count: int) -> list[Value]:
        """For each row, a vector of which `count` adjacent lanes hold the products with the keys starting at `first`."""
        if count == 1:
            return self._dots(queries, column + first)
        k, half = self.k, count // 2
        low = [(lane & ~half) + (self.lanes if lane & half else 0) for lane in range(self.lanes)]
        high = [lane + half for lane in low]
        parts = (self._sums(queries, column, first + start, half) for start in (0, half))
        return [k.shuffle(a, b, low) + k.shuffle(a, b, high) for a, b in zip(*parts, strict=True)]

    def _dots(self, queries: Value, column: Value) -> list[Value]:
        """Multiply the tile's rows by one key lane by lane, summed along D. Keys are read sequentially, for memory bandwidth; a
        row has several accumulators, to hide latency."""
        k, lanes, head_dim = self.k, self.lanes, self.problem.head_dim
        key = self.at("k", k.minimum(self.key + column, self.last_key), self.kv_head)
        chains = max(1, min(len(self.heads), _SUMS // self.tile))
        sums = [[k.var(0, self.vector) for _ in range(chains)] for _ in range(self.tile)]
        self._fetch_ahead("k", key, range(0, head_dim, lanes))

        def step(at: Value, chain: int, count: int) -> None:
            vector = self.load_wide("k", key, at, count)
            for i, totals in enumerate(sums):
                query = k.load(queries, at + i * self.space.width, self.vector)
                totals[chain].set(k.fma(query, vector, totals[chain].get()))

        end = head_dim // (chains * lanes) * chains * lanes
        for at in k.range(0, end, chains * lanes):
            for chain in range(chains):
                step(at + chain * lanes, chain, lanes)
        for chain, rest in enumerate(range(end, head_dim, lanes)):
            step(k.index(rest), chain, min(lanes, head_dim - rest))
        return [_sum_pairs([total.get() for total in totals]) for totals in sums]

    def _fetch_ahead(self, name: str, row: Value, elements: Iterable[int]) -> None:
        """Prefetch the same elements of a later key or value."""
        kind = self.problem.dtypes[name]
        tokens = max(1, _FETCH_BYTES // (self.problem.head_dim * kind.size))
        ahead = self.k.index(self.code.size(self.problem.strides[name].position)) * tokens
        for at in elements:
            if at * kind.size % 64 == 0:
                self.k.prefetch(self.k.pointer(row, ahead + at, kind), 0)

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Add weighted values: vectors along D. Values are read sequentially too, so the accumulators stay in memory."""
        k, space = self.k, self.space
        results = self.tile_part(space.results, tile, self.tile * space.width)
        self.rescale(results)
        together = min(4, _SUMS // self.tile)
        end = begin + (stop - begin) // together * together
        for index in k.range(begin, end, together):
            self._add(results, [index + number for number in range(together)])
        for index in k.range(end, stop):
            self._add(results, [index])

    def _add(self, results: Value, indices: list[Value]) -> None:
        """Add the weighted values of a few keys of the block."""
        k, space, compute = self.k, self.space, self.compute
        rows = [self.at("v", self.key + index, self.kv_head) for index in indices]
        scores = self.scratch(space.scores)
        weights = [
            [k.splat(k.load(scores, index + i * space.block, compute), self.lanes) for index in indices] for i in range(self.tile)
        ]
        for at, count in self.heads:
            for row in rows:
                self._fetch_ahead("v", row, [at])
            values = [self.hide(self.load_wide("v", row, at, count), index) for row, index in zip(rows, indices, strict=True)]
            for i in range(self.tile):
                total = k.load(results, i * space.width + at, self.vector)
                for weight, value in zip(weights[i], values, strict=True):
                    total = k.fma(weight, value, total)
                k.store(total, results, i * space.width + at)

    def write_chunk(self, chunk: Value, row_count: Value) -> None:
        """Store results, maxima and sums of the rows into the temporaries of a chunk of keys."""
        k, space, compute = self.k, self.space, self.compute
        first = len(self.problem.operands)
        results, stats = self.code.pointer(first), self.code.pointer(first + 1)
        for row in k.range(row_count):
            target = chunk * row_count + row
            for at in range(0, space.width, self.lanes):
                value = k.load(self.scratch(space.results), row * space.width + at, self.vector)
                k.store(value, results, target * space.width + at)
            stat = row // self.tile * space.stat + row % self.tile
            for index, part in enumerate((space.maxima, space.sums)):
                k.store(k.load(self.scratch(part), stat, compute), stats, target * 2 + index)


def _sum_pairs(values: list[Value]) -> Value:
    """Sum vectors or lanes pairwise, adjacent pairs first."""
    while len(values) > 1:
        values = [a + b for a, b in zip(values[::2], values[1::2], strict=False)] + values[len(values) // 2 * 2 :]
    return values[0]


def _emit_chunks(code: KernelCode, problem: AttentionProblem, space: Workspace, undivided: bool) -> None:
    flash = StreamedKeys(code, problem, space)
    k = code.code
    with k.when(flash.rows > few_rows(problem.group)):
        k.ret()
    chunks = 1 if undivided else (k.index(code.size(problem.keys)) + (_CHUNK - 1)) // _CHUNK
    for unit in k.range(k.begin, k.end):
        # kv heads innermost: if they are adjacent in memory, adjacent units read the same pages
        kv_head, rest = unit % problem.kv_heads, unit // problem.kv_heads
        batch, chunk = rest // chunks, rest % chunks
        flash.start(batch, kv_head)
        first = k.index(0)
        low = chunk * _CHUNK
        flash.attend(first, flash.rows, low, k.index(code.size(problem.keys)) if undivided else low + _CHUNK)
        if undivided:
            flash.write(first, flash.rows)
        else:
            flash.write_chunk((batch * problem.kv_heads + kv_head) * chunks + chunk, flash.rows)


def _emit_combine(code: KernelCode, problem: AttentionProblem, space: Workspace) -> None:
    """Combine the chunks' results and sums of some query rows, weighted by exp(maximum of the chunk - greatest maximum)."""
    flash = StreamedKeys(code, problem, space)
    k, compute, vector = code.code, problem.compute, flash.vector
    with k.when(flash.rows > few_rows(problem.group)):
        k.ret()
    first = len(problem.operands)
    results, stats = code.pointer(first), code.pointer(first + 1)
    chunks = (k.index(code.size(problem.keys)) + (_CHUNK - 1)) // _CHUNK
    rows = code.size(problem.batch) * problem.kv_heads * flash.rows
    for number in k.range(k.begin * COMBINED_ROWS, k.minimum(k.end * COMBINED_ROWS, rows)):
        pair, row = number // flash.rows, number % flash.rows
        flash.batch, flash.kv_head = pair // problem.kv_heads, pair % problem.kv_heads
        start = pair * chunks * flash.rows + row
        top = k.var(k.load(stats, start * 2, compute))
        for chunk in k.range(chunks):
            top.set(k.maximum_fast(k.load(stats, (start + chunk * flash.rows) * 2, compute), top.get()))
        target = flash.query_at("out", row)
        for head in range(0, len(flash.heads), 8):
            vectors = flash.heads[head : head + 8]
            sums = [k.var(0, vector) for _ in vectors]
            total = k.var(0, vector)
            for chunk in k.range(chunks):
                part = start + chunk * flash.rows
                weight = weight_of(k, k.splat(k.load(stats, part * 2, compute) - top.get(), flash.lanes))
                total.set(k.fma(weight, k.splat(k.load(stats, part * 2 + 1, compute), flash.lanes), total.get()))
                for result, (at, _) in zip(sums, vectors, strict=True):
                    result.set(k.fma(weight, k.load(results, part * space.width + at, vector), result.get()))
            inverse = k.select(total.get() == 0.0, 0.0, 1.0 / total.get())
            for result, (at, count) in zip(sums, vectors, strict=True):
                flash.store_row("out", result.get() * inverse, target, at, count)


def few_rows(group: int) -> int:
    """The most query rows of a kv head whose keys are streamed; for more, packing pays off. A single query is always streamed,
    so that long caches are split among threads. The few queries that verify a draft are summed in the same order."""
    return min(_SAME_BITS * group, _MOST_ROWS)


def few_part(rows: Size, few: int) -> Size:
    """1 if attention has at most `few` query rows, else 0: a factor of unit counts."""
    return 1 // (1 + rows // (few + 1))


def decode_stages(problem: AttentionProblem, target: Target, operands: tuple[int, ...], temporary: int) -> Lowering:
    """The commands of attention over few rows; `temporary` is the position of the first temporary among the op's tensors."""
    most, lanes = few_rows(problem.group), target.lanes(problem.compute)
    # rows worked on at a time: as few padded rows as possible for one query position, but 4 at most
    tile = min(range(1, 5), key=lambda tile: (-(-problem.group // tile)) * (tile + 1))
    space = Workspace(problem, target, most, tile, lanes, _BLOCK)
    undivided = bool(proves_at_most(problem.keys, _CHUNK))
    pairs, part = problem.batch * problem.kv_heads, few_part(problem.rows, most)
    if undivided:
        emit = partial(_emit_chunks, problem=problem, space=space, undivided=True)
        key = ("attention_decode", problem.key)
        return Lowering((Stage("attention_decode", key, operands, pairs, emit, space.bytes, part=part),))
    rows: Size = minimum(problem.rows, most)
    chunks = ceildiv(problem.keys, _CHUNK)
    dtype = DType.of(problem.compute.name)
    results, stats = (Tensor.dense(Shape.make((pairs * chunks, rows, size), dtype)) for size in (space.width, 2))
    operands = (*operands, temporary, temporary + 1)
    return Lowering(
        (
            Stage(
                "attention_chunks",
                ("attention_chunks", problem.key),
                operands,
                pairs * chunks,
                partial(_emit_chunks, problem=problem, space=space, undivided=False),
                space.bytes,
                part=part,
            ),
            Stage(
                "attention_combine",
                ("attention_combine", problem.key),
                operands,
                ceildiv(pairs * rows, COMBINED_ROWS),
                partial(_emit_combine, problem=problem, space=space),
                runs=_RUNS,
                part=0,
            ),
        ),
        (results, stats),
    )
