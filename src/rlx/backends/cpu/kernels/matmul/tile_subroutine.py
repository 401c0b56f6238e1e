"""Tiles as subroutines: the innermost loops of a program's matrix products, emitted and compiled once for all of them.

What the loops depend on (rows, vectors, types) is in the key; sizes and distances are parameters. A call takes some cycles, a tile's
loop thousands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I1, I64, PTR, Type
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.matmul.tile import Places, Prefetch, Tile, accumulate_tile

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
    """Where the vectors of a tile's sums are, row by row: rows `stride` apart, pairs of vectors `panel` apart."""
    lanes = k.target.lanes(tile.kind)
    return [
        (base, tile.row(k, i) * stride + (j // 2 * panel + j % 2 * lanes)) for i in range(tile.rows) for j in range(tile.vectors)
    ]


@dataclass(frozen=True)
class TileSubroutine:
    """What the code of a tile depends on."""

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
        """Call it: the product of one chunk of k, plus `sums` unless it is the first, to `target`."""
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
