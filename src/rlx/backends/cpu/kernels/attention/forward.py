"""Attention without the score matrix: blocks of keys, a running softmax, memory O(S).

A unit is (batch row, kv head, block of query rows); the query heads that share a kv head are rows of the same unit, so
keys and values are read once for all of them. Within a unit, for each block of keys that some row sees:

    pack        K transposed into panels [D, 2 vectors of keys], V into panels [keys, 2 vectors of D]
    products    register tiles of rows × 2 vectors of keys
    softmax     p = exp(s - maximum), in place; earlier sums are scaled by exp(old maximum - new)
    accumulate  register tiles of rows × 2 vectors of D

Few query rows (decode) use `decode.py` instead: nothing is packed there and the keys are split into chunks.
The choice depends on shapes only; with a symbolic number of queries both commands exist and one returns immediately, unless the keys are
the queries' own: then this one takes any number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.tiles import COLUMNS, ROW_BYTES, ROWS, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.values import BF16, F32, I8, I16, I32, Value
from rlx.backends.cpu.kernels.attention.decode import decode_stages, few_part, few_rows
from rlx.backends.cpu.kernels.attention.heads import AttentionProblem, read_problem
from rlx.backends.cpu.kernels.attention.running_softmax import Flash, Workspace
from rlx.backends.cpu.target import Target
from rlx.core.dim import ceildiv, proves_at_most, same
from rlx.ir.op import Op

_NAMES = ("q", "k", "v", "mask", "q_position", "kv_length")
_ROW_BYTES = 1 << 18  # bytes of a unit's queries and results; together with a block of K and V they fit the L2 cache
_BLOCK_BYTES = 1 << 15  # a packed block of K, and one of V


class PackedKeys(Flash):
    """Attention of many query rows: a block of K and V is packed once and read by every tile of rows."""

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: PackedWorkspace) -> None:
        super().__init__(code, problem, space)
        self.packed = space

    def prepare(self, key: Value, count: Value) -> None:
        """Pack the keys and values of a block."""
        self._pack_keys(key, count)
        self._pack_values(key, count)

    def _pack_keys(self, key: Value, count: Value) -> None:
        """Pack K `[keys, D]` as `[keys / panel, D, panel]`; keys past the last one repeat it."""
        k, lanes, panel, head_dim = self.k, self.lanes, self.space.panel, self.problem.head_dim
        origin, kind = self.at("k", key, self.kv_head), self.problem.dtypes["k"]
        distance = self.code.size(self.problem.strides["k"].position)
        for column in k.range(0, count, lanes):
            rows = [k.pointer(origin, k.minimum(column + i, count - 1) * distance, kind) for i in range(lanes)]
            start = column // panel * (panel * head_dim) + column % panel
            target = k.pointer(self.scratch(self.packed.keys), start, self.compute)
            for at in k.range(0, head_dim // lanes * lanes, lanes):
                self._transpose(rows, k.opaque(at), lanes, target)
            if head_dim % lanes:
                self._transpose(rows, k.index(head_dim // lanes * lanes), head_dim % lanes, target)

    def _transpose(self, rows: list[Value], at: Value, count: int, target: Value) -> None:
        columns = self.k.transpose([self.load_wide("k", row, at, count) for row in rows])
        for i, column in enumerate(columns[:count]):
            self.k.store(column, target, (at + i) * self.space.panel)

    def _pack_values(self, key: Value, count: Value) -> None:
        """Pack V `[keys, D]` as `[D / panel, keys, panel]`, zeros past D."""
        k, lanes, panel, block = self.k, self.lanes, self.space.panel, self.space.block
        for index in k.range(count):
            source = self.at("v", key + index, self.kv_head)
            target = k.pointer(self.scratch(self.packed.values), index * panel, self.compute)
            for at in range(0, self.space.width, lanes):
                there = min(lanes, self.problem.head_dim - at)
                value = self.load_wide("v", source, at, there) if there > 0 else k.constant(0, self.vector)
                k.store(self.hide(value, index), target, at // panel * block * panel + at % panel)

    def products(self, tile: Value, column: Value) -> list[list[Value]]:
        """The products q·k: query rows broadcast, keys as vectors."""
        k, panel, head_dim = self.k, self.space.panel, self.problem.head_dim
        queries = self.tile_part(self.space.queries, tile, self.tile * self.space.width)
        keys = k.pointer(self.scratch(self.packed.keys), column * head_dim, self.compute)
        sums = [[k.var(0, self.vector) for _ in range(0, panel, self.lanes)] for _ in range(self.tile)]
        for d in k.range(head_dim):
            vectors = [k.load(keys, d * panel + at, self.vector) for at in range(0, panel, self.lanes)]
            for i, row in enumerate(sums):
                query = k.splat(k.load(queries, d + i * self.space.width, self.compute), self.lanes)
                for total, vector in zip(row, vectors, strict=True):
                    total.set(k.fma(query, vector, total.get()))
        return [[total.get() for total in row] for row in sums]

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Add weighted values: the rows' weights broadcast, D as vectors."""
        k, space, panel = self.k, self.space, self.space.panel
        results = self.tile_part(space.results, tile, self.tile * space.width)
        weights, shrink = self.scratch(space.scores), self.scratch(space.shrink)
        for part in k.range(0, space.width, panel):
            values = k.pointer(self.scratch(self.packed.values), part * space.block, self.compute)
            sums = []
            for i in range(self.tile):
                factor = k.splat(k.load(shrink, i, self.compute), self.lanes)
                offsets = [part + (i * space.width + at) for at in range(0, panel, self.lanes)]
                sums.append([(k.var(k.load(results, offset, self.vector) * factor), offset) for offset in offsets])
            for key in k.range(begin, stop):
                vectors = [k.load(values, key * panel + at, self.vector) for at in range(0, panel, self.lanes)]
                for i, row in enumerate(sums):
                    weight = k.splat(k.load(weights, key + i * space.block, self.compute), self.lanes)
                    for (total, _), vector in zip(row, vectors, strict=True):
                        total.set(k.fma(weight, vector, total.get()))
            for row in sums:
                for total, offset in row:
                    k.store(total.get(), results, offset)


class PackedWorkspace(Workspace):
    """The scratch of attention with a packed block of K and V."""

    def __init__(self, problem: AttentionProblem, target: Target) -> None:
        lanes = target.lanes(problem.compute)
        tile = 6 if target.vector_registers == 16 else 12
        width = problem.head_dim * problem.compute.size
        block = max(4 * lanes, min(128, _BLOCK_BYTES // width // (4 * lanes) * (4 * lanes)))
        self.unit_rows = _unit_rows(problem, tile, width)
        super().__init__(problem, target, self.unit_rows, tile, 2 * lanes, block)
        self.keys = self.reserve(block * problem.head_dim)
        self.values = self.reserve(block * self.width)


# -- bf16 by matrix registers: scores and results are products of tiles, the softmax between them is that of `running_softmax.py`
#
# A tile multiplies pairs of neighbors along the summed axis (`emit/tiles.py`). For scores that is D, so 16 keys and 32 elements
# of their heads become one tile, transposed by pairs; for results it is the keys, so 32 keys and 16 columns of D do. Weights
# are at most 1 and become bf16 like the values they are multiplied with; their sum does not, nor does anything else.


STEP = ROW_BYTES // 2
"""Neighbours along the summed axis in a tile."""
_SUMS = 4
"""Tiles of sums that are added to in turn: so many products hide the latency of one."""
_BLOCK = 128
"""Keys of a visit: a multiple of the columns of all tiles of sums."""
_HALVES, _PAIRS = I16.vector(STEP), I32.vector(COLUMNS)


def multiplies_tiles(problem: AttentionProblem, target: Target) -> bool:
    """Whether attention uses bf16 tiles. They sum in another order, so not where rows must not depend on others."""
    kinds = {problem.dtypes[name] for name in ("q", "k", "v")}
    return kinds == {BF16} and problem.head_dim % STEP == 0 and target.has_tiles("bf16") and not target.batch_invariant


class TiledWorkspace(Workspace):
    """The scratch of attention by bf16 tiles: a block of K and V, and a tile of weights."""

    def __init__(self, problem: AttentionProblem, target: Target) -> None:
        self.unit_rows = _unit_rows(problem, ROWS, problem.head_dim * problem.compute.size)
        super().__init__(problem, target, self.unit_rows, ROWS, STEP, _BLOCK)
        size = problem.compute.size
        self.keys, self.values = (self.reserve(_BLOCK * self.width * 2 // size) for _ in range(2))
        self.weights = self.reserve(ROWS * _BLOCK * 2 // size)


class _StoredScores(Sequence[Sequence[Value]]):
    """The scores of a tile's rows for a few keys, loaded from the workspace when indexed."""

    def __init__(self, flash: TiledKeys, column: Value, row: int | None = None) -> None:
        self._flash, self._column, self._row = flash, column, row

    def __len__(self) -> int:
        return ROWS if self._row is None else STEP // COLUMNS

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if self._row is None:
            return _StoredScores(self._flash, self._column, index)
        return self._flash.stored_score(self._row, self._column + index * COLUMNS)


class TiledKeys(Flash):
    """Attention of many query rows by bf16 tiles: a block of K and V becomes tiles once, for every tile of rows."""

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: TiledWorkspace) -> None:
        super().__init__(code, problem, space)
        self.tiled = space
        self.tiles = Tiles(self.k, bytes_of_k=ROW_BYTES)
        self.steps = problem.head_dim // STEP

    # -- operands
    def load_query(self, source: Value, target: Value, at: int) -> None:
        """Load a query unscaled: its scores are scaled instead."""
        self.k.store(self.k.load(source, at, I16.vector(COLUMNS)), target, at)

    def query(self, row: Value) -> Value:
        """The address of a query in bf16."""
        return self.k.pointer(self.scratch(self.space.queries), row * self.problem.head_dim, BF16)

    def prepare(self, key: Value, count: Value) -> None:
        """Convert the keys and values of a block to tiles."""
        self._tile_keys(key, count)
        self._tile_values(key, count)

    def _tile_keys(self, key: Value, count: Value) -> None:
        """Convert K `[keys, D]` to `[keys / 16, D / 32]` tiles: squares of pairs (32 bits) are transposed. The last key is repeated."""
        k, last = self.k, key + count - 1
        for column in k.range(0, count, COLUMNS):
            rows = [self.at("k", k.minimum(key + column + i, last), self.kv_head) for i in range(COLUMNS)]
            into = k.pointer(self.scratch(self.tiled.keys), column * self.problem.head_dim, BF16)
            for step in k.range(self.steps):
                lines = [k.bitcast(k.load(row, step * STEP, _HALVES), _PAIRS) for row in rows]
                for index, line in enumerate(k.transpose(lines)):
                    k.store(line, into, step * (TILE_BYTES // 4) + index * COLUMNS)

    def _tile_values(self, key: Value, count: Value) -> None:
        """Convert V `[keys, D]` to `[keys / 32, D / 16]` tiles: two neighboring keys side by side; zeros past the last key."""
        k, head_dim = self.k, self.problem.head_dim
        sides = [[lane + other for lane in range(first, first + COLUMNS) for other in (0, STEP)] for first in (0, COLUMNS)]
        for pair in k.range(((count + (STEP - 1)) & -STEP).udiv(2)):
            indices = [pair * 2, pair * 2 + 1]
            rows = [self.at("v", key + k.minimum(index, count - 1), self.kv_head) for index in indices]
            shown = [self._key_mask(index, count) for index in indices]
            into = k.pointer(self.scratch(self.tiled.values), pair.udiv(COLUMNS) * (STEP * head_dim), BF16)
            for at in range(0, head_dim, STEP):
                both = [k.load(row, at, _HALVES) & mask for row, mask in zip(rows, shown, strict=True)]
                for side, order in enumerate(sides):
                    tile = (at // COLUMNS + side) * (TILE_BYTES // 2)
                    k.store(k.shuffle(both[0], both[1], order), into, pair.urem(COLUMNS) * STEP + tile)

    def _key_mask(self, index: Value, count: Value) -> Value:
        """A mask of all ones for a key of the block that exists and is visible, else zero: 0 times NaN would not be zero."""
        k = self.k
        mask = k.select(index < count, k.constant(-1, I16), 0)
        if self.problem.mask == "custom":
            mask = mask & k.convert(k.load(self.visible(), k.minimum(index, count - 1), I32), I16)
        return k.splat(mask, STEP)

    # -- scores
    def multiply(self, tile: Value, begin: Value, stop: Value) -> None:
        """Store the products of a tile's rows with the block's keys [begin, stop) in the workspace."""
        k, tiles, head_dim = self.k, self.tiles, self.problem.head_dim
        queries = self.query(tile * ROWS)
        for key in k.range(begin & -_SUMS * COLUMNS, stop, _SUMS * COLUMNS):
            keys = k.pointer(self.scratch(self.tiled.keys), key * head_dim, BF16)
            for total in range(_SUMS):
                tiles.zero(total)
            for step in range(self.steps):
                tiles.load(4 + step % 2, k.pointer(queries, step * STEP, BF16), head_dim * 2)
                for total in range(_SUMS):
                    at = (total * self.steps + step) * TILE_BYTES
                    tiles.load(6 + total % 2, k.pointer(keys, at, I8), ROW_BYTES)
                    tiles.dot_bf16(total, 4 + step % 2, 6 + total % 2)
            for total in range(_SUMS):
                into = k.pointer(self.scratch(self.space.scores), key + total * COLUMNS, F32)
                tiles.store(total, into, self.space.block * 4)

    def products(self, tile: Value, column: Value) -> Sequence[Sequence[Value]]:
        """The products that `multiply` has stored."""
        return _StoredScores(self, column)

    def stored_score(self, row: int, at: Value) -> Value:
        """Load a vector of a row's scores from the workspace, scaled."""
        factor = self.problem.scale / (self.problem.softcap or 1)
        return self.k.load(self.scratch(self.space.scores), at + row * self.space.block, self.vector) * factor

    # -- results
    def store_weight(self, weight: Value, at: Value) -> None:
        """Store weights in bf16, rounded to nearest even; weights are not negative and not infinite."""
        k = self.k
        bits = k.bitcast(weight, I32.like(weight.type))
        rounded = (bits + (((bits >> 16) & 1) + 0x7FFF)) >> 16
        k.store(k.convert(rounded, I16), self._weights(), at)

    def _weights(self) -> Value:
        return self.scratch(self.tiled.weights)

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Multiply tiles of weights by tiles of values and add the products to the results."""
        k, space, tiles = self.k, self.space, self.tiles
        results = self.tile_part(space.results, tile, ROWS * space.width)
        self.rescale(results)
        columns = space.width // COLUMNS
        for first in range(0, columns, _SUMS):
            sums = [(number, first + number) for number in range(min(_SUMS, columns - first))]
            for total, column in sums:
                tiles.load(total, k.pointer(results, column * COLUMNS, F32), space.width * 4)
            for key in k.range(begin, stop, STEP):
                tiles.load(4, k.pointer(self._weights(), key, BF16), space.block * 2)
                values = k.pointer(self.scratch(self.tiled.values), key * space.width, BF16)
                for total, column in sums:
                    tiles.load(6 + total % 2, k.pointer(values, column * TILE_BYTES, I8), ROW_BYTES)
                    tiles.dot_bf16(total, 4, 6 + total % 2)
            for total, column in sums:
                tiles.store(total, k.pointer(results, column * COLUMNS, F32), space.width * 4)


# -- units -----------------------------------------------------------------------------------------------------------
def _unit_rows(problem: AttentionProblem, tile: int, width: int) -> int:
    """Query rows of a unit: limited by the cache size; a static number of rows is divided equally."""
    most = max(tile, min(192, _ROW_BYTES // (2 * width)) // tile * tile)
    if not isinstance(problem.rows, int):
        return most
    shares = -(-problem.rows // most)
    return max(tile, -(-problem.rows // (shares * tile)) * tile) if shares else tile


def _packs_few(problem: AttentionProblem, few: int) -> bool:
    """Whether few rows are packed too: the keys are the rows' own, so there is no long cache to divide among threads, and a second kernel
    would be compiled for lengths that hardly occur."""
    return not proves_at_most(problem.rows, few) and bool(same(problem.queries, problem.keys))


def _emit_attention(code: KernelCode, problem: AttentionProblem, space: PackedWorkspace | TiledWorkspace) -> None:
    k, few = code.code, few_rows(problem.group)
    if not _packs_few(problem, few):
        with k.when(k.index(code.size(problem.rows)) <= few):
            k.ret()
    if isinstance(space, TiledWorkspace):
        tiled = TiledKeys(code, problem, space)
        with tiled.tiles.configured():
            _units(tiled, space.unit_rows)
    else:
        _units(PackedKeys(code, problem, space), space.unit_rows)


def _units(flash: Flash, unit_rows: int) -> None:
    """The unit count of attention over many rows."""
    code, k, problem = flash.code, flash.k, flash.problem
    blocks = (flash.rows + (unit_rows - 1)) // unit_rows
    for unit in k.range(k.begin, k.end):
        pair = unit // blocks
        block = blocks - 1 - unit % blocks  # with a causal mask the last rows are the longest: start with them
        flash.start(pair // problem.kv_heads, pair % problem.kv_heads)
        first = block * unit_rows
        count = k.minimum(flash.rows - first, unit_rows)
        flash.attend(first, count, k.index(0), k.index(code.size(problem.keys)))
        flash.write(first, count)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `attention`: all mask kinds on f32, f64, f16 and bf16; q, k and v may be any views whose last axis is dense."""
    named = {name: tensor for name, tensor in zip(_NAMES, inputs, strict=False) if tensor is not None}
    problem = read_problem(op, named, {"out": outputs[0]})
    if isinstance(problem, str):
        return problem
    present = tuple(index for index, tensor in enumerate(inputs) if tensor is not None)
    operands = (*present, len(inputs))
    stages: tuple[Stage, ...] = ()
    temporaries: tuple[Tensor, ...] = ()
    few = few_rows(problem.group)
    if not proves_at_most(few + 1, problem.rows) and not _packs_few(problem, few):
        decode = decode_stages(problem, target, operands, len(inputs) + 1)
        stages, temporaries = decode.stages, decode.temporaries
    if not proves_at_most(problem.rows, few):
        space = (TiledWorkspace if multiplies_tiles(problem, target) else PackedWorkspace)(problem, target)
        units = problem.batch * problem.kv_heads * ceildiv(problem.rows, space.unit_rows)
        key = ("attention", problem.key, space.unit_rows)
        emit = partial(_emit_attention, problem=problem, space=space)
        part = 1 - few_part(problem.rows, few) if stages else None
        stages = (Stage("attention", key, operands, units, emit, space.bytes, part=part), *stages)
    return Lowering(stages, temporaries)
