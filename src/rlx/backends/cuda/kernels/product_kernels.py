"""Kernels of products with few rows, or of any dtype: by tiles, or by one walk through the weights.

By tiles: `tl.dot`, the elementwise nodes on the tile, and a store; a tile may split the depth among blocks. Two products of one left
operand (gate and up) are two accumulators. With few rows the weights are what counts: blocks prefetch theirs into the cache of the GPU
before they wait for the kernel before them.

By a walk: weights are read in memory order. Nothing is reused, so the memory of the GPU is the limit: each block holds
complete columns in registers and loads them before it waits for the kernel before it, where no kernel of the graph writes
them; and so for what else the graph does not write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rlx.backends.cuda.kernel_data import CudaTensor, EarlyKernel, Launch
from rlx.backends.cuda.kernels.products import Contraction
from rlx.backends.cuda.kernels.region import label_of
from rlx.backends.cuda.kernels.tiles import DEEPEST, DotTile, WalkTile
from rlx.backends.cuda.register_types import carried
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType

_LEAST = 16  # of every side of a tile
_FEW_ROWS = 64  # rows up to which weights are prefetched


def write_tiles(contraction: Contraction, tile: DotTile | None = None) -> tuple[Launch, ...]:
    """Writes the tile kernel; or with splits one that computes partial sums, and one that adds them up."""
    tile = _usual(contraction) if tile is None else _fitted(contraction, tile)
    launch = _written(contraction, tile, early=False)
    if _reads_ahead(contraction, tile):
        operands = tuple(dict.fromkeys(contraction.leaves[product.right] for product in contraction.products))
        early = EarlyKernel(_written(contraction, tile, early=True).kernel, operands)
        launch = replace(launch, early=(early,))
    return (launch,) if tile.splits == 1 else (launch, _joined(contraction, tile))


def partial_sums(contraction: Contraction, tile: DotTile) -> CudaTensor | None:
    """The temporary of partial sums, if there are splits: products, splits, rows, columns."""
    tile = _fitted(contraction, tile)
    if tile.splits == 1:
        return None
    assert isinstance(contraction.rows, int) and isinstance(contraction.columns, int)
    count = len(contraction.products) * tile.splits * contraction.rows * contraction.columns
    dtype = contraction.accumulates()
    return CudaTensor(DType.of("f32") if dtype.is_low_float else dtype, (count,), (1,))


def _usual(of: Contraction) -> DotTile:
    """The default tile of a dtype: large tiles that many rows fill."""
    by_dot = _by_dot(of)
    wide = of.dtype.size <= 2 and by_dot
    most = (128, 128, 64) if wide else (64, 64, 32) if by_dot else (16, 16, 16)
    rows, columns, depth = (
        max(_LEAST, min(power_of_two(size), limit)) if isinstance(size, int) else limit
        for size, limit in zip((of.rows, of.columns, of.depth), most, strict=True)
    )
    return DotTile(rows, columns, depth, 8 if rows * columns >= 128 * 128 else 4, 3 if wide else 2)


def _fitted(of: Contraction, tile: DotTile) -> DotTile:
    """Shrinks a tile to its problem; splits need the dtype of the accumulator for partial sums, and no batch."""
    assert isinstance(of.depth, int) and isinstance(of.columns, int)
    columns = max(_LEAST, min(tile.columns, power_of_two(of.columns)))
    depth = max(_LEAST, min(tile.depth, power_of_two(of.depth)))
    splits = tile.splits
    while splits > 1 and (of.batch or of.depth % (splits * depth) or not isinstance(of.rows, int)):
        splits //= 2
    return replace(tile, columns=columns, depth=depth, splits=splits)


def _by_dot(of: Contraction) -> bool:
    return of.dtype.is_float and of.dtype.name != "f64"


def _reads_ahead(of: Contraction, tile: DotTile) -> bool:
    """Whether a block prefetches its weights before it waits: rows of full vectors, and few rows of the result."""
    few = isinstance(of.rows, int) and of.rows <= _FEW_ROWS and not of.batch
    if not few or not isinstance(of.depth, int) or not isinstance(of.columns, int) or of.columns % tile.columns:
        return False
    share = of.depth // tile.splits * of.dtype.size
    return all(one.turned and of.given[one.right].is_dense for one in of.products) and share % 16 == 0


def _written(of: Contraction, tile: DotTile, early: bool) -> Launch:
    k = KernelText("contraction" if tile.splits == 1 else "contraction_share", waits_later=True)
    blocks_m, blocks_n = ceildiv(of.rows, tile.rows), ceildiv(of.columns, tile.columns)
    grid: tuple[Size, ...] = (blocks_m * blocks_n * product(of.batch),)
    weights, x = of.weights_argument(k), of.left_argument(k)
    stores: dict[str, Any] = {"y": None, "partial": None, "epilogue": None, "epilogue_operands": ()}
    if tile.splits == 1:
        stores |= {"epilogue_operands": of.write_epilogue(k), "epilogue": "epilogue", "y": of.result_argument(k)}
    else:
        grid = (*grid, tile.splits)
        stores["partial"] = k.pointer(of.target + 1, _partial(of, tile), written=True)
    prefetched = of.depth // tile.splits * of.dtype.size if early and isinstance(of.depth, int) else 0
    k.call(
        "products.multiply_tiles", x=x, weights=weights, **stores,
        rows=of.rows, columns=of.columns, depth=of.depth, batches=product(of.batch), batch_dims=of.batch,
        blocks_m=blocks_m, blocks_n=blocks_n, TILE_M=tile.rows, TILE_N=tile.columns, TILE_K=tile.depth, SPLITS=tile.splits,
        PREFETCHED=prefetched, ONCE=isinstance(of.rows, int) and of.rows <= tile.rows, BY_DOT=_by_dot(of),
        BOUNDED=not isinstance(product(of.batch), int), SUMS=carried(of.accumulates()), INDEX=of.index,
        wait="wait_for_previous", prefetch="prefetch",
    )  # fmt: skip
    return k.launch(grid, warps=tile.warps, stages=tile.stages, name=label_of(of.body, "contraction"))


def _partial(of: Contraction, tile: DotTile) -> CudaTensor:
    sums = partial_sums(of, tile)
    assert sums is not None
    return sums


def _joined(of: Contraction, tile: DotTile) -> Launch:
    """Writes the kernel that adds the partial sums of each product in order, then computes the epilogue."""
    rows, columns = 4, min(128, tile.columns * 2)
    k = KernelText("contraction_join")
    blocks_m, blocks_n = ceildiv(of.rows, rows), ceildiv(of.columns, columns)
    k.call(
        "products.join_shares", partial=k.pointer(of.target + 1, _partial(of, tile)), epilogue_operands=of.write_epilogue(k),
        y=of.result_argument(k), rows=of.rows, columns=of.columns, blocks_m=blocks_m, blocks_n=blocks_n,
        COUNT=len(of.products), SPLITS=tile.splits,
        TILE_M=rows, TILE_N=columns, INDEX=of.index, epilogue="epilogue",
    )  # fmt: skip
    launch = k.launch((blocks_m * blocks_n,), warps=4, name=label_of(of.body, "contraction"))
    return replace(launch, reads=(of.target + 1,))


# -- many rows in 16 bits --------------------------------------------------------------------------------------------
def write_large(of: Contraction, tile: DotTile) -> Launch:
    """Writes the kernel for one large tile; two products of one left operand have half of its columns each."""
    assert isinstance(of.columns, int) and isinstance(of.depth, int)
    tile_n = max(16, tile.columns // len(of.products))
    blocks_m, blocks_n, batches = ceildiv(of.rows, tile.rows), ceildiv(of.columns, tile_n), product(of.batch)
    k = KernelText("product")
    x, weights = of.left_argument(k), of.weights_argument(k)
    k.call(
        "products.large_product", x=x, weights=weights, epilogue_operands=of.write_epilogue(k), y=of.result_argument(k),
        rows=of.rows, columns=of.columns, batches=batches, batch_dims=of.batch, blocks_m=blocks_m, blocks_n=blocks_n,
        DEPTH=of.depth, TILE_M=tile.rows, TILE_N=tile_n, TILE_K=tile.depth,
        EVEN_M=isinstance(of.rows, int) and of.rows % tile.rows == 0, EVEN_N=of.columns % tile_n == 0,
        BOUNDED=not (isinstance(of.rows, int) and isinstance(batches, int)),
        SUMS=carried(of.accumulates()), INDEX=of.index, epilogue="epilogue",
    )  # fmt: skip
    grid = (blocks_m * blocks_n * batches,)
    return k.launch(grid, warps=tile.warps, stages=tile.stages, name=label_of(of.body, "contraction"))


# -- few rows --------------------------------------------------------------------------------------------------------
REGISTERS = 32768  # bytes of weights that a block of four warps holds at once


@dataclass(frozen=True)
class WalkBlock:
    """The block of weights that a walking kernel holds in registers at once: columns, depth."""

    columns: int
    depth: int
    warps: int

    @staticmethod
    def of(contraction: Contraction, tile: WalkTile | None) -> WalkBlock:
        """The block of a tile, or the largest that four warps can hold."""
        assert isinstance(contraction.depth, int)
        depth, columns = min(power_of_two(contraction.depth), DEEPEST), contraction.columns
        held, count = REGISTERS // contraction.dtype.size, len(contraction.products)
        along_depth = contraction.right(contraction.products[0]).rows  # 1 where neighbors in memory lie along the depth
        if contraction.prologue is None and not (isinstance(along_depth, int) and along_depth == 1):
            wide = min(power_of_two(columns), 64) if isinstance(columns, int) else 32
            return WalkBlock(wide, min(depth, max(16, held // wide // count)), 4)
        wide = max(1, held // depth // count) if tile is None else tile.columns
        wide = min(wide, power_of_two(columns)) if isinstance(columns, int) else wide
        return WalkBlock(wide, depth, 4 if tile is None else tile.warps)


def write_walk(contraction: Contraction, rows: int, tile: WalkTile | None = None) -> Launch:
    """Writes the walking kernel for a number of rows."""
    block = WalkBlock.of(contraction, tile)
    launch = _walk(contraction, rows, block, early=False)
    if not isinstance(contraction.columns, int) or not isinstance(contraction.depth, int) or block.depth < contraction.depth:
        return launch
    operands = dict.fromkeys(contraction.leaves[product.right] for product in contraction.products)
    if contraction.prologue is not None:
        operands |= dict.fromkeys(contraction.leaves[ref] for ref in contraction.prologue.shared)
    early = EarlyKernel(_walk(contraction, rows, block, early=True).kernel, tuple(operands))
    return replace(launch, early=(early,))


def _walk(of: Contraction, rows: int, block: WalkBlock, early: bool) -> Launch:
    assert isinstance(of.depth, int)
    k = KernelText("few_rows", waits_later=True)
    blocks, prologue = ceildiv(of.columns, block.columns), of.prologue
    weights, bounded = of.weights_argument(k), not isinstance(of.rows, int)
    functions: dict[str, Any] = {"shared": None, "shared_operands": (), "prologue": None, "prologue_operands": ()}
    if prologue is not None:
        functions |= {"shared_operands": prologue.write_shared(k), "prologue_operands": prologue.write_rows(k, of.depth, bounded)}
        functions |= {"shared": "shared", "prologue": "prologue"}
    known, functions["beside_operands"] = of.write_beside(k) if block.depth >= of.depth else ([], ())
    k.call(
        "products.walk_weights", x=None if prologue is not None else of.left_argument(k), weights=weights,
        epilogue_operands=of.write_epilogue(k, known), y=of.result_argument(k), **functions,
        rows=of.rows, columns=of.columns, batches=product(of.batch), batch_dims=of.batch, blocks=blocks,
        ROWS=rows, DEPTH=of.depth, TILE_N=block.columns, TILE_K=block.depth,
        EVEN_N=isinstance(of.columns, int) and of.columns % block.columns == 0 and not of.batch, BOUNDED=bounded,
        SUMS=carried(of.accumulates()), INDEX=of.index, EARLY=early, wait="wait_for_previous",
        beside="beside" if block.depth >= of.depth else None, epilogue="epilogue",
    )  # fmt: skip
    return k.launch((blocks * product(of.batch),), warps=block.warps, name=label_of(of.body, "contraction"))
