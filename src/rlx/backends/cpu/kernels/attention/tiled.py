"""Attention of bf16 by matrix registers: scores and results are products of tiles, what lies between them is as in `running_softmax.py`.

A tile multiplies pairs of neighbours along the summed axis (`emit/tiles.py`). For scores that is D, so 16 keys and 32 elements
of their heads become one tile, transposed by pairs; for results it is the keys, so 32 keys and 16 columns of D do. Weights
are at most 1 and become bf16 like the values they are multiplied with; their sum does not, nor does anything else.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.tiles import COLUMNS, ROW_BYTES, ROWS, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.types import BF16, F32, I8, I16, I32
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.heads import AttentionProblem
from rlx.backends.cpu.kernels.attention.running_softmax import Flash, Workspace
from rlx.backends.cpu.target import Target

STEP = ROW_BYTES // 2
"""Neighbours along the summed axis in a tile."""
_SUMS = 4
"""Tiles of sums that are added to in turn: so many products hide the latency of one."""
_BLOCK = 128
"""Keys of a visit: a multiple of the columns of all tiles of sums."""
_HALVES, _PAIRS = I16.vector(STEP), I32.vector(COLUMNS)


def multiplies_tiles(problem: AttentionProblem, target: Target) -> bool:
    """Whether heads are multiplied by tiles of bf16. They sum in an order of their own, so not if rows must not depend on others."""
    kinds = {problem.dtypes[name] for name in ("q", "k", "v")}
    whole = problem.head_dim % STEP == 0
    return kinds == {BF16} and whole and target.has_tiles("bf16") and not target.batch_invariant


class TiledWorkspace(Workspace):
    """A workspace with room for a block of K and V as tiles, and for a tile of weights."""

    def __init__(self, problem: AttentionProblem, target: Target, unit_rows: int) -> None:
        super().__init__(problem, target, unit_rows, ROWS, STEP, _BLOCK)
        self.unit_rows = unit_rows
        size = problem.compute.size
        self.keys, self.values = (self.reserve(_BLOCK * self.width * 2 // size) for _ in range(2))
        self.weights = self.reserve(ROWS * _BLOCK * 2 // size)


class _StoredScores(Sequence[Sequence[Value]]):
    """The scores of a tile's rows for a few keys, read from the workspace when they are asked for."""

    def __init__(self, flash: TiledKeys, column: Value, row: int | None = None) -> None:
        self._flash, self._column, self._row = flash, column, row

    def __len__(self) -> int:
        return ROWS if self._row is None else STEP // COLUMNS

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if self._row is None:
            return _StoredScores(self._flash, self._column, index)
        return self._flash.stored_score(self._row, self._column + index * COLUMNS)


class TiledKeys(Flash):
    """Many rows: a block of K and V becomes tiles once, which every tile of rows is multiplied by."""

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: TiledWorkspace) -> None:
        super().__init__(code, problem, space)
        self.tiled = space
        self.tiles = Tiles(self.k, bytes_of_k=ROW_BYTES)
        self.steps = problem.head_dim // STEP

    # -- operands
    def load_query(self, source: Value, target: Value, at: int) -> None:
        """As it is: scores are scaled."""
        self.k.store(self.k.load(source, at, I16.vector(COLUMNS)), target, at)

    def query(self, row: Value) -> Value:
        """In bf16."""
        return self.k.pointer(self.scratch(self.space.queries), row * self.problem.head_dim, BF16)

    def prepare(self, key: Value, count: Value) -> None:
        """Tiles of both."""
        self._tile_keys(key, count)
        self._tile_values(key, count)

    def _tile_keys(self, key: Value, count: Value) -> None:
        """[keys, D] → [keys / 16, D / 32] tiles: pairs of elements are 32 bits, squares of them transposed. The last key is repeated."""
        k, last = self.k, key + count - 1
        for column in k.range(0, count, COLUMNS):
            rows = [self.at("k", k.minimum(key + column + i, last), self.kv_head) for i in range(COLUMNS)]
            into = k.pointer(self.scratch(self.tiled.keys), column * self.problem.head_dim, BF16)
            for step in k.range(self.steps):
                lines = [k.bitcast(k.load(row, step * STEP, _HALVES), _PAIRS) for row in rows]
                for index, line in enumerate(k.transpose(lines)):
                    k.store(line, into, step * (TILE_BYTES // 4) + index * COLUMNS)

    def _tile_values(self, key: Value, count: Value) -> None:
        """[keys, D] → [keys / 32, D / 16] tiles: two neighbouring keys side by side; zeros past the last key."""
        k, head_dim = self.k, self.problem.head_dim
        sides = [[lane + other for lane in range(first, first + COLUMNS) for other in (0, STEP)] for first in (0, COLUMNS)]
        for pair in k.range(((count + (STEP - 1)) & -STEP).udiv(2)):
            indices = [pair * 2, pair * 2 + 1]
            rows = [self.at("v", key + k.minimum(index, count - 1), self.kv_head) for index in indices]
            shown = [self._shown(index, count) for index in indices]
            into = k.pointer(self.scratch(self.tiled.values), pair.udiv(COLUMNS) * (STEP * head_dim), BF16)
            for at in range(0, head_dim, STEP):
                both = [k.load(row, at, _HALVES) & mask for row, mask in zip(rows, shown, strict=True)]
                for side, order in enumerate(sides):
                    tile = (at // COLUMNS + side) * (TILE_BYTES // 2)
                    k.store(k.shuffle(both[0], both[1], order), into, pair.urem(COLUMNS) * STEP + tile)

    def _shown(self, index: Value, count: Value) -> Value:
        """All ones for a key of the block that exists and that no mask hides, else zero: 0 times NaN would not be."""
        k = self.k
        mask = k.select(index < count, k.constant(-1, I16), 0)
        if self.problem.mask == "custom":
            mask = mask & k.convert(k.load(self.visible(), k.minimum(index, count - 1), I32), I16)
        return k.splat(mask, STEP)

    # -- scores
    def multiply(self, tile: Value, begin: Value, stop: Value) -> None:
        """The products of a tile's rows with the block's keys [begin, stop) into the workspace."""
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
        """What `multiply` has stored."""
        return _StoredScores(self, column)

    def stored_score(self, row: int, at: Value) -> Value:
        """A vector of scores of a row, scaled."""
        factor = self.problem.scale / (self.problem.softcap or 1)
        return self.k.load(self.scratch(self.space.scores), at + row * self.space.block, self.vector) * factor

    # -- results
    def store_weight(self, weight: Value, at: Value) -> None:
        """Rounded to the nearest bf16, of two the even one; weights are not negative and have no infinities."""
        k = self.k
        bits = k.bitcast(weight, I32.like(weight.type))
        rounded = (bits + (((bits >> 16) & 1) + 0x7FFF)) >> 16
        k.store(k.convert(rounded, I16), self._weights(), at)

    def _weights(self) -> Value:
        return self.scratch(self.tiled.weights)

    def accumulate(self, tile: Value, begin: Value, stop: Value) -> None:
        """Tiles of weights times tiles of values."""
        k, space, tiles = self.k, self.space, self.tiles
        results = self.tile_part(space.result, tile, ROWS * space.width)
        for i in range(ROWS):
            factor = k.splat(k.load(self.scratch(space.shrink), i, F32), self.lanes)
            for at in range(0, space.width, self.lanes):
                place = i * space.width + at
                k.store(k.load(results, place, self.vector) * factor, results, place)
        columns = space.width // COLUMNS
        for first in range(0, columns, _SUMS):
            places = [(number, first + number) for number in range(min(_SUMS, columns - first))]
            for total, column in places:
                tiles.load(total, k.pointer(results, column * COLUMNS, F32), space.width * 4)
            for key in k.range(begin, stop, STEP):
                tiles.load(4, k.pointer(self._weights(), key, BF16), space.block * 2)
                values = k.pointer(self.scratch(self.tiled.values), key * space.width, BF16)
                for total, column in places:
                    tiles.load(6 + total % 2, k.pointer(values, column * TILE_BYTES, I8), ROW_BYTES)
                    tiles.dot_bf16(total, 4, 6 + total % 2)
            for total, column in places:
                tiles.store(total, k.pointer(results, column * COLUMNS, F32), space.width * 4)
