"""How much of a region a block has: rows, columns and warps, by its sizes."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cuda.kernels.tiles import flat_elements, region_size
from rlx.backends.cuda.text import power_of_two
from rlx.core.dim import Size

TILE = 2048  # elements that a block of four warps holds
LONGEST_ROW = 16384  # elements of a row in registers
CHUNK = 1024  # columns of a row that does not fit, or whose length is a symbol


@dataclass(frozen=True)
class RegionBlocks:
    """The tile of a block; `chunked`: rows are longer, and walked tile by tile."""

    rows: int
    columns: int
    chunked: bool
    warps: int


def region_blocks(rows: Size, columns: Size | None, across: bool, size: int) -> RegionBlocks:
    """By the rows of a region and its columns, None without reductions; `across`: neighbours in memory are rows.

    `size`: the most bytes of a number that is read or written.

    >>> region_blocks(8192, 8192, False, 4)
    RegionBlocks(rows=1, columns=8192, chunked=False, warps=8)
    """
    if columns is None:
        flat, warps = flat_elements(rows, size), region_size("flat_warps", 4)
        return RegionBlocks(min(power_of_two(rows), flat) if isinstance(rows, int) else flat, 1, False, warps)
    if across:  # enough rows for whole lines
        block_rows = min(power_of_two(rows), 64) if isinstance(rows, int) else 64
        longest = TILE // block_rows
    else:
        block_rows, longest = 0, LONGEST_ROW
    if not isinstance(columns, int) or columns > longest:
        wide = max(1, min(longest, CHUNK))
        return RegionBlocks(max(block_rows, 1), wide, True, _warps(max(block_rows, 1) * wide))
    wide = power_of_two(columns)
    if not block_rows:
        most = max(region_size("rows", 1), TILE // wide)
        block_rows = min(power_of_two(rows), most) if isinstance(rows, int) else most
    return RegionBlocks(block_rows, wide, False, _warps(block_rows * wide))


def _warps(tile: int) -> int:
    return region_size("row_warps", 4 if tile <= TILE else 8 if tile <= 4 * TILE else 16)
