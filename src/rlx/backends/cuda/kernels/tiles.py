"""Tiles: how much of a problem a block has, by its sizes. Measured ones are in a table, others follow a rule.

`python -m bench.cuda_decode --tiles` tries the candidates of each product on a GPU and prints the entries of the table;
`python -m bench.cuda_kernels tiles` those of large products and of attention.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rlx.backends.cuda.text import power_of_two
from rlx.core.dim import LARGEST_SIZE, Size

FEW_ROWS = 8  # up to here weights may be walked, not multiplied by tiles
MANY_ROWS = 64  # products of more rows, of 16-bit floats, use large tiles
PROCESSORS = 132  # of an H100 or H200: how many large tiles run at once
DEEPEST = 8192  # numbers of a column that a walk holds at once


@dataclass(frozen=True)
class ProductSizes:
    """Sizes of a product `[rows, depth] · [depth, columns]`; `products` matrices multiply the same left operand.

    `rows` is the power of two that covers them, `size` the bytes of a number.
    """

    rows: int
    columns: int
    depth: int
    products: int
    size: int


@dataclass(frozen=True)
class WalkTile:
    """Tile for few rows: a block reads `columns` complete columns of the weights."""

    columns: int
    warps: int


@dataclass(frozen=True)
class DotTile:
    """Tile for `tl.dot`; with `splits`, blocks take a share of the depth each and a second kernel adds them up."""

    rows: int
    columns: int
    depth: int
    warps: int = 4
    stages: int = 4
    splits: int = 1


Tile = WalkTile | DotTile

TUNED: dict[ProductSizes, Tile] = {
    # an H200, Llama-3.2-1B: q, k and v; the output; gate and up; down; the head
    # 1 row
    ProductSizes(1, 3072, 2048, 1, 2): WalkTile(8, 4),
    ProductSizes(1, 2048, 2048, 1, 2): WalkTile(2, 2),
    ProductSizes(1, 8192, 2048, 2, 2): WalkTile(2, 4),
    ProductSizes(1, 2048, 8192, 1, 2): WalkTile(2, 8),
    ProductSizes(1, 128256, 2048, 1, 2): WalkTile(8, 4),
    # 8 rows
    ProductSizes(8, 3072, 2048, 1, 2): DotTile(16, 128, 128, 4, 5, 4),
    ProductSizes(8, 2048, 2048, 1, 2): DotTile(16, 64, 256, 4, 5, 4),
    ProductSizes(8, 8192, 2048, 2, 2): DotTile(16, 64, 128, 4, 5),
    ProductSizes(8, 2048, 8192, 1, 2): DotTile(16, 128, 128, 4, 5, 8),
    ProductSizes(8, 128256, 2048, 1, 2): DotTile(16, 64, 256, 4, 5),
    # 32 rows
    ProductSizes(32, 3072, 2048, 1, 2): DotTile(32, 128, 128, 4, 5, 4),
    ProductSizes(32, 2048, 2048, 1, 2): DotTile(32, 64, 256, 4, 4, 4),
    ProductSizes(32, 8192, 2048, 2, 2): DotTile(32, 64, 128, 4, 5),
    ProductSizes(32, 2048, 8192, 1, 2): DotTile(32, 128, 128, 4, 5, 8),
    ProductSizes(32, 128256, 2048, 1, 2): DotTile(32, 128, 128, 4, 5),
    # 64 rows
    ProductSizes(64, 3072, 2048, 1, 2): DotTile(64, 64, 128, 4, 5, 2),
    ProductSizes(64, 2048, 2048, 1, 2): DotTile(64, 64, 128, 4, 5, 4),
    ProductSizes(64, 8192, 2048, 2, 2): DotTile(64, 64, 128, 4, 4),
    ProductSizes(64, 2048, 8192, 1, 2): DotTile(64, 128, 128, 4, 4, 8),
    ProductSizes(64, 128256, 2048, 1, 2): DotTile(64, 64, 128, 4, 5),
}
"""Measured tiles."""

LARGE = {
    DotTile(128, 256, 64, 8, 3): 1.0,
    DotTile(128, 128, 64, 8, 4): 0.85,
    DotTile(64, 128, 64, 4, 4): 0.65,
    DotTile(64, 64, 128, 4, 4): 0.45,
    DotTile(64, 32, 128, 4, 4): 0.3,
}
"""What products of many rows choose from, with the speed relative to that of the largest tile."""

BUCKETS = (
    (DotTile(64, 64, 128, 4, 4), MANY_ROWS + 1, 256),
    (DotTile(128, 128, 64, 8, 4), 257, 1024),
    (DotTile(128, 256, 64, 8, 3), 1025, LARGEST_SIZE),
)
"""Many rows that are a symbol: a tile for the largest rows of a bucket, from and up to."""


@dataclass(frozen=True)
class FlashTile:
    """Tile of flash attention: rows and keys of a block's step, and how Triton compiles it."""

    rows: int
    keys: int
    warps: int
    stages: int


FLASH = {32: FlashTile(128, 64, 8, 4), 64: FlashTile(128, 64, 8, 4), 128: FlashTile(128, 64, 8, 3)}
"""By the size of a head."""

_tried: dict[Hashable, Any] = {}


@contextmanager
def trying(tiles: Mapping[ProductSizes, Tile], **sizes: int) -> Iterator[None]:
    """`with trying({shape: tile}, splits=16):` lowers with these tiles and sizes, to measure them."""
    before = dict(_tried)
    for shape, tile in tiles.items():
        _tried[shape] = tile
    for name, size in sizes.items():
        _tried[name] = size
    try:
        yield
    finally:
        _tried.clear()
        _tried.update(before)


def tile_of(shape: ProductSizes) -> Tile | None:
    """The tile of a product of 16-bit floats of few rows, or of any that was measured; None: there is no special one."""
    known: Tile | None = _tried.get(shape) or TUNED.get(shape)
    if known is not None or shape.size != 2 or shape.rows > MANY_ROWS:
        return known
    return _walk(shape) if _walks(shape) else _dot(shape)


def _walks(shape: ProductSizes) -> bool:
    """Whether each thread of four warps can hold its part of all rows in registers, with its weights: at most 64 numbers."""
    return shape.rows <= FEW_ROWS and shape.rows * min(shape.depth, DEEPEST) <= 64 * 128


def _walk(shape: ProductSizes) -> WalkTile:
    """A walk tile with 256 bytes of weights for each thread of four warps."""
    return WalkTile(max(1, 16384 // power_of_two(min(shape.depth, DEEPEST)) // shape.products), 4)


def _dot(shape: ProductSizes) -> DotTile:
    """A dot tile of 64 columns with a deep pipeline; with splits where the blocks are fewer than the multiprocessors."""
    rows, columns, depth = max(16, shape.rows), 64, 128
    stage = (rows + columns * shape.products) * depth * shape.size
    blocks, splits = -(-shape.columns // columns), 1
    while blocks * splits < 96 and splits < 8 and shape.depth // splits >= 4 * depth:
        splits *= 2
    return DotTile(rows, columns, depth, 4, min(5, (200 << 10) // stage), splits)


def large_tile(shape: ProductSizes, batch: int = 1) -> DotTile:
    """The tile of many rows: measured, or with the least rounds of the multiprocessors times the duration of a tile.

    >>> large_tile(ProductSizes(4096, 16384, 2048, 1, 2)).columns, large_tile(ProductSizes(128, 3072, 2048, 1, 2)).columns
    (256, 64)
    """
    known = tile_of(replace(shape, rows=power_of_two(shape.rows)))
    if isinstance(known, DotTile):
        return known

    def cost(tile: DotTile) -> float:
        blocks = -(-shape.rows // tile.rows) * -(-shape.columns // (tile.columns // shape.products)) * batch
        return -(-blocks // PROCESSORS) * tile.rows * tile.columns / LARGE[tile]

    return min(LARGE, key=cost)


def by_library(shape: ProductSizes) -> bool:
    """Whether a library computes this product faster than these tiles, where there is one."""
    return bool(_tried.get("library", shape.rows > MANY_ROWS))


def candidates(shape: ProductSizes) -> list[Tile]:
    """Tiles of a product worth measuring."""
    found: list[Tile] = []
    if shape.rows <= 4:
        deep = power_of_two(min(shape.depth, DEEPEST)) * shape.products * shape.size
        walks = [WalkTile(columns, warps) for columns in (1, 2, 4, 8, 16) for warps in (2, 4, 8)]
        found += [tile for tile in walks if 64 <= tile.columns * deep // (32 * tile.warps) <= 512]
    if shape.rows > 1:
        rows = max(16, min(shape.rows, 64))
        for columns in (16, 32, 64, 128):
            for depth in (128, 256):
                for splits in (1, 2, 4, 8):
                    blocks = -(-shape.columns // columns) * splits
                    stage = (rows + columns * shape.products) * depth * shape.size
                    enough = blocks >= 96 and (splits == 1 or blocks <= 640) and shape.depth // splits >= 2 * depth
                    if enough and stage <= 56 << 10:
                        found.append(DotTile(rows, columns, depth, 4, min(5, (200 << 10) // stage), splits))
    return found


def flat_elements(count: Size, size: int) -> int:
    """Elements of a block of elementwise code: a thread of four warps has two vectors, of which each has at most 8 numbers.

    >>> flat_elements(8192 * 8192, 4), flat_elements(8192 * 8192, 2), flat_elements(4096, 2)
    (1024, 2048, 1024)
    """
    many = not isinstance(count, int) or count >= 4 * 2048 * PROCESSORS
    return region_size("flat", 2048 if size <= 2 and many else 1024)


def region_size(name: str, usual: int) -> int:
    """A tile size of regions: the default, unless another is tried (`bench.cuda_kernels region_tiles`)."""
    return int(_tried.get(name, usual))


# -- a step of decode
def step_keys(head_dim: int, capacity: Size, splits: int) -> int:
    """Keys that a block of an attention step holds at once: half of the most it can, so that a short cache takes few registers.

    Blocks of the next kernel then fit on the same multiprocessor, and prefetch their weights meanwhile.

    >>> step_keys(64, 2048, 32), step_keys(64, 8192, 32), step_keys(128, 131072, 16)
    (32, 128, 64)
    """
    share = power_of_two(capacity) // splits // 2 if isinstance(capacity, int) else 128
    return int(_tried.get("keys", max(16, min(128, 8192 // head_dim, max(32, share)))))


def step_splits(batch: Size, kv_heads: int) -> int:
    """The number of blocks that share the keys of a head: 32 while there are few heads, 2 where there are many."""
    if "splits" in _tried:
        return int(_tried["splits"])
    count = batch * kv_heads if isinstance(batch, int) else kv_heads
    return next((splits for splits in (32, 16, 8, 4) if count * splits <= 1024), 2)
