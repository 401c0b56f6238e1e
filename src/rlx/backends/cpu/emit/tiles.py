"""Matrix registers: eight tiles of up to 16 rows of 64 bytes, and the instructions that multiply them.

With AMX each operation is one instruction. A target whose `tiles_as_loops` is set has none: there a tile is memory and each
operation a plain loop with the instruction's own arithmetic, so that kernels of tiles also run, slowly, where the CPU lacks them.

    tiles = Tiles(k, bytes_of_k=64)
    with tiles.configured():                       # per call of a kernel: the configuration belongs to the thread
        tiles.zero(0)                              # C: 16 x 16 sums of 32 bits
        tiles.load(4, a, row)                      # A: rows x bytes_of_k, `row` bytes apart
        tiles.load(6, b, 64)                       # B: bytes_of_k / 4 rows of 16 columns, four bytes of k each
        tiles.dot_bytes(0, 4, 6, "s", "u")         # C += A B
        tiles.store(0, c, 64)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import BF16, F32, I8, I16, I32, Operand, Value

ROWS, ROW_BYTES, COLUMNS = 16, 64, 16
"""Of a full tile; columns of 32 bits."""
TILE_BYTES = ROWS * ROW_BYTES
_SUMS, _LEFT, _RIGHT = range(4), range(4, 6), range(6, 8)
"""Tiles 0 to 3 are sums, 4 and 5 rows of A, 6 and 7 columns of B."""
_CONFIGURATION, _PALETTE, _ROW_LENGTHS, _ROW_COUNTS = 64, 1, 16, 48


class Tiles:
    """AMX tile registers of one function: four accumulators (0 to 3), two of A (4, 5), two of B (6, 7)."""

    def __init__(self, k: Function, *, bytes_of_k: int) -> None:
        self.k, self.depth = k, bytes_of_k
        self._memory = k.alloca(I8, 8 * TILE_BYTES) if k.target.tiles_as_loops else None

    def rows_of(self, tile: int) -> int:
        """The number of rows of a tile register: one of B has one row for every four bytes of k."""
        return self.depth // 4 if tile in _RIGHT else ROWS

    def bytes_of(self, tile: int) -> int:
        """The number of bytes in a row of a tile register."""
        return self.depth if tile in _LEFT else ROW_BYTES

    # -- the configuration
    @contextmanager
    def configured(self) -> Iterator[None]:
        """Configures the sizes of the tile registers for this thread, and releases the registers at the end."""
        if self._memory is not None:
            yield
            return
        table = self.k.module.constant_array(self._configuration(), I8)
        self.k.intrinsic("llvm.x86.ldtilecfg", None, [table])
        yield
        self.k.intrinsic("llvm.x86.tilerelease", None, [])

    def _configuration(self) -> bytes:
        table = bytearray(_CONFIGURATION)
        table[0] = _PALETTE
        for tile in (*_SUMS, *_LEFT, *_RIGHT):
            table[_ROW_LENGTHS + 2 * tile] = self.bytes_of(tile)
            table[_ROW_COUNTS + tile] = self.rows_of(tile)
        return bytes(table)

    # -- memory
    def zero(self, tile: int) -> None:
        """Zeroes a tile register."""
        if self._memory is None:
            self._instruction("tilezero", [tile])
            return
        for at in self.k.range(ROWS):
            self.k.store(self.k.constant(0, I8.vector(ROW_BYTES)), self._row(tile, at), 0)

    def load(self, tile: int, base: Value, row: Operand) -> None:
        """Loads a tile register from rows `row` bytes apart."""
        if self._memory is None:
            self._instruction("tileloadd64", [tile], base, self.k.index(row))
            return
        k, kind = self.k, I8.vector(self.bytes_of(tile))
        for at in k.range(self.rows_of(tile)):
            k.store(k.load(k.pointer(base, at * row, I8), 0, kind), self._row(tile, at), 0)

    def prefetch(self, tile: int, base: Value, row: Operand) -> None:
        """Prefetches what a later `load` reads, into the L1 cache; a hint, so any address is allowed."""
        if self._memory is None:
            for at in range(self.rows_of(tile)):
                self.k.prefetch(base, self.k.index(row) * at)

    def store(self, tile: int, base: Value, row: Operand) -> None:
        """Stores a tile register to rows `row` bytes apart."""
        if self._memory is None:
            self._instruction("tilestored64", [tile], base, self.k.index(row))
            return
        k, kind = self.k, I8.vector(self.bytes_of(tile))
        for at in k.range(self.rows_of(tile)):
            k.store(k.load(self._row(tile, at), 0, kind), k.pointer(base, at * row, I8), 0)

    # -- products
    def dot_bytes(self, total: int, left: int, right: int, left_sign: str, right_sign: str) -> None:
        """C += A B in 32 bits, exactly; bytes are signed ("s") or unsigned ("u")."""
        if self._memory is None:
            self._instruction(f"tdpb{left_sign}{right_sign}d", [total, left, right])
            return
        k = self.k
        for row in k.range(ROWS):
            sums = k.var(k.load(self._row(total, row), 0, I32.vector(COLUMNS)))
            for place in k.range(self.depth // 4):
                a = k.load(self._row(left, row), place * 4, I8.vector(4))
                b = k.load(self._row(right, place), 0, I8.vector(ROW_BYTES))
                for byte in range(4):
                    one = k.convert(k.extract(a, byte), I32, signed=left_sign == "s")
                    column = k.shuffle(b, None, range(byte, ROW_BYTES, 4))
                    column = k.convert(column, I32, signed=right_sign == "s")
                    sums.set(sums.get() + column * k.splat(one, COLUMNS))
            k.store(sums.get(), self._row(total, row), 0)

    def dot_bf16(self, total: int, left: int, right: int) -> None:
        """C += A B in f32: sums the even and the odd steps of k separately, then adds both to each other and to C."""
        if self._memory is None:
            self._instruction("tdpbf16ps", [total, left, right])
            return
        k, zeros = self.k, self.k.constant(0.0, F32.vector(COLUMNS))
        for row in k.range(ROWS):
            sums = [k.var(zeros), k.var(zeros)]
            for place in k.range(self.depth // 4):
                a = k.convert(k.load(self._row(left, row), place * 2, BF16.vector(2)), F32)
                b = k.load(self._row(right, place), 0, I16.vector(2 * COLUMNS))
                for half, part in enumerate(sums):
                    column = k.bitcast(k.shuffle(b, None, range(half, 2 * COLUMNS, 2)), BF16.vector(COLUMNS))
                    part.set(k.fma(k.splat(k.extract(a, half), COLUMNS), k.convert(column, F32), part.get()))
            both = sums[0].get() + sums[1].get()
            k.store(k.load(self._row(total, row), 0, both.type) + both, self._row(total, row), 0)

    # -- as loops
    def _row(self, tile: int, row: Operand) -> Value:
        assert self._memory is not None
        return self.k.pointer(self._memory, self.k.index(row) * ROW_BYTES + tile * TILE_BYTES, I8)

    def _instruction(self, name: str, tiles: Sequence[int], *more: Value) -> None:
        """Emits an AMX instruction with fixed tile registers."""
        numbers = ", ".join(f"i8 {tile}" for tile in tiles)
        given = "".join(f", {value.type.text} {value.text}" for value in more)
        self.k.module.declare(f"llvm.x86.{name}", None, [I8] * len(tiles) + [value.type for value in more])
        self.k.line(f"call void @llvm.x86.{name}({numbers}{given})")
